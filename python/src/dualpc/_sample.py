"""Sampling graphs from their posterior: the two functions."""
from __future__ import annotations

import math
import numbers
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from . import _core
from ._errors import Interrupted, UsageError, warn
from ._graph import find_variables
from ._input import Data, as_matrix, as_rows, knowledge_text
from ._options import OPTIONS, texts, whole_number
from ._posterior import Posterior
from ._progress import Progress, watching

_SEED: int = OPTIONS["seed"].default
_SCORES, _PRIORS = _core.sampling_words()
_MOST_CANDIDATES, _MOST_CHAINS, _MOST = 20, 256, 2**31 - 1

_Variables = str | int | Iterable[str | int] | None
_Knowledge = Mapping[str, Any] | str | os.PathLike[str] | None
_Progress = bool | Callable[[Progress], object]


def _check_word(name: str, word: Any, words: Sequence[str]) -> str:
    if word not in words:
        raise UsageError(f"{name} must be one of {', '.join(words)}, not {word!r}")
    return str(word)


def _prior(prior: Any) -> tuple[str, float]:
    """The word, and the probability of an edge; 0 where the word does not have one."""
    if isinstance(prior, str) and prior in _PRIORS and prior != "edge":
        return prior, 0.0
    word, share = prior, None
    if isinstance(prior, str):
        word, _, share = prior.partition(":")
    elif isinstance(prior, (tuple, list)) and len(prior) == 2:
        word, share = prior
    if word != "edge":
        words = ", ".join(word for word in _PRIORS if word != "edge")
        raise UsageError(f"prior must be {words} or edge:P, not {prior!r}")
    try:
        number = float(share) if isinstance(share, (str, numbers.Real)) else math.nan
    except ValueError:
        number = math.nan
    if not 0 < number < 1:
        raise UsageError(f"prior edge:P needs a probability between 0 and 1, not {share!r}")
    return word, number


def _run(data: Data, n_obs: int, options: Mapping[str, Any], knowledge: Any, sampling: Sequence[Any],
         causes: tuple[Any, Any], progress: Any) -> Posterior:
    score, prior, candidates, chains, draws, thin = sampling
    numbers_of = {name: i for i, name in enumerate(data.names)}
    asked = whole_number("draws", draws, _MOST)
    request = (_check_word("score", score, _SCORES), *_prior(prior),
               whole_number("candidates", candidates, _MOST_CANDIDATES),
               whole_number("chains", chains, _MOST_CHAINS), asked,
               0 if thin is None else whole_number("thin", thin, _MOST),
               *(find_variables(which, numbers_of) for which in causes))
    with watching(progress) as told:
        try:
            drawn = _core.sample(data.values, data.names, texts(options),
                                 knowledge_text(knowledge), n_obs, request, told, data.missing)
        except KeyboardInterrupt as stop:
            partial = getattr(stop, "partial", None)
            if partial is None:
                raise
            posterior = Posterior(partial, data.names, data.noted)
            raise Interrupted(f"interrupted after {posterior.n_draws} of {asked} draws of each "
                              "chain, which are in the attribute 'result'", posterior) from None
    posterior = Posterior(drawn, data.names, data.noted)
    warn(posterior.warnings)
    return posterior


