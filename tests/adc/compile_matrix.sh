#!/bin/sh
# compile_matrix.sh - the generated code compiles without a warning and runs right in gcc and clang
# at every level of optimisation
#
# usage: compile_matrix.sh SOURCE_DIR GENERATED_DIR LIBRARY WORK_DIR
#
# beam_settings are the flags under which the prototype's beam crashed; alignment.py says why.
set -e
source=$1 generated=$2 library=$3 work=$4
mkdir -p "$work"
warn="-std=c17 -Wall -Wextra -Wpedantic -Wshadow -Werror"
include="-I$source/tests -I$source/tests/adc -I$source/tests/adc/kernels -I$generated"
include="$include -I$source/src -I$source/include"
plain="-ffp-contract=off -fno-math-errno -fno-trapping-math"

one() { # compiler, name, flags...
    cc=$1 name=$2
    shift 2
    command -v "$cc" >/dev/null || { echo "$name: no $cc here"; return 0; }
    $cc $warn $plain "$@" $include -c "$source/tests/adc/cases.c" -o "$work/$name.o"
    $cc "$work/$name.o" "$work/rest.a" "$library" -lquadmath -lm -lpthread -o "$work/$name" $link
    "$work/$name" > "$work/$name.log" || { echo "$name failed"; cat "$work/$name.log"; exit 1; }
    echo "$name: $(tail -1 "$work/$name.log")"
}

cc -std=c17 -O2 $plain -w $include -c "$source/tests/adc/witness.c" -o "$work/witness.o"
cc -std=c17 -O2 $plain -w $include -c "$source/tests/adc/points.c" -o "$work/points.o"
cc -std=c17 -O2 $plain -w $include -c "$source/tests/adc/test_kernels.c" -o "$work/test_kernels.o"
cc -std=c17 -O2 $plain -w $include -c "$source/tests/test.c" -o "$work/test.o"
rm -f "$work/rest.a"
ar rc "$work/rest.a" "$work/witness.o" "$work/points.o" "$work/test_kernels.o" "$work/test.o"

for level in 0 1 2 3; do
    one gcc gcc_O$level -O$level
    one clang clang_O$level -O$level
done
one gcc beam_settings -O3 -march=native -fno-tree-slp-vectorize
