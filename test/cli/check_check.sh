#!/bin/sh
# weft check as a shell sees it: the report in each format, exit codes, what is not looked at.
set -u
. test/cli/common

mkdir -p "$work/site/sub" "$work/out.site"
cat >"$work/site/index.html" <<'HTML'
<!doctype html><title>start</title>
<a href="page.html#part">there</a>
<a href="page.html#nowhere">no such part</a>
<a href="missing.html">not there</a>
<a href="old.html">moved</a>
<img src="missing.png">
<a href="private/x.html">forbidden</a>
HTML
echo '<title>page</title><p id=part><a href=missing.html>x</a>' >"$work/site/page.html"
echo '<title>new</title>' >"$work/site/new.html"
printf 'User-agent: *\nDisallow: /private/\n' >"$work/site/robots.txt"
echo '/old.html status=301 location=/new.html' >"$work/site/routes"
serve "$work/site"

run 1 check "$url"
cat >"$work/expected" <<TEXT
broken 404 ${url}missing.html
    ${url}:4
    ${url}page.html:1
broken 404 ${url}missing.png
    ${url}:6
moved 301 ${url}old.html -> ${url}new.html
    ${url}:5
unchecked robots ${url}private/x.html (disallowed by robots.txt)
    ${url}:7
TEXT
try "the report" diff "$work/expected" "$work/out"
says "2 broken, 0 without their fragment, 1 moved, 1 unchecked, 3 fine"
for engine in sync events; do
    run 1 check -e $engine "$url"
    try "the same report with -e $engine" diff "$work/expected" "$work/out"
done
run 1 check --fragments "$url"
try "--fragments" grep -qx "fragment no such fragment ${url}page.html#nowhere" "$work/out"
run 1 check --fragments --exclude missing "$url"
says "0 broken, 1 without their fragment"
run 0 check --exclude missing "$url"
says "0 broken, 0 without"
run 0 check --accept 200..299,404 "$url"
run 1 check --accept 404 "$url"
run 1 check -d 0 "$url"
says "2 broken, 0 without their fragment, 1 moved"
run 1 check -q "$url"
try "-q: the exit code says it all" sh -c "! cat '$work/out' '$work/err' | grep ."
run 4 check "${url}missing.html"
try "a seed that is broken" test "$(cat "$work/out")" = "broken 404 ${url}missing.html"
run 0 check "${url}new.html"
try "nothing to report" test ! -s "$work/out"

# --- a link to another host: this machine by another name --------------------------------------------
other=http://localhost:${url##*:}
echo "<a href=${other}page.html>x</a><a href=${other}none.html>y</a>" >"$work/site/outside.html"
run 1 check "${url}outside.html"
try "outside, what is broken" grep -qx "broken 404 ${other}none.html" "$work/out"
try "outside, nothing is followed" sh -c "! grep -q '${other}missing' '$work/out'"
run 1 check --scope any "${url}outside.html"
try "--scope any follows" grep -qx "broken 404 ${other}missing.html" "$work/out"

# --- formats ---------------------------------------------------------------------------------------
run 1 check -q --format json "$url"
if command -v python3 >/dev/null 2>&1; then
    try "JSON" python3 - "$work/out" "$url" <<'PYTHON'
import json, sys
report, url = json.load(open(sys.argv[1])), sys.argv[2]
assert report["finished"] is True
assert report["counts"] == {"broken": 2, "fragment": 0, "moved": 1, "unchecked": 1, "fine": 3}, report
first = report["links"][0]
assert first["url"] == url + "missing.html" and first["status"] == 404, first
assert first["places"] == [{"page": url, "line": 4}, {"page": url + "page.html", "line": 1}], first
assert report["links"][2]["moved_to"] == url + "new.html"
PYTHON
    run 1 check -q --fragments --format junit "$url"
    try "JUnit XML" python3 - "$work/out" <<'PYTHON'
