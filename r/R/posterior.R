# What a posterior over graphs shows of itself.

check_posterior <- function(x) {
  if (!inherits(x, "dualpc_posterior"))
    refuse("x must be a result of dualpc_sample(), not ", class(x)[1])
}

nobs.dualpc_posterior <- function(object, ...) object$n_obs

# ---- Probabilities ----

# Row i, column j: how probable i -> j is, or a directed path from i to j.
as.matrix.dualpc_posterior <- function(x, ancestors = FALSE, ...) {
  n <- length(x$nodes)
  out <- matrix(0, n, n, dimnames = list(x$nodes, x$nodes))
  columns <- if (is_true(ancestors, "ancestors")) c("ancestor", "descendant")
             else c("forward", "backward")
  out[cbind(x$pairs$a, x$pairs$b)] <- x$pairs[[columns[1]]]
  out[cbind(x$pairs$b, x$pairs$a)] <- x$pairs[[columns[2]]]
  out
}

as.data.frame.dualpc_posterior <- function(x, row.names = NULL, optional = FALSE, ...) {
  out <- x$pairs
  out$a <- x$nodes[out$a]
  out$b <- x$nodes[out$b]
  out
}

# The edges with a probability of at least so much, each in its more probable direction.
edges.dualpc_posterior <- function(x, min_probability = 0.1, ...) {
  check_share(min_probability, "min_probability")
  p <- x$pairs[x$pairs$edge >= min_probability, , drop = FALSE]
  p <- p[order(-p$edge, -pmax(p$forward, p$backward), p$a, p$b), , drop = FALSE]
  turned <- p$backward > p$forward
  data.frame(from = x$nodes[ifelse(turned, p$b, p$a)], to = x$nodes[ifelse(turned, p$a, p$b)],
             edge = p$edge, forward = pmax(p$forward, p$backward),
             backward = pmin(p$forward, p$backward), se = p$se, stringsAsFactors = FALSE)
}

check_share <- function(value, name) {
  check_number(value, name)
  if (value <= 0 || value > 1) refuse(name, " must be more than 0 and at most 1, not ", value)
}

# ---- Draws ----

# DAGs of one chain or of all, as adjacency matrices.
draws <- function(x, chain = NULL, draw = NULL) {
  check_posterior(x)
  chain <- chain %or% seq_len(x$chains)
  draw <- draw %or% seq_len(x$draws)
  check_places(chain, "chain", x$chains)
  check_places(draw, "draw", x$draws)
  which <- as.vector(outer(draw, (chain - 1) * x$draws, "+"))
  end <- cumsum(as.double(x$n_edges))
  blank <- matrix(0L, length(x$nodes), length(x$nodes), dimnames = list(x$nodes, x$nodes))
  lapply(which, function(i) {
    blank[x$entries[end[i] - rev(seq_len(x$n_edges[i])) + 1]] <- 1L
    blank
  })
}

check_places <- function(places, what, most) {
  if (!is.numeric(places) || anyNA(places) || any(places != floor(places)) || any(places < 1) ||
      any(places > most))
    refuse("there are ", what, "s 1 to ", most)
}

# ---- Effects ----

effects.dualpc_posterior <- function(object, draws = FALSE, ...) {
  if (is.null(object$effects))
    refuse("no effects were sampled: give dualpc_sample() a cause, an outcome, or both")
  if (is_true(draws, "draws")) object$effect_draws else object$effects
}

# ---- coda ----

# Columns: score, number of edges, effects; and, where they are asked for, whether each draw has
# the edges that are neither certain nor impossible.
series_of <- function(x, edges) {
  out <- cbind(score = as.vector(x$scores), edges = as.vector(x$n_edges), x$effect_draws)
  if (is_true(edges, "edges")) cbind(out, edge_series(x)) else out
}

