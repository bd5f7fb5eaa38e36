# What follows from a graph: effects, adjustment sets.

effects.dualpc <- function(object, cause = NULL, outcome = NULL, ida = "local",
                           standardised = FALSE, top = 0, graph = NULL, extend = FALSE,
                           threads = getOption("mc.cores", "all"), ...) {
  x <- object
  refuse_pag(x, "effects() needs a DAG or a CPDAG",
             "adjustment_set() tells which effects it identifies, and what to adjust for")
  amat <- if (is.null(graph)) x$class_amat %or% x$amat else matched(graph, x$nodes)
  causes <- if (!is.null(cause)) variables(x, cause, "cause") else integer()
  outcomes <- if (!is.null(outcome)) variables(x, outcome, "outcome") else integer()
  check_whole(top, "top", 0, 2^31 - 1) # 0: all
  how <- list(choose_word(ida, c("local", "optimal", "pcalg"), "ida"),
              is_true(standardised, "standardised"), as.integer(top), is_true(extend, "extend"),
              as_text(threads, "threads"))
  source <- if (is.null(x$variables) && !is_curved(x)) covariance_of(x) else handle_of(x)
  found <- check(.Call(r_effects, source, x$n_obs, amat, x$nodes, causes, outcomes, how))
  out <- data.frame(cause = x$nodes[found$cause], outcome = x$nodes[found$outcome],
                    found[3:10], stringsAsFactors = FALSE)
  out$set <- lapply(found$set, function(set) x$nodes[set])
  out$possible <- found$possible
  if (any(x$variables$type == "nominal")) {
    out$contrast <- level_names(x, found$cause, found$contrast)
    out$baseline <- level_names(x, found$cause, found$baseline)
    out$level <- level_names(x, found$outcome, found$level)
  }
  out
}

# The names of levels of variables; NA where there is none.
level_names <- function(x, variable, level)
  vapply(seq_along(level), function(i) {
    if (is.na(level[i])) NA_character_ else x$variables$levels[[variable[i]]][level[i]]
  }, "")

# In the units of the data where there are any: not after normal scores, nor from correlations.
covariance_of <- function(x) {
  if (is.null(x$sd)) return(x$cor)
  sd <- ifelse(x$sd > 0, x$sd, 1) # a constant column has no edges
  x$cor * outer(sd, sd)
}

# Another graph over the same variables, in their order.
matched <- function(graph, nodes) {
  amat <- as_amat(graph, "graph")
  if (has_marks(amat))
    refuse("effects() needs a DAG or a CPDAG, and graph is a PAG; adjustment_set() tells which ",
           "effects it identifies, and what to adjust for")
  if (nrow(amat) != length(nodes))
    refuse("graph has ", nrow(amat), " nodes, and there are ", length(nodes), " variables")
  if (is.null(rownames(amat))) return(amat)
  if (!setequal(rownames(amat), nodes))
    refuse("graph has a node '", c(setdiff(rownames(amat), nodes), "?")[1],
           "', which is no variable")
  amat[nodes, nodes, drop = FALSE]
}

# The place of a word in a list, from 0.
choose_word <- function(word, words, name) {
  at <- if (is.character(word) && length(word) == 1) match(word, words) else NA
  if (is.na(at)) refuse(name, " must be one of ", paste(words, collapse = ", "))
  at - 1L
}

# The graph to be asked, and the names of its nodes.
asked_graph <- function(x) {
  amat <- if (inherits(x, "dualpc")) graph_matrix(x) else as_amat(x, "x")
  list(nodes = rownames(amat) %or% paste0("V", seq_len(nrow(amat))), amat = amat)
}

# Nodes of a path with the marks between them: A o-> B <-> C.
path_text <- function(amat, nodes, path) {
  marks <- vapply(seq_along(path)[-1], function(k) {
    a <- path[k - 1]
    b <- path[k]
    if (has_marks(amat)) mark_text(amat[b, a], amat[a, b])
    else if (amat[b, a] == 0) "-->" else if (amat[a, b] == 0) "<--" else "---"
  }, "")
  paste(c(nodes[path[1]], rbind(marks, nodes[path[-1]])), collapse = " ")
}

adjustment_set <- function(x, cause, outcome, type = "optimal", extend = FALSE) {
  graph <- asked_graph(x)
  nodes <- graph$nodes
  i <- variable(graph, cause, "cause")
  j <- variable(graph, outcome, "outcome")
  if (i == j) refuse("cause and outcome are the same variable, '", nodes[i + 1], "'")
  # no set of a PAG is known to be optimal
  if (missing(type) && has_marks(graph$amat)) type <- "minimal"
  kind <- choose_word(type, c("optimal", "parents", "minimal"), "type")
  ask <- function(kind) check(.Call(r_adjustment, graph$amat, graph$nodes, i, j, kind,
                                    is_true(extend, "extend")))
  found <- ask(kind)
  if (found$hidden && type == "optimal")
    refuse("no set of a PAG is known to be optimal; take type = \"minimal\" or \"parents\"")
  why <- if (!found$identified) {
    if (!found$hidden)
      paste0("the path ", paste(nodes[found$path], collapse = ", "),
             " begins with an undirected edge")
    else
      paste0("the edge ", path_text(graph$amat, nodes, found$path[1:2]),
             " may be due to a hidden common cause, and is on the possibly causal path ",
             path_text(graph$amat, nodes, found$path))
  } else if (found$hidden && is.null(found$set) && is.null(ask(2L)$set)) {
    "no set to adjust for is valid"
  }
  if (!is.null(why))
    warning("the effect of ", nodes[i + 1], " on ", nodes[j + 1], " is not identified: ", why,
            call. = FALSE)
  if (is.null(found$set)) NULL else nodes[found$set]
}

separated <- function(x, a, b, given = character(), extend = FALSE) {
  graph <- asked_graph(x)
  i <- variable(graph, a, "a")
  j <- variable(graph, b, "b")
  if (i == j) refuse("a and b are the same variable, '", graph$nodes[i + 1], "'")
  others <- unique(variables(graph, given, "given"))
  if (any(others %in% c(i, j))) refuse("given has one of the two variables that are asked about")
  found <- check(.Call(r_separated, graph$amat, graph$nodes, i, j, as.integer(others),
                       is_true(extend, "extend")))
  structure(found$separated, path = if (!is.null(found$path)) graph$nodes[found$path])
}
