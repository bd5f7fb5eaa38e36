# What a user types: exit codes, help, options and their values. Sourced by run.sh.

check_exit_code_0_learn_is_the_default() {
    run "$data/tiny.csv"
    expect_code 0
    cp "$io/out" short
    run learn "$data/tiny.csv"
    expect_code 0
    expect_same short "$io/out"
    expect_in out ' --[->] '
}

check_options_before_and_after_the_data() {
    run "$data/tiny.csv" --alpha 0.01 --quiet --format csv
    cp "$io/out" after
    run --alpha 0.01 --quiet --format csv "$data/tiny.csv"
    expect_code 0
    expect_same after "$io/out"
    run learn --alpha 0.01 "$data/tiny.csv" --quiet --format=csv
    expect_code 0
    expect_same after "$io/out"
    run learn --alpha=0.01 --quiet --format csv -- "$data/tiny.csv"
    expect_code 0
    expect_same after "$io/out"
}

check_options_before_the_subcommand() {
    run learn "$data/tiny.csv" --alpha 0.01 --quiet --format csv
    cp "$io/out" after
    run --alpha 0.01 --quiet --format csv learn "$data/tiny.csv"
    expect_code 0
    expect_same after "$io/out"
    run --quiet "$data/tiny.csv" --alpha 0.01 --format csv
    expect_same after "$io/out"
    run simulate --nodes 5 --samples 20 --seed 3 -o s.csv
    run --nodes 5 --samples=20 --seed 3 simulate -o t.csv
    expect_code 0
    expect_same s.csv t.csv
    run -o u.csv --nod 5 --samples 20 --seed 3 simulate
    expect_code 0
    expect_same s.csv u.csv
    run "$data/tiny.csv" -o a.txt --quiet
    run compare a.txt a.txt --json
    cp "$io/out" compared
    run --json compare a.txt a.txt
    expect_code 0
    expect_same compared "$io/out"
    run --list study
    expect_code 0
    # a value that is called like a subcommand is none
    cp "$data/tiny.csv" t
    run --dag study t --quiet
    expect_code 1
    expect_sentence 'study'
    run --quiet --explain compare t
    expect_code 1
    expect_sentence "no column 'compare'"
}

