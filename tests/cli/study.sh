# dualpc study: the rows, the resuming, the figures. Sourced by run.sh.

# Quick to compute: three settings of 50 nodes.
small=t-noise-1.5

check_study_lists_every_figure_once() {
    run study --list
    expect_code 0
    expect_empty err
    expect_equal "names" "$(awk '{print $1}' "$io/out" | sort | uniq | wc -l)" "$(wc -l <"$io/out")"
    for name in shd-2 shd-1.5 cpdag-2 cpdag-1.5 skeleton-2 skeleton-1.5 pattern-2 pattern-1.5 \
        tests-2 tests-1.5 times-2 times-1.5 sparse-cpdag sparse-times exact-shd exact-times \
        t-noise-2 t-noise-1.5 t-noise-large copula-50 copula-100 copula-150 copula-200 t-copula \
        refine-shd-2 refine-shd-1.5 refine-times-2 refine-times-1.5 refine-tanh aid critics-designs critics-structures \
        beyond-shd beyond-tests posterior latent; do
        grep -qE "^$name +[A-Za-z]" "$io/out" || fail "$told" "expected a line for $name"
    done
}

check_study_wrong_usage() {
    run study
    expect_code 1
    expect_sentence 'no study named.*--list'
    run study shd-2
    expect_code 1
    expect_sentence '--out DIR is missing'
    run study shd-7 --out x
    expect_code 1
    expect_sentence "no study 'shd-7'.*--list"
    run study shd-2 tests-2 --out x
    expect_code 1
    expect_sentence "'tests-2' is one name too many"
    run study shd-2 --out x --reps 0
    expect_code 1
    expect_sentence '--reps must be at least 1'
    run study shd-2 --out x --seed -1
    expect_code 1
    run study shd-2 --out x --colour
    expect_code 1
    expect_sentence "'--colour'"
    expect_files
    run study --help
    expect_code 0
    expect_in out '--reps R .*\[100\]'
}

check_study_without_gnuplot_says_so_first() {
    mkdir empty
    shell "PATH=\$PWD/empty '$program' study $small --out x --reps 1"
    expect_code 1
    expect_sentence 'gnuplot-nox.*--no-figures'
    expect_files empty
    shell "PATH=\$PWD/empty '$program' study $small --out x --reps 1 --no-figures --quiet"
    expect_code 0
    expect_equal "files" "results.csv summary.csv" "$(ls x | tr '\n' ' ' | sed 's/ $//')"
}

check_study_folder_that_cannot_be_made() {
    run study $small --out no/such/folder --reps 1 --no-figures
    expect_code 3
    expect_sentence "no/such/folder"
    : >file
    run study $small --out file --reps 1 --no-figures
    expect_code 3
}

# Every row against what simulate, learn and compare say of the same data set.
check_study_rows_are_what_the_other_commands_say() {
    run study t-copula --out x --reps 2 --no-figures --quiet
    expect_code 0
    "$python" -SB "$here/study.py" rows "$program" x/results.csv >"$io/wrong" 2>&1 ||
        fail "$told" "$(cat "$io/wrong")"
}

# The same of refined graphs, with their distances.
check_study_refined_rows_are_what_the_other_commands_say() {
    run study refine-tanh --out x --reps 1 --no-figures --quiet
    expect_code 0
    "$python" -SB "$here/study.py" refined "$program" x/results.csv >"$io/wrong" 2>&1 ||
        fail "$told" "$(cat "$io/wrong")"
}

# And of other designs and structures, with their sortability.
check_study_critics_rows_are_what_the_other_commands_say() {
    run study critics --out x --reps 1 --no-figures --quiet
    expect_code 0
    "$python" -SB "$here/study.py" critics "$program" x/results.csv >"$io/wrong" 2>&1 ||
        fail "$told" "$(cat "$io/wrong")"
}

