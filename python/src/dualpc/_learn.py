"""Learning: the two functions."""
from __future__ import annotations

import inspect
import time
from collections.abc import Mapping, Sequence
from typing import Any

from . import _core
from ._errors import Interrupted, UsageError, warn
from ._input import Data, as_matrix, as_rows, knowledge_text
from ._kinds import variables
from ._options import OPTIONS, check_company, refuse_unknown, texts, whole_number, with_options
from ._progress import watching
from ._result import Result, Source

_ALPHA: float = OPTIONS["alpha"].default


def _refuse_unknown(options: Mapping[str, Any], function: Any) -> None:
    if not options.keys() <= OPTIONS.keys():
        data, *known = inspect.signature(function).parameters
        refuse_unknown(options, known, f"{function.__name__}()")


def _resampling(bootstrap: Any, subsample: Any, min_frequency: Any) -> tuple[int, float] | None:
    """What the extension takes; what the library cannot say is said here, in the same words."""
    if bootstrap is None:
        for name, value in (("subsample", subsample), ("min_frequency", min_frequency)):
            if value is not None:
                raise UsageError(f"{name} goes with bootstrap B, the number of resamples")
        return None
    resamples = whole_number("bootstrap", bootstrap, 2**31 - 1)
    if subsample is not None and not 0 < subsample < 1:
        raise UsageError(f"subsample must be between 0 and 1, not {subsample!r}")
    if min_frequency is not None and not 0 < min_frequency <= 1:
        raise UsageError(f"min_frequency must be above 0 and at most 1, not {min_frequency!r}")
    return resamples, float(subsample or 0)


def _check_consensus(given: Mapping[str, str], min_frequency: Any) -> None:
    if min_frequency is None:
        return
    if given.get("separating_sets") == "yes":
        raise UsageError("separating_sets are those of one graph, and min_frequency makes one of "
                         "many")
    if "min_evidence" in given:
        raise UsageError("min_evidence weighs the arrows of one graph, and those of a consensus "
                         "have votes; leave out min_evidence or min_frequency")


def _check_latent(given: Mapping[str, str], min_frequency: Any, advice: Any) -> None:
    """What is told of graphs without hidden causes alone."""
    if given.get("latent", "none") == "none":
        return
    if min_frequency is not None:
        raise UsageError("min_frequency makes one graph of many by their arrows, and the marks of "
                         "PAGs are no votes for arrows; leave it out, and read frequencies, or leave "
                         "out latent")
    if advice == "always":
        raise UsageError("advice is about graphs without hidden causes; leave it out, or leave out "
                         "latent")


def _from_here(options: dict[str, str], start: float) -> dict[str, str]:
    """The options of what comes next: of the time, what is left."""
    if options.get("timeout", "none") == "none":
        return options
    left = float(options["timeout"]) - (time.monotonic() - start)
    return {**options, "timeout": repr(max(left, 1e-9))}


def _run(data: Data, source: Source, n_obs: int, progress: Any,
         resampling: tuple[int, float] | None = None, least: float | None = None,
         advice: int = 0) -> Result:
    values, names, missing = data.values, data.names, data.missing
    start = time.monotonic()
    with watching(progress) as told:
        try:
            learned = _core.learn(values, names, source.options, source.knowledge, n_obs, told,
                                  missing)
        except KeyboardInterrupt as stop:
            partial = getattr(stop, "partial", None)
            if partial is None:
                raise
            hidden = source.options.get("latent", "none") != "none"
            raise Interrupted(f"interrupted in the {'search' if hidden else 'refinement'}; the best "
                              "graph so far is in the attribute 'result'",
                              Result(partial, names, source)) from None
        result = Result(learned, names, source)
        result.variables = None if data.kinds is None else variables(data.kinds)
        result.warnings = (*data.noted, *result.warnings)
        if n_obs == 0:
            result._keep_rows(values, missing, advice)
        if resampling is not None:
            try:
                counted = _core.bootstrap(values, names, _from_here(source.options, start),
                                          source.knowledge, resampling, told, missing)
            except KeyboardInterrupt as stop:
                partial = getattr(stop, "partial", None)
                if partial is None:
                    raise
                raise Interrupted(
                    f"interrupted after {partial.counts()[0]} of {resampling[0]} resamples, which "
                    "are in the attribute 'result'", result._resampled(partial, least)) from None
            result._resampled(counted, least)
    warn(result.warnings)
    return result


