# Files that appear whole or not at all. Sourced by run.sh.

check_outputs_many_at_once() {
    run "$data/tiny.csv" --quiet -o a.csv -o b.txt -o c.json -o d.dot -o e.csv
    expect_code 0
    expect_files a.csv b.txt c.json d.dot e.csv
    expect_same a.csv e.csv
}

check_outputs_that_are_the_same_file() {
    mkdir sub
    ln -s . sub/up
    ln -s b.csv to-be.csv
    echo old >a.csv
    ln a.csv hard.csv
    for words in '-o b.csv -o b.csv' '-o b.csv -o ./b.csv' '-o b.csv -o to-be.csv' "-o b.csv -o $PWD/b.csv" \
        '-o sub/b.csv -o sub/up/b.csv' '-o a.csv -o hard.csv' '-o b.csv --dag ./b.csv' \
        '-o x.txt --dag b.csv --frequencies to-be.csv --bootstrap 2' '-o a.csv --frequencies hard.csv --bootstrap 2'; do
        # shellcheck disable=SC2086
        run "$data/tiny.csv" --quiet $words
        expect_code 1
        expect_sentence 'same file'
        expect_text a.csv old
        expect_files sub to-be.csv a.csv hard.csv
    done
    # nor standard output, where it is a file; a device may be given twice
    shell '"$program" "$data/tiny.csv" --quiet --format csv -o a.csv >>a.csv'
    expect_code 1
    expect_sentence 'standard output.*same file'
    shell '"$program" simulate --nodes 5 --samples 9 --dag a.csv >>hard.csv'
    expect_code 1
    expect_sentence 'standard output.*same file'
    expect_text a.csv old
    run "$data/tiny.csv" --quiet -o /dev/null -o /dev/null
    expect_code 0
}

# WORDS…: a run that would write over its input a.csv, and does not.
expect_input_untouched() {
    expect_code 1
    expect_sentence 'would be written over .*which is read; give the output another name'
    expect_same a.csv "$data/tiny.csv"
    expect_files a.csv hard.csv link.csv sub "$@"
}

check_outputs_do_not_replace_the_data() {
    cp "$data/tiny.csv" a.csv
    ln -s a.csv link.csv
    ln a.csv hard.csv
    mkdir sub
    ln -s ../hard.csv sub/x.csv
    for input in a.csv link.csv hard.csv; do
        for words in '-o a.csv' '-o ./a.csv' '-o link.csv' '-o hard.csv' '-o sub/x.csv' '-o new.csv -o a.csv' \
            '-o new.csv --dag link.csv' '--dag a.csv' '--bootstrap 2 --frequencies a.csv' '-o new.json -o hard.csv --explain V1,V2'; do
            # shellcheck disable=SC2086
            run "$input" --quiet $words
            expect_input_untouched
        done
    done
    for words in '-o a.csv' '-o hard.csv'; do
        shell "\"\$program\" - --quiet $words <link.csv"
        expect_input_untouched
        shell "\"\$program\" /dev/stdin --quiet $words <a.csv"
        expect_input_untouched
    done
    # standard output too, where the shell has not emptied it
    shell '"$program" a.csv --quiet >>hard.csv'
    expect_input_untouched
    shell '"$program" a.csv --quiet -o /dev/stdout >>hard.csv'
    expect_input_untouched
    shell '"$program" compare a.csv link.csv >>a.csv'
    expect_input_untouched
    # a copy is another file
    run a.csv --quiet -o b.csv
    expect_code 0
    run a.csv --quiet -o b.csv
    expect_code 0
}

check_outputs_do_not_replace_other_inputs() {
    cp "$data/tiny.csv" a.csv
    printf '/knowledge\nforbiddirect\nV1 V2\n' >k.txt
    cp k.txt before
    ln -s k.txt know.txt
    for words in '-o k.txt' '-o know.txt' '-o x.csv --dag k.txt'; do
        # shellcheck disable=SC2086
        run a.csv --quiet --knowledge k.txt $words
        expect_code 1
        expect_sentence 'would be written over k\.txt, which is read'
        expect_same k.txt before
    done
    run a.csv --quiet --knowledge know.txt -o k.txt
    expect_code 1
    expect_sentence 'k\.txt would be written over know\.txt, which is read'
    printf '1,0.5\n0.5,1\n' >m.csv
    run m.csv --correlation --samples 100 --quiet -o m.csv
    expect_code 1
    expect_sentence 'm\.csv would be written over m\.csv'
}

