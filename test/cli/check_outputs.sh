#!/bin/sh
# The outputs as their users see them: one crawl into all of them at once, read back by Python's own
# JSON, CSV, SQLite and gzip, which must all tell the same; then appending, refusing, failing.
set -u
. test/cli/common

serve sample_site
all="-o $work/a.jsonl -o $work/a.csv -o $work/a.db -o $work/a.warc.gz -o $work/a.dot -o $work/a.graphml --save $work/site"

run 0 crawl -q "$url" $all
if command -v python3 >/dev/null 2>&1; then
    cat >"$work/read.py" <<'EOF'
import csv, gzip, json, os, re, sqlite3, sys, xml.etree.ElementTree
work, runs = sys.argv[1], int(sys.argv[2])
with open(work + "/a.jsonl", encoding="utf-8", newline="\n") as f:
    pages = [json.loads(line) for line in f]
with open(work + "/a.csv", encoding="utf-8", newline="") as f:
    rows = list(csv.DictReader(f))
db = sqlite3.connect(work + "/a.db")
db.row_factory = sqlite3.Row
stored = db.execute("SELECT * FROM pages ORDER BY id").fetchall()
assert len(pages) > 60 * runs and len(pages) == len(rows) == len(stored), (len(pages), len(rows), len(stored))
assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
for page, row, kept in zip(pages, rows, stored):
    assert page.pop("fields") == {}
    assert list(page) == list(row) == list(kept.keys())[2:]
    for name, value in page.items():
        if name == "redirects":
            assert json.loads(row[name]) == json.loads(kept[name]) == value
        else:
            assert kept[name] == value, (name, kept[name], value)
            text = "" if value is None else str(value)
            assert row[name].lstrip("'") == text.lstrip("'") or float(row[name]) == value, (name, row[name], value)
assert db.execute("SELECT count(*) FROM runs WHERE ended = 'finished'").fetchone()[0] == runs

# WARC: what was asked is what the pages tell, hop by hop
with gzip.open(work + "/a.warc.gz") as f:
    archive = f.read()
asked = re.findall(rb"WARC-Type: request\r\n.*?WARC-Target-URI: (.*?)\r\n", archive, re.S)
asked = sorted(u.decode() for u in asked if not u.endswith(b"/robots.txt"))
hops = [h["url"] for p in pages for h in p["redirects"][:1]]
last = [p["final_url"] for p in pages if p["status"] and not p["redirects"]]
assert asked == sorted(hops + last), set(asked) ^ set(hops + last)

with open(work + "/a.dot", encoding="utf-8") as f:
    nodes = re.findall(r'^"([^"]*)" \[outcome=', f.read(), re.M)
assert sorted(nodes) == sorted(p["url"] for p in pages)

# GraphML: the nodes of the pages and the edges are those of DOT; ids are NMTOKENs, each once, and
# every edge is between nodes that are there
with open(work + "/a.dot", encoding="utf-8") as f:
    edges = set(re.findall(r'^"([^"]*)" -> "([^"]*)"', f.read(), re.M))
g = "{http://graphml.graphdrawing.org/xmlns}"
root = xml.etree.ElementTree.parse(work + "/a.graphml").getroot()
graph = root.find(g + "graph")
assert root.tag == g + "graphml" and graph.get("edgedefault") == "directed"
kept = [{d.get("key"): d.text for d in n.iter(g + "data")} | {"id": n.get("id")} for n in graph.iter(g + "node")]
name = {n["id"]: n["url"] for n in kept}
assert len(name) == len(kept) == len(set(name.values())) and all(re.fullmatch(r"n[1-9][0-9]*", i) for i in name)
drawn = [(name[e.get("source")], name[e.get("target")]) for e in graph.iter(g + "edge")]
assert len(drawn) == len(set(drawn)) and set(drawn) == edges, set(drawn) ^ edges
told = {n["url"]: (n["outcome"], n.get("reason"), n.get("status"), n["depth"]) for n in kept if "outcome" in n}
assert told == {p["url"]: (p["outcome"], p["reason"], p["status"] and str(p["status"]), str(p["depth"])) for p in pages}
titles = {n["url"]: n.get("title") for n in kept}
assert all(titles[p["url"]] == p["title"] for p in pages if p["title"] and "\n" not in p["title"])
keys = {(k.get("id"), k.get("for"), k.get("attr.type")) for k in root.iter(g + "key")}
assert {d.get("key") for d in root.iter(g + "data")} <= {k for k, _, _ in keys}

