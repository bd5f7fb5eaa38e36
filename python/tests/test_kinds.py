"""Kinds of columns: categories, truth values, texts; what `types` says; blocks."""
import pickle

import numpy as np
import pandas as pd
import pytest

import dualpc
from dualpc._input import as_data
from dualpc._kinds import variable_names, with_kinds


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(11)
    k = random.integers(0, 3, 300)
    x = random.normal(size=300) + k
    grade = np.array(["low", "mid", "high"])[np.clip(np.round(x), 0, 2).astype(int)]
    return pd.DataFrame({
        "x": x, "colour": pd.Categorical(np.array(["red", "tan", "blue"])[k]),
        "big": x + random.normal(size=300) > 1,
        "word": np.where(random.normal(size=300) + x > 1, "yes", "no"),
        "grade": pd.Categorical(grade, ["low", "mid", "high"], ordered=True),
        "y": x + random.normal(size=300), "z": random.normal(size=300)})


class Interchanged:
    """A data frame that has the interchange protocol and nothing else, as polars may be."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, **options):
        return self.frame.__dataframe__(**options)


def kinds(X, types=None):
    table, _ = as_data(X, None, False)
    return with_kinds(table.values, table.names, table.levels, types)


def same(a, b):
    return np.array_equal(a.adjacency, b.adjacency)


@pytest.mark.parametrize("wrap", [lambda frame: frame, Interchanged])
def test_types_of_columns(frame, wrap):
    values, found, noted = kinds(wrap(frame))
    assert found.words == ("number", "nominal", "nominal", "nominal", "ordered", "number", "number")
    assert found.levels[1:5] == (("blue", "red", "tan"), ("False", "True"), ("no", "yes"),
                                 ("low", "mid", "high"))
    assert not noted
    assert np.array_equal(values[:, 4], frame["grade"].cat.codes)
    assert np.array_equal(values[:, 3], frame["word"] == "yes")
    assert kinds(frame[["x", "y", "z"]])[1] is None


def test_texts_of_pandas(frame):
    text = frame.astype({"word": "string"})
    text.loc[3, "word"] = pd.NA
    values, found, _ = kinds(text)
    assert found.levels[3] == ("no", "yes") and np.isnan(values[3, 3])
    objects = frame.assign(word=frame["word"].astype(object).where(frame.index != 3, None))
    assert np.isnan(kinds(objects)[0][3, 3])


def test_unused_levels(frame):
    some = frame[frame["colour"] != "tan"]
    assert kinds(some)[1].levels[1] == ("blue", "red")
    assert kinds(frame[frame["colour"] == "tan"])[1].words[1] == "number"  # a constant


def test_two_categories_are_one_column(frame):
    columns = frame[["x", "big", "word", "y", "z"]]
    result = dualpc.learn(columns)
    with pytest.warns(dualpc.DualPCWarning):  # few values
        plain = dualpc.learn(columns.assign(big=columns["big"].astype(float),
                                            word=(columns["word"] == "yes").astype(float)))
    assert same(result, plain) and plain.variables is None
    assert result.variables["word"] == ("nominal", ("no", "yes"))
    renamed = columns.assign(word=columns["word"].map({"no": "b", "yes": "a"}))
    assert same(dualpc.learn(renamed), result)
    dualpc.learn(columns, bootstrap=5).verdict
    copy = pickle.loads(pickle.dumps(result))
    assert same(copy, result)
    with pytest.raises(dualpc.UsageError, match="learn anew"):
        copy.explain("x", "y")


def test_types(frame):
    codes = frame.assign(code=np.arange(300) % 3)
    _, found, _ = kinds(codes, {"code": "nominal", "z": "zero", "colour": "ordered"})
    assert found.words[1] == "ordered" and found.words[6:] == ("zero", "nominal")
    assert found.levels[7] == ("0", "1", "2") and found.levels[6] is None
    with pytest.raises(dualpc.UsageError, match="'nominel' for column 'code'; did you mean 'nominal'"):
        dualpc.learn(codes, types={"code": "nominel"})
    with pytest.raises(dualpc.UsageError, match="does not have: 'cod'; did you mean 'code'"):
        dualpc.learn(codes, types={"cod": "nominal"})
    with pytest.raises(TypeError, match="types must be a dict"):
        dualpc.learn(codes, types="nominal")
    with pytest.raises(dualpc.DataError, match="'colour' is not numeric"):
        dualpc.learn(codes, types={"colour": "number"})
    with pytest.warns(dualpc.DualPCWarning, match="'no' < 'yes'"):
        dualpc.learn(frame[["x", "y", "word"]], types={"word": "ordered"})
    assert kinds(frame[["x", "y"]].to_numpy(), {"V2": "zero"})[1].words == ("number", "zero")


def test_blocks(frame):
    _, found, _ = kinds(frame[["x", "y", "z", "big"]], {"pose": ["z", "x"]})
    assert found.blocks == (("pose", (2, 0)),)
    assert variable_names(found) == ("pose", "y", "big")
    for types, part in [({"pose": ["x", "w"]}, "does not have: 'w'"), ({"pose": ["x"]}, "two columns"),
                        ({"y": ["x", "z"]}, "has the name of a column"),
                        ({"p": ["x", "y"], "q": ["y", "z"]}, "in a block already")]:
        with pytest.raises(dualpc.UsageError, match=part):
            dualpc.learn(frame, types=types)
    with pytest.raises(dualpc.DataError, match="'big' of block 'pose' is nominal"):
        dualpc.learn(frame, types={"pose": ["x", "big"]})


def test_names_and_slips(frame):
    with pytest.raises(dualpc.DataError, match="'id' has 300 different texts in 300 rows"):
        dualpc.learn(frame.assign(id=[f"p{i}" for i in range(300)]))
    odd = frame.assign(odd=frame["x"].astype(str))
    odd.loc[7, "odd"] = "low"
    with pytest.raises(dualpc.DataError, match="'odd' is not numeric: 1 cell, 'low'"):
        dualpc.learn(odd)


def test_missing_categories(frame):
    holes = frame[["x", "y", "z", "word"]].copy()
    holes.loc[4, "word"] = None
    with pytest.raises(dualpc.DualPCError, match="'word' is nominal and has missing cells"):
        dualpc.learn(holes, missing="em")
    with pytest.warns(dualpc.DualPCWarning, match="1 row dropped"):
        assert dualpc.learn(holes, missing="rows").n_obs == 299


def columns_of(frame, name, but=None):
    """The columns of a variable in a regression: without its most frequent level, and `but` last."""
    cells = frame[name]
    if cells.dtype.kind == "f":
        return [cells.to_numpy()]
    counts = cells.value_counts()
    levels = [level for level in counts.index if level != counts.index[0]]
    levels.sort(key=lambda level: str(level) == but)
    return [(cells == level).to_numpy(float) for level in levels]


def test_effects(frame):
    table = frame[["x", "colour", "word", "y", "z"]]
    result = dualpc.learn(table, alpha=0.2)
    found = result.effects(ida="pcalg")
    kinds_of = {"x": "number", "colour": "nominal", "word": "nominal", "y": "number", "z": "number"}
    assert {row.name: row.type for row in result.node_table()} == kinds_of
    assert all((e.contrast is None) == (kinds_of[e.cause] == "number") for e in found)
    assert all((e.level is None) == (kinds_of[e.outcome] == "number") for e in found)
    compared = 0
    for e in found:
        if e.contrast is not None:
            assert e.baseline == table[e.cause].value_counts().index[0]
        y = (table[e.outcome] == e.level).to_numpy(float) if e.level else table[e.outcome].to_numpy()
        for one in e.effects:
            if one.se == 0:
                continue
            X = np.column_stack([np.ones(len(table))] + [c for name in one.set
                                                         for c in columns_of(table, name)]
                                + columns_of(table, e.cause, e.contrast))
            beta, left = np.linalg.lstsq(X, y, rcond=None)[:2]
            se = np.sqrt(left[0] / (len(y) - X.shape[1]) * np.linalg.inv(X.T @ X)[-1, -1])
            assert np.allclose([one.effect, one.se], [beta[-1], se], rtol=1e-8, atol=1e-10)
            compared += 1
    assert compared > 10
    with pytest.raises(dualpc.UsageError, match="another process"):
        pickle.loads(pickle.dumps(result)).effects()
    assert result.effects("x", "y")[0].contrast is None
