# Singular data: the run goes to its end, keeps what it cannot test, and says so. Sourced by run.sh.

# FILE [options]: ends well, counts the singular cases, tells them in the summary.
singular() {
    run "$@" --verbose -o x.json -o x.txt
    expect_code 0
    expect_in err 'could not be inverted|impossible because of collinear columns'
    verify singular x.json
}

check_singular_duplicates() {
    for method in dual classic precision; do
        for variant in stable standard; do
            singular "$data/duplicate.csv" --method "$method" --variant "$variant"
            grep -qE '^first --[->] twin$|^twin --> first$' x.txt ||
                fail "$told" "expected the edge between first and twin" "saw: $(head -5 x.txt)"
        done
    done
}

check_singular_collinear() {
    for method in dual precision; do
        singular "$data/combination.csv" --method "$method"
    done
    run "$data/combination.csv" --method classic
    expect_code 0
}

check_singular_all_columns_equal() {
    for method in dual classic precision; do
        singular "$data/all-equal.csv" --method "$method"
        expect_equal edges 15 "$(wc -l <x.txt)"
    done
}

check_singular_more_columns_than_rows() {
    # neighbourhoods of more nodes than there are observations: T does not exist, and that is counted
    singular "$data/common-cause.csv" --method dual --max-order 2 --min-ess 0
    for method in classic precision; do
        run "$data/common-cause.csv" --method "$method" --max-order 2 --min-ess 0
        expect_code 0
    done
}

check_singular_wide_data_end() {
    for method in dual classic precision; do
        run "$data/wide150.csv" --method "$method" --quiet
        expect_code 0
        expect_in out ' --[->] '
    done
}

check_singular_matrix() {
    printf 'a,b,c,d\n1,1,.5,.2\n1,1,.5,.2\n.5,.5,1,.3\n.2,.2,.3,1\n' >m.csv
    singular m.csv --correlation --samples 1000
    grep -q '^a --- b$' x.txt || fail "$told" "expected a --- b" "saw: $(cat x.txt)"
}

check_singular_copies_are_named() {
    run "$data/duplicate.csv" -o x.json --separating-sets
    expect_code 0
    expect_in err '1 column is a copy of another and was not tested; it has the edges'
    verify copies x.json twin=first
    run "$data/negative.csv" -o x.json --quiet
    verify copies x.json mirror=first
    run "$data/tiny.csv" -o x.json --quiet
    verify copies x.json
    run "$data/duplicate.csv" --explain twin,second
    expect_in err 'twin is a copy of first, which was tested in its place'
    run "$data/duplicate.csv" --explain twin,first
    expect_in err 'twin is a copy of first, which was tested in its place'
    run "$data/duplicate.csv" --explain first,second
    expect_not_in err 'tested in its place'
}

check_singular_copies_have_the_same_edges() {
    run "$data/duplicate.csv" --quiet -o x.txt
    expect_equal edges 1 "$(grep -cE '^(first .* second|second .* first)$' x.txt)"
    expect_equal edges 1 "$(grep -cE '^(twin .* second|second .* twin)$' x.txt)"
}

# As many tests as without the copies, whatever they are made by.
check_singular_many_copies() {
    for method in dual classic precision; do
        for variant in stable standard; do
            run "$data/many-copies.csv" --method "$method" --variant "$variant" --quiet -o x.json
            expect_code 0
            verify few_tests x.json 20000
        done
    done
    for more in '--refine fast' '--refine full' '--method ges' '--bootstrap 3' '--rule and'; do
        # shellcheck disable=SC2086
        run "$data/many-copies.csv" $more --quiet
        expect_code 0
    done
}

check_singular_noisy_copies() {
    for method in dual classic precision; do
        run "$data/noisy-copies.csv" --method "$method" --quiet -o x.json
        expect_code 0
        verify few_tests x.json 20000000
    done
    for more in '--refine fast' '--refine full' '--method ges'; do
        # shellcheck disable=SC2086
        run "$data/noisy-copies.csv" $more --quiet
        expect_code 0
    done
}

# A long chain whose later variables are nearly copies of each other.
check_singular_chain() {
    run simulate --nodes 100 --samples 500 --structure chain --weights 0.8,2 --seed 5 --quiet -o chain.csv
    expect_code 0
    for more in '--method dual' '--method classic' '--method precision' '--refine fast' '--refine full'; do
        # shellcheck disable=SC2086
        run chain.csv $more -o x.json
        expect_code 0
        verify few_tests x.json 20000000
        grep -q '"copies": ' x.json || fail "$told" "expected columns that are copies"
    done
}

# A cause with many effects is more work than the start of a refinement is worth.
check_singular_start() {
    run "$data/star.csv" --correlation --samples 100000 --keep 1-40 --refine fast -o x.json
    expect_code 0
    expect_in err 'refinement started from the tests up to level'
    grep -q '"start_ended": ' x.json || fail "$told" "expected start_ended in JSON"
}
