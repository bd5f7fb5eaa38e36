#!/usr/bin/env python3
"""The numbers behind docs/results.md, from the summary and the results of `dualpc study all`.

    tools/results.py DIR            tables in Markdown, and what the paper's claims come to
    tools/results.py refined DIR    those of docs/refine.md and docs/effects.md, from `dualpc study refine`
    tools/results.py critics DIR    that of other designs and structures, from `dualpc study critics`
    tools/results.py beyond DIR     that of data with categories, levels and curves, from `dualpc study beyond-gaussian`
    tools/results.py posterior DIR  those of probabilities of edges, from `dualpc study posterior`
"""
import csv
import os
import statistics
import sys

SIZES = (50, 100, 150, 200)
PER_NODE = (25, 50, 100)


def number(text):
    return float(text) if text else float("nan")


class Summary:
    def __init__(self, path):
        self.rows = {}
        for row in csv.DictReader(open(path)):
            key = (int(row["n"]), int(row["N"]), float(row["parents"]), row["noise"], float(row["tanh"]),
                   row["normalize"], row["method"], row["variant"], row["test"], float(row["value"]), row["graph"])
            self.rows[key] = row

    def get(self, n, N, d, method, variant="", test="z", value=0.05, graph="cpdag", noise="gaussian", tanh=0.0,
            normalize="none"):
        if method == "ges":
            variant, test = "", ""
        return self.rows.get((n, N, d, noise, tanh, normalize, method, variant, test, value, graph))


def gaussian():
    return [(n, k * n, d) for d in (2.0, 1.5) for n in SIZES for k in PER_NODE]


def agreement(s):
    """Ours against the published means, setting by setting."""
    columns = [("PC stable", "classic", "stable", "cpdag"), ("PC", "classic", "standard", "cpdag"),
               ("dual stable skeleton", "dual", "stable", "skeleton"), ("dual skeleton", "dual", "standard", "skeleton"),
               ("dual stable", "dual", "stable", "cpdag"), ("dual", "dual", "standard", "cpdag")]
    print("| n | N | d | " + " | ".join(name for name, *_ in columns) + " |")
    print("|" + "---|" * (3 + len(columns)))
    worst = {name: 0.0 for name, *_ in columns}
    for n, N, d in gaussian():
        cells = []
        for name, method, variant, graph in columns:
            row = s.get(n, N, d, method, variant, graph=graph)
            z = number(row["SHD_difference_se"])
            worst[name] = z if abs(z) > abs(worst[name]) else worst[name]
            cells.append("%.1f / %.1f (%+.1f)" % (number(row["SHD"]), number(row["published_SHD"]), z))
        print("| %d | %d | %g | %s |" % (n, N, d, " | ".join(cells)))
    print("\nlargest:", ", ".join("%s %+.2f" % item for item in worst.items()))
    z = [number(s.get(n, N, d, m, v, graph=g)["SHD_difference_se"]) for n, N, d in gaussian()
         for m, v, g in (("classic", "stable", "cpdag"), ("classic", "standard", "cpdag"), ("classic", "stable", "skeleton"),
                         ("dual", "stable", "skeleton"), ("dual", "standard", "skeleton"))]
    print("sd of the %d differences that should be N(0,1): %.2f, mean %.2f" % (len(z), statistics.pstdev(z), statistics.mean(z)))


def greedy(s):
    print("\n| n | N | d | λ = 5 | λ = 20 | λ = 80 |\n|---|---|---|---|---|---|")
    worst = 0.0
    for n, N, d in gaussian():
        cells = []
        for value in (5, 20, 80):
            row = s.get(n, N, d, "ges", value=float(value))
            if row["published_SHD"]:
                z = number(row["SHD_difference_se"])
                worst = z if abs(z) > abs(worst) else worst
                cells.append("%.1f / %.1f (%+.1f)" % (number(row["SHD"]), number(row["published_SHD"]), z))
        if cells:
            print("| %d | %d | %g | %s |" % (n, N, d, " | ".join(cells)))
    every = [number(r["SHD_difference_se"]) for r in s.rows.values()
             if r["method"] == "ges" and r["published_SHD"] and r["noise"] == "gaussian" and r["tanh"] == "0"]
    print("\nlargest of these %+.2f; over all λ and graphs %+.2f of %d" % (worst, max(every, key=abs), len(every)))


