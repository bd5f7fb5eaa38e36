# --refine. Sourced by run.sh.

check_refine_finds_the_example() {
    for how in fast full; do
        run "$root/examples/example.csv" --refine $how --verbose
        expect_code 0
        expect_in err 'AND rule, Fisher z, alpha 0.01'
        expect_in err "refinement \\($how\\): [0-9]+ edges? added, [0-9]+ removed, [0-9]+ reoriented; score .* .penalty per edge"
        expect_in err 'seconds: .*refine [0-9.]+, '
        cp "$io/out" found
        expect_same "$root/examples/example-truth.txt" found
    done
}

check_refine_exact_says_so() {
    for how in full exact; do
        run "$root/examples/example.csv" --refine $how
        expect_code 0
        expect_in err 'No DAG scores higher: the search was exact\.'
        cp "$io/out" found
        expect_same "$root/examples/example-truth.txt" found
        run "$root/examples/example.csv" --refine $how --format json --quiet
        expect_in out '"optimality": "global"'
    done
    run "$root/examples/example.csv" --refine exact -o methods.html -o graph.json --quiet
    expect_code 0
    grep -q 'Silander and Myllym' methods.html || fail "$told" 'expected in the report: Silander and Myllymäki'
    run "$root/examples/example.csv" --refine fast --format json --quiet
    expect_not_in out '"optimality": "global"'
    run "$root/examples/example.csv" --refine exact --timeout 1e-9 --no-advice --format json
    expect_in out '"optimality": "unknown"'
    expect_not_in err 'No DAG'
    printf '/knowledge\n\nrequiredirect\nV1 V5\n' >known.txt
    run "$root/examples/example.csv" --refine exact --knowledge known.txt
    expect_in err 'No DAG that respects the knowledge scores higher'
    expect_in out 'V1 --> V5'
}

check_refine_exact_refuses_what_it_cannot_do() {
    run simulate --nodes 34 --samples 200 -o many.csv
    run many.csv --refine exact
    expect_code 1
    expect_sentence 'refine exact searches all DAGs, of at most 20 variables; the data have 34\. Use refine full'
    run simulate --nodes 20 --samples 200 -o twenty.csv
    run twenty.csv --refine exact --memory 50
    expect_code 4
    expect_sentence 'refine exact of 20 variables needs 93 MB, and memory allows 50 MB'
    run twenty.csv --refine exact --restarts 2
    expect_code 1
    expect_sentence '--restarts has no meaning for --refine exact'
    run twenty.csv --refine exact --quiet --threads 1
    cp "$io/out" one
    run twenty.csv --refine exact --quiet --threads 2 --seed 5
    expect_same one "$io/out"
}

refined() { # member, of refine in the JSON on standard output
    "$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["refine"][sys.argv[2]])' "$io/out" "$1"
}

check_refine_fast_says_where_full_may_find_more() {
    run simulate --nodes 60 --samples 50 -o wide.csv --quiet
    run wide.csv --refine fast --no-advice
    expect_code 0
    expect_in err 'Locally optimal: no single addition, deletion, reversal or swap'
    expect_in err 'Try --refine full: with fewer rows than variables'
    run wide.csv --refine full --no-advice
    expect_not_in err 'Try --refine full'
    run simulate --nodes 100 --samples 1000 --structure hubs -o hubs.csv --quiet
    run hubs.csv --refine fast --no-advice
    expect_in err 'Try --refine full: around variables with many neighbours \(V[0-9]+ has [0-9]+\)'
    run hubs.csv --refine fast --quiet --format json
    [ "$(refined doubt)" = hub ] || fail "$told" 'expected the doubt "hub" in JSON'
    run "$root/examples/example.csv" --refine fast --quiet --format json
    [ "$(refined doubt)" = none ] || fail "$told" 'expected no doubt in JSON'
}

# Tables on which a fast graph could be improved by one more edge, and a full one scored below it.
check_refine_full_is_never_below_fast() {
    local table
    run simulate --nodes 20 --samples 1000 --parents 2 --seed 355 -o one.csv --quiet
    run simulate --nodes 25 --samples 3000 --parents 3.6 --seed 719470 --weights 0.2,1.5 -o two.csv --quiet
    run simulate --nodes 30 --samples 1000 --parents 4 --seed 622179 -o three.csv --quiet
    for table in one two three; do
        run $table.csv --refine fast --quiet --format json
        [ "$(refined optimality)" = local ] || fail "$told" "expected a local optimum on $table"
        refined score_after >fast; refined price >price
        run $table.csv --refine full --quiet --format json
        refined score_after >full; refined price >price-full
        expect_same price price-full
        "$python" -c 'import sys; sys.exit(float(open("full").read()) < float(open("fast").read()) - 1e-6)' ||
            fail "$told" "full scores below fast on $table"
    done
}

