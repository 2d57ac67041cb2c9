/* The model of the frontier: what is counted, which orders come out. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './model.mjs';

const { frontierModel: model } = load('frontier_model');
const pages = Object.keys(model.site).sort();

for (const slots of [1, 2, 3, 8]) {
    test(`with ${slots} slots each page is asked once, and always in one place`, () => {
        const states = model.crawl(slots);
        for (const s of states) {
            const places = [
                ...s.queued,
                ...s.running.map((r) => r.page),
                ...s.fetched,
                ...s.failed,
            ];
            assert.deepEqual([...places].sort(), [...s.discovered].sort());
            assert.equal(new Set(s.discovered).size, s.discovered.length);
            assert.ok(s.running.length <= slots);
            assert.equal(new Set(s.running.map((r) => r.slot)).size, s.running.length);
        }
        const end = states.at(-1);
        assert.ok(model.isOver(end));
        assert.deepEqual([...end.discovered].sort(), pages);
        assert.deepEqual(end.failed, ['gone']);
        assert.equal(end.fetched.length, pages.length - 1);
    });
}

test('one slot is breadth-first: completed in the order of discovery', () => {
    const end = model.crawl(1).at(-1);
    assert.deepEqual(end.finished, [
        'home',
        'docs',
        'about',
        'news',
        'guide',
        'api',
        'team',
        'gone',
    ]);
    assert.equal(
        end.clock,
        Object.values(model.site).reduce((sum, p) => sum + p.ticks, 0),
    );
});

test('two slots complete in another order, and sooner', () => {
    const end = model.crawl(2).at(-1);
    assert.deepEqual(end.finished, [
        'home',
        'about',
        'news',
        'team',
        'docs',
        'gone',
        'guide',
        'api',
    ]);
    assert.equal(end.clock, 10);
});

test('a step changes one thing and leaves the state before as it was', () => {
    const first = model.begin(2);
    const copy = structuredClone(first);
    const second = model.step(first);
    assert.deepEqual(first, copy);
    assert.deepEqual(second.last, { kind: 'start', page: 'home', slot: 0 });
    const third = model.step(second);
    assert.deepEqual(third.last.fresh, ['docs', 'about', 'news']);
    assert.equal(third.clock, 2);
});

test('a link that is known already is not queued again', () => {
    const known = model
        .crawl(2)
        .filter((s) => s.last?.kind === 'finish')
        .flatMap((s) => s.last.known);
    assert.ok(known.includes('home'));
});

test('after the end a step changes nothing', () => {
    const end = model.crawl(2).at(-1);
    assert.equal(model.step(end), end);
});
