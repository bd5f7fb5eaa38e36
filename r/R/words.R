# What other packages call the same things: pcalg's and bnlearn's words become the library's.

# The settings under the library's names, and the arcs that lists of other packages ask for.
translate <- function(given, n_obs) {
  default <- attr(given, "default")
  given <- given[!vapply(given, is.null, NA)]
  names <- names(given)
  if (is.null(names) || !all(nzchar(names)))
    refuse("every further argument needs a name, as in max_order = 3")
  arcs <- NULL
  if (any(names %in% foreign_words)) {
    arcs <- foreign_arcs(given[names %in% foreign_lists])
    given <- do.call(c, lapply(which(!names %in% foreign_lists), function(i)
      own_words(names[i], given[[i]], n_obs)))
    given <- given[!(names(given) %in% default & duplicated(names(given), fromLast = TRUE))]
  }
  if (length(given$test) == 1 && given$test %in% c("zf", "cor"))
    given$test <- if (given$test == "zf") "z" else "t"
  if (anyDuplicated(names(given)))
    refuse("'", names(given)[duplicated(names(given))][1],
           "' is asked for twice, once by the name that another package has for it")
  list(options = given, arcs = arcs)
}

foreign_lists <- c("fixedGaps", "fixedEdges", "whitelist", "blacklist")
foreign_words <- c(foreign_lists, "m.max", "max.sx", "maj.rule", "conservative", "numCores",
                   "lambda", "skel.method", "undirected")

own_words <- function(name, value, n_obs) {
  one <- function(name, value) stats::setNames(list(value), name)
  switch(name,
    m.max = , max.sx = one("max_order", value),
    numCores = one("threads", value),
    lambda = {
      check_number(value, "lambda")
      one("penalty", value / log(n_obs))
    },
    maj.rule = if (is_true(value, name)) one("orient", "majority"),
    conservative = if (is_true(value, name)) one("orient", "conservative"),
    undirected = if (is_true(value, name)) one("graph", "skeleton"),
    skel.method = switch(as_text(value, name),
      stable = , stable.fast = NULL,
      original = one("variant", "standard"),
      refuse("skel.method is stable, stable.fast or original, not '", value, "'")),
    one(name, value))
}

is_true <- function(value, name) {
  if (!is.logical(value) || length(value) != 1 || is.na(value))
    refuse(name, " must be TRUE or FALSE")
  value
}

# ---- Lists of arcs ----

# Arcs as two columns, `from` and `to`, by name or by number, and what is said of them.
foreign_arcs <- function(lists) {
  do.call(rbind, lapply(names(lists), function(name) switch(name,
    blacklist = arc_table(lists[[name]], "forbidden", name),
    whitelist = arc_table(lists[[name]], "required", name),
    fixedGaps = pair_table(lists[[name]], "forbidden", name),
    fixedEdges = pair_table(lists[[name]], "required", name))))
}

arc_table <- function(arcs, what, name) {
  if (is.character(arcs) && is.null(dim(arcs)) && length(arcs) == 2) arcs <- t(arcs)
  if (is.data.frame(arcs)) arcs <- as.matrix(arcs)
  if (!is.matrix(arcs) || ncol(arcs) != 2)
    refuse(name, " must have two columns: from and to")
  data.frame(from = as.character(arcs[, 1]), to = as.character(arcs[, 2]),
             what = rep(what, nrow(arcs)), name = rep(name, nrow(arcs)),
             stringsAsFactors = FALSE)
}

# pcalg's square matrices of TRUE and FALSE, which say nothing about directions.
pair_table <- function(m, what, name) {
  m <- as.matrix(m)
  if (nrow(m) != ncol(m) || !(is.logical(m) || is.numeric(m)) || !isTRUE(all(m == t(m))))
    refuse(name, " must be a symmetric matrix of TRUE and FALSE")
  at <- which(m != 0, arr.ind = TRUE)
  at <- at[at[, 1] != at[, 2], , drop = FALSE]
  data.frame(from = paste0("#", at[, 1]), to = paste0("#", at[, 2]),
             what = rep(what, nrow(at)), name = rep(name, nrow(at)), stringsAsFactors = FALSE)
}
