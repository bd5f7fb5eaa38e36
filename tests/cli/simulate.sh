# dualpc simulate. Sourced by run.sh.

check_simulate_data_and_graphs() {
    for options in '--nodes 12 --samples 50' '--nodes 25 --parents 3 --samples 200 --noise t:3' \
        '--nodes 15 --parents 2.5 --samples 80 --tanh 1 --seed 7' '--nodes 9 --parents 4 --samples 2' \
        '--nodes 20 --samples 100 --weights -1,1 --noise t:0.5' '--nodes 4 --samples 30' \
        '--nodes 20 --samples 40 --structure scale-free-in --design internal --signs mixed' \
        '--nodes 20 --samples 40 --structure scale-free-out --design onion' \
        '--nodes 21 --samples 40 --structure small-world --noise exponential' \
        '--nodes 22 --samples 40 --structure bipartite --variances 0.5,2' \
        '--nodes 23 --samples 40 --structure hubs --design internal' \
        '--nodes 9 --samples 40 --structure chain --design onion --noise t:5' \
        '--nodes 1 --samples 10' '--nodes 6 --parents 0 --samples 5'; do
        # shellcheck disable=SC2086
        run simulate $options -o data.csv --dag dag.csv --cpdag cpdag.csv --pattern pattern.csv \
            --skeleton skeleton.csv
        expect_code 0
        expect_empty out
        expect_in err '^sortability [0-9N]'
        expect_equal 'lines of standard error' 1 "$(wc -l <"$io/err")"
        expect_files data.csv dag.csv cpdag.csv pattern.csv skeleton.csv
        verify simulated data.csv dag.csv cpdag.csv pattern.csv skeleton.csv
    done
}

check_simulate_sizes() {
    run simulate --nodes 7 --samples 31
    expect_code 0
    expect_equal lines 32 "$(wc -l <"$io/out")"
    expect_equal header V1,V2,V3,V4,V5,V6,V7 "$(head -1 "$io/out")"
    run simulate --nodes 1e1 --samples 1e2
    expect_equal lines 101 "$(wc -l <"$io/out")"
}

check_simulate_defaults() {
    run simulate --nodes 20 --samples 40 -o short.csv --dag short.txt
    run simulate --nodes 20 --samples 40 --parents 2 --seed 1 --noise gaussian --tanh 0 --weights 0.4,2 \
        --structure er --design scm --signs positive --variances 1,1 --mixed 0 --ordinal 0 --curved 0 --hidden 0 -o long.csv --dag long.txt
    expect_code 0
    expect_same short.csv long.csv
    expect_same short.txt long.txt
    run simulate --help
    expect_code 0
    for word in nodes samples parents seed structure design noise tanh weights signs variances mixed ordinal curved levels hidden output dag cpdag pattern \
        skeleton pag quiet; do
        expect_in out "--$word"
    done
    expect_in out '\[2\].*\[1\].*\[er\].*\[scm\].*\[gaussian\].*\[0\].*\[0\.4,2\].*\[positive\].*\[1,1\]'
    run simulate --version
    expect_in out '^dualpc [0-9]'
}

check_simulate_same_bytes_for_any_threads() {
    local options='simulate --nodes 30 --samples 500 --noise t:5 --tanh 0.5 --seed 11'
    for threads in 1 2; do
        shell "OMP_NUM_THREADS=$threads \"\$program\" $options -o $threads.csv.gz --dag $threads.json"
        expect_code 0
        # shellcheck disable=SC2086
        run $options --threads $threads -o option.csv.gz --dag option.json
        expect_code 0
        expect_same 1.csv.gz option.csv.gz
        expect_same 1.json option.json
    done
    expect_same 1.csv.gz 2.csv.gz
    expect_same 1.json 2.json
}

