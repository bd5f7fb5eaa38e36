# The runs that tests/same-runs.sh compares: what they read, and the commands. Sourced by it.
# Commands run in bash, in an empty folder; in/ has the inputs. '!' marks those that must fail.

real_tables=${DUALPC_SHARED:-$root/../shared}/data # real tables, where they lie beside the project

# ---- Inputs ----

make_inputs() {
    local folder n
    for folder in tiny20 dense40 paper50 wide150 heavy30-copula; do
        ln -s "$root/tests/golden/$folder/data.csv" "$folder.csv"
    done
    ln -s "$root/tests/golden/ida" "$root/tests/golden/aid" .
    ln -s "$root/examples/example.csv" "$root/examples/example-truth.txt" .
    [ ! -d "$real_tables" ] || ln -s "$(realpath "$real_tables")" real

    for n in 5 10 20 40 80 120 200; do
        dualpc simulate --nodes "$n" --samples 400 --seed "$n" --parents 1.5 -o "s$n.csv" \
            --dag "dag$n.txt" --cpdag "cpdag$n.csv" || return
    done
    dualpc simulate --nodes 60 --samples 40 --seed 7 --parents 1 -o few.csv &&
        dualpc simulate --nodes 30 --samples 300 --seed 8 --weights 0.05,0.4 -o weak.csv &&
        dualpc simulate --nodes 30 --samples 300 --seed 9 --tanh 1 -o tanh.csv &&
        dualpc simulate --nodes 30 --samples 300 --seed 10 --noise t:3 -o heavy.csv &&
        dualpc simulate --nodes 25 --samples 300 --seed 11 --parents 4 -o dense.csv || return
    make_tables
    make_knowledge
    make_graphs
}

make_tables() {
    awk -F, -v OFS=, 'NR > 1 { for (j = 1; j <= NF; j++) if ((NR * 7 + j * 13) % 97 == 0) $j = j % 2 ? "" : "NA" } 1' \
        example.csv >gaps.csv
    awk -F, -v OFS=, 'NR > 1 && NR % 3 == 0 { $3 = -99 } 1' example.csv >coded.csv
    awk -F, -v OFS=, 'NR == 1 { print $0, "same", "copy", "sum"; next } { print $0, 5, $1, $2 + $3 }' example.csv >odd.csv
    awk -F, -v OFS=, 'NR == 5 { $2 = "word" } 1' example.csv >word.csv
    awk 'NR == 7 { $0 = "1,2,3" } 1' example.csv >ragged.csv
    awk -F, 'BEGIN { OFS = "\t" } { $1 = $1 } 1' example.csv >tabs.tsv
    awk -F, -v OFS=';' '{ print NR == 1 ? "" : "row" NR, $0 }' OFS=';' example.csv | tr , ';' >rows.csv
    tail -n +2 example.csv >bare.csv
    awk -F, '{ for (j = 1; j <= NF; j++) line[j] = line[j] (NR > 1 ? "," : "") $j } END { for (j = 1; j <= NF; j++) print line[j] }' \
        example.csv >turned.csv
    gzip -nc example.csv >packed.csv.gz
    head -n 3 example.csv >short.csv
    : >empty.csv
    correlate example.csv 1 >matrix.csv
    correlate dense40.csv 1 >matrix40.csv
    correlate example.csv 0 >covariance.csv
    sed '3s/^[^,]*/2/' matrix.csv >skew.csv
}

correlate() { # TABLE 1|0: its correlations or covariances
    awk -F, -v scale="$2" 'NR == 1 { n = NF; print; next }
        { for (i = 1; i <= n; i++) { s[i] += $i; for (j = 1; j <= i; j++) q[i, j] += $i * $j } }
        function covariance(i, j) { return (i > j ? q[i, j] : q[j, i]) / (NR - 1) - s[i] * s[j] / (NR - 1) ^ 2 }
        END { for (i = 1; i <= n; i++) for (j = 1; j <= n; j++)
            printf "%.15g%s", scale ? (i == j ? 1 : covariance(i, j) / sqrt(covariance(i, i) * covariance(j, j))) \
                : covariance(i, j), j < n ? "," : "\n" }' "$1"
}

