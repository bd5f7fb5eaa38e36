# dualpc effects: possible effects by a graph and data, and learn --effects. Sourced by run.sh.

# The example has V10 --- V2, both to V5: the effect of either on V5 is not identified.
check_effects_of_one_pair() {
    printf 'V10 --- V2\nV10 --> V5\nV2 --> V5\nV12 --> V5\n' >g.txt
    run effects "$root/examples/example.csv" --graph g.txt --cause V2 --outcome V5 --format csv
    expect_code 0
    expect_empty err
    expect_equal rows 3 "$(wc -l <"$io/out")"
    expect_in out '^cause,outcome,identified,count,min_abs,effect,standardised,se,low,high,set V2,V5,false,2,0\.50'
    expect_in out ',V10 $'
    run effects "$root/examples/example.csv" --graph g.txt --cause V12 --outcome V5 --format csv
    expect_in out ' V12,V5,true,1,0\.52'
}

# 0 where no possibly directed path leads to the outcome, whatever is adjusted for; pcalg has a number.
check_effects_obey_the_graph() {
    printf 'V10 --- V2\nV10 --> V5\nV2 --> V5\nV12 --> V5\n' >g.txt
    for ida in local optimal; do
        run effects "$root/examples/example.csv" --graph g.txt --cause V5 --outcome V1,V2,V12 --format csv --ida "$ida"
        expect_equal 'zeros without an interval' 3 "$(grep -c '^V5,V[0-9]*,true,1,0,0,0,,,,' "$io/out")"
        run effects "$root/examples/example.csv" --graph g.txt --cause V2 --outcome V10 --format csv --ida "$ida"
        expect_in out ' V2,V10,false,2,0,[0-9.]+,.* V2,V10,false,2,0,0,0,,,,'
        run effects "$root/examples/example.csv" --graph g.txt --cause V5 --outcome V12 --ida "$ida"
        expect_in out ' V5 +V12 +yes +0 +0 +0 +- +- +-  0: the graph has no possibly directed path from V5 to V12 $'
    done
    run adjust g.txt V5 V12
    expect_in out 'the effect of V5 on V12 is 0'
    run effects "$root/examples/example.csv" --graph g.txt --cause V2 --outcome V10
    expect_in out '0: no directed path leads from V2 to V10 if V2 has the parent V10 $'
    run effects "$root/examples/example.csv" --graph g.txt --cause V5 --outcome V1 --format csv --ida pcalg
    expect_in out ' V5,V1,true,1,0\.[0-9]+,0\.[0-9]+,'
    run effects "$root/examples/example.csv" --graph g.txt --cause V5 --outcome V12 --format csv --ida pcalg
    expect_in out ' V5,V12,true,1,0,0,0,0,0,0,V2;V10;V12 $'
    "$python" -S "$here/paths.py" "$program" random 24 >"$io/out" || fail "$(cat "$io/out")"
}

# Real tables, where they lie beside the project.
check_effects_obey_the_graphs_of_real_tables() {
    local folder=${DUALPC_SHARED:-$root/../shared}/data
    [ -d "$folder" ] || return 0
    "$python" -S "$here/paths.py" "$program" tables "$folder"/{winequality-red.continuous,sachs.2005.continuous}.txt \
        "$folder"/{abalone.mixed.maximum.3,pima-diabetes.mixed.maximum.2,residential-building.continuous}.txt \
        >"$io/out" || fail "$(cat "$io/out")"
}

