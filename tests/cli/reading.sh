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

# ---- Doors: each with a table of that kind, which is tiny.csv in another dress ----

check_reading_utf16() {
    expect_tiny "$data/utf16.csv"
    expect_tiny "$data/utf16be.csv"
    expect_tiny "$data/utf16-no-mark.csv"
}
check_reading_latin1() {
    run "$data/latin1.csv" --format csv
    expect_code 0
    expect_in err 'warning: the names are not UTF-8'
    expect_in out '^größe,b '
}
check_reading_decimal_commas() {
    expect_tiny "$data/decimal-commas.csv"
    expect_tiny "$data/decimal-commas.tsv"
    expect_tiny "$data/decimal-commas.txt"
    run "$data/decimal-commas.csv"
    expect_in err "warning: the numbers of 20 columns, the first is '[^']*', have a decimal comma"
    # the first column is no row name
    run "$data/decimal-comma-first.csv"
    expect_code 0
    expect_in err 'observations of 3 variables'
    # a file that has both cannot be meant
    run "$data/decimal-both.csv"
    expect_code 2
    expect_in err "'1,5' in column 'a' on line 2, have a decimal comma, but .*'1\.5' in column 'b' on line 2, have a decimal point"
}
check_reading_comments() {
    expect_tiny "$data/comments.csv"
    run "$data/comments.csv"
    expect_in err 'warning: 4 lines are comments and were left out, the first is line 1'
    expect_tiny "$data/savetxt.txt"
    run "$data/savetxt.txt"
    expect_in err 'warning: line 1 begins with # and was taken as the header'
    # names and row names with # are what they were
    run "$data/hash-names.csv" --format csv
    expect_code 0
    expect_in out '^"#id",b,c '
    expect_in err 'line 1 begins with # and was taken as the header'
    run "$data/hash-rows.csv"
    expect_code 0
    expect_in err '6 observations of 2 variables'
    expect_not_in err comment
}
check_reading_no_header() {
    run "$data/no-header.csv" --no-header --quiet --alpha 0.1 --min-ess 3 --orient relaxed --order given --format csv
    expect_code 0
    tail -n +2 "$io/out" >seen
    tail -n +2 "$golden/tiny20/dual-stable-z-cpdag.csv" >wanted
    expect_same wanted seen
    expect_in out '^V1,V2,.*,V20 '
    run "$data/no-header.csv"
    expect_code 0
    expect_in err 'warning: the file seems to have no header.*--no-header'
    # UCI's kind: a class behind the numbers
    run "$data/iris.data" --drop 3
    expect_code 0
    expect_in err 'warning: the file seems to have no header.*--no-header'
    run "$data/iris.data" --drop 3 --no-header
    expect_code 0
    expect_in err '9 observations of 2 variables'
    expect_not_in err warning
    # zeros and ones cannot be names
    printf '0,1,1\n1,2,3\n2,1,5\n3,5,4\n4,4,1\n' >t.csv
    run t.csv
    expect_code 0
    expect_in err 'taken as a row.*5 observations of 3'
}
check_reading_transposed() {
    expect_tiny "$data/transposed.csv" --transpose
    expect_tiny "$data/transposed-samples.tsv" --transpose
    expect_tiny "$data/transposed-text.csv" --transpose --drop note
    run "$data/transposed-text.csv" --transpose
    expect_code 0
    expect_in err "warning: column 'note' is constant"
    run "$data/genes.csv"
    expect_code 0
    expect_in err 'warning: there are more columns \(30\) than rows \(8\), and the rows have names.*--transpose'
    run "$data/genes.csv" --transpose
    expect_in err '30 observations of 8 variables'
    expect_not_in err 'more columns'
}
check_reading_chosen_columns() {
    expect_tiny "$data/more-columns.csv" --drop 'when,site' --drop 'extra*,x*'
    expect_tiny "$data/more-columns.csv" --keep '2-21'
    expect_tiny "$data/more-columns.csv" --drop '1,22-24' --drop '"x, y"'
    expect_tiny "$data/more-columns.csv" --drop 'x, y' --drop when,site,extra?
    run "$data/more-columns.csv" --drop whan
    expect_code 1
    expect_sentence "no column 'whan' to drop; did you mean 'when'\\?"
    run "$data/more-columns.csv" --keep 1-40
    expect_code 1
    expect_sentence "no column '1-40' to keep"
    run "$data/more-columns.csv" --drop '*'
    expect_code 1
    expect_sentence 'no column left'
    # all that is neither a number nor a category at once, and what to type
    run "$data/more-columns.csv"
    expect_code 2
    expect_in err "'when' holds dates.*exclude it with --drop when"
    (echo 'a,"b 1",c'; for i in {1..30}; do echo "$i,$((i * 7 % 31)),$((i * 5 % 29))"; done) | sed '3s/,[^,]*,/,x,/; 4s/[^,]*$/y/' >odd.csv
    run odd.csv
    expect_code 2
    expect_in err "'b 1' is not numeric: 1 cell, 'x' on line 3.*'c' is not numeric.*to leave out all 2: drop = 2-3 \\(--drop 2-3\\)"
    expect_tiny "$data/more-columns.csv" --drop 1,22,25,23-24
    # rows and columns of a matrix
    run "$data/correlation.csv" --correlation --samples 200 --drop 1 --quiet --format csv
    expect_code 0
    tail -n +2 "$io/out" | head -1 | tr -cd , | wc -c >commas
    expect_text commas 18
}
check_reading_tetrad_covariances() {
    expect_tiny "$data/tetrad.cov"
    expect_tiny "$data/tetrad-square.txt"
    expect_tiny "$data/tetrad-title.cov.txt"
    expect_tiny "$data/tetrad.cov" --correlation
    run "$data/tetrad.cov" --correlation --samples 50
    expect_in err '50 observations of 20 variables'
    run "$data/tetrad.cov" --bootstrap 3
    expect_code 1
    expect_sentence 'rows of the table'
    printf '50\nx y z\n1\n.5 1\n.2 .3\n' >bad.cov
    run bad.cov
    expect_code 2
    expect_sentence 'bad.cov: line 5 should have 3 numbers'
}
check_reading_spellings_of_numbers() {
    expect_tiny "$data/percent.csv"
    expect_tiny "$data/fortran.txt"
    expect_tiny "$data/thousands.csv"
    run "$data/thousands.csv"
    expect_in err 'commas between thousands'
}
check_reading_tables_of_spreadsheets() {
    expect_tiny "$data/sep.csv"
    expect_tiny "$data/trailing.csv"
    expect_tiny "$data/trailing-rows.csv"
    expect_tiny "$data/trailing-header.csv"
    expect_tiny "$data/spare-cells.csv"
    run "$data/spare-cells.csv"
    expect_in err '3 lines are blank.*2 columns without a name and without a value were left out'
    expect_tiny "$data/units.csv"
    run "$data/units.csv"
    expect_in err 'line 2, below the header, has no numbers; it was taken for units'
}
check_reading_aligned_by_blanks() {
    expect_tiny "$data/aligned.txt"
    expect_tiny "$data/aligned-rownames.txt"
}
check_reading_r_datasets() {
    # as R's datasets come: numbered rows under an empty name
    expect_tiny "$data/r-dataset.csv"
}

