# DAGs from their posterior. Sampling is random, but by its own seed: nothing here depends on luck.

# Chains that are long enough for these few variables; warnings are about effects.
sampled <- function(...) suppressWarnings(dualpc_sample(..., seed = 4))

# What the draws say, whatever the time they took.
told <- function(x) unclass(x)[c("pairs", "best", "best_score", "scores", "n_edges", "entries",
                                 "effects", "effect_draws", "diagnostics")]

# Every DAG of a few variables, as lists of parents; a slow twin of the sampler.
all_dags <- function(n) {
  pairs <- utils::combn(n, 2)
  codes <- as.matrix(expand.grid(rep(list(0:2), ncol(pairs))))
  dags <- lapply(seq_len(nrow(codes)), function(i) {
    m <- matrix(0L, n, n)
    for (k in seq_len(ncol(pairs))) {
      if (codes[i, k] == 1) m[pairs[1, k], pairs[2, k]] <- 1L
      if (codes[i, k] == 2) m[pairs[2, k], pairs[1, k]] <- 1L
    }
    m
  })
  Filter(function(m) {
    power <- m
    for (i in seq_len(n)) power <- power %*% m
    all(power == 0)
  }, dags)
}

# The log score of a DAG with the fair prior, up to a constant; `price` is that of so many parents.
slow_score <- function(m, R, N, price) {
  n <- ncol(R)
  sum(vapply(seq_len(n), function(v) {
    s <- which(m[, v] == 1)
    left <- if (length(s) == 0) 1 else 1 - drop(R[v, s] %*% solve(R[s, s], R[s, v]))
    -N / 2 * log(left) - price(length(s), N) - lchoose(n - 1, length(s))
  }, 0))
}

# The determinants of Wishart matrices of l variables, whose prior is scaled by the data.
fbf_constant <- function(l, N) {
  i <- seq_len(l)
  sum(lgamma((l + N + 1 - i) / 2) - lgamma((l + 1 - i) / 2)) - l * (l + N) / 2 * log(N)
}

prices <- list(bic = function(s, N) s * log(N) / 2,
               fbf = function(s, N) fbf_constant(s, N) - fbf_constant(s + 1, N))

test_that("probabilities are those of all DAGs, for the fair prior", {
  set.seed(11)
  d <- data.frame(A = rnorm(60))
  d$B <- 0.4 * d$A + rnorm(60)
  d$C <- 0.5 * d$B + rnorm(60)
  d$D <- 0.3 * d$A + 0.3 * d$C + rnorm(60)
  dags <- all_dags(4)
  expect_length(dags, 543)
  for (word in names(prices)) {
    score <- vapply(dags, slow_score, 0, R = cor(d), N = 60, price = prices[[word]])
    weight <- exp(score - max(score)) / sum(exp(score - max(score)))
    exact <- Reduce(`+`, Map(`*`, dags, weight))
    x <- sampled(d, score = word, draws = 4000)
    expect_gt(max(exact * (1 - exact)), 0.2)
    expect_lt(max(abs(as.matrix(x) - exact)), 0.02)
    expect_equal(slow_score(x$best, cor(d), 60, prices[[word]]), max(score))
    differences <- vapply(draws(x, 1, 1:50), slow_score, 0, R = cor(d), N = 60,
                          price = prices[[word]]) - x$scores[1:50, 1]
    expect_lt(diff(range(differences)), 1e-8)
  }
})

test_that("what is certain is found, and the tables agree", {
  x <- sampled(small(), draws = 300)
  p <- as.matrix(x)
  for (edge in list(c("A", "C"), c("B", "C"), c("C", "D"))) {
    expect_gt(p[edge[1], edge[2]] + p[edge[2], edge[1]], 0.99)
    expect_gt(p[edge[1], edge[2]], 0.6)
  }
  expect_true(all(p + t(p) <= 1 + 1e-9))
  table <- as.data.frame(x)
  expect_identical(names(table)[1:8], c("a", "b", "forward", "backward", "edge", "ancestor",
                                        "descendant", "se"))
  expect_equal(table$edge, table$forward + table$backward)
  expect_equal(p[cbind(table$b, table$a)], table$backward)
  expect_equal(as.matrix(x, ancestors = TRUE)[cbind(table$a, table$b)], table$ancestor)
  e <- edges(x, min_probability = 0.5)
  expect_false(is.unsorted(rev(e$edge)))
  expect_equal(p[cbind(e$from, e$to)], e$forward)
  expect_true(all(e$forward >= e$backward))
  expect_setequal(paste(e$from, e$to), c("A C", "B C", "C D"))
  expect_equal(nobs(x), 400)
  expect_true(x$complete)
  expect_error(edges(x, min_probability = 0), "min_probability")
})

