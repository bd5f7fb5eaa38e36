# Untrusted input: it never runs, never decides how much memory it takes, and writes only where it was
# told to. docs/reliability.md says what is promised. Sourced by run.sh.

# What a shell, gnuplot, a browser or an option parser might make something of.
hostile_names() {
    printf '%s\0' 'a;touch owned' '$(touch owned)' '`touch owned`' "a'b" 'a"b' $'a\nb' '| touch owned' \
        '-o' '--help' 'a b' '&& touch owned' '*' '"; system "touch owned' 'a\' '%s%n' '<b>'
}

# Nothing was run: nobody else makes such a file.
expect_nothing_ran() {
    [ -z "$(find . -name owned)" ] || fail "$told" "a command in a name was run"
}

check_security_names_of_files_are_not_run() {
    local name count=0
    while IFS= read -r -d '' name; do
        mkdir "d$count" && cd "d$count" || return
        cp "$data/tiny.csv" "./$name.csv"
        run --quiet -o "./$name.txt" -o "./$name.svg" -o "./$name.html" -o "./$name.dot" -- "./$name.csv"
        expect_code 0
        run convert "./$name.txt" "./$name.graphml"
        expect_code 0
        expect_files "$name".{csv,txt,svg,html,dot,graphml}
        cd .. || return
        count=$((count + 1))
    done < <(hostile_names)
    expect_nothing_ran
    expect_equal 'names tried' 16 $count
}

check_security_a_browser_gets_a_path_and_no_command() {
    local name
    printf '#!/bin/sh\nprintf "%%s|" "$#" "$1" >>"%s/seen"\n' "$PWD" >browser
    chmod +x browser
    while IFS= read -r -d '' name; do
        printf 'a --> b\n' >"./$name.txt"
        rm -f seen
        told="dualpc view $name.txt"
        BROWSER=$PWD/browser XDG_CACHE_HOME=$PWD/cache timeout "$patience" "$program" view "./$name.txt" \
            >"$io/out" 2>"$io/err" </dev/null
        code=$?
        expect_code 0
        expect_text seen "1|$PWD/cache/dualpc/$name.txt.html|"
    done < <(hostile_names)
    expect_nothing_ran
}

# gnuplot runs what stands between backquotes in a text, and system commands.
check_security_gnuplot_gets_no_text_of_the_user() {
    local name count=0
    command -v gnuplot >/dev/null || return
    run study t-noise-1.5 --reps 1 --quiet --no-seconds --out plain
    expect_code 0
    while IFS= read -r -d '' name; do
        run study t-noise-1.5 --reps 1 --quiet --no-seconds --out "./$name"
        expect_code 0
        expect_empty err
        for part in figures/t-noise-1.5.{gp,svg,pdf} results.csv; do
            expect_same "plain/$part" "./$name/$part"
        done
        count=$((count + 1))
    done < <(hostile_names | head -z -n "$([ "${DPC_REPEAT:-100}" -lt 100 ] && echo 7 || echo 16)")
    expect_nothing_ran
    [ $count -ge 7 ] || fail "$told" "expected more names"
}

# A program that only looks: in a script of dualpc nobody else is called.
check_security_names_of_columns_are_text() {
    "$python" -S - <<'END'
import csv, random
names = ["$(touch owned)", "`touch owned`", "../../owned", "/etc/passwd", "<script>alert(1)</script>",
         "%s%n%x", "</svg><script>", "\" onload=\"alert(1)"]
chance = random.Random(5)
rows = []
for _ in range(60):
    row, last = [], 0
    for _ in names:
        last = last * 0.8 + chance.gauss(0, 1)
        row.append(last)
    rows.append(row)
with open("t.csv", "w", newline="") as out:
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows(rows)
END
    run t.csv -o g.svg -o g.html -o g.dot -o g.json -o g.txt -o g.graph.json --dag d.txt --edges e.csv
    expect_code 0
    expect_files t.csv g.svg g.html g.dot g.json g.txt g.graph.json d.txt e.csv
    expect_nothing_ran
    for page in g.svg g.html; do
        ! grep -q '<script>alert' $page || fail "$told" "a name is a script in $page"
        ! grep -q 'onload="alert' $page || fail "$told" "a name is an attribute in $page"
    done
    "$python" -S -c 'import xml.dom.minidom; xml.dom.minidom.parse("g.svg")' 2>"$io/err" || fail 'g.svg' "$(seen err)"
    run t.csv --quiet --explain "</svg><script>,%s%n%x"
    expect_code 0
    expect_nothing_ran
}

