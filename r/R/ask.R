# Questions to a result.

# The library's result. One that was saved and loaded, or comes from another process, has lost it:
# it is learned anew from the correlations, which gives the same, unless the time has cut it short.
handle_of <- function(x) {
  if (inherits(x, "dualpc_probable"))
    refuse("the graph of a posterior rests on no tests that could be asked; learn with dualpc()")
  if (!.Call(r_alive, x$state$handle)) {
    if (isFALSE(x$complete))
      refuse("timeout has ended the search before it was done, so that it cannot be made again; ",
             "learn anew")
    if (!is.null(x$variables) || is_curved(x))
      refuse("a result with categories, blocks or curves cannot be asked in another session of R; ",
             "learn anew")
    if (!is.null(x$hidden) && x$settings[["penalty"]] == "auto" && x$effective_rows < x$n_obs)
      refuse("rows that resemble each other have changed the price of an edge, which the correlations ",
             "do not tell; learn anew")
    settings <- x$settings
    settings[["normalize"]] <- "none" # the correlations are those of the scores already
    settings[["timeout"]] <- "none"
    known <- if (!is.null(x$knowledge))
      read_knowledge(x$knowledge$knowledge, x$nodes, x$knowledge$arcs)$pointer
    x$state$handle <- check(.Call(r_learn, x$cor, x$n_obs, x$nodes, names(settings), settings,
                                  known, "error"))$handle
  }
  x$state$handle
}

# Were curved relations looked for? The correlations do not have all of these.
is_curved <- function(x) identical(x$settings[["relations"]], "curved")

# Places of variables from 0, given by name or by number from 1.
variables <- function(x, which, what) {
  if (is.numeric(which)) {
    bad <- is.na(which) | which != floor(which) | which < 1 | which > length(x$nodes)
    if (any(bad))
      refuse(what, ": there are variables 1 to ", length(x$nodes), ", not ", which[bad][1])
    return(as.integer(which) - 1L)
  }
  place <- match(which, x$nodes)
  if (anyNA(place)) {
    name <- which[is.na(place)][1]
    near <- agrep(name, x$nodes, max.distance = 0.25, value = TRUE, ignore.case = TRUE)
    refuse("there is no variable '", name, "'",
           if (length(near) > 0) paste0("; did you mean '", near[1], "'?"))
  }
  place - 1L
}

variable <- function(x, which, what) {
  if (length(which) != 1) refuse(what, " must be one variable, by name or by number")
  variables(x, which, what)
}

sepset <- function(x, a, b) {
  if (!inherits(x, "dualpc")) refuse("x must be a result of dualpc()")
  i <- variable(x, a, "a")
  j <- variable(x, b, "b")
  if (i == j) refuse("a and b are the same variable, '", x$nodes[i + 1], "'")
  found <- check(.Call(r_separating_set, handle_of(x), i, j))[[1]]
  if (is.null(found)) return(NULL)
  if (is.na(found$r) && found$kind == "full-order") # not kept: made again
    found[c("r", "p")] <- check(.Call(r_explain, handle_of(x), x$nodes, i, j))$test[c("r", "p")]
  structure(x$nodes[found$set], kind = found$kind, order = found$order, level = found$level,
            from = x$nodes[found$from], r = found$r, p = found$p, n = found$n)
}

explain <- function(x, ...) UseMethod("explain")

explain.dualpc <- function(x, a, b, ...) {
  i <- variable(x, a, "a")
  j <- variable(x, b, "b")
  if (i == j) refuse("a and b are the same variable, '", x$nodes[i + 1], "'")
  found <- check(.Call(r_explain, handle_of(x), x$nodes, i, j))
  for (set in c("near_a", "near_b")) found[[set]] <- x$nodes[found[[set]]]
  for (test in c("test", "other")) if (!is.null(found[[test]])) {
    found[[test]]$set <- x$nodes[found[[test]]$set]
    found[[test]]$from <- x$nodes[found[[test]]$from]
  }
  if (!is.null(found$ends))
    found$ends <- data.frame(at = x$nodes[c(i, j) + 1], mark = found$ends$mark,
                             rule = found$ends$rule,
                             others = I(lapply(found$ends$others, function(v) x$nodes[v])),
                             stringsAsFactors = FALSE)
  if (!is.null(found$lost)) found$lost <- unlist(found$lost)
  found$reasons <- as.data.frame(found$reasons, stringsAsFactors = FALSE)
  for (column in c("from", "to", "other", "other2"))
    found$reasons[[column]] <- x$nodes[found$reasons[[column]]]
  structure(c(list(a = x$nodes[i + 1], b = x$nodes[j + 1]), found), class = "dualpc_explanation")
}

