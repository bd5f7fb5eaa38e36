"""Looks into what the program wrote: verify.py WHAT ARGUMENTS. Prints what is wrong; exit code 1 then.

Everything is computed anew (plain.py), slowly, and shares no code with the program.
"""
import itertools
import json
import math
import os
import re
import sys

from plain import correlations, expand, inverse, log_p_t, log_p_z, partial, read_table

problems = []


def must(condition, text):
    if not condition:
        problems.append(text)
    return condition


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


# ---- Graphs in their formats ----


def edges_of_csv(path, names):
    """Pairs {(i, j): mark} of an adjacency matrix, i < j; the mark is ---, --> or <--."""
    with open(path, "rb") as file:
        text = file.read()
    must(b"\r" not in text and text.endswith(b"\n"), "csv: line ends are not plain")
    header, rows = read_table(path)
    must(header == names, f"csv: the names are {header[:5]}…")
    n = len(names)
    must(len(rows) == n and all(len(row) == n for row in rows), "csv: not n rows of n cells")
    must(all(cell in "01" and cell for row in rows for cell in row), "csv: cells other than 0 and 1")
    must(all(rows[i][i] == "0" for i in range(n)), "csv: the diagonal is not 0")
    marks = {("1", "1"): "---", ("1", "0"): "-->", ("0", "1"): "<--"}
    return {(i, j): marks[rows[i][j], rows[j][i]]
            for i in range(n) for j in range(i + 1, n) if (rows[i][j], rows[j][i]) != ("0", "0")}


def lines_of(edges, names):
    """Every way in which the edge list may say each edge; a name with outer blanks is in quotes."""
    ways = []
    shown = [f'"{name}"' if name != name.strip() else name for name in names]
    for (i, j), mark in edges.items():
        a, b = shown[i], shown[j]
        if mark == "---":
            ways.append({f"{a} --- {b}", f"{b} --- {a}"})
        else:
            ways.append({f"{a} --> {b}" if mark == "-->" else f"{b} --> {a}"})
    return ways


def check_txt(path, edges, names):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    lines = text.split("\n")
    must(lines.pop() == "", "txt: no line end at the end")
    ways = lines_of(edges, names)
    alone = [i for i in range(len(names)) if not any(i in pair for pair in edges)]
    behind = lines[len(ways):]
    lines = lines[:len(ways)]
    must([line.encode() for line in lines] == sorted(line.encode() for line in lines), "txt: not sorted")
    plain = lambda line: line[1:-1].replace('""', '"') if line[:1] == '"' else line
    must([plain(line) for line in behind] == [names[i] for i in alone],
         f"txt: without edges are {behind[:5]}…, not {[names[i] for i in alone][:5]}…")
    must(len(lines) == len(ways), f"txt: {len(lines)} lines for {len(ways)} edges")
    every = set().union(*ways) if ways else set()
    for line in lines:
        must(line in every, f"txt: '{line[:80]}' is no edge of the csv")
    must(len(set(lines)) == len(lines), "txt: an edge twice")


def check_dot(path, edges, names):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    quoted = r'"((?:[^"\\]|\\.)*)"'
    plain = lambda s: re.sub(r"\\(.)", r"\1", s)
    must(re.match(r"(strict )?digraph\b[^{]*\{", text) and text.rstrip().endswith("}"), "dot: no digraph")
    nodes = [plain(m) for m in re.findall(r"(?m)^\s*" + quoted + r"\s*(?:\[[^]]*\])?;?$", text)]
    if not must(nodes == names, f"dot: the nodes are {nodes[:5]}…"):
        return
    seen = {}
    for a, b, more in re.findall(r"(?m)^\s*" + quoted + r"\s*->\s*" + quoted + r"\s*(\[[^]]*\])?;?$", text):
        i, j = names.index(plain(a)), names.index(plain(b))
        mark = "---" if "dir=none" in more or "dir=\"none\"" in more else "-->"
        seen[min(i, j), max(i, j)] = "<--" if mark == "-->" and i > j else mark
    must(seen == edges, "dot: other edges than the csv")


def edges_of_json(report):
    names, edges = report["nodes"], {}
    for edge in report["edges"]:
        must(set(edge) >= {"from", "to", "mark"} and edge["mark"] in ("---", "-->"), f"json: edge {edge}")
        i, j = names.index(edge["from"]), names.index(edge["to"])
        must((min(i, j), max(i, j)) not in edges, f"json: {edge} twice")
        edges[min(i, j), max(i, j)] = "<--" if edge["mark"] == "-->" and i > j else edge["mark"]
    return edges


