/* bounded_model.js -- so many requests, at most so many at once: when each begins and ends.
 *
 * A pool in its simplest form: the next request goes to the lane that is free first. Times are
 * milliseconds since the start. Knows nothing of the page; node runs it as it is. */
(function (page) {
    'use strict';

    /* How long each request takes: latency, more or less by jitter percent of it, in whole
     * milliseconds. The same for every limit, so that limits can be compared. */
    function durations(requests, latency, jitter, seed) {
        const random = page.random.seeded(seed);
        return Array.from({ length: requests }, () =>
            Math.max(0, Math.round(latency * (1 + (jitter / 100) * (2 * random() - 1)))),
        );
    }

    /* {requests, limit, latency, jitter, seed} -> {spans, total, work, throughput}.
     * spans: {id, lane, from, to} in the order of their beginning; total: when the last one ends;
     * work: the sum of all durations; throughput: requests a second. */
    function simulate({ requests, limit, latency, jitter = 0, seed = 1 }) {
        const free = new Array(limit).fill(0);
        const spans = durations(requests, latency, jitter, seed).map((duration, id) => {
            const lane = free.indexOf(Math.min(...free));
            const from = free[lane];
            free[lane] = from + duration;
            return { id, lane, from, to: from + duration };
        });
        const total = Math.max(0, ...free);
        return {
            spans,
            total,
            work: spans.reduce((sum, s) => sum + s.to - s.from, 0),
            throughput: total > 0 ? (requests * 1000) / total : 0,
        };
    }

    /* What Little's law says before anything has run: milliseconds in whole rounds, and how many a
     * second while all lanes are busy. */
    function arithmetic({ requests, limit, latency }) {
        const rounds = Math.ceil(requests / limit);
        return {
            rounds,
            total: rounds * latency,
            throughput: latency > 0 ? (limit * 1000) / latency : Infinity,
        };
    }

    /* How many have not begun, run, and are done at one time. */
    function at(spans, time) {
        const done = spans.filter((s) => s.to <= time).length;
        const waiting = spans.filter((s) => s.from > time).length;
        return { waiting, running: spans.length - done - waiting, done };
    }

    page.boundedModel = { simulate, arithmetic, at };
})((globalThis.weftPage = globalThis.weftPage || {}));
