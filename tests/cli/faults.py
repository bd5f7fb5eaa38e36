"""Signals, kills and files that change, at random moments. Prints what is wrong and returns 1.

    faults.py kills PROGRAM KILLS       a study killed again and again, and gone on with
    faults.py signals PROGRAM ROUNDS    SIGINT and SIGTERM in every command that takes its time
    faults.py changes PROGRAM ROUNDS    inputs that are cut, grow or are replaced while they are read

No moment is a wrong one: nothing here depends on how fast the machine is. FAULTS_SEED chooses the moments.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

chance = random.Random(int(os.environ.get("FAULTS_SEED", "1")))
wrong = []


def complain(*words):
    wrong.append(" ".join(map(str, words)))


def left_over(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith((".part", ".new")))


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


# ---- Kills ----

STUDY = ["study", "t-noise-1.5", "--reps", "3", "--no-seconds", "--no-figures", "--quiet"]


def tear(path):
    """As if the machine had gone down: the last bytes never came to the disk."""
    if os.path.exists(path):
        size = os.path.getsize(path)
        os.truncate(path, max(0, size - chance.randrange(1, 20000)))


def kills(program, count):
    def run(out, threads):
        return [program, *STUDY, "--out", out, "--threads", str(threads)]

    start = time.monotonic()
    subprocess.run(run("whole", 2), check=True)
    longest = time.monotonic() - start
    killed = ended = torn = rounds = 0
    while killed < count:
        process = subprocess.Popen(run("killed", chance.randint(1, 3)))
        # mostly early, so that a study takes many kills
        time.sleep(0.6 * longest * chance.random() ** 3)
        process.kill()
        if process.wait() == 0:
            ended += 1
        else:
            killed += 1
        if chance.random() < 0.1:
            tear("killed/results.csv")
            torn += 1
        if ended > rounds or killed >= count:  # it has come to its end, or is let to
            subprocess.run(run("killed", 2), check=True)
            for name in "results.csv", "summary.csv":
                if read("killed/" + name) != read("whole/" + name):
                    complain(name, "is another one after", killed, "kills")
            if left_over("killed"):
                complain("left over:", left_over("killed"))
            shutil.rmtree("killed")
            rounds += 1
            ended = rounds
    print("%d kills, %d torn ends, %d studies, all the same bytes" % (killed, torn, rounds), file=sys.stderr)


# ---- Signals ----

# Name, arguments, outputs, and whether an interrupted run may have something to write.
TABLE = os.environ.get("data", "") + "/dense40.csv"
COMMANDS = [
    ("learn", [TABLE, "--method", "classic", "--alpha", "0.3", "--edges", "o/e.csv", "-o", "o/x.csv", "-o", "o/x.json"],
     ["e.csv", "x.csv", "x.json"], False),
    ("refine", [TABLE, "--refine", "full", "--restarts", "3", "-o", "o/x.csv", "-o", "o/x.json"],
     ["x.csv", "x.json"], True),
    ("bootstrap", [TABLE, "--bootstrap", "60", "--frequencies", "o/f.csv", "--effects", "o/e.csv", "-o", "o/x.csv"],
     ["e.csv", "f.csv", "x.csv"], True),
    ("effects", ["effects", TABLE, "--bootstrap", "40", "-o", "o/e.csv", "-o", "o/e.json"], ["e.csv", "e.json"], True),
    ("report", [TABLE, "-o", "o/x.html", "-o", "o/x.svg"], ["x.html", "x.svg"], False),
    ("simulate", ["simulate", "--nodes", "60", "--samples", "2000", "-o", "o/d.csv", "--dag", "o/g.csv"],
     ["d.csv", "g.csv"], False),
    ("study", ["study", "t-noise-1.5", "--reps", "2", "--no-seconds", "--out", "o"], None, False),
]


def expect_study(folder):
    for path, _, names in os.walk(folder):
        if left_over(path):
            complain("study: left over in", path, left_over(path))
        for name in names:
            bytes_ = read(os.path.join(path, name))
            if name.endswith(".svg") and not bytes_.rstrip().endswith(b"</svg>"):
                complain("study: half a figure,", name)
            if name.endswith(".pdf") and not bytes_.rstrip().endswith(b"%%EOF"):
                complain("study: half a figure,", name)


def expect_outputs(name, outputs, code, partial, old, told):
    there = sorted(os.listdir("o"))
    if there not in ([], outputs):
        complain(name, "has left", there, told)
    fresh = [file for file in there if read("o/" + file) != b"old\n"]
    if fresh and fresh != outputs:
        complain(name, "has written only", fresh, told)
    if code != 0 and fresh and not (partial and b"interrupted" in told):
        complain(name, "has written, and ends with", code, told)
    if old and not there:
        complain(name, "has lost the old files", told)


def interrupt(program, command, longest):
    name, arguments, outputs, partial = command
    old = outputs is not None and chance.random() < 0.5
    if outputs is not None or chance.random() < 0.3:
        shutil.rmtree("o", ignore_errors=True)
    os.makedirs("o", exist_ok=True)
    for file in outputs if old else []:
        with open("o/" + file, "w") as made:
            made.write("old\n")
    process = subprocess.Popen([program, *arguments, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(longest * chance.random())
    which = chance.choice([signal.SIGINT, signal.SIGTERM])
    process.send_signal(which)
    told = process.communicate()[1]
    code = process.returncode
    if code not in (0, 130, -which):  # the last: before there was anything to be asked
        complain(name, "ends with", code, told)
    if code == -which and told:
        complain(name, "was ended by the signal after it said", told)
    if outputs is None:
        expect_study("o")
    else:
        expect_outputs(name, outputs, code, partial, old, told)
    return code


def signals(program, rounds):
    codes = {}
    for command in COMMANDS:
        shutil.rmtree("o", ignore_errors=True)
        os.mkdir("o")
        start = time.monotonic()
        subprocess.run([program, *command[1], "--quiet"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        longest = time.monotonic() - start
        for _ in range(rounds):
            code = interrupt(program, command, longest)
            codes[code] = codes.get(code, 0) + 1
    print("signals: exit codes", codes, file=sys.stderr)
    if not codes.get(130):
        complain("no run was interrupted:", codes)


# ---- Inputs that change ----

def meddle(path, text, done):
    """Cuts, lengthens and replaces the file until it is told to stop."""
    own = random.Random(chance.random())
    while not done.is_set():
        how = own.randrange(4)
        if how == 0:
            os.truncate(path, own.randrange(len(text)))
        elif how == 1:
            with open(path, "ab") as file:
                file.write(text[: own.randrange(100000)])
        elif how == 2:
            with open(path, "r+b") as file:
                file.write(text)
        else:
            with open(path + ".other", "wb") as file:
                file.write(text)
            os.replace(path + ".other", path)
        time.sleep(own.random() * 0.003)


def changes(program, rounds):
    codes = {}
    line = ",".join("%d.%d" % (i % 7, i * 7919 % 1000) for i in range(40))
    text = ("\n".join([",".join("v%d" % i for i in range(40))] + [line[i % 5:] for i in range(30000)]) + "\n").encode()
    for i in range(rounds):
        with open("in.csv", "wb") as file:
            file.write(text)
        done = threading.Event()
        meddler = threading.Thread(target=meddle, args=("in.csv", text, done))
        meddler.start()
        for _ in range(4):
            run = subprocess.run([program, "in.csv", "--quiet", "--max-order", "0", "--method", "classic",
                                  "--missing", "rows"], capture_output=True)
            codes[run.returncode] = codes.get(run.returncode, 0) + 1
            last = run.stderr.splitlines()[-1:] or [b"dualpc: "]
            if run.returncode not in (0, 2) or not last[0].startswith(b"dualpc: "):
                complain("a file that changes: exit code", run.returncode, run.stderr)
        done.set()
        meddler.join()
    print("changes: exit codes", codes, file=sys.stderr)


{"kills": kills, "signals": signals, "changes": changes}[sys.argv[1]](os.path.abspath(sys.argv[2]), int(sys.argv[3]))
for sentence in wrong[:5]:
    print(sentence)
sys.exit(1 if wrong else 0)
