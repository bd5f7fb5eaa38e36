"""Posteriors over graphs: what the numbers mean, and that they are those of the program."""
import copy
import csv
import inspect
import json
import pickle
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLE, ROOT, program
from test_running import pressed_after

import dualpc
from dualpc import _core, _posterior

SHORT = {"draws": 200, "chains": 3, "seed": 7}
OPTIONS = ["--draws", 200, "--chains", 3, "--seed", 7, "--quiet"]
GOLDEN = ROOT / "tests/golden/posterior"


pytestmark = pytest.mark.filterwarnings("ignore::dualpc.DualPCWarning")  # effects always have one


def sample(*data, **options):
    """Without warnings, in fixtures, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dualpc.DualPCWarning)
        return dualpc.sample(*data, **options)


@pytest.fixture(scope="module")
def posterior(example):
    names, X = example
    return sample(X, names=names, cause="V2", outcome=["V1", "V6"], **SHORT)


@pytest.fixture(scope="module")
def plain(X):
    return sample(X, **SHORT)


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What the program says of the same: JSON, and the lines of two tables."""
    place = tmp_path_factory.mktemp("told")
    program("sample", EXAMPLE, *OPTIONS, "--cause", "V2", "--outcome", "V1", "--outcome", "V6",
            "-o", place / "all.json", "--probabilities", place / "pairs.csv",
            "--effects", place / "effects.csv", "--graphs", place / "draws.jsonl")
    all_, pairs, effects, draws = ((place / name).read_text().splitlines() for name in (
        "all.json", "pairs.csv", "effects.csv", "draws.jsonl"))
    return (json.loads("\n".join(all_)), list(csv.reader(pairs)), list(csv.reader(effects)),
            [json.loads(line) for line in draws])


def closure(dags):
    """Who is an ancestor of whom."""
    reach = dags.copy()
    for k in range(dags.shape[-1]):
        reach |= reach[..., :, k, None] & reach[..., None, k, :]
    return reach


def same(one, other):
    return (np.array_equal(one.probabilities, other.probabilities)
            and np.array_equal(one.ancestors, other.ancestors)
            and np.array_equal(one.scores, other.scores)
            and np.array_equal(one.draws(), other.draws()))


# ---- Draws ----

def test_draws_are_dags(posterior):
    dags = posterior.draws()
    assert dags.shape == (3, 200, 12, 12) and dags.dtype == bool
    assert not np.trace(closure(dags), axis1=-2, axis2=-1).any()  # nobody is its own ancestor
    assert np.array_equal(dags.sum(axis=(2, 3)), posterior.n_edges)
    assert posterior.scores.shape == posterior.n_edges.shape == (3, 200)
    assert len(np.unique(dags.reshape(600, -1), axis=0)) > 10


def test_single_draws(posterior):
    dags = posterior.draws()
    for chain, i in [(0, 0), (1, 17), (2, 199)]:
        dag = posterior.draw(chain, i)
        assert isinstance(dag, dualpc.Graph) and dag.names == posterior.names
        assert np.array_equal(dag.adjacency, dags[chain, i])
    for chain, i in [(3, 0), (0, 200), (-1, 0), (0, -1)]:
        with pytest.raises(IndexError, match="numbered from 0"):
            posterior.draw(chain, i)
    with pytest.raises(TypeError):
        posterior.draw(0, 1.5)


def test_the_best_draw(posterior):
    assert posterior.best_score == posterior.scores.max()
    best = posterior.draws()[posterior.scores == posterior.best_score]  # several, of one class
    assert (best == posterior.best.adjacency).all(axis=(1, 2)).any()


