"""What was sampled: DAGs, and how probable what is in them is."""
from __future__ import annotations

import html
import json
import operator
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._errors import OutOfMemoryError, UsageError
from ._graph import Graph

_SHOWN, _LEAST_SHOWN = 20, 0.1  # edges in a repr, and the probability that they must have
_HALF = 0.5  # the probability of the edges of a graph, unless another is asked for
_MOST_BYTES = 2**32  # of all draws as one array


class Probability(NamedTuple):
    """How probable an edge between two variables is, and a path."""

    a: str
    b: str
    forward: float  #: of a --> b
    backward: float  #: of b --> a
    edge: float  #: of either
    ancestor: float  #: a is an ancestor of b: there is a directed path from a to b
    descendant: float  #: b is an ancestor of a
    se: float  #: the Monte Carlo error of `edge`
    rhat: float  #: split R-hat of the two directions, the larger; NaN: they do not vary
    ess: float  #: effective draws for the two directions, the fewer; NaN: they do not vary


class PosteriorEffect(NamedTuple):
    """The posterior of a total effect: what one unit more of the cause, set from outside, adds to
    the outcome. In units of the data; in standard deviations where a correlation matrix was given,
    or with `normalize`."""

    cause: str
    outcome: str
    mean: float
    sd: float
    low: float  #: the middle 95 % of the draws: from …
    high: float  #: … to
    nonzero: float  #: the probability that the cause is an ancestor of the outcome


def _in_python(sentence: str) -> str:
    """A warning of the program with arguments instead of options, and chains numbered from 0."""
    sentence = sentence.replace("dualpc effects", "Result.effects()")
    sentence = re.sub(r",? with --drop\b", "", sentence)
    sentence = sentence.replace("a larger --candidates", "more candidates")
    sentence = re.sub(r"^chain (\d+) ", lambda found: f"chain {int(found[1]) - 1} ", sentence)
    sentence = re.sub(r"--refine (\w+)", r'refine="\1"', sentence)
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", lambda found: found[1].replace("-", "_"), sentence)


