/* The model of two limits: neither is exceeded; who knows the hosts is never slower. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './model.mjs';

const { limitsModel: model } = load('limits_model');
const usual = { pages: 12, all: 4, perHost: 2, slow: 60, fast: 12 };

function check(run, knobs) {
    const fetches = run.spans.filter((s) => s.kind === 'fetch');
    assert.equal(fetches.length, 2 * knobs.pages);
    for (const time of fetches.map((s) => s.from)) {
        const open = run.spans.filter((s) => s.from <= time && time < s.to);
        assert.ok(open.length <= knobs.all, 'places in all');
        for (const host of ['A', 'B']) {
            assert.ok(
                open.filter((s) => s.kind === 'fetch' && s.host === host).length <= knobs.perHost,
                host,
            );
        }
        assert.equal(new Set(open.map((s) => s.worker)).size, open.length, 'one thing a worker');
    }
}

test('neither limit is exceeded, nothing is lost, for many knobs', () => {
    for (const order of ['sorted', 'mixed']) {
        for (const aware of [false, true]) {
            for (const all of [1, 2, 4, 7]) {
                for (const perHost of [1, 2, 5]) {
                    const knobs = { ...usual, order, aware, all, perHost };
                    check(model.simulate(knobs), knobs);
                }
            }
        }
    }
});

test('blindly, B starves behind the line of A', () => {
    const run = model.simulate({ ...usual, order: 'sorted', aware: false });
    assert.ok(run.answeredBeforeB >= 8, `${run.answeredBeforeB} of A before B`);
    assert.ok(run.waited > 0);
});

test('knowingly, B starts at once and no worker stands in line', () => {
    const run = model.simulate({ ...usual, order: 'sorted', aware: true });
    assert.equal(run.firstB, 0);
    assert.equal(run.answeredBeforeB, 0);
    assert.equal(run.waited, 0);
    assert.equal(run.total, 6 * 60); /* A is the longest chain: 12 pages, 2 at once */
});

test('with a sorted list knowing the hosts is faster', () => {
    const blind = model.simulate({ ...usual, order: 'sorted', aware: false });
    const aware = model.simulate({ ...usual, order: 'sorted', aware: true });
    assert.ok(blind.total > aware.total);
    assert.ok(blind.throughput < aware.throughput);
});

test('mixing the list helps blind workers', () => {
    const sorted = model.simulate({ ...usual, order: 'sorted', aware: false });
    const mixed = model.simulate({ ...usual, order: 'mixed', aware: false });
    assert.ok(mixed.firstB < sorted.firstB);
    assert.ok(mixed.waited > 0, 'and they still stand in line');
});

test('a limit per host as large as the whole makes both ways equal', () => {
    const knobs = { ...usual, order: 'sorted', perHost: 4 };
    assert.equal(
        model.simulate({ ...knobs, aware: false }).total,
        model.simulate({ ...knobs, aware: true }).total,
    );
});
