# PAGs: graphs with hidden common causes. `amat` of such a result has the mark at each end of each
# edge, as pcalg's amat.pag has them: row i, column j is the mark at j of the edge between i and j.

end_names <- c("none", "circle", "arrow", "tail") # 0 to 3

is_pag <- function(x) inherits(x, "pag")

# What is about graphs without hidden causes.
refuse_pag <- function(x, what, instead = "learn without latent") {
  if (is_pag(x)) refuse(what, ", and this graph is a PAG, which allows for hidden causes; ", instead)
}

# A matrix of marks that says so, for the library.
as_marks <- function(amat) structure(amat, type = "amat.pag")

has_marks <- function(amat) identical(attr(amat, "type"), "amat.pag")

# The graph of a result as the library reads it.
graph_matrix <- function(x) if (is_pag(x)) as_marks(x$amat) else x$class_amat %or% x$amat

# Could these numbers be marks: is every edge marked at both ends?
could_be_marks <- function(m)
  all(m %in% 0:3) && all((m != 0) == (t(m) != 0)) && all(diag(m) == 0)

# A matrix of numbers that users have at hand. Where some are 2 or 3 they are marks; a matrix of 0
# and 1 is one only where it says so, or lies beside a PAG.
read_marks <- function(m, what, beside = FALSE) {
  said <- identical(attr(m, "type"), "amat.pag")
  if (!said && !could_be_marks(m)) return(NULL)
  if (!said && !beside && !any(m > 1)) return(NULL)
  if (!could_be_marks(m))
    refuse(what, " is a matrix of marks, in which 0 is no edge, 1 a circle, 2 an arrowhead and 3 a ",
           "tail, and every edge has one at each end")
  names <- rownames(m) %or% colnames(m)
  as_marks(matrix(as.integer(m), nrow(m), dimnames = if (!is.null(names)) list(names, names)))
}

# "-->", "o->", ...: the marks at the beginning and at the end.
mark_text <- function(at_from, at_to)
  paste0(c("o", "<", "-")[at_from], rep("-", length(at_from)), c("o", ">", "-")[at_to])

# Every edge once, with its arrowhead, or else its circle, at the end.
pag_places <- function(amat) {
  at <- which(amat != 0 & upper.tri(amat), arr.ind = TRUE)
  at <- at[order(at[, 1], at[, 2]), , drop = FALSE]
  at_from <- amat[at[, 2:1, drop = FALSE]]
  at_to <- amat[at]
  turned <- (at_from == 2 & at_to != 2) | (at_from == 1 & at_to == 3)
  list(from = unname(ifelse(turned, at[, 2], at[, 1])),
       to = unname(ifelse(turned, at[, 1], at[, 2])),
       at_from = ifelse(turned, at_to, at_from), at_to = ifelse(turned, at_from, at_to))
}

# The edges as lines.
edge_lines <- function(x) {
  if (!is_pag(x)) {
    e <- edge_places(x$amat)
    mark <- ifelse(e$directed, "-->", "---")
  } else {
    e <- pag_places(x$amat)
    mark <- mark_text(e$at_from, e$at_to)
  }
  if (length(mark) == 0) character() else paste(x$nodes[e$from], mark, x$nodes[e$to])
}

pag_counts <- function(x) {
  marks <- tabulate(x$amat[x$amat != 0], 3)
  paste0(sum(marks) / 2, " edges; of their ends ", marks[2], " arrowheads, ", marks[3], " tails, ",
         marks[1], " circles")
}

# What the summary tells of a PAG and how it was found.
tell_hidden <- function(x) {
  hidden <- x$hidden
  if (!is.null(hidden))
    cat("hidden causes: ", hidden$kept, " of ", hidden$tries, " tries kept; score ",
        format(hidden$score_before, digits = 8), " to ", format(hidden$score_after, digits = 8),
        "\n", sep = "")
  if (isTRUE(x$repaired))
    cat("repaired: the test results contradict each other, and no PAG has all of them; this is a valid one near them\n")
  if (isTRUE(x$counts$pdsep_given_up > 0))
    cat(x$counts$pdsep_given_up, "pairs had too many sets in Possible-D-SEP to test all\n")
}

# ---- How sure ----

# The marks of an edge, each with the one that it is from the other end; the last three are of
# samples that may be selected.
turned_marks <- c("-->" = "<--", "<--" = "-->", "<->" = "<->", "o->" = "<-o", "<-o" = "o->",
                  "o-o" = "o-o", "---" = "---", "o--" = "--o", "--o" = "o--")
turned_causes <- c(from_is_cause = "to_is_cause", from_is_no_cause = "to_is_no_cause",
                   to_is_cause = "from_is_cause", to_is_no_cause = "from_is_no_cause")

# In which share of the resamples pairs have each mark, and one is a cause of the other.
pag_shares <- function(x, from, to) {
  boot <- x$bootstrap
  n <- length(x$nodes)
  at <- match(pmin(from, to) + n * pmax(from, to), boot$pairs$a + n * boot$pairs$b)
  share <- function(counts) ifelse(is.na(at), 0, counts[at] / boot$resamples)
  all <- lapply(boot$pags, share)
  names(all) <- c(names(turned_marks), names(turned_causes))
  other <- c(turned_marks, turned_causes)
  out <- lapply(names(all), function(name)
    ifelse(from > to, all[[other[[name]]]], all[[name]]))
  names(out) <- names(all)
  if (!is_selected(x)) out[c("---", "o--", "--o")] <- NULL
  # of a pair that no resample joins nothing was counted
  out[names(turned_causes)] <- lapply(out[names(turned_causes)], function(s)
    ifelse(is.na(at), NA_real_, s))
  data.frame(edge = share(boot$pairs$edge), out, check.names = FALSE)
}

frequencies <- function(x) {
  check_result(x)
  if (is.null(x$bootstrap))
    refuse("there was no bootstrap: learn with dualpc(data, bootstrap = 200)")
  pairs <- x$bootstrap$pairs
  told <- if (is_pag(x)) pag_shares(x, pairs$a, pairs$b) else shares(x, pairs$a, pairs$b)
  data.frame(from = x$nodes[pairs$a], to = x$nodes[pairs$b], told, stringsAsFactors = FALSE,
             check.names = FALSE)
}

# ---- What a PAG shows of itself ----

print.pag <- function(x, most = 20, ...) {
  NextMethod()
  if (any(x$amat != 0)) cat(strwrap(mark_legend(x), indent = 2, exdent = 4), sep = "\n")
  invisible(x)
}

# A sample that is selected by what a variable causes has tails for that, too.
is_selected <- function(x) identical(x$settings[["selection"]], "yes")

mark_legend <- function(x)
  paste0("Ends of an edge of A and B: an arrowhead at B says that B is no cause of A, a tail at B ",
         "that it is one", if (is_selected(x)) ", or one of what selects the sample",
         "; a circle, that the data cannot tell.")