class Posterior:
    """Draws from the posterior of graphs, and the probabilities that follow from them. It does not
    change, and may be used by several threads.

    Arrays have the variables in the order of `names`, and the draws in the order (chain, draw).
    """

    names: tuple[str, ...]

    def __init__(self, core: _core.Posterior, names: tuple[str, ...],
                 noted: Sequence[str] = ()) -> None:
        self._core: _core.Posterior | None = core  # None in a copy
        self._graphs: dict[float, Graph] = {}
        self._texts: dict[tuple[str, float], str] = {}
        self.names = names
        about = core.about()
        self.n_obs: int = about[0]  #: the number of observations
        self.n_chains: int = about[1]  #: the number of chains
        self.n_draws: int = about[2]  #: draws of each chain that were made
        self.complete: bool = about[3]  #: False: `timeout` or Ctrl-C has ended it early
        self.best_score: float = about[4]  #: log marginal likelihood and prior, up to a constant
        self.rhat: float = about[5]  #: the largest split R-hat of edges that are not certain
        self.ess: float = about[6]  #: the fewest effective draws for such an edge
        self.score_rhat: float = about[7]  #: the same of the score
        self.score_ess: float = about[8]
        #: what was noticed about the data, and what limits the trust in the posterior
        self.warnings: tuple[str, ...] = (*noted, *map(_in_python, core.warnings()))

    # ---- Copies in other processes ----

    def __getstate__(self) -> dict[str, Any]:
        """All draws and numbers. Of graphs and texts, those with the usual min_probability, and
        those that were asked for."""
        self.graph(), self.to_json(), self.to_dot()
        kept = ("_pairs", "_arrows", "scores", "n_edges", "best", "effects", "effect_draws",
                "verdict")
        return {**{key: value for key, value in self.__dict__.items() if key != "_core"},
                **{name: getattr(self, name) for name in kept}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._core = None
        for value in (*self._arrows, *state.values()):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def _drawn(self) -> _core.Posterior:
        if self._core is None:
            raise UsageError("a copy from another process has the graphs that the original was asked "
                             "for; ask the original, or sample again with the same seed")
        return self._core

    def _array(self, data: bytearray, kind: Any, *shape: int) -> np.ndarray:
        values = np.frombuffer(data, kind).reshape(shape)
        values.flags.writeable = False
        return values

    # ---- Probabilities ----

    @property
    def n_vars(self) -> int:
        """The number of variables."""
        return len(self.names)

    @cached_property
    def _pairs(self) -> np.ndarray:
        """a, b, forward, backward, ancestor, descendant, se, rhat, ess of each pair."""
        data = self._drawn.pairs()
        return self._array(data, float, len(data) // 72, 9)

    def _matrix(self, forward: int, backward: int) -> np.ndarray:
        """Two columns of the pairs as one matrix."""
        a, b = self._pairs[:, 0].astype(int), self._pairs[:, 1].astype(int)
        matrix = np.zeros((self.n_vars, self.n_vars))
        matrix[a, b], matrix[b, a] = self._pairs[:, forward], self._pairs[:, backward]
        matrix.flags.writeable = False
        return matrix

    @cached_property
    def probabilities(self) -> np.ndarray:
        """Entry (i, j) is the probability of i --> j."""
        return self._matrix(2, 3)

    @cached_property
    def edge_probabilities(self) -> np.ndarray:
        """Entry (i, j) is the probability of an edge between i and j, in either direction."""
        matrix = self.probabilities + self.probabilities.T
        matrix.flags.writeable = False
        return matrix

    @cached_property
    def ancestors(self) -> np.ndarray:
        """Entry (i, j) is the probability that i is an ancestor of j."""
        return self._matrix(4, 5)

    def table(self, min_probability: float = 0.0) -> list[Probability]:
        """The pairs with an edge or a path in any draw, in the order of the variables; only those
        whose edge has at least this probability."""
        return [Probability(self.names[int(a)], self.names[int(b)], forward, backward,
                            forward + backward, *rest)
                for a, b, forward, backward, *rest in self._pairs.tolist()
                if forward + backward >= min_probability]

    def to_pandas(self, min_probability: float = 0.0) -> Any:
        """The same as a pandas.DataFrame."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas() needs pandas (Debian: python3-pandas)") from None
        return pandas.DataFrame(self.table(min_probability), columns=Probability._fields)

    # ---- Graphs ----

    def graph(self, min_probability: float = _HALF) -> Graph:
        """The graph of the edges with at least this probability, above 0 and at most 1, directed as
        most draws have them: a CPDAG."""
        least = float(min_probability)
        if not 0 < least <= 1:
            raise UsageError("min_probability must be above 0 and at most 1, not "
                             f"{min_probability!r}")
        if least not in self._graphs:
            self._graphs[least] = Graph._of(self._drawn.graph(least), self.names)
        return self._graphs[least]

    @cached_property
    def best(self) -> Graph:
        """The DAG with the highest score of all draws, `best_score`."""
        return Graph._of(self._drawn.best(), self.names)

    # ---- Draws ----

    @cached_property
    def scores(self) -> np.ndarray:
        """The scores of the draws, chains × draws."""
        return self._array(self._drawn.scores(), float, self.n_chains, self.n_draws)

    @cached_property
    def n_edges(self) -> np.ndarray:
        """The number of edges of the draws, chains × draws."""
        return self._array(self._drawn.n_edges(), np.int32, self.n_chains, self.n_draws)

    @cached_property
    def _arrows(self) -> tuple[np.ndarray, np.ndarray]:
        """From and to, of all draws, one behind the other."""
        source, target = self._drawn.arrows()
        return self._array(source, np.int32, -1), self._array(target, np.int32, -1)

    @cached_property
    def _ends(self) -> np.ndarray:
        """Where the arrows of the draws end."""
        return np.cumsum(self.n_edges, dtype=np.int64)

    def draw(self, chain: int, i: int) -> Graph:
        """Draw number i of a chain, a DAG; both are numbered from 0."""
        chain, i = operator.index(chain), operator.index(i)
        if not (0 <= chain < self.n_chains and 0 <= i < self.n_draws):
            raise IndexError(f"there is no draw {i} of chain {chain}; there are {self.n_chains} "
                             f"chains of {self.n_draws} draws, both numbered from 0")
        at = chain * self.n_draws + i
        arrows = slice(int(self._ends[at]) - int(self.n_edges[chain, i]), int(self._ends[at]))
        matrix = np.zeros((self.n_vars, self.n_vars), bool)
        matrix[self._arrows[0][arrows], self._arrows[1][arrows]] = True
        return Graph(matrix, self.names)

    def draws(self, every: int = 1) -> np.ndarray:
        """The DAGs as an array, chains × draws × variables × variables: entry (c, d, i, j) is True
        for i --> j in draw d of chain c. With `every=k`, only every k-th draw of each chain."""
        step = operator.index(every)
        if step < 1:
            raise UsageError(f"every must be a whole number from 1 on, not {every!r}")
        kept = (self.n_draws + step - 1) // step
        size = self.n_chains * kept * self.n_vars**2
        if size > _MOST_BYTES:
            raise OutOfMemoryError(
                f"{self.n_chains * kept} draws of {self.n_vars} variables take {size / 2**30:.0f} "
                f"GiB as one array; take fewer with draws(every={-(-step * size // _MOST_BYTES)}), "
                "or one after the other with draw(chain, i)")
        found = np.zeros((self.n_chains, kept, self.n_vars, self.n_vars), bool)
        chain, draw = self._places()
        wanted = draw % step == 0
        source, target = self._arrows
        found[chain[wanted], draw[wanted] // step, source[wanted], target[wanted]] = True
        return found

    def _places(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each arrow its chain, and its draw."""
        draws = np.repeat(np.arange(self.n_edges.size), self.n_edges.ravel())
        return draws // self.n_draws, draws % self.n_draws

    # ---- Effects ----

    @cached_property
    def effects(self) -> list[PosteriorEffect]:
        """The total effects that were asked for with `cause` and `outcome`."""
        return [PosteriorEffect(self.names[cause], self.names[outcome], *numbers)
                for cause, outcome, *numbers in self._drawn.effects()]

    @cached_property
    def effect_draws(self) -> np.ndarray:
        """The effects in the draws, chains × draws × effects."""
        values = self._array(self._drawn.effect_draws(), float, len(self.effects), self.n_chains,
                             self.n_draws)
        return np.moveaxis(values, 0, -1)

    # ---- For ArviZ ----

    def _listed(self, min_probability: float) -> tuple[np.ndarray, np.ndarray]:
        """The directed edges that are as probable: from, and to."""
        source, target = np.nonzero(self.probabilities >= max(min_probability, 1e-300))
        return source, target

    def to_dict(self, min_probability: float = 0.01) -> dict[str, np.ndarray]:
        """The draws as ArviZ takes them, arrays whose first two dimensions are chain and draw:
        'score', 'n_edges', 'edge' (1 where the draw has that directed edge; only edges with at
        least this probability, as `coords` lists them) and, if there are effects, 'effect'.

        ``arviz.from_dict({"posterior": p.to_dict()}, coords=p.coords(), dims=p.dims)``, or before
        ArviZ 1.0 ``arviz.from_dict(posterior=p.to_dict(), coords=p.coords(), dims=p.dims)``.
        """
        source, target = self._listed(min_probability)
        column = np.full((self.n_vars, self.n_vars), -1)
        column[source, target] = np.arange(len(source))
        chain, draw = self._places()
        at = column[self._arrows]
        edge = np.zeros((self.n_chains, self.n_draws, len(source)), np.int8)
        edge[chain[at >= 0], draw[at >= 0], at[at >= 0]] = 1
        found = {"score": self.scores, "n_edges": self.n_edges, "edge": edge}
        return {**found, "effect": self.effect_draws} if self.effects else found

    def coords(self, min_probability: float = 0.01) -> dict[str, list[str]]:
        """What the entries of `to_dict` are called, for ArviZ."""
        found = {"directed_edge": [f"{self.names[a]} --> {self.names[b]}"
                                   for a, b in zip(*self._listed(min_probability))]}
        if self.effects:
            found["cause_outcome"] = [f"{e.cause} on {e.outcome}" for e in self.effects]
        return found

    @property
    def dims(self) -> dict[str, list[str]]:
        """The names of the dimensions of `to_dict` behind chain and draw, for ArviZ."""
        found = {"edge": ["directed_edge"]}
        return {**found, "effect": ["cause_outcome"]} if self.effects else found

    # ---- As text ----

    def to_string(self, format: str = "txt", min_probability: float = _HALF) -> str:
        """The graph of the probable edges in a format of the command line: txt, csv, dot, json and
        others. JSON has all probabilities, too."""
        key = (format, float(min_probability))
        if key not in self._texts:
            self.graph(min_probability)  # refuses what is no probability
            self._texts[key] = self._drawn.text(*key)
        return self._texts[key]

    def to_json(self, min_probability: float = _HALF) -> str:
        """All of it but the draws, as ``dualpc sample`` writes it."""
        return self.to_string("json", min_probability)

    def to_dot(self, min_probability: float = _HALF) -> str:
        """The graph for Graphviz; lines are as wide as edges are probable."""
        return self.to_string("dot", min_probability)

    @cached_property
    def _json(self) -> dict[str, Any]:
        return json.loads(self.to_json())

    @property
    def settings(self) -> dict[str, Any]:
        """How it was sampled."""
        return self._json["settings"]

    @property
    def diagnostics(self) -> dict[str, Any]:
        """More about the chains: R-hat and effective draws of the score, how far the worst chain
        lies below the best, the most probable parent that is no candidate, counts of moves."""
        return self._json["diagnostics"]

    @property
    def seconds(self) -> dict[str, float]:
        """How long the parts of the work took."""
        return self._json["seconds"]

    # ---- To look at ----

    @cached_property
    def verdict(self) -> str:
        """A few plain lines: what was sampled, how many edges are probable, and whether the chains
        agree."""
        return self._drawn.verdict().rstrip("\n")

    def _lines(self) -> list[str]:
        """The head of what is shown."""
        lines = [f"dualpc.Posterior: graphs of {self.n_vars} variables from {self.n_obs} "
                 "observations", *self.verdict.split("\n")]
        if not self.complete:
            lines.append(f"Incomplete: stopped after {self.n_draws} of {self.settings['draws']} "
                         "draws of each chain.")
        if self.warnings:
            count = len(self.warnings)
            lines.append(f"{count} warning{'s' * (count != 1)}: see the attribute 'warnings'.")
        return lines

    def _probable(self) -> list[tuple[str, float, float]]:
        """Edges in their likelier direction, the most probable first: their probability, and that
        of the direction."""
        rows = sorted(self.table(_LEAST_SHOWN), key=lambda row: -row.edge)
        return [(f"{row.a} --> {row.b}", row.edge, row.forward) if row.forward >= row.backward
                else (f"{row.b} --> {row.a}", row.edge, row.backward) for row in rows]

    def __repr__(self) -> str:
        rows = self._probable()
        first, *others = self._lines()
        lines = [first, *(f"  {line}" for line in others)]
        shown = rows[:_SHOWN]
        wide = max((len(edge) for edge, _, _ in shown), default=0)
        lines += [f"  {edge:{wide}}  edge {p:.2f}, in this direction {forward:.2f}"
                  for edge, p, forward in shown]
        if len(rows) > _SHOWN:
            lines.append(f"  … and {len(rows) - _SHOWN} more with a probability of at least "
                         f"{_LEAST_SHOWN}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        text = "<br>".join(map(html.escape, self._lines()))
        rows = "".join(f"<tr><td>{html.escape(edge)}</td><td>{p:.3f}</td><td>{forward:.3f}</td></tr>"
                       for edge, p, forward in self._probable()[:_SHOWN])
        return (f"<p>{text}</p><table><tr><th>edge</th><th>probability</th><th>in this direction"
                f"</th></tr>{rows}</table>")
