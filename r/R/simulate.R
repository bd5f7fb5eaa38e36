# Random networks and data from them.

simulate_network <- function(nodes, samples, parents = 2, noise = "gaussian", tanh = 0,
                             weights = c(0.4, 2), seed = NULL, structure = "er", design = "scm",
                             signs = "positive", variances = c(1, 1), mixed = 0, ordinal = 0,
                             curved = 0, levels = NULL, hidden = 0) {
  for (name in c("parents", "tanh", "mixed", "ordinal", "curved", "hidden"))
    check_number(get(name), name)
  for (name in c("nodes", "samples")) check_whole(get(name), name, 1, 2^31 - 1)
  for (name in c("weights", "variances")) check_interval(get(name), name)
  choices <- c(choose_word(structure, structures, "structure"),
               choose_word(design, designs, "design"),
               choose_word(signs, c("positive", "mixed"), "signs"))
  if (design == "onion" && !(missing(weights) && missing(signs) && missing(variances)))
    warning("weights, signs and variances have no effect with design = \"onion\"", call. = FALSE)
  if (hidden < 0 || hidden >= 1) refuse("hidden must be from 0 to below 1, not ", hidden)
  if (!is.null(levels)) check_whole(levels, "levels", 2, 10)
  seed <- seed %or% draw_seed()
  check_seed(seed)
  numbers <- c(nodes, parents, samples, degrees_of(noise), tanh, weights, seed, choices, variances,
               identical(noise, "exponential"), mixed, ordinal, curved, levels %or% 0,
               if (missing(hidden)) -1 else hidden)
  found <- check(.Call(r_simulate, as.double(numbers)))
  dag <- found$weights
  dag[] <- as.integer(dag != 0)
  storage.mode(dag) <- "integer"
  out <- list(data = as_levels(as.data.frame(found$data), found$levels), dag = dag,
              cpdag = found$cpdag, weights = found$weights, seed = seed,
              sortability = found$sortability)
  if (missing(hidden)) out else hide(out, found)
}

# Without the columns that nobody has measured, and with what there is to learn of the others.
hide <- function(out, found) {
  nodes <- names(out$data)
  out$data <- out$data[!found$hidden]
  out$pag <- as_marks(found$pag)
  out$hidden <- nodes[found$hidden]
  if (any(found$hidden)) out["cpdag"] <- list(NULL) # over all variables, which is not to be learned
  out
}

# Nominal variables, which have more than 0 levels, as factors.
as_levels <- function(data, levels) {
  for (j in which(levels > 0))
    data[[j]] <- factor(letters[data[[j]] + 1], levels = letters[seq_len(levels[j])])
  data
}

# The words of the program, in its order.
structures <- c("er", "scale-free-in", "scale-free-out", "small-world", "bipartite", "hubs", "chain")
designs <- c("scm", "internal", "onion")

check_interval <- function(x, name) {
  if (!is.numeric(x) || length(x) != 2 || anyNA(x))
    refuse(name, " must be two numbers, the smaller one first")
}

# "gaussian", or "t:5": Student's t with so many degrees of freedom.
degrees_of <- function(noise) {
  if (identical(noise, "gaussian") || identical(noise, "exponential")) return(Inf)
  degrees <- if (is.character(noise) && length(noise) == 1 && startsWith(noise, "t:"))
    suppressWarnings(as.numeric(substring(noise, 3))) else NA
  if (is.na(degrees)) refuse("noise must be gaussian, exponential or t:NU, as in noise = \"t:5\"")
  degrees
}
