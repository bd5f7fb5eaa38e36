# The function with pcalg's arguments.

stat <- function() {
  d <- utils::read.csv(test_path("hidden.csv"))
  list(C = cor(d), n = nrow(d))
}
gaussCItest <- function(x, y, S, suffStat) stop("the tests are the library's")

test_that("pcalg's arguments are understood", {
  x <- fci(stat(), indepTest = gaussCItest, alpha = 0.01, labels = letters[1:5])
  expect_s3_class(x, c("pag", "dualpc"), exact = TRUE)
  expect_identical(unname(x$settings[c("latent", "pdsep", "selection", "alpha")]),
                   c("fci", "all", "yes", "0.01"))
  expect_identical(as.matrix(x)["c", "d"], 2L)
  expect_identical(rownames(as.matrix(x)), letters[1:5])
  same <- dualpc(suffStat = stat(), alpha = 0.01, latent = "fci", pdsep = Inf, selection = TRUE)
  expect_true(all(as.matrix(x) == as.matrix(same)))
  expect_identical(deparse(x$call[[1]]), "fci")
})

test_that("names come from labels, from C or from p", {
  expect_identical(fci(stat(), gaussCItest, 0.01)$nodes, colnames(stat()$C))
  expect_identical(fci(stat(), gaussCItest, 0.01, p = 5)$nodes, as.character(1:5))
  expect_error(fci(stat(), gaussCItest, 0.01, p = 4), "p is 4, and suffStat has 5 variables")
  expect_error(fci(stat(), gaussCItest, 0.01, labels = "a"), "labels has 1 names for 5 variables")
})

test_that("what bounds the tests is honoured", {
  set <- function(...) fci(stat(), gaussCItest, 0.01, ...)$settings
  expect_identical(set(doPdsep = FALSE)[["pdsep"]], "0")
  expect_identical(set(pdsep.max = 3)[["pdsep"]], "3")
  expect_identical(set(m.max = 2)[["max-order"]], "2")
  expect_identical(set(selectionBias = FALSE)[["selection"]], "no")
  expect_identical(set(rules = rep(c(TRUE, FALSE, TRUE), c(4, 3, 3)))[["selection"]], "no")
  expect_identical(set(skel.method = "original")[["variant"]], "standard")
  expect_identical(set(method = "classic")[["method"]], "classic")
})

test_that("fixed gaps are gaps; fixed edges have no direction, and are refused", {
  pair <- matrix(FALSE, 5, 5)
  pair[3, 4] <- pair[4, 3] <- TRUE
  expect_identical(as.matrix(fci(stat(), gaussCItest, 0.01, fixedGaps = pair))[3, 4], 0L)
  expect_s3_class(fci(stat(), gaussCItest, 0.01, fixedEdges = matrix(FALSE, 5, 5)), "pag")
  expect_error(fci(stat(), gaussCItest, 0.01, fixedEdges = pair),
               "fixedEdges asks for an edge between mood and sleep in any direction")
  expect_error(fci(stat(), gaussCItest, 0.01, fixedGaps = matrix(TRUE, 3, 3)), "each of the 5")
  expect_error(fci(stat(), gaussCItest, 0.01, fixedGaps = pair & upper.tri(pair)), "symmetric")
})

test_that("what is not here stops, or warns where it changes nothing", {
  other <- function(x, y, S, suffStat) 1
  expect_error(fci(stat(), other, 0.01), "indepTest must be gaussCItest")
  expect_error(fci(stat(), gaussCItest), "alpha is missing")
  expect_error(fci(list(dm = 1), gaussCItest, 0.01), "suffStat must be a list of C")
  expect_error(fci(stat(), gaussCItest, 0.01, type = "anytime"), "is not here")
  expect_error(fci(stat(), gaussCItest, 0.01, jci = "123"), "not here")
  expect_error(fci(stat(), gaussCItest, 0.01, conservative = TRUE), "conservative = TRUE is not")
  expect_error(fci(stat(), gaussCItest, 0.01, maj.rule = TRUE), "maj.rule = TRUE is not")
  expect_error(fci(stat(), gaussCItest, 0.01, rules = rep(FALSE, 10)), "belong together")
  expect_warning(fci(stat(), gaussCItest, 0.01, biCC = TRUE), "changes nothing")
  expect_warning(fci(stat(), gaussCItest, 0.01, verbose = TRUE), "changes nothing")
})
