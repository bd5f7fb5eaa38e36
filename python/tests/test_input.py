"""What X may be: types, orders, views, data frames; nothing is copied that need not be."""
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest

import dualpc
from dualpc._input import as_table


def same(result, other):
    return (np.array_equal(result.correlation, other.correlation)
            and np.array_equal(result.adjacency, other.adjacency))


# ---- Arrays ----

@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "g", ">f8", ">f4", "i1", "i2", "i4", "i8",
                                   "u1", "u2", "u4", "u8", ">i4"])
@pytest.mark.parametrize("order", "CF")
def test_types_and_orders(X, dtype, order):
    values = np.array(X * 10 + 100, dtype=dtype, order=order)
    expected = dualpc.learn(np.array(values, dtype=float))
    assert same(dualpc.learn(values), expected)


@pytest.mark.filterwarnings("ignore::dualpc.DualPCWarning")  # few values
def test_truth_values(X):
    assert same(dualpc.learn(X > 0), dualpc.learn((X > 0) * 1.0))


VIEWS = {
    "rows": lambda X: X[::3],
    "columns": lambda X: X[:, ::2],
    "backwards": lambda X: X[::-1, ::-1],
    "middle": lambda X: X[10:-10, 1:-1],
    "transposed": lambda X: np.ascontiguousarray(X.T).T,
    "strided both": lambda X: X[5::2, 1::3],
    "of three dimensions": lambda X: np.stack([X, X * 2], axis=2)[:, :, 1],
    "read only": lambda X: X,
}


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("view", VIEWS)
def test_views_are_not_copied(X, view, dtype):
    values = VIEWS[view](X.astype(dtype) if dtype == "f4" else X)
    assert np.shares_memory(as_table(values, None).values, values)
    assert as_table(values, None).values.dtype == values.dtype
    assert same(dualpc.learn(values), dualpc.learn(np.array(values, dtype=float, order="F")))


def test_nothing_large_is_allocated():
    """numpy tells tracemalloc of its memory: a copy of the table would show."""
    values = np.random.default_rng(1).normal(size=(20000, 20))
    frame = pd.DataFrame(values)
    for given in (values, values[:, ::2], np.asfortranarray(values), values.astype("f4"), frame):
        tracemalloc.start()
        dualpc.learn(given)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 200_000
    tracemalloc.start()
    dualpc.learn(values.astype(int))
    assert tracemalloc.get_traced_memory()[1] > values.nbytes  # so that it would show
    tracemalloc.stop()


def test_cells_out_of_step(X):
    """Fields of records, and bytes that are not aligned: then there is a copy."""
    records = np.zeros(X.shape, dtype=[("a", "u1"), ("value", "f8")])
    records["value"] = X
    assert same(dualpc.learn(records["value"]), dualpc.learn(X))
    odd = np.frombuffer(b"x" + X.tobytes(), dtype="u1")[1:].view("f8").reshape(X.shape)
    assert same(dualpc.learn(odd), dualpc.learn(X))


def test_lists_and_others(X):
    class Arrayed:
        def __array__(self, dtype=None):
            return X

    assert same(dualpc.learn(X.tolist()), dualpc.learn(X))
    assert same(dualpc.learn(Arrayed()), dualpc.learn(X))
    assert same(dualpc.learn(memoryview(X)), dualpc.learn(X))


def test_the_input_is_not_changed(X):
    values = X.copy()
    dualpc.learn(values, normalize="copula", bootstrap=3)
    assert np.array_equal(values, X)


# ---- Data frames ----

def test_pandas(example):
    names, X = example
    frame = pd.DataFrame(X, columns=names)
    assert np.shares_memory(as_table(frame, None).values, X)
    result = dualpc.learn(frame)
    assert result.names == tuple(names) and same(result, dualpc.learn(X))
    assert dualpc.learn(frame, names=list("abcdefghijkl")).names[0] == "a"
    numbered = dualpc.learn(pd.DataFrame(X))
    assert numbered.names[:2] == ("0", "1")
    assert numbered.sepset(5, 11) == numbered.sepset("5", "11")


@pytest.mark.filterwarnings("ignore::dualpc.DualPCWarning")  # few values
def test_pandas_of_many_types(X):
    frame = pd.DataFrame({"i": (X[:, 0] * 10).astype(int), "f": X[:, 1], "b": X[:, 2] > 0,
                          "f4": X[:, 3].astype("f4"), "I": pd.array((X[:, 4] * 9).astype(int)),
                          "F": pd.array(X[:, 5], dtype="Float64")})
    plain = frame.astype(float).to_numpy()
    assert same(dualpc.learn(frame), dualpc.learn(plain))


