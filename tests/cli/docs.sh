# The README and the pages of docs/: their commands are run, their links followed. Sourced by run.sh.

page() {
    told="the commands of $1"
    "$python" -SB "$here/docs.py" run "$program" "$root" "$1" >"$io/wrong" 2>&1 ||
        fail "$told" "$(head -c 3000 "$io/wrong")"
}

check_docs_readme() { page README.md; }
check_docs_tutorial() { page docs/tutorial.md; }
check_docs_usage() { page docs/usage.md; }
check_docs_look() { page docs/look.md; }
check_docs_formats() { page docs/formats.md; }
check_docs_data() { page docs/data.md; }
check_docs_explain() { page docs/explain.md; }
check_docs_bootstrap() { page docs/bootstrap.md; }
check_docs_posterior() { page docs/posterior.md; }
check_docs_fit() { page docs/fit.md; }
check_docs_effects() { page docs/effects.md; }
check_docs_hidden() { page docs/hidden.md; }
check_docs_knowledge() { page docs/knowledge.md; }
check_docs_simulate() { page docs/simulate.md; }

check_docs_library() {
    # a compiler without sanitizers cannot link a library that has them
    [ "$sanitized" != 0 ] || page docs/library.md
}

# Every page with commands is in the list above.
check_docs_are_all_run() {
    told='the pages with commands'
    local file
    for file in "$root"/*.md "$root"/docs/*.md; do
        file=${file#"$root/"}
        ! grep -q '^\$ ' "$root/$file" || grep -q "page $file" "$here/docs.sh" ||
            fail "$told" "$file is not run"
    done
}

check_docs_links_lead_somewhere() {
    told='the links'
    "$python" -SB "$here/docs.py" links "$root" >"$io/wrong" 2>&1 || fail "$told" "$(cat "$io/wrong")"
}

check_docs_have_every_file_of_the_rooms() {
    told='the rooms of docs/design.md'
    "$python" -SB "$here/docs.py" rooms "$root" >"$io/wrong" 2>&1 || fail "$told" "$(cat "$io/wrong")"
}
