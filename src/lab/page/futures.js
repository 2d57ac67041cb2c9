/* futures.js -- experiment: the states of futures, call by call. Draws what futures_model.js says. */
(function (page) {
    'use strict';
    const { el, fill, freshId, table } = page.dom;
    const { button, group } = page.controls;
    const MOST = 6; /* futures on the board: a limit of this page, not of weft */
    const LOG = 8;

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

        /* A button that makes one call of the model. */
        function call(text, make) {
            return button(text, () => {
                state = make(state);
                calls.push(state.last);
                show();
            });
        }

        /* The same for the chosen future. */
        function on(text, make) {
            return button(text, () => {
                if (chosen === null) {
                    last.textContent = 'There is no future yet: submit a job or make a promise first.';
                    return;
                }
                state = make(state, chosen);
                calls.push(state.last);
                show();
            });
        }

        function add(make) {
            return () => {
                if (state.futures.length === MOST) {
                    last.textContent = `This board holds ${MOST} futures. Start again for more.`;
                    return;
                }
                state = make(state);
                calls.push(state.last);
                chosen = state.futures.length - 1;
                show();
            };
        }

        function restart() {
            state = model.begin(2);
            chosen = null;
            calls = [];
            show();
        }

        const all = (s) => s.futures.map((f) => f.id);
        fill(element,
            group('Make one', button('submit a job', add(model.submit), { class: 'main' }), button('make a promise', add(model.promise)),
                call('a worker takes the next job', model.work), button('start again', restart, { class: 'quiet' })),
            board, pool,
            el('div', { class: 'callers' }, group('Anybody, on the chosen one', on('cancel', model.cancel), on('result (poll)', model.result), on('take the value', model.take)),
            group('Its job', on('returns 0', (s, id) => model.jobReturns(s, id, 0)), on('returns 7', (s, id) => model.jobReturns(s, id, 7)),
                on('returns WEFT_ECANCELED', (s, id) => model.jobReturns(s, id, 'WEFT_ECANCELED'))),
            group('The owner of a promise', on('start', model.promiseStart), on('finish with 0', (s, id) => model.promiseFinish(s, id, 0)),
                on('finish with WEFT_ECANCELED', (s, id) => model.promiseFinish(s, id, 'WEFT_ECANCELED'))),
            group('main, on all of them', call('wait for the first (poll)', (s) => model.wait(s, all(s), false)),
                call('wait for the first (for ever)', (s) => model.wait(s, all(s), true)))),
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
