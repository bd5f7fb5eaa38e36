# A picture of a PAG: names in boxes, and at each end of an edge an arrowhead, a circle, or nothing
# (a tail). igraph draws no circles, so it is only asked where the nodes go.

plot.pag <- function(x, layout = NULL, cex = 1, legend = TRUE, col = "grey30", ...) {
  check_number(cex, "cex")
  e <- pag_places(x$amat)
  layouts <- if (is.null(layout)) pag_layouts(x, e)
             else list(given_layout(layout, length(x$nodes)))
  old <- graphics::par(mar = c(if (is_true(legend, "legend")) 2.6 else 0.5, 0.5, 0.5, 0.5),
                       xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  graphics::plot.window(c(0, 1), c(0, 1))
  # all is measured in inches, so that boxes and marks keep their shape
  room <- graphics::par("pin")
  boxes <- best_boxes(x$nodes, layouts, room, cex)
  for (k in seq_along(e$from))
    draw_edge(boxes, e$from[k], e$to[k], e$at_from[k], e$at_to[k], room, col)
  draw_boxes(boxes, x$nodes, room, ...)
  if (legend) draw_legend(cex, is_selected(x))
  invisible(x)
}

# Layers in which arrows point down as far as they can, or without igraph a circle; and the same
# with wide layers in steps, where long names have more room. Coordinates are from 0 to 1.
pag_layouts <- function(x, e) {
  n <- length(x$nodes)
  if (!requireNamespace("igraph", quietly = TRUE)) {
    turn <- 2 * pi * (seq_len(n) - 1) / max(n, 1)
    return(list(to_unit(cbind(sin(turn), cos(turn)))))
  }
  g <- igraph::make_empty_graph(n, directed = TRUE)
  g <- igraph::add_edges(g, rbind(e$from, e$to))
  layers <- igraph::layout_with_sugiyama(g)$layout[seq_len(n), , drop = FALSE]
  lapply(1:5, function(steps) to_unit(in_steps(layers, steps)))
}

# The nodes of each layer one after the other on so many levels.
in_steps <- function(at, steps) {
  for (layer in unique(at[, 2])) {
    members <- which(at[, 2] == layer)
    members <- members[order(at[members, 1])]
    if (length(members) > steps)
      at[members, 2] <- layer - (seq_along(members) - 1) %% steps * 0.6 / steps
  }
  at
}

given_layout <- function(layout, n) {
  if (!is.matrix(layout) || !is.numeric(layout) || nrow(layout) != n || ncol(layout) != 2 ||
      anyNA(layout))
    refuse("layout must be a matrix of two columns, with a row for each of the ", n, " variables")
  to_unit(layout)
}

to_unit <- function(at) {
  unit <- function(v) {
    if (diff(range(v)) > 0) (v - min(v)) / diff(range(v)) else rep(0.5, length(v))
  }
  cbind(unit(at[, 1]), unit(at[, 2]))
}

# ---- Boxes ----

# Of the first layout in which letters need not be much smaller than asked for, or the largest.
best_boxes <- function(names, layouts, room, cex) {
  tried <- lapply(layouts, function(at) fit_boxes(names, at, room, cex))
  sizes <- vapply(tried, function(boxes) boxes$cex, 0)
  tried[[c(which(sizes >= 0.8 * cex), which.max(sizes))[1]]]
}

# The largest letters, up to `cex`, with which no two boxes touch and none is cut off. In inches:
# the middle of each box, and half of its width and height.
fit_boxes <- function(names, at, room, cex) {
  repeat {
    w <- graphics::strwidth(names, units = "inches", cex = cex) / 2 + 0.08 * cex
    h <- rep(graphics::strheight("Mg", units = "inches", cex = cex) / 2 + 0.07 * cex, length(names))
    left <- max(w)
    low <- max(h)
    boxes <- list(x = left + at[, 1] * max(room[1] - 2 * left, 0),
                  y = low + at[, 2] * max(room[2] - 2 * low, 0), w = w, h = h, cex = cex)
    fits <- 2 * left <= room[1] && 2 * low <= room[2] && !any_overlap(boxes)
    if (fits || cex < 0.25) return(boxes)
    cex <- cex * 0.93
  }
}

any_overlap <- function(b) {
  gap <- 0.16 * b$cex # room for the marks
  near <- abs(outer(b$x, b$x, "-")) < outer(b$w, b$w, "+") + gap &
    abs(outer(b$y, b$y, "-")) < outer(b$h, b$h, "+") + gap
  any(near[upper.tri(near)])
}

draw_boxes <- function(b, names, room, ...) {
  graphics::rect((b$x - b$w) / room[1], (b$y - b$h) / room[2], (b$x + b$w) / room[1],
                 (b$y + b$h) / room[2], col = "white", border = "grey60")
  graphics::text(b$x / room[1], b$y / room[2], names, cex = b$cex, ...)
}

# ---- Edges ----

# A line, or the flattest curve that goes through no other box: points in inches.
route <- function(b, from, to, fine = 1001) {
  start <- c(b$x[from], b$y[from])
  end <- c(b$x[to], b$y[to])
  across <- c(start[2] - end[2], end[1] - start[1])
  t <- seq(0, 1, length.out = fine)
  for (bend in c(0, 0.15, -0.15, 0.3, -0.3, 0.45, -0.45, 0.6, -0.6)) {
    middle <- (start + end) / 2 + bend * across
    points <- cbind((1 - t)^2 * start[1] + 2 * t * (1 - t) * middle[1] + t^2 * end[1],
                    (1 - t)^2 * start[2] + 2 * t * (1 - t) * middle[2] + t^2 * end[2])
    if (!hits_box(b, points[seq(1, fine, 10), ], c(from, to))) return(points)
  }
  cbind(start[1] + t * (end[1] - start[1]), start[2] + t * (end[2] - start[2]))
}

inside_box <- function(b, points, v, gap = 0)
  abs(points[, 1] - b$x[v]) <= b$w[v] + gap & abs(points[, 2] - b$y[v]) <= b$h[v] + gap

hits_box <- function(b, points, but) {
  for (v in setdiff(seq_along(b$x), but))
    if (any(inside_box(b, points, v, 0.04))) return(TRUE)
  FALSE
}

draw_edge <- function(b, from, to, at_from, at_to, room, col) {
  points <- route(b, from, to)
  outside <- which(!inside_box(b, points, from) & !inside_box(b, points, to))
  if (length(outside) < 3) return()
  points <- points[outside, , drop = FALSE]
  size <- 0.1 * max(b$cex, 0.5)
  last <- nrow(points)
  graphics::lines(points[, 1] / room[1], points[, 2] / room[2], col = col)
  draw_mark(points[1, ], points[min(20, last), ], at_from, size, room, col)
  draw_mark(points[last, ], points[max(last - 19, 1), ], at_to, size, room, col)
}

# The mark at `tip` of a line that comes from `before`.
draw_mark <- function(tip, before, mark, size, room, col) {
  along <- (tip - before) / max(sqrt(sum((tip - before)^2)), 1e-9)
  if (mark == 2) {
    side <- c(-along[2], along[1]) * size * 0.45
    corners <- rbind(tip, tip - along * size + side, tip - along * size - side)
    graphics::polygon(corners[, 1] / room[1], corners[, 2] / room[2], col = col, border = col)
  } else if (mark == 1) {
    middle <- tip - along * size * 0.45
    turn <- seq(0, 2 * pi, length.out = 40)
    graphics::polygon((middle[1] + size * 0.45 * cos(turn)) / room[1],
                      (middle[2] + size * 0.45 * sin(turn)) / room[2], col = "white", border = col)
  }
}

# In two lines, as large as the width allows.
draw_legend <- function(cex, selected) {
  lines <- c(paste0("arrowhead at B: B is no cause of A; tail: it is one",
                    if (selected) ", or of what selects the sample"),
             "circle: the data cannot tell; two arrowheads: a hidden cause of both")
  width <- max(graphics::strwidth(lines, units = "inches", cex = 0.7 * cex))
  fit <- 0.7 * cex * min(1, graphics::par("din")[1] * 0.96 / width)
  graphics::mtext(lines, side = 1, line = c(0.3, 1.3), cex = fit, col = "grey40")
}
