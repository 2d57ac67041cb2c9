/* Lessons in the browser: the path, questions, progress that is kept or cannot be, the keyboard. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { startLab } from './lab.mjs';
import { load, questionFiles } from './model.mjs';

const data = load('lessons_data', 'sources_data', 'excerpts_data', ...questionFiles);
let browser, lab;

before(async () => {
    [browser, lab] = await Promise.all([launch(), startLab()]);
});
after(async () => {
    await browser?.close();
    assert.equal(await lab?.stop(), 0);
});

test('the path: every lesson in its order, with its minutes, and each opens', async () => {
    const page = await open(browser, lab.url);
    await page.go('');
    const rows = page.locator('.path li');
    assert.equal(await rows.count(), data.lessons.path.length);
    for (const [i, { name, minutes }] of data.lessons.path.entries()) {
        assert.equal(await rows.nth(i).locator('a').getAttribute('href'), `#/lesson-${name}`);
        assert.equal(await rows.nth(i).locator('.minutes').innerText(), `${minutes} min`);
    }
    for (const { name } of data.lessons.path) {
        await page.go(`#/lesson-${name}`);
        for (const part of [
            'Idea',
            'Run it',
            'Experiment',
            'The program',
            'In Python',
            'Before you move on',
            'Questions to think about',
        ]) {
            assert.ok(
                await page.getByRole('heading', { name: part, exact: true }).isVisible(),
                `${name}: ${part}`,
            );
        }
        assert.equal(await page.locator('.quiz').count(), data.quizzes[name].length);
        const source = await page
            .locator('#lesson details pre code')
            .last()
            .evaluate((code) => code.textContent);
        assert.equal(source, `${data.sources[name].code}\n`, name);
        assert.equal(await page.locator('main').getByText('[object').count(), 0, name);
    }
    await page.finish();
});

test('a question: each wrong option has its explanation, the right one too', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/lesson-pool');
    const { options } = data.quizzes.pool[0];
    const quiz = page.locator('.quiz').first();
    for (const [i, option] of options.entries()) {
        await quiz.getByRole('radio').nth(i).check();
        await quiz.getByRole('button', { name: 'Check my answer' }).click();
        const said = await quiz.getByRole('status').innerText();
        assert.ok(said.includes(option.right ? 'Right.' : 'Not this one.'), said);
        assert.ok(said.includes(option.why.replaceAll('`', '')), said);
    }
    await page.finish();
});

test('answers of the text are hidden until they are asked for', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/lesson-sequential');
    const first = page.locator('.questions > li').first();
    assert.equal(await first.locator('.answer').isVisible(), false);
    await first.getByRole('button', { name: 'Show the answer' }).click();
    assert.equal(await first.locator('.answer').isVisible(), true);
    await first.getByRole('button', { name: 'Hide the answer' }).click();
    assert.equal(await first.locator('.answer').isVisible(), false);
    await page.finish();
});

/* Answers all questions of the open lesson rightly. */
async function answerAll(page, name) {
    for (const [i, { options }] of data.quizzes[name].entries()) {
        const quiz = page.locator('.quiz').nth(i);
        await quiz
            .getByRole('radio')
            .nth(options.findIndex((o) => o.right))
            .check();
        await quiz.getByRole('button', { name: 'Check my answer' }).click();
    }
}

test('progress is kept over a reload, and can be forgotten', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/lesson-sequential');
    assert.ok(await page.getByText('Answer the questions above before you move on.').isVisible());
    await page.getByLabel('Write down what you expect').fill('breadth first');
    await answerAll(page, 'sequential');
    await page.getByText('this lesson is done').waitFor();
    await page.go('#/lesson-pool');
    await page.locator('.quiz').first().getByRole('radio').first().check();
    await page.locator('.quiz').first().getByRole('button').click();
    await page.go('#/path');
    const status = (i) => page.locator('.path li').nth(i).locator('.status').innerText();
    assert.equal(await status(0), 'done');
    assert.equal(await status(1), 'begun');
    assert.equal(await status(2), 'not begun');
    assert.match(await page.locator('#path .state').innerText(), /^1 of 19 lessons done/);
    await page.go('#/lesson-sequential');
    assert.equal(await page.getByLabel('Write down what you expect').inputValue(), 'breadth first');
    await page.go('#/path');
    await page.getByRole('button', { name: 'Forget my progress' }).click();
    assert.equal(await status(0), 'not begun');
    await page.go('#/path');
    assert.equal(await status(0), 'not begun');
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    await page.finish();
});

