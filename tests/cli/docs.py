"""What the pages show, held against what happens.

    docs.py run PROGRAM ROOT PAGE    runs the commands of a page, in the current folder
    docs.py links ROOT               looks whether links lead somewhere
    docs.py rooms ROOT               holds the tables of docs/design.md against the folders
Prints what is wrong; exit code 1 then.

A block between ``` in which a line starts with "$ " is a session in the top folder. What follows a
command is what it prints, on standard output and standard error: "…" stands for anything, on a line of
its own for any lines. A file that `cat` shows for the first time is made, with what is shown.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PATIENCE = 1800  # seconds after which a page hangs


# ---- Reading a page ----

def blocks(text):
    """(number of the first line, lines) of every session."""
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("```")]
    for first, last in zip(starts[::2], starts[1::2]):
        block = lines[first + 1 : last]
        if any(line.startswith("$ ") for line in block):
            yield first + 2, block


def complete(command):
    return subprocess.run(["bash", "-n", "-c", command], capture_output=True, check=False).returncode == 0


def commands(block):
    """[[number of the line, command, lines of its output]]; a command goes on while bash wants more."""
    found = []
    for i, line in enumerate(block):
        whole_rest = found and found[-1][1] == "make demo"  # which shows a prompt itself
        if line.startswith("$ ") and not whole_rest:
            found.append([i, line[2:], []])
        elif found and not found[-1][2] and not complete(found[-1][1]):
            found[-1][1] += "\n" + line
        elif found:
            found[-1][2].append(line)
    return found


# ---- Running it ----

MAKE = """#!/bin/sh
# demo and install of the program that is tested; neither is built here
case $* in
demo) exec {root}/tools/demo.sh {program} ;;
*) exec {make} --no-print-directory -C {root} BUILD={build} "$@" ;;
esac
"""


def furnish(program, root):
    """Makes the current folder look like the top folder after make."""
    shutil.copytree(os.path.join(root, "examples"), "examples")
    os.mkdir("build")
    os.symlink(program, "build/dualpc")
    os.mkdir("shims")
    make = subprocess.run(["which", "make"], capture_output=True, text=True, check=True).stdout.strip()
    with open("shims/make", "w", encoding="utf-8") as file:
        file.write(MAKE.format(root=shlex.quote(root), program=shlex.quote(program), make=make,
                               build=shlex.quote(os.path.dirname(program))))
    os.chmod("shims/make", 0o755)


def run_all(todo):
    """Runs the commands in one shell; returns what each printed."""
    with tempfile.TemporaryDirectory() as outputs:
        script = ""
        for k, command in enumerate(todo):
            script += "{ %s\n} >%s/%d 2>&1\n" % (command, outputs, k)
        environment = dict(os.environ, HOME=os.getcwd(), LC_ALL="C.UTF-8",
                           PATH=os.path.abspath("shims") + ":" + os.environ["PATH"])
        subprocess.run(["bash", "-c", script], env=environment, stdin=subprocess.DEVNULL, check=False,
                       timeout=PATIENCE)
        return [open(os.path.join(outputs, str(k)), encoding="utf-8").read() for k in range(len(todo))]


def agrees(shown, seen):
    pattern = ""
    for line in shown:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            parts = [re.escape(part) for part in re.split(r" *…", line.rstrip())]
            pattern += ".*".join(parts) + " *\n"
    return re.fullmatch(pattern, seen) is not None


def run(program, root, page):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        text = file.read()
    furnish(program, root)
    steps, made = [], set()
    for first, block in blocks(text):
        for line, command, shown in commands(block):
            name = command.removeprefix("cat ")
            if command.startswith("cat ") and name not in made and " " not in name and not os.path.exists(name):
                made.add(name)
                with open(name, "w", encoding="utf-8") as file:
                    file.write("".join(line + "\n" for line in shown))
            steps.append((first + line, command, shown))
    wrong = not steps
    if not steps:
        print(f"{page}: no commands")
    for (line, command, shown), seen in zip(steps, run_all([command for _, command, _ in steps])):
        if not agrees(shown, seen):
            print(f"{page}:{line}: $ {command}")
            print("  shown: " + "\n         ".join(shown))
            print("  seen:  " + "\n         ".join(seen.splitlines()[:40]))
            wrong = True
    return wrong


# ---- Links ----

def anchors(text):
    """The anchors that GitHub gives the headings."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    for heading in re.findall(r"^#+ +(.*)$", text, re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        yield re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-")


def links(root):
    wrong, count = 0, 0
    pages = [name for name in os.listdir(root) if name.endswith(".md")]
    for folder in ("docs", "bench", "tests/golden"):
        pages += [f"{folder}/{name}" for name in os.listdir(os.path.join(root, folder)) if name.endswith(".md")]
    texts = {page: open(os.path.join(root, page), encoding="utf-8").read() for page in pages}
    for page, text in texts.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(os.path.join(root, target)):
                print(f"{page}: {link} is not there")
                wrong += 1
            elif anchor and anchor not in set(anchors(texts.get(target, ""))):
                print(f"{page}: {link} has no such heading")
                wrong += 1
    if count < 20:
        print(f"only {count} links")
    return wrong > 0 or count < 20


# ---- The rooms ----

def rooms(root):
    """Every room has its row in the table of docs/design.md, and every file of a room says first what it owns."""
    with open(os.path.join(root, "docs/design.md"), encoding="utf-8") as file:
        text = file.read()
    wrong = 0
    wanted = {"core/" + name for name in os.listdir(os.path.join(root, "core"))
              if os.path.isdir(os.path.join(root, "core", name))} | {
        "core", "io", "cli", "mpi", "python/glue", "sim", "study", "picture", "report", "r/src"}
    table = text[text.index("\n| room |"):text.index("\n## Three ideas")]
    told = set(re.findall(r"^\| ([a-z/]*[a-z]) \|", table, re.M)) - {"room"}
    for folder in sorted(wanted ^ told):
        print(f"docs/design.md: {folder} " + ("has no row" if folder in wanted else "is no room"))
        wrong += 1
    for folder in sorted(wanted):
        for name in sorted(os.listdir(os.path.join(root, folder))):
            if not name.endswith((".c", ".h")):
                continue
            with open(os.path.join(root, folder, name), encoding="utf-8") as file:
                if not file.read(2) == "/*":
                    print(f"{folder}/{name} does not begin with a comment that says what it owns")
                    wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit({"run": run, "links": links, "rooms": rooms}[sys.argv[1]](*sys.argv[2:]))
