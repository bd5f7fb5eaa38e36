# dualpc compare: graph files in, metrics out. Sourced by run.sh.

# Lines "name value", in the order of the contract, then what was added.
expect_metrics() {
    [ "$(cut -d' ' -f1 "$io/out" | tr '\n' ' ')" = 'TP FP FN SHD TPR FPRp P precision recall F1 exact AP AR AHP AHR AHRC parent_aid ancestor_aid oset_aid sid pairs truth_in_counts truth_in_distances estimate_in_distances ' ] ||
        fail "$told" "expected the names in their order" "saw: $(seen out)"
    local pair
    for pair in "$@"; do
        grep -qx -e "${pair/=/ }" "$io/out" || fail "$told" "expected ${pair/=/ }" "saw: $(cat "$io/out")"
    done
}

check_compare_prints_name_and_value() {
    printf 'A --- B\nC --> D\n' >e.txt
    printf 'A --> B\nC --> B\n' >t.txt
    run compare e.txt t.txt
    expect_code 0
    expect_empty err
    # A-B is marked differently, B-C is missing, C-D is one too many
    expect_metrics TP=0.5 FP=1.5 FN=1.5 SHD=3 TPR=0.25 FPRp=0.75 P=2 precision=0.25 recall=0.25 F1=0.25
    expect_metrics exact=0 AP=0.5 AR=0.5 AHP=0 AHR=0 AHRC=0 pairs=12
    expect_metrics truth_in_counts=cpdag truth_in_distances=dag estimate_in_distances=mpdag
    expect_equal lines 24 "$(wc -l <"$io/out")"
    run compare --graph=skeleton e.txt t.txt
    expect_metrics TP=1 FP=1 FN=1 SHD=2 TPR=0.5 FPRp=0.5 P=2
    run compare e.txt t.txt --graph pattern
    expect_metrics TP=0.5 FP=1.5 FN=1.5 SHD=3
}

check_compare_json_says_the_same() {
    printf 'A --- B\nC --> D\n' >e.txt
    printf 'A --> B\nC --> B\n' >t.txt
    run compare e.txt t.txt --json --graph pattern
    expect_code 0
    expect_text "$io/out" '{"graph": "pattern", "TP": 0.5, "FP": 1.5, "FN": 1.5, "SHD": 3, "TPR": 0.25, "FPRp": 0.75, "P": 2, "precision": 0.25, "recall": 0.25, "F1": 0.25, "exact": 0, "AP": 0.5, "AR": 0.5, "AHP": null, "AHR": 0, "AHRC": 0, "parent_aid": 3, "ancestor_aid": 3, "oset_aid": 3, "sid": null, "pairs": 12, "truth_in_counts": "pattern", "truth_in_distances": "dag", "estimate_in_distances": "mpdag"}'
    "$python" -S -m json.tool "$io/out" >/dev/null || fail "$told" "expected valid JSON"
}

check_compare_what_is_not_defined() {
    : >none.txt
    printf 'A --> B\n' >one.txt
    run compare none.txt none.txt
    expect_metrics TP=0 SHD=0 TPR=NaN FPRp=NaN P=0 precision=NaN recall=NaN F1=NaN
    run compare one.txt none.txt
    expect_metrics FP=1 SHD=1 TPR=NaN precision=0 F1=0
    run compare none.txt one.txt --json
    expect_in out '"precision": null, "recall": 0, "F1": 0'
    "$python" -S -m json.tool "$io/out" >/dev/null || fail "$told" "expected valid JSON"
}

check_compare_every_format_with_every_other() {
    run "$data/dense40.csv" --quiet -o g.csv -o g.txt -o g.dot -o g.json
    expect_code 0
    gzip -k g.csv g.json
    for one in g.csv g.txt g.dot g.json g.csv.gz g.json.gz; do
        for other in g.csv g.txt g.dot g.json; do
            for graph in cpdag pattern skeleton; do
                run compare "$one" "$other" --graph "$graph"
                expect_code 0
                expect_metrics FP=0 FN=0 SHD=0 TPR=1
            done
        done
    done
}

check_compare_odd_names() {
    for table in names blanks; do
        run "$data/$table.csv" --quiet --alpha 0.1 -o g.csv -o g.txt -o g.dot -o g.json
        expect_code 0
        for one in g.csv g.txt g.dot g.json; do
            run compare "$one" g.csv
            expect_code 0
            expect_metrics SHD=0
            run compare g.json "$one"
            expect_code 0
            expect_metrics SHD=0
        done
    done
}

