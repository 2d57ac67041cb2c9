/* retry.js -- experiment: timeouts, tries and back-off. Draws what retry_model.js says. */
(function (page) {
    'use strict';
    const { el, fill, count, table } = page.dom;
    const { knob, group, prediction } = page.controls;

    const words = {
        ok: '200: fetched',
        503: '503: may pass, worth another try',
        timeout: 'no answer in time: may pass',
    };

    function outcomeOf(run) {
        return run.fetched ? `fetched at try ${run.tries.length}` : 'given up';
    }

    /* Why it ended as it did. */
    function reason(run, knobs) {
        if (run.fetched) {
            return run.tries.length === 1
                ? 'The first try was answered.'
                : `${count(knobs.fails, 'failure')} passed, and there were tries left.`;
        }
        return run.why === 'timeout'
            ? `The server takes ${count(knobs.latency, 'tick')}, the client waits ${knobs.timeout}. No number of tries mends that: the timeout is too short, or the server too slow.`
            : `The server fails ${count(knobs.fails, 'time')}, and there ${knobs.attempts === 1 ? 'is' : 'are'} only ${count(knobs.attempts, 'try', 'tries')}.`;
    }

    function mount(element) {
        const model = page.retryModel;
        const knobs = {
            latency: knob(
                {
                    label: 'latency of the server',
                    min: 1,
                    max: 8,
                    value: 2,
                    unit: 'ticks',
                    one: 'tick',
                },
                changed,
            ),
            fails: knob({ label: 'temporary failures first', min: 0, max: 5, value: 2 }, changed),
            timeout: knob(
                {
                    label: 'timeout of a try',
                    min: 1,
                    max: 8,
                    value: 4,
                    unit: 'ticks',
                    one: 'tick',
                },
                changed,
            ),
            attempts: knob({ label: 'attempts', min: 1, max: 5, value: 3 }, changed),
        };
        const values = () =>
            Object.fromEntries(Object.entries(knobs).map(([name, k]) => [name, k.value()]));
        const results = el('div', { class: 'results' });
        let run;

        const guess = prediction({
            results,
            everyTime: true,
            ask: () => ({
                question:
                    'The client waits 1 tick after the first failure, then 2, then 4. What becomes of the request, and at which tick is that known?',
                fields: [
                    {
                        label: 'it is',
                        options: [
                            ...Array.from({ length: values().attempts }, (_, i) => [
                                `fetched at try ${i + 1}`,
                                `fetched at try ${i + 1}`,
                            ]),
                            ['given up', 'given up'],
                        ],
                    },
                    { label: 'known at', unit: 'tick' },
                ],
            }),
            tell: ([outcome, tick]) => {
                const right = outcome === outcomeOf(run) && Number(tick) === run.end;
                return `You said: ${outcome}, at tick ${tick}. It is: ${outcomeOf(run)}, at tick ${run.end}.${right ? ' Just so.' : ''}`;
            },
        });

        function changed() {
            run = model.run(values());
            const wait = run.waits.map((w) => w.to - w.from).join(', then ');
            fill(
                results,
                el(
                    'p',
                    { class: 'state' },
                    el('b', { 'data-figure': 'outcome' }, outcomeOf(run)),
                    ' at tick ',
                    el('b', { 'data-figure': 'end' }, String(run.end)),
                    '. ',
                    reason(run, values()),
                ),
                page.lanes.draw({
                    names: ['request'],
                    spans: [
                        ...run.tries.map((t, i) => ({
                            ...t,
                            lane: 0,
                            label: String(i + 1),
                            title: words[t.outcome],
                            kind: { ok: 'good', 503: 'bad', timeout: 'late' }[t.outcome],
                        })),
                        ...run.waits.map((w) => ({
                            ...w,
                            lane: 0,
                            kind: 'wait',
                            title: 'back-off',
                        })),
                    ],
                    total: run.end,
                    say: (t) => String(t),
                    legend: [
                        ['good', 'answered'],
                        ['bad', '503'],
                        ['late', 'timed out'],
                        ['wait', 'back-off'],
                    ],
                    summary: `${count(run.tries.length, 'try', 'tries')}: ${run.tries.map((t) => `tick ${t.from} to ${t.to} ${t.outcome}`).join(', ')}`,
                }),
                table(
                    'Each try',
                    ['try', 'from tick', 'to tick', 'outcome'],
                    run.tries.map((t, i) => [
                        String(i + 1),
                        String(t.from),
                        String(t.to),
                        words[t.outcome],
                    ]),
                ),
                el(
                    'p',
                    { class: 'hint' },
                    wait
                        ? `It waits ${wait} ticks. A real client adds a random part, so that many clients do not come back at once.`
                        : 'No wait was needed.',
                ),
            );
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
    page.experiments.retry = {
        title: 'Retry design',
        about: 'Latency, failures that pass, a timeout, attempts, back-off: say what becomes of a request before you see it.',
        mount,
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
