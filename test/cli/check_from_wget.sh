#!/bin/sh
# weft crawl --save makes the tree that wget -r makes of the sample site, names and bytes, but for
# the differences that docs/from-wget.md names.
set -u
. test/cli/common

if ! command -v wget >/dev/null 2>&1; then
    echo "passed over: there is no wget"
    finish
fi
serve sample_site
mkdir "$work/wget"
(cd "$work/wget" && timeout 120 env -u http_proxy wget -q -r -l inf -nH --no-iri --trust-server-names \
    --restrict-file-names=ascii "$url")
run 0 crawl -q --save "$work/weft" "$url"
try "weft has one folder, for the host" test "$(find "$work/weft" -mindepth 1 -maxdepth 1 | wc -l)" = 1
tree() { (cd "$1" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort); }
saved=$(echo "$work"/weft/*)
tree "$work/wget" >"$work/by-wget"
tree "$saved" >"$work/by-weft"
try "wget has saved the site" test "$(wc -l <"$work/by-wget")" -gt 40

LC_ALL=C comm -3 "$work/by-wget" "$work/by-weft" | tr -d '\t' | LC_ALL=C sort >"$work/differences"
sed -n 's/^| `\([^`]*\)` | [^|]* |$/\1/p' docs/from-wget.md | LC_ALL=C sort >"$work/named"
try "the differences are those of docs/from-wget.md" diff "$work/named" "$work/differences"
LC_ALL=C comm -12 "$work/by-wget" "$work/by-weft" | while IFS= read -r file; do
    cmp -s "$work/wget/$file" "$saved/$file" || echo "$file"
done >"$work/unequal"
try "files of one name are equal to the byte" sh -c "! grep . '$work/unequal'"
finish
