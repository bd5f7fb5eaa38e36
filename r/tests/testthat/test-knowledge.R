test_that("knowledge in a list is the same as in a file", {
  d <- example()
  x <- dualpc(d, knowledge = list(tiers = list(c("V3", "V10", "V12"), c("V2", "V4", "V8", "V11")),
                                  required = cbind("V4", "V7")))
  file <- tempfile(fileext = ".txt")
  writeLines(c("/knowledge", "addtemporal", "1 V3 V10 V12", "2 V2 V4 V8 V11", "requiredirect",
               "V4 V7"), file)
  y <- dualpc(d, knowledge = file)
  expect_identical(as.matrix(y), as.matrix(x))
  expect_equal(x$type, "MPDAG")
  expect_false(identical(as.matrix(dualpc(d)), as.matrix(x)))
  z <- dualpc(d, knowledge = list(tiers = c(V3 = 1, V10 = 1, V12 = 1, V2 = 2, V4 = 2, V8 = 2,
                                            V11 = 2), required = data.frame("V4", "V7")))
  expect_identical(as.matrix(z), as.matrix(x))
})

test_that("forbidden edges stay away, and required ones are there", {
  d <- small()
  x <- dualpc(d, alpha = 0.01, knowledge = list(forbidden = rbind(c("A", "C"), c("C", "A")),
                                                required = c("A", "D")))
  m <- as.matrix(x)
  expect_equal(m["A", "C"] + m["C", "A"], 0)
  expect_equal(m["A", "D"], 1)
  within <- dualpc(d, alpha = 0.01, knowledge = list(tiers = list(c("A", "B"), c("C", "D")),
                                                     within = 2))
  expect_equal(as.matrix(within)["C", "D"], 0)
})

test_that("what contradicts itself is told by name", {
  d <- small()
  expect_error(dualpc(d, knowledge = list(required = c("A", "Q"))), "no variable 'Q'")
  expect_error(dualpc(d, knowledge = list(required = c("A", "B"), forbidden = c("A", "B"))),
               "A -> B: this edge is both")
  expect_error(dualpc(d, knowledge = list(tiers = list("A", "A"))), "A in tier 2: .*two tiers")
  expect_error(dualpc(d, knowledge = list(tears = list("A"))), "a list of tiers")
  expect_error(dualpc(d, knowledge = list(tiers = list("A"), within = 2)), "from 1 to 1")
  expect_error(dualpc(d, knowledge = "no/such.txt"), "there is no file 'no/such.txt'")
  file <- tempfile()
  writeLines(c("/knowledge", "requiredirect", "A Q"), file)
  expect_error(dualpc(d, knowledge = file), "line 3, 'A Q': there is no variable 'Q'")
  expect_error(dualpc(d, knowledge = file, blacklist = c("A", "B")), "put blacklist into it")
})

test_that("the words of pcalg mean what they mean there", {
  d <- small()
  same <- function(...) expect_identical(as.matrix(dualpc(d, ...)), as.matrix(dualpc(d, alpha = 0.05)))
  expect_equal(dualpc(d, m.max = 1)$settings[["max-order"]], "1")
  expect_equal(dualpc(d, m.max = Inf)$settings[["max-order"]], "none")
  expect_equal(dualpc(d, maj.rule = TRUE)$settings[["orient"]], "majority")
  expect_equal(dualpc(d, conservative = TRUE)$settings[["orient"]], "conservative")
  same(maj.rule = FALSE, conservative = FALSE, skel.method = "stable")
  expect_equal(dualpc(d, skel.method = "original")$settings[["variant"]], "standard")
  expect_equal(dualpc(d, numCores = 1)$settings[["threads"]], "1")
  expect_error(dualpc(d, threads = 2, numCores = 1), "asked for twice")
  expect_error(dualpc(d, skel.method = "best"), "skel.method is")
  expect_error(dualpc(d, max_order = 1, m.max = 2), "asked for twice")
  ges <- dualpc(d, method = "ges", lambda = 0.5 * log(400))
  expect_equal(as.numeric(ges$settings[["penalty"]]), 0.5)
  gaps <- matrix(FALSE, 4, 4)
  gaps[1, 3] <- gaps[3, 1] <- TRUE
  m <- as.matrix(dualpc(d, fixedGaps = gaps))
  expect_equal(m["A", "C"] + m["C", "A"], 0)
  expect_error(dualpc(d, fixedGaps = gaps[, 1:2]), "symmetric")
  expect_error(dualpc(d, fixedEdges = gaps), "any direction")
  expect_error(dualpc(d, suffStat = list(C = 1)), "not both")
  expect_error(dualpc(suffStat = list(C = 1)), "list of C")
})

test_that("the words of bnlearn mean what they mean there", {
  d <- small()
  expect_equal(dualpc(d, test = "zf")$settings[["test"]], "z")
  expect_equal(dualpc(d, test = "cor")$settings[["test"]], "t")
  expect_equal(dualpc(d, max.sx = 1)$settings[["max-order"]], "1")
  expect_equal(dualpc(d, undirected = TRUE)$type, "skeleton")
  m <- as.matrix(dualpc(d, whitelist = data.frame(from = "A", to = "B"),
                        blacklist = matrix(c("C", "D", "D", "C"), 2)))
  expect_equal(m["A", "B"], 1)
  expect_equal(m["C", "D"] + m["D", "C"], 0)
  expect_error(dualpc(d, whitelist = "A"), "two columns")
})