def ratios(s, what, at=0.05):
    """classic / dual, setting by setting: least, mean, most."""
    for d in (2.0, 1.5):
        for variant in ("stable", "standard"):
            r = [number(s.get(n, k * n, d, "classic", variant, value=at)[what]) /
                 number(s.get(n, k * n, d, "dual", variant, value=at)[what]) for n in SIZES for k in PER_NODE]
            print("%s, d=%g, %s: classic/dual least %.2f mean %.2f most %.2f" % (what, d, variant, min(r), statistics.mean(r), max(r)))


def claims(s, results):
    better = sum(number(s.get(n, N, d, "dual", v)["SHD"]) < number(s.get(n, N, d, "classic", v)["SHD"])
                 for n, N, d in gaussian() for v in ("stable", "standard"))
    quartile = sum(number(s.get(n, N, d, "dual", v)["SHD_median"]) < number(s.get(n, N, d, "classic", v)["SHD_q25"])
                   for n, N, d in gaussian() for v in ("stable", "standard"))
    print("\ndual better than classic (SHD) in %d of 48; median below the quartile in %d of 48" % (better, quartile))
    lower = sum(number(s.get(n, N, d, "dual", v)["SHD"]) < number(s.get(n, N, d, "dual", v)["published_SHD"])
                for n, N, d in gaussian() for v in ("stable", "standard"))
    gain = [1 - number(s.get(n, N, d, "dual", v)["SHD"]) / number(s.get(n, N, d, "dual", v)["published_SHD"])
            for n, N, d in gaussian() for v in ("stable", "standard")]
    print("dual CPDAG below the published in %d of 48, by %.0f to %.0f %%, mean %.0f %%" % (lower, 100 * min(gain), 100 * max(gain), 100 * statistics.mean(gain)))
    for n in SIZES:
        r = [number(s.get(n, k * n, 2.0, "dual", "stable")["SHD"]) / number(s.get(n, k * n, 2.0, "classic", "stable")["SHD"]) for k in PER_NODE]
        print("  n=%d: dual/classic SHD %s" % (n, " ".join("%.2f" % x for x in r)))
    both = total = 0
    for n, N, d in gaussian():
        for v in ("stable", "standard"):
            for a in (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25):
                x, y = s.get(n, N, d, "dual", v, value=a), s.get(n, N, d, "classic", v, value=a)
                total += 1
                both += number(x["TPR"]) > number(y["TPR"]) and number(x["FPRp"]) < number(y["FPRp"])
    print("same α: dual has higher TPR and lower FPRp in %d of %d" % (both, total))
    ratios(s, "tests")
    ratios(s, "seconds_median")
    for m in ("dual", "classic"):
        r = [number(s.get(n, N, d, m, "stable")["seconds_median"]) / number(s.get(n, N, d, m, "standard")["seconds_median"]) for n, N, d in gaussian()]
        t = [number(s.get(n, N, d, m, "stable")["tests"]) / number(s.get(n, N, d, m, "standard")["tests"]) for n, N, d in gaussian()]
        print("%s: stable/standard seconds mean %.2f, tests mean %.2f" % (m, statistics.mean(r), statistics.mean(t)))
    sparse(s)
    beyond(s)
    worst = (0, None)
    groups = {}
    for key, row in s.rows.items():
        if row["published_SHD"]:
            groups.setdefault((key[3], key[4], key[5], key[6], key[10]), []).append((number(row["SHD_difference_se"]), key))
    print("\nlargest |difference| in s.e. by noise, tanh, normalize, method, graph:")
    for group, list_ in sorted(groups.items()):
        z, key = max(list_, key=lambda item: abs(item[0]))
        print("  %-40s %+.1f of %d at %s" % (" ".join(map(str, group)), z, len(list_), key[:3] + key[7:10]))