def formats(table, matrix, edge_list, dot, report):
    names = read_table(table)[0]
    edges = edges_of_csv(matrix, names)
    check_txt(edge_list, edges, names)
    check_dot(dot, edges, names)
    told = read_json(report)
    must(told["nodes"] == names, f"json: the nodes are {told['nodes'][:5]}…")
    must(edges_of_json(told) == edges, "json: other edges than the csv")
    check_counts(told)
    check_sets(told)


# ---- The JSON ----


def check_counts(report):
    info = report["info"]
    must(set(info) >= {"tests", "levels", "singular", "warnings", "seconds"}, f"json: info has {list(info)}")
    must(set(info["seconds"]) >= {"read", "prepare", "correlation", "skeleton", "orient", "write", "total"},
         f"json: seconds has {list(info['seconds'])}")
    must(all(v >= 0 for v in info["seconds"].values() if not isinstance(v, list)), "json: seconds below 0")
    seconds = {stage: v for stage, v in info["seconds"].items() if stage not in ("levels", "total")}
    must(seconds["write"] > 0, "json: writing took no time")
    must(info["seconds"]["total"] >= sum(seconds.values()) - 1e-5, f"json: the stages take longer than {info['seconds']['total']} s")
    n, levels = report["n_vars"], info["levels"]
    must(n == len(report["nodes"]), "json: n_vars is not the number of nodes")
    must(sum(level["tests"] for level in levels) == info["tests"], "json: the levels' tests do not sum up")
    left = n * (n - 1) // 2
    for level in levels:
        left -= level["removed"]
        must(level["left"] == left, f"json: {level} where {left} must be left")
    must(left == len(report["edges"]), f"json: {left} edges left, {len(report['edges'])} written")
    must(all(isinstance(w, str) for w in info["warnings"]), "json: a warning is no text")


def check_sets(report):
    forms = [sum(form in s for form in ("set", "all_but", "all_of")) for s in report["separating_sets"]]
    must(set(forms) <= {1}, "json: a set in no form, or in two")
    must(all(("but" in s) == ("all_of" in s) for s in report["separating_sets"]), "json: all_of without but")
    small = [s for s in report["separating_sets"] if s["order"] <= 8]
    must(all("set" in s for s in small), "json: a small set is not written out")
    expand(report)
    names, edges = report["nodes"], edges_of_json(report)
    number = {name: i for i, name in enumerate(names)}
    pairs = []
    for s in report["separating_sets"]:
        if not must(set(s) >= {"a", "b", "set", "order", "kind", "r", "p"}, f"json: a set has {list(s)}"):
            continue
        a, b, given = number[s["a"]], number[s["b"]], [number[v] for v in s["set"]]
        pairs.append((min(a, b), max(a, b)))
        where = f"json: the set of {s['a'][:20]}, {s['b'][:20]}"
        must(s["order"] == len(given) == len(set(given)), f"{where} has order {s['order']}, size {len(given)}")
        must(a not in given and b not in given, f"{where} holds one of them")
        must(s["kind"] in ("marginal", "full-order", "full-s", "primal", "dual"), f"{where}: {s['kind']}")
        must((s["kind"] == "marginal") == (not given) or len(names) == 2, f"{where}: {s['kind']}, {len(given)}")
        must(s["kind"] != "full-order" or len(given) == len(names) - 2, f"{where} is not all others")
        must(s["r"] is not None and s["p"] is not None, f"{where} has no r or p")
    absent = [pair for pair in itertools.combinations(range(len(names)), 2) if pair not in edges]
    must(sorted(pairs) == absent, f"json: {len(pairs)} sets for {len(absent)} absent pairs, or other pairs")


def options_of(words):
    """The settings that the words of the command line make."""
    settings = {"alpha": 0.05, "method": "dual", "variant": "stable", "test": "z", "max_order": None,
                "min_ess": 30.0, "normalize": "none", "graph": "cpdag"}
    for name, value in zip(words[::2], words[1::2]):
        key = name[2:].replace("-", "_")
        settings[key] = int(value) if key == "max_order" else (
            float(value) if key in ("alpha", "alpha_dual", "min_ess") else value)
    settings.setdefault("alpha_dual", settings["alpha"])
    return settings