make_knowledge() {
    printf '/knowledge\naddtemporal\n1 V3 V10 V12\n2 V2 V4 V8 V11\nrequiredirect\nV4 V7\n' >tiers.txt
    printf '/knowledge\naddtemporal\n1 V1 V2\n2* V3 V4\nforbiddirect\nV5 V6\nV6 V5\n' >within.txt
    printf '{"tiers": [["V3", "V10"], ["V2", "V4"]], "required_edges": [["V4", "V7"]], "forbidden_edges": [["V1", "V6"]]}' >known.json
    printf '/knowledge\nrequiredirect\nV4 V77\n' >wrong.txt
    printf '/knowledge\nrequiredirect\nV1 V2\nV2 V3\nV3 V1\n' >circle.txt
}

make_graphs() {
    printf 'A --> B\nB --> C\nA --> C\nD --> C\nD --> E\n' >dag.txt
    printf 'A --- B\nB --- C\nD --> C\n' >mixed.txt
    printf 'A --> B\nB --> C\nC --> A\n' >cycle.txt
    printf 'A o-> B\n' >pag.txt
    local word
    for word in $graph_formats; do
        dualpc convert dag10.txt "graph.$word" --to "$word" --quiet
    done
}

# ---- Commands ----

graph_formats='txt csv tsv arcs dot graphml gml sif json tetrad tetrad-json bnlearn pcalg causallearn node-link'
pc_methods='dual classic precision'
rules_of_orientation='consistent relaxed majority conservative'

list_commands() {
    list_golden
    list_settings
    list_tables
    list_refinement
    list_bootstrap
    list_explanations
    list_effects
    list_outputs
    list_graphs
    list_simulations
    list_errors
    [ ! -d "$base/in/real" ] || list_real
}

each() { # COMMAND... : one a line
    printf '%s\n' "$@"
}

list_golden() {
    local set method variant test graph alpha ess normalize i
    for set in tiny20 dense40 paper50 wide150 heavy30-copula; do
        while IFS=, read -r _ method variant test graph alpha ess normalize _; do
            echo "dualpc learn in/$set.csv --method $method --variant $variant --test $test --graph $graph --alpha $alpha" \
                "--min-ess $ess --normalize $normalize --orient relaxed --format csv -o all.json --separating-sets"
        done < <(tail -n +2 "$root/tests/golden/$set/index.csv")
    done
    for i in 1 2 3 4 5 6 7 8 9 10; do
        each "dualpc effects in/ida/$i-data.csv --graph in/ida/$i-graph.csv -o local.csv --format json" \
            "dualpc effects in/ida/$i-data.csv --graph in/ida/$i-graph.csv --ida optimal --format csv"
    done
    for i in $(seq -f %03g 0 59); do
        echo "dualpc compare in/aid/$i-guess.csv in/aid/$i-truth.csv --json"
    done
}

