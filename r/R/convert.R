# Results as the classes of other packages. Each has its own convention for the same graph:
#
#   ours, igraph, graphNEL   row i, column j: i -> j; an undirected edge is both entries
#   pcalg's amat             the transpose of that
#   bnlearn                  a table of arcs; an undirected edge is both of them

as_igraph <- function(x) {
  need("igraph", "as_igraph()")
  check_result(x)
  if (is_pag(x)) return(pag_igraph(x))
  igraph::graph_from_adjacency_matrix(x$amat, mode = "directed")
}

# An edge once, from -> to, with what it has at its ends.
pag_igraph <- function(x) {
  e <- pag_places(x$amat)
  g <- igraph::make_empty_graph(0, directed = TRUE)
  g <- igraph::add_vertices(g, length(x$nodes), name = x$nodes)
  igraph::add_edges(g, rbind(e$from, e$to),
                    attr = list(mark = mark_text(e$at_from, e$at_to),
                                from_mark = end_names[e$at_from + 1],
                                to_mark = end_names[e$at_to + 1]))
}

# Classes that have no place for circles and double arrowheads.
refuse_marks <- function(x, what)
  refuse_pag(x, paste(what, "cannot hold circles and double arrowheads"),
             "as_pcalg_amat() and as_igraph() can")

as.igraph.dualpc <- function(x, ...) as_igraph(x)

as_graphnel <- function(x, ...) UseMethod("as_graphnel")

# igraph has a function of this name, too.
as_graphnel.default <- function(x, ...) {
  if (inherits(x, "igraph")) {
    need("igraph", "as_graphnel()")
    return(igraph::as_graphnel(x))
  }
  check_result(x)
  refuse_marks(x, "a graphNEL")
  need("graph", "as_graphnel()")
  edges <- lapply(x$nodes, function(v) unname(x$nodes[x$amat[v, ] != 0]))
  graph::graphNEL(x$nodes, edgeL = stats::setNames(edges, x$nodes), edgemode = "directed")
}

# ---- Files ----

save_graph <- function(x, file, format = NULL) {
  check_result(x)
  for (text in list(file, format))
    if (!is.null(text) && (!is.character(text) || length(text) != 1 || is.na(text)))
      refuse("file and format must be texts, as in save_graph(x, \"graph.txt\")")
  word <- format %or% tolower(sub(".*[.]", "", file))
  if (word %in% c("svg", "png", "pdf", "html"))
    refuse("save_graph() writes no pictures; draw into a file with ", word, "() and plot()")
  known <- !inherits(x, "dualpc_probable")
  given <- if (!known || !is.null(x$learned)) x$amat
  check(.Call(r_write, if (known) handle_of(x), x$nodes, given, path.expand(file), format %or% ""))
  invisible(x)
}

check_result <- function(x) {
  if (!inherits(x, "dualpc")) refuse("x must be a result of dualpc(), not ", class(x)[1])
}

# ---- pcalg ----

as_pcalg_amat <- function(x) {
  check_result(x)
  if (is_pag(x)) return(as_marks(x$amat))
  t(x$amat)
}

# The separating sets of all pairs, as pcalg keeps them: a list of lists of numbers.
pcalg_sets <- function(x) {
  n <- length(x$nodes)
  pairs <- which(upper.tri(matrix(0, n, n)), arr.ind = TRUE) - 1L
  found <- check(.Call(r_separating_set, handle_of(x), pairs[, 1], pairs[, 2]))
  sets <- rep(list(vector("list", n)), n)
  p <- matrix(NA_real_, n, n)
  diag(p) <- 1
  for (k in seq_along(found)) if (!is.null(found[[k]])) {
    i <- pairs[k, 1] + 1
    j <- pairs[k, 2] + 1
    sets[[i]][[j]] <- sets[[j]][[i]] <- found[[k]]$set
    p[i, j] <- p[j, i] <- found[[k]]$p
  }
  list(sets = sets, p = p)
}