def sample(X: Any, names: Sequence[Any] | None = None, *,
           score: Literal["fbf", "bge", "bic"] = "fbf",
           prior: str | tuple[str, float] = "fair", candidates: int = 12, chains: int = 4,
           draws: int = 1000, thin: int | None = None, cause: _Variables = None, outcome: _Variables = None,
           knowledge: _Knowledge = None,
           missing: Literal["error", "rows", "pairwise", "em"] = "error", drop_text: bool = False,
           types: Mapping[Any, Any] | None = None,
           normalize: Literal["none", "copula", "latent"] = "none", seed: int = _SEED,
           memory: float | Literal["auto"] | None = None,
           timeout: float | Literal["none"] | None = None,
           threads: int | Literal["all"] | None = None, progress: _Progress = False) -> Posterior:
    """Draws DAGs from their posterior distribution given a table.

    The posterior says how probable each edge, each direction and each total effect is, where
    `learn` finds one graph.

    Parameters
    ----------
    X : array or data frame, observations × variables
    names : list of str, optional
        Names of the variables; by default those of the columns, or V1, V2, …
    score : 'fbf', 'bge' or 'bic'
        The marginal likelihood of a variable and its parents: 'fbf' has a prior that is scaled by
        the data, so units do not matter; 'bge' is the score of Geiger and Heckerman; 'bic' is the
        likelihood minus half of log N for each edge.
    prior : 'fair', 'uniform', 'order', 'edge:P' or ('edge', P)
        How probable a graph is before the data: every number of parents of a variable is equally
        probable ('fair'); every DAG is ('uniform'); as 'fair', and a DAG counts once for each
        order of the variables that it fits ('order'); or each edge has the probability P.
    candidates : int, 1 to 20
        Possible parents of each variable. They are found from resamples of the data; parents
        outside them are never drawn.
    chains, draws, thin : int
        The number of chains, the number of draws of each, and the number of sweeps over all
        variables between two draws; None: 3, and 9 or 27 where the chains mix slowly.
    cause, outcome : a variable or a list of them, optional
        Also samples the total effects of these causes on these outcomes. If only one of the two is
        given, the other stands for all variables; for the effects of all pairs name all of them.
    knowledge : dict or path, optional
        Known tiers, forbidden and required edges, as in `learn`. The draws respect it.
    missing, drop_text, types
        As in `learn`. Nominal variables with three or more levels and blocks of columns are refused.
    normalize : 'none', 'copula' or 'latent'
        As in `learn`: 'copula' transforms each variable to normal scores first.
    seed : int
        Random seed. The same seed gives the same draws.
    memory : number of MB, or None for auto
        The memory that may be used, as in `learn`.
    timeout : number of seconds, or None
        Stops after this time and returns the draws made so far; see ``Posterior.complete``.
    threads : int, or None for all processors
        The number of threads. It does not affect the result.
    progress : bool or function
        True shows a progress bar (by tqdm, if it is installed). A function is called with a
        `Progress`.

    Returns
    -------
    Posterior
    """
    options = {"normalize": normalize, "seed": seed, "memory": memory, "timeout": timeout,
               "threads": threads}
    return _run(as_rows(X, names, drop_text, missing, types), 0, options, knowledge,
                (score, prior, candidates, chains, draws, thin), (cause, outcome), progress)


def sample_correlation(C: Any, n_obs: int, names: Sequence[Any] | None = None, *,
                       score: Literal["fbf", "bge", "bic"] = "fbf",
                       prior: str | tuple[str, float] = "fair", candidates: int = 12,
                       chains: int = 4, draws: int = 1000, thin: int | None = None,
                       cause: _Variables = None, outcome: _Variables = None,
                       knowledge: _Knowledge = None, seed: int = _SEED,
                       memory: float | Literal["auto"] | None = None,
                       timeout: float | Literal["none"] | None = None,
                       threads: int | Literal["all"] | None = None,
                       progress: _Progress = False) -> Posterior:
    """Draws DAGs from their posterior distribution given a correlation or covariance matrix.

    Parameters
    ----------
    C : array or data frame, variables × variables
    n_obs : int
        The number of observations behind it.
    names, score, prior, candidates, chains, draws, thin, cause, outcome, knowledge, seed, memory, \
timeout, threads, progress
        As in `sample`. The candidates are found from resamples of the normal distribution with
        this matrix.

    Returns
    -------
    Posterior
    """
    count = whole_number("n_obs", n_obs, 2**53)
    options = {"seed": seed, "memory": memory, "timeout": timeout, "threads": threads}
    return _run(as_matrix(C, names), count, options, knowledge,
                (score, prior, candidates, chains, draws, thin), (cause, outcome), progress)
