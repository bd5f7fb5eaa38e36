"""Data frames by the interchange protocol, ``__dataframe__``: of libraries that have no arrays.

https://data-apis.org/dataframe-protocol/latest/API.html
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

_TYPES = {0: "i", 1: "u", 2: "f", 20: "u"}  # int, uint, float, bool as bytes or bits
_NAN, _SENTINEL, _BITS, _BYTES = 1, 2, 3, 4  # how missing cells are marked


def _memory(buffer: Any, size: int) -> np.ndarray:
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(buffer.ptr))


def _cells(buffer: Any, kind: str, bits: int, offset: int, count: int) -> np.ndarray:
    if bits == 1:
        packed = _memory(buffer, (offset + count + 7) // 8)
        return np.unpackbits(packed, bitorder="little")[offset : offset + count]
    bytes_ = _memory(buffer, (offset + count) * (bits // 8))
    return bytes_.view(f"{kind}{bits // 8}")[offset:]


def _chunk(column: Any) -> np.ndarray:
    """A copy as doubles, NaN where a cell is missing."""
    kind, bits = column.dtype[0], column.dtype[1]
    buffers = column.get_buffers()
    count = column.size() if callable(column.size) else column.size
    data = _cells(buffers["data"][0], _TYPES[int(kind)], bits, column.offset, count)
    values = data.astype(float)
    how, mark = column.describe_null
    if int(how) == _SENTINEL:
        values[data == mark] = np.nan
    elif int(how) in (_BITS, _BYTES) and buffers["validity"] is not None:
        mask, dtype = buffers["validity"]
        values[_cells(mask, "u", dtype[1], column.offset, count) == mark] = np.nan
    return values


def without_text(frame: Any) -> tuple[Any, list[str]]:
    """The frame without its columns of text, categories and dates, and the names of these."""
    text = [name for name in frame.column_names()
            if int(frame.get_column_by_name(name).dtype[0]) not in _TYPES]
    kept = [name for name in frame.column_names() if name not in text]
    return (frame.select_columns_by_name(kept) if text and kept else frame), text


def from_dataframe(frame: Any, refuse: Callable[[Any, Any], Exception]
                   ) -> tuple[np.ndarray, tuple[Any, ...]]:
    """The columns as an array in Fortran's order, and their names."""
    names = tuple(frame.column_names())
    values = np.empty((frame.num_rows(), len(names)), order="F")
    for j, name in enumerate(names):
        column = frame.get_column_by_name(name)
        if int(column.dtype[0]) not in _TYPES:
            raise refuse(name, getattr(column.dtype[0], "name", column.dtype[0]).lower())
        at = 0
        for chunk in column.get_chunks():
            cells = _chunk(chunk)
            values[at : at + len(cells), j] = cells
            at += len(cells)
    return values, names