def test_some_draws(posterior, monkeypatch):
    assert np.array_equal(posterior.draws(every=7), posterior.draws()[:, ::7])
    monkeypatch.setattr(_posterior, "_MOST_BYTES", 3 * 200 * 144 // 4)
    with pytest.raises(dualpc.OutOfMemoryError, match=r"every=4\)"):
        posterior.draws()
    assert posterior.draws(every=4).shape == (3, 50, 12, 12)
    with pytest.raises(dualpc.UsageError):
        posterior.draws(every=0)


# ---- Probabilities ----

def test_probabilities(posterior):
    p, edge, dags = posterior.probabilities, posterior.edge_probabilities, posterior.draws()
    assert p.shape == edge.shape == (12, 12) and p.min() >= 0 and edge.max() <= 1 + 1e-12
    assert not p.diagonal().any() and np.array_equal(edge, p + p.T)
    assert abs(p - dags.mean(axis=(0, 1))).max() < 0.15  # of 600 draws, which depend on each other
    assert np.allclose(posterior.ancestors, closure(dags).mean(axis=(0, 1)), atol=1e-12)
    assert not p.flags.writeable and not posterior.scores.flags.writeable


@pytest.mark.parametrize("which, options", [("fbf.fair", {}), ("bge.fair", {"score": "bge"}),
                                            ("bge.uniform", {"score": "bge", "prior": "uniform"})])
@pytest.mark.parametrize("name", ["g5", "g7"])
def test_exact(name, which, options):
    """Against all DAGs, by a program that shares no code with this one."""
    lines = (GOLDEN / f"{name}.cor").read_text().splitlines()
    n_obs = int(lines[0].split()[1])
    C = np.array([line.split() for line in lines[1:] if line], dtype=float)
    exact = json.loads((GOLDEN / f"{name}.{which}.json").read_text())
    found = dualpc.sample_correlation(C, n_obs, **options)
    assert abs(found.probabilities - np.array(exact["edge"])).max() < 2e-6
    assert all(row.se == 0 for row in found.table())


def test_edge_prior(X):
    """The less probable an edge is beforehand, the fewer there are; two ways to say it."""
    few, many = (sample(X, prior=prior, **SHORT) for prior in ("edge:0.001", ("edge", 0.5)))
    assert few.n_edges.mean() < many.n_edges.mean()
    assert same(few, sample(X, prior=("edge", 0.001), **SHORT))
    assert (few.settings["prior"], few.settings["edge_probability"]) == ("edge", 0.001)


@pytest.mark.parametrize("options", [{"score": "bic"}, {"prior": "order"}, {"prior": "uniform"},
                                     {"candidates": 3}, {"chains": 1}])
def test_other_ways(X, plain, options):
    found = sample(X, **{**SHORT, **options})
    assert {name: found.settings[name] for name in options} == options
    assert not np.array_equal(found.scores, plain.scores)
    assert abs(found.edge_probabilities - plain.edge_probabilities).mean() < 0.2


def test_thin(X, plain):
    """Sweeps between draws matter to chains, which few variables need only with the order prior."""
    assert np.array_equal(sample(X, **{**SHORT, "thin": 1}).scores, plain.scores)
    chains = [sample(X, prior="order", **{**SHORT, "thin": thin}) for thin in (1, 2)]
    assert not np.array_equal(chains[0].scores, chains[1].scores)


def test_few_candidates(X):
    """No more possible parents than that."""
    found = sample(X, candidates=2, **SHORT)
    assert found.draws().any(axis=(0, 1)).sum(axis=0).max() <= 2


# ---- The program's words ----

def test_tables_are_those_of_the_program(posterior, told):
    _, (head, *rows), (effect_head, *effect_rows), _ = told
    table = posterior.table()
    assert list(dualpc.Probability._fields[: len(head)]) == head
    assert [list(row[:2]) for row in table] == [row[:2] for row in rows]
    assert np.allclose([row[2:8] for row in table], [[float(x) for x in row[2:]] for row in rows],
                       rtol=1e-9, atol=1e-12)
    assert list(dualpc.PosteriorEffect._fields) == effect_head
    assert [list(row[:2]) for row in posterior.effects] == [row[:2] for row in effect_rows]
    assert np.allclose([row[2:] for row in posterior.effects],
                       [[float(x) for x in row[2:]] for row in effect_rows], rtol=1e-9)


def test_json_is_that_of_the_program(posterior, told):
    mine, its = json.loads(posterior.to_json()), told[0]
    for json_of in (mine, its):
        json_of.pop("seconds")
        json_of["warnings"] = len(json_of["warnings"])
    assert mine == its
    assert posterior.settings["draws"] == 200 and posterior.settings["seed"] == 7
    assert posterior.diagnostics["moves"] == 0 and posterior.seconds["total"] > 0  # few variables
    assert posterior.complete is True


def test_draws_are_those_of_the_program(posterior, told):
    draws = told[3]
    assert len(draws) == 600
    for line in draws[::97]:
        dag = posterior.draw(line["chain"] - 1, line["draw"] - 1)
        assert sorted([edge.source, edge.target] for edge in dag.edges) == sorted(line["edges"])


def test_defaults_are_those_of_the_program():
    """The help has them in brackets."""
    text = " ".join(program("sample", "--help").split())
    shown = inspect.signature(dualpc.sample).parameters
    for name in ("score", "prior", "candidates", "chains", "draws", "normalize"):
        told = text[text.index(f" --{name} "):]
        assert told[told.index("[") + 1 : told.index("]")] == str(shown[name].default), name
    assert [list(words) for words in _core.sampling_words()] == [
        ["fbf", "bge", "bic"], ["fair", "uniform", "order", "edge"]]


# ---- Graphs and texts ----

def test_graph_of_the_probable_edges(posterior):
    for least in (0.2, 0.5, 0.95):
        graph = posterior.graph(least)
        joined = np.maximum(graph.adjacency, graph.adjacency.T)
        assert np.array_equal(joined == 1, posterior.edge_probabilities >= least)
    assert posterior.graph().edges == posterior.graph(0.5).edges
    for wrong in (0, 1.5, -1, float("nan")):
        with pytest.raises(dualpc.UsageError, match="min_probability"):
            posterior.graph(wrong)
    assert posterior.to_string("txt") and "digraph" in posterior.to_dot()
    assert len(json.loads(posterior.to_json(0.95))["edges"]) == len(posterior.graph(0.95).edges)


def test_repr(posterior):
    text = repr(posterior)
    assert "12 variables from 500 observations" in text and "3 chains of 200" in text
    first = max(posterior.table(), key=lambda row: row.edge)
    assert f"{first.a} --> {first.b}" in text or f"{first.b} --> {first.a}" in text
    assert "Convergence: not needed" in text and "0.5" in text


def test_html(X):
    found = sample(X[:, :3], names=["<a>", "b & c", "d"], draws=20)
    assert "&lt;a&gt;" in found._repr_html_() and "<a>" not in found._repr_html_()
    assert "<a>" in repr(found)


def test_pandas(posterior, monkeypatch):
    frame = posterior.to_pandas()
    assert list(frame.columns) == list(dualpc.Probability._fields)
    assert len(frame) == len(posterior.table()) and frame.edge.max() <= 1 + 1e-12
    assert (posterior.to_pandas(0.5).edge >= 0.5).all()
    assert len(posterior.to_pandas(0.5)) == len(posterior.graph(0.5).edges)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="needs pandas"):
        posterior.to_pandas()


