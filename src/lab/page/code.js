/* code.js -- source text on the page: numbered lines, comments and words in their colours.
 *
 * Knows just enough of C and Python to tell comments, strings and keywords; knows nothing of what
 * the code says. */
(function (page) {
    'use strict';
    const { el } = page.dom;

    const words = {
        c:
            'bool break case char const continue default do double else enum extern false float for goto if inline ' +
            'int long return short signed size_t sizeof static struct switch true typedef unsigned void while NULL',
        python:
            'and as assert async await break class continue def del elif else except False finally for from ' +
            'global if import in is lambda None nonlocal not or pass raise return True try while with yield',
        sh: '',
        text: '',
    };
    const tokens = {
        c: /(?<comment>\/\*[\s\S]*?\*\/|\/\/.*)|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<include>^#.*)|(?<word>[A-Za-z_]\w*)/gm,
        python: /(?<comment>#.*)|(?<string>f?"(?:[^"\\\n]|\\.)*")|(?<word>[A-Za-z_]\w*)/gm,
        sh: /(?<comment>^#.*)/gm,
        text: /(?!)/g,
    };

    /* The parts of code as [text, class or null]. */
    function parts(code, language) {
        const keywords = new Set(words[language].split(' '));
        const made = [];
        let at = 0;
        for (const match of code.matchAll(tokens[language])) {
            const { comment, string, include, word } = match.groups;
            const kind = comment
                ? 'comment'
                : string
                  ? 'string'
                  : include
                    ? 'keyword'
                    : word && keywords.has(word)
                      ? 'keyword'
                      : null;
            if (kind) {
                made.push([code.slice(at, match.index), null], [match[0], kind]);
                at = match.index + match[0].length;
            }
        }
        made.push([code.slice(at), null]);
        return made;
    }

    /* The same as lists of nodes, one list a line: a comment may go over several. */
    function linesOf(code, language) {
        const lines = [[]];
        for (const [text, kind] of parts(code, language)) {
            text.split('\n').forEach((piece, i) => {
                if (i > 0) {
                    lines.push([]);
                }
                if (piece) {
                    lines[lines.length - 1].push(
                        kind ? el('span', { class: `code-${kind}` }, piece) : piece,
                    );
                }
            });
        }
        return lines;
    }

    /* A block of code. label says what it is; marks: {line number: text of its mark}. */
    function block(code, language, label, { numbered = false, marks = {} } = {}) {
        const known = tokens[language] ? language : 'sh';
        const lines = linesOf(code, known).map((nodes, i) =>
            el(
                'span',
                {
                    class: `line${numbered ? ' numbered' : ''}${marks[i + 1] ? ' marked' : ''}`,
                    'data-mark': marks[i + 1],
                },
                nodes,
                '\n',
            ),
        );
        return el(
            'pre',
            { class: 'code', tabindex: '0', role: 'region', 'aria-label': label },
            el('code', {}, lines),
        );
    }

    /* A unified diff: lines that go and that come. */
    function diff(text, label) {
        const kinds = { '+': 'added', '-': 'removed', '@': 'hunk' };
        const lines = text
            .split('\n')
            .map((line) =>
                el(
                    'span',
                    { class: `line ${kinds[line[0]] ?? ''}` },
                    line.startsWith('@@') ? '…' : line,
                    '\n',
                ),
            );
        return el(
            'pre',
            { class: 'code', tabindex: '0', role: 'region', 'aria-label': label },
            el('code', {}, lines),
        );
    }

    page.code = { block, diff };
})((globalThis.weftPage = globalThis.weftPage || {}));
