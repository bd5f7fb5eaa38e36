# Pictures, the report and dualpc view. Sourced by run.sh. What a browser makes of the report is the
# matter of tests/browser.

# The names that are drawn in an SVG, sorted.
drawn() {
    "$python" -S - "$1" <<'END'
import sys, xml.dom.minidom
root = xml.dom.minidom.parse(sys.argv[1])
def text(g):
    return "".join(t.firstChild.data for t in g.getElementsByTagName("text") if t.firstChild)
groups = [g for g in root.getElementsByTagName("g") if g.getAttribute("class") == "node"]
print(",".join(sorted(text(g) for g in groups)))
END
}

check_look_pictures_of_every_format() {
    run "$data/tiny.csv" --quiet -o g.svg -o g.png -o g.pdf -o g.txt
    expect_code 0
    expect_empty err
    expect_files g.pdf g.png g.svg g.txt
    expect_equal 'PNG' 89504e47 "$(head -c 4 g.png | od -An -tx1 | tr -d ' ')"
    expect_equal 'PDF' '%PDF' "$(head -c 4 g.pdf)"
    expect_equal 'names' "$(head -1 "$data/tiny.csv" | tr -d '"' | tr , '\n' | LC_ALL=C sort | paste -sd,)" \
        "$(drawn g.svg | tr , '\n' | LC_ALL=C sort | paste -sd,)"
    expect_equal 'edges' "$(grep -c -e ' --[->] ' g.txt)" "$(grep -c 'class="edge"' g.svg)"
    run "$data/tiny.csv" --quiet --format svg
    expect_code 0
    expect_same g.svg "$io/out"
}

check_look_pags() {
    printf 'A o-> B\nB <-> C\nC o-o D\n' >g.txt
    run convert g.txt g.svg
    expect_code 0
    expect_equal 'arrowheads' 3 "$(grep -c '<polygon fill="#4a4a4a"' g.svg)"
    expect_equal 'circles' 3 "$(grep -c '<ellipse fill="none"' g.svg)"
    for words in 'a hidden cause of both' 'B does not cause A' 'cannot tell'; do
        grep -q "$words" g.svg || fail "$told" "expected in the legend: $words"
    done
    ! grep -q 'direction open' g.svg || fail "$told" "expected nothing of lines in the legend"
}

check_look_arrows_lines_signs_and_legend() {
    printf 'A --> B\nB --- C\n' >g.txt
    run convert g.txt g.svg
    expect_equal 'arrowheads' 1 "$(grep -c '<polygon fill="#4a4a4a"' g.svg)"
    expect_empty err
    grep -q 'direction open' g.svg || fail "$told" "expected a legend"
    run "$data/dense40.csv" --quiet -o d.svg --edges e.csv
    expect_code 0
    # blue above 0, orange below
    expect_equal 'blue lines' "$(awk -F, 'NR > 1 && $4 > 0' e.csv | wc -l)" \
        "$(grep -c '<path fill="none" stroke="#0072b2"' d.svg)"
    expect_equal 'orange lines' "$(awk -F, 'NR > 1 && $4 < 0' e.csv | wc -l)" \
        "$(grep -c '<path fill="none" stroke="#d55e00"' d.svg)"
    expect_equal 'dashed lines' "$(awk -F, 'NR > 1 && $3 == "-->" && $8 != "" && $8 < 0' e.csv | wc -l)" \
        "$(grep -c '<path .*stroke-dasharray' d.svg)"
}

