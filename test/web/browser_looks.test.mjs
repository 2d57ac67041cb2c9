/* How the page stands on screens: narrow and wide, light and dark, still, and as a file. Every view
 * is measured, with all of its parts opened. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, reveal } from './browser.mjs';
import { startLab } from './lab.mjs';
import { missingNames, overflow, poorContrast, tooSmall } from './measure.mjs';
import { load } from './model.mjs';

const { lessons } = load('lessons_data');
const experiments = ['bounded', 'frontier', 'retry', 'limits', 'bucket', 'futures'];
const views = [
    '#/path',
    '#/experiments',
    '#/real-run',
    '#/inside',
    ...experiments.map((name) => `#/experiment-${name}`),
    ...lessons.path.map(({ name }) => `#/lesson-${name}`),
];
let browser, lab;

before(async () => {
    [browser, lab] = await Promise.all([launch(), startLab()]);
});
after(async () => {
    await browser?.close();
    await lab?.stop();
});

/* Shows a view with everything open: predictions passed, answers shown, questions answered. */
async function unfold(page, hash) {
    await page.go(hash);
    await page.evaluate(() => {
        const press = (text) =>
            [...document.querySelectorAll('button')]
                .filter((b) => b.checkVisibility() && b.textContent === text)
                .forEach((b) => b.click());
        press('Show it without a guess');
        press('Show the answer');
        press('To the end');
        for (let i = 0; i < 3; i++) {
            press('submit a job');
            press('a worker takes the next job');
        }
        press('cancel');
        document.querySelectorAll('.quiz').forEach((quiz, i) => {
            quiz.querySelectorAll('input')[i % 3].click();
            quiz.requestSubmit();
        });
        document.querySelectorAll('details').forEach((d) => {
            d.open = true;
        });
    });
}

for (const [width, height, scheme] of [
    [360, 740, 'light'],
    [360, 740, 'dark'],
    [1400, 900, 'light'],
    [1400, 900, 'dark'],
]) {
    test(`${width} px, ${scheme}: nothing sticks out, all can be read and named`, async () => {
        const page = await open(browser, lab.url, {
            viewport: { width, height },
            colorScheme: scheme,
            reducedMotion: 'reduce',
        });
        for (const hash of views) {
            await unfold(page, hash);
            assert.deepEqual(await page.evaluate(overflow), [], `${hash}: sticks out`);
            assert.deepEqual(await page.evaluate(poorContrast), [], `${hash}: contrast`);
            assert.deepEqual(await page.evaluate(missingNames), [], `${hash}: names`);
            assert.deepEqual(await page.evaluate(tooSmall), [], `${hash}: too small to touch`);
        }
        await page.finish();
    });
}

test('800 px: nothing sticks out', async () => {
    const page = await open(browser, lab.url, { viewport: { width: 800, height: 900 } });
    for (const hash of views) {
        await unfold(page, hash);
        assert.deepEqual(await page.evaluate(overflow), [], hash);
    }
    await page.finish();
});

test('light and dark differ', async () => {
    const grounds = [];
    for (const colorScheme of ['light', 'dark']) {
        const page = await open(browser, lab.url, { colorScheme });
        await page.go('');
        grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
        await page.finish();
    }
    assert.notEqual(grounds[0], grounds[1]);
});

test('with reduced motion nothing moves: no transition, and Play is at the end at once', async () => {
    const page = await open(browser, lab.url, { reducedMotion: 'reduce' });
    await page.go('#/experiment-bounded');
    await reveal(page);
    const moving = await page.evaluate(
        () =>
            [...document.querySelectorAll('*')].filter((e) => {
                const style = getComputedStyle(e);
                return parseFloat(style.transitionDuration) > 0 || style.animationName !== 'none';
            }).length,
    );
    assert.equal(moving, 0);
    await page.getByRole('slider', { name: 'time', exact: true }).evaluate((input) => {
        input.value = 0;
        input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.getByRole('button', { name: 'Play' }).click();
    assert.equal(
        await page.locator('.row .state').innerText(),
        'after 2.4 s: 0 wait, 0 run, 60 done',
    );
    assert.equal(await page.getByRole('button', { name: 'Play' }).isVisible(), true);
    await page.finish();
});

test('opened as a file it works, and says what a real run needs', async () => {
    const folder = new URL('../../src/lab/page/', import.meta.url).href;
    const page = await open(browser, folder);
    for (const hash of views) {
        await page.go(hash);
        assert.ok(await page.getByRole('heading', { level: 2 }).first().isVisible(), hash);
    }
    await page.go('#/real-run');
    assert.match(await page.locator('#real-run').innerText(), /weft lab/);
    await page.go('#/experiment-bounded');
    await reveal(page);
    assert.equal(await page.locator('[data-figure="total"]').innerText(), '2.4 s');
    await page.go('#/lesson-race');
    await page.locator('.quiz').first().getByRole('radio').first().check();
    await page.locator('.quiz').first().getByRole('button').click();
    await page.go('#/path');
    assert.equal(await page.locator('.path li').nth(11).locator('.status').innerText(), 'begun');
    await page.finish();
});

test('without scripts the page says where the text is', async () => {
    const page = await open(browser, lab.url, { javaScriptEnabled: false });
    await page.go('');
    assert.match(await page.locator('noscript').innerText(), /docs\/lessons\.md/);
    await page.finish();
});
