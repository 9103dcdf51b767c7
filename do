#!/bin/sh
# do - every chore of the project: sets up what is missing, then builds, tests, formats, fuzzes
set -eu
cd "$(dirname "$0")"

usage() {
    cat <<'TEXT'
usage: ./do COMMAND

  demo            build and run the tour of what works today
  check           build and pass all tests
  newcomer        walk the way of somebody new: demo, its page, a mistake, a result
  build PRESET    build one of dev, release, clang, asan, tsan, fuzz
  test PRESET [CTEST OPTION...]
                  build and run the tests of one of dev, release, clang, asan, tsan
  docs            write the pages that follow from the tables, and all pages as a site, build/site
  figures         draw problems, examples and classes
  format          lay out all sources
  lint            layout, layers, shell scripts, and are generated files up to date?
  fuzz [N [NAME [SECONDS]]]
                  N runs of every fuzz target, or of one, in SECONDS each at most (default 1000000)
  wheel [--quick] build the Python package by pip, try it in every CPython that is here;
                  --quick: as on a machine without libraries, and in one other CPython
  mutate          break the code on purpose and see a test fail, once per listed mutation
  web             bundle the page that plays runs (web/viewer) anew, after a change to it
  nightly         what CI has no time for: threads, clang, mutations, the wheel on every Python
  bench SUITE     run a performance suite (see bench/README.md)

Packages that are missing are installed when you are root, and named otherwise.
TEXT
}

say() { printf '%s\n' "$*" >&2; }

# ---- packages

# is this there? -> the Debian package that brings it
missing() {
    command -v cc >/dev/null || printf ' gcc libc6-dev'
    command -v cmake >/dev/null || printf ' cmake'
    command -v ninja >/dev/null || printf ' ninja-build'
    command -v python3 >/dev/null || printf ' python3'
    library -llapack || printf ' liblapack-dev libblas-dev'
    library -include suitesparse/klu.h -lklu -lamd || printf ' libsuitesparse-dev'
    library -include cvode/cvode.h -include ida/ida.h -lsundials_cvode -lsundials_ida ||
        printf ' libsundials-dev'
    for word in "$@"; do
        case $word in
        clang) command -v clang >/dev/null || printf ' clang' ;;
        fuzzer) fuzzer || printf ' clang libclang-rt-14-dev' ;;
        c++) command -v c++ >/dev/null || printf ' g++' ;;
        clang-format) command -v clang-format >/dev/null || printf ' clang-format' ;;
        shellcheck) command -v shellcheck >/dev/null || printf ' shellcheck' ;;
        git) command -v git >/dev/null || printf ' git' ;;
        python) python >/dev/null || printf ' python3-jsonschema python3-markdown python3-numpy' ;;
        venv) "$(python || command -v /usr/bin/python3)" -c 'import ensurepip' 2>/dev/null || printf ' python3-venv' ;;
        python-dev) headers || printf ' python3-dev' ;;
        esac
    done
}

library() {
    command -v cc >/dev/null && echo 'int main(void) { return 0; }' |
        cc -x c - "$@" -o /dev/null 2>/dev/null
}

fuzzer() {
    command -v clang >/dev/null &&
        echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer,address -x c - -o /dev/null 2>/dev/null
}

# a Python that has what the tests import; Debian's packages are seen by its own Python only
python() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import sys, jsonschema, markdown, numpy; assert sys.version_info >= (3, 11)' 2>/dev/null || continue
        command -v "$python"
        return
    done
    return 1
}

# install PACKAGE...
install() {
    say "installing: $*"
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

can_install() { command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; }

# of that Python, for the extension
headers() {
    python=$(python || command -v /usr/bin/python3) && "$python" -c \
        'import os, sysconfig; open(os.path.join(sysconfig.get_paths()["include"], "Python.h"))' 2>/dev/null
}

need() {
    packages=$(missing "$@" | tr ' ' '\n' | sort -u | tr '\n' ' ')
    [ -n "$(printf %s "$packages" | tr -d ' ')" ] || return 0
    # shellcheck disable=SC2086 # a list of words
    if can_install; then
        install $packages
        return
    fi
    if ! command -v apt-get >/dev/null; then
        say "missing (Debian names):$packages"
        say "please install them with your package manager and run this again"
    else
        say "missing packages; please run"
        say "    sudo apt-get install -y$packages"
    fi
    exit 1
}

missing_web() {
    command -v node >/dev/null || printf ' nodejs'
    command -v npm >/dev/null || printf ' npm'
    command -v chromium >/dev/null || printf ' chromium'
}

# what bundling the page and its tests need; nothing else does
web_tools() {
    packages=$(missing_web)
    # shellcheck disable=SC2086 # a list of words
    [ -z "$packages" ] || ! can_install || install $packages || true
    packages=$(missing_web)
    if [ -n "$packages" ]; then
        say "missing for the page that plays runs:$packages"
        return 1
    fi
    # the lockfile that the packages were taken from
    installed=web/node_modules/.lock
    cmp -s web/package-lock.json "$installed" && return 0
    say "installing: packages of web/package-lock.json"
    (cd web && npm ci --no-audit --no-fund --loglevel=error >&2) || return 1
    cp web/package-lock.json "$installed"
}

# ---- building and testing

# configure PRESET [CMAKE OPTION...]
configure() {
    mkdir -p build
    log=build/configure-$1.log
    cmake --preset "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
}

# build PRESET [TARGET...]
build() {
    preset=$1
    shift
    cmake --build --preset "$preset" ${1:+--target "$@"} >&2
}

# run_tests PRESET CMAKE-OPTION [CTEST OPTION...]
run_tests() {
    preset=$1
    python=$(python)
    configure "$preset" -DCARDAN_PYTHON="$python" -DPython3_EXECUTABLE="$python" "$2"
    shift 2
    build "$preset"
    ctest --preset "$preset" -j 2 "$@"
}

# hand-written C of the project
sources() { git ls-files -co --exclude-standard '*.c' '*.h'; }

command=${1:-help}
[ $# -eq 0 ] || shift
case $command in
demo)
    need
    configure release
    build release tables suite_adc orders cardan_cli
    (cd examples/tables && ../../build/release/examples/tables wheels.json mistakes.json)
    printf '\n==== exact derivatives from one law in plain C: what they cost\n\n'
    build/release/bench/suite_adc
    printf '\n==== every integrator on the pendulum, in all forms of its constraint\n\n'
    build/release/examples/orders
    printf '\n==== three mechanisms against their reference solutions\n\n'
    build/release/cli/cardan bench run A03 A04 puma560 --quick
    mkdir -p build/demo
    for code in A03 A04 puma560; do
        build/release/cli/cardan run "problems/$code/model.json" -o "build/demo/$code.log" \
            >"build/demo/$code.txt" 2>&1
        build/release/cli/cardan draw "build/demo/$code.log" -q -o "build/demo/$code.svg"
        build/release/cli/cardan export "build/demo/$code.log" -q -o "build/demo/$code.html"
    done
    printf '\nmodels      problems/*/model.json, what they are: problems/*/README.md\n'
    printf 'results     build/demo/*.log, how they were found: build/demo/*.txt\n'
    printf 'pictures    build/demo/*.svg\n'
    printf 'in motion   file://%s/build/demo/A04.html, and the others beside it: open them in a browser\n' "$PWD"
    printf 'next        docs/guide/first_mechanism.md\n'
    ;;
check)
    need python python-dev c++
    web_tools || say "the tests of the page are skipped"
    run_tests release -DCARDAN_EXTENSION=ON
    ;;
