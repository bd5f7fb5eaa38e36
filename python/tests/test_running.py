"""While it runs: the GIL, Ctrl-C, progress, other processes, memory."""
import contextlib
import ctypes
import io
import json
import multiprocessing
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import dualpc
from conftest import EXAMPLE
from dualpc import _core


SAMPLING = ("fbf", "fair", 0.0, 3, 1, 2, 1, (0,), None)
WHILE = {"method": "classic", "max_order": 5, "threads": 1}  # takes a while


@contextlib.contextmanager
def pressed_after(seconds):
    """Somebody presses Ctrl-C when the process has worked for so long, unless it is done before. The time is that
    of processors: on a busy machine as much work is done by then."""
    begun, done = time.process_time(), threading.Event()

    def press():
        while not done.wait(0.005):
            if time.process_time() - begun > seconds:
                os.kill(os.getpid(), signal.SIGINT)
                return

    somebody = threading.Thread(target=press)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    somebody.start()
    try:
        yield
    finally:
        done.set()
        somebody.join()
        signal.signal(signal.SIGINT, before)


# ---- Ctrl-C ----

@pytest.mark.parametrize("threads", [1, 3])
def test_interrupt(slow, threads):
    with pytest.raises(KeyboardInterrupt), pressed_after(0.4):
        dualpc.learn(slow, method="classic", threads=threads)  # to the end, that takes hours


def test_interrupted_question(slow):
    """Explaining makes all tests of a pair again."""
    result = dualpc.learn(slow[:, :32], method="classic", max_order=3)
    with pytest.raises(KeyboardInterrupt), pressed_after(0.05):
        for _ in range(10000):
            result.explain(0, 1)


def test_interrupted_bootstrap(X):
    """What was done by then is not lost."""
    with pytest.raises(dualpc.Interrupted) as stopped, pressed_after(0.5):
        dualpc.learn(X, bootstrap=10_000_000, min_frequency=0.5)
    result = stopped.value.result
    assert 0 < result.resamples < 10_000_000
    assert str(stopped.value).startswith(f"interrupted after {result.resamples} of 10000000 ")
    assert result.frequencies[0].edge <= 1 and result.edges
    assert dualpc.learn(X).edges  # and all goes on


def test_interrupted_refinement(slow):
    """The best graph so far is not lost."""
    with pytest.raises(dualpc.Interrupted) as stopped, pressed_after(0.8):
        dualpc.learn(slow[:1000], refine="full", restarts=1000000)
    result = stopped.value.result
    assert json.loads(result.to_json())["refine"]["complete"] is False
    assert result.edges and "the best graph so far" in str(stopped.value)


@pytest.mark.parametrize("latent", ["search", "dag"])
def test_interrupted_search(slow, latent):
    """The same where hidden causes are allowed for: it is a PAG."""
    with pytest.raises(dualpc.Interrupted) as stopped, pressed_after(0.8):
        dualpc.learn(slow[:1000], latent=latent, restarts=1000000)
    result = stopped.value.result
    assert result.complete is False and result.graph_type == "pag"
    assert result.edges and str(stopped.value).startswith("interrupted in the search; the best ")


@pytest.mark.parametrize("latent", ["search", "dag"])
def test_progress_of_a_search(slow, latent):
    def stop(progress):
        if progress.stage == "refining":
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="^enough$"):
        dualpc.learn(slow[:1000], latent=latent, restarts=1000000, progress=stop)


def test_timeout(slow):
    result = dualpc.learn(slow[:1000], refine="full", restarts=1000000, timeout=0.5)
    assert json.loads(result.to_json())["refine"]["complete"] is False
    assert result.complete is False


@pytest.mark.parametrize("options", [{}, {"method": "ges"}, {"bootstrap": 5}, {"refine": "fast"},
                                     {"orient": "majority"}, {"variant": "standard"}])
def test_no_time_at_all(X, options):
    """There is a graph all the same, and it says what it is."""
    result = dualpc.learn(X, timeout=1e-9, **options)
    assert result.complete is False
    assert json.loads(result.to_json())["complete"] is False
    if "bootstrap" in options:
        assert 1 <= result.resamples < 5
    assert dualpc.learn(X, timeout=1e6).complete is True
    assert dualpc.learn(X, timeout=1e6).edges == dualpc.learn(X).edges
    copy = pickle.loads(pickle.dumps(result))
    assert copy.edges == result.edges and copy.complete is False
    with pytest.raises(dualpc.UsageError, match="learn anew"):
        copy.explain(0, 1)


def test_errors_of_the_progress_function(slow, X):
    def fail(progress):
        if progress.tests > 0 or progress.resamples_done > 0:
            raise RuntimeError(progress.stage)

    with pytest.raises(RuntimeError, match="^skeleton$"):
        dualpc.learn(slow, **WHILE, progress=fail)
    with pytest.raises(RuntimeError, match="^resampling$") as failed:
        dualpc.learn(X, bootstrap=10_000_000, progress=fail)
    assert failed.value.partial.counts()[0] > 0


# ---- The GIL ----

def test_other_threads_go_on(slow):
    """Another thread does what takes the GIL, and then ends the work, which would go on for hours."""
    ticks = []

    def tick():
        while len(ticks) < 50:
            ticks.append(len(ticks))
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    def begin(progress):
        if not thread.ident:
            thread.start()

    thread = threading.Thread(target=tick)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        dualpc.learn(slow, method="classic", threads=1, progress=begin)
    thread.join()
    signal.signal(signal.SIGINT, before)
    assert len(ticks) == 50


