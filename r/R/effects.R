# What follows from a graph: effects, adjustment sets.

effects.dualpc <- function(object, cause = NULL, outcome = NULL, ida = "local",
                           standardised = FALSE, top = 0, graph = NULL, extend = FALSE,
                           threads = getOption("mc.cores", "all"), ...) {
  x <- object
  amat <- if (is.null(graph)) x$class_amat %or% x$amat else matched(graph, x$nodes)
  causes <- if (!is.null(cause)) variables(x, cause, "cause") else integer()
  outcomes <- if (!is.null(outcome)) variables(x, outcome, "outcome") else integer()
  check_whole(top, "top", 0, 2^31 - 1) # 0: all
  how <- list(choose_word(ida, c("local", "optimal", "pcalg"), "ida"),
              is_true(standardised, "standardised"), as.integer(top), is_true(extend, "extend"),
              as_text(threads, "threads"))
  source <- if (is.null(x$variables)) covariance_of(x) else handle_of(x)
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

adjustment_set <- function(x, cause, outcome, type = "optimal", extend = FALSE) {
  amat <- if (inherits(x, "dualpc")) x$class_amat %or% x$amat else as_amat(x, "x")
  nodes <- rownames(amat) %or% paste0("V", seq_len(nrow(amat)))
  variables <- list(nodes = nodes)
  i <- variable(variables, cause, "cause")
  j <- variable(variables, outcome, "outcome")
  if (i == j) refuse("cause and outcome are the same variable, '", nodes[i + 1], "'")
  kind <- choose_word(type, c("optimal", "parents", "minimal"), "type")
  found <- check(.Call(r_adjustment, amat, nodes, i, j, kind, is_true(extend, "extend")))
  if (!found$identified)
    warning("the effect of ", nodes[i + 1], " on ", nodes[j + 1], " is not identified: ",
            "the path ", paste(nodes[found$path], collapse = ", "),
            " begins with an undirected edge", call. = FALSE)
  if (is.null(found$set)) NULL else nodes[found$set]
}
