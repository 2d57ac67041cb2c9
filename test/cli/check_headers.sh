#!/bin/sh
# Every public header compiles alone, twice included, as C11 and as C++17, without a warning, and
# shows no type of another library.
set -u
: "${CC:=cc}" "${CXX:=c++}"
. test/cli/common

for header in include/weft/*.h; do
    name=$(basename "$header")
    printf '#include "weft/%s"\n#include "weft/%s"\n' "$name" "$name" >"$work/alone.c"
    cp "$work/alone.c" "$work/alone.cc"
    try "$name as C11" "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$work/alone.c"
    try "$name as C++17" "$CXX" -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$work/alone.cc"
    try "$name includes only weft and the C library" sh -c \
        "! grep -nE '#include *<(curl|libxml|sqlite3|jansson|microhttpd|unicode)' '$header'"
done
finish
