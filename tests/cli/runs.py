"""Many runs of the program, compared: runs.py WHAT ARGUMENTS. Prints what is wrong; exit code 1 then."""
import itertools
import math
import os
import re
import subprocess
import sys

from plain import log_p_t, log_p_z, read_table
from verify import main, must, read_json

REPEAT = int(os.environ.get("DPC_REPEAT", "100"))


def call(program, *words):
    done = subprocess.run([program, *words], capture_output=True, stdin=subprocess.DEVNULL, check=False)
    must(done.returncode == 0, f"{' '.join(words)}: exit code {done.returncode}, {done.stderr[-300:]!r}")
    return done.stdout


def golden(program, folder):
    """Golden results, byte for byte, with no more tests than the plain algorithm makes. All of them, or
    in a short run every third; the program of tests/golden has all of them in any case."""
    step = 1 if REPEAT >= 100 else 3
    count = 0
    for name in sorted(os.listdir(folder)):
        index = os.path.join(folder, name, "index.csv")
        if not os.path.exists(index):
            continue
        header, rows = read_table(index)
        if "method" not in header:
            continue  # of graphs, not of learning
        for row in (dict(zip(header, row)) for row in rows[::step]):
            words = [os.path.join(folder, name, "data.csv")]
            for key in ("method", "variant", "test", "graph", "alpha", "min_ess", "normalize"):
                words += ["--" + key.replace("_", "-"), row[key]]
            words += ["--orient", "relaxed", "--order", "given"]
            call(program, *words, "-o", "x.csv", "-o", "x.json", "--quiet")
            with open("x.csv", "rb") as seen, open(os.path.join(folder, name, row["file"]), "rb") as wanted:
                must(seen.read() == wanted.read(), f"{name}/{row['file']} differs")
            told = read_json("x.json")
            must(len(told["edges"]) == int(row["edges"]), f"{name}/{row['file']}: {len(told['edges'])} edges")
            must(told["info"]["tests"] <= int(row["tests"]),
                 f"{name}/{row['file']}: {told['info']['tests']} tests, more than {row['tests']}")
            count += 1
    must(count >= 120 // step, f"only {count} golden results")


def threads(program, folder):
    """1, 2 and 3 threads give the same bytes, but for the seconds of the JSON."""
    cases = [("tiny", []), ("dense40", []), ("wide150", []), ("heavy30-copula", ["--normalize", "copula"]),
             ("duplicate", []), ("combination", []), ("all-equal", []),
             ("common-cause", ["--max-order", "2", "--min-ess", "0"]),
             ("middle", ["--alpha", "0.1", "--max-order", "2"]),
             ("dense60", ["--alpha", "0.05", "--max-order", "2"])]
    ways = [("dual", "stable"), ("classic", "stable"), ("precision", "stable"), ("dual", "standard")]
    rules = itertools.cycle(["consistent", "relaxed", "majority", "consistent", "conservative"])
    for (name, words), (method, variant) in itertools.product(cases, ways):
        words = words + ["--orient", next(rules)]
        seen = []
        for count in "1", "2", "3":
            call(program, os.path.join(folder, name + ".csv"), *words, "--method", method, "--variant", variant,
                 "--threads", count, "--quiet", "--separating-sets", "-o", "x.csv", "-o", "x.json")
            with open("x.csv", encoding="utf-8") as matrix, open("x.json", encoding="utf-8") as told:
                told, found = re.subn(r'"seconds": \{[^}]*\}', "", told.read())
                must(found == 1, "json: no seconds")
                seen.append((matrix.read(), told))
        must(seen[0] == seen[1] == seen[2], f"{name}, {method}, {variant}: threads change the result")


def critical(program):
    """One pair just above and one just below the critical value, over N and alpha."""
    for n in (4, 5, 10, 103, 1000, 10**6, 10**15):
        for alpha in (1e-300, 1e-20, 0.01, 0.5, 0.99):
            for test, log_p in (("z", log_p_z), ("t", log_p_t if n <= 1000 else log_p_z)):
                low, high = 1e-12, 18.0  # of atanh r
                for _ in range(100):
                    middle = (low + high) / 2
                    if log_p(math.tanh(middle), n) > math.log(alpha):
                        low = middle
                    else:
                        high = middle
                if test == "t" and n == 10**6:
                    continue  # neither formula is exact enough here
                r = [math.tanh(low * (1 + step)) for step in (1e-5, -1e-5)]
                if r[0] > 1 - 1e-10:
                    continue  # a perfect correlation is never independence
                with open("m.csv", "w", encoding="utf-8") as file:
                    file.write(f"a,b,c,d\n1,{r[0]!r},0,0\n{r[0]!r},1,0,0\n0,0,1,{r[1]!r}\n0,0,{r[1]!r},1\n")
                out = call(program, "m.csv", "--correlation", "--samples", str(n), "--alpha", repr(alpha),
                           "--test", test, "--method", "classic", "--max-order", "0", "--quiet")
                must(out == b"a --- b\nc\nd\n", f"N = {n}, alpha = {alpha}, {test}, r = {r[0]}: {out!r}")


main({"golden": golden, "threads": threads, "critical": critical})