# And of data that are not linear and Gaussian.
check_study_beyond_rows_are_what_the_other_commands_say() {
    run study beyond-gaussian --out x --reps 1 --no-figures --quiet
    expect_code 0
    "$python" -SB "$here/study.py" beyond "$program" x/results.csv >"$io/wrong" 2>&1 ||
        fail "$told" "$(cat "$io/wrong")"
    run study beyond-gaussian --out y --reps 1 --no-seconds --no-figures --quiet --threads 1
    run study beyond-gaussian --out z --reps 1 --no-seconds --no-figures --quiet --threads 2
    expect_code 0
    expect_same y/results.csv z/results.csv
}

# The paper's design is a setting of two studies, and its rows serve both.
check_study_critics_share_the_paper_s_design() {
    run study critics-designs --out alone --reps 1 --no-seconds --no-figures --quiet
    run study aid --out x --reps 1 --no-seconds --no-figures --quiet
    run study refine-shd-2 --out x --reps 1 --no-seconds --no-figures --quiet
    run study critics-designs --out x --reps 1 --no-seconds --no-figures --quiet --threads 1
    expect_code 0
    expect_same alone/summary.csv x/summary.csv
    for pause in 0.05 0.1; do
        "$program" study critics-designs --out killed --reps 1 --no-seconds --no-figures --quiet 2>/dev/null &
        local pid=$!
        sleep $pause
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null
    done
    run study critics-designs --out killed --reps 1 --no-seconds --no-figures --quiet
    expect_code 0
    expect_same alone/results.csv killed/results.csv
}

# The paper's study and the refined graphs of the same data share a folder.
check_study_refined_graphs_go_on_in_the_same_folder() {
    run study refine-tanh --out alone --reps 1 --no-seconds --no-figures --quiet
    run study copula-50 --out x --reps 1 --no-seconds --no-figures --quiet
    run study refine-tanh --out x --reps 1 --no-seconds --no-figures --quiet
    expect_code 0
    cp x/results.csv both
    expect_same alone/summary.csv x/summary.csv
    run study copula-50 --out x --reps 1 --no-seconds --no-figures --quiet
    expect_code 0
    expect_same both x/results.csv
}

# Stopped again and again while it refines, and started again, the rows are the same.
check_study_refined_graphs_survive_an_interruption() {
    run study refine-tanh --out whole --reps 1 --no-seconds --no-figures --quiet --threads 1
    for pause in 0.1 0.2 0.3; do
        timeout -s INT $pause "$program" study refine-tanh --out x --reps 1 --no-seconds --no-figures \
            --quiet --threads 1 2>/dev/null
    done
    run study refine-tanh --out x --reps 1 --no-seconds --no-figures --quiet
    expect_code 0
    expect_same whole/results.csv x/results.csv
}

check_study_summary_is_the_mean_of_the_rows() {
    run study $small --out x --reps 5 --no-figures --quiet
    expect_code 0
    "$python" -SB "$here/study.py" summary x/results.csv x/summary.csv >"$io/wrong" 2>&1 ||
        fail "$told" "$(cat "$io/wrong")"
}

# Three runs are killed, each after some more rows. A run may be over before the shell can kill it: then
# all begins anew.
killed_after_more_rows() {
    local tries kills=0 size=0
    for ((tries = 0; tries < 60 && kills < 3; tries++)); do
        "$program" study $small --out killed --reps 6 --no-seconds --no-figures --quiet 2>/dev/null &
        local pid=$!
        while kill -0 $pid 2>/dev/null && [ "$(size_of killed/results.csv)" -le "$size" ]; do
            sleep 0.01
        done
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null
        if [ $? = 137 ] && [ "$(size_of killed/results.csv)" -lt "$(size_of whole/results.csv)" ]; then
            kills=$((kills + 1))
            size=$(size_of killed/results.csv)
        else
            rm -rf killed
            kills=0 size=0
        fi
    done
    [ $kills = 3 ]
}

size_of() { # file; 0 where there is none
    stat -c %s "$1" 2>/dev/null || echo 0
}

check_study_threads_and_kills_give_the_same_bytes() {
    run study $small --out whole --reps 6 --no-seconds --no-figures --threads 1 --quiet
    expect_code 0
    run study $small --out two --reps 6 --no-seconds --no-figures --threads 2 --quiet
    expect_code 0
    expect_same whole/results.csv two/results.csv
    expect_same whole/summary.csv two/summary.csv
    killed_after_more_rows || fail "kill -9" "every run was over before it could be killed"
    run study $small --out killed --reps 6 --no-seconds --no-figures --quiet
    expect_code 0
    expect_same whole/results.csv killed/results.csv
    expect_same whole/summary.csv killed/summary.csv
}

