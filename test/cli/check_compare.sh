#!/bin/sh
# weft compare as a shell sees it: every engine on a small site of its own, the reports, what it
# refuses, and that it ends with its children when it is told to.
set -u
. test/cli/common
export TMPDIR="$work"

small="-n 12 --latency 1ms --page-size 500 --links 5 --fan-out 3"
# shellcheck disable=SC2086 -- words
run 0 compare $small -j 4,1,4 --html "$work/c.html" --csv "$work/c.csv" --json "$work/c.json"
try "a line for each run" test "$(grep -cE '^(sync|threads|events|events\+parse) +[14] +12 +0 ' "$work/out")" = 7
try "sync has one rung" test "$(grep -cE '^sync +1 ' "$work/out")" = 1
try "in words" grep -q '^threads: throughput .* Right: --jobs [14]\.$' "$work/out"
try "the server saw 4 at once at most" sh -c "! awk 'NR > 1 && \$2 ~ /^[0-9]+\$/ && \$13 > \$2' '$work/out' | grep ."
try "the floor is known" sh -c "! awk 'NF == 13 && NR > 1 { print \$6 }' '$work/out' | grep -v '^0\.0[0-9][0-9]\$'"
try "CSV: a heading and 7 rows" test "$(wc -l <"$work/c.csv")" = 8
try "JSON: 7 rows" test "$(grep -o '"engine"' "$work/c.json" | wc -l)" = 7
try "the page has four timelines" test "$(grep -c 'class="lanes"' "$work/c.html")" = 4
try "the page has curves" test "$(grep -c '<figure' "$work/c.html")" -ge 4
try "nothing is left behind" sh -c "! ls -d '$work'/weft-compare-* 2>/dev/null | grep ."
run 2 compare $small --csv "$work/c.csv"
says "--overwrite replaces it"
run 0 compare $small -q -j 2 -e threads --csv "$work/c.csv" --overwrite
try "-q prints nothing" test ! -s "$work/out"
run 3 compare $small -q -j 2 -e threads --json /dev/full
says "No space left on device"

# A server that refuses shows where errors begin.
run 0 compare -n 25 --latency 200ms --page-size 500 --fan-out 20 -j 2,32 -e events --server-limit 8
try "errors begin above the server's limit" grep -q '^events: .*Errors begin at --jobs 32 .* Right: --jobs 2\.' "$work/out"

# A URL of one's own.
mkdir "$work/site"
echo '<a href=a.html>a</a><a href=gone.html>b</a>' >"$work/site/index.html"
echo '<title>a</title>' >"$work/site/a.html"
serve "$work/site"
run 0 compare "$url" -j 1,3 -e threads,events
try "two pages, an error, in each run" test "$(grep -cE ' +2 +1 ' "$work/out")" = 4
run 0 compare "${url}gen/pages=30,links=4,fan=3,ms=20/0.html" -j 1,3 -e sync,events
try "the floor is learnt from the sync run" sh -c "awk '\$1 == \"events\" && \$2 == 3  && \$6 >= 0.2 && \$7 > 0' '$work/out' | grep -q ."
stop_server
run 4 compare "$url" -j 1 -e sync

# Somebody else's host is not tried without asking, and there is nobody to ask.
run 2 compare http://weft.invalid/ -j 1,2
says "nobody can be asked"
run 2 compare http://a/ http://b/
says "one URL at a time"
run 2 compare -j 0
run 2 compare -j 1,x
run 2 compare -e fast
run 2 compare --latency 1 http://127.0.0.1:1/
says "not for a URL"

# Ctrl-C: the crawl that runs is ended too, what was measured is told, and nothing is left behind.
mkfifo "$work/lines"
"$weft" compare -n 40 --latency 2s -j 1 -e threads >"$work/lines" 2>"$work/err" &
pid=$!
exec 5<"$work/lines"
IFS= read -r line <&5
children() {
    grep -ls "^PPid:[[:space:]]$pid\$" /proc/[0-9]*/status | sed 's/[^0-9]//g' >"$work/children"
    test -s "$work/children"
}
eventually "a crawl runs" children
kill -INT "$pid"
wait "$pid"
try "interrupted: 130" test $? = 130
gone() { ! kill -0 "$(cat "$work/children")" 2>/dev/null; }
eventually "its crawl has ended" gone
exec 5<&-
try "interrupted: nothing is left behind" sh -c "! ls -d '$work'/weft-compare-* 2>/dev/null | grep ."
finish
