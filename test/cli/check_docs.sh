#!/bin/sh
# The option tables, --help, the man page, docs/options.md and the completions name the same
# options, and every page about them is up to date.
set -u
. test/cli/common

"$weft" --list-options >"$work/options"
"$weft" --man >"$work/weft.1"
"$weft" --markdown >"$work/options.md"
try "there are options" test "$(wc -l <"$work/options")" -gt 60
try "docs/options.md is what weft --markdown prints" diff docs/options.md "$work/options.md"

sed 's/\\-/-/g' "$work/weft.1" >"$work/man.txt"
for shell in bash zsh fish; do
    "$weft" --completion $shell >"$work/$shell"
    try "completion for $shell" test -s "$work/$shell"
done
try "bash takes its completions" bash -n "$work/bash"
# What bash offers behind these words; the last one is being typed.
offers() { # offers WORD...
    bash -c 'source "$0"; COMP_WORDS=(weft "$@"); COMP_CWORD=$#; _weft; printf "%s\n" "${COMPREPLY[@]}"' "$work/bash" "$@" |
        sed 's/ *$//' >"$work/offered"
}
offers ""
for command in $(cut -d' ' -f1 "$work/options" | sort -u); do
    try "bash offers $command" grep -qx -- "$command" "$work/offered"
done
offers fe
try "bash completes fe to fetch" test "$(cat "$work/offered")" = fetch
offers fetch --ord
try "bash completes --ord to --ordered" test "$(cat "$work/offered")" = --ordered
offers crawl --ord
try "... of fetch alone" test -z "$(cat "$work/offered")"
offers check --format ju
try "bash completes a word of a choice" test "$(cat "$work/offered")" = junit
for other in zsh fish; do
    command -v $other >/dev/null 2>&1 || continue
    try "$other takes its completions" $other -n "$work/$other"
done

# Each option of the table is in every page ...
missing=0
while read -r command option; do
    "$weft" help "$command" >"$work/help"
    grep -qE -- "^  (-., |    )$option( |\$)" "$work/help" || { echo "help $command: no $option"; missing=1; }
    grep -q -- "$option" "$work/bash" || { echo "bash: no $option"; missing=1; }
    grep -q -- "$option" "$work/zsh" || { echo "zsh: no $option"; missing=1; }
    grep -q -- "-n '__fish_seen_subcommand_from $command' -l ${option#--} " "$work/fish" ||
        { echo "fish: no $command $option"; missing=1; }
    [ "$option" = --help ] || [ "$command" = help ] ||
        sed -n "/^\.SS weft $command\$/,/^\.S[SH] /p" "$work/man.txt" | grep -qE -- "^\.B (-., )?$option( |\$)" ||
        { echo "man: no $option in $command"; missing=1; }
    [ "$option" = --help ] ||
        sed -n "/^## .weft $command /,/^## /p" "$work/options.md" | grep -qE -- "\`(-., )?${option}[ \`]" ||
        { echo "markdown: no $option in $command"; missing=1; }
done <"$work/options"
try "every option of the tables is in every page" test $missing = 0

# ... and each that a page describes is in the table. Help also mentions options in sentences; those
# must exist too.
cut -d' ' -f2 "$work/options" | sort -u >"$work/names"
printf '%s\n' --version --completion --man --markdown --name >>"$work/names"
sort -u -o "$work/names" "$work/names"
for page in "$work/man.txt" "$work/options.md" README.md docs/*.md; do
    [ -f "$page" ] || continue
    case $page in
    "$work"/*) ;;
    *) # in the documentation other programs' options may be named: only lines with weft count
        grep -E '(^|[^a-z/.-])weft (crawl|fetch|check|explain|compare|serve|lab|help)' "$page" >"$work/lines" || continue
        page=$work/lines
        ;;
    esac
    grep -oE -- '(^|[^a-z-])--[a-z][a-z0-9-]*' "$page" | sed 's/^[^-]*--/--/' | sort -u >"$work/mentioned"
    try "$page names no option that does not exist" \
        sh -c "test -z \"\$(comm -13 '$work/names' '$work/mentioned' | tee /dev/stderr)\""
done

# The README names what scripts/bootstrap installs to build and test, with the same purposes; and files that exist.
sed -n '/^    build)/,/;;/s/^        want \([^ ]*\) "\([^"]*\)".*/| \1 | \2 |/p' scripts/bootstrap >"$work/packages"
grep -E '^\| [a-z][a-z0-9+-]+ \| ' README.md >"$work/readme-packages"
try "the README's packages are those of scripts/bootstrap" diff "$work/packages" "$work/readme-packages"
# What a heading of a page is called in a link.
anchors() {
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" |
        sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}
for page in README.md docs/*.md docs/lessons/*.md sample_site/README.md; do
    grep -oE '\]\([^)[:space:]]+\)' "$page" | tr -d '])(' | grep -v '^[a-z]*:' | sort -u | while read -r target; do
        file=${target%%#*}
        file=$(dirname "$page")/${file:-$(basename "$page")}
        [ -e "$file" ] || echo "$page links to $target"
        case $target in *#*) anchors "$file" | grep -qxF -- "${target#*#}" || echo "$page: no heading $target" ;; esac
    done
done >"$work/broken"
try "links between pages lead somewhere" sh -c "! grep . '$work/broken'"

# The man page is without warnings where there is a formatter to ask.
if command -v groff >/dev/null 2>&1; then
    try "groff has no complaint" sh -c "test -z \"\$(groff -man -Tutf8 -ww -z '$work/weft.1' 2>&1 | tee /dev/stderr)\""
fi
try "no help line is wider than a terminal" sh -c "! '$weft' help crawl | grep -E '^.{80,}'"
finish
