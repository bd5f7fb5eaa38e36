"""The options of the library, read from its own table: names, defaults, ranges, and their text.

An option that the library gains is one of this package at once: nothing here but _ALONE and
check_company names any of them.
"""
from __future__ import annotations

import difflib
import inspect
import numbers
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from ._errors import UsageError


# What an option means to the program where its word is left out, and True here.
_ALONE = {"latent": "search"}


@dataclass(frozen=True)
class Option:
    """What there is to know about an option."""

    name: str  #: as a keyword: max_order
    kind: str  #: number, count, word or flag
    default: Any  #: None stands for `word`
    words: tuple[str, ...]  #: of a word: the choices
    word: str | None  #: what None stands for: none, all, alpha
    range: str | None  #: of a number: "(0,1)" without its ends, "[0,inf)" with 0
    sentence: str  #: what it is about

    @property
    def alone(self) -> str | None:
        """Of a word: what True stands for; then False and None stand for the default."""
        return _ALONE.get(self.name)

    def text(self, value: Any) -> str:
        """The value as the library takes it, which says what it may be."""
        if value is None and self.word is not None:
            return self.word
        if isinstance(value, str):
            return value
        if value is None and self.alone is not None:
            value = False
        if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
            value = value.item()  # a scalar of numpy
        if isinstance(value, bool) and self.alone is not None:
            return self.alone if value else str(self.default)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, numbers.Integral):
            return str(int(value))
        if isinstance(value, numbers.Real):
            return repr(float(value))
        raise TypeError(f"{self.name} cannot be {value!r}; {self.wanted()}")

    def wanted(self) -> str:
        """What it may be, in words."""
        if self.kind == "word":
            what = "one of " + ", ".join(map(repr, self.words))
            what += f"; True for {self.alone!r}" if self.alone else ""
        elif self.kind == "flag":
            what = "True or False"
        else:
            what = "a whole number" if self.kind == "count" else "a number"
            what += f" in {self.range}" if self.range else ""
        return f"{what}, or None for {self.word}" if self.word else what


class _Unsaid:
    """Of a default: a value like any other, but known as one that nobody has chosen. Some options
    have another default beside others (refine has its own alpha)."""


class _Word(str, _Unsaid):
    pass


class _Number(float, _Unsaid):
    pass


class _Count(int, _Unsaid):
    pass


def _default(row: Mapping[str, Any]) -> Any:
    text = row["default"]
    if row["kind"] == "flag":
        return text == "yes"
    if text == row["word"]:
        return None
    return {"word": _Word, "count": _Count, "number": _Number}[row["kind"]](text)


#: By name, in the order of the library.
OPTIONS: dict[str, Option] = {}
for _row in _core.options():
    _name = _row["name"].replace("-", "_")
    OPTIONS[_name] = Option(_name, _row["kind"], _default(_row), tuple(_row["words"]),
                            _row["word"], _row["range"], _row["sentence"])



def whole_number(name: str, value: Any, most: int) -> int:
    """A whole number from 1 on that the extension can take."""
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not is_number or not 1 <= value <= most or int(value) != value:
        raise UsageError(f"{name} must be a whole number, at least 1 and at most {most}, not {value!r}")
    return int(value)


def texts(given: Mapping[str, Any]) -> dict[str, str]:
    """Those that somebody has chosen, as the library takes them."""
    return {name: OPTIONS[name].text(value) for name, value in given.items()
            if not isinstance(value, _Unsaid) and value is not OPTIONS[name].default}


def check_company(given: Mapping[str, str], bootstrap: bool) -> None:
    """What was chosen, but would not be used."""
    by_latent = given.get("latent") in ("search", "dag")  # these begin with refine full
    by_refine = given.get("refine", "none") != "none" or by_latent
    if "penalty" in given and given.get("method") != "ges" and not by_refine:
        raise UsageError("penalty goes with method ges and refine; the PC algorithms have alpha")
    if "restarts" in given and given.get("refine") == "exact":
        raise UsageError("restarts has no meaning for refine exact, which goes through all DAGs; "
                         "leave it out")
    refine = given.get("refine", "full" if by_latent else "none")
    if "restarts" in given and refine != "full":
        raise UsageError("restarts goes with refine full")
    if "seed" in given and not by_refine and not bootstrap:
        raise UsageError("seed goes with bootstrap B, refine or latent search")


def refuse_unknown(given: Iterable[str], known: Iterable[str], where: str) -> None:
    """A TypeError for a keyword that there is not, with the one that may have been meant."""
    known = list(known)
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name.lower().replace(".", "_"), known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}"
            raise TypeError(f"{where} got an unexpected keyword argument {name!r}{hint}")


def describe() -> str:
    """The options as a part of a docstring."""
    lines = []
    for option in OPTIONS.values():
        lines.append(f"{option.name} : {option.wanted()}; default {option.default!r}")
        lines += textwrap.wrap(option.sentence, 90, initial_indent="    ",
                               subsequent_indent="    ")
    return textwrap.indent("\n".join(lines), "    ")


def parameters(first: Iterable[str] = ()) -> list[inspect.Parameter]:
    """The options as keywords of a signature, but those that stand there already."""
    return [inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default)
            for option in OPTIONS.values() if option.name not in first]


def with_options(function: Any) -> Any:
    """Shows the options in the signature and in the docstring of a function with **options."""
    shown = inspect.signature(function)
    plain = [p for p in shown.parameters.values() if p.kind is not p.VAR_KEYWORD]
    function.__signature__ = shown.replace(
        parameters=plain + parameters(p.name for p in plain))
    function.__doc__ = function.__doc__.replace("    {options}", describe())
    return function
