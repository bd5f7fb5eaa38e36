#!/usr/bin/env python3
"""Measures dualpc side by side with what it is measured against; see bench/README.md.

    bench.py BUILD [--quick] [--once] [--only PART] [--against OTHER_BUILD]

Prints a table and writes bench/results.csv and bench/growth.csv, with a plot of the latter in
bench/growth.svg. Each figure is the best of several runs, and the two sides of a ratio take turns.
--quick takes smaller inputs, --once each figure from one run, --only one part of the table (bootstrap,
effects, ...). --against measures every part with the programs of another build too, right after ours,
and prints the ratio of each figure. Only the whole bench of one build writes files.
"""
import argparse
import csv
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
parser = argparse.ArgumentParser()
parser.add_argument("build", nargs="?", default="build")
parser.add_argument("--quick", action="store_true")
parser.add_argument("--once", action="store_true")
parser.add_argument("--only", metavar="PART")
parser.add_argument("--against", metavar="OTHER_BUILD")
ARGUMENTS = parser.parse_args()
BUILD = os.path.join(ROOT, ARGUMENTS.build)
QUICK = ARGUMENTS.quick
ONCE = ARGUMENTS.once
RECORDED = not (QUICK or ONCE or ARGUMENTS.only or ARGUMENTS.against)  # the files are written
SHARED = os.environ.get("DUALPC_SHARED", os.path.join(os.path.dirname(ROOT), "shared"))
WORK = tempfile.mkdtemp(prefix="dualpc-bench-")
RESULTS = []


