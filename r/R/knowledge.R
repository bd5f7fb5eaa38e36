# Background knowledge: a file, a list, or the lists of other packages.

statements <- c(forbidden = 0L, required = 1L, tier = 2L, within = 3L, only_next = 4L)

# A pointer for the library, and what it was made of; NULL: nothing is known.
read_knowledge <- function(knowledge, nodes, arcs = NULL) {
  if (is.null(knowledge) && is.null(arcs)) return(NULL)
  source <- list(knowledge = knowledge, arcs = arcs)
  if (is.character(knowledge)) source$knowledge <- knowledge <- read_text(knowledge)
  pointer <- if (inherits(knowledge, "dualpc_text")) {
    if (!is.null(arcs))
      refuse("knowledge is a file; put ", arcs$name[1], " into it, or give it as a list")
    check(.Call(r_knowledge_text, knowledge$text, knowledge$file, nodes))
  } else {
    said <- rbind(from_list(knowledge, nodes), from_arcs(arcs, nodes))
    state_all(said, nodes)
  }
  list(pointer = pointer, source = source)
}

read_text <- function(file) {
  if (length(file) != 1 || is.na(file) || !file.exists(file))
    refuse("knowledge: there is no file '", file[1], "'")
  lines <- readLines(file, warn = FALSE, encoding = "UTF-8")
  structure(list(text = paste(lines, collapse = "\n"), file = file), class = "dualpc_text")
}

state_all <- function(said, nodes) {
  answer <- .Call(r_knowledge, length(nodes), said$kind, said$first, said$second)
  at <- attr(answer, "statement")
  if (is.null(at)) return(answer)
  why <- sub("^knowledge: [^:]*: ", "", answer$message)
  what <- names(statements)[match(said$kind[at], statements)]
  refuse("knowledge: ", switch(what,
    tier = paste0(nodes[said$first[at] + 1], " in tier ", said$second[at] + 1),
    within = , only_next = paste("tier", said$first[at] + 1),
    paste(nodes[said$first[at] + 1], "->", nodes[said$second[at] + 1])), ": ", why,
    status = answer$status)
}

# ---- Statements: a kind and two numbers from 0 ----

from_list <- function(knowledge, nodes) {
  if (is.null(knowledge)) return(NULL)
  keys <- c("tiers", "within", "only_next", "required", "forbidden")
  if (!is.list(knowledge) || is.data.frame(knowledge) || is.null(names(knowledge)) ||
      !all(names(knowledge) %in% keys))
    refuse("knowledge must be the name of a file, or a list of ", paste(keys, collapse = ", "))
  rbind(tier_rows(knowledge$tiers, nodes),
        flag_rows(knowledge$within, "within", knowledge$tiers),
        flag_rows(knowledge$only_next, "only_next", knowledge$tiers),
        if (!is.null(knowledge$required))
          from_arcs(arc_table(knowledge$required, "required", "knowledge"), nodes),
        if (!is.null(knowledge$forbidden))
          from_arcs(arc_table(knowledge$forbidden, "forbidden", "knowledge"), nodes))
}

tier_rows <- function(tiers, nodes) {
  if (is.null(tiers)) return(NULL)
  if (is.numeric(tiers) && !is.null(names(tiers)))
    tiers <- unname(split(names(tiers), tiers))
  if (!is.list(tiers)) refuse("knowledge: tiers must be a list of names, the earliest first")
  members <- unlist(tiers, use.names = FALSE)
  tier <- rep(seq_along(tiers), lengths(tiers))
  rows("tier", numbers(members, nodes, "knowledge"), tier - 1L)
}

flag_rows <- function(which, what, tiers) {
  if (is.null(which)) return(NULL)
  if (!is.numeric(which) || !all(which %in% seq_along(tiers)))
    refuse("knowledge: ", what, " must have numbers of tiers, from 1 to ", length(tiers))
  rows(what, as.integer(which) - 1L, rep(0L, length(which)))
}

from_arcs <- function(arcs, nodes) {
  if (is.null(arcs) || nrow(arcs) == 0) return(NULL)
  from <- numbers(arcs$from, nodes, arcs$name[1])
  to <- numbers(arcs$to, nodes, arcs$name[1])
  refuse_open(arcs, from, to, nodes)
  rows(arcs$what, from, to)
}

# An edge that must be there, whichever way: the library's knowledge has directions.
refuse_open <- function(arcs, from, to, nodes) {
  pairs <- paste(from, to)[arcs$what == "required"]
  back <- paste(to, from)[arcs$what == "required"]
  both <- which(pairs %in% back)
  if (length(both) == 0) return()
  first <- which(arcs$what == "required")[both[1]]
  refuse(arcs$name[first], " asks for an edge between ", nodes[from[first] + 1], " and ",
         nodes[to[first] + 1], " in any direction, which knowledge cannot say; give one direction, ",
         "as in knowledge = list(required = cbind(\"A\", \"B\"))")
}

# Places of names, or of "#3", the third; from 0.
numbers <- function(names, nodes, what) {
  place <- match(names, nodes)
  by_place <- is.na(place) & grepl("^#[0-9]+$", names)
  place[by_place] <- as.integer(substring(names[by_place], 2))
  if (any(by_place & place > length(nodes)))
    refuse(what, " has more rows than there are variables, which are ", length(nodes))
  if (anyNA(place)) refuse(what, ": there is no variable '", names[is.na(place)][1], "'")
  place - 1L
}

rows <- function(what, first, second) {
  if (length(first) == 0) return(NULL)
  data.frame(kind = rep_len(unname(statements[what]), length(first)), first = as.integer(first),
             second = as.integer(second))
}