# Cut anywhere, the file is completed to the same bytes.
check_study_torn_files_are_mended() {
    run study $small --out whole --reps 2 --no-seconds --no-figures --quiet
    local size header
    size=$(wc -c <whole/results.csv)
    header=$(head -1 whole/results.csv | wc -c)
    mkdir torn
    for length in 0 10 "$header" $((header + 1)) $((size / 3)) $((size / 2)) $((size - 1)); do
        head -c "$length" whole/results.csv >torn/results.csv
        run study $small --out torn --reps 2 --no-seconds --no-figures --quiet
        expect_code 0
        expect_same whole/results.csv torn/results.csv
        expect_same whole/summary.csv torn/summary.csv
    done
}

check_study_never_mixes_results() {
    run study $small --out x --reps 1 --no-figures --quiet
    cp x/results.csv before
    run study $small --out x --reps 2 --seed 2 --no-figures --quiet
    expect_code 2
    expect_sentence "another study .another --seed"
    expect_same before x/results.csv
    mkdir y
    printf 'a,b\n1,2\n' >y/results.csv
    run study $small --out y --reps 1 --no-figures --quiet
    expect_code 2
    expect_sentence 'not a results file'
    expect_text y/results.csv $'a,b\n1,2'
    # nor what an older version wrote
    for columns in 's/,rule,orient,refine,options//; s/,parent_aid,ancestor_aid,oset_aid,sortability//' \
        's/,options//; s/,sortability//' 's/,kinds//'; do
        sed "$columns" before | head -1 >y/results.csv
        run study $small --out y --reps 1 --no-figures --quiet
        expect_code 2
        expect_sentence 'an older one wrote other columns'
    done
    # a changed row in the middle is not taken for a torn end
    sed '5s/gaussian\|t:2/t:3/' before >x/results.csv
    run study $small --out x --reps 1 --no-figures --quiet
    expect_code 2
}

check_study_more_reps_and_other_figures_go_on_in_the_same_folder() {
    run study $small --out x --reps 1 --no-seconds --no-figures --quiet
    local first
    first=$(wc -c <x/results.csv)
    cp x/results.csv first
    run study t-noise-2 --out x --reps 1 --no-seconds --no-figures --quiet
    run study $small --out x --reps 2 --no-seconds --no-figures --quiet
    expect_code 0
    head -c "$first" x/results.csv >begin
    expect_same first begin
    run study $small --out y --reps 2 --no-seconds --no-figures --quiet
    expect_same x/summary.csv y/summary.csv
}

check_study_two_at_a_time_are_refused() {
    mkdir x
    : >x/results.csv
    shell "flock x/results.csv '$program' study $small --out x --reps 1 --no-figures"
    expect_code 3
    expect_sentence 'another study is writing'
}

check_study_interrupted() {
    mkdir x
    told='dualpc study, interrupted'
    "$python" -SB "$here/interrupt.py" --watch x --program "$program" --after 0.1 \
        --once-writing -- study $small --out x --reps 500 --no-figures >"$io/out" 2>"$io/err"
    expect_text "$io/out" 130
    expect_in err 'interrupted; the same command goes on'
}

check_study_figures_and_page() {
    local name names="$small shd-1.5 exact-shd"
    [ "${DPC_REPEAT:-100}" -ge 20 ] || names=$small
    for name in aid critics-structures beyond-shd; do
        run study $name --out x --reps 1 --quiet
        expect_code 0
        expect_empty err
        "$python" -SB "$here/study.py" figure x/figures/$name.svg x/index.html $name >"$io/wrong" 2>&1 ||
            fail "$told" "$(cat "$io/wrong")"
        rm -rf x
    done
    for name in $names; do
        rm -rf x/figures
        run study $name --out x --reps 1 --quiet
        expect_code 0
        expect_empty err
        [ -s "x/figures/$name.pdf" ] || fail "$told" "expected a PDF"
        "$python" -SB "$here/study.py" figure "x/figures/$name.svg" x/index.html $name \
            >"$io/wrong" 2>&1 || fail "$told" "$(cat "$io/wrong")"
    done
    run study $small --out x --reps 1 --quiet
    cp x/figures/$small.svg before.svg
    cp x/figures/$small.pdf before.pdf
    run study $small --out x --reps 1 --quiet
    expect_same before.svg x/figures/$small.svg
    expect_same before.pdf x/figures/$small.pdf
}

