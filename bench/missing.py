#!/usr/bin/env python3
"""What missing cells cost: SHD / n to the truth, for each way with them. The table of docs/data.md.

    bench/missing.py [PROGRAM] [DATA SETS]      default: build/dualpc 20
    bench/missing.py --time FILE PROGRAM...     seconds of one processor that --missing em takes on a
                                                table, the best of five, for each program

Data sets are drawn by the program, and cells taken out: completely at random, or at random given
another column: of every other column, where the one after it, which is complete, is above 0, so
often that the share of all cells is the same. Where `rows` leaves too few rows to learn from, its
graph is empty.
"""
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TIME = sys.argv[1:2] == ["--time"]
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/dualpc"
SETS = int(sys.argv[2]) if len(sys.argv) > 2 and not TIME else 20
SIZES = [(50, 1250, 2), (20, 500, 1)]
SHARES = [0.05, 0.10, 0.20]
WAYS = ["rows", "pairwise", "em"]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def take_out(rows, share, given, rng):
    """The rows without some of their cells."""
    for row in rows:
        kept = list(row)
        for j in range(len(row)):
            if not given:
                lost = rng.random() < share
            else:
                lost = j % 2 == 0 and float(row[j + 1]) > 0 and rng.random() < 4 * share
            if lost:
                kept[j] = ""
        yield kept


def learn(data, folder, way):
    """The graph of the data, in a file; None: nothing could be learned."""
    graph = folder / f"{way}.csv"
    done = run(data, "--quiet", "--threads", 1, "--missing", way, "-o", graph)
    return graph if done.returncode == 0 else None


def distance(graph, truth, n):
    """SHD / n; without a graph, of the empty one."""
    if graph is None:
        cells = [line.split(",") for line in truth.read_text().splitlines()[1:]]
        return sum(cells[i][j] != "0" or cells[j][i] != "0" for i in range(n) for j in range(i)) / n
    told = dict(line.split()[:2] for line in run("compare", graph, truth).stdout.splitlines())
    return float(told["SHD"]) / n


def measure(n, samples, parents, given, share, folder):
    sums = {way: 0.0 for way in ["complete", *WAYS]}
    left = 0
    for seed in range(1, SETS + 1):
        data, holed, truth = folder / "data.csv", folder / "holed.csv", folder / "truth.csv"
        run("simulate", "--nodes", n, "--samples", samples, "--parents", parents, "--seed", seed,
            "-o", data, "--cpdag", truth, "--quiet")
        header, *lines = data.read_text().splitlines()
        rows = list(take_out([line.split(",") for line in lines], share, given,
                             random.Random(seed)))
        holed.write_text("\n".join([header, *map(",".join, rows)]) + "\n")
        left += sum("" not in row for row in rows) / SETS
        sums["complete"] += distance(learn(data, folder, "error"), truth, n) / SETS
        for way in WAYS:
            sums[way] += distance(learn(holed, folder, way), truth, n) / SETS
    return left, sums


def seconds(program, file):
    """What a run took of a processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([program, file, "--missing", "em", "--threads", "1", "--quiet"],
                   stdout=subprocess.DEVNULL, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def time_em(file, programs):
    for program in programs:
        print(f"{program}: {min(seconds(program, file) for _ in range(5)):.2f} s", flush=True)


def main():
    if TIME:
        time_em(sys.argv[2], sys.argv[3:] or ["build/dualpc"])
        return
    print("| n | N | d | cells missing | rows left | complete | `rows` | `pairwise` | `em` |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for n, samples, parents in SIZES:
            for given in (False, True):
                for share in SHARES:
                    left, sums = measure(n, samples, parents, given, share, Path(folder))
                    how = "given another column" if given else "at random"
                    print(f"| {n} | {samples} | {parents} | {share:.0%}, {how} | {left:.0f} | " +
                          " | ".join(f"{sums[way]:.2f}" for way in ["complete", *WAYS]) + " |",
                          flush=True)


main()