test_that("draws are DAGs, and their shares are near the probabilities", {
  x <- sampled(example(), draws = 500)
  dags <- draws(x)
  expect_length(dags, 2000)
  expect_identical(vapply(dags, sum, 0L), as.vector(x$n_edges))
  cycles <- vapply(dags[seq(1, 2000, 100)], function(m) {
    power <- m
    for (i in 1:12) power <- power %*% m
    sum(power)
  }, 0)
  expect_true(all(cycles == 0))
  share <- Reduce(`+`, dags) / 2000
  expect_lt(max(abs(share - as.matrix(x))), 0.06)
  expect_identical(draws(x, 2, 3)[[1]], dags[[503]])
  expect_identical(draws(x, 2:3, 7), dags[c(507, 1007)])
  expect_equal(max(x$scores), x$best_score)
  expect_true(any(vapply(dags, identical, NA, x$best)))
  expect_error(draws(x, 5), "chains 1 to 4")
  expect_error(draws(x, 1, 0), "draws 1 to 500")
})

test_that("the same seed gives the same draws, for any number of threads", {
  d <- example()
  x <- sampled(d, draws = 50, outcome = "V6", threads = 1)
  expect_identical(told(sampled(d, draws = 50, outcome = "V6", threads = 2)), told(x))
  other <- suppressWarnings(dualpc_sample(d, draws = 50, seed = 5))
  expect_false(identical(other$scores, x$scores))
  set.seed(8)
  a <- suppressWarnings(dualpc_sample(small(), draws = 20))
  set.seed(8)
  expect_identical(told(suppressWarnings(dualpc_sample(small(), draws = 20))), told(a))
})

test_that("rearranged columns rearrange the result", {
  d <- example()
  order <- c(7, 2, 12, 1, 9, 3, 11, 4, 10, 5, 8, 6)
  x <- sampled(d, draws = 50, cause = "V2")
  y <- sampled(d[order], draws = 50, cause = "V2")
  expect_equal(as.matrix(y)[names(d), names(d)], as.matrix(x), tolerance = 1e-10)
  expect_identical(y$best[names(d), names(d)], x$best)
  expect_equal(y$scores, x$scores)
  mine <- effects(x)
  theirs <- effects(y)
  expect_equal(theirs[match(mine$outcome, theirs$outcome), ], mine, ignore_attr = TRUE)
})

test_that("correlations give what the data give, where all variables are candidates", {
  d <- example()
  x <- sampled(d, draws = 50)
  y <- suppressWarnings(dualpc_sample_cor(cor(d), 500, draws = 50, seed = 4))
  expect_equal(as.matrix(y), as.matrix(x), tolerance = 1e-6)
  expect_equal(y$scores, x$scores, tolerance = 1e-6)
  z <- sampled(suffStat = list(C = cor(d), n = 500), draws = 50)
  expect_identical(told(z), told(y))
  expect_error(dualpc_sample(d, suffStat = list(C = cor(d), n = 500)), "not both")
})

test_that("the score does not depend on the units, unless it should", {
  d <- small()
  e <- d
  e$A <- 1000 * e$A - 5
  for (score in c("fbf", "bic"))
    expect_equal(as.matrix(sampled(e, score = score, draws = 50)),
                 as.matrix(sampled(d, score = score, draws = 50)))
  mean_edges <- vapply(c("fair", "uniform", "edge:0.01"), function(prior)
    mean(sampled(example(), prior = prior, draws = 100)$n_edges), 0)
  expect_gt(mean_edges[["uniform"]], mean_edges[["fair"]])
  expect_lt(mean_edges[["edge:0.01"]], mean_edges[["uniform"]])
  expect_identical(dim(sampled(d, prior = "order", score = "bge", draws = 20, chains = 2)$scores),
                   c(20L, 2L))
})

test_that("normal scores do not see a monotone change", {
  d <- small()
  e <- d
  e$B <- exp(e$B)
  expect_identical(told(sampled(e, normalize = "copula", draws = 20)),
                   told(sampled(d, normalize = "copula", draws = 20)))
})

test_that("every draw respects what is known", {
  d <- example()
  x <- sampled(d, draws = 100,
               knowledge = list(tiers = list(c("V3", "V10", "V12"), c("V2", "V4", "V8", "V11")),
                                required = cbind("V4", "V7"), forbidden = cbind("V2", "V1")))
  p <- as.matrix(x)
  expect_true(all(p[c("V2", "V4", "V8", "V11"), c("V3", "V10", "V12")] == 0))
  expect_equal(p["V4", "V7"], 1)
  expect_equal(p["V2", "V1"], 0)
  expect_true(all(vapply(draws(x), function(m) m["V4", "V7"] == 1 && m["V2", "V1"] == 0, NA)))
  expect_equal(probable_graph(x)$type, "MPDAG")
  expect_equal(as.matrix(probable_graph(x, 0.9))[c("V4", "V7"), c("V4", "V7")][1, 2], 1)
  y <- sampled(small(), draws = 20, blacklist = c("A", "C"))
  expect_equal(as.matrix(y)["A", "C"], 0)
  expect_error(dualpc_sample(d, knowledge = list(required = c("V1", "Q"))), "no variable 'Q'")
})

