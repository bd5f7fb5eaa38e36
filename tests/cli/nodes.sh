# --nodes: the table of the variables with their R²; and the methods paragraph of JSON. Sourced by
# run.sh.

# R² by regressions in Python that share nothing with ours.
check_nodes_r2_is_that_of_regressions() {
    for words in '' '--method ges' '--graph skeleton' '--rule and --alpha 0.01' '--refine fast' '--memory 0.001 --min-ess inf'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" --quiet --nodes n.csv -o g.json $words
        expect_code 0
        expect_text <("$python" -SB - "$data/tiny.csv" n.csv g.json <<'END'
import csv, json, sys
rows = list(csv.reader(open(sys.argv[1])))
names, X = rows[0], [[float(x) for x in row] for row in rows[1:]]
table = list(csv.DictReader(open(sys.argv[2])))
report = json.load(open(sys.argv[3]))
columns = []
for j in range(len(names)):
    mean = sum(row[j] for row in X) / len(X)
    columns.append([row[j] - mean for row in X])

def left(v, members):
    """What the members leave of v: Gram and Schmidt."""
    basis = []
    def reduced(x):
        x = list(x)
        for b, size in basis * 2:
            c = sum(p * q for p, q in zip(b, x)) / size
            x = [q - c * p for p, q in zip(b, x)]
        return x
    for u in members:
        x = reduced(columns[u])
        basis.append((x, sum(q * q for q in x)))
    return sum(q * q for q in reduced(columns[v])) / sum(q * q for q in columns[v])

near = {n: [] for n in names}
for e in report["edges"]:
    near[e["from"]].append((e["to"], "---" if e["mark"] == "---" else "child"))
    near[e["to"]].append((e["from"], "---" if e["mark"] == "---" else "parent"))
print([r["name"] for r in table] == names == [r["name"] for r in report["node_table"]])
worst = 0
for v, row in enumerate(table):
    kinds = [kind for _, kind in near[row["name"]]]
    assert [int(row[k]) for k in ("neighbours", "parents", "children")] == \
        [len(kinds), kinds.count("parent"), kinds.count("child")], row
    worst = max(worst, abs(float(row["r2"]) - 1 + left(v, [names.index(u) for u, _ in near[row["name"]]])))
    parents = [names.index(u) for u, kind in near[row["name"]] if kind == "parent"]
    assert (row["r2_parents"] == "") == ("---" in kinds), row
    if row["r2_parents"]:
        worst = max(worst, abs(float(row["r2_parents"]) - 1 + left(v, parents)))
    told = report["node_table"][v]
    assert all(str(told[k]) == row[k] or float(row[k]) == told[k] for k in row if k != "name" and row[k]), told
print(worst < 1e-9)
END
        ) $'True\nTrue'
    done
}

check_nodes_of_a_consensus_and_of_copies() {
    run "$data/tiny.csv" --quiet --bootstrap 10 --min-frequency 0.9 --nodes n.csv -o g.json
    expect_code 0
    expect_equal 'degrees' "$(("$(grep -c '"mark"' g.json)" * 2))" "$(awk -F, 'NR > 1 { s += $2 } END { print s }' n.csv)"
    printf 'a,b,c\n1,1,5\n2,2,3\n3,3,9\n4,4,1\n5,5,7\n6,6,2\n7,7,3\n' >copy.csv
    run copy.csv --quiet --nodes n.csv -o g.txt
    expect_code 0
    expect_text <(grep '^[ab]' n.csv | cut -d, -f 1,5) $'a,1\nb,1'
    run copy.csv --nodes n.txt
    expect_code 1
    expect_sentence "--nodes writes a table"
    # the table of the graph is not one of the DAG
    run "$data/tiny.csv" --quiet --dag d.json -o g.json
    expect_code 0
    grep -q '"node_table"' g.json || fail "$told" 'expected a table of nodes'
    ! grep -q '"node_table"' d.json || fail "$told" 'expected no table of nodes'
}

# The paragraph of a run with these options.
methods() {
    # shellcheck disable=SC2086
    run "$data/tiny.csv" --quiet $1 -o g.json
    expect_code 0
    "$python" -SB -c 'import json; print(json.load(open("g.json"))["methods"], end="")' >text
}

check_methods_name_the_settings_and_cite() {
    methods ''
    for words in 'of 20 variables' "Fisher's z test" 'at level 0.05;' 'dual PC algorithm (Giudice et al., 2023)' \
        'from one of its ends' 'The result is a CPDAG with' 'https://doi.org/10.1016/j.ijar.2023.108975'; do
        grep -qF "$words" text || fail "$told" "expected in the methods: $words"
    done
    # every work that is cited is listed, and no other
    for words in '' '--refine full --restarts 2' '--method ges' '--method classic --test t --variant standard' \
        '--orient majority --bootstrap 5' '--orient conservative --normalize copula' '--min-evidence 1 --max-order 1'; do
        methods "$words"
        expect_text <("$python" -SB - text <<'END'
import re, sys
text, works = open(sys.argv[1]).read().split("\n\nReferences\n")
cited = {(name, year) for name, year in re.findall(r"\((\w+)[^()]*?, (\d{4})\)", text)}
listed = [re.match(r"(\w+), .*?\((\d{4})\)\. ", line).groups() for line in works.splitlines()]
print(cited == set(listed), listed == sorted(listed), "\n" not in text, "  " not in text)
END
        ) 'True True True True'
    done
    methods '--rule and --alpha 0.01 --alpha-dual 0.1 --min-evidence 1 --max-order 1 --bootstrap 5 --seed 7'
    for words in 'at level 0.01 (0.1 for full-order' 'from both of its ends' 'evidence below 1' 'ended with level 1' \
        '5 bootstrap resamples' 'with seed 7' 'a PDAG with'; do
        grep -qF "$words" text || fail "$told" "expected in the methods: $words"
    done
    printf '/knowledge\naddtemporal\n1 V1 V2 V3\n2 V4 V5 V6\n\nforbiddirect\nV7 V8\n' >k.txt
    methods '--knowledge k.txt'
    grep -qF 'Background knowledge was used (Meek, 1995): 2 tiers, 1 forbidden edge.' text ||
        fail "$told" "expected the knowledge in the methods: $(cat text)"
}

check_methods_are_in_the_report_only_of_what_was_learned() {
    run "$data/tiny.csv" --quiet -o r.html -o g.json
    expect_code 0
    grep -q '"methods": "The structure of a Gaussian' r.html || fail "$told" 'expected the methods in the report'
    run convert g.json c.json
    expect_code 0
    ! grep -qE '"methods"|"node_table"' c.json || fail "$told" 'expected no methods of a graph that was read'
}
