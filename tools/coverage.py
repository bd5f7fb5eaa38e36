"""The lines of core/ and io/ that the tests reach, as gcov counted them: `make coverage` calls it.

    coverage.py BUILD     says how much of each room is reached, and lists what is not

What is not reached stands in tests/uncovered.txt below the reason, by file and function. A room below
90 % fails, and so do more than MOST lines without a reason. A few are let pass, for where a run is
called off is chance. docs/reliability.md has the figures.
"""
import collections
import glob
import json
import os
import subprocess
import sys

LIST = "tests/uncovered.txt"
ROOMS = ("core", "io")
LEAST = 90.0
MOST = 60


def read_counts(build):
    """file -> line -> [times, function]; what a header defines counts for all who include it."""
    notes = [name for room in ROOMS for name in glob.glob(f"{build}/{room}/**/*.gcno", recursive=True)]
    told = subprocess.run(["gcov", "--json-format", "--stdout", *notes], stdout=subprocess.PIPE, check=True, text=True)
    counts = collections.defaultdict(dict)
    for document in told.stdout.splitlines():
        for file in json.loads(document)["files"]:
            if file["file"].split("/")[0] not in ROOMS:
                continue
            for line in file["lines"]:
                entry = counts[file["file"]].setdefault(line["line_number"], [0, ""])
                entry[0] += line["count"]
                entry[1] = line.get("function_name", entry[1])
    return counts


def read_known():
    """file:function of every line of the list, and the reason above it."""
    known, reason = {}, None
    with open(LIST, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if line.startswith("#"):
                reason = line
            elif not line:
                reason = None
            elif reason is None:
                sys.exit(f"{LIST}:{number}: no comment with the reason above it")
            else:
                known[line] = reason
    return known


def main(build):
    counts = read_counts(build)
    if not counts:
        sys.exit(f"coverage: nothing was counted in {build}")
    known, seen, unexplained = read_known(), set(), 0
    for path, lines in sorted(counts.items()):
        missing = [(number, function) for number, (times, function) in sorted(lines.items()) if times == 0]
        with open(path, encoding="utf-8") as file:
            text = file.read().splitlines()
        for number, function in missing:
            place = f"{path}:{function}"
            seen.add(place)
            unexplained += place not in known
            print(f"{'' if place in known else 'no reason: '}{path}:{number}: {function}: {text[number - 1].strip()}")
    for place in sorted(set(known) - seen):
        print(f"{LIST}: all of it is reached: {place}")
    bad = unexplained > MOST
    print(f"lines without a reason: {unexplained}, at most {MOST} pass")
    for room in ROOMS:
        here = [entry for path, lines in counts.items() if path.startswith(room + "/") for entry in lines.values()]
        reached = sum(1 for times, _ in here if times)
        percent = 100 * reached / len(here)
        print(f"coverage of {room}: {percent:.1f} % ({reached} of {len(here)} lines)")
        bad = bad or percent < LEAST
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(os.path.normpath(sys.argv[1])))
