/* futures.js -- experiment: the states of futures, call by call. The buttons, and what is asked
 * before an answer is shown; what a call answers says futures_model.js, how it looks
 * futures_board.js. */
(function (page) {
    'use strict';
    const { el, fill, freshId, table } = page.dom;
    const { button, group } = page.controls;
    const WORKERS = 2;
    const MOST = 6; /* futures on the board: a limit of this page, not of weft */
    const HELLO = 'Submit a job or make a promise; then choose it on the board and make calls.';

    /* What the reader may expect of a call: the answers of weft, and what happens where none comes. */
    const expected = {
        cancel: ['WEFT_OK', 'WEFT_EBUSY', 'WEFT_EDONE', 'WEFT_ECANCELED'],
        result: ['WEFT_OK', 'WEFT_ETIMEDOUT', 'WEFT_ECANCELED', 'WEFT_EBUSY'],
        take: ['the value', 'NULL'],
        returns: ['FINISHED', 'CANCELLED', 'it cannot'],
        promise: ['WEFT_OK', 'WEFT_EDONE', 'WEFT_ECANCELED', 'WEFT_EINVAL'],
        wait: ['WEFT_OK', 'WEFT_ETIMEDOUT', 'main sleeps'],
    };

    /* Whether a guess of that list means what the model says. */
    function agrees(guess, status) {
        return (
            guess === status ||
            (guess === 'the value' && status.startsWith('result of')) ||
            (guess === 'it cannot' && (status === 'impossible' || status === 'there is no job'))
        );
    }

    function verdict(guess, status) {
        const right = agrees(guess, status);
        const words = right ? '✓ Just so. ' : `✗ You said ${guess}. `;
        return el('b', { class: right ? 'good' : 'bad' }, words);
    }

    function movesTable(moves) {
        const rows = moves.map((m) => [m.from, m.to, m.by]);
        const caption = 'There is no other move, and no way back';
        return el(
            'details',
            {},
            el('summary', {}, 'The moves that exist'),
            table(caption, ['from', 'to', 'made by'], rows),
        );
    }

    /* What is going on: the state of the model, the chosen future, the calls so far. The buttons of
     * the view call its functions. */
    function game(model, asksFirst) {
        let state, chosen, calls;
        const board = page.futuresBoard.board(model, (id) => {
            chosen = id;
        });
        const answers = page.futuresBoard.answers();

        function go(next, guess) {
            state = next;
            calls.push(state.last);
            board.show(state, chosen);
            answers.show(state.last, guess && verdict(guess, state.last.status));
            answers.tellCalls(calls);
        }

        /* Makes a call, after asking for its answer if the reader wants that and there is a choice.
         * The focus goes back to the button that was pressed. */
        function make(next, options, pressed) {
            if (!options || !asksFirst()) {
                go(next);
                return;
            }
            const guess = (text) =>
                button(text, () => {
                    go(next, text);
                    pressed.focus();
                });
            answers.ask(next.last.call, options.map(guess));
        }

        /* A button for a call; change(state) gives the state after it. */
        function call(text, change, options) {
            return button(text, (event) => make(change(state), options, event.currentTarget));
        }

        /* The same for the chosen future: change(state, its number). */
        function on(text, change, options) {
            return button(text, (event) => {
                if (chosen === null) {
                    answers.say('There is no future yet: submit a job or make a promise first.');
                } else {
                    make(change(state, chosen), options, event.currentTarget);
                }
            });
        }

        /* The same for one that makes a future, which is then the chosen one. */
        function add(text, change, more) {
            return button(
                text,
                () => {
                    if (state.futures.length === MOST) {
                        answers.say(`This board holds ${MOST} futures. Start again for more.`);
                    } else {
                        chosen = state.futures.length;
                        go(change(state));
                    }
                },
                more,
            );
        }

        function restart() {
            [state, chosen, calls] = [model.begin(WORKERS), null, []];
            board.show(state, chosen);
            answers.say(HELLO);
            answers.tellCalls(calls);
        }

        restart();
        return { board, answers, call, on, add, restart };
    }

    /* The buttons for calls, by who makes them. */
    function callers({ call, on }, model) {
        const returns = (err) =>
            on(`returns ${err}`, (s, id) => model.jobReturns(s, id, err), expected.returns);
        const finish = (err) =>
            on(`finish with ${err}`, (s, id) => model.promiseFinish(s, id, err), expected.promise);
        const all = (s) => s.futures.map((f) => f.id);
        const wait = (words, forever) =>
            call(
                `wait for the first (${words})`,
                (s) => model.wait(s, all(s), forever),
                expected.wait,
            );
        return el(
            'div',
            { class: 'callers' },
            group(
                'Anybody, on the chosen one',
                on('cancel', model.cancel, expected.cancel),
                on('result (poll)', model.result, expected.result),
                on('take the value', model.take, expected.take),
            ),
            group('Its job', returns(0), returns(7), returns('WEFT_ECANCELED')),
            group(
                'The owner of a promise',
                on('start', model.promiseStart, expected.promise),
                finish(0),
                finish('WEFT_ECANCELED'),
            ),
            group('main, on all of them', wait('poll', false), wait('for ever', true)),
        );
    }

    function mount(element) {
        const model = page.futuresModel;
        const id = freshId('ask');
        const askFirst = el('input', { type: 'checkbox', id, checked: true });
        const it = game(model, () => askFirst.checked);
        fill(
            element,
            el(
                'p',
                { class: 'tick' },
                askFirst,
                el('label', { for: id }, 'Ask me what I expect before each answer'),
            ),
            group(
                'Make one',
                it.add('submit a job', model.submit, { class: 'main' }),
                it.add('make a promise', model.promise),
                it.call('a worker takes the next job', model.work),
                button('start again', it.restart, { class: 'quiet' }),
            ),
            it.board.element,
            callers(it, model),
            it.answers.element,
            el('details', {}, el('summary', {}, 'The calls so far'), it.answers.list),
            movesTable(model.moves),
        );
    }

    page.experiments = page.experiments ?? {};
    page.experiments.futures = {
        title: 'States of a future',
        about:
            'Submit, start, cancel, finish, wait: what each call answers in each state, and why some ' +
            'moves do not exist.',
        mount,
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
