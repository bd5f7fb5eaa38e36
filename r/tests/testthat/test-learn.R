test_that("a known graph is found, whatever the data come as", {
  d <- small()
  truth <- small_truth()
  expect_identical(as.matrix(dualpc(d, alpha = 0.01)), truth)
  expect_identical(as.matrix(dualpc(as.matrix(d), alpha = 0.01)), truth)
  expect_identical(as.matrix(dualpc_cor(cor(d), 400, alpha = 0.01)), truth)
  expect_identical(as.matrix(dualpc_cor(cov(d), 400, alpha = 0.01)), truth)
  expect_identical(as.matrix(dualpc(suffStat = list(C = cor(d), n = 400), alpha = 0.01)), truth)
  whole <- round(1000 * as.matrix(d))
  storage.mode(whole) <- "integer"
  expect_identical(as.matrix(dualpc(whole, alpha = 0.01)), truth)
})

test_that("threads and the order of columns change nothing", {
  d <- example()
  x <- dualpc(d, threads = 1)
  expect_identical(as.matrix(dualpc(d, threads = 2)), as.matrix(x))
  turned <- dualpc(rev(d))
  expect_identical(as.matrix(turned)[names(d), names(d)], as.matrix(x))
})

test_that("names come from the columns, from labels, or are made", {
  m <- unname(as.matrix(small()))
  expect_identical(dualpc(m)$nodes, c("V1", "V2", "V3", "V4"))
  expect_identical(dualpc(m, labels = letters[1:4])$nodes, letters[1:4])
  expect_error(dualpc(m, labels = letters), "26 names for 4 variables")
  odd <- stats::setNames(small(), c("a b", "\u00e4", "x,y", "\"q\""))
  expect_identical(rownames(as.matrix(dualpc(odd))), names(odd))
  expect_error(dualpc(stats::setNames(small(), c("a", "a", "b", "c"))), "'a'")
})

test_that("what is no number is refused by name", {
  d <- cbind(small(), day = Sys.Date())
  d$pair <- as.list(seq_len(nrow(d)))
  expect_error(dualpc(d), "'day' \\(Date\\), 'pair' \\(list\\)", class = "dualpc_error")
  expect_error(dualpc(matrix("a", 5, 5)), "numbers, not character")
  expect_error(dualpc(), "data is missing")
  d <- small()
  d$D[3] <- Inf
  expect_error(dualpc(d), "'D'")
})

test_that("columns without numbers are left out", {
  d <- small()
  plain <- dualpc(d)
  holes <- cbind(gap = NA, d)
  for (way in list(na.omit, na.fail, "pairwise", "em")) {
    expect_warning(x <- dualpc(holes, na.action = way),
                   "^column 'gap' has no numbers, every cell is missing; it was left out$")
    expect_identical(as.matrix(x), as.matrix(plain))
    expect_match(x$warnings[1], "'gap'")
  }
  expect_warning(x <- dualpc(unname(as.matrix(holes))), "'V1' has no numbers")
  expect_identical(x$nodes, paste0("V", 2:5))
  expect_error(dualpc(holes["gap"]), "^no column has numbers, every cell is missing$")
  expect_error(dualpc(holes[1:2]), "^only column 'A' has numbers")
})

test_that("drop_text leaves out text", {
  d <- small()
  text <- cbind(who = c("", "Ann"), d, kind = factor(c("a", "b")), day = Sys.Date())
  expect_error(dualpc(text), "drop_text = TRUE")
  expect_warning(x <- dualpc(text, drop_text = TRUE),
                 "^3 text columns were left out: 'who', 'kind', 'day'$")
  expect_identical(as.matrix(x), as.matrix(dualpc(d)))
  expect_warning(x <- dualpc(text, drop_text = TRUE, labels = letters[1:7]), "3 text columns")
  expect_identical(x$nodes, letters[2:5])
  text$who[-3] <- "7" # one text among numbers is an error
  expect_error(suppressWarnings(dualpc(text, drop_text = TRUE)), "'who' is not numeric: 1 cell")
  expect_error(dualpc(text[c("kind", "day")], drop_text = TRUE), "^no column has numbers$")
  expect_error(dualpc(d, drop_text = NA), "TRUE or FALSE")
})

