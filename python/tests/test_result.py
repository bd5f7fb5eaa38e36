"""What a result answers: the same as the program's files."""
import io
import json
import os
import pickle
import re
import stat
import sys
import threading
import types

import networkx
import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLE, program, without_times

import dualpc
from dualpc import _picture


@pytest.fixture(scope="module")
def result(example):
    names, X = example
    return dualpc.learn(X, names=names, separating_sets=True)


@pytest.fixture(scope="module")
def told():
    return json.loads(program("learn", EXAMPLE, "--quiet", "--format", "json",
                              "--separating-sets"))


# ---- The graph ----

def test_edges(result, told):
    assert [edge for edge in result.edges] == [
        (edge["from"], edge["to"], edge["mark"]) for edge in told["edges"]]
    assert str(result.edges[0]) == "V2 --> V1" and result.edges[0].source == "V2"
    assert result.names == tuple(told["nodes"])
    assert (result.n_vars, result.n_obs) == (12, 500)


def test_adjacency(result):
    rows = program("learn", EXAMPLE, "--quiet", "--format", "csv").splitlines()[1:]
    assert result.adjacency.tolist() == [list(map(int, row.split(","))) for row in rows]
    with pytest.raises(ValueError):
        result.adjacency[0, 0] = 1


@pytest.mark.parametrize("format", ["txt", "csv", "dot"])
def test_texts(result, format):
    assert result.to_string(format) == program("learn", EXAMPLE, "--quiet", "--format", format)
    if format == "dot":
        assert result.to_dot() == result.to_string("dot")
    with pytest.raises(dualpc.UsageError, match="xyz"):
        result.to_string("xyz")


def test_json(result, told):
    assert without_times(result.to_json()) == without_times(json.dumps(told))
    assert result.settings == told["settings"] and result.conflicts == told["conflicts"]
    assert result.info["levels"] == told["info"]["levels"]


def test_write(result, tmp_path, monkeypatch):
    paths = [tmp_path / "graph.csv", str(tmp_path / "graph.json")]
    result.write(*paths)
    assert paths[0].read_text() == result.to_string("csv")
    assert without_times((tmp_path / "graph.json").read_text()) == without_times(result.to_json())
    with pytest.raises(dualpc.WriteError) as failed:
        result.write(tmp_path / "nowhere" / "graph.csv")
    assert isinstance(failed.value, OSError) and "nowhere" in str(failed.value)
    with pytest.raises(dualpc.UsageError):
        result.write(tmp_path / "graph.xyz")


def test_correlation(result, X):
    assert np.allclose(result.correlation, np.corrcoef(X, rowvar=False), atol=1e-12)
    with pytest.raises(ValueError):
        result.correlation[0, 0] = 2
    with pytest.raises(TypeError, match="read-write"):
        io.BytesIO(bytes(result.correlation.nbytes)).readinto(result._learned)
    flat = np.frombuffer(result._learned)
    assert np.array_equal(flat.reshape(12, 12), result.correlation)
    keeps = dualpc.learn(X).correlation  # when the result is gone
    assert np.array_equal(keeps, result.correlation)


def test_dag(result):
    dag = result.dag()
    assert networkx.is_directed_acyclic_graph(dag.to_networkx())
    skeleton = lambda graph: (graph.adjacency | graph.adjacency.T).tolist()  # noqa: E731
    assert skeleton(dag) == skeleton(result)
    assert all(edge.mark == "-->" for edge in dag.edges)
    names = np.array(result.names)
    text = program("learn", EXAMPLE, "--quiet", "--dag", "/dev/stdout", "-o", "/dev/null")
    assert sorted(map(str, dag.edges)) == sorted(text.splitlines())
    with pytest.raises(dualpc.DataError):
        dualpc.Graph([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]).dag()
    assert dag.names == tuple(names)


def test_graph_of_a_matrix():
    graph = dualpc.Graph([[0, 1, 0], [0, 0, 1], [0, 1, 0]], ["a", "b", "c"])
    assert [str(edge) for edge in graph.edges] == ["a --> b", "b --- c"]
    assert graph.to_string() == "a --> b\nb --- c\n"
    assert json.loads(graph.to_json())["nodes"] == ["a", "b", "c"]
    assert repr(graph).splitlines()[0] == (
        "dualpc.Graph: 3 variables; 2 edges, 1 directed, 1 undirected")
    again = pickle.loads(pickle.dumps(graph))
    assert again.edges == graph.edges and again.to_dot() == graph.to_dot()
    for wrong, names in [([[0, 1]], None), ([[1]], None), ([[0, 1], [0, 0]], ["a"])]:
        with pytest.raises(dualpc.UsageError):
            dualpc.Graph(wrong, names)