check_compare_example_with_its_truth() {
    run "$root/examples/example.csv" --quiet -o g.csv -o g.txt -o g.dot -o g.json
    for one in g.csv g.txt g.dot g.json; do
        run compare "$one" "$root/examples/example-truth.txt"
        expect_code 0
        cp "$io/out" "$one.out"
        expect_same g.csv.out "$one.out"
    done
    # by other means: pairs of both lists, with and without the mark
    local p found fp fn
    p=$(wc -l <"$root/examples/example-truth.txt")
    found=$(sort g.txt "$root/examples/example-truth.txt" | uniq -d | wc -l)
    fn=$((p - found))
    fp=$(($(wc -l <g.txt) - found))
    [ "$(comm -12 <(cut -d' ' -f1,3 g.txt | sort) \
        <(cut -d' ' -f1,3 "$root/examples/example-truth.txt" | sort) | wc -l)" = "$found" ] ||
        fail "$told" "the example has pairs with other marks: count them here"
    run compare g.csv "$root/examples/example-truth.txt"
    expect_metrics "TP=$found" "FP=$fp" "FN=$fn" "SHD=$((fp + fn))" "P=$p"
}

check_compare_a_dag_is_its_class() {
    printf 'digraph { a -> b -> c; d }' >dag.dot
    printf '{"nodes": ["d", "c", "b", "a"], "edges": [{"from": "b", "to": "a", "mark": "---"},
        {"from": "c", "to": "b", "mark": "---"}]}' >class.json
    run compare class.json dag.dot
    expect_metrics SHD=0 P=2
    run compare dag.dot class.json
    expect_metrics SHD=2
    run compare dag.dot class.json --graph pattern
    expect_metrics SHD=0
}

check_compare_a_graph_is_0_from_itself() {
    printf 'a --> b\nb --> c\n' >dag.txt
    printf 'a --- b\nb --- c\n' >class.txt
    printf 'a --> b\nb --- c\nc --> a\n' >odd.txt
    printf 'a --> b\nb --> c\nc --> a\n' >circle.txt
    for one in dag class odd circle; do
        for graph in cpdag pattern skeleton; do
            run compare "$one.txt" "$one.txt" --graph "$graph"
            expect_code 0
            expect_metrics SHD=0 exact=1
        done
    done
    # two DAGs of one class do not differ, and both arrows are counted as the class has them
    printf 'c --> b\nb --> a\n' >other.txt
    run compare other.txt dag.txt --differences d.csv
    expect_metrics SHD=0 exact=1 AHP=NaN truth_in_counts=cpdag estimate_in_distances=dag
    expect_text d.csv 'a,b,estimate,truth'
}

check_compare_standard_input() {
    printf 'A --- B\n' >t.txt
    shell 'printf "A --- B\n" | "$program" compare - t.txt'
    expect_code 0
    expect_metrics SHD=0 P=1
    shell '"$program" compare t.txt - <t.txt'
    expect_code 0
    expect_metrics SHD=0 P=1
    shell '"$program" compare <(echo "A --> B") t.txt --graph skeleton'
    expect_code 0
    expect_metrics SHD=0 P=1
    shell '"$program" compare - - <t.txt'
    expect_code 1
    expect_sentence 'standard input'
    shell 'echo some nonsense | "$program" compare - t.txt'
    expect_code 2
    expect_sentence "standard input: line 1: 'some nonsense' is no edge"
}

check_compare_nodes_that_differ() {
    printf 'A,B,C\n0,1,0\n0,0,0\n0,0,0\n' >abc.csv
    printf 'A,B,D\n0,1,0\n0,0,0\n0,0,0\n' >abd.csv
    printf 'C --- B\n' >cb.txt
    run compare abc.csv abd.csv
    expect_code 2
    expect_sentence "abc.csv and abd.csv: the truth lacks 'C' of the estimate, the estimate lacks 'D'"
    run compare abc.csv cb.txt
    expect_code 0
    expect_metrics FP=1 FN=1
    run compare cb.txt abd.csv
    expect_code 2
    expect_sentence "the truth lacks 'C' of the estimate"
    run compare abd.csv cb.txt
    expect_code 2
    expect_sentence "the estimate lacks 'C' of the truth"
}