def run(*command, env=None):
    """Standard output, peak memory in MB."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               env={**os.environ, **(env or {})})
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(" ".join(command))
    return output, usage.ru_maxrss / 1024


def elapsed(*arguments):
    """Seconds of dualpc with these arguments, from start to exit."""
    start = time.perf_counter()
    run(os.path.join(BUILD, "dualpc"), *arguments)
    return time.perf_counter() - start


def program(name):
    return os.path.join(BUILD, "bench", name)


def note(what, ours, theirs, bar, unit="s"):
    """One line of the table: a ratio and its bar ('<= 1.0' or '>= 1.7'), or no bar."""
    ratio = ours / theirs if theirs else None
    verdict = ""
    if ratio is not None and bar:
        sign, limit = bar.split()
        verdict = "ok" if (ratio <= float(limit) if sign == "<=" else ratio >= float(limit)) else "MISSED"
    RESULTS.append((what, ours, theirs, ratio, bar or "", verdict, unit))
    left = f"{ours:.5f}" if ours is not None else "-"
    right = f"{theirs:.5f}" if theirs is not None else "-"
    print(f"{what:58} {left:>11} {right:>11} {unit:3} "
          f"{'' if ratio is None else f'{ratio:6.2f}'} {bar or '':7} {verdict}", flush=True)


def tell(text):
    print(text, flush=True)


def build_yardstick():
    source = os.path.join(SHARED, "yardstick", "yardstick.c")
    if not os.path.exists(source):
        tell("no yardstick beside the project: its ratios are left out")
        return None
    target = os.path.join(WORK, "yardstick")
    built = subprocess.run(["gcc", "-w", "-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math",
                            "-fopenmp", source, "-o", target, "-lopenblas", "-lm"],
                           stderr=subprocess.PIPE, text=True)
    if built.returncode != 0:
        tell(f"the yardstick cannot be built ({built.stderr.splitlines()[0]}): its ratios are left out")
        return None
    return target


def make_input(name, n, n_obs, parents, table=False):
    path = os.path.join(WORK, name + ".bin")
    extra = [os.path.join(WORK, name + ".csv")] if table else []
    run(program("input"), str(n), str(n_obs), str(parents), "1", path, *extra)
    return path


def ecoli_input():
    """The correlations of the real data."""
    data = os.path.join(SHARED, "data", "ecoli-expression.csv")
    if not os.path.exists(data):
        tell("no E. coli data beside the project: they are left out")
        return None
    matrix = os.path.join(WORK, "ecoli.bin")
    run(program("input"), data, matrix)
    return matrix


def ours(matrix, n, n_obs, alpha, *options):
    output, memory = run(program("skeleton"), "-r", "1", *options, matrix, str(n), str(n_obs), str(alpha))
    return float(re.match(r"seconds (\S+)", output).group(1)), memory


def theirs(yardstick, matrix, n, n_obs, alpha, *options):
    output, memory = run(yardstick, matrix, str(n), str(n_obs), str(alpha), *options)
    return float(re.search(r"TOTAL (\S+) s", output).group(1)), memory


def best(runs, *measures):
    """The best of each, taking turns."""
    seen = [[] for _ in measures]
    for _ in range(1 if ONCE else runs):
        for results, measure in zip(seen, measures):
            results.append(measure()[0])
    return [min(results) for results in seen]


def make_cases():
    cases = [("n=50 N=1250 d=2", make_input("a", 50, 1250, 2), 50, 1250, 0.05, 30, 25),
             ("n=200 N=10000 d=2", make_input("b", 200, 10000, 2, table=True), 200, 10000, 0.05, 30, 15),
             ("n=1000 N=500 d=0.2", make_input("c", 1000, 500, 0.2), 1000, 500, 5e-5, 30, 15),
             ("n=10000 N=500 d=1", make_input("d", 10000, 500, 1), 10000, 500, 0.01, 30, 2 if QUICK else 4)]
    ecoli = ecoli_input()
    if ecoli:
        cases.insert(3, ("E. coli n=1146 N=524", ecoli, 1146, 524, 0.01, 20, 12))
    return cases


def bench_skeletons(cases, yardstick):
    """The default order of the columns, and the given one, which is what the yardstick has."""
    tell("\nskeleton, stable, one thread, against the yardstick")
    for name, matrix, n, n_obs, alpha, ess, runs in cases:
        for method, flags in (("dual", []), ("classic", ["-c"])):
            timed = lambda *order: ours(matrix, n, n_obs, alpha, "-e", str(ess), *order, *flags)
            measures = [timed, lambda: timed("-g")]
            if yardstick:
                measures.append(lambda: theirs(yardstick, matrix, n, n_obs, alpha, "-e", str(ess), *flags))
            canonical, given, *other = best(runs, *measures)
            other, bar = (other[0], "<= 1.0") if other else (None, None)
            note(f"{name}, {method}", canonical, other, bar)
            note(f"{name}, {method}, given order", given, other, bar)


def bench_greedy():
    """Against pcalg's ges, as measured on a machine of this kind."""
    tell("\nGES, lambda 5, one thread, correlation included, against pcalg (0.74 and 12.3 s)")
    for n, n_obs, parents, pcalg in ((100, 2500, 1.5, 0.74), (200, 10000, 2, 12.3)):
        output, _ = run(program("ges"), "5", str(n), str(n_obs), str(parents), "1" if ONCE else "20")
        note(f"n={n} N={n_obs} d={parents}", float(re.search(r": +(\S+) s", output).group(1)), pcalg, "<= 0.05")


def bench_distances():
    """Against gadjid, as measured on a machine of this kind, in milliseconds; with its counts."""
    tell("\ndistances between CPDAGs, one thread, against gadjid")
    cases = (("256", "10", (296, 440, 6120), (63381, 39563, 39622)),
             ("1000", "2", (280, 264, 1068), (199260, 27782, 28542)),
             ("1000", "5", (1144, 1257, 51584), (946820, 277103, 283577)),
             ("5000", "2", (1276, 1157, 5331), (1275689, 158095, 159080)))
    for nodes, parents, gadjid, counts in cases:
        graphs = [os.path.join(WORK, f"aid-{seed}.csv") for seed in "12"]
        for seed, path in zip("12", graphs):
            run(os.path.join(BUILD, "dualpc"), "simulate", "--nodes", nodes, "--parents", parents, "--samples", "2",
                "--seed", seed, "--cpdag", path, "-o", os.path.join(WORK, "aid-data.csv"))
        output, _ = run(program("effects"), "distances", graphs[1], graphs[0], "1" if ONCE else "3")
        for line, theirs, count in zip(output.splitlines(), gadjid, counts):
            name, seen, seconds = line.split()
            if int(seen) != count:
                sys.exit(f"bench: {name} distance of {nodes} nodes is {seen}, not {count}")
            note(f"{nodes} nodes, {parents} parents, {name}", float(seconds), theirs / 1000, "<= 0.2")