@pytest.mark.parametrize("how", [{"refine": "fast"}, {"method": "ges"}])
def test_rows_that_are_not_independent(how):
    """A warning, and the same penalty where a copy learns again."""
    once = np.random.default_rng(3).normal(size=(60, 20)).cumsum(axis=1)
    with pytest.warns(dualpc.DualPCWarning, match="as much information as [0-9]+ independent rows"):
        result = dualpc.learn(np.tile(once, (6, 1)), **how)
    assert 20 < result.effective_rows < 180 and "independent rows" in result.warnings[-1]
    again = pickle.loads(pickle.dumps(result))
    assert again.effective_rows == result.effective_rows
    assert again._learned.graph().text(again.names, "txt") == result.to_string("txt")
    plain = dualpc.learn(once, **how)
    assert plain.effective_rows == plain.n_obs == 60


# ---- Questions ----

def test_sepsets(result, told):
    for pair in told["separating_sets"]:
        found = result.sepset(pair["a"], pair["b"])
        assert (list(found.set), found.order, found.kind) == (
            pair["set"], pair["order"], pair["kind"])
        assert (found.r, found.p) == (pair["r"], pair["p"])
        a, b = result.names.index(pair["a"]), result.names.index(pair["b"])
        assert result.sepset(b, a) == found
    assert len(told["separating_sets"]) == 66 - len(result.edges)
    assert result.sepset(*result.edges[0][:2]) is None


def test_explain(result):
    for a, b in [("V6", "V12"), ("V2", "V1"), ("V4", "V7")]:
        run = program("learn", EXAMPLE, "--quiet", "--format", "json", "--explain", f"{a},{b}")
        assert result.explain(a, b) == json.loads(run)["explanations"][0]
    assert str(result.explain("V4", "V7")).startswith("why V4 --- V7: it survived all tests;")
    assert repr(result.explain("V4", "V7")) == result.explain("V4", "V7").text
    assert "(evidence +4.75)" in str(result.explain("V2", "V1"))


def test_variables_by_name_and_number(result):
    assert result.explain(5, 11) == result.explain("V6", "V12")
    assert result.sepset(np.int64(5), 11) == result.sepset("V6", "V12")
    with pytest.raises(dualpc.UsageError, match="no variable 'V77'; did you mean 'V7'"):
        result.sepset("V77", "V1")
    with pytest.raises(dualpc.UsageError, match="no variable 12; they are numbered from 0 to 11"):
        result.explain(0, 12)
    with pytest.raises(dualpc.UsageError, match="no variable -1"):
        result.explain(0, -1)
    with pytest.raises(TypeError, match="a name or a number, not 1.5"):
        result.sepset(1.5, 0)
    with pytest.raises(dualpc.UsageError):
        result.sepset("V1", "V1")


# ---- Bootstrap ----

def test_bootstrap(X):
    rows = program("learn", EXAMPLE, "--quiet", "--bootstrap", 40, "--seed", 3, "--frequencies",
                   "/dev/stdout", "-o", "/dev/null").splitlines()[1:]
    result = dualpc.learn(X, bootstrap=40, seed=3)
    assert [(f.source, f.target) for f in result.frequencies] == [
        tuple(row.split(",")[:2]) for row in rows]
    assert [list(f[2:]) for f in result.frequencies] == [
        list(map(float, row.split(",")[2:])) for row in rows]
    assert result.resamples == 40 and result.min_frequency is None
    assert json.loads(result.to_json())["bootstrap"]["resamples"] == 40
    half = dualpc.learn(X, bootstrap=40, seed=3, subsample=0.5)
    assert half.frequencies != result.frequencies


