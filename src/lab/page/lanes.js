/* lanes.js -- the drawing of all experiments: a line for each lane, a bar for each thing that took
 * a while. Kinds of bars differ in colour and in pattern, and a legend names them.
 *
 * Knows times and lanes, not what they mean. */
(function (page) {
    'use strict';
    const { el } = page.dom;

    /* Round steps for about five marks of an axis. */
    function stepOf(total) {
        const rough = total / 5;
        const power = 10 ** Math.floor(Math.log10(rough));
        return [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough);
    }

    function axis(total, say) {
        const marks = [];
        const step = stepOf(total);
        const last = Math.floor(total / step + 1e-3);
        for (let i = 0; i <= last; i++) {
            const t = Number((i * step).toPrecision(12)); /* 0.6, not 0.6000000000000001 */
            const mark = el('span', { class: 'mark' }, say(t));
            mark.style.left = `${(100 * t) / total}%`;
            marks.push(mark);
        }
        return el(
            'div',
            { class: 'lane axis' },
            el('span', { class: 'name' }),
            el('div', { class: 'track' }, marks),
        );
    }

    function bar(span, total, now) {
        const to = Math.min(span.to, now);
        const element = el(
            'span',
            { class: `bar ${span.kind}`, title: span.title },
            span.label && el('span', {}, span.label),
        );
        element.style.left = `${(100 * span.from) / total}%`;
        element.style.width = `${(100 * (to - span.from)) / total}%`;
        return element;
    }

    /* {names, spans, total, say, summary, legend, now}: names of the lanes; spans {lane, from, to,
     * kind, label, title}; say(time) for the axis; summary: the drawing in a sentence; legend: [kind,
     * text] pairs; now: draws only what has begun by then. */
    function draw({ names, spans, total, say, summary, legend = [], now = Infinity }) {
        const width = Math.max(total, 1e-9);
        const lanes = names.map((name, lane) =>
            el(
                'div',
                { class: 'lane' },
                el('span', { class: 'name' }, name),
                el(
                    'div',
                    { class: 'track' },
                    spans
                        .filter(
                            (s) =>
                                s.lane === lane &&
                                s.from <= now &&
                                (s.from < now || now === Infinity),
                        )
                        .map((s) => bar(s, width, now)),
                ),
            ),
        );
        return el(
            'figure',
            { class: 'lanes' },
            el('div', { role: 'img', 'aria-label': summary }, lanes, axis(width, say)),
            legend.length > 0 &&
                el(
                    'figcaption',
                    {},
                    legend.map(([kind, text]) =>
                        el(
                            'span',
                            { class: 'key' },
                            el('span', { class: `bar ${kind}`, 'aria-hidden': 'true' }),
                            text,
                        ),
                    ),
                ),
        );
    }

    page.lanes = { draw };
})((globalThis.weftPage = globalThis.weftPage || {}));
