#!/bin/sh
# weft serve gives the sample site as its map says: an independent walk of it finds exactly what
# expected.jsonl tells, and the server answers to the end and stops when it is told to.
set -u

passed=0 failed=0
ok() {
    passed=$((passed + 1))
}
not_ok() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}

work=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT

"$WEFT" serve sample_site >"$work/said" 2>"$work/counts" &
server=$!
url=
while [ -z "$url" ] && kill -0 "$server" 2>/dev/null; do
    url=$(sed -n 's/^serving sample_site on \(http:.*\)$/\1/p' "$work/said")
    [ -n "$url" ] || sleep 0.02
done
if [ -n "$url" ]; then ok; else not_ok "weft serve prints no address: $(cat "$work/counts")"; fi

if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: the walk needs python3"
elif [ -n "$url" ]; then
    python3 test/cli/walk.py "$url" sample_site/expected.jsonl >"$work/walk"
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/walk")
    sed '$d' "$work/walk"
    passed=$((passed + ${counts% *} + 0)) failed=$((failed + ${counts#* } + 0))
    [ -n "$counts" ] || not_ok "the walk did not end"
fi

kill "$server" 2>/dev/null
wait "$server"
status=$?
server=
if [ "$status" = 0 ]; then ok; else not_ok "weft serve ended with status $status"; fi
if grep -q '^[0-9]* requests for' "$work/counts"; then ok; else not_ok "weft serve says no counts"; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
