#!/bin/sh
# weft crawl as a shell sees it: what goes to which stream, exit codes, signals, broken outputs.
set -u
. test/cli/common

lines() { wc -l <"$work/out" | tr -d ' '; }
empty_err() { try "$1: nothing on standard error" test ! -s "$work/err"; }

mkdir "$work/site"
{
    for n in 1 2 3 4 5 6 7 8; do echo "<a href=page$n.html>$n</a>"; done
} >"$work/site/index.html"
for n in 1 2 3 4 5 6 7 8; do echo "<title>$n</title>" >"$work/site/page$n.html"; done
echo '<a href=/hang>never</a>' >"$work/site/waits.html"
{
    for n in 1 2 3 4 5 6 7 8 9; do echo "<a href='/slow?ms=20&n=$n'>$n</a>"; done
} >"$work/site/slowly.html"
serve "$work/site"

# --- streams ---------------------------------------------------------------------------------------
run 0 crawl "$url"
try "a line for each page" test "$(lines)" = 9
try "the seed's line comes first" test "$(head -n 1 "$work/out")" = "200 $url"
says "9 pages fetched, 0 failed, 0 skipped"
says "ended: finished, 0 URLs left"
run 0 crawl -q "$url"
try "-q: nothing on standard output" test ! -s "$work/out"
empty_err "-q"
run 0 crawl -q -o - "$url"
try "-o -: nine objects" test "$(grep -c '^{"url":".*}$' "$work/out")" = 9
try "-o -: nothing else" test "$(lines)" = 9
empty_err "-q -o -"
run 0 crawl -o "$work/pages.jsonl" "$url"
try "-o FILE: no lines" test ! -s "$work/out"
try "-o FILE: nine records" test "$(wc -l <"$work/pages.jsonl")" = 9
for engine in sync threads events; do
    run 0 crawl -e $engine -j 3 "$url"
    sort "$work/out" >"$work/pages.$engine"
done
try "sync and threads print the same lines" cmp "$work/pages.sync" "$work/pages.threads"
try "sync and events print the same lines" cmp "$work/pages.sync" "$work/pages.events"
run 0 crawl -v "$url"
says "requests  fetched   failed"

run 0 crawl -q --summary-json "$work/summary.json" "$url"
try "--summary-json: pages and what they cost" \
    grep -qE '"ended":"finished","fetched":9,.*"peak_rss_kib":[1-9][0-9]*,"threads":[1-9]' "$work/summary.json"
run 2 crawl --summary-json "$work/summary.json" "$url"
says "--overwrite replaces it"
run 3 crawl --summary-json "$work" "$url"
run 3 crawl -q --summary-json /dev/full "$url"
says "No space left on device"

# --- seeds -----------------------------------------------------------------------------------------
printf '\357\273\277# list\r\n%spage1.html\r\n\r\n%spage2.html' "$url" "$url" >"$work/list"
run 0 crawl -d 0 -i "$work/list"
try "-i FILE: both pages" test "$(sort "$work/out" | tr '\n' ' ')" = "200 ${url}page1.html 200 ${url}page2.html "
"$weft" crawl -q -o - -d 0 -i - <"$work/list" >"$work/out" 2>&1
try "-i - reads standard input" test "$(lines)" = 2
run 0 crawl -d 0 "${url#http://}"
says "has no scheme: taken as http://127.0.0.1"

# --- long URLs -------------------------------------------------------------------------------------
long=$(head -c 9000 /dev/zero | tr '\0' x)
run 2 crawl "${url}?$long"
says "longer than --max-url, which is 8000"
run 0 crawl --max-url 16384 -d 0 "${url}?$long"
printf '%s\n' "${url}?$long" >"$work/long"
run 0 crawl --max-url 16384 -d 0 -i "$work/long"
run 0 fetch --max-url 16384 "${url}?$long"
run 2 crawl --max-url 16385 "$url"
says "--max-url"

# --- exit codes ------------------------------------------------------------------------------------
run 1 crawl "$url" "${url}missing.html"
try "a missing page is told by its status" grep -qx "404 ${url}missing.html" "$work/out"
run 0 crawl --fail-on none "$url" "${url}missing.html"
run 1 crawl --fail-on any "$url" "${url}missing.html"
run 0 crawl --fail-on limit -n 99 "$url"
run 1 crawl --fail-on limit -n 3 "$url"
try "-n 3 requests three" test "$(lines)" = 3
says "ended: max_pages, 6 URLs left"
run 0 crawl -n 3 "$url"
run 1 crawl -n 1 "$url" "${url}page1.html"
run 4 crawl "${url}missing.html"
run 4 crawl --fail-on none "${url}missing.html"