# FILE REGEX: what is no table says what it is.
check_reading_other_formats_are_named() {
    for pair in zip:'zip archive' xz:'packed by xz' arff:ARFF rds:'R data file' sav:SPSS html:'web page' json:JSON; do
        run "$data/foreign.${pair%%:*}"
        expect_code 2
        expect_sentence "foreign.${pair%%:*}: the file is .*${pair#*:}"
    done
    # names of columns that begin like such a file
    for name in PAR1 RDX3 BZh '{a}' '[b]' '%PDF'; do
        { echo "$name,x"; tail -n +2 "$data/latin1.csv"; } >t.csv
        run t.csv
        expect_code 0
    done
}

check_missing_words() {
    for word in NA N/A . '?' '*' null None '#N/A' NaN na NONE ''; do
        sed "s|HOLE|$word|" "$data/hole.csv" >t.csv
        run t.csv --missing rows -o x.json
        expect_code 0
        expect_in err "missing cells: column 'weight' 2 \\(.*198 observations"
        grep -q '"missing": {"weight": 2}' x.json || fail "$told" 'expected the count in the JSON'
    done
    run t.csv --missing rows
    expect_in err "'weight' 2 \\(empty\\)"
    # a column of nothing but such words
    run "$data/missing-all.csv"
    expect_code 0
    expect_in err "column 'gap' has no numbers, every cell is missing \\('NA'\\); it was left out"
    cp "$io/out" left-out.txt
    run "$data/missing-all.csv" --drop gap
    expect_code 0
    expect_same left-out.txt "$io/out"
}
check_missing_words_of_the_user() {
    sed 's/HOLE/-9999.0/' "$data/hole.csv" >t.csv
    run t.csv --na -9999 --missing rows
    expect_code 0
    expect_in err "'weight' 2 \\('-9999'\\).*198 observations"
    sed 's/HOLE/refused/' "$data/hole.csv" >t.csv
    run t.csv --na 'Refused, unknown' --missing rows
    expect_in err "'weight' 2 \\('Refused'\\).*198 observations"
    # the list takes the place of the usual words, but for empty cells
    sed 's/HOLE/NA/' "$data/hole.csv" >t.csv
    run t.csv --na -9999 --missing rows
    expect_code 2
    expect_in err "'weight' is not numeric.*'NA'.*--na"
    run t.csv --na '' --missing rows
    expect_code 2
    sed 's/HOLE//' "$data/hole.csv" >t.csv
    run t.csv --na '' --missing rows
    expect_code 0
    expect_in err '198 observations'
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
    for way in rows pairwise em; do
        run "$data/missing-all.csv" --missing "$way"
        expect_code 0
        expect_in err "'gap' has no numbers.*it was left out"
        run "$data/missing-all.csv" --missing "$way" --keep gap
        expect_code 2
        expect_in err 'no column has numbers, every cell is missing'
        expect_empty out
    done
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

check_100000_columns() {
    # in a gigabyte, or a sentence says why not
    for table in wide100k wide100k-short wide100k-text wide100k-names; do
        local limit='ulimit -v 1200000;'
        [ "$sanitized" = 0 ] || limit=
        case $sanitized$table in 0*) ;; *wide100k | *text) continue ;; esac # without a limit they are learned from
        shell "$limit exec \"\$program\" \"\$data/$table.csv\" -o x.csv"
        case $code in
        0) expect_files x.csv && rm x.csv ;;
        2 | 4) expect_in err 'dualpc: .*(column|field|variables|memory)' && expect_files '' ;;
        *) expect_code '0, 2 or 4' ;;
        esac
    done
}
