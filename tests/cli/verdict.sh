# The verdict at the start of the summary, its advice, and --verbose. Sourced by run.sh.

check_verdict_comes_first() {
    run "$root/examples/example.csv" -o g.json
    expect_code 0
    expect_in err '^[^ ]+: 500 observations of 12 variables +Found: 13 edges, 9 directed, 4 undirected.* +Fit: fair.*V6 and V12 .z = 22\.5.* +Directions: of 9 arrows'
    expect_in err '(Try|Also tried) --refine fast: [0-9]+ more edge.*predicts held-out rows better by [0-9.]+ a row .standard error [0-9.]+.*contradicted independencies 5 → [0-9]'
    expect_in err '--rule and --alpha 0\.01: '
    expect_not_in err 'level|highest order|min-ess'
    expect_text <("$python" -SB - g.json "$io/err" <<'END'
import json, re, sys
report, text = json.load(open(sys.argv[1])), open(sys.argv[2], encoding="utf-8").read()
v, fit = report["verdict"], report["fit"]
marks = [e["mark"] for e in report["edges"]]
print(v["edges"] == len(marks), v["directed"] == marks.count("-->"), v["undirected"] == marks.count("---"))
print(v["contradicted"] == fit["exceed"], v["implied"] == fit["implied"] - fit["untested"], v["fit"])
evidence = [e["evidence"] for e in report["edges"] if e["mark"] == "-->"]
print(v["arrows"]["strong"] == sum(e >= 3 for e in evidence), v["arrows"]["weak"] == sum(0 <= e < 3 for e in evidence))
by = {a["options"]: a for a in v["advice"]}
print(sorted(by), sum(a["advised"] for a in by.values()))
for a in by.values():
    h = a["held_out"]
    assert abs(h["then"] - h["now"] - h["gain"]) < 1e-12 and h["rows"] == 500, h
    assert (h["gain"] > 2 * h["se"]) == (h["verdict"] == "better"), h
    assert a["edges"] - len(marks) == a["added"] - a["removed"], a
columns = v["assumptions"]["columns"]
print([c["name"] for c in columns] == report["nodes"], any(c["skewed"] for c in columns))
END
    ) $'True True True\nTrue True fair\nTrue True\n[\'--refine fast\', \'--rule and --alpha 0.01\'] 1\nTrue False'
}

check_verdict_does_not_depend_on_the_threads() {
    for table in "$data/tiny.csv" "$root/examples/example.csv"; do
        for threads in 1 3; do
            run "$table" --threads $threads --format json
            expect_code 0
            grep -v seconds "$io/err" >"err.$threads"
            sed '/"seconds"/d' "$io/out" >"out.$threads"
        done
        expect_same err.1 err.3
        expect_same out.1 out.3
    done
}

# Where a hidden cause explains what no arrow does, and only there.
check_verdict_hints_at_hidden_causes() {
    local said='a hidden common cause of sleep and mood explains the data better than an arrow between them'
    for words in '' '--refine full' '--refine fast' '--method ges' '--threads 1' '--normalize copula'; do
        # shellcheck disable=SC2086
        run "$root/examples/hidden.csv" $words --format json
        expect_code 0
        expect_in err "Try --latent search: $said"
        expect_in out '"hidden": \{"options": "--latent search", "advised": true, "from": "sleep", "to": "mood", "lost": [0-9.]+, "gain": [0-9.]+\}'
    done
    # the same with the columns rearranged
    awk -F, -v OFS=, '{ print $4, $2, $5, $1, $3 }' "$root/examples/hidden.csv" >moved.csv
    run moved.csv
    expect_in err 'Try --latent search: a hidden common cause of (sleep and mood|mood and sleep) '
    for words in '--no-advice' '--latent' '--graph skeleton'; do
        # shellcheck disable=SC2086
        run "$root/examples/hidden.csv" $words
        expect_code 0
        expect_not_in err 'Try --latent'
    done
    run "$root/examples/example.csv" --format json
    expect_not_in err 'Try --latent'
    expect_in out '"hidden": \{"options": "--latent search", "advised": false, "gain": '
}

check_verdict_without_advice() {
    run "$root/examples/example.csv" --no-advice --format json
    expect_code 0
    expect_in err 'Found: .*Fit: .*Directions: '
    expect_not_in err 'Try|tried|Next'
    expect_not_in out '"advice"'
    run "$root/examples/example.csv" --quiet --format json
    expect_empty err
    expect_not_in out '"advice"'
    expect_in out '"assumptions"'
    for words in '--advice --no-advice' '--advice --quiet' '--verbose --quiet'; do
        # shellcheck disable=SC2086
        run "$root/examples/example.csv" $words
        expect_code 1
    done
    # a matrix has no rows to hold out, and a limit of time none to spare
    printf 'a,b,c\n1,0.6,0.3\n0.6,1,0.5\n0.3,0.5,1\n' >matrix.csv
    run matrix.csv --correlation --samples 100
    expect_code 0
    expect_in err 'Found: 2 edges'
    expect_not_in err 'held-out'
    run "$root/examples/example.csv" --timeout 60
    expect_not_in err 'held-out'
}

