# --timeout: what there is when the time is up. Sourced by run.sh. With no time at all, and with more than enough; what lies
# between is the business of tests/property/test_timeout.c, whose clock is its own.

check_timeout_leaves_a_graph() {
    for words in '--method dual' '--method classic' '--method precision' '--method dual --variant standard' \
        '--method ges' '--rule and' '--orient relaxed' '--orient majority' '--orient conservative' '--refine fast' \
        '--refine full' '--graph skeleton' '--graph pattern'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words --timeout 1e-9 -o out.json
        expect_code 0
        expect_in err 'time limit reached before the search was done'
        grep -q '^  "complete": false' out.json || fail "$told" "expected \"complete\": false of $words"
    done
}

check_timeout_of_tests_is_level_0() {
    for words in '' '--variant standard' '--method classic' '--method precision --rule and'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words --graph skeleton --max-order 0 --quiet
        cp "$io/out" zero.txt
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words --graph skeleton --timeout 1e-9 --quiet
        expect_same zero.txt "$io/out"
    done
}

check_timeout_that_is_enough_changes_nothing() {
    for words in '' '--method ges' '--orient majority' '--refine fast' '--bootstrap 5 --min-frequency 0.5'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words --quiet
        cp "$io/out" without.txt
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words --timeout 10000 -o out.json -o with.txt
        expect_code 0
        expect_not_in err 'the time was up'
        expect_same without.txt with.txt
        grep -q '^  "complete": true' out.json || fail "$told" 'expected "complete": true'
    done
    run "$data/tiny.csv" --format json
    expect_not_in out '"complete"'
}

check_timeout_of_resamples() {
    run "$data/tiny.csv" --bootstrap 50 --timeout 1e-9 --effects effects.csv --frequencies f.csv --min-frequency 0.5 \
        -o out.json
    expect_code 0
    expect_in err 'time limit reached after 1 of 50 resamples'
    python3 -c '
import json
told = json.load(open("out.json"))
print(told["complete"], told["bootstrap"]["resamples"], told["bootstrap"]["asked"])
print(all(f["edge"] == 1 for f in told["bootstrap"]["frequencies"]))
' >seen.txt
    expect_text seen.txt $'False 1 50\nTrue'
}

check_timeout_is_a_time() {
    for seconds in 0 -1 soon 1e999; do
        run "$data/tiny.csv" --timeout $seconds
        expect_code 1
        expect_in err 'timeout (must be|needs a number)'
        expect_empty out
    done
    run "$data/tiny.csv" --timeout none --quiet
    expect_code 0
}
