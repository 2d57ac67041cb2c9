/* The real run in the browser: to its end with threads and with events, against the events that the
 * server tells to anybody who asks for them afterwards. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { startLab } from './lab.mjs';

let browser, lab;

before(async () => {
    [browser, lab] = await Promise.all([launch(), startLab()]);
});
after(async () => {
    await browser?.close();
    assert.equal(await lab?.stop(), 0);
});

/* The events of a run, asked for by somebody else than the page. */
async function eventsOf(run) {
    const text = await (await fetch(`${lab.url}api/run/${run}/events`)).text();
    return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => ({
        name,
        ...JSON.parse(data),
    }));
}

/* What the table says of an engine. */
async function cell(page, figure, engine) {
    return page.locator(`tr[data-figure="${figure}"] td[data-engine="${engine}"]`).innerText();
}

for (const [engine, jobs] of [
    ['threads', 6],
    ['events', 12],
]) {
    test(`${engine}: runs to its end, and shows what the server told`, async () => {
        const page = await open(browser, lab.url);
        await page.go('#/real-run');
        const number = page.waitForResponse(
            (r) => r.url().endsWith('/api/run') && r.status() === 202,
        );
        await page.getByLabel('Engine').selectOption(engine);
        await page.getByLabel('Fetches at once').fill(String(jobs));
        await page.getByLabel('Hold each answer').fill('20');
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        const { run } = await (await number).json();
        await page
            .locator(`figure[data-engine="${engine}"][data-state="done"]`)
            .waitFor({ timeout: 60000 });
        const events = await eventsOf(run);
        const done = events.at(-1);
        assert.equal(done.name, 'done');
        assert.equal(await cell(page, 'pages', engine), String(done.pages));
        assert.equal(await cell(page, 'errors', engine), String(done.errors));
        assert.equal(await cell(page, 'threads', engine), String(done.threads));
        assert.equal(await cell(page, 'peak', engine), String(done.in_flight_peak));
        assert.ok(done.pages > 10 && done.in_flight_peak > 1 && done.in_flight_peak <= jobs);
        const begun = events.filter((e) => e.name === 'begin');
        assert.equal(await page.locator('.run-bar').count(), begun.length);
        for (let lane = 0; lane < jobs; lane++) {
            assert.equal(
                await page.locator(`.run-lane[data-lane="${lane}"] .run-bar`).count(),
                begun.filter((e) => e.lane === lane).length,
            );
        }
        assert.equal(await page.locator('.run-bar[data-outcome="going"]').count(), 0);
        await page.finish();
    });
}

test('threads, then events: the same pages, side by side', async () => {
    const page = await open(browser, lab.url, {
        viewport: { width: 360, height: 740 },
        reducedMotion: 'reduce',
    });
    await page.go('#/real-run');
    await page.getByLabel('Fetches at once').fill('8');
    await page.getByLabel('Hold each answer').fill('10');
    await page.getByRole('button', { name: 'Run threads, then events' }).click();
    await page
        .locator('figure[data-engine="events"][data-state="done"]')
        .waitFor({ timeout: 60000 });
    assert.equal(await cell(page, 'pages', 'threads'), await cell(page, 'pages', 'events'));
    assert.ok(
        Number(await cell(page, 'threads', 'events')) <
            Number(await cell(page, 'threads', 'threads')),
    );
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(wide, 360);
    await page.finish();
});

test('stopped in the middle it says so, and the next one runs', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/real-run');
    await page.getByLabel('Fetches at once').fill('1');
    await page.getByLabel('Hold each answer').fill('1000');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.run-bar').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('figure[data-state="failed"], figure[data-state="done"]').waitFor();
    await page.getByLabel('Fetches at once').fill('20');
    await page.getByLabel('Hold each answer').fill('0');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('figure[data-state="done"]').waitFor();
    await page.finish();
});
