# Distances between graphs.

graph_distance <- function(estimate, truth, graph = "cpdag", extend = FALSE,
                           threads = getOption("mc.cores", "all")) {
  estimate <- as_amat(estimate, "estimate")
  truth <- as_amat(truth, "truth")
  if (nrow(estimate) != nrow(truth))
    refuse("estimate has ", nrow(estimate), " nodes, truth ", nrow(truth))
  own <- rownames(estimate)
  theirs <- rownames(truth)
  if (!is.null(own) && !is.null(theirs)) {
    if (!setequal(own, theirs))
      refuse("estimate and truth have different nodes: '",
             c(setdiff(own, theirs), setdiff(theirs, own))[1], "' is in only one of them")
    truth <- truth[own, own, drop = FALSE]
  }
  unlist(check(.Call(r_compare, estimate, truth, as_text(graph, "graph"),
                     is_true(extend, "extend"), as_text(threads, "threads"))))
}

# Row i, column j: i -> j. From what users may have at hand.
as_amat <- function(x, what) {
  if (inherits(x, "dualpc")) return(x$amat)
  if (inherits(x, "bn")) return(amat_of_arcs(names(x$nodes), x$arcs))
  if (inherits(x, "igraph")) {
    need("igraph", what)
    x <- igraph::as_adjacency_matrix(x, sparse = FALSE)
  } else if (isS4(x) && methods::is(x, "graph")) {
    x <- methods::as(x, "matrix")
  } else if (isS4(x) && methods::is(x, "pcAlgo")) {
    x <- methods::as(x@graph, "matrix")
  }
  if (!is.matrix(x) || nrow(x) != ncol(x) || !(is.numeric(x) || is.logical(x)) || anyNA(x))
    refuse(what, " must be a result of dualpc(), a square matrix of 0 and 1, or a graph of ",
           "igraph, graph, pcalg or bnlearn")
  names <- rownames(x) %or% colnames(x)
  matrix(as.integer(x != 0), nrow(x), dimnames = if (!is.null(names)) list(names, names))
}

amat_of_arcs <- function(nodes, arcs) {
  out <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  out[arcs] <- 1L
  out
}