# ---- Effects ----

def test_effects(posterior):
    values = posterior.effect_draws
    assert [(e.cause, e.outcome) for e in posterior.effects] == [("V2", "V1"), ("V2", "V6")]
    assert values.shape == (3, 200, 2)
    reach = closure(posterior.draws())
    for k, effect in enumerate(posterior.effects):
        cause, outcome = (posterior.names.index(name) for name in effect[:2])
        assert np.array_equal(values[:, :, k] != 0, reach[:, :, cause, outcome])
        assert np.isclose(values[:, :, k].mean(), effect.mean)
        assert np.isclose(effect.nonzero, reach[:, :, cause, outcome].mean())
        assert values[:, :, k].min() <= effect.low <= effect.high <= values[:, :, k].max()


def test_effects_have_units(X, posterior):
    """An outcome in units a tenth as large has effects ten times as large; fbf has no units."""
    scaled = X * np.where(np.arange(12) == 0, 10.0, 1.0)
    found = sample(scaled, cause="V2", outcome=["V1", "V6"], **SHORT)
    assert np.allclose(found.effect_draws, posterior.effect_draws * [10, 1], rtol=1e-6)


def test_effects_of_one_side(X):
    found = sample(X, outcome=0, chains=1, draws=5)
    assert [(e.cause, e.outcome) for e in found.effects] == [(f"V{i}", "V1") for i in range(2, 13)]
    assert len(sample(X, cause=["V3", "V3", 4], chains=1, draws=5).effects) == 22
    assert sample(X, chains=1, draws=5).effects == []
    with pytest.raises(dualpc.UsageError, match="did you mean 'V12'"):
        dualpc.sample(X, cause="V123")


