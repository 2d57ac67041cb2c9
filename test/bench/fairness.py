#!/usr/bin/env python3
"""One host that holds a crawler up, and fifty that do not: when does the last page of the fifty
arrive, with the one and without it? For every engine and each way to be slow:

- delay: robots.txt asks for a Crawl-delay of a second;
- refuses: 429 with Retry-After: 1, again and again;
- answers slowly: half a second for each page (not for sync, where one fetch is all there is).

Prints both times and their ratio, the median of three pairs; fails if one is over LIMIT.
Usage: WEFT=build/plain/weft test/bench/fairness.py [ROUNDS]
"""
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile

WEFT = os.environ.get("WEFT", "build/plain/weft")
HOSTS, PAGES, LIMIT = 50, 30, 1.05
# Each fast host has its own clock: PAGES starts, 40 ms apart.
# The fifty take less than two seconds; what the slow host then still has is no matter.
OPTIONS = ["--max-time", "4", "--grace", "0.1", "--delay", "0.04", "--per-host", "2", "--retries", "9", "--host-failures", "0",
           "--retry-base", "0.1", "-j", "16", "-q", "--fail-on", "none", "--scope", "host"]


def serve(*arguments):
    """A server on a free port: the process, and the port."""
    p = subprocess.Popen([WEFT, "serve", "-q", *arguments], stdout=subprocess.PIPE, text=True)
    return p, p.stdout.readline().strip().rsplit(":", 1)[1].strip("/")


def last_arrival(engine, seeds, out):
    """Seconds from the start of the crawl to the end of the last fetch of a fast host."""
    if os.path.exists(out):
        os.remove(out)
    crawl = subprocess.Popen([WEFT, "crawl", "-e", engine, *OPTIONS, "-o", out, "-i", "-"],
                             stdin=subprocess.PIPE, text=True)
    began = datetime.datetime.now(datetime.timezone.utc).timestamp()
    crawl.communicate("\n".join(seeds))
    ends = []
    for line in open(out, encoding="utf-8"):
        r = json.loads(line)
        if "//h" in r["url"] and r["outcome"] == "fetched":
            at = datetime.datetime.fromisoformat(r["started_at"].replace("Z", "+00:00"))
            ends.append(at.timestamp() + r["elapsed_ms"] / 1000)
    assert len(ends) == HOSTS * PAGES, "%d fast pages" % len(ends)
    return max(ends) - began


def main(rounds):
    work = tempfile.mkdtemp()
    site = os.path.join(work, "site")
    os.mkdir(site)
    with open(os.path.join(site, "robots.txt"), "w") as f:
        f.write("User-agent: *\nCrawl-delay: 1\n")
    with open(os.path.join(site, "index.html"), "w") as f:
        f.write("".join("<a href=/slow?ms=1&n=%d>x</a>" % n for n in range(3)))
    fast, port = serve()
    slow, slow_port = serve(site)
    ways = {
        "delay": ["http://127.0.0.1:%s/" % slow_port],
        "refuses": ["http://slow.localhost:%s/status/429?retry-after=1&n=%d" % (port, n)
                    for n in range(20)],
        "answers slowly": ["http://slow.localhost:%s/slow?ms=500&n=%d" % (port, n)
                           for n in range(12)],
    }
    fifty = ["http://h%d.localhost:%s/gen/pages=%d,size=2000,links=8/0.html" % (h, port, PAGES)
             for h in range(HOSTS)]
    out, over = os.path.join(work, "out.jsonl"), 0
    print("%-8s %-15s %9s %9s %7s" % ("engine", "the slow host", "without", "with", "ratio"))
    try:
        for engine in "sync", "threads", "events":
            for way, seeds in ways.items():
                if engine == "sync" and way == "answers slowly":
                    continue
                pairs = [(last_arrival(engine, fifty, out), last_arrival(engine, seeds + fifty, out))
                         for _ in range(rounds)]
                ratio = statistics.median(b / a for a, b in pairs)
                without, with_ = (statistics.median(p[i] for p in pairs) for i in (0, 1))
                over += ratio > LIMIT
                print("%-8s %-15s %7.0fms %7.0fms %7.3f%s" % (
                    engine, way, without * 1000, with_ * 1000, ratio,
                    "" if ratio <= LIMIT else "  over %g" % LIMIT), flush=True)
    finally:
        fast.terminate()
        slow.terminate()
        for name in "site/robots.txt", "site/index.html", "out.jsonl":
            path = os.path.join(work, name)
            if os.path.exists(path):
                os.remove(path)
        os.rmdir(site)
        os.rmdir(work)
    return over > 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