def sparse(s):
    print("\nsparse, α = 5e-5: n d | SHD dual, classic (published) | TPR | seconds dual, classic | t - z")
    for d in (0.05, 0.1, 0.2):
        for n in (500, 1000, 1500, 2000):
            x = s.get(n, n // 2, d, "dual", "stable", value=5e-5)
            y = s.get(n, n // 2, d, "classic", "stable", value=5e-5)
            t = s.get(n, n // 2, d, "dual", "stable", test="t", value=5e-5)
            print("  %4d %g | %.2f, %.2f (%s, %s) | %.4f %.4f | %.5f %.5f | %+.2f (%+.2f) time %+.3f" % (
                n, d, number(x["SHD"]), number(y["SHD"]), x["published_SHD"], y["published_SHD"], number(x["TPR"]), number(y["TPR"]),
                number(x["seconds_median"]), number(y["seconds_median"]), number(t["SHD"]) - number(x["SHD"]),
                number(t["published_SHD"]) - number(x["published_SHD"]), number(t["seconds_median"]) / number(x["seconds_median"]) - 1))


def beyond(s):
    print("\nStudent t, n=50, d=2, α = 5 %: TPR, FPRp of dual stable, PC stable; GES λ=10")
    for noise in ("t:2", "t:5", "t:10", "gaussian"):
        for norm in ("none", "copula"):
            x = s.get(50, 2500, 2.0, "dual", "stable", noise=noise, normalize=norm)
            if x is None:
                continue
            y = s.get(50, 2500, 2.0, "classic", "stable", noise=noise, normalize=norm)
            g = s.get(50, 2500, 2.0, "ges", value=10.0, noise=noise, normalize=norm)
            print("  %-9s %-6s dual %s %s (SHD %s) PC %s %s (SHD %s) GES %s %s (SHD %s)" % (noise, norm, x["TPR"], x["FPRp"], x["SHD"], y["TPR"], y["FPRp"], y["SHD"], g["TPR"], g["FPRp"], g["SHD"]))
    print("\ntanh, d=2: SHD/n of dual stable with and without normalisation; GES λ=10")
    for n in SIZES:
        for tanh in (0.1, 0.25, 1.0):
            line = "  n=%d λ=%g" % (n, tanh)
            for norm in ("copula", "none"):
                x = s.get(n, 50 * n, 2.0, "dual", "stable", tanh=tanh, normalize=norm)
                g = s.get(n, 50 * n, 2.0, "ges", value=10.0, tanh=tanh, normalize=norm)
                line += " | %s dual %.3f GES %.3f" % (norm, number(x["SHD"]) / n, number(g["SHD"]) / n)
            print(line)
    print("\nt noise, larger, d=2: TPR/FPRp dual stable .05, PC stable .05, GES λ=5")
    for n in SIZES[1:]:
        for noise in ("t:2", "t:5", "t:10"):
            cells = [s.get(n, 50 * n, 2.0, "dual", "stable", noise=noise), s.get(n, 50 * n, 2.0, "classic", "stable", noise=noise),
                     s.get(n, 50 * n, 2.0, "ges", value=5.0, noise=noise)]
            print("  n=%d %s: %s" % (n, noise, "; ".join("%.3f/%.3f" % (number(c["TPR"]), number(c["FPRp"])) for c in cells)))


# the runs of `dualpc study refine`: (heading, method, rule, refine)
RUNS = (("dual PC", "dual", "or", "none"), ("rule and", "dual", "and", "none"), ("fast", "dual", "and", "fast"),
        ("full", "dual", "and", "full"), ("PC", "classic", "or", "none"), ("GES", "ges", "", ""))


def refined(path):
    """SHD / n, milliseconds, and shares of wrong effects, run by run."""
    rows = {}
    for row in csv.DictReader(open(path)):
        if row["graph"] == "cpdag" and row["options"] == "" and row["noise"] == "gaussian":
            setting = (float(row["tanh"]), row["normalize"], -float(row["parents"]), int(row["n"]), int(row["N"]))
            rows.setdefault(setting, {})[row["method"], row["rule"], row["refine"]] = row
    heading = " | ".join(run[0] for run in RUNS)
    measures = (("SHD / n", lambda r, n: number(r["SHD"]) / n, "%.3f"),
                ("median milliseconds", lambda r, n: 1e3 * number(r["seconds_median"]), "%.3g"),
                ("parent AID, %", lambda r, n: 100 * number(r["parent_aid"]) / n / (n - 1), "%.2f"),
                ("ancestor AID, %", lambda r, n: 100 * number(r["ancestor_aid"]) / n / (n - 1), "%.2f"),
                ("oset AID, %", lambda r, n: 100 * number(r["oset_aid"]) / n / (n - 1), "%.2f"))
    for title, measure, form in measures:
        print("\n%s\n\n| d | n | N | tanh | normalize | %s |\n|%s" % (title, heading, "---|" * (5 + len(RUNS))))
        for (tanh, normalize, d, n, N), runs in sorted(rows.items()):
            cells = " | ".join(form % measure(runs[run[1:]], n) for run in RUNS)
            print("| %g | %d | %d | %g | %s | %s |" % (-d, n, N, tanh, normalize, cells))


def critics(path):
    """SHD / n beside the sortability, data by data."""
    rows = {}
    for row in csv.DictReader(open(path)):
        if row["graph"] == "cpdag":
            noise = "--noise exponential" if row["noise"] == "exponential" else ""
            setting = (int(row["n"]), int(row["N"]), float(row["parents"]), row["options"] or noise)
            rows.setdefault(setting, {})[row["method"], row["rule"], row["refine"]] = row
    print("| n | N | d | data | sortability | %s |" % " | ".join(run[0] for run in RUNS))
    print("|" + "---|" * (5 + len(RUNS)))
    for (n, N, d, options), runs in rows.items():
        cells = " | ".join("%.3f" % (number(runs[run[1:]]["SHD"]) / n) for run in RUNS)
        some = next(iter(runs.values()))
        data = "`%s`" % options if options else "as in the paper"
        print("| %d | %d | %g | %s | %.2f | %s |" % (n, N, d, data, number(some["sortability"]), cells))


def beyond(path):
    """SHD, data by data, of every way in which the data are taken."""
    rows, ways = {}, []
    for row in csv.DictReader(open(path)):
        if row["graph"] == "cpdag":
            way = (row["method"] if row["refine"] == "none" else "refined",
                   row["kinds"] if row["normalize"] == "none" else row["normalize"])
            ways += [] if way in ways else [way]
            rows.setdefault((row["options"], int(row["N"])), {})[way] = row["SHD"]
    print("| data | N | %s |" % " | ".join("%s, %s" % way for way in ways))
    print("|" + "---|" * (2 + len(ways)))
    for (options, N), cells in sorted(rows.items()):
        print("| `%s` | %d | %s |" % (options, N, " | ".join("%.1f" % number(cells[way]) for way in ways)))


def posterior(folder):
    """Losses by setting and method; mixing and time; bins."""
    rows = list(csv.DictReader(open(os.path.join(folder, "posterior-summary.csv"))))
    settings = list(dict.fromkeys((r["n"], r["N"], r["options"]) for r in rows))
    methods = list(dict.fromkeys(r["method"] for r in rows))
    get = {((r["n"], r["N"], r["options"]), r["method"], r["of"]): r for r in rows}

    def table(cell, chosen):
        print("| n/N | " + " | ".join(chosen) + " |\n" + "|---" * (len(chosen) + 1) + "|")
        for s in settings:
            print("| %s/%s%s | %s |" % (s[0], s[1], " weak" if s[2] else "", " | ".join(cell(s, m) for m in chosen)))
        print()

    def value(s, m, of, name):
        return number(get[s, m, of][name])
    print("Log loss of the skeleton / of arrows / average precision of arrows; means of %s data sets\n" % rows[0]["reps"])
    table(lambda s, m: "%.0f / %.0f / %.3f" % (value(s, m, "skeleton", "log_loss"), value(s, m, "directed", "log_loss"),
                                               value(s, m, "directed", "average_precision")), methods)
    print("Skeleton log loss minus the bootstrap's, and its standard error\n")
    table(lambda s, m: "%+.1f ± %.1f" % (value(s, m, "skeleton", "less_bootstrap"),
                                         value(s, m, "skeleton", "less_bootstrap_se")), methods[1:])
    print("Largest R-hat / smallest number of effective draws / seconds of the processor\n")
    table(lambda s, m: "%.3f / %.0f / %.1f" % tuple(value(s, m, "skeleton", name) for name in
                                                    ("largest_rhat", "least_ess", "seconds")), methods)
    bins = list(csv.DictReader(open(os.path.join(folder, "posterior-calibration.csv"))))
    for of in "skeleton", "directed", "ancestor":
        print("Calibration, %s: given → true (statements)\n\n| method | bins |\n|---|---|" % of)
        for m in methods:
            cells = ["%.2f → %.2f (%s)" % (number(b["given"]), number(b["true"]), b["count"]) for b in bins
                     if (b["method"], b["of"]) == (m, of) and number(b["count"]) > 0]
            print("| %s | %s |" % (m, ", ".join(cells)))
        print()


if __name__ == "__main__":
    if sys.argv[1] == "posterior":
        posterior(sys.argv[2])
        sys.exit()
    if sys.argv[1] == "beyond":
        beyond(os.path.join(sys.argv[2], "summary.csv"))
        sys.exit()
    if sys.argv[1] == "critics":
        critics(os.path.join(sys.argv[2], "summary.csv"))
        sys.exit()
    if sys.argv[1] == "refined":
        refined(os.path.join(sys.argv[2], "summary.csv"))
        sys.exit()
    folder = sys.argv[1]
    summary = Summary(os.path.join(folder, "summary.csv"))
    agreement(summary)
    greedy(summary)
    claims(summary, os.path.join(folder, "results.csv"))