# After a failed run the old files are as they were, and nothing else is there.
expect_untouched() {
    expect_code 3
    expect_text old.csv old
    expect_files old.csv "$@"
}

check_outputs_untouched_when_a_later_one_fails() {
    echo old >old.csv
    run "$data/tiny.csv" -o old.csv -o missing/x.csv
    expect_untouched
    run "$data/tiny.csv" -o old.csv -o new.json -o old.csv/x.csv
    expect_untouched
    mkdir folder.csv
    run "$data/tiny.csv" -o old.csv -o folder.csv
    expect_untouched folder.csv
    ln -s /dev/full full.json
    run "$data/tiny.csv" -o old.csv -o full.json
    expect_untouched folder.csv full.json
}

check_outputs_untouched_when_standard_output_fails() {
    # cli.md: on an error nothing is written
    echo old >old.csv
    shell '"$program" "$data/tiny.csv" --quiet --format txt -o old.csv -o new.csv >/dev/full'
    expect_untouched
}

check_outputs_untouched_when_a_limit_is_hit() {
    echo old >old.json
    shell 'ulimit -f 8; "$program" "$data/wide150.csv" --quiet --separating-sets -o a.txt -o old.json'
    expect_code 3
    expect_sentence 'old\.json'
    expect_text old.json old
    expect_files old.json
}

check_outputs_say_why_they_failed() {
    shell 'ulimit -f 8; "$program" "$data/wide150.csv" --quiet -o x.csv'
    expect_code 3
    expect_in err 'File too large'
    shell '"$program" "$data/tiny.csv" --quiet --format csv >/dev/full'
    expect_code 3
    expect_in err 'No space left'
    # more than one buffer full
    shell '"$program" "$data/wide150.csv" --quiet --format csv >/dev/full'
    expect_code 3
    expect_in err 'No space left'
}

check_outputs_to_a_full_standard_output() {
    for format in txt csv dot json; do
        shell "\"\$program\" \"\$data/tiny.csv\" --quiet --format $format >/dev/full"
        expect_code 3
        expect_sentence 'standard output'
    done
}

check_outputs_to_a_pipe_nobody_reads() {
    shell '"$program" "$data/wide150.csv" --quiet --format json --separating-sets -o x.csv | true; exit ${PIPESTATUS[0]}'
    expect_code 3
    expect_sentence 'standard output'
}

check_outputs_permissions_follow_umask() {
    for mask in 022 077 002; do
        rm -f x.csv
        shell "umask $mask; \"\$program\" \"\$data/tiny.csv\" --quiet -o x.csv"
        expect_code 0
        expect_equal "permissions under umask $mask" "$(printf '%o' $((0666 & ~mask)))" \
            "$(stat -c %a x.csv)"
    done
}

check_outputs_permissions_of_a_replaced_file_are_kept() {
    for mode in 600 640 664 755; do
        echo old >x.csv
        chmod "$mode" x.csv
        run "$data/tiny.csv" --quiet -o x.csv
        expect_code 0
        expect_equal permissions "$mode" "$(stat -c %a x.csv)"
        grep -q V20 x.csv || fail "$told" "expected the new graph in x.csv"
    done
}

check_outputs_through_a_link() {
    mkdir there
    echo old >there/target.csv
    ln -s there/target.csv link.csv
    run "$data/tiny.csv" --quiet -o link.csv
    expect_code 0
    [ -L link.csv ] || fail "$told" "expected the link to stay a link"
    run "$data/tiny.csv" --quiet --format csv
    expect_same there/target.csv "$io/out"
    expect_equal 'files beside the target' target.csv "$(ls -A there)"
}

check_outputs_through_a_link_to_nothing_yet() {
    mkdir there
    ln -s there/target.csv link.csv
    run "$data/tiny.csv" --quiet -o link.csv
    expect_code 0
    [ -L link.csv ] || fail "$told" "expected the link to stay a link"
    [ -f there/target.csv ] || fail "$told" "expected the file the link names"
}