newcomer)
    need
    web_tools
    node tests/web/newcomer.mjs build/release/cli/cardan "$PWD" build/newcomer
    ;;
web)
    web_tools
    node web/build.mjs
    ;;
build)
    case ${1:-} in clang) need clang ;; fuzz) need fuzzer ;; *) need ;; esac
    configure "${1:?which preset?}"
    build "$1"
    ;;
test)
    case ${1:-} in clang) need python c++ clang ;; *) need python c++ ;; esac
    preset=${1:?which preset?}
    shift
    run_tests "$preset" -DCARDAN_EXTENSION=OFF "$@"
    ;;
docs)
    need python python-dev
    configure release -DCARDAN_EXTENSION=ON -DPython3_EXECUTABLE="$(python)"
    build release methods cardan_cli cardan_package
    build/release/tools/methods/methods write docs/methods
    python3 tools/gen_items.py build/release/cli/cardan
    python3 tools/gen_messages.py
    python3 tools/gen_verbs.py build/release/cli/cardan
    PYTHONPATH=build/release/python/package python3 tools/gen_stubs.py
    "$(python)" tools/site/build.py build/release/cli/cardan build/site
    ;;
figures)
    need
    configure release
    build release cardan_cli
    python3 tools/figures.py build/release/cli/cardan
    python3 tools/gen_items.py build/release/cli/cardan
    ;;
format)
    need clang-format git
    sources | xargs clang-format -i
    ;;
lint)
    need clang-format shellcheck git
    sources | xargs clang-format --dry-run --Werror
    wide=$(sources | LC_ALL=C.UTF-8 xargs grep -nE '^.{101}' || true)
    [ -z "$wide" ] || { say "lines of more than 100 columns"; say "$wide"; exit 1; }
    python3 tools/check_layers.py src
    python3 tools/gen_pow10.py --check
    python3 tools/gen_messages.py --check
    shellcheck ./do ./.ci/run ./bench/run
    ;;
fuzz)
    need fuzzer
    configure fuzz
    # shellcheck disable=SC2046 # a list of words
    build fuzz $(basename -s .c tests/fuzz/fuzz_*.c)
    for source in tests/fuzz/fuzz_*.c; do
        name=$(basename "$source" .c | sed 's/^fuzz_//')
        target=build/fuzz/tests/fuzz/fuzz_$name
        case ${2:-all} in all | "$name") ;; *) continue ;; esac
        mkdir -p "build/fuzz/corpus/$name"
        say "fuzzing $name"
        dict=
        more=
        [ ! -d "tests/$name/kernels" ] || more=tests/$name/kernels
        [ ! -f "tests/fuzz/$name.dict" ] || dict=-dict=tests/fuzz/$name.dict
        # shellcheck disable=SC2086 # no words for what is not there
        "$target" -runs="${1:-1000000}" -max_total_time="${3:-0}" -max_len=4096 -verbosity=0 -print_final_stats=1 $dict \
            "build/fuzz/corpus/$name" "tests/fuzz/corpus/$name" $more >"build/fuzz/$name.log" 2>&1 ||
            { tail -n 60 "build/fuzz/$name.log" >&2; say "fuzzing $name found something"; exit 1; }
        grep -E 'number_of_executed|average_exec' "build/fuzz/$name.log" >&2
    done
    ;;
wheel)
    need python python-dev venv
    PYTHONPATH='' "$(python)" tools/check_wheel.py build/wheel "$@"
    ;;
mutate)
    need python c++ git
    "$(python)" tools/mutate.py "$@"
    ;;
nightly)
    ./do test asan
    ./do test tsan
    ./do test clang
    ./do mutate --sample 40
    ./do wheel
    ;;
bench)
    need
    exec bench/run "$@"
    ;;
help | -h | --help)
    usage
    ;;
*)
    say "./do: there is no command '$command'"
    usage >&2
    exit 2
    ;;
esac
