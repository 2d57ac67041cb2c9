/* browser.mjs -- a real browser, and pages in it that watch themselves.
 *
 * Every page opened here notes console errors, exceptions, and requests to anybody but its own
 * server; close() fails if there were any. Knows nothing of what is on a page. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/* Starts Debian's browser (or the one that CHROMIUM names). As root it runs without its sandbox. */
export function launch() {
    const executablePath = process.env.CHROMIUM ?? places.find((path) => existsSync(path));
    assert.ok(executablePath, 'no chromium: scripts/bootstrap web');
    const args = process.getuid() === 0 ? ['--no-sandbox'] : [];
    return chromium.launch({ executablePath, args });
}

/* open(browser, ORIGIN, OPTIONS): a context and a page. ORIGIN: the only one it may ask. OPTIONS are
 * playwright's for a context. page.go(HASH) shows a view. page.finish() closes it all and says what
 * went wrong. */
export async function open(browser, origin, options = {}) {
    const context = await browser.newContext({
        viewport: { width: 1000, height: 800 },
        ...options,
    });
    const page = await context.newPage();
    const wrong = [];
    page.setDefaultTimeout(20000);
    page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') {
            wrong.push(`console: ${message.text()}`);
        }
    });
    page.on('pageerror', (error) => wrong.push(`exception: ${error.stack}`));
    page.on('request', (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) {
            wrong.push(`request to ${request.url()}`);
        }
    });
    page.on('requestfailed', (request) => {
        if (request.failure().errorText !== 'net::ERR_ABORTED') {
            /* a page may end its own requests */
            wrong.push(`failed: ${request.url()}: ${request.failure().errorText}`);
        }
    });
    page.on('response', (response) => {
        if (response.status() >= 400) {
            wrong.push(`${response.status()} for ${response.url()}`);
        }
    });
    page.go = async (hash) => {
        await page.goto('about:blank'); /* else only the part behind the # would change */
        await page.goto(`${origin}${origin.endsWith('/') ? '' : '/'}index.html${hash}`);
    };
    page.finish = async () => {
        await context.close();
        assert.deepEqual(wrong, []);
    };
    return page;
}

/* Passes the prediction of an experiment without a guess. */
export async function reveal(page) {
    await page.getByRole('button', { name: 'Show it without a guess' }).click();
}

/* Sets a slider by its label, as a reader's hand would. */
export async function turn(page, label, value) {
    await page.getByRole('slider', { name: label, exact: true }).evaluate((input, to) => {
        input.value = to;
        input.dispatchEvent(new Event('input', { bubbles: true }));
    }, String(value));
}
