# An interrupt ends the work at once, and leaves the session as it was.

# What another R prints that runs these lines, in which send() asks for an interrupt after so many
# seconds.
run_interrupted <- function(lines) {
  file <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(dualpc)",
    "send <- function(after) system(paste('(sleep', after, '; kill -INT', Sys.getpid(), ') &'))",
    lines), file)
  out <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", file), stdout = TRUE,
                 stderr = TRUE)
  paste(out, collapse = "\n")
}

test_that("an interrupt is heard", {
  skip_on_cran()
  skip_on_os("windows")
  # a graph that takes minutes: everything depends on everything
  set.seed(2)
  n <- 60
  common <- rnorm(2000)
  d <- sapply(seq_len(n), function(i) 0.6 * common + rnorm(2000) + 0.3 * rnorm(2000))
  data <- tempfile(fileext = ".rds")
  saveRDS(d, data)
  out <- run_interrupted(c(
    sprintf("d <- readRDS('%s')", data),
    "how <- tryCatch({",
    "  send(1)",
    "  dualpc(d, method = 'classic', alpha = 0.5, threads = 2)",
    "  'finished'",
    "}, interrupt = function(e) 'interrupted')",
    "cat(how, '\\n')",
    "x <- dualpc(d[, 1:5], threads = 2)",
    "cat(class(x), '\\n')"))
  expect_match(out, "interrupted")
  expect_match(out, "dualpc")
})

test_that("an interrupt of sampling brings the draws that there are", {
  skip_on_cran()
  skip_on_os("windows")
  for (after in c(2, 10, 40)) { # a busy machine may have no draws yet
    out <- run_interrupted(c(
      "d <- read.csv(system.file('extdata', 'example.csv', package = 'dualpc'))",
      "x <- tryCatch({",
      sprintf("  send(%d)", after),
      "  dualpc_sample(d, prior = 'order', draws = 1e5, thin = 100, threads = 2, seed = 1)",
      "  'finished'",
      "}, interrupt = function(e) e$partial)",
      "cat(class(x), x$complete, x$draws >= 1, length(draws(x, 1)) == x$draws, '\\n')"))
    if (grepl("dualpc_posterior", out)) break
  }
  expect_match(out, "dualpc_posterior FALSE TRUE TRUE")
})
