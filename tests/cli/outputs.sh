# Files that appear whole or not at all. Sourced by run.sh.

check_outputs_many_at_once() {
    run "$data/tiny.csv" --quiet -o a.csv -o b.txt -o c.json -o d.dot -o e.csv
    expect_code 0
    expect_files a.csv b.txt c.json d.dot e.csv
    expect_same a.csv e.csv
}

check_outputs_same_file_twice() {
    run "$data/tiny.csv" --quiet -o a.csv -o a.csv -o ./a.csv
    expect_code 0
    expect_files a.csv
    run "$data/tiny.csv" --quiet --format csv
    expect_same a.csv "$io/out"
}

check_outputs_may_replace_the_data() {
    cp "$data/tiny.csv" t.csv
    run t.csv --quiet -o t.csv
    expect_code 0
    run "$data/tiny.csv" --quiet --format csv
    expect_same t.csv "$io/out"
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
