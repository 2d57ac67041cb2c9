/* futures.js -- experiment: the states of futures, call by call. Draws what futures_model.js says. */
(function (page) {
    'use strict';
    const { el, fill, freshId, table } = page.dom;
    const { button, group } = page.controls;
    const MOST = 6; /* futures on the board: a limit of this page, not of weft */
    const LOG = 8;

    /* What the reader may expect of a call: the answers of weft, and what happens where none comes. */
    const answers = {
        cancel: ['WEFT_OK', 'WEFT_EBUSY', 'WEFT_EDONE', 'WEFT_ECANCELED'],
        result: ['WEFT_OK', 'WEFT_ETIMEDOUT', 'WEFT_ECANCELED', 'WEFT_EBUSY'],
        take: ['the value', 'NULL'],
        returns: ['FINISHED', 'CANCELLED', 'it cannot'],
        promise: ['WEFT_OK', 'WEFT_EDONE', 'WEFT_ECANCELED', 'WEFT_EINVAL'],
        wait: ['WEFT_OK', 'WEFT_ETIMEDOUT', 'main sleeps'],
    };

    /* Whether a guess of that list means what the model says. */
    function agrees(guess, status) {
        return guess === status || (guess === 'the value' && status.startsWith('result of'))
            || (guess === 'it cannot' && (status === 'impossible' || status === 'there is no job'));
    }

    /* What is worth knowing of a future beside its state. */
    function detail(f) {
        const said = [f.kind];
        if (f.worker !== null) {
            said.push(`on worker ${f.worker}`);
        }
        if (f.stop && f.state === 'RUNNING') {
            said.push('asked to stop');
        }
        if (f.state === 'FINISHED') {
            said.push(f.err === 0 ? (f.value === null ? 'success, value taken' : 'success') : `failed: ${f.err}`);
        }
        return said.join(', ');
    }

    function mount(element) {
        const model = page.futuresModel;
        const radios = freshId('future');
        const board = el('div', { class: 'board states', role: 'radiogroup', 'aria-label': 'Futures by their state; choose the one that calls are made on' });
        const pool = el('p', { class: 'state' });
        const last = el('p', { class: 'answer', role: 'status' });
        const log = el('ol', { class: 'log', reversed: true });
        const askFirst = el('input', { type: 'checkbox', id: freshId('ask'), checked: true });
        let state, chosen, calls;

        function chip(f) {
            return el('label', { class: `chip state-${f.state.toLowerCase()}` },
                el('input', { type: 'radio', name: radios, value: f.id, checked: f.id === chosen,
                    onchange: () => {
                        chosen = f.id;
                    } }),
                el('span', {}, el('b', {}, f.name), ` ${detail(f)}`));
        }

        function show() {
            fill(board, ['PENDING', 'RUNNING', 'FINISHED', 'CANCELLED'].map((name) => {
                const there = state.futures.filter((f) => f.state === name);
                return el('div', { class: 'place', 'data-state': name },
                    el('p', { class: 'name' }, `${name} `, el('span', { class: 'n' }, String(there.length))), there.map(chip));
            }));
            const idle = model.idleWorkers(state).length;
            pool.textContent = `${model.queued(state).length} in the queue, ${idle} of ${state.workers} workers idle; main ${state.waiter ? 'sleeps in weft_wait' : 'is awake'}.`;
            last.classList.toggle('stays', state.last !== null);
            if (state.last) {
                const { call, status, why, woke } = state.last;
                fill(last, el('code', {}, call), ' → ', el('b', {}, status), `. ${why}`, woke && el('strong', {}, ` ${woke}.`));
            } else {
                last.textContent = 'Submit a job or make a promise; then choose it on the board and make calls.';
            }
            fill(log, calls.slice(-LOG).reverse().map(({ call, status, woke }) =>
                el('li', {}, el('code', {}, call), ' → ', status, woke && `; ${woke}`)));
            log.start = calls.length;
        }

        /* Goes to another state; before that the reader said what to expect, or did not. */
        function go(next, guess) {
            state = next;
            calls.push(state.last);
            show();
            if (guess) {
                last.prepend(el('b', { class: agrees(guess, state.last.status) ? 'good' : 'bad' },
                    agrees(guess, state.last.status) ? '✓ Just so. ' : `✗ You said ${guess}. `));
            }
        }

        /* Asks what a call will answer, and makes it then. The focus goes to the question, and back
         * to the button that was pressed. */
        function ask(next, options, pressed) {
            const guesses = options.map((text) => button(text, () => {
                go(next, text);
                pressed.focus();
            }));
            fill(last, el('code', {}, next.last.call), ' → ? What comes? ',
                el('span', { class: 'guesses' }, guesses));
            guesses[0].focus();
        }

        /* A button that makes one call of the model; options: what the reader may expect of it. */
        function call(text, make, options) {
            return button(text, (event) => {
                const next = make(state);
                if (options && askFirst.checked) {
                    ask(next, options, event.currentTarget);
                } else {
                    go(next);
                }
            });
        }

        /* The same for the chosen future. */
        function on(text, make, options) {
            return button(text, (event) => {
                if (chosen === null) {
                    last.textContent = 'There is no future yet: submit a job or make a promise first.';
                } else if (askFirst.checked) {
                    ask(make(state, chosen), options, event.currentTarget);
                } else {
                    go(make(state, chosen));
                }
            });
        }

        function add(make) {
            return () => {
                if (state.futures.length === MOST) {
                    last.textContent = `This board holds ${MOST} futures. Start again for more.`;
                    return;
                }
                chosen = state.futures.length;
                go(make(state));
            };
        }

        function restart() {
            state = model.begin(2);
            chosen = null;
            calls = [];
            show();
        }

        const all = (s) => s.futures.map((f) => f.id);
        const returns = (err) => on(`returns ${err}`, (s, id) => model.jobReturns(s, id, err), answers.returns);
        const finish = (err) => on(`finish with ${err}`, (s, id) => model.promiseFinish(s, id, err), answers.promise);
        const wait = (words, forever) => call(`wait for the first (${words})`, (s) => model.wait(s, all(s), forever), answers.wait);
        fill(element,
            el('p', { class: 'tick' }, askFirst, el('label', { for: askFirst.id }, 'Ask me what I expect before each answer')),
            group('Make one', button('submit a job', add(model.submit), { class: 'main' }), button('make a promise', add(model.promise)),
                call('a worker takes the next job', model.work), button('start again', restart, { class: 'quiet' })),
            board, pool,
            el('div', { class: 'callers' },
                group('Anybody, on the chosen one', on('cancel', model.cancel, answers.cancel),
                    on('result (poll)', model.result, answers.result), on('take the value', model.take, answers.take)),
                group('Its job', returns(0), returns(7), returns('WEFT_ECANCELED')),
                group('The owner of a promise', on('start', model.promiseStart, answers.promise), finish(0), finish('WEFT_ECANCELED')),
                group('main, on all of them', wait('poll', false), wait('for ever', true))),
            last, el('details', {}, el('summary', {}, 'The calls so far'), log),
            el('details', {}, el('summary', {}, 'The moves that exist'),
                table('There is no other move, and no way back', ['from', 'to', 'made by'], model.moves.map((m) => [m.from, m.to, m.by]))));
        restart();
    }

    page.experiments = page.experiments ?? {};
    page.experiments.futures = {
        title: 'States of a future',
        about: 'Submit, start, cancel, finish, wait: what each call answers in each state, and why some moves do not exist.',
        mount,
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
