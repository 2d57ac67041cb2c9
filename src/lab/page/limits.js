/* limits.js -- experiment: a limit in all and one per host. Draws what limits_model.js says. */
(function (page) {
    'use strict';
    const { el, fill, number, duration, table } = page.dom;
    const { knob, choice, group, prediction } = page.controls;

    function drawing(name, run, all, total) {
        return el(
            'div',
            {},
            el('p', { class: 'drawing' }, name),
            page.lanes.draw({
                names: Array.from({ length: all }, (_, i) => `worker ${i}`),
                spans: run.spans.map((s) => ({
                    lane: s.worker,
                    from: s.from,
                    to: s.to,
                    label: s.kind === 'wait' ? '' : s.host,
                    kind: s.kind === 'wait' ? 'wait' : `host-${s.host.toLowerCase()}`,
                    title:
                        s.kind === 'wait'
                            ? `stands in the line of ${s.host}`
                            : `fetches from ${s.host}`,
                })),
                total,
                say: duration,
                legend: [
                    ['host-a', 'fetches from A'],
                    ['host-b', 'fetches from B'],
                    ['wait', 'stands in line'],
                ],
                summary: `${name}: ${duration(run.total)} in all; workers stand in line for ${duration(run.waited)}; the first page of B begins at ${duration(run.firstB)}`,
            }),
        );
    }

    function mount(element) {
        const model = page.limitsModel;
        const knobs = {
            pages: knob({ label: 'pages on each host', min: 2, max: 30, value: 12 }, changed),
            all: knob({ label: 'fetches at once in all', min: 1, max: 8, value: 4 }, changed),
            perHost: knob(
                { label: 'fetches at once to one host', min: 1, max: 8, value: 2 },
                changed,
            ),
            slow: knob(
                { label: 'a page of A takes', min: 10, max: 300, step: 10, value: 60, unit: 'ms' },
                changed,
            ),
            fast: knob(
                { label: 'a page of B takes', min: 10, max: 300, step: 10, value: 30, unit: 'ms' },
                changed,
            ),
        };
        const order = choice(
            'order of the list',
            [
                ['sorted', 'sorted: all of A, then all of B'],
                ['mixed', 'interleaved: A, B, A, B'],
            ],
            changed,
        );
        const results = el('div', { class: 'results' });
        let blind, aware;
        const values = () => ({
            order: order.value(),
            ...Object.fromEntries(Object.entries(knobs).map(([name, k]) => [name, k.value()])),
        });

        const guess = prediction({
            results,
            ask: () => ({
                question:
                    'Workers take URLs in the order of the list; one whose host is full stands in line. How many pages of A are answered before the first page of B is asked for?',
                fields: [{ label: 'pages of A before the first of B' }],
            }),
            tell: ([pages]) =>
                `You said ${pages}; it is ${blind.answeredBeforeB}. A coordinator that knows the hosts needs ${aware.answeredBeforeB}.`,
        });

        function changed() {
            const knobsNow = values();
            blind = model.simulate({ ...knobsNow, aware: false });
            aware = model.simulate({ ...knobsNow, aware: true });
            const total = Math.max(blind.total, aware.total);
            const row = (name, key, say) => [
                name,
                ...[
                    ['blind', blind],
                    ['aware', aware],
                ].map(([who, run]) => el('b', { 'data-figure': `${who}-${key}` }, say(run[key]))),
            ];
            fill(
                results,
                drawing('Blindly: in the order of the list', blind, knobsNow.all, total),
                drawing('Knowingly: only what can start', aware, knobsNow.all, total),
                table(
                    'The two ways',
                    ['', 'blindly', 'knowingly'],
                    [
                        row('total time', 'total', duration),
                        row('pages a second', 'throughput', number),
                        row('workers stand in line for', 'waited', duration),
                        row('first page of B begins at', 'firstB', duration),
                        row('pages of A answered before that', 'answeredBeforeB', String),
                    ],
                ),
            );
            guess.changed();
        }

        fill(
            element,
            group(
                'Knobs',
                Object.values(knobs).map((k) => k.element),
                order.element,
            ),
            guess.element,
            results,
        );
        changed();
    }

    page.experiments = page.experiments ?? {};
    page.experiments.limits = {
        title: 'Two limits',
        about: 'So many in all, fewer to one host: workers that stand in the line of a slow host starve the fast one.',
        mount,
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
