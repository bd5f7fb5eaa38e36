"""Learning: the two functions."""
from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from . import _core
from ._errors import DualPCWarning, Interrupted, UsageError
from ._input import Table, as_table, knowledge_text, without_missing
from ._options import BOOTSTRAP, OPTIONS, refuse_unknown, texts, with_options
from ._progress import watching
from ._result import Result, Source

_MOST_SEED = 2**64 - 1


def _resampling(bootstrap: Any, subsample: Any, seed: Any, min_frequency: Any
                ) -> tuple[int, int, float] | None:
    """What the extension takes; what the library cannot say is said here, in the same words."""
    lone = [name for name, value in (("seed", seed), ("subsample", subsample),
                                     ("min_frequency", min_frequency)) if value is not None]
    if bootstrap is None:
        if lone:
            raise UsageError(f"{lone[0]} goes with bootstrap, the number of resamples")
        return None
    if isinstance(bootstrap, bool) or int(bootstrap) != bootstrap or not 0 < bootstrap < 2**31:
        raise UsageError(f"bootstrap must be at least 1 and at most 2147483647, not {bootstrap!r}")
    seed = 1 if seed is None else seed
    if isinstance(seed, bool) or int(seed) != seed or not 0 <= seed <= _MOST_SEED:
        raise UsageError(f"seed needs a whole number from 0 to {_MOST_SEED}, not {seed!r}")
    if subsample is not None and not 0 < subsample < 1:
        raise UsageError(f"subsample must be between 0 and 1, not {subsample!r}")
    if min_frequency is not None and not 0 < min_frequency <= 1:
        raise UsageError(f"min_frequency must be above 0 and at most 1, not {min_frequency!r}")
    return int(bootstrap), int(seed), float(subsample or 0)


def _warn(messages: Sequence[str]) -> None:
    for message in messages:
        warnings.warn(message, DualPCWarning, stacklevel=4)


def _run(table: Table, source: Source, n_obs: int, progress: Any,
         resampling: tuple[int, int, float] | None, least: float | None,
         noted: Sequence[str] = ()) -> Result:
    values, names, _ = table
    with watching(progress) as told:
        learned = _core.learn(values, names, source.options, source.knowledge, n_obs, told)
        result = Result(learned, names, source)
        result.warnings = (*noted, *result.warnings)
        if resampling is not None:
            try:
                counted = _core.bootstrap(values, names, source.options, source.knowledge,
                                          resampling, told)
            except KeyboardInterrupt as stop:
                partial = getattr(stop, "partial", None)
                if partial is None:
                    raise
                raise Interrupted(
                    f"interrupted after {partial.counts()[0]} of {resampling[0]} resamples, which "
                    "are in the attribute 'result'", result._resampled(partial, least)) from None
            result._resampled(counted, least)
    _warn(result.warnings)
    return result


@with_options
def learn(X: Any, alpha: float = 0.05, names: Sequence[str] | None = None, *,
          knowledge: Any = None, bootstrap: int | None = None, subsample: float | None = None,
          seed: int | None = None, min_frequency: float | None = None, missing: str = "error",
          progress: Any = False, **options: Any) -> Result:
    """Learns a graph from a table.

    Parameters
    ----------
    X : array or data frame, observations × variables
        Whatever has numbers: numpy arrays of any order and type (doubles and floats are not
        copied), pandas, and all that has ``__array__`` or ``__dataframe__``.
    names : list of str, optional
        Of the variables; by default those of the columns, or V1, V2, …
    knowledge : dict or path, optional
        What is known of the edges: ``{"tiers": [["A"], ["B", "C"]], "forbidden_edges":
        [["A", "C"]], "required_edges": …}``, or a file as Tetrad writes it, or JSON.
    bootstrap : int, optional
        Also learns from so many resamples of the rows; see ``Result.frequencies``. `seed` (1) is
        theirs, `subsample` the share of the rows that each has, none twice (default: as many as
        there are, with replacement), and with `min_frequency` the graph is their consensus: of the
        edges that at least this share of them has.
    missing : 'error' or 'rows'
        What a NaN does: stop, or drop its row.
    progress : bool or function
        True: a bar (by tqdm, where it is installed); a function is called with a `Progress`.
    {options}

    Returns
    -------
    Result
    """
    refuse_unknown(options, [*OPTIONS, "names", "knowledge", *BOOTSTRAP, "missing", "progress"],
                   "learn()")
    resampling = _resampling(bootstrap, subsample, seed, min_frequency)
    source = Source(texts({"alpha": alpha, **options}), knowledge_text(knowledge))
    table = as_table(X, names)
    noted = []
    if missing not in ("error", "rows"):
        raise UsageError(f"missing must be one of error, rows, not '{missing}'")
    if missing == "rows":
        table, dropped = without_missing(table)
        if dropped:
            noted.append(f"{dropped} row{'s' * (dropped > 1)} dropped that had missing values")
    return _run(table, source, 0, progress, resampling, min_frequency, noted)


@with_options
def learn_correlation(C: Any, n_obs: int, alpha: float = 0.05,
                      names: Sequence[str] | None = None, *, knowledge: Any = None,
                      progress: Any = False, **options: Any) -> Result:
    """Learns a graph from a correlation or covariance matrix.

    Parameters
    ----------
    C : array or data frame, variables × variables
    n_obs : int
        The number of observations behind it.
    names, knowledge, progress
        As in `learn`.
    {options}

    Returns
    -------
    Result
    """
    refuse_unknown(options, [*OPTIONS, "names", "knowledge", "progress"], "learn_correlation()")
    given = texts({"alpha": alpha, **options})
    if given.get("normalize", "none") != "none":
        raise UsageError("normalize copula needs the table, not its correlation matrix")
    if isinstance(n_obs, bool) or int(n_obs) != n_obs or not 1 <= n_obs <= 9 * 10**15:
        raise UsageError(f"n_obs must be at least 1 and at most 9000000000000000, not {n_obs!r}")
    source = Source(given, knowledge_text(knowledge))
    return _run(as_table(C, names), source, int(n_obs), progress, None, None)
