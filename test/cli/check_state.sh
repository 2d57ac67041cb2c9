#!/bin/sh
# --state as a shell sees it: going on after an end of any kind, what is refused, what a broken file
# or disk leads to, crawling again, weft status. (test/cli/check_kill.sh has the kills.)
set -u
. test/cli/common

mkdir "$work/site"
{
    for n in 1 2 3 4 5 6 7 8 9; do echo "<a href=page$n.html>$n</a>"; done
} >"$work/site/index.html"
for n in 1 2 3 4 5 6 7 8 9; do
    echo "<title>$n</title> <a href=more$n.html>m</a>" >"$work/site/page$n.html"
    echo "<title>more $n</title>" >"$work/site/more$n.html"
done
serve "$work/site"
state=$work/s.db
ask() { sqlite3 "$state" "$1" 2>/dev/null || python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep="|")' "$state" "$1"; }
urls() { sed 's/^{"url":"\([^"]*\)".*/\1/' "$1" | sort; }

# --- a budget ends each run; the same command goes on -----------------------------------------------
runs=0
while [ $runs -lt 30 ]; do
    "$weft" crawl -q --state "$state" -n 4 -o "$work/x.jsonl" -o "$work/x.db" "$url" 2>"$work/err"
    runs=$((runs + 1))
    [ "$(ask "SELECT count(*) FROM urls WHERE place <> 2")" = 0 ] && break
done
try "19 pages by fours take five runs" test $runs = 5
try "each page is recorded once" test "$(urls "$work/x.jsonl" | uniq | wc -l)" = 19
try "... and none twice" test "$(wc -l <"$work/x.jsonl")" = 19
try "the results are in the state file too" test "$(ask "SELECT count(*), count(DISTINCT url) FROM pages")" = "19|19"
run 0 crawl --state "$state" -o "$work/x.jsonl" -o "$work/x.db" "$url"
says "0 pages fetched"
says "19 pages had been fetched by earlier runs"
try "nothing was added" test "$(wc -l <"$work/x.jsonl")" = 19

# --- what would mix two crawls is refused -----------------------------------------------------------
run 2 crawl --state "$state" -o "$work/x.jsonl" -o "$work/x.db" --scope domain "$url"
says "was begun with --scope host"
run 2 crawl --state "$state" -o "$work/x.jsonl" -o "$work/x.db" -d 3 "$url"
says "was begun with no --max-depth"
run 2 crawl --state "$state" -o "$work/x.jsonl" "$url"
says "was begun with the output $work/x.db"
run 2 crawl --state "$state" -o "$work/x.jsonl" -o "$work/x.db" -o "$work/new.csv" "$url"
says "was begun without the output $work/new.csv"
try "the refused output was not made" test ! -e "$work/new.csv"
run 0 crawl --state "$state" -o "$work/x.jsonl" -o "$work/x.db" -e sync -j 1 --delay 0 "$url"
run 2 crawl --recrawl "$url"
says "--recrawl needs"
run 2 crawl --state "$work/y.db" --changes "$work/c.jsonl" "$url"
says "--changes needs"
run 2 crawl --state "$work/y.db" -o "$work/x.jsonl" "$url"
says "exists already"
try "a state that was not begun is not left behind" test ! -e "$work/y.db"

# An output that can't be opened binds the state to nothing: without it, the crawl may begin.
cp "$work/site/index.html" "$work/none.db"
cp "$work/site/index.html" "$work/html.csv"
# unbound CODE OPTION...
unbound() {
    code=$1
    shift
    run "$code" crawl --state "$work/y.db" "$@" "$url"
    try "$*: the state was not begun" test ! -e "$work/y.db"
    run 0 crawl -q --state "$work/y.db" "$url"
    rm "$work/y.db"
}
unbound 3 --save "$work/no/site"
unbound 3 --save "$work/x.db"
unbound 3 --append -o "$work/none.db"
unbound 2 --append -o "$work/html.csv"
unbound 2 --select a=//h1 --select A=//h2
try "what is no database is as it was" cmp "$work/none.db" "$work/site/index.html"

# --- an output that was touched ---------------------------------------------------------------------
echo '{"half' >>"$work/x.jsonl"
run 0 crawl --state "$state" -o "$work/x.jsonl" -o "$work/x.db" "$url"
try "what stood behind the last record is gone" test "$(wc -l <"$work/x.jsonl")" = 19
: >"$work/x.jsonl"
run 3 crawl --state "$state" -o "$work/x.jsonl" -o "$work/x.db" "$url"
says "can't go on with $work/x.jsonl"