check_look_frequencies_as_shade() {
    run "$data/tiny.csv" --quiet --bootstrap 20 -o g.svg --edges e.csv
    expect_code 0
    grep -q 'in few resamples' g.svg || fail "$told" "expected the shade in the legend"
    expect_equal 'numbers beside the lines' "$(($(wc -l <e.csv) - 1))" "$(grep -cE '[ ;][01]\.[0-9]{2}</text>' g.svg)"
    # more than the full colours, for not all edges are sure
    [ "$(grep -o 'stroke="#[0-9a-f]*"' g.svg | sort -u | wc -l)" -gt 3 ] || fail "$told" "expected shades"
}

check_look_tiers_are_rows() {
    printf '/knowledge\naddtemporal\n1 V1 V2 V3\n2 V4 V5 V6\n3 V7 V8 V9\n' >k.txt
    run "$data/tiny.csv" --quiet --knowledge k.txt -o g.svg
    expect_code 0
    "$python" -S - <<'END' || fail "$told" "expected each tier in a row of its own, one below the other"
import re, sys
text = open("g.svg", encoding="utf-8").read()
y = {name: float(at) for at, name in re.findall(r'<text [^>]* y="([-\d.]+)"[^>]*>(V\d+)</text>', text)}
rows = [{y[f"V{3 * tier + k}"] for k in (1, 2, 3)} for tier in range(3)]
sys.exit(not all(len(row) == 1 for row in rows) or not max(rows[0]) < min(rows[1]) <= max(rows[1]) < min(rows[2]))
END
}

check_look_layouts() {
    for layout in auto dot neato fdp sfdp circo; do
        run "$data/tiny.csv" --quiet --layout $layout -o g-$layout.svg
        expect_code 0
    done
    expect_same g-auto.svg g-dot.svg
    [ "$(cat g-*.svg | grep '<svg' | sort -u | wc -l)" -ge 4 ] || fail "$told" "expected different pictures"
    run "$data/tiny.csv" --layout round -o g.svg
    expect_code 1
    expect_sentence '--layout must be one of auto, dot, neato, fdp, sfdp, circo'
}

check_look_hostile_names_in_pictures() {
    "$python" -S - <<'END'
import json
names = ["<script>alert(1)</script>", "a & \"b\"", "back\\slash \\N", "Ωμέγα", "遺伝子", "<b>", "x" * 60, "-->"]
json.dump({"nodes": names, "edges": [{"from": a, "to": names[0], "mark": "-->"} for a in names[1:]]}, open("g.json", "w"))
END
    run convert g.json g.svg
    expect_code 0
    expect_equal 'names' "$("$python" -S -c '
import json
names = [n if len(n) <= 54 else n[:54] + "…" for n in json.load(open("g.json"))["nodes"]]
print(",".join(sorted(names)))')" "$(drawn g.svg)"
}

# More than 20: the legend has them, whatever they are called, and the first 60 by name.
check_look_variables_without_edges_are_listed() {
    "$python" -S - <<'END'
import json
names = [f"v{i}" for i in range(30)] + ["<b>&\"'", "back\\N", "遺伝子"]
edges = [{"from": f"v{i}", "to": f"v{i + 1}", "mark": "-->"} for i in range(19)]
json.dump({"nodes": names, "edges": edges}, open("g.json", "w"))
json.dump({"nodes": [f"v{i}" for i in range(500)], "edges": edges}, open("h.json", "w"))
json.dump({"nodes": names, "edges": []}, open("none.json", "w"))
END
    run convert g.json g.svg
    expect_code 0
    expect_equal 'drawn' "$(seq -f 'v%g' 0 19 | LC_ALL=C sort | paste -sd,)" "$(drawn g.svg | tr , '\n' | LC_ALL=C sort | paste -sd,)"
    words() { "$python" -S -c '
import sys, xml.dom.minidom
print("".join(t.firstChild.data for t in xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("text")).replace("\u00a0", " "))' "$1"; }
    words g.svg | grep -qF "13 variables without edges: v20, v21, v22, v23, v24, v25, v26, v27, v28, v29, <b>&\"', back\\N, 遺伝子" ||
        fail "$told" "expected a list: $(words g.svg)"
    run convert h.json h.svg
    expect_code 0
    words h.svg | grep -qE '480 variables without edges: v20, .*v79 and 420 more' || fail "$told" "expected a list: $(words h.svg)"
    run convert none.json none.svg
    expect_code 0
    words none.svg | grep -qF '33 variables without edges' || fail "$told" "expected a list: $(words none.svg)"
}

# Layers of 50 variables would be a metre wide.
check_look_no_wide_layers() {
    "$program" simulate --nodes 50 --parents 2 --samples 500 --seed 3 -o wide.csv --quiet
    run wide.csv --quiet -o g.svg
    expect_code 0
    run wide.csv --quiet --layout dot -o dot.svg
    expect_code 0
    width() { sed -n 's/^<svg width="\([0-9]*\)pt".*/\1/p' "$1"; }
    [ "$(width dot.svg)" -gt 1000 ] || fail "$told" "expected wide layers, not $(width dot.svg)"
    [ "$(width g.svg)" -lt 800 ] || fail "$told" "expected a picture for a page, not $(width g.svg)"
    # tiers are rows, however wide
    { printf '/knowledge\naddtemporal\n1'; seq -f ' V%g' -s '' 1 25; printf '\n2'; seq -f ' V%g' -s '' 26 50; echo; } >k.txt
    run wide.csv --quiet --knowledge k.txt -o t.svg
    expect_code 0
    run wide.csv --quiet --knowledge k.txt --layout dot -o td.svg
    expect_same t.svg td.svg
}

check_look_large_graphs_are_told_of() {
    "$python" -S -c '
print(*(f"g{i} --> g{(i * 7 + k) % 6000}" for i in range(6000) for k in (1, 2) if (i * 7 + k) % 6000 > i), sep="\n")' >g.txt
    run convert g.txt g.svg
    expect_code 0
    expect_in err 'warning: g.svg: [0-9]+ nodes and [0-9]+ edges are too many to draw'
    grep -q 'too many to draw' g.svg || fail "$told" "expected the picture to say so"
    run convert g.txt g.html --quiet
    expect_code 0
    expect_empty err
    head -300 g.txt >h.txt
    "$python" -S -c '
import random
pairs = set()
chance = random.Random(1)
while len(pairs) < 600:
    a, b = sorted(chance.sample(range(150), 2))
    pairs.add((a, b))
print(*(f"v{a} --> v{b}" for a, b in pairs), sep="\n")' >h.txt
    run convert h.txt h.svg --layout dot
    expect_code 0
    expect_in err 'warning: h.svg: dot would take too long for 150 nodes and 600 edges; this is laid out by sfdp'
}

check_look_a_locale_changes_nothing() {
    run "$data/tiny.csv" --quiet -o a.svg
    shell 'LC_ALL=de_DE.UTF-8 "$program" "$data/tiny.csv" --quiet -o b.svg'
    expect_code 0
    expect_same a.svg b.svg
}

check_look_the_picture_of_a_dag() {
    run "$data/tiny.csv" --quiet -o g.svg --dag d.svg
    expect_code 0
    grep -q 'direction open' g.svg || fail "$told" "expected lines in the CPDAG"
    ! grep -q 'direction open' d.svg || fail "$told" "expected arrows only in the DAG"
    run simulate --nodes 5 --parents 1 --samples 20 --seed 1 -o s.csv --dag s.svg
    expect_code 1
    expect_sentence 's.svg: simulate writes graphs, no pictures'
}

check_look_a_picture_is_written_with_the_rest_or_not_at_all() {
    mkdir folder
    run "$data/tiny.csv" --quiet -o g.svg -o folder/none/g.csv
    expect_code 3
    [ ! -e g.svg ] || fail "$told" "expected no picture"
}

# ---- The report ----

check_look_report_is_one_page_that_loads_nothing() {
    run "$data/names.csv" --quiet -o r.html --bootstrap 5
    expect_code 0
    expect_files r.html
    "$python" -SB - <<'END' >"$io/wrong" || fail "$told" "$(cat "$io/wrong")"
import base64, hashlib, html.parser, json, re, sys
text = open("r.html", encoding="utf-8").read()
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.scripts, self.open = [], [], None
    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag in ("script", "style"):
            self.open = (tag, dict(attributes), [])
    def handle_data(self, data):
        if self.open:
            self.open[2].append(data)
    def handle_endtag(self, tag):
        if self.open and tag == self.open[0]:
            self.scripts.append((self.open[0], self.open[1], "".join(self.open[2])))
            self.open = None
page = Page()
page.feed(text)
csp = next(a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a)
wrong = [t for t, a in page.tags if "src" in a or t in ("link", "img", "iframe")]
wrong += [a["href"] for t, a in page.tags if t == "a" and not a["href"].startswith("#")]
for tag, attributes, content in page.scripts:
    if attributes.get("type") == "application/json":
        json.loads(content)
        wrong += ["a < in the JSON"] if "<" in content else []
    else:
        digest = "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        wrong += [] if digest in csp else [f"the hash of the {tag} is not {digest}"]
wrong += [] if csp.startswith("default-src 'none'") else [csp]
wrong += [] if len(page.scripts) == 4 else [f"{len(page.scripts)} scripts and styles"]
print(wrong)
sys.exit(bool(wrong))
END
}

check_look_report_of_every_method() {
    for words in '--method ges' '--rule and' '--orient relaxed' '--graph skeleton' '--graph pattern' \
        '--bootstrap 5 --min-frequency 0.6' '--method classic --variant standard'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" --quiet $words -o r.html -o p.svg
        expect_code 0
        grep -q '"rows":\[' r.html || fail "$told" "expected a report"
    done
    run "$data/matrix-rownames.csv" --correlation --samples 100 --quiet --format html
    expect_code 0
    expect_in out '^<!DOCTYPE html>'
}

# Every pair has a letter, and what it says is what --explain says.
check_look_report_tells_of_every_pair() {
    run "$data/tiny.csv" --quiet -o r.html --separating-sets -o g.json
    expect_code 0
    "$python" -SB - <<'END' >"$io/wrong" || fail "$told" "$(cat "$io/wrong")"
import json, re, sys
text = open("r.html", encoding="utf-8").read()
page = json.loads(re.search(r'<script type="application/json" id="page">(.*?)</script>', text, re.S).group(1))
told = json.load(open("g.json"))
names, pairs = told["nodes"], page["pairs"]
kinds = {"m": "marginal", "f": "full-order", "s": "full-s", "p": "primal", "d": "dual"}
sets = {frozenset((s["a"], s["b"])): s for s in told["separating_sets"]}
r, p, members = iter(pairs["r"]), iter(pairs["p"]), iter(pairs["sets"])
letters = iter(pairs["kinds"])
seen = 0
for i, a in enumerate(names):
    for b in names[i + 1:]:
        kind, s = next(letters), sets.get(frozenset((a, b)))
        if kind == "-":
            assert s is None, (a, b)
            continue
        assert kinds[kind] == s["kind"], (a, b, kind)
        assert abs(next(r) - s["r"]) < 1e-3 and abs(next(p) - s["p"]) < 1e-3, (a, b)
        if kind in "spd":
            assert [names[v] for v in next(members)] == s["set"], (a, b)
        seen += 1
assert seen == len(sets) > 100 and len(page["rows"]) == len(told["edges"]) == len(page["why"])
assert all(why.startswith("why ") for why in page["why"])
END
}

# ---- View ----

check_look_view() {
    printf '#!/bin/sh\necho "$1" >>%q/seen\n' "$PWD" >browser
    chmod +x browser
    run "$data/tiny.csv" --quiet -o r.html -o g.graphml
    shell 'BROWSER=$PWD/browser "$program" view r.html'
    expect_code 0
    expect_text seen "$PWD/r.html"
    shell 'BROWSER=$PWD/browser XDG_CACHE_HOME=$PWD/cache "$program" view g.graphml'
    expect_code 0
    expect_equal 'page' "$PWD/cache/dualpc/g.graphml.html" "$(tail -1 seen)"
    grep -q '"rows":\[' cache/dualpc/g.graphml.html || fail "$told" "expected a report"
    shell 'BROWSER=false "$program" view r.html'
    expect_code 3
    expect_sentence "the browser 'false' of .BROWSER does not open .*/r.html"
    run view
    expect_code 1
    expect_sentence 'view needs one file'
    run view none.html
    expect_code 2
    expect_sentence 'none.html: No such file'
    shell 'PATH=/nowhere BROWSER= "$program" view r.html'
    expect_code 3
    expect_sentence 'no browser was found; open .*/r.html yourself'
}
