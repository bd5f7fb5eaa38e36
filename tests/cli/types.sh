# Kinds of columns: text as categories, what is none, --types, --max-levels, --merge-rare.

# A table of numbers x, y, z, a category c, a grade g of numbers and a truth value b.
mixed_table() {
    echo x,c,y,g,b,z
    awk 'BEGIN { srand(7); for (i = 1; i <= 240; i++) { k = int(3 * rand()); x = rand() + k / 2; y = rand() + (k == 1)
        printf "%.4f,%s,%.4f,%d,%s,%.4f\n", x, substr("redtanblu", 3 * k + 1, 3), y, 1 + int(4 * rand() + y), (x + rand() > 1.5 ? "yes" : "no"), x + y + rand() } }'
}

check_types_summary() {
    mixed_table >t.csv
    # categories of two levels are one column
    run t.csv --drop c --types g=ordered -o g.json --nodes n.csv --verbose
    expect_code 0
    expect_in err '5 variables: 3 numbers, 1 nominal \(1 column\), 1 ordered'
    expect_in err 'nominal  b: no [0-9]+, yes [0-9]+'
    grep -q '{"name": "b", "type": "nominal", "columns": 1, "levels": \[{"level": "no", "count": [0-9]*}, {"level": "yes"' g.json ||
        fail "$told" 'expected the levels in the JSON'
    grep -q '^name,.*,type,levels$' n.csv || fail "$told" 'expected the kinds in the table of nodes'
    grep -q '^b,.*,nominal,2$' n.csv || fail "$told" 'expected the levels in the table of nodes'
    # a table of numbers has none of this
    run t.csv --drop c,b,g -o g.json --nodes n.csv --verbose
    expect_code 0
    expect_not_in err 'nominal|3 variables: '
    grep -q '"variables"' g.json && fail "$told" 'expected no kinds in the JSON'
    grep -q '^name,neighbours,parents,children,r2,r2_parents$' n.csv || fail "$told" 'expected no kinds'
    # renamed levels are the same categories
    run t.csv --drop c,g --quiet
    cp "$io/out" before.txt
    sed 's/,yes,/,a,/; s/,no,/,b,/' t.csv >renamed.csv
    run renamed.csv --drop c,g --quiet
    expect_same before.txt "$io/out"
}

# Edge lists that do not depend on the order of the columns.
sorted_edges() {
    awk '$2 == "---" && $1 > $3 { t = $1; $1 = $3; $3 = t } { print }' | LC_ALL=C sort
}

check_types_learned() {
    mixed_table >t.csv
    for how in '--method dual' '--method classic --variant standard' '--rule and' '--orient majority' '--method ges' \
        '--refine fast' '--refine exact' '--relations curved' '--relations curved --degree 2 --refine full' \
        '--categorical mixture' '--bootstrap 5'; do
        # shellcheck disable=SC2086
        run t.csv $how --quiet
        expect_code 0
        # c moves x and y, and these z
        grep -q '\bc\b.*\bx\b\|\bx\b.*\bc\b' "$io/out" || fail "$told" 'expected an edge between c and x'
        sorted_edges <"$io/out" >first.txt
        awk -F, -v OFS=, '{ sub("red", "Z", $2); sub("blu", "A", $2); print $6, $2, $5, $4, $3, $1 }' t.csv >other.csv
        # shellcheck disable=SC2086
        run other.csv $how --quiet
        sorted_edges <"$io/out" >second.txt
        # with a bootstrap the table of frequencies follows, in the order of the columns
        case $how in *bootstrap*) ;; *) expect_same first.txt second.txt ;; esac
    done
    run t.csv --memory 0.0001
    expect_code 4
    expect_sentence 'correlation matrix needs more memory than allowed.*--memory'
    run t.csv --normalize latent
    expect_code 1
    expect_sentence "column 'c' is nominal with 3 levels"
    run t.csv --normalize copula
    expect_code 1
    expect_sentence "column 'c' is nominal with 3 levels"
}

check_types_none() {
    { echo drug,x,y; awk 'BEGIN { srand(3); for (i = 0; i < 200; i++)
        printf "%s,%.4f,%.4f\n", i % 3 == 0 ? "None" : i % 3 == 1 ? "A" : "B", rand() + (i % 3 == 0), rand() }'; } >t.csv
    run t.csv -o g.json
    expect_code 0
    expect_in err "warning: column 'drug': 67 cells 'None' were taken as a level.*--na None"
    grep -q '"level": "None", "count": 67' g.json || fail "$told" 'expected None among the levels'
    run t.csv --na None
    expect_code 2
    expect_in err "67 missing cells, the first in column 'drug' on line 2; use --missing rows"
    sed '4s/^[^,]*//' t.csv >empty.csv # an empty cell is still missing
    run empty.csv
    expect_code 2
    expect_in err "1 missing cell, .*column 'drug' on line 4"
    run empty.csv --missing rows
    expect_code 0
    expect_in err '199 observations'
    sed 's/^[AB]/1/' t.csv >numbers.csv # among numbers None is missing
    run numbers.csv
    expect_code 2
    expect_in err '67 missing cells'
}

