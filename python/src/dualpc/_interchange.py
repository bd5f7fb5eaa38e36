"""Data frames by the interchange protocol, ``__dataframe__``: of libraries that have no arrays.

https://data-apis.org/dataframe-protocol/latest/API.html
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from ._kinds import Levels, levels_of_texts

_TYPES = {0: "i", 1: "u", 2: "f", 20: "u"}  # int, uint, float, bool as bytes or bits
_BOOL, _STRING, _CATEGORICAL = 20, 21, 23
_NAN, _SENTINEL, _BITS, _BYTES = 1, 2, 3, 4  # how missing cells are marked


def _memory(buffer: Any, size: int) -> np.ndarray:
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(buffer.ptr))


def _cells(buffer: Any, kind: str, bits: int, offset: int, count: int) -> np.ndarray:
    if bits == 1:
        packed = _memory(buffer, (offset + count + 7) // 8)
        return np.unpackbits(packed, bitorder="little")[offset : offset + count]
    bytes_ = _memory(buffer, (offset + count) * (bits // 8))
    return bytes_.view(f"{kind}{bits // 8}")[offset:]


def _count(column: Any) -> int:
    return int(column.size() if callable(column.size) else column.size)


def _chunk(column: Any) -> np.ndarray:
    """A copy as doubles, NaN where a cell is missing; of categories, their codes."""
    buffers = column.get_buffers()
    coded = int(column.dtype[0]) == _CATEGORICAL
    kind, bits = (buffers["data"][1] if coded else column.dtype)[:2]
    count = _count(column)
    data = _cells(buffers["data"][0], _TYPES[int(kind)], bits, column.offset, count)
    values = data.astype(float)
    how, mark = column.describe_null
    if int(how) == _SENTINEL:
        values[data == mark] = np.nan
    elif int(how) in (_BITS, _BYTES) and buffers["validity"] is not None:
        mask, dtype = buffers["validity"]
        values[_cells(mask, "u", dtype[1], column.offset, count) == mark] = np.nan
    return values


def _strings(column: Any) -> list[str | None]:
    """The texts of a chunk, None where one is missing."""
    buffers, count, offset = column.get_buffers(), _count(column), column.offset
    where, dtype = buffers["offsets"]
    ends = _cells(where, "i", dtype[1], offset, count + 1)[: count + 1]
    data = buffers["data"][0]
    text = _memory(data, int(ends[-1])).tobytes() if count > 0 and ends[-1] > 0 else b""
    cells: list[str | None] = [text[a:b].decode("utf-8", "replace")
                               for a, b in zip(ends[:-1], ends[1:])]
    how, mark = column.describe_null
    if int(how) in (_BITS, _BYTES) and buffers["validity"] is not None:
        mask, kind = buffers["validity"]
        gone = _cells(mask, "u", kind[1], offset, count)[:count] == mark
        cells = [None if missing else cell for cell, missing in zip(cells, gone)]
    return cells


def _categories(column: Any) -> Levels:
    told = column.describe_categorical
    names = [name for chunk in told["categories"].get_chunks() for name in _strings(chunk)]
    return Levels(tuple(map(str, names)), bool(told["is_ordered"]))


def without_text(frame: Any) -> tuple[Any, list[str]]:
    """The frame without its columns of text, categories and dates, and the names of these."""
    text = [name for name in frame.column_names()
            if int(frame.get_column_by_name(name).dtype[0]) not in _TYPES]
    kept = [name for name in frame.column_names() if name not in text]
    return (frame.select_columns_by_name(kept) if text and kept else frame), text


def from_dataframe(frame: Any, refuse: Callable[[Any, Any], Exception]
                   ) -> tuple[np.ndarray, tuple[Any, ...], dict[int, Levels]]:
    """The columns as an array in Fortran's order, their names, and the levels of categories."""
    names = tuple(frame.column_names())
    values = np.empty((frame.num_rows(), len(names)), order="F")
    levels: dict[int, Levels] = {}
    for j, name in enumerate(names):
        column = frame.get_column_by_name(name)
        kind = int(column.dtype[0])
        if kind == _STRING:
            texts = [cell for chunk in column.get_chunks() for cell in _strings(chunk)]
            values[:, j], levels[j] = levels_of_texts(texts, name)
            continue
        if kind == _CATEGORICAL:
            levels[j] = _categories(column)
        elif kind not in _TYPES:
            raise refuse(name, str(getattr(column.dtype[0], "name", column.dtype[0])).lower())
        elif kind == _BOOL:
            levels[j] = Levels(("False", "True"))
        at = 0
        for chunk in column.get_chunks():
            cells = _chunk(chunk)
            values[at : at + len(cells), j] = cells
            at += len(cells)
    return values, names, levels
