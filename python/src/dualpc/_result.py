"""What was learned."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._errors import UsageError
from ._graph import Graph


class SeparatingSet(NamedTuple):
    """Why two variables have no edge: they are independent given these."""

    set: tuple[str, ...]  #: the names
    order: int  #: how many
    kind: str  #: marginal, full-order, full-s, primal, dual; forbidden: by no test
    level: int  #: at which it was found
    r: float  #: the partial correlation; NaN for full order, unless `separating_sets`
    p: float  #: its p-value


class Frequency(NamedTuple):
    """In which share of the resamples two variables are joined, and how."""

    source: str
    target: str
    edge: float  #: joined at all
    forward: float  #: source --> target
    backward: float
    undirected: float


class Explanation(dict[str, Any]):
    """Why two variables have an edge, or none: the members of the program's JSON. ``print`` it to
    read it in sentences."""

    text: str  #: these sentences

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


class Source(NamedTuple):
    """What it takes to learn the same again, in another process."""

    options: Mapping[str, str]
    knowledge: tuple[str, str] | None


class Result(Graph):
    """A graph that was learned, and all that can be asked about it. It does not change, and may be
    used by several threads."""

    def __init__(self, learned: _core.Learned, names: tuple[str, ...], source: Source) -> None:
        self._learned_core: _core.Learned | None = learned
        self._source = source
        self._told: dict[str, str] = {}  # of a copy: what only the original could tell
        self.names = names
        self.n_obs = learned.n_obs  #: the number of observations
        self.warnings = tuple(learned.warnings())  #: what was noticed about the data
        self.min_frequency: float | None = None  #: not None: the graph is a consensus …
        self.frequencies: list[Frequency] | None = None  #: … of these, of the bootstrap
        self.resamples = 0  #: how many were done
        self._core_frequencies: _core.Frequencies | None = None
        self._core_graph = learned.graph()

    def _resampled(self, frequencies: _core.Frequencies, least: float | None) -> Result:
        """The same with the frequencies of a bootstrap."""
        self._core_frequencies = frequencies
        self.resamples, _, constant = frequencies.counts()
        if constant:
            self.warnings += (
                f"in {constant} resample{'s' * (constant > 1)} a column was constant that varies "
                "in the data; it had no edges there",)
        pairs = np.frombuffer(frequencies.pairs(), np.int32).reshape(-1, 6)
        self.frequencies = [
            Frequency(self.names[a], self.names[b], *(count / self.resamples for count in counts))
            for a, b, *counts in pairs.tolist()]
        if least is not None:
            self._core_graph = frequencies.consensus(least)
            self.min_frequency = least
        return self

    # ---- Copies in other processes ----

    def __getstate__(self) -> dict[str, Any]:
        """The graph and the matrix. What else can be asked is learned again where it is asked."""
        state = {key: value for key, value in self.__dict__.items()
                 if key not in ("_learned_core", "_core_graph", "_core_frequencies", "edges",
                                "correlation", "_json")}
        return state | {"adjacency": self.adjacency, "_matrix": np.array(self.correlation),
                        "_told": {format: self.to_string(format) for format in ("json", "dot")}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._learned_core = self._core_frequencies = None

    @property
    def _learned(self) -> _core.Learned:
        if self._learned_core is None:
            # the scores are those of the matrix by now
            options = {**self._source.options, "normalize": "none"}
            self._learned_core = _core.learn(self._matrix, self.names, options,
                                             self._source.knowledge, self.n_obs, None)
        return self._learned_core

    # ---- Questions ----

    @cached_property
    def correlation(self) -> np.ndarray:
        """The correlation matrix that the graph was learned from."""
        return np.asarray(memoryview(self._learned))

    @cached_property
    def _json(self) -> dict[str, Any]:
        return json.loads(self.to_json())

    @property
    def settings(self) -> dict[str, Any]:
        """The options that decide about the graph."""
        return self._json["settings"]

    @property
    def info(self) -> dict[str, Any]:
        """Tests, in all and per level, what was singular, seconds."""
        return self._json["info"]

    @property
    def conflicts(self) -> list[dict[str, Any]]:
        """The triples that the graph decides against the data."""
        return self._json.get("conflicts", [])

    def sepset(self, a: str | int, b: str | int) -> SeparatingSet | None:
        """How two variables were separated; None: nothing did."""
        if self.min_frequency is not None:
            raise UsageError("separating sets are those of one graph, and min_frequency makes one "
                             "of many")
        found = self._learned.sepset(self._index(a), self._index(b))
        if found is None:
            return None
        kind, members, level, _, r, p = found
        return SeparatingSet(tuple(self.names[i] for i in members), len(members), kind, level, r, p)

    def explain(self, a: str | int, b: str | int) -> Explanation:
        """Why two variables have the edge they have, or none."""
        if self.min_frequency is not None:
            raise UsageError("explanations are those of the learned graph; leave out "
                             "min_frequency")
        told, sentences = self._learned.explain(self._index(a), self._index(b))
        explanation = Explanation(json.loads(told)["explanations"][0])
        explanation.text = sentences.rstrip("\n")
        return explanation

    # ---- As text ----

    def _told_of(self) -> tuple[Any, Any, float, bool]:
        sets = self._source.options.get("separating_sets") == "yes"
        return (self._core_graph, self._core_frequencies, self.min_frequency or 0.0,
                sets and self.min_frequency is None)

    def to_string(self, format: str = "txt") -> str:
        """The result in a format of the command line: txt, csv, dot, json and others."""
        if format in self._told:
            return self._told[format]
        return self._learned.text(format, self._told_of())

    def to_json(self) -> str:
        """All of it: settings, graph, counts; with `separating_sets` these too."""
        return self.to_string("json")

    def write(self, *paths: str | os.PathLike[str]) -> None:
        """Writes files, whose extensions choose the formats: all of them appear, or none. (A copy
        from another process writes one after the other.)"""
        files = [pathlib.Path(os.fsdecode(path)) for path in paths]
        if not self._told:
            self._learned.write(tuple(map(str, files)), self._told_of())
            return
        texts = [self.to_string(file.suffix.lstrip(".")) for file in files]
        for file, text in zip(files, texts):
            file.write_text(text, encoding="utf-8")

    # ---- To look at ----

    def _title(self) -> str:
        what = {"cpdag": "CPDAG"}.get(self.settings["graph"], self.settings["graph"])
        if self.min_frequency is not None:
            what = f"consensus {what}"
        return f"{what} of {self.n_vars} variables from {self.n_obs} observations"
