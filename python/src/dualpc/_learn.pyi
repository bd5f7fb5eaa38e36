# Written by generate.py from the library's table of options.
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

from ._progress import Progress
from ._result import Result

_Knowledge = Mapping[str, Any] | str | PathLike[str] | None
_Progress = bool | Callable[[Progress], object]

def learn(
    X: Any,
    alpha: float = ...,
    names: Sequence[Any] | None = ...,
    *,
    knowledge: _Knowledge = ...,
    bootstrap: int | None = ...,
    subsample: float | None = ...,
    min_frequency: float | None = ...,
    missing: Literal["error", "rows", "pairwise", "em"] = ...,
    drop_text: bool = ...,
    types: Mapping[Any, Any] | None = ...,
    advice: bool | Literal["always"] = ...,
    progress: _Progress = ...,
    alpha_dual: float | Literal["alpha"] | None = ...,
    method: Literal["dual", "classic", "precision", "ges"] = ...,
    variant: Literal["stable", "standard"] = ...,
    rule: Literal["or", "and"] = ...,
    test: Literal["z", "t"] = ...,
    max_order: int | Literal["none"] | None = ...,
    min_ess: float | Literal["inf"] | None = ...,
    penalty: float | Literal["auto"] | None = ...,
    normalize: Literal["none", "copula", "latent"] = ...,
    graph: Literal["cpdag", "pattern", "skeleton"] = ...,
    orient: Literal["consistent", "relaxed", "majority", "conservative"] = ...,
    min_evidence: float | Literal["none"] | None = ...,
    order: Literal["canonical", "given", "auto"] = ...,
    refine: Literal["none", "fast", "full", "exact"] = ...,
    restarts: int | Literal["auto"] | None = ...,
    seed: int = ...,
    memory: float | Literal["auto"] | None = ...,
    timeout: float | Literal["none"] | None = ...,
    threads: int | Literal["all"] | None = ...,
    separating_sets: bool = ...,
) -> Result: ...
def learn_correlation(
    C: Any,
    n_obs: int,
    alpha: float = ...,
    names: Sequence[Any] | None = ...,
    *,
    knowledge: _Knowledge = ...,
    progress: _Progress = ...,
    alpha_dual: float | Literal["alpha"] | None = ...,
    method: Literal["dual", "classic", "precision", "ges"] = ...,
    variant: Literal["stable", "standard"] = ...,
    rule: Literal["or", "and"] = ...,
    test: Literal["z", "t"] = ...,
    max_order: int | Literal["none"] | None = ...,
    min_ess: float | Literal["inf"] | None = ...,
    penalty: float | Literal["auto"] | None = ...,
    normalize: Literal["none", "copula", "latent"] = ...,
    graph: Literal["cpdag", "pattern", "skeleton"] = ...,
    orient: Literal["consistent", "relaxed", "majority", "conservative"] = ...,
    min_evidence: float | Literal["none"] | None = ...,
    order: Literal["canonical", "given", "auto"] = ...,
    refine: Literal["none", "fast", "full", "exact"] = ...,
    restarts: int | Literal["auto"] | None = ...,
    seed: int = ...,
    memory: float | Literal["auto"] | None = ...,
    timeout: float | Literal["none"] | None = ...,
    threads: int | Literal["all"] | None = ...,
    separating_sets: bool = ...,
) -> Result: ...
