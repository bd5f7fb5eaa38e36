# Learning: from a table or a matrix of correlations to a result.

dualpc <- function(data, alpha = "auto", method = "dual", variant = "stable", test = "z",
                   normalize = "none", knowledge = NULL, refine = "none", bootstrap = 0, ...,
                   subsample = 0, min_frequency = 0, seed = NULL, advice = TRUE,
                   suffStat = NULL, labels = NULL, na.action = getOption("na.action"),
                   drop_text = FALSE, types = NULL, threads = getOption("mc.cores", "all")) {
  call <- match.call()
  # what the user does not say the library decides: with refine it takes another alpha
  given <- list(alpha = if (!missing(alpha)) alpha, method = if (!missing(method)) method,
                variant = if (!missing(variant)) variant, test = if (!missing(test)) test,
                normalize = if (!missing(normalize)) normalize,
                refine = if (!missing(refine)) refine, threads = threads, ...)
  if (missing(threads)) attr(given, "default") <- "threads"
  more <- list(bootstrap = bootstrap, subsample = subsample, min_frequency = min_frequency,
               seed = seed, advice = advice_code(advice))
  input <- read_input(if (!missing(data)) data, suffStat, labels, na.action, drop_text, types)
  learn(call, input, given, knowledge, more)
}

dualpc_cor <- function(C, n, ..., labels = NULL) {
  call <- match.call()
  x <- dualpc(suffStat = list(C = C, n = n), labels = labels, ...)
  x$call <- call
  x
}

`%or%` <- function(a, b) if (is.null(a)) b else a

# What there is to learn from: `n_obs` is NULL where `values` are observations; `missing` is what
# missing values do; `dropped` are the rows that were left out; `noted` are warnings so far.
read_input <- function(data, suffStat, labels, na.action, drop_text, types) {
  if (is.null(suffStat)) {
    if (is.null(data)) refuse("data is missing: a data frame or a matrix of numbers")
    table <- as_table(data, na.action, drop_text, types)
    if (length(labels) == length(table$kept)) labels <- labels[table$kept]
    return(name_input(c(table[c("values", "dropped", "missing", "noted")], list(n_obs = NULL)),
                      labels %or% table$names))
  }
  if (!is.null(data)) refuse("give data or suffStat, not both")
  if (!is.list(suffStat) || is.null(suffStat$C) || is.null(suffStat$n))
    refuse("suffStat must be a list of C, the correlations, and n, the number of observations")
  check_whole(suffStat$n, "n", 1, 2^53)
  name_input(list(values = as_square(suffStat$C), n_obs = suffStat$n, missing = "error",
                  noted = character()), labels)
}

# The names of the variables, where a block of columns is one.
name_input <- function(input, labels) {
  input$nodes <- node_names(labels, input$values)
  if (!is.null(attr(input$values, "kinds"))) {
    attr(input$values, "kinds")$columns <- input$nodes
    input$nodes <- variable_names(input$values, input$nodes)
  }
  input
}

rows_of <- function(input) if (is.null(input$n_obs)) nrow(input$values) else input$n_obs

# All ways end here. `more` are the wishes about the bootstrap, and the seed.
learn <- function(call, input, given, knowledge, more) {
  values <- input$values
  nodes <- input$nodes
  n_obs <- input$n_obs
  start <- proc.time()[["elapsed"]]
  check_bootstrap(more, n_obs)
  words <- translate(given, rows_of(input))
  known <- read_knowledge(knowledge, nodes, words$arcs)
  if (is_random(words$options, more)) more$seed <- more$seed %or% draw_seed()
  words$options$seed <- more$seed
  options <- option_texts(words$options)
  pointer <- if (!is.null(known)) known$pointer
  found <- check(.Call(r_learn, values, n_obs, nodes, names(options), options, pointer,
                       input$missing))
  found$warnings <- c(input$noted, found$warnings)
  for (text in found$warnings) warning(text, call. = FALSE)
  if (!found$complete)
    warning("the time was over before the search was: this is the best graph so far",
            call. = FALSE)
  if ("timeout" %in% names(options)) found$settings[["timeout"]] <- options[["timeout"]]

  state <- new.env(parent = emptyenv())
  state$handle <- found$handle
  x <- structure(list(call = call, nodes = nodes, amat = found$amat, type = found$type,
                      n_obs = found$n_obs, effective_rows = found$effective_rows,
                      settings = found$settings, counts = found$counts,
                      levels = found$levels, seconds = found$seconds, warnings = found$warnings,
                      cor = found$cor, sd = found$units, knowledge = known$source,
                      refined = found$refined, na.action = input$dropped, class_amat = found$class,
                      complete = found$complete, bootstrap = NULL, state = state,
                      variables = variables_of(values, nodes)),
                 class = "dualpc")
  if (is.null(n_obs)) keep_rows(x, values, options, pointer, input$missing, more$advice)
  if (more$bootstrap == 0) return(x)
  options <- from_here(options, start)
  resample(x, values, options, pointer, more, input$missing)
}