edge_series <- function(x) {
  p <- as.matrix(x)
  at <- which(p >= 0.02 & p <= 0.98)
  names <- paste(rownames(p)[row(p)[at]], "->", colnames(p)[col(p)[at]])
  draw <- rep(seq_along(x$n_edges), x$n_edges)
  column <- match(x$entries, at)
  out <- matrix(0, length(x$n_edges), length(at), dimnames = list(NULL, names))
  out[cbind(draw, column)[!is.na(column), , drop = FALSE]] <- 1
  out
}

mcmc_of <- function(x, chain, series) {
  rows <- (chain - 1) * x$draws + seq_len(x$draws)
  coda::mcmc(series[rows, , drop = FALSE], start = x$sampling$thin, thin = x$sampling$thin)
}

as.mcmc.list.dualpc_posterior <- function(x, edges = FALSE, ...) {
  need("coda", "as.mcmc.list()")
  series <- series_of(x, edges)
  coda::as.mcmc.list(lapply(seq_len(x$chains), function(chain) mcmc_of(x, chain, series)))
}

as.mcmc.dualpc_posterior <- function(x, chain = NULL, edges = FALSE, ...) {
  need("coda", "as.mcmc()")
  if (is.null(chain) && x$chains > 1) return(as.mcmc.list.dualpc_posterior(x, edges))
  chain <- chain %or% 1
  check_places(chain, "chain", x$chains)
  if (length(chain) != 1) refuse("chain must be one chain; as.mcmc.list() has all of them")
  mcmc_of(x, chain, series_of(x, edges))
}

# ---- Print ----

posterior_heading <- function(x) {
  s <- x$sampling
  cat("Posterior over DAGs of ", length(x$nodes), " variables from ", x$n_obs,
      " observations\n", sep = "")
  cat("  score ", s$score, ", prior ", s$prior,
      if (s$edge_probability > 0) paste0(":", format(s$edge_probability)), "\n", sep = "")
  if (!is.null(x$na.action))
    cat("  ", length(x$na.action), " rows with missing values left out; na.action = \"em\" would use them\n",
        sep = "")
}

# What was found, and how far it can be trusted.
posterior_lines <- function(x)
  c(x$verdict, if (length(x$warnings) > 0) paste0("Warning: ", x$warnings))

print.dualpc_posterior <- function(x, most = 20, ...) {
  posterior_heading(x)
  cat(strwrap(posterior_lines(x), indent = 2, exdent = 4), sep = "\n")
  e <- edges(x)
  if (nrow(e) == 0) {
    cat("  No edge has a probability of 0.1 or more.\n")
    return(invisible(x))
  }
  cat("  The most probable edges, with the probabilities of both directions:\n")
  shown <- utils::head(e, most)
  width <- function(text) formatC(text, width = -max(nchar(text, "width"), 0), mode = "character")
  number <- function(p) formatC(p, digits = 2, format = "f")
  cat(paste0("    ", width(paste(shown$from, "-->", shown$to)), "  ", number(shown$edge), " = ",
             number(shown$forward), " + ", number(shown$backward)), sep = "\n")
  if (nrow(e) > most) cat("    and ", nrow(e) - most, " more; see edges()\n", sep = "")
  if (!is.null(x$effects)) {
    cat("  Total effects:\n")
    print(utils::head(x$effects, most), row.names = FALSE, digits = 3)
    if (nrow(x$effects) > most)
      cat("    and ", nrow(x$effects) - most, " more; see effects()\n", sep = "")
  }
  invisible(x)
}

summary.dualpc_posterior <- function(object, ...) {
  chains <- data.frame(chain = seq_len(object$chains), mean_score = colMeans(object$scores),
                       best_score = apply(object$scores, 2, max),
                       mean_edges = colMeans(object$n_edges))
  rownames(chains) <- NULL
  structure(list(posterior = object, chains = chains, edges = edges(object),
                 effects = object$effects), class = "summary.dualpc_posterior")
}

