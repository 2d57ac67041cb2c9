#!/bin/sh
# weft fetch as a shell sees it: lists from arguments, files and pipes; order, races, closed pipes,
# bodies as files; and that a long list takes no more memory than a short one.
set -u
. test/cli/common

lines() { wc -l <"$work/out" | tr -d ' '; }

mkdir -p "$work/site/sub"
for n in 1 2 3 4 5 6; do
    echo "<title>$n</title><a href=page1.html>1</a>" >"$work/site/page$n.html"
done
echo "plain" >"$work/site/sub/notes.txt"
printf 'User-agent: *\nDisallow: /page6\n' >"$work/site/robots.txt"
serve "$work/site"

# --- where the list comes from ---------------------------------------------------------------------
run 0 fetch "${url}page1.html" "${url}page2.html" "${url}page1.html"
try "as often as listed, nothing followed" test "$(sort "$work/out" | tr '\n' ' ')" = \
    "200 ${url}page1.html 200 ${url}page1.html 200 ${url}page2.html "
says "3 pages fetched, 0 failed"
printf '\357\273\277# list\r\n%spage1.html\r\n\r\n%spage2.html' "$url" "$url" >"$work/list"
run 0 fetch -i "$work/list"
try "-i FILE" test "$(lines)" = 2
"$weft" fetch -q -o - <"$work/list" >"$work/out" 2>"$work/err"
try "standard input without -i" test "$(lines)" = 2
run 0 fetch -i "$work/list" "${url}page3.html" "${url#http://}page4.html"
try "arguments and files" test "$(lines)" = 4
says "has no scheme: taken as http://"
run 2 fetch
says "the input holds no URL"
echo kept >"$work/kept.jsonl"
printf '\357\273\277# a list\r\n\r\n \t\n  # of nothing' >"$work/says-nothing"
: >"$work/empty"
run 2 fetch -o "$work/kept.jsonl" --overwrite
run 2 fetch -i "$work/empty" -i "$work/says-nothing" -i /dev/null -o "$work/kept.jsonl" --overwrite
says "the input holds no URL"
try "no URL: the output is as it was" test "$(cat "$work/kept.jsonl")" = kept
printf '\n# one\n%spage1.html' "$url" >>"$work/says-nothing"
run 0 fetch -q -i "$work/empty" -i "$work/says-nothing" -o "$work/kept.jsonl" --overwrite
try "a URL behind comments is fetched" test "$(wc -l <"$work/kept.jsonl")" = 1
run 2 fetch "not a url"
run 2 fetch "${url}page1.html" ftp://x
try "a wrong argument: nothing is fetched" test ! -s "$work/out"
run 2 fetch -i "$work/none"
says "none: No such file"
run 2 fetch --ordered --race "$url"
says "exclude each other"
run 2 fetch --state "$work/state" "$url"
run 2 fetch -u a:b -i "$work/list"
says "are sent to the hosts of the URLs given as arguments"
run 2 fetch --head --save "$work/saved" "$url"
run 1 fetch -i /proc/self/mem "${url}page1.html"
says "/proc/self/mem: Input/output error"

# --- a list that was stopped ------------------------------------------------------------------------
printf '%s\n' "${url}page1.html" "${url}page2.html" "no URL" "${url}page3.html" "${url}page4.html" >"$work/five"
run 0 fetch --ordered -n 2 -i "$work/five" -o "$work/five.jsonl"
try "it stopped" test "$(wc -l <"$work/five.jsonl")" = 2
tail -n +$(($(wc -l <"$work/five.jsonl") + 1)) "$work/five" >"$work/rest"
run 0 fetch --ordered --append --fail-on none -i "$work/rest" -o "$work/five.jsonl"
try "it goes on behind as many lines as its output has" test \
    "$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$work/five.jsonl" | tr '\n' ' ')" = "$(tr '\n' ' ' <"$work/five")"
run 2 fetch -i "$work/five" -o "$work/five.jsonl"
says "exists already: --append adds to it, --overwrite replaces it"

# --- failures end nothing --------------------------------------------------------------------------
printf 'nonsense words\n%spage1.html\nhttp://127.0.0.1:1/\n%smissing\nftp://x/\n' "$url" "$url" >"$work/mixed"
run 1 fetch --retries 0 -i "$work/mixed"
try "each line is told" test "$(sort "$work/out" | tr '\n' ' ')" = \
    "200 ${url}page1.html 404 ${url}missing failed connection http://127.0.0.1:1/ skipped bad_url ftp://x/ skipped bad_url nonsense words "
run 0 fetch --fail-on none --retries 0 -i "$work/mixed"
run 4 fetch "${url}missing"
esc=$(printf '\033')
printf '%s[31mred\nhttp://a\0b/\n' "$esc" >"$work/hostile"
run 4 fetch -i "$work/hostile"
try "no escape reaches the terminal" sh -c "! cat '$work/out' '$work/err' | grep -q '$esc'"
try "both lines are told" test "$(lines)" = 2
head -c 3000000 /dev/zero | tr '\0' 'x' >"$work/long"
run 4 fetch -i "$work/long"
try "a line of megabytes is one record" test "$(lines)" = 1
try "... of a limit" grep -q '^skipped limit xxx' "$work/out"

# --- order, engines --------------------------------------------------------------------------------
for n in 5 3 1 4 2; do echo "${url}slow?ms=${n}0"; done >"$work/slow"
for engine in sync threads events; do
    run 0 fetch --ordered -e $engine -i "$work/slow"
    try "--ordered, $engine" sh -c "sed 's/^200 //' '$work/out' | cmp - '$work/slow'"
