"""PAGs: the same as the program's, and all that a graph can be asked, or the reason why not."""
import io
import itertools
import json
import pickle
import subprocess
import sys
import types

import networkx
import numpy as np
import pandas as pd
import pytest
import sklearn.base
from conftest import ROOT, program, read_csv, without_times

import dualpc
from dualpc._result import _in_python

HIDDEN = ROOT / "examples/hidden.csv"
MODES = {"search": ({"latent": "search"}, ["--latent", "search"]),
         "fci": ({"latent": "fci"}, ["--latent", "fci"]),
         "dag": ({"latent": "dag"}, ["--latent", "dag"]),
         "pdsep": ({"latent": "fci", "pdsep": 2}, ["--latent", "fci", "--pdsep", 2]),
         "pdsep all": ({"latent": "fci", "pdsep": "all", "alpha": 0.01},
                       ["--latent", "fci", "--pdsep", "all", "--alpha", 0.01]),
         "selection": ({"latent": "fci", "selection": True},
                       ["--latent", "fci", "--selection"]),
         "selection dag": ({"latent": "dag", "selection": True},
                           ["--latent", "dag", "--selection"])}
ENDS = {"tail": 3, "arrow": 2, "circle": 1}


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(HIDDEN)


@pytest.fixture(scope="module")
def pag(table):
    return dualpc.learn(table, latent="search")


def told_marks(*arguments):
    """What the program writes in pcalg's codes, and what the marks of its JSON say."""
    rows = program("learn", *arguments, "--quiet", "--format", "pag").splitlines()
    names = rows[0].split(",")
    marks = np.array([list(map(int, row.split(","))) for row in rows[1:]]).reshape(len(names), -1)
    told = json.loads(program("learn", *arguments, "--quiet", "--format", "json"))
    again = np.zeros_like(marks)
    for edge in told["edges"]:
        i, j = names.index(edge["from"]), names.index(edge["to"])
        again[j, i], again[i, j] = ENDS[edge["from_mark"]], ENDS[edge["to_mark"]]
    assert np.array_equal(marks, again) and told["graph_type"] == "pag"
    return names, marks


def save(path, values, names):
    pd.DataFrame(values, columns=names).to_csv(path, index=False)
    return path