def test_consensus(X):
    text = program("learn", EXAMPLE, "--quiet", "--bootstrap", 40, "--min-frequency", 0.8,
                   "--format", "txt")
    result = dualpc.learn(X, bootstrap=40, min_frequency=0.8)
    assert result.to_string("txt") == text
    assert sorted(map(str, result.edges)) != sorted(map(str, dualpc.learn(X).edges))
    assert "consensus CPDAG" in repr(result)
    for ask in (result.explain, result.sepset):
        with pytest.raises(dualpc.UsageError, match="min_frequency"):
            ask("V1", "V2")


def test_bootstrap_is_refused(X):
    for wrong in (dict(seed=2), dict(subsample=0.5), dict(min_frequency=0.5)):
        with pytest.raises(dualpc.UsageError, match=f"^{next(iter(wrong))} goes with bootstrap"):
            dualpc.learn(X, **wrong)
    for name, values in [("bootstrap", (0, -1, 2**31, 1.5, True)), ("seed", (-1, 2**64, 0.5)),
                         ("subsample", (0, 1, 1.5)), ("min_frequency", (0, 1.1))]:
        for value in values:
            with pytest.raises(dualpc.UsageError, match=f"^{name} "):
                dualpc.learn(X, **{"bootstrap": 3, name: value})
    assert dualpc.learn(X, bootstrap=2, seed=2**64 - 1, min_frequency=1).resamples == 2


# ---- Refinement ----

def test_exact(X):
    """All DAGs of few variables are searched, and the result says so."""
    exact, full = dualpc.learn(X, refine="exact"), dualpc.learn(X, refine="full")
    assert exact.optimality == full.optimality == "global"
    assert exact.edges == full.edges
    assert "No DAG scores higher: the search was exact." in exact.verdict.split("\n")
    assert dualpc.learn(X).optimality is None
    with pytest.raises(dualpc.UsageError, match="at most 20 variables; the data have 24. Use refine full"):
        dualpc.learn(np.hstack([X, X[::-1]]), refine="exact")


def test_refine(X):
    """It has a start of its own, but what is said stays."""
    for options, arguments in [({}, []), ({"alpha": 0.05}, ["--alpha", 0.05]),
                               ({"rule": "or", "seed": 3}, ["--rule", "or", "--seed", 3])]:
        run = program("learn", EXAMPLE, "--quiet", "--format", "json", "--refine", "full",
                      *arguments)
        result = dualpc.learn(X, refine="full", **options)
        assert without_times(result.to_json()) == without_times(run)
        fitted = dualpc.DualPC(refine="full", **options).fit(X)
        assert without_times(fitted.graph_.to_json()) == without_times(run)
    assert dualpc.learn(X, refine="full").settings["alpha"] == 0.01
    assert dualpc.learn(X, refine="full", alpha=0.05).settings["alpha"] == 0.05
    assert dualpc.learn(X, refine="full", restarts="auto").settings["alpha"] == 0.01
    copied = pickle.loads(pickle.dumps(dualpc.DualPC(refine="fast"))).fit(X)
    assert copied.graph_.settings["rule"] == "and"


# ---- Edges with numbers, effects ----

def numbers(cells):
    return [float(cell) if cell else np.nan for cell in cells]


def test_edge_table(X, tmp_path):
    file = tmp_path / "edges.csv"
    program("learn", EXAMPLE, "--quiet", "--edges", file, "--bootstrap", 20, "-o", "/dev/null")
    header, *rows = [line.split(",") for line in file.read_text().splitlines()]
    result = dualpc.learn(X, bootstrap=20, separating_sets=True)
    assert header == ["from", "to", *dualpc.EdgeRow._fields[2:], "doubtful"]
    for copy in (result, pickle.loads(pickle.dumps(result))):
        table = copy.edge_table()
        assert [list(row[:3]) for row in table] == [row[:3] for row in rows]
        assert np.allclose([row[3:] for row in table], [numbers(row[3:-1]) for row in rows],
                           rtol=1e-9, equal_nan=True)
        assert [row.doubtful for row in table] == [row[-1] == "yes" for row in rows]


