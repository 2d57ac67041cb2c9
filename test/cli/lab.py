"""A browser for check_lab.sh: asks `weft lab` at URL and judges what comes back.

Usage: lab.py URL all             the files, the refusals, runs with each engine
       lab.py URL end PID SIGNAL  starts a run, watches it, sends the signal, expects the end
       lab.py URL no-site         a run is refused in words
       lab.py URL installed       away from the sources: the page, and a run to its end
Prints what fails, and as the last line "N passed, N failed".
"""

import collections
import http.client
import json
import os
import pathlib
import signal
import socket
import sys
import threading
import urllib.parse

passed = failed = 0
base = urllib.parse.urlsplit(sys.argv[1])
HOST = base.netloc
PAGE = pathlib.Path("src/lab/page")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png"}
JSON = {"Content-Type": "application/json"}
Answer = collections.namedtuple("Answer", "status head body")


def check(what, fine, detail=""):
    global passed, failed
    if fine:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}", str(detail)[:500])


def ask(method, path, body=None, headers=None):
    c = http.client.HTTPConnection(base.hostname, base.port, timeout=120)
    c.request(method, path, body, headers or {})
    r = c.getresponse()
    answer = Answer(r.status, r.headers, r.read())
    c.close()
    return answer


def raw(text):
    """Sends these bytes on a connection of their own; the status, 0 for none."""
    with socket.create_connection((base.hostname, base.port), timeout=120) as s:
        s.sendall(text.encode())
        line = s.makefile("rb").readline().split()
        return int(line[1]) if len(line) > 1 else 0


def start(engine="threads", jobs=4, delay_ms=5, headers=None):
    body = json.dumps({"engine": engine, "jobs": jobs, "delay_ms": delay_ms})
    return ask("POST", "/api/run", body, {**JSON, **(headers or {})})


def number_of(answer):
    check("a run starts", answer.status == 202, answer)
    return json.loads(answer.body)["run"]


class Stream:
    """The events of a run as they come: (name, data)."""

    def __init__(self, run):
        self.connection = http.client.HTTPConnection(base.hostname, base.port, timeout=120)
        self.connection.request("GET", f"/api/run/{run}/events")
        self.answer = self.connection.getresponse()
        self.text = b""

    def line(self):
        line = self.answer.readline()
        self.text += line
        return line.decode().rstrip("\n")

    def __iter__(self):
        while True:
            name, data, end = self.line(), self.line(), self.line()
            if not name:
                return
            if not (name.startswith("event: ") and data.startswith("data: ") and end == ""):
                check("an event is two lines and an empty one", False, (name, data, end))
            yield name[7:], json.loads(data[6:])

    def close(self):
        self.answer.close()
        self.connection.close()


# ---- the page's files ----

def check_files():
    files = [f for f in PAGE.rglob("*") if f.suffix in TYPES]
    check("there are files", PAGE / "index.html" in files)
    for path, f in [("/", PAGE / "index.html")] + [(f"/{f.relative_to(PAGE)}", f) for f in files]:
        got = ask("GET", path)
        check(f"{path} is the file", got.status == 200 and got.body == f.read_bytes(), got.status)
        check(f"{path} has its type", got.head["Content-Type"] == TYPES[f.suffix], got.head)
        head = ask("HEAD", path)
        check(f"{path}: HEAD", head.status == 200 and head.body == b"" and
              head.head["Content-Length"] == str(len(got.body)), head)
    for path in ["/", "/nothing", "/api/run/77/events"]:
        head = ask("GET", path).head
        for name, value in {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache",
                            "Referrer-Policy": "no-referrer"}.items():
            check(f"{path}: {name}", head[name] == value, head)
        policy = head["Content-Security-Policy"] or ""
        for part in ["default-src 'none'", "script-src 'self'", "style-src 'self'",
                     "img-src 'self' data:", "connect-src 'self'", "base-uri 'none'",
                     "form-action 'none'", "frame-ancestors 'none'"]:
            check(f"{path}: the policy has {part}", part in policy.split("; "), policy)
    check("a query changes nothing", ask("GET", "/index.html?a=b").status == 200)
    for path in ["/nothing", "/Index.html", "/index.html/", "/%69ndex.html", "//index.html", "/./",
                 "/../lab.c", "/api", "/api/", "/api/run/", "/api/run/0", "/api/run/01/events",
                 "/api/run/99999999999999999999/events", "/api/run/1/", "/api/run/1/events/",
                 "/api/run/x"]:
        check(f"{path} is not there", ask("GET", path).status == 404)