check_types_slips() {
    mixed_table >t.csv
    sed '5s/^[^,]*/low/' t.csv >odd.csv
    run odd.csv
    expect_code 2
    expect_sentence "column 'x' is not numeric: 1 cell, 'low' on line 5"
    head -13 t.csv | sed '5s/^[^,]*/low/' | cut -d, -f1,3 >odd.csv # N = 12
    run odd.csv
    expect_code 2
    expect_sentence "column 'x' is not numeric: 1 cell, 'low' on line 5"
    awk -F, -v OFS=, '{ print $1, $3, NR == 1 ? "id" : "p" NR }' t.csv >names.csv
    run names.csv
    expect_code 2
    expect_sentence "column 'id' has more than 50 different texts in 240 rows.*looks like a name or identifier; exclude it with --drop id"
    awk -F, -v OFS=, '{ print $1, $3, NR == 1 ? "g" : "g" NR % 60 }' t.csv >sixty.csv
    run sixty.csv
    expect_code 2
    expect_sentence "column 'g'.*name or identifier"
    awk -F, -v OFS=, '{ print $1, $3, NR == 1 ? "day" : "2024-01-" 10 + NR % 9 }' t.csv >dates.csv
    run dates.csv
    expect_code 2
    expect_sentence "column 'day' holds dates or times"
    awk -F, -v OFS=, '{ print $1, $3, $6, NR == 1 ? "s" : "same" }' t.csv >constant.csv
    run constant.csv
    expect_code 0
    expect_in err "warning: column 's' is constant"
}

check_types_missing() {
    mixed_table | sed '4s/,yes,\|,no,/,NA,/; 9s/,yes,\|,no,/,,/' | cut -d, -f1,3,5,6 >t.csv
    run t.csv
    expect_code 2
    expect_in err "2 missing cells.*use --missing rows"
    for how in em pairwise; do
        run t.csv --missing $how
        expect_code 2
        expect_in err "column 'b' is nominal and has 2 missing cells, which --missing $how cannot estimate; use --missing rows"
    done
    run t.csv --missing rows
    expect_code 0
    expect_in err '2 of 240 rows were dropped'
    expect_in err 'nominal \(1 column\)'
    # a level of that name, where it is not a missing value
    sed '9s/,,/,NA,/' t.csv >na.csv
    run na.csv --na none --types b=ordered -o g.json
    expect_code 0
    grep -q '"level": "NA", "count": 2' g.json || fail "$told" 'expected the level NA'
}

check_types_given() {
    mixed_table >t.csv
    run t.csv --types c=nominel
    expect_code 1
    expect_sentence "there is no kind 'nominel' for column 'c'; did you mean 'nominal'\\?"
    run t.csv --types d=nominal
    expect_code 1
    expect_sentence "no column 'd' to set the type of"
    run t.csv --types c=number
    expect_code 2
    expect_sentence "'c' is not numeric: 240 cells"
    printf 'name,kind\n# grades\n\ng,ordered\n"b",nominal\n' >kinds.csv
    run t.csv --drop c --types kinds.csv
    expect_code 0
    expect_in err '3 numbers, 1 nominal \(1 column\), 1 ordered'
    printf 'g,ordered\nb,nom\n' >kinds.csv
    run t.csv --types kinds.csv
    expect_code 1
    expect_sentence "kinds.csv, line 2: there is no kind 'nom' for column 'b'"
    run t.csv --types nowhere.csv
    expect_code 2
    expect_sentence 'nowhere\.csv'
    run t.csv --correlation --samples 50 --types c=nominal
    expect_code 1
    expect_sentence '--types needs the table, not its correlation matrix'
    run t.csv --normalize copula --max-order 1 --drop g
    [ $code = 1 ] || [ $code = 2 ] || fail "$told" 'expected a refusal'
    expect_in err "column 'c' is nominal"
    run t.csv --types 'p=block(x,q)'
    expect_code 1
    expect_sentence "no column 'q' to put into a block"
    run t.csv --types 'p=block(x,c)'
    expect_code 2
    expect_sentence "'c' is not numeric"
}

check_types_codes() {
    mixed_table >t.csv
    run t.csv --drop c
    expect_code 0
    expect_in err "column 'g' has [3-9] distinct values\\. If they are codes of categories, use --types g=nominal"
    run t.csv --drop c --types g=number
    expect_code 0
    expect_not_in err 'codes of categories'
    run t.csv --keep x,z,c --merge-rare 100 --types c=ordered -o g.json
    expect_code 0 # only categories are merged
    expect_not_in err merged
    sed '2,$s/,no,/,yes,/; 2s/,yes,/,maybe,/; 3s/,yes,/,rarely,/' t.csv >rare.csv
    run rare.csv --keep x,b,z --merge-rare 2 -o g.json
    expect_code 0
    expect_in err "column 'b': 2 levels seen fewer than 2 times were merged into 'other': 'maybe' 1, 'rarely' 1"
    expect_in err "column 'b' has 1 level seen fewer than 5 times: 'other' 2"
    grep -q '{"level": "yes", "count": 238}, {"level": "other", "count": 2}' g.json || fail "$told" 'expected merged levels'
}