def test_two_threads_learn(X):
    expected = dualpc.learn(X).edges
    found = []

    def work():
        for _ in range(10):
            found.append(dualpc.learn(X, bootstrap=3).edges)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 30 and all(edges == expected for edges in found)


# ---- Progress ----

def test_progress_function(slow):
    seen = []
    start = time.monotonic()
    dualpc.learn(slow, **WHILE, progress=seen.append)
    took = time.monotonic() - start
    assert 1 <= len(seen) <= 11 * took + 1
    assert all(isinstance(p, dualpc.Progress) and 0 <= p.fraction <= 1 for p in seen)
    assert {p.stage for p in seen} <= {"preparing", "correlations", "skeleton", "orienting"}


SHOWN = dualpc.Progress("skeleton", 0.25, 2, 30, 400, -1, 0.0)


@pytest.mark.parametrize("tqdm", [True, False])
def test_progress_shown(slow, tqdm, monkeypatch):
    if not tqdm:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    dualpc.learn(slow, **WHILE, progress=True)
    text = sys.stderr.getvalue()
    assert "edges left" in text
    assert text.endswith("\r") and ("|" in text) == tqdm
    assert str(SHOWN) == "level 2, 30 edges left, 400 tests"


# ---- Processes ----

def learn_edges(seed):
    X = np.random.default_rng(seed).normal(size=(200, 8))
    X[:, 1] += X[:, 0]
    return dualpc.learn(X, threads=2, separating_sets=True)


@pytest.mark.parametrize("how", ["fork", "spawn"])
def test_multiprocessing(how):
    """Also after the parent has learned with several threads."""
    expected = [learn_edges(seed).edges for seed in range(4)]
    with multiprocessing.get_context(how).Pool(2) as pool:
        found = pool.map(learn_edges, range(4), chunksize=1)
    assert [result.edges for result in found] == expected
    assert found[0].sepset(2, 3) == learn_edges(0).sepset(2, 3)


def test_fork_in_a_thread_of_python(X):
    """A child that was forked while another thread learns can still end."""
    stop = threading.Event()

    def work():
        while not stop.is_set():
            dualpc.learn(X)

    thread = threading.Thread(target=work)
    thread.start()
    codes = []
    for _ in range(5):
        child = os.fork()
        if child == 0:
            os._exit(7)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    stop.set()
    thread.join()
    assert codes == [7] * 5


# ---- Memory and what is left behind ----

@pytest.mark.skipif(not sys.platform.startswith("linux") or shutil.which("cc") is None, reason="needs cc and glibc")
def test_no_leaks(tmp_path):
    """Every block that the library asks for is given back, and so are Python's."""
    here = pathlib.Path(__file__).parent
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", here / "live.c", "-o", tmp_path / "live.so", "-ldl"], check=True)
    done = subprocess.run([sys.executable, here / "leaks.py", EXAMPLE], capture_output=True, text=True,
                          env={**os.environ, "LD_PRELOAD": str(tmp_path / "live.so")})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_references(X):
    """Arrays, names and functions are let go of."""
    names, options = tuple(f"name {i}" for i in range(12)), {"alpha": "0.05"}
    values, told = X.copy(), (lambda *where: None)
    before = [sys.getrefcount(thing) for thing in (names, options, values, told)]
    for _ in range(5):
        _core.learn(values, names, options, None, 0, told)
        _core.bootstrap(values, names, options, None, (2, 0.0), told)
        _core.sample(values, names, options, None, 0, SAMPLING, told)
        with pytest.raises(ValueError):
            _core.sample(values, names, {"alpha": "7"}, None, 0, SAMPLING, told)
        with pytest.raises(TypeError):
            _core.sample(values, names, options, None, 0, (*SAMPLING[:-1], ("V1",)), told)
        with pytest.raises(ValueError):
            _core.learn(values, names, {"alpha": "7"}, None, 0, told)
        with pytest.raises(ValueError):
            _core.learn(values, names[1:], options, None, 0, told)
    assert [sys.getrefcount(thing) for thing in (names, options, values, told)] == before
    values.resize((1, 1))  # which an array in use refuses


def test_blas_has_its_threads_back(X):
    blas = ctypes.CDLL("libopenblas.so.0")
    before = blas.openblas_get_num_threads()
    blas.openblas_set_num_threads(2)
    dualpc.learn(X)
    with pytest.raises(ValueError):
        dualpc.learn(X, alpha=7)
    assert blas.openblas_get_num_threads() == 2
    blas.openblas_set_num_threads(before)


def test_the_extension_refuses_what_the_package_does_not_give(X):
    for data, why in [(X[0], "table"), (X.astype(int), "table"), (X.astype(">f8"), "table")]:
        with pytest.raises(ValueError, match=why):
            _core.learn(data, None, {}, None, 0, None)
    with pytest.raises(TypeError):
        _core.learn(X, [1] * 12, {}, None, 0, None)
    with pytest.raises(TypeError):
        _core.learn(X, None, {"alpha": 0.1}, None, 0, None)
    with pytest.raises(TypeError):
        _core.Learned()
    with pytest.raises(ValueError):
        _core.graph(b"123", 2)