# Asked about an outcome alone, or a cause alone, the text answers in sentences.
check_effects_in_sentences() {
    printf 'V10 --- V2\nV10 --> V5\nV2 --> V5\nV12 --> V5\n' >g.txt
    run effects "$root/examples/example.csv" --graph g.txt --outcome V5
    expect_code 0
    expect_in out '^What may affect V5: 3 of the other 11 variables   One more unit of V10 changes V5 by 0\.9119 to 1\.526 \(95 % intervals from 0\.7535 to 1\.632\): the graph leaves 2 cases open   One more unit of V12 changes V5 by 0\.5205 \(95 % interval 0\.351 to 0\.69\)   One more unit of V2 '
    expect_in out 'The graph has no possibly directed path from the other 8 to V5: the effect is 0\.'
    run effects "$root/examples/example.csv" --graph g.txt --outcome V5 --top 1 --standardised
    expect_in out '^What may affect V5: 3 of the other 11 variables \(1 listed\)   One more standard deviation of V10 changes V5 by 0\.4699 to 0\.7865 standard deviations \('
    run effects "$root/examples/example.csv" --graph g.txt --cause V2
    expect_in out '^What V2 may affect: 2 of the other 11 variables   One more unit of V2 changes V5 by .* changes V10 by [0-9.]+ \(95 % interval [0-9.]+ to [0-9.]+\), or not at all: the graph leaves 2 cases open The graph has no possibly directed path to the other 9 from V2'
    run effects "$root/examples/example.csv" --graph g.txt --outcome V1
    expect_text "$io/out" 'Nothing affects V1: no possibly directed path leads to it.'
    run effects "$root/examples/example.csv" --graph g.txt --cause V5
    expect_in out '^V5 affects nothing: no possibly directed path leads from it\.'
}

check_effects_json_and_text() {
    printf 'V10 --- V2\nV10 --> V5\nV2 --> V5\nV12 --> V5\n' >g.txt
    run effects "$root/examples/example.csv" --graph g.txt --outcome V5 --format json
    expect_code 0
    "$python" -S - "$io/out" <<'PY' || fail "$told" "expected a list of pairs"
import json, sys
pairs = json.load(open(sys.argv[1]))
assert len(pairs) == 11 and all(p["outcome"] == "V5" for p in pairs)
for p in pairs:
    sizes = [abs(e["effect"]) for e in p["effects"]]
    assert p["min_abs"] == min(sizes) and set(p["effects"][0]) == {"effect", "standardised", "se", "low", "high", "set"}
    assert p["possible"] == (p["cause"] in ("V2", "V10", "V12"))
    for e in p["effects"]:
        zero = e["effect"] == 0 and e["se"] is e["low"] is e["high"] is None
        assert e["low"] < e["effect"] < e["high"] if p["possible"] else zero
two = next(p for p in pairs if p["cause"] == "V2")
assert two["identified"] is False and [e["set"] for e in two["effects"]] == [[], ["V10"]]
PY
    run effects "$root/examples/example.csv" --graph g.txt --outcome V5 --cause V2
    expect_code 0
    expect_in out '^cause +outcome +identified +smallest +effect +standard\. +se +low +high +adjusted for V2 +V5 +no +0\.5055 '
}

check_effects_are_ranked() {
    run effects "$root/examples/example.csv" --outcome V5 --top 3 --format csv
    expect_code 0
    expect_equal 'the ranks' 'V10 V10 V12 V2 V2 ' "$(sed 1d "$io/out" | cut -d, -f1 | tr '\n' ' ')"
    run effects "$root/examples/example.csv" --top 1 --quiet -o e.csv
    expect_code 0
    expect_empty out
    # of the 12 variables one has no causes
    expect_equal 'an outcome each' 11 "$(sed 1d e.csv | cut -d, -f2 | sort -u | wc -l)"
    run effects "$root/examples/example.csv" --top 12 --format csv
    expect_equal 'zeros in every case' 0 "$(grep -c '^[^,]*,[^,]*,true,[0-9]*,0,' "$io/out")"
    run effects "$root/examples/example.csv" --outcome V5 --top 3 --standardised --format csv
    expect_in out ' V10,V5,false,2,0\.4698[0-9]+,,0\.78'
}

check_effects_and_learn_say_the_same() {
    run "$root/examples/example.csv" --quiet -o g.csv --effects learned.csv
    expect_code 0
    run effects "$root/examples/example.csv" --graph g.csv -o given.csv -o given.json -o given.txt
    expect_code 0
    expect_empty out
    expect_same learned.csv given.csv
    run effects "$root/examples/example.csv" -o anew.csv --threads 1
    expect_same learned.csv anew.csv
    run "$root/examples/example.csv" --graph pattern --effects e.csv
    expect_code 1
    expect_sentence '--effects needs all directions'
    run "$root/examples/example.csv" --effects e.txt
    expect_code 1
    expect_sentence 'does not end in \.csv'
}