print.dualpc_explanation <- function(x, ...) {
  for (line in strsplit(x$text, "\n", fixed = TRUE)[[1]]) {
    indent <- nchar(sub("[^ ].*", "", line))
    cat(strwrap(line, indent = indent, exdent = indent + 2), sep = "\n")
  }
  invisible(x)
}

triples <- function(x) {
  if (!inherits(x, "dualpc")) refuse("x must be a result of dualpc()")
  found <- as.data.frame(.Call(r_triples, handle_of(x)))
  for (column in c("x", "y", "z")) found[[column]] <- x$nodes[found[[column]]]
  found$doubt <- ifelse(found$conflict, "conflict", "ambiguous")
  found$conflict <- NULL
  found
}

# ---- Edges ----

edges <- function(x, ...) UseMethod("edges")

edges.default <- function(x, ...) {
  if (isS4(x) && requireNamespace("graph", quietly = TRUE)) return(graph::edges(x, ...))
  refuse("edges() is for results of dualpc(), not for ", class(x)[1])
}

# Every edge once: the arrows as they point, the others with the earlier variable first.
edge_places <- function(amat) {
  at <- which(amat != 0, arr.ind = TRUE)
  at <- at[at[, 1] < at[, 2] | amat[at[, 2:1, drop = FALSE]] == 0, , drop = FALSE]
  at <- at[order(pmin(at[, 1], at[, 2]), pmax(at[, 1], at[, 2])), , drop = FALSE]
  list(from = unname(at[, 1]), to = unname(at[, 2]),
       directed = unname(amat[at[, 2:1, drop = FALSE]] == 0))
}

edges.dualpc <- function(x, ...) {
  consensus <- if (!is.null(x$learned)) x$amat
  e <- check(.Call(r_edges, handle_of(x), consensus))
  out <- data.frame(from = x$nodes[e$from], to = x$nodes[e$to],
                    mark = e$mark,
                    r = e$r, low = e$low, high = e$high, p = e$p, evidence = e$evidence,
                    stringsAsFactors = FALSE)
  if (is_pag(x))
    return(if (is.null(x$bootstrap)) out else cbind(out, pag_shares(x, e$from, e$to)))
  if (!is.null(x$bootstrap))
    out <- cbind(out, shares(x, e$from, e$to), doubtful = is_doubtful(x, e$from, e$to, e$directed))
  out
}

# Arrows that more resamples reverse than keep.
is_doubtful <- function(x, from, to, directed) {
  share <- shares(x, from, to)
  as.logical(directed) & share$backward > share$forward
}

# ---- Variables, methods ----

nodes <- function(x, ...) UseMethod("nodes")

nodes.default <- function(x, ...) {
  if (isS4(x) && requireNamespace("graph", quietly = TRUE)) return(graph::nodes(x, ...))
  refuse("nodes() is for results of dualpc(), not for ", class(x)[1])
}

nodes.dualpc <- function(x, ...) {
  refuse_pag(x, "nodes() is about graphs without hidden causes")
  consensus <- if (!is.null(x$learned)) x$amat
  out <- data.frame(name = x$nodes, check(.Call(r_nodes, handle_of(x), consensus)),
                    stringsAsFactors = FALSE)
  if (!is.null(x$variables)) out$type <- x$variables$type
  out
}

methods_text <- function(x) {
  if (!inherits(x, "dualpc")) refuse("x must be a result of dualpc()")
  consensus <- if (!is.null(x$learned)) x$amat
  resampling <- if (!is.null(x$bootstrap))
    as.double(x$bootstrap[c("resamples", "seed", "subsample", "rows", "min_frequency")])
  check(.Call(r_methods, handle_of(x), x$nodes, consensus, resampling))
}

as.data.frame.dualpc <- function(x, row.names = NULL, optional = FALSE, ...) edges(x)

# In which share of the resamples pairs are joined, seen from the first of the two.
shares <- function(x, from, to) {
  pairs <- x$bootstrap$pairs
  n <- length(x$nodes)
  at <- match(pmin(from, to) + n * pmax(from, to), pairs$a + n * pairs$b)
  share <- function(counts) ifelse(is.na(at), 0, counts[at] / x$bootstrap$resamples)
  turned <- from > to
  forward <- share(pairs$forward)
  backward <- share(pairs$backward)
  data.frame(edge = share(pairs$edge), forward = ifelse(turned, backward, forward),
             backward = ifelse(turned, forward, backward), undirected = share(pairs$undirected))
}
