# Ctrl-C and SIGTERM: exit code 130, nothing left behind. Sourced by run.sh.
# interrupt.py starts the program, waits for the moment, sends the signal and tells what happened:
# the exit code, or "early" or "hangs". Outputs go to the folder out.

# WHEN [interrupt.py's options] -- ARGUMENTS: must end with 130, and with an empty folder out.
interrupt() {
    mkdir -p out
    told="$* (interrupted)"
    "$python" -SB "$here/interrupt.py" --watch out --program "$program" "$@" \
        >"$io/out" 2>"$io/err"
    expect_text "$io/out" 130
    expect_equal 'files in out' '' "$(ls -A out)"
    rm -rf out
}

classic="--method classic --alpha 0.5"

check_signal_in_the_levels() {
    # shellcheck disable=SC2086
    interrupt --after 0.6 -- "$data/dense60.csv" $classic -o out/x.csv -o out/x.json
    # shellcheck disable=SC2086
    interrupt --after 0.3 --signal TERM -- "$data/dense60.csv" $classic -o out/x.csv
    # shellcheck disable=SC2086
    interrupt --after 0.4 -- "$data/dense60.csv" $classic --variant standard -o out/x.csv
    # shellcheck disable=SC2086
    interrupt --after 0.4 -- "$data/dense60.csv" $classic --threads 1 -o out/x.csv
}

check_signal_in_a_long_call_of_lapack() {
    interrupt --after 1.2 -- "$data/big-matrix.csv" --correlation --samples 6000 -o out/x.csv
}

# Graphviz takes some seconds for these, in a process of its own that ends, too.
check_signal_while_graphviz_draws() {
    run simulate --nodes 3000 --parents 1.2 --samples 3 --seed 1 --dag big.txt -o /dev/null
    interrupt --after 1 -- convert big.txt out/x.svg
    [ ! -s "$io/err" ] || expect_text "$io/err" 'dualpc: interrupted' # none after half a second
    interrupt --after 1 --signal TERM -- convert big.txt out/x.html
}

check_signal_while_reading_a_stalled_pipe() {
    interrupt --after 0.3 --stdin stalled -- - -o out/x.csv
    interrupt --after 0.3 --stdin stalled --signal TERM -- - -o out/x.csv
}

check_signal_while_waiting_for_a_named_pipe() {
    mkfifo in.csv
    interrupt --after 0.3 -- in.csv -o out/x.csv
}

check_signal_while_reading_much() {
    interrupt --after 0.1 -- "$data/big-matrix.csv" --correlation --samples 6000 -o out/x.csv
}

check_signal_while_standard_output_is_stalled() {
    for format in json txt; do
        interrupt --after 0.6 --stdout stalled -- "$data/complete.csv" --correlation --samples 1e9 \
            --max-order 0 --graph skeleton --format "$format"
    done
    interrupt --after 0.6 --stdout stalled --signal TERM -- "$data/complete.csv" --correlation \
        --samples 1e9 --max-order 0 --graph skeleton --format dot
}

check_signal_while_standard_output_is_stalled_leaves_no_file() {
    # all or nothing holds for the files beside standard output too
    interrupt --after 0.6 --stdout stalled -- "$data/complete.csv" --correlation --samples 1e9 \
        --max-order 0 --graph skeleton --format txt -o out/x.csv
}

check_signal_while_a_named_pipe_has_no_reader() {
    mkfifo pipe.json
    interrupt --after 0.5 -- "$data/tiny.csv" -o out/x.csv -o pipe.json
}

check_signal_while_a_named_pipe_is_stalled() {
    for format in json txt; do
        mkfifo "pipe.$format"
        interrupt --after 0.6 --stall "pipe.$format" -- "$data/complete.csv" --correlation --samples 1e9 \
            --max-order 0 --graph skeleton -o out/x.csv -o "pipe.$format"
    done
}

check_signal_while_writing_much() {
    # 3 million edges; the signal comes as soon as something appears in out
    for format in txt dot json; do
        interrupt --after 0.1 --once-writing -- "$data/middle-matrix.csv" --correlation --samples 6000 \
            --max-order 0 --method classic --graph skeleton --order given -o "out/x.$format"
    done
}