test_that("effects are sampled, in the units of the data", {
  d <- small()
  d$A <- 100 * d$A
  x <- sampled(d, draws = 500, cause = "A", outcome = c("C", "D"))
  e <- effects(x)
  expect_identical(names(e), c("cause", "outcome", "mean", "sd", "low", "high", "nonzero"))
  expect_identical(e$outcome, c("C", "D"))
  fit <- stats::coef(stats::lm(D ~ A, d))[["A"]]
  values <- effects(x, draws = TRUE)
  expect_lt(abs(mean(values[values[, 2] != 0, 2]) / fit - 1), 0.1)
  expect_true(all(e$low < e$mean & e$mean < e$high))
  expect_identical(dim(values), c(2000L, 2L))
  expect_equal(unname(colMeans(values)), e$mean)
  expect_equal(unname(apply(values, 2, stats::sd)), e$sd, tolerance = 1e-3)
  expect_equal(unname(colMeans(values != 0)), e$nonzero, tolerance = 0.05)
  expect_equal(nrow(effects(sampled(d, draws = 20, outcome = "D"))), 3)
  expect_identical(effects(sampled(d, draws = 20, cause = 1)),
                   effects(sampled(d, draws = 20, cause = "A")))
  expect_error(effects(sampled(d, draws = 20)), "no effects were sampled")
  expect_error(dualpc_sample(d, cause = "Q"), "no variable 'Q'")
})

test_that("missing values go the usual way", {
  d <- with_holes()
  x <- sampled(d, draws = 20)
  expect_equal(nobs(x), sum(stats::complete.cases(d)))
  expect_output(print(x), "missing values left out")
  for (way in c("em", "pairwise")) expect_true(sampled(d, draws = 20, na.action = way)$complete)
  expect_error(dualpc_sample(d, na.action = na.fail), "missing")
})

test_that("a timeout returns what there is", {
  expect_warning(x <- dualpc_sample(example(), prior = "order", draws = 1e5, thin = 100, timeout = 0.5,
                                  seed = 1),
                 "draws")
  expect_false(x$complete)
  expect_lt(x$draws, 1e5)
  expect_gte(x$draws, 1)
  expect_identical(dim(x$scores), c(x$draws, 4L))
  expect_length(draws(x), 4 * x$draws)
  expect_false(any(grepl("--", x$warnings, fixed = TRUE)))
})

test_that("the graph of the probable edges is one of the package", {
  x <- sampled(small(), draws = 300)
  g <- probable_graph(x)
  expect_s3_class(g, "dualpc")
  expect_identical(as.matrix(g), small_truth())
  expect_equal(graph_distance(g, small_truth())[["SHD"]], 0)
  e <- edges(g)
  expect_equal(e$edge, e$forward + e$backward)
  expect_equal(e$forward, as.matrix(x)[cbind(e$from, e$to)])
  expect_equal(nodes(g)$parents, c(0, 0, 2, 1))
  expect_identical(adjustment_set(g, "A", "D"), "B")
  expect_equal(sum(dag_member(g)), 3)
  expect_output(print(g), "A --> C")
  expect_lte(nrow(edges(probable_graph(sampled(example(), draws = 100), 0.99))),
             nrow(edges(probable_graph(sampled(example(), draws = 100), 0.1))))
  expect_error(explain(g, "A", "B"), "tests")
  expect_error(effects(g), "data")
  expect_equal(effects(dualpc(small()), "A", "D", graph = g)$effect,
               effects(dualpc(small()), "A", "D", graph = small_truth())$effect)
  expect_identical(as.matrix(probable_graph(x, 0.5 + 1e-12)), as.matrix(g))
  expect_error(probable_graph(x, 0), "min_probability")
  expect_error(probable_graph(1), "dualpc_sample")
  expect_s3_class(as_bnlearn(g), "bn")
})

test_that("a posterior that was saved and loaded can be looked at", {
  x <- sampled(small(), draws = 20, cause = "A")
  file <- tempfile()
  saveRDS(x, file)
  y <- readRDS(file)
  expect_identical(told(y), told(x))
  expect_identical(draws(y, 4), draws(x, 4))
  expect_identical(utils::capture.output(print(y)), utils::capture.output(print(x)))
  expect_identical(as.matrix(probable_graph(y)), as.matrix(probable_graph(x)))
  expect_error(probable_graph(y, 0.9), "seed = 4")
})