# ---- For ArviZ ----

@pytest.mark.parametrize("least", [0.01, 0.3])
def test_dictionary(posterior, plain, least):
    found, coords = posterior.to_dict(least), posterior.coords(least)
    assert set(found) == {"score", "n_edges", "edge", "effect"}
    assert all(values.shape[:2] == (3, 200) for values in found.values())
    assert found["edge"].shape == (3, 200, len(coords["directed_edge"]))
    for k, label in enumerate(coords["directed_edge"]):
        a, b = (posterior.names.index(name) for name in label.split(" --> "))
        assert posterior.probabilities[a, b] >= least
        assert np.array_equal(found["edge"][..., k], posterior.draws()[:, :, a, b])
    assert coords["cause_outcome"] == ["V2 on V1", "V2 on V6"]
    for name, dims in posterior.dims.items():  # as xarray wants it
        assert found[name].shape[2:] == tuple(len(coords[dim]) for dim in dims)
        assert name not in dims
    assert set(plain.to_dict()) == {"score", "n_edges", "edge"} and "effect" not in plain.dims


def test_diagnostics(posterior):
    """R-hat is near 1 where chains agree, and effective draws are not many more than draws."""
    assert 0.99 < posterior.rhat < 1.2 and 0.99 < posterior.score_rhat < 1.2
    assert 20 < posterior.ess < 2000 and posterior.score_ess > 0


# ---- What must not matter ----

def test_threads_and_seeds(X, plain):
    assert same(plain, sample(X, threads=1, **SHORT))
    assert same(plain, sample(X, threads=2, **SHORT))
    assert not same(plain, sample(X, **{**SHORT, "seed": 8}))


def test_rearranged_columns(X, plain):
    order = np.random.default_rng(3).permutation(12)
    found = sample(X[:, order], names=[f"V{i + 1}" for i in order], **SHORT)
    assert np.array_equal(found.draws(), plain.draws()[:, :, order][:, :, :, order])
    assert np.array_equal(found.ancestors, plain.ancestors[np.ix_(order, order)])
    # the correlations of rearranged columns differ in their last bits
    assert np.allclose(found.probabilities, plain.probabilities[np.ix_(order, order)], atol=1e-9)
    assert np.allclose(found.scores, plain.scores)


def test_correlation_matrix(X, plain):
    """With all others as candidates the rows are not needed."""
    C = dualpc.learn(X).correlation
    found = dualpc.sample_correlation(C, len(X), **SHORT)
    assert same(found, plain) and found.n_obs == 500
    frame = pd.DataFrame(C, index=list("abcdefghijkl"), columns=list("abcdefghijkl"))
    assert dualpc.sample_correlation(frame, 500, chains=1, draws=2).names == tuple("abcdefghijkl")