test('what two tabs note is kept, and each shows what the other noted', async () => {
    const page = await open(browser, lab.url);
    const other = await page.context().newPage();
    await page.go('#/lesson-pool');
    await other.goto(`${lab.url}index.html#/path`);
    await page.getByLabel('Write down what you expect').pressSequentially('as they end');
    await other.locator('.path li.begun').getByText('A pool of threads').waitFor();
    await other.getByRole('link', { name: 'Rate', exact: true }).click();
    await answerAll(other, 'rate');
    await other.getByText('this lesson is done').waitFor();
    await answerAll(page, 'pool');
    await page.getByText('this lesson is done').waitFor();
    await page.go('#/path');
    assert.match(await page.locator('#path .state').innerText(), /^2 of 19 lessons done/);
    await page.go('#/lesson-pool');
    assert.equal(await page.getByLabel('Write down what you expect').inputValue(), 'as they end');
    await page.finish();
});

for (const [what, script] of [
    [
        'a browser that refuses storage',
        () => {
            Object.defineProperty(window, 'localStorage', {
                get() {
                    throw new DOMException('no', 'SecurityError');
                },
            });
        },
    ],
    [
        'a full storage',
        () => {
            Storage.prototype.setItem = () => {
                throw new DOMException('full', 'QuotaExceededError');
            };
        },
    ],
    [
        'rubbish in the storage',
        () => location.protocol === 'http:' && localStorage.setItem('weft-lab', '{"quizzes":'),
    ],
    [
        "another's words in the storage",
        () =>
            location.protocol === 'http:' &&
            localStorage.setItem('weft-lab', '{"quizzes":null,"notes":7}'),
    ],
    [
        "another's words under the names of lessons",
        () =>
            location.protocol === 'http:' &&
            localStorage.setItem('weft-lab', '{"quizzes":{"rate":5},"notes":{"rate":7}}'),
    ],
]) {
    test(`${what} stops nothing`, async () => {
        const page = await open(browser, lab.url);
        await page.addInitScript(script);
        await page.go('#/lesson-rate');
        await answerAll(page, 'rate');
        await page.getByText('this lesson is done').waitFor();
        await page.getByRole('link', { name: 'Lessons', exact: true }).first().click();
        assert.equal(await page.locator('.path li').nth(12).locator('.status').innerText(), 'done');
        await page.getByRole('button', { name: 'Forget my progress' }).click();
        assert.equal(
            await page.locator('.path li').nth(12).locator('.status').innerText(),
            'not begun',
        );
        await page.finish();
    });
}

test('an address that leads nowhere shows the path', async () => {
    const page = await open(browser, lab.url);
    for (const hash of [
        '#/lesson-nothing',
        '#/experiment-constructor',
        '#what',
        '#/lesson-%E0%A4%A',
        '#/inside-"]',
    ]) {
        await page.go(hash);
        assert.ok(await page.getByRole('heading', { level: 2 }).first().isVisible(), hash);
    }
    await page.finish();
});

test('the link to the program opens it', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/lesson-rate');
    assert.equal(await page.locator('.source pre').isVisible(), false);
    await page.getByRole('link', { name: 'src/lessons/rate.c' }).click();
    assert.equal(await page.locator('.source pre').isVisible(), true);
    assert.match(await page.evaluate(() => document.activeElement.textContent), /rate\.c/);
    await page.finish();
});

test('from a lesson to the function of weft that it is about', async () => {
    const page = await open(browser, lab.url);
    await page.go('#/lesson-cancellation');
    const { name, title } = data.excerpts.find((e) => e.name === 'weft_future_cancel');
    await page.getByRole('link', { name: title }).click();
    assert.equal(
        await page.locator(`#inside-${name} h3`).evaluate((h) => h === document.activeElement),
        true,
    );
    await page.finish();
});

