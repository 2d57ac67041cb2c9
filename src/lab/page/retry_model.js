/* retry_model.js -- one request that may be tried again: what becomes of it, and when.
 *
 * Times are ticks. A server that takes `latency` ticks says 503 to the first `fails` tries and 200
 * after that; a try is given up after `timeout` ticks. Between two tries the client waits 1 tick,
 * then 2, 4, ... Knows nothing of the page; node runs it as it is. */
(function (page) {
    'use strict';

    /* How long the client waits after its try number `tried` has failed. */
    function backOff(tried) {
        return 2 ** (tried - 1);
    }

    /* {latency, fails, timeout, attempts} -> {tries, waits, fetched, why, end}.
     * tries: {from, to, outcome: 'ok' | '503' | 'timeout'}; waits: {from, to}; why: of the last try;
     * end: the tick at which it is decided. An answer at the very tick of the timeout is in time. */
    function run({ latency, fails, timeout, attempts }) {
        const tries = [];
        const waits = [];
        let now = 0;
        for (;;) {
            const late = latency > timeout;
            /* A try that timed out reached the server all the same: it counts there. */
            const outcome = late ? 'timeout' : tries.length < fails ? '503' : 'ok';
            tries.push({ from: now, to: now + Math.min(latency, timeout), outcome });
            now += Math.min(latency, timeout);
            if (outcome === 'ok' || tries.length === attempts) {
                return { tries, waits, fetched: outcome === 'ok', why: outcome, end: now };
            }
            waits.push({ from: now, to: now + backOff(tries.length) });
            now += backOff(tries.length);
        }
    }

    page.retryModel = { run, backOff };
})((globalThis.weftPage = globalThis.weftPage || {}));