# Methods, variants, rules, tests, orientations, graphs, orders and their numbers.
list_settings() {
    local m v r t o g table extra
    for m in $pc_methods; do
        for o in $rules_of_orientation; do
            for v in stable standard; do
                for r in or and; do
                    for t in z t; do
                        echo "dualpc learn in/dense40.csv --method $m --variant $v --rule $r --test $t --orient $o --format json --separating-sets"
                    done
                done
            done
            for g in cpdag pattern skeleton; do
                for r in canonical given auto; do
                    echo "dualpc learn in/tiny20.csv --method $m --orient $o --graph $g --order $r --alpha 0.1 -o all.json --edges edges.csv"
                done
            done
        done
        for extra in '--max-order 0' '--max-order 1' '--max-order 3' '--min-ess 3' '--min-ess 100' '--min-ess inf' \
            '--alpha-dual 0.2' '--alpha-dual 1e-4' '--alpha 0.5 --max-order 2' '--alpha 1e-6' '--min-evidence 2' \
            '--min-evidence -1' '--normalize copula' '--rule and --variant standard --normalize copula' '--timeout 1000'; do
            echo "dualpc learn in/dense40.csv --method $m $extra --format json --separating-sets"
        done
        for table in example few weak tanh heavy dense s5 s40 s80 s120 s200 odd; do
            each "dualpc learn in/$table.csv --method $m --threads 1 --format json --separating-sets" \
                "dualpc learn in/$table.csv --method $m --threads 2 --rule and --alpha 0.01 --variant standard"
        done
        echo "dualpc learn in/wide150.csv --method $m --alpha 0.1 --memory 0.1 --format json --separating-sets"
        for table in few s120 s200; do
            for o in $rules_of_orientation; do
                echo "dualpc learn in/$table.csv --method $m --orient $o --memory 0.01 --min-ess inf --edges edges.csv --format json"
            done
        done
    done
    for table in example tiny20 dense40 paper50 few weak tanh heavy dense s5 s80 s200; do
        each "dualpc learn in/$table.csv --method ges --format json" "dualpc learn in/$table.csv --method ges --penalty 0.5 --threads 1" \
            "dualpc learn in/$table.csv --method ges --penalty 2 --graph pattern --threads 2 --edges edges.csv"
    done
    each 'dualpc learn in/s80.csv --method ges --memory 0.01 --format json' 'dualpc learn in/few.csv --method ges --memory 0.01 --graph skeleton' \
        'dualpc learn in/paper50.csv --method ges --order given --normalize copula --format json'
}

# How tables are read: missing cells, columns, shapes, matrices, knowledge.
list_tables() {
    local missing m o
    for missing in rows pairwise em; do
        for m in $pc_methods ges; do
            echo "dualpc learn in/gaps.csv --missing $missing --method $m --format json --edges edges.csv"
        done
        each "dualpc learn in/gaps.csv --missing $missing --normalize copula" "dualpc learn in/gaps.csv --missing $missing --refine fast --format json" \
            "dualpc learn in/gaps.csv --missing $missing --bootstrap 15 --frequencies f.csv" "dualpc learn in/coded.csv --missing $missing --na -99 --test t" \
            "dualpc learn in/gaps.csv --missing $missing --rule and --orient majority --threads 1" \
            "dualpc effects in/gaps.csv --missing $missing --format csv"
    done
    for o in 'tabs.tsv' 'rows.csv' 'bare.csv --no-header' 'turned.csv --transpose' 'packed.csv.gz' 'example.csv --keep 1-6' \
        "example.csv --keep 'V1*'" 'example.csv --drop V3,V4' "example.csv --keep 1-9 --drop 'V?2' --drop 3" 'example.csv --keep 2,4,6,8 --drop 4' \
        '- <in/example.csv' 'odd.csv --drop same' 'odd.csv --drop same,copy,sum'; do
        echo "dualpc learn in/$o --format json" | sed 's|in/- |- |'
    done
    for m in $pc_methods ges; do
        each "dualpc learn in/matrix.csv --correlation --samples 500 --method $m --format json" \
            "dualpc learn in/matrix40.csv --correlation --samples 300 --method $m --format json --edges edges.csv" \
            "dualpc learn in/covariance.csv --correlation --samples 500 --method $m --graph pattern"
        for o in tiers.txt within.txt known.json; do
            each "dualpc learn in/example.csv --knowledge in/$o --method $m --format json" \
                "dualpc learn in/example.csv --knowledge in/$o --method $m --dag dag.txt --explain V4" \
                "dualpc learn in/s40.csv --knowledge in/$o --method $m --variant standard --alpha 0.1"
        done
    done
    for o in $rules_of_orientation; do
        echo "dualpc learn in/example.csv --knowledge in/tiers.txt --orient $o --rule and --explain all --edges edges.csv"
    done
    each 'dualpc in/example.csv' 'dualpc learn in/example.csv --quiet' 'dualpc learn in/matrix.csv --correlation --samples 20' \
        'dualpc learn in/few.csv --test t --min-ess 3' 'dualpc learn in/example.csv --threads 1 --timeout 500 --format json'
}

