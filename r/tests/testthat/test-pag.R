# Hidden common causes: what the program writes for the same data, and what can be done with a PAG.

hidden <- function() utils::read.csv(test_path("hidden.csv"))

# As the program writes them: sorted.
lines_of <- function(x) sort(paste(edges(x)$from, edges(x)$mark, edges(x)$to))

by_program <- list(
  search = c("exercise o-> sleep", "mood --> work", "sleep <-> mood", "support o-> mood"),
  fci = c("exercise o-> sleep", "mood --> work", "sleep <-> mood", "support o-> mood"),
  dag = c("exercise o-> mood", "exercise o-o sleep", "mood --> work", "sleep o-> mood",
          "support o-> mood"))

marks <- function(...) {
  names <- c("exercise", "support", "sleep", "mood", "work")
  matrix(c(...), 5, byrow = TRUE, dimnames = list(names, names))
}

test_that("every mode has the marks that the program writes", {
  d <- hidden()
  for (mode in names(by_program)) {
    x <- dualpc(d, latent = mode)
    expect_s3_class(x, c("pag", "dualpc"), exact = TRUE)
    expect_identical(x$type, "PAG")
    expect_identical(lines_of(x), by_program[[mode]])
  }
  expect_identical(lines_of(dualpc(d, latent = TRUE)), by_program$search)
  expect_identical(as.matrix(dualpc(d, latent = FALSE)), as.matrix(dualpc(d)))
})

test_that("as.matrix has pcalg's codes: row i, column j is the mark at j", {
  m <- as.matrix(dualpc(hidden(), latent = "search"))
  expect_identical(m, marks(0L, 0L, 2L, 0L, 0L,
                            0L, 0L, 0L, 2L, 0L,
                            1L, 0L, 0L, 2L, 0L,
                            0L, 1L, 2L, 0L, 2L,
                            0L, 0L, 0L, 3L, 0L))
})

test_that("the order of the columns does not matter, nor the number of threads", {
  d <- hidden()
  for (mode in names(by_program)) {
    x <- as.matrix(dualpc(d, latent = mode, threads = 1))
    y <- as.matrix(dualpc(d[c(4, 2, 5, 1, 3)], latent = mode, threads = 2))
    expect_identical(y[rownames(x), rownames(x)], x)
  }
})

test_that("correlations, normal scores and missing cells are taken", {
  d <- hidden()
  expect_identical(lines_of(dualpc_cor(cor(d), nrow(d), latent = "search")), by_program$search)
  expect_identical(lines_of(dualpc_cor(cor(d), nrow(d), latent = "fci", pdsep = Inf)),
                   by_program$fci)
  expect_identical(lines_of(dualpc(d, latent = "search", normalize = "copula")), by_program$search)
  holes <- d
  holes$mood[1:50] <- NA
  holes$sleep[31:90] <- NA
  for (way in c("em", "pairwise")) {
    x <- suppressWarnings(dualpc(holes, latent = "search", na.action = way))
    expect_identical(lines_of(x), by_program$search)
  }
})

test_that("categories go with tests, and the search says why not", {
  d <- hidden()
  d$work <- cut(d$work, 3, labels = c("low", "some", "high"))
  d$work <- factor(d$work, ordered = FALSE)
  x <- dualpc(d, latent = "fci")
  expect_true(all(as.matrix(x) %in% 0:3))
  expect_error(dualpc(d, latent = "search"), "needs variables that are numbers.*latent = \"fci\"")
})

test_that("curves are those of the program, and no numbers for the search", {
  d <- hidden()
  expect_identical(lines_of(dualpc(d, latent = "fci", relations = "curved")), by_program$fci)
  x <- dualpc(d, relations = "curved")
  expect_identical(lines_of(x), c("exercise --> sleep", "mood --- work", "mood --> sleep",
                                  "support --- mood"))
  expect_error(dualpc(d, latent = "search", relations = "curved"), "no likelihood.*curves.*latent = \"fci\"")
  expect_error(effects(x), "curved")
})

test_that("settings that do not go together are refused in R's words", {
  d <- hidden()
  expect_error(dualpc(d, latent = "guess"), "latent must be one of none, search, fci, dag")
  expect_error(dualpc(d, pdsep = 2), "pdsep goes with latent")
  expect_error(dualpc(d, selection = TRUE), "selection goes with latent")
  expect_error(dualpc(d, latent = "fci", selection = "yes"), "selection must be TRUE or FALSE")
  expect_error(dualpc(d, latent = TRUE, pdsep = 2), "does not go with pdsep")
  expect_error(dualpc(d, latent = "fci", refine = "full"),
               "latent = \"fci\" does not go with refine")
  expect_error(dualpc(d, latent = TRUE, bootstrap = 5, min_frequency = 0.5),
               "marks of PAGs are no such votes")
  message <- tryCatch(dualpc(d, latent = TRUE, method = "ges"), error = conditionMessage)
  expect_false(grepl("--", message, fixed = TRUE))
})

