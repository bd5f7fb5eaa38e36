# The shapes in which one and the same table may come. Sourced by run.sh.

# FILE [options]: gives the graph of tiny.csv, byte for byte.
expect_tiny() {
    run "$@" --quiet --alpha 0.1 --min-ess 3 --orient relaxed --order given --format csv
    expect_code 0
    cmp -s "$io/out" "$golden/tiny20/dual-stable-z-cpdag.csv" ||
        fail "$told" 'expected the graph of the plain table' "saw: $(seen out) $(seen err)"
}

check_reading_plain() { expect_tiny "$data/tiny.csv"; }
check_reading_gzip() { expect_tiny "$data/tiny.csv.gz"; }
check_reading_gzip_of_two_members() { expect_tiny "$data/members.gz"; }
check_reading_crlf() { expect_tiny "$data/crlf.csv"; }
check_reading_old_mac_line_ends() { expect_tiny "$data/cr.csv"; }
check_reading_byte_order_mark() { expect_tiny "$data/bom.csv"; }
check_reading_byte_order_mark_and_quotes() { expect_tiny "$data/bom-quoted.csv"; }
check_reading_tabs() { expect_tiny "$data/tabs.tsv"; }
check_reading_semicolons() { expect_tiny "$data/semicolons.csv"; }
check_reading_quotes() { expect_tiny "$data/quoted.csv"; }
check_reading_no_final_line_end() { expect_tiny "$data/no-end.csv"; }
check_reading_blank_lines_around() { expect_tiny "$data/blank-lines.csv"; }
check_reading_blanks_around_cells() { expect_tiny "$data/padded.csv"; }
check_reading_row_names_under_an_empty_name() { expect_tiny "$data/rownames-empty.csv"; }
check_reading_row_names_beside_the_header() { expect_tiny "$data/rownames-short.csv"; }
check_reading_row_names_of_text() { expect_tiny "$data/rownames-text.csv"; }
check_reading_row_names_quoted_tabs() { expect_tiny "$data/rownames-quoted.tsv"; }
check_reading_row_numbers() {
    expect_tiny "$data/rownumbers-empty.csv"
    expect_tiny "$data/rownumbers-short.csv"
}

check_reading_row_names_of_text_are_told() {
    run "$data/rownames-text.csv"
    expect_code 0
    expect_in err "warning.*'sample'.*row names"
}

check_reading_standard_input() {
    run "$data/tiny.csv" --quiet
    cp "$io/out" edges
    for way in '"$program" - --quiet <"$data/tiny.csv"' 'cat "$data/tiny.csv" | "$program" --quiet -' \
        '"$program" learn - --quiet <"$data/tiny.csv.gz"' '"$program" /dev/stdin --quiet <"$data/tiny.csv"' \
        '"$program" <(cat "$data/tiny.csv") --quiet'; do
        shell "$way"
        expect_code 0
        expect_same edges "$io/out"
    done
}

check_reading_standard_input_is_named_in_errors() {
    shell 'printf "a,b\n1,x\n2,3\n" | "$program" -'
    expect_code 2
    expect_in err 'standard input'
}

check_missing_rows_are_dropped() {
    expect_tiny "$data/missing.csv" --missing rows
    run "$data/missing.csv" --missing rows
    expect_in err "warning.*5 of 205 rows.*'[^']+'.*line 2"
}

check_missing_cells_stop_by_default() {
    run "$data/missing.csv" -o x.csv
    expect_code 2
    expect_in err '5 missing cells'
    expect_in err '--missing rows'
    expect_in err 'line 2[^0-9]'
    expect_files ''
}

check_missing_in_every_row() {
    run "$data/missing-all.csv" --missing rows
    expect_code 2
    expect_in err "'gap'"
    expect_empty out
}

check_missing_leaves_too_few_rows() {
    run "$data/missing-most.csv" --missing rows
    expect_code 2
    expect_in err 'too few'
    expect_empty out
}

# FILE REGEX: is refused with exit code 2 and a message that says this, and that names the file.
refuse_table() {
    run "$data/$1" -o x.csv
    expect_code 2
    expect_in err "$2"
    expect_in err "$1"
    expect_empty out
    expect_files ''
}

check_ragged_short() { refuse_table ragged-short.csv 'line 102[^0-9].*19'; }
check_ragged_long() { refuse_table ragged-long.csv 'line 102[^0-9].*21'; }
check_binary_nul() { refuse_table binary.csv 'binary|NUL'; }
check_binary_program() {
    run "$program"
    expect_code 2
    expect_in err 'binary|NUL'
}
check_utf16() { refuse_table utf16.csv 'UTF-16'; }
check_latin1() { refuse_table latin1.csv 'UTF-8'; }
check_empty_file() { refuse_table empty.csv 'empty'; }
check_blank_file() { refuse_table blank.csv 'blank'; }
check_header_alone() {
    refuse_table header.csv 'no rows'
    refuse_table header-no-end.csv 'no rows'
}
check_one_column() { refuse_table one-column.csv 'one variable|one column'; }
check_open_quote() { refuse_table open-quote.csv 'quote.*line 3[^0-9]'; }
check_truncated_gzip() { refuse_table truncated.gz 'gzip'; }
check_corrupt_gzip() { refuse_table corrupt.gz 'gzip'; }
check_name_with_line_break() { refuse_table line-break.csv 'column 1|line break'; }
check_folder_as_data() {
    run "$data"
    expect_code 2
    expect_sentence 'folder|directory'
}
check_empty_file_name() {
    run ''
    [ "$code" = 1 ] || [ "$code" = 2 ] || fail "$told" "expected exit code 1 or 2, saw $code"
    expect_empty out
}
check_file_below_a_file() {
    run "$data/tiny.csv/x"
    expect_code 2
    expect_sentence 'tiny\.csv/x'
}

check_errors_name_the_file_whatever_its_name() {
    # also where the name happens to be a part of the sentence
    for name in a e few observations 1; do
        printf 'x,y\n1,2\n2,1\n' >"$name"
        run "$name"
        expect_code 2
        expect_in err "^dualpc: $name: "
    done
}

check_decimal_commas() {
    run "$data/decimal-commas.csv"
    expect_code 2
    expect_in err 'decimal'
    expect_empty out
}

check_decimal_commas_are_no_row_names() {
    # the variable must not be lost, warning or not
    run "$data/decimal-comma-first.csv"
    expect_code 2
    expect_in err "'temperature'"
    expect_empty out
}

check_100000_columns() {
    # seconds, megabytes
    for table in wide100k wide100k-short wide100k-text wide100k-names; do
        local limit='ulimit -v 8000000;'
        [ "$sanitized" = 0 ] || limit=
        shell "$limit exec \"\$python\" -SB \"\$here/runs.py\" frugal 10 1000 \"\$program\" \"\$data/$table.csv\" -o x.csv"
        case $code in
        0) expect_files x.csv && rm x.csv ;;
        2 | 4) expect_in err 'dualpc: .*(column|field|variables|memory)' && expect_files '' ;;
        *) expect_code '0, 2 or 4' ;;
        esac
    done
}