test_that("correlations are estimated around missing values", {
  d <- small()
  for (way in c("pairwise", "em")) {
    expect_identical(as.matrix(dualpc(d, na.action = way)), as.matrix(dualpc(d)))
    holes <- d
    holes$B[c(2, 5)] <- NA
    expect_warning(x <- dualpc(holes, na.action = way, bootstrap = 3), "each test counts with")
    expect_true(nobs(x) >= 398 && nobs(x) < 400)
    expect_null(x$na.action)
    expect_equal(x$cor, cor(d), tolerance = 0.05, ignore_attr = TRUE)
  }
})

test_that("with missing values a test counts with the rows that its variables share", {
  d <- with_holes()
  rows <- crossprod(!is.na(d))
  seen <- numeric()
  for (way in c("pairwise", "em")) {
    expect_warning(x <- dualpc(d, alpha = 0.01, method = "classic", na.action = way), "each test counts with")
    expect_equal(attr(x$cor, "rows"), rows, ignore_attr = TRUE)
    expect_equal(nobs(x), floor(mean(rows[upper.tri(rows)])))
    file <- tempfile()
    saveRDS(x, file)
    again <- readRDS(file) # learns once more, from the correlations and the rows
    absent <- which(upper.tri(rows) & !as.matrix(x) & !t(as.matrix(x)), arr.ind = TRUE)
    for (pair in split(absent, row(absent))) {
      found <- sepset(x, pair[1], pair[2])
      among <- c(x$nodes[pair], found)
      shared <- rows[among, among][upper.tri(diag(length(among)))]
      expect_equal(attr(found, "n"), if (way == "em") floor(mean(shared)) else min(shared))
      expect_identical(sepset(again, pair[1], pair[2]), found)
      seen <- c(seen, attr(found, "n"))
    }
  }
  expect_gt(length(unique(seen)), 1)
})

test_that("missing values go the way of na.action", {
  d <- small()
  d$B[c(2, 5)] <- NA
  x <- dualpc(d)
  expect_equal(nobs(x), 398)
  expect_equal(as.integer(x$na.action), c(2, 5))
  expect_output(print(x), "2 rows with missing values left out")
  expect_identical(as.matrix(x), as.matrix(dualpc(stats::na.omit(d))))
  expect_identical(as.matrix(dualpc(as.matrix(d))), as.matrix(x))
  expect_error(dualpc(d, na.action = na.fail), "missing values")
  expect_error(dualpc(d, na.action = "na.fail"), "missing values")
  expect_error(dualpc(d, na.action = na.pass), "'B'")
  old <- options(na.action = "na.fail")
  on.exit(options(old))
  expect_error(dualpc(d), "missing values")
})

test_that("errors are the sentences of the library, by R's names", {
  d <- small()
  expect_error(dualpc(d, alpha = 2), "alpha must be between 0 and 1, not 2")
  expect_error(dualpc(d, max_order = -1), "max_order must be")
  expect_error(dualpc(d, colour = 1), "there is no setting 'colour'; there are alpha")
  expect_error(dualpc(d, method = "best"), "method must be")
  expect_error(dualpc(d, alpha = c(0.1, 0.2)), "alpha must be a single value")
  expect_error(dualpc(d, 0.1, "dual", "stable", "z", "none", NULL, "none", 0, 3), "needs a name")
  expect_error(dualpc_cor(matrix(1:6, 2), 10), "2")
  expect_error(dualpc_cor(cor(d), NA), "n must be a single number")
  expect_error(dualpc(d, suffStat = list(C = cor(d), n = 400)), "not both")
  error <- tryCatch(dualpc(d, alpha = 2), error = identity)
  expect_identical(conditionCall(error)[[1]], quote(dualpc))
  expect_equal(error$status, 1)
})

test_that("the audit warns", {
  d <- small()
  d$E <- 1
  d$F <- d$A
  seen <- character()
  x <- withCallingHandlers(dualpc(d), warning = function(w) {
    seen <<- c(seen, conditionMessage(w))
    invokeRestart("muffleWarning")
  })
  expect_true(any(grepl("'E'", seen)) && any(grepl("'F'", seen)))
  expect_identical(x$warnings, seen)
  expect_equal(sum(as.matrix(x)["E", ]), 0)
})