# Not a byte to the terminal that moves its cursor or names its window.
expect_no_controls() { # files
    ! LC_ALL=C grep -q $'[\001-\010\013-\037\177]' "$@" || fail "$told" "expected no control characters in $*"
}

check_security_control_characters_do_not_reach_the_terminal() {
    printf 'a\033]0;owned\007,b\n1,2\n3,x\n5,6\n7,9\n1,4\n' >t.csv
    run t.csv
    expect_code 2
    expect_no_controls "$io/err"
    "$python" -S -c '
import json
names = ["a\x1b]0;owned\x07", "b\x9b2J", "c\r\nd", "e"]
json.dump({"nodes": names, "edges": [{"from": names[0], "to": n, "mark": "-->"} for n in names[1:]]}, open("g.json", "w"))'
    for word in tetrad graphml sif bnlearn svg html; do
        run convert g.json - --to $word
        expect_no_controls "$io/err"
        [ $word != svg ] && [ $word != html ] || expect_no_controls "$io/out"
    done
    for words in 'separate g.json x y' 'adjust g.json x y' 'compare g.json g.json'; do
        # shellcheck disable=SC2086
        run $words
        expect_no_controls "$io/out" "$io/err"
    done
}

# Who starts no shell needs none of these; what it does start, it starts by execlp.
check_security_no_shell_is_linked() {
    told="nm -D $program"
    command -v nm >/dev/null || return
    nm -D --undefined-only "$program" >symbols
    grep -qw execlp symbols || fail "$told" "expected execlp, by which the browser is started"
    ! grep -wE 'system|popen|wordexp|posix_spawnp?' symbols >found || fail "$told" "$(cat found)"
}

check_security_the_build_is_hardened() {
    told="readelf $program"
    { can_limit_memory && command -v readelf >/dev/null; } || return
    readelf -hldW "$program" >elf 2>/dev/null
    nm -D --undefined-only "$program" >symbols
    grep -q 'Type: *DYN' elf || fail "$told" "expected a program for any address"
    grep -q GNU_RELRO elf || fail "$told" "expected relro"
    grep -qw NOW elf || fail "$told" "expected all functions to be bound at the start"
    grep -q 'GNU_STACK.* RW ' elf || fail "$told" "expected a stack that cannot be run"
    grep -qw __stack_chk_fail symbols || fail "$told" "expected canaries on the stack"
    grep -q '_chk' <(grep -v stack_chk symbols) || fail "$told" "expected checked copies"
}

# ---- Memory ----

# 300 MB of rows in 300 kB.
make_bomb() { # file, first line
    "$python" -S - "$1" "$2" <<'END'
import gzip, sys
with gzip.open(sys.argv[1], "wb") as out:
    out.write(sys.argv[2].encode() + b"\n")
    for _ in range(300):
        out.write(b"0,1\n" * 250000)
END
}

check_security_a_gzip_bomb_is_refused() {
    make_bomb bomb.csv.gz 'a,b'
    for words in 'bomb.csv.gz' 'convert bomb.csv.gz -' "$data/tiny.csv --knowledge bomb.csv.gz"; do
        # shellcheck disable=SC2086
        run $words
        expect_code 2
        expect_sentence 'bomb.csv.gz: its gzip data unpack to more than 256 MB, and 100 times the size of the file; if that is meant, unpack it first'
    done
}