def test_node_table(X, tmp_path):
    file = tmp_path / "nodes.csv"
    program("learn", EXAMPLE, "--quiet", "--nodes", file, "-o", "/dev/null")
    header, *rows = [line.split(",") for line in file.read_text().splitlines()]
    result = dualpc.learn(X)
    assert header == list(dualpc.NodeRow._fields)[:-1]  # all are numbers: no types
    for copy in (result, pickle.loads(pickle.dumps(result))):
        table = copy.node_table()
        assert [row.name for row in table] == [row[0] for row in rows]
        assert np.allclose([row[1:-1] for row in table], [numbers(row[1:]) for row in rows],
                           rtol=1e-9, equal_nan=True)
    row = max(table, key=lambda row: row.neighbours)
    near = [result.names.index(e.target if e.source == row.name else e.source)
            for e in result.edge_table() if row.name in (e.source, e.target)]
    Z = np.asarray(X) - np.asarray(X).mean(axis=0)
    v = Z[:, result.names.index(row.name)]
    left = v - Z[:, near] @ np.linalg.lstsq(Z[:, near], v, rcond=None)[0]
    assert len(near) == row.neighbours and np.isclose(row.r2, 1 - left @ left / (v @ v))


def test_methods(X):
    text = dualpc.learn(X, alpha=0.02, rule="and").methods
    assert "at level 0.02" in text and "from both of its ends" in text
    assert "\n\nReferences\n" in text and "Giudice, E., Kuipers, J., and Moffa, G. (2023)" in text


def all_effects(result, **options):
    """As the program writes them."""
    return [{"cause": e.cause, "outcome": e.outcome, "identified": e.identified,
             "possible": e.possible, "min_abs": e.min_abs, "max_abs": e.max_abs,
             "effects": [{**one._asdict(), "set": list(one.set)} for one in e.effects]}
            for e in result.effects(**options)]


def close(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float):
        other = np.nan if other is None else other
        return np.isclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True)
    return one == other


@pytest.mark.parametrize("options, arguments", [
    ({}, []), ({"ida": "optimal"}, ["--ida", "optimal"]), ({"ida": "pcalg"}, ["--ida", "pcalg"]),
    ({"cause": "V2", "outcome": ["V1", "V6"]}, "--cause V2 --outcome V1 --outcome V6".split()),
    ({"top": 2, "outcome": "V5"}, "--top 2 --outcome V5".split()),
    ({"standardised": True, "cause": 3}, "--standardised --cause V4".split())])
def test_effects(X, options, arguments):
    run = json.loads(program("effects", EXAMPLE, "--quiet", "--format", "json", *arguments))
    result = dualpc.learn(X)
    assert close(all_effects(result, **options), run)
    copy = pickle.loads(pickle.dumps(result))  # which has the units too
    assert close(all_effects(copy, **options), run)


@pytest.mark.parametrize("missing", ["rows", "pairwise", "em"])
def test_effects_with_missing_cells(X, missing, tmp_path):
    holes = X.copy()
    holes[:60, 1] = holes[40:150, 9] = holes[140:170, 0] = np.nan
    file = tmp_path / "holes.csv"
    names = [f"V{i + 1}" for i in range(12)]
    rows = [",".join(map(repr, row)) for row in holes.tolist()]
    file.write_text("\n".join([",".join(names), *rows]))
    for options, arguments in [({}, []), ({"ida": "optimal", "cause": "V2"},
                                          ["--ida", "optimal", "--cause", "V2"])]:
        run = json.loads(program("effects", file, "--quiet", "--format", "json", "--missing",
                                 missing, *arguments))
        with pytest.warns(dualpc.DualPCWarning):
            result = dualpc.learn(holes, missing=missing)
        assert close(all_effects(result, **options), run)
        copy = pickle.loads(pickle.dumps(result))
        assert close(all_effects(copy, **options), run)
    whole = all_effects(dualpc.learn(X), cause="V2")
    assert not close(all_effects(result, cause="V2"), whole)
    if missing == "em":
        return
    table = pd.DataFrame(holes).dropna() if missing == "rows" else pd.DataFrame(holes)
    r, s = table.corr().to_numpy(), table.std(ddof=0).to_numpy()
    one = result.effects("V2", "V1")[0].effects[0]
    given = [names.index(name) for name in ("V2", *one.set)]
    inverse, outcome = np.linalg.inv(r[np.ix_(given, given)]), r[given, 0]
    slopes = inverse @ outcome
    error = np.sqrt((1 - slopes @ outcome) * inverse[0, 0] / (result.n_obs - len(given) - 1))
    assert np.allclose([one.standardised, one.effect], [slopes[0], slopes[0] * s[0] / s[1]])
    assert np.isclose(one.se, error * s[0] / s[1])


