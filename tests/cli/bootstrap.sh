# --bootstrap: the table of frequencies, the consensus, and what an interrupted run leaves. Sourced
# by run.sh.

check_bootstrap_prints_the_table() {
    run "$root/examples/example.csv" --bootstrap 40 --verbose
    expect_code 0
    expect_in err 'bootstrap: 40 resamples of 500 rows with replacement, seed 1'
    expect_in err '[0-9]+ in at least half of them, [0-9]+ in at least 90 %'
    expect_in err 'bootstrap [0-9.]+, total'
    expect_text <("$python" -SB - "$io/out" <<'END'
import csv, sys
rows = list(csv.reader(line[2:] for line in open(sys.argv[1]) if line.startswith("# ")))[1:]
print(",".join(rows[0]))
pairs = [(int(a[1:]), int(b[1:])) for a, b, *_ in rows[1:]]
shares = [[float(x) for x in row[2:]] for row in rows[1:]]
print(pairs == sorted(pairs), all(a < b for a, b in pairs), len(set(pairs)) == len(pairs) > 12)
print(all(0 < e <= 1 and abs(f + b + u - e) < 1e-12 for e, f, b, u in shares))
print(all(abs(40 * x - round(40 * x)) < 1e-9 for row in shares for x in row))
END
    ) $'from,to,edge,forward,backward,undirected\nTrue True True\nTrue\nTrue'
}

check_bootstrap_is_the_same_for_any_threads() {
    for words in '' '--normalize copula' '--subsample 0.5' '--method ges --min-frequency 0.5' \
        '--min-frequency 0.4 --format dot'; do
        # shellcheck disable=SC2086
        run "$data/dense40.csv" --bootstrap 20 --seed 18446744073709551615 --threads 1 --quiet $words
        expect_code 0
        expect_empty err
        cp "$io/out" one
        for threads in 2 3; do
            # shellcheck disable=SC2086
            run "$data/dense40.csv" --bootstrap 20 --seed 18446744073709551615 --threads $threads --quiet $words
            expect_same one "$io/out"
        done
    done
    run "$data/dense40.csv" --bootstrap 20 --quiet
    cp "$io/out" one
    run "$data/dense40.csv" --bootstrap 20 --seed 1 --quiet
    expect_same one "$io/out"
    run "$data/dense40.csv" --bootstrap 20 --seed 2 --quiet
    ! cmp -s one "$io/out" || fail "$told" 'expected other frequencies from another seed'
}

check_bootstrap_files() {
    # the graph of the whole data stays what it is, and all files come from one run
    run "$data/tiny.csv" --quiet
    cp "$io/out" graph
    run "$data/tiny.csv" --bootstrap 30 --quiet
    grep -v '^#' "$io/out" >first
    expect_same graph first
    cp "$io/out" both.txt
    cp graph graph.txt
    run compare both.txt graph.txt
    expect_in out 'SHD 0'
    sed -n '/^# from,to/,$ s/^# //p' both.txt >table
    run "$data/tiny.csv" --bootstrap 30 --frequencies f.csv --quiet
    expect_code 0
    expect_same graph "$io/out"
    expect_same table f.csv
    run "$data/tiny.csv" --bootstrap 30 --frequencies f.csv -o g.txt -o g.json -o g.dot --dag dag.dot --quiet
    expect_code 0
    expect_empty out
    expect_same graph g.txt
    expect_same table f.csv
    run "$data/tiny.csv" --bootstrap 30 --format txt --quiet
    expect_same graph "$io/out"
    expect_text <("$python" -SB - g.json f.csv g.dot dag.dot <<'END'
import csv, json, re, sys
told, rows = json.load(open(sys.argv[1])), list(csv.DictReader(open(sys.argv[2])))
b = told["bootstrap"]
print(b["resamples"], b["asked"], b["seed"], b["subsample"], b["min_frequency"], b["rows"] == told["n_obs"])
same = [{**r, **{k: float(r[k]) for k in ("edge", "forward", "backward", "undirected")}} for r in rows]
print(b["frequencies"] == same and len(rows) > 0)
of = {}
for r in same:
    of[r["from"], r["to"]] = r["edge"], r["forward"]
    of[r["to"], r["from"]] = r["edge"], r["backward"]
line = re.compile(r'  "(.*?)" -> "(.*?)" \[(dir=none, )?(?:evidence="[^"]*", )?(?:color=gray50, )?(?:style=dashed, )?label="([0-9.]+)(?: \(→ ([0-9.]+)\))?", penwidth=([0-9.]+)\];$')
for path in sys.argv[3:]:
    edges = [line.match(l).groups() for l in open(path) if "->" in l]
    right = len(edges) == len(told["edges"])
    for x, y, plain, edge, forward, width in edges:
        e, f = of.get((x, y), (0, 0))
        right = right and edge == f"{e:.2f}" and width == f"{0.5 + 3.5 * e:.2f}"
        right = right and (forward is None if plain else forward == f"{f:.2f}")
    print(right)
END
    ) $'30 30 1 None None True\nTrue\nTrue\nTrue'
    for words in 'g.dot g.txt' 'g.txt g.dot'; do
        # shellcheck disable=SC2086
        run compare $words
        expect_code 0
        expect_in out 'shd +0|SHD +0|"shd": 0'
    done
}

