/* Experiments in the browser: what the page shows is what its model says, for knobs turned there. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, reveal, turn } from './browser.mjs';
import { startLab } from './lab.mjs';
import { load } from './model.mjs';

const models = load(
    'random',
    'bounded_model',
    'frontier_model',
    'retry_model',
    'limits_model',
    'bucket_model',
    'futures_model',
);
let browser, lab;

before(async () => {
    [browser, lab] = await Promise.all([launch(), startLab()]);
});
after(async () => {
    await browser?.close();
    await lab?.stop();
});

/* What stands on the page for a figure. */
const figure = (page, name) => page.locator(`[data-figure="${name}"]:visible`).innerText();
const seconds = (ms) =>
    ms < 1000 ? `${Number(ms.toFixed(2))} ms` : `${Number((ms / 1000).toFixed(2))} s`;
const digits = (value) => String(Number(value.toFixed(2)));

test('bounded: asks first, then shows 2.4 s for 60 x 200 ms at 5', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/experiment-bounded');
    assert.equal(await page.locator('.results').isVisible(), false);
    await page.getByLabel('the whole takes (seconds)').fill('3');
    await page.getByRole('button', { name: 'Show it', exact: true }).click();
    assert.match(
        await page.locator('.predict .said').innerText(),
        /^You said 3 s; it takes 2\.4 s\./,
    );
    assert.equal(await figure(page, 'total'), '2.4 s');
    assert.equal(await figure(page, 'throughput'), '25 a second');
    assert.equal(await figure(page, 'arithmetic'), '2.4 s');
    assert.equal(await figure(page, 'law'), '25 a second');
    await page.finish();
});

test('bounded: other knobs, and each time of the run, as the model says', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/experiment-bounded');
    await reveal(page);
    const knobs = { requests: 41, limit: 7, latency: 330, jitter: 60, seed: 9 };
    await turn(page, 'requests', knobs.requests);
    await turn(page, 'at once, at most', knobs.limit);
    await turn(page, 'latency', knobs.latency);
    await turn(page, 'jitter', knobs.jitter);
    await turn(page, 'seed of the jitter', knobs.seed);
    const run = models.boundedModel.simulate(knobs);
    assert.equal(await figure(page, 'total'), seconds(run.total));
    assert.equal(await figure(page, 'throughput'), `${digits(run.throughput)} a second`);
    assert.equal(await page.locator('.bar:visible').count(), knobs.requests);
    for (const share of [0, 0.3, 0.7, 1]) {
        const time = Math.round(run.total * share);
        await turn(page, 'time', time);
        const { waiting, running, done } = models.boundedModel.at(run.spans, time);
        assert.equal(
            await page.locator('.row .state').innerText(),
            `after ${seconds(time)}: ${waiting} wait, ${running} run, ${done} done`,
        );
    }
    const widths = await page
        .locator('.bar')
        .evaluateAll((bars) => bars.map((b) => parseFloat(b.style.width)));
    const expected = [...run.spans]
        .sort((a, b) => a.lane - b.lane || a.from - b.from)
        .map((s) => (100 * (s.to - s.from)) / run.total);
    widths.forEach((width, i) => assert.ok(Math.abs(width - expected[i]) < 0.01, `bar ${i}`));
    await page.finish();
});

test('bounded: plays to its end and can be paused', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/experiment-bounded');
    await reveal(page);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    assert.notEqual(
        await page.getByRole('slider', { name: 'time', exact: true }).inputValue(),
        '2400',
    );
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByText('after 2.4 s: 0 wait, 0 run, 60 done').waitFor();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.finish();
});

for (const slots of [1, 2, 3]) {
    test(`frontier: each event with ${slots} slots moves what the model moves`, async () => {
        const page = await open(browser, lab.url);
        await page.go('#/experiment-frontier');
        await turn(page, 'slots', slots);
        await reveal(page);
        const states = models.frontierModel.crawl(slots);
        for (const state of states) {
            for (const place of ['discovered', 'queued', 'running', 'fetched', 'failed']) {
                assert.equal(
                    await page.locator(`[data-count="${place}"]`).innerText(),
                    String(state[place].length),
                    place,
                );
            }
            if (state !== states.at(-1)) {
                await page.getByRole('button', { name: 'Next event' }).click();
            }
        }
        assert.equal(
            await page.getByRole('button', { name: 'Next event' }).getAttribute('aria-disabled'),
            'true',
        );
        await page.getByText('the crawl is over').waitFor();
        assert.equal(
            await page.getByRole('row', { name: 'completion' }).locator('td').innerText(),
            states.at(-1).finished.join(', '),
        );
        assert.equal(
            await page.getByRole('row', { name: 'one after another' }).locator('td').innerText(),
            models.frontierModel.crawl(1).at(-1).finished.join(', '),
        );
        await page.finish();
    });
}

