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
        '--refine full --timeout 0' '--refine full --memory 0'; do
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
