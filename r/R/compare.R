# Distances between graphs.

graph_distance <- function(estimate, truth, graph = "cpdag", extend = FALSE,
                           threads = getOption("mc.cores", "all")) {
  pags <- is_pag_like(estimate) || is_pag_like(truth)
  estimate <- as_amat(estimate, "estimate", pags)
  truth <- as_amat(truth, "truth", pags)
  if (nrow(estimate) != nrow(truth))
    refuse("estimate has ", nrow(estimate), " nodes, truth ", nrow(truth))
  own <- rownames(estimate)
  theirs <- rownames(truth)
  if (!is.null(own) && !is.null(theirs)) {
    if (!setequal(own, theirs))
      refuse("estimate and truth have different nodes: '",
             c(setdiff(own, theirs), setdiff(theirs, own))[1], "' is in only one of them")
    truth[] <- truth[own, own]
  }
  skeletons <- identical(graph, "skeleton")
  if (!skeletons && has_marks(estimate) != has_marks(truth))
    refuse("the ", if (has_marks(estimate)) "estimate" else "truth", " is a PAG and the ",
           if (has_marks(estimate)) "truth" else "estimate", " is not: their marks mean different ",
           "things; compare two PAGs, or the skeletons alone, with graph = \"skeleton\"")
  if (!skeletons && has_marks(estimate)) return(unlist(check(.Call(r_compare_pags, estimate, truth))))
  unlist(check(.Call(r_compare, estimate, truth, as_text(graph, "graph"),
                     is_true(extend, "extend"), as_text(threads, "threads"))))
}

# Does this say of itself that it is a PAG?
is_pag_like <- function(x)
  is_pag(x) || has_marks(x) || has_edge_marks(x) || (isS4(x) && methods::is(x, "fciAlgo")) ||
    (is.matrix(x) && is.numeric(x) && nrow(x) == ncol(x) && !anyNA(x) && any(x > 1) &&
       could_be_marks(x))

# Row i, column j: i -> j; of PAGs the mark at j, with the attribute that says so. From what users
# may have at hand; `beside` a PAG a matrix of 0 and 1 may be one, too.
as_amat <- function(x, what, beside = FALSE) {
  if (is_pag(x)) return(as_marks(x$amat))
  if (inherits(x, "dualpc")) return(x$amat)
  if (inherits(x, "bn")) return(amat_of_arcs(names(x$nodes), x$arcs))
  if (inherits(x, "igraph")) {
    need("igraph", what)
    if (has_edge_marks(x)) return(marks_of_igraph(x))
    x <- igraph::as_adjacency_matrix(x, sparse = FALSE)
  } else if (isS4(x) && methods::is(x, "graph")) {
    x <- methods::as(x, "matrix")
  } else if (isS4(x) && methods::is(x, "pcAlgo")) {
    x <- methods::as(x@graph, "matrix")
  } else if (isS4(x) && methods::is(x, "fciAlgo")) {
    x <- as_marks(x@amat)
  }
  if (!is.matrix(x) || nrow(x) != ncol(x) || !(is.numeric(x) || is.logical(x)) || anyNA(x))
    refuse(what, " must be a result of dualpc(), a square matrix of 0 and 1, or a graph of ",
           "igraph, graph, pcalg or bnlearn")
  marks <- if (is.numeric(x)) read_marks(x, what, beside)
  if (!is.null(marks)) return(marks)
  names <- rownames(x) %or% colnames(x)
  matrix(as.integer(x != 0), nrow(x), dimnames = if (!is.null(names)) list(names, names))
}

# A graph of igraph that as_igraph() has made of a PAG.
has_edge_marks <- function(x)
  inherits(x, "igraph") && requireNamespace("igraph", quietly = TRUE) &&
    all(c("from_mark", "to_mark") %in% igraph::edge_attr_names(x))

marks_of_igraph <- function(x) {
  n <- igraph::vcount(x)
  names <- if ("name" %in% igraph::vertex_attr_names(x)) igraph::vertex_attr(x, "name")
  ends <- igraph::as_edgelist(x, names = FALSE)
  out <- matrix(0L, n, n, dimnames = if (!is.null(names)) list(names, names))
  out[ends] <- match(igraph::edge_attr(x, "to_mark"), end_names) - 1L
  out[ends[, 2:1, drop = FALSE]] <- match(igraph::edge_attr(x, "from_mark"), end_names) - 1L
  as_marks(out)
}

amat_of_arcs <- function(nodes, arcs) {
  out <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  out[arcs] <- 1L
  out
}
