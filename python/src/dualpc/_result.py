"""What was learned."""
from __future__ import annotations

import json
import math
import os
import pathlib
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._errors import UsageError
from ._graph import ENDS, Edge, Graph, find_variables, mark_text
from ._options import whole_number


class SeparatingSet(NamedTuple):
    """Why two variables have no edge: they are independent given these."""

    set: tuple[str, ...]  #: the names
    order: int  #: how many
    kind: str  #: marginal, full-order, full-s, primal, dual; forbidden: by no test
    level: int  #: at which it was found
    r: float  #: the partial correlation; NaN for full order, unless `separating_sets`
    p: float  #: its p-value
    n: int  #: observations that the test counts with


class Frequency(NamedTuple):
    """In which share of the resamples two variables are joined, and how."""

    source: str
    target: str
    edge: float  #: joined at all
    forward: float  #: source --> target
    backward: float
    undirected: float


class PagFrequency(NamedTuple):
    """The same of PAGs: how often two variables are joined, with which marks, and how often one is
    a cause of the other (arrows lead there) or is none (no path that could consist of arrows does).
    The other resamples leave it open."""

    source: str
    target: str
    edge: float  #: joined at all
    marks: dict[str, float]  #: by the mark from source to target: '-->', '<--', '<->', 'o->', …
    source_is_cause: float
    source_is_no_cause: float
    target_is_cause: float
    target_is_no_cause: float

    @property
    def forward(self) -> float:
        return self.marks["-->"]

    @property
    def backward(self) -> float:
        return self.marks["<--"]

    @property
    def undirected(self) -> float:
        return self.marks.get("---", 0.0)


# The marks of a bootstrap of PAGs, in the order of the program's table; the last three only where
# samples may be selected.
_MARKS = ("-->", "<--", "<->", "o->", "<-o", "o-o", "---", "o--", "--o")


class EdgeRow(NamedTuple):
    """An edge with numbers; NaN: that is not known."""

    source: str
    target: str
    mark: str  #: '-->' or '---'; those of a PAG as in `Edge`
    r: float  #: the partial correlation given all neighbours of either end, …
    low: float  #: … with its 95 % interval
    high: float
    p: float  #: of all tests that the edge has survived, the largest
    evidence: float  #: for the direction
    edge: float  #: shares of the resamples, as in Frequency
    forward: float
    backward: float
    undirected: float

    @property
    def doubtful(self) -> bool:
        """More resamples reverse the arrow than keep it, whatever its evidence."""
        return self.mark == "-->" and self.backward > self.forward

    def _with_shares(self, shares: Mapping[tuple[str, str], Frequency | PagFrequency]) -> EdgeRow:
        turned = (self.target, self.source) in shares
        f = shares.get((self.target, self.source) if turned else (self.source, self.target))
        edge, forward, backward, undirected = (
            (f.edge, f.forward, f.backward, f.undirected) if f else (0.0, 0.0, 0.0, 0.0))
        if turned:
            forward, backward = backward, forward
        return self._replace(edge=edge, forward=forward, backward=backward, undirected=undirected)


class NodeRow(NamedTuple):
    """A variable with numbers; NaN: that is not known."""

    name: str
    neighbours: int  #: in the graph, …
    parents: int  #: … of these by an arrow from there, …
    children: int  #: … or to there
    r2: float  #: the share of its variance that its neighbours explain (predictability)
    r2_parents: float  #: that its parents explain, where all of its edges are arrows
    type: str = "number"  #: or 'ordered', 'nominal', 'zero', 'block'


class Effect(NamedTuple):
    """One possible total effect: the coefficient of the cause beside the set; or 0, with NaN for
    the standard error and the interval, where the graph says that there is none."""

    effect: float  #: units of the outcome per unit of the cause; NaN: there are no units
    standardised: float  #: standard deviations per standard deviation
    se: float  #: the standard error, and a 95 % interval
    low: float
    high: float
    set: tuple[str, ...]  #: adjusted for


class Effects(NamedTuple):
    """The possible total effects of one variable on another."""

    cause: str
    outcome: str
    identified: bool  #: the graph leaves one value only
    min_abs: float  #: the smallest of them, without its sign
    max_abs: float
    effects: tuple[Effect, ...]
    possible: bool  #: the graph has a possibly directed path; if not, the effect is 0
    contrast: str | None = None  #: of a nominal cause: this level …
    baseline: str | None = None  #: … instead of this one, its most frequent
    level: str | None = None  #: of a nominal outcome: the level whose share changes