def test_ways_to_give_a_table(example, plain):
    names, X = example
    frame = pd.DataFrame(X, columns=names)
    assert same(sample(frame, **SHORT), plain)
    assert same(sample(np.asfortranarray(X), **SHORT), plain)
    holes = frame.copy()
    holes.loc[500] = [np.nan] * 11 + [1.0]
    some = frame.mask(np.random.default_rng(1).random(frame.shape) < 0.01)
    with pytest.warns(dualpc.DualPCWarning, match="1 row dropped"):
        found = dualpc.sample(holes, missing="rows", **SHORT)
    assert same(found, plain) and "1 row dropped" in found.warnings[0]
    with pytest.raises(dualpc.DataError, match='missing="em"'):
        dualpc.sample(holes)
    found = sample(some, missing="em", **SHORT)
    assert abs(found.edge_probabilities - plain.edge_probabilities).mean() < 0.1
    assert not same(found, plain)


def test_copula(X):
    """Normal scores know of ranks only."""
    found = sample(X, normalize="copula", **SHORT)
    assert same(found, sample(np.exp(X / 4), normalize="copula", **SHORT))
    assert not same(found, sample(np.exp(X / 4), **SHORT))


# ---- Knowledge ----

def test_knowledge(X):
    known = {"tiers": [["V1", "V2", "V3", "V4", "V5", "V6"], ["V7", "V8", "V9", "V10", "V11", "V12"]],
             "required_edges": [["V3", "V9"]], "forbidden_edges": [["V1", "V6"]]}
    found = sample(X, knowledge=known, **SHORT)
    ever = found.draws().any(axis=(0, 1))
    assert not ever[6:, :6].any() and not ever[0, 5]
    assert found.draws()[:, :, 2, 8].all() and found.probabilities[2, 8] > 1 - 1e-9
    assert not found.probabilities[6:, :6].any()
    with pytest.raises(dualpc.DataError):
        dualpc.sample(X, knowledge={"tiers": [["nobody"]]})


# ---- While it runs ----

LONG = {"draws": 50_000, "thin": 1000, "prior": "order"}  # chains, which would take hours


def test_no_time_at_all(X):
    with pytest.warns(dualpc.DualPCWarning, match="early"):
        found = dualpc.sample(X, timeout=1e-9, cause="V2")
    assert found.complete is False and 1 <= found.n_draws < 1000
    assert found.draws().shape == (4, found.n_draws, 12, 12)
    assert found.effect_draws.shape == (4, found.n_draws, 11)
    assert "Incomplete" in repr(found)
    assert sample(X, timeout=1e6, **SHORT).complete is True


def test_timeout(X):
    found = sample(X, timeout=1.5, **LONG)
    assert found.complete is False and 1 <= found.n_draws < 50_000


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt(X, threads):
    """What was drawn by then is not lost."""
    with pytest.raises(dualpc.Interrupted) as stopped, pressed_after(2.0):
        dualpc.sample(X, threads=threads, **LONG)
    found = stopped.value.result
    assert isinstance(found, dualpc.Posterior) and found.complete is False
    assert 1 <= found.n_draws < 50_000
    assert str(stopped.value).startswith(f"interrupted after {found.n_draws} of 50000 draws")
    assert found.draws().any()
    assert sample(X, **SHORT).complete  # and all goes on