def bench_effects():
    """Bars in seconds."""
    tell("\neffects of all pairs on a learned CPDAG")
    for ida, nodes, parents, threads, bar in (("local", 200, 2, 1, 0.02), ("local", 1000, 2, 1, 1),
                                              ("optimal", 200, 2, 1, 1), ("optimal", 1000, 2, 2, 20)):
        output, _ = run(program("effects"), "ida", ida, str(nodes), str(parents), str(threads), "1" if ONCE else "3")
        note(f"{ida}, n={nodes}, {threads} thread{'s' if threads > 1 else ''}",
             float(re.search(r"seconds (\S+)", output).group(1)), bar, "<= 1.0")


def bench_refinement():
    """Median milliseconds and mean SHD per node of refinement, against its bars; then its threads."""
    line = re.compile(r"(fast|full) n +(\d+) +N +(\d+) +d (\S+): SHD/n (\S+)(?: \(bar (\S+)\))?, exact +\d+ %, +(\S+) ms"
                      r"(?: \(bar (\S+)\))?")
    tell("\nrefinement, one thread, against its bars: milliseconds, and SHD of the CPDAG per node")
    for mode in ("fast", "full"):
        sets = ("-s", "1") if ONCE else ("-s", "5") if QUICK else ()
        output, _ = run(program("refine"), *sets, mode)
        for mode, n, n_obs, parents, distance, most, took, bar in line.findall(output):
            name = f"{mode}, n={n} N={n_obs} d={float(parents):g}"
            if bar:
                note(f"{name}, time", float(took), float(bar), "<= 1.0", "ms")
            if most:
                note(f"{name}, SHD per node", float(distance), float(most), "<= 1.0", "")
    tell("\nrefinement, one thread against two (milliseconds of one, of two)")
    for n, n_obs, parents in (("200", "5000", "2"), ("50", "1000", "4")):
        took = {"1": [], "2": []}
        for _ in range(1 if QUICK or ONCE else 3):
            for threads, seen in took.items():
                output, _ = run(program("refine"), "-t", threads, "-s", "1" if ONCE else "5", "full", n, n_obs, parents)
                seen.append(float(line.search(output).group(7)))
        note(f"full, n={n} N={n_obs} d={parents}", min(took["1"]), min(took["2"]), ">= 1.6", "ms")


def bench_variants(cases):
    tell("\nstandard against stable, one thread")
    _, matrix, n, n_obs, alpha, ess, runs = cases[1]
    for method, flags in (("dual", []), ("classic", ["-c"])):
        note(f"n=200 N=10000 d=2, {method}",
             *best(runs, lambda: ours(matrix, n, n_obs, alpha, "-e", str(ess), "-s", *flags),
                   lambda: ours(matrix, n, n_obs, alpha, "-e", str(ess), *flags)), "<= 5.0")


def bench_threads(cases):
    """Best of three runs in a process: what starting threads and pages costs once is not the question."""
    tell("\none thread against two (seconds of one, of two)")
    for name, matrix, n, n_obs, alpha, ess, runs in cases[3:]:
        timed = lambda threads: ours(matrix, n, n_obs, alpha, "-e", str(ess), "-t", threads, "-r", "3")
        note(name, *best(5, lambda: timed("1"), lambda: timed("2")), ">= 1.7")


