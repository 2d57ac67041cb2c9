#!/bin/sh
# docs/drop-in.md: the crawler before and the crawler after, compiled as they stand there, print the
# same lines for the same site; with the sync engine in the same order. How long both took is
# printed, and judged by nobody.
set -u
: "${CC:=cc}" "${O:=build/plain}"
. test/cli/common

case $(basename "$O") in
address) flags=-fsanitize=address,undefined ;;
thread) flags=-fsanitize=thread ;;
cov) flags=--coverage ;;
*) flags= ;;
esac
libraries=$(env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -f - 2>/dev/null <<'MAKE'
include Makefile
.DEFAULT_GOAL := said
said: ; @echo $(call libs,crawl)
MAKE
)

awk -v to="$work" '
    /^```c program$/ { out = to "/" (n++ ? "after" : "before") ".c"; next }
    /^```/ { out = ""; next }
    out { print > out }' docs/drop-in.md
compile() { # compile NAME
    # shellcheck disable=SC2086 # flags and libraries are lists
    $CC -std=c11 -pthread -Wall -Wextra -Werror $flags -Iinclude -o "$work/$1" "$work/$1.c" \
        "$O/libweft.a" $libraries
}
for program in before after; do
    try "$program compiles" compile $program
done
sed 's/\.jobs = 16,/.jobs = 16, .engine = WEFT_ENGINE_SYNC,/' "$work/after.c" >"$work/sync.c"
try "after with the sync engine compiles" compile sync

# 150 pages in a tree, with links back, to what is missing, elsewhere and to parts of pages.
mkdir -p "$work/site/sub"
n=0
while [ $n -lt 150 ]; do
    {
        echo "<!DOCTYPE html><title>$n</title><a href=\"/\">home</a> <a href=\"missing$((n % 3)).html\">gone</a>"
        echo "<a href=\"#here\">part</a> <a href=\"http://elsewhere.example/$n\">away</a>"
        for child in $((n * 3 + 1)) $((n * 3 + 2)) $((n * 3 + 3)); do
            [ $child -ge 150 ] || echo "<a href=\"/sub/../$child.html#top\">$child</a>"
        done
    } >"$work/site/$n.html"
    n=$((n + 1))
done
mv "$work/site/0.html" "$work/site/index.html"
serve --delay 0.02 "$work/site"

took() { # took PROGRAM: runs it, prints milliseconds
    start=$(date +%s%N)
    timeout 120 "$work/$1" "$url" >"$work/$1.out" 2>"$work/$1.err" || echo "$1 failed" >&2
    echo $((($(date +%s%N) - start) / 1000000))
}
before=$(took before) after=$(took after)
took sync >/dev/null
try "there are 150 pages and three that are missing" test "$(wc -l <"$work/before.out")" = 153
sort "$work/before.out" >"$work/before.sorted"
sort "$work/after.out" >"$work/after.sorted"
try "both print the same lines" diff "$work/before.sorted" "$work/after.sorted"
try "with the sync engine in the same order" diff "$work/before.out" "$work/sync.out"
try "no complaint" sh -c "! cat '$work'/*.err | grep ."
echo "before: $before ms, after: $after ms"
finish