check_simulate_each_option_matters() {
    run simulate --nodes 15 --samples 60 -o a.csv --dag a.txt
    for option in '--seed 2' '--seed 4294967297' '--parents 3' '--weights 1,1.5' '--structure scale-free-in' \
        '--structure scale-free-out' '--structure small-world' '--structure bipartite' '--structure hubs' \
        '--structure chain'; do
        # shellcheck disable=SC2086
        run simulate --nodes 15 --samples 60 $option -o b.csv --dag b.txt
        expect_code 0
        ! cmp -s a.csv b.csv || fail "$told" "expected other data"
        [ "$option" = '--weights 1,1.5' ] || ! cmp -s a.txt b.txt || fail "$told" "expected another DAG"
    done
    # these change the data, and leave the DAG
    for option in '--samples 61' '--mixed 0.5' '--ordinal 0.5' '--curved 0.5' '--mixed 1 --levels 2' '--noise t:5' '--noise t:6' '--tanh 1' '--tanh 2' '--noise exponential' \
        '--design internal' '--design onion' '--signs mixed' '--variances 1,2'; do
        # shellcheck disable=SC2086
        run simulate --nodes 15 --samples 60 $option -o b.csv --dag b.txt
        expect_code 0
        expect_same a.txt b.txt
        ! cmp -s a.csv b.csv || fail "$told" "expected other data"
    done
    run simulate --nodes 15 --samples 60 --seed 18446744073709551615
    expect_code 0
}

check_simulate_weights_of_one_value() {
    # one edge, for sure, with the weight 3
    run simulate --nodes 2 --parents 0.5 --samples 5000 --weights 3,3 -o d.csv --dag g.txt
    expect_code 0
    expect_equal edges 1 "$(wc -l <g.txt)"
    # correlation 3/√10
    local r
    r=$(awk -F, 'NR > 1 { s += $1 * $2 } END { printf "%.2f", s / (NR - 2) }' d.csv)
    expect_equal correlation 0.95 "$r"
}

# The same by a program that shares nothing: R² by regressions, paths by powers of the matrix.
check_simulate_sortability() {
    for options in '' '--signs mixed' '--design internal' '--design onion' '--structure bipartite' '--tanh 1'; do
        # shellcheck disable=SC2086
        run simulate --nodes 12 --samples 60 $options -o d.csv --dag g.csv
        expect_code 0
        verify sortability d.csv g.csv "$(cat "$io/err")"
    done
    run simulate --nodes 12 --samples 60 --quiet --design onion --signs mixed -o d.csv
    expect_code 0
    expect_empty err
    run simulate --nodes 12 --samples 60 --design onion --signs mixed --weights 1,2 -o d.csv
    expect_code 0
    expect_in err 'warning: --weights has no effect with --design onion'
    expect_in err 'warning: --signs has no effect with --design onion'
    run simulate --nodes 12 --samples 12 -o d.csv
    expect_in err '^sortability NaN \(there are not more rows than variables\)'
    run simulate --nodes 12 --samples 50 --parents 0 -o d.csv
    expect_in err '^sortability NaN \(there are no edges\)'
    run simulate --nodes 2001 --samples 3 -o d.csv
    expect_in err '^sortability NaN \(it is not computed for more than 2000 variables\)'
    # data on standard output stay data
    run simulate --nodes 4 --samples 10
    expect_equal lines 11 "$(wc -l <"$io/out")"
}

check_simulate_structures() {
    run simulate --nodes 40 --samples 50 --structure chain --dag g.txt -o d.csv
    expect_equal 'edges of a chain' 39 "$(grep -c -e '-->' g.txt)"
    run simulate --nodes 40 --samples 50 --structure bipartite --dag g.txt -o d.csv
    expect_equal 'causes that are effects' '' "$(awk '/-->/ { print $1 }' g.txt | sort -u >causes &&
        awk '/-->/ { print $3 }' g.txt | sort -u | comm -12 causes -)"
    # of the hubs: most arrows out of one node, or into one
    for side in out in; do
        run simulate --nodes 200 --samples 250 --structure scale-free-$side --dag g.txt -o d.csv
        expect_code 0
        awk -v side=$side '/-->/ { out[$1]++; into[$3]++ }
            END { for (v in out) if (out[v] > o) o = out[v]; for (v in into) if (into[v] > i) i = into[v]
                  exit !(side == "out" ? o > 12 && i <= 2 : i > 12 && o <= 2) }' g.txt ||
            fail "$told" "expected hubs on the side $side"
    done
}