test_that("a posterior prints, with its warnings", {
  x <- suppressWarnings(dualpc_sample(example(), draws = 2, chains = 2, cause = "V2", seed = 1))
  expect_gt(length(x$warnings), 0)
  expect_output(print(x), "12 variables from 500 observations")
  expect_output(print(x), "Warning")
  expect_output(print(x, most = 2), "more; see edges")
  expect_output(print(summary(x)), "chain")
  expect_s3_class(summary(x)$chains, "data.frame")
  expect_identical(verdict(x), c(x$verdict, paste0("Warning: ", x$warnings)))
  set.seed(1)
  none <- sampled(matrix(rnorm(400), 100), draws = 20, prior = "edge:1e-6")
  expect_output(print(none), "No edge")
  expect_identical(dim(edges(none)), c(0L, 6L))
  expect_equal(sum(as.matrix(probable_graph(none))), 0)
})

test_that("coda takes the draws", {
  skip_if_not_installed("coda")
  x <- sampled(example(), draws = 100, thin = 2, cause = "V2", outcome = "V1")
  m <- coda::as.mcmc.list(x)
  expect_s3_class(m, "mcmc.list")
  expect_equal(coda::nchain(m), 4)
  expect_equal(coda::niter(m), 100)
  expect_equal(coda::thin(m), 2)
  expect_identical(coda::varnames(m), c("score", "edges", "effect of V2 on V1"))
  expect_equal(as.vector(m[[3]][, "score"]), as.vector(x$scores[, 3]))
  expect_equal(as.vector(m[[2]][, 3]), unname(effects(x, draws = TRUE)[101:200, 1]))
  one <- coda::as.mcmc(x, chain = 2)
  expect_s3_class(one, "mcmc")
  expect_equal(as.vector(one[, "edges"]), as.vector(x$n_edges[, 2]))
  expect_s3_class(coda::as.mcmc(x), "mcmc.list")
  expect_s3_class(coda::as.mcmc(sampled(small(), chains = 1, draws = 20)), "mcmc")
  with_edges <- coda::as.mcmc.list(x, edges = TRUE)
  p <- as.matrix(x)
  expect_equal(coda::nvar(with_edges), 3 + sum(p >= 0.02 & p <= 0.98))
  series <- as.matrix(with_edges)
  name <- colnames(series)[4]
  ends <- strsplit(name, " -> ")[[1]]
  expect_equal(as.vector(series[, 4]),
               vapply(draws(x), function(d) d[ends[1], ends[2]], 0L), ignore_attr = TRUE)
  expect_error(coda::as.mcmc(x, chain = 9), "chains 1 to 4")
})

test_that("pictures are drawn", {
  x <- sampled(example(), draws = 20, cause = "V2")
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit(grDevices::dev.off())
  before <- graphics::par(c("mfrow", "mai"))
  expect_identical(plot(x), x)
  for (which in c("trace", "histogram", "probabilities", "effects")) plot(x, which, main = "own")
  if (requireNamespace("igraph", quietly = TRUE)) plot(x, "graph")
  set.seed(1)
  plot(sampled(matrix(rnorm(400), 100), draws = 1, chains = 1, prior = "edge:1e-6"))
  expect_identical(graphics::par(c("mfrow", "mai")), before)
  expect_error(plot(x, "best"), "which must be one of")
})

test_that("mistakes are named in R's words", {
  d <- small()
  expect_error(dualpc_sample(), "data is missing")
  expect_error(dualpc_sample(d, score = "best"), "score must be one of fbf, bge, bic")
  for (prior in list("best", 1, "edge", "edge:2", c("fair", "order")))
    expect_error(dualpc_sample(d, prior = prior), "prior")
  expect_error(dualpc_sample(d, candidates = 21), "candidates must be a whole number from 1 to 20")
  expect_error(dualpc_sample(d, chains = 0), "chains must be")
  expect_error(dualpc_sample(d, draws = 1.5), "draws must be")
  expect_error(dualpc_sample(d, thin = -1), "thin must be")
  expect_error(dualpc_sample(d, alpha = 0.1), "alpha has no effect")
  expect_error(dualpc_sample(d, tick = 3), "no argument 'tick'")
  expect_error(dualpc_sample(d, seed = -1), "seed must be")
  d$E <- factor(rep(c("a", "b"), 200))
  expect_true(sampled(d, draws = 20)$complete) # two levels are a column of 0 and 1
  d$E <- factor(rep(c("a", "b", "c", "d"), 100))
  message <- tryCatch(dualpc_sample(d), error = conditionMessage)
  expect_match(message, "'E' is nominal")
  expect_false(grepl("--|dpc_", message))
})
