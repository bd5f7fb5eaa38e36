# Results in the classes of other packages, against these where they are installed.

learned <- function() dualpc(example())

test_that("igraph has the same arcs", {
  skip_if_not_installed("igraph")
  x <- learned()
  g <- as_igraph(x)
  m <- igraph::as_adjacency_matrix(g, sparse = FALSE)
  expect_equal(m, as.matrix(x))
  expect_equal(igraph::as_adjacency_matrix(igraph::as.igraph(x), sparse = FALSE), m)
  expect_equal(igraph::vcount(as_igraph(dualpc(matrix(rnorm(300), 100), alpha = 1e-9))), 3)
  expect_equal(graph_distance(g, x)[["SHD"]], 0)
})

test_that("graphNEL has the same arcs", {
  skip_if_not_installed("graph")
  x <- learned()
  g <- as_graphnel(x)
  expect_equal(methods::as(g, "matrix") != 0, as.matrix(x) != 0)
  expect_setequal(graph::edges(g)[["V4"]], c("V3", "V7"))
  expect_identical(edges(g), graph::edges(g))
  expect_equal(graph_distance(g, x)[["SHD"]], 0)
  if (requireNamespace("igraph", quietly = TRUE))
    expect_s4_class(as_graphnel(as_igraph(x)), "graphNEL")
})

test_that("pcalg's matrix is the transpose", {
  x <- learned()
  expect_identical(as_pcalg_amat(x), t(as.matrix(x)))
  expect_equal(as_pcalg_amat(x)["V5", "V2"], 1) # V2 --> V5
  expect_equal(as_pcalg_amat(x)["V2", "V5"], 0)
  expect_error(as_pcalg_amat(1), "result of dualpc")
})

test_that("pcalg takes its matrix and its class", {
  skip_if_not_installed("pcalg")
  x <- learned()
  expect_true(pcalg::isValidGraph(as_pcalg_amat(x), type = "cpdag"))
  p <- as_pcalg(x)
  expect_s4_class(p, "pcAlgo")
  expect_equal(p@n.edgetests, x$levels$tests)
  expect_equal(p@max.ord, 1L)
  expect_equal(p@sepset[[2]][[12]], match(sepset(x, "V2", "V12"), x$nodes))
  effects <- pcalg::ida(2, 5, cov(example()), as_graphnel(x))
  expect_length(effects, 2) # V2 --- V10: with V10 as a parent, and without
  classic <- dualpc(example(), method = "classic", orient = "relaxed", order = "given")
  theirs <- pcalg::pc(list(C = cor(example()), n = 500), pcalg::gaussCItest, alpha = 0.05,
                      labels = x$nodes)
  expect_equal(graph_distance(classic, theirs)[["SHD"]], 0)
})

test_that("separating sets are kept as pcalg keeps them", {
  x <- learned()
  found <- pcalg_sets(x)
  expect_length(found$sets, 12)
  for (pair in list(c(2, 12), c(1, 3), c(5, 9))) {
    expect_equal(found$sets[[pair[1]]][[pair[2]]],
                 match(as.vector(sepset(x, pair[1], pair[2])), x$nodes))
    expect_identical(found$sets[[pair[1]]][[pair[2]]], found$sets[[pair[2]]][[pair[1]]])
  }
  expect_null(found$sets[[2]][[5]])
})

test_that("a bn has arcs, neighbours, blankets and how it was learned", {
  x <- dualpc(example(), alpha = 0.04, blacklist = c("V1", "V3"))
  b <- as_bnlearn(x)
  expect_s3_class(b, "bn")
  expect_identical(colnames(b$arcs), c("from", "to"))
  m <- matrix(0L, 12, 12, dimnames = dimnames(as.matrix(x)))
  m[b$arcs] <- 1L
  expect_identical(m, as.matrix(x))
  expect_setequal(b$nodes$V5$parents, c("V2", "V10", "V12"))
  expect_setequal(b$nodes$V2$children, c("V1", "V5"))
  expect_setequal(b$nodes$V2$nbr, c("V1", "V5", "V10"))
  expect_setequal(b$nodes$V2$mb, c("V1", "V5", "V10", "V7", "V12"))
  expect_equal(b$learning$test, "zf")
  expect_equal(b$learning$args$alpha, 0.04)
  expect_equal(b$learning$ntests, x$counts$tests)
  expect_equal(unname(b$learning$blacklist), t(c("V1", "V3")))
  expect_null(b$learning$whitelist)
  expect_equal(graph_distance(b, x)[["SHD"]], 0)
  set.seed(1)
  none <- as_bnlearn(dualpc(matrix(rnorm(300), 100), alpha = 1e-9))
  expect_identical(dim(none$arcs), c(0L, 2L))
})

test_that("bnlearn takes a bn and a bn.strength", {
  skip_if_not_installed("bnlearn")
  x <- learned()
  b <- as_bnlearn(x)
  expect_identical(bnlearn::as.bn(x), b)
  expect_output(print(b), "PC")
  expect_equal(bnlearn::amat(b), as.matrix(x), ignore_attr = TRUE)
  dag <- bnlearn::cextend(b)
  expect_equal(bnlearn::amat(bnlearn::cpdag(dag)), as.matrix(x), ignore_attr = TRUE)
  expect_true(is.finite(bnlearn::score(dag, example(), type = "bic-g")))
  s <- as_bn_strength(dualpc(example(), bootstrap = 20, seed = 1))
  expect_s3_class(bnlearn::averaged.network(s, threshold = 0.5), "bn")
})

test_that("the bootstrap is a table of all ordered pairs", {
  x <- dualpc(example(), bootstrap = 20, seed = 1)
  s <- as_bn_strength(x)
  expect_s3_class(s, c("bn.strength", "data.frame"))
  expect_equal(nrow(s), 12 * 11)
  expect_identical(names(s), c("from", "to", "strength", "direction"))
  one <- function(from, to) s[s$from == from & s$to == to, ]
  expect_equal(one("V2", "V5")$strength, one("V5", "V2")$strength)
  expect_equal(one("V2", "V5")$direction + one("V5", "V2")$direction, 1)
  expect_gt(one("V2", "V5")$direction, 0.7)
  e <- edges(x)
  expect_equal(one("V2", "V5")$strength, e$edge[e$from == "V2" & e$to == "V5"])
  expect_error(as_bn_strength(learned()), "there was no bootstrap")
})

test_that("a package that is missing is named", {
  expect_error(need("noSuchPackage", "plot()"), "plot\\(\\) needs the package 'noSuchPackage'")
})