def test_columns_of_the_same_name(X):
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "a"]).astype({"b": "f4"})
    with pytest.raises(dualpc.DataError, match="'a'"):
        dualpc.learn(frame)
    assert same(dualpc.learn(frame, names=["x", "y", "z"]), dualpc.learn(frame.to_numpy()))


@pytest.mark.parametrize("column, dtype", [(["a", 2], "object"),
                                           (pd.to_datetime(["2020", "2021"]), "datetime"),
                                           ([1j, 2j], "complex")])
def test_columns_that_are_no_numbers(X, column, dtype):
    frame = pd.DataFrame(X[:, :3], columns=["x", "y", "z"])
    frame["group"] = pd.Series(column).repeat(len(X) // 2).reset_index(drop=True)
    with pytest.raises(dualpc.DataError, match=f"^column 'group' has dtype '{dtype}"):
        dualpc.learn(frame)


class Interchanged:
    """A data frame that has the interchange protocol and nothing else."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, **options):
        return self.frame.__dataframe__(**options)


@pytest.mark.filterwarnings("ignore::dualpc.DualPCWarning")  # few values
def test_interchange(example):
    names, X = example
    result = dualpc.learn(Interchanged(pd.DataFrame(X, columns=names)))
    assert result.names == tuple(names) and same(result, dualpc.learn(X))
    mixed = pd.DataFrame({"i": (X[:, 0] * 10).astype("i2"), "u": (X[:, 0] * 5 + 50).astype("u1"),
                          "f": X[:, 1].astype("f4"), "b": X[:, 2] > 0, "d": X[:, 3]})
    assert same(dualpc.learn(Interchanged(mixed)), dualpc.learn(mixed.astype(float).to_numpy()))
    mixed["when"] = pd.date_range("2024-01-01", periods=len(X))
    with pytest.raises(dualpc.DataError, match="^column 'when' has dtype 'datetime"):
        dualpc.learn(Interchanged(mixed))


def test_interchange_of_masks():
    """Missing cells by a bit, by a byte and by a value; booleans as bits; several chunks."""
    class Buffer:
        def __init__(self, array):
            self.array, self.ptr, self.bufsize = array, array.ctypes.data, array.nbytes

    class Column:
        offset = 1

        def __init__(self, data, dtype, null, validity=None):
            self.data, self.dtype, self.describe_null, self.validity = data, dtype, null, validity

        def size(self):
            return 4

        def get_buffers(self):
            return {"data": (Buffer(self.data), self.dtype), "validity": self.validity}

        def get_chunks(self):
            return [self, self]

    numbers = np.array([9, 1, 2, 3, 4], dtype="i4")
    bits = (Buffer(np.packbits([1, 1, 0, 1, 1], bitorder="little")), (20, 1, "b", "="))
    octets = (Buffer(np.array([0, 0, 0, 1, 0], dtype="u1")), (20, 8, "b", "="))
    columns = {"bits": Column(numbers, (0, 32, "i", "="), (3, 0), bits),
               "bytes": Column(numbers, (0, 32, "i", "="), (4, 1), octets),
               "value": Column(numbers, (0, 32, "i", "="), (2, 4)),
               "whole": Column(np.packbits([0, 1, 0, 1, 1], bitorder="little"), (20, 1, "b", "="),
                               (0, None))}

    class Frame:
        def __dataframe__(self):
            return self

        def column_names(self):
            return list(columns)

        def num_rows(self):
            return 8

        def get_column_by_name(self, name):
            return columns[name]

    nan = np.nan
    expected = np.array([[1, nan, 3, 4], [1, 2, nan, 4], [1, 2, 3, nan], [1, 0, 1, 1]]).T
    table = as_table(Frame(), None)
    assert table.names == tuple(columns)
    assert np.array_equal(table.values, np.vstack([expected, expected]), equal_nan=True)


# ---- Missing cells ----

def test_missing(X):
    holes = X.copy()
    holes[[3, 3, 77], [2, 5, 0]] = np.nan
    with pytest.raises(dualpc.DataError, match="missing"):
        dualpc.learn(holes)
    with pytest.warns(dualpc.DualPCWarning, match="^2 rows dropped that had missing values$"):
        result = dualpc.learn(holes, missing="rows")
    assert result.n_obs == len(X) - 2 and "2 rows dropped" in result.warnings[0]
    assert same(result, dualpc.learn(np.delete(X, [3, 77], axis=0)))
    assert same(dualpc.learn(X, missing="rows"), dualpc.learn(X))
    with pytest.raises(dualpc.UsageError,
                       match="^missing must be one of error, rows, pairwise, em, not 'no'$"):
        dualpc.learn(X, missing="no")
    frame = pd.DataFrame(X).astype("Float64")
    frame.iloc[[3, 77], 1] = pd.NA
    with pytest.warns(dualpc.DualPCWarning, match="2 rows"):
        assert same(dualpc.learn(frame, missing="rows"), result)
    masked = np.ma.masked_array((X * 10).astype(int), np.isnan(holes))
    with pytest.warns(dualpc.DualPCWarning, match="2 rows"):
        assert dualpc.learn(masked, missing="rows").n_obs == len(X) - 2


@pytest.mark.parametrize("missing", ["error", "rows", "pairwise", "em"])
def test_columns_without_numbers(X, missing):
    plain = dualpc.learn(X, names=[f"x{j}" for j in range(X.shape[1])])
    frame = pd.DataFrame(X, columns=plain.names)
    frame.insert(1, "gap", np.nan)
    with pytest.warns(dualpc.DualPCWarning,
                      match="^column 'gap' has no numbers, every cell is missing; it was left out$"):
        result = dualpc.learn(frame, missing=missing)
    assert result.names == plain.names and same(result, plain)
    with pytest.warns(dualpc.DualPCWarning, match="'V2' has no numbers"):
        assert dualpc.learn(frame.to_numpy(), missing=missing).names[:2] == ("V1", "V3")
    with pytest.raises(dualpc.DataError, match="^no column has numbers, every cell is missing$"):
        dualpc.learn(frame[["gap"]], missing=missing)
    with pytest.raises(dualpc.DataError, match="^only column 'x0' has numbers"):
        dualpc.learn(frame[["x0", "gap"]], missing=missing)


def test_drop_text(X):
    plain = dualpc.learn(X, names=[f"x{j}" for j in range(X.shape[1])])
    frame = pd.DataFrame(X, columns=plain.names)
    frame["who"] = ["", "Ann"] * (len(X) // 2)
    frame["kind"] = pd.Categorical(["a", "b"] * (len(X) // 2))
    frame["when"] = pd.date_range("2024-01-01", periods=len(X))
    with pytest.raises(dualpc.DataError, match="'when' has dtype.*drop_text=True"):
        dualpc.learn(frame)
    with pytest.warns(dualpc.DualPCWarning,
                      match="^3 text columns were left out: 'who', 'kind', 'when'$"):
        result = dualpc.learn(frame, drop_text=True)
    assert result.names == plain.names and same(result, plain)
    assert same(dualpc.learn(X, drop_text=True), dualpc.learn(X))
    with pytest.raises(dualpc.DataError, match="^no column has numbers$"):
        dualpc.learn(frame[["who", "kind"]], drop_text=True)
    odd = frame.assign(odd=["1", "2"] * (len(X) // 2))  # one text among numbers is an error
    odd.loc[7, "odd"] = "low"
    with pytest.raises(dualpc.DataError, match="'odd' is not numeric"):
        dualpc.learn(odd, drop_text=True)
    objects = np.column_stack([X.astype(object), frame["who"].to_numpy(dtype=object)])
    with pytest.warns(dualpc.DualPCWarning, match="1 text column was left out"):
        assert same(dualpc.learn(objects, drop_text=True), dualpc.learn(X))


@pytest.mark.parametrize("missing", ["pairwise", "em"])
def test_estimates_around_missing_cells(X, missing):
    holes = X.copy()
    holes[[3, 3, 77], [2, 5, 0]] = np.nan
    with pytest.warns(dualpc.DualPCWarning, match="each test counts with"):
        result = dualpc.learn(holes, missing=missing, bootstrap=3)
    assert len(X) - 3 <= result.n_obs < len(X)
    with pytest.warns(dualpc.DualPCWarning):
        assert same(dualpc.learn(np.asfortranarray(holes), missing=missing), result)
    assert same(dualpc.learn(X, missing=missing), dualpc.learn(X))


def test_objects(X):
    """Numbers that numpy has as objects are numbers, and None is a cell that is missing."""
    plain = dualpc.learn(X)
    assert same(dualpc.learn(X.astype(object)), plain)
    assert same(dualpc.learn(X.tolist()), plain)
    whole = (X * 100).astype(int)
    assert same(dualpc.learn(whole.astype(object)), dualpc.learn(whole))
    holes, objects = X.copy(), X.astype(object)
    holes[[3, 77, 78], [2, 0, 0]] = np.nan
    objects[3, 2], objects[77, 0], objects[78, 0] = None, np.nan, pd.NA
    for given in (objects, objects.tolist(), pd.DataFrame(objects), np.asfortranarray(objects)):
        with pytest.raises(dualpc.DataError, match="^3 missing cells, the first in column "):
            dualpc.learn(given)
        with pytest.warns(dualpc.DualPCWarning, match="each test counts with"):
            found = dualpc.learn(given, missing="em")
        with pytest.warns(dualpc.DualPCWarning):
            assert same(found, dualpc.learn(holes, missing="em"))
    for wrong in ("1.5", 1j, [1], object(), 10**400):
        objects[9, 9] = wrong
        with pytest.raises(dualpc.DataError, match="^the table has cells that are no numbers; .*NaN or None"):
            dualpc.learn(objects, missing="em")
        with pytest.raises(dualpc.DataError, match="^column '9' has dtype 'object'"):
            dualpc.learn(pd.DataFrame(objects), missing="em")


def test_sentences_about_missing_cells(X):
    """They say what to do as Python spells it."""
    holes = X[:, :3].copy()
    holes[3, 2] = np.nan
    with pytest.raises(dualpc.DataError, match=r"""^1 missing cell, the first in column 'V3', row 4; use missing="em" """
                       r"""\(recommended\), missing="pairwise" or missing="rows", or fill them in$"""):
        dualpc.learn(holes)
    holes[:250, 0] = holes[250:, 1] = np.nan
    with pytest.raises(dualpc.DataError, match="""leave out one of them, or use missing="em"$"""):
        dualpc.learn(holes, missing="pairwise")


@pytest.mark.parametrize("wrong", [0, -1, 2.5, 2**31, 1e19, np.inf, np.nan, True, "3", None, [2]])
def test_counts(X, wrong):
    """Whole numbers, before they come to a type of C that has no room for them."""
    if wrong is not None:
        with pytest.raises(dualpc.UsageError, match="^bootstrap must be a whole number, at least 1 and at most 2147483647"):
            dualpc.learn(X, bootstrap=wrong)
        with pytest.raises(dualpc.UsageError, match="^top must be a whole number, at least 1 and at most 2147483647"):
            dualpc.learn(X).effects(top=wrong)
    assert dualpc.learn(X, bootstrap=2.0).resamples == dualpc.learn(X, bootstrap=np.int8(2)).resamples == 2


# ---- What is refused, and what is told ----

def test_refused(X):
    class Sparse:
        def toarray(self):
            return X

    for wrong, why in [(X[0], "two dimensions, .*, not 1"), (X[None], "not 3"), (3.0, "not 0"),
                       ([["a", "b"]], "numbers, not <U1"), (X + 1j, "not complex128"),
                       ([[object(), 1]], "cells that are no numbers"), (Sparse(), "toarray"),
                       (np.empty((0, 3)), "observation"), (np.empty((3, 0)), ""),
                       (np.full((9, 3), np.inf), "infinite")]:
        with pytest.raises(dualpc.DataError, match=why):
            dualpc.learn(wrong)
    with pytest.raises(dualpc.UsageError, match="^there are 2 names for 12 columns$"):
        dualpc.learn(X, names=["a", "b"])
    with pytest.raises(dualpc.UsageError, match="list of texts"):
        dualpc.learn(X[:, :3], names="abc")
    with pytest.raises(dualpc.DataError, match="'a'"):
        dualpc.learn(X[:, :3], names=["a", "b", "a"])
    with pytest.raises(ValueError, match="NUL"):
        dualpc.learn(X[:, :2], names=["a\0", "b"])
    with pytest.raises(ValueError, match="surrogates"):
        dualpc.learn(X[:, :2], names=["\ud800", "b"])
    assert dualpc.learn(X[:, :2], names=["größe", "x y"]).names == ("größe", "x y")


def test_warnings(X):
    copied = np.column_stack([X, X[:, 0], np.ones(len(X))])
    with pytest.warns(dualpc.DualPCWarning) as seen:
        result = dualpc.learn(copied)
    assert [str(warning.message) for warning in seen] == list(result.warnings)
    assert all(warning.filename == __file__ for warning in seen)
    assert any("constant" in text for text in result.warnings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dualpc.learn(X).warnings == ()


def test_correlation_matrices(X):
    C = np.cov(X, rowvar=False)
    table = dualpc.learn(X)
    for given in (C, np.asfortranarray(C), pd.DataFrame(C), C.astype("f4"), C.tolist()):
        result = dualpc.learn_correlation(given, 500)
        assert np.array_equal(result.adjacency, table.adjacency) and result.n_obs == 500
    for wrong, why in [(C[:3], ""), (C + np.triu(C), "symmetric"), (-C, "")]:
        with pytest.raises(dualpc.DataError, match=why):
            dualpc.learn_correlation(wrong, 500)
    for count in (0, -3, 2.5, True, 10**16, np.inf, np.nan, np.float64(1e19), "many", None, [5]):
        with pytest.raises(dualpc.UsageError, match="^n_obs must be a whole number, at least 1"):
            dualpc.learn_correlation(C, count)
    with pytest.raises(dualpc.UsageError, match="normalize copula needs the table"):
        dualpc.learn_correlation(C, 500, normalize="copula")
    with pytest.raises(TypeError, match="'bootstrap'"):
        dualpc.learn_correlation(C, 500, bootstrap=3)
