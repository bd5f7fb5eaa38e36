# Random networks and data from them.

simulate_network <- function(nodes, samples, parents = 2, noise = "gaussian", tanh = 0,
                             weights = c(0.4, 2), seed = NULL) {
  for (name in c("parents", "tanh")) check_number(get(name), name)
  for (name in c("nodes", "samples")) check_whole(get(name), name, 1, 2^31 - 1)
  if (!is.numeric(weights) || length(weights) != 2 || anyNA(weights))
    refuse("weights must be two numbers, the smaller one first")
  seed <- seed %or% draw_seed()
  check_seed(seed)
  numbers <- c(nodes, parents, samples, degrees_of(noise), tanh, weights, seed)
  found <- check(.Call(r_simulate, as.double(numbers)))
  dag <- found$weights
  dag[] <- as.integer(dag != 0)
  storage.mode(dag) <- "integer"
  list(data = as.data.frame(found$data), dag = dag, cpdag = found$cpdag, weights = found$weights,
       seed = seed)
}

# "gaussian", or "t:5": Student's t with so many degrees of freedom.
degrees_of <- function(noise) {
  if (identical(noise, "gaussian")) return(Inf)
  degrees <- if (is.character(noise) && length(noise) == 1 && startsWith(noise, "t:"))
    suppressWarnings(as.numeric(substring(noise, 3))) else NA
  if (is.na(degrees)) refuse("noise must be gaussian or t:NU, as in noise = \"t:5\"")
  degrees
}
