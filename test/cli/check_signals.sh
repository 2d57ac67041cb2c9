#!/bin/sh
# weft crawl and signals, with every engine: SIGUSR1 tells what is in flight; SIGINT and SIGTERM end
# the crawl gently, a second one at once; what was finished is kept, in lines and in outputs.
set -u
. test/cli/common

mkdir "$work/site"
echo '<a href=/hang>never</a>' >"$work/site/waits.html"
echo '<a href="/slow?ms=3000">late</a>' >"$work/site/patient.html"
serve "$work/site"

# hang ARGUMENT...: starts a crawl and waits until /hang is in flight.
hang() {
    rm -f "$work/out.jsonl"
    : >"$work/err"
    # shellcheck disable=SC2086 # words
    "$weft" crawl -e $engine -j 2 $patience -o "$work/out.jsonl" "$@" "${url}waits.html" 2>"$work/err" &
    crawl=$!
    eventually "$engine: weft is there and writes" test -e "$work/out.jsonl"
    eventually "$engine: SIGUSR1 tells what is in flight, and for how long" in_flight
}
in_flight() {
    kill -USR1 $crawl 2>/dev/null
    grep -qE "${url}hang: in flight for [0-9.]+ s" "$work/err"
}
ends() { # ends CODE WHAT
    wait $crawl
    try "$engine: $2 ends with $1" test $? = "$1"
    says "ended: interrupted"
    try "$engine: $2: what was finished is kept" grep -q "\"url\":\"${url}waits.html\",\"outcome\":\"fetched\"" "$work/out.jsonl"
    try "$engine: $2: what was in flight is recorded as interrupted" \
        grep -q "\"url\":\"${url}hang\",\"outcome\":\"failed\",\"reason\":\"interrupted\"" "$work/out.jsonl"
    try "$engine: $2: nothing else" test "$(wc -l <"$work/out.jsonl")" = 2
}
gentle() { grep -q "may finish" "$work/err"; }
slow_in_flight() {
    kill -USR1 $crawl 2>/dev/null
    grep -q "slow?ms=3000: in flight" "$work/err"
}

for engine in sync threads events; do
    patience="--timeout 1h --read-timeout 1h" # nothing else ends a fetch here
    hang --grace 0.1
    kill -INT $crawl
    ends 130 "SIGINT"
    says "stopping: what is in flight may finish"
    hang --grace 0.1
    kill -TERM $crawl
    ends 143 "SIGTERM"
    for signal in INT TERM; do
        hang --grace 1h
        kill -$signal $crawl
        eventually "$engine: the first SIG$signal is gentle" gentle
        kill -$signal $crawl
        case $signal in INT) ends 130 "SIGINT twice" ;; TERM) ends 143 "SIGTERM twice" ;; esac
        says "stopping now"
    done
    # What is in flight may finish: its page is fetched, and nothing new begins.
    rm -f "$work/out.jsonl"
    : >"$work/err"
    "$weft" crawl -e $engine -o "$work/out.jsonl" "${url}patient.html" 2>"$work/err" &
    crawl=$!
    eventually "$engine: weft is there and writes" test -e "$work/out.jsonl"
    eventually "$engine: the slow page is in flight" slow_in_flight
    kill -INT $crawl
    wait $crawl
    try "$engine: SIGINT while a page comes in ends with 130" test $? = 130
    try "$engine: that page is kept" grep -q '"url":"[^"]*slow?ms=3000","outcome":"fetched"' "$work/out.jsonl"
    # --max-time is kept while a fetch hangs.
    # shellcheck disable=SC2086 # words
    run 0 crawl -e $engine $patience --max-time 0.2 --grace 0.1 "${url}waits.html"
    says "ended: max_time"
done

# Standard output is a pipe that nobody reads: what is written waits for ever, signals are heard all
# the same. They are sent until it ends, as some may fall together.
cat >"$work/full.py" <<'EOF'
import array, fcntl, os, subprocess, sys, termios, time
reader, writer = os.pipe()
fcntl.fcntl(writer, 1031, 4096)  # F_SETPIPE_SZ
crawl = subprocess.Popen(sys.argv[1:], stdout=writer, stderr=subprocess.DEVNULL)
limit = time.monotonic() + 60
waiting = array.array("i", [0])
while waiting[0] < 4000 and crawl.poll() is None and time.monotonic() < limit:
    time.sleep(0.01)
    fcntl.ioctl(reader, termios.FIONREAD, waiting)
print("full" if waiting[0] >= 4000 else f"{waiting[0]} bytes")  # the next line does not fit
while crawl.poll() is None and time.monotonic() < limit:
    crawl.terminate()
    time.sleep(0.01)
print(crawl.poll())
crawl.kill()
EOF
for engine in sync threads events; do
    python3 "$work/full.py" "$weft" crawl -e $engine \
        "${url}gen/pages=1000,size=1000,links=40,fan=8,seed=1,ms=0/0.html" >"$work/out" 2>&1
    try "$engine: a full standard output keeps nobody from ending it" \
        test "$(tr '\n' ' ' <"$work/out")" = "full 143 "
done
finish