# 0: none; 1: where it is little work; 2: always.
advice_code <- function(advice) {
  if (identical(advice, "always")) return(2)
  if (!is.logical(advice) || length(advice) != 1 || is.na(advice))
    refuse("advice must be TRUE, FALSE or \"always\"")
  as.double(advice)
}

# The table, for the verdict: it lives as long as the result, and is not saved with it. One that is
# large beside what the verdict says of it is not kept.
keep_rows <- function(x, values, options, pointer, missing, advice) {
  if (length(values) > 4e6 && advice < 2) return()
  rows <- list(values, names(options), options, pointer, missing)
  x$state$rows <- .Call(r_keep, x$state, rows)
  x$state$advice <- advice
}

# The options of what comes next: of the time, what is left.
from_here <- function(options, start) {
  if (!"timeout" %in% names(options) || options[["timeout"]] == "none") return(options)
  left <- as.double(options[["timeout"]]) - (proc.time()[["elapsed"]] - start)
  options[["timeout"]] <- format(max(left, 1e-9), digits = 15)
  options
}

# Does anything depend on the seed?
is_random <- function(options, more)
  more$bootstrap > 0 || (!is.null(options$refine) && !identical(options$refine, "none"))

check_bootstrap <- function(more, n_obs) {
  for (name in c("subsample", "min_frequency")) check_number(more[[name]], name)
  check_whole(more$bootstrap, "bootstrap", 0, 1e6)
  if (more$bootstrap > 0 && !is.null(n_obs))
    refuse("bootstrap needs the observations: it draws from the rows; give data")
  if (more$min_frequency < 0 || more$min_frequency > 1)
    refuse("min_frequency must be between 0 and 1, not ", more$min_frequency)
  if (more$bootstrap == 0 && (more$min_frequency > 0 || more$subsample > 0))
    refuse(if (more$subsample > 0) "subsample" else "min_frequency",
           " goes with a bootstrap: give bootstrap = 200, or leave it out")
  if (!is.null(more$seed)) check_seed(more$seed)
}

check_seed <- function(seed) check_whole(seed, "seed", 0, 2^53)

# The bootstrap, and the graph that the resamples agree on where that is asked for.
resample <- function(x, values, options, pointer, more, missing) {
  asked <- as.double(unlist(more[c("bootstrap", "seed", "subsample", "min_frequency")]))
  found <- check(.Call(r_bootstrap, values, x$nodes, names(options), options, pointer, asked,
                       missing))
  x$bootstrap <- c(found, more[c("seed", "subsample", "min_frequency")])
  x$complete <- x$complete && found$complete
  if (!found$complete)
    warning("the time was over after ", found$resamples, " of ", more$bootstrap, " resamples",
            call. = FALSE)
  if (!is.null(found$consensus)) {
    x$learned <- x$amat
    x$amat <- found$consensus
    x$bootstrap$consensus <- NULL
  }
  x
}

# From R's random numbers, so that set.seed() decides.
draw_seed <- function() floor(stats::runif(1) * 2^31)

# ---- The values ----

