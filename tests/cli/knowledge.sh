# Background knowledge. Sourced by run.sh.

# A chain V1 - V2 - V3, with nothing else to direct it.
chain() {
    printf '1,0.5,0.25\n0.5,1,0.5\n0.25,0.5,1\n' >chain.csv
    learn_chain=(chain.csv --correlation --samples 1000 --quiet)
}

check_knowledge_directs() {
    chain
    run "${learn_chain[@]}"
    expect_text "$io/out" $'V1 --- V2\nV2 --- V3'
    printf '/knowledge\naddtemporal\n1 V1\n2 V2 V3\n' >k.txt
    for orient in consistent relaxed majority conservative; do
        run "${learn_chain[@]}" --knowledge k.txt --orient "$orient"
        expect_code 0
        expect_text "$io/out" $'V1 --> V2\nV2 --> V3'
    done
    printf '{"forbidden_edges": [["V2", "V3"]]}' >k.json
    run "${learn_chain[@]}" --knowledge k.json --dag dag.txt
    expect_code 0
    expect_text "$io/out" $'V2 --> V1\nV3 --> V2'
    expect_text dag.txt $'V2 --> V1\nV3 --> V2'
    run "${learn_chain[@]}" --knowledge k.json --graph skeleton
    expect_text "$io/out" $'V1 --- V2\nV2 --- V3'
}

check_knowledge_decides_what_is_an_edge() {
    chain
    printf 'requiredirect\nV1 V3\nforbiddirect\nV1 V2\nV2 V1\n' >k.txt
    run "${learn_chain[@]}" --knowledge k.txt --separating-sets --format json
    expect_code 0
    # V1 and V2 cannot be adjacent, so nothing speaks for a collider at V3
    "$python" -SB - "$io/out" <<'PY' || fail "$told" "not what the knowledge says"
import json, sys
d = json.load(open(sys.argv[1]))
edges = sorted((e["from"], e["mark"], e["to"]) for e in d["edges"])
assert edges == [("V1", "-->", "V3"), ("V2", "---", "V3")] or \
       edges == [("V1", "-->", "V3"), ("V3", "-->", "V2")], edges
(s,) = d["separating_sets"]
assert (s["a"], s["b"], s["kind"], s["set"], s["r"]) == ("V1", "V2", "forbidden", [], None), s
assert d["settings"]["knowledge"] == {"tiers": 0, "required": 1, "forbidden": 2}, d["settings"]
assert d["info"]["tests"] <= 4, d["info"]
PY
    run "${learn_chain[@]}" --knowledge k.txt --orient relaxed
    expect_text "$io/out" $'V1 --> V3\nV2 --- V3'
}

check_knowledge_is_told() {
    printf '/knowledge\naddtemporal\n1 V1 V2\n2* V3 V4\nforbiddirect\nV5 V6\n' >k.txt
    run "$data/tiny.csv" --knowledge k.txt --verbose
    expect_code 0
    expect_in err 'knowledge: 2 tiers, 0 required, 1 forbidden edge '
    run "$data/tiny.csv" --verbose
    expect_not_in err 'knowledge'
    run "$data/tiny.csv" --quiet --format json
    expect_not_in out 'knowledge'
    run --help
    expect_code 0
    run learn --help
    expect_in out '--knowledge FILE'
}

check_knowledge_from_standard_input_and_gzip() {
    chain
    printf 'addtemporal\n1 V1\n2 V2 V3\n' >k.txt
    shell 'gzip -k k.txt && "$program" chain.csv --correlation --samples 1000 --quiet --knowledge k.txt.gz'
    expect_text "$io/out" $'V1 --> V2\nV2 --> V3'
    shell '"$program" chain.csv --correlation --samples 1000 --quiet --knowledge - <k.txt'
    expect_text "$io/out" $'V1 --> V2\nV2 --> V3'
    shell '"$program" - --correlation --samples 1000 --quiet --knowledge - <k.txt'
    expect_code 1
    expect_sentence 'cannot both come from standard input'
}

check_knowledge_wrong_lines_are_quoted() {
    chain
    printf '/knowledge\naddtemporal\n1 V1\n2 V9\n' >k.txt
    run "${learn_chain[@]}" --knowledge k.txt
    expect_code 2
    expect_sentence "^dualpc: k.txt: line 4, '2 V9': there is no variable 'V9'"
    printf 'requiredirect\nV1 V2\nV2 V3\nV3 V1\n' >k.txt
    run "${learn_chain[@]}" --knowledge k.txt -o out.txt
    expect_code 2
    expect_sentence "^dualpc: k.txt: line 4, 'V3 V1': V3 -> V1: .*circle"
    printf '{"tiers": [["V1"],\n ["V1"]]}' >k.txt
    run "${learn_chain[@]}" --knowledge k.txt
    expect_code 2
    expect_sentence "^dualpc: k.txt: line 2, .*two tiers"
    run "${learn_chain[@]}" --knowledge nowhere.txt
    expect_code 2
    expect_sentence '^dualpc: nowhere.txt'
    expect_files chain.csv k.txt
}

