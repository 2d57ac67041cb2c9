/* The model of retries: tries, waits, ends. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './model.mjs';

const { retryModel: model } = load('retry_model');
const ends = ({ fetched, why, end, tries }) => ({ fetched, why, end, tries: tries.length });

test('an answer at once needs one try', () => {
    assert.deepEqual(ends(model.run({ latency: 3, fails: 0, timeout: 5, attempts: 3 })), {
        fetched: true,
        why: 'ok',
        end: 3,
        tries: 1,
    });
});

test('two failures that pass: back-off of 1, then 2 ticks', () => {
    const run = model.run({ latency: 2, fails: 2, timeout: 5, attempts: 3 });
    assert.deepEqual(
        run.tries.map((t) => [t.from, t.to, t.outcome]),
        [
            [0, 2, '503'],
            [3, 5, '503'],
            [7, 9, 'ok'],
        ],
    );
    assert.deepEqual(run.waits, [
        { from: 2, to: 3 },
        { from: 5, to: 7 },
    ]);
    assert.deepEqual(ends(run), { fetched: true, why: 'ok', end: 9, tries: 3 });
});

test('one attempt fewer, and the same server is given up', () => {
    assert.deepEqual(ends(model.run({ latency: 2, fails: 2, timeout: 5, attempts: 2 })), {
        fetched: false,
        why: '503',
        end: 5,
        tries: 2,
    });
});

test('a timeout below the latency never succeeds, whatever the attempts', () => {
    const run = model.run({ latency: 6, fails: 0, timeout: 5, attempts: 3 });
    assert.deepEqual(ends(run), {
        fetched: false,
        why: 'timeout',
        end: 5 + 1 + 5 + 2 + 5,
        tries: 3,
    });
});

test('an answer at the very tick of the timeout is in time', () => {
    assert.equal(model.run({ latency: 5, fails: 0, timeout: 5, attempts: 1 }).fetched, true);
});

test('nobody waits after the last try, and each wait is twice the one before', () => {
    const { waits, tries } = model.run({ latency: 1, fails: 9, timeout: 5, attempts: 5 });
    assert.equal(tries.length, 5);
    assert.deepEqual(
        waits.map((w) => w.to - w.from),
        [1, 2, 4, 8],
    );
});