print.summary.dualpc_posterior <- function(x, ...) {
  p <- x$posterior
  cat("Call: ", paste(deparse(p$call), collapse = "\n      "), "\n\n", sep = "")
  posterior_heading(p)
  cat("  ", p$sampling$candidates, " candidate parents, ", p$sampling$thin,
      if (p$sampling$thin == 1) " sweep" else " sweeps", " a draw, seed ",
      format(p$seed, scientific = FALSE), "\n", sep = "")
  cat("  best DAG: ", sum(p$best), " edges, score ", format(p$best_score, digits = 8), "\n", sep = "")
  cat(strwrap(posterior_lines(p), indent = 2, exdent = 4), sep = "\n")
  cat("\n")
  print(x$chains, row.names = FALSE, digits = 7)
  cat("\n")
  print(x$edges, row.names = FALSE, digits = 3)
  if (!is.null(x$effects)) {
    cat("\n")
    print(x$effects, row.names = FALSE, digits = 3)
  }
  cat("\nseconds: ", paste(names(p$seconds), format(unlist(p$seconds), digits = 2),
                           collapse = ", "), "\n", sep = "")
  invisible(x)
}

# ---- The graph of the probable edges ----

probable_graph <- function(x, min_probability = 0.5) {
  check_posterior(x)
  check_share(min_probability, "min_probability")
  amat <- if (min_probability == 0.5) x$amat else consensus_of(x, min_probability)
  structure(list(call = match.call(), nodes = x$nodes, amat = amat,
                 type = if (is.null(x$knowledge)) "CPDAG" else "MPDAG",
                 n_obs = x$n_obs, min_probability = min_probability,
                 probabilities = as.matrix(x)),
            class = c("dualpc_probable", "dualpc"))
}

consensus_of <- function(x, min_probability) {
  if (!.Call(r_alive, x$state$handle))
    refuse("a posterior that was saved and loaded has only the graph of min_probability = 0.5; ",
           "sample anew with seed = ", format(x$seed, scientific = FALSE))
  check(.Call(r_probable_graph, x$state$handle, as.double(min_probability), x$nodes))
}

edges.dualpc_probable <- function(x, ...) {
  e <- edge_places(x$amat)
  forward <- x$probabilities[cbind(e$from, e$to)]
  backward <- x$probabilities[cbind(e$to, e$from)]
  data.frame(from = x$nodes[e$from], to = x$nodes[e$to],
             mark = as.character(ifelse(e$directed, "-->", "---")), edge = forward + backward,
             forward = forward, backward = backward, stringsAsFactors = FALSE)
}

nodes.dualpc_probable <- function(x, ...) {
  arrows <- x$amat != 0 & t(x$amat) == 0
  data.frame(name = x$nodes, neighbours = rowSums(x$amat | t(x$amat)),
             parents = colSums(arrows), children = rowSums(arrows), row.names = NULL,
             stringsAsFactors = FALSE)
}

effects.dualpc_probable <- function(object, ...)
  refuse("this graph comes without the data; use effects(dualpc(data), graph = ), or give ",
         "dualpc_sample() a cause or an outcome")

print.dualpc_probable <- function(x, most = 20, ...) {
  cat(x$type, " of ", length(x$nodes), " variables from ", x$n_obs, " observations\n", sep = "")
  cat("  edges with a probability of at least ", format(x$min_probability), "\n", sep = "")
  cat("  ", edge_counts(x), "\n", sep = "")
  e <- edges(x)
  shown <- utils::head(e, most)
  if (nrow(shown) > 0)
    cat(paste0("    ", shown$from, " ", shown$mark, " ", shown$to, "  ",
               formatC(shown$edge, digits = 2, format = "f")), sep = "\n")
  if (nrow(e) > most) cat("    and ", nrow(e) - most, " more; see edges()\n", sep = "")
  invisible(x)
}

summary.dualpc_probable <- function(object, ...) object
