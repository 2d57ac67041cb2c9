/* limits_model.js -- two limits: fetches in all, and fetches to one host.
 *
 * Host A is slow, host B fast. Blindly, workers take URLs in the order of the list, and one whose
 * host is full stands in line and is of no use meanwhile. Knowingly, a coordinator hands out only
 * what can start. Times are milliseconds. Knows nothing of the page; node runs it as it is. */
(function (page) {
    'use strict';

    /* The URLs' hosts in the order of the list. */
    function list(pages, order) {
        return order === 'sorted'
            ? [...new Array(pages).fill('A'), ...new Array(pages).fill('B')]
            : new Array(pages).fill(['A', 'B']).flat();
    }

    /* {pages, order: 'sorted' | 'mixed', all, perHost, slow, fast, aware} -> {spans, total, waited,
     * throughput, firstB, answeredBeforeB}.
     * spans: {worker, host, kind: 'fetch' | 'wait', from, to}; waited: worker time spent in lines;
     * firstB: when the first page of B is asked for; answeredBeforeB: pages of A answered by then. */
    function simulate({ pages, order, all, perHost, slow, fast, aware }) {
        const latency = { A: slow, B: fast };
        const todo = list(pages, order);
        const busy = { A: 0, B: 0 };
        const line = { A: [], B: [] }; /* workers that stand in line, first come first served */
        const idle = Array.from({ length: all }, (_, i) => i);
        const running = []; /* {worker, host, from, to} */
        const spans = [];
        let now = 0;

        function fetch(worker, host) {
            busy[host]++;
            running.push({ worker, host, kind: 'fetch', from: now, to: now + latency[host] });
        }

        /* Gives the idle workers what there is for them. */
        function handOut() {
            while (idle.length > 0 && todo.length > 0) {
                const next = aware ? todo.findIndex((host) => busy[host] < perHost) : 0;
                if (next < 0) {
                    return;
                }
                const host = todo.splice(next, 1)[0];
                const worker = idle.shift();
                if (busy[host] < perHost) {
                    fetch(worker, host);
                } else {
                    line[host].push({ worker, since: now });
                }
            }
        }

        /* The fetch that ends first is over; its place goes to the first in its host's line. */
        function finish() {
            const to = Math.min(...running.map((r) => r.to));
            const [span] = running.splice(
                running.findIndex((r) => r.to === to),
                1,
            );
            now = to;
            spans.push(span);
            busy[span.host]--;
            idle.push(span.worker);
            idle.sort((a, b) => a - b);
            const first = line[span.host].shift();
            if (first) {
                if (now > first.since) {
                    spans.push({
                        worker: first.worker,
                        host: span.host,
                        kind: 'wait',
                        from: first.since,
                        to: now,
                    });
                }
                fetch(first.worker, span.host);
            }
        }

        handOut();
        while (running.length > 0) {
            finish();
            handOut();
        }
        const fetches = spans.filter((s) => s.kind === 'fetch');
        const firstB = Math.min(...fetches.filter((s) => s.host === 'B').map((s) => s.from));
        return {
            spans,
            total: now,
            throughput: now > 0 ? (2 * pages * 1000) / now : 0,
            waited: spans.reduce((sum, s) => sum + (s.kind === 'wait' ? s.to - s.from : 0), 0),
            firstB,
            answeredBeforeB: fetches.filter((s) => s.host === 'A' && s.to <= firstB).length,
        };
    }

    page.limitsModel = { simulate };
})((globalThis.weftPage = globalThis.weftPage || {}));