def check_json(table, report, *words):
    """All of it, r and p by recomputation; `words` are the options of the run."""
    told, wanted = read_json(report), options_of(words)
    must(set(told) >= {"settings", "n_vars", "n_obs", "nodes", "edges", "info"}, f"json: has {list(told)}")
    for key, value in wanted.items():
        must(told["settings"].get(key) == value, f"json: {key} is {told['settings'].get(key)}, not {value}")
    check_counts(told)
    check_sets(told)
    names, n_obs, r = correlations(table)
    must(told["nodes"] == names and told["n_obs"] == n_obs, "json: other nodes or n_obs")
    n = len(names)
    small = n if n <= 20 else 5
    log_p = log_p_z if wanted["test"] == "z" else log_p_t
    checked = 0
    for s in told["separating_sets"]:
        order, kind = s["order"], s["kind"]
        level = wanted["alpha_dual" if kind in ("full-order", "full-s", "dual") else "alpha"]
        must(s["p"] >= level * (1 - 1e-9), f"json: {s['a']}, {s['b']} separated with p = {s['p']}")
        must(abs(s["r"]) < 1 and 0 <= s["p"] <= 1, f"json: {s['a']}, {s['b']}: r = {s['r']}, p = {s['p']}")
        if order == 0 or s["r"] != 0:
            p = math.exp(log_p(abs(s["r"]), n_obs, order)) if s["r"] != 0 else 1.0
            must(math.isclose(p, s["p"], rel_tol=1e-6), f"json: p of {s['a']}, {s['b']} is {p}, not {s['p']}")
        if wanted["normalize"] == "none" and order <= small:
            a, b = names.index(s["a"]), names.index(s["b"])
            mine = partial(r, a, b, [names.index(v) for v in s["set"]])
            must(math.isclose(mine, s["r"], abs_tol=1e-9), f"json: r of {s['a']}, {s['b']} is {mine}, not {s['r']}")
            checked += 1
    must(checked > 0 or wanted["normalize"] != "none" or not told["separating_sets"], "json: nothing to check")


def settings(report, *pairs):
    told = read_json(report)["settings"]
    for key, value in zip(pairs[::2], pairs[1::2]):
        must(told[key] == json.loads(value), f"json: {key} is {told[key]}, not {value}")


def levels(report, count, n_obs=None):
    told = read_json(report)
    check_counts(told)
    must(count == "any" or len(told["info"]["levels"]) == int(count),
         f"json: {len(told['info']['levels'])} levels, not {count}")
    must(n_obs is None or told["n_obs"] == int(n_obs), f"json: n_obs is {told['n_obs']}")


def singular(report):
    told = read_json(report)
    check_counts(told)
    must(told["info"]["singular"] > 0, "json: singular is 0")


def few_tests(report, most):
    """What cannot be told apart is not tried set by set."""
    info = read_json(report)["info"]
    tried = info["tests"] + info["singular_tests"]
    must(tried <= int(most), f"json: {tried} tests were made, or could not be made")


def copies(report, *pairs):
    """Columns that took no part in the tests: COLUMN=OF ..."""
    told = [f"{copy['column']}={copy['of']}" for copy in read_json(report)["info"].get("copies", [])]
    must(told == list(pairs), f"json: copies are {told}")


def summary(text, report):
    """The summary on standard error has the numbers of the JSON."""
    with open(text, encoding="utf-8") as file:
        text = file.read()
    told = read_json(report)
    info = told["info"]
    must(re.search(rf"\b{len(told['edges'])} edges", text), f"summary: not {len(told['edges'])} edges")
    must(re.search(rf"\b{info['tests']} tests", text), f"summary: not {info['tests']} tests")
    must(re.search(rf"highest order {len(info['levels']) - 1}\b", text), "summary: no highest order")
    for i, level in enumerate(info["levels"]):
        line = rf"(?m)^ *{i} +{level['tests']} +{level['removed']} +{level['left']}( |$)"
        must(re.search(line, text), f"summary: level {i} is not {level}")


# ---- Simulated data ----


def directed(edges):
    """The arrows {(from, to)} of a graph as edges_of_csv gives it."""
    return {(i, j) if mark == "-->" else (j, i) for (i, j), mark in edges.items() if mark != "---"}


def acyclic(n, arrows):
    """Takes away nodes without parents until there are none left."""
    left = set(range(n))
    while True:
        roots = left - {b for a, b in arrows if a in left}
        if not roots:
            return not left
        left -= roots


