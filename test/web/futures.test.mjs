/* The model of futures: the statements of docs/futures.md, by their numbers. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './model.mjs';

const { futuresModel: m } = load('futures_model');

/* play([STEP...]): the state after calls, each [FUNCTION, ARGUMENT...]. */
function play(...steps) {
    return steps.reduce((state, [name, ...args]) => m[name](state, ...args), m.begin(2));
}
const says = (state) => state.last.status;
const stateOf = (state, id = 0) => state.futures[id].state;

const pending = [['submit']];
const running = [['submit'], ['work']];
const finished = [...running, ['jobReturns', 0, 0]];
const cancelled = [['submit'], ['cancel', 0]];

test('S1: a new future is pending', () => {
    assert.equal(stateOf(play(...pending)), 'PENDING');
    assert.equal(stateOf(play(['promise'])), 'PENDING');
});

test('S2, S3: only the five moves exist, and final states never change', () => {
    const calls = [['submit'], ['promise'], ['work']];
    for (const id of [0, 1]) {
        calls.push(
            ['cancel', id],
            ['promiseStart', id],
            ['result', id],
            ['take', id],
            ['wait', [id], false],
        );
        for (const err of [0, 7, 'WEFT_ECANCELED']) {
            calls.push(['jobReturns', id, err], ['promiseFinish', id, err]);
        }
    }
    const legal = new Set(m.moves.map((move) => `${move.from} ${move.to}`));
    const made = new Set();
    let level = [play(['submit'], ['promise'])];
    const seen = new Set();
    while (level.length > 0) {
        const next = [];
        for (const state of level) {
            for (const [name, ...args] of calls.slice(2)) {
                const after = m[name](state, ...args);
                after.futures.forEach((f, i) => {
                    if (f.state !== state.futures[i].state) {
                        made.add(`${state.futures[i].state} ${f.state}`);
                    }
                });
                const key = JSON.stringify(after.futures);
                if (!seen.has(key)) {
                    seen.add(key);
                    next.push(after);
                }
            }
        }
        level = next;
    }
    assert.deepEqual(made, legal);
});

test('S10, S11: returning WEFT_ECANCELED is a cancellation only if somebody asked', () => {
    const unasked = play(...running, ['jobReturns', 0, 'WEFT_ECANCELED']);
    assert.equal(stateOf(unasked), 'FINISHED');
    assert.equal(unasked.futures[0].err, 'WEFT_ECANCELED');
    assert.equal(
        stateOf(play(...running, ['cancel', 0], ['jobReturns', 0, 'WEFT_ECANCELED'])),
        'CANCELLED',
    );
});

test('S5, S6: start of a promise in each state', () => {
    const start = ['promiseStart', 0];
    assert.equal(says(play(['promise'], start)), 'WEFT_OK');
    assert.equal(says(play(['promise'], ['cancel', 0], start)), 'WEFT_ECANCELED');
    assert.equal(says(play(['promise'], start, start)), 'WEFT_EDONE');
    assert.equal(says(play(['promise'], ['promiseFinish', 0, 0], start)), 'WEFT_EDONE');
});

test('S7, S8: finish of what is done is refused', () => {
    const finish = ['promiseFinish', 0, 0];
    assert.equal(says(play(['promise'], finish)), 'WEFT_OK');
    assert.equal(says(play(['promise'], finish, finish)), 'WEFT_EDONE');
    assert.equal(says(play(['promise'], ['cancel', 0], finish)), 'WEFT_ECANCELED');
});

test('S14 to S17: the result in each state, by a poll', () => {
    assert.equal(says(play(...pending, ['result', 0])), 'WEFT_ETIMEDOUT');
    assert.equal(says(play(...running, ['result', 0])), 'WEFT_ETIMEDOUT');
    assert.equal(says(play(...finished, ['result', 0])), 'WEFT_OK');
    assert.equal(says(play(...running, ['jobReturns', 0, 7], ['result', 0])), 'WEFT_OK');
    assert.match(play(...running, ['jobReturns', 0, 7], ['result', 0]).last.why, /r\.err is 7/);
    assert.equal(says(play(...cancelled, ['result', 0])), 'WEFT_ECANCELED');
});

test('S28: a value is taken once', () => {
    assert.equal(says(play(...finished, ['take', 0])), 'result of A');
    assert.equal(says(play(...finished, ['take', 0], ['take', 0])), 'NULL');
    assert.equal(says(play(...running, ['take', 0])), 'NULL');
    assert.equal(says(play(...cancelled, ['take', 0])), 'NULL');
});

test('S29 to S32: cancel in each state', () => {
    assert.equal(says(play(...pending, ['cancel', 0])), 'WEFT_OK');
    const asked = play(...running, ['cancel', 0]);
    assert.equal(says(asked), 'WEFT_EBUSY');
    assert.equal(stateOf(asked), 'RUNNING');
    assert.equal(asked.futures[0].stop, true);
    assert.equal(says(play(...finished, ['cancel', 0])), 'WEFT_EDONE');
    assert.equal(says(play(...cancelled, ['cancel', 0])), 'WEFT_OK');
});

test('S33, S34: a cancelled job leaves the queue and is never started', () => {
    const state = play(['submit'], ['submit'], ['cancel', 0], ['work']);
    assert.equal(stateOf(state, 0), 'CANCELLED');
    assert.equal(stateOf(state, 1), 'RUNNING');
    assert.equal(m.queued(state).length, 0);
});

test('S58, S60: a wait for the first returns at once if one is done, cancelled too', () => {
    assert.equal(says(play(...finished, ['submit'], ['wait', [0, 1], true])), 'WEFT_OK');
    assert.equal(says(play(...cancelled, ['submit'], ['wait', [0, 1], true])), 'WEFT_OK');
});

test('S56, S67: an empty set is no wait; a poll is a look', () => {
    assert.equal(says(play(['wait', [], true])), 'WEFT_OK');
    assert.equal(says(play(...running, ['wait', [0], false])), 'WEFT_ETIMEDOUT');
});

test('S20, S22: a sleeping wait wakes at finish and at cancel, not when something starts', () => {
    const asleep = [['submit'], ['submit'], ['wait', [0, 1], true]];
    assert.deepEqual(play(...asleep).waiter, [0, 1]);
    assert.deepEqual(play(...asleep, ['work']).waiter, [0, 1]);
    assert.equal(play(...asleep, ['work'], ['jobReturns', 0, 7]).waiter, null);
    const woken = play(...asleep, ['cancel', 1]);
    assert.equal(woken.waiter, null);
    assert.match(woken.last.woke, /WEFT_OK, 1 of 2 done/);
});

test('S85, S91: first in, first out, never more than the workers', () => {
    const state = play(['submit'], ['submit'], ['submit'], ['work'], ['work'], ['work']);
    assert.deepEqual(
        state.futures.map((f) => f.state),
        ['RUNNING', 'RUNNING', 'PENDING'],
    );
    assert.equal(says(state), 'no worker is free');
});

test('S99: an outsider cannot start or finish a job', () => {
    assert.equal(says(play(...running, ['promiseStart', 0])), 'WEFT_EINVAL');
    assert.equal(says(play(...running, ['promiseFinish', 0, 0])), 'WEFT_EINVAL');
});

test('no call changes the state that it was given', () => {
    const state = play(...running);
    const copy = structuredClone(state);
    m.cancel(state, 0);
    m.jobReturns(state, 0, 0);
    m.wait(state, [0], true);
    assert.deepEqual(state, copy);
});
