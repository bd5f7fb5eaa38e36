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

check_alpha_dual_is_for_the_dual_tests_only() {
    # next to 0 the full-order tests accept nearly every pair; the classic method has none
    run "$data/tiny.csv" --alpha-dual 1e-300 --quiet
    expect_code 0
    expect_empty out
    run "$data/tiny.csv" --method classic --quiet
    cp "$io/out" classic
    run "$data/tiny.csv" --method classic --alpha-dual 1e-300 --quiet
    expect_same classic "$io/out"
}