# --- status -----------------------------------------------------------------------------------------
run 0 status "$state"
try "status: how many were fetched" grep -q "fetched  *19" "$work/out"
try "status: outputs" grep -q "x.jsonl" "$work/out"
run 3 status "$work/site/index.html"
says "can't read $work/site/index.html: "
run 3 status "$work/site"
says "can't read $work/site: "
run 3 status "$work/nothing"
run 2 status

# --- files that are not what they should be ---------------------------------------------------------
run 3 crawl --state "$work/site/index.html" "$url"
run 3 crawl --state "$work/x.db" "$url"
says "not a state file"
try "a results database is left alone" test "$(python3 -c '
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM pages").fetchone()[0])' "$work/x.db")" = 19
run 3 crawl --state "$work/no/such/folder/s.db" "$url"
run 3 crawl --state "$work" "$url"
run 3 crawl --state /dev/null "$url"
cp "$state" "$work/bad.db"
python3 - "$work/bad.db" <<'P'
import sys
with open(sys.argv[1], "r+b") as f:
    size = f.seek(0, 2)
    f.seek(4096)  # the first page says that it is a state file
    f.write(b"\xff" * (size - 4096))
P
run 3 crawl --state "$work/bad.db" "$url"
says "malformed"

# --- two at once ------------------------------------------------------------------------------------
mkfifo "$work/lines"
echo '<a href="/hang">never</a>' >"$work/site/waits.html"
"$weft" crawl --state "$work/two.db" "${url}waits.html" >"$work/lines" 2>"$work/first.err" &
first=$!
IFS= read -r line <"$work/lines" # its first page is done: it has the file
run 3 crawl --state "$work/two.db" "${url}waits.html"
says "another process is crawling with it"
run 0 status "$work/two.db"
try "status: in use" grep -q "a crawl is using the file" "$work/out"
kill -9 $first
wait $first 2>/dev/null
try "after the kill the hanging page waits" test "$(state=$work/two.db ask "SELECT 1")" = 1

# --- Ctrl-C: what was in flight is asked again ------------------------------------------------------
"$weft" crawl --state "$work/int.db" "${url}waits.html" >"$work/lines" 2>"$work/first.err" &
first=$!
IFS= read -r line <"$work/lines"
kill -INT $first
kill -INT $first
wait $first
try "an interrupted run ends with 130" test $? = 130
state=$work/int.db
try "what was interrupted waits and has no record" test \
    "$(ask "SELECT count(*) FROM urls WHERE place <> 2")$(ask "SELECT count(*) FROM pages")" = 11

# --- full disks -------------------------------------------------------------------------------------
state=$work/full.db
(
    ulimit -f 400 # blocks of 512 bytes or of a KiB
    exec "$weft" crawl -q --state "$state" --commit-pages 5 -o "$work/full.jsonl" \
        "${url}gen/pages=2000,size=200,links=20/0.html"
) 2>"$work/err"
try "a file that may not grow ends the crawl with 3" test $? = 3
run 0 crawl -q --state "$state" -o "$work/full.jsonl" "${url}gen/pages=2000,size=200,links=20/0.html"
try "with room it goes on to the end: 2000 pages" test "$(urls "$work/full.jsonl" | uniq | wc -l)" = 2000
try "... each once" test "$(wc -l <"$work/full.jsonl")" = 2000

# --- crawling again ---------------------------------------------------------------------------------
state=$work/again.db
again() { run 0 crawl --state "$state" --recrawl --changes "$work/c.jsonl" --overwrite "$@" "$url"; }
change() { grep -c "\"change\":\"$1\"" "$work/c.jsonl"; }
again
try "at first all is new" test "$(change new)" = 19
again -o "$work/again.jsonl"
says "compared with before: 0 new, 0 changed, 19 unchanged, 0 gone"
try "unchanged pages are answered with 304" test "$(grep -c '"status":304' "$work/again.jsonl")" = 19
echo "<title>1</title> <a href=fresh.html>f</a> another text" >"$work/site/page1.html"
echo "<title>fresh</title>" >"$work/site/fresh.html"
rm "$work/site/more3.html"
again --fail-on none -o "$work/again.jsonl"
says "compared with before: 1 new, 1 changed, 17 unchanged, 1 gone"
try "--changes names the page that is gone" grep -q 'more3.html","change":"gone"' "$work/c.jsonl"
try "--changes names the page that is new" grep -q 'fresh.html","change":"new"' "$work/c.jsonl"
stop_server
finish