def bench_memory(cases, yardstick):
    tell("\npeak memory")
    for name, matrix, n, n_obs, alpha, ess, _ in cases[3:]:
        _, memory = ours(matrix, n, n_obs, alpha, "-e", str(ess))
        if n > 5000:
            note(f"{name}, against n² doubles", memory, n * n * 8 / 2**20, "<= 1.25", "MB")
        elif yardstick:
            _, their_memory = theirs(yardstick, matrix, n, n_obs, alpha, "-e", str(ess))
            note(f"{name}, against the yardstick + the table", memory,
                 their_memory + n * n_obs * 8 / 2**20, "<= 1.0", "MB")
    data = os.path.join(SHARED, "data", "ecoli-expression.csv")
    if yardstick and os.path.exists(data):
        _, memory = run(os.path.join(BUILD, "dualpc"), data, "--alpha", "0.01", "--min-ess", "20",
                        "--quiet", "--threads", "1", "--graph", "skeleton")
        note("dualpc learn of E. coli, the same", memory, their_memory + 1146 * 524 * 8 / 2**20,
             "<= 1.0", "MB")


def time_fread(path, runs):
    script = ("library(data.table); setDTthreads(2); b <- Inf; for (i in 1:%d) b <- min(b, "
              "system.time(fread('%s', showProgress = FALSE))[['elapsed']]); cat(b)" % (runs, path))
    try:
        return float(run("Rscript", "-e", script)[0])
    except (OSError, RuntimeError, ValueError):
        tell("no R with data.table here: fread is left out")
        return None


def bench_table():
    tell("\na table of 10000 × 200 numbers, two threads")
    path = os.path.join(WORK, "b.csv")
    best_of = {}
    fread = None
    for _ in range(1 if ONCE else 3):
        output, _ = run(program("table"), path, "2", "5")
        for name, value in re.findall(r"(\w+) (\S+)", output):
            best_of[name] = min(best_of.get(name, 1e9), float(value))
        once = time_fread(path, 5)
        fread = once if fread is None or once is None else min(fread, once)
        if once is None:
            break
    note(f"reading {os.path.getsize(path) / 1e6:.0f} MB, against fread", best_of["read"], fread, "<= 1.0")
    note("correlation, against a bare dsyrk", best_of["correlation"], best_of["dsyrk"], "<= 1.5")
    note("normal scores and correlation, against correlation", best_of["scores"],
         best_of["correlation"], "<= 5.0")
    if fread is None:
        return
    seconds = []
    for _ in range(1 if ONCE else 10):
        seconds.append(elapsed(path, "--quiet"))
    note("dualpc learn, whole process, against fread + dsyrk", min(seconds), fread + best_of["dsyrk"],
         "<= 1.5")


def bench_audit():
    """One column of 5000 is the sum of others: the search for it against the correlations."""
    tell("\nlinear combinations in the audit against the correlations, two threads")
    n, n_obs = (1500, 1800) if QUICK else (5000, 6000)
    output, _ = run(program("audit"), str(n), str(n_obs), "2", "1" if ONCE else "2" if QUICK else "3")
    seconds = dict(re.findall(r"(\w+) (\S+)", output))
    note(f"n={n} N={n_obs}, one dependent column", float(seconds["combinations"]),
         float(seconds["correlation"]), "<= 2.0")


def bench_orientation():
    """Where order 1 leaves 40000 edges there are millions of triples."""
    data = os.path.join(SHARED, "data", "ecoli-expression.csv")
    if not os.path.exists(data):
        return
    tell("\norientation, against one second")
    seconds = []
    for _ in range(1 if QUICK or ONCE else 3):
        output, _ = run(os.path.join(BUILD, "dualpc"), data, "--max-order", "1", "--quiet",
                        "--threads", "2", "--format", "json")
        seconds.append(float(re.search(r'"seconds": \{[^}]*"orient": ([^,}]+)', output).group(1)))
    note("E. coli at --max-order 1, two threads", min(seconds), 1, "<= 1.0")