class Explanation(dict[str, Any]):
    """Why two variables have an edge, or none: the members of the program's JSON. ``print`` it to
    read it in sentences."""

    text: str  #: these sentences

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def _in_python(text: str) -> str:
    """Options of the program as arguments: --refine fast becomes refine="fast"."""
    text = text.replace("--advice measures", 'advice="always" measures')
    text = re.sub(r"--latent\b(?! (none|search|fci|dag)\b)", "--latent search", text)

    def argument(found: re.Match[str]) -> str:
        name, value = found[1].replace("-", "_"), found[2]
        return f"{name}={value}" if value[0].isdigit() else f'{name}="{value}"'

    text = re.sub(r"--([a-z]+(?:-[a-z]+)*) ([a-z]+|[0-9]+(?:\.[0-9]+)?)", argument, text)
    return re.sub(r'" ([a-z_]+=)', r'", \1', text)


class Source(NamedTuple):
    """What it takes to learn the same again, in another process."""

    options: Mapping[str, str]
    knowledge: tuple[str, str] | None


class Rows(NamedTuple):
    """The table that a graph was learned from, for its verdict."""

    values: Any
    missing: str
    advice: int  # 0: none, 1: where it is little work, 2: always


_MOST_CELLS = 4_000_000  # of a table that a result keeps until it is asked for its verdict