as_pcalg <- function(x) {
  check_result(x)
  refuse_marks(x, "a pcAlgo")
  need("pcalg", "as_pcalg()")
  need("graph", "as_pcalg()")
  found <- pcalg_sets(x)
  methods::new(methods::getClass("pcAlgo", where = asNamespace("pcalg")), call = x$call,
               n = as.integer(x$n_obs), max.ord = as.integer(max(x$levels$level, 0L)),
               n.edgetests = x$levels$tests, sepset = found$sets, pMax = found$p,
               zMin = matrix(NA, 1, 1), graph = as_graphnel(x))
}

# ---- bnlearn ----

as_bnlearn <- function(x) {
  check_result(x)
  refuse_marks(x, "bnlearn's networks")
  at <- which(x$amat != 0, arr.ind = TRUE)
  at <- at[order(at[, 1], at[, 2]), , drop = FALSE]
  arcs <- cbind(from = x$nodes[at[, 1]], to = x$nodes[at[, 2]])
  dimnames(arcs) <- list(NULL, c("from", "to"))
  structure(list(learning = bn_learning(x), nodes = bn_nodes(x), arcs = arcs), class = "bn")
}

as.bn.dualpc <- function(x, ...) as_bnlearn(x)

bn_nodes <- function(x) {
  a <- x$amat != 0
  names_of <- function(which) unname(x$nodes[which])
  arrows <- a & !t(a)
  stats::setNames(lapply(seq_along(x$nodes), function(v) {
    near <- a[v, ] | a[, v]
    spouses <- rowSums(arrows[, arrows[v, ], drop = FALSE]) > 0
    blanket <- near | spouses
    blanket[v] <- FALSE
    list(mb = names_of(blanket), nbr = names_of(near), parents = names_of(arrows[, v]),
         children = names_of(arrows[v, ]))
  }), x$nodes)
}

# What bnlearn tells about how a network was learned. It knows no dual PC: all methods with tests
# are its "pc.stable", and `method` has ours.
bn_learning <- function(x) {
  if (is.null(x$settings)) # the graph of a posterior
    return(list(whitelist = NULL, blacklist = NULL, test = "none", ntests = 0, algo = "averaged",
                args = list(threshold = x$min_probability), optimized = FALSE, undirected = FALSE,
                illegal = NULL))
  s <- as.list(x$settings)
  greedy <- s$method == "ges"
  arcs <- x$knowledge$arcs
  listed <- function(what) {
    mine <- arcs[arcs$name == what, c("from", "to"), drop = FALSE]
    if (is.null(arcs) || nrow(mine) == 0) NULL else as.matrix(mine)
  }
  list(whitelist = listed("whitelist"), blacklist = listed("blacklist"),
       test = if (greedy) "bic-g" else c(z = "zf", t = "cor")[[s$test]],
       ntests = x$counts$tests, algo = if (greedy) "ges" else "pc.stable",
       args = if (!greedy) list(alpha = as.numeric(s$alpha))
              else if (s$penalty == "auto") list()
              else list(k = as.numeric(s$penalty) * log(x$n_obs)),
       optimized = FALSE, undirected = s$graph == "skeleton",
       max.sx = if (s$`max-order` == "none") length(x$nodes) - 2 else as.numeric(s$`max-order`),
       illegal = NULL, method = s$method)
}

# The bootstrap as bnlearn's boot.strength() has it: all ordered pairs, how often they are joined,
# and how often, of these times, in this direction; an undirected edge counts half for each.
as_bn_strength <- function(x, threshold = 0.5) {
  check_result(x)
  refuse_pag(x, "bn.strength counts directions", "frequencies() has its marks")
  if (is.null(x$bootstrap))
    refuse("there was no bootstrap: learn with dualpc(data, bootstrap = 200)")
  n <- length(x$nodes)
  from <- rep(seq_len(n), each = n)
  to <- rep(seq_len(n), n)
  keep <- from != to
  from <- from[keep]
  to <- to[keep]
  s <- shares(x, from, to)
  out <- data.frame(from = x$nodes[from], to = x$nodes[to], strength = s$edge,
                    direction = ifelse(s$edge > 0, (s$forward + s$undirected / 2) / s$edge, 0),
                    stringsAsFactors = FALSE)
  structure(out, method = "bootstrap", threshold = threshold, nodes = x$nodes,
            class = c("bn.strength", "data.frame"))
}
