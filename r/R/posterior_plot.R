# Pictures of a posterior over graphs.

plot.dualpc_posterior <- function(x, which = NULL, most = 25, min_probability = 0.5, ...) {
  known <- c("trace", "histogram", "probabilities", "graph", "effects")
  if (is.null(which)) which <- c(known[1:3], if (!is.null(x$effects)) "effects")
  for (word in which) choose_word(word, known, "which")
  if (length(which) > 1) {
    rows <- ceiling(sqrt(length(which)))
    before <- graphics::par(mfrow = c(rows, ceiling(length(which) / rows)))
    on.exit(graphics::par(before))
  }
  for (word in which) switch(word,
    trace = plot_trace(x, ...),
    histogram = plot_histogram(x, ...),
    probabilities = plot_probabilities(x, most, ...),
    graph = plot_probable(x, min_probability, ...),
    effects = plot_effects(x, most, ...))
  invisible(x)
}

# Arguments of a picture, where the user's own take the place of ours.
draw_with <- function(draw, how, own) {
  how[names(own)] <- own
  do.call(draw, how)
}

# The score of every draw: chains that have converged cannot be told apart.
plot_trace <- function(x, ...) {
  colours <- grDevices::hcl.colors(max(x$chains, 2), "Dark 3", alpha = 0.8)[seq_len(x$chains)]
  draw_with(graphics::matplot,
            list(x$scores, type = if (x$draws > 1) "l" else "p", lty = 1, pch = 1, col = colours,
                 xlab = "draw", ylab = "score", main = "Score of the draws of each chain"),
            list(...))
}

# How many draws have how many edges.
plot_histogram <- function(x, ...) {
  seen <- range(x$n_edges)
  share <- tabulate(x$n_edges - seen[1] + 1, diff(seen) + 1) / length(x$n_edges)
  names(share) <- seen[1]:seen[2]
  draw_with(graphics::barplot,
            list(share, space = 0, col = "grey80", border = "grey40", xlab = "number of edges",
                 ylab = "probability", main = "Number of edges"), list(...))
}

# Long names are cut, so that there is room for the picture.
arrow_labels <- function(from, to) {
  short <- function(names) ifelse(nchar(names) > 18, paste0(substring(names, 1, 16), ".."), names)
  paste(short(from), "->", short(to))
}

# A left margin wide enough for the labels.
label_margin <- function(labels) {
  inches <- max(graphics::strwidth(labels, units = "inches"), 0)
  most <- graphics::par("fin")[1] * 0.5
  margin <- graphics::par("mai")
  margin[2] <- min(inches + 0.35, most)
  margin
}

# A new picture must be begun before the width of a text can be asked for.
with_margin <- function(labels, draw) {
  graphics::plot.new()
  before <- graphics::par("mar")
  on.exit(graphics::par(mar = before))
  graphics::par(mai = label_margin(labels), new = TRUE)
  draw()
}

# A bar for each pair: the probability of the more probable direction, and behind it the other.
plot_probabilities <- function(x, most = 25, ...) {
  e <- utils::head(edges(x), most)
  if (nrow(e) == 0) return(plot_nothing("no edge has a probability of 0.1 or more"))
  e <- e[rev(seq_len(nrow(e))), ]
  labels <- arrow_labels(e$from, e$to)
  own <- list(...)
  with_margin(labels, function() {
    draw_with(graphics::barplot,
              list(rbind(e$forward, e$backward), horiz = TRUE, names.arg = labels, las = 1,
                   xlim = c(0, 1), col = c("steelblue", "grey85"), border = "grey40",
                   xlab = "probability (blue: as named; grey: reversed)",
                   main = "Probable edges"), own)
    graphics::abline(v = 0.5, lty = 3, col = "grey50")
  })
}

plot_effects <- function(x, most = 25, ...) {
  e <- effects(x)
  e <- utils::head(e[order(-abs(e$mean)), , drop = FALSE], most)
  if (nrow(e) == 0) return(plot_nothing("no effects were sampled"))
  e <- e[rev(seq_len(nrow(e))), ]
  labels <- arrow_labels(e$cause, e$outcome)
  own <- list(...)
  with_margin(labels, function() {
    at <- seq_len(nrow(e))
    draw_with(graphics::plot,
              list(e$mean, at, xlim = range(0, e$low, e$high), ylim = c(0.5, nrow(e) + 0.5),
                   pch = 19, yaxt = "n", xlab = "mean and middle 95 % of the draws", ylab = "",
                   main = "Total effects"), own)
    graphics::abline(v = 0, lty = 3, col = "grey50")
    graphics::segments(e$low, at, e$high, at)
    graphics::axis(2, at, labels, las = 1, tick = FALSE)
  })
}

plot_nothing <- function(text) {
  graphics::plot.new()
  graphics::text(0.5, 0.5, text)
}

# The graph of the probable edges: the wider, the more probable.
plot_probable <- function(x, min_probability = 0.5, ...) {
  g <- probable_graph(x, min_probability)
  draw_with(graphics::plot,
            list(g, edge.width = 0.5 + 2.5 * edges(g)$edge,
                 main = paste("Edges with a probability of at least", format(min_probability))),
            list(...))
}