test_that("Possible-D-SEP and selection are passed on", {
  x <- dualpc(hidden(), latent = "fci", pdsep = Inf, selection = TRUE)
  expect_identical(unname(x$settings[c("pdsep", "selection")]), c("all", "yes"))
  expect_identical(dualpc(hidden(), latent = "fci", pdsep = "all")$settings[["pdsep"]], "all")
})

test_that("knowledge licenses the marks that it says, and no others", {
  d <- hidden()
  x <- dualpc(d, latent = "fci", knowledge = list(forbidden = cbind("sleep", "exercise")))
  expect_identical(as.matrix(x)["exercise", "sleep"], 2L)
  expect_identical(as.matrix(x)["sleep", "exercise"], 1L)
  x <- dualpc(d, latent = "fci", knowledge = list(required = cbind("exercise", "sleep")))
  expect_identical(as.matrix(x)["sleep", "exercise"], 3L)
  gaps <- list(forbidden = rbind(c("sleep", "mood"), c("mood", "sleep")))
  for (mode in names(by_program))
    expect_identical(as.matrix(dualpc(d, latent = mode, knowledge = gaps))["sleep", "mood"], 0L)
})

test_that("a PAG prints its marks, and what they mean", {
  x <- dualpc(hidden(), latent = TRUE)
  text <- capture.output(print(x))
  expect_true(any(grepl("PAG of 5 variables", text, fixed = TRUE)))
  expect_true(any(grepl("sleep <-> mood", text, fixed = TRUE)))
  expect_true(any(grepl("a circle, that the data cannot", text, fixed = TRUE)))
  expect_false(any(grepl(" --[a-z]", text)))
  text <- capture.output(print(summary(x)))
  expect_true(any(grepl("hidden causes: 1 of 9 tries kept", text, fixed = TRUE)))
  expect_identical(x$hidden$mag["sleep", "mood"], 2L)
  expect_match(methods_text(x), "maximal ancestral graphs", fixed = TRUE)
})

test_that("samples that may be selected have tails at both ends, and the legend says so", {
  precision <- diag(4)
  precision[cbind(1:4, c(2:4, 1))] <- precision[cbind(c(2:4, 1), 1:4)] <- 0.4
  C <- stats::cov2cor(solve(precision))
  x <- dualpc_cor(C, 5000, latent = "fci", selection = TRUE, labels = letters[1:4])
  expect_identical(edges(x)$mark, rep("---", 4))
  text <- gsub(" +", " ", paste(capture.output(print(x)), collapse = " "))
  expect_match(text, "or one of what selects the sample", fixed = TRUE)
  expect_true(separated(x, "a", "c", c("b", "d")))
  expect_true(dualpc_cor(C, 5000, latent = "fci")$repaired)
})

test_that("marks are explained", {
  x <- dualpc(hidden(), latent = TRUE)
  why <- explain(x, "sleep", "mood")
  expect_identical(why$ends$mark, c("arrow", "arrow"))
  expect_identical(why$ends$rule, c("R0", "R0"))
  expect_identical(why$ends$others[[1]], "exercise")
  expect_identical(names(why$lost), c("none", "-->", "<--", "<->"))
  expect_equal(unname(why$lost), c(127.64, 2.69, 2.93, 0), tolerance = 1e-3)
  why <- explain(dualpc(hidden(), latent = "fci"), "mood", "work")
  expect_identical(why$ends$mark, c("tail", "arrow"))
  expect_null(why$lost)
  expect_null(explain(dualpc(hidden()), "mood", "work")$ends)
})

test_that("a bootstrap counts marks and causes, seen from the first of the two", {
  x <- dualpc(hidden(), latent = TRUE, bootstrap = 20, seed = 1)
  f <- frequencies(x)
  kinds <- c("-->", "<--", "<->", "o->", "<-o", "o-o")
  expect_identical(names(f), c("from", "to", "edge", kinds, "from_is_cause", "from_is_no_cause",
                               "to_is_cause", "to_is_no_cause"))
  expect_equal(rowSums(f[kinds]), f$edge)
  expect_true(all(f$from_is_cause + f$from_is_no_cause <= 1))
  e <- edges(x)
  work <- e[e$from == "mood" & e$to == "work", ]
  expect_gt(work[["-->"]], 0.8)
  expect_identical(work$from_is_cause, work[["-->"]])
  turned <- dualpc:::pag_shares(x, 5, 4)
  expect_identical(turned[["<--"]], work[["-->"]])
  expect_identical(turned$to_is_cause, work$from_is_cause)
  with_selection <- dualpc(hidden(), latent = "fci", selection = TRUE, bootstrap = 3, seed = 1)
  expect_true(all(c("---", "o--", "--o") %in% names(frequencies(with_selection))))
  expect_identical(names(frequencies(dualpc(hidden(), bootstrap = 3, seed = 1))),
                   c("from", "to", "edge", "forward", "backward", "undirected"))
  expect_error(frequencies(dualpc(hidden())), "there was no bootstrap")
})

