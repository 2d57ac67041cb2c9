#!/bin/sh
# A crawl that is killed again and again, and goes on each time: nothing lost, nothing twice. The
# long form is in `make soak`.
set -u
WEFT=${WEFT:-build/plain/weft} exec scripts/kill-test --kills 12 --pages 200
