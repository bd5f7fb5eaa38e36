# --edges: the table of the edges with their numbers; and how well the graph fits, in the summary
# and in JSON. Sourced by run.sh.

header='from,to,mark,r,low,high,p,evidence,edge,forward,backward,undirected'

check_edges_table_has_every_edge() {
    for words in '' '--method classic' '--method precision --orient relaxed' '--method ges' \
        '--rule and --alpha 0.01' '--graph skeleton' '--graph pattern' '--normalize copula' \
        '--variant standard --test t'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" --quiet --edges e.csv --format json $words
        expect_code 0
        [ "$(head -n 1 e.csv)" = "$header" ] || fail "$told" "expected another header: $(head -n 1 e.csv)"
        expect_text <("$python" -SB - e.csv "$io/out" <<'END'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
report = json.load(open(sys.argv[2]))
settings = report["settings"]
print([[r["from"], r["to"], r["mark"]] for r in rows] ==
      [[e["from"], e["to"], e["mark"]] for e in report["edges"]], len(rows) > 0)
print(all(-1 <= float(r["low"]) <= float(r["r"]) <= float(r["high"]) <= 1 for r in rows))
if settings["method"] == "ges":
    print(all(r["p"] == "" for r in rows))
else: # every test that it has survived was rejected
    print(all(0 <= float(r["p"]) <= settings["alpha"] for r in rows))
print(all(r[k] == "" for r in rows for k in ("edge", "forward", "backward", "undirected")))
END
        ) $'True True\nTrue\nTrue\nTrue'
    done
}

check_edges_table_says_what_explain_says() {
    run "$data/tiny.csv" --quiet --edges e.csv -o g.txt
    expect_code 0
    IFS=, read -r from to _ r low high p _ < <(sed -n 2p e.csv)
    run "$data/tiny.csv" --quiet --explain "$from,$to" --format json
    expect_code 0
    expect_text <("$python" -SB - "$io/out" "$r" "$low" "$high" "$p" <<'END'
import json, sys
e = json.load(open(sys.argv[1]))["explanations"][0]
print(json.dumps(e).count(sys.argv[2]) > 0 and json.dumps(e).count(sys.argv[5]) > 0)
END
    ) True
}

check_edges_table_has_the_frequencies() {
    run "$root/examples/example.csv" --bootstrap 20 --frequencies f.csv --edges e.csv --quiet
    expect_code 0
    cp "$io/out" graph
    run "$root/examples/example.csv" --quiet
    expect_same graph "$io/out"
    expect_text <("$python" -SB - e.csv f.csv <<'END'
import csv, sys
edges, pairs = (list(csv.DictReader(open(path))) for path in sys.argv[1:])
known = {(r["from"], r["to"]): r for r in pairs}
turned = 0
for e in edges:
    pair = known.get((e["from"], e["to"]))
    if pair is None:
        pair, turned = known[e["to"], e["from"]], turned + 1
        pair = dict(pair, forward=pair["backward"], backward=pair["forward"])
    assert all(e[k] == pair[k] for k in ("edge", "forward", "backward", "undirected")), (e, pair)
print(len(edges), turned > 0)
END
    ) '13 True'
    # of a consensus, too
    run "$root/examples/example.csv" --bootstrap 20 --min-frequency 0.3 --edges e.csv -o g.txt --quiet
    expect_code 0
    [ "$(wc -l <e.csv)" = "$(($(wc -l <g.txt) + 1))" ] || fail "$told" 'expected a row for each edge'
}

check_edges_table_is_written_with_care() {
    run "$data/tiny.csv" --edges "$data/tiny.csv"
    expect_code 1
    expect_sentence 'tiny.csv'
    cp "$data/tiny.csv" here.csv
    run here.csv --edges ./here.csv
    expect_code 1
    cmp -s here.csv "$data/tiny.csv" || fail "$told" 'the input was touched'
    run "$data/tiny.csv" -o same.csv --edges same.csv
    expect_code 1
    run "$data/tiny.csv" --edges e.txt
    expect_code 1
    expect_sentence "--edges writes a table; 'e.txt' does not end in .csv"
    run "$data/tiny.csv" --edges a.csv --edges b.csv
    expect_code 1
    expect_sentence '--edges is given twice'
    run "$data/tiny.csv" --edges nowhere/e.csv
    expect_code 3
    [ ! -e a.csv ] && [ ! -e same.csv ] || fail "$told" 'something was written'
}

