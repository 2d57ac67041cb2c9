#!/bin/sh
# Every lesson runs, prints what it is about, and has its page; the Python on the pages runs too.
# Nothing here depends on how long anything takes, but that an hour is longer than a moment.
set -u
. test/cli/common

# lesson NAME [OPTION...]: runs it to its end.
lesson() { run 0 lesson "$@"; }
# prints WHAT PATTERN: passes if the last run printed a line that is PATTERN, whole.
prints() {
    try "$1" grep -qxE -- "$2" "$work/out"
    grep -qxE -- "$2" "$work/out" || cat "$work/out" "$work/err"
}
# number PATTERN: what stands for the parentheses of PATTERN in the last run's output.
number() { sed -nE "s/^.*$1.*\$/\\1/p" "$work/out" | head -n 1; }

# ---- the list, the pages, the sources ----
run 0 lesson
grep ' min  ' "$work/out" | while read -r name minutes _; do
    echo "$name $minutes"
done >"$work/list"
try "there are lessons" test -s "$work/list"
last_page=
while read -r name minutes; do
    page=lessons/$name.md
    case $name in steps/*) page=lessons/steps.md ;; esac
    try "$name has its source" test -s "src/lessons/$name.c"
    try "$name has its page" sh -c "for h in '## Run it' '## Experiment' '## In Python' '## Questions' '## Answers'; do
        grep -qx \"\$h\" 'docs/$page' || { echo no \$h; exit 1; }; done"
    try "docs/lessons.md tells of $name, with its minutes" grep -qF "| [$name]($page) | $minutes |" docs/lessons.md
    if command -v python3 >/dev/null && [ "$page" != "$last_page" ]; then
        sed -n '/^```python$/,/^```$/p' "docs/$page" | grep -v '^```' >"$work/idea.py"
        try "$name in Python prints something" sh -c "timeout 60 python3 '$work/idea.py' >'$work/idea.out' && test -s '$work/idea.out'"
        last_page=$page
    fi
done <"$work/list"
for source in src/lessons/*.c src/lessons/*/*.c; do
    name=${source#src/lessons/} name=${name%.c}
    [ "$name" = lesson ] || [ ! -e "$source" ] || try "$name is in the list" grep -q "^$name " "$work/list"
done
try "lessons include the public headers and their helper alone" sh -c \
    "! grep -nE '#include \"' src/lessons/*.[ch] src/lessons/*/*.c | grep -vE '\"(weft/[a-z_]+|lesson)\\.h\"'"
run 2 lesson nothing
says "there is no lesson 'nothing'"
run 2 lesson pool --frob
says "options are --NAME VALUE"
run 2 lesson pool --frob 1
says "there is no such option"
run 2 lesson sequential --delay x
says "--delay takes a whole number"
run 0 lesson sequential --help
prints "help shows the knobs" " *--delay .*"

# ---- sequential ----
lesson sequential --pages 7 --fan 2 --delay 0
prints "all is told" "discovered 8, fetched 7, failed 1"
try "breadth first" test "$(sed -nE 's/^[a-z] (fetched|failed) .*\/([0-9]+).*/\2/p' "$work/out" | tr '\n' ' ')" = "0 404 1 2 3 4 5 6 "
prints "one at a time" "the server saw at most 1 at once"

# ---- pool, events ----
for name in pool events; do
    lesson $name --requests 10 --slots 3 --delay 5
    prints "$name: all were fetched, three at once" "(submitted|started) 10, failed 0, never more than 3 unfinished"
    try "$name: each was done once" test "$(sed -n 's/^done, in this order: //p' "$work/out" | tr ' ' '\n' | sort | tr -d '\n')" = abcdefghij
    try "$name: the server saw no more than three at once" test "$(number 'saw at most ([0-9]+)')" -le 3
done
prints "events: one thread, a connection a slot" "connections [1-3], threads 1"

# ---- timeout ----
lesson timeout --delay 100 --below 5
try "timeout: each kind below and above its limit" test "$(sed -nE 's/^([a-z]+) +limit +[0-9]+ ms: (timeout|answered|got it).*/\1 \2/p' "$work/out" | tr '\n' ,)" = \
    "connect timeout,read timeout,read answered,read answered,whole timeout,whole answered,slot timeout,slot got it,"

# ---- retry ----
lesson retry --attempts 3 --base 2
prints "retry: a fine page is asked once" "0: /slow[^ ]* +fetched +after 1 tries, 0 ms of waiting"
prints "retry: a flaky one until it is fine" "1: /flaky[^ ]* +fetched +after 3 tries, [2-6] ms of waiting"
prints "retry: no such page is an answer" "2: /status/404 +gave up +after 1 tries, 0 ms of waiting"
prints "retry: Retry-After is obeyed" "3: [^ ]* +gave up +after 3 tries, 2000 ms of waiting"
prints "retry: a broken connection is tried again" "4: /reset +gave up +after 3 tries, [2-6] ms of waiting"
lesson retry --attempts 1 --base 2
prints "retry: one attempt is none" "1: /flaky[^ ]* +gave up +after 1 tries, 0 ms of waiting"

# ---- semaphore ----
lesson semaphore --requests 12 --workers 6 --permits 2 --delay 5
prints "semaphore: all were fetched" "fetched 12, 6 workers, 2 permits"
try "semaphore: no more than the permits" test "$(number 'saw at most ([0-9]+)')" -le 2
try "semaphore: no more in line than workers without a permit" test "$(number 'as many as ([0-9]+)')" -le 5
prints "semaphore: bounded" "release without acquire: released more often than acquired"
prints "semaphore: a full line refuses" "acquire, with no room in the line: full"

# ---- cancellation ----
lesson cancellation --delay 1500
prints "cancel: queued" "cancel queued [12]  cancelled: it will never run"
prints "cancel: one that listens is asked" "cancel listens +it runs: asked to stop"
prints "cancel: and ends" "ended: listens +cancelled"
prints "cancel: one that is deaf keeps its result" "ended: deaf +finished, with its result"
prints "cancel: what was queued never ran" "jobs that ran: 2 of 4"

# ---- failures ----
lesson failures --workers 1 --delay 30
prints "failures: none is lost as a value" "fetched 6, failed 2, lost 0"
prints "failures: the rest is lost when the first ends it" "fetched [0-5], failed [12], lost [1-7]"
prints "failures: a status" "  a failed +status 500 .*"
prints "failures: a broken connection" "  d failed +no answer .*"

# ---- compare ----
lesson compare --pages 20 --jobs 4 --delay 1
prints "compare: sync, one at a time" "sync: 20 pages, at most 1 at once, [0-9]+ ms"
prints "compare: threads" "threads: 20 pages, at most [1-4] at once, [0-9]+ ms"
prints "compare: events" "events: 20 pages, at most [1-4] at once, [0-9]+ ms"
prints "compare: the same pages" "the three found the same pages"

# ---- queue ----
lesson queue --items 12 --workers 3 --delay 1 --patience 1
prints "queue: join ends when all is told" "careful: join ended, 0 of 12 were never told done"
prints "queue: join waits for what was forgotten" "forgetful: join gave up, 3 of 12 were never told done"

# ---- bulkhead ----
lesson bulkhead --pages 8 --all 4 --per-host 2 --delay 50
prints "bulkhead: the line of A takes all workers" "blindly: the first page of B was asked when [5-8] of 8 of A were answered"
prints "bulkhead: a coordinator that knows hosts does not let it" "knowingly: the first page of B was asked when [0-4] of 8 of A were answered"

# ---- race ----
lesson race --delay 200
prints "race: the fast one wins" "fast +won"
prints "race: failing is not winning" "broken +(failed before|was asked to stop)"
prints "race: the losers are asked to stop" "slowest +was asked to stop"

# ---- rate ----
lesson rate --requests 15 --rate 10 --burst 2
prints "rate: the bucket keeps to it" "with a bucket: +fetched 15, refused 0, [0-9]+ requests a second"
try "rate: one at a time does not" test "$(number 'one at a time: +fetched [0-9]+, refused ([0-9]+)')" -gt 0
prints "rate: though it is one at a time" "the server saw at most 1 at once, and refused [0-9]+"

# ---- blocking ----
lesson blocking --requests 8 --delay 1 --parse 5
try "blocking: the loop is deaf as long as it parses" test "$(number 'blocked: parsed 8 on the loop and 0 on workers; .* up to ([0-9]+) ms')" -ge 5
prints "blocking: handed over, the loop parses nothing" "handed over: parsed 0 on the loop and 8 on workers; .*"

# ---- memory ----
lesson memory --pages 40 --fetchers 3 --room 2 --write-ms 1
prints "memory: all is written, nothing kept" "unbounded: wrote 40, held up to [0-9]+ pages, holds 0 now"
prints "memory: bounded, too" "bounded: wrote 40, held up to [1-6] pages, holds 0 now"
prints "memory: the bound" "bound: .*: 6"

# ---- the crawler in steps ----
before=
for step in 1-sequential 2-executor 3-engine 4-events; do
    lesson steps/$step
    prints "$step: all of the sample site" "discovered 73, fetched 67, failed 6"
    grep -E '^[0-9]+ /' "$work/out" | sort >"$work/$step"
    try "$step: each page once" test "$(uniq "$work/$step" | wc -l)" = 73
    if [ "$before" ]; then
        try "$step: the pages of $before" cmp "$work/$before" "$work/$step"
        try "$step: the diff to $before fits on a page" test \
            "$(diff "src/lessons/steps/$before.c" "src/lessons/steps/$step.c" | wc -l)" -le 80
    fi
    before=$step
done
finish
