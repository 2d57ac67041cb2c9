"""Random scripts of calls on futures, and CPython's answers to them.

promises.py generate COUNT SEED writes scripts; promises.py run reads them and answers, as
promises.c does with weft's promises. A script begins with "new"; each line is one call on one of
the promises 0 to 3. The two must agree but for the differences that docs/futures.md names; what
is done here about those:
D1: a cancelled future is at once shown to a worker, which Python needs before it counts as done.
D6: no job fails with WEFT_ECANCELED's number, which after a stop request is a cancellation.
D4: callbacks don't register callbacks, so Python's don't nest.
"""
import logging
import random
import sys
from concurrent.futures import (ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION, CancelledError,
                                Future, InvalidStateError, TimeoutError, as_completed, wait)

PROMISES = 4
MODES = {"first": FIRST_COMPLETED, "exception": FIRST_EXCEPTION, "all": ALL_COMPLETED}


def generate(count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        print("new")
        for step in range(rng.randint(5, 60)):
            i = rng.randrange(PROMISES)
            kind = rng.choice("start finish fail cancel result state callback wait queue".split())
            if kind in ("finish", "fail"):
                print(kind, i, rng.choice([1, 3, 17, 404, -1]))
            elif kind == "callback":
                print(kind, i, step)
            elif kind == "wait":
                print(kind, rng.randrange(1 << PROMISES), rng.choice(list(MODES)))
            elif kind == "queue":
                print(kind, rng.randrange(1 << PROMISES))
            else:
                print(kind, i)


class Failure(Exception):
    pass


def outcome(future):
    try:
        return "value %d" % future.result(timeout=0)
    except Failure as failure:
        return "failed %d" % failure.args[0]
    except CancelledError:
        return "cancelled"
    except TimeoutError:
        return "timed out"


def start(future):
    if future.cancelled():  # D1: it has been shown to a worker already
        return "cancelled"
    try:
        return "started" if future.set_running_or_notify_cancel() else "cancelled"
    except RuntimeError:
        return "refused"


def finish(future, call, what):
    try:
        call(what)
        return "finished"
    except InvalidStateError:
        return "cancelled" if future.cancelled() else "refused"


def cancel(future):
    before = future.cancelled()
    cancelled = future.cancel()
    if cancelled and not before:
        future.set_running_or_notify_cancel()  # D1
    return "cancelled" if cancelled else "not"


def state(future):
    flags = future.done(), future.running(), future.cancelled()
    return "done %d running %d cancelled %d" % flags


def take_completed(futures):
    taken = 0
    try:
        for _ in as_completed(futures, timeout=0):
            taken += 1
        return "took %d, end" % taken
    except TimeoutError:
        return "took %d, timed out" % taken


def answer(futures, words):
    kind, i = words[0], int(words[1])
    if kind in ("wait", "queue"):
        chosen = [f for n, f in enumerate(futures) if i >> n & 1]
        if kind == "queue":
            return take_completed(chosen)
        return "%d done" % len(wait(chosen, timeout=0, return_when=MODES[words[2]]).done)
    future = futures[i]
    if kind == "callback":
        tag = int(words[2])
        future.add_done_callback(lambda f: print("called", tag, outcome(f)))
        return "added"
    if kind == "finish":
        return finish(future, future.set_result, int(words[2]))
    if kind == "fail":
        return finish(future, future.set_exception, Failure(int(words[2])))
    return {"start": start, "cancel": cancel, "result": outcome, "state": state}[kind](future)


def run():
    logging.disable(logging.CRITICAL)  # which is how Future complains of a second start
    futures = []
    for line in sys.stdin:
        words = line.split()
        if words[0] == "new":
            futures = [Future() for _ in range(PROMISES)]
            print("new")
        else:
            print(words[0], answer(futures, words))


if sys.argv[1] == "generate":
    generate(int(sys.argv[2]), int(sys.argv[3]))
else:
    run()
