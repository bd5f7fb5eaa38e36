"""Kinds of columns: what their types and the argument `types` say, as the library takes it."""
from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._errors import DataError, UsageError

_WORDS = ("number", "ordered", "nominal", "zero")


class Levels(NamedTuple):
    """The names of the levels of a column, whose cells are their places, or NaN."""

    names: tuple[str, ...]
    ordered: bool = False
    text: bool = False  #: they are the different texts of the column, which nobody has listed


class Kinds(NamedTuple):
    """What the extension takes beside the values."""

    columns: tuple[str, ...]
    words: tuple[str, ...]  #: the kind of each column
    levels: tuple[tuple[str, ...] | None, ...]
    blocks: tuple[tuple[str, tuple[int, ...]], ...]  #: names, and the places of their columns


def levels_of_texts(cells: Sequence[Any], label: Any) -> tuple[np.ndarray, Levels]:
    """Texts, and None where one is missing, as the places of their levels."""
    seen = [cell for cell in cells if cell is not None]
    names = tuple(sorted(set(seen)))
    _refuse_slips(seen, len(cells), label)
    _refuse_names(len(names), len(seen), len(cells), label)
    place = {name: float(i) for i, name in enumerate(names)}
    codes = np.array([np.nan if cell is None else place[cell] for cell in cells], dtype=float)
    return codes, Levels(names, text=True)


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def _refuse_slips(seen: Sequence[str], rows: int, label: Any) -> None:
    """One text among numbers, or few, are no categories."""
    odd = [text for text in seen if not _is_number(text)]
    if odd and len(odd) < len(seen) and (len(odd) == 1 or 20 * len(odd) < rows):
        raise DataError(f"column '{label}' is not numeric: {len(odd)} cell{'s' * (len(odd) > 1)}, "
                        f"{'the first ' * (len(odd) > 1)}'{odd[0]}'; correct it, or leave the "
                        "column out")


def _refuse_names(different: int, seen: int, rows: int, label: Any) -> None:
    if different > max(50, rows / 10) or 2 < different == seen:
        raise DataError(f"column '{label}' has {different} different texts in {rows} rows and looks "
                        "like a name or identifier; leave it out")


def _similar(word: str, words: Sequence[str]) -> str:
    near = difflib.get_close_matches(word, words, 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def _check_column(name: str, columns: Sequence[str], what: str) -> None:
    if name not in columns:
        raise UsageError(f"{what} names a column that the table does not have: '{name}'"
                         + _similar(name, columns))


def _read(types: Any, columns: Sequence[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The kinds of columns, and the columns of blocks."""
    if not isinstance(types, Mapping):
        raise TypeError("types must be a dict such as {'sex': 'nominal', 'pose': ['x', 'y', 'z']}, "
                        f"not {type(types).__name__}")
    kinds: dict[str, str] = {}
    blocks: dict[str, list[str]] = {}
    for key, entry in types.items():
        name = str(key)
        if isinstance(entry, str):
            _check_column(name, columns, "types")
            if entry not in _WORDS:
                raise UsageError(f"there is no kind '{entry}' for column '{name}'"
                                 + (_similar(entry, _WORDS) or
                                    f"; the kinds are {', '.join(_WORDS)}"))
            kinds[name] = entry
            continue
        members = [str(member) for member in entry]
        for member in members:
            _check_column(member, columns, f"block '{name}'")
        if len(members) < 2:
            raise UsageError(f"block '{name}' needs at least two columns")
        taken = [member for other in blocks.values() for member in other]
        if len(set(members)) < len(members) or set(members) & set(taken):
            raise UsageError(f"block '{name}' has a column that is in a block already")
        if name in columns and name not in members:
            raise UsageError(f"block '{name}' has the name of a column that is not in it; choose "
                             "another name")
        blocks[name] = members
    return kinds, blocks


def _as_said(values: np.ndarray, name: str, kind: str,
             levels: Levels | None) -> tuple[np.ndarray | None, tuple[str, ...] | None]:
    """The cells of a column that `types` names, or None where they stay, and its levels."""
    if levels is not None:
        if kind in ("number", "zero"):
            raise DataError(f"column '{name}' is not numeric; types can make it nominal or ordered")
        return None, levels.names
    if kind != "nominal":
        return None, None
    found, codes = np.unique(values, return_inverse=True)
    found = found[~np.isnan(found)]
    codes = np.where(np.isnan(values), np.nan, codes.reshape(values.shape))
    return codes, tuple(repr(float(x)).removesuffix(".0") for x in found)


def _used(values: np.ndarray, names: tuple[str, ...]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Without the levels that no row has."""
    used = np.unique(values[~np.isnan(values)]).astype(int)
    place = np.zeros(len(names))
    place[used] = np.arange(len(used))
    whole = np.where(np.isnan(values), 0, values).astype(int)
    return np.where(np.isnan(values), np.nan, place[whole]), tuple(names[i] for i in used)


def with_kinds(values: np.ndarray, columns: tuple[str, ...], found: Mapping[int, Levels],
               types: Any) -> tuple[np.ndarray, Kinds | None, list[str]]:
    """The values, with codes where there are levels; the kinds; and what there is to say."""
    said, blocks = _read(types, columns) if types is not None else ({}, {})
    words = ["number"] * len(columns)
    levels: list[tuple[str, ...] | None] = [None] * len(columns)
    noted = []
    if found or said:
        values = np.array(values, dtype=float, order="F")
    for j, name in enumerate(columns):
        own = found.get(j)
        words[j] = said.get(name, "number" if own is None
                            else "ordered" if own.ordered else "nominal")
        codes, levels[j] = (_as_said(values[:, j], name, words[j], own) if name in said
                            else (None, own and own.names))
        if codes is not None:
            values[:, j] = codes
        if (names := levels[j]) is not None:
            values[:, j], names = _used(values[:, j], names)
            levels[j] = names if len(names) > 1 else None
            words[j] = words[j] if len(names) > 1 else "number"  # a constant
        if words[j] == "ordered" and own is not None and own.text:
            order = " < ".join(f"'{level}'" for level in (levels[j] or ())[:12])
            noted.append(f"the levels of the ordered column '{name}' are text and were ordered "
                         f"alphabetically: {order}; give an ordered category")
    for block, members in blocks.items():
        for member in members:
            if words[columns.index(member)] != "number":
                raise DataError(f"column '{member}' of block '{block}' is "
                                f"{words[columns.index(member)]}; the columns of a block are numbers")
    if set(words) == {"number"} and not blocks:
        return values, None, noted
    places = tuple((name, tuple(columns.index(member) for member in members))
                   for name, members in blocks.items())
    return values, Kinds(columns, tuple(words), tuple(levels), places), noted


def variable_names(kinds: Kinds) -> tuple[str, ...]:
    """A block is in the place of its leftmost column."""
    names: list[str | None] = list(kinds.columns)
    for block, places in kinds.blocks:
        for place in places:
            names[place] = None
        names[min(places)] = block
    return tuple(name for name in names if name is not None)


def variables(kinds: Kinds) -> dict[str, tuple[str, tuple[str, ...] | None]]:
    """The kind of each variable, and its levels."""
    blocks = dict(kinds.blocks)
    of = {name: (word, levels)
          for name, word, levels in zip(kinds.columns, kinds.words, kinds.levels)}
    return {name: ("block", None) if name in blocks else of[name] for name in variable_names(kinds)}
