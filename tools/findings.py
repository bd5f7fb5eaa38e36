"""Judges what gcc -fanalyzer, clang-tidy and cppcheck said: `make analysis` calls it with their logs.

A finding is mended in the code. One that is none stands in tools/findings.txt below the reason, by its
file, the name of the check, and some text of the line that it points at, so that lines may move. A
finding that is not there fails, and so does a line there that no finding needs any more.
"""
import os
import re
import sys

FINDING = re.compile(r"^([^:\s]+):(\d+):\d+: (?:warning|error): (.*) \[([\w,.-]+)\]$")
LIST = "tools/findings.txt"


def read_findings(logs):
    """(file, line, check) -> sentence; a header that many files include counts once."""
    findings = {}
    for log in logs:
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                match = FINDING.match(line)
                if match:
                    path, number, sentence, check = match.groups()
                    findings[os.path.relpath(path), int(number), check.removeprefix("-W")] = sentence
    return findings


def read_known():
    """(file, check, text) of every line of the list; each has a reason, in a comment, above it."""
    known, reason = [], False
    with open(LIST, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if line.startswith("#") or not line:
                reason = line.startswith("#")
                continue
            parts = tuple(part.strip() for part in line.split(" | "))
            if len(parts) != 3 or not reason:
                sys.exit(f"{LIST}:{number}: expected FILE | CHECK | TEXT below a comment with the reason")
            known.append(parts)
    return known


def text_of(path, number, files={}):
    if path not in files:
        with open(path, encoding="utf-8") as file:
            files[path] = file.read().splitlines()
    return files[path][number - 1]


def main(logs):
    known, needed, bad = read_known(), set(), 0
    findings = read_findings(logs)
    for (path, number, check), sentence in sorted(findings.items()):
        text = text_of(path, number)
        reasons = [k for k in known if k[0] == path and k[1] == check and k[2] in text]
        needed.update(reasons)
        if not reasons:
            bad += 1
            print(f"{path}:{number}: {sentence} [{check}]\n    {text.strip()}")
    for entry in known:
        if entry not in needed:
            bad += 1
            print(f"{LIST}: no finding needs this line any more: {' | '.join(entry)}")
    print(f"analysis: {len(logs)} logs, {len(findings)} findings that are none, {bad} to mend"
          if not bad else f"analysis: {bad} to mend")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
