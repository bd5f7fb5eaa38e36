"""The man page and the tables of options in the documents against what --help says.

    documents.py PROGRAM ROOT

The help is printed from the tables that the program parses with, so what agrees with it is true.
Prints every difference; exit code 1 where there is one.
"""
import json
import pathlib
import re
import subprocess
import sys

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
SECTIONS = {"learn": "OPTIONS", "sample": "SAMPLE", "simulate": "SIMULATE", "compare": "COMPARE", "convert": "CONVERT", "view": "VIEW",
            "effects": "EFFECTS", "adjust": "ADJUST AND SEPARATE",
            "separate": "ADJUST AND SEPARATE", "study": "STUDY"}
wrong = []


def must(condition, words):
    if not condition:
        wrong.append(words)


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


# ---- The help ----

class Option:
    def __init__(self, value, text):
        found = re.search(r"\[([^\]]*)\]", text)
        self.value = value
        self.default = found.group(1) if found else ""
        others = re.search(r"; or ([a-z, -]+)$", text)
        self.words = value.split("|") if "|" in value else None
        if others:
            self.words = [self.default] + others.group(1).split(", ")

    def plain_default(self):
        """A default that is one word or number, and not a description."""
        return self.default if self.default and " " not in self.default else None


def read_help(command):
    lines = run(command, "--help").splitlines()
    last = next(i for i, line in enumerate(lines) if line.startswith("  --help"))
    heads, texts = [], []
    for line in lines[:last]:
        head = re.match(r"  (?:-\w, )?--([a-z-]+)(?: (\S+))?(?:  +(.*))?$", line)
        if head:
            heads.append((head.group(1), head.group(2) or ""))
            texts.append(head.group(3) or "")
        elif heads:
            texts[-1] += " " + line.strip()
    return {name: Option(value, text) for (name, value), text in zip(heads, texts)}


# ---- The man page ----

def plain(line):
    """A line of the man page without its macros."""
    if re.match(r"\.(B|I|BI|BR|IR|RB|RI|TP|IP|PP)\b", line):
        macro, _, line = line.partition(" ")
        if len(macro) == 3:  # alternating fonts: the parts are joined
            line = "".join(a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', line))
    return re.sub(r"\\f.|\\&|\"", "", line).replace("\\-", "-").strip()


def read_man(page):
    """Section → [(head of a .TP, its text)]."""
    entries, section, lines = {}, None, page.splitlines()
    for i, line in enumerate(lines):
        if line.startswith(".SH "):
            section = line[4:].strip('"')
        elif line == ".TP":
            entries.setdefault(section, []).append([plain(lines[i + 1]), ""])
        elif section in entries and i > 0 and lines[i - 1] != ".TP":
            if line.startswith((".SS", ".SH")):
                entries[section].append(["", ""])
            else:
                entries[section][-1][1] += plain(line) + " "
    return entries


def default_of(text):
    """What stands behind "Default", up to the end of the sentence."""
    found = re.search(r"Default[^:.]*: *(.*?)(?:\.? *$|\. |;)", text)
    return found.group(1).replace(" .", "") if found else None


def compare_man(command, options, entries):
    there = {}
    for head, text in entries:
        for name in re.findall(r"--([a-z-]+)", head):
            there[name] = (re.sub(r" *\| *", "|", head), text)
    for name in sorted(set(there) - set(options) - {"help", "version"}):
        must(False, f"man page: {command} has no --{name}")
    for name, option in options.items():
        if name not in there:
            must(False, f"man page: {command} --{name} is missing")
            continue
        head, text = there[name]
        value = "|".join(option.words) if option.words else option.value
        tail = head.partition("--" + name)[2]
        alone = len(re.findall("--", head)) == 1
        must(not alone or tail.strip() == value, f"man page: {command} '{head}', not '{value}'")
        default = option.plain_default()
        said = default_of(text)
        if default is None:
            continue
        must(said is not None and default in re.split(r"[ .,-]+(?![0-9])", said) + [said],
             f"man page: {command} --{name} is {default} by default, not {said}")


# ---- The tables ----

def tables():
    for path in sorted([*root.glob("*.md"), *root.glob("docs/*.md")]):
        text = path.read_text(encoding="utf-8")
        for table in re.findall(r"^\| option \| default \| meaning \|\n.*\n((?:\|.*\n)+)", text, re.M):
            yield path.name, table


def compare_table(where, table, options):
    there = set()
    for row in table.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        codes = re.findall(r"`([^`]+)`", cells[0].replace("\\|", "|"))
        for code in codes:
            name, _, value = code.partition(" ")
            name = "output" if name == "-o" else name.removeprefix("--")
            there.add(name)
            if name not in options:
                must(False, f"{where}: there is no --{name}")
                continue
            option = options[name]
            words = "|".join(option.words) if option.words else None
            must(words is None or value == words or "|" not in value,
                 f"{where}: '{code}', not '{words}'")
            default = option.plain_default()
            must(len(codes) > 1 or default is None or cells[1].strip("`") == default,
                 f"{where}: {code} is {default} by default, not '{cells[1]}'")
    for name in sorted(set(options) - there):
        must(False, f"{where}: --{name} is missing")


def compare_json(options, entries):
    keys = json.loads(run("learn", str(root / "examples/example.csv"), "--method", "ges", "--quiet",
                          "--format", "json"))["settings"]
    told = next(text for head, text in entries if head == "settings")
    for key in keys:
        must(key == "version" or key.replace("_", "-") in options, f"JSON: '{key}' is no option")
        must(re.search(rf"\b{key}\b", told), f"man page: JSON settings lack {key}")


everything = {command: read_help(command) for command in SECTIONS}
# one section for two commands
both = everything["adjust"] | everything["separate"]
man = read_man((root / "docs/dualpc.1").read_text(encoding="utf-8"))
# these take options of learn too: what is the same there may be described there alone
for command in ("effects", "sample"):
    told = " ".join(head for head, _ in man.get(SECTIONS[command], []))
    everything[command] = {name: option for name, option in everything[command].items()
                           if f"--{name} " in told + " " or name not in everything["learn"]
                           or vars(everything["learn"][name]) != vars(option)}
for command, section in SECTIONS.items():
    must(len(everything[command]) > 0, f"--help: {command} has no options")
    compare_man(command, both if command in ("adjust", "separate") else everything[command], man.get(section, []))
found = 0
for where, table in tables():
    compare_table(where, table, everything["learn"])
    found += 1
must(found > 0, "no table of options in the documents")
compare_json(everything["learn"], man["JSON"])
print("\n".join(wrong))
sys.exit(bool(wrong))