# What an earlier run has drawn stays on the page, in the order of the catalogue.
check_study_page_keeps_earlier_figures() {
    run study t-noise-2 --out x --reps 1 --quiet
    run study $small --out x --reps 1 --quiet
    expect_code 0
    "$python" -SB "$here/study.py" figure x/figures/$small.svg x/index.html t-noise-2 $small \
        >"$io/wrong" 2>&1 || fail "$told" "$(cat "$io/wrong")"
    expect_equal 'figures of earlier runs' 1 "$(grep -c 'Drawn by an earlier run' x/index.html)"
}

# The study of probabilities has rows of its own, which are the bootstrap's and survive as the others do.
check_study_posterior() {
    run study posterior-20 --out x --reps 1 --no-seconds --no-figures --quiet --threads 1
    expect_code 0
    expect_equal "files" "posterior-calibration.csv posterior-summary.csv posterior.csv" \
        "$(ls x | tr '\n' ' ' | sed 's/ $//')"
    "$python" -SB "$here/study.py" posterior "$program" x/posterior.csv >"$io/wrong" 2>&1 ||
        fail "$told" "$(cat "$io/wrong")"
    cp -r x whole
    head -c -100 whole/posterior.csv >x/posterior.csv
    run study posterior-20 --out x --reps 1 --no-seconds --quiet --threads 2
    expect_code 0
    expect_empty err
    for name in posterior.csv posterior-summary.csv posterior-calibration.csv; do
        expect_same "whole/$name" "x/$name"
    done
    "$python" -SB "$here/study.py" figure x/figures/posterior-calibration.svg x/posterior.html \
        posterior-loss posterior-calibration >"$io/wrong" 2>&1 || fail "$told" "$(cat "$io/wrong")"
    run study posterior-20 --out x --reps 1 --seed 2 --no-seconds --no-figures --quiet
    expect_code 2
    expect_sentence 'another study .another --seed'
    run study posterior-30 --out x
    expect_code 1
}

# The study of hidden causes: every row is what simulate, learn and compare say; torn and on two threads too.
check_study_latent() {
    run study latent-many20 --out x --reps 3 --no-seconds --no-figures --quiet --threads 1
    expect_code 0
    expect_equal "files" "latent-summary.csv latent.csv" "$(ls x | tr '\n' ' ' | sed 's/ $//')"
    "$python" -SB "$here/study.py" latent "$program" x/latent.csv x/latent-summary.csv >"$io/wrong" 2>&1 ||
        fail "$told" "$(cat "$io/wrong")"
    cp -r x whole
    head -c -100 whole/latent.csv >x/latent.csv
    run study latent-many20 --out x --reps 3 --no-seconds --quiet --threads 2
    expect_code 0
    expect_empty err
    expect_same whole/latent.csv x/latent.csv
    expect_same whole/latent-summary.csv x/latent-summary.csv
    "$python" -SB "$here/study.py" figure x/figures/latent.svg x/latent.html latent >"$io/wrong" 2>&1 ||
        fail "$told" "$(cat "$io/wrong")"
    # other settings go on in the same folder
    run study latent-some50 --out x --reps 1 --no-seconds --no-figures --quiet
    expect_code 0
    expect_equal "rows" "$((1 + 6 * 3 + 6))" "$(wc -l <x/latent.csv)"
    run study latent-many20 --out x --reps 3 --seed 2 --no-figures --quiet
    expect_code 2
    expect_sentence 'another study .another --seed'
    run study latent-30 --out x
    expect_code 1
}
