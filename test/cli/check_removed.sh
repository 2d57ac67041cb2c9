#!/bin/sh
# A folder that goes away in the middle of a crawl: the server removes it before it answers for page
# 20 of a chain that never ends. Whatever stood in it, the crawl ends with 3 and a sentence, asks for
# little more, and keeps what other outputs hold.
set -u
. test/cli/common

command -v python3 >/dev/null 2>&1 || { echo "python3 is not here: nothing was tried"; finish; }
cat >"$work/chain.py" <<'EOS'
import http.server, os, shutil, sys
folder, asked = sys.argv[1], open(sys.argv[2], "w")
pending = ["20"]  # it is removed once
class Chain(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        name = self.path[1:]
        while name in pending and os.path.exists(folder):  # weft may be writing into it
            shutil.rmtree(folder, ignore_errors=True)
        pending[:] = [p for p in pending if p != name]
        body = f"<title>{name}</title><a href=/{int(name) + 1}>next</a>".encode() if name.isdigit() else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if body:
            print(name, file=asked, flush=True)
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Chain)
print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
server.serve_forever()
EOS
# what a JSON Lines file holds of the chain: each page once, from the first one on, none left out
cat >"$work/prefix.py" <<'EOS'
import json, sys
pages = [int(json.loads(line)["url"].rsplit("/", 1)[1]) for line in open(sys.argv[1])]
assert pages == list(range(len(pages))) and pages, pages
asked = len(set(open(sys.argv[2]).read().split()))
assert asked - len(pages) <= 300, (asked, len(pages))  # a queue of 256, and what was in flight
EOS

gone=$work/gone
# chain: starts the server, sets $url
chain() {
    stop_server 2>"$work/stopped"
    mkdir -p "$gone"
    rm -f "$work/address"
    mkfifo "$work/address"
    python3 "$work/chain.py" "$gone" "$work/asked" >"$work/address" &
    server=$!
    IFS= read -r url <"$work/address"
}
# lost SENTENCE OPTION...: crawls with the options; what is in $gone is lost, keep.jsonl is not.
lost() {
    sentence=$1
    shift
    rm -f "$work"/keep.*
    chain
    run 3 crawl -q --max-time 60 -o "$work/keep.jsonl" "$@" "${url}0"
    says "$sentence"
    try "$*: the folder was removed" test ! -e "$gone"
    try "$*: keep.jsonl holds all pages up to the end" python3 "$work/prefix.py" "$work/keep.jsonl" "$work/asked"
}
for engine in sync threads events; do
    lost "can't write $gone/x.jsonl: it was removed" -e $engine -o "$gone/x.jsonl"
done
lost "can't write $gone/x.csv: it was removed" -o "$gone/x.csv"
lost "can't write $gone/x.dot: it was removed" -o "$gone/x.dot"
lost "can't write $gone/x.graphml: it was removed" -o "$gone/x.graphml"
lost "can't write $gone/x.warc.gz: it was removed" -o "$gone/x.warc.gz"
lost "can't write $gone/x.db: it was moved or removed" -o "$gone/x.db"
lost "can't save $gone/site/127.0.0.1:" --save "$gone/site"
lost "can't write $gone/s.db: it was moved or removed" --state "$gone/s.db"
lost "can't write $gone/x.jsonl: it was removed" --state "$work/keep.db" -o "$gone/x.jsonl"

# With a state file the crawl goes on once the folder is there again.
lost "can't save $gone/site/127.0.0.1:" --state "$work/keep.db" --save "$gone/site"
mkdir "$gone"
kept=$(python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM pages").fetchone()[0])' "$work/keep.db")
run 0 crawl -q -n 30 -o "$work/keep.jsonl" --state "$work/keep.db" --save "$gone/site" "${url}0"
try "going on, each page is recorded once" python3 "$work/prefix.py" "$work/keep.jsonl" "$work/asked"
try "... and 30 more than the state held" test "$(wc -l <"$work/keep.jsonl")" = $((kept + 30))
try "... with their bodies" test "$(find "$gone/site" -type f | wc -l)" = 30
stop_server 2>"$work/stopped"
finish
