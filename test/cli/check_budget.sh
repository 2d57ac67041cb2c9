#!/bin/sh
# A page budget over many hosts: no host is asked for its robots.txt that the budget could not use,
# and each engine spends the budget to its last page. A server of two hundred names counts.
set -u
. test/cli/common

cat >"$work/names.py" <<'PYTHON'
import http.server, sys, threading
log, lock = open(sys.argv[1], "w"), threading.Lock()
class Names(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        name = self.headers["Host"].split(":")[0]
        with lock:
            log.write(name + " " + self.path + "\n")
            log.flush()
        port = self.server.server_address[1]
        body = b"User-agent: *\nDisallow: /no\n"
        if self.path == "/all":
            body = "".join("<a href='http://h%d.localhost:%d/page'>x</a>" % (i, port) for i in range(200)).encode()
        elif self.path != "/robots.txt":
            body = b"<p>page"
        self.send_response(200)
        self.send_header("Content-Type", "text/plain" if self.path == "/robots.txt" else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *words):
        pass
class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True
server = Server(("127.0.0.1", 0), Names)
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON

for engine in sync threads events; do
    rm -f "$work/port"
    mkfifo "$work/port"
    python3 "$work/names.py" "$work/log" >"$work/port" &
    server=$!
    IFS= read -r port <"$work/port"
    run 0 crawl -e $engine -j 20 --scope any -n 12 --resolve "*:$port:127.0.0.1" "http://a.localhost:$port/all"
    says "ended: max_pages, 189 URLs left"
    kill "$server" && wait "$server" 2>/dev/null
    server=
    grep -v robots.txt "$work/log" | sort >"$work/pages"
    grep robots.txt "$work/log" | cut -d ' ' -f 1 | sort >"$work/asked"
    cut -d ' ' -f 1 "$work/pages" >"$work/used"
    try "$engine: twelve pages are asked" test "$(wc -l <"$work/pages")" = 12
    try "$engine: and the rules of their hosts, once, no others" cmp "$work/asked" "$work/used"
done
finish