check_compare_exit_codes() {
    printf 'A --> B\n' >t.txt
    printf 'A,B\n0,7\n0,0\n' >bad.csv
    run compare t.txt
    expect_code 1
    expect_sentence 'two files'
    run compare t.txt t.txt t.txt
    expect_code 1
    expect_sentence 'too many'
    run compare t.txt t.txt --graph dag
    expect_code 1
    expect_sentence '--graph must be one of cpdag, pattern, skeleton'
    run compare t.txt t.txt --quick
    expect_code 1
    expect_sentence "'--quick'"
    run compare t.txt t.png
    expect_code 1
    expect_sentence "t.png: a graph cannot be read from this format"
    run compare t.txt missing.csv
    expect_code 2
    expect_sentence 'missing\.csv: there is no such file'
    run compare bad.csv t.txt
    expect_code 2
    expect_sentence "bad\.csv: line 2: '7' in column 'B' is neither 0 nor 1"
    if [ -w /dev/full ]; then
        shell '"$program" compare t.txt t.txt >/dev/full'
        expect_code 3
        expect_in err 'standard output'
    fi
}

check_compare_help() {
    run compare --help
    expect_code 0
    expect_empty err
    expect_in out '--graph cpdag\|pattern\|skeleton +.*\[cpdag\]'
    expect_in out '--json'
}

check_compare_can_be_interrupted() {
    mkfifo slow
    printf 'A --> B\n' >t.txt
    exec 9<>slow # somebody may write, and does not
    interrupt --after 0.1 -- compare slow t.txt
    interrupt --after 0.1 --signal TERM -- compare t.txt slow
    exec 9>&-
}

# The effects of the estimate against the truth: as golden/aid has them.
check_compare_distances() {
    local pair n parent ancestor oset shd sid rest
    while IFS=, read -r pair rest n parent ancestor oset shd sid; do
        [ "$pair" != pair ] || continue
        [ $((pair % 4)) = 0 ] || continue
        pair=$(printf '%03d' "$pair")
        run compare "$golden/aid/$pair-guess.csv" "$golden/aid/$pair-truth.csv"
        expect_code 0
        expect_empty err
        [ "$sid" != -1 ] || sid=NaN
        expect_metrics "parent_aid=$parent" "ancestor_aid=$ancestor" "oset_aid=$oset" "sid=$sid" \
            "pairs=$((n * (n - 1)))"
    done <"$golden/aid/index.csv"
}

check_compare_a_dag_is_a_dag_for_distances() {
    printf 'a --> b\nb --> c\n' >dag.txt
    printf 'a --- b\nb --- c\n' >class.txt
    run compare class.txt dag.txt
    expect_metrics SHD=0 exact=1 parent_aid=6 truth_in_counts=cpdag truth_in_distances=dag \
        estimate_in_distances=cpdag sid=NaN
    run compare dag.txt dag.txt
    expect_metrics parent_aid=0 sid=0 estimate_in_distances=dag
}

check_compare_invalid_graphs() {
    printf 'A --> B\nB --> C\nC --> A\n' >circle.txt
    printf 'A --> B\nB --> C\n' >fine.txt
    run compare fine.txt circle.txt
    expect_code 0
    expect_in err '^dualpc: no distances, for of the truth, circle\.txt: .*circle, A --> B --> C --> A; --extend'
    expect_metrics SHD=1 parent_aid=NaN oset_aid=NaN truth_in_counts=given truth_in_distances=none
    run compare circle.txt fine.txt --json
    expect_in err 'of the estimate, circle\.txt'
    expect_in out '"parent_aid": null, .*"estimate_in_distances": null\}'
    run compare fine.txt circle.txt --extend
    expect_code 0
    expect_in err 'circle\.txt: the nearest valid graph is taken, a dag with 1 other mark'
    expect_metrics truth_in_distances=dag
    expect_in out 'parent_aid [0-9]'
    run compare circle.txt circle.txt --graph skeleton
    expect_empty err
    expect_metrics SHD=0 parent_aid=NaN
}

