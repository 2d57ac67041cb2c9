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
while read -r name minutes; do
    page=docs/lessons/$name.md
    try "$name has its source" test -s "src/lessons/$name.c"
    try "$name has its page" sh -c "for h in '## Run it' '## Experiment' '## In Python' '## Questions' '## Answers'; do
        grep -qx \"\$h\" '$page' || { echo no \$h; exit 1; }; done"
    try "docs/lessons.md tells of $name, with its minutes" grep -qF "| [$name](lessons/$name.md) | $minutes |" docs/lessons.md
    if command -v python3 >/dev/null; then
        sed -n '/^```python$/,/^```$/p' "$page" | grep -v '^```' >"$work/idea.py"
        try "$name in Python prints something" sh -c "timeout 20 python3 '$work/idea.py' | grep -q ."
    fi
done <"$work/list"
for source in src/lessons/*.c src/lessons/*/*.c; do
    name=${source#src/lessons/} name=${name%.c}
    [ "$name" = lesson ] || [ ! -e "$source" ] || try "$name is in the list" grep -q "^$name " "$work/list"
done
try "lessons include the public headers and their helper alone" sh -c \
    "! grep -nE '#include \"' src/lessons/*.[ch] | grep -vE '\"(weft/[a-z_]+|lesson)\\.h\"'"
run 2 lesson nothing
says "there is no lesson 'nothing'"
run 2 lesson sequential --delay x
says "--delay takes a whole number"
run 0 lesson sequential --help
prints "help shows the knobs" " *--delay .*"

# ---- sequential ----
lesson sequential --pages 7 --fan 2 --delay 0
prints "all is told" "discovered 8, fetched 7, failed 1"
try "breadth first" test "$(sed -nE 's/^[a-z] (fetched|failed) .*\/([0-9]+).*/\2/p' "$work/out" | tr '\n' ' ')" = "0 404 1 2 3 4 5 6 "
prints "one at a time" "the server saw at most 1 at once"

#NEXT
finish