check_edges_table_is_the_same_for_any_threads() {
    for words in '' '--method classic' '--method ges'; do
        # shellcheck disable=SC2086
        run "$data/dense40.csv" --quiet --threads 1 --edges one.csv -o g.json $words
        expect_code 0
        # shellcheck disable=SC2086
        run "$data/dense40.csv" --quiet --threads 3 --edges three.csv $words
        expect_same one.csv three.csv
    done
}

check_edges_table_quotes_names() {
    printf '"a,b","say ""x""",c\n' >odd.csv
    "$python" -SBc 'import random
random.seed(1)
for i in range(50):
    x = random.gauss(0, 1)
    print(x, x + random.gauss(0, 1), random.gauss(0, 1), sep=",")' >>odd.csv
    run odd.csv --edges e.csv --quiet
    expect_code 0
    grep -q '^"a,b","say ""x""",---,0\.' e.csv || fail "$told" "expected names in quotes: $(cat e.csv)"
}

# ---- Fit ----

check_fit_is_in_summary_and_json() {
    for words in '' '--method classic' '--method ges' '--orient relaxed --order given' '--graph pattern'; do
        # shellcheck disable=SC2086
        run "$root/examples/example.csv" -o g.json --verbose $words
        expect_code 0
        expect_in err 'log-likelihood -[0-9.]+, BIC -[0-9.]+, [0-9]+ parameters'
        expect_in err 'Fit: (good|fair|poor)\. The data contradict [0-9]+ of the [0-9]+ independencies that the graph implies \([0-9]+ expected by chance\)'
        expect_text <("$python" -SB - g.json <<'END'
import json, math, sys
report = json.load(open(sys.argv[1]))
fit = report["fit"]
n, edges = report["n_vars"], len(report["edges"])
print(fit["parameters"] == edges + 2 * n, fit["implied"] == n * (n - 1) // 2 - edges)
print(abs(fit["bic"] - fit["log_likelihood"] + fit["parameters"] / 2 * math.log(report["n_obs"])) < 1e-6)
print(len(fit["largest"]), sorted(fit["largest"], key=lambda p: -abs(p["z"])) == fit["largest"])
joined = {frozenset((e["from"], e["to"])) for e in report["edges"]}
print(all({p["a"], p["b"]} not in joined and 0 <= p["p"] <= 1 for p in fit["largest"]))
print(sum(p["p"] <= 0.05 for p in fit["largest"]) == min(10, fit["exceed"]))
END
        ) $'True True\nTrue\n10 True\nTrue\nTrue'
    done
}

check_fit_says_what_the_likelihood_is_of() {
    printf '1,0.6,0.3\n0.6,1,0.5\n0.3,0.5,1\n' >matrix.csv
    run matrix.csv --correlation --samples 100 --verbose
    expect_code 0
    expect_in err 'log-likelihood -[0-9.]+ of standardised variables'
    printf 'a,b,c\n1,1,5\n2,2,3\n3,3,9\n4,4,1\n5,5,7\n6,6,2\n7,7,3\n' >copy.csv
    run copy.csv --format json --verbose
    expect_code 0
    expect_in err 'no likelihood: 1 variable is completely determined by its parents, [0-9]+ parameters'
    expect_in out '"log_likelihood": null, "bic": null, "parameters": 7'
    run "$data/tiny.csv" --graph skeleton --format json
    expect_code 0
    expect_not_in err 'Fit:'
    expect_not_in out '"fit"'
}

# Two circles of arrows have no DAG.
check_fit_of_no_dag() {
    "$program" simulate --nodes 40 --parents 3 --samples 200 --seed 2 -o circle.csv
    run circle.csv --orient relaxed --order given --format json --verbose
    expect_code 0
    expect_in err 'the graph stands for no DAG, and this is about one near it'
    expect_in out '"dag": "forced"'
}

check_fit_hint_where_many_edges_are_close_calls() {
    "$program" simulate --nodes 100 --parents 0.5 --samples 1000 --seed 3 -o sparse.csv
    run sparse.csv --format json
    expect_code 0
    expect_in err '[0-9]+ only just passed their tests'
    expect_in out '"close_calls": [0-9]+'
    for words in '--rule and --alpha 0.01' '--alpha 0.01' '--method ges' '--graph skeleton' \
        '--bootstrap 5 --min-frequency 0.5' '--quiet'; do
        # shellcheck disable=SC2086
        run sparse.csv $words
        expect_code 0
        expect_not_in err 'only just passed'
    done
    run "$root/examples/example.csv"
    expect_not_in err 'only just passed'
}