test_that("what follows from a PAG is told, or why it does not", {
  x <- dualpc(hidden(), latent = TRUE)
  expect_identical(adjustment_set(x, "mood", "work"), character())
  expect_warning(none <- adjustment_set(x, "exercise", "sleep"),
                 "exercise o-> sleep may be due to a hidden common cause")
  expect_null(none)
  expect_error(adjustment_set(x, "mood", "work", type = "optimal"), "known to be optimal")
  expect_true(separated(x, "exercise", "mood"))
  open <- separated(x, "exercise", "mood", given = "sleep")
  expect_false(open)
  expect_identical(attr(open, "path"), c("exercise", "sleep", "mood"))
  expect_error(separated(x, "exercise", "exercise"), "same variable")
  expect_error(separated(x, "exercise", "mood", "mood"), "one of the two")
  expect_error(effects(x), "needs a DAG or a CPDAG, and this graph is a PAG")
  expect_error(effects(dualpc(hidden()), graph = x), "graph is a PAG")
  expect_error(nodes(x), "without hidden causes")
  expect_error(dag_member(x), "without hidden causes")
  expect_true(separated(small_truth(), "A", "B"))
  expect_false(separated(small_truth(), "A", "B", "D"))
})

test_that("an arrow of a PAG without circles is still one that may be confounded", {
  known <- list(required = rbind(c("exercise", "sleep"), c("support", "mood"), c("sleep", "mood")))
  x <- dualpc(hidden(), latent = "fci", knowledge = known)
  expect_false(any(as.matrix(x) == 1))
  expect_warning(adjustment_set(x, "exercise", "sleep"), "exercise --> sleep may be due to a hidden")
})

test_that("PAGs are compared by their marks", {
  x <- dualpc(hidden(), latent = "search")
  y <- dualpc(hidden(), latent = "dag")
  told <- graph_distance(x, y)
  expect_identical(names(told), c("skeleton_precision", "skeleton_recall", "skeleton_F1",
                                  "arrow_precision", "arrow_recall", "tail_precision",
                                  "tail_recall", "SHD", "exact"))
  expect_identical(told[["SHD"]], 3)
  expect_identical(graph_distance(as.matrix(x)[5:1, 5:1], x)[["exact"]], 1)
  circles <- as.matrix(x)
  circles[circles != 0] <- 1L
  expect_identical(graph_distance(x, circles)[["skeleton_F1"]], 1)
  expect_error(graph_distance(x, dualpc(hidden())), "the truth is not")
  skeletons <- graph_distance(x, dualpc(hidden()), graph = "skeleton")
  expect_identical(skeletons[["SHD"]], 0)
  expect_true(is.na(skeletons[["parent_aid"]]))
  broken <- structure(circles, type = "amat.pag")
  broken[1, 3] <- 0L
  expect_error(graph_distance(x, broken), "every edge has one at each end")
})

test_that("a PAG is converted where the other class can hold it", {
  x <- dualpc(hidden(), latent = TRUE)
  expect_identical(attr(as_pcalg_amat(x), "type"), "amat.pag")
  expect_true(all(as_pcalg_amat(x) == as.matrix(x)))
  for (convert in list(as_graphnel, as_bnlearn, as_pcalg))
    expect_error(convert(x), "cannot hold circles and double arrowheads")
  skip_if_not_installed("igraph")
  g <- as_igraph(x)
  expect_identical(igraph::edge_attr(g, "mark"), c("o->", "o->", "<->", "-->"))
  expect_identical(igraph::edge_attr(g, "from_mark"), c("circle", "circle", "arrow", "tail"))
  expect_identical(graph_distance(g, x)[["exact"]], 1)
  expect_warning(adjustment_set(g, "exercise", "sleep"), "hidden common cause")
})

