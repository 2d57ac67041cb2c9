#!/bin/sh
# Wrong use is refused with a sentence and exit code 2 before anything is fetched or written; help
# and version work, also when nobody can read them.
set -u
. test/cli/common

wrong() { # wrong SENTENCE ARGUMENT...
    sentence=$1
    shift
    run 2 "$@"
    says "$sentence"
    try "weft $*: nothing on standard output" test ! -s "$work/out"
}

nowhere=http://127.0.0.1:1/
wrong "no command is given"
wrong "did you mean 'weft crawl'?" crwal
wrong "there is no command xyzzyplugh" xyzzyplugh
wrong "did you mean 'weft crawl http://a/'?" http://a/
wrong "did you mean 'weft crawl a.example/x'?" a.example/x
wrong "there is no option --frob here" --frob
wrong "no URL is given" crawl
wrong "the URL is empty" crawl ""
wrong "the URL is empty" crawl "   "
wrong "is no URL" crawl "not a url"
wrong "is no URL" crawl http://
wrong "no http or https" crawl ftp://x
wrong "no http or https" crawl file:///etc/passwd
wrong "no http or https" crawl javascript:1
wrong "--jobs) takes a whole number from 1 to 10000, not '0'" crawl -j 0 $nowhere
wrong "--jobs) takes a whole number from 1 to 10000, not 'abc'" crawl -j abc $nowhere
wrong "--jobs takes a whole number" crawl --jobs=-1 $nowhere
wrong "--per-host takes" crawl --per-host -2 $nowhere
wrong "--timeout takes" crawl --timeout -5 $nowhere
wrong "--retries takes" crawl --retries -1 $nowhere
wrong "--max-body takes" crawl --max-body -1 $nowhere
wrong "--delay takes" crawl --delay -0.5 $nowhere
wrong "--delay takes" crawl --delay 1e3 $nowhere
wrong "--max-pages) takes" crawl -n 0 $nowhere
wrong "--engine) takes threads, sync or events" crawl -e fast $nowhere
wrong "--jobs) needs a value" crawl $nowhere -j
wrong "did you mean --delay?" crawl --dellay 1 $nowhere
wrong "--quiet takes no value" crawl --quiet=1 $nowhere
wrong "exclude each other" crawl --append --overwrite $nowhere
wrong "No such file" crawl -i "$work/none"
wrong "$work: Is a directory" crawl -i "$work"
wrong "$work: Is a directory" fetch -i "$work" $nowhere
wrong "--cookie): $work/none: No such file" crawl -b "$work/none" $nowhere
wrong "--cacert: $work/none: No such file" crawl --cacert "$work/none" $nowhere
for entry in a a:80 a:80: :80:127.0.0.1 a:x:127.0.0.1 a:80:b.test a:65536:127.0.0.1 -a:80:127.0.0.1; do
    wrong "--resolve takes HOST:PORT:ADDRESS" crawl --resolve "$entry" $nowhere
done
wrong "--config: $work/none: No such file" crawl --config "$work/none" $nowhere
printf '# a comment\njobs = 0\n' >"$work/options"
wrong "$work/options:2: --jobs takes a whole number from 1 to 10000, not '0'" crawl --config "$work/options" $nowhere
wrong "one folder at a time" serve a b
wrong "--port takes" serve --port 65536
wrong "there is no command or topic frob" help frob

# A regular expression, an output name and a bad line of a file are refused too, and a good seed
# beside a bad one is not crawled.
wrong "" crawl --include '(' $nowhere
deep=$(head -c 60000 /dev/zero | tr '\0' '(')
wrong "--include: the expression is longer than" crawl --include "$deep" $nowhere
wrong "--exclude: the expression is longer than" explain --exclude "$deep" $nowhere
wrong "--user-agent, with --contact, is longer than" crawl -A "$deep" $nowhere
wrong "--user-agent, with --contact, is longer than" fetch --contact "$deep" $nowhere
wrong "" crawl -o "$work/pages.unknown" $nowhere
wrong "is no http or https" crawl -o "$work/pages.jsonl" $nowhere ftp://x
try "no output was made" test ! -e "$work/pages.jsonl"
printf 'http://127.0.0.1:1/\n\n# fine\nnonsense words\n' >"$work/list"
wrong "$work/list:4: 'nonsense words' is no URL" crawl -i "$work/list"
: >"$work/empty"
wrong "the input holds no URL" crawl -i "$work/empty"

# Escape sequences in arguments do not reach the terminal.
esc=$(printf '\033')
run 2 crawl "${esc}[31m"
try "no escape in the message" sh -c "! grep -q '$esc' '$work/err'"

run 0 --help
try "the overview lists the commands" grep -q '^  crawl URL' "$work/out"
run 0 --version
try "the version names weft and libcurl" sh -c "grep -q '^weft [0-9]' '$work/out' && grep -q '^libcurl/' '$work/out'"
run 0 help status
try "a command without options takes none" grep -qx 'Usage: weft status FILE' "$work/out"
run 0 help explain
try "explain only reads a state file" grep -q 'It is only read' "$work/out"
run 0 help exit
try "a topic" grep -q '130, 143' "$work/out"
for words in "crawl --help" "help crawl" "--version" "--man"; do
    # shellcheck disable=SC2086 -- words
    "$weft" $words >/dev/full 2>"$work/err"
    try "weft $words >/dev/full ends with 3" test $? = 3
    says "standard output: No space left on device"
    # shellcheck disable=SC2086
    "$weft" $words >&- 2>"$work/err"
    try "weft $words with standard output closed ends with 3" test $? = 3
done
finish
