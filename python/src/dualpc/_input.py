"""From what users have to an array of doubles or floats, without a copy where none is needed."""
from __future__ import annotations

import json
import numbers
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._errors import DataError, UsageError
from ._interchange import from_dataframe, without_text
from ._kinds import Kinds, Levels, levels_of_texts, variable_names, with_kinds

_KINDS = {"b": "truth values", "i": "whole numbers", "u": "whole numbers", "f": "numbers"}


class Table(NamedTuple):
    values: np.ndarray  #: two-dimensional, doubles or floats, with strides of whole cells
    names: tuple[str, ...]
    labels: tuple[Any, ...] | None  #: what the columns of a data frame are called
    levels: Mapping[int, Levels] = {}  #: by column: the cells are their places


def _refuse_column(label: Any, dtype: Any) -> DataError:
    return DataError(f"column '{label}' has dtype '{dtype}'; only numbers, texts, categories and "
                     "truth values are supported; drop_text=True leaves out all columns of text "
                     "and dates")


def _is_missing(cell: Any) -> bool:
    return cell is None or type(cell).__name__ == "NAType"  # that of pandas


def _from_objects(values: np.ndarray) -> np.ndarray | None:
    """Objects that are numbers, or nothing, as doubles; None: some are neither."""
    cells = values.ravel()
    if not all(isinstance(cell, (numbers.Real, np.bool_)) or _is_missing(cell) for cell in cells):
        return None
    try:
        found = [np.nan if _is_missing(cell) else float(cell) for cell in cells]
    except OverflowError:  # a whole number beyond all doubles
        return None
    return np.array(found, dtype=float).reshape(values.shape)


def _as_categories(series: Any) -> tuple[np.ndarray, Levels]:
    """A categorical column of pandas."""
    codes = np.asarray(series.cat.codes).astype(float)
    codes[codes < 0] = np.nan
    return codes, Levels(tuple(map(str, series.cat.categories)), bool(series.cat.ordered))


def _texts(values: np.ndarray) -> list[str | None] | None:
    """Cells that are texts or missing; None: some are neither."""
    cells = [None if _is_missing(cell) or cell != cell else cell for cell in values.ravel()]
    return cells if all(cell is None or isinstance(cell, str) for cell in cells) else None


def _column(series: Any, label: Any) -> tuple[np.ndarray, Levels | None]:
    """A column of a data frame; missing cells are NaN."""
    if hasattr(series, "cat") and hasattr(getattr(series, "dtype", None), "categories"):
        return _as_categories(series)
    values = np.asarray(series)
    dtype = getattr(series, "dtype", values.dtype)
    if dtype == np.dtype(object) and (found := _from_objects(values)) is not None:
        return found, None
    kind = getattr(dtype, "kind", values.dtype.kind)
    if kind not in _KINDS:  # a column of texts is of kind O, or U
        texts = _texts(values) if values.dtype.kind in "OUT" else None
        if texts is None:
            raise _refuse_column(label, dtype)
        return levels_of_texts(texts, label)
    if values.dtype.kind not in _KINDS:  # numbers of pandas that may be missing
        values = series.to_numpy(dtype=float, na_value=np.nan)
    return values, Levels(("False", "True")) if kind == "b" else None


def _is_number(cell: Any) -> bool:
    try:
        return bool(np.isfinite(float(cell)))
    except (TypeError, ValueError, OverflowError):
        return False


def _is_text(series: Any) -> bool:
    """Has the column cells, and none of them is a number, not even one that is written as text?"""
    values = np.asarray(series)
    if getattr(getattr(series, "dtype", values.dtype), "kind", "O") in _KINDS:
        return False
    if values.dtype.kind in "mM":
        return True
    seen = [cell for cell in values.ravel() if not _is_missing(cell) and cell == cell]
    return len(seen) > 0 and not any(map(_is_number, seen))


def _columns_of_text(X: Any) -> list[int]:
    """Those of a data frame, or of an array of objects."""
    if _is_frame(X):
        if _is_plain(X):
            return []
        return [i for i, label in enumerate(X.columns)
                if _is_text(X.iloc[:, i] if hasattr(X, "iloc") else X[label])]
    values = np.asarray(X)
    if values.dtype.kind != "O" or values.ndim != 2:
        return []
    return [j for j in range(values.shape[1]) if _is_text(values[:, j])]


