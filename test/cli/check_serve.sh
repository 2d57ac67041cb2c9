#!/bin/sh
# weft serve as a shell sees it: the address, its options, how it ends.
set -u
. test/cli/common

mkdir "$work/site"
echo '<title>home</title>' >"$work/site/index.html"

serve "$work/site"
try "the address is told in one line" test "$line" = "serving $work/site on $url"
run 0 crawl "$url" "${url}slow?ms=1"
try "the folder and the lab's own pages" test "$(sort "$work/out" | tr '\n' ' ')" = "200 $url 200 ${url}slow?ms=1 "
stop_server
try "SIGTERM ends it with 0" test "$server_code" = 0
try "the counts are told at the end" grep -q '^3 requests for 3 paths, at most [12] in flight' "$work/serve.err"

serve -q --files-only "$work/site"
run 4 crawl "${url}slow?ms=1"
try "--files-only: nothing but the folder" grep -q "^404 " "$work/out"
kill -INT "$server"
wait "$server"
try "SIGINT ends it with 0" test $? = 0
try "-q: no counts" test ! -s "$work/serve.err"
server=

serve --mirrors 3 --broken-mirror --delay 1ms --jitter 2ms --mirror-delay 1ms --random-seed 7 \
    --max-in-flight 50 --max-connections 50 "$work/site"
# The first line is read; the pipe closed behind it, which must not end the server.
port=${url##*:} port=${port%/}
try "a port in use is refused" sh -c "'$weft' serve -p $port '$work/site' 2>'$work/err'; test \$? = 2"
says "$port"
run 0 crawl "$url"
stop_server
try "and it ends with 0" test "$server_code" = 0

run 2 serve "$work/none"
says "$work/none"
here=$PWD
cd "$work" || exit 1
run 2 serve
says "there is no sample site here"
cd "$here" || exit 1
run 2 serve --bind nowhere "$work/site"
says "nowhere"
"$weft" serve "$work/site" >/dev/full 2>"$work/err" &
wait $!
try "an address that can't be told: 3" test $? = 3
says "standard output: No space left on device"
finish
