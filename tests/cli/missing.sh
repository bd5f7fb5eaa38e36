# Estimates around missing cells: --missing pairwise and em. Sourced by run.sh.

# Every seventh cell of a table is left empty, none of its header.
with_holes() {
    awk -F, -v OFS=, 'NR > 1 { for (j = 1; j <= NF; j++) if ((NR * 5 + j * 3) % 7 == 0) $j = "" } 1' "$1"
}

check_missing_estimates() {
    with_holes "$data/tiny.csv" >holes.csv
    for way in pairwise em; do
        run holes.csv --missing "$way" -o "$way.json" -o "$way.txt"
        expect_code 0
        expect_in err 'missing cells: column'
        expect_in err "each test counts with the $([ $way = em ] && echo mean || echo fewest) rows of its pairs"
        expect_not_in err 'dropped'
        # what has one N counts with the mean, and that is told; each test with its own
        n=$(sed -n 's/^  "n_obs": \([0-9]*\),$/\1/p' "$way.json")
        expect_in err "to [0-9]+ of 200, on average $n"
        run holes.csv --missing "$way" --separating-sets --explain V1,V2 -o "$way.sets.json"
        expect_code 0
        if [ "$(grep -c '"level": [0-9]*, "r": .*, "n": [0-9]*' "$way.sets.json")" -lt 100 ]; then
            fail 'separating sets without n'
        fi
        expect_in err 'N = [0-9]+, effective sample size [0-9]+'
        run holes.csv --missing "$way" --quiet --threads 3
        expect_code 0
        expect_same "$way.txt" "$io/out"
    done
    run holes.csv --missing pairwise
    expect_in err 'each correlation is that of the rows which have both cells'
    run holes.csv --missing em
    expect_in err 'estimated by EM in [0-9]+ steps'
}

# Without missing cells they are what the default is.
check_missing_complete_tables() {
    run "$data/tiny.csv" --format csv
    cp "$io/out" plain
    grep -v seconds "$io/err" | sed 's/ *[0-9.]*$//' >told
    for way in pairwise em; do
        run "$data/tiny.csv" --missing "$way" --format csv
        expect_code 0
        expect_same plain "$io/out"
        grep -v seconds "$io/err" | sed 's/ *[0-9.]*$//' >seen
        expect_same told seen
    done
}

# With whatever goes on from the correlations.
check_missing_with_all_else() {
    with_holes "$data/tiny.csv" >holes.csv
    for way in pairwise em; do
        run holes.csv --missing "$way" --bootstrap 20 --normalize copula -o b.json
        expect_code 0
        expect_in err 'bootstrap: 20 resamples'
        sed '/seconds/d' b.json >first
        run holes.csv --missing "$way" --bootstrap 20 --normalize copula --threads 1 -o b.json
        sed '/seconds/d' b.json >second
        expect_same first second
        run holes.csv --missing "$way" --refine fast --edges edges.csv --effects effects.csv
        expect_code 0
        expect_in err 'refinement \(fast\)'
        run holes.csv --missing "$way" --method ges --explain all
        expect_code 0
        run effects holes.csv --missing "$way" --bootstrap 5 --top 1
        expect_code 0
        expect_not_in out 'nan'
    done
}

check_missing_refused() {
    printf 'a,b,c\n1,,2\n2,,1\n3,,5\n4,,4\n,1,3\n,2,2\n,4,1\n,3,7\n' >never.csv
    run never.csv --missing pairwise
    expect_code 2
    expect_in err "'a' and 'b' have 0 rows in common.*--missing em"
    run never.csv --missing em
    expect_code 0
    expect_in err "'a' and 'b' have 0 rows in common: their correlation is known by way of"
    printf 'a,b,c,d\n1,,2,3\n2,5,1,2\n3,1,5,2\n4,2,4,9\n' >few.csv
    run few.csv --missing em
    expect_code 2
    expect_in err 'EM needs more rows than columns, and there are 4 and 4'
    run few.csv --missing mean
    expect_code 1
    expect_sentence 'must be one of error, rows, pairwise, em'
    run "$data/tiny.csv" --correlation --samples 9 --missing em
    expect_code 1
    expect_sentence '\-\-missing needs the table'
}

# What no row has whole: rows leaves nothing, and says what does.
check_missing_everywhere() {
    awk -F, -v OFS=, 'NR > 1 { $(NR % NF + 1) = "NA" } 1' "$data/tiny.csv" >none.csv
    run none.csv --missing rows
    expect_code 2
    expect_in err 'none is left.*--missing em'
    run none.csv --missing em
    expect_code 0
}

# No time for EM: the pairwise correlations that it starts from.
check_missing_timeout() {
    with_holes "$data/tiny.csv" >holes.csv
    run holes.csv --missing em --timeout 1e-9 -o out.json
    expect_code 0
    expect_in err 'time limit reached before the first step of EM'
    grep -q '^  "complete": false' out.json || fail "$told" 'expected "complete": false'
    run holes.csv --missing em --quiet
    cp "$io/out" whole.txt
    run holes.csv --missing em --timeout 10000 -o out.json -o with.txt
    expect_not_in err 'time limit reached'
    expect_same whole.txt with.txt
    grep -q '^  "complete": true' out.json || fail "$told" 'expected "complete": true'
}

# Text beside numbers, with and without --drop-text; one text among numbers is an error all the same.
check_missing_drop_text() {
    awk -F, -v OFS=, '{ print (NR == 1 ? "day,flag" : "2024-01-" NR ",TRUE"), $0 }' "$data/tiny.csv" >t.csv
    run t.csv --keep flag,V1,V2
    expect_code 0
    expect_in err "warning: column 'flag' is constant"
    run "$data/tiny.csv" --quiet
    cp "$io/out" plain.txt
    run t.csv --drop-text
    expect_code 0
    expect_in err "text columns? (was|were) left out: .*'flag'"
    expect_same plain.txt "$io/out"
    sed '3s/[^,]*$/low/' t.csv >odd.csv
    run odd.csv --drop-text
    expect_code 2
    expect_in err "is not numeric: 1 cell, 'low' on line 3"
    run "$data/tiny.csv" --drop-text --correlation --samples 50
    expect_code 1
    expect_in err '--drop-text needs the table'
}
