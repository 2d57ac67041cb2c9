/* dom.js -- making elements, and the little that all views share: numbers in words, code, lists.
 *
 * Text is always set as text, never as HTML. Style is set by classes, and what depends on data by
 * properties: the server's policy allows no style attributes. Knows nothing of lessons. */
(function (page) {
    'use strict';

    /* Children may be lists of lists, and nothing where something is left out. */
    function present(children) {
        return children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false);
    }

    /* el('p', {class: 'x', onclick: f}, child...): children are nodes, strings, or nothing. */
    function el(tag, attributes = {}, ...children) {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) {
            if (name.startsWith('on')) {
                element.addEventListener(name.slice(2), value);
            } else if (value === true) {
                element.setAttribute(name, '');
            } else if (value !== false && value !== null && value !== undefined) {
                element.setAttribute(name, value);
            }
        }
        element.append(...present(children));
        return element;
    }

    /* Puts other children into an element. */
    function fill(element, ...children) {
        element.replaceChildren(...present(children));
        return element;
    }

    let made = 0;
    /* An id that nothing else on the page has: the same view may stand on it more than once. */
    function freshId(word) {
        made += 1;
        return `${word}-${made}`;
    }

    /* At most two digits behind the point, no zeros at the end. */
    function number(value) {
        return Number.isFinite(value) ? String(Number(value.toFixed(2))) : 'no limit';
    }

    /* Milliseconds as a person says them. */
    function duration(ms) {
        return ms < 1000 ? `${number(ms)} ms` : `${number(ms / 1000)} s`;
    }

    /* "1 try", "2 tries". */
    function count(n, one, many = `${one}s`) {
        return `${n} ${n === 1 ? one : many}`;
    }

    /* Text with `code` in it. */
    function withCode(text) {
        return text.split('`').map((part, i) => (i % 2 ? el('code', {}, part) : part));
    }

    /* A table that scrolls by itself when it is too wide. head: texts; rows: lists of texts or nodes,
     * the first of each names its row. */
    function table(caption, head, rows) {
        return el(
            'div',
            { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': caption },
            el(
                'table',
                {},
                el('caption', {}, caption),
                el(
                    'thead',
                    {},
                    el(
                        'tr',
                        {},
                        head.map((text) => el('th', { scope: 'col' }, text)),
                    ),
                ),
                el(
                    'tbody',
                    {},
                    rows.map(([first, ...rest]) =>
                        el(
                            'tr',
                            {},
                            el('th', { scope: 'row' }, first),
                            rest.map((cell) => el('td', {}, cell)),
                        ),
                    ),
                ),
            ),
        );
    }

    page.dom = { el, fill, freshId, number, duration, count, withCode, table };
})((globalThis.weftPage = globalThis.weftPage || {}));
