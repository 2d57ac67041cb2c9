/* markup.js -- the texts of lessons_data.js and excerpts_data.js as elements.
 *
 * scripts/make-lesson-page says what there is: paragraphs, lists, code; in a line code, strong, em
 * and links within the page. Knows nothing else. */
(function (page) {
    'use strict';
    const { el } = page.dom;

    /* A line: strings, and pairs of a tag and its text (and for a link, where it leads). */
    function inline(parts) {
        return parts.map((part) =>
            typeof part === 'string'
                ? part
                : el(part[0], part[0] === 'a' ? { href: part[2] } : {}, part[1]),
        );
    }

    /* label names each block of code for those who do not see where it stands. */
    function blocks(list, label) {
        return list.map((block) => {
            if (block.text) {
                return el('p', {}, inline(block.text));
            }
            if (block.list) {
                return el(
                    'ol',
                    {},
                    block.list.map((item) => el('li', {}, inline(item))),
                );
            }
            return page.code.block(block.code, block.language, label);
        });
    }

    page.markup = { inline, blocks };
})((globalThis.weftPage = globalThis.weftPage || {}));