check_refine_restarts_are_as_many_as_asked_for() {
    run simulate --nodes 20 --samples 500 -o twenty.csv --quiet
    for count in 0 7; do
        run twenty.csv --refine full --restarts $count --quiet --format json
        expect_code 0
        [ "$(refined restarts)" = $count ] || fail "$told" "expected $count restarts"
    done
    run twenty.csv --refine full --restarts auto --quiet --format json
    expect_code 0
    [ "$(refined restarts)" -ge 20 ] || fail "$told" 'expected 20 restarts or more'
}

check_refine_starts_where_the_user_says() {
    run "$data/tiny.csv" --refine fast --alpha 0.2 --verbose
    expect_in err 'AND rule, Fisher z, alpha 0.2'
    run "$data/tiny.csv" --rule or --refine fast --verbose
    expect_in err 'Fisher z, alpha 0.01'
    expect_not_in err 'AND rule'
}

check_refine_json_tells_what_changed() {
    run "$data/tiny.csv" --refine full --restarts 2 --seed 7 --format json --quiet
    expect_code 0
    expect_text <("$python" -c '
import json, sys
r = json.load(open(sys.argv[1]))["refine"]
print(r["search"], r["seed"], r["complete"], r["score_after"] >= r["score_before"], r["price"] > 0)
print(all(c["change"] in ("added", "removed", "turned") and c["before"] != c["after"] for c in r["changes"]))
print(all((c["gain"] > 0) or c["change"] == "removed" for c in r["changes"]))
' "$io/out") $'full 7 True True True\nTrue\nTrue'
}

check_refine_is_the_same_on_any_number_of_threads() {
    run "$data/tiny.csv" --refine full --threads 1 --quiet
    cp "$io/out" one
    run "$data/tiny.csv" --refine full --threads 3 --memory 0.01 --quiet
    expect_same one "$io/out"
}

check_refine_at_its_end_gives_what_it_has() {
    run "$data/tiny.csv" --refine full --timeout 1e-9 -o out.json -o out.txt
    expect_code 0
    expect_in err 'ended before it was done'
    grep -q '"complete": false' out.json || fail "$told" 'expected: "complete": false'
}

check_refine_keeps_to_the_knowledge() {
    # five variables and one required edge: on other programs a search that does not end
    run simulate --nodes 5 --samples 200 --parents 1 -o five.csv
    printf '/knowledge\n\naddtemporal\n1 V1 V2 V3\n2 V4 V5\n\nforbiddirect\n\nrequiredirect\nV1 V5\n' >known.txt
    for how in fast full; do
        run five.csv --knowledge known.txt --refine $how
        expect_code 0
        expect_in out 'V1 --> V5'
        expect_not_in out 'V[45] --> V[123]'
    done
}

check_refine_resamples_too() {
    run "$data/tiny.csv" --refine fast --bootstrap 10 --min-frequency 0.5
    expect_code 0
    expect_in err 'refinement \(fast\).*bootstrap: 10 resamples'
}

check_refine_explains_by_the_score() {
    run "$data/tiny.csv" --refine fast --explain all --quiet
    expect_code 0
    expect_in err 'it adds [0-9.]+ to the score'
}

check_refine_is_not_for_everything() {
    for words in '--method ges --refine fast' '--refine fast --min-evidence 1' '--restarts 3' \
        '--memory 3X' '--memory G' '--refine fast --restarts 3' '--seed 3' '--refine slow' '--refine full --restarts -1' \
        '--refine full --timeout 0' '--refine full --memory 0' '--refine exact --restarts 2' '--method ges --refine exact'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words
        expect_code 1
        expect_empty out
    done
    run "$data/tiny.csv" --refine fast --separating-sets --format json
    expect_code 1
    expect_in err 'separating-sets tells of tests, and with --refine a score decides'
}

# Every row six times: an edge is paid for by what they are worth once.
check_refine_counts_independent_rows() {
    (head -1 "$data/tiny.csv"; for i in 1 2 3 4 5 6; do tail -n +2 "$data/tiny.csv"; done) > repeated.csv
    for how in "--refine fast" "--method ges"; do
        run repeated.csv $how
        expect_code 0
        expect_in err 'warning: the [0-9]+ rows carry about as much information as [0-9]+ independent rows: '
        run repeated.csv $how --format json --quiet
        expect_text <("$python" -c '
import json, sys
r = json.load(open(sys.argv[1]))
print(3 < r["n_obs"] / r["info"]["effective_rows"] < 12, "independent rows" in r["info"]["warnings"][-1])
' "$io/out") 'True True'
        run repeated.csv $how --penalty 1
        expect_not_in err 'independent rows'
        run "$data/tiny.csv" $how --format json --quiet
        expect_not_in out 'effective_rows'
    done
}

# A dense graph, on which the fast search ends far from the optimum at EBIC, 7.37: its small gains are
# no reason for a lower price.
check_refine_price_of_a_dense_graph() {
    for seed in 20001 20005; do
        run simulate --nodes 50 --samples 1000 --parents 4 --seed $seed --quiet -o dense.csv
        run dense.csv --refine fast
        expect_code 0
        expect_in err 'penalty per edge 8\.37'
    done
}