held = {p["url"] for p in pages if p["outcome"] == "fetched" and not p["redirects"]}
files = [os.path.join(d, n) for d, _, names in os.walk(work + "/site") for n in names]
assert len(files) == len(held), (len(files), len(held))
EOF
    try "all outputs tell the same" python3 "$work/read.py" "$work" 1
else
    echo "python3 is not here: the outputs were not read back"
fi

run 2 crawl -q "$url" -o "$work/a.csv"
says "a.csv exists already"
run 0 crawl -q --append "$url" $all
if [ -f "$work/read.py" ]; then
    try "appended, all outputs tell the same" python3 "$work/read.py" "$work" 2
fi
run 0 crawl -q --overwrite "$url" $all
if [ -f "$work/read.py" ]; then
    try "overwritten, all outputs tell the same" python3 "$work/read.py" "$work" 1
fi

run 2 crawl -q "$url" -o "$work/a.xml"
says "known are .jsonl, .csv"
run 3 crawl -q "$url" -o /dev/full
says "can't write /dev/full: No space left on device"
run 3 crawl -q "$url" -o "$work/none/a.jsonl"
says "none/a.jsonl: No such file or directory"
run 3 crawl -q "$url" -o "$work"
says "Is a directory"
run 3 crawl -q --append "$url" -o "$work/a.db" -o "$work/none/b.csv"
says "none/b.csv"
try "no file is left of an output that could not begin" test ! -e "$work/none"

# What is refused is refused before an output that is to be replaced is emptied.
run 0 crawl -q --overwrite "$url" -o "$work/old.jsonl"
cp "$work/old.jsonl" "$work/kept.jsonl"
# spared CODE WORDS OPTION...
spared() {
    code=$1 words=$2
    shift 2
    run "$code" crawl -q --overwrite -o "$work/old.jsonl" "$url" "$@"
    says "$words"
    try "$*: the output is as it was" cmp "$work/old.jsonl" "$work/kept.jsonl"
}
spared 2 "--no-private and --proxy exclude each other" --no-private --proxy http://127.0.0.1:9
echo kept >"$work/t.json"
run 2 crawl -q "$url" --trace "$work/t.json"
says "t.json exists already: --overwrite replaces it"
spared 3 "none/t.json: No such file or directory" --trace "$work/none/t.json"
spared 3 "can't create $work/none/site: No such file or directory" --save "$work/none/site"
spared 3 "can't write into $work/a.csv: Not a directory" --save "$work/a.csv"
ln -s nothing "$work/dangling"
spared 3 "can't create $work/dangling: No such file or directory" --save "$work/dangling"
spared 2 'are one column in a database' -o "$work/a.db" --select a=//h1 --select A=//h2
run 0 crawl -q --overwrite -d 0 "$url" --save "$work/new/"
try "a folder may be named with a slash" test -d "$work/new"
spared 2 "longer than --max-url, which is 30" --max-url 30 "${url}a/seed/that/is/too/long"
run 2 check -q --overwrite -o "$work/old.jsonl" "$url" --max-url 30 "${url}a/seed/that/is/too/long"
try "check: the output is as it was" cmp "$work/old.jsonl" "$work/kept.jsonl"

# a reader that goes away
"$weft" crawl -q "$url" -o - 2>"$work/err" | head -n 1 >"$work/out"
try "one line came" test "$(wc -l <"$work/out")" = 1
finish
