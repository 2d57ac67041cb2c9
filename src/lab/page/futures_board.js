/* futures_board.js -- the board of the experiment with futures: a column for each state, a chip for
 * each future, and what was answered. Draws what futures_model.js says; makes no calls itself. */
(function (page) {
    'use strict';
    const { el, fill, freshId } = page.dom;
    const LOG = 8; /* calls that are listed */

    /* What is worth knowing of a future beside its state. */
    function detail(f) {
        const said = [f.kind];
        if (f.worker !== null) {
            said.push(`on worker ${f.worker}`);
        }
        if (f.stop && f.state === 'RUNNING') {
            said.push('asked to stop');
        }
        if (f.state === 'FINISHED' && f.err === 0) {
            said.push(f.value === null ? 'success, value taken' : 'success');
        } else if (f.state === 'FINISHED') {
            said.push(`failed: ${f.err}`);
        }
        return said.join(', ');
    }

    function chip(f, checked, radios, choose) {
        const input = { type: 'radio', name: radios, value: f.id, checked };
        return el(
            'label',
            { class: `chip state-${f.state.toLowerCase()}` },
            el('input', { ...input, onchange: () => choose(f.id) }),
            el('span', {}, el('b', {}, f.name), ` ${detail(f)}`),
        );
    }

    function column(name, chips) {
        const count = el('span', { class: 'n' }, String(chips.length));
        return el(
            'div',
            { class: 'place', 'data-state': name },
            el('p', { class: 'name' }, `${name} `, count),
            chips,
        );
    }

    /* The columns, and a line on the pool. Gives {element, show(state, chosen)}; choose is called with
     * the number of the future that the reader chose. */
    function board(model, choose) {
        const radios = freshId('future');
        const columns = el('div', {
            class: 'board states',
            role: 'radiogroup',
            'aria-label': 'Futures by their state; choose the one that calls are made on',
        });
        const pool = el('p', { class: 'state' });

        function show(state, chosen) {
            const chips = (name) =>
                state.futures
                    .filter((f) => f.state === name)
                    .map((f) => chip(f, f.id === chosen, radios, choose));
            const names = ['PENDING', 'RUNNING', 'FINISHED', 'CANCELLED'];
            fill(
                columns,
                names.map((name) => column(name, chips(name))),
            );
            const idle = model.idleWorkers(state).length;
            const main = state.waiter ? 'sleeps in weft_wait' : 'is awake';
            pool.textContent =
                `${model.queued(state).length} in the queue, ` +
                `${idle} of ${state.workers} workers idle; main ${main}.`;
        }

        return { element: el('div', {}, columns, pool), show };
    }

    /* What the last call answered, and the calls before it. Gives {element, list, say, show, ask}. */
    function answers() {
        const element = el('p', { class: 'answer', role: 'status' });
        const list = el('ol', { class: 'log', reversed: true });

        /* verdict: what is said of the reader's guess; may be nothing. */
        function show({ call, status, why, woke }, verdict) {
            element.classList.add('stays');
            fill(
                element,
                verdict,
                el('code', {}, call),
                ' → ',
                el('b', {}, status),
                `. ${why}`,
                woke && el('strong', {}, ` ${woke}.`),
            );
        }

        function say(text) {
            element.classList.remove('stays');
            element.textContent = text;
        }

        /* Asks what a call will answer; the buttons are the guesses. The first gets the focus. */
        function ask(call, guesses) {
            element.classList.add('stays');
            const row = el('span', { class: 'guesses' }, guesses);
            fill(element, el('code', {}, call), ' → ? What comes? ', row);
            guesses[0].focus();
        }

        function tellCalls(calls) {
            const item = ({ call, status, woke }) =>
                el('li', {}, el('code', {}, call), ' → ', status, woke && `; ${woke}`);
            fill(list, calls.slice(-LOG).reverse().map(item));
            list.start = calls.length;
        }

        return { element, list, show, say, ask, tellCalls };
    }

    page.futuresBoard = { board, answers };
})((globalThis.weftPage = globalThis.weftPage || {}));
