#!/bin/sh
# Installs the Debian packages that are missing: `tools/deps.sh build` for the program, and with it
# `study` for the figures of `dualpc study`, `check` for the tests, `r` and `python` for those of the R
# and the Python package, `browser` for the test of the report, `mpi` for `make mpi` and its tests, `bench`
# for `make bench`. Says what it does; does nothing where all is there.
set -eu

build="gcc libc6-dev libopenblas-dev libgsl-dev zlib1g-dev libgraphviz-dev"
check="libcmocka-dev graphviz python3-networkx python3-pydot r-cran-igraph clang libclang-rt-dev clang-format pkg-config python3 locales gnuplot-nox
    cppcheck clang-tidy valgrind"
python="python3-dev python3-numpy python3-pandas python3-setuptools python3-wheel python3-pip
    python3-venv python3-pytest python3-sklearn python3-networkx python3-tqdm python3-mypy"
study="gnuplot-nox"
mpi="openmpi-bin libopenmpi-dev iproute2 procps"
browser="chromium chromium-driver python3-selenium"
r="r-base-core r-base-dev r-cran-igraph r-cran-coda r-cran-testthat r-cran-knitr r-cran-rmarkdown r-bioc-graph pandoc
    devscripts qpdf zlib1g-dev"
bench="python3 gnuplot-nox r-base-core r-cran-data.table"

wanted=
for group in "$@"; do
    case $group in
    build) wanted="$wanted $build" ;;
    study) wanted="$wanted $study" ;;
    check) wanted="$wanted $check" ;;
    bench) wanted="$wanted $bench" ;;
    browser) wanted="$wanted $browser" ;;
    mpi) wanted="$wanted $mpi" ;;
    r) wanted="$wanted $r" ;;
    python) wanted="$wanted $python" ;;
    *) echo "deps.sh: unknown group '$group'" >&2; exit 1 ;;
    esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "deps.sh: not a Debian system; install these yourself:$wanted" >&2
    exit 0
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)
    case $state in
    ii*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

echo "installing:$missing"
as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
        echo "deps.sh: not root, and no sudo; as root: apt-get install$missing" >&2
        exit 1
    }
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