list_refinement() {
    local table m o r s
    for table in example tiny20 dense40 paper50 few weak tanh heavy dense s5 s40 s80 s120; do
        each "dualpc learn in/$table.csv --refine fast --format json" "dualpc learn in/$table.csv --refine full --format json" \
            "dualpc learn in/$table.csv --refine fast --threads 1 --seed 3 --dag dag.txt --edges edges.csv" \
            "dualpc learn in/$table.csv --refine full --threads 1 --restarts 2 --seed 3 --dag dag.txt --edges edges.csv"
    done
    for o in tiers.txt within.txt known.json; do
        each "dualpc learn in/example.csv --knowledge in/$o --refine fast --dag dag.txt --explain V4" \
            "dualpc learn in/s40.csv --knowledge in/$o --refine full --format json"
    done
    for m in $pc_methods; do
        for r in fast full; do
            each "dualpc learn in/s40.csv --method $m --refine $r --format json" \
                "dualpc learn in/dense.csv --method $m --refine $r --penalty 0.5 --graph pattern" \
                "dualpc learn in/weak.csv --method $m --refine $r --alpha 0.05 --rule or --penalty 2"
        done
    done
    for s in 1 2 3 4; do
        echo "dualpc learn in/dense40.csv --refine full --restarts $((s * 3)) --seed $s --threads 2 --format json"
    done
    each 'dualpc learn in/paper50.csv --refine full --memory 1 --format json' 'dualpc learn in/s80.csv --refine fast --memory 0.01 --min-ess inf --format json' \
        'dualpc learn in/s120.csv --refine fast --graph skeleton' 'dualpc learn in/tanh.csv --refine full --normalize copula --format json' \
        'dualpc learn in/matrix40.csv --correlation --samples 300 --refine full --format json' \
        'dualpc learn in/wide150.csv --refine fast --format json' 'dualpc learn in/s200.csv --refine fast --edges edges.csv'
}

list_bootstrap() {
    local m o
    for m in $pc_methods ges; do
        each "dualpc learn in/example.csv --method $m --bootstrap 40" \
            "dualpc learn in/example.csv --method $m --bootstrap 40 --threads 1 --seed 5 --min-frequency 0.6 --frequencies f.csv --format json" \
            "dualpc learn in/tiny20.csv --method $m --bootstrap 25 --subsample 0.5 --frequencies f.csv --edges edges.csv"
    done
    for m in $pc_methods; do
        echo "dualpc learn in/dense.csv --method $m --bootstrap 10 --rule and --variant standard --test t --min-frequency 0.5 --dag dag.txt"
    done
    for o in $rules_of_orientation; do
        each "dualpc learn in/s40.csv --bootstrap 20 --orient $o --frequencies f.csv" \
            "dualpc learn in/few.csv --bootstrap 10 --orient $o --min-frequency 0.3"
    done
    for o in cpdag pattern skeleton; do
        echo "dualpc learn in/weak.csv --bootstrap 20 --graph $o --min-frequency 0.5 --frequencies f.csv --threads 2"
    done
    each 'dualpc learn in/example.csv --bootstrap 30 --refine fast --frequencies f.csv --format json' \
        'dualpc learn in/example.csv --bootstrap 8 --refine full --restarts 2 --frequencies f.csv --threads 2' \
        'dualpc learn in/example.csv --bootstrap 20 --knowledge in/tiers.txt --min-frequency 0.5' \
        'dualpc learn in/heavy.csv --bootstrap 10 --normalize copula --frequencies f.csv' \
        'dualpc learn in/s80.csv --bootstrap 5 --memory 0.01 --min-ess inf --frequencies f.csv' \
        'dualpc learn in/example.csv --bootstrap 10 --explain all --edges edges.csv --effects effects.csv'
}