check_signal_hangup_leaves_nothing() {
    # the terminal is closed; the exit code is nobody's to see
    mkdir out
    told='the terminal hangs up while a file is written'
    "$python" -SB "$here/interrupt.py" --watch out --program "$program" --after 0.05 \
        --signal HUP --once-writing -- "$data/middle-matrix.csv" --correlation --samples 6000 \
        --max-order 0 --method classic --graph skeleton --order given -o out/x.json >"$io/out" 2>"$io/err"
    grep -qE '^(-1|129|130)$' "$io/out" || fail "$told" "expected an end by the signal" "saw: $(seen out)"
    expect_equal 'files in out' '' "$(ls -A out)"
}

check_signal_keeps_the_old_file() {
    mkdir old
    echo old >old/x.csv
    told='interrupted over an old file'
    # shellcheck disable=SC2086
    "$python" -SB "$here/interrupt.py" --watch old --program "$program" --after 0.4 \
        -- "$data/dense60.csv" $classic -o old/x.csv >"$io/out" 2>"$io/err"
    expect_text "$io/out" 130
    expect_text old/x.csv old
    expect_equal 'files' x.csv "$(ls -A old)"
}

# ---- The terminal ----

check_terminal_shows_progress() {
    # shellcheck disable=SC2086
    "$python" -SB "$here/interrupt.py" --terminal --program "$program" --after 0 \
        --until '(edges[^\r]*tests/s[^\r]*\r[^\r]*){2}' -- "$data/dense60.csv" $classic -o x.csv >"$io/out" 2>"$io/err"
    told='dualpc on a terminal, and Ctrl-C typed'
    # what the terminal got is on stderr; the key, not a signal, ended the program
    expect_text "$io/out" 130
    expect_in err 'skeleton.*level [0-9]+.*edges.*tests/s'
    expect_in err $'\r'
    expect_files ''
    cp "$io/err" shown
    verify bar_fits shown 80
}

check_terminal_names_a_hub() {
    # whose tests take minutes: which variable, and how far they are; on a line that fits
    for threads in 1 2; do
        "$python" -SB "$here/interrupt.py" --terminal --program "$program" --after 0 \
            --until '(level [3-9][^\r]*tests/s, at Größe of t…: [0-9]+%[^\r]*\r[^\r]*){2}' -- "$data/star.csv" --correlation --samples 1e5 --threads "$threads" -o x.csv \
            >"$io/out" 2>"$io/err"
        told="dualpc on a terminal, at a hub, with $threads threads"
        expect_text "$io/out" 130
        expect_in err 'skeleton [0-9]+%  level [3-9], [0-9.]+ edges left, [0-9.]+ [MG] tests/s, at Größe of t…: [0-9]+%'
        cp "$io/err" shown
        verify bar_fits shown 80
    done
}

check_terminal_quiet() {
    # shellcheck disable=SC2086
    "$python" -SB "$here/interrupt.py" --terminal --program "$program" --after 1 \
        -- "$data/dense60.csv" $classic --quiet -o x.csv >"$io/out" 2>"$io/err"
    told='dualpc --quiet on a terminal, and Ctrl-C typed'
    expect_text "$io/out" 130
    expect_not_in err 'skeleton|level|\['
}

check_terminal_is_left_clean() {
    # a run to its end: the bar is wiped, the summary stays
    "$python" -SB "$here/interrupt.py" --terminal --program "$program" --after "$patience" \
        -- "$data/middle-matrix.csv" --correlation --samples 6000 --max-order 0 --method classic --order given \
        --graph skeleton -o x.csv >"$io/out" 2>"$io/err"
    told='dualpc on a terminal'
    expect_text "$io/out" 'early 0'
    expect_in err 'observations of'
    grep -q 'observations of' <(tail -n 8 "$io/err") || fail "$told" "expected the summary last"
}

check_no_progress_without_a_terminal() {
    run "$data/middle-matrix.csv" --correlation --samples 6000 --max-order 0 --method classic --order given \
        --graph skeleton -o x.csv
    expect_code 0
    expect_in err 'observations of'
    expect_not_in err $'\r|\033'
}
