# The audit before the work: every finding names its column. Sourced by run.sh.
# The tables are in data.py; in each of them one thing is wrong with one column.

# FILE REGEX…: the run goes on, with these warnings on standard error and in the JSON.
warn_about() {
    local table=$1
    shift
    run "$data/$table" -o x.json
    expect_code 0
    for words in "$@"; do
        expect_in err "warning: [^:]*$words"
        grep -qE "\"warnings\": \[.*$words" x.json || fail "$told" "expected among the JSON's warnings: $words"
    done
}

check_audit_constant() {
    warn_about constant.csv "'still'.*constant"
    # it is an isolated node
    run "$data/constant.csv" --quiet
    expect_in out 'still'
    expect_not_in out 'still -|- still'
}
check_audit_all_constant() {
    warn_about all-constant.csv "'a'.*constant" "'b'.*constant"
}
check_audit_duplicate_column() { warn_about duplicate.csv "'twin'.*'first'"; }
check_audit_negative_of_a_column() { warn_about negative.csv "'mirror'.*'first'"; }
check_audit_scaled_column() { warn_about scaled.csv "'fahrenheit'.*'first'"; }
check_audit_linear_combination() {
    warn_about combination.csv "'total'.*linear combination.*'first'.*'second'.*'third'"
    expect_not_in err "'fourth'"
}

check_audit_linear_combination_of_long_names() {
    # names are cut, if at all, between characters
    run "$data/combination-long.csv" -o x.json
    expect_code 0
    expect_in err 'linear combination'
    verify utf8 "$io/err" x.json
}

check_audit_not_numeric() {
    run "$data/text.csv" -o x.csv
    expect_code 2
    expect_in err "'weight'.*not numeric.*'heavy'.*line 51[^0-9]"
    expect_empty out
    expect_files ''
}
check_audit_not_numeric_dates() {
    run "$data/dates.csv"
    expect_code 2
    expect_in err "'day' holds dates"
}

check_audit_missing() {
    for value in NA NaN '' n/a null; do
        sed "s/HOLE/${value/\//\\/}/" "$data/hole.csv" >t.csv
        run t.csv
        expect_code 2
        expect_in err "2 missing cells.*'weight'.*line 51[^0-9]"
        expect_empty out
    done
}
check_audit_infinite() {
    for value in Inf -inf Infinity 1e999; do
        sed "s/HOLE/$value/" "$data/hole.csv" >t.csv
        run t.csv
        expect_code 2
        expect_in err "2 infinite cells.*'weight'.*line 51[^0-9]"
        expect_empty out
    done
}
check_audit_sick_columns_are_not_constant() {
    for value in Inf -Inf NA heavy; do
        sed "s/HOLE/$value/" "$data/hole.csv" >t.csv
        run t.csv
        expect_code 2
        expect_not_in err constant
    done
    # wherever the bad cell is
    for line in 2 3 4 5 6 7 8 9 10; do
        printf 'a,b,c\n1,2,x\n%s' "$(seq 2 9 | awk '{ print $1 "," $1 * $1 % 7 ",y" }')" |
            sed "${line}s/^[0-9]*,[0-9]*/5,z/" >t.csv
        run t.csv
        expect_code 2
        expect_not_in err constant
    done
}

check_audit_duplicate_names() {
    run "$data/same-name.csv"
    expect_code 2
    expect_in err "1 and 3.*'weight'|'weight'.*1 and 3"
    expect_empty out
}
check_audit_empty_name() {
    run "$data/no-name.csv"
    expect_code 2
    expect_in err 'column 3.*no name'
    expect_empty out
}
check_audit_too_few_rows() {
    for n in 1 2 3; do
        head -$((n + 1)) "$data/tiny.csv" >t.csv
        run t.csv
        expect_code 2
        expect_in err "too few observations.*$n"
        expect_empty out
    done
    for n in 4 5; do
        head -$((n + 1)) "$data/tiny.csv" >t.csv
        run t.csv
        expect_code 0
    done
}
check_audit_fewer_rows_than_columns() {
    warn_about wide150.csv '60 observations of 150'
}

