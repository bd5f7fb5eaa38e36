#!/usr/bin/env bash
# Tests of dualpc-mpi, from outside: the same bytes as from dualpc, on 1 to 4 ranks, on one machine
# and on two that are network namespaces; and what is said where something goes wrong.
#
#   tests/mpi/run.sh [PROGRAM [PROGRAM-MPI]]     default: build/dualpc, build/dualpc-mpi
#   ONLY=study tests/mpi/run.sh                  only the checks whose names hold this word
#
# Every check is a function check_* below, in an empty folder of its own.
set -u
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
program=$(realpath "${1:-$root/build/dualpc}") || exit 1
shared=$(realpath "${2:-$root/build/dualpc-mpi}") || exit 1
golden=$root/tests/golden
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # in a container one is root
export OMP_NUM_THREADS=2                                        # threads in a rank

base=$(mktemp -d "${TMPDIR:-/tmp}/dualpc-mpi.XXXXXX") || exit 1
hosts=
clean_up() {
    for host in $hosts; do ip netns del "$host"; done
    rm -rf "$base"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
failed=0 passed=0

fail() {
    check_failed=1
    echo "FAIL $check: $*"
}

# ---- Doing ----

# More ranks than processors, bound to none.
mpirun=(mpirun --oversubscribe --bind-to none)

# On so many ranks; then $code, out and err.
ranks() { # ranks, arguments
    local n=$1
    shift
    told="$n ranks: $*"
    timeout -k 5 600 "${mpirun[@]}" -n "$n" "$shared" "$@" >out 2>err
    code=$?
}

# What the program says by itself, without the page that mpirun adds where the code is not 0.
said() { grep '^dualpc: ' err; }

expect_code() { [ "$code" = "$1" ] || fail "$told: code $code, expected $1: $(head -n 3 err)"; }
expect_same() { cmp -s "$1" "$2" || fail "$told: $2 is not as $1"; }
expect_said() { # how many sentences, a pattern
    [ "$(said | wc -l)" = "$1" ] && said | grep -q -e "$2" || fail "$told: said $(said)"
}

# Times differ, and nothing else.
without_times() { sed -e '/"seconds"/d' -e 's/ *[0-9.]*$//' "$1" >"$1.still" && mv "$1.still" "$1"; }

# learn, alone and on so many ranks; the outputs are the same.
compare() { # ranks, arguments
    local n=$1
    shift
    [ -e expected ] || "$program" --quiet "$@" >expected 2>err || fail "$*: $(cat err)"
    ranks "$n" --quiet "$@"
    expect_code 0
    expect_same expected out
    [ ! -s err ] || fail "$told: $(cat err)"
}

# ---- The same bytes ----

for_ranks() { # arguments
    local n
    for n in 1 2 3 4; do compare "$n" "$@"; done
}

check_dual_with_sets() {
    "$program" --quiet "$golden/paper50/data.csv" --alpha 0.3 --separating-sets -o expected.json
    without_times expected.json
    for n in 2 3; do
        ranks $n --quiet "$golden/paper50/data.csv" --alpha 0.3 --separating-sets -o got.json
        expect_code 0
        without_times got.json
        expect_same expected.json got.json
        rm -f got.json
    done
}

check_classic() { for_ranks "$golden/dense40/data.csv" --method classic --alpha 0.4; }

check_precision_of_scores() {
    for n in 2 4; do
        compare $n "$golden/wide150/data.csv" --method precision --normalize copula --alpha 0.2
    done
}

check_and_rule_with_knowledge() {
    {
        printf '/knowledge\naddtemporal\n1 V1 V2 V3 V4 V5 V6\n2 V7 V8 V9 V10 V11 V12\n'
        printf 'forbiddirect\nV20 V21\nrequiredirect\nV1 V30\n'
    } >known.txt
    for n in 2 3; do
        compare $n "$golden/paper50/data.csv" --rule and --knowledge known.txt --alpha 0.2
    done
}

# What is shared, and what follows it on one rank.
check_one_rank_does_it() {
    for how in '--variant standard' '--method ges' '--refine fast' '--orient majority'; do
        rm -f expected
        # shellcheck disable=SC2086
        compare 2 "$golden/dense40/data.csv" $how
    done
}

# Two sweeps, large neighbourhoods, several tiles of R.
check_larger_table() {
    "$program" simulate --nodes 600 --samples 120 --parents 4 --seed 5 -o data.csv
    for n in 2 4; do compare $n data.csv --alpha 0.5 --max-order 1 --graph skeleton; done
}

# The screen by tiles: no rank has R.
check_without_the_matrix() {
    "$program" simulate --nodes 1500 --samples 60 --parents 1 --seed 5 -o data.csv
    for n in 2 3; do compare $n data.csv --alpha 0.001 --memory 1; done
}

check_missing_and_matrix() {
    awk -F, -v OFS=, 'NR > 1 && NR % 7 == 0 { $(NR % NF + 1) = "NA" } 1' \
        "$golden/tiny20/data.csv" >holes.csv
    compare 3 holes.csv --missing pairwise
    rm expected
    printf '1,0.5,0.25\n0.5,1,0.5\n0.25,0.5,1\n' >matrix.csv
    compare 2 matrix.csv --correlation --samples 1000
}

check_standard_input() {
    "$program" --quiet "$golden/tiny20/data.csv" >expected
    ranks 3 --quiet - <"$golden/tiny20/data.csv"
    expect_code 0
    expect_same expected out
}

check_bootstrap() {
    local how=(--quiet "$golden/tiny20/data.csv" --bootstrap 40 --min-frequency 0.5 --seed 3)
    "$program" "${how[@]}" --frequencies expected.csv --effects effects.csv >expected
    for n in 1 2 3 4; do
        ranks $n "${how[@]}" --frequencies got.csv --effects got-effects.csv
        expect_code 0
        expect_same expected out
        expect_same expected.csv got.csv
        expect_same effects.csv got-effects.csv
        rm -f got.csv got-effects.csv
    done
}

study=(study t-noise-1.5 --no-seconds --no-figures --quiet)

check_study() {
    "$program" "${study[@]}" --reps 3 --out expected
    for n in 1 2 3 4; do
        ranks $n "${study[@]}" --reps 3 --out got$n
        expect_code 0
        expect_same expected/results.csv got$n/results.csv
        expect_same expected/summary.csv got$n/summary.csv
    done
}

# ---- What goes wrong ----

check_errors_are_said_once() {
    ranks 3 --quiet "$golden/tiny20/data.csv" --alpha 3
    expect_code 1
    expect_said 1 '--alpha must be between 0 and 1'
    ranks 3 nothing.csv
    expect_code 2
    expect_said 1 'nothing.csv: there is no such file'
    ranks 2 --quiet "$golden/tiny20/data.csv" -o no/such/folder.csv
    expect_code 3
    expect_said 1 'cannot write no/such/folder.csv'
    ranks 2 study no-such --out x
    expect_code 1
    expect_said 1 "no study 'no-such'"
    [ "$(ls)" = "$(printf 'err\nout')" ] || fail "left behind: $(ls)"
}

# Memory that only one rank does not have: rank 0 says so, and which it was.
check_failure_of_one_rank() {
    cat >limited.sh <<'END'
#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" != 1 ] || ulimit -v 500000
exec "$@"
END
    chmod +x limited.sh
    "$program" simulate --nodes 5000 --samples 20 --parents 1 -o data.csv
    timeout -k 5 600 "${mpirun[@]}" -n 2 ./limited.sh "$shared" --quiet --threads 1 \
        data.csv --alpha 1e-9 --memory 1000 >out 2>err
    code=$?
    told='one rank without memory'
    expect_code 4
    expect_said 2 memory
    expect_said 2 'that was rank 1'
}

# The processes of a run, without its first: they know their ranks.
rank_of() { # number, path of the program's folder
    local process
    for process in $(pgrep -f "$2"); do
        tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" &&
            [ "$(readlink "/proc/$process/exe")" = "$shared" ] && echo "$process"
    done
}

# A study whose rank 2 is killed when there are some rows; its exit code is in $code.
killed_study() {
    rm -rf got
    timeout -k 5 600 "${mpirun[@]}" -n 3 "$shared" "${study[@]}" --reps 40 \
        --out "$PWD/got" >out 2>err &
    local run=$! rank=
    while kill -0 $run 2>/dev/null && ! { [ -n "$rank" ] && [ -s got/results.csv ]; }; do
        [ -n "$rank" ] || rank=$(rank_of 2 "$PWD/got")
        sleep 0.05
    done
    [ -n "$rank" ] && kill -9 "$rank" 2>/dev/null
    wait $run
    code=$?
}

# A rank is killed in the middle: the run ends, says who it was, and goes on later. A run that is over
# before the shell has killed the rank ends with 0, and another one is tried.
check_study_survives_a_killed_rank() {
    "$program" "${study[@]}" --reps 40 --out expected
    code=0
    for _ in $(seq 10); do
        [ $code != 0 ] || killed_study
    done
    told='a rank was killed'
    [ $code != 0 ] && [ $code != 124 ] || fail "$told: code $code"
    grep -q 'rank 2 .*signal 9 (Killed)' err || fail "$told: $(cat err)"
    local size
    size=$(stat -c %s got/results.csv)
    [ "$size" -lt "$(stat -c %s expected/results.csv)" ] || fail "$told: too late"
    cmp -s -n "$size" got/results.csv expected/results.csv || fail "$told: not the beginning"
    ranks 2 "${study[@]}" --reps 40 --out got
    expect_code 0
    expect_same expected/results.csv got/results.csv
    expect_same expected/summary.csv got/summary.csv
}

# ---- Two machines ----

# Two network namespaces with a cable between them, each with a host name.
two_hosts() {
    local cable=dpc$$ host
    for host in "$cable"a "$cable"b; do
        ip netns add "$host" 2>/dev/null || return 1
        hosts="$hosts $host"
        ip netns exec "$host" ip link set lo up || return 1
    done
    ip link add "$cable"a netns "$cable"a type veth peer name "$cable"b netns "$cable"b &&
        ip netns exec "$cable"a ip addr add 10.199.77.1/24 dev "$cable"a &&
        ip netns exec "$cable"b ip addr add 10.199.77.2/24 dev "$cable"b &&
        ip netns exec "$cable"a ip link set "$cable"a up &&
        ip netns exec "$cable"b ip link set "$cable"b up || return 1
    first=$cable"a" second=$cable"b"
    # mpirun calls this instead of ssh: HOST COMMAND …
    cat >agent.sh <<'END'
#!/bin/sh
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
END
    chmod +x agent.sh
    ./agent.sh "$first" true 2>/dev/null
}

on_two_hosts() { # arguments of the program
    told="two hosts: $*"
    timeout -k 5 600 ./agent.sh "$first" "exec mpirun --host $first:1,$second:2 -n 3 \
        --mca plm_rsh_agent '$PWD/agent.sh' --mca btl self,tcp --mca btl_tcp_if_include 10.199.77.0/24 \
        --mca oob_tcp_if_include 10.199.77.0/24 --wdir '$PWD' $*" >out 2>err
    code=$?
}

check_two_hosts() {
    if ! two_hosts; then
        echo 'skipped: network namespaces are not permitted here, so there were no two machines'
        return
    fi
    on_two_hosts hostname
    [ "$(sort out | uniq -c | awk '{ printf "%s%s ", $1, $2 }')" = "1$first 2$second " ] ||
        fail "$told: $(cat out err)"
    # files are read and written on the first host only
    "$program" --quiet "$golden/wide150/data.csv" --alpha 0.3 >expected
    on_two_hosts "'$shared'" --quiet "'$golden/wide150/data.csv'" --alpha 0.3
    expect_code 0
    expect_same expected out
    "$program" "${study[@]}" --reps 2 --out expected-study
    on_two_hosts "'$shared'" "${study[@]}" --reps 2 --out got
    expect_code 0
    expect_same expected-study/results.csv got/results.csv
}

# ---- Running them ----

for check in $(declare -F | awk '$3 ~ /^check_/ { print $3 }'); do
    case $check in *"${ONLY:-}"*) ;; *) continue ;; esac
    mkdir "$base/$check"
    cd "$base/$check" || exit 1
    check_failed=0
    started=$(date +%s)
    $check
    [ -z "${TIMES:-}" ] || echo "$check: $(($(date +%s) - started)) s"
    [ $check_failed = 0 ] && passed=$((passed + 1)) || failed=$((failed + 1))
    cd "$base" || exit 1
    rm -rf "${base:?}/$check"
done
echo "mpi: $passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
