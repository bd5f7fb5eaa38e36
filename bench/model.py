#!/usr/bin/python3
"""The model of docs/scale.md: time and memory in n, N, degree and order, fitted to runs made here.

    bench/model.py [PROGRAM] [TIMES]      default: build/dualpc 2

Tables are drawn by the program and learned from without the correlation matrix, on one thread; each
stage tells its seconds, of which the best of so many runs count. The terms of a stage are fitted
together, by least squares of relative errors, none below 0. Needs numpy; a few minutes.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/dualpc"
TIMES = int(sys.argv[2]) if len(sys.argv) > 2 else 2
# n, N, expected number of parents, α
RUNS = [(5000, 500, .5, 1e-5), (10000, 500, .5, 1e-5), (20000, 500, .5, 1e-5),
        (40000, 500, .5, 1e-5), (5000, 2000, .5, 1e-5), (10000, 2000, .5, 1e-5),
        (10000, 1000, .5, 1e-5), (10000, 1000, 1, 1e-5), (10000, 500, 1, 1e-3),
        (5000, 1000, 1.5, 1e-4), (5000, 500, 1, 1e-2), (3000, 1000, 1, 1e-2)]


def draw(folder, n, samples, parents):
    data = folder / "data.csv"
    subprocess.run([PROGRAM, "simulate", "--nodes", str(n), "--samples", str(samples), "--parents",
                    str(parents), "--seed", "1", "-o", data, "--quiet"], check=True)
    return data


def learn(data, graph, alpha):
    """What the program tells of itself, and its peak memory in bytes."""
    command = [PROGRAM, str(data), "--alpha", str(alpha), "--memory", "1", "--threads", "1",
               "--min-ess", "inf", "--quiet", "-o", str(graph)]
    process = os.spawnvpe(os.P_NOWAIT, PROGRAM, command, {**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: status {status}")
    return json.loads(graph.read_text())["info"], usage.ru_maxrss * 1024


def measure(folder, n, samples, parents, alpha):
    """One table: the best seconds of each stage, and what they are a matter of."""
    data, graph = draw(folder, n, samples, parents), folder / "graph.json"
    stages, memory = [], []
    for _ in range(TIMES):
        info, peak = learn(data, graph, alpha)
        seconds, levels = info["seconds"], info["seconds"]["levels"]
        stages.append((seconds["read"] + seconds["prepare"] + seconds["correlation"],
                       seconds["skeleton"] - sum(levels), levels[0], sum(levels[1:]),
                       seconds["orient"]))
        memory.append(peak)
    degree = 2 * info["levels"][0]["left"] / n
    later = sum(level["tests"] for level in info["levels"][1:])
    return {"n": n, "N": samples, "alpha": alpha, "degree": degree, "tests": later,
            "orders": len(info["levels"]) - 1, "edges": info["levels"][0]["left"],
            "seconds": np.min(stages, axis=0), "bytes": min(memory)}


def fit(runs, what, terms):
    """Coefficients of the terms, none below 0: the best of all subsets of them."""
    wanted = np.array([what(run) for run in runs], float)
    table = np.array([[term(run) for term in terms] for run in runs], float) / wanted[:, None]
    best = (np.inf, None)
    for size in range(1, len(terms) + 1):
        for subset in itertools.combinations(range(len(terms)), size):
            found = np.linalg.lstsq(table[:, subset], np.ones(len(runs)), rcond=None)[0]
            error = np.sqrt(np.mean((table[:, subset] @ found - 1) ** 2))
            if (found >= 0).all() and error < best[0]:
                whole = np.zeros(len(terms))
                whole[list(subset)] = found
                best = (error, whole)
    return best


def cells(run):
    return run["n"] * run["N"]


def visits(run):
    return run["n"] * run["degree"] ** 2 * run["N"]


# What a stage takes, and the terms of which it is made.
MODEL = {
    "reading": (lambda run: run["seconds"][0], {"n N": cells}),
    "order": (lambda run: run["seconds"][1], {"n N²": lambda run: cells(run) * run["N"],
                                              "n N": cells}),
    "level 0": (lambda run: run["seconds"][2], {"n² N": lambda run: run["n"] * cells(run),
                                                "n²": lambda run: run["n"] ** 2}),
    "levels": (lambda run: run["seconds"][3],
               {"n D² N": visits, "n D N": lambda run: cells(run) * run["degree"],
                "tests": lambda run: run["tests"]}),
    "orientation": (lambda run: run["seconds"][4], {"n N": cells, "n D² N": visits}),
    "bytes": (lambda run: run["bytes"], {"1": lambda run: 1, "n N": cells,
                                         "n D": lambda run: run["n"] * run["degree"]}),
}


def main():
    print("| n | N | α | D | orders | tests | reading | order | level 0 | levels | orientation | MB |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for setting in RUNS:
            run = measure(Path(folder), *setting)
            runs.append(run)
            print(f"| {run['n']} | {run['N']} | {run['alpha']:g} | {run['degree']:.2f} | "
                  f"{run['orders']} | {run['tests']} | " +
                  " | ".join(f"{second:.2f}" for second in run["seconds"]) +
                  f" | {run['bytes'] / 1e6:.0f} |", flush=True)
    for name, (what, terms) in MODEL.items():
        error, found = fit(runs, what, terms.values())
        print(f"{name} = " + " + ".join(f"{value:.3g} {term}" for value, term in zip(found, terms)) +
              f"   (relative error {error:.0%})")


main()