check_effects_of_matrices() {
    printf 'a,b\n4,2\n2,9\n' >cov.csv
    printf 'a,b\n1,0.5\n0.5,1\n' >cor.csv
    printf 'a --> b\n' >g.txt
    run effects cov.csv --correlation --samples 102 --graph g.txt --cause a --format csv
    expect_code 0
    # 2 / 4; sqrt((9 - 1) / 4 / 100); 1.984 of them to both sides
    expect_in out ' a,b,true,1,0\.5,0\.5,0\.33333[0-9]*,0\.14142[0-9]*,0\.2194[0-9]*,0\.7805[0-9]*, $'
    run effects cor.csv --correlation --samples 102 --graph g.txt --cause a --format csv
    expect_in out ' a,b,true,1,0\.5,,0\.5,0\.0866'
    run effects cor.csv --correlation --samples 102 --graph g.txt --cause a --format json
    expect_in out '"effect": null, "standardised": 0\.5'
    run effects "$root/examples/example.csv" --normalize copula --cause V1 --outcome V6 --format csv
    expect_in out ' V1,V6,true,1,0\.[0-9]+,,0\.'
    run effects cor.csv --correlation --samples 102 --graph g.txt --bootstrap 5
    expect_code 1
    expect_sentence 'which a correlation matrix has none of'
}

check_effects_of_graphs_that_are_none() {
    printf 'V1 --> V2\nV2 --> V3\nV3 --> V1\n' >circle.txt
    printf 'V1 --> V2\nV2 --- V3\n' >open.txt
    run effects "$root/examples/example.csv" --graph circle.txt
    expect_code 2
    expect_sentence 'circle\.txt: .*circle, V1 --> V2 --> V3 --> V1; --extend'
    run effects "$root/examples/example.csv" --graph open.txt
    expect_code 2
    expect_sentence "open\.txt: .*V2 --- V3 must be V2 --> V3 by Meek's rule 1, from V1; --extend"
    run effects "$root/examples/example.csv" --graph open.txt --extend --cause V1 --outcome V3
    expect_code 0
    expect_in err 'the nearest valid graph is taken, a dag with 1 other mark, for its edge V2 --- V3'
    expect_in out ' V1 +V3 +yes'
    # background knowledge: an MPDAG
    printf 'V1 --> V2\n' >known.txt
    run effects "$root/examples/example.csv" --graph known.txt --cause V1 --outcome V2 --format csv
    expect_code 0
    expect_in out ' V1,V2,true,1,'
}

check_effects_names_that_do_not_match() {
    printf 'V1 --> W\n' >g.txt
    printf 'a,b\n0,1\n0,0\n' >g.csv
    run effects "$root/examples/example.csv" --graph g.txt
    expect_code 2
    expect_sentence "g\.txt and .*example\.csv: the data lacks 'W' of the graph"
    run effects "$root/examples/example.csv" --graph g.csv
    expect_code 2
    expect_sentence "lacks 'a', 'b' of the graph, the graph lacks 'V1', 'V2', 'V3' and 9 more"
    run effects "$root/examples/example.csv" --cause V99
    expect_code 1
    expect_sentence "--cause: .*example\.csv has no column 'V99'; did you mean 'V9'"
    run effects "$root/examples/example.csv" --cause V1,V2 --outcome V3,V6 --format csv
    expect_code 0
    expect_equal 'two causes' 'V1 V2 ' "$(sed 1d "$io/out" | cut -d, -f1 | uniq | tr '\n' ' ')"
}

check_effects_with_resamples() {
    run effects "$root/examples/example.csv" --outcome V5 --top 2 --bootstrap 30 --format csv --threads 1
    expect_code 0
    expect_in out '^cause,.*,set,boot_low,boot_high,boot_min_abs,boot_rank V10,V5'
    cp "$io/out" one.csv
    run effects "$root/examples/example.csv" --outcome V5 --top 2 --bootstrap 30 --format csv --threads 3
    cp "$io/out" three.csv
    expect_same one.csv three.csv
    run effects "$root/examples/example.csv" --outcome V5 --top 2 --bootstrap 30 --seed 2 --format csv
    cp "$io/out" other.csv
    ! cmp -s one.csv other.csv || fail "$told" "expected other resamples of another seed"
    run effects "$root/examples/example.csv" --outcome V5 --top 1 --bootstrap 30 --format json
    expect_in out '"bootstrap": \{"resamples": 30, "low": '
    run effects "$root/examples/example.csv" --outcome V5 --top 1 --bootstrap 30
    expect_in out 'boot low +boot high +boot rank'
    expect_in out 'One more unit of V10 changes V5 by .*: the graph leaves 2 cases open; in 95 % of the resamples by 0 to 1\.[0-9]+ '
    run "$root/examples/example.csv" --quiet --bootstrap 10 --frequencies f.csv --effects e.csv
    expect_code 0
    head -1 e.csv >"$io/out"
    expect_in out ',boot_rank'
    run effects "$root/examples/example.csv" --seed 3
    expect_code 1
    expect_sentence 'go with --bootstrap'
}

