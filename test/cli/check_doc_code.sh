#!/bin/sh
# What the documentation shows is run. Of each page's fenced blocks, by what stands behind ```:
#   LANG file NAME   is written to NAME in the page's own folder
#   c program        compiles without a warning against the library
#   sh run           runs there with exit code 0 (or N: "sh run exit=N")
#   text output      is what the block before it printed on standard output, to the letter
# All lines that such a block shows for http://127.0.0.1:8080/ are tried on a server of the sample
# site at whatever port is free. A page that needs a program that isn't there is passed over.
set -u
: "${CC:=cc}" "${O:=build/plain}"
. test/cli/common

case $(basename "$O") in
address) flags=-fsanitize=address,undefined ;;
thread) flags=-fsanitize=thread ;;
cov) flags=--coverage ;;
*) flags= ;;
esac
libraries=$(env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -f - 2>/dev/null <<'MAKE'
include Makefile
.DEFAULT_GOAL := said
said: ; @echo $(call libs,crawl)
MAKE
)
include=$PWD/include library=$PWD/$O/libweft.a

# Writes each marked block of a page to $1/NUMBER and its heading to $1/NUMBER.info.
split() {
    awk -v to="$1" '
        !open && /^```[a-z]+ / { open = 1; n++; printf "%s\n", substr($0, 4) > (to "/" n ".info"); printf "" > (to "/" n); next }
        !open && /^```/ { open = 2; next }
        open && /^```$/ { open = 0; next }
        open == 1 { print > (to "/" n) }' "$2"
}
there() { # there WORD...: whether each program of a list is installed
    for program in "$@"; do
        command -v "$program" >/dev/null 2>&1 || { echo "$page: passed over: there is no $program"; return 1; }
    done
}
here() { sed "s,127\.0\.0\.1:8080,$host,g" "$1"; }

serve sample_site
host=${url#http://} host=${host%/}
PATH=$(dirname "$weft"):$PATH
blocks=0
for page in README.md docs/*.md docs/*/*.md; do
    grep -qE '^```[a-z]+ (file|program|run)' "$page" 2>/dev/null || continue
    # shellcheck disable=SC2046 # words
    there $(sed -n 's/^<!-- needs: \(.*\) -->$/\1/p' "$page") || continue
    folder=$work/page
    rm -rf "$folder" "$work/blocks"
    mkdir "$folder" "$work/blocks"
    split "$work/blocks" "$page"
    n=1
    while [ -f "$work/blocks/$n" ]; do
        read -r language kind rest <"$work/blocks/$n.info"
        here "$work/blocks/$n" >"$work/block"
        case $kind in
        file) cp "$work/block" "$folder/$rest" ;;
        program)
            cp "$work/block" "$folder/program.c"
            # shellcheck disable=SC2086 # flags and libraries are lists
            try "$page: block $n compiles" "$CC" -std=c11 -pthread -Wall -Wextra -Werror $flags \
                -I"$include" -o "$folder/program" "$folder/program.c" "$library" $libraries
            ;;
        run)
            code=0
            case $rest in exit=*) code=${rest#exit=} ;; esac
            (cd "$folder" && timeout 60 sh -eu "$work/block" >"$work/printed" 2>"$work/complained" </dev/null)
            got=$?
            try "$page: block $n ends with $code" test $got = "$code"
            [ $got = "$code" ] || cat "$work/block" "$work/printed" "$work/complained"
            ;;
        output) try "$page: block $n is what is printed" diff "$work/block" "$work/printed" ;;
        *) try "$page: block $n: there is nothing called '$language $kind'" false ;;
        esac
        n=$((n + 1)) blocks=$((blocks + 1))
    done
done
echo "$blocks blocks"
finish
