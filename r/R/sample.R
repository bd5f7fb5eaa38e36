# Sampling: DAGs from their posterior, given a table or a matrix of correlations.

dualpc_sample <- function(data, score = "fbf", prior = "fair", candidates = 12, chains = 4,
                          draws = 1000, thin = NULL, cause = NULL, outcome = NULL, knowledge = NULL,
                          normalize = "none", timeout = NULL, ..., seed = NULL, suffStat = NULL,
                          labels = NULL, na.action = getOption("na.action"), drop_text = FALSE,
                          types = NULL, threads = getOption("mc.cores", "all")) {
  call <- match.call()
  given <- list(normalize = if (!missing(normalize)) normalize, timeout = timeout,
                threads = threads, ...)
  if (missing(threads)) attr(given, "default") <- "threads"
  how <- read_sampling(score, prior, candidates, chains, draws, thin)
  input <- read_input(if (!missing(data)) data, suffStat, labels, na.action, drop_text, types)
  sample_graphs(call, input, given, knowledge, how, cause, outcome, seed)
}

dualpc_sample_cor <- function(C, n, ..., labels = NULL) {
  call <- match.call()
  x <- dualpc_sample(suffStat = list(C = C, n = n), labels = labels, ...)
  x$call <- call
  x
}

# The words of the library, in its order.
scores <- c("fbf", "bge", "bic")
priors <- c("fair", "uniform", "order", "edge")

read_sampling <- function(score, prior, candidates, chains, draws, thin) {
  choose_word(score, scores, "score")
  check_whole(candidates, "candidates", 1, 20)
  check_whole(chains, "chains", 1, 256)
  check_whole(draws, "draws", 1, 2^31 - 1)
  if (is.null(thin)) thin <- 0
  else check_whole(thin, "thin", 1, 2^31 - 1)
  c(list(score = score), read_prior(prior),
    list(candidates = candidates, chains = chains, draws = draws, thin = thin))
}

# A word, or "edge:0.1": every edge is there with this probability.
read_prior <- function(prior) {
  word <- if (is.character(prior) && length(prior) == 1) sub(":.*", "", prior) else ""
  probability <- 0
  if (word == "edge") {
    probability <- suppressWarnings(as.numeric(sub("^edge:?", "", prior)))
    if (is.na(probability) || probability <= 0 || probability >= 1)
      refuse("prior = \"edge:P\" needs a probability between 0 and 1, as in prior = \"edge:0.1\"")
  } else if (!word %in% priors || word != prior) {
    refuse("prior must be fair, uniform, order or edge:P, as in prior = \"edge:0.1\"")
  }
  list(prior = word, edge_probability = probability)
}

# For the library: the words as their places in its lists.
sampling_numbers <- function(how)
  as.double(c(match(how$score, scores) - 1, match(how$prior, priors) - 1, how$edge_probability,
              how$candidates, how$chains, how$draws, how$thin))

sample_graphs <- function(call, input, given, knowledge, how, cause, outcome, seed) {
  nodes <- input$nodes
  if (length(nodes) > 46340) refuse("at most 46340 variables can be sampled, not ", length(nodes))
  words <- translate(given, rows_of(input))
  check_used(names(words$options))
  known <- read_knowledge(knowledge, nodes, words$arcs)
  causes <- if (!is.null(cause)) variables(input, cause, "cause") else integer()
  outcomes <- if (!is.null(outcome)) variables(input, outcome, "outcome") else integer()
  if (!is.null(seed)) check_seed(seed)
  words$options$seed <- seed %or% draw_seed()
  options <- option_texts(words$options)
  found <- check(.Call(r_sample, input$values, input$n_obs, nodes, names(options), options,
                       known$pointer, input$missing, sampling_numbers(how), causes, outcomes))
  x <- posterior_of(call, input, how, found, words$options$seed)
  x$knowledge <- known$source
  x$amat <- consensus_of(x, 0.5) # what is saved has it
  if (found$interrupted) stop_by_user(x)
  for (text in x$warnings) warning(text, call. = FALSE)
  x
}

# Settings that would change nothing are mistakes.
check_used <- function(names) {
  used <- c("normalize", "timeout", "threads", "memory")
  other <- setdiff(gsub("[-.]", "_", names), used)
  if (length(other) == 0) return()
  if (gsub("_", "-", other[1]) %in% table_of_options$name)
    refuse(other[1], " has no effect on dualpc_sample()")
  refuse("dualpc_sample() has no argument '", other[1], "'")
}

# The object that users see.
posterior_of <- function(call, input, how, found, seed) {
  nodes <- input$nodes
  by_chain <- function(values)
    matrix(values, found$draws, found$chains,
           dimnames = list(NULL, paste("chain", seq_len(found$chains))))
  effects <- effect_table(found$effects, nodes)
  state <- new.env(parent = emptyenv())
  state$handle <- found$handle
  how[c("candidates", "thin")] <- found[c("candidates", "thin")]
  structure(list(call = call, nodes = nodes, n_obs = found$n_obs, sampling = how, seed = seed,
                 chains = found$chains, draws = found$draws, complete = found$complete,
                 pairs = as.data.frame(found$pairs), best = found$best,
                 best_score = found$best_score, scores = by_chain(found$scores),
                 n_edges = by_chain(found$n_edges), entries = found$entries, effects = effects,
                 effect_draws = effect_matrix(found$effect_draws, effects),
                 diagnostics = found$diagnostics, seconds = found$seconds,
                 verdict = strsplit(in_r(found$verdict), "\n", fixed = TRUE)[[1]],
                 warnings = in_r(c(input$noted, found$warnings)),
                 na.action = input$dropped,
                 state = state),
            class = "dualpc_posterior")
}

effect_table <- function(found, nodes) {
  if (is.null(found)) return(NULL)
  data.frame(cause = nodes[found$cause], outcome = nodes[found$outcome], found[3:7],
             stringsAsFactors = FALSE)
}

# A row for each draw, chain after chain; a column for each effect.
effect_matrix <- function(values, effects) {
  if (is.null(effects)) return(NULL)
  matrix(values, ncol = nrow(effects),
         dimnames = list(NULL, paste("effect of", effects$cause, "on", effects$outcome)))
}
