# pcalg's function for hidden causes, so that scripts that call it run as they are.

fci <- function(suffStat, indepTest, alpha, labels, p,
                skel.method = c("stable", "original", "stable.fast"),
                type = c("normal", "anytime", "adaptive"), fixedGaps = NULL, fixedEdges = NULL,
                NAdelete = TRUE, m.max = Inf, pdsep.max = Inf, rules = rep(TRUE, 10),
                doPdsep = TRUE, biCC = FALSE, conservative = FALSE, maj.rule = FALSE,
                numCores = getOption("mc.cores", "all"), selectionBias = TRUE,
                jci = c("0", "1", "12", "123"), contextVars = NULL, verbose = FALSE, ...) {
  call <- match.call()
  if (!missing(indepTest)) check_gaussian(indepTest, substitute(indepTest))
  if (missing(alpha)) refuse("alpha is missing: the significance level of the tests")
  if (missing(suffStat) || !is.list(suffStat) || is.null(suffStat$C))
    refuse("suffStat must be a list of C, the correlations, and n, the number of observations")
  refuse_other_fci(type, jci, contextVars, conservative, maj.rule)
  if (is_true(biCC, "biCC"))
    warning("biCC = TRUE changes nothing: all of Possible-D-SEP is looked at", call. = FALSE)
  if (!identical(verbose, FALSE) && !identical(as.numeric(verbose), 0))
    warning("verbose changes nothing: summary() and explain() tell what was done", call. = FALSE)
  n <- NCOL(suffStat$C)
  x <- dualpc(suffStat = suffStat, alpha = alpha, latent = "fci",
              labels = fci_labels(suffStat$C, if (!missing(labels)) labels, if (!missing(p)) p),
              skel.method = one_of(skel.method, c("stable", "original", "stable.fast"),
                                   "skel.method"),
              fixedGaps = pairs_of(fixedGaps, n, "fixedGaps"),
              fixedEdges = pairs_of(fixedEdges, n, "fixedEdges"), m.max = m.max,
              pdsep = pdsep_of(is_true(doPdsep, "doPdsep"), pdsep.max),
              selection = selects(rules, is_true(selectionBias, "selectionBias")),
              threads = numCores, ...)
  x$call <- call
  if (is_true(NAdelete, "NAdelete") && x$counts$singular_tests > 0)
    warning(x$counts$singular_tests, " tests could not be made, and their edges were kept, as with ",
            "NAdelete = FALSE", call. = FALSE)
  x
}

# The first of several words is the default, as in match.arg().
one_of <- function(word, words, name) {
  if (identical(word, words)) return(words[1])
  words[choose_word(word, words, name) + 1]
}

# The tests here are those of gaussCItest(), whatever hands them over.
check_gaussian <- function(test, called) {
  if (identical(test, "gaussCItest")) return()
  called <- paste(deparse(called), collapse = "")
  if (is.function(test) && grepl("(^|:)gaussCItest$", called)) return()
  if (is.function(test) && "pcalg" %in% loadedNamespaces() &&
      identical(test, get("gaussCItest", asNamespace("pcalg")))) return()
  refuse("indepTest must be gaussCItest: fci() tests partial correlations itself, and no other test; ",
         "dualpc(data, latent = \"fci\") takes a data frame with factors")
}

# What is another algorithm with pcalg, and not here.
refuse_other_fci <- function(type, jci, contextVars, conservative, maj.rule) {
  type <- one_of(type, c("normal", "anytime", "adaptive"), "type")
  if (type != "normal")
    refuse("type = \"", type, "\" is not here; m.max and pdsep.max bound the sets")
  jci <- one_of(as.character(jci), c("0", "1", "12", "123"), "jci")
  if (jci != "0" || length(contextVars) > 0)
    refuse("context variables (jci, contextVars) are not here; say what they cannot be effects of by ",
           "knowledge = list(forbidden = )")
  if (is_true(conservative, "conservative") || is_true(maj.rule, "maj.rule"))
    refuse(if (conservative) "conservative" else "maj.rule", " = TRUE is not here: colliders follow ",
           "from the separating sets")
}

# As with pcalg, "1", "2", ... where only their number is given; the names of C where nothing is.
fci_labels <- function(C, labels, p) {
  n <- NCOL(C)
  if (!is.null(p) && !identical(as.double(p), as.double(n)))
    refuse("p is ", format(p), ", and suffStat has ", n, " variables")
  labels %or% (if (is.null(p)) colnames(C)) %or% as.character(seq_len(n))
}

# Pairs of variables: a matrix over all of them; NULL where it has none.
pairs_of <- function(m, n, name) {
  if (is.null(m)) return(NULL)
  m <- as.matrix(m)
  if (!(is.logical(m) || is.numeric(m)) || !all(dim(m) == n) || anyNA(m))
    refuse(name, " must be a symmetric matrix of TRUE and FALSE, with a row for each of the ", n,
           " variables")
  if (any(m != 0)) m
}

pdsep_of <- function(wanted, most) {
  check_number(most, "pdsep.max")
  if (!wanted) return(0)
  if (is.infinite(most)) most else floor(most)
}

# The rules 5 to 7 are those of samples that may be selected; the others belong together.
selects <- function(rules, bias) {
  if (!is.logical(rules) || length(rules) != 10 || anyNA(rules))
    refuse("rules must be ten times TRUE or FALSE")
  if (!all(rules[-(5:7)]) || length(unique(rules[5:7])) > 1)
    refuse("rules 1 to 4 and 8 to 10 belong together, and so do 5 to 7: they cannot be left out one ",
           "by one")
  bias && rules[5]
}