# --- outputs that break ----------------------------------------------------------------------------
run 3 crawl -o /dev/full "$url"
says "No space left on device"
run 3 crawl -q -c "$work/none/jar" "$url"
says "can't write $work/none/jar: No such file or directory"
run 0 crawl -q -c - "$url"
try "-c - is standard output" grep -q "Netscape HTTP Cookie File" "$work/out"
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/jar" &
reader=$!
exec 3>"$work/pipe" # waits for the reader, and keeps it
run 0 crawl -q -c "$work/pipe" "$url"
exec 3>&-
wait $reader
try "a pipe gets the cookies, once" test "$(grep -c "Netscape HTTP Cookie File" "$work/jar")" = 1
run 3 crawl -q -c "$work/pipe" "$url"
says "can't write $work/pipe: nobody reads it"
"$weft" crawl "$url" >/dev/full 2>"$work/err"
try "lines to /dev/full end with 3" test $? = 3
says "standard output: No space left on device"
says "ended: output_failed"
"$weft" crawl "$url" >&- 2>"$work/err"
try "lines to a closed descriptor end with 3" test $? = 3
for to in "" "-o -"; do
    # shellcheck disable=SC2086 # two words or none
    { "$weft" crawl $to "$url" 2>"$work/err"; echo $? >"$work/code"; } | :
    try "a closed pipe ends with 3 (crawl $to)" test "$(cat "$work/code")" = 3
    says "Broken pipe"
done
run 3 crawl -o "$work/none/pages.jsonl" "$url"
says "No such file"
run 2 crawl -o "$work/pages.jsonl" "$url"
says "pages.jsonl"
try "an output that exists is left alone" test "$(wc -l <"$work/pages.jsonl")" = 9
run 0 crawl --append -o "$work/pages.jsonl" "$url"
try "--append adds" test "$(wc -l <"$work/pages.jsonl")" = 18
run 0 crawl --overwrite -o "$work/pages.jsonl" "$url"
try "--overwrite replaces" test "$(wc -l <"$work/pages.jsonl")" = 9

# --- signals ---------------------------------------------------------------------------------------
# Starts a crawl that hangs on one page and waits until that page is in flight, which the line that
# SIGUSR1 asks for tells.
hang() { # hang ARGUMENT...
    : >"$work/out" # or the lines of the last run would be taken for this one's
    "$weft" crawl "$@" "${url}waits.html" >"$work/out" 2>"$work/err" &
    crawl=$!
    eventually "waits.html is a line at once" grep -q waits.html "$work/out"
    eventually "SIGUSR1 tells what is in flight" in_flight
}
in_flight() {
    kill -USR1 $crawl 2>/dev/null
    grep -q "/hang" "$work/err"
}
ends() { # ends CODE WHAT
    wait $crawl
    try "$2 ends with $1" test $? = "$1"
    try "$2: what was finished is there" grep -q "^200 ${url}waits.html" "$work/out"
}
hang -e threads --grace 0.1
kill -INT $crawl
ends 130 "SIGINT"
says "stopping: what is in flight may finish"
says "ended: interrupted"
try "the page in flight is recorded as interrupted" grep -q "^failed interrupted ${url}hang" "$work/out"
hang -e threads --grace 1h --timeout 1h --read-timeout 1h
kill -INT $crawl
eventually "the first SIGINT is gentle" grep -q "may finish" "$work/err"
kill -INT $crawl
ends 130 "SIGINT twice"
says "stopping now"
hang -e threads --grace 0.1
kill -TERM $crawl
ends 143 "SIGTERM"
hang -e sync --grace 0.1
kill -INT $crawl
ends 130 "SIGINT with -e sync"
hang -e sync --grace 0.1 --read-timeout 1h --timeout 1h
kill -INT $crawl
ends 130 "SIGINT with -e sync"
run 0 crawl -e sync --max-time 0.2 --grace 0.1 --read-timeout 1h --timeout 1h "${url}waits.html"
says "ended: max_time"
hang -e events --grace 0.1
kill -INT $crawl
ends 130 "SIGINT with -e events"

# --- a terminal ------------------------------------------------------------------------------------
if command -v script >/dev/null 2>&1; then
    esc=$(printf '\033')
    on_terminal() { script -qec "$weft crawl $* $url" /dev/null >"$work/out" 2>&1 </dev/null; }
    on_terminal
    try "pages and summary on a terminal" sh -c "grep -q '200 ${url}page8' '$work/out' && grep -q 'ended: finished' '$work/out'"
    on_terminal --no-progress
    try "--no-progress: no control characters" sh -c "! grep -q '$esc' '$work/out'"
    run 0 crawl "$url"
    try "without a terminal: no control characters" sh -c "! cat '$work/out' '$work/err' | grep -q '$esc'"
fi

# --- the server dies -------------------------------------------------------------------------------
dies() { # dies CODE ARGUMENT...: the server is killed once three pages are in
    code=$1
    shift
    rm -f "$work/pipe"
    mkfifo "$work/pipe"
    "$weft" crawl -j 1 --retries 0 "$@" "${url}slowly.html" >"$work/pipe" 2>"$work/err" &
    crawl=$!
    {
        for _ in 1 2 3; do IFS= read -r page; echo "$page"; done
        kill -KILL "$server"
        cat
    } <"$work/pipe" >"$work/out"
    wait $crawl
    try "a server that dies: exit code $code with $*" test $? = "$code"
    wait "$server" 2>/dev/null
    try "the rest failed" grep -q '^failed connection ' "$work/out"
    try "nothing is left" grep -q 'ended: finished, 0 URLs left' "$work/err"
}
dies 0 --fail-on seed
serve "$work/site"
dies 1 --fail-on any
run 4 crawl --retries 0 "$url"
server=
finish
