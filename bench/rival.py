#!/usr/bin/env python3
"""
Runs another program on data sets that `build/bench/refine -w DIR` has written, and prints what
`build/bench/refine -f FILE` reads: line,seed,score,cpu_ms.

    rival.py DIR[/PATTERN] COMMAND …     {} in the command is the file: "n N", then the correlations

The command prints the CPU milliseconds of its search as the first word of its first line, and then a
line "v: parent parent …" for each node, which are counted from 0. The score is computed here, at the
price log N. A set on which the command fails is left out, and so is one that the file RIVAL_DONE (a
variable) has already.
"""
import glob
import math
import os
import re
import subprocess
import sys


def read(path):
    with open(path) as file:
        words = file.read().split()
    n, n_obs = int(words[0]), int(words[1])
    values = [float(word) for word in words[2:]]
    return n_obs, [values[i * n:(i + 1) * n] for i in range(n)]


def log_variance(r, nodes):
    """log of the variance of the last node given the others: the last pivot."""
    factor = []
    for i, row in enumerate(nodes):
        line = []
        for j in range(i + 1):
            value = math.fsum([r[row][nodes[j]]] + [-a * b for a, b in zip(line, factor[j] if j < i else line)])
            line.append(value / factor[j][j] if j < i else math.sqrt(value))
        factor.append(line)
    return 2 * math.log(factor[-1][-1])


def score(r, n_obs, parents):
    return sum(-n_obs / 2 * log_variance(r, given + [v]) - math.log(n_obs) * len(given)
               for v, given in parents.items())


def main():
    where, command = sys.argv[1], sys.argv[2:]
    done = set()
    if "RIVAL_DONE" in os.environ and os.path.exists(os.environ["RIVAL_DONE"]):
        with open(os.environ["RIVAL_DONE"]) as file:
            done = {tuple(line.split(",")[:2]) for line in file}
    for path in sorted(glob.glob(os.path.join(where, "*.cor") if os.path.isdir(where) else where)):
        line, seed = re.fullmatch(r"(.*)-(\d+)\.cor", os.path.basename(path)).groups()
        if (line, seed) in done:
            continue
        run = subprocess.run([word.replace("{}", path) for word in command], capture_output=True, text=True)
        if run.returncode != 0:
            print(f"{path}: {run.stderr.strip()}", file=sys.stderr)
            continue
        first, *rest = run.stdout.splitlines()
        parents = {int(v): [int(u) for u in given.split()] for v, given in (text.split(":") for text in rest)}
        n_obs, r = read(path)
        print(f"{line},{seed},{score(r, n_obs, parents):.6f},{float(first.split()[0]):.3f}", flush=True)


main()
