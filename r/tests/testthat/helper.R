options(mc.cores = 2)

example <- function() utils::read.csv(test_path("example.csv"))

# A result of which the graph is given: A -> C <- B, C -> D, D --- E.
small <- function() {
  set.seed(7)
  n <- 400
  a <- rnorm(n)
  b <- rnorm(n)
  c <- a + b + rnorm(n)
  d <- c + rnorm(n)
  data.frame(A = a, B = b, C = c, D = d)
}

# The same with missing cells, so that the pairs have different numbers of rows in common.
with_holes <- function() {
  d <- small()
  d$A[1:40] <- NA
  d$B[21:90] <- NA
  d$D[81:100] <- NA
  d
}

# The graph behind it: its arrows can all be told.
small_truth <- function() {
  m <- matrix(0L, 4, 4, dimnames = list(LETTERS[1:4], LETTERS[1:4]))
  m["A", "C"] <- m["B", "C"] <- m["C", "D"] <- 1L
  m
}
