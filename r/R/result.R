# What a result shows of itself.

as.matrix.dualpc <- function(x, ...) x$amat

nobs.dualpc <- function(object, ...) object$n_obs

# The settings in a line, as the program has them.
settings_line <- function(settings) {
  s <- as.list(settings)
  methods <- c(dual = "dual PC", classic = "classic PC", precision = "precision-first PC",
               ges = "GES")
  parts <- if (s$method == "ges") c(methods[[s$method]], paste("penalty", s$penalty))
  else c(methods[[s$method]], s$variant, if (s$rule == "and") "AND rule",
         c(z = "Fisher z", t = "exact t")[[s$test]], paste("alpha", s$alpha))
  paste(c(parts, if (s$normalize == "copula") "normal scores",
          if (s$normalize == "latent") "latent variables",
          if (s$refine != "none") paste("refined:", s$refine),
          if (!is.null(s$latent) && s$latent != "none") paste("hidden causes:", s$latent),
          if (identical(s$selection, "yes")) "selected samples"), collapse = ", ")
}

edge_counts <- function(x) {
  if (is_pag(x)) return(pag_counts(x))
  directed <- sum(x$amat != 0 & t(x$amat) == 0)
  undirected <- (sum(x$amat != 0) - directed) / 2
  paste0(directed + undirected, " edges: ", directed, " directed, ", undirected, " undirected")
}

heading <- function(x) {
  cat(x$type, " of ", length(x$nodes), " variables from ", x$n_obs, " observations\n", sep = "")
  cat("  ", settings_line(x$settings), "\n", sep = "")
  if (!is.null(x$na.action))
    cat("  ", length(x$na.action), " rows with missing values left out; na.action = \"em\" would use them\n",
        sep = "")
  if (!is.null(x$learned))
    cat("  edges in at least ", format(100 * x$bootstrap$min_frequency), " % of ",
        x$bootstrap$resamples, " resamples\n", sep = "")
}

# A few plain lines, made when they are first asked for: other settings are tried then.
verdict <- function(x) {
  if (inherits(x, "dualpc_posterior")) return(posterior_lines(x))
  if (!inherits(x, "dualpc")) refuse("x must be a result of dualpc()")
  if (isFALSE(x$complete) && !.Call(r_alive, x$state$handle)) return(edge_counts(x))
  if (is.null(x$state$verdict)) {
    rows <- .Call(r_kept, x$state$rows)
    consensus <- !is.null(x$learned)
    advice <- if (consensus || isFALSE(x$complete)) 0 else x$state$advice %or% 0
    least <- if (consensus) x$bootstrap$min_frequency else 0
    text <- check(.Call(r_verdict, handle_of(x), x$nodes,
                        if (is_pag(x)) as_marks(x$amat) else x$amat, rows, as.double(c(advice, least))))
    x$state$verdict <- strsplit(in_r(text), "\n", fixed = TRUE)[[1]]
    x$state$rows <- NULL
  }
  lines <- x$state$verdict
  if (is.null(x$bootstrap) || is_pag(x)) return(lines)
  lines <- lines[!grepl("bootstrap = 200", lines, fixed = TRUE)]
  e <- edge_places(x$amat)
  doubtful <- sum(is_doubtful(x, e$from, e$to, e$directed))
  if (doubtful == 0) return(lines)
  append(lines, paste0("Doubtful: ", doubtful, if (doubtful == 1) " arrow" else " arrows",
                       ", because more resamples reverse ", if (doubtful == 1) "it" else "them",
                       " than keep ", if (doubtful == 1) "it." else "them."),
         after = max(grep("^(Found|Fit|Directions)", lines)))
}

print.dualpc <- function(x, most = 20, ...) {
  heading(x)
  cat(strwrap(verdict(x), indent = 2, exdent = 4), sep = "\n")
  lines <- edge_lines(x)
  if (length(lines) > 0) cat(paste0("    ", head(lines, most)), sep = "\n")
  if (length(lines) > most) cat("    and ", length(lines) - most, " more; see edges()\n", sep = "")
  invisible(x)
}