@with_options
def learn(X: Any, alpha: float = _ALPHA, names: Sequence[str] | None = None, *,
          knowledge: Any = None, bootstrap: int | None = None, subsample: float | None = None,
          min_frequency: float | None = None, missing: str = "error", drop_text: bool = False,
          types: Mapping[Any, Any] | None = None, advice: bool | str = True,
          progress: Any = False, **options: Any) -> Result:
    """Learns a graph from a table.

    With `latent` hidden common causes are allowed for, and the graph is a partial ancestral graph
    (PAG): ``Result.edges`` has marks such as 'o->' and '<->', ``Result.marks`` the marks at both ends
    of each edge. 'search' (or True) is a search by likelihood, 'fci' follows from tests, 'dag' is the
    PAG of the refined DAG. `pdsep` and `separating_sets` go with 'fci', `selection` with 'fci' and
    'dag'; `method='ges'`, `graph`, `min_evidence` and `min_frequency` go with none of them.

    Parameters
    ----------
    X : array or data frame, observations × variables
        Numpy arrays of any order and type of numbers (doubles and floats are not copied), pandas,
        and all that has ``__array__`` or ``__dataframe__``. In a data frame texts, categories and
        truth values are nominal variables, and ordered categories are ordered ones.
    names : list of str, optional
        Of the variables; by default those of the columns, or V1, V2, …
    knowledge : dict or path, optional
        What is known of the edges: ``{"tiers": [["A"], ["B", "C"]], "forbidden_edges":
        [["A", "C"]], "required_edges": …}``, or a file as Tetrad writes it, or JSON.
    bootstrap : int, optional
        Also learns from so many resamples of the rows; see ``Result.frequencies``. `subsample` is
        the share of the rows that each has, none twice (default: as many as there are, with
        replacement), and with `min_frequency` the graph is their consensus: of the edges that at
        least this share of them has.
    missing : 'error', 'rows', 'pairwise' or 'em'
        What a NaN does: stop, or drop its row; or correlations are estimated from the cells that
        are there, each from the rows that have both, or all by maximum likelihood (EM). A column
        whose every cell is missing is left out, with a warning.
    drop_text : bool
        Leaves out the columns that have text (also categories and dates) and no numbers, with a
        warning that names them. A column with a text among its numbers is an error all the same.
    types : dict, optional
        The kinds of columns where their types do not say them: 'number', 'ordered', 'nominal' or
        'zero' (amounts that are often zero); several columns that are one variable are a list:
        ``{"origin": "nominal", "pose": ["x", "y", "z"]}``.
    advice : bool or 'always'
        Whether ``Result.verdict``, and so ``print``, says what other settings would change,
        measured on the same table when it is first asked for; 'always': also where that takes long.
    progress : bool or function
        True: a bar (by tqdm, where it is installed); a function is called with a `Progress`.
    {options}

    Returns
    -------
    Result
    """
    _refuse_unknown(options, learn)
    resampling = _resampling(bootstrap, subsample, min_frequency)
    given = texts({"alpha": alpha, **options})
    check_company(given, bootstrap is not None)
    _check_latent(given, min_frequency, advice)
    _check_consensus(given, min_frequency)
    source = Source(given, knowledge_text(knowledge))
    if advice not in (True, False, "always"):
        raise UsageError(f"advice must be True, False or 'always', not {advice!r}")
    data = as_rows(X, names, drop_text, missing, types)
    return _run(data, source, 0, progress, resampling, min_frequency,
                2 if advice == "always" else int(advice))


@with_options
def learn_correlation(C: Any, n_obs: int, alpha: float = _ALPHA,
                      names: Sequence[str] | None = None, *, knowledge: Any = None,
                      progress: Any = False, **options: Any) -> Result:
    """Learns a graph from a correlation or covariance matrix; with `latent` a PAG, as `learn` does.

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
    _refuse_unknown(options, learn_correlation)
    given = texts({"alpha": alpha, **options})
    check_company(given, False)
    if given.get("normalize", "none") != "none":
        raise UsageError("normalize copula needs the table, not its correlation matrix")
    count = whole_number("n_obs", n_obs, 2**53)
    source = Source(given, knowledge_text(knowledge))
    return _run(as_matrix(C, names), source, count, progress)
