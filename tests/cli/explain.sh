# Why an edge is there or not: --explain. Sourced by run.sh.

check_explain_tells_on_standard_error() {
    run "$data/tiny.csv" --quiet
    cp "$io/out" plain
    first=$(head -1 "$data/tiny.csv" | cut -d, -f1)
    second=$(head -1 "$data/tiny.csv" | cut -d, -f2)
    run "$data/tiny.csv" --quiet --explain "$first,$second"
    expect_code 0
    expect_same plain "$io/out"
    expect_in err "^why (no edge )?($first|$second)(,| ---| -->) ($first|$second): "
    run "$data/tiny.csv" --explain "$first,$second"
    expect_in err 'seconds; .* why ' # after the summary
}

# Every pair of a table, with words that must be there, and figures that must agree with the rest
# of the JSON.
check_explain_all_pairs() {
    pairs=$(pairs_of "$data/tiny.csv" 1)
    for words in '' '--rule and' '--variant standard --orient relaxed' '--method classic --orient majority' \
        '--graph pattern --alpha-dual 0.2' '--graph skeleton'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words $pairs --separating-sets -o x.json --quiet
        expect_code 0
        expect_text <("$python" -SB - x.json "$io/err" "$here" <<'END'
import json, math, sys
sys.path.insert(0, sys.argv[3])
from plain import expand
told = expand(json.load(open(sys.argv[1])))
lines = [line for line in open(sys.argv[2]) if line.startswith("why ")]
marks, sets, near = {}, {}, {}
for e in told["edges"]:
    marks[e["from"], e["to"]] = e["mark"]
    marks[e["to"], e["from"]] = {"-->": "<--", "---": "---"}[e["mark"]]
    near.setdefault(e["from"], set()).add(e["to"])
    near.setdefault(e["to"], set()).add(e["from"])
for s in told["separating_sets"]:
    sets[s["a"], s["b"]] = sets[s["b"], s["a"]] = s
n, wrong = told["n_vars"], 0
if len(told["explanations"]) != n * (n - 1) // 2 or len(lines) != len(told["explanations"]):
    print("pairs")
alpha = {k: told["settings"]["alpha" if k in ("marginal", "primal") else "alpha_dual"]
         for k in ("marginal", "full-order", "full-s", "primal", "dual")}
for e, line in zip(told["explanations"], lines):
    pair, test = (e["a"], e["b"]), e["test"]
    good = e["mark"] == marks.get(pair) and e["adjacent"] == (pair in marks)
    good = good and line.startswith("why no edge ") == (not e["adjacent"]) and e["all_tests"]
    good = good and test["ess"] == told["n_obs"] - test["order"] - 3 and len(test["set"]) == test["order"]
    if e["adjacent"]:
        g = e["given_neighbours"]
        good = good and test["p"] <= alpha[test["kind"]] and g["low"] < g["r"] < g["high"]
        good = good and set(e["neighbours_a"]) == near[e["a"]] - {e["b"]}
        good = good and (len(e["reasons"]) > 0) == (e["mark"] != "---")
        if e["reasons"]:
            last = e["reasons"][-1]
            good = good and (last["from"], last["to"]) == (pair if e["mark"] == "-->" else pair[::-1])
            good = good and e["reasons"][0]["kind"] in ("v-structure", "overwritten")
    else:
        s = sets[pair]
        good = good and all(test[k] == s[k] for k in ("set", "kind", "level", "order", "r", "p"))
    if not good:
        print("wrong", e)
print("good")
END
        ) good
    done
}

check_explain_does_not_write_separating_sets() {
    run "$data/tiny.csv" --format json --quiet
    sed '/"seconds"/d' "$io/out" >plain
    names=$(head -1 "$data/tiny.csv" | cut -d, -f1,2)
    run "$data/tiny.csv" --format json --quiet --explain "$names"
    expect_code 0
    sed -e '/"seconds"/d' -e '/"explanations"/,/^  \],$/d' "$io/out" >explained
    expect_same plain explained
}

check_explain_ges() {
    run "$golden/../../examples/example.csv" --method ges --quiet --explain V1,V2 --explain V6,V3
    expect_code 0
    expect_in err 'why V2 --> V1: in one DAG of the class, V2 --> V1, it adds [0-9.]+ to the score'
    expect_in err 'why no edge V6, V3: the better way to insert it, V[36] --> V[36], would change the score by -[0-9.]+'
}

check_explain_the_example() {
    run "$golden/../../examples/example.csv" --quiet --explain V6,V12 --explain V2,V1 --explain V3,V4
    expect_code 0
    expect_in err 'why no edge V6, V12: removed at level 1; given V5, V9 \(all neighbours of V12 but V6: full-S test\) the partial correlation is -0.052, p = 0.246, effective sample size 495'
    expect_in err 'considered: neighbours of V6: V1, V8; of V12: V5, V9'
    expect_in err 'direction: V2 --> V1 <-- V7, a v-structure: V2 and V7 are not adjacent'
    expect_in err 'why V3 --- V4: it survived all tests.*95 % interval .* direction: none'
}

# All edges, those of one variable, and a blank behind the comma.
check_explain_groups() {
    local example=$golden/../../examples/example.csv
    told_edges() { sed -n 's/^why \(.*\): it survived.*/\1/p' "$io/err" |
        awk '$2 == "---" && $1 > $3 { print $3, $2, $1; next } { print }' | sort; }
    run "$example" --quiet
    sort "$io/out" >edges
    run "$example" --quiet --explain all
    expect_code 0
    told_edges >explained
    expect_same edges explained
    run "$example" --quiet --explain V6
    grep -w V6 edges >some
    told_edges >explained
    expect_same some explained
    # the same pair asked for in three ways is told once
    run "$example" --quiet --explain 'V1, V6' --explain V6 --explain ' V6 ' --explain all
    expect_equal 'explanations' "$(wc -l <edges)" "$(grep -c '^why ' "$io/err")"
    head -1 "$io/err" | grep -q '^why V1 --> V6' || fail "$told" 'expected what was asked for first, first'
    run "$example" --quiet --explain 'V3, V4' --format json
    expect_in out '"explanations": \[ *\{"a": "V3", "b": "V4"'
}