def test_threads_of_python(X, plain):
    """Other threads go on, and may sample at the same time."""
    found = []
    threads = [threading.Thread(target=lambda: found.append(dualpc.sample(X, **SHORT)))
               for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3 and all(same(one, plain) for one in found)


def test_progress(X):
    seen = []
    sample(X, progress=seen.append, draws=1000, thin=20)
    assert {"sampling"} <= {p.stage for p in seen}
    drawing = [p for p in seen if p.stage == "sampling" and p.draws_done > 0]
    assert all(p.draws == 1000 and p.draws_done <= 1000 and 0 <= p.fraction <= 1 for p in drawing)
    assert not drawing or str(drawing[0]) == f"{drawing[0].draws_done} of 1000 draws"

    def fail(progress):
        raise RuntimeError(progress.stage)

    with pytest.raises(RuntimeError, match="^sampling$"):
        dualpc.sample(X, progress=fail, **LONG)


# ---- Copies ----

@pytest.mark.parametrize("how", [lambda p: pickle.loads(pickle.dumps(p)), copy.copy, copy.deepcopy])
def test_copies(posterior, how):
    posterior.graph(0.9)
    again = how(posterior)
    assert same(again, posterior) and repr(again) == repr(posterior)
    assert again.table() == posterior.table() or np.isnan([row[8:] for row in again.table()]).any()
    assert again.effects == posterior.effects and again.warnings == posterior.warnings
    assert np.array_equal(again.effect_draws, posterior.effect_draws)
    assert again.best.edges == posterior.best.edges and again.draw(1, 2).edges == posterior.draw(1, 2).edges
    assert again.graph().edges == posterior.graph().edges
    assert again.graph(0.9).edges == posterior.graph(0.9).edges
    assert again.to_json() == posterior.to_json() and again.settings == posterior.settings
    assert again.to_dict().keys() == posterior.to_dict().keys()
    assert not again.scores.flags.writeable
    with pytest.raises(dualpc.UsageError, match="sample again"):
        again.graph(0.123)
    assert same(how(again), posterior)  # a copy of a copy


# ---- What is refused ----

@pytest.mark.parametrize("options, words", [
    ({"score": "bdeu"}, "score must be one of fbf, bge, bic, not 'bdeu'"),
    ({"prior": "flat"}, "prior must be fair, uniform, order or edge:P, not 'flat'"),
    ({"prior": "edge"}, "prior edge:P needs a probability"),
    ({"prior": "edge:2"}, "prior edge:P needs a probability between 0 and 1, not '2'"),
    ({"prior": "edge:many"}, "prior edge:P needs a probability"),
    ({"prior": ("edge", 0)}, "prior edge:P needs a probability"),
    ({"prior": None}, "prior must be"), ({"prior": ("fair", 0.5)}, "prior must be"),
    ({"candidates": 21}, "candidates must be .* at most 20, not 21"),
    ({"candidates": 0}, "candidates must be"), ({"chains": 257}, "chains must be .* at most 256"),
    ({"draws": 0}, "draws must be"), ({"draws": 2.5}, "draws must be"), ({"thin": -1}, "thin must be"),
    ({"threads": 0}, "threads must be"), ({"timeout": -1}, "timeout must be"),
    ({"cause": 12}, "numbered from 0 to 11")])
def test_wrong_values(X, options, words):
    with pytest.raises(dualpc.UsageError, match=words) as refused:
        dualpc.sample(X, **options)
    assert "--" not in str(refused.value)


def test_what_cannot_be_sampled(X):
    frame = pd.DataFrame(X[:, :4], columns=list("abcd")).assign(e=["x", "y", "z", "x"] * 125)
    for options in ({}, {"types": {"pose": ["a", "b"]}, "drop_text": True}):
        with pytest.raises(dualpc.DataError) as refused:
            sample(frame, **options)
        assert "--" not in str(refused.value)
    with pytest.raises(TypeError, match="alpha"):
        dualpc.sample(X, alpha=0.05)
    with pytest.raises(dualpc.DataError):
        dualpc.sample_correlation(X, 500)
    with pytest.raises(TypeError):
        _core.Posterior()


def test_warnings_have_the_words_of_python(X):
    with pytest.warns(dualpc.DualPCWarning) as seen:
        found = dualpc.sample(X, draws=4, chains=2, thin=1, cause="V2")
    assert found.warnings == tuple(str(warning.message) for warning in seen)
    assert seen[0].filename == __file__
    assert found.warnings and not any("--" in text for text in found.warnings)


@pytest.mark.parametrize("sentence, words", [
    ("increase --draws or --thin, and wait", "increase draws or thin, and wait"),
    ("found by --refine full; use another --seed", 'found by refine="full"; use another seed'),
    ("exclude it, or one of those that determine it, with --drop",
     "exclude it, or one of those that determine it"),
    ("use a larger --candidates", "use more candidates"),
    ("chain 1 stayed at worse graphs", "chain 0 stayed at worse graphs"),
    ("compare them with dualpc effects, and", "compare them with Result.effects(), and")])
def test_sentences_in_python(sentence, words):
    assert _posterior._in_python(sentence) == words