check_verdict_leaves_out_what_takes_long() {
    "$program" simulate --nodes 210 --parents 0.5 --samples 300 --seed 1 -o wide.csv
    run wide.csv
    expect_code 0
    expect_in err 'not measured, because the table is large; --advice measures them'
    run wide.csv --advice
    expect_code 0
    expect_in err '(Try|Also tried) --refine fast: .*held-out rows'
    printf 'a,b,c\n' >few.csv
    awk 'BEGIN { srand(1); for (i = 0; i < 30; i++) print rand() "," rand() "," rand() }' >>few.csv
    run few.csv
    expect_code 0
    expect_in err 'fewer than 40 rows are complete'
}

check_verdict_of_a_refined_graph() {
    run "$data/tiny.csv" --refine fast
    expect_code 0
    expect_in err 'Directions: of [0-9]+ arrows, none has evidence of its own'
    expect_in err '(Try|Also tried) --refine none: '
    run "$data/tiny.csv" --method ges
    expect_in err '(Try|Also tried) --method dual --refine fast: '
}

check_verdict_on_assumptions() {
    awk 'function g() { return sqrt(-2 * log(1 - rand())) * cos(6.283185 * rand()) }
         BEGIN { srand(5); print "dose,blood,curve,pressure"
                 for (i = 0; i < 400; i++) { x = g()
                     print x "," exp(1.5 * (x + g())) "," x * x + x + 0.3 * g() "," (i % 12 == 0 ? 0 : 80 + 9 * g()) } }' >odd.csv
    run odd.csv --format json --verbose
    expect_code 0
    expect_in err 'Data: [0-9] of 4 variables .*skewed or ha.* heavy tails .*blood.*--normalize copula'
    expect_in err 'Data: 0 may stand for a missing cell in 1 variable .pressure 34 times, next value [4-7][0-9]'
    expect_in err 'Data: [0-9] of [0-9] edges (is|are) curved'
    expect_in err 'skewness +kurtosis +lag 1 +variable'
    expect_in out '"suspicious_zeros": 34'
    run odd.csv --normalize copula
    expect_not_in err 'heavy tails'
}

# Real tables, where they are.
check_verdict_of_real_tables() {
    shared=${DUALPC_SHARED:-$root/../shared}/data
    [ -d "$shared" ] || return 0
    run "$shared/pima-diabetes.mixed.maximum.2.txt"
    expect_in err '0 may stand for a missing cell in 5 variables .Glucose 5 times.*BloodPressure 35 times.*SkinThickness 227 times.*Insulin 374 times'
    run "$shared/winequality-red.continuous.txt"
    expect_in err 'Fit: poor.*Try --refine fast: .*better by 0\.[0-9]+ a row'
    expect_not_in err 'missing cell'
    run "$shared/drybean.data.mixed.numeric.txt" --no-advice
    expect_in err 'consecutive rows are similar in 14 of 17 columns .*groups .*hidden common cause'
}

check_doubtful_arrows() {
    run "$data/tiny.csv" --bootstrap 40 --edges e.csv -o g.json -o g.dot
    expect_code 0
    expect_text <("$python" -SB - e.csv g.json g.dot "$io/err" <<'END'
import csv, json, re, sys
rows = list(csv.DictReader(open(sys.argv[1])))
told, dot, err = json.load(open(sys.argv[2])), open(sys.argv[3]).read(), open(sys.argv[4]).read()
doubtful = {(r["from"], r["to"]) for r in rows if r["mark"] == "-->" and float(r["backward"]) > float(r["forward"])}
print(len(doubtful) > 0, doubtful == {(r["from"], r["to"]) for r in rows if r["doubtful"] == "yes"})
print(doubtful == {(e["from"], e["to"]) for e in told["edges"] if e.get("doubtful")})
dashed = set(re.findall(r'"(.*?)" -> "(.*?)" \[.*dashed', dot))
against = {(r["from"], r["to"]) for r in rows if r["evidence"] and float(r["evidence"]) < 0}
print(dashed == doubtful | against)
print(told["verdict"]["arrows"]["doubtful"] == len(doubtful), f"Doubtful: {len(doubtful)} arrow" in err)
END
    ) $'True True\nTrue\nTrue\nTrue True'
    run "$data/tiny.csv" --edges e.csv --quiet
    expect_equal header 'from,to,mark,r,low,high,p,evidence,edge,forward,backward,undirected' "$(head -1 e.csv)"
}
