/* bucket.js -- experiment: a limit on how many are open, one on how many start a second, and both.
 * Draws what bucket_model.js says. */
(function (page) {
    'use strict';
    const { el, fill, number, duration, table } = page.dom;
    const { knob, group, prediction } = page.controls;

    const ways = [
        ['concurrency', 'limit on open', ({ rate, ...rest }) => ({ ...rest, rate: null })],
        ['bucket', 'token bucket', ({ concurrency, ...rest }) => ({ ...rest, concurrency: null })],
        ['both', 'both', (knobs) => knobs],
    ];

    function mount(element) {
        const model = page.bucketModel;
        const knobs = {
            requests: knob({ label: 'requests', min: 10, max: 100, step: 5, value: 30 }, changed),
            latency: knob(
                { label: 'latency', min: 10, max: 2000, step: 10, value: 20, unit: 'ms' },
                changed,
            ),
            concurrency: knob(
                { label: 'open at once, at most', min: 1, max: 16, value: 3 },
                changed,
            ),
            rate: knob({ label: 'tokens a second', min: 1, max: 100, value: 20 }, changed),
            burst: knob(
                { label: 'burst: tokens in the bucket', min: 1, max: 30, value: 2 },
                changed,
            ),
        };
        const server = {
            serverRate: knob({ label: 'allows a second', min: 1, max: 100, value: 20 }, changed),
            serverBurst: knob({ label: 'allows at once', min: 1, max: 30, value: 5 }, changed),
        };
        const results = el('div', { class: 'results' });
        const values = () =>
            Object.fromEntries(
                Object.entries({ ...knobs, ...server }).map(([name, k]) => [name, k.value()]),
            );
        let runs;

        const guess = prediction({
            results,
            ask: () => ({
                question: `The server takes ${knobs.latency.value()} ms. With a limit of ${knobs.concurrency.value()} open and no bucket, how many requests a second does it get?`,
                fields: [{ label: 'requests', unit: 'a second' }],
            }),
            tell: ([rate]) =>
                `You said ${number(Number(rate))}; it is ${number(runs[0].throughput)}: ${knobs.concurrency.value()} / ${number(knobs.latency.value() / 1000)} s. Make the server slower and look again.`,
        });

        function changed() {
            runs = ways.map(([, , of]) => model.simulate(of(values())));
            const total = Math.max(...runs.map((r) => r.total));
            fill(
                results,
                page.lanes.draw({
                    names: ways.map(([, name]) => name),
                    spans: runs.flatMap((run, lane) =>
                        run.spans.map((s) => ({
                            lane,
                            from: s.from,
                            to: s.from,
                            kind: s.status === 200 ? 'tick-good' : 'tick-bad',
                            title: `${duration(s.from)}: ${s.status}`,
                        })),
                    ),
                    total,
                    say: duration,
                    legend: [
                        ['tick-good', 'a request starts'],
                        ['tick-bad', 'one that the server refuses (429)'],
                    ],
                    summary: `When requests start: ${ways.map(([, name], i) => `${name}, all within ${duration(runs[i].total)}, ${runs[i].refused} refused`).join('; ')}`,
                }),
                table(
                    'Three ways to hold back',
                    ['limit', 'a second', 'open at most', 'refused (429)', 'total'],
                    ways.map(([key, name], i) => [
                        name,
                        el('b', { 'data-figure': `${key}-throughput` }, number(runs[i].throughput)),
                        el('b', { 'data-figure': `${key}-peak` }, String(runs[i].peak)),
                        el('b', { 'data-figure': `${key}-refused` }, String(runs[i].refused)),
                        el('b', { 'data-figure': `${key}-total` }, duration(runs[i].total)),
                    ]),
                ),
                el(
                    'p',
                    { class: 'hint' },
                    'On average, open at once = rate × latency. A bucket alone lets more and more pile up at a slow server; a limit on what is open alone lets a fast server be flooded. In this model a refusal takes as long as an answer and is not tried again.',
                ),
            );
            guess.changed();
        }

        fill(
            element,
            group(
                'The client',
                Object.values(knobs).map((k) => k.element),
            ),
            group(
                'The server',
                Object.values(server).map((k) => k.element),
            ),
            guess.element,
            results,
        );
        changed();
    }

    page.experiments = page.experiments ?? {};
    page.experiments.bucket = {
        title: 'Rate and concurrency',
        about: 'A token bucket keeps a rate whatever the server does; a limit on open requests follows the server.',
        mount,
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