def _drop_text(X: Any, names: Sequence[Any] | None) -> tuple[Any, Sequence[Any] | None, list[str]]:
    """The table and its names without the columns of text, and what these are called."""
    if not hasattr(X, "__array__") and hasattr(X, "__dataframe__"):
        frame = X.__dataframe__()
        all_names = list(frame.column_names())
        frame, dropped = without_text(frame)
        text = [all_names.index(name) for name in dropped]
        rest: Any = _Frame(frame)
    else:
        text = _columns_of_text(X)
        count = np.shape(X)[1] if text else 0
        kept = [j for j in range(count) if j not in text]
        all_names = list(X.columns) if _is_frame(X) else [f"V{j + 1}" for j in range(count)]
        if not text:
            return X, names, []
        if _is_frame(X):
            rest = X.iloc[:, kept] if hasattr(X, "iloc") else X[[all_names[j] for j in kept]]
        else:
            rest = np.asarray(X)[:, kept]
    if names is not None and not isinstance(names, str) and len(names) == len(all_names):
        all_names = list(names)
    _check_left([name for j, name in enumerate(all_names) if j not in text], "no column has numbers")
    if names is not None or not (_is_frame(X) or hasattr(X, "__dataframe__")):
        names = [name for j, name in enumerate(all_names) if j not in text]
    return rest, names, [str(all_names[j]) for j in text]


def _check_left(names: Sequence[Any], none: str) -> None:
    """There must be two columns where some were left out."""
    if len(names) == 0:
        raise DataError(none)
    if len(names) == 1:
        raise DataError(f"only column '{names[0]}' has numbers, and a graph needs at least two "
                        "variables")


class _Frame:
    """A data frame by the interchange protocol alone."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __dataframe__(self) -> Any:
        return self._frame


def _is_frame(X: Any) -> bool:
    return all(hasattr(X, has) for has in ("columns", "dtypes", "__getitem__", "__array__"))


def _is_plain(X: Any) -> bool:
    """Are all columns of one type, which is one of numpy's and of numbers? Truth values are none."""
    types = set(X.dtypes)
    return len(types) == 1 and isinstance(kind := types.pop(), np.dtype) and kind.kind in "iuf"


def _values(X: Any) -> tuple[np.ndarray, tuple[Any, ...] | None, dict[int, Levels]]:
    if not hasattr(X, "__array__") and hasattr(X, "__dataframe__"):
        return from_dataframe(X.__dataframe__(), _refuse_column)
    labels = tuple(X.columns) if _is_frame(X) else None
    if np.ma.isMaskedArray(X):
        return X.astype(float).filled(np.nan), None, {}
    if labels is not None and not _is_plain(X):
        columns = [_column(X.iloc[:, i] if hasattr(X, "iloc") else X[label], label)
                   for i, label in enumerate(labels)]
        levels = {j: found for j, (_, found) in enumerate(columns) if found is not None}
        return (np.column_stack([cells for cells, _ in columns]).astype(float, copy=False), labels,
                levels)
    values = np.asarray(X)
    if values.dtype.kind == "O" and values.ndim == 2:
        found = _from_objects(values)
        values = values if found is None else found
    return values, labels, {}


def _check(values: np.ndarray, X: Any) -> None:
    if hasattr(X, "toarray"):
        raise DataError("the table is sparse; give its toarray()")
    if values.dtype.kind == "O" and values.ndim == 2:
        raise DataError("the table has cells that are no numbers; give numbers, with NaN or None "
                        "where one is missing")
    if values.dtype.kind not in _KINDS:
        raise DataError(f"the table must have numbers, not {values.dtype}")
    if values.ndim != 2:
        raise DataError("the table must have two dimensions, observations and variables, not "
                        f"{values.ndim}")


def _names(names: Any, labels: tuple[Any, ...] | None, count: int) -> tuple[str, ...]:
    given = labels if names is None else names
    if given is None:
        return tuple(f"V{i + 1}" for i in range(count))
    if isinstance(given, str):
        raise UsageError("names must be a list of texts, not one text")
    found = tuple(map(str, given))
    if len(found) != count:
        raise UsageError(f"there are {len(found)} names for {count} columns")
    return found


def as_data(X: Any, names: Sequence[Any] | None, drop_text: bool) -> tuple[Table, list[str]]:
    """The columns that have numbers, and sentences about those that were left out."""
    noted = []
    if drop_text:
        X, names, text = _drop_text(X, names)
        if text:
            noted.append(f"{len(text)} text column{' was' if len(text) == 1 else 's were'} left "
                         f"out: {_listed(text)}")
    table, empty = _without_empty(as_table(X, names))
    if empty:
        noted.append(f"column{'' if len(empty) == 1 else 's'} {_listed(empty)} "
                     f"{'has' if len(empty) == 1 else 'have'} no numbers, every cell is missing; "
                     f"{'it was' if len(empty) == 1 else 'they were'} left out")
    return table, noted


