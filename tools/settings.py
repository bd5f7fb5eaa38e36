#!/usr/bin/env python3
"""The figures behind docs/settings.md: what the settings do to simulated networks, and how often
arrows are right by their evidence.

    tools/settings.py [PROGRAM [DATA_SETS]]       tables in Markdown; minutes
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/dualpc"
DATA_SETS = int(sys.argv[2]) if len(sys.argv) > 2 else 20

NETWORKS = [(100, 1000, d) for d in (0.5, 1, 1.5, 2)] + [(100, 10000, 1), (50, 200, 1), (200, 200, 0.5)]
SETTINGS = [
    ("the defaults", []),
    ("`--alpha 0.01`", ["--alpha", "0.01"]),
    ("`--alpha 0.001`", ["--alpha", "0.001"]),
    ("`--rule and --alpha 0.01`", ["--rule", "and", "--alpha", "0.01"]),
    ("`--refine fast`", ["--refine", "fast"]),
    ("`--rule and --alpha 0.01 --bootstrap 100 --min-frequency 0.5`",
     ["--rule", "and", "--alpha", "0.01", "--bootstrap", "100", "--min-frequency", "0.5", "--seed", "1"]),
]


def run(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def compare(estimate, truth, graph):
    return json.loads(run("compare", estimate, truth, "--graph", graph, "--json"))


def measure(folder, network, options):
    """Mean of the false among the edges drawn, of the true edges found, and SHD per node."""
    n, samples, parents = network
    wrong = found = distance = 0.0
    for seed in range(1, DATA_SETS + 1):
        data, truth, estimate = (os.path.join(folder, f) for f in ("data.csv", "truth.csv", "estimate.csv"))
        run("simulate", "--nodes", str(n), "--samples", str(samples), "--parents", str(parents), "--seed", str(seed),
            "-o", data, "--cpdag", truth)
        run("learn", data, "-o", estimate, "--quiet", *options)
        skeleton = compare(estimate, truth, "skeleton")
        wrong += 1 - skeleton["precision"]
        found += skeleton["recall"]
        distance += compare(estimate, truth, "cpdag")["SHD"] / n
    return wrong / DATA_SETS, found / DATA_SETS, distance / DATA_SETS


def arrows(folder, network, bins):
    """Counts arrows between variables that the DAG joins, and the right ones, by their evidence."""
    n, samples, parents = network
    data, truth, graph, edges = (os.path.join(folder, f) for f in ("data.csv", "dag.txt", "graph.txt", "edges.csv"))
    for seed in range(1, DATA_SETS + 1):
        run("simulate", "--nodes", str(n), "--samples", str(samples), "--parents", str(parents), "--seed", str(seed),
            "-o", data, "--dag", truth)
        run("learn", data, "-o", graph, "--quiet", "--rule", "and", "--alpha", "0.01", "--edges", edges)
        with open(truth) as file:
            true = {tuple(line.split()[::2]) for line in file if line.strip()}
        with open(edges) as file:
            for row in csv.DictReader(file):
                pair = row["from"], row["to"]
                if row["mark"] == "-->" and (pair in true or pair[::-1] in true):
                    of = max(least for least in bins if least <= float(row["evidence"]))
                    bins[of][0] += 1
                    bins[of][1] += pair in true


def main():
    print("| n, N, parents | settings | false edges | true edges found | SHD / n |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for network in NETWORKS:
            for name, options in SETTINGS:
                wrong, found, distance = measure(folder, network, options)
                print("| %d, %d, %g | %s | %.0f %% | %.0f %% | %.2f |"
                      % (*network, name, 100 * wrong, 100 * found, distance), flush=True)
        bins = {least: [0, 0] for least in (float("-inf"), 1, 2, 3)}
        for network in ((100, 1000, 1), (100, 1000, 1.5), (50, 200, 1)):
            arrows(folder, network, bins)
    print("\n| evidence, from | arrows | right |\n|---|---|---|")
    for least, (count, right) in bins.items():
        print("| %g | %d | %.1f %% |" % (least, count, 100 * right / max(count, 1)))


if __name__ == "__main__":
    main()
