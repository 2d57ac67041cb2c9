#!/bin/sh
# The data of the learning page are what scripts/make-lesson-page makes of the documents and the
# sources as they are now; and that script stops when a function or a line that it quotes is gone.
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
refuses "a function that is gone" 's/^## \(.*\) tell$/## \1 no_such_function/' "no_such_function() is not there any more"
refuses "a file that is gone" 's/^## src\/exec\/wait.c/## src\/exec\/no_such.c/' "there is no src/exec/no_such.c"
refuses "a line that is gone" 's/^> l->fire(l, f);/> l->fire(l, nothing);/' "is quoted with a line that stands there 0 times"
refuses "a line that is not the only one" 's/^> l->fire(l, f);/> l/' "is quoted with a line that stands there"
finish