check_bootstrap_consensus() {
    run "$data/dense40.csv" --bootstrap 25 --frequencies f.csv -o x.txt --quiet
    for least in 0.04 0.2 0.52 0.8 1; do
        run "$data/dense40.csv" --bootstrap 25 --min-frequency $least --dag dag.txt --format json
        expect_code 0
        expect_in err "Found: [0-9]+ edges in at least [0-9]+ % of the resamples"
        expect_text <("$python" -SB - f.csv "$io/out" "$least" dag.txt <<'END'
import csv, json, sys
least, told = float(sys.argv[3]), json.load(open(sys.argv[2]))
wanted = {frozenset((r["from"], r["to"])) for r in csv.DictReader(open(sys.argv[1])) if float(r["edge"]) >= least}
found = [frozenset((e["from"], e["to"])) for e in told["edges"]]
dag = {frozenset((l.split()[0], l.split()[2])) for l in open(sys.argv[4]) if " -" in l}
print(set(found) == wanted == dag, len(found) == len(wanted) > 0, told["bootstrap"]["min_frequency"] == least,
      "conflicts" in told)
END
        ) 'True True True False'
    done
}

check_bootstrap_subsample() {
    run "$root/examples/example.csv" --bootstrap 10 --subsample 0.29 --format json
    expect_code 0
    expect_in err '10 resamples of 145 rows without replacement'
    expect_in out '"subsample": 0.29,.*"rows": 145,'
    head -n 11 "$root/examples/example.csv" >short.csv
    run short.csv --bootstrap 10 --subsample 0.49 --quiet
    expect_code 1
    expect_sentence '0\.49 of 10 rows is 4'
    run short.csv --bootstrap 10 --subsample 0.5 --quiet
    expect_code 0
}

check_bootstrap_tells_of_constant_columns() {
    { echo a,b,c; for i in $(seq 20); do echo "$((i * 7 % 11)),$((i * i % 13)),$((i == 4))"; done; } >rare.csv
    run rare.csv --bootstrap 50 --format json
    expect_code 0
    expect_in err 'warning: in [1-9][0-9]* resamples a column was constant'
    expect_in out '"constant": [1-9]'
}

