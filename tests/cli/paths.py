"""Do effects obey the graph? paths.py PROGRAM random COUNT | paths.py PROGRAM tables FILE...

Asks the program and compares with what is counted here, by no code of the program.
random: DAGs, CPDAGs and MPDAGs of up to 5 nodes, by all DAGs of the class. An effect is 0 without an
interval exactly where the outcome does not descend from the cause in the DAGs with these parents; local
and optimal effects have the same zeros; `adjust` says the same about every pair; --top lists no zeros.
tables: a graph is learned from each. Whatever has an interval has a possibly directed path.
Prints what is wrong and a last line that counts; the exit code says whether anything was.
"""
import itertools
import json
import random
import subprocess
import sys

PROGRAM, WHAT, REST = sys.argv[1], sys.argv[2], sys.argv[3:]
wrong = 0


def check(condition, *text):
    global wrong
    if not condition:
        wrong += 1
        print("paths:", *text)


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.stdout if done.returncode == 0 else None


def ask(data, graph, ida, *more):
    return json.loads(run("effects", data, "--graph", graph, "--ida", ida, "--format", "json", "--quiet", *more))


# ---- Graphs: a set of arrows (a, b); an undirected edge has both ----

def reached(arrows, start):
    seen, left = {start}, [start]
    while left:
        at = left.pop()
        for a, b in arrows:
            if a == at and b not in seen:
                seen.add(b)
                left.append(b)
    return seen


def is_acyclic(arrows):
    return all(a not in reached(arrows, b) for a, b in arrows)


def colliders(arrows):
    pairs = {frozenset(edge) for edge in arrows}
    return {(frozenset((a, b)), c) for a, c in arrows for b, d in arrows
            if c == d and a != b and frozenset((a, b)) not in pairs}


def class_of(dag):
    edges = sorted(tuple(sorted(edge)) for edge in dag)
    for turned in itertools.product((False, True), repeat=len(edges)):
        other = {(b, a) if turn else (a, b) for (a, b), turn in zip(edges, turned)}
        if colliders(other) == colliders(dag) and is_acyclic(other):
            yield frozenset(other)


def write_graph(path, nodes, arrows):
    lines = [f"{a} --- {b}" if (b, a) in arrows else f"{a} --> {b}" for a, b in sorted(arrows)
             if a < b or (b, a) not in arrows]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines + sorted(nodes)) + "\n")


# ---- Random ones ----

def draw(rng, kind):
    """Nodes, the DAGs of the class, and the arrows that their graph has."""
    nodes = [f"N{i}" for i in range(rng.randint(2, 5))]
    order, share = rng.sample(nodes, len(nodes)), rng.random()
    dag = {(a, b) for a, b in itertools.combinations(order, 2) if rng.random() < share}
    dags = [dag] if kind == "dag" else list(class_of(dag))
    if kind == "mpdag":
        known = {edge for edge in dag if rng.random() < 0.3}
        dags = [other for other in dags if known <= other]
    return nodes, dags, set().union(*dags)


def write_data(rng, path, nodes):
    mix = [[rng.gauss(0, 1) for _ in nodes] for _ in nodes]
    with open(path, "w", encoding="ascii") as file:
        print(*nodes, sep=",", file=file)
        for _ in range(40):
            noise = [rng.gauss(0, 1) for _ in nodes]
            print(*(sum(m * z for m, z in zip(row, noise)) for row in mix), sep=",", file=file)


def is_zero(effect):
    check((effect["se"] is None) == (effect["low"] is None) == (effect["high"] is None), effect)
    check(effect["se"] is not None or effect["effect"] == 0, effect)
    return effect["se"] is None


def check_pair(where, dags, local, optimal):
    x, y = local["cause"], local["outcome"]
    below = {}  # by the parents of the cause
    for dag in dags:
        below.setdefault(frozenset(a for a, b in dag if b == x), set()).add(y in reached(dag, x))
    check(all(len(answers) == 1 for answers in below.values()), where, x, y, "not decided by the parents")
    check(local["possible"] == any(True in answers for answers in below.values()), where, local)
    check(len(local["effects"]) == len(optimal["effects"]) == len(below), where, local)
    for one, other in zip(local["effects"], optimal["effects"]):
        check(is_zero(one) == is_zero(other) == (below[frozenset(one["set"])] == {False}), where, one, other)


def check_adjust(rng, where, pairs):
    for pair in rng.sample(pairs, min(2, len(pairs))):
        said = json.loads(run("adjust", "g.txt", pair["cause"], pair["outcome"], "--json"))
        check(all(said[key] == pair[key] for key in ("identified", "possible")), where, said, pair)


def random_graphs(count):
    rng, pairs = random.Random(5), 0
    for number in range(count):
        kind = ("dag", "cpdag", "mpdag")[number % 3]
        nodes, dags, arrows = draw(rng, kind)
        where = f"{kind} {number}: {sorted(arrows)}"
        write_graph("g.txt", nodes, arrows)
        write_data(rng, "d.csv", nodes)
        local, optimal = (ask("d.csv", "g.txt", ida) for ida in ("local", "optimal"))
        check(len(local) == len(nodes) * (len(nodes) - 1), where, "pairs are missing")
        for one, other in zip(local, optimal):
            check_pair(where, dags, one, other)
        check_adjust(rng, where, local)
        ranked = {(pair["cause"], pair["outcome"]) for pair in ask("d.csv", "g.txt", "local", "--top", "9")}
        check(ranked == {(pair["cause"], pair["outcome"]) for pair in local if pair["possible"]}, where, ranked)
        pairs += len(local)
    return f"{count} graphs, {pairs} pairs"


# ---- Real tables ----

def read_graph(path):
    arrows = set()
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            for mark in (" --> ", " --- "):
                a, found, b = line.partition(mark)
                arrows |= {(a, b)} if found else set()
                arrows |= {(b, a)} if found and mark == " --- " else set()
    return arrows


def tables(paths):
    done, pairs, shown = 0, 0, 0
    for path in paths:
        if run(path, "--quiet", "--missing", "rows", "-o", "g.txt") is None:
            continue  # not a table of numbers
        done += 1
        may = {}
        arrows = read_graph("g.txt")
        for ida in ("local", "optimal"):
            for pair in ask(path, "g.txt", ida, "--missing", "rows"):
                x, y = pair["cause"], pair["outcome"]
                may[x] = may.get(x) or reached(arrows, x)
                check(pair["possible"] == (y in may[x]), path, ida, x, y, "possible:", pair["possible"])
                for effect in pair["effects"]:
                    pairs += 1
                    if effect["low"] is not None and not effect["low"] <= 0 <= effect["high"]:
                        shown += 1
                        check(y in may[x], path, ida, x, y, effect)
                    check(y in may[x] or (effect["effect"] == 0 and effect["se"] is None), path, ida, x, y, effect)
    return f"{done} of {len(paths)} tables, {pairs} effects, {shown} intervals without 0"


told = random_graphs(int(REST[0])) if WHAT == "random" else tables(REST)
print(f"paths: {told}, {wrong} wrong")
sys.exit(wrong > 0)
