# Effects, adjustment sets, simulated networks.

test_that("effects are the golden ones, which are those of pcalg's ida", {
  index <- utils::read.csv(test_path("golden", "ida", "index.csv"), colClasses = "character")
  read <- function(set, what)
    utils::read.csv(test_path("golden", "ida", paste0(set, "-", what, ".csv")))
  checked <- 0
  for (set in unique(index$set)) {
    x <- dualpc(read(set, "data"))
    e <- effects(x, graph = as.matrix(read(set, "graph")), ida = "pcalg")
    for (i in which(index$set == set)) {
      mine <- e$effect[e$cause == index$cause[i] & e$outcome == index$outcome[i]]
      theirs <- as.numeric(strsplit(index$effects[i], ";")[[1]])
      expect_equal(sort(mine), sort(theirs), tolerance = 1e-7)
      checked <- checked + 1
    }
  }
  expect_gt(checked, 200)
})

test_that("an effect is the coefficient of a regression, in the units of the data", {
  d <- small()
  d$A <- 100 * d$A
  x <- dualpc(d, alpha = 0.01)
  e <- effects(x, cause = "A", outcome = "D")
  fit <- summary(stats::lm(D ~ A, d))$coefficients
  expect_equal(e$effect, fit["A", "Estimate"])
  expect_equal(e$se, fit["A", "Std. Error"])
  expect_equal(c(e$low, e$high), as.vector(stats::confint(stats::lm(D ~ A, d))["A", ]))
  expect_true(e$identified)
  expect_identical(e$set, list(character()))
  expect_equal(e$standardised, cor(d$A, d$D))
  by_number <- effects(x, cause = 1, outcome = 4)
  expect_identical(by_number, e)
  c_on_d <- effects(x, "C", "D")
  expect_setequal(c_on_d$set[[1]], c("A", "B"))
  expect_equal(c_on_d$effect, stats::coef(stats::lm(D ~ C + A + B, d))[["C"]])
  expect_equal(effects(x, "D", "A", ida = "optimal")$effect, 0)
  expect_equal(nrow(effects(x)), 12)
  expect_error(effects(x, cause = "Q"), "no variable 'Q'")
  expect_error(effects(x, ida = "best"), "ida must be one of local, optimal, pcalg")
  expect_true(all(is.na(effects(dualpc_cor(cor(d), 400))$effect)))
  expect_equal(nrow(effects(x, outcome = "D", top = 1)), 1)
})

test_that("an effect is 0, without an interval, where the graph has no path", {
  x <- dualpc(example())
  for (ida in c("local", "optimal")) {
    e <- effects(x, ida = ida)
    expect_true(all(e$effect[!e$possible] == 0))
    expect_identical(is.na(e$se), e$effect == 0)
    expect_true(any(e$effect[e$possible] == 0))
    possible <- e$possible[e$outcome == "V6" & !duplicated(e[c("cause", "outcome")])]
    expect_identical(length(unique(effects(x, outcome = "V6", ida = ida, top = 12)$cause)), sum(possible))
  }
  expect_false(any(effects(x, "V6")$possible))
  expect_gt(max(effects(x, "V6", ida = "pcalg")$effect), 0.1)
})

test_that("with missing cells an effect is that of the estimated covariances", {
  d <- with_holes()
  given <- c("C", "A", "B")
  for (way in c("pairwise", "em")) {
    expect_warning(x <- dualpc(d, alpha = 0.01, na.action = way), "each test counts with")
    e <- effects(x, "C", "D", graph = small_truth())
    inverse <- solve(x$cor[given, given])
    slopes <- drop(inverse %*% x$cor[given, "D"])
    left <- 1 - sum(slopes * x$cor[given, "D"])
    expect_setequal(e$set[[1]], c("A", "B"))
    expect_equal(e$standardised, slopes[["C"]])
    expect_equal(e$se / e$effect, sqrt(left * inverse["C", "C"] / (nobs(x) - 4)) / slopes[["C"]])
    expect_equal(e$effect, slopes[["C"]] * x$sd[4] / x$sd[3], ignore_attr = TRUE)
    expect_equal(x$sd, sapply(d, stats::sd, na.rm = TRUE), tolerance = 0.02, ignore_attr = TRUE)
    expect_gt(abs(e$effect / effects(dualpc(d), "C", "D", graph = small_truth())$effect - 1), 1e-6)
  }
})