check_bootstrap_usage() {
    for words in '--seed 2' '--subsample 0.5' '--frequencies f.csv' '--min-frequency 0.5'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" $words
        expect_code 1
        expect_sentence "${words%% *} goes with --bootstrap"
    done
    for count in 0 -1 x 1.5 1e10; do
        run "$data/tiny.csv" --bootstrap $count
        expect_code 1
        expect_sentence '--bootstrap'
    done
    for share in 0 1 -0.5 x; do
        run "$data/tiny.csv" --bootstrap 5 --subsample $share
        expect_code 1
        expect_sentence '--subsample'
    done
    for share in 0 1.5 -0.5 x; do
        run "$data/tiny.csv" --bootstrap 5 --min-frequency $share
        expect_code 1
        expect_sentence '--min-frequency'
    done
    for seed in -1 1.5 x 18446744073709551616; do
        run "$data/tiny.csv" --bootstrap 5 --seed $seed
        expect_code 1
        expect_sentence '--seed needs a whole number'
    done
    run matrix.csv --correlation --samples 50 --bootstrap 5
    expect_code 1
    expect_sentence '--bootstrap draws rows'
    run "$data/tiny.csv" --bootstrap 5 --min-frequency 0.5 --separating-sets --format json
    expect_code 1
    expect_sentence '--separating-sets'
    names=$(head -1 "$data/tiny.csv" | cut -d, -f1,2)
    run "$data/tiny.csv" --bootstrap 5 --min-frequency 0.5 --explain "$names"
    expect_code 1
    expect_sentence 'explanations are those of the learned graph; leave out --min-frequency'
    run "$data/tiny.csv" --bootstrap 5 --quiet --explain "$names"
    expect_code 0
    for path in f.txt f.json f.dot f; do
        run "$data/tiny.csv" --bootstrap 5 --frequencies "$path"
        expect_code 1
        expect_sentence "'$path' does not end in .csv"
    done
    run "$data/tiny.csv" --bootstrap 5 --frequencies f.csv --frequencies g.csv
    expect_code 1
    expect_sentence '--frequencies is given twice'
    run "$data/tiny.csv" --bootstrap 5 --frequencies f.csv -o f.csv
    expect_code 1
    expect_sentence 'f\.csv.*same file'
    run "$data/tiny.csv" --bootstrap 5 --frequencies f.csv --dag f.csv
    expect_code 1
    expect_sentence 'f\.csv.*same file'
    run "$data/tiny.csv" --bootstrap 5 --frequencies missing/f.csv -o x.csv
    expect_code 3
    expect_sentence 'missing/f\.csv'
    run "$data/tiny.csv" --bootstrap 5 --frequencies /dev/full -o x.csv
    expect_code 3
    expect_files ''
}

# Interrupted, it writes what it has, and says so.
check_bootstrap_signal() {
    for signal in INT TERM; do
        mkdir out
        told="dualpc --bootstrap, interrupted by $signal"
        "$python" -SB "$here/interrupt.py" --watch out --program "$program" --busy 0.5 --after 0 \
            --signal $signal -- "$data/dense40.csv" --bootstrap 1000000 --frequencies out/f.csv \
            --min-frequency 0.5 -o out/x.json >"$io/out" 2>"$io/err"
        expect_text "$io/out" 130
        expect_in err 'bootstrap: [1-9][0-9]* resamples? of'
        expect_in err 'dualpc: interrupted after [1-9][0-9]* of 1000000 resamples'
        expect_text <("$python" -SB - out/x.json out/f.csv <<'END'
import csv, json, sys
b = json.load(open(sys.argv[1]))["bootstrap"]
print(0 < b["resamples"] < b["asked"] == 1000000, len(b["frequencies"]) == len(list(csv.DictReader(open(sys.argv[2])))) > 0)
END
        ) 'True True'
        rm -rf out
    done
}

check_bootstrap_terminal_shows_the_time_left() {
    "$python" -SB "$here/interrupt.py" --terminal --program "$program" --after 0 \
        --until 'resamples .* [0-9]+ of 1000000, [0-9]+ (s|min|h) left' -- "$data/dense40.csv" --bootstrap 1000000 --frequencies f.csv -o x.csv >"$io/out" 2>"$io/err"
    told='dualpc --bootstrap on a terminal, and Ctrl-C typed'
    expect_text "$io/out" 130
    expect_in err 'resamples .* [0-9]+ of 1000000, [0-9]+ (s|min|h) left'
    cp "$io/err" shown
    expect_files f.csv shown x.csv
    expect_equal 'lines of the bar that are too long' 0 \
        "$(tr '\r' '\n' <shown | grep -a 'left' | sed 's/\x1b\[K//' | awk 'length > 79' | wc -l)"
}