def test_effects_obey_the_graph(X):
    result = dualpc.learn(X)
    for ida in ("local", "optimal"):
        for pair in result.effects(ida=ida):
            for one in pair.effects:
                zero = one.effect == 0 and np.isnan([one.se, one.low, one.high]).all()
                assert pair.possible or zero
                assert zero or one.low < one.effect < one.high
    ranked = result.effects(outcome="V6", top=12)
    assert all(pair.possible for pair in ranked)
    assert len(ranked) == sum(pair.possible for pair in result.effects(outcome="V6")) < 11
    assert not any(pair.possible for pair in result.effects("V6"))
    assert any(abs(pair.effects[0].effect) > 0.1 for pair in result.effects("V6", ida="pcalg"))


def test_effects_that_cannot_be(X):
    result = dualpc.learn(X)
    for wrong in (dict(ida="x"), dict(top=0), dict(top=1.5), dict(cause="V77"), dict(outcome=12)):
        with pytest.raises(dualpc.UsageError):
            result.effects(**wrong)
    skeleton = dualpc.learn(X, graph="skeleton")
    with pytest.raises(dualpc.DataError):
        skeleton.effects()
    assert skeleton.effects("V1", "V2", extend=True)[0].cause == "V1"
    without_units = dualpc.learn(X, normalize="copula").effects("V2", "V1")[0].effects[0]
    assert np.isnan(without_units.effect) and np.isfinite(without_units.standardised)
    weighed = dualpc.learn(X, min_evidence=5)  # the class has the arrows that were left out
    assert close(all_effects(weighed), all_effects(result)) and "PDAG" in repr(weighed)


def test_fit(X, told):
    assert dualpc.learn(X).fit == told["fit"]
    assert dualpc.learn(X, graph="skeleton").fit is None


# ---- Knowledge ----

def test_knowledge(X, tmp_path):
    known = {"tiers": [["V3", "V10", "V12"], ("V2", "V4", "V8", "V11")],
             "required_edges": [{"from": "V4", "to": "V7"}], "forbidden_edges": {("V3", "V4")}}
    result = dualpc.learn(X, knowledge=known)
    assert {"V4 --> V7", "V10 --> V2"} <= set(map(str, result.edges))
    assert "V3 --> V4" not in map(str, result.edges)
    file = tmp_path / "known.txt"
    file.write_text("/knowledge\naddtemporal\n1 V3 V10 V12\n2 V2 V4 V8 V11\nrequiredirect\nV4 V7\n"
                    "forbiddirect\nV3 V4\n")
    for path in (file, str(file)):
        assert dualpc.learn(X, knowledge=path).edges == result.edges
    assert program("learn", EXAMPLE, "--quiet", "--knowledge", file) == result.to_string()
    numbered = dualpc.learn(X, names=range(12), knowledge={"required_edges": [(3, 6)]})
    assert "3 --> 6" in map(str, numbered.edges)


def test_knowledge_that_is_wrong(X, tmp_path):
    for known, why in [({"required_edges": [["V1", "V2"], ["V4", "V77"]]},
                        r"^knowledge: line 3, '\[\"V4\", \"V77\"\]': there is no variable 'V77'"),
                       ({"required": []}, "line 1"), ({"tiers": 3}, "line 1"),
                       ({"tiers": "V1"}, "line 1"),
                       ({"required_edges": [["V1", "V2"], ["V2", "V1"]]}, "line 3")]:
        with pytest.raises(dualpc.DataError, match=why):
            dualpc.learn(X, knowledge=known)
    spoilt = tmp_path / "spoilt"
    for content in (b"\xff\xfe1\0", b"requiredirect\nV4 V77\n", b"a\0b"):
        spoilt.write_bytes(content)
        with pytest.raises(dualpc.DataError) as refused:
            dualpc.learn(X, knowledge=spoilt)
        said = program("learn", EXAMPLE, "--knowledge", spoilt, code=2)
        assert said == f"dualpc: {refused.value}\n"
    with pytest.raises(TypeError, match="a dict, or the path of a file, not int"):
        dualpc.learn(X, knowledge=3)


# ---- Other packages ----

