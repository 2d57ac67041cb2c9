/* quiz.js -- one question with its options, and the explanation of whatever is chosen.
 *
 * Tells progress.js how it was answered; keeps no score. Knows nothing of the lesson around it. */
(function (page) {
    'use strict';
    const { el, fill, freshId, withCode } = page.dom;

    /* The explanations of all options but the chosen one, once the right one is found. */
    function others(options, chosen) {
        return el(
            'ul',
            { class: 'others' },
            options
                .filter((o) => o !== chosen)
                .map((o) => el('li', {}, el('b', {}, withCode(o.text)), ' ', withCode(o.why))),
        );
    }

    /* {question, options} as a form; answered(right) is called after each check. */
    function build({ question, options }, answered) {
        const name = freshId('quiz');
        const said = el('div', { class: 'said', role: 'status' });
        const inputs = options.map((_, i) =>
            el('input', { type: 'radio', name, value: i, required: true }),
        );
        const form = el(
            'form',
            { class: 'quiz' },
            el(
                'fieldset',
                {},
                el('legend', {}, withCode(question)),
                options.map((option, i) =>
                    el(
                        'label',
                        { class: 'option' },
                        inputs[i],
                        el('span', {}, withCode(option.text)),
                    ),
                ),
            ),
            el('button', { type: 'submit', class: 'main' }, 'Check my answer'),
            said,
        );
        form.addEventListener('submit', (event) => {
            event.preventDefault();
            const chosen = options[inputs.findIndex((input) => input.checked)];
            form.classList.toggle('right', chosen.right);
            fill(
                said,
                el(
                    'p',
                    {},
                    el(
                        'b',
                        { class: chosen.right ? 'good' : 'bad' },
                        chosen.right ? '✓ Right. ' : '✗ Not this one. ',
                    ),
                    withCode(chosen.why),
                ),
                chosen.right &&
                    el(
                        'details',
                        {},
                        el('summary', {}, 'Why not the others'),
                        others(options, chosen),
                    ),
            );
            answered(chosen.right);
        });
        form.addEventListener('change', () => {
            form.classList.remove('right');
            fill(said);
        });
        return form;
    }

    page.quiz = { build };
})((globalThis.weftPage = globalThis.weftPage || {}));