def bench_bootstrap():
    """Small tables: what each resample costs besides its tests."""
    tell("\nbootstrap of n=12 N=500, one thread, whole process")
    path = os.path.join(WORK, "bootstrap.csv")
    run(os.path.join(BUILD, "dualpc"), "simulate", "--nodes", "12", "--samples", "500", "--seed", "1", "-o", path)
    for resamples, runs in ((200, 15), (2000, 5)):
        options = (path, "--bootstrap", str(resamples), "--threads", "1", "--quiet")
        note(f"{resamples} resamples", best(runs, lambda: (elapsed(*options),))[0], None, None)
    options = (path, "--bootstrap", "200", "--refine", "fast", "--threads", "1", "--quiet")
    note("200 resamples, refined (fast)", best(5, lambda: (elapsed(*options),))[0], None, None)


def bench_order():
    tell("\ncost of a test as its order grows, degree 24 (ns), against order 2")
    per_test = {}
    for method in ("classic", "dual"):
        for _ in range(1 if ONCE else 3):
            for line in run(program("order"), method, "6" if QUICK else "8")[0].splitlines():
                level, _, _, nanoseconds = line.split()
                key = method, int(level)
                per_test[key] = min(per_test.get(key, 1e9), float(nanoseconds))
    for (method, level), nanoseconds in per_test.items():
        note(f"{method}, order {level}", nanoseconds, per_test[method, 2], "<= 3.0", "ns")


def bench_others():
    tell("\nother software")
    found = []
    for package in ("pcalg", "bnlearn"):
        try:
            run("Rscript", "-e", f"quit(status = !requireNamespace('{package}', quietly = TRUE))")
            found.append(package)
        except (OSError, RuntimeError):
            tell(f"no R with {package} here: it is left out")
    calls = {
        "pcalg": "R <- matrix(readBin('%s', 'double', 2500), 50); t <- system.time(pcalg::skeleton("
                 "list(C = R, n = 1250), pcalg::gaussCItest, 0.05, labels = as.character(1:50), "
                 "method = 'stable'))",
        "bnlearn": "d <- as.data.frame(matrix(rnorm(62500), 1250)); t <- system.time("
                   "bnlearn::pc.stable(d, alpha = 0.05))",
    }
    matrix = os.path.join(WORK, "a.bin")
    mine, = best(5, lambda: ours(matrix, 50, 1250, 0.05, "-c"))
    for package in found:
        call = calls[package] % matrix if "%s" in calls[package] else calls[package]
        note(f"n=50 N=1250, classic, against {package}", mine,
             float(run("Rscript", "-e", call + "; cat(t[['elapsed']])")[0]), None)
    code = os.environ.get("DUALPC_AUTHORS_CODE")
    if not code:
        tell("DUALPC_AUTHORS_CODE does not name the authors' dual_PC.R: it is left out")
        return
    script = (f"source('{code}'); R <- matrix(readBin('{matrix}', 'double', 2500), 50); "
              "t <- system.time(dual_pc(R, 1250, alpha = 0.05)); cat(t[['elapsed']])")
    note("n=50 N=1250, dual, against the authors' code",
         best(5, lambda: ours(matrix, 50, 1250, 0.05))[0], float(run("Rscript", "-e", script)[0]), None)


def bench_growth():
    tell("\ngrowth: dual, stable, one thread")
    rows = []

    def point(axis, value, n, n_obs, parents):
        matrix = make_input(f"g-{axis}-{value}", n, n_obs, parents)
        seconds, = best(3, lambda: ours(matrix, n, n_obs, 0.01))
        rows.append((axis, value, seconds))
        os.remove(matrix)

    for n in (50, 100, 200, 400, 800, 1600) + (() if QUICK else (3200,)):
        point("n", n, n, 1000, 1.5)
    for n_obs in (250, 1000, 4000, 16000, 64000):
        point("N", n_obs, 200, n_obs, 1.5)
    for parents in (0.5, 1, 1.5, 2, 2.5, 3):
        point("parents", parents, 200, 2000, parents)
    for axis, value, seconds in rows:
        note(f"growth, {axis} = {value}", seconds, None, None)
    if not RECORDED:
        return
    for line in run(program("order"), "classic", "8")[0].splitlines():
        level, _, _, nanoseconds = line.split()
        rows.append(("order", int(level), float(nanoseconds) * 1e-9))
    with open(os.path.join(HERE, "growth.csv"), "w", newline="") as file:
        csv.writer(file).writerows([("axis", "value", "seconds"), *((a, v, f"{s:.3g}") for a, v, s in rows)])
    plot(rows)