check_effects_exit_codes() {
    printf 'V1 --> V2\n' >g.txt
    run effects
    expect_code 1
    expect_sentence 'no data given'
    run effects a b
    expect_code 1
    expect_sentence 'one file too many'
    run effects "$root/examples/example.csv" --format dot
    expect_code 1
    expect_sentence 'csv, json or txt'
    run effects "$root/examples/example.csv" -o x.dot
    expect_code 1
    expect_sentence 'csv, json or txt'
    run effects "$root/examples/example.csv" --ida best
    expect_code 1
    expect_sentence '--ida must be one of local, optimal, pcalg'
    run effects missing.csv
    expect_code 2
    expect_sentence 'missing\.csv'
    run effects "$root/examples/example.csv" --graph g.txt --knowledge g.txt
    expect_code 1
    expect_sentence '--knowledge is about a graph that is learned'
    run effects "$root/examples/example.csv" --graph g.txt -o g.txt
    expect_code 1
    expect_in err 'g\.txt'
    if [ -w /dev/full ]; then
        shell '"$program" effects "'"$root"'/examples/example.csv" --format csv >/dev/full'
        expect_code 3
        expect_in err 'standard output'
    fi
}

# A constant column has no effects, and a copy leaves no variance; what is 0 by the graph needs none.
check_effects_without_an_answer() {
    "$python" -S - <<'PY' >data.csv
print("a,b,copy,constant")
x = 7
for i in range(60):
    x = x * 1103515245 + 12345 & 0x7fffffff
    print(f"{x % 1000},{(x >> 8) % 1000 + x % 1000},{x % 1000},3")
PY
    printf 'a --> b\na --> copy\ncopy --> b\n' >g.txt
    run effects data.csv --graph g.txt --format csv
    expect_code 0
    expect_in err 'have no value, for no variance is left'
    expect_in out ' copy,b,true,1,,,,,,,a '
    expect_in out ' constant,a,true,1,0,0,0,,,, '
    expect_not_in out 'nan'
    run effects data.csv --graph g.txt --outcome b
    expect_in out 'The effect of copy on b cannot be estimated: no variance is left'
    printf 'constant --> a\n' >g.txt
    run effects data.csv --graph g.txt --cause constant --outcome a --format csv
    expect_in out ' constant,a,true,1,,,,,,, '
}

# Where no memory is left for the correlation matrix, the columns give the same bytes.
check_effects_without_matrix() {
    "$program" simulate --nodes 40 --samples 30 --parents 2 --seed 3 --quiet -o data.csv --cpdag g.txt
    for options in "--cause V3" "--ida optimal" "--top 2 --outcome V5"; do
        run effects data.csv --graph g.txt $options --format csv
        expect_code 0
        cp "$io/out" whole.csv
        run effects data.csv --graph g.txt $options --format csv --memory 0.001
        expect_code 0
        cmp -s "$io/out" whole.csv || fail "other effects without the matrix: $options"
    done
    run learn data.csv --effects whole.csv --quiet -o graph.txt
    expect_code 0
    run learn data.csv --effects columns.csv --quiet -o graph.txt --memory 0.001
    expect_code 0
    cmp -s whole.csv columns.csv || fail "other effects of a learned graph without the matrix"
}

# A table with a nominal cause of three levels, of which mid is the most frequent, and an outcome of two.
write_mixed_table() {
    awk 'BEGIN {
        print "g,x,y,h,p,q"
        for (i = 0; i < 240; i++) {
            g = i % 4 == 0 ? "low" : i % 4 == 3 ? "top" : "mid"
            u = (i * 37 % 101) / 101; v = (i * 53 % 97) / 97
            x = u + (g == "top") * 2
            printf "%s,%.4f,%.4f,%s,%.4f,%.4f\n", g, x, x + v - (g == "low"), (x + v > 1.4 ? "yes" : "no"), u * v, v - u
        }
    }' >mixed.csv
}

