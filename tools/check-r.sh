#!/bin/bash
# The R package: built from the repository, and checked as CRAN would, offline.
#   tools/check-r.sh [FOLDER]     default: build/r; the log is FOLDER/dualpc.Rcheck/00check.log
#
# Fails on any error or warning of R CMD check, and on every note but those about what cannot be
# here: a new submission, suggested packages that Debian does not have, the time of the network. The
# tests of these packages are skipped then, and say so.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/r}
rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# R looks packages up in a mirror of CRAN. This one is empty.
mirror=$folder/mirror
mkdir -p "$mirror/src/contrib" "$mirror/web/packages"
: >"$mirror/src/contrib/PACKAGES"
echo "options(repos = c(CRAN = 'file://$mirror'))" >"$folder/profile.R"
export R_PROFILE_USER=$folder/profile.R R_CRAN_WEB=file://$mirror R_CRAN_SRC=file://$mirror
export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_FORCE_SUGGESTS_=false
export NOT_CRAN=true MAKEFLAGS="-j${JOBS:-2}"
Rscript -e "columns <- c('Package', 'Maintainer', 'Deadline')
    saveRDS(as.data.frame(matrix('', 0, 3, dimnames = list(NULL, columns))),
            '$mirror/web/packages/packages.rds')"

root=$PWD
cd "$folder"
R CMD build "$root/r"
# a package that is built holds everything, and no link
mkdir unpacked
tar xzf dualpc_*.tar.gz -C unpacked
[ -z "$(find unpacked -type l)" ] || { echo 'the source package has symbolic links'; exit 1; }
[ -f unpacked/dualpc/src/core/learn.c ] || { echo 'the source package lacks core/'; exit 1; }
rm -rf unpacked

R CMD check --as-cran --no-manual dualpc_*.tar.gz
log=dualpc.Rcheck/00check.log
# The installed package is large by its symbols for the debugger, which Debian's R asks for.
bad=$(awk '
    /^\* / { note = 0 }
    /\.\.\. .*(ERROR|WARNING)$/ || /^ (ERROR|WARNING)$/ { print; next }
    /\.\.\. .*NOTE$/ || /^ NOTE$/ { note = !/installed package size/; title = $0; next }
    note && /^$/ { next }
    note && !/New submission|^Maintainer:|Packages? suggested but not available|unable to verify current time/ {
        print title; print
    }' "$log")
if [ -n "$bad" ]; then
    echo "$bad"
    echo 'check-r: 0 passed, 1 failed'
    exit 1
fi
grep -hE 'FAIL|SKIP' dualpc.Rcheck/tests/*.Rout || true
echo 'check-r: 1 passed, 0 failed'