check_security_a_stream_without_end_is_refused() {
    # what is no text is known by its first bytes
    for words in '/dev/zero' "$data/tiny.csv --knowledge /dev/zero" 'convert --from csv /dev/zero -'; do
        # shellcheck disable=SC2086
        run $words
        expect_code 2
        expect_sentence '/dev/zero: .* NUL '
    done
    # a text is read until half of the memory is full; a file says before how much it has
    can_limit_memory || return
    for words in '-' 'convert --from csv - -'; do
        shell "ulimit -v 600000; yes 0,1,2 | \"\$program\" $words"
        expect_code 4
        expect_sentence 'standard input: its text is longer than 0\.3 GB, half of the memory that this process may use'
    done
    truncate -s 1G hole.csv
    limited 600000 hole.csv
    expect_code 4
    expect_sentence 'hole.csv: out of memory for its text: it has 1\.1 GB, and this process may use 0\.6 GB'
}

# FACTOR times the size of its file, and what any run takes: all that there is until it has said no.
refused_in_memory() { # file, factor, arguments
    local size
    size=$(stat -c %s "$1")
    limited $((160000 + size / 1000 * $2)) "${@:3}"
    expect_code 2
    [ "$(wc -l <"$io/err")" = 1 ] || fail "$told" "expected one line on stderr" "saw: $(seen err)"
}

check_security_hostile_shapes_take_little_memory() {
    can_limit_memory || return
    "$python" -S - <<'END'
names = ",".join(f"v{i}" for i in range(1000000))
M = 1000000
for path, text in {
        "commas.csv": "," * (10 * M) + "\n" + "," * (10 * M) + "\n",
        "names.csv": names + "\n1,2\n",
        "line.csv": "a" * (100 * M),
        "number.csv": "a,b\n" + "1" * M + ",2\n3,0." + "7" * M + "\n4,5\n",
        "quote.csv": 'a,b\n"' + "x\n" * (5 * M),
        "blank.csv": "\n" * (10 * M),
        "fields.csv": "a b\n" + "1 " * (5 * M) + "\n",
        "names.cov": "/covariance\n100\n" + names.replace(",", " ") + "\n1\n",
        "names.pcalg.csv": names + "\n0\n",
        "deep.json": "[" * (5 * M) + "]" * (5 * M),
        "deep.dot": "digraph {" + "{" * (5 * M),
        "deep.gml": "graph [" + " a [" * M,
        "deep.graphml": "<graphml>" + "<a>" * M,
        "deep.knowledge": '{"tiers":' + "[" * (5 * M)}.items():
    open(path, "w").write(text)
END
    for file in commas.csv number.csv quote.csv blank.csv fields.csv names.cov; do
        refused_in_memory $file 40 --quiet $file
    done
    refused_in_memory line.csv 4 --quiet line.csv
    refused_in_memory names.csv 80 --quiet names.csv
    for file in names.csv names.pcalg.csv deep.json deep.dot deep.gml deep.graphml; do
        refused_in_memory $file 40 convert $file - --to sif
    done
    refused_in_memory deep.knowledge 40 --quiet "$data/tiny.csv" --knowledge deep.knowledge
}

# As many columns as lines of a usual table: not a matter of minutes.
check_security_a_million_columns_are_read_at_once() {
    can_limit_memory || return
    "$python" -S -c '
n = 1000000
print(*(f"v{i}" for i in range(n)), sep=",")
for row in "12345":
    print(",".join([row] * n))' >wide.csv
    run wide.csv
    expect_code 4
    expect_in err 'at alpha 0\.05 chance alone joins 2\.5e\+10 of the pairs of 1000000 variables'
}

# n · n and N · n beyond what can be counted.
check_security_sizes_that_overflow_are_refused() {
    run simulate --nodes 2000000000 --samples 2000000000 -o x.csv
    [ "$code" = 1 ] || [ "$code" = 4 ] || fail "$told" "expected 1 or 4, saw $code"
    expect_empty out
    printf '/covariance\n99999999999999999999999\na b\n1\n0 1\n' >x.cov
    run x.cov
    expect_code 2
    expect_sentence 'number of observations'
    run "$data/tiny.csv" --max-order 99999999999999999999
    expect_code 1
    run "$data/tiny.csv" --correlation --samples 99999999999999999999
    expect_code 1
    run "$data/tiny.csv" --bootstrap 99999999999999999999
    expect_code 1
}
