"""A graph with named nodes, and what other packages make of it."""
from __future__ import annotations

import difflib
import html
import numbers
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _core, _picture
from ._errors import DataError, DualPCError, UsageError

_SHOWN = 20  # edges in a repr


def find_variable(variable: Any, numbers_of: Mapping[str, int]) -> int:
    """The number of a variable, which may be given by its name or by its number."""
    if isinstance(variable, str):
        found = numbers_of.get(variable)
        if found is not None:
            return found
        near = difflib.get_close_matches(variable, numbers_of, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UsageError(f"there is no variable {variable!r}{hint}")
    if not isinstance(variable, numbers.Integral):
        raise TypeError(f"a variable is a name or a number, not {variable!r}")
    number = int(variable)
    if not 0 <= number < len(numbers_of):
        raise UsageError(f"there is no variable {number}; they are numbered from 0 to "
                         f"{len(numbers_of) - 1}")
    return number


def find_variables(variables: Any, numbers_of: Mapping[str, int]) -> tuple[int, ...] | None:
    """The numbers of a variable, or of a list of them; None stays None."""
    if variables is None:
        return None
    if isinstance(variables, str) or not hasattr(variables, "__iter__"):
        variables = [variables]
    return tuple(dict.fromkeys(find_variable(variable, numbers_of) for variable in variables))


#: The marks at the ends of edges by their numbers, which are those of pcalg's amat.pag.
ENDS = ("none", "circle", "arrow", "tail")
_LEFT, _RIGHT = ("", "o", "<", "-"), ("", "o", ">", "-")
_WORDS = {"o": "circle", "<": "arrow", ">": "arrow", "-": "tail"}
_CAUSALLEARN = np.array([0, 2, 1, -1], np.int8)  # none, circle, arrow, tail


def mark_text(mark: int) -> str:
    """How an edge list writes a dpc_mark: the ends at a and at b in one number."""
    return f"{_LEFT[mark & 3]}-{_RIGHT[mark >> 2]}"


class Edge(NamedTuple):
    source: str
    target: str
    mark: str  #: '-->' or '---'; of a PAG also 'o->', '<->', 'o-o', and with selection '--o'

    @property
    def from_mark(self) -> str:
        """What the edge has at its source: 'tail', 'arrow' or 'circle'."""
        return _WORDS[self.mark[0]]

    @property
    def to_mark(self) -> str:
        """What it has at its target."""
        return _WORDS[self.mark[-1]]

    def __str__(self) -> str:
        return f"{self.source} {self.mark} {self.target}"


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


def _say_set(members: Sequence[str] | None) -> str:
    return "none" if members is None else ", ".join(members) or "the empty set"


def _names_for(matrix: np.ndarray, what: str, names: Sequence[str] | None) -> tuple[str, ...]:
    """The names of the nodes of a matrix, which must be square."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise UsageError(f"{what} is square, not {matrix.shape}")
    count = matrix.shape[0]
    found = tuple(names) if names is not None else tuple(f"V{i + 1}" for i in range(count))
    if len(found) != count:
        raise UsageError(f"there are {len(found)} names for {count} nodes")
    return found


class Separation(NamedTuple):
    """Whether a graph separates two variables. It is true where they are separated."""

    separated: bool
    path: tuple[str, ...]  #: where they are not: a shortest path that is open
    text: str  #: in a sentence

    def __bool__(self) -> bool:
        return self.separated

    def __str__(self) -> str:
        return self.text


class Adjustment(NamedTuple):
    """Which variables to adjust for, so that a regression has the total effect of one variable on
    another. It is true where the effect is identified by adjustment."""

    identified: bool
    possible: bool  #: there is a possibly causal path; if not, the effect is 0
    optimal: tuple[str, ...] | None  #: None: there is none, or, of a PAG, none is known
    parents: tuple[str, ...] | None
    minimal: tuple[str, ...] | None
    path: tuple[str, ...]  #: not identified: a possibly causal path that is in the way
    valid: bool | None  #: of the set that was to be checked; None: none was
    text: str  #: in sentences

    def __bool__(self) -> bool:
        return self.identified

    def __str__(self) -> str:
        return self.text


class Graph:
    """A graph over named variables, with arrows and undirected edges; or a PAG, whose edges also
    have circles and two arrowheads. It does not change."""

    names: tuple[str, ...]
    _all_nodes = True  # False: of a file that names only those with an edge
    _said_pag = False  # True: of a file that says so, whatever its marks are

    def __init__(self, adjacency: Any, names: Sequence[str] | None = None) -> None:
        """Of a matrix: entry (i, j) is not 0 where there is i --> j or i --- j."""
        matrix = np.ascontiguousarray(np.asarray(adjacency) != 0).astype(np.uint8)
        self.names = _names_for(matrix, "an adjacency matrix", names)
        self._core_graph = _core.graph(matrix, len(matrix))

    @classmethod
    def from_marks(cls, marks: Any, names: Sequence[str] | None = None) -> Graph:
        """Of a matrix of the marks at the ends of edges, as `marks` has it: entry (i, j) is the mark
        at j, 0 none, 1 circle, 2 arrowhead, 3 tail (pcalg's amat.pag)."""
        given = np.asarray(marks)
        names = _names_for(given, "a matrix of marks", names)
        if given.dtype.kind not in "buif" or not np.isin(given, range(len(ENDS))).all():
            raise UsageError("a mark is 0 (none), 1 (circle), 2 (arrowhead) or 3 (tail)")
        matrix = np.ascontiguousarray(given.astype(np.uint8))
        return Graph._of(_core.graph_of_marks(matrix, len(matrix)), names)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Graph:
        """Of a file in any format that the command line reads; its extension says which: .txt,
        .csv, .pag.csv, .json, .dot, .graphml and others."""
        core, names, all_nodes, pag = _core.read_graph(os.fsdecode(path))
        graph = Graph._of(core, tuple(names))
        graph._all_nodes, graph._said_pag = all_nodes, pag
        return graph

    @classmethod
    def _of(cls, core: _core.Graph, names: tuple[str, ...]) -> Graph:
        graph = Graph.__new__(Graph)
        graph._core_graph, graph.names = core, names
        return graph

    def _graph(self) -> _core.Graph:
        return self._core_graph

    def __getstate__(self) -> dict[str, Any]:
        return {"names": self.names, "marks": self.marks}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.marks.flags.writeable = False
        self._core_graph = _core.graph_of_marks(self.marks, self.n_vars)

    # ---- Questions ----

    @property
    def n_vars(self) -> int:
        """The number of variables."""
        return len(self.names)

    @property
    def is_pag(self) -> bool:
        """Is it a partial ancestral graph (PAG): does an edge have a circle or two arrowheads,
        or does its file say so?"""
        return self._said_pag or self._graph().is_pag()

    def _refuse_pag(self, what: str) -> None:
        """For what only graphs without hidden causes have."""
        if self.is_pag:
            raise UsageError(f"the graph is a PAG, which allows for hidden common causes, and {what}")

    @cached_property
    def adjacency(self) -> np.ndarray:
        """Entry (i, j) is 1 for i --> j, and both (i, j) and (j, i) are for i --- j. A PAG has
        `marks` instead."""
        self._refuse_pag("zeros and ones cannot hold its circles and double arrowheads; take marks")
        matrix = np.frombuffer(self._graph().adjacency(), np.uint8)
        return self._square(matrix)

    @cached_property
    def marks(self) -> np.ndarray:
        """The marks at the ends of edges (pcalg's amat.pag): entry (i, j) is the one at j of the
        edge between i and j: 0 no edge, 1 circle, 2 arrowhead, 3 tail. So i --> j is marks[i, j]
        == 2 and marks[j, i] == 3. Every graph has it, not only a PAG."""
        return self._square(np.frombuffer(self._graph().marks(), np.int8))

    def _square(self, values: np.ndarray) -> np.ndarray:
        matrix = values.reshape(self.n_vars, self.n_vars)
        matrix.flags.writeable = False
        return matrix

    @cached_property
    def edges(self) -> list[Edge]:
        """All edges, in the order of the variables."""
        source, target, marks = self._graph().edges()
        return [Edge(self.names[a], self.names[b], mark_text(mark))
                for a, b, mark in zip(np.frombuffer(source, np.int32),
                                      np.frombuffer(target, np.int32), marks)]

    def dag(self) -> Graph:
        """One DAG of the class: the same skeleton, arrows and v-structures."""
        self._refuse_pag("no DAG over these variables stands for it")
        return Graph._of(self._graph().class_member(), self.names)

    def _index(self, variable: Any) -> int:
        return find_variable(variable, self._numbers)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    # ---- What follows from it ----

    def _ask(self, question: Any, *rest: Any) -> Any:
        """The answer to a question to the graph; a graph that cannot be asked can be extended."""
        try:
            return question(self._graph(), self.names, *rest[:-1], self.is_pag, rest[-1])
        except DataError as refused:
            extend = "" if rest[-1] else "; extend=True takes the nearest valid graph"
            raise DataError(f"{refused}{extend}") from None

    def _say_path(self, path: tuple[tuple[int, ...], Sequence[int]]) -> str:
        nodes, marks = path
        names = [self.names[i] for i in nodes]
        return names[0] + "".join(f" {mark_text(mark)} {name}"
                                  for mark, name in zip(marks, names[1:]))

    def _names_of(self, members: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.names[i] for i in members)

    def separated(self, a: str | int, b: str | int, given: Any = (), *, extend: bool = False
                  ) -> Separation:
        """Does the graph say that two variables are independent given others (d-separation, of a
        PAG m-separation)?

        given : a variable or a list of them
        extend : take the nearest valid graph where it is no DAG, CPDAG, MPDAG, MAG or PAG
        """
        x, y, members = self._index(a), self._index(b), find_variables(given, self._numbers) or ()
        apart, path = self._ask(_core.separated, x, y, members, extend)
        text = (f"{self.names[x]} and {self.names[y]} are {'' if apart else 'not '}separated"
                + (f" given {', '.join(self._names_of(members))}" if members else "")
                + ("" if apart else f"; open path: {self._say_path(path)}"))
        return Separation(apart, self._names_of(path[0]), text)

    def adjust(self, cause: str | int, outcome: str | int, check: Any = None, *,
               extend: bool = False) -> Adjustment:
        """Which variables to adjust for, so that the regression of the outcome on the cause has the
        total effect; of a PAG by the generalised adjustment criterion.

        check : a variable or a list of them: is this set valid?
        extend : take the nearest valid graph where it is no DAG, CPDAG, MPDAG, MAG or PAG
        """
        x, y, members = (self._index(cause), self._index(outcome),
                         find_variables(check, self._numbers))
        hidden, identified, possible, path, *sets, checked = self._ask(_core.adjust, x, y, members,
                                                                       extend)
        optimal, parents, minimal = (None if found is None else self._names_of(found)
                                     for found in sets)
        # every causal path may begin with an arrow behind which nothing is hidden, and still no set
        # be valid
        no_set = identified and hidden and minimal is None
        lines = [self._say_effect(x, y, hidden, identified, possible, no_set, path)]
        if identified and not no_set:
            kinds = {"optimal": optimal, "parents": parents, "minimal": minimal}
            lines += [f"{kind}: {_say_set(found)}" for kind, found in kinds.items()
                      if not (hidden and kind == "optimal")]
        if checked is not None:
            lines.append(self._say_check(x, y, members or (), checked))
        return Adjustment(identified and not (no_set and possible), possible, optimal, parents,
                          minimal, self._names_of(path[0]),
                          None if checked is None else checked[0] == "valid", "\n".join(lines))

    def _say_effect(self, x: int, y: int, hidden: bool, identified: bool, possible: bool,
                    no_set: bool, path: Any) -> str:
        effect = f"the effect of {self.names[x]} on {self.names[y]} is "
        if not possible:
            return f"{effect}0, for {self.names[y]} cannot be a descendant of {self.names[x]}"
        if no_set:
            return f"{effect}not identified by adjustment: no set is valid"
        if identified:
            return f"{effect}identified"
        first = self._say_path((path[0][:2], path[1][:1]))
        why = "may be due to a hidden common cause" if hidden else "has no direction"
        return (f"{effect}not identified: the edge {first} {why}, and is on the possibly causal "
                f"path {self._say_path(path)}")

    def _say_check(self, x: int, y: int, members: Sequence[int], checked: Any) -> str:
        verdict, node, through, path = checked
        text = f"{_say_set(self._names_of(members))} is {'' if verdict == 'valid' else 'not '}valid"
        if node >= 0:
            behind = ("" if node == through
                      else f"may be a descendant of {self.names[through]}, which ")
            text += (f": {self.names[node]} is forbidden, for it {behind}may be on a causal path "
                     f"from {self.names[x]} to {self.names[y]}")
        elif path[0]:
            text += f": it leaves this path open: {self._say_path(path)}"
        elif verdict != "valid":
            text += ", and nor is any other set"
        return text

    def compare(self, truth: Graph, graph: str = "cpdag", *, extend: bool = False
                ) -> dict[str, Any]:
        """How far this graph is from another one, which has the same variables in any order: the
        numbers of the program's compare.

        Two PAGs have skeleton_precision, skeleton_recall, skeleton_F1, arrow_precision,
        arrow_recall, tail_precision, tail_recall, SHD (the pairs that differ) and exact; other
        graphs TP, FP, FN, SHD, precision, recall and others, with distances of what they say about
        effects (None: one of them stands for no DAG).

        graph : what is counted: 'cpdag', 'pattern' or 'skeleton'
        extend : distances of the nearest valid graph where one is no DAG, CPDAG or MPDAG
        """
        if not isinstance(truth, Graph):
            raise TypeError(f"compare() takes a dualpc.Graph, such as Graph.read(path) or "
                            f"Graph(adjacency, names), not {type(truth).__name__}")
        if graph not in ("cpdag", "pattern", "skeleton"):
            raise UsageError(f"graph must be one of cpdag, pattern, skeleton, not {graph!r}")
        names = truth.names if not self._all_nodes and truth.n_vars > self.n_vars else self.names
        estimate, other = self._over(names), truth._over(names)
        if graph != "skeleton" and (self.is_pag or truth.is_pag):
            if graph == "pattern":
                raise UsageError("a PAG has no pattern; take graph='skeleton', or leave it out")
            for one, name, which in ((self, "estimate", truth), (truth, "truth", self)):
                if which.is_pag and not one.is_pag and one._graph().edges()[2]:
                    raise UsageError(f"the {name} is no PAG and the other graph is one: their marks "
                                     "mean different things; compare two PAGs, or the skeletons "
                                     "alone (graph='skeleton')")
            graph = "pag"
        return _core.compare(estimate, other, graph, extend)

    def _over(self, names: tuple[str, ...]) -> _core.Graph:
        """The same over the variables in another order, and others that it need not name."""
        if names == self.names:
            return self._graph()
        one, other = set(names), set(self.names)
        unknown = sorted(other - one if not self._all_nodes else one ^ other)
        if unknown:
            raise UsageError("the two graphs have different variables: "
                             f"{unknown[0]!r} is in only one of them")
        if len(one) < len(names) or len(other) < len(self.names):
            raise UsageError("two variables have the same name")
        where = [names.index(name) for name in self.names]
        marks = np.zeros((len(names), len(names)), np.uint8)
        marks[np.ix_(where, where)] = self.marks
        return _core.graph_of_marks(marks, len(names))

    # ---- As text ----

    def to_string(self, format: str = "txt") -> str:
        """The graph in a format of the command line: txt, csv, dot, json and others."""
        return self.to_svg() if format == "svg" else self._graph().text(self.names, format)

    def to_dot(self) -> str:
        """For Graphviz."""
        return self.to_string("dot")

    def to_json(self) -> str:
        return self.to_string("json")

    # ---- For other packages ----

    def to_networkx(self) -> Any:
        """A networkx.DiGraph. An undirected edge has arcs both ways; `mark` is on every arc.

        A PAG has one arc for each edge, from its source to its target as in `edges`, with `mark`,
        `from_mark` and `to_mark` ('tail', 'arrow' or 'circle'). Algorithms that follow arcs do not
        look at the marks: arcs whose mark is not '-->' are no arrows.
        """
        try:
            import networkx
        except ImportError:
            raise ImportError("to_networkx() needs networkx (Debian: python3-networkx)") from None
        graph = networkx.DiGraph()
        graph.add_nodes_from(self.names)
        if self.is_pag:
            graph.graph["graph_type"] = "pag"
            for edge in self.edges:
                graph.add_edge(edge.source, edge.target, mark=edge.mark, from_mark=edge.from_mark,
                               to_mark=edge.to_mark)
            return graph
        for source, target, mark in self.edges:
            graph.add_edge(source, target, mark=mark)
            if mark == "---":
                graph.add_edge(target, source, mark=mark)
        return graph

    def to_causallearn_matrix(self) -> np.ndarray:
        """The matrix that a graph of causal-learn has as its attribute `graph`: entry (i, j) is the
        mark at i of the edge between i and j: 0 no edge, -1 tail, 1 arrowhead, 2 circle. So i --> j
        is -1 at (i, j) and 1 at (j, i)."""
        return _CAUSALLEARN[self.marks.T]

    def to_causallearn(self) -> Any:
        """A GeneralGraph of causal-learn."""
        try:
            from causallearn.graph.Edge import Edge as CausalEdge
            from causallearn.graph.Endpoint import Endpoint
            from causallearn.graph.GeneralGraph import GeneralGraph
            from causallearn.graph.GraphNode import GraphNode
        except ImportError:
            raise ImportError("to_causallearn() needs the package causal-learn") from None
        nodes = {name: GraphNode(name) for name in self.names}
        graph = GeneralGraph(list(nodes.values()))
        for edge in self.edges:
            ends = (getattr(Endpoint, end.upper()) for end in (edge.from_mark, edge.to_mark))
            graph.add_edge(CausalEdge(nodes[edge.source], nodes[edge.target], *ends))
        return graph

    # ---- To look at ----

    def to_svg(self, layout: str = "dot") -> str:
        """A picture by Graphviz, whose program `dot` must be installed; `layout` is one of its
        others: neato, fdp, sfdp, circo."""
        return _picture.svg(self.to_dot(), layout)

    def _title(self) -> str:
        return f"{self.n_vars} variables"

    def _counts(self) -> str:
        if self.is_pag:
            ends = [end for edge in self.edges for end in (edge.from_mark, edge.to_mark)]
            return f"{_count(len(self.edges), 'edge')}; " + ", ".join(
                _count(ends.count(end), name) for end, name
                in (("arrow", "arrowhead"), ("tail", "tail"), ("circle", "circle")))
        arrows = sum(edge.mark == "-->" for edge in self.edges)
        return (f"{_count(len(self.edges), 'edge')}, {arrows} directed, "
                f"{len(self.edges) - arrows} undirected")

    def __repr__(self) -> str:
        lines = [f"dualpc.{type(self).__name__}: {self._title()}; {self._counts()}"]
        lines += [f"  {edge}" for edge in self.edges[:_SHOWN]]
        if len(self.edges) > _SHOWN:
            lines.append(f"  … and {len(self.edges) - _SHOWN} more")
        return "\n".join(lines)

    def _repr_svg_(self) -> str | None:
        try:
            return self.to_svg()
        except DualPCError:
            return None  # then there is _repr_html_

    def _repr_html_(self) -> str | None:
        try:
            self.to_svg()
            return None  # notebooks would prefer this to the picture
        except DualPCError as why:
            reason = str(why)
        return f"<pre>{html.escape(repr(self))}</pre><p><small>{html.escape(reason)}</small></p>"
