"""A graph with named nodes, and what other packages make of it."""
from __future__ import annotations

import difflib
import html
import numbers
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _core, _picture
from ._errors import DualPCError, UsageError

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


class Edge(NamedTuple):
    source: str
    target: str
    mark: str  #: '-->' or '---'

    def __str__(self) -> str:
        return f"{self.source} {self.mark} {self.target}"


class Graph:
    """A graph over named variables, with arrows and undirected edges. It does not change."""

    names: tuple[str, ...]

    def __init__(self, adjacency: Any, names: Sequence[str] | None = None) -> None:
        """Of a matrix: entry (i, j) is not 0 where there is i --> j or i --- j."""
        matrix = np.ascontiguousarray(np.asarray(adjacency) != 0).astype(np.uint8)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise UsageError(f"an adjacency matrix is square, not {matrix.shape}")
        count = matrix.shape[0]
        self.names = tuple(names) if names is not None else tuple(
            f"V{i + 1}" for i in range(count))
        if len(self.names) != count:
            raise UsageError(f"there are {len(self.names)} names for {count} nodes")
        self._core_graph = _core.graph(matrix, count)

    @classmethod
    def _of(cls, core: _core.Graph, names: tuple[str, ...]) -> Graph:
        graph = Graph.__new__(Graph)
        graph._core_graph, graph.names = core, names
        return graph

    def _graph(self) -> _core.Graph:
        return self._core_graph

    def __getstate__(self) -> dict[str, Any]:
        return {"names": self.names, "adjacency": self.adjacency}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.adjacency.flags.writeable = False
        self._core_graph = _core.graph(self.adjacency, self.n_vars)

    # ---- Questions ----

    @property
    def n_vars(self) -> int:
        """The number of variables."""
        return len(self.names)

    @cached_property
    def adjacency(self) -> np.ndarray:
        """Entry (i, j) is 1 for i --> j, and both (i, j) and (j, i) are for i --- j."""
        matrix = np.frombuffer(self._graph().adjacency(), np.uint8)
        matrix = matrix.reshape(self.n_vars, self.n_vars)
        matrix.flags.writeable = False
        return matrix

    @cached_property
    def edges(self) -> list[Edge]:
        """All edges, in the order of the variables."""
        source, target, directed = self._graph().edges()
        return [Edge(self.names[a], self.names[b], "-->" if arrow else "---")
                for a, b, arrow in zip(np.frombuffer(source, np.int32),
                                       np.frombuffer(target, np.int32), directed)]

    def dag(self) -> Graph:
        """One DAG of the class: the same skeleton, arrows and v-structures."""
        return Graph._of(self._graph().class_member(), self.names)

    def _index(self, variable: Any) -> int:
        return find_variable(variable, self._numbers)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

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
        """A networkx.DiGraph. An undirected edge has arcs both ways; `mark` is on every arc."""
        try:
            import networkx
        except ImportError:
            raise ImportError("to_networkx() needs networkx (Debian: python3-networkx)") from None
        graph = networkx.DiGraph()
        graph.add_nodes_from(self.names)
        for source, target, mark in self.edges:
            graph.add_edge(source, target, mark=mark)
            if mark == "---":
                graph.add_edge(target, source, mark=mark)
        return graph

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
        for source, target, mark in self.edges:
            end = Endpoint.ARROW if mark == "-->" else Endpoint.TAIL
            graph.add_edge(CausalEdge(nodes[source], nodes[target], Endpoint.TAIL, end))
        return graph

    # ---- To look at ----

    def to_svg(self, layout: str = "dot") -> str:
        """A picture by Graphviz, whose program `dot` must be installed; `layout` is one of its
        others: neato, fdp, sfdp, circo."""
        return _picture.svg(self.to_dot(), layout)

    def _title(self) -> str:
        return f"{self.n_vars} variables"

    def _counts(self) -> str:
        arrows = sum(edge.mark == "-->" for edge in self.edges)
        return (f"{len(self.edges)} edge{'s' * (len(self.edges) != 1)}, {arrows} directed, "
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
