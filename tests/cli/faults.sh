# Faults of the world around the program: full disks, missing folders, closed pipes, signals, kills,
# inputs that change, limits. Sourced by run.sh. What fails inside (memory, calls of the system) is
# in tests/fault.

# kills, signals or changes, and how often: faults.py says what is wrong.
faults() {
    local wrong
    wrong=$("$python" -SB "$here/faults.py" "$1" "$program" "$2" 2>"$io/err") || fail "faults.py $1" "$wrong" "$(seen err)"
}

# A number of repetitions, of `all` in the long run.
some() { echo $(($1 * ${DPC_REPEAT:-100} / 100 > $2 ? $1 * ${DPC_REPEAT:-100} / 100 : $2)); }

# A thousand in make check-long, some dozens otherwise. A sanitizer that is killed has nothing to say.
check_faults_kills_of_a_study() {
    local count=1000
    [ "$sanitized" = 0 ] || return
    [ "${DPC_REPEAT:-100}" -ge 100 ] || count=$((16 + ${DPC_REPEAT:-100} / 2))
    faults kills $count
}

check_faults_signals_at_random_moments() {
    faults signals "$(some 24 2)"
}

check_faults_inputs_that_change() {
    faults changes "$(some 16 1)"
}

# Every command that writes, with FILE for the place it writes to.
writers() {
    cp "$root/examples/example.csv" table.csv
    cp "$root/examples/example-truth.txt" graph.txt
    printf '%s\n' 'learn table.csv --quiet -o FILE' 'table.csv --quiet --bootstrap 3 --frequencies FILE' \
        'table.csv --quiet --edges FILE' 'table.csv --quiet --effects FILE' 'table.csv --quiet --dag FILE' \
        'table.csv --quiet --refine fast -o FILE' 'simulate --nodes 9 --samples 90 -o FILE' \
        'simulate --nodes 9 --samples 90 --dag FILE' 'effects table.csv --quiet -o FILE' \
        'compare graph.txt graph.txt --differences FILE' 'convert graph.txt FILE'
}

# Every command that prints.
printers() {
    printf '%s\n' 'table.csv --quiet --format json --separating-sets' 'effects table.csv --quiet --format json' \
        'simulate --nodes 20 --samples 2000' 'compare graph.txt graph.txt' 'compare graph.txt graph.txt --json' \
        'adjust graph.txt V1 V2' 'separate graph.txt V1 V2 --json' 'convert graph.txt - --to graphml' 'study --list' \
        '--help' 'effects --help'
}