test_that("every option has its name, default and range from the library's table", {
  table <- dualpc_options()
  own <- formals(dualpc)
  shared <- setdiff(intersect(table$name, names(own)), c("threads", "seed"))
  expect_setequal(shared, c("alpha", "method", "variant", "test", "normalize", "refine", "latent",
                            "pdsep", "selection"))
  for (name in shared)
    expect_equal(dualpc:::as_text(own[[name]], name), table$default[table$name == name])
  x <- dualpc(small())
  expect_identical(gsub("-", "_", names(x$settings)), table$name)
  fixed <- !table$name %in% c("alpha", "alpha_dual", "rule", "threads", "order") # auto is decided
  expect_identical(unname(x$settings[fixed]), table$default[fixed])
  # a word of every choice is taken, and another one refused
  d <- small()
  for (i in which(table$kind == "word")) for (word in strsplit(table$values[i], "|", TRUE)[[1]]) {
    x <- do.call(dualpc, c(list(d), stats::setNames(list(word), table$name[i])))
    if (word != "auto") expect_equal(x$settings[[i]], word)
  }
  for (name in table$name[table$kind == "word"])
    expect_error(do.call(dualpc, c(list(d), stats::setNames(list("no such"), name))), name)
})

test_that("refinement starts where it is best, and is seeded by R", {
  d <- example()
  set.seed(4)
  x <- dualpc(d, refine = "full")
  set.seed(4)
  y <- dualpc(d, refine = "full", threads = 1)
  expect_identical(as.matrix(x), as.matrix(y))
  expect_identical(x$settings[["seed"]], y$settings[["seed"]])
  expect_equal(x$settings[["alpha"]], "0.01")
  expect_equal(x$settings[["rule"]], "and")
  expect_equal(dualpc(d, refine = "fast", alpha = 0.1)$settings[["alpha"]], "0.1")
  expect_gte(x$refined$score_after, x$refined$score_before)
  expect_true(x$refined$complete)
  expect_output(print(summary(x)), "refined: .*, optimum: global")
  expect_equal(x$refined$optimality, "global")
  expect_true("No DAG scores higher: the search was exact." %in% verdict(x))
  exact <- dualpc(d, refine = "exact")
  expect_identical(as.matrix(exact), as.matrix(x))
  expect_equal(exact$refined$optimality, "global")
  expect_equal(dualpc(d, refine = "full", restarts = "auto")$settings[["restarts"]], "auto")
  expect_error(dualpc(cbind(d, lapply(d, rev)), refine = "exact", labels = paste0("x", 1:24)),
               "at most 20 variables; the data have 24. Use refine full")
  expect_null(dualpc(d)$refined)
  # the same by every way of setting it, and the changes are told with their marks
  x <- dualpc(d, refine = "fast", seed = 3)
  expect_equal(x$settings[["alpha"]], "0.01")
  expect_equal(x$settings[["rule"]], "and")
  expect_true(all(c(x$refined$changes$before, x$refined$changes$after) %in%
                    c("none", "---", "-->", "<--")))
  for (y in list(dualpc(d, refine = "fast", alpha = "auto", rule = "auto", seed = 3),
                 dualpc(d, refine = "fast", alpha = 0.01, rule = "and", seed = 3)))
    expect_identical(as.matrix(y), as.matrix(x))
  expect_error(dualpc(d, refine = "best"), "refine must be one of none, fast, full, exact")
  file <- tempfile()
  saveRDS(x, file)
  expect_identical(edges(readRDS(file)), edges(x))
})

test_that("a time that is over leaves the best graph so far", {
  d <- example()
  for (options in list(list(), list(method = "ges"), list(refine = "fast"),
                       list(variant = "standard"))) {
    expect_warning(x <- do.call(dualpc, c(list(d, timeout = 1e-9), options)), "the best graph so far")
    expect_false(x$complete)
    expect_equal(as.double(x$settings[["timeout"]]), 1e-9)
  }
  x <- suppressWarnings(dualpc(d, timeout = 1e-9, bootstrap = 5))
  expect_false(x$complete)
  expect_lt(x$bootstrap$resamples, 5)
  expect_gte(x$bootstrap$resamples, 1)
  file <- tempfile()
  saveRDS(x, file)
  expect_error(explain(readRDS(file), 1, 2), "learn anew")
  y <- dualpc(d, timeout = 1e6, bootstrap = 2)
  expect_true(y$complete)
  expect_identical(as.matrix(y), as.matrix(dualpc(d)))
})

test_that("settings are kept as they were", {
  x <- dualpc(small(), alpha = 0.01, max_order = 2, separating_sets = TRUE)
  expect_equal(x$settings[["alpha"]], "0.01")
  expect_equal(x$settings[["max-order"]], "2")
  expect_equal(x$settings[["separating-sets"]], "yes")
  expect_equal(dualpc(small(), max_order = Inf)$settings[["max-order"]], "none")
  expect_equal(dualpc(small(), max_order = NULL)$settings[["max-order"]], "none")
})