list_explanations() {
    local m o
    for m in $pc_methods; do
        for o in $rules_of_orientation; do
            echo "dualpc learn in/example.csv --method $m --orient $o --explain all --explain V6,V12 --explain V1"
        done
        echo "dualpc learn in/tiny20.csv --method $m --rule and --variant standard --explain all --explain V1,V20"
    done
    for m in $pc_methods ges; do
        each "dualpc learn in/dense40.csv --method $m --explain all --alpha 0.1" \
            "dualpc learn in/few.csv --method $m --explain V1 --explain V2,V3"
    done
    each 'dualpc learn in/example.csv --refine fast --explain all' 'dualpc learn in/dense.csv --refine full --explain V1 --explain V2' \
        'dualpc learn in/gaps.csv --missing em --explain all' 'dualpc learn in/matrix.csv --correlation --samples 500 --explain V2,V1'
}

list_effects() {
    local table i
    for table in example tiny20 s10 s20 weak tanh; do
        for i in local optimal; do
            each "dualpc effects in/$table.csv --ida $i --format csv" "dualpc effects in/$table.csv --ida $i --top 3" \
                "dualpc effects in/$table.csv --ida $i --format json --standardised --threads 1"
        done
        each "dualpc learn in/$table.csv --effects effects.csv --edges edges.csv" "dualpc learn in/$table.csv --refine fast --effects effects.csv"
    done
    each 'dualpc effects in/example.csv --cause V2 --outcome V5' 'dualpc effects in/example.csv --cause V2 --cause V10 --ida optimal' \
        'dualpc effects in/example.csv --outcome V6 --top 4 -o e.csv -o e.json -o e.txt' \
        'dualpc effects in/example.csv --bootstrap 20 --format csv' 'dualpc effects in/example.csv --bootstrap 20 --outcome V6 --top 3' \
        'dualpc effects in/example.csv --bootstrap 15 --subsample 0.6 --seed 4 --ida optimal --format json --threads 2' \
        'dualpc effects in/s10.csv --graph in/cpdag10.csv --format csv' 'dualpc effects in/s10.csv --graph in/dag10.txt --ida optimal --format csv' \
        'dualpc effects in/s10.csv --graph in/dag10.txt --bootstrap 10' 'dualpc effects in/s200.csv --outcome V7 --top 10' 'dualpc effects in/s120.csv --memory 0.01 --cause V1' \
        'dualpc effects in/matrix.csv --correlation --samples 500 --format csv' 'dualpc effects in/heavy.csv --normalize copula --cause V1 --format csv' \
        'dualpc effects in/example.csv --refine fast --format csv' 'dualpc effects in/example.csv --method ges --ida optimal --format csv' \
        'dualpc effects in/example.csv --knowledge in/tiers.txt --format csv' 'dualpc effects in/dense40.csv --orient relaxed --extend --cause V1' \
        'dualpc effects in/dense40.csv --orient conservative --extend --cause V2' 'dualpc effects in/dense40.csv --min-evidence 3 --extend --cause V3'
}