check_faults_output_that_is_a_folder() {
    mkdir folder.csv
    while read -r words; do
        # shellcheck disable=SC2086
        run ${words//FILE/folder.csv}
        expect_code 3
        expect_sentence 'folder\.csv.*Is a directory'
        expect_files folder.csv table.csv graph.txt
    done < <(writers)
}

check_faults_folder_that_is_read_only() {
    mkdir folder
    echo old >folder/x.csv
    chmod 666 folder/x.csv
    chmod 555 folder
    while read -r words; do
        unprivileged "\"\$program\" ${words//FILE/folder/x.csv}" || return
        expect_code 3
        expect_sentence 'folder/x\.csv.*Permission denied'
        expect_text folder/x.csv old
    done < <(writers)
    unprivileged '"$program" study t-noise-1.5 --out folder --reps 1 --no-figures' || return
    expect_code 3
    expect_sentence 'folder/results\.csv.*Permission denied'
    unprivileged '"$program" study t-noise-1.5 --out folder/new --reps 1 --no-figures' || return
    expect_code 3
    expect_equal 'files in the folder' x.csv "$(ls -A folder)"
}

check_faults_full_standard_output() {
    writers >/dev/null
    while read -r words; do
        shell "\"\$program\" $words >/dev/full"
        expect_code 3
        expect_sentence 'standard output.*No space left'
    done < <(printers)
}

# `| head`: what it wanted it has. No sentence; exit code 3 like any output that was not written, or
# the end by the signal where there is nothing to be cleared away, or 0 where all has gone before.
check_faults_closed_pipe() {
    writers >/dev/null
    while read -r words; do
        shell "\"\$program\" $words | head -1 >/dev/null; exit \${PIPESTATUS[0]}"
        [[ $code =~ ^(0|3|141)$ ]] || expect_code 3
        expect_empty err
        shell "\"\$python\" -SB \"\$here/unread.py\" \"\$program\" $words"
        [[ $code =~ ^(3|141)$ ]] || expect_code 3
        expect_empty err
    done < <(printers)
    expect_files table.csv graph.txt
}

check_faults_named_pipes_as_inputs() {
    writers >/dev/null
    mkfifo pipe.csv pipe.txt
    for words in 'table.csv --quiet' 'effects table.csv --quiet' 'convert graph.txt - --to csv' \
        'adjust graph.txt V1 V2' 'compare graph.txt graph.txt'; do
        # shellcheck disable=SC2086
        run $words
        cp "$io/out" wanted
        local piped=${words/table.csv/pipe.csv}
        piped=${piped/graph.txt/pipe.txt}
        shell "cat table.csv >pipe.csv & cat graph.txt >pipe.txt & \"\$program\" $piped; kill %1 %2 2>/dev/null; wait"
        expect_empty err
        expect_same wanted "$io/out"
    done
    # one whose writer goes away in the middle of a row
    shell '(head -30 table.csv; printf 1,2,) >pipe.csv & "$program" pipe.csv --quiet'
    expect_code 2
    expect_in err 'dualpc: pipe\.csv.*line'
}

check_faults_named_pipes_as_outputs() {
    while read -r words; do
        # shellcheck disable=SC2086
        run ${words//FILE/file.csv}
        rm -f pipe.csv
        mkfifo pipe.csv
        shell "cat pipe.csv >got & \"\$program\" ${words//FILE/pipe.csv} >/dev/null; code=\$?; wait; exit \$code"
        expect_code 0
        expect_same file.csv got
    done < <(writers)
}

# A file system of memory with as many bytes as named; 1: none can be mounted here.
in_a_small_disk() { # size, command
    unshare -m true 2>/dev/null || return 1
    mkdir -p small
    shell "exec unshare -m bash -c 'mount -t tmpfs -o size=$1 none small || exit 77
        cd small && echo old >old.csv && $2; code=\$?; ls -A >../left; cat old.csv >../kept; exit \$code'"
    [ "$code" != 77 ]
}

check_faults_full_disk() {
    local command
    for command in '"$program" "$data/wide150.csv" --quiet --separating-sets -o a.txt -o old.csv -o x.json' \
        '"$program" simulate --nodes 20 --samples 9000 -o old.csv --dag d.csv' \
        '"$program" effects "$data/wide150.csv" --quiet -o old.csv'; do
        in_a_small_disk 64k "$command" || { echo 'skipped: no file system can be mounted here'; return; }
        expect_code 3
        expect_sentence 'No space left'
        expect_text left old.csv
        expect_text kept old
    done
    # a study keeps its whole rows, and goes on where there is room
    mkdir room
    in_a_small_disk 64k '"$program" study t-noise-1.5 --out . --reps 2 --no-seconds --no-figures --quiet; code=$?
        cp results.csv ../room; (exit $code)'
    expect_code 3
    expect_sentence 'results\.csv.*No space left'
    run study t-noise-1.5 --out room --reps 2 --no-seconds --no-figures --quiet
    expect_code 0
    run study t-noise-1.5 --out whole --reps 2 --no-seconds --no-figures --quiet
    expect_same whole/results.csv room/results.csv
    expect_same whole/summary.csv room/summary.csv
}

# Files under /dev/shm are files, not devices.
check_faults_files_in_shared_memory() {
    [ -w /dev/shm ] || return
    local folder
    folder=$(mktemp -d /dev/shm/dualpc-cli.XXXXXX)
    run "$data/tiny.csv" --quiet -o "$folder/new.txt"
    expect_code 0
    cp "$folder/new.txt" new
    seq 10000 >"$folder/old.txt"
    run "$data/tiny.csv" --quiet -o "$folder/old.txt"
    expect_code 0
    expect_same new "$folder/old.txt"
    rm -rf "$folder"
}

check_faults_without_tmp() {
    writers >/dev/null
    unshare -m true 2>/dev/null || { echo 'skipped: no folder can be hidden here'; return; }
    # all that is needed must be elsewhere, and the program must be there still
    shell 'exec unshare -m bash -c "
        mount --bind . /mnt && cp \"\$program\" /mnt/dualpc && cd /mnt && export TMPDIR=/nowhere HOME=/nowhere || exit 77
        mount -t tmpfs -o ro,size=4k none /tmp && mount -t tmpfs -o ro,size=4k none /var/tmp || exit 77
        ./dualpc table.csv --quiet -o x.csv -o x.svg -o x.html --bootstrap 2 --frequencies f.csv &&
        ./dualpc effects table.csv --quiet -o e.csv && ./dualpc convert graph.txt g.pdf &&
        ./dualpc study t-noise-1.5 --out st --reps 1 --no-figures --quiet"'
    [ "$code" != 77 ] || { echo 'skipped: no folder can be hidden here'; return; }
    expect_code 0
    for file in x.csv x.svg x.html f.csv e.csv g.pdf st/summary.csv; do
        [ -s "$file" ] || fail "$told" "expected $file"
    done
}

# Whoever starts the program may ignore the ends of its own children, and leave that to it.
check_faults_ends_of_children_ignored() {
    writers >/dev/null
    shell "trap '' CHLD; \"\$program\" convert graph.txt x.svg && \"\$program\" table.csv --quiet -o x.html"
    expect_code 0
    expect_empty err
    [ -s x.svg ] && [ -s x.html ] || fail "$told" 'expected a picture and a report'
}

# Starts to draw a picture that takes seconds: $parent, and $child, which has Graphviz.
start_drawing() {
    local tries
    run simulate --nodes 3000 --parents 1.2 --samples 3 --seed 1 --dag big.txt -o /dev/null
    mkdir -p out
    "$program" convert big.txt out/x.svg >"$io/out" 2>"$io/err" &
    parent=$! child=''
    for tries in $(seq 15000); do
        child=$(pgrep -P $parent) && return
        sleep 0.02
    done
    fail "$told" 'expected a process of its own for Graphviz'
    return 1
}

is_running() { # process
    grep -q '^State:.[^ZX]' "/proc/$1/status" 2>/dev/null
}

# What is killed while Graphviz works leaves nothing behind, neither a file nor a process.
check_faults_graphviz_ends_with_the_program() {
    local parent child tries
    start_drawing || return
    told='convert big.txt out/x.svg (killed)'
    kill -KILL $parent
    wait $parent 2>/dev/null
    for tries in $(seq 15000); do
        is_running "$child" || break
        sleep 0.02
    done
    ! is_running "$child" || fail "$told" 'Graphviz goes on'
    expect_equal 'files in out' '' "$(ls -A out)"
}

# The other way round: a crash of Graphviz is a sentence.
check_faults_graphviz_is_killed() {
    local parent child signal
    for signal in KILL TRAP; do
        start_drawing || return
        told="convert big.txt out/x.svg (Graphviz gets SIG$signal)"
        kill -$signal "$child"
        wait $parent
        code=$?
        if [ $signal = KILL ]; then expect_code 4; else expect_code 3; fi
        expect_sentence 'Graphviz has ended'
        expect_equal 'files in out' '' "$(ls -A out)"
    done
}

# ---- Limits: learning is in limits.sh ----

check_faults_limits_of_memory() {
    can_limit_memory || return
    writers >/dev/null
    for words in 'effects table.csv --quiet --bootstrap 3' 'simulate --nodes 400 --samples 4000' \
        'compare graph.txt graph.txt' 'adjust graph.txt V1 V2' 'convert graph.txt - --to graphml' \
        'table.csv --quiet --refine fast --threads 2' 'table.csv --quiet --bootstrap 6 --threads 3' \
        'study t-noise-1.5 --out st --reps 1 --no-figures --quiet --threads 3'; do
        for limit in 60000 100000 180000 300000 420000; do
            rm -rf st
            # shellcheck disable=SC2086
            limited $limit $words
            [ "$code" = 0 ] || { expect_code 4 && expect_sentence 'memory'; }
        done
        expect_code 0
    done
}

# The smallest limit, in kB, under which the program itself can be loaded.
smallest_limit() {
    local low=10000 high=400000 middle
    while [ $((high - low)) -gt 500 ]; do
        middle=$(((low + high) / 2))
        if (ulimit -v $middle && "$program" --version) >/dev/null 2>&1; then high=$middle; else low=$middle; fi
    done
    echo $high
}

# One picture or report under a limit: as ever, or memory is what it has too little of. The day and the
# time in a PDF, and the seconds in a report of data, are not compared.
expect_drawn_or_not() { # limit, what is drawn, words
    local file=$2 words=${*:3}
    rm -rf out
    mkdir out
    # shellcheck disable=SC2086
    limited "$1" ${words//FILE/out/$file}
    case $code in
    0)
        expect_equal 'files in out' "$file" "$(ls -A out)"
        if [[ $file == *.html && $words != convert* ]]; then return; fi
        cmp -s <(sed 's/CreationDate (D:[0-9Z]*)//' "out/$file") <(sed 's/CreationDate (D:[0-9Z]*)//' "$file") ||
            fail "$told" "expected another $file"
        drawn=$((drawn + 1))
        ;;
    *)
        expect_code 4
        expect_sentence 'memory'
        expect_equal 'files in out' '' "$(ls -A out)"
        refused=$((refused + 1))
        ;;
    esac
}

# Graphviz and what it is built on abort, crash, and do without their parts, each somewhere on the way.
check_faults_limits_of_memory_for_graphviz() {
    can_limit_memory || return
    writers >/dev/null
    local least step refused=0 drawn=0 file
    least=$(smallest_limit)
    step=$((4000 * 100 / (${DPC_REPEAT:-100} > 5 ? ${DPC_REPEAT:-100} : 5)))
    for file in x.svg x.png x.pdf x.html; do
        run convert graph.txt "$file"
        for limit in $(seq "$least" "$step" $((least + 200000))) 600000; do
            expect_drawn_or_not "$limit" "$file" convert graph.txt FILE
        done
        expect_code 0
    done
    run table.csv --quiet -o y.svg
    for limit in $(seq $((least + 130000)) "$step" $((least + 250000))) 800000; do
        expect_drawn_or_not "$limit" y.svg table.csv --quiet --threads 1 -o FILE
        expect_drawn_or_not "$limit" y.html table.csv --quiet --threads 1 -o FILE
    done
    expect_code 0
    [ "$refused" -gt 4 ] && [ "$drawn" -gt 4 ] || fail limits "$drawn drawn and $refused refused: nothing was tried"
}

check_faults_limits_of_a_container() {
    local groups=/sys/fs/cgroup/memory group
    [ -d "$groups" ] && [ -w "$groups/cgroup.procs" ] || groups=/sys/fs/cgroup
    group=$(mktemp -d "$groups/dualpc-XXXXXX" 2>/dev/null) || { echo 'skipped: no container can be made here'; return; }
    { echo 300000000 >"$group/memory.limit_in_bytes" || echo 300000000 >"$group/memory.max"; } 2>/dev/null
    shell "echo \$\$ >'$group/cgroup.procs' || exit 77; exec \"\$program\" simulate --nodes 2 --samples 1e8 -o x.csv"
    local within=$code
    rmdir "$group" 2>/dev/null
    [ "$within" != 77 ] || { echo 'skipped: no container can be entered here'; return; }
    expect_code 4
    expect_sentence 'needs 1\.6 GB; this container may use 0\.3 GB'
}

check_faults_limits_of_threads() {
    writers >/dev/null
    for words in 'table.csv --quiet --bootstrap 20' 'effects table.csv --quiet --bootstrap 9' \
        'table.csv --quiet --refine full'; do
        # shellcheck disable=SC2086
        run $words --threads 1
        cp "$io/out" wanted
        unprivileged "ulimit -u 1; export ASAN_OPTIONS=\"\$ASAN_OPTIONS:detect_leaks=0\"
            exec \"\$program\" $words --threads 4" || return
        expect_code 0
        expect_same wanted "$io/out"
    done
}