test_that("a PAG is written in the formats that can hold it", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  at <- function(name) file.path(folder, name)
  x <- dualpc(hidden(), latent = TRUE)
  save_graph(x, at("g.txt"))
  expect_identical(readLines(at("g.txt")), c("exercise o-> sleep", "mood --> work",
                                             "mood <-> sleep", "support o-> mood"))
  save_graph(x, at("g.pag.csv"))
  expect_identical(unname(as.matrix(utils::read.csv(at("g.pag.csv")))), unname(as.matrix(x)))
  save_graph(x, at("anything"), format = "dot")
  expect_true(any(grepl("odot", readLines(at("anything")), fixed = TRUE)))
  save_graph(x, at("g.json"))
  expect_true(any(grepl("\"graph_type\": \"pag\"", readLines(at("g.json")), fixed = TRUE)))
  expect_error(save_graph(x, at("g.csv")), "cannot hold its circles")
  expect_error(save_graph(x, at("g.png")), "plot()", fixed = TRUE)
  expect_error(save_graph(x, 3), "must be texts")
  save_graph(dualpc(hidden()), at("g.csv"))
  expect_identical(unname(as.matrix(utils::read.csv(at("g.csv")))), unname(dualpc(hidden())$amat))
})

test_that("a PAG that was saved and loaded can be asked", {
  file <- tempfile()
  on.exit(unlink(file))
  for (mode in names(by_program)) {
    x <- dualpc(hidden(), latent = mode)
    saveRDS(x, file)
    y <- readRDS(file)
    expect_identical(as.matrix(y), as.matrix(x))
    expect_equal(edges(y), edges(x))
    expect_equal(explain(y, "sleep", "mood")$text, explain(x, "sleep", "mood")$text)
  }
})

test_that("a timeout leaves a PAG, and says so", {
  d <- simulate_network(40, 500, seed = 2)$data
  for (mode in names(by_program)) {
    expect_warning(x <- dualpc(d, latent = mode, timeout = 1e-9), "time was over")
    expect_false(x$complete)
    m <- as.matrix(x)
    expect_true(all((m != 0) == (t(m) != 0)))
  }
})

test_that("networks with hidden variables come with their PAG", {
  s <- simulate_network(12, 300, parents = 2, hidden = 0.2, seed = 3)
  expect_length(s$hidden, 2)
  expect_identical(names(s$data), setdiff(colnames(s$dag), s$hidden))
  expect_identical(dimnames(s$pag), list(names(s$data), names(s$data)))
  expect_null(s$cpdag)
  expect_true(all(rowSums(s$dag[s$hidden, ]) >= 2))
  whole <- simulate_network(12, 300, parents = 2, seed = 3)
  expect_identical(whole$data[names(s$data)], s$data)
  expect_null(whole$pag)
  none <- simulate_network(12, 300, parents = 2, seed = 3, hidden = 0)
  expect_identical(none$hidden, character())
  expect_identical((none$pag != 0)[TRUE], (none$cpdag != 0 | t(none$cpdag) != 0)[TRUE])
  x <- dualpc(s$data, latent = "dag")
  expect_gte(graph_distance(x, s$pag)[["SHD"]], 0)
  expect_error(simulate_network(12, 300, hidden = 1), "hidden must be from 0 to below 1")
})

test_that("a PAG is drawn", {
  file <- tempfile(fileext = ".png")
  on.exit(unlink(file))
  x <- dualpc(hidden(), latent = TRUE)
  grDevices::pdf(NULL)
  before <- graphics::par("mar")
  expect_identical(plot(x), x)
  expect_identical(graphics::par("mar"), before)
  plot(x, layout = cbind(1:5, c(1, 2, 1, 2, 1)), legend = FALSE)
  expect_error(plot(x, layout = 1:3), "layout must be a matrix")
  plot(dualpc(matrix(stats::rnorm(300), 100), latent = TRUE))
  grDevices::dev.off()
  skip_if_not(capabilities("png"))
  grDevices::png(file, 400, 400)
  plot(x)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("no two boxes of a picture overlap, and none is cut off", {
  grDevices::pdf(NULL, width = 7, height = 7)
  on.exit(grDevices::dev.off())
  s <- simulate_network(30, 200, hidden = 0.1, seed = 1)
  names(s$data) <- paste0("a_rather_long_name_", seq_along(s$data))
  x <- dualpc(s$data, latent = "fci")
  layouts <- dualpc:::pag_layouts(x, dualpc:::pag_places(x$amat))
  b <- dualpc:::best_boxes(x$nodes, layouts, c(6, 6), 1)
  expect_false(dualpc:::any_overlap(b))
  expect_true(all(b$x - b$w >= -1e-9 & b$x + b$w <= 6 + 1e-9))
  expect_true(all(b$y - b$h >= -1e-9 & b$y + b$h <= 6 + 1e-9))
})
