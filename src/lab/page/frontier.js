/* frontier.js -- experiment: a crawl, one event at a time. Draws what frontier_model.js says. */
(function (page) {
    'use strict';
    const { el, fill, count, table } = page.dom;
    const { knob, button, group, prediction } = page.controls;

    /* The event that led to a state, in a sentence. */
    function sentence({ last, clock }) {
        if (!last) {
            return 'Only the seed is known: home is discovered and queued.';
        }
        if (last.kind === 'start') {
            return `Tick ${clock}: slot ${last.slot} is free and takes ${last.page} out of the queue.`;
        }
        if (last.status !== 200) {
            return `Tick ${clock}: ${last.page} failed with ${last.status}. It is told, and the crawl goes on.`;
        }
        const fresh = last.fresh.length ? `new: ${last.fresh.join(', ')}` : 'nothing new';
        const known = last.known.length ? `; known already: ${last.known.join(', ')}` : '';
        return `Tick ${clock}: ${last.page} is fetched. Its links: ${fresh}${known}.`;
    }

    function place(name, title, items) {
        return el(
            'div',
            { class: 'place' },
            el(
                'p',
                { class: 'name' },
                `${title} `,
                el('span', { class: 'n', 'data-count': name }, String(items.length)),
            ),
            el(
                'ul',
                { class: 'chips', 'aria-label': title },
                items.map((text) => el('li', { class: `chip ${name}` }, text)),
            ),
        );
    }

    function siteTable(site) {
        return el(
            'details',
            { open: true },
            el('summary', {}, 'The site'),
            table(
                'Pages, how long each takes, and their links',
                ['page', 'ticks', 'links to'],
                Object.entries(site).map(([name, p]) => [
                    name,
                    String(p.ticks),
                    p.status ? `nothing: answers ${p.status}` : p.links.join(', '),
                ]),
            ),
        );
    }

    function mount(element) {
        const model = page.frontierModel;
        const slots = knob({ label: 'slots', min: 1, max: 3, value: 2 }, restart);
        const said = el('p', { class: 'state', role: 'status' });
        const board = el('div', { class: 'board' });
        const drawing = el('div');
        const orders = el('div');
        const next = button('Next event', () => to(at + 1), { class: 'main' });
        const back = button('Back', () => to(at - 1));
        const results = el(
            'div',
            { class: 'results' },
            el(
                'div',
                { class: 'row' },
                next,
                back,
                button('To the end', () => to(states.length - 1)),
                button('Start again', () => to(0)),
            ),
            said,
            board,
            drawing,
            orders,
        );
        let states, at;

        const guess = prediction({
            results,
            ask: () => ({
                question: `home takes 2 ticks and links to docs (5 ticks), about (1) and news (2). With ${count(slots.value(), 'slot')}, which page is done third?`,
                fields: [
                    {
                        label: 'done third',
                        options: Object.keys(model.site).map((name) => [name, name]),
                    },
                ],
            }),
            tell: ([name]) =>
                `You said ${name}; it is ${states.at(-1).finished[2]}. Step through it to see why.`,
        });

        function show() {
            const s = states[at];
            const over = model.isOver(s);
            said.textContent =
                sentence(s) +
                (over ? ' Nothing is queued and nothing runs: the crawl is over.' : '');
            next.setAttribute('aria-disabled', String(over));
            back.setAttribute('aria-disabled', String(at === 0));
            fill(
                board,
                place('discovered', 'Discovered', s.discovered),
                place('queued', 'Queued', s.queued),
                place(
                    'running',
                    'Running',
                    s.running.map((r) => `${r.page} (slot ${r.slot}, until ${r.until})`),
                ),
                place('fetched', 'Fetched', s.fetched),
                place('failed', 'Failed', s.failed),
            );
            const end = states.at(-1).clock;
            const bars = [
                ...s.spans,
                ...s.running.map((r) => ({ ...r, to: Math.max(s.clock, r.from), status: 0 })),
            ];
            fill(
                drawing,
                page.lanes.draw({
                    names: Array.from({ length: s.slots }, (_, i) => `slot ${i}`),
                    spans: bars.map((b) => ({
                        lane: b.slot,
                        from: b.from,
                        to: b.to,
                        label: b.page,
                        title: b.page,
                        kind: b.status === 0 ? 'wait' : b.status === 200 ? 'good' : 'bad',
                    })),
                    total: end,
                    say: (t) => String(t),
                    legend: [
                        ['good', 'fetched'],
                        ['bad', 'failed'],
                        ['wait', 'on its way'],
                    ],
                    summary: `Slots until tick ${s.clock} of ${end}: ${bars.map((b) => b.page).join(', ') || 'nothing yet'}`,
                }),
            );
            fill(
                orders,
                over &&
                    table(
                        'Two orders of the same pages',
                        ['order', 'pages'],
                        [
                            ['one after another', model.crawl(1).at(-1).finished.join(', ')],
                            [`completion, ${count(s.slots, 'slot')}`, s.finished.join(', ')],
                        ],
                    ),
            );
        }

        function to(index) {
            at = Math.max(0, Math.min(states.length - 1, index));
            show();
        }

        function restart() {
            states = model.crawl(slots.value());
            to(0);
            guess.changed();
        }

        fill(element, group('Knobs', slots.element), siteTable(model.site), guess.element, results);
        restart();
    }

    page.experiments = page.experiments ?? {};
    page.experiments.frontier = {
        title: 'A frontier, step by step',
        about: 'Discovered, queued, running, fetched, failed: advance a crawl by one event and see what moves.',
        mount,
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