test_that("what the graph leaves open has several effects", {
  x <- dualpc(example())
  e <- effects(x, "V2", "V5")
  expect_false(e$identified[1])
  expect_equal(nrow(e), 2)
  expect_equal(e$min_abs[1], min(abs(e$effect)))
  optimal <- effects(x, "V2", "V5", ida = "optimal")
  expect_equal(nrow(optimal), 2)
  expect_error(effects(dualpc(example(), graph = "skeleton")), "V")
  file <- tempfile()
  saveRDS(x, file)
  expect_identical(effects(readRDS(file), "V2", "V5"), e)
})

test_that("adjustment sets are told, or why there are none", {
  truth <- small_truth()
  expect_identical(adjustment_set(truth, "A", "D"), "B")
  expect_length(adjustment_set(truth, "A", "D", type = "parents"), 0)
  expect_setequal(adjustment_set(truth, "C", "D", type = "parents"), c("A", "B"))
  expect_length(adjustment_set(truth, "C", "D", type = "minimal"), 0)
  expect_length(adjustment_set(truth, "C", "D"), 0)
  x <- dualpc(example())
  expect_warning(none <- adjustment_set(x, "V2", "V5"), "not identified: the path V2, V10, V5")
  expect_null(none)
  expect_error(adjustment_set(truth, "C", "C"), "the same variable")
  expect_error(adjustment_set(truth, "C", "D", type = "best"), "type must be one of")
})

test_that("mixed data are simulated, with factors", {
  s <- simulate_network(10, 200, mixed = 0.5, ordinal = 0.4, curved = 0.5, seed = 2)
  kinds <- vapply(s$data, is.factor, NA)
  expect_equal(sum(kinds), 5)
  whole <- vapply(s$data[!kinds], function(x) all(x == round(x)), NA)
  expect_equal(sum(whole), 2)
  for (x in s$data[kinds]) {
    expect_identical(levels(x), letters[seq_along(levels(x))])
    expect_true(nlevels(x) %in% 2:4 && all(table(x) > 0))
  }
  expect_true(is.nan(s$sortability))
  expect_identical(s$dag, simulate_network(10, 200, seed = 2)$dag)
  expect_identical(simulate_network(10, 200, mixed = 0.5, ordinal = 0.4, curved = 0.5, seed = 2), s)
  binary <- simulate_network(6, 100, ordinal = 1, levels = 2, seed = 1)$data
  expect_true(all(as.matrix(binary) %in% 0:1))
  expect_error(simulate_network(5, 10, mixed = 2), "mixed must be from 0 to 1")
  expect_error(simulate_network(5, 10, mixed = 0.5, levels = 1), "levels must be a whole number from 2 to 10")
  expect_error(simulate_network(5, 10, mixed = 1, curved = 1), "no numbers for curved")
  expect_error(simulate_network(5, 10, curved = 1, design = "onion"), "does not go with curved")
})