def made(seed, n=8, rows=400, hidden=3):
    """A random DAG of n variables, some of which were not measured."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, n + hidden))
    for j in range(1, n + hidden):
        for i in range(j):
            if rng.random() < 4 / (n + hidden):
                X[:, j] += rng.choice([-1, 1]) * rng.uniform(0.4, 1) * X[:, i]
    return X[:, np.sort(rng.choice(n + hidden, n, replace=False))]


# ---- The graph ----

@pytest.mark.parametrize("mode", MODES)
def test_the_same_as_the_program(table, mode):
    options, arguments = MODES[mode]
    result = dualpc.learn(table, **options)
    names, marks = told_marks(HIDDEN, *arguments)
    assert result.names == tuple(names)
    assert np.array_equal(result.marks, marks)
    assert np.issubdtype(result.marks.dtype, np.signedinteger)
    assert result.graph_type == "pag" and result.is_pag
    run = program("learn", HIDDEN, "--quiet", "--format", "json", *arguments)
    assert without_times(result.to_json()) == without_times(run)
    for format in ("txt", "dot", "pag", "causallearn", "tetrad", "dagitty", "node-link"):
        assert result.to_string(format) == program("learn", HIDDEN, "--quiet", "--format", format,
                                                   *arguments)
    with pytest.raises(ValueError):
        result.marks[0, 1] = 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mode", ["search", "fci", "dag", "pdsep"])
def test_the_same_of_other_data(seed, mode, tmp_path):
    options, arguments = MODES[mode]
    X = made(seed)
    names = [f"x{i}" for i in range(X.shape[1])]
    result = dualpc.learn(X, names=names, **options)
    file = save(tmp_path / "data.csv", X, names)
    assert np.array_equal(result.marks, told_marks(file, *arguments)[1])
    assert len(result.edges) > 3
    order = np.random.default_rng(seed).permutation(len(names))
    turned = dualpc.learn(X[:, order], names=[names[i] for i in order], threads=1, **options)
    assert np.array_equal(turned.marks, result.marks[np.ix_(order, order)])
    assert turned.compare(result)["exact"]


def test_true_and_false(table, pag):
    assert np.array_equal(dualpc.learn(table, latent=True).marks, pag.marks)
    plain = dualpc.learn(table)
    for nothing in (False, None, "none"):
        assert dualpc.learn(table, latent=nothing).edges == plain.edges
    assert not plain.is_pag and plain.graph_type == "CPDAG"


def test_edges(pag):
    assert [str(edge) for edge in pag.edges] == ["exercise o-> sleep", "support o-> mood",
                                                 "sleep <-> mood", "mood --> work"]
    assert [(edge.from_mark, edge.to_mark) for edge in pag.edges] == [
        ("circle", "arrow"), ("circle", "arrow"), ("arrow", "arrow"), ("tail", "arrow")]
    for edge in pag.edges:
        i, j = pag.names.index(edge.source), pag.names.index(edge.target)
        assert (pag.marks[i, j], pag.marks[j, i]) == (ENDS[edge.to_mark], ENDS[edge.from_mark])


def test_marks_of_other_graphs(table):
    """They have them too, and the adjacency matrix says the same."""
    plain = dualpc.learn(table)
    arrows = (plain.marks == 2) & (plain.marks.T == 3)
    lines = (plain.marks == 3) & (plain.marks.T == 3)
    assert np.array_equal(arrows | lines, plain.adjacency == 1)


def every_mark():
    """All kinds of edges, both ways round: a PAG where samples may be selected, or not at all."""
    marks = np.zeros((18, 18), int)
    for k, (one, other) in enumerate(itertools.product((1, 2, 3), repeat=2)):
        marks[2 * k, 2 * k + 1], marks[2 * k + 1, 2 * k] = one, other
    return marks


def test_a_graph_of_marks(tmp_path):
    marks = every_mark()
    graph = dualpc.Graph.from_marks(marks)
    assert np.array_equal(graph.marks, marks) and graph.is_pag
    assert [edge.mark for edge in graph.edges] == ["o-o", "o->", "--o", "o->", "<->", "-->", "--o",
                                                   "-->", "---"]
    assert np.array_equal(pickle.loads(pickle.dumps(graph)).marks, marks)
    for name in ("graph.pag.csv", "graph.txt", "graph.json", "graph.dot", "graph.graphml"):
        file = tmp_path / name
        file.write_text(graph.to_string("pag" if "pag" in name else file.suffix[1:]))
        again = dualpc.Graph.read(file)
        assert again.compare(graph)["exact"], name
    codes = {0: 0, 1: 2, 2: 1, 3: -1}
    expected = np.vectorize(codes.get)(marks.T)
    assert np.array_equal(graph.to_causallearn_matrix(), expected)
    text = graph.to_string("causallearn").partition("\n")[2]
    assert np.array_equal(np.loadtxt(io.StringIO(text), delimiter=",", dtype=int), expected)


@pytest.mark.parametrize("wrong", [[[0, 1], [0, 0]], [[0, 4], [1, 0]], [[0, -1], [1, 0]], [[1]],
                                   [[0, 0.5], [1, 0]], [[0, np.nan], [1, 0]], [[0, 1]], [0, 1],
                                   [["o", ">"], ["o", "o"]]])
def test_marks_that_are_none(wrong):
    with pytest.raises(dualpc.UsageError):
        dualpc.Graph.from_marks(wrong)
    with pytest.raises(dualpc.UsageError, match="1 names for 2 nodes"):
        dualpc.Graph.from_marks([[0, 2], [3, 0]], ["a"])


def test_graphs_that_cannot_be_read(tmp_path):
    with pytest.raises(dualpc.DualPCError, match="nowhere"):
        dualpc.Graph.read(tmp_path / "nowhere.txt")
    (tmp_path / "bad.pag.csv").write_text("a,b\n0,2\n0,0\n")
    with pytest.raises(dualpc.DataError):
        dualpc.Graph.read(tmp_path / "bad.pag.csv")


# ---- Looking at it ----

def test_repr(pag):
    lines = repr(pag).splitlines()
    assert lines[0] == ("dualpc.Result: PAG of 5 variables from 1500 observations; 4 edges; "
                        "5 arrowheads, 1 tail, 2 circles")
    assert lines[1].startswith("  Found: 4 edges, with 5") and lines[-1] == "  mood --> work"
    assert any(line.startswith("  Hidden: 1 edge <->") for line in lines)
    assert "--" not in pag.verdict.replace("-->", "")
    assert "<svg" in pag.to_svg() if dualpc._picture.can_draw() else True
    assert "o-&gt;" in (pag._repr_html_() or "o-&gt;")


def test_options_in_sentences():
    """What the program says of its options, as arguments."""
    for said, meant in [("Try --latent: it may", 'Try latent="search": it may'),
                        ("with --latent it is", 'with latent="search" it is'),
                        ("--latent fci --pdsep 2", 'latent="fci", pdsep=2'),
                        ("a --> b, a --- b", "a --> b, a --- b")]:
        assert _in_python(said) == meant


def test_the_search(pag, table):
    assert [str(edge) for edge in pag.mag.edges] == ["exercise --> sleep", "support --> mood",
                                                     "sleep <-> mood", "mood --> work"]
    assert pag.hidden["score_after"] > pag.hidden["score_before"]
    assert not pag.repaired and pag.complete and pag.optimality is None and pag.fit is None
    assert "partial ancestral graph" in pag.methods and pag.settings["latent"] == "search"
    for latent in ("fci", "dag"):
        other = dualpc.learn(table, latent=latent)
        assert other.mag is None and other.hidden is None
    assert dualpc.learn(table, latent="dag").optimality == "global"


def test_repaired():
    """Some tests contradict each other; the result says so, as the program does."""
    found = set()
    for seed in range(12):
        result = dualpc.learn(made(seed, n=15, rows=300, hidden=5), latent="fci")
        found.add(result.repaired)
        assert result.repaired == ("Repaired:" in result.verdict)
        assert result.separated(0, 1) is not None  # it is valid
    assert found == {False, True}


# ---- Other packages ----

def test_networkx(pag):
    graph = pag.to_networkx()
    assert type(graph) is networkx.DiGraph and list(graph) == list(pag.names)
    assert graph.graph["graph_type"] == "pag"
    assert [(a, b, d["mark"]) for a, b, d in graph.edges(data=True)] == pag.edges
    assert graph.edges["exercise", "sleep"] == {"mark": "o->", "from_mark": "circle",
                                                "to_mark": "arrow"}
    read = networkx.node_link_graph(json.loads(pag.to_string("node-link")))
    assert {(a, b, d["mark"]) for a, b, d in read.edges(data=True)} == set(pag.edges)


def test_causallearn(pag, monkeypatch):
    """Against a stand-in: graph[j, i] is the end at j."""
    class GeneralGraph:
        def __init__(self, nodes):
            self.nodes, self.graph = nodes, np.zeros((len(nodes), len(nodes)), int)

        def add_edge(self, edge):
            a, b, end_a, end_b = edge
            i, j = self.nodes.index(a), self.nodes.index(b)
            self.graph[i, j], self.graph[j, i] = end_a, end_b

    parts = {"Edge": lambda *parts: parts, "GeneralGraph": GeneralGraph, "GraphNode": str,
             "Endpoint": types.SimpleNamespace(TAIL=-1, ARROW=1, CIRCLE=2)}
    for name in ("causallearn", "causallearn.graph"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    for name, part in parts.items():
        module = types.ModuleType(f"causallearn.graph.{name}")
        setattr(module, name, part)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    assert np.array_equal(pag.to_causallearn().graph, pag.to_causallearn_matrix())
    assert np.array_equal(pag.to_causallearn_matrix()[[3, 4, 0, 2], [4, 3, 2, 0]], [-1, 1, 2, 1])


# ---- Questions ----

@pytest.mark.parametrize("mode", ["search", "fci", "dag"])
def test_explain(table, mode):
    options, arguments = MODES[mode]
    kept = {"separating_sets": True} if mode == "fci" else {}  # as the program keeps them
    result = dualpc.learn(table, **options, **kept)
    for a, b in [("sleep", "mood"), ("mood", "work"), ("exercise", "support"), ("work", "sleep")]:
        run = program("learn", HIDDEN, "--quiet", "--format", "json", *arguments, "--explain",
                      f"{a},{b}")
        assert result.explain(a, b) == json.loads(run)["explanations"][0]
    text = str(result.explain("mood", "work"))
    assert text.startswith("why mood --> work: ") and "at work an arrowhead" in text


def test_sepset(table):
    assert dualpc.learn(table, latent="fci").sepset("exercise", "mood").set == ()
    sets = dualpc.learn(table, latent="fci", separating_sets=True)
    assert len(json.loads(sets.to_json())["separating_sets"]) == 10 - len(sets.edges)


@pytest.mark.parametrize("mode", ["search", "fci", "selection"])
def test_bootstrap(table, mode, tmp_path):
    options, arguments = MODES[mode]
    result = dualpc.learn(table, bootstrap=12, seed=3, **options)
    file, edges = tmp_path / "frequencies.csv", tmp_path / "edges.csv"
    program("learn", HIDDEN, "--quiet", *arguments, "--bootstrap", 12, "--seed", 3, "--frequencies",
            file, "--edges", edges, "-o", "/dev/null")
    head, *rows = [line.split(",") for line in file.read_text().splitlines()]
    assert len(result.frequencies) == len(rows) > 3
    for f, row in zip(result.frequencies, rows):
        assert isinstance(f, dualpc.PagFrequency)
        assert [f.source, f.target] == row[:2]
        assert list(f.marks) == head[3:-4]
        assert np.allclose([f.edge, *f.marks.values(), *f[4:]], list(map(float, row[2:])))
        assert np.isclose(sum(f.marks.values()), f.edge)
        assert f.source_is_cause + f.source_is_no_cause <= 1 + 1e-9
    told = [line.split(",") for line in edges.read_text().splitlines()[1:]]
    for copy in (result, pickle.loads(pickle.dumps(result))):
        assert copy.frequencies == result.frequencies and copy.resamples == 12
        assert [list(row[:3]) for row in copy.edge_table()] == [row[:3] for row in told]
        numbers = [[float(cell or "nan") for cell in row[3:12]] for row in told]
        assert np.allclose([row[3:] for row in copy.edge_table()], numbers, equal_nan=True)
    assert result.complete


def test_separated(pag, tmp_path):
    file = tmp_path / "pag.txt"
    file.write_text(pag.to_string())
    for a, b in itertools.combinations(pag.names, 2):
        others = [name for name in pag.names if name not in (a, b)]
        for given in itertools.chain.from_iterable(
                itertools.combinations(others, k) for k in range(4)):
            answer = pag.separated(a, b, given)
            told = json.loads(program("separate", file, a, b, "--json",
                                      *(["--given", ",".join(given)] if given else [])))
            assert answer.separated is bool(answer) is told["separated"]
            assert list(answer.path) == (told["path"] or [])
    assert str(pag.separated("exercise", "mood")) == "exercise and mood are separated"
    assert str(pag.separated(0, "mood", "sleep")) == (
        "exercise and mood are not separated given sleep; open path: exercise o-> sleep <-> mood")
    with pytest.raises(dualpc.UsageError):
        pag.separated("mood", "mood")
    with pytest.raises(dualpc.UsageError):
        pag.separated("mood", "work", ["work"])


def test_adjust(pag, tmp_path):
    file = tmp_path / "pag.txt"
    file.write_text(pag.to_string())
    for a, b in itertools.permutations(pag.names, 2):
        answer = pag.adjust(a, b)
        assert str(answer) + "\n" == program("adjust", file, a, b)
        told = json.loads(program("adjust", file, a, b, "--json"))
        for kind in ("optimal", "parents", "minimal"):
            found = getattr(answer, kind)
            assert (None if found is None else list(found)) == told[kind]
        assert answer.possible == told["possible"] and answer.valid is None
    assert pag.adjust("mood", "work").minimal == () and pag.adjust("mood", "work")
    assert not pag.adjust("exercise", "sleep") and pag.adjust("exercise", "sleep").path == (
        "exercise", "sleep")
    for check in ([], "support", ["exercise", "sleep"], "work"):
        said = [check] if isinstance(check, str) else check
        if said and said != ["work"]:
            run = program("adjust", file, "mood", "work", "--check", ",".join(said))
            assert str(pag.adjust("mood", "work", check)) + "\n" == run
    assert pag.adjust("mood", "work", []).valid is True
    assert pag.adjust("exercise", "sleep", []).valid is False


def test_questions_to_other_graphs(X, tmp_path):
    """The same of a CPDAG."""
    result = dualpc.learn(X)
    file = tmp_path / "graph.txt"
    file.write_text(result.to_string())
    for a, b in [("V2", "V1"), ("V4", "V7"), ("V6", "V1"), ("V3", "V6")]:
        assert str(result.adjust(a, b)) + "\n" == program("adjust", file, a, b)
        assert str(result.separated(a, b)) + "\n" == program("separate", file, a, b)
        for check in ("V9", "V6"):
            if check not in (a, b):
                assert str(result.adjust(a, b, check)) + "\n" == program(
                    "adjust", file, a, b, "--check", check)
    truth = dualpc.learn(X, alpha=0.01, rule="and")
    other = tmp_path / "truth.txt"
    other.write_text(truth.to_string())
    for graph in ("cpdag", "pattern", "skeleton"):
        told = json.loads(program("compare", file, other, "--json", "--graph", graph))
        found = result.compare(truth, graph)
        assert found.keys() <= told.keys()
        for name, value in found.items():
            assert value == told[name] or np.isnan(value) and told[name] is None, name
    with pytest.raises(dualpc.DataError):
        dualpc.learn(X, graph="skeleton").adjust(0, 1)


def test_compare(table, pag, tmp_path):
    other = dualpc.learn(table, latent="dag")
    files = tmp_path / "one.txt", tmp_path / "other.txt"
    for file, graph in zip(files, (pag, other)):
        file.write_text(graph.to_string())
    told = json.loads(program("compare", *files, "--json"))
    found = pag.compare(other)
    assert list(found) == [name for name in told if name != "graph"]
    assert {name: float(value) for name, value in found.items()} == {
        name: float(told[name]) for name in found}
    assert found["SHD"] == 3 and found["exact"] is False and found["skeleton_precision"] == 1
    order = [3, 1, 4, 0, 2]
    again = dualpc.learn(table.iloc[:, order], latent="search")
    assert again.compare(pag)["exact"] is True and pag.compare(again)["SHD"] == 0
    assert pag.compare(dualpc.learn(table), "skeleton")["FP"] == 0
    with pytest.raises(dualpc.UsageError, match="their marks mean different things"):
        pag.compare(dualpc.learn(table))
    with pytest.raises(dualpc.UsageError, match="no pattern"):
        pag.compare(other, "pattern")
    with pytest.raises(dualpc.UsageError, match="only one of them"):
        pag.compare(dualpc.Graph.from_marks(np.zeros((5, 5), int)))
    some = tmp_path / "some.txt"  # it names only those with an edge
    some.write_text("sleep <-> mood\n")
    assert pag.compare(dualpc.Graph.read(some))["SHD"] == 3
    assert dualpc.Graph.read(some).compare(pag)["skeleton_recall"] == 0.25
    some.write_text("sleep <-> moon\n")
    with pytest.raises(dualpc.UsageError, match="'moon' is in only one of them"):
        pag.compare(dualpc.Graph.read(some))
    with pytest.raises(TypeError):
        pag.compare(pag.marks)
    with pytest.raises(dualpc.UsageError):
        pag.compare(other, "pag!")


def test_what_only_graphs_without_hidden_causes_have(pag, tmp_path):
    """They are refused with the reason, in words of Python."""
    for ask in (lambda: pag.effects("mood", "work"), pag.effects, pag.dag, pag.node_table,
                lambda: pag.adjacency):
        with pytest.raises(dualpc.UsageError, match="is a PAG, which allows for hidden") as refused:
            ask()
        assert "--" not in str(refused.value)
    for format in ("csv", "tsv", "pcalg", "bnlearn", "arcs", "sif"):
        with pytest.raises(dualpc.DataError, match="the graph is a PAG") as refused:
            pag.to_string(format)
        assert "--" not in str(refused.value)
    with pytest.raises(dualpc.DualPCError, match="PAG"):
        pag.write(tmp_path / "graph.csv")
    assert not (tmp_path / "graph.csv").exists()
    pag.write(tmp_path / "graph.pag.csv", tmp_path / "graph.json")
    assert np.array_equal(dualpc.Graph.read(tmp_path / "graph.pag.csv").marks, pag.marks)


@pytest.mark.parametrize("mode", ["search", "fci", "dag"])
def test_pickle(table, mode, tmp_path):
    result = dualpc.learn(table, **MODES[mode][0])
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.marks, result.marks) and again.is_pag
    assert again.edges == result.edges and again.to_dot() == result.to_dot()
    assert without_times(again.to_json()) == without_times(result.to_json())
    assert again._learned_core is None  # nothing so far was learned again
    assert str(again.adjust(3, 4)) == str(result.adjust(3, 4))
    assert str(again.explain(2, 3)) == str(result.explain(2, 3))
    again.write(tmp_path / "graph.pag.csv", tmp_path / "graph.txt", tmp_path / "graph.json")
    assert (tmp_path / "graph.pag.csv").read_text() == result.to_string("pag")
    with pytest.raises(ValueError):
        again.marks[0, 0] = 1
    with pytest.raises(dualpc.UsageError, match="PAG"):
        again.effects()


def test_pickle_of_rows_that_are_not_independent():
    with pytest.warns(dualpc.DualPCWarning, match="independent rows"):
        result = dualpc.learn(np.tile(made(5, rows=80), (5, 1)), latent="search")
    again = pickle.loads(pickle.dumps(result))
    assert again._learned.graph().text(again.names, "txt") == result.to_string("txt")


# ---- What it is learned from ----

@pytest.mark.parametrize("mode", ["search", "fci", "dag"])
def test_knowledge(table, mode, tmp_path):
    options, arguments = MODES[mode]
    known = {"tiers": [["exercise", "support"], ["sleep", "mood", "work"]],
             "forbidden_edges": [["sleep", "mood"]], "required_edges": [["exercise", "sleep"]]}
    result = dualpc.learn(table, knowledge=known, **options)
    file = tmp_path / "known.json"
    file.write_text(json.dumps(known))
    assert np.array_equal(result.marks, told_marks(HIDDEN, *arguments, "--knowledge", file)[1])
    assert "exercise --> sleep" in map(str, result.edges)
    # what comes later is no cause of what comes first
    assert (result.marks[2:, :2] != 2).all()


def test_contradictory_knowledge(table):
    for known in ({"required_edges": [["mood", "work"], ["work", "mood"]]},
                  {"required_edges": [["mood", "work"]], "forbidden_edges": [["mood", "work"]]},
                  {"required_edges": [["mood", "work"], ["work", "sleep"], ["sleep", "mood"]]},
                  {"required_edges": [["mood", "works"]]}):
        for latent in ("search", "fci", "dag"):
            with pytest.raises(dualpc.DataError):
                dualpc.learn(table, latent=latent, knowledge=known)


@pytest.mark.parametrize("mode", ["search", "fci", "dag", "pdsep"])
def test_correlation(table, mode, tmp_path):
    options, arguments = MODES[mode]
    C = table.corr().to_numpy()
    result = dualpc.learn_correlation(C, 1500, names=list(table), **options)
    file = save(tmp_path / "c.csv", C, list(table))
    _, marks = told_marks(file, "--correlation", "--samples", 1500, *arguments)
    assert np.array_equal(result.marks, marks)
    assert np.array_equal(result.marks, dualpc.learn(table, **options).marks)


@pytest.mark.parametrize("missing", ["rows", "pairwise", "em"])
@pytest.mark.parametrize("mode", ["search", "fci", "dag"])
def test_missing_cells(table, mode, missing, tmp_path):
    options, arguments = MODES[mode]
    holes = table.to_numpy().copy()
    holes[np.random.default_rng(1).random(holes.shape) < 0.03] = np.nan
    with pytest.warns(dualpc.DualPCWarning):
        result = dualpc.learn(holes, names=list(table), missing=missing, **options)
    file = save(tmp_path / "holes.csv", holes, list(table))
    assert np.array_equal(result.marks, told_marks(file, "--missing", missing, *arguments)[1])
    with pytest.raises(dualpc.DataError, match='missing="em"'):
        dualpc.learn(holes, **options)


@pytest.mark.filterwarnings("ignore:normalize latent takes")
@pytest.mark.parametrize("normalize", ["copula", "latent"])
@pytest.mark.parametrize("mode", ["search", "fci", "dag"])
def test_normal_scores(table, mode, normalize, tmp_path):
    options, arguments = MODES[mode]
    bent = np.exp(table.to_numpy())
    result = dualpc.learn(bent, names=list(table), normalize=normalize, **options)
    file = save(tmp_path / "bent.csv", bent, list(table))
    assert np.array_equal(result.marks, told_marks(file, "--normalize", normalize, *arguments)[1])


def test_categories(table, tmp_path):
    """By tests, and not by a search."""
    cut = table.assign(mood=pd.cut(table.mood, [-np.inf, -1, 0, 1, np.inf], labels=list("abcd"))
                       .astype(str))
    result = dualpc.learn(cut, latent="fci", types={"both": ["sleep", "work"]})
    plain = dualpc.learn(cut, latent="fci")
    file = tmp_path / "cut.csv"
    cut.to_csv(file, index=False)
    assert np.array_equal(plain.marks, told_marks(file, "--latent", "fci")[1])
    assert "both" in result.names and result.marks.shape == (4, 4)
    assert str(plain.explain("sleep", "mood")).startswith("why sleep ")
    for options in ({}, {"types": {"both": ["sleep", "work"]}}):
        with pytest.raises(dualpc.DualPCError) as refused:
            dualpc.learn(cut, latent="search", **options)
        assert "fci" in str(refused.value) and "--" not in str(refused.value)
    copy = pickle.loads(pickle.dumps(plain))
    assert copy.edges == plain.edges


def test_curves(table):
    dualpc.learn(table, latent="fci", relations="curved")
    with pytest.raises(dualpc.DualPCError) as refused:
        dualpc.learn(table, latent="search", relations="curved")
    assert "--" not in str(refused.value)


# ---- Hostile inputs ----

@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("latent", ["search", "fci", "dag"])
def test_small_and_odd_tables(latent):
    rng = np.random.default_rng(4)
    X = made(1, n=6, rows=200)
    three = X[:, :3]
    cases = [three, three[:, :2], np.c_[three, three[:, 0]],
             np.c_[three, three[:, 0], three[:, 0]], np.c_[three, -2 * three[:, 1]],
             np.c_[three, three.sum(axis=1)], made(2, n=30, rows=20), made(2, n=30, rows=8),
             np.c_[three, np.ones(200)], rng.normal(size=(100, 5)), X.astype(np.float32)]
    for case in cases:
        result = dualpc.learn(case, latent=latent)
        n = case.shape[1]
        assert result.marks.shape == (n, n) and (np.diag(result.marks) == 0).all()
        assert ((result.marks == 0) == (result.marks.T == 0)).all()
        assert result.graph_type == "pag" and json.loads(result.to_json())["n_vars"] == n
        assert repr(result) and dualpc.Graph.from_marks(result.marks).edges == result.edges
        for edge in result.edges:  # no selection: no edge has two tails, or a tail and a circle
            assert edge.mark in ("-->", "<->", "o->", "o-o")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("latent", ["search", "fci", "dag"])
def test_a_graph_without_marks_of_its_own(latent):
    """No edges, or only arrows that were known: it is a PAG all the same."""
    X = np.random.default_rng(6).normal(size=(300, 3))
    empty = dualpc.learn(X, latent=latent, alpha=0.001)
    assert empty.edges == [] and empty.is_pag and empty.separated(0, 1)
    assert pickle.loads(pickle.dumps(empty)).is_pag
    X[:, 1] += X[:, 0]
    arrow = dualpc.learn(X, latent=latent, alpha=0.001, knowledge={"required_edges": [["V1", "V2"]]})
    assert [str(edge) for edge in arrow.edges] == ["V1 --> V2"] and arrow.is_pag
    assert arrow.compare(empty)["SHD"] == 1
    # V1 and V2 may have a hidden cause besides: it is not taken for a DAG
    told = arrow.adjust("V1", "V2")
    assert not told and "hidden common cause" in str(told)
    for ask in (arrow.effects, arrow.dag, arrow.node_table, lambda: arrow.adjacency):
        with pytest.raises(dualpc.UsageError, match="is a PAG"):
            ask()


@pytest.mark.parametrize("options, why", [
    ({"latent": "sreach"}, "^latent must be one of none, search, fci, dag, not 'sreach'$"),
    ({"latent": 3}, "^latent must be one of"), ({"latent": ""}, "^latent must be one of"),
    ({"latent": "yes"}, "^latent must be one of"),
    ({"latent": "fci", "pdsep": "some"}, "^pdsep needs a whole number"),
    ({"latent": "fci", "pdsep": -1}, "^pdsep must be"),
    ({"latent": "fci", "pdsep": 1.5}, "^pdsep needs a whole number"),
    ({"latent": "fci", "pdsep": 2**31}, "^pdsep must be"),
    ({"pdsep": 2}, "^pdsep goes with latent$"), ({"selection": True}, "^selection goes with latent"),
    ({"latent": True, "pdsep": 1}, "does not go with pdsep"),
    ({"latent": "dag", "pdsep": 1}, "does not go with pdsep"),
    ({"latent": "search", "selection": True}, "does not go with selection"),
    ({"latent": "search", "separating_sets": True}, "does not go with separating_sets"),
    ({"latent": "fci", "refine": "fast"}, "does not go with refine"),
    ({"latent": "fci", "min_evidence": 2}, "does not go with min_evidence"),
    ({"latent": "fci", "graph": "skeleton"}, "does not go with graph"),
    ({"latent": "search", "method": "ges"}, "does not go with method ges"),
    ({"latent": "search", "bootstrap": 3, "min_frequency": 0.5}, "^min_frequency makes one graph"),
    ({"latent": "search", "advice": "always"}, "^advice is about graphs without hidden causes"),
    ({"latent": "fci", "seed": 3}, "^seed goes with"),
    ({"latent": "fci", "restarts": 3}, "^restarts goes with refine full")])
def test_what_is_refused(table, options, why):
    for use in (lambda: dualpc.learn(table, **options),
                lambda: dualpc.DualPC(**options).fit(table)):
        with pytest.raises(dualpc.UsageError, match=why) as refused:
            use()
        assert "--" not in str(refused.value)


def test_what_goes_together(table):
    for options in ({"seed": 3}, {"restarts": 2}, {"penalty": 2.0}, {"refine": "fast"}):
        for latent in ("search", "dag"):
            assert dualpc.learn(table, latent=latent, **options).is_pag


# ---- While it runs ----

@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("latent", ["search", "fci", "dag"])
def test_no_time_at_all(latent):
    X = made(3, n=20, rows=300)
    result = dualpc.learn(X, latent=latent, timeout=1e-9)
    assert result.complete is False and result.is_pag
    assert result.separated(0, 1) is not None  # it is valid
    assert "pag" == json.loads(result.to_json())["graph_type"]
    whole = dualpc.learn(X, latent=latent, timeout=1e6)
    assert whole.complete and np.array_equal(whole.marks, dualpc.learn(X, latent=latent).marks)
    copy = pickle.loads(pickle.dumps(result))
    assert copy.edges == result.edges and copy.complete is False
    with pytest.raises(dualpc.UsageError, match="learn anew"):
        copy.explain(0, 1)


def test_threads(table):
    X = made(9, n=20, rows=300)
    for latent in ("search", "fci", "dag"):
        one, three = (dualpc.learn(X, latent=latent, threads=k, bootstrap=3) for k in (1, 3))
        assert np.array_equal(one.marks, three.marks) and one.frequencies == three.frequencies


# ---- The estimator ----

def test_estimator(table, pag):
    model = dualpc.DualPC(latent=True).fit(table)
    assert np.array_equal(model.marks_, pag.marks) and model.graph_.is_pag
    assert not hasattr(model, "adjacency_") and repr(model) == "DualPC(latent=True)"
    copy = sklearn.base.clone(model).fit(table)
    assert copy.graph_.edges == pag.edges
    model.set_params(latent="fci", pdsep="all").fit(table)
    assert model.graph_.settings["latent"] == "fci"
    plain = model.set_params(latent="none", pdsep=0).fit(table)
    assert np.array_equal(plain.adjacency_, dualpc.learn(table).adjacency)
    assert np.array_equal(plain.marks_, dualpc.learn(table).marks)


def test_without_other_packages():
    """Nothing but numpy is needed."""
    code = f"""
import sys
for name in ("sklearn", "pandas", "networkx", "tqdm", "scipy"):
    sys.modules[name] = None
import dualpc, numpy
X = numpy.loadtxt({str(HIDDEN)!r}, delimiter=",", skiprows=1)
print(dualpc.learn(X, latent=True, bootstrap=2).marks.tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    _, X = read_csv(HIDDEN)
    assert done.stdout.strip() == str(dualpc.learn(X, latent=True).marks.tolist())
    assert done.stderr == ""