def test_networkx(result):
    graph = result.to_networkx()
    assert list(graph) == list(result.names)
    assert np.array_equal(networkx.to_numpy_array(graph, weight=None), result.adjacency)
    assert graph.edges["V2", "V1"]["mark"] == "-->" and not graph.has_edge("V1", "V2")
    assert graph.edges["V3", "V4"]["mark"] == graph.edges["V4", "V3"]["mark"] == "---"


def test_causallearn(result, monkeypatch):
    """Against a stand-in with the convention of causal-learn: graph[j, i] is the end at j."""
    TAIL, ARROW = -1, 1

    class GeneralGraph:
        def __init__(self, nodes):
            self.nodes, self.graph = nodes, np.zeros((len(nodes), len(nodes)), int)

        def add_edge(self, edge):
            a, b, end_a, end_b = edge
            i, j = self.nodes.index(a), self.nodes.index(b)
            self.graph[i, j], self.graph[j, i] = end_a, end_b

    parts = {"Edge": lambda *parts: parts, "GeneralGraph": GeneralGraph, "GraphNode": str,
             "Endpoint": types.SimpleNamespace(TAIL=TAIL, ARROW=ARROW)}
    for name in ("causallearn", "causallearn.graph"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    for name, part in parts.items():
        module = types.ModuleType(f"causallearn.graph.{name}")
        setattr(module, name, part)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    graph = result.to_causallearn().graph
    arrows = (graph.T == ARROW) & (graph == TAIL)  # i --> j: graph[j, i] = 1, graph[i, j] = -1
    lines = (graph == TAIL) & (graph.T == TAIL)
    assert np.array_equal(arrows | lines, result.adjacency == 1)


def test_packages_that_are_missing(result, monkeypatch):
    for name in ("networkx", "causallearn"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"^to_networkx\(\) needs networkx"):
        result.to_networkx()
    with pytest.raises(ImportError, match=r"^to_causallearn\(\) needs the package causal-learn"):
        result.to_causallearn()


# ---- Looking ----

def fake_dot(folder, script):
    path = folder / "dot"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_repr(result, X):
    lines = repr(result).splitlines()
    assert lines[0] == ("dualpc.Result: CPDAG of 12 variables from 500 observations; 13 edges, "
                        "9 directed, 4 undirected")
    first = lines.index("  V2 --> V1")
    assert lines[1:first] == ["  " + line for line in result.verdict.split("\n")]
    assert len(lines) == first + 13
    dense = dualpc.learn(X, alpha=0.9999, graph="skeleton")
    assert repr(dense).endswith(f"… and {len(dense.edges) - 20} more")
    assert "1 edge," in repr(dualpc.Graph([[0, 1], [0, 0]]))


def test_picture(result, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    fake_dot(tmp_path, 'echo "<?xml?>"; grep -q "V2.* -> .*V1" && echo "<svg>a graph</svg>"')
    assert result._repr_svg_() == result.to_svg() == "<svg>a graph</svg>\n"
    assert result._repr_html_() is None
    fake_dot(tmp_path, 'echo "<svg>$*</svg>"')
    assert result.to_svg("neato") == "<svg>-Kneato -Tsvg</svg>\n"
    result.write(tmp_path / "graph.svg", tmp_path / "graph.txt")
    assert (tmp_path / "graph.svg").read_text() == result.to_string("svg") == result.to_svg()
    assert (tmp_path / "graph.txt").read_text() == result.to_string()
    assert result.dag().to_string("svg") == result.to_svg()


def test_picture_that_cannot_be(result, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin{os.pathsep}/usr/bin")
    cases = [("echo no >&2; exit 1", "Graphviz has failed: no"),
             ("exec sleep 600", "not drawn the graph in 0.1 seconds")]
    monkeypatch.setattr(_picture, "_SECONDS", 0.1)
    for script, why in cases:
        fake_dot(tmp_path, script)
        if "sleep" not in script:
            monkeypatch.setattr(_picture, "_SECONDS", 600)
        else:
            monkeypatch.setattr(_picture, "_SECONDS", 0.1)
        assert result._repr_svg_() is None
        with pytest.raises(dualpc.DualPCError, match=why):
            result.to_svg()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(dualpc.DualPCError, match="needs Graphviz"):
        result.to_svg()
    html = result._repr_html_()
    assert "V2 --&gt; V1" in html and "needs Graphviz" in html


# ---- Copies and threads ----

@pytest.mark.parametrize("options", [{}, {"separating_sets": True}, {"normalize": "copula"},
                                     {"method": "ges"}, {"bootstrap": 5, "min_frequency": 0.5},
                                     {"knowledge": {"required_edges": [["V4", "V7"]]}}])
def test_pickle(X, options, tmp_path):
    result = dualpc.learn(X, **options)
    assert "Found" not in repr(pickle.loads(pickle.dumps(result)))
    assert "Found" in repr(result)  # from now on it has a verdict
    again = pickle.loads(pickle.dumps(result))
    assert again.edges == result.edges and again.names == result.names
    assert repr(again) == repr(result) and again.to_dot() == result.to_dot()
    assert without_times(again.to_json()) == without_times(result.to_json())
    assert again._learned_core is None  # nothing so far was learned again
    assert again.to_string("csv") == result.to_string("csv")
    assert np.array_equal(again.correlation, result.correlation)
    assert again.frequencies == result.frequencies
    if result.min_frequency is None:
        assert again.sepset(5, 11) == result.sepset(5, 11)
        assert again.explain(0, 1) == result.explain(0, 1)
    again.write(tmp_path / "graph.json", tmp_path / "graph.csv")
    assert (tmp_path / "graph.csv").read_text() == result.to_string("csv")
    assert (tmp_path / "graph.json").read_text() == again.to_json()  # also of the bootstrap
    twice = pickle.loads(pickle.dumps(again))
    assert twice.edges == result.edges and twice.to_json() == again.to_json()


def test_threads_may_ask_one_result(result):
    answers, wrong = [], []
    expected = (str(result.explain(0, 1)), result.sepset(5, 11), result.to_dot())

    def ask():
        try:
            for _ in range(20):
                answers.append((str(result.explain(0, 1)), result.sepset(5, 11), result.to_dot()))
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(answers) == 80 and all(answer == expected for answer in answers)


def test_verdict_hints_at_a_hidden_cause():
    random = np.random.default_rng(1)
    causes, noise, hidden = (random.standard_normal((2000, k)) for k in (3, 3, 1))
    effects = 0.7 * causes + hidden + noise
    said = r'^Try latent="search": a hidden common cause of [abc] and [abc] explains the data better than an arrow between them\.$'
    assert re.search(said, dualpc.learn(np.hstack([causes, effects]), names=list("xyzabc")).verdict, re.M)
    effects = 0.7 * causes + noise
    assert "latent" not in dualpc.learn(np.hstack([causes, effects]), names=list("xyzabc")).verdict


def test_verdict(example):
    names, data = example
    result = dualpc.learn(data, names=names)
    assert "verdict" not in vars(result)  # nothing is tried before it is asked for
    lines = result.verdict.split("\n")
    assert lines[0].startswith(f"Found: {len(result.edges)} edges")
    assert [line.split(":")[0] for line in lines[:3]] == ["Found", "Fit", "Directions"]
    assert 'refine="fast": ' in result.verdict and 'rule="and", alpha=0.01: ' in result.verdict
    assert "held-out rows better by 0.43 a row" in result.verdict
    assert "--" not in result.verdict
    for line in lines:
        assert "  " + line in repr(result)
    plain = dualpc.learn(data, names=names, advice=False).verdict
    assert plain.split("\n")[:3] == lines[:3] and "held-out" not in plain
    copy = pickle.loads(pickle.dumps(dualpc.learn(data, names=names)))
    assert copy.verdict.split("\n") == lines[:3]  # it has no rows
    assert pickle.loads(pickle.dumps(result)).verdict == result.verdict
    refined = dualpc.learn(data, names=names, refine="fast")
    assert 'refine="none": ' in refined.verdict
    with pytest.raises(dualpc.UsageError):
        dualpc.learn(data, advice="sometimes")


def test_doubtful_arrows(X):
    result = dualpc.learn(X[:60], bootstrap=60)
    rows = result.edge_table()
    doubtful = [row for row in rows if row.mark == "-->" and row.backward > row.forward]
    assert [row for row in rows if row.doubtful] == doubtful
    assert ("Doubtful" in result.verdict) == bool(doubtful)
    told = {(e["from"], e["to"]) for e in json.loads(result.to_json())["edges"] if e.get("doubtful")}
    assert told == {(row.source, row.target) for row in doubtful}
