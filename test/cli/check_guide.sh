#!/bin/sh
# docs/from-concurrent-futures.md: every C program compiles without a warning and runs; every Python
# program runs, if there is a python3; and the two of a pair print the same.
set -u
. test/cli/common

guide=docs/from-concurrent-futures.md
# Block number N goes to N.py or N.c; the prelude goes in front of each C program.
awk -v dir="$work" '
    /^```c prelude/ { out = dir "/prelude.c"; next }
    /^```python/    { out = dir "/" ++pairs ".py"; next }
    /^```c/         { out = dir "/" pairs ".c"; next }
    /^```/          { out = ""; next }
    out             { print > out }
    END             { print pairs > (dir "/pairs") }' "$guide"
pairs=$(cat "$work/pairs")
try "the guide has pairs" test "$pairs" -ge 10

flags="-std=c11 -pthread -Wall -Wextra -Werror -Wno-unused-function -Iinclude"
case ${O:-build/plain} in
*/thread) flags="$flags -fsanitize=thread" ;;
*/address) flags="$flags -fsanitize=address,undefined" ;;
*/cov) flags="$flags --coverage" ;;
esac

# The library is linked by its objects: what a futures program needs, and nothing else.
# shellcheck disable=SC2086 -- flags are meant to be split
compile() {
    cat "$work/prelude.c" "$work/$1.c" >"$work/whole$1.c"
    ${CC:-cc} $flags -o "$work/program$1" "$work/whole$1.c" "${O:-build/plain}"/src/exec/*.o "${O:-build/plain}"/src/base/*.o -lm
}
n=1
while [ "$n" -le "$pairs" ]; do
    try "C program $n compiles" compile "$n"
    try "C program $n runs" sh -c "timeout 20 '$work/program$n' >'$work/$n.c.out'"
    try "C program $n prints something" test -s "$work/$n.c.out"
    if command -v python3 >/dev/null; then
        try "Python program $n runs" sh -c "timeout 20 python3 '$work/$n.py' >'$work/$n.py.out'"
        try "pair $n prints the same" diff "$work/$n.py.out" "$work/$n.c.out"
    fi
    n=$((n + 1))
done
finish
