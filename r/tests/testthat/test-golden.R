# Expected results of simulated tables, made by an implementation that shares no code with this one.

golden <- function(folder, file)
  utils::read.csv(test_path("golden", folder, file), check.names = FALSE)

# wide150 has more variables than observations, of which the audit warns.
quietly <- suppressWarnings

folders <- c("tiny20", "dense40", "paper50", "wide150", "heavy30-copula")

for (folder in folders) test_that(paste("dualpc() has the golden results of", folder), {
  data <- golden(folder, "data.csv")
  index <- golden(folder, "index.csv")
  expect_gt(nrow(index), 20)
  for (i in seq_len(nrow(index))) {
    e <- index[i, ]
    x <- quietly(dualpc(data, alpha = e$alpha, method = e$method, variant = e$variant,
                        test = e$test, normalize = e$normalize, min_ess = e$min_ess,
                        graph = e$graph, orient = "relaxed", order = "given"))
    expect_true(all(as.matrix(x) == as.matrix(golden(folder, e$file))), info = e$file)
    expect_equal(nrow(edges(x)), e$edges, info = e$file)
    expect_lte(x$counts$tests, e$tests)
  }
})

for (folder in folders[1:4]) test_that(paste("dual_pc() has the golden results of", folder), {
  data <- golden(folder, "data.csv")
  index <- golden(folder, "index.csv")
  index <- index[index$method == "dual", ]
  expect_equal(nrow(index), 8)
  for (i in seq_len(nrow(index))) {
    e <- index[i, ]
    m <- quietly(dual_pc(cor(data), nrow(data), e$alpha, ord_ind = e$variant == "stable",
                         skeleton = e$graph == "skeleton", pattern_graph = e$graph == "pattern",
                         exact = e$test == "t", min_ESS = e$min_ess))
    expect_equal(m, as.matrix(golden(folder, e$file)), ignore_attr = TRUE, info = e$file)
    expect_identical(dimnames(m), list(names(data), names(data)))
    expect_type(m, "double")
  }
})