check_outputs_to_devices() {
    run "$data/tiny.csv" --quiet
    cp "$io/out" edges.txt
    ln -s /dev/stdout out.txt
    run "$data/tiny.csv" --quiet -o out.txt
    expect_code 0
    expect_same edges.txt "$io/out"
    ln -s /dev/null null.json
    run "$data/tiny.csv" --quiet -o null.json
    expect_code 0
    [ -c /dev/null ] && [ -L null.json ] || fail "$told" "expected /dev/null to stay a device"
}

check_outputs_dev_stdout() {
    # it has no extension: --format says what it gets, or the edge list
    run "$data/tiny.csv" --quiet
    cp "$io/out" edges.txt
    run "$data/tiny.csv" --quiet -o /dev/stdout
    expect_code 0
    expect_same edges.txt "$io/out"
}

check_outputs_to_a_named_pipe() {
    mkfifo pipe.json
    timeout "$patience" cat pipe.json >read.json &
    local reader=$!
    run "$data/tiny.csv" --quiet -o pipe.json -o x.csv
    expect_code 0
    wait "$reader"
    "$python" -S -m json.tool read.json >/dev/null || fail "$told" "expected valid JSON in the pipe"
    [ -p pipe.json ] || fail "$told" "expected the pipe to stay a pipe"
    expect_files pipe.json read.json x.csv
}

check_outputs_untouched_when_a_pipe_breaks() {
    mkfifo pipe.json
    echo old >old.csv
    timeout "$patience" head -c 10 pipe.json >/dev/null &
    local reader=$!
    run "$data/wide150.csv" --quiet --separating-sets -o old.csv -o pipe.json
    wait "$reader"
    expect_untouched pipe.json
}

# As root a file of somebody else in a folder where all may write but only the owner may rename.
check_outputs_undone_when_a_name_is_refused() {
    [ "$(id -u)" = 0 ] || return
    mkdir there
    chmod 1777 there
    echo old >there/y.csv
    echo old >there/a.csv
    chown 65534 there/a.csv
    unprivileged '"$program" "$data/tiny.csv" --quiet -o there/new.csv -o there/a.csv -o there/y.csv' || return
    expect_code 3
    expect_sentence 'there/y\.csv'
    expect_text there/a.csv old
    expect_text there/y.csv old
    expect_equal 'files' 'a.csv y.csv' "$(echo $(ls -A there))"
    expect_equal 'links of a.csv' 1 "$(stat -c %h there/a.csv)"
}

# ---- What a killed run leaves ----

# FILES…: starts a run that has written them, under temporary names, and waits for the reader of
# pipe.txt. Sets `runner`, and `left`, the names.
start_a_run() {
    local count=$#
    mkfifo pipe.txt
    # shellcheck disable=SC2046
    "$program" "$data/tiny.csv" --quiet $(printf -- '-o %s ' "$@") -o pipe.txt >/dev/null 2>&1 &
    runner=$!
    for _ in $(seq 6000); do
        left=$(find . -name '*.part' -size +0 | cut -c 3- | sort)
        [ "$(wc -w <<<"$left")" != "$count" ] || break
        sleep 0.05
    done
}

# Kills it.
leave_a_part() {
    start_a_run x.csv
    kill -KILL "$runner"
    wait "$runner" 2>/dev/null
    rm pipe.txt
}

check_outputs_left_by_a_killed_run_are_removed() {
    leave_a_part
    told="what $left tells"
    expect_files "$left"
    [[ $left == .dualpc-*-*-*.part ]] || fail "$told" "expected host and process in its name"
    run "$data/tiny.csv" --quiet -o y.txt
    expect_code 0
    expect_files y.txt
}

