/* The model of bounded concurrency: its arithmetic, its lanes, its seed. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './model.mjs';

const { boundedModel: model } = load('random', 'bounded_model');

test('60 requests of 200 ms, 5 at once, take 2.4 s', () => {
    const run = model.simulate({ requests: 60, limit: 5, latency: 200 });
    assert.equal(run.total, 2400);
    assert.equal(run.throughput, 25);
    assert.deepEqual(model.arithmetic({ requests: 60, limit: 5, latency: 200 }), {
        rounds: 12,
        total: 2400,
        throughput: 25,
    });
});

test('without jitter the arithmetic is right for every limit', () => {
    for (let limit = 1; limit <= 70; limit++) {
        const knobs = { requests: 60, limit, latency: 200 };
        assert.equal(model.simulate(knobs).total, model.arithmetic(knobs).total, `limit ${limit}`);
    }
});

test('each request runs once, no lane does two at once, none idles while one waits', () => {
    const { spans, total } = model.simulate({
        requests: 50,
        limit: 7,
        latency: 100,
        jitter: 80,
        seed: 3,
    });
    assert.deepEqual(
        spans.map((s) => s.id),
        [...Array(50).keys()],
    );
    for (let lane = 0; lane < 7; lane++) {
        let end = 0;
        for (const s of spans.filter((s) => s.lane === lane)) {
            assert.equal(s.from, end);
            end = s.to;
        }
    }
    const last = Math.max(...spans.map((s) => s.from));
    for (let t = 0; t <= last; t += 10) {
        assert.equal(model.at(spans, t).running, 7, `at ${t}`);
    }
    assert.equal(total, Math.max(...spans.map((s) => s.to)));
});

test('the same seed gives the same run, another seed another', () => {
    const knobs = { requests: 20, limit: 3, latency: 100, jitter: 50, seed: 1 };
    assert.deepEqual(model.simulate(knobs), model.simulate(knobs));
    assert.notDeepEqual(model.simulate(knobs), model.simulate({ ...knobs, seed: 2 }));
});

test('jitter stays within its percents, and the work does not depend on the limit', () => {
    const knobs = { requests: 200, latency: 100, jitter: 30, seed: 5 };
    const { spans, work } = model.simulate({ ...knobs, limit: 4 });
    assert.ok(spans.every((s) => s.to - s.from >= 70 && s.to - s.from <= 130));
    assert.ok(new Set(spans.map((s) => s.to - s.from)).size > 10);
    assert.equal(model.simulate({ ...knobs, limit: 9 }).work, work);
});

test('at one time each request waits, runs or is done', () => {
    const { spans } = model.simulate({ requests: 10, limit: 4, latency: 100 });
    assert.deepEqual(model.at(spans, 0), { waiting: 6, running: 4, done: 0 });
    assert.deepEqual(model.at(spans, 150), { waiting: 2, running: 4, done: 4 });
    assert.deepEqual(model.at(spans, 300), { waiting: 0, running: 0, done: 10 });
});
