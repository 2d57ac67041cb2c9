#!/bin/sh
# Installs into a temporary folder, builds programs against it by pkg-config alone, runs them and
# the installed program, and removes it all again.
set -u
: "${CC:=cc}" "${CXX:=c++}" "${O:=build/plain}"
. test/cli/common

# The tree that is being tested: build/address is BUILD=build with sanitizers, and programs against
# a sanitized library must be sanitized too.
build=$(dirname "$O") flavour="" flags=""
case $(basename "$O") in
address) flavour=SAN=address,undefined flags=-fsanitize=address,undefined ;;
thread) flavour=SAN=thread flags=-fsanitize=thread ;;
cov) flavour=COV=1 flags=--coverage ;;
esac
# shellcheck disable=SC2086 -- no flavour is no word
make_it() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s BUILD="$build" $flavour "$@"
}
prefix=/opt/weft root=$work/root/opt/weft
try "make install" make_it install DESTDIR="$work/root" PREFIX=$prefix

for file in bin/weft lib/libweft.a lib/libweft.so lib/pkgconfig/weft.pc include/weft/crawl.h \
    share/man/man1/weft.1 share/bash-completion/completions/weft \
    share/zsh/site-functions/_weft share/fish/vendor_completions.d/weft.fish \
    share/weft/sample_site/index.html libexec/weft/lessons/sequential \
    share/weft/lessons/sequential.c share/weft/lessons/sequential.md; do
    try "$file is there" test -s "$root/$file"
done
soname=$(readelf -d "$root/lib/libweft.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
try "the soname $soname has a version and is a link" test "$soname" != libweft.so -a -L "$root/lib/$soname"
try "the shared library exports nothing but weft_*" sh -c \
    "! nm -D --defined-only '$root/lib/libweft.so' | grep -v ' weft_' | grep ' [TDBR] '"

# What pkg-config says is all that the programs are told.
export PKG_CONFIG_PATH="$root/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR=
say() { pkg-config --define-variable=prefix="$root" "$@" weft; }
cat >"$work/program.c" <<'PROGRAM'
#include <weft/crawl.h>
#include <weft/url.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    struct weft_url url;
    char href[100], error[200];
    struct weft_crawl_options options;
    struct weft_crawl *crawl;
    memset(&options, 0, sizeof options);
    if (weft_url_parse(&url, href, sizeof href, NULL, "HTTP://A.example/b/../c", 23, NULL) != WEFT_OK ||
        strcmp(href, "http://a.example/c") != 0) {
        return 1;
    }
    if (weft_crawl_new(&crawl, &options, error, sizeof error) != WEFT_OK) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    weft_crawl_free(crawl);
    puts("fine");
    return 0;
}
PROGRAM
cp "$work/program.c" "$work/program.cc"
# shellcheck disable=SC2046,SC2086 -- flags are lists
{
    shared="$(say --cflags --libs)"
    static="$(say --cflags) $(say --static --libs | sed 's/-lweft/-l:libweft.a/')"
    try "C11, shared" "$CC" -std=c11 -Wall -Wpedantic -Werror $flags -o "$work/c-shared" "$work/program.c" $shared
    try "C11, static" "$CC" -std=c11 -Wall -Wpedantic -Werror $flags -o "$work/c-static" "$work/program.c" $static
    try "C++17, shared" "$CXX" -std=c++17 -Wall -Wpedantic -Werror $flags -o "$work/cc-shared" "$work/program.cc" $shared
    try "C++17, static" "$CXX" -std=c++17 -Wall -Wpedantic -Werror $flags -o "$work/cc-static" "$work/program.cc" $static
}
for program in c-shared c-static cc-shared cc-static; do
    try "$program runs" env LD_LIBRARY_PATH="$root/lib" "$work/$program"
done
try "the static one needs no libweft.so" sh -c "! readelf -d '$work/c-static' | grep -q 'NEEDED.*libweft'"

# The programs of the library's guide, by its own build line.
awk -v to="$work/guide" '/^```c program$/ { n++; file = to n ".c"; next } /^```$/ { file = "" } file { print >file }' \
    docs/library.md
for program in "$work"/guide*.c; do
    # shellcheck disable=SC2046,SC2086 -- flags are lists
    try "$(basename "$program") of docs/library.md" "$CC" -std=c11 -Wall -Wextra -Werror $flags \
        -o "${program%.c}" "$program" $(say --cflags --libs)
done

# The installed program, away from the sources, finds its sample site.
weft=$root/bin/weft
cd "$work" || exit 1
run 0 lesson sequential --pages 3 --delay 0
try "the installed lesson runs" grep -qx "discovered 4, fetched 3, failed 1" "$work/out"
serve -q
try "weft serve finds the installed sample site" test "$line" = "serving $root/share/weft/sample_site on $url"
run 0 crawl -q -o - -d 0 "$url"
try "weft crawl crawls it" test "$(grep -c "\"outcome\":\"fetched\"" "$work/out")" = 1
stop_server
try "a signal ends weft serve with 0" test "$server_code" = 0
lab
python3 "$OLDPWD/test/cli/lab.py" "$url" installed || failed=$((failed + 1))
stop_server
cd "$OLDPWD" || exit 1

try "make uninstall" make_it uninstall DESTDIR="$work/root" PREFIX=$prefix
try "nothing is left" sh -c "! find '$work/root' -name '*weft*' -path '$root/*' | grep ."
finish
