#!/usr/bin/env python3
"""Walks a served sample_site breadth first and compares what it finds with expected.jsonl.

A second opinion: written from the rules with Python's standard library, it shares nothing with
weft. It knows only as much of URLs, HTML and robots.txt as the sample site needs.
Usage: walk.py BASE EXPECTED            BASE as http://127.0.0.1:8080
Ends with the line "N passed, N failed"; each line of EXPECTED is a check, and so is its order.
"""
import http.client
import html.parser
import json
import re
import sys
import urllib.parse

MAX_HOPS = 10
WANTED = {"a": "href", "area": "href", "link": "href", "iframe": "src", "frame": "src"}
ASSETS = {"stylesheet", "icon", "preload"}


class Page(html.parser.HTMLParser):
    """Title and links of a page, in document order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.links, self.title, self.base, self.nofollow = [], None, None, False
        self.inside = None  # title or textarea: their content has no tags
        # Python's parser ends comments by older rules; so they go first.
        self.feed(re.sub(r"<!--(?:>|->|.*?(?:-->|--!>))", "", text, flags=re.S))

    def handle_starttag(self, tag, attrs):
        if self.inside == "textarea":
            return
        a = {}
        for name, value in attrs:
            a.setdefault(name, value or "")  # of two, the first counts
        if tag == "textarea" or (tag == "title" and self.title is None):
            self.inside = tag
        if tag == "base" and self.base is None and "href" in a:
            self.base = a["href"]
        if tag == "meta" and a.get("name", "").lower() == "robots":
            self.nofollow |= "nofollow" in a.get("content", "").lower()
        if tag == "meta" and a.get("http-equiv", "").lower() == "refresh":
            m = re.match(r"\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?(['\"]?)(.*)\1", a["content"], re.I)
            if m:
                self.links.append(m.group(2))
        rel = set(a.get("rel", "").lower().split())
        if WANTED.get(tag) in a and "nofollow" not in rel and not (tag == "link" and rel & ASSETS):
            self.links.append(a[WANTED[tag]])

    def handle_endtag(self, tag):
        if tag == self.inside:
            self.inside = None

    def handle_data(self, data):
        if self.inside == "title":
            self.title = (self.title or "") + data


def resolve(base, link, charset):
    """The URL that a link means, without its fragment; None: it is none of http(s); "": no URL."""
    link = re.sub(r"[\t\n\r]", "", link.strip(" \t\n\r\f")).replace("\\", "/")
    try:
        u = urllib.parse.urlsplit(urllib.parse.urljoin(base, link))
        port = u.port
    except ValueError:
        return ""
    if u.scheme not in ("http", "https"):
        return None
    host = (u.hostname or "").lower()
    if port and port != {"http": 80, "https": 443}[u.scheme]:
        host += ":%d" % port
    segments = []
    parts = re.sub("%2e", ".", u.path or "/", flags=re.I).split("/")[1:]
    for i, s in enumerate(parts):
        if s == "..":
            segments = segments[:-1]
        elif s != ".":
            segments.append(s)
        if s in (".", "..") and i + 1 == len(parts):
            segments.append("")
    path = urllib.parse.quote("/" + "/".join(segments), safe="/%~!$&'()*+,;=:@-._")
    query = "?" + urllib.parse.quote(u.query.encode(charset), safe="%=&?/~") if u.query else ""
    return "%s://%s%s%s" % (u.scheme, host, path, query)


def key(url):
    """Two URLs with one key are one page: escapes of unreserved characters do not count."""
    def plain(m):
        c = chr(int(m.group(1), 16))
        return c if re.match(r"[A-Za-z0-9._~-]", c) else m.group(0).upper()
    return re.sub("%([0-9A-Fa-f]{2})", plain, url)


class Walk:
    def __init__(self, base):
        self.base, self.seen, self.queue, self.records = base, set(), [], []
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(base).netloc, timeout=60)
        self.rules = [("/robots.txt", True)]
        for line in self.ask(base + "/robots.txt")[2].decode().splitlines():
            m = re.match(r"(dis)?allow:\s*(\S+)", line, re.I)
            if m:
                self.rules.append((m.group(2), not m.group(1)))

    def ask(self, url):
        self.connection.request("GET", url[len(self.base):], headers={"User-Agent": "walk"})
        r = self.connection.getresponse()
        return r.status, r.headers, r.read()

    def allowed(self, url):
        path = url[len(self.base):]
        rules = sorted((len(r), ok) for r, ok in self.rules if path.startswith(r))
        return not rules or rules[-1][1]

    def record(self, url, outcome, reason, depth, status=None, **more):
        short = url[len(self.base):] if url.startswith(self.base + "/") else url
        self.records.append(dict(url=short, outcome=outcome, reason=reason, status=status,
                                 depth=depth, **more))

    def refuse(self, url):
        """Why a URL may not be asked; None: it may."""
        if not url.startswith(self.base + "/"):
            return "scope"
        return None if self.allowed(url) else "robots"

    def find(self, url, depth):
        if key(url) in self.seen:
            return
        self.seen.add(key(url))
        reason = self.refuse(url)
        if reason:
            self.record(url, "skipped", reason, depth)
        else:
            self.queue.append((url, depth))

    def read(self, url, headers, body, depth):
        """The title of a page, whose links are found on the way."""
        if headers.get_content_type() != "text/html":
            return None
        charset = headers.get_content_charset()
        if not charset:
            m = re.search(rb"charset=[\"']?([\w-]+)", body[:1024])
            charset = m.group(1).decode() if m else "utf-8"
        charset = "cp1252" if charset.lower() == "iso-8859-1" else charset
        page = Page(body.decode(charset))
        base = urllib.parse.urljoin(url, page.base or "")
        for link in [] if page.nofollow else page.links:
            target = resolve(base, link, charset)
            if target:
                self.find(target, depth + 1)
            elif target == "":
                self.record(link, "skipped", "bad_url", depth + 1)
        return page.title

    def visit(self, url, depth):
        chain, at = [], url
        while True:
            status, headers, body = self.ask(at)
            if status not in (301, 302, 303, 307, 308):
                break
            chain.append(at)
            at = resolve(at, headers["Location"], "utf-8")
            loop = at in chain or len(chain) > MAX_HOPS
            reason = "redirect_loop" if loop else self.refuse(at)
            if reason:
                for u in chain:
                    self.record(u, "failed" if loop else "skipped", reason, depth, status)
                return
            self.seen.add(key(at))
        for u in chain:
            short = at[len(self.base):]
            self.record(u, "fetched", None, depth, status, title=None, final_url=short)
        if status >= 400:
            self.record(at, "failed", "http_status", depth, status)
        else:
            place = len(self.records)
            self.record(at, "fetched", None, depth, status)
            self.records[place]["title"] = self.read(at, headers, body, depth)

    def run(self):
        self.find(self.base + "/", 0)
        while self.queue:
            self.visit(*self.queue.pop(0))


def main(base, expected):
    walk = Walk(base)
    walk.run()
    lines = [json.loads(line) for line in open(expected, encoding="utf-8")]
    found = {r["url"]: r for r in walk.records}
    passed = failed = 0

    def check(ok, message):
        nonlocal passed, failed
        passed, failed = passed + bool(ok), failed + (not ok)
        if not ok:
            print(message)

    for line in lines:
        line.pop("only_with", None)
        check(found.get(line["url"]) == line, "expected %s\n   found %s" % (line, found.get(line["url"])))
    check(len(found) == len(walk.records), "a URL was recorded twice")
    check(not set(found) - {line["url"] for line in lines},
          "not expected: %s" % (set(found) - {line["url"] for line in lines}))
    check([r["url"] for r in walk.records if r["status"]] ==
          [line["url"] for line in lines if line["status"]], "the order is another one")
    check(not any(u.startswith("/never/") for u in found), "something below /never/ was asked for")
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1].rstrip("/"), sys.argv[2]))
