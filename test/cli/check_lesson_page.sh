#!/bin/sh
# The data of the learning page are what scripts/make-lesson-page makes of the documents and the
# sources as they are now; that script stops when a function or a line that it quotes is gone; and
# the lessons still print what the page says that they print, but for numbers and drawings.
set -u
. test/cli/common

notes=scripts/make-lesson-page.d/excerpts.md
mkdir "$work/made"
try "make-lesson-page runs" scripts/make-lesson-page "$work/made"
for name in lessons sources excerpts; do
    try "${name}_data.js is up to date (else: scripts/make-lesson-page, and commit)" \
        cmp "$work/made/${name}_data.js" "src/lab/page/${name}_data.js"
done

# refuses WHAT SED-SCRIPT WORDS: notes changed so stop the script, with these words.
refuses() {
    sed "$2" "$notes" >"$work/notes.md"
    try "$1: the notes differ" sh -c "! cmp -s '$notes' '$work/notes.md'"
    try "$1: refused" sh -c "! scripts/make-lesson-page --notes '$work/notes.md' '$work/made' 2>'$work/err'"
    says "$3"
}

# shape FILE: the lines of a lesson's output, without what differs from run to run.
shape() {
    sed -E -e '/^  /d' -e '/^$/d' -e 's/[0-9]+(\.[0-9]+)?/N/g' -e 's/(in this order:).*/\1/' \
        -e 's/(failed before|was asked to stop|fewer$|as many$)/X/' "$1" | sort
}
try "there are lessons" test "$("$weft" lesson | grep -c ' min  ')" = 19
for name in $("$weft" lesson | sed -n 's/  *[0-9]* min  .*//p'); do
    run 0 lesson "$name"
    shape "$work/out" >"$work/now"
    shape "scripts/make-lesson-page.d/outputs/$name.txt" >"$work/kept"
    try "$name prints what the page says (else: scripts/make-lesson-page --run $weft)" diff "$work/kept" "$work/now"
done
refuses "a function that is gone" 's/^## \(.*\) tell$/## \1 no_such_function/' "no_such_function() is not there any more"
refuses "a file that is gone" 's/^## src\/exec\/wait.c/## src\/exec\/no_such.c/' "there is no src/exec/no_such.c"
refuses "a line that is gone" 's/^> l->fire(l, f);/> l->fire(l, nothing);/' "is quoted with a line that stands there 0 times"
refuses "a line that is not the only one" 's/^> l->fire(l, f);/> l/' "is quoted with a line that stands there"
finish