def plot(rows):
    if not shutil.which("gnuplot"):
        tell("no gnuplot here: the plot is left out")
        return
    panels = [("n", "variables n (N = 1000, d = 1.5)", "seconds"),
              ("N", "observations N (n = 200, d = 1.5)", "seconds"),
              ("parents", "expected parents d (n = 200, N = 2000)", "seconds"),
              ("order", "order of the test (degree 24)", "ns per test")]
    script = ["set terminal svg size 900,640 font 'Helvetica,12' background rgb 'white'",
              f"set output '{os.path.join(HERE, 'growth.svg')}'",
              "set multiplot layout 2,2 margins 0.09,0.96,0.1,0.97 spacing 0.12,0.14",
              "unset key", "set grid", "set logscale y", "set format y '10^{%L}'"]
    for axis, label, unit in panels:
        factor = 1e9 if axis == "order" else 1
        points = "\n".join(f"{value} {factor * seconds}" for a, value, seconds in rows if a == axis)
        if axis == "order":
            script += ["unset logscale y", "set format y '%g'", "set yrange [0:*]"]
        script += ["set logscale x" if axis in ("n", "N") else "unset logscale x",
                   f"set xlabel '{label}'", f"set ylabel '{unit}'",
                   f"$data << EOD\n{points}\nEOD", "plot $data with linespoints pt 7 lc rgb '#1f5fa8'"]
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)


def compare_builds(results):
    tell(f"\n{'':58} {'this build':>11} {'the other':>11}      ratio")
    theirs = {row[0]: row[1] for row in results[1]}
    for what, mine, *_, unit in results[0]:
        other = theirs.get(what)
        if other:
            tell(f"{what:58} {mine:11.5f} {other:11.5f} {unit:3} {mine / other:6.2f}")


def main():
    global BUILD, RESULTS
    tell(f"{platform.node()}, {os.cpu_count()} cores, best of several runs")
    tell(f"{'':58} {'dualpc':>11} {'against':>11}      ratio bar")
    builds = [BUILD] + ([os.path.abspath(ARGUMENTS.against)] if ARGUMENTS.against else [])
    results = [[] for _ in builds]
    try:
        yardstick = build_yardstick()
        cases = make_cases()
        parts = {
            "skeletons": lambda: bench_skeletons(cases, yardstick), "variants": lambda: bench_variants(cases),
            "threads": lambda: bench_threads(cases), "memory": lambda: bench_memory(cases, yardstick),
            "table": bench_table, "audit": bench_audit, "orientation": bench_orientation, "bootstrap": bench_bootstrap,
            "order": bench_order, "greedy": bench_greedy, "distances": bench_distances, "effects": bench_effects,
            "refinement": bench_refinement, "others": bench_others, "growth": bench_growth}
        for name in [ARGUMENTS.only] if ARGUMENTS.only else parts:
            for build, rows in zip(builds, results):
                BUILD, RESULTS = build, rows
                if ARGUMENTS.against:
                    tell(f"\n{build}")
                parts[name]()
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    if ARGUMENTS.against:
        compare_builds(results)
    if RECORDED:
        write_results()
    missed = sum(row[5] == "MISSED" for row in results[0])
    tell(f"\n{sum(row[5] == 'ok' for row in results[0])} bars met, {missed} missed")


def write_results():
    with open(os.path.join(HERE, "results.csv"), "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(("machine", "what", "dualpc", "against", "ratio", "bar", "verdict", "unit"))
        for what, mine, other, ratio, bar, verdict, unit in RESULTS:
            out.writerow((platform.node(), what, f"{mine:.6g}", "" if other is None else f"{other:.6g}",
                          "" if ratio is None else f"{ratio:.3f}", bar, verdict, unit))


main()
