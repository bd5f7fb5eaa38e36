"""Looks into what `dualpc study` wrote. Prints what is wrong and returns 1.

    study.py rows PROGRAM results.csv          every k-th row again, by simulate, learn and compare
    study.py refined PROGRAM results.csv       the same of refined graphs and their distances
    study.py critics PROGRAM results.csv       the same of other designs and structures
    study.py beyond PROGRAM results.csv        the same of data that are not linear and Gaussian
    study.py posterior PROGRAM posterior.csv   the bootstrap's rows again, and what all rows must have
    study.py latent PROGRAM latent.csv SUMMARY every row again, and the means
    study.py summary results.csv summary.csv   the means again
    study.py figure NAME.svg index.html NAME   well-formed, with curves, captions and links
"""
import csv
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from html.parser import HTMLParser

KEY = ["n", "N", "parents", "noise", "tanh", "normalize", "method", "variant", "test", "value", "graph", "rule", "orient",
       "refine", "kinds", "options"]


def call(program, *arguments, told=False):
    """What it writes to standard output; `told`: to standard error."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s: %s" % (" ".join(arguments), done.stderr))
    return done.stderr if told else done.stdout


def simulate(program, row, folder):
    """The data set of a row: (data, true CPDAG). Its sortability is compared on the way."""
    stem = "-".join([row["n"], row["N"], row["noise"], row["tanh"], row["seed"], *row["options"].split()])
    stem = os.path.join(folder, stem)
    data, truth = stem + ".csv", stem + "-cpdag.csv"
    if not os.path.exists(data):
        more = (["--tanh", row["tanh"]] if float(row["tanh"]) > 0 else []) + row["options"].split()
        told = call(program, "simulate", "--nodes", row["n"], "--samples", row["N"], "--parents", row["parents"],
                    "--noise", row["noise"], "--seed", row["seed"], "-o", data, "--cpdag", truth, *more, told=True)
        if "--mixed" in row["options"]:
            as_numbers(data)
        if row["sortability"] and abs(float(told.split()[1]) - float(row["sortability"])) > 1e-4:
            sys.exit("sortability %s, simulate says %s: %s" % (row["sortability"], told, row))
    return data, truth


def learn(program, row, data, out):
    options = ["--method", row["method"], "--normalize", row["normalize"], "--quiet"]
    if row["method"] == "ges":
        options += ["--penalty", row["value"]]
    else:
        options += ["--alpha", row["value"], "--variant", row["variant"], "--test", row["test"]]
        options += ["--rule", row["rule"], "--orient", row["orient"], "--refine", row["refine"]]
    if row["min_ess"]:
        options += ["--min-ess", row["min_ess"]]
    call(program, "learn", data, "-o", out, *options)


def pick(rows):
    """A few rows, with every method of the paper."""
    most = max(24, 120 * int(os.environ.get("DPC_REPEAT", "100")) // 100)
    every, seen = {"dual", "classic", "precision", "ges", "none", "copula"}, set()
    for step in range(max(1, len(rows) // most), 0, -1):  # as few rows as have every method
        picked = rows[::step]
        seen = {row["method"] for row in picked} | {row["normalize"] for row in picked}
        if every <= seen:
            break
    if not every <= seen:
        sys.exit("the rows do not have every method: %s" % sorted(seen))
    return picked


def check_rows(program, path):
    return compare_rows(program, pick(list(csv.DictReader(open(path)))), COUNTS)


def check_beyond(program, path):
    """A CPDAG by each method of every setting in turn; the levels become the numbers that the study takes."""
    rows = [row for row in csv.DictReader(open(path)) if row["graph"] == "cpdag"]
    settings = {(row["N"], row["options"]) for row in rows}
    ways = {(row["method"], row["normalize"], row["refine"], row["kinds"]) for row in rows}
    count = len(ways)
    if len(settings) != 15 or len(rows) != 15 * count or count < 4:
        sys.exit("%d rows of %d settings: %s" % (len(rows), len(settings), sorted(ways)))
    numbers = [row for i, row in enumerate(rows) if i % count == i // count % count and row["kinds"] == "numbers"]
    return compare_rows(program, numbers, COUNTS)


def as_numbers(data):
    """The same table with 0 for the level a, 1 for b, and so on."""
    lines = open(data).read().split("\n")
    with open(data, "w") as file:
        file.write("\n".join(lines[:1] + [",".join(str("abcdefghij".index(cell)) if cell.isalpha() else cell
                                                   for cell in line.split(",")) for line in lines[1:]]))


def check_refined(program, path):
    """All CPDAGs; of bent data only where that is little, for the rest takes long."""
    rows = [row for row in csv.DictReader(open(path)) if row["graph"] == "cpdag"]
    ways = {(row["method"], row["rule"], row["refine"]) for row in rows}
    if len(ways) != 6 or len(rows) != 36 or not all(row["oset_aid"] for row in rows):
        sys.exit("%d rows with %s" % (len(rows), sorted(ways)))
    rows = [row for row in rows if row["normalize"] == "copula" or float(row["tanh"]) < 0.2]
    return compare_rows(program, rows, COUNTS + ("parent_aid", "ancestor_aid", "oset_aid"))


def check_critics(program, path):
    """A CPDAG by each method of every setting in turn: all data sets are drawn again."""
    rows = [row for row in csv.DictReader(open(path)) if row["graph"] == "cpdag"]
    settings = {(row["n"], row["N"], row["noise"], row["options"]) for row in rows}
    if len(settings) != 30 or len(rows) != 6 * 30 or not all(row["sortability"] for row in rows):
        sys.exit("%d rows of %d settings: %s" % (len(rows), len(settings), sorted(settings)))
    return compare_rows(program, [row for i, row in enumerate(rows) if i % 6 == i // 6 % 6], COUNTS)


def given_by_bootstrap(program, row, folder):
    """(probability, truth) of every pair joined, and of every arrow."""
    data, dag, table = (os.path.join(folder, name) for name in ("data.csv", "dag.csv", "frequencies.csv"))
    call(program, "simulate", "--nodes", row["n"], "--samples", row["N"], "--parents", row["parents"], "--seed", row["seed"],
         "-o", data, "--dag", dag, *row["options"].split(), told=True)
    call(program, "learn", data, "--quiet", "--refine", "fast", "--bootstrap", "200", "--seed", row["seed"], "-o",
         os.path.join(folder, "graph.csv"), "--frequencies", table)
    names = ["V%d" % (i + 1) for i in range(int(row["n"]))]
    arrows = {(names[i], name) for i, line in enumerate(csv.DictReader(open(dag))) for name in names if line[name] == "1"}
    joined, directed = {}, {}
    for pair in csv.DictReader(open(table)):
        a, b, half = pair["from"], pair["to"], float(pair["undirected"]) / 2
        joined[a, b] = joined[b, a] = float(pair["edge"])
        directed[a, b], directed[b, a] = float(pair["forward"]) + half, float(pair["backward"]) + half
    pairs = [(a, b) for a in names for b in names if a != b]
    return {"skeleton": [(joined.get(p, 0), p in arrows or p[::-1] in arrows) for p in pairs if names.index(p[0]) < names.index(p[1])],
            "directed": [(directed.get(p, 0), p in arrows) for p in pairs]}


def check_posterior(program, path):
    wrong = 0
    rows = list(csv.DictReader(open(path)))
    if {row["of"] for row in rows} != {"skeleton", "directed", "ancestor"} or len({row["method"] for row in rows}) != 6:
        sys.exit("the rows do not have every method")
    with tempfile.TemporaryDirectory() as folder:
        given = given_by_bootstrap(program, rows[0], folder)
    for row in rows:
        if row["method"] == "bootstrap" and row["of"] == "ancestor":
            continue
        pairs = int(row["n"]) * (int(row["n"]) - 1) // (2 if row["of"] == "skeleton" else 1)
        bins = [float(row["count_%d" % i]) for i in range(1, 9)]
        if sum(bins) != pairs or not 0 <= float(row["average_precision"]) <= 1:
            print("%g of %d pairs: %s" % (sum(bins), pairs, row))
            wrong = 1
        if row["method"] == "bootstrap" and row["rep"] == "1" and row["n"] == rows[0]["n"]:
            list_ = given[row["of"]]
            loss = -sum(math.log(min(max(p if is_ else 1 - p, 0.0025), 0.9975)) for p, is_ in list_)
            brier = sum((p - is_) ** 2 for p, is_ in list_)
            for name, value in (("log_loss", loss), ("brier", brier), ("true", sum(is_ for _, is_ in list_))):
                if abs(float(row[name]) - value) > 1e-6 * max(1, value):
                    print("%s is %s, should be %g: %s" % (name, row[name], value, row))
                    wrong = 1
    return wrong


FINDERS = {"search": ["search"], "fci": ["fci"], "fci-classic": ["fci", "--method", "classic"],
           "fci-0.01": ["fci", "--alpha", "0.01"], "fci-classic-0.01": ["fci", "--method", "classic", "--alpha", "0.01"],
           "dag": ["dag"]}
MARKS = ("SHD", "exact", "arrow_precision", "arrow_recall", "tail_precision", "tail_recall")


def check_latent(program, path, summary):
    rows, wrong = list(csv.DictReader(open(path))), 0
    if [row["method"] for row in rows[:6]] != list(FINDERS) or len(rows) % 6 != 0:
        sys.exit("the rows do not have every method")
    with tempfile.TemporaryDirectory() as folder:
        data, truth, out = (os.path.join(folder, name) for name in ("data.csv", "truth.pag.csv", "out.pag.csv"))
        for row in rows:
            if row["method"] == "search":
                call(program, "simulate", "--nodes", row["n"], "--samples", row["N"], "--parents", row["parents"],
                     "--seed", row["seed"], "-o", data, "--pag", truth, *row["options"].split(), told=True)
                names = len(open(data).readline().split(","))
            call(program, "learn", data, "-o", out, "--quiet", "--latent", *FINDERS[row["method"]])
            told = dict(line.split() for line in call(program, "compare", out, truth).splitlines())
            expected = {name: told[name] if told[name] != "NaN" else "" for name in MARKS}
            expected["hidden"], expected["valid"] = int(row["n"]) - names, 1
            for name, value in expected.items():
                if (row[name] == "") != (value == "") or value != "" and abs(float(row[name]) - float(value)) > 1e-5:
                    print("%s is %s in the row, %s by compare: %s" % (name, row[name], value, row))
                    wrong = 1
    for mean in csv.DictReader(open(summary)):
        group = [row for row in rows if all(row[k] == mean[k] for k in ("n", "N", "options", "method"))]
        for name in MARKS + ("repaired",):
            values = [float(row[name]) for row in group if row[name]]
            if values and abs(float(mean[name]) - sum(values) / len(values)) > 1e-5 * max(1, float(mean[name])):
                print("%s: the mean is %s of %s" % (name, mean[name], values))
                wrong = 1
    return wrong


COUNTS = ("TP", "FP", "FN", "SHD", "TPR", "FPRp", "P", "precision", "recall", "F1")


def compare_rows(program, picked, names):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "estimate.csv")
        for row in picked:
            data, truth = simulate(program, row, folder)
            learn(program, row, data, out)
            lines = call(program, "compare", out, truth, "--graph", row["graph"]).splitlines()
            told = dict(line.split() for line in lines)
            for name in names:
                if row[name] and abs(float(row[name]) - float(told[name])) > 1e-5 * max(1, float(told[name])):
                    print("%s is %s in the row, %s by compare: %s" % (name, row[name], told[name], row))
                    wrong = 1
    return wrong


def check_summary(results, summary):
    groups, wrong = {}, 0
    for row in csv.DictReader(open(results)):
        groups.setdefault(tuple(row[k] for k in KEY), []).append(row)
    rows = list(csv.DictReader(open(summary)))
    if len(rows) != len(groups):
        sys.exit("%d rows in the summary, %d points in the results" % (len(rows), len(groups)))
    for row in rows:
        group = groups[tuple(row[k] for k in KEY)]
        expected = {"reps": len(group)}
        for name in ("TP", "FP", "FN", "SHD", "TPR", "FPRp", "F1", "P", "tests"):
            expected[name] = sum(float(r[name]) for r in group) / len(group)
        mean = expected["SHD"]
        variance = sum((float(r["SHD"]) - mean) ** 2 for r in group) / (len(group) - 1)
        expected["SHD_sd"] = math.sqrt(variance)
        ordered = sorted(float(r["SHD"]) for r in group)
        expected["SHD_median"] = ordered[len(ordered) // 2]  # an odd number of data sets
        for name, value in expected.items():
            if abs(float(row[name]) - value) > 2e-5 * max(1, abs(value)):
                print("%s is %s, should be %g: %s" % (name, row[name], value, row))
                wrong = 1
    if not any(row["published_SHD"] for row in rows):
        print("no published value was found")
        wrong = 1
    return wrong


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.images, self.links, self.text = [], [], ""

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "img":
            self.images.append((attributes["src"], attributes["alt"]))
        if tag == "a":
            self.links.append(attributes["href"])

    def handle_data(self, data):
        self.text += data


def check_figure(svg, html, *names):
    tree = xml.etree.ElementTree.parse(svg).getroot()
    words = " ".join(tree.itertext())
    page = Page()
    page.feed(open(html).read())
    expected = {"aid": ("refine full", "oset AID"), "critics-structures": ("refine full", "sortability 0.", "hubs"),
                "posterior-calibration": ("fbf, fair", "ancestor", "share that is true"),
                "latent": ("fci, classic order", "many20", "tail precision"),
                "beyond-shd": ("dual PC, copula", "all binary", "N = 5000")}
    for word in expected.get(names[-1], ("dual PC stable", "published")):
        if word not in words:
            print("the figure does not say '%s'" % word)
            return 1
    if [image for image, alt in page.images if alt] != ["figures/%s.svg" % name for name in names]:
        print("the page shows %s" % page.images)
        return 1
    folder = os.path.dirname(html)
    for link in page.links:
        if not link.startswith("#") and not os.path.exists(os.path.join(folder, link)):
            print("the page links to %s, which is not there" % link)
            return 1
    return 0


if __name__ == "__main__":
    check = {"rows": check_rows, "refined": check_refined, "critics": check_critics,
             "beyond": check_beyond, "posterior": check_posterior, "latent": check_latent, "summary": check_summary, "figure": check_figure}[sys.argv[1]]
    sys.exit(check(*sys.argv[2:]))