check_explain_groups_of_a_variable_without_edges_and_of_odd_names() {
    "$python" -SB -c '
import random
r = random.Random(5)
print("all", "\"x,y\"", "\" z\"", "lone", sep=",")
for i in range(200):
    a, l = r.gauss(0, 1), r.gauss(0, 1)
    print(a, a + r.gauss(0, 1), a + r.gauss(0, 1), l, sep=",")' >x.csv
    run x.csv --quiet --explain lone
    expect_code 0
    expect_equal 'explanations' 3 "$(grep -c '^why no edge lone, ' "$io/err")"
    # a column may be called all, and names may hold commas and blanks
    run x.csv --quiet --explain all
    expect_equal 'edges of the column' 2 "$(grep -c '^why .*all' "$io/err")"
    run x.csv --quiet --explain x,y
    expect_code 0
    expect_in err '^why (x,y --|.*-- x,y)'
    run x.csv --quiet --explain 'x,y, z'
    expect_code 0
    expect_in err 'x,y'
}

check_explain_names_with_commas() {
    printf '"a,b",c,"b,c",d\n' >x.csv
    "$python" -SB -c '
import random
r = random.Random(3)
for i in range(60):
    print(*(r.gauss(0, 1) for j in range(4)), sep=",")' >>x.csv
    run x.csv --quiet --explain a,b,c
    expect_code 0
    expect_in err '^why no edge a,b, c: '
    run x.csv --quiet --explain d,b,c
    expect_code 0
    expect_in err '^why d --- b,c: '
    sed -i '1s/.*/"a,b",c,"b,c",a/' x.csv
    run x.csv --quiet --explain a,b,c
    expect_code 1
    expect_sentence "two ways, 'a' with 'b,c' and 'a,b' with 'c'"
}

check_explain_knowledge() {
    printf '1,0.5,0.25\n0.5,1,0.5\n0.25,0.5,1\n' >chain.csv
    learn=(chain.csv --correlation --samples 1000 --quiet)
    printf 'requiredirect\nV1 V3\nforbiddirect\nV1 V2\nV2 V1\n' >k.txt
    run "${learn[@]}" --knowledge k.txt --explain V1,V2 --explain V3,V1 --explain V2,V3 --format json
    expect_code 0
    expect_in err 'why no edge V1, V2: the knowledge forbids it both ways; it was never tested'
    expect_in err 'why V1 --> V3: the knowledge requires it; it was never tested'
    expect_in err 'partial correlation [-0-9.]+, 95 % interval'
    expect_in err 'V1 --> V3, which the knowledge requires'
    expect_in err 'that is a choice, for the knowledge keeps V1 and V2 apart and no test does'
    expect_in out '"a": "V1", "b": "V2", .*"knowledge": "forbidden", "test": null, "tests": 0'
    expect_in out '"kind": "knowledge", "from": "V1", "to": "V3", "others": .., "knowledge": "required"'
    printf '/knowledge\naddtemporal\n1 V1\n2 V2 V3\n' >k.txt
    run "${learn[@]}" --knowledge k.txt --explain V1,V2 --explain V2,V3
    expect_in err 'direction: V1 --> V2, for V1 is in an earlier tier'
    expect_in err 'others that the tiers allow'
    printf 'addtemporal\n1* V1 V2\n2 V3\n' >k.txt
    run "${learn[@]}" --knowledge k.txt --explain V1,V2
    expect_in err 'why no edge V1, V2: the tiers forbid it both ways'
    # what the knowledge leaves is a circle, and the weakest edge goes
    printf '1,0.5,0.4\n0.5,1,0.45\n0.4,0.45,1\n' >chain.csv
    printf 'forbiddirect\nV1 V2\nV2 V3\nV3 V1\n' >k.txt
    run "${learn[@]}" --knowledge k.txt --explain V1,V3 --explain V1,V2
    expect_in err 'why no edge V1, V3: the tests have kept it, .* would make a circle'
    expect_in err 'V2 --> V1, for the knowledge forbids V1 --> V2'
}

check_explain_usage() {
    printf 'pressure,volume,q\n' >x.csv
    "$python" -SB -c '
import random
r = random.Random(3)
for i in range(60):
    print(*(r.gauss(0, 1) for j in range(3)), sep=",")' >>x.csv
    run x.csv --explain presure
    expect_code 1
    expect_sentence "x.csv has no column 'presure'; did you mean 'pressure'\\?"
    run x.csv --explain ''
    expect_code 1
    expect_sentence '--explain needs the names'
    run x.csv --explain 'volume, volum'
    expect_code 1
    expect_sentence "no column 'volum'; did you mean 'volume'\\?"
    run x.csv --explain presure,volume
    expect_code 1
    expect_sentence "x.csv has no column 'presure'; did you mean 'pressure'\\?"
    run x.csv --explain volume,Q
    expect_code 1
    expect_sentence "no column 'Q'"
    run x.csv --explain volume,zzzzzzz
    expect_code 1
    expect_sentence "no column 'zzzzzzz'"
    expect_not_in err 'did you mean'
    run x.csv --explain volume,volume
    expect_code 1
    expect_sentence 'no edge with itself'
    run x.csv --explain "volume,$(printf '%0300d' 7)"
    expect_code 1
    run x.csv --explain
    expect_code 1
}
