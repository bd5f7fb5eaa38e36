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
