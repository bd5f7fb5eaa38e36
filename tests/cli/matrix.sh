# Correlation and covariance matrices as data. Sourced by run.sh.

check_matrix_gives_the_graph_of_the_table() {
    for settings in '--method dual --alpha 0.1' '--method classic --test t' '--method precision --variant standard'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $settings --quiet --format csv
        cp "$io/out" table
        for matrix in correlation covariance matrix-rownames matrix-tabs; do
            # shellcheck disable=SC2086
            run "$data/$matrix.csv" --correlation --samples 200 $settings --quiet --format csv
            expect_code 0
            expect_same table "$io/out"
        done
    done
}

check_matrix_without_names() {
    run "$data/matrix-bare.csv" --correlation --samples 200 --quiet --format csv
    expect_code 0
    tail -n +2 "$io/out" >bare
    run "$data/tiny.csv" --quiet --format csv
    tail -n +2 "$io/out" >table
    expect_same table bare
}

# Lines of a matrix, then options: how it ends.
matrix() {
    printf '%s\n' "${1//\//$'\n'}" >m.csv
    shift
    run m.csv --correlation "$@"
}

check_matrix_of_two() {
    for samples in 50 1e15 1000000000000000; do
        matrix 'a,b/1,0.5/0.5,1' --samples "$samples" --quiet
        expect_code 0
        expect_text "$io/out" 'a --- b'
    done
    matrix 'a,b/1,0.1/0.1,1' --samples 50 --quiet
    expect_code 0
    expect_text "$io/out" $'a\nb'
    matrix '1,0.5/0.5,1' --samples 50 --quiet
    expect_code 0
    expect_text "$io/out" 'V1 --- V2'
    matrix 'a,b/1,1/1,1' --samples 50 --quiet
    expect_code 0
    expect_text "$io/out" 'a --- b'
}

check_table_of_two() {
    cut -d, -f1-2 "$data/tiny.csv" >t.csv
    for method in dual classic precision; do
        run t.csv --quiet --method "$method" --format json --separating-sets
        expect_code 0
        verify json t.csv "$io/out" --method "$method"
    done
}

check_matrix_of_very_many_samples() {
    # 1e15 samples see a correlation of 1e-6, and do not see one of 1e-9
    for test in z t; do
        matrix 'a,b,c/1,1e-6,0/1e-6,1,1e-9/0,1e-9,1' --samples 1e15 --quiet --test "$test"
        expect_code 0
        expect_text "$io/out" $'a --- b\nc'
    done
}

check_matrix_at_the_smallest_level() {
    # at 1e-300 with 103 samples the critical values are 0.998794 (z) and 0.9999994 (t)
    for test in z t; do
        matrix 'a,b,c/1,0.9999999,0/0.9999999,1,0/0,0,1' --samples 103 --alpha 1e-300 --quiet --test "$test"
        expect_code 0
        expect_text "$io/out" $'a --- b\nc'
        matrix 'a,b,c/1,0.998,0/0.998,1,0/0,0,1' --samples 103 --alpha 1e-300 --quiet --test "$test"
        expect_code 0
        expect_text "$io/out" $'a\nb\nc'
        matrix 'a,b/1,0.9/0.9,1' --samples 4 --alpha 1e-300 --quiet --test "$test"
        expect_code 0
        expect_text "$io/out" $'a\nb'
        matrix 'a,b/1,1e-5/1e-5,1' --samples 1e15 --alpha 1e-300 --quiet --test "$test"
        expect_code 0
        expect_text "$io/out" 'a --- b'
    done
}

check_critical_values() {
    # each test just above and just below its critical value, from an independent formula
    runs critical "$program"
}

check_levels_next_to_1() {
    run "$data/tiny.csv" --alpha 0.9999999999999999 --max-order 0 --quiet --graph skeleton
    expect_code 0
    expect_equal edges 190 "$(wc -l <"$io/out")"
}

refuse_matrix() {
    local words=$1
    shift
    matrix "$@" -o x.csv
    expect_code 2
    expect_sentence "$words"
    expect_in err 'm\.csv'
    rm m.csv
    expect_files ''
}

check_matrix_not_square() {
    refuse_matrix '3 rows and 2 columns' 'a,b/1,.5/.5,1/.1,.2' --samples 50
    refuse_matrix '2 rows and 3 columns' 'a,b,c/1,.5,.1/.5,1,.2' --samples 50
    run "$data/tiny.csv" --correlation --samples 50
    expect_code 2
    expect_sentence 'rows'
}
check_matrix_not_symmetric() {
    refuse_matrix "symmetric.*'a'.*'b'" 'a,b,c/1,.5,.1/.4,1,.2/.1,.2,1' --samples 50
}
check_matrix_correlation_above_1() {
    refuse_matrix "'a'.*'b'.*1\.5" 'a,b,c/1,1.5,.1/1.5,1,.2/.1,.2,1' --samples 50
}
check_matrix_negative_variance() {
    refuse_matrix "'b'.*negative" 'a,b,c/1,.5,.1/.5,-1,.2/.1,.2,1' --samples 50
}
check_matrix_covariance_without_variance() {
    # no covariance matrix has this
    refuse_matrix "'b'" 'a,b,c/1,.3,.5/.3,0,.2/.5,.2,1' --samples 50
}
check_matrix_with_holes() {
    refuse_matrix "missing.*'c'" 'a,b,c/1,.5,/.5,1,.2/.1,.2,1' --samples 50
    refuse_matrix "infinite.*'c'" 'a,b,c/1,.5,inf/.5,1,.2/inf,.2,1' --samples 50
}
check_matrix_of_one() {
    refuse_matrix 'one variable' 'a/1' --samples 50
}
check_matrix_too_few_samples() {
    refuse_matrix 'too few' 'a,b/1,.5/.5,1' --samples 3
}
check_matrix_row_names_unlike_the_header() {
    # the rows are in another order than the columns: said, or refused, but not taken as they come
    matrix 'x,a,b,c/c,1,.9,.1/b,.9,1,.2/a,.1,.2,1' --samples 50
    [ "$code" = 2 ] || grep -qE "warning.*(order|match|differ|unlike)" "$io/err" ||
        fail "$told" "expected the order of the row names to be noticed" "saw: $(seen err)"
}

check_matrix_constant() {
    matrix 'a,b,c/1,0,.5/0,0,0/.5,0,1' --samples 50
    expect_code 0
    expect_in err "'b'.*constant"
    expect_text "$io/out" $'a --- c\nb'
}

check_matrix_indefinite() {
    # no error, but said; and no edge is lost to it
    for method in dual classic precision; do
        matrix 'a,b,c/1,.9,-.9/.9,1,.9/-.9,.9,1' --samples 50 --method "$method"
        expect_code 0
        expect_in err 'warning.*not positive definite'
        expect_equal edges 3 "$(wc -l <"$io/out")"
    done
}

check_matrix_of_extreme_scale() {
    for scale in 1e308 1e-300; do
        verify scale "$data/correlation.csv" "$scale" m.csv
        run "$data/correlation.csv" --correlation --samples 200 --quiet
        cp "$io/out" plain
        run m.csv --correlation --samples 200 --quiet
        expect_code 0
        expect_same plain "$io/out"
    done
}
