# Kinds of columns: what a data frame and `types` say of them, as the library takes it.

# `types` as kinds by column, and blocks by name. An entry is a kind, or the columns of a block.
read_types <- function(types, columns) {
  out <- list(kinds = character(), blocks = list())
  if (is.null(types)) return(out)
  types <- as.list(types)
  if (is.null(names(types)) || any(names(types) %in% c("", NA)))
    refuse("types must name columns, as in types = c(sex = \"nominal\")")
  known <- c("number", "ordered", "nominal", "zero")
  for (i in seq_along(types)) {
    name <- names(types)[i]
    entry <- types[[i]]
    if (!is.character(entry) || length(entry) == 0 || anyNA(entry))
      refuse("the type of '", name, "' must be a kind, or the names of the columns of a block")
    if (length(entry) > 1) {
      check_columns(entry, columns, paste0("block '", name, "'"))
      if (any(entry %in% unlist(out$blocks)) || anyDuplicated(entry) > 0)
        refuse("block '", name, "' has a column that is in a block already")
      if (name %in% setdiff(columns, entry) || name %in% names(out$blocks))
        refuse("block '", name, "' has the name of another variable; choose another name")
      out$blocks[[name]] <- entry
      next
    }
    check_columns(name, columns, "types")
    if (!entry %in% known) {
      near <- similar(entry, known)
      refuse("there is no kind '", entry, "' for column '", name, "'; ",
             if (!is.null(near)) paste0("did you mean '", near, "'?")
             else "the kinds are number, ordered, nominal and zero")
    }
    out$kinds[[name]] <- entry
  }
  out
}

check_columns <- function(wanted, columns, what) {
  missing <- setdiff(wanted, columns)
  if (length(missing) == 0) return()
  near <- similar(missing[1], columns)
  refuse(what, " names a column that data does not have: '", missing[1], "'",
         if (!is.null(near)) paste0("; did you mean '", near, "'?"))
}

# The word that is most like a mistyped one; NULL: none is near.
similar <- function(text, words) {
  distance <- utils::adist(text, words)
  if (length(words) > 0 && min(distance) <= 2) words[which.min(distance)]
}

has_categories <- function(v) is.factor(v) || is.character(v) || is.logical(v)

# The kind of a column, by its class where types does not say it.
kind_of <- function(v, said) {
  if (!is.na(said)) return(said)
  if (is.ordered(v)) "ordered" else if (has_categories(v)) "nominal" else "number"
}

# Texts in the order of their bytes, whatever the locale.
as_categories <- function(v) {
  if (is.factor(v)) return(v)
  seen <- unique(v[!is.na(v)])
  factor(v, levels = sort(seen, method = "radix"))
}

# A few texts among numbers are slips, unless somebody has said that they are categories.
refuse_slips <- function(v, name) {
  there <- v[!is.na(v)]
  odd <- there[is.na(suppressWarnings(as.numeric(there)))]
  if (length(odd) == length(there) || length(odd) == 0) return()
  if (length(odd) > 1 && length(odd) >= length(v) / 20) return()
  refuse("column '", name, "' is not numeric: ", length(odd), " cell",
         if (length(odd) > 1) "s, the first", " '", odd[1], "'; correct it, or leave the column out")
}

# Many different texts are names, unless somebody has said that they are categories.
refuse_names <- function(v, name) {
  there <- sum(!is.na(v))
  different <- length(unique(v[!is.na(v)]))
  if (different <= max(50, length(v) / 10) && (different < 3 || different < there)) return()
  refuse("column '", name, "' has ", different, " different texts in ", length(v),
         " rows and looks like a name or identifier; leave it out")
}

# The numbers of a column: those that it has, or the places of its levels, from 0 on.
encode_column <- function(v, name, kind, said) {
  if (kind %in% c("number", "zero") && has_categories(v) && !is.logical(v))
    refuse("column '", name, "' is not numeric (", class(v)[1], "); types can make it nominal or ",
           "ordered")
  if (is.character(v) && is.na(said)) {
    refuse_slips(v, name)
    refuse_names(v, name)
  }
  numbers <- !has_categories(v) || (is.logical(v) && kind != "nominal")
  if (kind != "nominal" && numbers)
    return(list(values = as.double(v), kind = kind, levels = NULL, noted = NULL))
  f <- as_categories(v)
  noted <- if (kind == "ordered" && !is.factor(v))
    paste0("the levels of the ordered column '", name, "' are text and were ordered ",
           "alphabetically: ", paste0("'", head(levels(f), 12), "'", collapse = " < "),
           if (nlevels(f) > 12) " < \u2026", "; give an ordered factor")
  list(values = as.double(f) - 1, kind = kind, levels = levels(f), noted = noted)
}

# A data frame as numbers with their kinds: `said` and `blocks` are those of read_types().
encode_frame <- function(data, types) {
  said <- types$kinds[names(data)]
  columns <- lapply(seq_along(data), function(j)
    encode_column(data[[j]], names(data)[j], kind_of(data[[j]], said[[j]]), said[[j]]))
  values <- vapply(columns, function(column) column$values, numeric(nrow(data)))
  dim(values) <- dim(data)
  colnames(values) <- names(data)
  list(values = values, kinds = vapply(columns, function(column) column$kind, ""),
       levels = lapply(columns, function(column) column$levels),
       noted = unlist(lapply(columns, function(column) column$noted)))
}

# Levels that the rows do not have any more go; a column with one level is a constant.
used_levels <- function(values, coded) {
  for (j in which(!vapply(coded$levels, is.null, NA))) {
    used <- sort(unique(values[, j]))
    coded$levels[[j]] <- if (length(used) > 1) coded$levels[[j]][used + 1]
    if (length(used) < 2) coded$kinds[j] <- "number"
    values[, j] <- match(values[, j], used) - 1
  }
  list(values = values, kinds = coded$kinds, levels = coded$levels)
}

# What the library is told, an attribute of the values; nothing where all columns are numbers.
with_kinds <- function(values, coded, blocks) {
  if (all(coded$kinds == "number") && length(blocks) == 0) return(values)
  members <- lapply(blocks, match, colnames(values))
  for (name in names(members)) {
    bad <- members[[name]][coded$kinds[members[[name]]] != "number"]
    if (length(bad) > 0)
      refuse("column '", colnames(values)[bad[1]], "' of block '", name, "' is ",
             coded$kinds[bad[1]], "; the columns of a block are numbers")
  }
  attr(values, "kinds") <- list(columns = colnames(values), kinds = coded$kinds,
                                levels = coded$levels, blocks = as.character(names(blocks)),
                                members = unname(members))
  values
}

# The variables: a block is in the place of its first column.
variable_names <- function(values, columns) {
  kinds <- attr(values, "kinds")
  if (is.null(kinds)) return(columns)
  gone <- integer()
  for (i in seq_along(kinds$blocks)) {
    at <- sort(kinds$members[[i]])
    columns[at[1]] <- kinds$blocks[i]
    gone <- c(gone, at[-1])
  }
  if (length(gone) > 0) columns[-gone] else columns
}

# What each variable is, with its levels; NULL where all are numbers.
variables_of <- function(values, nodes) {
  kinds <- attr(values, "kinds")
  if (is.null(kinds)) return()
  members <- unlist(kinds$members)
  lead <- vapply(kinds$members, min, 0)
  at <- setdiff(seq_along(kinds$kinds), setdiff(members, lead))
  type <- ifelse(at %in% lead, "block", kinds$kinds[at])
  list(name = nodes, type = type, levels = stats::setNames(kinds$levels[at], nodes))
}