test_that("greedy search and normal scores work from R", {
  d <- small()
  x <- dualpc(d, method = "ges", penalty = 1)
  expect_identical(as.matrix(x), small_truth())
  expect_false(is.na(x$counts$score))
  d$A <- exp(d$A)
  expect_identical(as.matrix(dualpc(d, normalize = "copula", alpha = 0.01)), small_truth())
})

test_that("the p-values are R's", {
  x <- dualpc(example(), separating_sets = TRUE)
  n <- nobs(x)
  checked <- 0
  for (i in 2:12) for (j in seq_len(i - 1)) {
    set <- sepset(x, i, j)
    if (is.null(set)) next
    given <- match(set, x$nodes)
    inverse <- solve(x$cor[c(i, j, given), c(i, j, given)])
    r <- -inverse[1, 2] / sqrt(inverse[1, 1] * inverse[2, 2])
    expect_equal(attr(set, "r"), r)
    expect_equal(attr(set, "p"), 2 * pnorm(-abs(atanh(r)) * sqrt(n - length(given) - 3)))
    checked <- checked + 1
  }
  expect_gt(checked, 30)
  y <- dualpc(example(), separating_sets = TRUE, test = "t")
  set <- sepset(y, "V2", "V12")
  df <- n - length(set) - 2
  t <- attr(set, "r") * sqrt(df / (1 - attr(set, "r")^2))
  expect_equal(attr(set, "p"), 2 * pt(-abs(t), df))
})

test_that("numbers are whole, and fit the library's types", {
  d <- small()
  C <- cor(d)
  for (n in list(1e19, Inf, -Inf, 500.7, 0, -3, 2^53 + 2))
    expect_error(dualpc_cor(C, n), "n must be a whole number from 1 to 2^53, not ", fixed = TRUE)
  expect_error(dualpc_cor(C, 500.7), "not 500.7", fixed = TRUE)
  for (n in list(NA, NaN, "500", 1:2, NULL))
    expect_error(dualpc_cor(C, n), "n must be a single number|suffStat must be")
  expect_equal(dualpc_cor(C, 2^53)$n_obs, 2^53)
  for (wrong in list(1e19, Inf, 2.5, -1)) {
    expect_error(dualpc(d, bootstrap = wrong), "bootstrap must be a whole number from 0 to 1000000")
    expect_error(dualpc(d, bootstrap = 2, seed = wrong), "seed must be a whole number from 0 to 2")
    expect_error(effects(dualpc(d), top = wrong), "top must be a whole number from 0 to 2147483647")
    expect_error(simulate_network(wrong, 10), "nodes must be a whole number from 1 to 2147483647")
    expect_error(simulate_network(4, wrong), "samples must be a whole number from 1 to 2147483647")
    expect_error(dual_pc(C, wrong, 0.05), "N must be a whole number from 1 to 2^53", fixed = TRUE)
    if (is.finite(wrong)) {
      expect_error(dualpc(d, max_order = wrong), "max_order must be|needs a whole number")
      expect_error(dualpc(d, refine = "full", restarts = wrong), "restarts must be|needs a whole number")
    }
    expect_error(dualpc(d, threads = if (is.infinite(wrong)) 257 else wrong), "threads must be|needs a whole number")
  }
})

test_that("sentences about missing values say what to do as R spells it", {
  holes <- d <- small()[, 1:3]
  holes[4, 3] <- NA
  expect_error(dualpc(holes, na.action = NULL), paste0(
    "1 missing cell, the first in column '", colnames(d)[3], "', row 4; use na.action = \"em\" ",
    "(recommended), \"pairwise\" or na.omit, or fill them in"), fixed = TRUE)
  holes[seq_len(nrow(d) / 2), 1] <- NA
  holes[-seq_len(nrow(d) / 2), 2] <- NA
  expect_error(dualpc(holes, na.action = "pairwise"),
               "leave out one of them, or use na.action = \"em\"", fixed = TRUE)
})

test_that("a search by score counts the independent rows", {
  set.seed(3)
  once <- as.data.frame(t(apply(matrix(rnorm(1200), 60), 1, cumsum)))
  again <- once[rep(1:60, 6), ]
  for (how in list(list(refine = "fast"), list(method = "ges"))) {
    expect_warning(found <- do.call(dualpc, c(list(again), how)),
                   "as much information as [0-9]+ independent rows")
    expect_true(found$effective_rows > 20 && found$effective_rows < 180)
    expect_equal(do.call(dualpc, c(list(once), how))$effective_rows, 60)
  }
})
