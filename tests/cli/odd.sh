# Odd but legal: numbers, names and usages at the edge. Sourced by run.sh.

# FILE: gives the same graph as tiny.csv.
expect_like_tiny() {
    run "$data/tiny.csv" --quiet --alpha 0.1 --format csv
    tail -n +2 "$io/out" >plain
    run "$@" --quiet --alpha 0.1 --format csv
    expect_code 0
    tail -n +2 "$io/out" >seen
    expect_same plain seen
}

check_odd_huge_numbers() { expect_like_tiny "$data/huge.csv"; }
check_odd_tiny_numbers() { expect_like_tiny "$data/minute.csv"; }
check_odd_shifted_numbers() { expect_like_tiny "$data/shifted.csv"; }
check_odd_number_spellings() { expect_like_tiny "$data/spellings.csv"; }

check_odd_integers_and_booleans_as_numbers() {
    run "$data/integers.csv"
    expect_code 0
    expect_in err '200 observations of 20 variables'
}

check_odd_file_names() {
    cp "$data/tiny.csv" 'with blank.csv'
    cp "$data/tiny.csv" ./-dash.csv
    cp "$data/tiny.csv" learn
    run "$data/tiny.csv" --quiet
    cp "$io/out" plain
    run 'with blank.csv' --quiet
    expect_same plain "$io/out"
    run --quiet -- -dash.csv
    expect_code 0
    expect_same plain "$io/out"
    run learn --quiet -- -dash.csv
    expect_same plain "$io/out"
    run learn learn --quiet
    expect_code 0
    expect_same plain "$io/out"
}

check_odd_last_value_wins() {
    run "$data/tiny.csv" --quiet --alpha 0.01 --format csv
    cp "$io/out" plain
    run "$data/tiny.csv" --quiet --alpha 0.5 --format txt --alpha 0.01 --format csv
    expect_code 0
    expect_same plain "$io/out"
}

check_odd_value_looks_like_an_option() {
    run "$data/tiny.csv" --alpha --quiet
    expect_code 1
    expect_sentence '--alpha'
}

check_odd_permuted_columns_give_the_permuted_skeleton() {
    run "$data/dense40.csv" --graph skeleton --quiet -o plain.txt
    run "$data/dense40-reversed.csv" --graph skeleton --quiet -o reversed.txt
    expect_code 0
    verify skeletons plain.txt reversed.txt
}

check_odd_many_rows() {
    # a long table, read in parts
    run "$data/long.csv" --quiet --format json
    expect_code 0
    verify levels "$io/out" any 100000
}

check_odd_one_more_line_break_in_a_quoted_cell() {
    # a row name over two lines does not shift the count of lines
    printf ',a,b,c\n"x\ny",1,2,3\nz,4,oops,6\n' >t.csv
    run t.csv
    expect_code 2
    expect_in err "'b'.*'oops'.*line 4[^0-9]"
}
