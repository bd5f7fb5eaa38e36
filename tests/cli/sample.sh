# dualpc sample and learn --posterior: probabilities, draws, effects, warnings. Sourced by run.sh.

# Eight variables or so many as are asked for, 300 rows: net.csv, and its DAG. Draws of up to 13 are
# exact; more need chains.
small_network() {
    run simulate --nodes "${1:-8}" --parents 1.5 --samples 300 --seed 4 -o net.csv --dag dag.txt
    expect_code 0
}

hold() {
    local wrong
    wrong=$("$python" -SB "$here/sample.py" "$@" 2>&1) || fail "$told, sample.py $1" "$wrong"
}

all_files="-o out.json -o g.txt --probabilities p.csv --graphs g.jsonl --effects e.csv"

check_sample_prints_a_table() {
    small_network
    run sample net.csv
    expect_code 0
    expect_in err 'net.csv: 300 observations of 8 variables'
    expect_in err '4000 DAGs \(4 chains of 1000\)'
    expect_in err 'Convergence: not needed'
    expect_in err 'candidates [0-9.]+, tables [0-9.]+, start [0-9.]+, draws [0-9.]+'
    expect_text <("$python" -SB - "$io/out" dag.txt <<'PY'
import sys
lines = [line.split() for line in open(sys.argv[1])]
print(lines[0])
rows = [(a, b, *map(float, rest)) for a, b, *rest in lines[1:]]
print(all(e >= 0.0995 and abs(f + g - e) < 0.0021 and f >= g for _, _, e, f, g, _ in rows))
print([r[2] for r in rows] == sorted((r[2] for r in rows), reverse=True))
true = {frozenset(line.split()[::2]) for line in open(sys.argv[2]) if "-->" in line}
likely = {frozenset(r[:2]) for r in rows if r[2] >= 0.9}
print(len(true & likely) >= 0.7 * len(true), len(likely - true) <= 2)
PY
    ) $'[\'A\', \'B\', \'edge\', \'A\', \'-->\', \'B\', \'A\', \'<--\', \'B\', \'error\']\nTrue\nTrue\nTrue True'
    run sample net.csv --quiet
    expect_empty err
    run --quiet sample net.csv
    expect_code 0
    expect_empty err
    small_network 15
    run sample net.csv
    expect_code 0
    expect_in err 'R-hat'
}

check_sample_files_agree() {
    small_network
    # shellcheck disable=SC2086
    run sample net.csv --draws 300 --chains 3 --seed 7 $all_files -o g.dot -o g.csv
    expect_code 0
    expect_empty out
    hold files .
    run compare out.json g.txt
    expect_in out 'SHD 0'
    run compare g.dot g.csv
    expect_in out 'SHD 0'
    grep -q 'probability="[01]\.[0-9]*", label="' g.dot || fail "$told" 'expected probabilities in DOT'
    run sample net.csv --draws 300 --chains 3 --seed 7 --format json
    expect_code 0
    sed '/"seconds"/d' out.json | grep -v '"effects"' | head -5 >first.txt
    sed '/"seconds"/d' "$io/out" | head -5 >second.txt
    expect_same first.txt second.txt
}

check_sample_of_a_matrix() {
    small_network
    "$python" -SB - <<'PY' >r.csv
import csv, math
names, *rows = csv.reader(open("net.csv"))
columns = [[float(x) for x in column] for column in zip(*rows)]
centred = [[x - sum(c) / len(c) for x in c] for c in columns]
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
print(",".join(names))
for a in centred:
    print(",".join(repr(dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))) for b in centred))
PY
    # shellcheck disable=SC2086
    run sample r.csv --correlation --samples 300 --draws 1000 --chains 2 $all_files
    expect_code 0
    hold files .
    mv p.csv matrix.csv
    run sample net.csv --draws 1000 --chains 2 --probabilities p.csv
    expect_code 0
    hold same matrix.csv p.csv 0.1
    run sample r.csv --correlation
    expect_code 1
    expect_sentence '--samples'
    run sample net.csv --samples 300
    expect_code 1
    run sample r.csv --correlation --samples 300 --normalize copula
    expect_code 1
    expect_sentence 'normalize'
}