as_table <- function(data, na.action, drop_text, types = NULL) {
  if (length(drop_text) != 1 || !is.logical(drop_text) || is.na(drop_text))
    refuse("drop_text must be TRUE or FALSE")
  if (!is.null(types) && is.matrix(data)) data <- as.data.frame(data)
  if (is.data.frame(data)) {
    types <- read_types(types, names(data))
    text <- drop_text & vapply(data, is_text, NA) & !names(data) %in% names(types$kinds)
    empty <- vapply(data, function(v) is.null(dim(v)) && all(is.na(v)), NA)
    names <- names(data)
  } else {
    if (!is.matrix(data)) data <- as.matrix(data)
    if (!is.numeric(data) && !is.logical(data))
      refuse("data must be numbers, not ", typeof(data),
             "; give categories as columns of a data frame")
    text <- rep(FALSE, ncol(data))
    empty <- colSums(!is.na(data)) == 0
    names <- colnames(data)
  }
  empty <- empty & NROW(data) > 0
  kept <- !text & !empty
  called <- names %or% paste0("V", seq_along(kept))
  if (length(kept) > 0 && !any(kept))
    refuse("no column has numbers", if (!any(text)) ", every cell is missing")
  if (length(kept) > 1 && sum(kept) == 1)
    refuse("only column '", called[kept], "' has numbers, and a graph needs at least two variables")
  noted <- c(note_text(called[text]), note_empty(called[empty]))
  if (!all(kept)) {
    data <- data[, kept, drop = FALSE]
    names <- called[kept]
  }
  coded <- NULL
  if (is.data.frame(data)) {
    refuse_columns(data)
    if (any(vapply(data, has_categories, NA)) || length(unlist(types)) > 0) {
      coded <- encode_frame(data, types)
      noted <- c(noted, coded$noted)
      data <- coded$values
    } else {
      data <- data.matrix(data)
    }
  }
  if (!is.double(data)) storage.mode(data) <- "double"
  dropped <- NULL
  # these two are the library's
  estimated <- identical(na.action, "pairwise") || identical(na.action, "em")
  if (anyNA(data) && !is.null(na.action) && !estimated) {
    data <- match.fun(na.action)(data)
    dropped <- attr(data, "na.action")
  }
  if (!is.null(coded)) {
    coded <- used_levels(unclass(data), coded)
    check_columns(unlist(types$blocks), colnames(coded$values), "types")
    data <- with_kinds(coded$values, coded, types$blocks)
  }
  list(values = data, names = names, kept = kept, dropped = dropped, noted = noted,
       missing = if (estimated) na.action else "error")
}

# Has the column cells that are no numbers, and none that is one, not even one written as text?
is_text <- function(v) {
  if (is.numeric(v) || is.logical(v) || !is.null(dim(v)) || is.list(v)) return(FALSE)
  seen <- as.character(v[!is.na(v)])
  length(seen) > 0 && all(is.na(suppressWarnings(as.numeric(seen))))
}

quoted <- function(names)
  paste0(paste0("'", head(names, 10), "'", collapse = ", "),
         if (length(names) > 10) paste(" and", length(names) - 10, "more"))

note_text <- function(names) {
  if (length(names) == 0) return()
  paste0(length(names), " text column", if (length(names) == 1) " was" else "s were",
         " left out: ", quoted(names))
}

note_empty <- function(names) {
  if (length(names) == 0) return()
  if (length(names) == 1)
    return(paste0("column ", quoted(names), " has no numbers, every cell is missing; it was left out"))
  paste0("columns ", quoted(names), " have no numbers, every cell is missing; they were left out")
}

refuse_columns <- function(data) {
  fine <- vapply(data, function(v)
    (is.numeric(v) || has_categories(v)) && is.null(dim(v)) && !inherits(v, "integer64"), NA)
  if (all(fine)) return()
  what <- vapply(data[!fine], function(v) class(v)[1], "")
  told <- head(paste0("'", names(data)[!fine], "' (", what, ")"), 5)
  refuse(if (sum(!fine) == 1) "a column is" else "some columns are", " not numeric: ",
         paste(told, collapse = ", "), if (sum(!fine) > 5) ", \u2026",
         "; remove these columns or convert them to numeric; drop_text = TRUE leaves out all columns of text")
}

as_square <- function(C) {
  C <- as.matrix(C)
  if (!is.numeric(C)) refuse("C must be a matrix of numbers, not ", typeof(C))
  if (!is.double(C)) storage.mode(C) <- "double"
  C
}

node_names <- function(labels, values) {
  if (is.null(labels)) labels <- colnames(values) %or% rownames_of_square(values)
  if (is.null(labels)) return(paste0("V", seq_len(ncol(values))))
  if (length(labels) != ncol(values))
    refuse("labels has ", length(labels), " names for ", ncol(values), " variables")
  as.character(labels)
}

rownames_of_square <- function(m) if (nrow(m) == ncol(m)) rownames(m)

# ---- Settings as the library takes them ----

