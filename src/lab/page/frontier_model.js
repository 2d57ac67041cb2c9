/* frontier_model.js -- a crawl of a small site, one event at a time.
 *
 * The coordinator of weft in miniature: a queue of what is known and not yet asked, a set of all
 * that was ever put into it, slots. An event is the start of a fetch or its end; ends take the
 * clock forward. Knows nothing of the page; node runs it as it is. */
(function (page) {
    'use strict';

    /* The site: how many ticks a page takes, and where it links to. "gone" is not there. */
    const site = {
        home: { ticks: 2, links: ['docs', 'about', 'news'] },
        docs: { ticks: 5, links: ['guide', 'api', 'home'] },
        about: { ticks: 1, links: ['team', 'home'] },
        news: { ticks: 2, links: ['gone', 'about'] },
        guide: { ticks: 2, links: ['docs', 'api'] },
        api: { ticks: 3, links: ['docs'] },
        team: { ticks: 1, links: ['about'] },
        gone: { ticks: 1, links: [], status: 404 },
    };

    /* A crawl that has discovered its seed and nothing else. */
    function begin(slots) {
        return {
            slots,
            clock: 0,
            discovered: ['home'],
            queued: ['home'],
            running: [] /* {page, slot, from, until}, in the order of their start */,
            fetched: [] /* in the order of completion, like failed */,
            failed: [],
            finished: [] /* both, in the order of completion */,
            spans: [] /* {page, slot, from, to, status} */,
            last: null /* the event that led here */,
        };
    }

    function isOver(state) {
        return state.queued.length === 0 && state.running.length === 0;
    }

    function start(state) {
        const taken = state.running.map((r) => r.slot);
        const slot = Array.from({ length: state.slots }, (_, i) => i).find(
            (i) => !taken.includes(i),
        );
        const [name, ...queued] = state.queued;
        const run = { page: name, slot, from: state.clock, until: state.clock + site[name].ticks };
        return {
            ...state,
            queued,
            running: [...state.running, run],
            last: { kind: 'start', page: name, slot },
        };
    }

    function finish(state) {
        const until = Math.min(...state.running.map((r) => r.until));
        const run = state.running.find((r) => r.until === until);
        const { links, status = 200 } = site[run.page];
        const fresh = links.filter((name) => !state.discovered.includes(name));
        return {
            ...state,
            clock: until,
            running: state.running.filter((r) => r !== run),
            discovered: [...state.discovered, ...fresh],
            queued: [...state.queued, ...fresh],
            finished: [...state.finished, run.page],
            fetched: status === 200 ? [...state.fetched, run.page] : state.fetched,
            failed: status === 200 ? state.failed : [...state.failed, run.page],
            spans: [
                ...state.spans,
                { page: run.page, slot: run.slot, from: run.from, to: until, status },
            ],
            last: {
                kind: 'finish',
                page: run.page,
                slot: run.slot,
                status,
                fresh,
                known: links.filter((name) => state.discovered.includes(name)),
            },
        };
    }

    /* The state after the next event: a free slot is filled before anybody waits. Gives the state
     * itself when nothing is left to do. */
    function step(state) {
        if (state.queued.length > 0 && state.running.length < state.slots) {
            return start(state);
        }
        return state.running.length > 0 ? finish(state) : state;
    }

    /* All states of a crawl, the first one included. */
    function crawl(slots) {
        const states = [begin(slots)];
        while (!isOver(states[states.length - 1])) {
            states.push(step(states[states.length - 1]));
        }
        return states;
    }

    page.frontierModel = { site, begin, step, isOver, crawl };
})((globalThis.weftPage = globalThis.weftPage || {}));