import sys
import xml.etree.ElementTree as xml
suite = xml.parse(sys.argv[1]).getroot()[0]
assert suite.get("failures") == "3" and suite.get("skipped") == "1", suite.attrib
assert len(suite) == int(suite.get("tests")) == 8, len(suite)
assert len(suite.findall("testcase/failure")) == 3
PYTHON
    run 1 check -q --fragments --format sarif "$url"
    try "SARIF: what the standard requires, and each place as a result" python3 - "$work/out" "$url" <<'PYTHON'
import json, sys
log, url = json.load(open(sys.argv[1])), sys.argv[2]
assert log["version"] == "2.1.0" and "sarif-2.1.0" in log["$schema"], log
(run,) = log["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "weft check" and driver["version"], driver
rules = [rule["id"] for rule in driver["rules"]]
assert rules == ["broken", "fragment", "moved", "unchecked"], rules
assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
assert [i["executionSuccessful"] for i in run["invocations"]] == [True]
found = []
for result in run["results"]:
    assert rules[result["ruleIndex"]] == result["ruleId"], result
    assert result["level"] in ("error", "warning", "note") and result["message"]["text"], result
    (location,) = result["locations"]
    place = location["physicalLocation"]
    assert place["region"]["startLine"] >= 1, result
    found.append((result["ruleId"], place["artifactLocation"]["uri"], place["region"]["startLine"]))
assert sorted(found) == [("broken", url, 4), ("broken", url, 6), ("broken", url + "page.html", 1),
                         ("fragment", url, 3), ("moved", url, 5), ("unchecked", url, 7)], found
moved = [r["message"]["text"] for r in run["results"] if r["ruleId"] == "moved"]
assert moved == ["moved 301: %sold.html, now at %snew.html" % (url, url)], moved
PYTHON
    run 4 check -q --format sarif "${url}missing.html"
    try "SARIF: a broken seed is its own place" python3 - "$work/out" "${url}missing.html" <<'PYTHON'
import json, sys
(result,) = json.load(open(sys.argv[1]))["runs"][0]["results"]
assert result["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": sys.argv[2]}}}], result
PYTHON
fi

# --- hostile pages -----------------------------------------------------------------------------------
esc=$(printf '\033')
printf '<title>x</title><a href="http://[\033[31m\r\n<>&\047\302\205">a</a>\n<a href="bad%%1b%%0a">b</a>' >"$work/site/hostile.html"
run 1 check "${url}hostile.html"
try "no escape reaches the terminal" sh -c "! cat '$work/out' '$work/err' | grep -q '$esc'"
try "the broken one has its line" grep -qx "    ${url}hostile.html:1" "$work/out"
for format in json junit sarif; do
    run 1 check -q --format $format "${url}hostile.html"
    try "no escape in $format" sh -c "! grep -q '$esc' '$work/out'"
    if command -v python3 >/dev/null 2>&1; then
        try "$format can be read" python3 -c "
import json, sys, xml.etree.ElementTree as xml
(xml.parse if sys.argv[1] == 'junit' else json.load)(open(sys.argv[2]))" $format "$work/out"
    fi
done

# --- wrong use and broken outputs ------------------------------------------------------------------
run 2 check
says "try 'weft check --help'"
for bad in 99 2000 200.. 300..200 200,, abc ""; do
    run 2 check --accept "$bad" "$url"
    says "--accept takes"
done
run 2 check --format xml "$url"
"$weft" check "$url" >/dev/full 2>"$work/err"
try "a report to /dev/full ends with 3" test $? = 3
"$weft" check "$url" >&- 2>"$work/err"
try "a report to a closed descriptor ends with 3" test $? = 3
run 1 check -o "$work/pages.jsonl" "$url"
try "-o takes the records" grep -q "\"url\":\"${url}missing.png\",\"outcome\":\"failed\"" "$work/pages.jsonl"
finish