check_sample_is_the_same_for_any_threads() {
    small_network
    local words="--draws 100 --seed 3 --cause V1 --effects e.csv --probabilities p.csv --graphs g.jsonl -o g.dot"
    for threads in 1 1 2 3; do
        # shellcheck disable=SC2086
        run sample net.csv --threads $threads $words
        expect_code 0
        [ -d one ] || { mkdir one && cp p.csv g.jsonl e.csv g.dot one; }
        for file in p.csv g.jsonl e.csv g.dot; do expect_same one/$file $file; done
    done
    run sample net.csv --draws 100 --seed 4 --graphs other.jsonl
    ! cmp -s one/g.jsonl other.jsonl || fail "$told" 'expected other draws from another seed'
}

check_sample_of_permuted_columns() {
    small_network
    "$python" -SB - <<'PY' >turned.csv
import csv
for row in csv.reader(open("net.csv")):
    print(",".join(row[i] for i in (5, 2, 7, 0, 1, 6, 3, 4)))
PY
    run sample net.csv --draws 100 --probabilities p.csv
    run sample turned.csv --draws 100 --probabilities q.csv
    expect_code 0
    hold same p.csv q.csv 1e-9
}

check_sample_options() {
    small_network
    for words in '--score bge' '--score bic' '--prior uniform' '--prior order' '--prior edge:0.2' '--candidates 3' \
        '--chains 1' '--thin 1' '--normalize copula' '--missing rows' '--keep 1-6' '--memory 100' '--verbose'; do
        # shellcheck disable=SC2086
        run sample net.csv --draws 60 $words -o out.json
        expect_code 0
    done
    "$python" -SB - <<'PY' >seen.txt
import json
s = json.load(open("out.json"))["settings"]
print(s["score"], s["prior"], s["candidates"], s["chains"], s["draws"], s["thin"], s["seed"], s["min_probability"])
PY
    run sample net.csv --draws 60 --prior edge:0.2 --score bic --candidates 5 --chains 2 --thin 2 --seed 9 \
        --min-probability 0.8 -o out.json --quiet
    expect_text <("$python" -SB -c '
import json
s = json.load(open("out.json"))["settings"]
print(*[s[k] for k in "score prior edge_probability candidates chains draws thin seed min_probability".split()])
') 'bic edge 0.2 5 2 60 2 9 0.8'
}

check_sample_refuses() {
    small_network
    local words
    while read -r words; do
        # shellcheck disable=SC2086
        run sample net.csv $words
        expect_code 1
        expect_sentence "$(sed 's/ .*//' <<<"$words")"
    done <<'WORDS'
--score aic
--prior flat
--prior edge:0
--prior edge:1.5
--prior edge:
--prior edge:nan
--candidates 0
--candidates 21
--chains 0
--chains 257
--draws 0
--draws many
--thin 0
--min-probability 0
--min-probability 1.1
--probabilities p.json
--effects e.txt
--graphs g.csv
--cause V99
--outcome V99
--seed -1
--timeout 0
--alpha 0.05
--bootstrap 10
--refine fast
WORDS
    run sample net.csv --cause v1
    expect_sentence "did you mean 'V1'"
    run sample
    expect_code 1
    expect_sentence 'no data'
    run sample net.csv other.csv
    expect_code 1
    run sample net.csv -o graph.jpg
    expect_code 1
    run sample net.csv -o g.txt --probabilities net.csv
    expect_code 1
    run sample net.csv --quiet --verbose
    expect_code 1
    run sample nowhere.csv
    expect_code 2
    expect_sentence 'nowhere.csv'
    run sampel net.csv
    expect_sentence "did you mean 'sample'"
    expect_files net.csv dag.txt
}

check_sample_refuses_what_is_no_number() {
    printf 'a,b,c\n' >mixed.csv
    for i in $(seq 60); do echo "$((i * 7 % 11)),$((i * 5 % 13)),$(cut -d' ' -f$((i % 3 + 1)) <<<'red green blue')"; done >>mixed.csv
    run sample mixed.csv
    expect_code 2
    expect_in err "'c'"
    expect_empty out
    run sample mixed.csv --drop c --draws 20
    expect_code 0
    run learn mixed.csv --posterior --draws 20 -o g.json
    expect_code 2
    expect_files mixed.csv
}

check_sample_without_edges() {
    "$python" -SB -c '
import random
random.seed(5)
print("a,b,c,d")
for _ in range(400): print(*[random.gauss(0, 1) for _ in range(4)], sep=",")' >noise.csv
    run sample noise.csv -o g.txt -o g.json --min-probability 0.9
    expect_code 0
    expect_in err 'no edges.*--min-probability'
    expect_text g.txt $'a\nb\nc\nd'
    grep -q '"edges": \[\],' g.json || fail "$told" 'expected no edges'
    run sample noise.csv
    expect_code 0
    expect_in err 'no edge has a probability'
}

check_sample_keeps_to_knowledge() {
    small_network
    printf '{"tiers": [["V8","V7"],["V1","V2","V3","V4","V5","V6"]], "forbidden_edges": [["V1","V2"]]}' >k.json
    run sample net.csv --knowledge k.json --draws 200 --probabilities p.csv --graphs g.jsonl
    expect_code 0
    expect_text <("$python" -SB -c '
import json
bad = 0
for line in open("g.jsonl"):
    for a, b in json.loads(line)["edges"]:
        bad += (b in ("V7", "V8") and a not in ("V7", "V8")) or (a, b) == ("V1", "V2")
print(bad)') 0
    printf '{"required_edges": [["V1","V99"]]}' >k.json
    run sample net.csv --knowledge k.json
    expect_in err "V99"
    [ "$code" != 0 ] || fail "$told" 'expected a failure'
}

check_sample_effects() {
    small_network
    run sample net.csv --cause V1,V2 --outcome V3 --outcome V4 --draws 100 --effects e.csv
    expect_code 0
    expect_text <(cut -d, -f1,2 e.csv) $'cause,outcome\nV1,V3\nV1,V4\nV2,V3\nV2,V4'
    run sample net.csv --cause V2 --draws 100 --quiet
    expect_in out 'cause +outcome +effect'
    run sample net.csv --outcome V2 --draws 100 --effects e.csv
    expect_equal 'effects on V2' 7 "$(grep -c ',V2,' e.csv)"
    run sample net.csv --draws 100 --effects e.csv
    expect_in err 'warning: .*effects.*nonzero'
    expect_equal 'all effects' 57 "$(wc -l <e.csv)"
}

check_sample_of_strange_names() {
    run sample "$data/names.csv" --draws 50 --probabilities p.csv --graphs g.jsonl -o g.json -o g.dot
    expect_code 0
    "$python" -SB -c '
import csv, json
names = set(json.load(open("g.json"))["nodes"])
rows = list(csv.DictReader(open("p.csv", newline="")))
print(len(rows) > 0 and all({r["a"], r["b"]} <= names for r in rows))
print(all(set(sum(json.loads(line)["edges"], [])) <= names for line in open("g.jsonl")))' >seen.txt
    expect_text seen.txt $'True\nTrue'
}

check_sample_timeout() {
    small_network
    run sample net.csv --draws 1000000 --timeout 1e-9 --probabilities p.csv -o out.json
    expect_code 0
    expect_in err 'warning: sampling ended early.*--timeout'
    expect_text <("$python" -SB -c '
import json
told = json.load(open("out.json"))
print(told["complete"], 1 <= told["chains"][0]["draws"] < 1000000, any("early" in w for w in told["warnings"]))') 'False True True'
    run sample net.csv --draws 100 --probabilities q.csv
    run sample net.csv --draws 100 --probabilities r.csv --timeout 10000 -o out.json
    expect_same q.csv r.csv
    grep -q '"complete": true' out.json || fail "$told" 'expected "complete": true'
}

# What is written after a signal: out/p.csv, out/out.json.
expect_some_draws() {
    expect_text "$io/out" 130
    expect_in err 'interrupted after [1-9][0-9]* of 100000 draws'
    grep -q '"complete": false' out/out.json || fail "$told" 'expected "complete": false'
    head -1 out/p.csv | grep -q '^a,b,forward' || fail "$told" 'expected probabilities'
    rm -rf out
}

check_sample_interrupted() {
    small_network 15
    local many="--draws 100000 --thin 200 --probabilities out/p.csv -o out/out.json"
    for command in sample 'learn --posterior'; do
        mkdir out
        told="dualpc $command on a terminal, and Ctrl-C typed"
        # shellcheck disable=SC2086
        "$python" -SB "$here/interrupt.py" --terminal --program "$program" --after 0 \
            --until 'sampling .* [0-9]+ of 100000 draws, [0-9]+ (s|min|h) left' -- $command net.csv $many \
            >"$io/out" 2>"$io/err"
        expect_equal 'lines of the bar that are too long' 0 \
            "$(tr '\r' '\n' <"$io/err" | grep -a 'draws, .* left' | sed 's/\x1b\[K//' | awk 'length > 79' | wc -l)"
        expect_some_draws
    done
    mkdir out
    told='dualpc sample, ended by SIGTERM'
    # shellcheck disable=SC2086
    "$python" -SB "$here/interrupt.py" --watch out --busy 4 --after 0 --signal TERM --program "$program" -- sample net.csv $many \
        >"$io/out" 2>"$io/err"
    expect_some_draws
}

check_posterior_beside_a_graph() {
    small_network
    run net.csv --quiet
    cp "$io/out" plain.txt
    run net.csv --edges plain.csv -o plain.json --quiet
    run net.csv --posterior --draws 200 --chains 2 --seed 5 --edges e.csv --probabilities p.csv --graphs g.jsonl \
        -o g.txt -o g.json -o g.dot
    expect_code 0
    expect_in err 'posterior:.*400 DAGs'
    expect_same plain.txt g.txt
    cut -d, -f1-12 e.csv >old.csv
    expect_same plain.csv old.csv
    expect_text <(head -1 e.csv | cut -d, -f13-) 'probability,forward_probability,backward_probability'
    run sample net.csv --draws 200 --chains 2 --seed 5 --probabilities q.csv
    expect_same p.csv q.csv
    expect_text <("$python" -SB - <<'PY'
import csv, json
told = json.load(open("g.json"))
of = {}
for p in csv.DictReader(open("p.csv")):
    of[p["a"], p["b"]] = p["forward"], p["backward"]
    of[p["b"], p["a"]] = p["backward"], p["forward"]
near = lambda a, b: abs(float(a) - float(b)) < 1e-9
for rows in (told["edges"], list(csv.DictReader(open("e.csv")))):
    print(all(near(e["forward_probability"], of.get((e["from"], e["to"]), (0, 0))[0])
              and near(e["backward_probability"], of.get((e["from"], e["to"]), (0, 0))[1]) for e in rows))
post = told["posterior"]
print(post["settings"]["seed"], len(post["chains"]), post["complete"], "rhat" in post, "ess" in post, len(post["probabilities"]) == len(of) / 2)
print("sample" in told["info"]["seconds"])
PY
    ) $'True\nTrue\n5 2 True True True True\nTrue'
    run net.csv --posterior --draws 50 --bootstrap 10 --edges e.csv -o g.json -o g.dot --quiet
    expect_code 0
    expect_text <(head -1 e.csv | cut -d, -f12-) \
        'undirected,doubtful,probability,forward_probability,backward_probability'
    grep -q 'probability="[0-9.]*", label="' g.dot || fail "$told" 'expected both in DOT'
}

check_posterior_options_need_it() {
    small_network
    for words in '--draws 10' '--chains 2' '--score bic' '--prior uniform' '--candidates 5' '--thin 2' \
        '--probabilities p.csv' '--graphs g.jsonl'; do
        # shellcheck disable=SC2086
        run net.csv $words
        expect_code 1
        expect_sentence "${words%% *}.*--posterior"
    done
    run net.csv --seed 3
    expect_code 1
    expect_sentence '--posterior'
}

check_sample_pictures() {
    small_network
    run sample net.csv --draws 100 -o g.svg -o g.png -o g.pdf -o g.html
    expect_code 0
    grep -q 'probability' g.svg || fail "$told" 'expected a legend about probabilities'
    ! grep -q 'resample' g.svg || fail "$told" 'expected no resamples'
    expect_equal 'a PNG' $'\x89PNG' "$(head -c 4 g.png)"
    grep -q '"probabilities"' g.html || fail "$told" 'expected probabilities in the report'
    run learn net.csv --posterior --draws 50 -o g.svg --quiet
    expect_code 0
    grep -q 'probability' g.svg || fail "$told" 'expected a legend about probabilities'
}
