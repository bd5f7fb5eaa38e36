# The formats, and that they tell the same. Sourced by run.sh.

# All four formats of one run, looked into and compared; $1 is the table, the rest are options.
write_all_formats() {
    local table=$1
    shift
    run "$table" "$@" --separating-sets -o g.csv -o g.txt -o g.dot -o g.json
    expect_code 0
    expect_empty out
    expect_files g.csv g.dot g.json g.txt
    head -n "$(grep -c '"mark"' g.json)" g.txt | LC_ALL=C sort -c || fail "$told" "expected the edge list sorted as LC_ALL=C sort does"
    if command -v dot >/dev/null; then
        dot -Tplain g.dot >/dev/null 2>"$io/err" || fail "$told" "dot refuses g.dot: $(seen err)"
    fi
    verify formats "$table" g.csv g.txt g.dot g.json
}

check_formats_agree_cpdag() { write_all_formats "$data/tiny.csv" --alpha 0.1; }
check_formats_agree_pattern() { write_all_formats "$data/dense40.csv" --graph pattern; }
check_formats_agree_skeleton() { write_all_formats "$data/wide150.csv" --graph skeleton; }
check_formats_agree_without_edges() { write_all_formats "$data/tiny.csv" --alpha 1e-300; }
check_formats_agree_complete_graph() {
    write_all_formats "$data/tiny.csv" --alpha 0.999999 --max-order 0 --graph skeleton
}

check_names_round_trip() { write_all_formats "$data/names.csv" --alpha 0.1; }

check_names_with_outer_blanks_round_trip() {
    # inside quotes a blank belongs to the name
    write_all_formats "$data/blanks.csv" --alpha 0.1
}

check_a_written_graph_has_the_names_the_program_reads() {
    # the header of the CSV, put above the same numbers, must give the same graph again
    run "$data/names.csv" --quiet -o first.csv
    (head -1 first.csv && tail -n +2 "$data/tiny.csv") >again.csv
    run again.csv --quiet -o second.csv
    expect_code 0
    expect_same first.csv second.csv
}

check_format_for_standard_output() {
    run "$data/tiny.csv" --quiet -o g.csv -o g.txt -o g.dot
    for format in csv txt dot; do
        run "$data/tiny.csv" --quiet --format "$format"
        expect_code 0
        expect_same "g.$format" "$io/out"
    done
    run "$data/tiny.csv" --quiet --format json
    expect_code 0
    "$python" -S -m json.tool "$io/out" >/dev/null || fail "$told" "expected valid JSON"
    run "$data/tiny.csv" --quiet
    expect_same g.txt "$io/out"
}

check_output_and_format_together() {
    run "$data/tiny.csv" --quiet --format csv -o g.txt
    expect_code 0
    cp "$io/out" seen.csv
    run "$data/tiny.csv" --quiet -o g.csv
    expect_same g.csv seen.csv
    expect_empty out
}

check_json_holds_what_the_contract_says() {
    for settings in "--method dual --test z" "--method dual --test t --variant standard" \
        "--method classic --max-order 1" "--method precision --alpha-dual 0.3 --graph pattern" \
        "--normalize copula --min-ess 3"; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $settings --alpha 0.1 --quiet --separating-sets --format json
        expect_code 0
        # shellcheck disable=SC2086
        verify json "$data/tiny.csv" "$io/out" --alpha 0.1 $settings
    done
    run "$data/dense40.csv" --quiet --separating-sets --format json
    verify json "$data/dense40.csv" "$io/out"
    run "$data/wide150.csv" --quiet --separating-sets --format json --alpha 0.01
    verify json "$data/wide150.csv" "$io/out" --alpha 0.01
}

# The recipe of the man page makes of the sets what --explain says.
check_json_sets_expand_as_the_man_page_says() {
    sed -n '/^\.\\" recipe/,/^\.EE/p' "$root/docs/dualpc.1" | grep -v '^\.' >recipe.py
    expect_equal 'lines of the recipe' 6 "$(wc -l <recipe.py)"
    cat >>recipe.py <<'END'
sets = {(s["a"], s["b"]): s["set"] for s in d["separating_sets"]}
told = {(e["a"], e["b"]): e["test"]["set"] for e in d["explanations"] if not e["adjacent"]}
large = sum("set" not in s for s in json.load(open("g.json"))["separating_sets"])
print(len(told) > 1000 and all(sets[pair] == told[pair] for pair in told), large > 200)
END
    # shellcheck disable=SC2046
    "$program" simulate --nodes 210 --parents 3 --samples 300 --seed 5 -o many.csv
    for words in '' '--rule and --alpha 0.2' '--variant standard'; do
        # shellcheck disable=SC2086
        run many.csv --quiet --max-order 2 --separating-sets -o g.json $words $(pairs_of many.csv 13)
        expect_code 0
        expect_equal 'sets' 'True True' "$("$python" -SB recipe.py)"
    done
    head -1 many.csv | tr , '\n' | tr -d '"' >names
    { printf '/knowledge\naddtemporal\n1 '; head -90 names | xargs; printf '2 '; sed -n 91,150p names | xargs; } >k.txt
    # shellcheck disable=SC2046
    run many.csv --quiet --max-order 2 --knowledge k.txt --separating-sets -o g.json $(pairs_of many.csv 13)
    expect_code 0
    expect_equal 'sets' 'True True' "$("$python" -SB recipe.py)"
    grep -q '"level": 0, "node": null' g.json || fail "$told" "expected a list of the tiers"
}

# TABLE STEP: --explain for every STEP-th pair of a table.
pairs_of() {
    "$python" -SB - "$1" "$2" <<'END'
import sys
names = open(sys.argv[1]).readline().strip().replace('"', "").split(",")
pairs = [(a, b) for i, b in enumerate(names) for a in names[:i]]
print(*("--explain=" + a + "," + b for a, b in pairs[::int(sys.argv[2])]))
END
}

check_json_has_no_sets_unless_asked() {
    run "$data/tiny.csv" --quiet --format json
    expect_code 0
    expect_in out '"edges"'
    expect_not_in out 'separating_sets'
}

check_json_numbers_are_exact() {
    run "$data/tiny.csv" --quiet --format json --alpha 0.012345678901234567 --min-ess 7.5 --max-order 3
    verify settings "$io/out" alpha 0.012345678901234567 alpha_dual 0.012345678901234567 min_ess 7.5 \
        max_order 3
    run "$data/tiny.csv" --quiet --format json --alpha 1e-300 --alpha-dual 0.5
    verify settings "$io/out" alpha 1e-300 alpha_dual 0.5 min_ess 30 max_order null
}
