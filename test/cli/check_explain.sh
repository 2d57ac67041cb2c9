#!/bin/sh
# weft explain as a shell sees it: each thing that can stand against a URL, told and in the exit code.
set -u
. test/cli/common

tells() { try "it tells: $1" grep -qF -- "$1" "$work/out"; }

mkdir "$work/site"
cat >"$work/site/robots.txt" <<'ROBOTS'
User-agent: *
Disallow: /

User-agent: weft
Allow: /open/
Disallow: /private/
Disallow: /open/not
Crawl-delay: 2
ROBOTS
echo '<a href=/open/a.html>a</a>' >"$work/site/index.html"
serve "$work/site"

# --- how it is read and remembered -----------------------------------------------------------------
run 0 explain --no-fetch "HTTP://Example.COM:80/a/../%7eb?q#part"
tells "url      http://example.com/%7eb?q"
tells "key      http://example.com/~b?q"
tells "host     http://example.com: at most 4 at once, 0.5 s between two starts"
tells "so       it would be requested"
run 0 explain --no-fetch --fold www,query,slash http://www.a.example/b/?q
tells "key      http://a.example/b"
run 0 explain --no-fetch example.com
tells "url      http://example.com/"
run 1 explain "not a url"
tells "not a url: no URL"
tells "it would not be requested: bad_url"
run 1 explain ftp://x/
tells "not http or https"
run 1 explain "http://a.example/$(head -c 70000 /dev/zero | tr '\0' x)"
tells "too long"

# --- scope, rules, limits, pace ----------------------------------------------------------------------
run 1 explain --no-fetch --seed http://a.example/ http://b.example/
tells "scope    outside of --scope host"
tells "not be requested: scope"
run 0 explain --no-fetch --seed http://a.example/ --scope any http://b.example/
tells "so       it would be requested, if a page that is read links to it"
run 0 explain --no-fetch --seed http://a.example/ --exclude a http://a.example/
tells "it is a seed"
try "a seed needs no link" grep -qx "so       it would be requested" "$work/out"
run 1 explain --no-fetch --seed http://a.example/ --include a --exclude b --include c http://a.example/b
tells "left out by --exclude 'b', number 2 of 3"
tells "not be requested: filter"
run 1 explain --no-fetch --include '[.]pdf$' http://a.example/b
tells "none matches: left out, as the first is an --include"
run 1 explain --no-fetch http://a.example/x/x/x/x/x/x/x/x/x/x
tells "over --max-repeats"
run 0 explain --no-fetch --rate 2 --burst 3 --per-host 9 --delay 250ms http://a.example/
tells "at most 9 at once, 0.25 s between two starts, 2 a second with a burst of 3"
run 0 explain --no-fetch http://127.0.0.1/
tells "on this machine: at most 16 at once, 0 s"

# --- robots.txt ------------------------------------------------------------------------------------
run 0 explain "${url}open/a.html"
tells "allowed by line 5 of ${url}robots.txt, 'Allow: /open/', in the group of weft"
tells "Crawl-delay of 2 s: the longer of this and --delay holds"
run 1 explain "${url}private/a.html"
tells "forbidden by line 6"
tells "not be requested: robots"
run 1 explain --max-crawl-delay 1 "${url}open/a.html"
tells "longer than --max-crawl-delay"
run 1 explain --robots-agent otherbot "${url}open/a.html"
tells "forbidden by line 2"
tells "in the group of *"
run 0 explain --ignore-robots "${url}private/a.html"
tells "not asked: --ignore-robots"
run 0 explain "${url}b.html"
tells "no line of the group of weft"
rm "$work/site/robots.txt"
run 0 explain "${url}private/a.html"
tells "answers 404: all is allowed"
run 1 explain http://127.0.0.1:1/
tells "not be requested: connection"
esc=$(printf '\033')
printf 'User-agent: *\nDisallow: /%s[31m\nDisallow: /p\n' "$esc" >"$work/site/robots.txt"
run 1 explain "${url}p${esc}[31m"
try "no escape reaches the terminal" sh -c "! cat '$work/out' '$work/err' | grep -q '$esc'"

# --- a state file ----------------------------------------------------------------------------------
rm "$work/site/robots.txt"
run 0 crawl -q --state "$work/state" "$url"
cp "$work/state" "$work/before"
run 0 explain --state "$work/state" "${url}open/a.html"
tells "state has it: ended as http_status, status 404, depth 1, found on $url"
run 0 explain --state "$work/state" "${url}other"
tells "state does not have it: no link to it was found"
try "the state file is left alone" cmp "$work/before" "$work/state"
run 3 explain --state "$work/none" "$url"
echo "no database, though it is long enough to be taken for one" >"$work/text"
run 3 explain --state "$work/text" "$url"
try "a file that is none is left alone" test "$(wc -l <"$work/text")" = 1

# --- wrong use -------------------------------------------------------------------------------------
run 2 explain
run 2 explain "$url" "$url"
run 2 explain --seed "no url" "$url"
run 2 explain --include '(' "$url"
"$weft" explain --no-fetch "$url" >/dev/full 2>"$work/err"
try "explain >/dev/full ends with 3" test $? = 3
finish