# With a bootstrap: in every resample, and in the consensus.
check_knowledge_reaches_the_resamples() {
    first=$(head -1 "$data/tiny.csv" | cut -d, -f1)
    second=$(head -1 "$data/tiny.csv" | cut -d, -f2)
    third=$(head -1 "$data/tiny.csv" | cut -d, -f3)
    printf 'requiredirect\n%s %s\nforbiddirect\n%s %s\n%s %s\n' "$second" "$first" "$first" \
        "$third" "$third" "$first" >k.txt
    run "$data/tiny.csv" --quiet --knowledge k.txt --bootstrap 10 --min-frequency 1 --frequencies f.csv
    expect_code 0
    expect_equal 'the required edge' 1 "$(grep -cx "$second --> $first" "$io/out")"
    expect_equal 'forbidden edges' 0 "$(grep -cxE "($first|$third) --[->] ($first|$third)" "$io/out")"
    expect_equal 'the required edge, of all resamples' 1 "$(grep -cx "$first,$second,1,0,1,0" f.csv)"
    expect_equal 'forbidden edges of resamples' 0 "$(grep -c "^$first,$third," f.csv)"
}

check_knowledge_usage() {
    chain
    printf 'addtemporal\n1 V1\n' >k.txt
    run "${learn_chain[@]}" --knowledge k.txt --knowledge k.txt
    expect_code 1
    expect_sentence 'given twice'
}

# GES keeps to it, and says so.
check_knowledge_with_ges() {
    read -r first second third < <(head -1 "$data/tiny.csv" | tr ',' ' ' | cut -d' ' -f1-3)
    printf 'requiredirect\n%s %s\nforbiddirect\n%s %s\n%s %s\n' "$second" "$first" "$first" \
        "$third" "$third" "$first" >k.txt
    run "$data/tiny.csv" --method ges --knowledge k.txt --dag dag.txt --explain "$second,$first" --verbose -o g.txt
    expect_code 0
    expect_in err 'GES, penalty 1 .*knowledge: 0 tiers, 1 required, 2 forbidden edges'
    expect_in err "why $second --> $first: the knowledge requires it"
    for file in g.txt dag.txt; do
        expect_equal 'the required edge' 1 "$(grep -cx "$second --> $first" $file)"
        expect_equal 'forbidden edges' 0 "$(grep -cxE "($first|$third) --[->] ($first|$third)" $file)"
    done
    head -1 "$data/dense40.csv" | tr ',' '\n' | head -20 | paste -sd' ' | sed 's/^/addtemporal\n1 /' >t.txt
    head -1 "$data/dense40.csv" | tr ',' '\n' | tail -20 | paste -sd' ' | sed 's/^/2 /' >>t.txt
    run "$data/dense40.csv" --method ges --penalty 2 --knowledge t.txt --quiet
    expect_code 0
    cp "$io/out" one
    head -1 "$data/dense40.csv" | tr ',' '\n' | tail -20 >late
    head -1 "$data/dense40.csv" | tr ',' '\n' | head -20 >early
    expect_equal 'edges from the late to the early' 0 \
        "$(awk 'FILENAME == "late" { late[$1] } FILENAME == "early" { early[$1] }
            FILENAME == "one" && ($1 in late) && ($3 in early)' late early one | wc -l)"
    run "$data/dense40.csv" --method ges --penalty 2 --knowledge t.txt --quiet --threads 3
    expect_same one "$io/out"
}

# Every variable in one tier, or in none, says nothing.
check_knowledge_that_says_nothing_changes_nothing() {
    head -1 "$data/dense40.csv" | tr ',' ' ' | sed 's/^/addtemporal\n1 /' >one.txt
    echo '{}' >none.json
    for settings in "" "--variant standard" "--method classic --max-order 2" "--rule and --orient relaxed"; do
        # shellcheck disable=SC2086
        run "$data/dense40.csv" --quiet $settings
        cp "$io/out" plain
        for file in one.txt none.json; do
            # shellcheck disable=SC2086
            run "$data/dense40.csv" --quiet $settings --knowledge "$file"
            expect_code 0
            expect_same plain "$io/out"
        done
    done
}

check_knowledge_threads_give_the_same_bytes() {
    head -1 "$data/dense60.csv" | tr ',' '\n' |
        awk 'BEGIN {print "addtemporal"} {print 1 + NR % 3, $1}' >k.txt
    run "$data/dense60.csv" --knowledge k.txt --max-order 2 --threads 1 --quiet
    expect_code 0
    cp "$io/out" one
    run "$data/dense60.csv" --knowledge k.txt --max-order 2 --threads 3 --quiet
    expect_same one "$io/out"
}

# Beyond 4 MiB a file is read by pieces.
check_knowledge_in_a_large_file() {
    chain
    { printf 'requiredirect\nV1 V3\n'; yes '# a line that says nothing of the edges' | head -n 110000; } >k.txt
    run "${learn_chain[@]}" --knowledge k.txt
    expect_code 0
    expect_in out 'V1 --> V3'
    # another form, packed
    { printf '{"required_edges": [["V1", "V3"]]'; head -c 5000000 /dev/zero | tr '\0' ' '; printf '}'; } | gzip >k.json.gz
    run "${learn_chain[@]}" --knowledge k.json.gz
    expect_code 0
    expect_in out 'V1 --> V3'
}