summary.dualpc <- function(object, ...) {
  changes <- object$refined$changes
  if (!is.null(changes)) {
    changes <- as.data.frame(changes, stringsAsFactors = FALSE)
    changes$a <- object$nodes[changes$a]
    changes$b <- object$nodes[changes$b]
  }
  structure(list(result = object, levels = as.data.frame(object$levels), changes = changes),
            class = "summary.dualpc")
}

print.summary.dualpc <- function(x, ...) {
  result <- x$result
  counts <- result$counts
  cat("Call: ", paste(deparse(result$call), collapse = "\n      "), "\n\n", sep = "")
  heading(result)
  cat("  ", edge_counts(result), "\n", sep = "")
  if (nrow(x$levels) > 0) {
    cat("\n")
    print(x$levels, row.names = FALSE, digits = 3)
  }
  cat("\n")
  if (is.na(counts$score)) cat(counts$tests, " tests\n", sep = "")
  else cat(counts$insertions, " insertions, ", counts$deletions, " deletions, ", counts$turns,
           " turns; score ", format(counts$score, digits = 10), "\n", sep = "")
  if (!is.null(x$changes))
    cat("refined: ", sum(x$changes$change == "added"), " edges added, ",
        sum(x$changes$change == "removed"), " removed, ", sum(x$changes$change == "turned"),
        " turned; score ", format(result$refined$score_before, digits = 8), " to ",
        format(result$refined$score_after, digits = 8), ", optimum: ", result$refined$optimality,
        "\n", sep = "")
  tell_hidden(result)
  tell <- function(count, text) if (count > 0) cat(count, text, "\n")
  tell(counts$conflicts, "triples are oriented against the evidence")
  tell(counts$ambiguous, "ambiguous triples, from which no direction was read")
  tell(counts$copies, "columns are copies of others and were not tested")
  tell(counts$left_out, "neighbourhoods of nearly copied columns have too many sets to test them all")
  tell(counts$singular_neighbourhoods, "neighbourhoods could not be inverted")
  tell(counts$singular_tests, "tests could not be made; their edges were kept")
  tell(counts$doubtful_tests, "tests were too close for the fast route")
  tell(counts$uncertain_tests, "verdicts were closer to the critical value than rounding")
  if (!is.null(result$bootstrap))
    cat("bootstrap: ", result$bootstrap$resamples, " resamples of ", result$bootstrap$rows,
        " rows, seed ", format(result$bootstrap$seed, scientific = FALSE), "\n", sep = "")
  cat("seconds: ", paste(names(result$seconds), format(unlist(result$seconds), digits = 2),
                         collapse = ", "), "\n", sep = "")
  invisible(x)
}

plot.dualpc <- function(x, layout = NULL, ...) {
  need("igraph", "plot()")
  e <- edge_places(x$amat)
  g <- igraph::make_empty_graph(0, directed = TRUE)
  g <- igraph::add_vertices(g, length(x$nodes), name = x$nodes)
  g <- igraph::add_edges(g, rbind(e$from, e$to))
  if (is.null(layout)) layout <- igraph::layout_with_sugiyama(g)$layout
  how <- list(g, layout = layout, edge.arrow.mode = ifelse(e$directed, 2, 0),
              edge.arrow.size = 0.5, vertex.color = "white", vertex.size = 18,
              vertex.label.color = "black", edge.color = "grey30")
  own <- list(...)
  how[names(own)] <- own
  do.call(graphics::plot, how)
  invisible(x)
}

# A suggested package, or a sentence.
need <- function(package, what) {
  if (!requireNamespace(package, quietly = TRUE))
    refuse(what, " needs the package '", package, "', which is not installed")
}

# One DAG of the class.
dag_member <- function(x) {
  if (!inherits(x, "dualpc")) refuse("x must be a result of dualpc()")
  refuse_pag(x, "dag_member() is about graphs without hidden causes")
  check(.Call(r_member, x$class_amat %or% x$amat))
}
