/* model.mjs -- loads scripts of the page into this process, for the tests of its models and data.
 *
 * They are classic scripts that set members of globalThis.weftPage; no page is needed. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/* The questions, all of them. */
export const questionFiles = [
    'quizzes',
    'quizzes_ways',
    'quizzes_trouble',
    'quizzes_limits',
    'quizzes_steps',
];

/* load(NAME...): runs src/lab/page/NAME.js, in this order, and gives weftPage. */
export function load(...names) {
    for (const name of names) {
        require(`../../src/lab/page/${name}.js`);
    }
    return globalThis.weftPage;
}
