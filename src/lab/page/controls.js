/* controls.js -- what the experiments are operated with: knobs, choices, buttons, predictions.
 *
 * Every control has a label and works with the keyboard; values are read from the controls, which
 * hold the state. Knows nothing of what is simulated. */
(function (page) {
    'use strict';
    const { el, fill, freshId } = page.dom;

    /* A slider with its value beside it. {label, min, max, step, value, unit, one}; one: the unit of
     * a single one. tell is called after each change. Gives {element, value(), set(value)}; set does
     * not call tell. */
    function knob({ label, min, max, step = 1, value, unit = '', one = unit }, tell) {
        const id = freshId('knob');
        const said = () => `${input.value} ${input.value === '1' ? one : unit}`.trim();
        const input = el('input', {
            type: 'range',
            id,
            min,
            max,
            step,
            value,
            oninput: () => {
                show();
                tell();
            },
        });
        const output = el('output', { for: id });
        function show() {
            output.textContent = said();
            input.setAttribute('aria-valuetext', said());
        }
        show();
        return {
            element: el('div', { class: 'knob' }, el('label', { for: id }, label), output, input),
            value: () => Number(input.value),
            set(to) {
                input.value = to;
                show();
            },
        };
    }

    /* One of several texts. options: [value, text] pairs. Gives {element, value()}. */
    function choice(label, options, tell) {
        const id = freshId('choice');
        const select = el(
            'select',
            { id, onchange: tell },
            options.map(([value, text]) => el('option', { value }, text)),
        );
        return {
            element: el('div', { class: 'field' }, el('label', { for: id }, label), select),
            value: () => select.value,
        };
    }

    function button(text, press, more = {}) {
        return el('button', { type: 'button', onclick: press, ...more }, text);
    }

    /* A set of controls with a legend. */
    function group(legend, ...children) {
        return el('fieldset', { class: 'knobs' }, el('legend', {}, legend), children);
    }

    /* Asks before it shows: `results` stays hidden until the reader has said what to expect, or does
     * not want to. ask() gives {question, fields}, each field {label, unit} for a number or {label,
     * options}; tell(guesses) gives the sentence that compares. Gives {element, changed(), ask()}:
     * changed() asks again if `everyTime`, else brings nothing up any more. */
    function prediction({ ask, tell, results, everyTime = false }) {
        const said = el('p', { class: 'said', role: 'status' });
        const form = el('form', { class: 'prediction' });
        const element = el('div', { class: 'predict' }, form, said);
        let fields = [];

        function field({ label, unit, options }) {
            const id = freshId('guess');
            const control = options
                ? el(
                      'select',
                      { id, required: true },
                      el('option', { value: '' }, 'choose'),
                      options.map(([value, text]) => el('option', { value }, text)),
                  )
                : el('input', {
                      id,
                      type: 'number',
                      min: 0,
                      step: 'any',
                      required: true,
                      inputmode: 'decimal',
                  });
            return {
                control,
                element: el(
                    'div',
                    { class: 'field' },
                    el('label', { for: id }, unit ? `${label} (${unit})` : label),
                    control,
                ),
            };
        }

        function show(sentence) {
            form.hidden = true;
            results.hidden = false;
            fill(said, sentence, ' ', button('Predict again', again, { class: 'quiet' }));
            said.hidden = false;
        }

        function again() {
            const asked = ask();
            fields = asked.fields.map(field);
            fill(
                form,
                el('p', { class: 'question' }, el('strong', {}, 'Predict first. '), asked.question),
                el(
                    'div',
                    { class: 'row' },
                    fields.map((f) => f.element),
                    el('button', { type: 'submit', class: 'main' }, 'Show it'),
                    button('Show it without a guess', () => show(''), { class: 'quiet' }),
                ),
            );
            form.hidden = false;
            results.hidden = true;
            said.hidden = true;
        }

        form.addEventListener('submit', (event) => {
            event.preventDefault();
            show(tell(fields.map((f) => f.control.value)));
            said.querySelector('button').focus();
        });
        again();
        return {
            element,
            changed() {
                if (everyTime || !form.hidden) {
                    again();
                } else {
                    fill(said, button('Predict again', again, { class: 'quiet' }));
                }
            },
        };
    }

    page.controls = { knob, choice, button, group, prediction };
})((globalThis.weftPage = globalThis.weftPage || {}));
