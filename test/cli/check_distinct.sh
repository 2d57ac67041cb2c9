#!/bin/sh
# A file that a run writes is no other file that it reads or writes: whatever would be destroyed is
# refused, with both options named, before anything is opened.
set -u
. test/cli/common

serve sample_site
cd "$work" || exit 1
printf '%s\n' "$url" >kept
ln -s link.1 to.link.1 # to nothing yet

# lay: files with something to lose, under several names
lay() {
    for name in list jar.txt a.jsonl a.json s.db; do
        cp kept "$name"
    done
    mkdir -p folder
    ln -f list hard.txt
    ln -sf list soft.txt
    ln -sf a.jsonl soft.jsonl
}
# refused WORDS ARGUMENT...: with exit code 2, the words, and all files as they were
refused() {
    words=$1
    shift
    lay
    run 2 "$@"
    says "$words are the same file: give each its own"
    for name in list jar.txt a.jsonl a.json s.db; do
        try "$*: $name is as it was" cmp "$name" kept
    done
    try "$*: nothing was made" test ! -e new.db -a ! -e new.jsonl -a ! -e link.1
}

# written and written: existing, to be created, by other names of the same
refused "-c s.db and --state s.db" crawl -q "$url" --state s.db -c s.db
refused "-c new.db and --state ./new.db" crawl -q "$url" --state ./new.db -c new.db
refused "-o a.jsonl and -c a.jsonl" crawl -q --overwrite "$url" -o a.jsonl -c a.jsonl
refused "-o new.jsonl and -c folder/../new.jsonl" fetch -q "$url" -o new.jsonl -c folder/../new.jsonl
refused "-o soft.jsonl and --summary-json a.jsonl" crawl -q --overwrite "$url" -o soft.jsonl --summary-json a.jsonl
refused "--state s.db and --summary-json s.db" crawl -q --overwrite "$url" --state s.db --summary-json s.db
refused "-o a.jsonl and --trace a.jsonl" check -q --overwrite "$url" -o a.jsonl --trace a.jsonl
refused "--state s.db and --trace s.db" crawl -q --overwrite "$url" --state s.db --trace s.db
refused "--trace a.json and --summary-json a.json" crawl -q --overwrite "$url" --trace a.json --summary-json a.json
refused "--changes a.jsonl and --trace a.jsonl" crawl -q --overwrite "$url" --state new.db --recrawl --changes a.jsonl --trace a.jsonl
refused "--state s.db and --changes s.db" crawl -q --overwrite "$url" --state s.db --recrawl --changes s.db
refused "-o a.jsonl and --save a.jsonl" crawl -q --overwrite "$url" -o a.jsonl --save a.jsonl
refused "--save folder/ and --trace folder/../folder" crawl -q "$url" --save folder/ --trace folder/../folder
refused "-c to.link.1 and --trace link.1" crawl -q "$url" -c to.link.1 --trace link.1

# read and written
refused "-i list and -c list" crawl -q -i list -c list
refused "-i list and -c hard.txt" crawl -q -i list -c hard.txt
refused "-i soft.txt and --summary-json list" check -q --overwrite -i soft.txt --summary-json list
refused "-i list and --trace list" crawl -q --overwrite -i list --trace list
refused "-i a.jsonl and -o a.jsonl" fetch -q --overwrite -i a.jsonl -o a.jsonl
refused "-i s.db and --state s.db" crawl -q -i s.db --state s.db
refused "-b jar.txt and --trace jar.txt" crawl -q --overwrite "$url" -b jar.txt --trace jar.txt
refused "-o a.jsonl and --cacert a.jsonl" crawl -q --overwrite "$url" --cacert a.jsonl -o a.jsonl
printf 'delay = 0\n' >kept
refused "--config list and -c list" crawl -q "$url" --config list -c list
refused "--config list and --csv list" compare -q "$url" --config list --csv list --overwrite
printf '%s\n' "$url" >kept
lay
"$weft" fetch -q --overwrite -o a.jsonl <a.jsonl 2>err
says "-i - and -o a.jsonl are the same file"
try "a list on standard input is as it was" cmp a.jsonl kept

# reports
refused "--csv a.json and --json a.json" compare -q "$url" --overwrite --csv a.json --json a.json
refused "--html list and --csv hard.txt" compare -q "$url" --overwrite --html list --csv hard.txt
refused "--html new.jsonl and --json ./new.jsonl" compare -q "$url" --html new.jsonl --json ./new.jsonl

# what is fine
lay
rm -f s.db jar.txt
run 0 crawl -q "$url" -c jar.txt -d 0
run 0 crawl -q "$url" -b jar.txt -c jar.txt -d 0
run 0 crawl -q "$url" --state s.db -o s.db -d 0
run 0 crawl -q -i list -i list -d 0 -o - -c -
run 0 crawl -q "$url" -o /dev/null -c /dev/null --trace /dev/null --summary-json /dev/null -d 0
finish