list_outputs() {
    local word
    for word in $graph_formats; do
        [ "$word" = bnlearn ] || echo "dualpc learn in/example.csv --format $word"
        echo "dualpc learn in/dense40.csv --dag dag.$word -o graph.txt --quiet"
    done
    for word in dot neato fdp sfdp circo auto; do
        echo "dualpc learn in/example.csv --layout $word -o a.svg -o a.png -o a.pdf -o a.html"
    done
    each 'dualpc learn in/dense40.csv -o a.html -o a.svg -o a.dot --min-evidence 1' 'dualpc learn in/s200.csv -o a.html -o a.svg' \
        'dualpc learn in/example.csv -o a.html --bootstrap 20 --edges edges.csv' 'dualpc learn in/example.csv -o a.html --refine fast --knowledge in/tiers.txt' \
        'dualpc learn in/tiny20.csv -o a.html --method ges' 'dualpc learn in/tiny20.csv -o a.html --method classic --orient majority --separating-sets -o a.json' \
        'dualpc learn in/gaps.csv --missing em -o a.html -o a.json' 'dualpc learn in/few.csv -o a.html --rule and' \
        'dualpc learn in/example.csv -o a.txt -o a.csv -o a.tsv -o a.arcs.csv -o a.graph.txt -o a.tetrad.json -o a.pcalg.csv -o a.node-link.json' \
        'dualpc learn in/example.csv -o a.html --bootstrap 20 --min-frequency 0.5' 'dualpc learn in/matrix.csv --correlation --samples 500 -o a.html'
}

# convert, compare, adjust, separate.
list_graphs() {
    local from to g i
    for from in $graph_formats; do
        for to in $graph_formats; do
            echo "dualpc convert in/graph.$from - --from $from --to $to"
        done
        echo "dualpc compare in/graph.$from in/cpdag10.csv"
    done
    for to in txt dot json tetrad causallearn svg png pdf html; do
        echo "dualpc convert in/cpdag40.csv graph.$to"
    done
    for g in cpdag pattern skeleton; do
        each "dualpc compare in/cpdag20.csv in/dag20.txt --graph $g" "dualpc compare in/cpdag10.csv in/dag10.txt --graph $g --json --differences d.csv" \
            "dualpc learn in/example.csv --quiet --graph $g | dualpc compare - in/example-truth.txt --graph $g --differences d.csv"
        for i in 20 40 80 200; do
            echo "dualpc learn in/s$i.csv --graph $g -o g.csv && dualpc compare g.csv in/dag$i.txt --graph $g --threads 2 --json --differences d.csv"
        done
    done
    each 'dualpc learn in/dense40.csv --orient relaxed -o g.csv --quiet && dualpc compare g.csv in/cpdag40.csv --extend' \
        'dualpc learn in/dense40.csv --orient relaxed -o g.csv --quiet && dualpc compare g.csv in/cpdag40.csv' \
        'dualpc compare in/dag.txt in/mixed.txt || dualpc compare in/dag.txt in/dag.txt --json'
    for i in 'A C' 'B C' 'D E' 'E A'; do
        each "dualpc adjust in/dag.txt $i" "dualpc adjust in/dag.txt $i --json" "dualpc adjust in/dag.txt $i --check ''" \
            "dualpc separate in/dag.txt $i" "dualpc separate in/dag.txt $i --given '' --json"
    done
    for i in 'V1 V2' 'V2 V1' 'V3 V9' 'V5 V8' 'V10 V4' 'V6 V7'; do
        each "dualpc adjust in/cpdag10.csv $i" "dualpc adjust in/dag10.txt $i --json --check ''" "dualpc adjust in/cpdag40.csv $i --json" \
            "dualpc separate in/cpdag10.csv $i --json" "dualpc separate in/cpdag40.csv $i --given V20,V30" "dualpc separate in/dag200.txt $i --given V11"
    done
    each 'dualpc adjust in/cycle.txt A B --extend' 'dualpc separate in/cycle.txt A B --extend' 'dualpc adjust in/mixed.txt A C --extend' 'dualpc adjust in/dag.txt A C --check B' \
        'dualpc separate in/mixed.txt A D --given C --extend' 'dualpc separate in/dag.txt A E --given C,B --json' 'dualpc adjust - A C <in/dag.txt' \
        'HOME=$PWD XDG_CACHE_HOME=$PWD/cache BROWSER=/bin/true dualpc view in/dag.txt'
}