# What is probably not meant.
check_audit_symmetric_matrix_as_a_table() {
    warn_about correlation.csv 'the table is a symmetric matrix.*--correlation --samples N'
    warn_about matrix-rownames.csv 'the table is a symmetric matrix'
    run "$data/correlation.csv" --correlation --samples 200
    expect_not_in err symmetric
}
check_audit_few_values() {
    warn_about grades.csv "2 columns have only two to five different values: 'sex' 2, 'grade' 5"
}
check_audit_codes_for_missing_values() {
    sed 's/HOLE/-9999/' "$data/hole.csv" >"$data/code.csv"
    warn_about code.csv "an extreme number is repeated, far from the others: 'weight' -9999 \\(2 times\\).*--na -9999"
    run "$data/code.csv" --na -9999 --missing rows
    expect_code 0
    expect_not_in err extreme
}
check_audit_order_of_time() {
    warn_about walk.csv "consecutive rows are similar in 3 of 4 columns .lag-1 autocorrelation 'a' 0\\.9[0-9], 'b' .*as much information as [0-9]{1,2} independent rows.*groups.*hidden common cause"
}
check_audit_row_numbers() {
    warn_about counted.csv "column 'Unnamed: 0' only counts the rows"
}
check_audit_silent_about_plain_tables() {
    for table in tiny dense40 heavy30-copula; do
        run "$data/$table.csv" --max-order 0
        expect_code 0
        expect_not_in err warning
    done
}

check_audit_all_in_one_report() {
    run "$data/many.csv"
    expect_code 2
    expect_empty out
    expect_in err "'weight'.*not numeric"
    expect_in err "1 missing cell.*'height'"
    expect_in err "1 infinite cell.*'size'"
    expect_in err "both named 'age'"
    expect_in err 'column 7.*no name'
    expect_in err "'still'.*constant"
    # in one order, whoever finds them
    expect_in err "no name.*both named.*not numeric.*missing cell.*infinite cell.*'still'.*constant"
}

# As 64 bit counters and keys are.
check_audit_digits_lost() {
    (echo 'a,id,b'; for i in {1..40}; do echo "$((i * i % 37)),$((9007199254740993 + i)),$((i * 7 % 11))"; done) >t.csv
    run t.csv -o x.json
    expect_code 0
    expect_in err "warning: column 'id' has more digits than can be kept: 20 numbers beyond 2\^53 were rounded, the first '9007199254740995' on line 3"
    expect_in err '^audit of t\.csv:   warning: [^:]*:[^:]*t\.csv:' # no other finding
    grep -q '"warnings": \["column .id. has more digits' x.json || fail "$told" "expected the warning in the JSON"
    # doubles that were written in full, or with 17 digits, are as large and lose nothing
    (echo a,b; for i in {1..9}; do echo "$i,${i}123456789012345683968"; done) >whole.csv
    awk 'NR == 1 { print; next } { split($0, x, ","); printf "%d,%.17g\n", x[1], x[2] }' whole.csv >t.csv
    run t.csv
    expect_code 0
    expect_not_in err digits
}

check_audit_column_numbers_are_those_of_the_file() {
    # row names are a column of the file too
    (echo 'id,a,,b,a'; for i in {1..9}; do echo "r$i,$i,$((i * i)),$((i % 3)),$((i % 4))"; done) >t.csv
    run t.csv
    expect_code 2
    expect_in err 'column 3 has no name'
    expect_in err 'columns 2 and 5'
}

check_audit_very_long_names() {
    run "$data/long-duplicate.csv"
    expect_code 2
    expect_empty out
    # the sentence is still one: it ends with what to do
    expect_in err 'rename'
    verify utf8 "$io/err"
}

check_audit_header_of_numbers() {
    tail -n +2 "$data/tiny.csv" >t.csv
    run t.csv
    expect_code 0
    expect_in err 'warning.*header'
}
