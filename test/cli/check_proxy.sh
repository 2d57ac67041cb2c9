#!/bin/sh
# Proxies of the environment and of --proxy. The lab server stands in for one: it answers for any
# host of this machine, and nothing listens on port 1. So an answer came through the proxy.
set -u
. test/cli/common
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY HTTP_PROXY
mkdir "$work/site"
echo "<title>there</title><a href=page.html>itself</a>" >"$work/site/page.html"
serve "$work/site"
page=http://127.0.0.1:1/page.html

# asks "VARIABLE=VALUE..." OPTION...: what weft fetch says of the page with that environment.
asks() {
    settings=$1
    shift
    # shellcheck disable=SC2086 # words
    env $settings "$weft" fetch --retries 0 --fail-on none "$@" "$page" 2>"$work/err"
}
through() { try "through the proxy: $*" test "$(asks "$@")" = "200 $page"; }
past() { try "past it: $*" test "$(asks "$@")" = "failed connection $page"; }

past ""
for engine in sync threads events; do
    through "http_proxy=$url" -e $engine
    past "http_proxy=$url no_proxy=127.0.0.1" -e $engine
    through "" -e $engine -x "$url"
done
through "http_proxy=${url#http://}"
through "all_proxy=$url"
through "ALL_PROXY=$url"
through "http_proxy=http://127.0.0.1:1/" -x "$url"
through "http_proxy=$url no_proxy=localhost,a.example"
past "http_proxy=$url NO_PROXY=localhost,127.0.0.1"
past "http_proxy=$url no_proxy=*"
past "http_proxy=$url" -x ""
past "https_proxy=$url"
# as curl: a server that runs this as CGI would set it from a request's field Proxy
past "HTTP_PROXY=$url"
try "--no-private takes none" test "$(asks "http_proxy=$url" --no-private)" = "skipped private $page"

# robots.txt, links and what is followed go the same way.
try "a whole crawl goes through it" env "http_proxy=$url" "$weft" crawl -q --fail-on any --retries 0 "$page"
finish
