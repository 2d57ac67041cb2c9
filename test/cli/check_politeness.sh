#!/bin/sh
# docs/politeness.md names each default that concerns other people's servers: the numbers are the
# program's, and no option of that kind is left out.
set -u
. test/cli/common

"$weft" --markdown | sed -n '/^## `weft crawl /,/^## `weft fetch /p' >"$work/options.md"
# OPTION<tab>DEFAULT of each row, here "| `--name` | default |", there "| `-n, --name ARG` | default |"
rows() {
    sed -nE 's/^\| `(-[^-], )?(--[a-z0-9-]+)[^`]*` \| ([^|]*) \|.*$/\2	\3/p' "$1" | sed 's/ *$//' | sort
}
rows docs/politeness.md >"$work/told"
rows "$work/options.md" >"$work/are"
try "there are defaults" test "$(wc -l <"$work/told")" -gt 25
try "no option stands there twice" sh -c "test -z \"\$(cut -f1 '$work/told' | uniq -d)\""
try "each default is the program's" sh -c "test -z \"\$(comm -23 '$work/told' '$work/are' | tee /dev/stderr)\""

# Every option of these groups has its line.
sed -nE '/^\| (Speed|Politeness|Failures|Limits against traps) \|/,/^$/p' "$work/options.md" >"$work/groups.md"
rows "$work/groups.md" | cut -f1 | grep -vxE -- '--(engine|parse-jobs|fail-on|user-agent|contact)' >"$work/wanted"
try "there are groups" test "$(wc -l <"$work/wanted")" -gt 15
cut -f1 "$work/told" >"$work/names"
try "no option is left out" sh -c "test -z \"\$(comm -23 '$work/wanted' '$work/names' | tee /dev/stderr)\""
finish