check_outputs_of_others_are_not_removed() {
    leave_a_part
    local host pid
    host=${left#.dualpc-}
    host=${host%-*-*.part}
    pid=${left%-*.part}
    pid=${pid##*-}
    mv "$left" model
    sleep 1000 &
    local alive=$!
    # alive; of another machine; not of this form
    touch ".dualpc-$host-$alive-0.part" ".dualpc-not$host-$pid-0.part" ".dualpc-$host-$pid-0.part.csv" \
        ".dualpc-$host-$pid-x.part" ".dualpc-$host--1-0.part" .dualpc-.part 'dualpc-x.part'
    # somebody has it locked, whatever his number
    touch ".dualpc-$host-$pid-1.part"
    exec 9<>".dualpc-$host-$pid-1.part"
    flock 9
    # no file, or none that may be touched
    mkdir ".dualpc-$host-$pid-2.part"
    ln -s model ".dualpc-$host-$pid-3.part"
    local before
    before=$(ls -A)
    # this one can go
    touch ".dualpc-$host-$pid-4.part"
    run "$data/tiny.csv" --quiet -o y.txt
    expect_code 0
    expect_equal 'files' "$before" "$(ls -A | grep -v '^y\.txt$')"
    exec 9>&-
    run "$data/tiny.csv" --quiet -o y.txt
    [ ! -e ".dualpc-$host-$pid-1.part" ] || fail "$told" "expected the file to go with its lock"
    kill "$alive"
    wait "$alive" 2>/dev/null
}

check_outputs_of_a_run_at_work_are_not_removed() {
    start_a_run x.csv
    run "$data/tiny.csv" --quiet -o y.txt
    expect_code 0
    timeout "$patience" cat pipe.txt >/dev/null
    wait "$runner"
    expect_equal 'exit code of the run at work' 0 "$?"
    expect_files pipe.txt x.csv y.txt
}

# Its seconds are to hold the writing of the others.
check_outputs_json_comes_last() {
    start_a_run x.json a.csv b.dot
    told='dualpc -o x.json -o a.csv -o b.dot'
    # shellcheck disable=SC2086
    expect_equal 'first bytes, in the order of writing' 'V d {' "$(for part in $left; do head -c 1 "$part"; echo; done | xargs)"
    timeout "$patience" cat pipe.txt >/dev/null
    wait "$runner"
    expect_files a.csv b.dot pipe.txt x.json
}

check_outputs_long_names() {
    # 255 bytes are a legal name; whatever is put beside it meanwhile must not make it too long
    local name
    name=$(printf 'n%.0s' {1..251}).csv
    run "$data/tiny.csv" --quiet -o "$name"
    expect_code 0
    expect_files "$name"
}

check_outputs_strange_names() {
    run "$data/tiny.csv" --quiet -o 'with blank.csv' -o -dash.csv -o 'ü"%s.csv' -o .csv
    expect_code 0
    expect_files 'with blank.csv' -dash.csv 'ü"%s.csv' .csv
}

# Runs a command as a user for whom permissions hold; 1: there is no way to.
unprivileged() {
    if [ "$(id -u)" != 0 ]; then
        shell "$1"
        return 0
    fi
    command -v setpriv >/dev/null || return 1
    setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$program" || return 1
    shell "exec setpriv --reuid=65534 --regid=65534 --clear-groups bash -c '$1'"
}

check_outputs_in_a_folder_that_is_read_only() {
    mkdir folder
    echo old >folder/x.csv
    chmod 666 folder/x.csv
    chmod 555 folder
    unprivileged '"$program" "$data/tiny.csv" --quiet -o folder/x.csv' || return
    expect_code 3
    expect_sentence 'folder/x\.csv'
    expect_text folder/x.csv old
    expect_equal 'files in the folder' x.csv "$(ls -A folder)"
}

check_data_without_permission_to_read() {
    cp "$data/tiny.csv" secret.csv
    chmod 000 secret.csv
    unprivileged '"$program" secret.csv' || return
    expect_code 2
    expect_sentence 'secret\.csv'
}

check_closed_streams() {
    shell '"$program" "$data/tiny.csv" --quiet >&-'
    expect_code 3
    expect_in err 'standard output'
    shell '"$program" - <&-'
    expect_code 2
    expect_sentence 'standard input'
    run "$data/tiny.csv" --quiet
    cp "$io/out" edges
    shell '"$program" "$data/tiny.csv" --quiet <&-'
    expect_code 0
    expect_same edges "$io/out"
    shell '"$program" "$data/tiny.csv" 2>&-'
    expect_code 0
    expect_same edges "$io/out"
    # none at all: the first file opened must not be taken for one of them
    shell '"$program" "$data/constant.csv" -o x.csv <&- >&- 2>&-'
    expect_code 0
    run "$data/constant.csv" --quiet --format csv
    expect_same x.csv "$io/out"
}