# ---- refusals ----

def check_methods():
    for method, path, allowed in [("POST", "/", "GET, HEAD"), ("DELETE", "/index.html", "GET, HEAD"),
                                  ("OPTIONS", "/", "GET, HEAD"), ("GET", "/api/run", "POST"),
                                  ("PUT", "/api/run", "POST"), ("OPTIONS", "/api/run", "POST"),
                                  ("GET", "/api/run/1", "DELETE"), ("POST", "/api/run/1", "DELETE"),
                                  ("POST", "/api/run/1/events", "GET, HEAD")]:
        got = ask(method, path, headers=JSON)
        check(f"{method} {path}: 405", got.status == 405 and got.head["Allow"] == allowed, got)


def check_hosts():
    port = base.port
    for host, want in [(f"localhost:{port}", 200), (f"LOCALHOST:{port}", 200), (f"[::1]:{port}", 200),
                       (f"127.0.0.1:{port}", 200), ("127.0.0.1", 421), (f"127.0.0.1:{port + 1}", 421),
                       ("stranger.example", 421), (f"stranger.example:{port}", 421),
                       (f"localhost.stranger.example:{port}", 421), (f"127.0.0.2:{port}", 421),
                       (f"x.localhost:{port}", 421), (f"127.0.0.1:{port}0", 421), ("[::1]", 421),
                       (f"127.0.0.1:{port}:{port}", 421), ("", 421), (f":{port}", 421)]:
        got = raw(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        check(f"Host: {host}", got == want or (want == 421 and got == 400), got)
        got = raw(f"POST /api/run HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
                  "Content-Length: 2\r\nConnection: close\r\n\r\n{}")
        check(f"a run for Host: {host}", got == (421 if want == 421 else 400) or
              (want == 421 and got == 400 and host == ""), got)
    for line, want in [("GET / HTTP/1.0", 421), (f"GET http://{HOST}/ HTTP/1.1\r\nHost: {HOST}", 200),
                       (f"GET http://stranger.example/ HTTP/1.1\r\nHost: {HOST}", 421),
                       (f"GET http://{HOST}/ HTTP/1.1\r\nHost: stranger.example", 421)]:
        got = raw(f"{line}\r\nConnection: close\r\n\r\n")
        check(line, got == want, got)


def check_strangers():
    port = base.port
    for origin in ["http://stranger.example", "null", f"https://{HOST}", f"http://127.0.0.1:{port + 1}",
                   f"http://localhost:{port}", "http://127.0.0.1", ""]:
        got = start(headers={"Origin": origin})
        check(f"Origin: {origin}", got.status == 403 and "error" in json.loads(got.body), got)
        check(f"Origin {origin} stops nothing",
              ask("DELETE", "/api/run/1", headers={"Origin": origin}).status == 403)
    for site in ["cross-site", "same-site"]:
        check(f"{site} starts nothing", start(headers={"Sec-Fetch-Site": site}).status == 403)
        check(f"{site} watches nothing",
              ask("GET", "/api/run/1/events", headers={"Sec-Fetch-Site": site}).status == 403)
    for kind in [None, "text/plain", "application/jsonx", "application/x-www-form-urlencoded", ""]:
        got = ask("POST", "/api/run", "{}", {} if kind is None else {"Content-Type": kind})
        check(f"Content-Type: {kind}", got.status == 415, got)


def check_bodies():
    good = {"engine": "sync", "jobs": 1, "delay_ms": 0}
    for change in [{"engine": "fast"}, {"engine": None}, {"engine": 1}, {"jobs": 0}, {"jobs": 65},
                   {"jobs": "8"}, {"jobs": 1.5}, {"jobs": 1.0}, {"jobs": True}, {"jobs": -1},
                   {"jobs": 2 ** 70}, {"delay_ms": -1}, {"delay_ms": 1001}, {"delay_ms": None},
                   {"url": "http://stranger.example/"}, {"Jobs": 3}]:
        got = ask("POST", "/api/run", json.dumps({**good, **change}), JSON)
        check(f"400 for {change}", got.status == 400 and json.loads(got.body)["error"], got)
    for name in good:
        got = ask("POST", "/api/run", json.dumps({k: v for k, v in good.items() if k != name}), JSON)
        check(f"400 without {name}", got.status == 400, got)
    for body in ["", "null", "[]", "{", "{}", json.dumps(good) + "x", "\0", "[" * 1000, '"x"',
                 '{"engine":"sync","jobs":1,"jobs":2,"delay_ms":0}']:
        got = ask("POST", "/api/run", body, JSON)
        check(f"400 for {body[:40]!r}", got.status == 400 and json.loads(got.body)["error"], got)
    head = f"POST /api/run HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\n"
    chunk = "400\r\n" + 1024 * " " + "\r\n"
    for what, text in [("1025 bytes", "Content-Length: 1025\r\n\r\n" + 1025 * " "),
                       ("a gigabyte that is not sent", "Content-Length: 1000000000\r\n\r\n"),
                       ("chunks", "Transfer-Encoding: chunked\r\n\r\n" + 2 * chunk + "0\r\n\r\n")]:
        got = raw(head + "Connection: close\r\n" + text)
        check(f"413 for {what}", got == 413, got)


# ---- runs ----

def expected_pages():
    lines = [json.loads(line) for line in open("sample_site/expected.jsonl", encoding="utf-8")]
    return sum(line["outcome"] == "fetched" and "only_with" not in line for line in lines)


def judge(engine, jobs, delay_ms, events):
    """Checks what a run told; gives its requests as (path, status, outcome), sorted."""
    most = 1 if engine == "sync" else jobs
    names = [name for name, _ in events]
    check(f"{engine}: start first", events[0] == ("start", {
        "engine": engine, "jobs": most, "delay_ms": delay_ms}), events[0])
    check(f"{engine}: done last", names[-1] == "done" and names.count("done") == 1, names[-1])
    lanes, begun, requests, wrong = {}, {}, [], []
    ms = 0
    for name, data in events[1:-1]:
        if data["ms"] < ms:
            wrong.append(("earlier than the one before", data))
        ms = data["ms"]
        if name == "begin":
            if lanes.get(data["lane"]) is not None:
                wrong.append(("its lane is not free", data))
            if data["id"] in begun:
                wrong.append(("its id is not new", data))
            begun[data["id"]] = data
            lanes[data["lane"]] = data["id"]
        else:
            first = begun[data["id"]]
            if lanes[first["lane"]] != data["id"]:
                wrong.append(("the end of what is not on the lane", data))
            if data["ms"] - first["ms"] < delay_ms - 1:
                wrong.append(("shorter than its delay", data))
            lanes[first["lane"]] = None
            requests.append((first["path"], data["status"], data["outcome"]))
    done = events[-1][1]
    check(f"{engine}: each event follows from those before", wrong == [], wrong)
    check(f"{engine}: every begin has its end", all(i is None for i in lanes.values()), lanes)
    check(f"{engine}: lanes are 0 to {most - 1}", set(lanes) <= set(range(most)), lanes)
    check(f"{engine}: at once, at most as many as told", 1 <= done["in_flight_peak"] <= most, done)
    check(f"{engine}: the site's pages", done["pages"] == expected_pages(), done)
    check(f"{engine}: wall time", done["wall_ms"] >= ms, done)
    threads = (2, jobs + 1) if engine == "threads" else (1, 1)
    check(f"{engine}: threads", threads[0] <= done["threads"] <= threads[1], done)
    return sorted(requests)


def check_runs():
    check("no run yet", ask("GET", "/api/run/1/events").status == 404)
    check("nothing to stop yet", ask("DELETE", "/api/run/1").status == 404)
    seen = {}
    for engine in ["sync", "threads", "events"]:
        run = number_of(start(engine, 4, 5, {"Origin": f"http://{HOST}", "Sec-Fetch-Site": "same-origin"}))
        stream = Stream(run)
        check("its type", stream.answer.headers["Content-Type"] == "text/event-stream")
        seen[engine] = judge(engine, 4, 5, list(stream))
        again = ask("GET", f"/api/run/{run}/events")
        check("told again from the beginning", again.body == stream.text, again.body[-200:])
        check("an ended run can be stopped", ask("DELETE", f"/api/run/{run}").status == 204)
        check("the one before is gone", ask("GET", f"/api/run/{run - 1}/events").status == 404)
        check("a later one is not there", ask("DELETE", f"/api/run/{run + 1}").status == 404)
    check("the same requests with threads", seen["threads"] == seen["sync"])
    check("the same requests with events", seen["events"] == seen["sync"])
    statuses = {path: (status, outcome) for path, status, outcome in seen["sync"]}
    check("a page", statuses["/about.html"] == (200, "fetched"), statuses)
    check("one that is gone", statuses["/gone.html"] == (410, "failed"), statuses)
    check("a redirect", statuses["/corner/moved.html"] == (301, "redirect"), statuses)


def check_stop():
    """One at a time; watchers that leave; a stop in the middle."""
    for engine in ["sync", "threads", "events"]:
        run = number_of(start(engine, 3, 1000))
        stream = Stream(run)
        events = iter(stream)
        check("it begins", next(events)[0] == "start")
        second = start()
        check("a second run: 409, and which one is going on",
              second.status == 409 and json.loads(second.body)["run"] == run, second)
        for _ in range(8):
            Stream(run).close()
        check("a stop", ask("DELETE", f"/api/run/{run}").status == 204)
        name, data = list(events)[-1]
        check("it says that it was stopped", name == "failed" and "stopped" in data["error"], data)
        check("what was stopped is told again", ask("GET", f"/api/run/{run}/events").body == stream.text)
    # Those who do not read hold up nobody; there is a limit to them.
    run = number_of(start("threads", 4, 1000))
    watchers = [Stream(run) for _ in range(32)]
    check("as many as may watch", all(w.answer.status == 200 for w in watchers))
    got = ask("GET", f"/api/run/{run}/events")
    check("one more: 503", got.status == 503 and json.loads(got.body)["error"], got)
    check("the page is served meanwhile", ask("GET", "/").status == 200)
    ask("DELETE", f"/api/run/{run}")
    check("all of them hear the end", all(list(w)[-1][0] == "failed" for w in watchers))
    check("and may watch again", ask("GET", f"/api/run/{run}/events").status == 200)


def check_late_stops():
    """Stops that come as a run ends by itself: it has one end, whichever."""
    for i in range(20):
        run = number_of(start(["sync", "threads", "events"][i % 3], 8, 0))
        over = threading.Event()
        got = set()

        def stop_it():
            while not over.is_set():
                got.add(ask("DELETE", f"/api/run/{run}").status)

        stream = Stream(run)
        events = iter(stream)
        for name, data in events:
            if name == "end" and data["id"] >= 3 * i:
                break
        stopper = threading.Thread(target=stop_it)
        stopper.start()
        names = [name for name, _ in events]
        over.set()
        stopper.join()
        check("one end", names[-1:] in (["done"], ["failed"]) and
              not {"done", "failed"} & set(names[:-1]), names[-3:])
        check("it could be stopped all the time", got <= {204}, got)


def check_end(pid, name):
    run = number_of(start("threads", 2, 1000))
    stream = Stream(run)
    events = iter(stream)
    while next(events)[0] != "begin":
        pass
    os.kill(pid, getattr(signal, "SIG" + name))
    try:
        rest = list(events)
    except (http.client.HTTPException, OSError):
        rest = []
    check("the stream ends, and the run did not come to its end",
          all(name != "done" for name, _ in rest), rest)


def check_no_site():
    check("the page is served", ask("GET", "/").status == 200)
    got = start()
    check("a run is refused in words", got.status == 503 and "sample site" in json.loads(got.body)["error"], got)
    check("it has no number", ask("GET", "/api/run/1/events").status == 404)


def check_installed():
    got = ask("GET", "/")
    check("the page is in the program", got.status == 200 and b"real_run.js" in got.body, got)
    name, data = list(Stream(number_of(start())))[-1]
    check("the sample site is found and crawled", name == "done" and data["pages"] > 50, data)


if sys.argv[2] == "all":
    for part in [check_files, check_methods, check_hosts, check_strangers, check_bodies, check_runs,
                 check_stop, check_late_stops]:
        part()
elif sys.argv[2] == "end":
    check_end(int(sys.argv[3]), sys.argv[4])
elif sys.argv[2] == "installed":
    check_installed()
else:
    check_no_site()
print(f"{passed} passed, {failed} failed")
