#!/bin/sh
# Extraction as a shell sees it: the lab's bookshop into CSV, JSON Lines and SQLite in one command,
# read back by others; expressions that are wrong.
set -u
. test/cli/common

mkdir "$work/site"
echo '<p>nothing</p>' >"$work/site/index.html"
serve "$work/site"
shop=${url}shop/

for engine in sync threads events; do
    run 0 crawl -e $engine -q --overwrite "$shop" --row '//article[@class="book"]' \
        --select 'title=h2' --select 'price=p[@class="price"]' \
        -o "$work/books.csv" -o "$work/books.db" -o "$work/books.jsonl"
    try "-e $engine: 400 books in CSV" test "$(grep -c '/shop/.*£' "$work/books.csv")" = 400
    cut -d, -f2- "$work/books.csv" | sort >"$work/books.$engine"
done
try "sync and threads give the same books" cmp "$work/books.sync" "$work/books.threads"
try "sync and events give the same books" cmp "$work/books.sync" "$work/books.events"
if command -v python3 >/dev/null 2>&1; then
    try "CSV, JSON Lines and SQLite agree, by Python's readers" python3 - "$work" <<'EOF'
import csv, json, sqlite3, sys
work = sys.argv[1]
with open(work + "/books.csv", newline="", encoding="utf-8") as f:
    rows = sorted((r["title"], r["price"]) for r in csv.DictReader(f) if r["title"])
with open(work + "/books.jsonl", encoding="utf-8") as f:
    lines = sorted((b["title"], b["price"]) for r in map(json.loads, f) for b in r["rows"])
db = sqlite3.connect(work + "/books.db")
records = sorted(db.execute("SELECT title, price FROM records"))
assert len(rows) == 400, len(rows)
assert rows == lines == records
assert all(p.startswith("£") and float(p[1:]) > 0 for _, p in rows)
EOF
else
    echo "python3 is not here: the outputs were not read back"
fi

run 0 crawl -q --overwrite "$shop" --row css:article.book --select title=css:h2 \
    --select 'price=css:p.price::text' -o "$work/css.csv"
cut -d, -f2- "$work/css.csv" | sort >"$work/books.css"
try "CSS selectors give the same books as XPath" cmp "$work/books.threads" "$work/books.css"
run 0 crawl -q -d 0 -o - "$shop" --select 'first=css:a::attr(href)'
try "an attribute by CSS" grep -q '"fields":{"first":"/shop/art/"}' "$work/out"

run 0 crawl -q -d 0 -o - "$shop" --select 'title=//title' --select 'none=//nothing'
try "without --row a page has one row" grep -q '"fields":{"title":"A bookshop","none":null}' "$work/out"

run 2 crawl "$url" --select 'x=//a['
says 'at character'
run 2 crawl "$url" --select 'x=foo(1)'
says 'no such function'
# more than an evaluation may take: said, not silent
for n in 100 2000; do
    yes '<li>x</li>' | head -n $n >"$work/site/li$n.html"
    run 0 crawl -d 0 "${url}li$n.html" --row 'css:li ~ li' --select x=. -o "$work/li$n.csv"
done
says "li2000.html: a limit on steps, rows or bytes was reached, values are missing"
try "... and what a limit does not reach is whole" test "$(wc -l <"$work/li100.csv")" = 100

run 2 crawl "$url" --row 'css:a:hover' --select 'x=css:b'
says '--row: no CSS selector: no pseudo-class that is understood, at character 2 of "a:hover"'
run 2 crawl "$url" --select 'x=css:a['
says "--select: no CSS selector: an attribute's name is missing, at character 3"
run 2 crawl "$url" --select 'nothing'
run 2 crawl "$url" --row '//a'
finish
