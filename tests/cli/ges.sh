# The greedy equivalence search as a method of learn. Sourced by run.sh.

check_ges_finds_the_example() {
    run "$root/examples/example.csv" --method ges --verbose
    expect_code 0
    expect_in err 'GES, penalty 1 .* insertions, [0-9]+ deletions?, [0-9]+ turns? '
    expect_in err '[1-9][0-9]* edges.*score -?[0-9.]+, [0-9]+ scores of steps'
    expect_not_in err 'level|highest order|[0-9] tests'
    cp "$io/out" found
    expect_same "$root/examples/example-truth.txt" found
}

check_ges_penalty_decides_how_many_edges() {
    run "$data/tiny.csv" --method ges --penalty 0.01 --quiet
    expect_code 0
    many=$(grep -c -e ' --[->] ' "$io/out")
    run "$data/tiny.csv" --method ges --quiet
    some=$(grep -c -e ' --[->] ' "$io/out")
    run "$data/tiny.csv" --method ges --penalty 1e9 --quiet
    expect_code 0
    expect_not_in out ' --[->] '
    [ "$many" -gt "$some" ] && [ "$some" -gt 0 ] || fail "$told" "expected fewer edges: $many, $some"
}

check_ges_json_has_the_search() {
    run "$data/tiny.csv" --method ges --penalty 2 --format json --quiet
    expect_code 0
    expect_in out '"method": "ges".*"penalty": 2,.*"score": -?[0-9.]+,'
    expect_in out '"steps": \{"insert": [1-9][0-9]*, "delete": [0-9]+, "turn": [0-9]+\}'
    "$python" -c 'import json, sys
report = json.load(open(sys.argv[1]))
info = report["info"]
assert info["levels"] == [] and info["seconds"]["levels"] == []
assert len(report["edges"]) == info["steps"]["insert"] - info["steps"]["delete"]
assert info["tests"] > info["steps"]["insert"]' "$io/out" || fail "$told" "the report is not as expected"
    run "$data/tiny.csv" --format json --quiet
    expect_not_in out '"(penalty|score|steps)"'
}

check_ges_graphs_have_one_skeleton() {
    for graph in cpdag pattern skeleton; do
        run "$data/tiny.csv" --method ges --graph "$graph" --quiet
        expect_code 0
        sed 's/-->/---/' "$io/out" |
            awk '{ print $1 < $3 ? $1 " " $3 : $3 " " $1 }' | sort >"$graph"
        grep -c -e '-->' "$io/out" >"$graph.directed"
    done
    expect_same cpdag pattern
    expect_same cpdag skeleton
    expect_text skeleton.directed 0
    [ "$(cat cpdag.directed)" -ge "$(cat pattern.directed)" ] ||
        fail "$told" "the pattern has more directions than the CPDAG"
}

check_ges_threads_give_the_same_bytes() {
    run "$data/dense60.csv" --method ges --penalty 2 --threads 1 --quiet
    expect_code 0
    cp "$io/out" one
    for threads in 2 3; do
        run "$data/dense60.csv" --method ges --penalty 2 --threads "$threads" --quiet
        expect_same one "$io/out"
    done
}

check_ges_takes_a_matrix() {
    printf '1,0.6,0\n0.6,1,0.6\n0,0.6,1\n' >matrix.csv
    run matrix.csv --correlation --samples 100 --method ges --quiet
    expect_code 0
    expect_text "$io/out" $'V1 --> V2\nV3 --> V2'
}

check_ges_has_no_separating_sets() {
    run "$data/tiny.csv" --method ges --separating-sets --format json
    expect_code 1
    expect_sentence 'GES finds no separating sets'
}

check_ges_penalty_is_checked() {
    for penalty in 0 -1 x 1e999 AUTO; do
        run "$data/tiny.csv" --method ges --penalty "$penalty"
        expect_code 1
        expect_sentence 'penalty'
    done
    for method in dual classic precision; do
        run "$data/tiny.csv" --penalty 2 --method "$method"
        expect_code 1
        expect_sentence '--penalty goes with --method ges'
    done
}

check_ges_default_penalty() {
    # 1, and the price of EBIC where there are fewer rows than variables
    run "$data/tiny.csv" --method ges --format json --quiet
    expect_in out '"penalty": 1,'
    cp "$io/out" auto.json
    run "$data/tiny.csv" --method ges --penalty 1 --quiet
    cp "$io/out" one
    run "$data/tiny.csv" --method ges --penalty auto --quiet
    expect_same one "$io/out"
    "$program" simulate --nodes 300 --parents 0.3 --samples 150 --seed 1 -o wide.csv --cpdag truth.csv
    run wide.csv --method ges --verbose -o g.csv -o g.json
    expect_code 0
    expect_in err 'GES, penalty 1\.64 \(EBIC, for there are fewer rows than variables\)'
    expect_not_in err 'makes fewer false edges'
    "$python" -c 'import json, math
penalty = json.load(open("g.json"))["settings"]["penalty"]
assert abs(penalty - 0.5 - math.log(300) / math.log(150)) < 1e-12, penalty' || fail "$told" 'expected the price of EBIC'
    run compare g.csv truth.csv
    expect_in out 'FPRp 0\.[01][0-9]* '
    run wide.csv --method ges --penalty 1
    expect_code 0
    expect_in err 'with so few rows for each variable, --penalty 1\.64 \(EBIC\) makes fewer false edges'
    run "$root/examples/example.csv" --method ges
    expect_not_in err 'makes fewer false edges'
}