test_that("networks are simulated as the program does, and seeded by R", {
  s <- simulate_network(8, 50, parents = 1.5, seed = 3)
  expect_identical(dim(s$data), c(50L, 8L))
  expect_identical(names(s$data), paste0("V", 1:8))
  expect_equal(unname(colMeans(s$data)), rep(0, 8))
  expect_equal(s$dag != 0, s$weights != 0)
  expect_equal(graph_distance(s$cpdag, s$dag)[["SHD"]], 0)
  expect_true(all(s$weights[s$dag == 1] > 0.4 & s$weights[s$dag == 1] < 2))
  expect_identical(simulate_network(8, 50, parents = 1.5, seed = 3), s)
  set.seed(5)
  a <- simulate_network(5, 20)
  set.seed(5)
  expect_identical(simulate_network(5, 20), a)
  expect_false(identical(simulate_network(5, 20)$data, a$data))
  # the first cell that `dualpc simulate --nodes 5 --parents 1 --samples 3 --seed 1` writes
  expect_equal(simulate_network(5, 3, parents = 1, seed = 1)$data$V1[1], -0.7761814140505404,
               tolerance = 1e-14)
  heavy <- simulate_network(4, 2000, parents = 1, noise = "t:3", seed = 1)
  expect_gt(max(abs(as.matrix(heavy$data))), 5)
  expect_true(all(abs(as.matrix(simulate_network(4, 100, parents = 1, tanh = 1, seed = 1)$data)) < 10))
  expect_error(simulate_network(4, 1, parents = 1), "samples must be 2 or more")
  expect_error(simulate_network(4, 10, parents = 9), "parents must be at most")
  expect_error(simulate_network(4, 10, 1, noise = "x"), "gaussian, exponential or t:NU")
  expect_error(simulate_network(4.5, 10), "whole number")
  expect_error(simulate_network(4, 10, weights = 1), "two numbers")
})

test_that("networks have other structures and designs", {
  for (structure in c("er", "scale-free-in", "scale-free-out", "small-world", "bipartite", "hubs"))
    for (design in c("scm", "internal", "onion")) {
      s <- simulate_network(12, 60, structure = structure, design = design, seed = 2)
      expect_equal(s$dag != 0, s$weights != 0)
      expect_equal(graph_distance(s$cpdag, s$dag)[["SHD"]], 0)
      r2 <- 1 - 1 / diag(solve(cor(s$data)))
      reach <- s$dag
      for (i in 1:12) reach <- reach + reach %*% s$dag
      pairs <- which(reach > 0, arr.ind = TRUE)
      expect_equal(s$sortability, mean(r2[pairs[, 1]] < r2[pairs[, 2]]))
    }
  expect_equal(sum(simulate_network(9, 20, structure = "chain")$dag), 8)
  s <- simulate_network(8, 60, signs = "mixed", seed = 3)
  expect_true(any(s$weights < 0) && any(s$weights > 0))
  expect_identical(s$dag, simulate_network(8, 60, seed = 3)$dag)
  expect_true(is.nan(simulate_network(8, 8)$sortability))
  skewed <- simulate_network(3, 5000, parents = 0, noise = "exponential", seed = 1)$data
  expect_equal(mean(skewed$V1^3), 2, tolerance = 0.3)
  expect_false(identical(simulate_network(8, 60, variances = c(1, 9), seed = 3)$data,
                         simulate_network(8, 60, seed = 3)$data))
  # the first cell that `dualpc simulate --nodes 5 --parents 1 --samples 3 --seed 1 --design onion`
  # writes
  expect_equal(simulate_network(5, 3, parents = 1, seed = 1, design = "onion")$data$V1[1], -0.07396538198207238,
               tolerance = 1e-12)
  expect_warning(simulate_network(5, 10, design = "onion", signs = "mixed"), "no effect")
  expect_error(simulate_network(5, 10, structure = "star"), "structure must be one of er, scale-free")
  expect_error(simulate_network(5, 10, design = 2), "design must be one of scm, internal, onion")
  expect_error(simulate_network(5, 10, signs = "both"), "signs must be one of positive, mixed")
  expect_error(simulate_network(5, 10, variances = c(2, 1)), "variances must be two numbers")
  expect_error(simulate_network(5, 10, noise = "t:2", design = "internal"), "noise with a variance")
})

test_that("a large sample gives the graph back", {
  found <- 0
  for (seed in 1:5) {
    s <- simulate_network(10, 20000, parents = 1, seed = seed)
    x <- dualpc(s$data, alpha = 0.001)
    found <- found + (graph_distance(x, s$dag)[["SHD"]] <= 1)
  }
  expect_gte(found, 3)
})