test('retry: asks again for each setting, and tells what the model tells', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/experiment-retry');
    for (const knobs of [
        { latency: 2, fails: 2, timeout: 4, attempts: 3 },
        { latency: 2, fails: 2, timeout: 4, attempts: 2 },
        { latency: 6, fails: 0, timeout: 5, attempts: 3 },
        { latency: 1, fails: 0, timeout: 1, attempts: 1 },
    ]) {
        await turn(page, 'latency of the server', knobs.latency);
        await turn(page, 'temporary failures first', knobs.fails);
        await turn(page, 'timeout of a try', knobs.timeout);
        await turn(page, 'attempts', knobs.attempts);
        assert.equal(await page.locator('.results').isVisible(), false);
        const run = models.retryModel.run(knobs);
        const outcome = run.fetched ? `fetched at try ${run.tries.length}` : 'given up';
        await page.getByLabel('it is').selectOption(outcome);
        await page.getByLabel('known at (tick)').fill(String(run.end));
        await page.getByRole('button', { name: 'Show it', exact: true }).click();
        assert.match(await page.locator('.predict .said').innerText(), /Just so\./);
        assert.equal(await figure(page, 'outcome'), outcome);
        assert.equal(await figure(page, 'end'), String(run.end));
        assert.equal(await page.locator('.results tbody tr').count(), run.tries.length);
        assert.equal(await page.locator('[role="img"] .bar.wait').count(), run.waits.length);
    }
    assert.equal(await page.locator('.knob output').first().innerText(), '1 tick');
    /* The axis of the last one, a single tick: in fifths, and no digits of a sum of fifths. */
    assert.deepEqual(await page.locator('.axis .mark').allInnerTexts(), [
        '0',
        '0.2',
        '0.4',
        '0.6',
        '0.8',
        '1',
    ]);
    await page.finish();
});

test('two limits: both ways, in both orders, as the model says', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/experiment-limits');
    await reveal(page);
    for (const order of ['sorted', 'mixed']) {
        const knobs = { pages: 9, all: 5, perHost: 3, slow: 120, fast: 20, order };
        await turn(page, 'pages on each host', knobs.pages);
        await turn(page, 'fetches at once in all', knobs.all);
        await turn(page, 'fetches at once to one host', knobs.perHost);
        await turn(page, 'a page of A takes', knobs.slow);
        await turn(page, 'a page of B takes', knobs.fast);
        await page.getByLabel('order of the list', { exact: true }).selectOption(order);
        for (const [who, aware] of [
            ['blind', false],
            ['aware', true],
        ]) {
            const run = models.limitsModel.simulate({ ...knobs, aware });
            assert.equal(await figure(page, `${who}-total`), seconds(run.total));
            assert.equal(await figure(page, `${who}-throughput`), digits(run.throughput));
            assert.equal(await figure(page, `${who}-waited`), seconds(run.waited));
            assert.equal(await figure(page, `${who}-firstB`), seconds(run.firstB));
            assert.equal(await figure(page, `${who}-answeredBeforeB`), String(run.answeredBeforeB));
        }
    }
    await page.finish();
});

test('rate and concurrency: three ways, as the model says', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/experiment-bucket');
    await reveal(page);
    const knobs = {
        requests: 50,
        latency: 1500,
        concurrency: 4,
        rate: 15,
        burst: 6,
        serverRate: 12,
        serverBurst: 3,
    };
    for (const [label, value] of [
        ['requests', 50],
        ['latency', 1500],
        ['open at once, at most', 4],
        ['tokens a second', 15],
        ['burst: tokens in the bucket', 6],
        ['allows a second', 12],
        ['allows at once', 3],
    ]) {
        await turn(page, label, value);
    }
    for (const [who, limits] of [
        ['concurrency', { rate: null }],
        ['bucket', { concurrency: null }],
        ['both', {}],
    ]) {
        const run = models.bucketModel.simulate({ ...knobs, ...limits });
        assert.equal(await figure(page, `${who}-throughput`), digits(run.throughput));
        assert.equal(await figure(page, `${who}-peak`), String(run.peak));
        assert.equal(await figure(page, `${who}-refused`), String(run.refused));
        assert.equal(await figure(page, `${who}-total`), seconds(run.total));
    }
    assert.equal(await page.locator('[role="img"] .bar').count(), 150);
    await page.finish();
});

