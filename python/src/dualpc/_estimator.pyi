# Written by generate.py from the library's table of options.
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ._learn import _Knowledge, _Progress
from ._result import Result

class DualPC:
    graph_: Result
    adjacency_: np.ndarray
    marks_: np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        alpha: float = ...,
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
        relations: Literal["linear", "curved"] = ...,
        degree: int = ...,
        categorical: Literal["blocks", "mixture"] = ...,
        graph: Literal["cpdag", "pattern", "skeleton"] = ...,
        orient: Literal["consistent", "relaxed", "majority", "conservative"] = ...,
        min_evidence: float | Literal["none"] | None = ...,
        order: Literal["canonical", "given", "auto"] = ...,
        refine: Literal["none", "fast", "full", "exact"] = ...,
        restarts: int | Literal["auto"] | None = ...,
        latent: bool | Literal["none", "search", "fci", "dag"] | None = ...,
        pdsep: int | Literal["all"] | None = ...,
        selection: bool = ...,
        seed: int = ...,
        memory: float | Literal["auto"] | None = ...,
        timeout: float | Literal["none"] | None = ...,
        threads: int | Literal["all"] | None = ...,
        separating_sets: bool = ...,
    ) -> None: ...
    def fit(self, X: Any, y: Any = ...) -> DualPC: ...
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **parameters: Any) -> DualPC: ...
    def __sklearn_is_fitted__(self) -> bool: ...
    def __sklearn_tags__(self) -> Any: ...
