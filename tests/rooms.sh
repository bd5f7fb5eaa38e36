#!/usr/bin/env bash
# Who may include whom, asked of the build itself. In a copy of the tree that has only headers, each
# folder gets a file that looks for the headers of all others, compiled by the rule of the Makefile.
#
# Independent of the lists there: a room of core/ must not see a later one of this order, nothing of
# core/ sees io/, cli/, mpi/, sim/, study/, picture/ or report/, and so on, as in docs/design.md.
set -u
cd "$(dirname "$0")/.." || exit 1

rooms="base math graph knowledge data stats skeleton orient search latent result"
outside="io cli mpi sim study picture report"
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
bad=0
asked=0

# Headers, and what the Makefile reads.
# shellcheck disable=SC2046
cp --parents Makefile core/sources.mk $(find include core io cli mpi sim study picture report tests -name '*.h') \
    tests/reference/*.c "$copy" || exit 1

compile() { # source
    make --no-print-directory -C "$copy" "build/${1%.c}.o" 2>&1
}

# FOLDER must not see the folders that follow.
hidden() {
    local folder=$1 other header
    shift
    mkdir -p "$copy/$folder"
    {
        echo '#include "dualpc.h"'
        for other in "$@"; do
            for header in "$copy/$other"/*.h; do
                # <search.h> is also one of the C library's, and always found
                [ -e "$header" ] && [ ! -e "/usr/include/${header##*/}" ] || continue
                printf '#if __has_include("%s")\n#error %s sees %s\n#endif\n' "${header##*/}" \
                    "$folder" "$other/${header##*/}"
            done
        done
        echo 'int nothing;'
    } >"$copy/$folder/probe.c"
    asked=$((asked + $(grep -c '^#error' "$copy/$folder/probe.c")))
    compile "$folder/probe.c" >"$copy/log" || {
        grep -e error "$copy/log" || cat "$copy/log"
        bad=1
    }
}

later=$rooms
for room in $rooms; do
    later=${later#"$room"}
    later=${later# }
    # shellcheck disable=SC2046,SC2086
    hidden "core/$room" $(printf 'core/%s ' $later) $outside
done
# shellcheck disable=SC2086
hidden core $outside
hidden core/knowledge core/math     # knowledge knows no numbers
hidden io core/math core/stats core/skeleton core/orient core/search core/latent core/result cli mpi sim study picture report
hidden cli core/math core/data core/knowledge core/stats core/skeleton core/orient core/search core/latent core/result io mpi
hidden study core/data core/knowledge core/stats core/skeleton core/orient core/search core/latent core/result io cli mpi
hidden sim cli mpi study picture report
hidden picture core/math core/data core/knowledge core/stats core/skeleton core/orient core/search core/latent core/result io cli mpi sim study report
hidden report core/math core/data core/knowledge core/stats core/skeleton core/orient core/search core/latent core/result cli mpi sim study
if command -v mpicc >/dev/null; then
    hidden mpi core/graph core/stats core/skeleton core/orient core/search core/latent core/result io sim study report
else
    echo 'skipped: mpi/, for there is no mpicc'
fi
# shellcheck disable=SC2046,SC2086
hidden tests/reference $(printf 'core/%s ' $rooms) $outside tests/support

# The slow twin sees the public header, but calls nothing of the library.
rm "$copy/tests/reference/probe.c"
for source in tests/reference/*.c; do
    compile "$source" >"$copy/log" || { cat "$copy/log"; bad=1; }
    ! nm -u "$copy/build/${source%.c}.o" | grep dpc_ || { echo "$source calls the library"; bad=1; }
done

# One tag, one type: a struct, union or enum is defined in one place only.
tags() { # files
    grep -hoE '^(typedef )?(struct|enum|union) dpc_[a-z0-9_]+ *\{' "$@" | sed -E 's/^(typedef )?//; s/ *\{//'
}
# shellcheck disable=SC2046
all=$(tags $(find include core io cli mpi sim study picture report -name '*.[ch]'))
[ "$(echo "$all" | wc -l)" -gt 150 ] || { echo 'hardly any tags were found'; bad=1; }
for tag in $(echo "$all" | sort | uniq -d | cut -d' ' -f2); do
    echo "$tag is more than one type:"
    grep -rnE "(struct|enum|union) $tag *\{" include core io cli mpi sim study picture report
    bad=1
done

# That the question is a good one: what is allowed compiles, what is not does not.
expect() { # yes|no, source, header
    printf '#include "%s"\nint nothing;\n' "$3" >"$copy/$2"
    if compile "$2" >"$copy/log"; then seen=yes; else seen=no; fi
    [ $seen = "$1" ] || { echo "$2 includes $3: expected $1, saw $seen"; cat "$copy/log"; bad=1; }
    [ "$1" = yes ] || grep -q "$3.*No such file\|$3.*not found" "$copy/log" || {
        echo "$2 does not compile for another reason"
        bad=1
    }
}

expect yes core/orient/allowed.c skeleton.h
expect no core/base/forbidden.c skeleton.h
expect no cli/forbidden.c skeleton.h
[ $asked -gt 400 ] || { echo "only $asked questions"; bad=1; }
# Whether R is there, and whether each pair has an N of its own, is asked at the door: core/stats.
if grep -nE "view(->|\.)(r|rows) *([!=]= *NULL|\?)" core/{skeleton,orient,search,latent,result}/*.[ch]; then
    echo "ask dpc_view_can (core/stats/stats.h)"
    bad=1
fi

echo "rooms: $asked questions"
exit $bad
