"""The same as an estimator in the manner of scikit-learn, which need not be installed."""
from __future__ import annotations

import inspect
from typing import Any

from ._learn import learn
from ._options import refuse_unknown

_PARAMETERS = {name: parameter.default
               for name, parameter in inspect.signature(learn).parameters.items()
               if name not in ("X", "names")}


class DualPC:
    """Learns a graph: ``DualPC(alpha=0.01).fit(X).graph_``. The parameters are those of `learn`.

    Attributes
    ----------
    graph_ : Result
    adjacency_ : array, entry (i, j) is 1 for i --> j, both (i, j) and (j, i) are for i --- j; not
        with `latent`
    marks_ : array, entry (i, j) is the mark at j of the edge between i and j: 0 no edge, 1 circle,
        2 arrowhead, 3 tail
    n_features_in_ : int
    feature_names_in_ : array of str, where the columns of X have names
    """

    def __init__(self, **parameters: Any) -> None:
        refuse_unknown(parameters, _PARAMETERS, "DualPC()")
        for name, default in _PARAMETERS.items():
            setattr(self, name, parameters.get(name, default))

    def fit(self, X: Any, y: Any = None) -> DualPC:
        """Learns from a table; `y` is there for pipelines, and not looked at."""
        import numpy as np

        self.graph_ = learn(X, **self.get_params())
        self.marks_ = self.graph_.marks
        self.__dict__.pop("adjacency_", None)
        if not self.graph_.is_pag:
            self.adjacency_ = self.graph_.adjacency
        self.n_features_in_ = self.graph_.n_vars
        self.__dict__.pop("feature_names_in_", None)
        labels = getattr(X, "columns", None)
        if labels is not None and all(isinstance(label, str) for label in labels):
            used = [label for label in labels if label in set(self.graph_.names)]
            self.feature_names_in_ = np.asarray(used, dtype=object)
        return self

    # ---- What scikit-learn asks ----

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _PARAMETERS}

    def set_params(self, **parameters: Any) -> DualPC:
        refuse_unknown(parameters, _PARAMETERS, "set_params()")
        for name, value in parameters.items():
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "graph_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))

    def __repr__(self) -> str:
        changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                   if value is not _PARAMETERS[name] and value != _PARAMETERS[name]]
        return f"DualPC({', '.join(changed)})"


DualPC.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
     for name, default in _PARAMETERS.items()])
