/* The model of rate and concurrency: the same numbers as the lesson's Python, Little's law. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './model.mjs';

const { bucketModel: model } = load('bucket_model');
const server = { serverRate: 1000, serverBurst: 1000 };

test('the bucket starts as the Python of docs/lessons/rate.md does', () => {
    const bucket = model.bucket(10, 3);
    const starts = [];
    let now = 0;
    for (let i = 0; i < 8; i++) {
        now = bucket.take(now);
        starts.push(Math.round(now));
    }
    assert.deepEqual(starts, [0, 0, 0, 100, 200, 300, 400, 500]);
});

test('three at once of 20 ms are 150 a second', () => {
    const run = model.simulate({
        requests: 300,
        concurrency: 3,
        rate: null,
        burst: 1,
        latency: 20,
        ...server,
    });
    assert.equal(Math.round(run.throughput), 150);
    assert.equal(run.peak, 3);
});

test('and 1.5 a second when each takes 2 s', () => {
    const run = model.simulate({
        requests: 30,
        concurrency: 3,
        rate: null,
        burst: 1,
        latency: 2000,
        ...server,
    });
    assert.equal(run.throughput, 1.5);
});

test('a rate is kept whatever the latency, and then latency decides how many are open', () => {
    for (const [latency, peak] of [
        [50, 1],
        [100, 1],
        [1000, 10],
        [2000, 20],
    ]) {
        const run = model.simulate({
            requests: 60,
            concurrency: null,
            rate: 10,
            burst: 1,
            latency,
            ...server,
        });
        const starts = run.spans.map((s) => Math.round(s.from));
        assert.deepEqual(
            starts,
            starts.map((_, i) => i * 100),
        );
        assert.equal(run.peak, peak, `latency ${latency}`);
    }
});

test('in no second do more start than the burst and the rate allow', () => {
    const { spans } = model.simulate({
        requests: 100,
        concurrency: 50,
        rate: 20,
        burst: 4,
        latency: 30,
        ...server,
    });
    for (const { from } of spans) {
        const started = spans.filter((s) => s.from >= from && s.from < from + 1000).length;
        assert.ok(started <= 24, `${started} in the second after ${from}`);
    }
});

test('both limits: the smaller one decides', () => {
    const knobs = { requests: 60, concurrency: 2, rate: 10, burst: 1, ...server };
    const fast = model.simulate({ ...knobs, latency: 50 });
    assert.equal(fast.peak, 1);
    assert.ok(Math.abs(fast.throughput - 10) < 0.2);
    const slow = model.simulate({ ...knobs, latency: 1000 });
    assert.equal(slow.peak, 2);
    assert.ok(
        Math.abs(slow.throughput - 2) < 0.01,
    ); /* but for the second that starts a little later */
});

test('a server with a rate of its own refuses what is faster, and nothing of a client that keeps to it', () => {
    const knobs = { requests: 30, latency: 10, serverRate: 20, serverBurst: 5 };
    const free = model.simulate({ ...knobs, concurrency: 3, rate: null, burst: 1 });
    assert.ok(free.refused > 0);
    assert.equal(free.refused, free.spans.filter((s) => s.status === 429).length);
    assert.equal(model.simulate({ ...knobs, concurrency: 3, rate: 20, burst: 2 }).refused, 0);
    assert.ok(
        model.simulate({ ...knobs, concurrency: 30, rate: 20, burst: 20 }).refused > 0,
        "a burst above the server's",
    );
});
