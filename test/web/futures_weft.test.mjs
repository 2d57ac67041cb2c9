/* The model of futures against weft itself: answers.c makes every call in every state and prints
 * what weft answered; the model has to answer the same, and to be in the same state after it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from './model.mjs';

const { futuresModel: m } = load('futures_model');
const program =
    process.env.ANSWERS ??
    fileURLToPath(new URL('../../build/plain/test/web/answers', import.meta.url));

/* The ways into a state, as answers.c has them: started, cancelled, ended with err. */
const ways = {
    pending: {},
    running: { start: true },
    asked: { start: true, cancel: true },
    finished: { start: true, err: 0 },
    failed: { start: true, err: 7 },
    unasked: { start: true, err: 'WEFT_ECANCELED' },
    stopped: { start: true, cancel: true, err: 'WEFT_ECANCELED' },
    deaf: { start: true, cancel: true, err: 0 },
    cancelled: { cancel: true },
};

function into(kind, { start, cancel, err }) {
    let s = kind === 'job' ? m.submit(m.begin(1)) : m.promise(m.begin(1));
    if (start) {
        s = kind === 'job' ? m.work(s) : m.promiseStart(s, 0);
    }
    if (cancel) {
        s = m.cancel(s, 0);
    }
    if (err !== undefined) {
        s = kind === 'job' ? m.jobReturns(s, 0, err) : m.promiseFinish(s, 0, err);
    }
    return s;
}

const calls = {
    cancel: (s) => m.cancel(s, 0),
    result: (s) => m.result(s, 0),
    take: (s) => m.take(s, 0),
    promiseStart: (s) => m.promiseStart(s, 0),
    finish: (s) => m.promiseFinish(s, 0, 0),
    finishStop: (s) => m.promiseFinish(s, 0, 'WEFT_ECANCELED'),
    wait: (s) => m.wait(s, [0], false),
};

const lines = execFileSync(program, { encoding: 'utf8' }).trim().split('\n');

test('weft was asked for every call in every state', () => {
    const told = lines.map((line) => line.split(' ').slice(0, 3).join(' ')).sort();
    const wanted = ['job', 'promise']
        .flatMap((kind) =>
            Object.keys(ways).flatMap((way) =>
                Object.keys(calls).map((call) => `${kind} ${way} ${call}`),
            ),
        )
        .sort();
    assert.deepEqual(told, wanted);
});

for (const kind of ['job', 'promise']) {
    test(`a ${kind} answers as weft's does, and is in the same state after it`, () => {
        for (const line of lines.filter((l) => l.startsWith(`${kind} `))) {
            const [, way, call] = line.split(' ');
            const after = calls[call](into(kind, ways[way]));
            const answer = after.last.status.startsWith('result of') ? 'value' : after.last.status;
            assert.equal(`${kind} ${way} ${call} ${answer} ${after.futures[0].state}`, line);
        }
    });
}
