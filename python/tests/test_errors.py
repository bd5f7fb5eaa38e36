"""Errors say what the program says, and are of the kinds that Python knows."""
import numpy as np
import pytest
from conftest import EXAMPLE, program

import dualpc


def said(*arguments, code):
    """The sentence of the program, without the names of the program and of the file."""
    text = program("learn", *arguments, "--quiet", code=code)
    line = text.strip().splitlines()[-1].removeprefix("dualpc: ")
    return line.removeprefix(f"{arguments[0]}: ").replace("--", "")


@pytest.mark.parametrize("option, value", [
    ("alpha", 2), ("alpha", "x"), ("alpha_dual", 0), ("method", "dula"), ("max_order", -1),
    ("max_order", 1.5), ("min_ess", -2), ("threads", 0), ("threads", 5000), ("order", "")])
def test_wrong_values(X, option, value):
    with pytest.raises(dualpc.UsageError) as refused:
        dualpc.learn(X, **{option: value})
    assert str(refused.value) == said(EXAMPLE, f"--{option.replace('_', '-')}", value, code=1)
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize("options", [
    {"method": "ges", "rule": "and"}, {"method": "ges", "separating_sets": True}, {"penalty": 1}, {"restarts": 2}, {"refine": "fast", "restarts": 2},
    {"refine": "exact", "restarts": 2},
    {"seed": 3}, {"subsample": 0.5}, {"min_frequency": 0.5},
    {"refine": "fast", "method": "ges"}, {"bootstrap": 3, "min_frequency": 1, "min_evidence": 2}])
def test_what_does_not_go_together(X, options):
    arguments = ["--format", "json"]
    for name, value in options.items():
        arguments += [f"--{name.replace('_', '-')}"] + [value] * (value is not True)
    with pytest.raises(dualpc.UsageError) as refused:
        dualpc.learn(X, **options)
    words = said(EXAMPLE, *arguments, code=1)
    words = words.replace(", latent search or posterior", " or latent search")  # that is sample()
    assert str(refused.value).replace("_", "-") == words


def tables(X):
    holes, infinite = X.copy(), X.copy()
    holes[5, 2] = np.nan
    infinite[7, 3] = np.inf
    return {"two rows": X[:2], "infinite": infinite}


@pytest.mark.parametrize("which", ["two rows", "infinite"])
def test_bad_tables(X, which, tmp_path):
    table = tables(X)[which]
    path = tmp_path / "bad.csv"
    np.savetxt(path, table, delimiter=",", comments="", header=",".join(
        f"V{i + 1}" for i in range(table.shape[1])))
    with pytest.raises(dualpc.DataError) as refused:
        dualpc.learn(table)
    words = said(path, code=2)
    assert str(refused.value).split(";")[0].split(",")[0] in words
    assert isinstance(refused.value, ValueError) and isinstance(refused.value, dualpc.DualPCError)


def test_kinds():
    assert issubclass(dualpc.OutOfMemoryError, MemoryError)
    assert issubclass(dualpc.WriteError, OSError)
    assert issubclass(dualpc.Interrupted, KeyboardInterrupt)
    assert not issubclass(dualpc.Interrupted, Exception)
    assert issubclass(dualpc.DualPCWarning, UserWarning)


def test_out_of_memory():
    """A matrix of more doubles than there is memory: the columns are one and the same cell."""
    wide = np.lib.stride_tricks.as_strided(np.zeros(8), (4, 300_000), (8, 0))
    with pytest.raises(dualpc.OutOfMemoryError, match="memory"):
        dualpc.learn(wide)


def test_a_long_name_in_a_sentence(X):
    """Sentences are cut to size, within a character perhaps."""
    with pytest.raises(dualpc.DualPCError) as refused:
        dualpc.learn(X[:, :2], names=["ä" * 5000] * 2)
    assert "ä" in str(refused.value)