# FILE, COLUMNS OF LETTERS, OF WHOLE NUMBERS FROM 0 TO 9, OTHERS: counts of what all cells of a column are.
columns_are() {
    expect_equal "columns of letters, levels and numbers in $1" "$2 $3 $4" "$(awk -F'[,\t]' '
        NR > 1 { for (i = 1; i <= NF; i++) { l[i] += $i ~ /^[a-j]$/; w[i] += $i ~ /^[0-9]$/ } }
        END { for (i = 1; i <= NF; i++) if (l[i] == NR - 1) a++; else if (w[i] == NR - 1) b++; else c++
              print a + 0, b + 0, c + 0 }' "$1")"
}

check_simulate_kinds() {
    run simulate --nodes 20 --samples 300 --mixed 0.25 -o d.csv --dag g.txt
    expect_code 0
    expect_in err '^sortability NaN \(there are nominal or ordered variables\)'
    columns_are d.csv 5 0 15
    run simulate --nodes 20 --samples 300 -o plain.csv --dag plain.txt
    expect_same plain.txt g.txt
    run simulate --nodes 20 --samples 300 --mixed 0.5 --ordinal 0.5 --curved 1 --noise t:5 --structure hubs -o d.tsv
    expect_code 0
    columns_are d.tsv 10 5 5
    run simulate --nodes 20 --samples 300 --mixed 1 --design internal --signs mixed --variances 0.5,2 -o d.csv.gz
    expect_code 0
    gzip -dc d.csv.gz >d.csv
    columns_are d.csv 20 0 0
    expect_equal 'letters beyond d' 0 "$(tail -n +2 d.csv | grep -c '[e-z]')"
    run simulate --nodes 20 --samples 300 --ordinal 1 --levels 2 --tanh 1 -o d.csv
    expect_code 0
    columns_are d.csv 0 20 0
    expect_equal 'levels beyond 1' 0 "$(tail -n +2 d.csv | grep -c '[2-9]')"
    # no level is rare
    run simulate --nodes 20 --samples 300 --ordinal 1 --design onion --noise exponential -o d.csv
    expect_code 0
    awk -F, 'NR > 1 { for (i = 1; i <= NF; i++) n[i "," $i]++ }
        END { for (k in n) if (n[k] < 15) { print k, n[k]; bad = 1 } exit bad }' d.csv >"$io/wrong" ||
        fail "$told" "rare levels: $(cat "$io/wrong")"
    # all columns are numbers, which have a sortability
    run simulate --nodes 20 --samples 300 --curved 1 -o d.csv --dag g.csv --cpdag c.csv --pattern p.csv --skeleton s.csv
    expect_code 0
    verify simulated d.csv g.csv c.csv p.csv s.csv
    verify sortability d.csv g.csv "$(cat "$io/err")"
}

check_simulate_hidden() {
    run simulate --nodes 20 --samples 40 --quiet -o all.csv --dag all.txt
    run simulate --nodes 20 --samples 40 --quiet --hidden 0.2 -o seen.csv --dag dag.txt --pag pag.txt
    expect_code 0
    expect_same all.txt dag.txt
    # four columns are missing, and the others are as they were
    local left=0 name
    for name in $(head -n 1 seen.csv | tr ',' ' '); do
        left=$((left + 1))
        cut -d, -f$left seen.csv >a
        cut -d, -f"${name#V}" all.csv >b
        expect_same a b
    done
    expect_equal 'columns that are left' 16 $left
    for name in $(grep -o 'V[0-9]*' pag.txt | sort -u); do
        head -n 1 seen.csv | tr ',' '\n' | grep -qx "$name" || fail "$name is in the PAG, and hidden"
    done
    grep -q 'o->' pag.txt || fail 'the PAG has no circles'
    # nothing is hidden: the PAG has the edges of the DAG
    run simulate --nodes 20 --samples 40 --quiet -o d.csv --dag dag.txt --pag pag.txt
    expect_code 0
    expect_equal 'edges of the PAG' "$(wc -l <dag.txt)" "$(wc -l <pag.txt)"
    run simulate --nodes 20 --samples 40 --quiet --mixed 0.5 --hidden 0.2 -o d.csv --pag pag.pag.csv
    expect_code 0
}

