# Results: the golden files, and the same bytes for any number of threads. Sourced by run.sh.

check_golden_results() { runs golden "$program" "$golden"; }

check_threads_give_the_same_bytes() { runs threads "$program" "$data"; }

check_threads_more_than_the_machine_has() {
    run "$data/dense60.csv" --quiet --max-order 1
    cp "$io/out" plain
    for threads in 7 64 all; do
        run "$data/dense60.csv" --quiet --max-order 1 --threads "$threads"
        expect_code 0
        expect_same plain "$io/out"
    done
}

check_max_order_0() {
    run "$data/dense40.csv" --max-order 0 --format json --quiet
    expect_code 0
    verify levels "$io/out" 1
    run "$data/dense40.csv" --max-order 2 --format json --quiet
    verify levels "$io/out" 3
}

check_min_ess_huge_makes_no_dual_test() {
    run "$data/tiny.csv" --min-ess 1e300 --separating-sets --format json --quiet
    expect_code 0
    expect_in out '"kind": "primal"'
    expect_not_in out '"kind": "(dual|full-s|full-order)"'
}

check_min_ess_inf_is_none_at_all() {
    run "$data/tiny.csv" --min-ess 1e300 --quiet
    cp "$io/out" edges
    run "$data/tiny.csv" --min-ess inf --quiet
    expect_code 0
    expect_same edges "$io/out"
    run "$data/tiny.csv" --min-ess inf --format json --quiet
    expect_in out '"min_ess": null'
}

check_memory_changes_nothing() {
    # more rows than columns: the full-order test has no room for its inverse, and says so
    run "$data/tiny.csv" --memory 0.0001 --quiet
    expect_code 4
    expect_sentence 'needs [0-9.e-]+ GB, and memory allows [0-9.e-]+ GB; min-ess inf goes on without it'
    for words in '--min-ess inf' '--method classic' '--method ges' '--min-ess inf --variant standard --rule and' \
        '--min-ess inf --refine fast' '--min-ess inf --orient majority'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words --quiet
        expect_code 0
        cp "$io/out" edges
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words --memory 0.1K --quiet
        expect_code 0
        expect_same edges "$io/out"
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words --memory 4G --quiet
        expect_same edges "$io/out"
    done
    # fewer rows than columns: nothing is left out, and the JSON is the same
    run "$data/wide150.csv" --memory 1K --separating-sets --format json --quiet
    expect_code 0
    sed '/seconds/,$d' "$io/out" >columns.json
    run "$data/wide150.csv" --separating-sets --format json --quiet
    sed '/seconds/,$d' "$io/out" >whole.json
    expect_same whole.json columns.json
}

check_alpha_dual_is_for_the_dual_tests_only() {
    # next to 0 the full-order tests accept nearly every pair; the classic method has none
    run "$data/tiny.csv" --alpha-dual 1e-300 --quiet
    expect_code 0
    expect_not_in out ' --[->] '
    run "$data/tiny.csv" --method classic --quiet
    cp "$io/out" classic
    run "$data/tiny.csv" --method classic --alpha-dual 1e-300 --quiet
    expect_same classic "$io/out"
}
