"""What concurrent.futures takes for the same things as bench_executor.c: one line for each figure,
"WHAT N NANOSECONDS"."""
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait

now = time.perf_counter_ns


def nothing():
    pass


def jobs(workers, batch=1000, batches=5):
    with ThreadPoolExecutor(workers) as pool:
        start = now()
        for _ in range(batches):
            wait([pool.submit(nothing) for _ in range(batch)])
        return (now() - start) / (batch * batches)


def handoff(workers, n=500):
    with ThreadPoolExecutor(workers) as pool:
        times = []
        for _ in range(n):
            start = now()
            times.append(pool.submit(now).result() - start)
    return sorted(times)[n // 2]


def queue(n):
    # as_completed hooks all at once and is then drained: the cost of one is a share of the whole
    futures = [Future() for _ in range(n)]
    start = now()
    completed = as_completed(futures)
    futures[0].set_result(None)
    next(completed)
    for f in futures[1:]:
        f.set_result(None)
        next(completed)
    return (now() - start) / n


def wait_first(n):
    calls = max(5, min(200, 20000 // n))
    with ThreadPoolExecutor(1) as pool:
        futures = [Future() for _ in range(n)]
        start = now()
        for k in range(calls):
            i = k * 7919 % n
            pending = futures[i]
            futures[i] = pool.submit(nothing)
            wait(futures, return_when=FIRST_COMPLETED)
            futures[i] = pending
        return (now() - start) / calls


for workers in 1, 2, 4, 16:
    print("jobs", workers, jobs(workers))
    print("handoff", workers, handoff(workers))
for n in 10, 100, 1000, 10000:
    print("queue", n, queue(n))
    print("wait", n, wait_first(n))
