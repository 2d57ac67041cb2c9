#!/bin/sh
# docs/futures.md has one line for each statement S1 to S151 and each bug 1 to 40; each names tests
# that exist, or says that it is not applicable; and each test with such a number is named there.
set -u
. test/cli/common

table=docs/futures.md
grep -ho 'START_TEST([A-Za-z0-9_]*)' test/unit/exec/*.c | sed 's/START_TEST(\(.*\))/\1/' | sort >"$work/tests"
grep -E '^\| (S|bug )[0-9]+ \|' "$table" >"$work/rows"

every_line() { # every_line PREFIX LAST: each number has exactly one line, in order
    seq -f "| $1%.0f |" 1 "$2" >"$work/wanted"
    grep -oE "^\| $1[0-9]+ \|" "$work/rows" >"$work/found"
    diff "$work/wanted" "$work/found"
}
named_tests_exist() {
    missing=0
    sed 's/.*| \([^|]*\) |$/\1/' "$work/rows" | grep -o '`[^`]*`' | tr -d '`' | sort -u >"$work/named"
    while read -r name; do
        grep -qx "$name" "$work/tests" || { echo "no such test: $name"; missing=1; }
    done <"$work/named"
    return $missing
}
no_line_is_open() {
    ! grep -vE '\| (`[A-Za-z0-9_]+`( `[A-Za-z0-9_]+`)*|not applicable) \|$' "$work/rows"
}
numbered_tests_are_named() {
    grep -E '^(S[0-9]+|bug[0-9]+)_' "$work/tests" | sort -u >"$work/numbered"
    [ -z "$(comm -23 "$work/numbered" "$work/named")" ] || { comm -23 "$work/numbered" "$work/named"; return 1; }
}
stands_in_its_line() { # a test is named in the line of its own number
    wrong=0
    while read -r name; do
        number=$(printf '%s' "$name" | sed 's/^\(S\|bug\)\([0-9]*\)_.*/\1 \2/; s/^S /S/')
        grep -F "\`$name\`" "$work/rows" | grep -qF "| $number |" || { echo "$name: not in line $number"; wrong=1; }
    done <"$work/numbered"
    return $wrong
}

try "one line for each of S1 to S151" every_line S 151
try "one line for each of the bugs 1 to 40" every_line 'bug ' 40
try "every line has a test, or says that it is not applicable" no_line_is_open
try "every test that is named exists" named_tests_exist
try "every test with a number is named" numbered_tests_are_named
try "and stands in the line of its number" stands_in_its_line
finish