list_simulations() {
    local o
    for o in '' '--seed 2' '--parents 0.5' '--parents 4' '--noise t:3' '--tanh 2' '--weights -1,1' '--weights 0.1,0.3 --noise t:1.5 --tanh 0.5' \
        '--seed 18446744073709551615' '--threads 2'; do
        echo "dualpc simulate --nodes 15 --samples 30 $o --dag dag.csv --cpdag cpdag.json --pattern pattern.txt --skeleton skeleton.dot"
    done
    each 'dualpc simulate --nodes 300 --samples 20 -o data.tsv' 'dualpc simulate --nodes 4 --samples 5000 -o data.csv.gz && gunzip data.csv.gz' \
        'dualpc simulate --nodes 1 --samples 2' 'dualpc study --list'
    for o in t-noise-1.5 refine-tanh copula-50 aid t-copula; do
        echo "dualpc study $o --out study --reps 1 --seed 3 --no-seconds --no-figures --quiet"
    done
    echo 'dualpc study t-noise-1.5 --out study --reps 2 --no-seconds --threads 2 --quiet'
    for o in '' learn effects simulate compare adjust separate convert view study; do
        echo "dualpc $o --help"
    done
    echo 'dualpc --version'
}

list_errors() {
    local o
    each '! dualpc' '! dualpc learn' '! dualpc learn no-such.csv' '! dualpc no-such.csv' '! dualpc learn in/empty.csv' '! dualpc learn in/word.csv' '! dualpc learn in/ragged.csv' \
        '! dualpc learn in/short.csv' '! dualpc learn in/s120.csv --memory 0.01' '! dualpc learn in/example.csv --method ges --refine fast' \
        '! dualpc learn in/example.csv --method ges --rule and' '! dualpc learn in/example.csv --refine fast --restarts 2' '! dualpc learn in/example.csv --separating-sets' \
        '! dualpc learn in/gaps.csv' '! dualpc learn in/skew.csv --correlation --samples 500' '! dualpc learn in/matrix.csv --correlation' \
        '! dualpc learn in/matrix.csv --correlation --samples 500 --bootstrap 10' '! dualpc learn in/matrix.csv --correlation --samples 500 --missing em' \
        '! dualpc learn in/example.csv -o in/no/such/folder.txt' '! dualpc learn in/example.csv -o graph.xyz' '! dualpc learn in/example.csv --format xyz' \
        '! dualpc learn in/example.csv --format bnlearn' '! dualpc learn in/example.csv --knowledge in/wrong.txt' '! dualpc learn in/example.csv --knowledge in/circle.txt' \
        '! dualpc learn in/example.csv --knowledge no-such.txt' '! dualpc learn in/example.csv in/tiny20.csv' '! dualpc learn in/example.csv --colour' \
        '! dualpc learn in/example.csv --keep V99' '! dualpc learn in/example.csv --explain V1,V99' '! dualpc learn in/example.csv -o in/example.csv' \
        '! dualpc learn in/example.csv --min-frequency 0.5' '! dualpc learn in/example.csv --frequencies f.csv' '! dualpc learn in/example.csv --subsample 0.5' \
        '! dualpc learn in/example.csv --edges in/example.csv' '! dualpc learn in/example.csv --drop V1-V12' '! dualpc learn in/example.csv >/dev/full'
    for o in '--alpha 2' '--alpha 0' '--alpha x' '--alpha-dual -1' '--method pc' '--variant x' '--rule x' '--test x' '--max-order -1' '--min-ess -3' \
        '--penalty -1' '--normalize x' '--graph x' '--orient x' '--order x' '--refine x' '--restarts -1' '--seed -1' '--memory -1' '--timeout -1' '--threads -1' \
        '--missing x' '--samples 1' '--layout x' '--bootstrap 0' '--bootstrap 5 --subsample 2' '--bootstrap 5 --min-frequency 2' '--alpha'; do
        echo "! dualpc learn in/example.csv $o"
    done
    each '! dualpc convert in/pag.txt -' '! dualpc convert in/dag.txt x.xyz' '! dualpc convert in/mixed.txt x.bnlearn' '! dualpc convert no-such.txt x.csv' \
        '! dualpc convert in/example.csv x.txt' '! dualpc convert in/dag.txt' '! dualpc compare in/dag.txt in/dag10.txt' '! dualpc compare in/dag.txt' \
        '! dualpc compare in/dag.txt in/dag.txt --graph x' '! dualpc adjust in/cycle.txt A B' '! dualpc adjust in/mixed.txt A C' '! dualpc adjust in/dag.txt A B --check B' '! dualpc adjust in/dag.txt A' '! dualpc adjust in/dag.txt A Z' \
        '! dualpc adjust in/dag.txt A A' '! dualpc separate in/dag.txt A Z' '! dualpc separate in/dag.txt A B --given A' '! dualpc separate in/cycle.txt A B' \
        '! dualpc effects in/example.csv --cause V99' '! dualpc effects in/example.csv --graph in/dag.txt' '! dualpc effects in/example.csv --ida x' \
        '! dualpc effects in/example.csv --top 0' '! dualpc effects in/example.csv -o x.xyz' \
        '! dualpc simulate' '! dualpc simulate --nodes 5' '! dualpc simulate --nodes 5 --samples 1' '! dualpc simulate --nodes 5 --samples 10 --parents 4' \
        '! dualpc simulate --nodes 5 --samples 10 --noise x' '! dualpc simulate --nodes 5 --samples 10 --weights 2' '! dualpc simulate --nodes 5 --samples 10 -o x.xyz' \
        '! dualpc study' '! dualpc study no-such --out x' '! dualpc study shd-2' '! dualpc view no-such.html'
}

