# Hidden common causes: learn --latent, and what is asked of a PAG. Sourced by run.sh.

check_latent_formats() {
    for way in search fci dag; do
        for end in txt pag.csv dot json graphml gml tetrad dagitty html; do
            run "$data/tiny.csv" --latent $way --quiet -o g.$end
            expect_code 0
            expect_empty err
        done
        for end in pag.csv dot json graphml gml; do # the same graph, whatever it is written in
            run compare g.$end g.pag.csv
            expect_in out 'exact 1'
        done
        run "$data/tiny.csv" --latent $way --quiet -o g.csv
        expect_code 2
        expect_sentence 'is a PAG, and csv .* cannot hold'
    done
}

check_latent_says_what_it_found() {
    run "$data/tiny.csv" --latent fci -o g.json
    expect_code 0
    expect_in err 'edges, with'
    "$python" -c 'import json; g = json.load(open("g.json")); assert g["graph_type"] == "pag"; assert g["settings"]["latent"] == "fci"; assert g["info"]["repaired"] in (True, False)' ||
        fail "$told" 'g.json does not tell of a PAG'
}

check_latent_refuses() {
    for more in '--refine fast' '--method ges' '--graph skeleton' '--min-evidence 1' '--orient majority'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" --latent fci $more
        expect_code 1
        expect_sentence "--latent fci does not go with ${more%% *}"
    done
    for more in '--dag d.txt' '--nodes e.csv' '--effects f.csv' '--bootstrap 10 --min-frequency 0.5' --advice --posterior; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" --latent fci $more
        expect_code 1
        more=${more#--bootstrap 10 }
        expect_sentence "${more%% *} is about graphs without hidden causes"
    done
    run "$data/tiny.csv" --latent search --pdsep 1
    expect_code 1
    expect_sentence '--latent search does not go with --pdsep'
    printf 'a,b,c\n' >words.csv
    awk 'BEGIN { srand(1); split("x y z", w); for (i = 0; i < 60; i++) print rand() "," rand() "," w[1 + i % 3] }' >>words.csv
    run words.csv --latent search
    expect_code 1
    expect_sentence "column 'c' is nominal with 3 levels; latent search needs variables that are numbers"
    run words.csv --latent fci --quiet
    expect_code 0
    run "$data/tiny.csv" --pdsep 2
    expect_code 1
    expect_sentence '--pdsep goes with --latent'
}

check_pags_are_asked() {
    printf 'A o-> C\nB o-> C\nC --> D\n' >g.txt
    run adjust g.txt C D
    expect_text "$io/out" $'the effect of C on D is identified\nparents: the empty set\nminimal: the empty set'
    run adjust g.txt A D --check B
    expect_in out 'the effect of A on D is not identified: the edge A o-> C may be due to a hidden common cause'
    expect_in out 'B is not valid, and nor is any other set'
    run separate g.txt A B --given D
    expect_text "$io/out" 'A and B are not separated given D; open path: A o-> C <-o B'
    run separate g.txt A B
    expect_text "$io/out" 'A and B are separated'
    printf 'A o-> B\n' >wrong.txt
    run separate wrong.txt A B
    expect_code 2
    expect_sentence 'wrong.txt: it is neither a valid MAG nor a valid PAG: .*; --extend takes the nearest valid graph'
    run separate wrong.txt A B --extend
    expect_code 0
    expect_in out 'A o-o B'
}

# Possible-D-SEP of nominal variables: one more level of tests, which takes edges away.
check_pags_of_nominal_variables_look_again() {
    run simulate --nodes 14 --parents 2 --samples 800 --mixed 0.3 --hidden 0.2 --seed 1 -o m.csv --quiet
    run m.csv --latent fci --alpha 0.01 --quiet -o one.json
    expect_code 0
    run m.csv --latent fci --alpha 0.01 --quiet --pdsep 1 -o two.json
    expect_code 0
    [ "$(grep -o '"tests"' two.json | wc -l)" -gt "$(grep -o '"tests"' one.json | wc -l)" ] ||
        fail "$told" 'expected one more level of tests'
    [ "$(grep -o '"from"' two.json | wc -l)" -lt "$(grep -o '"from"' one.json | wc -l)" ] ||
        fail "$told" 'expected fewer edges'
}

# --latent alone is --latent search: before a file, before an option, and at the end.
check_latent_may_stand_alone() {
    local hidden=$root/examples/hidden.csv
    run "$hidden" --latent search --quiet
    expect_text "$io/out" $'exercise o-> sleep\nmood --> work\nmood <-> sleep\nsupport o-> mood'
    cp "$io/out" search.txt
    run --latent "$hidden" --quiet
    expect_same "$io/out" search.txt
    run learn --latent --quiet "$hidden"
    expect_same "$io/out" search.txt
    run "$hidden" --quiet --latent
    expect_same "$io/out" search.txt
    run --latent=search learn "$hidden" --quiet
    expect_same "$io/out" search.txt
    run --latent none learn "$hidden" --quiet
    expect_code 0
    expect_in out 'exercise --> sleep'
    run "$hidden" --latent=wrong
    expect_code 1
    expect_sentence '--latent must be one of none, search, fci, dag'
}

check_latent_search_is_the_same_for_any_order() {
    local hidden=$root/examples/hidden.csv
    awk -F, -v OFS=, '{ print $5, $3, $1, $4, $2 }' "$hidden" >turned.csv
    run "$hidden" --latent --quiet --threads 2 -o a.pag.csv
    run turned.csv --latent --quiet --threads 1 -o b.pag.csv
    run compare a.pag.csv b.pag.csv
    expect_in out 'exact 1'
    run "$hidden" --latent --timeout 0.000001 -o late.json
    expect_code 0
    expect_in err 'time limit reached'
}

check_latent_explains() {
    local hidden=$root/examples/hidden.csv
    for way in search fci dag; do
        run "$hidden" --latent $way --quiet --explain all --explain sleep,work -o g.json
        expect_code 0
        expect_in err 'at mood an arrowhead: .*(R0)'
        "$python" - <<'END' || fail "$told" 'g.json does not explain the marks'
import json
g = json.load(open("g.json"))
way = g["settings"]["latent"]
edges = {frozenset((e["from"], e["to"])): e for e in g["edges"]}
assert len(g["explanations"]) == len(edges) + 1
for e in g["explanations"]:
    assert e["adjacent"] == (frozenset((e["a"], e["b"])) in edges)
    assert ("ends" in e) == e["adjacent"] and "reasons" not in e
    for end in e.get("ends", []):
        assert (end["rule"] is None) == (end["mark"] == "circle"), end
        assert end["rule"] is None or end["others"], end
    assert ("hidden" in g) == (way == "search")
    if way == "search":
        mag = {frozenset((m["from"], m["to"])) for m in g["hidden"]["mag"]}
        assert mag == set(edges) and g["hidden"]["score_after"] >= g["hidden"]["score_before"]
        lost = e["score_lost"]
        assert min(v for v in lost.values() if v is not None) >= -1e-6, lost
        assert not e["adjacent"] or lost["none"] > 0
        assert e["adjacent"] or lost["none"] == 0
    else:
        assert "score_lost" not in e
    assert ("test" in e) == (way == "fci")
END
    done
    run "$hidden" --latent fci --quiet --explain exercise,support
    expect_in err 'why no edge exercise, support: removed at level 0'
}

check_latent_is_resampled() {
    run "$root/examples/hidden.csv" --latent --bootstrap 20 --seed 3 --quiet --frequencies f.csv -o g.json --edges e.csv
    expect_code 0
    "$python" - <<'END' || fail "$told" 'the frequencies of PAGs are wrong'
import csv, json
rows = list(csv.DictReader(open("f.csv")))
told = json.load(open("g.json"))["bootstrap"]["frequencies"]
marks = ["-->", "<--", "<->", "o->", "<-o", "o-o"]
assert list(rows[0]) == ["from", "to", "edge", *marks, "from_is_cause", "from_is_no_cause", "to_is_cause", "to_is_no_cause"]
assert len(rows) == len(told)
for row, same in zip(rows, told):
    value = {k: float(v) for k, v in row.items() if k not in ("from", "to")}
    assert all(abs(value[k] - same[k]) < 1e-12 for k in value)
    assert abs(sum(value[m] for m in marks) - value["edge"]) < 1e-12
    assert value["from_is_cause"] >= value["-->"] and value["to_is_cause"] >= value["<--"]
    assert value["to_is_no_cause"] >= value["-->"] + value["<->"] + value["o->"] - 1e-12
    assert value["from_is_cause"] + value["from_is_no_cause"] <= 1 + 1e-12
edges = {(r["from"], r["to"]): r for r in csv.DictReader(open("e.csv"))}
assert edges["sleep", "mood"]["mark"] == "<->" and edges["exercise", "sleep"]["mark"] == "o->"
END
}

# What is known licenses the marks that it says and no others, and is kept where tests contradict it.
check_latent_keeps_what_is_known() {
    local hidden=$root/examples/hidden.csv
    printf '{"required_edges": [["exercise", "support"]]}' >tail.json # no half of a collider at a tail
    run "$hidden" --latent fci --quiet --knowledge tail.json
    expect_text "$io/out" $'exercise --> support\nexercise o-> sleep\nmood --> work\nmood <-> sleep\nmood <-> support'
    printf 'a,b,c\n1,.5,.4\n.5,1,.45\n.4,.45,1\n' >cor.csv
    for pair in a,b a,c b,a b,c c,a c,b; do # any direction of a triangle may be known: nothing to repair
        printf '{"forbidden_edges": [["%s", "%s"]]}' "${pair%,*}" "${pair#*,}" >one.json
        for way in search fci dag; do
            run cor.csv --correlation --samples 500 --latent $way --quiet --knowledge one.json --format json
            expect_code 0
            expect_in out '"repaired": false'
            run cor.csv --correlation --samples 500 --latent $way --quiet --knowledge one.json
            expect_in out "^${pair#*,} o-> ${pair%,*}$|${pair#*,} o-> ${pair%,*} "
            expect_equal 'edges' 3 "$(wc -l <"$io/out")"
        done
    done
    printf '{"required_edges": [["sleep", "work"], ["work", "mood"]], "forbidden_edges": [["sleep", "mood"]]}' >circle.json
    for way in search fci dag; do # a path that is required makes sleep a cause of mood: no edge is left for the two
        run "$hidden" --latent $way --quiet --knowledge circle.json --explain sleep,mood
        expect_code 0
        expect_in out 'sleep --> work'
        expect_in out 'work --> mood'
        expect_not_in out 'mood .* sleep|sleep .* mood'
        expect_in err '^why no edge sleep, mood'
    done
    run "$hidden" --latent fci --quiet --knowledge circle.json --explain sleep,mood
    expect_in err 'the repair of the PAG removed the edge: the directions that the knowledge leaves'
}

# A PAG is one also where no circle and no double arrow tells: without edges, or by what is known.
check_pags_without_circles() {
    printf 'a,b,c\n1,0,0\n0,1,0\n0,0,1\n' >cor.csv
    printf 'a,b,c\n1,.5,.4\n.5,1,.45\n.4,.45,1\n' >three.csv
    printf '{"required_edges": [["a", "b"], ["b", "c"], ["a", "c"]]}' >all.json
    for case in 'cor.csv' 'three.csv --knowledge all.json'; do
        # shellcheck disable=SC2086
        run $case --correlation --samples 500 --latent --quiet -o g.json -o g.pag.csv -o g.txt -o g.dagitty
        expect_code 0
        "$python" -c 'import json; g = json.load(open("g.json")); assert g["graph_type"] == "pag"; assert all(e["from_mark"] == "tail" and e["to_mark"] == "arrow" for e in g["edges"])' ||
            fail "$told" 'g.json does not tell of a PAG'
        grep -q '^pag {' g.dagitty || fail "$told" 'g.dagitty does not tell of a PAG'
        run compare g.json g.pag.csv
        expect_in out '^skeleton_precision .*exact 1'
        # shellcheck disable=SC2086
        run $case --correlation --samples 500 --latent --quiet -o g.csv
        expect_code 2
        expect_sentence 'is a PAG, and csv .* cannot hold'
    done
    printf 'a --> b\na --> c\nb --> c\n' >dag.txt
    run compare dag.txt g.pag.csv # marks that could be those of a DAG, and one file that says no more
    expect_in out '^TP 3 '
    printf 'a o-> b\na --> c\nb --> c\n' >pag.txt
    run compare g.pag.csv pag.txt
    expect_in out '^skeleton_precision 1 .*SHD 1 '
    run compare dag.txt pag.txt
    expect_code 2
    expect_sentence 'the truth is a PAG and the estimate is not'
}

# What cannot be written is said before anything is read.
check_latent_refuses_formats_first() {
    run nowhere.csv --latent -o g.csv
    expect_code 2
    expect_sentence 'is a PAG, and csv .* cannot hold'
    run nowhere.csv --latent --format sif
    expect_code 2
    expect_sentence 'is a PAG, and sif .* cannot hold'
}

# A ring of four is the PAG of a selected sample: all its ends are tails.
check_latent_selection() {
    printf 'a,b,c,d\n2,1,0,1\n1,2,1,0\n0,1,2,1\n1,0,1,2\n' | "$python" -c '
import sys
head, *rows = sys.stdin.read().split()
k = [[float(x) + (i == j) * 0.5 for j, x in enumerate(r.split(","))] for i, r in enumerate(rows)]
n = len(k)  # the inverse of the precision matrix, by Gauss and Jordan
m = [r + [float(i == j) for j in range(n)] for i, r in enumerate(k)]
for i in range(n):
    m[i] = [x / m[i][i] for x in m[i]]
    for j in range(n):
        if j != i:
            m[j] = [x - m[j][i] * y for x, y in zip(m[j], m[i])]
print(head, *[",".join(map(repr, r[n:])) for r in m], sep="\n")' >ring.csv
    for way in fci dag; do
        run ring.csv --correlation --samples 100000 --latent $way --selection --quiet -o g.json -o g.pag.csv -o g.dot -o g.html
        expect_code 0
        "$python" -c 'import json; g = json.load(open("g.json")); assert g["settings"]["selection"] is True; assert g["graph_type"] == "pag"' ||
            fail "$told" 'g.json is wrong'
    done
    run ring.csv --correlation --samples 100000 --latent fci --selection --quiet
    expect_text "$io/out" $'a --- b\na --- d\nb --- c\nc --- d'
    run ring.csv --correlation --samples 100000 --latent search --selection
    expect_code 1
    expect_sentence '--latent search does not go with --selection'
}

# pag.csv is one: the marks and not a matrix of zeros and ones.
check_pags_by_name() {
    run simulate --nodes 12 --parents 2 --samples 400 --hidden 0.3 --seed 2 -o data.csv --pag pag.csv --quiet
    expect_code 0
    run data.csv --latent --quiet -o est.pag.csv
    expect_code 0
    run compare est.pag.csv pag.csv
    expect_in out '^skeleton_precision '
    run data.csv --latent --quiet -o est-pag.csv # any other name is that of a matrix
    expect_code 2
}

# Ctrl-C in the search for hidden causes, which the bar names: its best graph is written, and that is said.
check_latent_search_is_interrupted() {
    run simulate --nodes 400 --parents 2 --samples 1000 --hidden 0.15 --seed 1 -o data.csv --quiet
    expect_code 0
    "$python" -SB "$here/interrupt.py" --terminal --program "$program" --after 0 --until 'hidden causes \[' \
        -- data.csv --latent -o x.pag.csv -o x.json >"$io/out" 2>"$io/err"
    told='dualpc --latent on a terminal, and Ctrl-C typed'
    expect_text "$io/out" 130
    expect_in err 'the search for hidden causes ended before it was done: this is the best graph so far'
    expect_in err 'interrupted; the best graph until then was written'
    "$python" -c 'import json; g = json.load(open("x.json")); assert g["complete"] is False and g["hidden"]["complete"] is False; assert g["info"]["seconds"]["hidden"] > 0' ||
        fail "$told" 'x.json does not say that it is not complete'
    run separate x.pag.csv $(head -1 data.csv | cut -d, -f1-2 | tr , " ") # a valid one
    expect_code 0
}