check_compare_differences() {
    printf 'A --- B\nC --> D\nD --> E\nF --> E\n' >e.txt
    printf 'A --> B\nC --> B\nD --> E\nE --> F\n' >t.txt
    run compare e.txt t.txt --differences d.csv
    expect_code 0
    "$python" -S - <<'PY' || fail "$told" "expected the pairs that differ" "saw: $(cat d.csv)"
rows = [line.strip().split(",") for line in open("d.csv")]
assert rows[0] == ["a", "b", "estimate", "truth"], rows
turn = {"-->": "<--", "<--": "-->", "---": "---", "none": "none"}
seen = {}
for a, b, e, t in rows[1:]:
    seen[min(a, b), max(a, b)] = (e, t) if a < b else (turn[e], turn[t])
assert seen == {("A", "B"): ("---", "-->"), ("B", "C"): ("none", "<--"), ("C", "D"): ("-->", "none"),
                ("D", "E"): ("-->", "---"), ("E", "F"): ("<--", "---")}, seen
PY
    run compare e.txt e.txt --graph skeleton --differences none.csv
    expect_text none.csv 'a,b,estimate,truth'
    run compare e.txt t.txt --differences d.txt
    expect_code 1
    expect_sentence 'does not end in \.csv'
    printf 'A,B\n0,1\n0,0\n' >e.csv
    run compare e.csv e.csv --differences e.csv
    expect_code 1
    expect_in err 'e\.csv'
}

check_compare_lists_with_other_names() {
    printf 'A --> B\n' >ab.txt
    printf 'X --> Y\n' >xy.txt
    printf 'A --> B\nB --> C\n' >abc.txt
    run compare ab.txt xy.txt
    expect_code 2
    expect_sentence "ab\.txt and xy\.txt: the truth lacks 'A', 'B' of the estimate, the estimate lacks 'X', 'Y' of the truth"
    run compare ab.txt abc.txt --graph skeleton
    expect_code 0
    expect_metrics FN=1 FP=0
}

check_compare_pags() {
    printf 'A o-> B\nC o-> B\nB --> D\nE\n' >t.txt
    printf 'A o-> B\nB <-> C\nA o-o D\nE\n' >e.txt
    run compare e.txt t.txt --differences d.csv
    expect_code 0
    expect_text "$io/out" 'skeleton_precision 0.6666666666666666
skeleton_recall 0.6666666666666666
skeleton_F1 0.6666666666666666
arrow_precision 0.6666666666666666
arrow_recall 0.6666666666666666
tail_precision NaN
tail_recall 0
SHD 3
exact 0'
    expect_text d.csv $'a,b,estimate,truth\nA,D,o-o,none\nB,C,<->,<-o\nB,D,none,-->'
    run compare t.txt t.txt --json
    expect_text "$io/out" '{"graph": "pag", "skeleton_precision": 1, "skeleton_recall": 1, "skeleton_F1": 1, "arrow_precision": 1, "arrow_recall": 1, "tail_precision": 1, "tail_recall": 1, "SHD": 0, "exact": 1}'
    printf 'A --> B\nC --> B\nB --> D\nE\n' >dag.txt
    run compare dag.txt t.txt
    expect_code 2
    expect_sentence 'dag.txt and t.txt: the truth is a PAG and the estimate is not'
    run compare dag.txt t.txt --graph skeleton
    expect_code 0
    expect_metrics SHD=0 P=3
    run compare e.txt t.txt --graph pattern
    expect_code 1
    expect_sentence 'a PAG has no pattern'
    printf 'A\nB\nC\nD\nE\n' >none.txt # no edge at all: it may be a PAG
    run compare none.txt t.txt
    expect_code 0
    expect_in out 'skeleton_recall 0 .*SHD 3 exact 0'
}

# A list that names nodes without edges lists its nodes; one that does not may lack some.
check_compare_lists_of_nodes() {
    printf 'A,B,C\n0,1,0\n0,0,0\n0,0,0\n' >abc.csv
    printf 'A --> B\n' >old.txt
    printf 'A --> B\nC\n' >new.txt
    printf 'A --> B\nC\nD\n' >more.txt
    for file in old.txt new.txt; do
        run compare $file abc.csv --graph skeleton
        expect_code 0
        expect_metrics P=1 SHD=0
    done
    run compare old.txt more.txt
    expect_code 0
    run compare more.txt abc.csv
    expect_code 2
    expect_sentence "lacks 'D'"
}