def closure(arrows, pairs):
    """Meek's rules 1 to 3: what a pattern with these arrows says about the other pairs."""
    arrows = set(arrows)

    def follows(a, b):
        into = {x for x, y in arrows if y == b}
        near = {x for x in into if frozenset((a, x)) in pairs and (x, a) not in arrows}
        return (any(frozenset((x, b)) not in pairs for x, y in arrows if y == a and x != b)
                or any((a, x) in arrows for x in into)
                or any(frozenset(two) not in pairs for two in itertools.combinations(near, 2)))

    while True:
        more = {(a, b) for pair in pairs for a, b in itertools.permutations(pair)
                if (a, b) not in arrows and (b, a) not in arrows and follows(a, b)}
        if not more:
            return arrows
        arrows |= {more.pop()}


def simulated(data, dag, cpdag, pattern, skeleton):
    """The data are standardised; the DAG is one, and the other graphs are those of its class."""
    names, rows = read_table(data)
    for name, column in zip(names, zip(*rows)):
        values = [float(cell) for cell in column]
        mean = math.fsum(values) / len(values)
        variance = math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)
        must(abs(mean) < 1e-12 and abs(variance - 1) < 1e-12, f"{name}: mean {mean}, variance {variance}")
    must(names == [f"V{i + 1}" for i in range(len(names))], f"the names are {names[:5]}…")
    truth = edges_of_csv(dag, names)
    arrows, pairs = directed(truth), {frozenset(pair) for pair in truth}
    must("---" not in truth.values(), "the DAG has an edge without a direction")
    must(acyclic(len(names), arrows), "the DAG has a cycle")
    colliders = {(a, b) for a, b in arrows for c, d in arrows
                 if b == d and a != c and frozenset((a, c)) not in pairs}
    for path, wanted in ((skeleton, set()), (pattern, colliders), (cpdag, closure(colliders, pairs))):
        found = edges_of_csv(path, names)
        must({frozenset(pair) for pair in found} == pairs, f"{path}: the pairs are not those of the DAG")
        must(directed(found) == wanted, f"{path}: the arrows are not those of the class")


def sortability(data, dag, told):
    """The line that simulate printed: the share of cause and effect with the smaller R² first."""
    names, _, r = correlations(data)
    r2 = [1 - 1 / row[i] for i, row in enumerate(inverse(r))]
    paths = directed(edges_of_csv(dag, names))
    while True:
        more = {(a, d) for a, b in paths for c, d in paths if b == c} - paths
        if not more:
            break
        paths |= more
    wanted = f"sortability {sum(r2[a] < r2[b] for a, b in paths) / len(paths):.4g}"
    must(told == wanted, f"'{told}' should be '{wanted}'")


# ---- Text ----


def utf8(*paths):
    for path in paths:
        with open(path, "rb") as file:
            text = file.read()
        try:
            text = text.decode()
        except UnicodeDecodeError as error:
            must(False, f"{os.path.basename(path)} is not UTF-8: {error}")
            continue
        must("Ã" not in text and "�" not in text, f"{os.path.basename(path)}: a character was cut in two")


def skeletons(one, other):
    def pairs(path):
        with open(path, encoding="utf-8") as file:
            return {frozenset(line.rstrip("\n").split(" --- ")) for line in file}
    must(pairs(one) == pairs(other), "the skeletons differ")


def scale(matrix, factor, out):
    """Multiplies a matrix by the factor: a covariance matrix of the same correlations."""
    names, rows = read_table(matrix)
    with open(out, "w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        for row in rows:
            file.write(",".join(repr(float(cell) * float(factor)) for cell in row) + "\n")


# ---- The bar on the terminal ----


def frames(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", frame) for frame in re.split("[\r\n]+", file.read())]


def bar_fits(path, width):
    """A line as wide as the terminal would break, and could not be wiped."""
    widest = max((f for f in frames(path) if "tests/s" in f and "^C" not in f), key=len)
    must(len(widest) < int(width), f"the bar takes {len(widest)} columns of {width}: {widest}")


def main(what):
    """Calls what the first argument names, then tells."""
    what[sys.argv[1]](*sys.argv[2:])
    for problem in problems[:10]:
        print(problem)
    if len(problems) > 10:
        print(f"and {len(problems) - 10} more")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main({"formats": formats, "json": check_json, "settings": settings, "levels": levels,
          "singular": singular, "few_tests": few_tests, "copies": copies, "summary": summary, "utf8": utf8, "skeletons": skeletons, "scale": scale,
          "bar_fits": bar_fits, "simulated": simulated, "sortability": sortability})