check_simulate_kinds_same_bytes() {
    local options='simulate --nodes 20 --samples 400 --mixed 0.4 --ordinal 0.4 --curved 0.5 --seed 8'
    for threads in 1 2; do
        shell "OMP_NUM_THREADS=$threads \"\$program\" $options -o $threads.csv --cpdag $threads.json"
        expect_code 0
    done
    expect_same 1.csv 2.csv
    expect_same 1.json 2.json
    # the columns that are not cut are those without --ordinal
    run simulate --nodes 12 --samples 50 -o plain.csv
    run simulate --nodes 12 --samples 50 --ordinal 0.5 -o cut.csv
    local same=0 i
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        cut -d, -f$i plain.csv >a
        cut -d, -f$i cut.csv >b
        ! cmp -s a b || same=$((same + 1))
    done
    expect_equal 'columns that stay' 6 $same
}

check_simulate_formats() {
    run simulate --nodes 8 --samples 20
    cp "$io/out" plain.csv
    run simulate --nodes 8 --samples 20 -o d.csv --dag g.csv --cpdag g.txt --pattern g.dot --skeleton g.json
    expect_code 0
    expect_same plain.csv d.csv
    "$python" -S -m json.tool g.json >/dev/null || fail "$told" "expected valid JSON in g.json"
    for output in d.tsv d.csv.gz d.tsv.gz d.CSV; do
        run simulate --nodes 8 --samples 20 -o $output
        expect_code 0
    done
    expect_same d.csv d.CSV
    tr '\t' ',' <d.tsv >from-tsv.csv
    expect_same plain.csv from-tsv.csv
    gzip -dc d.csv.gz >from-gz.csv
    expect_same plain.csv from-gz.csv
    gzip -dc d.tsv.gz >from-gz.tsv
    expect_same d.tsv from-gz.tsv
    run simulate --nodes 8 --samples 20 -o /dev/stdout --dag /dev/null
    expect_code 0
    expect_same plain.csv "$io/out"
}

check_simulate_to_learn() {
    run simulate --nodes 15 --parents 1 --samples 20000 --seed 4 -o d.csv.gz --cpdag truth.txt
    run d.csv.gz --alpha 0.0001 --quiet
    expect_code 0
    expect_same truth.txt "$io/out"
    shell '"$program" simulate --nodes 15 --parents 1 --samples 20000 --seed 4 | "$program" --alpha 1e-4 --quiet -'
    expect_code 0
    expect_same truth.txt "$io/out"
    # ranks are all that is left of the Gaussian data, and are enough
    run simulate --nodes 15 --parents 1 --samples 20000 --seed 4 --tanh 0.3 -o d.csv
    run d.csv --alpha 0.0001 --normalize copula --quiet
    expect_code 0
    expect_same truth.txt "$io/out"
}

# OPTIONS, REGEX: exit code 1, one sentence, nothing written.
refused() {
    # shellcheck disable=SC2086
    run simulate $1
    expect_code 1
    expect_sentence "$2"
    expect_files ''
}

check_simulate_refuses_bad_values() {
    local both='--nodes 10 --samples 20 -o x.csv'
    refused '' '--nodes'
    refused '--samples 20' '--nodes'
    refused '--nodes 10' '--samples'
    refused "$both --nodes 0" '--nodes'
    refused "$both --nodes 2.5" '--nodes'
    refused "$both --nodes 3e9" '--nodes'
    refused "$both --samples 1" '--samples'
    refused "$both --samples many" '--samples'
    for value in -1 nan inf x ''; do
        refused "$both --parents=$value" '--parents'
        refused "$both --tanh=$value" '--tanh'
        refused "$both --seed=$value" '--seed'
    done
    refused "$both --parents 4.6" '--parents.*at most 4\.5'
    refused "$both --seed 18446744073709551616" '--seed'
    refused "$both --seed 1.5" '--seed'
    for value in t t: t:0 t:-1 t:nan t:inf t:x normal gaussian: ''; do
        refused "$both --noise=$value" '--noise'
    done
    for value in 2,0.4 1 1, ,1 1,2,3 nan,1 0,inf a,b ''; do
        refused "$both --weights=$value" '--weights'
        refused "$both --variances=$value" '--variances'
    done
    refused "$both --variances 0,1" '--variances must be above 0'
    refused "$both --variances=-1,1" '--variances must be above 0'
    refused "$both --structure scalefree" '--structure must be one of er, scale-free-in, .*chain'
    refused "$both --structure=" '--structure must be one of'
    refused "$both --design iscm" '--design must be one of scm, internal, onion'
    refused "$both --signs negative" '--signs must be one of positive, mixed'
    refused "$both --design internal --noise t:2" 'design internal needs noise with a variance'
    refused "$both --structure bipartite --parents 2.2" '--parents.*at most 2\.1.*bipartite'
    for option in mixed ordinal curved; do
        for value in -0.1 1.01 nan inf x ''; do
            refused "$both --$option=$value" "--$option"
        done
        refused "$both --$option 2" "--$option must be at least 0 and at most 1"
    done
    for value in 1 11 2.5 x ''; do
        refused "$both --mixed 0.5 --levels=$value" '--levels'
    done
    for value in -0.1 1 1.5 nan x ''; do
        refused "$both --hidden=$value" '--hidden'
    done
    for graph in cpdag pattern skeleton; do
        refused "$both --hidden 0.2 --$graph g.csv" "--$graph is over all variables.*--pag"
    done
    refused "$both --pag g.csv" 'g.csv: .*\.pag\.csv'
    refused "$both --levels 3" '--levels needs --mixed or --ordinal'
    refused "$both --mixed 1 --ordinal 0.5" 'mixed 1 .*no numbers for ordinal'
    refused "$both --mixed 1 --curved 0.5" 'mixed 1 .*no numbers for curved'
    refused "$both --mixed 0.5 --design onion" 'design onion .*linear networks.*mixed'
    refused "$both --curved 0.5 --design onion" 'design onion .*linear networks.*curved'
    refused "$both --threads 0" '--threads'
    refused "$both --unknown" 'unknown.*--unknown'
    refused "$both extra" "extra"
    refused "$both --dag" '--dag'
}

