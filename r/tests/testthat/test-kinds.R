# Kinds of columns: factors, truth values and texts; what `types` says; blocks.

mixed <- function(n = 300) {
  set.seed(11)
  k <- sample(3, n, TRUE)
  x <- rnorm(n) + k
  data.frame(x = x, colour = factor(c("red", "tan", "blue"))[k], big = x + rnorm(n) > 2,
             word = c("no", "yes")[1 + (rnorm(n) + x > 2)],
             grade = factor(pmin(3, pmax(1, round(x))), levels = 1:3,
                            labels = c("low", "mid", "high"), ordered = TRUE),
             y = x + rnorm(n), z = rnorm(n))
}

kinds <- function(...) attr(dualpc:::as_table(..., na.action = na.omit, drop_text = FALSE)$values, "kinds")

test_that("the classes of columns say their kinds", {
  k <- kinds(mixed())
  expect_identical(k$kinds, c("number", "nominal", "nominal", "nominal", "ordered", "number", "number"))
  expect_identical(k$levels[[2]], c("blue", "red", "tan"))
  expect_identical(k$levels[[3]], c("FALSE", "TRUE"))
  expect_identical(k$levels[[4]], c("no", "yes"))
  expect_identical(k$levels[[5]], c("low", "mid", "high"))
  expect_null(kinds(mixed()[c("x", "y", "z")]))
})

test_that("levels that no row has are none", {
  d <- mixed()
  d$colour[d$colour == "tan"] <- NA
  k <- kinds(d)
  expect_identical(k$levels[[2]], c("blue", "red"))
  d$colour[d$colour == "red"] <- NA
  expect_identical(kinds(d)$kinds[2], "number") # a constant
})

test_that("two categories are one column", {
  d <- mixed()[c("x", "big", "word", "y", "z")]
  x <- dualpc(d)
  numbers <- transform(d, big = as.double(big), word = as.double(word == "yes"))
  plain <- suppressWarnings(dualpc(numbers)) # of few values
  expect_identical(as.matrix(x), as.matrix(plain))
  expect_identical(x$variables$type, c("number", "nominal", "nominal", "number", "number"))
  expect_null(plain$variables)
  renamed <- transform(d, word = ifelse(word == "yes", "a", "b"))
  expect_identical(as.matrix(dualpc(renamed)), as.matrix(x))
})

test_that("types has the last word", {
  d <- mixed()
  d$code <- rep(1:3, 100)
  k <- kinds(d, types = c(code = "nominal", z = "zero", colour = "ordered"))
  expect_identical(k$kinds[c(2, 7, 8)], c("ordered", "zero", "nominal"))
  expect_identical(k$levels[[8]], c("1", "2", "3"))
  expect_null(k$levels[[7]])
  expect_error(dualpc(d, types = c(code = "nominel")), "'nominel' for column 'code'; did you mean 'nominal'")
  expect_error(dualpc(d, types = c(cod = "nominal")), "does not have: 'cod'; did you mean 'code'")
  expect_error(dualpc(d, types = "nominal"), "types must name columns")
  expect_error(dualpc(d, types = c(colour = "number")), "'colour' is not numeric")
  expect_warning(dualpc(d[c("x", "y", "word")], types = c(word = "ordered")), "'no' < 'yes'")
  m <- as.matrix(d[c("x", "y", "code")])
  expect_identical(kinds(m, types = c(code = "ordered"))$kinds, c("number", "number", "ordered"))
})

test_that("blocks are variables of several columns", {
  d <- mixed()[c("x", "y", "z", "big")]
  values <- dualpc:::as_table(d, na.omit, FALSE, list(pose = c("z", "x")))$values
  expect_identical(attr(values, "kinds")$members, list(c(3L, 1L)))
  expect_identical(dualpc:::variable_names(values, names(d)), c("pose", "y", "big"))
  expect_identical(dualpc:::variables_of(values, c("pose", "y", "big"))$type,
                   c("block", "number", "nominal"))
  expect_error(dualpc(d, types = list(pose = c("x", "w"))), "does not have: 'w'")
  expect_error(dualpc(d, types = list(pose = c("x", "big"))), "'big' of block 'pose' is nominal")
  expect_error(dualpc(d, types = list(y = c("x", "z"))), "has the name of another variable")
})

test_that("names and slips are no categories", {
  d <- mixed()
  d$id <- paste0("p", seq_len(nrow(d)))
  expect_error(dualpc(d), "'id' has 300 different texts in 300 rows and looks like a name")
  d$id <- as.character(d$x)
  d$id[7] <- "low"
  expect_error(dualpc(d), "'id' is not numeric: 1 cell 'low'")
})

test_that("missing categories are not estimated", {
  d <- mixed()[c("x", "y", "z", "big")]
  d$big[4] <- NA
  expect_error(dualpc(d, na.action = "em"), "'big' is nominal and has missing cells")
  expect_identical(dualpc(d, na.action = na.omit)$n_obs, 299)
})

test_that("effects of categories are contrasts, on categories shares, as lm() has them", {
  d <- mixed()
  d <- d[c("x", "y", "z", setdiff(names(d)[vapply(d, is.factor, NA)], names(d)[vapply(d, is.ordered, NA)])[1])]
  names(d)[4] <- "g"
  d$big <- d$y + d$z > 0
  nodes <- names(d)
  amat <- matrix(0, 5, 5, dimnames = list(nodes, nodes))
  amat["g", c("x", "y")] <- amat["x", c("y", "big")] <- 1
  x <- dualpc(d, threads = 1)
  e <- effects(x, graph = amat)
  base <- names(which.max(table(d$g)))
  d$g <- relevel(d$g, base)
  one <- e[e$cause == "g" & e$outcome == "y", ]
  fit <- summary(lm(y ~ g, d))$coefficients[-1, , drop = FALSE]
  expect_identical(unique(one$baseline), base)
  at <- paste0("g", one$contrast)
  expect_equal(one$effect, unname(fit[at, 1]))
  expect_equal(one$se, unname(fit[at, 2]))
  one <- e[e$cause == "x" & e$outcome == "y", ]
  fit <- summary(lm(y ~ x + g, d))$coefficients["x", ]
  expect_equal(c(one$effect, one$se), unname(fit[1:2]))
  expect_identical(one$set, list("g"))
  expect_identical(one$contrast, NA_character_)
  one <- e[e$cause == "x" & e$outcome == "big" & e$level %in% "TRUE", ]
  fit <- summary(lm(big ~ x + g, d))$coefficients["x", ]
  expect_equal(c(one$effect, one$se), unname(fit[1:2]))
  expect_identical(nodes(x)$type, c("number", "number", "number", "nominal", "nominal"))
  expect_null(effects(dualpc(d[1:3], threads = 1))$contrast)
})