# --quiet, --threads and --help, before and after the name of every command, whether they mean something or not.
check_common_options_of_every_command() {
    printf 'V1 --> V2\nV2 --> V3\n' >g.txt
    printf '#!/bin/sh\nexit 0\n' >browser
    chmod 755 browser
    export BROWSER=$PWD/browser XDG_CACHE_HOME=$PWD
    local words name rest
    for words in "learn $data/tiny.csv" 'simulate --nodes 3 --samples 5 -o s.csv' 'compare g.txt g.txt' \
        "effects $data/tiny.csv" 'adjust g.txt V1 V2' 'separate g.txt V1 V3' 'convert g.txt -' 'view g.txt' \
        'study --list'; do
        name=${words%% *} rest=${words#* }
        # shellcheck disable=SC2086
        run $words --quiet
        expect_code 0
        sed 's|file://.*||' "$io/out" >after
        for way in "$name --quiet --threads 2 $rest" "--quiet --threads 2 $name $rest" \
            "--quiet $name --threads=2 $rest" "--threads 2 $name $rest --quiet"; do
            # shellcheck disable=SC2086
            run $way
            expect_code 0
            sed 's|file://.*||' "$io/out" >seen
            cmp -s after seen || fail "$told" "expected the same as after the name" "saw: $(cat seen)"
        done
        for wrong in 0 257 x; do
            # shellcheck disable=SC2086
            run --threads $wrong $words
            expect_code 1
            expect_sentence '--threads (must be|needs)'
        done
        run "$name" --help
        expect_code 0
        expect_in out "^dualpc $name |^dualpc learn DATA"
        cp "$io/out" help
        run --help "$name"
        expect_code 0
        expect_same help "$io/out"
        run --quiet --help --threads 2 "$name"
        expect_same help "$io/out"
        # shellcheck disable=SC2086
        run --help $words
        expect_same help "$io/out"
    done
}

check_a_command_that_there_is_not() {
    for pair in lern:learn simulte:simulate compair:compare efects:effects Convert:convert sepparate:separate; do
        for words in "${pair%:*} x.csv" "--quiet ${pair%:*} x.csv" "${pair%:*}" "--threads 2 ${pair%:*} a b --json"; do
            # shellcheck disable=SC2086
            run $words
            expect_code 1
            expect_text "$io/err" "dualpc: there is no command '${pair%:*}'; did you mean '${pair#*:}'?"
            expect_empty out
        done
    done
    # a file of that name is one, and what looks like a file is no command
    cp "$data/tiny.csv" lern
    run lern --quiet
    expect_code 0
    for name in nothing learn.csv ./lern2 simulate.csv; do
        run "$name"
        expect_code 2
        expect_sentence 'there is no such file'
    done
}

check_exit_code_1_wrong_usage() {
    run "$data/tiny.csv" --alpha 2
    expect_code 1
    expect_sentence '--alpha'
}

check_exit_code_2_bad_input() {
    run "$data/no-such-file.csv"
    expect_code 2
    expect_sentence 'no-such-file\.csv'
}

check_exit_code_3_could_not_write() {
    run "$data/tiny.csv" -o missing/x.csv
    expect_code 3
    expect_sentence 'missing/x\.csv'
    expect_files ''
}

check_exit_code_4_out_of_memory() {
    # 40000² correlations are 12.8 GB; the sanitizer's limit is set in run.sh
    local limit='ulimit -v 6000000;'
    [ "$sanitized" = 0 ] || limit=
    shell "$limit \"\$program\" \"\$data/wide40k.csv\" --memory 1T -o x.csv"
    expect_code 4
    sed -i '/^==.*WARNING: AddressSanitizer/d' "$io/err"
    expect_sentence 'memory'
    expect_files ''
}

# Exit code 130 is the matter of signals.sh.

help_lines() {
    # option, default: on the line of the option
    grep -v '^#' <<'END'
--alpha A|0\.05
--alpha-dual A|alpha
--method dual\|classic\|precision\|ges|\[dual\]
--variant stable\|standard|\[stable\]
--rule or\|and|\[or\]
--test z\|t|\[z\]
--max-order M|none
--min-ess E|30
--penalty P|\[auto\]
--normalize none\|copula\|latent|\[none\]
--graph cpdag\|pattern\|skeleton|\[cpdag\]
--orient RULE|\[consistent\]
--min-evidence E|\[none\]
--order canonical\|given\|auto|\[auto\]
--dag FILE|
--missing error\|rows\|pairwise\|em|
--samples N|
--correlation|
--threads T|all
-o|
--format|txt
--separating-sets|
--quiet|
END
}

expect_help() {
    local line option default missing=
    expect_code 0
    expect_empty err
    while read -r line; do
        default=${line##*|}
        option=${line%|*}
        grep -E -e "$option" "$io/out" | grep -qE -e "$default" || missing+=" ${line//\\/}"
    done < <(help_lines)
    for word in .csv .txt .dot .json 130; do
        grep -qF -e "$word" "$io/out" || missing+=" $word"
    done
    [ -z "$missing" ] || fail "$told" "expected options, each with its default:$missing" "saw: $(seen out)"
}

check_help_of_learn_has_every_option_and_default() {
    run learn --help
    expect_help
}

check_help_of_the_program_has_every_option_and_default() {
    # cli.md: "Every default is printed by --help"
    run --help
    expect_help
}

check_documents_have_the_options_of_the_help() {
    local wrong
    told='the man page and the tables of options'
    wrong=$("$python" -SB "$here/documents.py" "$program" "$root" 2>&1) || fail "$told" "$wrong"
}

check_help_has_the_defaults_whatever_was_typed() {
    run learn --alpha 0.3 --method ges --help
    expect_help
}

check_help_wins_over_other_options() {
    run "$data/tiny.csv" --help
    expect_code 0
    expect_in out '--alpha'
}

check_help_to_a_full_device_is_told() {
    shell '"$program" learn --help >/dev/full'
    expect_code 3
    expect_in err 'cannot write|could not write|No space'
}

check_version() {
    run --version
    expect_code 0
    expect_in out '^dualpc [0-9]+\.[0-9]+\.[0-9]+'
    expect_empty err
}

check_no_arguments() {
    run
    expect_code 1
    expect_empty out
    expect_in err 'DATA|data'
    run learn
    expect_code 1
    expect_sentence 'data|file'
}

# OPTION VALUE…: each value is refused, by the name of the option.
refuse() {
    local option=$1
    shift
    for value in "$@"; do
        run "$data/tiny.csv" "$option" "$value" -o x.csv
        expect_code 1
        expect_sentence "${option#--}"
        expect_files ''
    done
}

check_bad_levels() {
    refuse --alpha 0 1 2 -0.1 nan inf 1e999 x '' 0,05 '0.05 ' 0.05x
    refuse --alpha-dual 0 1 -1 nan '' x
}

check_words_for_numbers() {
    run "$data/tiny.csv" --quiet
    cp "$io/out" plain
    for option in --alpha=0.050 --alpha-dual=alpha --max-order=none --threads=all --min-ess=3e1; do
        run "$data/tiny.csv" --quiet "$option"
        expect_code 0
        expect_same plain "$io/out"
    done
}

check_bad_choices() {
    refuse --method '' DUAL dua all
    refuse --variant '' x
    refuse --test '' zt Z
    refuse --normalize '' ranks
    refuse --graph '' dag
    refuse --missing '' drop
}

check_bad_numbers() {
    refuse --max-order -1 1.5 x '' 2147483648
    refuse --min-ess -1 nan x ''
    refuse --threads 0 -1 1.5 x '' 257 4096
}

check_bad_format_names_the_option() {
    refuse --format xml '' graph.csv
}

check_bad_samples() {
    for value in 0 -5 2.5 x '' nan inf 1e300; do
        run "$data/correlation.csv" --correlation --samples "$value"
        expect_code 1
        expect_sentence '--samples'
    done
}

check_missing_values() {
    for option in --alpha --method --threads --format --output -o --samples; do
        run "$data/tiny.csv" "$option"
        expect_code 1
        expect_sentence "'?$option'?"
    done
}

check_unknown_options() {
    for option in --alhpa --foo=3 -Z --al; do
        run "$data/tiny.csv" "$option"
        expect_code 1
        expect_sentence "${option%%=*}"
    done
}

check_unknown_short_options_in_one_word() {
    # the message must name the option, not its neighbour on the command line
    run "$data/tiny.csv" -Zq
    expect_code 1
    expect_sentence "-Z"
    run -x.csv
    expect_code 1
    expect_sentence "-x"
}

check_two_files() {
    run "$data/tiny.csv" "$data/other.csv"
    expect_code 1
    expect_sentence 'other\.csv'
}

check_options_that_do_not_go_together() {
    run "$data/correlation.csv" --correlation
    expect_code 1
    expect_sentence '--samples'
    run "$data/tiny.csv" --samples 50
    expect_code 1
    expect_sentence '--correlation'
    run "$data/correlation.csv" --correlation --samples 50 --normalize copula
    expect_code 1
    expect_sentence '--normalize'
    run "$data/correlation.csv" --correlation --samples 50 --missing rows
    expect_code 1
    expect_sentence '--missing'
}

check_unknown_extension_before_any_work() {
    for name in x.xyz x. graph x.csv.bak; do
        run "$data/no-such-file.csv" -o "$name"
        expect_code 1
        expect_sentence "$name"
        expect_files ''
    done
}

check_a_name_that_is_only_an_extension_has_none() {
    # the extension chooses; a file called csv has none
    run "$data/tiny.csv" --quiet -o csv
    expect_code 1
    expect_files ''
}

check_quiet_says_nothing() {
    run "$data/constant.csv" --quiet -o x.csv
    expect_code 0
    expect_empty err
    expect_empty out
    expect_files x.csv
}

check_summary() {
    run "$data/dense40.csv" --min-ess 3 --verbose -o x.json
    expect_code 0
    expect_empty out
    expect_in err '300 observations'
    expect_in err '40 variables'
    expect_in err 'alpha 0\.05'
    for stage in read prepare correlation skeleton orient write total; do
        expect_in err "$stage [0-9]+\.[0-9]+"
    done
    verify summary "$io/err" x.json
}

check_summary_has_the_warnings() {
    run "$data/constant.csv"
    expect_code 0
    expect_in err "warning.*'still'"
}

check_locale_does_not_matter() {
    run "$data/tiny.csv" --quiet --format json --separating-sets --alpha 0.01
    sed '/"seconds"/d' "$io/out" >plain
    for locale in de_DE.UTF-8 de_DE fr_FR.UTF-8 tr_TR.UTF-8 C.UTF-8 no_SUCH; do
        shell "LC_ALL=$locale LANG=$locale \"\$program\" \"\$data/tiny.csv\" --quiet --format json --separating-sets --alpha 0.01 | sed '/\"seconds\"/d'"
        expect_code 0
        expect_same plain "$io/out"
    done
}
