/* bounded.js -- experiment: requests under a limit fill lanes. Draws what bounded_model.js says. */
(function (page) {
    'use strict';
    const { el, fill, number, duration, count, table } = page.dom;
    const { knob, button, group, prediction } = page.controls;
    const PLAY_MS = 4000; /* how long a whole run plays */

    function figures(knobs, run, sums) {
        return table(
            'What came out',
            ['figure', 'value', 'how'],
            [
                [
                    'total time',
                    el('b', { 'data-figure': 'total' }, duration(run.total)),
                    'when the last one ends',
                ],
                [
                    'throughput',
                    el('b', { 'data-figure': 'throughput' }, `${number(run.throughput)} a second`),
                    `${count(knobs.requests, 'request')} / ${duration(run.total)}`,
                ],
                [
                    'by arithmetic',
                    el('b', { 'data-figure': 'arithmetic' }, duration(sums.total)),
                    `${knobs.requests} / ${knobs.limit} = ${count(sums.rounds, 'round')} of ${duration(knobs.latency)}`,
                ],
                [
                    'concurrency / latency',
                    el('b', { 'data-figure': 'law' }, `${number(sums.throughput)} a second`),
                    `${knobs.limit} / ${number(knobs.latency / 1000)} s, while all lanes are busy`,
                ],
            ],
        );
    }

    function mount(element) {
        const model = page.boundedModel;
        const knobs = {
            requests: knob({ label: 'requests', min: 1, max: 200, value: 60 }, changed),
            limit: knob({ label: 'at once, at most', min: 1, max: 16, value: 5 }, changed),
            latency: knob(
                { label: 'latency', min: 10, max: 1000, step: 10, value: 200, unit: 'ms' },
                changed,
            ),
            jitter: knob(
                { label: 'jitter', min: 0, max: 90, step: 5, value: 0, unit: '%' },
                changed,
            ),
            seed: knob({ label: 'seed of the jitter', min: 1, max: 20, value: 1 }, changed),
        };
        const values = () =>
            Object.fromEntries(Object.entries(knobs).map(([name, k]) => [name, k.value()]));
        const drawing = el('div');
        const numbers = el('div');
        const clock = el('p', { class: 'state' });
        const play = button('Play', toggle);
        const results = el('div', { class: 'results' });
        let run, slider, timer;
        const time = el('div');
        fill(results, time, el('div', { class: 'row' }, play, clock), drawing, numbers);

        const guess = prediction({
            results,
            ask: () => ({
                question: `${count(knobs.requests.value(), 'request')} of ${knobs.latency.value()} ms, at most ${knobs.limit.value()} at once. How long does the whole take?`,
                fields: [{ label: 'the whole takes', unit: 'seconds' }],
            }),
            tell: ([seconds]) =>
                `You said ${number(Number(seconds))} s; it takes ${duration(run.total)}.`,
        });

        /* Draws what there is at the slider's time. */
        function show() {
            const { limit, jitter } = values();
            const now = slider.value();
            const { waiting, running, done } = model.at(run.spans, now);
            clock.textContent = `after ${duration(now)}: ${waiting} wait, ${running} run, ${done} done`;
            fill(
                drawing,
                page.lanes.draw({
                    names: Array.from({ length: limit }, (_, i) => `lane ${i}`),
                    spans: run.spans.map((s) => ({
                        ...s,
                        kind: s.id % 2 ? 'odd' : 'even',
                        label: String(s.id + 1),
                        title: `request ${s.id + 1}: ${s.from} to ${s.to} ms`,
                    })),
                    total: run.total,
                    say: duration,
                    now: now >= run.total ? Infinity : now,
                    summary: `${count(run.spans.length, 'request')} in ${count(limit, 'lane')}${jitter ? ' with jitter' : ''}: all done after ${duration(run.total)}`,
                }),
            );
        }

        function stop() {
            clearInterval(timer);
            timer = undefined;
            play.textContent = 'Play';
        }

        /* A slider over the whole of this run, which stands at its end. */
        function measure() {
            slider = knob(
                { label: 'time', min: 0, max: run.total, value: run.total, unit: 'ms' },
                () => {
                    stop();
                    show();
                },
            );
            fill(time, slider.element);
            show();
        }

        function seek(ms) {
            slider.set(ms);
            show();
        }

        function toggle() {
            if (timer) {
                stop();
                return;
            }
            if (page.prefersLessMotion()) {
                seek(run.total); /* the end, without the way there */
                return;
            }
            const began = performance.now();
            play.textContent = 'Pause';
            seek(0);
            timer = setInterval(() => {
                const share = element.isConnected ? (performance.now() - began) / PLAY_MS : 1;
                seek(Math.min(run.total, Math.round(run.total * share)));
                if (share >= 1) {
                    stop();
                }
            }, 50);
        }

        function changed() {
            stop();
            run = model.simulate(values());
            fill(numbers, figures(values(), run, model.arithmetic(values())));
            measure();
            guess.changed();
        }

        fill(
            element,
            group(
                'Knobs',
                Object.values(knobs).map((k) => k.element),
            ),
            guess.element,
            results,
        );
        changed();
    }

    page.experiments = page.experiments ?? {};
    page.experiments.bounded = {
        title: 'Bounded concurrency',
        about: 'Lanes fill up, the next request takes the first free one. Throughput is concurrency divided by latency.',
        mount,
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
