#!/bin/sh
# weft lab as a shell sees it: the address, what it refuses, how it ends, also in the middle of a
# run. lab.py is the browser: the page's files, who may ask for what, real runs with each engine.
set -u
. test/cli/common

# browse ARGUMENT...: lab.py prints its own counts; here it counts only if it breaks off.
browse() {
    python3 test/cli/lab.py "$url" "$@" || failed=$((failed + 1))
}

lab
try "the address is told in one line" sh -c "echo '$line' | grep -qE '^page on http://127\.0\.0\.1:[0-9]+/\$'"
port=${url##*:} port=${port%/}
browse all
stop_server
try "SIGTERM ends it with 0" test "$server_code" = 0
try "nothing is said on standard error" test ! -s "$work/serve.err"

start_server lab --port "$port"
try "--port is the port" test "$url" = "http://127.0.0.1:$port/"
run 2 lab -p "$port"
says "$port"
browse end "$server" INT
wait "$server"
try "SIGINT in the middle of a run ends it with 0" test $? = 0
server=

# Without --port it is the same port each time, or, if somebody else has it, another one, and told.
usual_or_told() {
    case $url in
    http://127.0.0.1:9338/) test ! -s "$work/serve.err" ;;
    *) grep -q 'port 9338: .*; on another port' "$work/serve.err" ;;
    esac
}
start_server lab
try "the port is the usual one, or it is said that it is taken" usual_or_told
first=$url first_server=$server
start_server lab
try "a second one takes another port" test "$url" != "$first"
try "... and says so" usual_or_told
stop_server
server=$first_server
stop_server

# Where there is no sample site, the page is served all the same, and says what it can't.
here=$PWD
cd "$work" || exit 1
lab
cd "$here" || exit 1
try "that there is no sample site is said" grep -q "no sample site here" "$work/serve.err"
browse no-site
stop_server

run 2 lab somewhere
says "takes no arguments"
run 2 lab --port 65536
says "--port"
"$weft" lab >/dev/full 2>"$work/err" &
wait $!
try "an address that can't be told: 3" test $? = 3
says "standard output: No space left on device"
finish