check_effects_of_categories() {
    write_mixed_table
    printf 'g --> x\nx --> h\ng --> y\nx --> y\n' >g.txt
    run effects mixed.csv --graph g.txt --cause g --outcome x --format csv --quiet
    expect_code 0
    expect_equal 'rows of two contrasts' 3 "$(wc -l <"$io/out")"
    expect_in out '^cause,outcome,identified,count,min_abs,effect,standardised,se,low,high,set,contrast,baseline,level '
    expect_equal contrasts 'low,mid, top,mid,' "$(tail -n +2 "$io/out" | cut -d, -f12- | paste -sd' ')"
    # the differences of the means, exactly
    awk -F, '$1 == "low" || $1 == "mid" { n[$1]++; s[$1] += $2 } END { printf "%.9f\n", s["low"] / n["low"] - s["mid"] / n["mid"] }' mixed.csv >wanted
    expect_equal 'difference of means' "$(cat wanted)" "$(awk -F, '$12 == "low" { printf "%.9f\n", $6 }' "$io/out")"
    run effects mixed.csv --graph g.txt --cause g --outcome h --format csv --quiet
    expect_equal 'contrasts by levels' 5 "$(wc -l <"$io/out")"
    expect_in out ',top,mid,yes'
    run effects mixed.csv --graph g.txt --cause x --outcome h --format json --quiet
    expect_in out '"outcome": "h", "level": "no", "identified": true'
    run effects mixed.csv --graph g.txt --cause g --outcome y --format json --quiet
    expect_in out '"outcome": "y", "contrast": "low", "baseline": "mid", "identified": true'
    run effects mixed.csv --graph g.txt --outcome h --quiet
    expect_in out 'g = top instead of mid changes the share of h = yes by '
    expect_in out 'One more unit of x changes the share of h = no by -'
    expect_in out ' g = top vs mid +h = yes +yes '
    run effects mixed.csv --graph g.txt --cause y --outcome h --format csv --quiet
    expect_in out ' y,h,true,1,0,0,0,,,,g;x,,,no '
    run learn mixed.csv --quiet --effects e.csv -o g.json -o g.dot
    expect_code 0
    expect_equal 'a header with levels' 'contrast,baseline,level' "$(head -n 1 e.csv | cut -d, -f12-)"
    grep -q '"name": "g", "type": "nominal", "columns": 2, "levels": \[{"level": "low", "count": 60}' g.json || fail 'no levels in the JSON'
    grep -q '"g" \[peripheries=2\];' g.dot || fail 'no second border in DOT'
    run effects mixed.csv --graph g.txt --drop g,h --cause x --outcome y --format csv --quiet
    expect_code 2
    run effects mixed.csv --cause x --outcome y --drop g,h --format csv --quiet
    expect_in out '^cause,outcome,identified,count,min_abs,effect,standardised,se,low,high,set x,y'
}

check_effects_in_resamples_of_categories() {
    write_mixed_table
    run effects mixed.csv --cause g --outcome y --bootstrap 20 --format csv --quiet
    expect_code 0
    expect_in out ',set,boot_low,boot_high,boot_min_abs,boot_rank,contrast,baseline,level '
}

check_effects_that_are_no_number() {
    write_mixed_table
    run effects mixed.csv --types 'pose=block(p,q)' --cause pose --outcome y
    expect_code 2
    expect_in err "no single number describes the effect of 'pose', which is a block of columns"
    run effects mixed.csv --types 'pose=block(p,q)' --outcome pose
    expect_code 2
    expect_in err "no single number describes the effect on 'pose'"
    run effects mixed.csv --types 'pose=block(p,q)' --outcome y
    expect_code 0
    expect_in err 'effects of and on 1 block of columns are left out'
    run effects mixed.csv --relations curved
    expect_code 1
    expect_in err 'no single number describes the effect of a curved relation; leave out --relations curved'
    run learn mixed.csv --relations curved --effects e.csv
    expect_code 1
    expect_in err 'no single number describes'
    run learn mixed.csv --relations curved --quiet -o curved.html
    expect_code 0
}
