# An interrupt ends the work at once, and leaves the session as it was.
test_that("an interrupt is heard", {
  skip_on_cran()
  skip_on_os("windows")
  # a graph that takes minutes: everything depends on everything
  set.seed(2)
  n <- 60
  common <- rnorm(2000)
  d <- sapply(seq_len(n), function(i) 0.6 * common + rnorm(2000) + 0.3 * rnorm(2000))
  file <- tempfile(fileext = ".R")
  data <- tempfile(fileext = ".rds")
  saveRDS(d, data)
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(dualpc)",
    sprintf("d <- readRDS('%s')", data),
    "how <- tryCatch({",
    "  system(paste('(sleep 1; kill -INT', Sys.getpid(), ') &'))",
    "  dualpc(d, method = 'classic', alpha = 0.5, threads = 2)",
    "  'finished'",
    "}, interrupt = function(e) 'interrupted')",
    "cat(how, '\\n')",
    "x <- dualpc(d[, 1:5], threads = 2)",
    "cat(class(x), '\\n')"), file)
  out <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", file), stdout = TRUE,
                 stderr = TRUE)
  expect_match(paste(out, collapse = "\n"), "interrupted")
  expect_match(paste(out, collapse = "\n"), "dualpc")
})
