/* inside.js -- functions of weft's own sources beside what there is to see in them.
 *
 * Everything comes from excerpts_data.js, which scripts/make-lesson-page holds true. */
(function (page) {
    'use strict';
    const { el, fill } = page.dom;

    function excerpt({ file, name, title, code, intro, notes }) {
        const marks = {};
        notes.forEach((note, i) =>
            note.lines.forEach((line) => {
                marks[line] = String(i + 1);
            }),
        );
        return el(
            'article',
            { class: 'excerpt', id: `inside-${name}` },
            el('h3', { tabindex: '-1' }, title),
            el('p', { class: 'hint' }, el('code', {}, `${name}()`), ' in ', el('code', {}, file)),
            intro.map((text) => el('p', {}, page.markup.inline(text))),
            el(
                'div',
                { class: 'beside' },
                page.code.block(code, 'c', `${name} in ${file}`, { marks }),
                el(
                    'ol',
                    { class: 'notes', 'aria-label': `Notes on the marked lines of ${name}` },
                    notes.map((note) => el('li', {}, page.markup.inline(note.text))),
                ),
            ),
        );
    }

    function mount(element) {
        fill(
            element,
            el(
                'ol',
                { class: 'contents' },
                page.excerpts.map(({ name, title, file }) =>
                    el(
                        'li',
                        {},
                        el('a', { href: `#/inside-${name}` }, title),
                        el('span', { class: 'hint' }, ' ', file),
                    ),
                ),
            ),
            page.excerpts.map(excerpt),
        );
    }

    page.inside = { mount };
})((globalThis.weftPage = globalThis.weftPage || {}));
