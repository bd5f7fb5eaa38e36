# The function of the authors of the algorithm, so that their scripts run as they are.

dual_pc <- function(cor_mat, N, alpha, ord_ind = TRUE, skeleton = FALSE, pattern_graph = FALSE,
                    exact = FALSE, max_ord = NULL, min_ESS = 3) {
  if (!is.numeric(alpha) || !length(alpha) %in% 1:2)
    refuse("alpha must be a number, or two: for tests of correlations and for dual tests")
  graph <- if (is_true(skeleton, "skeleton")) "skeleton"
    else if (is_true(pattern_graph, "pattern_graph")) "pattern" else "cpdag"
  values <- as_square(cor_mat)
  options <- list(alpha = alpha[1], alpha_dual = alpha[length(alpha)], method = "dual",
                  variant = if (is_true(ord_ind, "ord_ind")) "stable" else "standard",
                  test = if (is_true(exact, "exact")) "t" else "z",
                  max_order = max_ord %or% Inf, min_ess = min_ESS %or% 0, graph = graph,
                  orient = "relaxed", order = "given", threads = getOption("mc.cores", "all"))
  texts <- option_texts(options)
  check_whole(N, "N", 1, 2^53)
  found <- check(.Call(r_learn, values, N, paste0("V", seq_len(ncol(values))), names(texts), texts,
                       NULL, "error"))
  for (text in found$warnings) warning(text, call. = FALSE)
  out <- found$amat
  storage.mode(out) <- "double"
  dimnames(out) <- dimnames(cor_mat)
  out
}