test('links move the focus to the heading of what they show', async () => {
    const page = await open(browser, lab.url);
    await page.go('');
    await page.getByRole('link', { name: 'A pool of threads' }).click();
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    assert.equal(await focused(), 'A pool of threads');
    assert.equal(await page.title(), 'A pool of threads · weft lab');
    await page.goBack();
    assert.match(await focused(), /^Futures, worker pools/);
    await page.getByRole('link', { name: 'Inside' }).click();
    await page.getByRole('link', { name: data.excerpts[3].title }).click();
    assert.equal(await focused(), data.excerpts[3].title);
    await page.finish();
});

/* Everything on the shown view that the Tab key has to reach, in order: an index for each. */
function markStops() {
    const all = [
        ...document.querySelectorAll(
            'a[href], button, input, select, textarea, summary, [tabindex="0"]',
        ),
    ].filter((e) => e.checkVisibility() && !e.disabled);
    const groups = new Set();
    const stops = all.filter((e) => {
        if (e.type !== 'radio') {
            return true;
        }
        const chosen = all.some((o) => o.name === e.name && o.checked);
        if (chosen ? !e.checked : groups.has(e.name)) {
            return false; /* arrows move within a group; Tab stops at it once */
        }
        groups.add(e.name);
        return true;
    });
    stops.forEach((e, i) => e.setAttribute('data-stop', i));
    return stops.length;
}

/* The stop that has the focus, and whether one sees that it has it. */
function focusNow() {
    const e = document.activeElement;
    const drawn = (element) => {
        const style = getComputedStyle(element);
        return (
            style.outlineStyle !== 'none' &&
            parseFloat(style.outlineWidth) > 0 &&
            style.outlineColor !== 'rgba(0, 0, 0, 0)'
        );
    };
    return {
        stop: e.getAttribute('data-stop'),
        visible: drawn(e) || (e.closest('label') !== null && drawn(e.closest('label'))),
        what: `${e.tagName} ${e.textContent.slice(0, 30)}`,
    };
}

for (const hash of [
    '#/path',
    '#/lesson-pool',
    '#/lesson-steps/2-executor',
    '#/experiments',
    '#/experiment-frontier',
    '#/experiment-futures',
    '#/real-run',
    '#/inside',
]) {
    test(`the Tab key reaches everything on ${hash}, in order, and one sees where it is`, async () => {
        const page = await open(browser, lab.url);
        await page.go(hash);
        const count = await page.evaluate(markStops);
        for (let i = 0; i < count; i++) {
            await page.keyboard.press('Tab');
            const { stop, visible, what } = await page.evaluate(focusNow);
            assert.equal(stop, String(i), `after ${i + 1} times Tab: ${what}`);
            assert.ok(visible, `no outline on ${what}`);
        }
        await page.finish();
    });
}

/* Presses Tab until something with this text or label has the focus. */
async function tabTo(page, name) {
    for (let i = 0; i < 150; i++) {
        const found = await page.evaluate((wanted) => {
            const e = document.activeElement;
            const label = e.labels?.[0]?.textContent ?? e.textContent;
            return e !== document.body && label.trim().startsWith(wanted);
        }, name);
        if (found) {
            return;
        }
        await page.keyboard.press('Tab');
    }
    assert.fail(`Tab never came to ${name}`);
}

test('the keyboard alone: skip, choose a lesson, answer a question, step through an experiment', async () => {
    const page = await open(browser, lab.url);
    await page.go('');
    await tabTo(page, 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
    assert.equal(await page.locator('#path').isVisible(), true);
    await tabTo(page, 'A pool of threads');
    await page.keyboard.press('Enter');
    await tabTo(page, '0.2 s');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Check my answer');
    await page.keyboard.press('Enter');
    await page.locator('.quiz').getByText('60 / 5 = 12 rounds').waitFor();

    await page.go('#/experiment-frontier');
    await tabTo(page, 'slots');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'done third');
    await page.keyboard.press('d');
    await tabTo(page, 'Show it');
    await page.keyboard.press('Enter');
    await page.getByText('You said docs').waitFor();
    await tabTo(page, 'Next event');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.getByText('Tick 2: home is fetched').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Next event');
    await page.finish();
});
