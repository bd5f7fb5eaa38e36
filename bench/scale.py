#!/usr/bin/env python3
"""Very many variables: seconds of the clock and peak memory. The tables of docs/scale.md.

    bench/scale.py [bars|growth|short] [PROGRAM]      default: bars build/dualpc

`bars` has the runs that docs/scale.md tells of, each with the time that it is to stay below;
`short` those of them with 5000 variables; `growth` the levels alone, for more and more variables,
which is to show time that grows as n² and memory that grows as n. Data sets are drawn by the
program, with seed 1, and are kept until the end: bars needs 4 GB for them.
"""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WHAT = sys.argv[1] if len(sys.argv) > 1 else "bars"
PROGRAM = sys.argv[2] if len(sys.argv) > 2 else "build/dualpc"

# n, N, expected parents; how it is learned; the kind of graph file; seconds to stay below, or None
SHORT = [
    (5000, 3000, 1, "--alpha 1e-4", "json", None),
    (5000, 3000, 1, "", "json", 10),
    (5000, 3000, 1, "--refine fast", "json", None),
    (5000, 3000, 1, "--refine fast --memory 100", "json", 60),
]
BARS = [
    *SHORT,
    (20000, 500, 0.5, "--alpha 1e-5", "json", None),
    (20000, 500, 0.5, "--alpha 1e-5 --memory 1", "json", None),
    (20000, 3000, 0.5, "--alpha 1e-5 --memory 100", "txt", None),
    (100000, 500, 0.5, "--alpha 1e-6", "txt", None),
]
GROWTH = [(n, 500, 0.5, "--alpha 1e-6 --memory 1 --graph skeleton", "txt", None)
          for n in (10000, 20000, 40000, 80000)]


def simulate(n, samples, parents, folder):
    """The data set, drawn when it is asked for first."""
    data = folder / f"{n}-{samples}.csv"
    if not data.exists():
        subprocess.run([PROGRAM, "simulate", "--nodes", str(n), "--samples", str(samples),
                        "--parents", str(parents), "--seed", "1", "-o", data], check=True)
    return data


def measure(data, options, graph):
    """Seconds of the clock, and the largest memory, in GB."""
    start = time.monotonic()
    child = os.posix_spawnp(PROGRAM, [PROGRAM, "learn", str(data), *options.split(), "--quiet",
                                      "-o", str(graph)], os.environ)
    _, status, used = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"bench/scale.py: '{options}' failed")
    return time.monotonic() - start, used.ru_maxrss * 1024 / 1e9


def main():
    runs = {"bars": BARS, "short": SHORT, "growth": GROWTH}.get(WHAT)
    if runs is None:
        sys.exit(__doc__)
    print("| table | command | seconds | to stay below | memory |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for n, samples, parents, options, kind, bar in runs:
            data = simulate(n, samples, parents, folder)
            seconds, memory = measure(data, options, folder / f"graph.{kind}")
            print(f"| n = {n}, N = {samples}, `--parents {parents}` | `{options} --quiet -o x.{kind}` "
                  f"| {seconds:.1f} | {bar or ''} | {memory:.2f} GB |", flush=True)


main()
