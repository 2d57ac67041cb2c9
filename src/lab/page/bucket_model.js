/* bucket_model.js -- requests under a limit on how many are open, or how many start a second.
 *
 * The client may have a limit on concurrency, a token bucket, or both; the server has a bucket of
 * its own and answers 429 when that is empty. Times are milliseconds. Knows nothing of the page;
 * node runs it as it is. */
(function (page) {
    'use strict';

    /* The bucket of src/lessons/rate.c: a single time, and nobody who fills it. */
    function bucket(rate, burst) {
        const one = 1000 / rate;
        let emptySince = -Infinity;
        return {
            /* Takes a token: when it is there, now or later. */
            take(now) {
                emptySince = Math.max(emptySince, now - burst * one) + one;
                return Math.max(now, emptySince);
            },
            /* Takes a token if there is one. */
            tryTake(now) {
                const since = Math.max(emptySince, now - burst * one);
                const fits = since + one <= now + 1e-6; /* sums of fractions are not exact */
                emptySince = fits ? since + one : since;
                return fits;
            },
        };
    }

    /* {requests, concurrency, rate, burst, latency, serverRate, serverBurst} -> {spans, total,
     * throughput, refused, peak}. concurrency or rate may be null: without that limit.
     * spans: {id, from, to, status}; peak: how many were open at once. A refusal takes as long as an
     * answer, and is not tried again. */
    function simulate({ requests, concurrency, rate, burst, latency, serverRate, serverBurst }) {
        const client = rate === null ? null : bucket(rate, burst);
        const server = bucket(serverRate, serverBurst);
        const free = new Array(concurrency === null ? requests : concurrency).fill(0);
        let now = 0;
        const spans = Array.from({ length: requests }, (_, id) => {
            const slot = free.indexOf(Math.min(...free));
            now = Math.max(now, free[slot]); /* first come, first served */
            now = client ? client.take(now) : now;
            free[slot] = now + latency;
            return { id, from: now, to: now + latency, status: server.tryTake(now) ? 200 : 429 };
        });
        const total = Math.max(...spans.map((s) => s.to));
        return {
            spans,
            total,
            throughput: total > 0 ? (requests * 1000) / total : 0,
            refused: spans.filter((s) => s.status === 429).length,
            peak: Math.max(
                ...spans.map((s) => spans.filter((o) => o.from <= s.from && s.from < o.to).length),
            ),
        };
    }

    page.bucketModel = { simulate, bucket };
})((globalThis.weftPage = globalThis.weftPage || {}));
