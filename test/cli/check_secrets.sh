#!/bin/sh
# What is secret in a request goes to the hosts of the URLs that the user named, and to no other:
# neither by a link nor by a redirect. Two doors of one server: at 127.0.0.1 it refuses whoever lacks
# the secret, at localhost whoever brings one. Each sets a cookie that the other must not see.
set -u
. test/cli/common

command -v python3 >/dev/null 2>&1 || { echo "python3 is not here: nothing was tried"; finish; }
cat >"$work/doors.py" <<'PYTHON'
import http.server, sys, threading
log, field, value = open(sys.argv[1], "a"), sys.argv[2], sys.argv[3]
lock = threading.Lock()
pages = {"/": "<a href='/own'>1</a> <a href='{far}/far'>2</a> <a href='/out'>3</a> <a href='{far}/back'>4</a>"}
moved = {"/out": "{far}/landed", "/back": "{near}/returned"}
class Doors(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        name = "127.0.0.1" if self.server is near else "localhost"
        places = {"near": f"http://127.0.0.1:{near.server_port}", "far": f"http://localhost:{far.server_port}"}
        cookie = self.headers["Cookie"] or ""
        if self.server is near:
            status = 200 if value in (self.headers[field] or "") and "far=" not in cookie else 401
        else:
            own = self.headers["Host"] == f"localhost:{far.server_port}" and cookie in ("", "far=1")
            status = 200 if own and not self.headers["Authorization"] else 500
        with lock:
            print(status, name + self.path, file=log, flush=True)
        if status == 200 and self.path in moved:
            self.send_response(302)
            self.send_header("Location", moved[self.path].format(**places))
        else:
            self.send_response(status)
        self.send_header("Set-Cookie", "near=1" if self.server is near else "far=1")
        robots = self.path == "/robots.txt"
        body = b"" if robots else pages.get(self.path, "<p>page").format(**places).encode()
        self.send_header("Content-Type", "text/plain" if robots else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
    do_HEAD = do_GET
    def log_message(self, *words):
        pass
near, far = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), Doors) for _ in range(2))
threading.Thread(target=far.serve_forever, daemon=True).start()
print(near.server_port, far.server_port, flush=True)
near.serve_forever()
PYTHON

# doors FIELD VALUE: starts the server that wants this; sets $near, $far, $resolve
doors() {
    rm -f "$work/port"
    mkfifo "$work/port"
    python3 "$work/doors.py" "$work/log" "$1" "$2" >"$work/port" 2>"$work/server.err" &
    server=$!
    read -r port far_port <"$work/port"
    near=http://127.0.0.1:$port far=http://localhost:$far_port resolve=localhost:$far_port:127.0.0.1
}
# asked WHAT REQUEST...: these requests were made, no other, each answered with 200.
asked() {
    what=$1
    shift
    for one in "$@"; do
        printf '200 %s\n' "$one"
    done | sort >"$work/wanted"
    sort "$work/log" >"$work/asked"
    try "$what" diff "$work/wanted" "$work/asked"
    : >"$work/log"
}

all="127.0.0.1/ 127.0.0.1/out 127.0.0.1/own 127.0.0.1/returned 127.0.0.1/robots.txt localhost/back \
localhost/far localhost/landed localhost/robots.txt"
# kept FIELD VALUE OPTION...: what the option gives is sent to its own host, by each command
kept() {
    doors "$1" "$2"
    shift 2
    for engine in sync threads events; do
        run 0 crawl -q -e $engine --scope any --resolve "$resolve" "$@" "$near/"
        asked "crawl -e $engine $*" $all
    done
    run 0 fetch -q --resolve "$resolve" "$@" "$near/" "$near/out"
    asked "fetch $*" 127.0.0.1/ 127.0.0.1/out localhost/landed
    echo "$far/far" >"$work/list"
    run 0 fetch -q --resolve "$resolve" "$@" -i "$work/list" "$near/own"
    asked "fetch -i $*" 127.0.0.1/own localhost/far
    run 0 check -q --resolve "$resolve" "$@" "$near/"
    asked "check $*" $all
    run 2 fetch "$@" -i "$work/list"
    says "sent to the hosts of the URLs given as arguments, and there are none"
    asked "fetch $* without an argument" </dev/null
    case $1 in
    -H)
        run 0 explain "$@" "$near/own"
        asked "explain $*" 127.0.0.1/robots.txt
        run 0 explain --resolve "$resolve" --seed "$near/" --scope any "$@" "$far/far"
        asked "explain --seed $*" localhost/robots.txt
        ;;
    esac
    kill "$server" && wait "$server" 2>/dev/null
    server=
}
kept Authorization 'Basic bWU6cHc=' -u me:pw
kept Authorization 'Bearer x' -H 'authorization: Bearer x'
kept Cookie 'h=1' -H 'Cookie: h=1'
kept Cookie 'a=1; b=2' -b 'a=1; b=2'
# libcurl gives cookies to the host that a Host names: it must not name the next one as well
printf 'virt.test\tFALSE\t/\tFALSE\t0\tk\tv\n' >"$work/cookies"
kept Host virt.test -H 'Host: virt.test'
kept Host virt.test --cookies -H 'Host: virt.test'
kept Cookie k=v -b "$work/cookies" -H 'Host: virt.test'
finish
