"""From what users have to an array of doubles or floats, without a copy where none is needed."""
from __future__ import annotations

import json
import numbers
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._errors import DataError, UsageError
from ._interchange import from_dataframe

_KINDS = {"b": "truth values", "i": "whole numbers", "u": "whole numbers", "f": "numbers"}


class Table(NamedTuple):
    values: np.ndarray  #: two-dimensional, doubles or floats, with strides of whole cells
    names: tuple[str, ...]
    labels: tuple[Any, ...] | None  #: what the columns of a data frame are called


def _refuse_column(label: Any, dtype: Any) -> DataError:
    return DataError(f"column '{label}' is not numeric but {dtype}; leave it out, or turn it into "
                     "numbers")


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


def _column(series: Any, label: Any) -> np.ndarray:
    """A column of a data frame; missing cells are NaN."""
    values = np.asarray(series)
    dtype = getattr(series, "dtype", values.dtype)
    if dtype == np.dtype(object) and (found := _from_objects(values)) is not None:
        return found
    if getattr(dtype, "kind", values.dtype.kind) not in _KINDS:  # a categorical one is of kind O
        raise _refuse_column(label, dtype)
    if values.dtype.kind in _KINDS:
        return values
    return series.to_numpy(dtype=float, na_value=np.nan)  # numbers of pandas that may be missing


def _is_frame(X: Any) -> bool:
    return all(hasattr(X, has) for has in ("columns", "dtypes", "__getitem__", "__array__"))


def _is_plain(X: Any) -> bool:
    """Are all columns of one type, which is one of numpy's and of numbers?"""
    types = set(X.dtypes)
    return len(types) == 1 and isinstance(kind := types.pop(), np.dtype) and kind.kind in _KINDS


def _values(X: Any) -> tuple[np.ndarray, tuple[Any, ...] | None]:
    if not hasattr(X, "__array__") and hasattr(X, "__dataframe__"):
        return from_dataframe(X.__dataframe__(), _refuse_column)
    labels = tuple(X.columns) if _is_frame(X) else None
    if np.ma.isMaskedArray(X):
        return X.astype(float).filled(np.nan), None
    if labels is not None and not _is_plain(X):
        columns = [_column(X.iloc[:, i] if hasattr(X, "iloc") else X[label], label)
                   for i, label in enumerate(labels)]
        return np.column_stack(columns).astype(float, copy=False), labels
    values = np.asarray(X)
    if values.dtype.kind == "O" and values.ndim == 2:
        found = _from_objects(values)
        values = values if found is None else found
    return values, labels


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


def as_table(X: Any, names: Sequence[Any] | None) -> Table:
    values, labels = _values(X)
    _check(values, X)
    wanted = np.dtype(np.float32 if values.dtype == np.float32 else np.float64)
    whole = all(stride % wanted.itemsize == 0 for stride in values.strides)
    if values.dtype != wanted or not values.flags.aligned or not whole:
        values = values.astype(wanted, order="K" if values.flags.c_contiguous else "F")
    return Table(values, _names(names, labels, values.shape[1]), labels)


def without_missing(table: Table) -> tuple[Table, int]:
    """The rows that have all their cells, and how many have not."""
    whole = ~np.isnan(table.values).any(axis=1)
    dropped = int(len(whole) - whole.sum())
    if dropped == 0:
        return table, 0
    return table._replace(values=table.values[whole]), dropped


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