test('futures: each click answers what the model answers', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/experiment-futures');
    const m = models.futuresModel;
    const buttons = {
        submit: 'submit a job',
        promise: 'make a promise',
        work: 'a worker takes the next job',
        cancel: 'cancel',
        result: 'result (poll)',
        take: 'take the value',
        promiseStart: 'start',
    };
    let state = m.begin(2);
    let chosen = null;
    await page.getByLabel('Ask me what I expect').uncheck();
    async function click(name, change) {
        await page.getByRole('button', { name, exact: true }).click();
        state = change(state);
        const said = await page.locator('.experiment .answer').innerText();
        assert.ok(
            said.startsWith(`${state.last.call} → ${state.last.status}. ${state.last.why}`),
            said,
        );
        for (const place of ['PENDING', 'RUNNING', 'FINISHED', 'CANCELLED']) {
            const names = await page.locator(`[data-state="${place}"] .chip b`).allInnerTexts();
            assert.deepEqual(
                names,
                state.futures.filter((f) => f.state === place).map((f) => f.name),
                place,
            );
        }
    }
    async function choose(id) {
        chosen = id;
        await page.getByRole('radio', { name: new RegExp(`^${state.futures[id].name} `) }).check();
    }
    const call = (name) => click(buttons[name], (s) => m[name](s, chosen));
    const add = async (name) => {
        await click(buttons[name], m[name]);
        chosen = state.futures.length - 1;
    };
    await add('submit');
    await add('submit');
    await add('submit');
    await click('wait for the first (poll)', (s) => m.wait(s, [0, 1, 2], false));
    await click('wait for the first (for ever)', (s) => m.wait(s, [0, 1, 2], true));
    await click(buttons.work, m.work);
    await click(buttons.work, m.work);
    await click(buttons.work, m.work);
    await choose(2);
    await call('cancel');
    assert.match(
        await page.locator('.experiment .answer').innerText(),
        /main wakes up: weft_wait is WEFT_OK, 1 of 3 done/,
    );
    await choose(0);
    await call('cancel');
    await click('returns WEFT_ECANCELED', (s) => m.jobReturns(s, 0, 'WEFT_ECANCELED'));
    await choose(1);
    await call('result');
    await call('promiseStart');
    await click('returns 7', (s) => m.jobReturns(s, 1, 7));
    await call('result');
    await call('cancel');
    await click('returns 0', (s) => m.jobReturns(s, 1, 0));
    await add('promise');
    await click('finish with 0', (s) => m.promiseFinish(s, 3, 0));
    await call('take');
    await call('take');
    await click('finish with WEFT_ECANCELED', (s) => m.promiseFinish(s, 3, 'WEFT_ECANCELED'));
    await page.finish();
});

test('futures: asks before each answer, and says whether it was expected', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/experiment-futures');
    const press = (name) => page.getByRole('button', { name, exact: true }).click();
    const said = () => page.locator('.experiment .answer').innerText();
    await press('submit a job');
    await press('a worker takes the next job');
    await press('cancel');
    assert.match(await said(), /^weft_future_cancel\(A\) → \? What comes\?/);
    assert.equal(await page.locator('.chip', { hasText: 'asked to stop' }).count(), 0);
    await press('WEFT_OK');
    assert.match(await said(), /^✗ You said WEFT_OK\. weft_future_cancel\(A\) → WEFT_EBUSY\./);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'cancel');
    await press('returns WEFT_ECANCELED');
    await press('CANCELLED');
    assert.match(await said(), /^✓ Just so\./);
    await press('returns 0');
    await press('it cannot');
    assert.match(await said(), /^✓ Just so\./);
    await press('take the value');
    await press('NULL');
    assert.match(await said(), /^✓ Just so\./);
    await page.finish();
});
