# The rules by which an edge goes. Sourced by run.sh.

check_rule_or_is_the_default() {
    run "$data/dense40.csv" --quiet
    expect_code 0
    cp "$io/out" default
    run "$data/dense40.csv" --quiet --rule or
    expect_same default "$io/out"
    run "$data/dense40.csv" --rule or --verbose
    expect_not_in err 'AND rule'
}

check_rule_and_is_told() {
    run "$data/tiny.csv" --rule and --verbose
    expect_code 0
    expect_in err 'dual PC, stable, AND rule, Fisher z, alpha 0\.05'
    run "$data/tiny.csv" --rule and --format json --quiet
    verify settings "$io/out" rule '"and"' variant '"stable"'
    run "$data/tiny.csv" --format json --quiet
    verify settings "$io/out" rule '"or"'
}

# Counts, sets, r and p, as without the rule.
check_rule_and_json_holds_what_the_contract_says() {
    for settings in "--method dual" "--method dual --test t --variant standard" \
        "--method classic --variant standard" "--method classic --max-order 2" \
        "--method precision --alpha-dual 0.3 --graph pattern" "--min-ess 3"; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $settings --rule and --alpha 0.1 --quiet --separating-sets --format json
        expect_code 0
        # shellcheck disable=SC2086
        verify json "$data/tiny.csv" "$io/out" --rule and --alpha 0.1 $settings
    done
    run "$data/dense40.csv" --rule and --quiet --separating-sets --format json
    verify json "$data/dense40.csv" "$io/out" --rule and
}

# V1 and V3 are separated at level 0. Given V1, r of V2 and V3 is 0.115, below 0.124: V2 can ask that,
# V3 has no other neighbour to ask with.
check_rule_and_needs_both_ends() {
    printf '1,0.9,0.1\n0.9,1,0.14\n0.1,0.14,1\n' >matrix.csv
    for rule in or and; do
        run matrix.csv --correlation --samples 250 --method classic --graph skeleton --quiet --rule "$rule"
        expect_code 0
        cp "$io/out" "$rule"
    done
    expect_text or $'V1 --- V2\nV3'
    expect_text and $'V1 --- V2\nV2 --- V3'
}

check_rule_and_threads_give_the_same_bytes() {
    for variant in stable standard; do
        run "$data/dense60.csv" --rule and --variant "$variant" --threads 1 --quiet
        expect_code 0
        cp "$io/out" one
        for threads in 2 3; do
            run "$data/dense60.csv" --rule and --variant "$variant" --threads "$threads" --quiet
            expect_same one "$io/out"
        done
    done
}

check_rule_is_checked() {
    run "$data/tiny.csv" --rule xor
    expect_code 1
    expect_sentence "--rule must be one of or, and, not 'xor'"
    run "$data/tiny.csv" --rule and --method ges
    expect_code 1
    expect_sentence '--rule and goes with the PC algorithms'
    run "$data/tiny.csv" --rule or --method ges --quiet
    expect_code 0
}
