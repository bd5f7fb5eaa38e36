"""What a call from Python costs beyond the engine, and how it compares with the program.

    python3 bench.py [PROGRAM]     the package must be installed; PROGRAM is build/dualpc
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import dualpc

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/dualpc")
ENGINE = ("prepare", "correlation", "skeleton", "orient")


def engine(seconds):
    return sum(seconds[stage] for stage in ENGINE)


def small():
    """1250 observations of 50 variables, one thread: all that is not the engine."""
    X = np.loadtxt(ROOT / "tests/golden/paper50/data.csv", delimiter=",", skiprows=1)
    walls, beyond = [], []
    for _ in range(200):
        start = time.perf_counter()
        result = dualpc.learn(X, threads=1)
        result.adjacency
        walls.append(time.perf_counter() - start)
        beyond.append(walls[-1] - engine(result.info["seconds"]))
    print(f"n = 50: a call {1e3 * statistics.median(walls):.2f} ms, beyond the engine "
          f"{1e3 * statistics.median(beyond):.2f} ms")


def large():
    """10000 observations of 200 variables, all threads, against the program without reading."""
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "data.csv"
        subprocess.run([PROGRAM, "simulate", "--nodes", "200", "--parents", "2", "--samples", "10000",
                        "--seed", "1", "-o", str(data)], check=True, capture_output=True)
        X = np.loadtxt(data, delimiter=",", skiprows=1)
        ours, theirs = [], []
        for _ in range(15):
            start = time.perf_counter()
            result = dualpc.learn(X)
            ours.append(time.perf_counter() - start)
            told = json.loads(subprocess.run([PROGRAM, "learn", str(data), "--quiet", "--format",
                                              "json"], check=True, capture_output=True).stdout)
            theirs.append(engine(told["info"]["seconds"]))
            assert [e["mark"] for e in told["edges"]] == [e.mark for e in result.edges]
        print(f"10000 x 200: a call {1e3 * min(ours):.1f} ms (median "
              f"{1e3 * statistics.median(ours):.1f}), the program without reading "
              f"{1e3 * min(theirs):.1f} ms (median {1e3 * statistics.median(theirs):.1f})")
        for name, other in (("rows (C order)", X), ("columns (F order)", np.asfortranarray(X)),
                            ("floats", X.astype("f4")), ("whole numbers", (X * 1000).astype(int))):
            walls = []
            for _ in range(7):
                start = time.perf_counter()
                dualpc.learn(other)
                walls.append(time.perf_counter() - start)
            print(f"  {name}: {1e3 * min(walls):.1f} ms")


if __name__ == "__main__":
    small()
    large()