check_simulate_values_too_large() {
    refused '--nodes 10 --samples 20 --noise t:0.001 -o x.csv' 'degrees of freedom'
    refused '--nodes 2000 --parents 999.5 --samples 5 -o x.csv' 'too large'
}

check_simulate_refuses_outputs() {
    local both='--nodes 10 --samples 20'
    refused "$both -o x.txt" 'x\.txt.*csv'
    refused "$both -o x" "'x'"
    refused "$both -o x.csv --dag x" "'x'"
    refused "$both -o x.csv --dag ./x.csv" 'x\.csv.*same file'
    refused "$both --dag x.csv --cpdag $PWD/x.csv" 'x\.csv.*same file'
    refused "$both -o x.csv -o y.csv" 'x\.csv.*y\.csv'
}

check_simulate_all_or_nothing() {
    echo old >old.csv
    local both='--nodes 10 --samples 20'
    # shellcheck disable=SC2086
    run simulate $both -o old.csv --dag missing/x.csv
    expect_untouched
    ln -s /dev/full full.json
    # shellcheck disable=SC2086
    run simulate $both -o old.csv --dag new.csv --cpdag full.json
    expect_untouched full.json
    shell '"$program" simulate --nodes 10 --samples 20 --dag old.csv --cpdag new.txt >/dev/full'
    expect_untouched full.json
    expect_sentence 'standard output.*No space'
    for end in csv csv.gz; do
        shell "ulimit -f 8; \"\$program\" simulate --nodes 10 --samples 2000 --dag old.csv -o big.$end"
        expect_untouched full.json
        expect_sentence 'big\.csv.*File too large'
    done
}

check_simulate_out_of_memory() {
    run simulate --nodes 1000 --samples 1e12 -o x.csv
    expect_code 4
    expect_sentence 'out of memory.*1000 columns'
    expect_files ''
    local limit='ulimit -v 2000000;' samples=400000
    [ "$sanitized" = 0 ] || limit= samples=1e12
    shell "$limit \"\$program\" simulate --nodes 1000 --samples $samples -o x.csv"
    expect_code 4
    expect_sentence 'memory'
    expect_files ''
}

check_simulate_signal() {
    # while drawing, while writing, and while nobody reads
    interrupt --after 0.3 -- simulate --nodes 40 --parents 19 --weights 0.1,0.1 --samples 3e6 --noise t:5 -o out/x.csv
    interrupt --after 0.1 --once-writing -- simulate --nodes 500 --samples 30000 -o out/x.csv --dag out/g.csv
    interrupt --after 0.1 --once-writing -- simulate --nodes 500 --samples 5000 -o out/x.csv.gz
    interrupt --after 0.6 --stdout stalled -- simulate --nodes 100 --samples 2000 --dag out/g.csv
}
