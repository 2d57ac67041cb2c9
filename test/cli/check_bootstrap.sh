#!/bin/sh
# scripts/bootstrap on machines that lack things: a PATH that holds only stand-ins. Nothing is
# installed; the stand-ins write down how they were called.
set -u
. test/cli/common

mkdir "$work/base" "$work/debian" "$work/sudo" "$work/full" "$work/web"
for tool in sh env cat mktemp rm; do
    ln -s "$(command -v $tool)" "$work/base/$tool"
done
stand_in() { # stand_in FILE LINE...
    file=$1
    shift
    { echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$file"
    chmod +x "$file"
}
stand_in "$work/base/id" 'echo "${FAKE_UID:-0}"'
stand_in "$work/debian/apt-get" "echo \"apt-get \$*\" >>'$work/calls'"
stand_in "$work/sudo/sudo" "echo \"sudo \$*\" >>'$work/calls'" 'exec "$@"'
for tool in cc c++ pkg-config python3 clang clang-format clang-tidy; do
    stand_in "$work/full/$tool" 'exit 0'
done

bootstrap() { # bootstrap CODE PATH [ARGUMENT...]
    code=$1 path=$2
    shift 2
    : >"$work/calls"
    PATH=$path scripts/bootstrap "$@" >"$work/out" 2>"$work/err"
    try "bootstrap $* ends with $code" test $? = "$code"
}
called() { try "called: $1" grep -q -- "$1" "$work/calls"; }

bootstrap 0 "$work/base:$work/debian:$work/full"
try "nothing is said when all is there" test ! -s "$work/err"
try "nothing is installed when all is there" test ! -s "$work/calls"
bootstrap 0 "$work/base:$work/debian:$work/full" lint
try "nor for lint" test ! -s "$work/calls"

bootstrap 1 "$work/base:$work/debian:$work/full" web
called "^apt-get install -y .* nodejs npm chromium"
for tool in node npm google-chrome; do
    stand_in "$work/web/$tool" 'exit 0'
done
bootstrap 0 "$work/base:$work/full:$work/web" web
try "nor for the page's tests, with another's browser" test ! -s "$work/calls"

bootstrap 1 "$work/base"
says "or what your system calls them"
for package in gcc libc6-dev pkg-config libcurl4-openssl-dev libxml2-dev check; do
    says "$package: "
done

bootstrap 1 "$work/base:$work/debian"
called "^apt-get update"
called "^apt-get install -y .* gcc libc6-dev g++ pkg-config libcurl4-openssl-dev"
says "still missing after the installation"

FAKE_UID=1000 bootstrap 1 "$work/base:$work/debian"
says "as root: apt-get install gcc"
try "nothing is called without sudo" test ! -s "$work/calls"
FAKE_UID=1000 bootstrap 1 "$work/base:$work/debian:$work/sudo"
called "^sudo env DEBIAN_FRONTEND=noninteractive apt-get install"

# An installation that works is believed only after a second look.
stand_in "$work/debian/apt-get" "echo \"apt-get \$*\" >>'$work/calls'" \
    "[ \"\$1\" != install ] || PATH=/usr/bin:/bin ln -sf '$work/full/'* '$work/base/'"
bootstrap 0 "$work/base:$work/debian"
called "^apt-get install"
rm -f "$work/base/cc" "$work/base/pkg-config"
stand_in "$work/debian/apt-get" 'echo "E: no such package"' 'exit 100'
bootstrap 1 "$work/base:$work/debian"
says "E: no such package"
bootstrap 2 "$work/base:$work/debian" frob
finish
