# Limits of the system: memory, threads. A run works, or says in a sentence what there is too little of;
# it never hangs. Sourced by run.sh.

# Memory of the sanitizers would not fit under any limit.
can_limit_memory() { [ "$sanitized" = 0 ]; }

# LIMIT in kB, then arguments.
limited() {
    told="under ulimit -v $1: dualpc ${*:2}"
    (ulimit -v "$1" && timeout -k 5 "$patience" "$program" "${@:2}" >"$io/out" 2>"$io/err" </dev/null)
    code=$?
}

check_limits_of_memory() {
    can_limit_memory || return
    run simulate --nodes 600 --samples 1000 --seed 1 -o s.csv
    run s.csv --quiet
    cp "$io/out" edges
    for threads in 1 2; do
        for limit in $(seq 60000 40000 400000); do
            limited "$limit" s.csv --quiet --threads "$threads"
            case $code in
            0) expect_same edges "$io/out" ;;
            *) expect_code 4
                expect_sentence 'out of memory for ' ;;
            esac
            case $limit in
            100000) expect_code 4 ;;
            380000) expect_code 0 ;;
            esac
        done
    done
}

check_limits_of_memory_are_known_before_the_work() {
    can_limit_memory || return
    awk 'BEGIN { srand(1); for (i = 0; i <= 12; i++) for (j = 1; j <= 9000; j++)
        printf "%s%s", i ? int(rand() * 1e6) : "v" j, j < 9000 ? "," : "\n" }' >wide.csv
    limited 500000 wide.csv --memory 10G
    expect_code 4
    expect_sentence 'matrix of 9000 variables needs 0\.6 GB of memory, and this process may use 0\.5 GB'
    limited 500000 simulate --nodes 2 --samples 1e8 -o x.csv
    expect_code 4
    expect_sentence 'needs 1\.6 GB; this process may use 0\.5 GB'
}

check_limits_choose_to_do_without_the_matrix() {
    can_limit_memory || return
    run simulate --nodes 6000 --parents 0.5 --samples 60 --seed 1 -o wide.csv
    run wide.csv --alpha 1e-6 --quiet
    cp "$io/out" edges
    limited 450000 wide.csv --alpha 1e-6 --quiet --threads 1
    expect_code 0
    expect_same edges "$io/out"
}

# The memory of a bootstrap is that of the resamples that are done.
check_limits_of_memory_of_resamples() {
    can_limit_memory || return
    for words in '' '--min-frequency 0.5' '--frequencies f.csv'; do
        # shellcheck disable=SC2086
        limited 600000 "$data/tiny.csv" --threads 2 --bootstrap 2147483647 --timeout 1e-9 $words -o out.json
        expect_code 0
        expect_in err 'time limit reached after 1 of 2147483647 resamples'
        grep -q '"complete": false' out.json || fail "$told" 'expected "complete": false'
    done
}

check_limits_of_threads() {
    # not even one more can be started
    run "$data/wide150.csv" --quiet
    cp "$io/out" edges
    # the search for leaks would need a thread too
    unprivileged 'ulimit -u 1; export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
        exec "$program" "$data/wide150.csv" --quiet --threads 4' || return
    expect_code 0
    expect_same edges "$io/out"
    expect_empty err
}

check_limits_of_threads_far_too_many() {
    run "$data/wide150.csv" --quiet
    cp "$io/out" edges
    run "$data/wide150.csv" --quiet --threads 256
    expect_code 0
    expect_same edges "$io/out"
}