class Result(Graph):
    """A graph that was learned, and all that can be asked about it. It does not change, and may be
    used by several threads."""

    # only of a copy from another process:
    _matrix: np.ndarray
    _class_matrix: np.ndarray
    _units: np.ndarray | None

    def __init__(self, learned: _core.Learned, names: tuple[str, ...], source: Source) -> None:
        self._learned_core: _core.Learned | None = learned
        self._source = source
        self._told: dict[str, str] = {}  # of a copy: what only the original could tell
        self.names = names
        self.n_obs = learned.n_obs  #: the number of observations
        #: how many independent rows they are worth, for a search by score
        self.effective_rows = learned.effective_rows
        self.warnings = tuple(learned.warnings())  #: what was noticed about the data
        self.min_frequency: float | None = None  #: not None: the graph is a consensus …
        #: … of these, of the bootstrap
        self.frequencies: list[Frequency] | list[PagFrequency] | None = None
        self.resamples = 0  #: how many were done
        #: where some are no numbers: the kind of each variable, and its levels
        self.variables: dict[str, tuple[str, tuple[str, ...] | None]] | None = None
        self._core_frequencies: _core.Frequencies | None = None
        self._rows: Rows | None = None
        self._core_graph = learned.graph()
        self._class = learned.class_graph()  # also with what min_evidence has left out
        found = learned.graph_type()
        #: CPDAG, MPDAG, PDAG, pattern or skeleton; pag where hidden causes are allowed for
        self.graph_type = "pag" if found == "PAG" else found

    def _resampled(self, frequencies: _core.Frequencies, least: float | None) -> Result:
        """The same with the frequencies of a bootstrap."""
        self._core_frequencies = frequencies
        self.resamples, _, constant = frequencies.counts()
        if constant:
            self.warnings += (
                f"in {constant} resample{'s' * (constant > 1)} a column was constant that varies "
                "in the data; it had no edges there",)
        pairs = np.frombuffer(frequencies.pairs(), np.int32).reshape(-1, 6)
        counted = [
            Frequency(self.names[a], self.names[b], *(count / self.resamples for count in counts))
            for a, b, *counts in pairs.tolist()]
        self.frequencies = (self._pag_frequencies(counted, frequencies.pags()) if self.is_pag
                            else counted)
        if least is not None:
            self._core_graph = self._class = frequencies.consensus(least)
            self.min_frequency = least
        return self

    def _pag_frequencies(self, counted: list[Frequency], pags: bytearray | None
                         ) -> list[PagFrequency]:
        shares = np.frombuffer(pags or b"").reshape(-1, 20) / self.resamples
        wanted = _MARKS if self._source.options.get("selection") == "yes" else _MARKS[:6]
        # seen from the first: the ends at both in one number
        codes = {mark_text(code): code for code in range(16) if code & 3 and code >> 2}
        return [PagFrequency(f.source, f.target, f.edge, {mark: row[codes[mark]] for mark in wanted},
                             *row[16:])
                for f, row in zip(counted, shares.tolist())]

    # ---- Copies in other processes ----

    def __getstate__(self) -> dict[str, Any]:
        """The graph and the matrix. What else can be asked is learned again where it is asked."""
        state = {key: value for key, value in self.__dict__.items()
                 if key not in ("_learned_core", "_core_graph", "_core_frequencies", "_class",
                                "edges", "adjacency", "correlation", "_json", "_rows")}
        return state | {"marks": self.marks, "_matrix": np.array(self.correlation),
                        "_class_matrix": Graph._of(self._class, self.names).marks,
                        "_units": self.units,
                        "_told": {format: self.to_string(format) for format in ("json", "dot")}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._class = _core.graph_of_marks(self._class_matrix, self.n_vars)
        self._learned_core = self._core_frequencies = self._rows = None

    @property
    def _learned(self) -> _core.Learned:
        if self._learned_core is None:
            if self.variables is not None:
                raise UsageError("a result with categories or blocks cannot be asked in another "
                                 "process; learn anew")
            # the scores are those of the matrix by now
            options = {**self._source.options, "normalize": "none", "timeout": "none"}
            if self.effective_rows < self.n_obs:  # which the matrix does not tell
                options["penalty"] = repr(self._penalty())
            if not self.complete:
                raise UsageError("timeout has ended the search before it was done, so that it "
                                 "cannot be made again; learn anew")
            self._learned_core = _core.learn(self._matrix, self.names, options,
                                             self._source.knowledge, self.n_obs, None)
        return self._learned_core

    def _penalty(self) -> float:
        """The penalty of a search by score, which may have been left open."""
        told = self._json
        if "refine" in told:
            return float(told["refine"]["price"] / math.log(self.n_obs))
        return float(told["settings"]["penalty"])

    # ---- Questions ----

    @property
    def is_pag(self) -> bool:
        """Is it a partial ancestral graph (PAG): were hidden causes allowed for?"""
        return self.graph_type == "pag"

    @cached_property
    def correlation(self) -> np.ndarray:
        """The correlation matrix that the graph was learned from."""
        matrix: Any = self._learned  # it has a buffer
        return np.asarray(memoryview(matrix))

    @property
    def units(self) -> np.ndarray | None:
        """The standard deviations of the variables; None: they have no units."""
        if self._told:
            return self._units
        found = self._learned.units()
        return None if found is None else np.frombuffer(found)

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
    def complete(self) -> bool:
        """False: `timeout`, or Ctrl-C, has ended the work before it was done."""
        told = self._json
        done = told.get("bootstrap", {"resamples": 0, "asked": 0})
        return (told.get("complete", True) and told.get("refine", {}).get("complete", True)
                and told.get("hidden", {}).get("complete", True)
                and done["resamples"] == done["asked"])

    @property
    def optimality(self) -> str | None:
        """What is certain about the score of a refined graph: 'global', no DAG scores higher;
        'local', no single addition, deletion, reversal or swap of an edge improves it; 'unknown'.
        None without a refinement, and where a search for hidden causes has gone on from there."""
        told = self._json
        return None if "hidden" in told else told.get("refine", {}).get("optimality")

    @property
    def repaired(self) -> bool:
        """Of a PAG: the test results contradict each other, and this is a valid PAG near them."""
        return bool(self.info.get("repaired", False))

    @property
    def hidden(self) -> dict[str, Any] | None:
        """What latent='search' has done: tries, kept, prices, score_before (of the refined DAG) and
        score_after. None without it."""
        return self._json.get("hidden")

    @property
    def mag(self) -> Graph | None:
        """The best maximal ancestral graph that latent='search' has found; the PAG is that of its
        class. None without a search."""
        if self.hidden is None:
            return None
        marks = np.zeros((self.n_vars, self.n_vars), np.uint8)
        for told in self.hidden["mag"]:
            edge = Edge(told["from"], told["to"], told["mark"])
            a, b = self._numbers[edge.source], self._numbers[edge.target]
            marks[b, a], marks[a, b] = ENDS.index(edge.from_mark), ENDS.index(edge.to_mark)
        return Graph.from_marks(marks, self.names)

    @property
    def doubt(self) -> str | None:
        """Why refine='full' may well find a better graph than refine='fast' has: 'rows', there are
        fewer rows than variables; 'hub', a variable has very many neighbours; 'dense', there are
        more than three edges for each variable; 'restarts', restarts of the fast search have found
        better graphs; 'none'. None without a refinement."""
        return self._json.get("refine", {}).get("doubt")

    @property
    def fit(self) -> dict[str, Any] | None:
        """How well the graph fits the data; None of a skeleton, and of a PAG."""
        return self._json.get("fit")

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
        kind, members, level, _, r, p, n = found
        names = tuple(self.names[i] for i in members)
        return SeparatingSet(names, len(members), kind, level, r, p, n)

    def explain(self, a: str | int, b: str | int) -> Explanation:
        """Why two variables have the edge they have, or none."""
        if self.min_frequency is not None:
            raise UsageError("explanations are those of the learned graph; leave out "
                             "min_frequency")
        told, sentences = self._learned.explain(self._index(a), self._index(b))
        explanation = Explanation(json.loads(told)["explanations"][0])
        explanation.text = sentences.rstrip("\n")
        return explanation

    def dag(self) -> Graph:
        """One DAG of the class: the same skeleton, arrows and v-structures."""
        self._refuse_pag("no DAG over these variables stands for it; learn with latent='none'")
        return Graph._of(self._class.class_member(), self.names)

    def edge_table(self) -> list[EdgeRow]:
        """The edges with numbers: strength, closest call, evidence, frequencies."""
        shares = {(f.source, f.target): f for f in self.frequencies or ()}
        rows = []
        consensus = None if self.min_frequency is None else self._core_graph
        for a, b, mark, *numbers in _core.edge_table(self._learned, consensus,
                                                     self._core_frequencies):
            row = EdgeRow(self.names[a], self.names[b], mark_text(mark), *numbers)
            if self.frequencies and self._core_frequencies is None:  # in a copy
                row = row._with_shares(shares)
            rows.append(row)
        return rows

    def node_table(self) -> list[NodeRow]:
        """The variables with numbers: neighbours, and how much of the variance they explain."""
        self._refuse_pag("how much the neighbours explain is told of graphs without them; learn with "
                         "latent='none'")
        rows = [NodeRow(**row) for row in self._json["node_table"]]
        if (kinds := self.variables) is not None:
            rows = [row._replace(type=kinds[row.name][0]) for row in rows]
        return [row if row.r2_parents is not None else row._replace(r2_parents=np.nan)
                for row in rows]

    @property
    def methods(self) -> str:
        """A paragraph for the methods section of a paper, and the works that it cites."""
        return self._json["methods"]

    def effects(self, cause: Any = None, outcome: Any = None, *, ida: str = "local",
                standardised: bool = False, top: int | None = None, extend: bool = False
                ) -> list[Effects]:
        """The total effects of variables on others: all that the graph leaves possible (IDA).

        cause, outcome : a variable or a list of them; None: all
        ida : what is adjusted for: 'local', the parents of the cause; 'optimal', the optimal set;
            'pcalg', the parents, without the zeros of the graph, as the R package pcalg does
        standardised : all in standard deviations, the ranks too, and not in units of the data
        top : for each outcome only so many causes, those with the largest `min_abs`, ranked; none
            without a possibly directed path to it, so that effects(outcome=Y, top=n) is what may
            affect Y
        extend : take the nearest valid graph where it is no DAG, CPDAG or MPDAG

        Where the graph has no possibly directed path from the cause to the outcome, the effect is 0
        and has no interval. The intervals of others take the graph as given: they do not know that
        it was learned from the same data.

        A nominal cause has one entry for each level but its most frequent one, with which the
        level is compared; a nominal outcome one for each level, whose share changes. Blocks of
        columns and curved relations have no single number, and are refused where they are named.
        """
        self._refuse_pag("the possible effects (IDA) are those of DAGs over the variables; adjust() "
                         "says which effects can be had from a PAG, or learn with latent='none'")
        ways = ("local", "optimal", "pcalg")
        if ida not in ways:
            raise UsageError(f"ida must be one of {', '.join(ways)}, not '{ida}'")
        most = 0 if top is None else whole_number("top", top, 2**31 - 1)
        source: Any = self._learned
        if self._told and self.units is not None and self.variables is None:  # a copy has the matrix without its units
            source = self._matrix * np.outer(self.units, self.units)
        found = _core.effects(source, self.n_obs, self.names, self._class,
                              find_variables(cause, self._numbers),
                              find_variables(outcome, self._numbers), ways.index(ida), standardised, most, extend)
        return [Effects(self.names[x], self.names[y], identified, least, most, tuple(
                    Effect._make((*numbers, tuple(self.names[i] for i in members)))
                    for *numbers, members in each), possible, self._level(x, contrast),
                    self._level(x, baseline), self._level(y, level))
                for x, y, identified, possible, least, most, each, contrast, baseline, level
                in found]

    def _level(self, variable: int, level: int) -> str | None:
        """The name of a level of a nominal variable; None where there is none."""
        levels = self.variables[self.names[variable]][1] if self.variables is not None else None
        if level < 0:
            return None
        return levels[level] if levels is not None else str(level)

    # ---- As text ----

    def _told_of(self) -> tuple[Any, Any, float, bool]:
        sets = self._source.options.get("separating_sets") == "yes"
        consensus = None if self.min_frequency is None else self._core_graph
        return consensus, self._core_frequencies, self.min_frequency or 0.0, sets

    def to_string(self, format: str = "txt") -> str:
        """The result in a format of the command line: txt, csv, dot, json and others."""
        if format == "svg":
            return self.to_svg()
        if format in self._told:
            return self._told[format]
        return self._learned.text(format, self._told_of())

    def to_json(self) -> str:
        """All of it: settings, graph, counts; with `separating_sets` these too."""
        return self.to_string("json")

    def write(self, *paths: str | os.PathLike[str]) -> None:
        """Writes files, whose extensions choose the formats: all of them appear, or none. (Pictures,
        and those of a copy from another process, are written one after the other.)"""
        files = [pathlib.Path(os.fsdecode(path)) for path in paths]
        made = {file: self.to_string(file.suffix.lstrip(".")) for file in files
                if file.suffix == ".svg" or file.suffix.lstrip(".") in self._told}
        others = tuple(str(file) for file in files if file not in made)
        if others:
            self._learned.write(others, self._told_of())
        for file, text in made.items():
            file.write_text(text, encoding="utf-8")

    # ---- To look at ----

    def _keep_rows(self, values: Any, missing: str, advice: int) -> None:
        """For the verdict; an array that is large beside what it says is not kept alive."""
        size = values[0].size if isinstance(values, tuple) else values.size
        if size <= _MOST_CELLS or advice > 1:
            self._rows = Rows(values, missing, advice)

    @cached_property
    def verdict(self) -> str:
        """A few plain lines: what was found, whether it fits, how far directions can be trusted,
        what the data are like, and what other settings would change, measured on the same table.

        Computed when it is first asked for, or printed: other settings are tried then, which takes
        some ten times as long as the learning; the array is not to change until then. A copy from another process has no table to look
        at, and says what the graph says."""
        if self._told and not self.complete:  # what cannot be learned again
            return self._counts()
        values, missing, advice = self._rows or (None, "error", 0)
        if self.min_frequency is not None or not self.complete:
            advice = 0
        options = {**self._source.options, "timeout": "none"}
        said = self._learned.verdict(self._told_of(), values, options, self._source.knowledge,
                                     missing, advice)
        self._rows = None
        return _in_python(said.rstrip("\n"))

    def __repr__(self) -> str:
        first, *edges = super().__repr__().split("\n")
        if self._told and "verdict" not in vars(self):  # a copy would have to learn again
            return "\n".join([first, *edges])
        return "\n".join([first, *("  " + line for line in self.verdict.split("\n")), *edges])

    def _title(self) -> str:
        what = "PAG" if self.is_pag else self.graph_type
        if self.min_frequency is not None:
            what = f"consensus {what}"
        return f"{what} of {self.n_vars} variables from {self.n_obs} observations"
