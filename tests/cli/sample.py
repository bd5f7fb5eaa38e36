"""What dualpc sample has written, held against itself.

    sample.py files FOLDER      out.json, p.csv, g.jsonl, e.csv, g.txt of one run, with their JSON
    sample.py same A B [TOL]    two tables of probabilities of the same variables, columns in any order
Prints what is wrong; exit code 1 then.
"""
import csv
import json
import math
import pathlib
import sys

wrong = []


def must(condition, words):
    if not condition:
        wrong.append(words)


def table(path, head):
    rows = list(csv.reader(open(path, newline="", encoding="utf-8")))
    must(",".join(rows[0]) == head, f"{path}: {rows[0]}")
    return [dict(zip(rows[0], [row[0], row[1], *map(float, row[2:])])) for row in rows[1:]]


def ancestors(edges):
    """Pairs with a directed path; None where there is a circle."""
    children = {}
    for a, b in edges:
        children.setdefault(a, []).append(b)
    found = set()
    for start in children:
        todo = list(children[start])
        while todo:
            node = todo.pop()
            if node == start:
                return None
            if (start, node) not in found:
                found.add((start, node))
                todo += children.get(node, [])
    return found


def close(a, b, most=1e-9):
    return abs(a - b) <= most


def check_draws(told, draws, pairs):
    chains, per = len(told["chains"]), told["chains"][0]["draws"]
    must([(d["chain"], d["draw"]) for d in draws] == [(c + 1, i + 1) for c in range(chains) for i in range(per)],
         "the draws are not chain by chain")
    paths, arrows, reached = [ancestors(d["edges"]) for d in draws], {}, {}
    must(None not in paths, "a draw has a circle")
    for draw, path in zip(draws, paths):
        for a, b in draw["edges"]:
            arrows[a, b] = arrows.get((a, b), 0) + 1 / len(draws)
        for pair in path:
            reached[pair] = reached.get(pair, 0) + 1 / len(draws)
    for p in pairs:
        a, b = p["a"], p["b"]
        must(close(p["ancestor"], reached.get((a, b), 0)), f"ancestor of {a}, {b}")
        must(close(p["descendant"], reached.get((b, a), 0)), f"descendant of {a}, {b}")
        # the one is averaged over conditional probabilities, the other counted
        must(close(p["forward"], arrows.get((a, b), 0), 0.12), f"forward of {a}, {b}")
        must(close(p["backward"], arrows.get((b, a), 0), 0.12), f"backward of {a}, {b}")
    known = {frozenset((p["a"], p["b"])) for p in pairs}
    must({frozenset(pair) for pair in reached} <= known, "a pair with a path has no row")
    best = max(draws, key=lambda d: d["score"])
    must(close(best["score"], told["best"]["score"], 1e-6), "the best score is another")
    for chain in told["chains"]:
        scores = [d["score"] for d in draws if d["chain"] == chain["chain"]]
        must(close(sum(scores) / per, chain["mean_score"], 1e-6 * abs(scores[0])), "mean score of a chain")
        must(max(scores) == chain["max_score"] and min(scores) == chain["min_score"], "range of a chain")
    counts = [len(d["edges"]) for d in draws]
    must(close(sum(counts) / len(counts), told["n_edges"]["mean"], 1e-6), "mean number of edges")
    must(min(counts) <= told["n_edges"]["low"] <= told["n_edges"]["high"] <= max(counts), "interval of the edges")
    return reached


def check_graph(told, pairs, lines):
    least = told["settings"]["min_probability"]
    probable = {frozenset((p["a"], p["b"])): p for p in pairs if p["edge"] >= least}
    must({frozenset((e["from"], e["to"])) for e in told["edges"]} == set(probable), "not the edges of min_probability")
    for e in told["edges"]:
        p = probable[frozenset((e["from"], e["to"]))]
        along = p["a"] == e["from"]
        must(close(e["probability"], p["edge"]) and close(e["forward_probability"], p["forward" if along else "backward"])
             and close(e["backward_probability"], p["backward" if along else "forward"]), f"probabilities of {e}")
    must({line for line in lines if " " in line} == {f"{e['from']} {e['mark']} {e['to']}" for e in told["edges"]},
         "the edge list is another graph")


def check_files(folder):
    folder = pathlib.Path(folder)
    told = json.load(open(folder / "out.json", encoding="utf-8"))
    for key in ("settings", "n_vars", "n_obs", "nodes", "edges", "probabilities", "rhat", "ess", "chains", "complete",
                "warnings", "best", "n_edges", "diagnostics", "seconds"):
        must(key in told, f"JSON has no {key}")
    pairs = table(folder / "p.csv", "a,b,forward,backward,edge,ancestor,descendant,se")
    effects = table(folder / "e.csv", "cause,outcome,mean,sd,low,high,nonzero")
    draws = [json.loads(line) for line in open(folder / "g.jsonl", encoding="utf-8")]
    order = {name: i for i, name in enumerate(told["nodes"])}
    places = [(order[p["a"]], order[p["b"]]) for p in pairs]
    must(places == sorted(set(places)) and all(a < b for a, b in places), "pairs are not in the order of the columns")
    for p, q in zip(pairs, told["probabilities"], strict=True):
        must(all(p[key] == q[key] for key in p), f"JSON has other probabilities: {p}")
        must(close(p["edge"], p["forward"] + p["backward"]), f"edge is no sum: {p}")
        must(all(-1e-12 <= p[key] <= 1 + 1e-12 for key in ("forward", "backward", "edge", "ancestor", "descendant")), f"{p}")
        must(math.isfinite(p["se"]) and p["se"] >= 0, f"se: {p}")
    reached = check_draws(told, draws, pairs)
    must(effects == [{key: e[key] for key in effects[0]} for e in told["effects"]], "JSON has other effects")
    for e in effects:
        must(e["low"] <= e["mean"] <= e["high"] or e["sd"] == 0 or e["nonzero"] < 0.05, f"effect {e}")
        must(close(e["nonzero"], reached.get((e["cause"], e["outcome"]), 0)), f"nonzero: {e}")
    check_graph(told, pairs, open(folder / "g.txt", encoding="utf-8").read().splitlines())


def check_same(first, second, most):
    head = "a,b,forward,backward,edge,ancestor,descendant,se"
    seen = []
    for path in (first, second):
        both = {}
        for p in table(path, head):
            both[p["a"], p["b"]] = p["forward"], p["ancestor"]
            both[p["b"], p["a"]] = p["backward"], p["descendant"]
        seen.append(both)
    for pair in seen[0].keys() | seen[1].keys():
        x, y = seen[0].get(pair, (0, 0)), seen[1].get(pair, (0, 0))
        must(close(x[0], y[0], most) and close(x[1], y[1], most), f"{pair}: {x} and {y}")
    must(len(seen[0]) > 0, "no pairs")


if sys.argv[1] == "files":
    check_files(sys.argv[2])
else:
    check_same(sys.argv[2], sys.argv[3], float(sys.argv[4]) if len(sys.argv) > 4 else 1e-12)
print("\n".join(wrong[:20]))
sys.exit(bool(wrong))