done
run 0 fetch -n 2 -i "$work/slow"
try "-n 2 requests the first two" test "$(sort "$work/out" | tr '\n' ' ')" = "200 ${url}slow?ms=30 200 ${url}slow?ms=50 "
says "ended: max_pages, 0 URLs left, the list not read to its end"
run 1 fetch --fail-on limit -n 2 -i "$work/slow"
run 0 fetch -q -o - "${url}redirect/2"
try "redirects are one record" test "$(lines)" = 1
try "... with the facts of the end" grep -q '"status":200,"final_url":"[^"]*","redirects":\[{"status":302' "$work/out"
run 0 fetch --head -q -o - "${url}page1.html"
try "--head: no body" grep -q '"bytes":0' "$work/out"

# --- robots ----------------------------------------------------------------------------------------
run 0 fetch "${url}page6.html"
run 4 fetch --robots "${url}page6.html"
try "--robots obeys" grep -qx "skipped robots ${url}page6.html" "$work/out"

# --- races -----------------------------------------------------------------------------------------
run 0 fetch --race "${url}hang" "${url}missing" "${url}page1.html"
try "the winner alone is told" test "$(cat "$work/out")" = "200 ${url}page1.html"
says "1 page fetched, 0 failed, 0 skipped"
for engine in sync events; do
    run 0 fetch --race -e $engine "${url}missing" "${url}page1.html" "${url}hang"
    try "--race, $engine" test "$(cat "$work/out")" = "200 ${url}page1.html"
done
run 4 fetch --race --retries 0 "${url}missing" http://127.0.0.1:1/ "${url}status/500"
try "all failed: each is told" test "$(tr '\n' ' ' <"$work/out")" = \
    "404 ${url}missing failed connection http://127.0.0.1:1/ $(sed -n 3p "$work/out") "

# --- bodies ----------------------------------------------------------------------------------------
host=${url#http://} host=${host%/}
run 0 fetch --save "$work/saved" "${url}page1.html" "${url}page2.html" "${url}sub/notes.txt"
for page in page1.html page2.html sub/notes.txt; do
    found=$(find "$work/saved" -type f -path "*/$page")
    try "$page is saved as it is" cmp "$work/site/$page" "$found"
done
try "nothing else is" test "$(find "$work/saved" -type f | wc -l)" = 3

run 0 fetch -q --body --ordered -o - "${url}page1.html" "${url}sub/notes.txt"
try "--body: the page is in its record" grep -qF '"content":"<title>1</title><a href=page1.html>1</a>\n"' "$work/out"
try "--body: what is no HTML too" grep -qF '"content":"plain\n"' "$work/out"
run 0 fetch -q -o - "${url}sub/notes.txt"
try "without --body: no content" sh -c "! grep -q content_base64 '$work/out' && ! grep -q '\"content\"' '$work/out'"

# --- outputs that break, hosts that do -----------------------------------------------------------------
run 3 fetch -o /dev/full "${url}page1.html"
says "No space left on device"
run 3 fetch --ordered -o /dev/full -i "$work/slow"
run 3 fetch --save "$work/mixed/below-a-file" "${url}page1.html"
run 0 fetch -q --race --save "$work/raced" "${url}hang" "${url}page1.html"
try "--race saves the winner" test "$(find "$work/raced" -type f | wc -l)" = 1
yes http://127.0.0.1:1/x | head -n 30 >"$work/dead"
run 4 fetch --retries 0 --host-failures 5 -j 1 -i "$work/dead"
try "a host that fails is given up" test "$(grep -c '^failed host ' "$work/out")" = 25

# --- pipes -----------------------------------------------------------------------------------------
# An endless list, until the reader has enough.
for to in "" "-o -" "--ordered"; do
    # shellcheck disable=SC2086 # words
    {
        yes "${url}page1.html" | timeout 60 "$weft" fetch $to 2>"$work/err"
        echo $? >"$work/code"
    } | head -n 3 >"$work/out"
    try "three lines of an endless list (fetch $to)" test "$(lines)" = 3
    try "a closed pipe ends with 3 (fetch $to)" test "$(cat "$work/code")" = 3
done
# A list that comes line by line: each result is there before the next line is written.
mkfifo "$work/in" "$work/results"
"$weft" fetch -i "$work/in" >"$work/results" 2>"$work/err" &
fetching=$!
exec 4<"$work/results" 3>"$work/in"
for n in 1 2 3; do
    echo "${url}page$n.html" >&3
    IFS= read -r line <&4
    try "line $n has its result at once" test "$line" = "200 ${url}page$n.html"
done
exec 3>&-
wait $fetching
try "the end of the pipe ends the list" test $? = 0
exec 4<&-
# A signal ends it while nothing comes.
"$weft" fetch -i "$work/in" >"$work/results" 2>"$work/err" &
fetching=$!
exec 4<"$work/results" 3>"$work/in"
echo "${url}page1.html" >&3
IFS= read -r line <&4
kill -INT $fetching
wait $fetching
try "SIGINT while the pipe is silent" test $? = 130
exec 3>&- 4<&-

# --- memory ----------------------------------------------------------------------------------------
# Peak memory of a list, in KiB; lines that need no request, for speed.
peak() { # peak LINES
    yes "no url at all, and this line is as long as a URL of the usual kind may be in a list" |
        head -n "$1" >"$work/many"
    run 4 fetch --fail-on none -i "$work/many"
    python3 - "$weft" "$work/many" <<'PYTHON'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "fetch", "-q", "-i", sys.argv[2]])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
}
case ${O:-} in
*address* | *thread*) ;; # sanitizers keep what was freed
*)
    if command -v python3 >/dev/null 2>&1; then
        few=$(peak 1000) many=$(peak 300000)
        try "300000 lines take no more memory than 1000 ($few KiB, $many KiB)" test "$many" -lt $((few + 4000))
    fi
    ;;
esac
finish