list_real() {
    local table
    for table in residential-building.continuous winequality-red.continuous sachs.2005.continuous pima-diabetes.mixed.maximum.2 \
        auto-mpg.data.mixed.max.3.categories drybean.data.mixed.numeric; do
        each "dualpc learn in/real/$table.txt --max-order 3 --format json" "dualpc learn in/real/$table.txt --method classic --max-order 2 --rule and --edges edges.csv" \
            "dualpc learn in/real/$table.txt --normalize copula --max-order 2 --orient majority"
    done
    each '! dualpc learn in/real/abalone.mixed.maximum.3.txt' 'dualpc learn in/real/abalone.mixed.maximum.3.txt --drop Sex --refine fast --format json' \
        '! dualpc learn in/real/car-evaluation.discrete.txt' '! dualpc learn in/real/myocardial.continuous.txt' \
        '! dualpc learn in/real/myocardial.continuous.txt --missing pairwise --max-order 1' 'dualpc learn in/real/myocardial.continuous.txt --missing em --keep 10-40 --max-order 1' 'dualpc learn in/real/winequality-red.continuous.txt --bootstrap 20 --frequencies f.csv' \
        'dualpc effects in/real/winequality-red.continuous.txt --ida optimal --format csv' 'dualpc learn in/real/sachs.2005.continuous.txt --refine full --effects effects.csv' \
        'dualpc learn in/real/NCI-60.csv --no-header --max-order 1' 'dualpc learn in/real/ecoli-expression.csv --alpha 0.01 --max-order 1 --format json' \
        'dualpc learn in/real/ecoli-expression.csv --alpha 1e-6 --max-order 2 --memory 1' 'dualpc learn in/real/MCC.csv --no-header --alpha 1e-4 --rule and' \
        'dualpc learn in/real/scale-free-in.csv --correlation --samples 1000 --refine fast --format json' \
        'dualpc learn in/real/scale-free-in.csv --correlation --samples 1000 --method ges' \
        'dualpc learn in/real/chain-copies.csv --correlation --samples 500 --max-order 1 --format json'
}
