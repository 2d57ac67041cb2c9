/* random.js -- random numbers that come again with the same seed, for the models.
 *
 * A model that shows something once must be able to show it again: so no Math.random(). Knows
 * nothing of the page; node runs it as it is. */
(function (page) {
    'use strict';

    /* Gives a function that gives numbers from 0 up to and without 1 (mulberry32). */
    function seeded(seed) {
        let state = seed >>> 0;
        return function next() {
            state = (state + 0x6d2b79f5) >>> 0;
            let z = state;
            z = Math.imul(z ^ (z >>> 15), z | 1);
            z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
            return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
        };
    }

    page.random = { seeded };
})((globalThis.weftPage = globalThis.weftPage || {}));
