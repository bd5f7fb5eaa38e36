"""The estimator, as scikit-learn uses it, and without scikit-learn."""
import pickle
import subprocess
import sys
import types

import numpy as np
import pandas as pd
import pytest
import sklearn.base
import sklearn.pipeline
import sklearn.preprocessing
from sklearn.utils.validation import check_is_fitted

import dualpc
from dualpc import DualPC


def test_fit(example):
    names, X = example
    model = DualPC(alpha=0.01)
    assert model.fit(X) is model
    expected = dualpc.learn(X, alpha=0.01)
    assert model.graph_.edges == expected.edges
    assert np.array_equal(model.adjacency_, expected.adjacency)
    assert model.n_features_in_ == 12 and not hasattr(model, "feature_names_in_")
    model.fit(pd.DataFrame(X, columns=names))
    assert model.feature_names_in_.tolist() == names
    assert model.feature_names_in_.dtype == object
    model.fit(pd.DataFrame(X))  # these names are no texts
    assert not hasattr(model, "feature_names_in_")


def test_parameters(X):
    model = DualPC(alpha=0.01, method="classic")
    parameters = model.get_params()
    assert parameters["alpha"] == 0.01 and set(dualpc.options) < set(parameters)
    assert {"knowledge", "bootstrap", "seed", "missing", "progress"} < set(parameters)
    assert model.set_params(max_order=1, bootstrap=2) is model
    assert repr(model) == "DualPC(alpha=0.01, bootstrap=2, method='classic', max_order=1)"
    assert repr(DualPC()) == "DualPC()"
    result = model.fit(X).graph_
    assert result.settings["max_order"] == 1 and result.resamples == 2
    model.alpha = 7  # scikit-learn checks in fit, not before
    with pytest.raises(dualpc.UsageError, match="^alpha must be between 0 and 1, not 7$"):
        model.fit(X)


def test_clone(X):
    knowledge = {"required_edges": [["V4", "V7"]]}
    model = DualPC(alpha=0.01, knowledge=knowledge).fit(X)
    copy = sklearn.base.clone(model)
    assert copy.get_params() == model.get_params() and not hasattr(copy, "graph_")
    assert copy.fit(X).graph_.edges == model.graph_.edges
    assert pickle.loads(pickle.dumps(model)).graph_.edges == model.graph_.edges


def test_is_fitted(X):
    with pytest.raises(sklearn.exceptions.NotFittedError):
        check_is_fitted(DualPC())
    check_is_fitted(DualPC().fit(X))


def test_pipeline(X):
    pipe = sklearn.pipeline.make_pipeline(sklearn.preprocessing.StandardScaler(), DualPC())
    pipe.set_params(dualpc__alpha=0.01).fit(X * 1000)
    assert pipe[-1].graph_.edges == dualpc.learn(X, alpha=0.01).edges
    assert "DualPC(alpha=0.01)" in repr(pipe)
    copy = sklearn.base.clone(pipe).fit(X, y=np.zeros(len(X)))
    assert copy[-1].graph_.edges == pipe[-1].graph_.edges
    assert "DualPC" in pipe._repr_html_()


def test_tags(monkeypatch):
    """What newer versions ask: against a stand-in for their classes."""
    utils = types.ModuleType("sklearn.utils")
    utils.Tags = utils.TargetTags = lambda **parts: types.SimpleNamespace(**parts)
    monkeypatch.setitem(sys.modules, "sklearn.utils", utils)
    tags = DualPC().__sklearn_tags__()
    assert tags.estimator_type is None and tags.target_tags.required is False


def test_without_scikit_learn():
    """Nor anything else but numpy: nothing is imported that need not be."""
    code = """
import sys
for name in ("sklearn", "pandas", "networkx", "tqdm", "scipy"):
    sys.modules[name] = None
import dualpc, numpy
X = numpy.random.default_rng(1).normal(size=(50, 3))
print(dualpc.DualPC(progress=True).fit(X).graph_.n_vars)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "3\n" and done.stderr == ""