def _listed(names: Sequence[str]) -> str:
    most = 10
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + more


def _without_empty(table: Table) -> tuple[Table, list[str]]:
    """The table without the columns whose every cell is missing, and the names of these."""
    values, names, labels, levels = table
    if values.shape[0] == 0 or not np.isnan(values[0]).any():
        return table, []
    empty = np.isnan(values).all(axis=0)
    if not empty.any():
        return table, []

    def kept(of: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(item for item, gone in zip(of, empty) if not gone)

    _check_left(kept(names), "no column has numbers, every cell is missing")
    at = np.cumsum(~empty) - 1
    rest = Table(np.ascontiguousarray(values[:, ~empty]), kept(names), labels and kept(labels),
                 {int(at[j]): found for j, found in levels.items() if not empty[j]})
    return rest, [name for name, gone in zip(names, empty) if gone]


def as_table(X: Any, names: Sequence[Any] | None) -> Table:
    values, labels, levels = _values(X)
    _check(values, X)
    wanted = np.dtype(np.float32 if values.dtype == np.float32 else np.float64)
    whole = all(stride % wanted.itemsize == 0 for stride in values.strides)
    if values.dtype != wanted or not values.flags.aligned or not whole:
        values = values.astype(wanted, order="K" if values.flags.c_contiguous else "F")
    return Table(values, _names(names, labels, values.shape[1]), labels, levels)


def without_missing(table: Table) -> tuple[Table, int]:
    """The rows that have all their cells, and how many have not."""
    whole = ~np.isnan(table.values).any(axis=1)
    dropped = int(len(whole) - whole.sum())
    if dropped == 0:
        return table, 0
    return table._replace(values=table.values[whole]), dropped


class Data(NamedTuple):
    """What a call takes in."""

    values: Any  #: an array; with kinds a tuple of it and them, as the extension takes it
    names: tuple[str, ...]  #: of the variables
    missing: str = "error"  #: what NaN do
    kinds: Kinds | None = None
    noted: Sequence[str] = ()  #: sentences about what was left out, and the like


def as_rows(X: Any, names: Sequence[Any] | None, drop_text: bool, missing: str,
            types: Mapping[Any, Any] | None) -> Data:
    """A table with the kinds of its columns, and without the rows that are to be dropped."""
    table, noted = as_data(X, names, drop_text)
    if missing not in ("error", "rows", "pairwise", "em"):
        raise UsageError(f"missing must be one of error, rows, pairwise, em, not '{missing}'")
    if missing == "rows":
        table, dropped = without_missing(table)
        if dropped:
            noted.append(f"{dropped} row{'s' * (dropped > 1)} dropped that had missing values")
        missing = "error"
    values, kinds, more = with_kinds(table.values, table.names, table.levels, types)
    noted += more
    if kinds is None:
        return Data(values, table.names, missing, None, noted)
    return Data((values, kinds), variable_names(kinds), missing, kinds, noted)


def as_matrix(C: Any, names: Sequence[Any] | None) -> Data:
    """A correlation or covariance matrix."""
    table = as_table(C, names)
    return Data(table.values, table.names)


# ---- Knowledge ----

def _json(value: Any) -> Any:
    """Names that are numbers, as those of data frames may be, and lists of all kinds."""
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _json(member) for key, member in value.items()}
    if hasattr(value, "__iter__"):
        return [_json(member) for member in value]
    return str(value)


def knowledge_text(knowledge: Any) -> tuple[str, str] | None:
    """What is known as a text, and what messages call it; no text: the library reads the file."""
    if knowledge is None:
        return None
    if isinstance(knowledge, Mapping):
        members = []
        for key, statements in knowledge.items():
            if isinstance(statements, str) or not hasattr(statements, "__iter__"):
                lines = json.dumps(statements, ensure_ascii=False, default=str)
            else:  # a line for each, which messages quote
                lines = ",\n".join(json.dumps(_json(s), ensure_ascii=False) for s in statements)
                lines = f"[\n{lines}\n]"
            members.append(f"{json.dumps(str(key), ensure_ascii=False)}: {lines}")
        return "{" + ",\n".join(members) + "}", "knowledge"
    try:
        path = os.fspath(knowledge)
    except TypeError:
        raise TypeError("knowledge must be a dict, or the path of a file, not "
                        f"{type(knowledge).__name__}") from None
    path = os.fsdecode(path)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        text = ""
    return ("" if "\0" in text else text), path
