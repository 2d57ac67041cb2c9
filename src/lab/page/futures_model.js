/* futures_model.js -- the states of futures, and what weft answers to each call, move by move.
 *
 * Follows include/weft/future.h, promise.h, wait.h and docs/futures.md: the same names, the same
 * answers. A state is never changed; each call gives a new one, with the answer and the reason in
 * `last`. Knows nothing of the page; node runs it as it is. */
(function (page) {
    'use strict';

    const PENDING = 'PENDING';
    const RUNNING = 'RUNNING';
    const FINISHED = 'FINISHED';
    const CANCELLED = 'CANCELLED';

    /* The moves that exist, and who makes them. There is no other, and no way back. */
    const moves = [
        { from: PENDING, to: RUNNING, by: 'a worker starts the job; or weft_promise_start' },
        { from: PENDING, to: CANCELLED, by: 'weft_future_cancel, before anybody started it' },
        {
            from: PENDING,
            to: FINISHED,
            by: 'weft_promise_finish, on a promise that is never started',
        },
        { from: RUNNING, to: FINISHED, by: 'the job returns; or weft_promise_finish' },
        { from: RUNNING, to: CANCELLED, by: 'it was asked to stop, and says WEFT_ECANCELED' },
    ];

    /* A pool without a job. */
    function begin(workers) {
        return { workers, futures: [], waiter: null, last: null };
    }

    function isDone(f) {
        return f.state === FINISHED || f.state === CANCELLED;
    }

    /* The workers that run nothing, by number. */
    function idleWorkers(state) {
        const busy = state.futures.filter((f) => f.worker !== null).map((f) => f.worker);
        return Array.from({ length: state.workers }, (_, i) => i).filter((i) => !busy.includes(i));
    }

    /* The queue: jobs that have not started, first in, first out. */
    function queued(state) {
        return state.futures.filter((f) => f.kind === 'job' && f.state === PENDING);
    }

    /* The state with what a call answered. */
    function answer(state, call, status, why, more = {}) {
        return { ...state, last: { call, status, why, woke: null, ...more } };
    }

    /* The state with one future changed; whoever waits for it is told. */
    function change(state, id, what) {
        const futures = state.futures.map((f) => (f.id === id ? { ...f, ...what } : f));
        return { ...state, futures };
    }

    /* Ends the wait of a sleeping thread if what it waits for is done. */
    function tell(state) {
        if (!state.waiter) {
            return state;
        }
        const done = state.waiter.filter((id) => isDone(state.futures[id])).length;
        if (done === 0) {
            return state;
        }
        const woke = `main wakes up: weft_wait is WEFT_OK, ${done} of ${state.waiter.length} done`;
        return { ...state, waiter: null, last: { ...state.last, woke } };
    }

    function add(state, kind) {
        const id = state.futures.length;
        const f = { id, name: String.fromCharCode(65 + id), kind, state: PENDING, stop: false };
        return [
            { ...state, futures: [...state.futures, { ...f, err: 0, value: null, worker: null }] },
            f,
        ];
    }

    function submit(state) {
        const [next, f] = add(state, 'job');
        return answer(
            next,
            `weft_executor_submit(pool, job, …, &${f.name})`,
            'WEFT_OK',
            `The job is in the queue, and you have its future ${f.name} at once: it is PENDING.`,
        );
    }

    function promise(state) {
        const [next, f] = add(state, 'promise');
        return answer(
            next,
            `weft_promise_new(&${f.name}, NULL)`,
            'WEFT_OK',
            `${f.name} is a future that no executor runs. You start and finish it yourself.`,
        );
    }

    /* A worker looks into the queue. */
    function work(state) {
        const [worker] = idleWorkers(state);
        const [f] = queued(state);
        if (worker === undefined) {
            return answer(
                state,
                'a worker takes the next job',
                'no worker is free',
                'Each runs a job. A job that waits stays PENDING until one of them returns.',
            );
        }
        if (!f) {
            return answer(
                state,
                'a worker takes the next job',
                'the queue is empty',
                'Nothing waits to be started, so the worker sleeps. Cancelled jobs have left the queue.',
            );
        }
        return answer(
            change(state, f.id, { state: RUNNING, worker }),
            `worker ${worker} starts ${f.name}`,
            'RUNNING',
            `First in, first out. From now on cancel can only ask ${f.name} to stop.`,
        );
    }

    /* What a job or a promise leaves behind when it ends with err. */
    function outcome(f, err) {
        if (err === 'WEFT_ECANCELED' && f.stop) {
            return { state: CANCELLED, err: 0, value: null, worker: null };
        }
        const value = err === 0 ? `result of ${f.name}` : null;
        return { state: FINISHED, err, value, worker: null };
    }

    function endWords(f, err) {
        if (err === 0) {
            return 'err 0 is success: FINISHED, and the value is in the future.';
        }
        if (err !== 'WEFT_ECANCELED') {
            return 'Any other err is a failure. A failed job is FINISHED as well: it ran to its end.';
        }
        return f.stop
            ? 'It was asked to stop and did: CANCELLED. There is no result.'
            : 'Nobody asked it to stop, so this is only an err of its own: FINISHED, failed.';
    }

    /* The function of job id returns err: 0, a number, or 'WEFT_ECANCELED'. */
    function jobReturns(state, id, err) {
        const f = state.futures[id];
        const call = `${f.name} returns ${err}`;
        if (f.kind !== 'job') {
            return answer(
                state,
                call,
                'there is no job',
                `No function stands behind the promise ${f.name}; you finish it.`,
            );
        }
        if (f.state !== RUNNING) {
            return answer(
                state,
                call,
                'impossible',
                f.state === PENDING
                    ? `${f.name} has not started, so its function cannot return.`
                    : isFinal(f),
            );
        }
        const next = change(state, id, outcome(f, err));
        return tell(answer(next, call, next.futures[id].state, endWords(f, err)));
    }

    function isFinal(f) {
        return `${f.name} is ${f.state}, which is final. The first result stays; there is no way back.`;
    }

    function cancel(state, id) {
        const f = state.futures[id];
        const call = `weft_future_cancel(${f.name})`;
        switch (f.state) {
            case PENDING:
                return tell(
                    answer(
                        change(state, id, { state: CANCELLED }),
                        call,
                        'WEFT_OK',
                        f.kind === 'job'
                            ? 'It left the queue and will never be called. Whoever waits for it has been told.'
                            : 'Nobody can finish it any more. Whoever waits for it has been told.',
                    ),
                );
            case RUNNING:
                return answer(
                    change(state, id, { stop: true }),
                    call,
                    'WEFT_EBUSY',
                    `It runs: ${f.name} has been asked to stop, and may look when it likes. It is not done before it ends.`,
                );
            case FINISHED:
                return answer(state, call, 'WEFT_EDONE', `Too late: ${isFinal(f)}`);
            default:
                return answer(
                    state,
                    call,
                    'WEFT_OK',
                    'It is cancelled, now or before: the same answer, and callbacks are not called again.',
                );
        }
    }

    /* Starting and finishing is for promises; an executor's futures refuse it. */
    function refuseJob(state, f, call) {
        return answer(
            state,
            call,
            'WEFT_EINVAL',
            `${f.name} is the future of a job: only its own worker starts and finishes it.`,
        );
    }

    function promiseStart(state, id) {
        const f = state.futures[id];
        const call = `weft_promise_start(${f.name})`;
        if (f.kind === 'job') {
            return refuseJob(state, f, call);
        }
        switch (f.state) {
            case PENDING:
                return answer(
                    change(state, id, { state: RUNNING }),
                    call,
                    'WEFT_OK',
                    'From now on cancel only asks to stop.',
                );
            case CANCELLED:
                return answer(
                    state,
                    call,
                    'WEFT_ECANCELED',
                    'It was cancelled: do not do the work.',
                );
            default:
                return answer(
                    state,
                    call,
                    'WEFT_EDONE',
                    f.state === RUNNING
                        ? 'Somebody started it already. Two must not do the same work.'
                        : isFinal(f),
                );
        }
    }

    function promiseFinish(state, id, err) {
        const f = state.futures[id];
        const call = `weft_promise_finish(${f.name}, ${err}, …)`;
        if (f.kind === 'job') {
            return refuseJob(state, f, call);
        }
        switch (f.state) {
            case FINISHED:
                return answer(
                    state,
                    call,
                    'WEFT_EDONE',
                    `${isFinal(f)} The value that you offer is still yours.`,
                );
            case CANCELLED:
                return answer(
                    state,
                    call,
                    'WEFT_ECANCELED',
                    `${isFinal(f)} The value that you offer is still yours.`,
                );
            default:
                return tell(
                    answer(change(state, id, outcome(f, err)), call, 'WEFT_OK', endWords(f, err)),
                );
        }
    }

    /* weft_future_result with WEFT_POLL: a look. */
    function result(state, id) {
        const f = state.futures[id];
        const call = `weft_future_result(${f.name}, WEFT_POLL, &r)`;
        switch (f.state) {
            case FINISHED:
                return answer(
                    state,
                    call,
                    'WEFT_OK',
                    `r.err is ${f.err}, r.value is ${f.value ?? 'NULL'}. ` +
                        'The wait went well; what became of the job is the other number.',
                );
            case CANCELLED:
                return answer(
                    state,
                    call,
                    'WEFT_ECANCELED',
                    'There is no result. r.value is NULL.',
                );
            default:
                return answer(
                    state,
                    call,
                    'WEFT_ETIMEDOUT',
                    'Not done, and WEFT_POLL does not wait. Nothing has changed: ask again later.',
                );
        }
    }

    function take(state, id) {
        const f = state.futures[id];
        const call = `weft_future_take(${f.name})`;
        if (f.state === FINISHED && f.value !== null) {
            return answer(
                change(state, id, { value: null }),
                call,
                f.value,
                'The value is yours now, once.',
            );
        }
        const why = !isDone(f)
            ? 'It is not done.'
            : f.state === CANCELLED
              ? 'It was cancelled, so there is no value.'
              : f.err === 0
                ? 'It has been taken already.'
                : 'It failed and left no value.';
        return answer(state, call, 'NULL', why);
    }

    /* weft_wait for the first of some futures; with forever, main sleeps until one is done. */
    function wait(state, ids, forever) {
        const done = ids.filter((id) => isDone(state.futures[id])).length;
        const deadline = forever ? 'WEFT_FOREVER' : 'WEFT_POLL';
        const names = ids.map((id) => state.futures[id].name).join(', ');
        const call = `weft_wait({${names}}, ${ids.length}, ${deadline}, WEFT_FIRST_COMPLETED, &ndone)`;
        if (state.waiter) {
            return answer(
                state,
                call,
                'main sleeps',
                'It waits already. Another thread has to make something done.',
            );
        }
        if (ids.length === 0) {
            return answer(
                state,
                call,
                'WEFT_OK',
                'No futures: nothing to wait for, so it returns at once.',
            );
        }
        if (done > 0) {
            return answer(
                state,
                call,
                'WEFT_OK',
                `ndone is ${done}. Finished, failed or cancelled: each is done. Nothing was consumed.`,
            );
        }
        if (!forever) {
            return answer(
                state,
                call,
                'WEFT_ETIMEDOUT',
                'ndone is 0: none is done, and a poll does not wait.',
            );
        }
        return answer(
            { ...state, waiter: ids },
            call,
            'main sleeps',
            'None is done. main sleeps until one is; what you do now, other threads do.',
        );
    }

    page.futuresModel = {
        moves,
        begin,
        isDone,
        idleWorkers,
        queued,
        submit,
        promise,
        work,
        jobReturns,
        cancel,
        promiseStart,
        promiseFinish,
        result,
        take,
        wait,
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