option_texts <- function(options) {
  texts <- character(length(options))
  for (i in seq_along(options)) texts[i] <- as_text(options[[i]], names(options)[i])
  names(texts) <- names(options)
  texts
}

as_text <- function(value, name) {
  if (length(value) != 1 || !is.atomic(value) || is.na(value))
    refuse(name, " must be a single value")
  if (is.character(value)) return(value)
  if (is.logical(value)) return(if (value) "yes" else "no")
  if (!is.numeric(value)) refuse(name, " must be a number, a word, TRUE or FALSE")
  if (is.infinite(value)) {
    word <- table_of_options$word[match(gsub("[_.]", "-", name), table_of_options$name)]
    if (!is.na(word)) return(word)
  }
  sprintf("%.17g", value)
}

dualpc_options <- function() {
  out <- table_of_options
  out$name <- gsub("-", "_", out$name)
  out
}

# ---- What goes wrong ----

check_number <- function(value, name) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value))
    refuse(name, " must be a single number")
}

# A whole number that the library's types have room for.
check_whole <- function(value, name, least, most) {
  check_number(value, name)
  if (is.infinite(value) || value != floor(value) || value < least || value > most)
    refuse(name, " must be a whole number from ", least, " to ",
           if (most == 2^53) "2^53" else format(most, scientific = FALSE), ", not ",
           format(value, digits = 15))
}

# An error of the function that the user called.
refuse <- function(..., status = 1L, findings = character()) {
  calls <- sys.calls()
  inside <- vapply(sys.frames(), function(f) identical(topenv(f), topenv()), NA)
  call <- if (any(inside)) calls[[which(inside)[1]]]
  stop(structure(class = c("dualpc_error", "error", "condition"),
                 list(message = paste0(...), call = call, status = status,
                      findings = findings)))
}

# Sentences of the library that name an argument, as R spells it.
in_r <- function(text) {
  text <- sub("missing = em (recommended), pairwise or rows",
              "na.action = \"em\" (recommended), \"pairwise\" or na.omit", text, fixed = TRUE)
  text <- sub("missing rows (--missing rows)", "na.action = na.omit", text, fixed = TRUE)
  text <- gsub("missing = ([a-z]+)( [(]--missing [a-z]+[)])?", "na.action = \"\\1\"", text)
  text <- gsub("--missing ([a-z]+)", "na.action = \"\\1\"", text)
  text <- sub("--advice measures", "advice = \"always\" measures", text, fixed = TRUE)
  text <- gsub("--rule and --alpha", "rule = \"and\", --alpha", text, fixed = TRUE)
  text <- gsub("--([a-z]+) ([0-9][0-9.]*[0-9])", "\\1 = \\2", text)
  text <- gsub("--(refine|normalize|method|rule|latent) ([a-z]+)", "\\1 = \"\\2\"", text)
  text <- gsub(" (--drop)", "", text, fixed = TRUE)
  text <- gsub(", with --drop", "", text, fixed = TRUE)
  text <- gsub("with dualpc effects", "with effects(dualpc())", text, fixed = TRUE)
  text <- sub("exclude it with --drop .*, or use --bootstrap",
              "exclude it, or use dualpc() with bootstrap = 200", text)
  text <- gsub(" (--relations curved)", "", text, fixed = TRUE)
  gsub("--(draws|thin|chains|candidates|seed|timeout)\\b", "'\\1'", text)
}

# What the library answered, or its failure as a condition.
check <- function(answer) {
  if (!inherits(answer, "dualpc_failure")) return(answer)
  if (answer$status == 130L) stop_by_user()
  message <- in_r(answer$message)
  answer$findings <- in_r(answer$findings)
  for (name in table_of_options$name[grepl("-", table_of_options$name)])
    message <- gsub(name, gsub("-", "_", name), message, fixed = TRUE)
  others <- setdiff(answer$findings, message)
  if (length(others) > 0 && !identical(others, answer$findings))
    message <- paste(c(message, others), collapse = "\n  ")
  refuse(message, status = answer$status, findings = answer$findings)
}

# The user's interrupt, which the library has caught, goes on from here, with what there is.
stop_by_user <- function(partial = NULL) {
  signalCondition(structure(class = c("interrupt", "condition"),
                            list(message = "interrupted", call = NULL, partial = partial)))
  invokeRestart("abort")
}
