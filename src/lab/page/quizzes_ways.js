/* quizzes_ways.js -- the questions of the first lessons: ways to wait for many pages. See quizzes.js. */
(function (page) {
    'use strict';
    const { right, wrong } = page.option;

    Object.assign(page.quizzes, {
        sequential: [
            {
                question: 'When does a URL enter the set of those that were seen?',
                options: [
                    wrong(
                        'When its fetch has ended.',
                        'Then two pages that link to a third, both read before it is fetched, would queue it twice, and it would be fetched twice.',
                    ),
                    wrong(
                        'When its fetch begins.',
                        'Between discovery and that moment it stands in the queue, and a second link to it would put it there again.',
                    ),
                    right(
                        'When it is discovered, in the same step that puts it into the queue.',
                        'So it enters the queue once in its life, however many pages link to it. That is also why the crawl ends on a site with cycles.',
                    ),
                ],
            },
            {
                question:
                    '13 pages, each takes 20 ms, one after another. What shortens the whole most?',
                options: [
                    wrong(
                        'A faster queue.',
                        'The queue takes microseconds. The 260 ms are the sum of all waits for the server.',
                    ),
                    right(
                        'Waiting for several answers at once.',
                        'One after another, the whole time is the sum of all delays. The program does nothing but wait, so waits can overlap.',
                    ),
                    wrong(
                        'A faster HTML parser.',
                        'Reading a page takes a small part of a millisecond here; waiting for it takes twenty.',
                    ),
                ],
            },
        ],
        pool: [
            {
                question:
                    '60 requests of 200 ms each, 5 slots. What is the least time for all of them?',
                options: [
                    wrong('0.2 s', 'That would need 60 slots: every request at once.'),
                    right(
                        '2.4 s',
                        '60 / 5 = 12 rounds of 200 ms. The same by throughput: 5 / 0.2 s = 25 a second, and 60 / 25 = 2.4 s.',
                    ),
                    wrong('12 s', 'That is one after another: 60 times 200 ms.'),
                    wrong(
                        '4.8 s',
                        'That is what 2.5 slots would do. Divide 60 by 5: twelve rounds, not twenty-four.',
                    ),
                ],
            },
            {
                question:
                    'Why does the coordinator wait for the first future that is done, and not for the one that it submitted first?',
                options: [
                    wrong(
                        'Because futures get done in the order in which they were submitted.',
                        'They start in that order. A page that takes three times as long is overtaken.',
                    ),
                    right(
                        'Because a slow page must not keep a free slot empty.',
                        'If it waited for the oldest, all other slots would stand idle behind one slow page.',
                    ),
                    wrong(
                        'Because waiting for a certain future is not possible.',
                        'It is: `weft_future_result` waits for one. It would be the wrong one here.',
                    ),
                ],
            },
        ],
        events: [
            {
                question:
                    'The loop and the pool draw nearly the same picture. What does the loop save?',
                options: [
                    wrong(
                        'Waiting time: its fetches are answered sooner.',
                        'The server takes as long as it takes. With the same slots both need about the same time.',
                    ),
                    right(
                        'Threads: their stacks, and the switches between them.',
                        'What a thread keeps on its stack between question and answer, the loop keeps in a struct. With thousands of fetches that decides.',
                    ),
                    wrong(
                        'Requests: it asks for fewer pages.',
                        'What is asked for is decided by the coordinator, which is the same for both.',
                    ),
                ],
            },
            {
                question: 'Why does `started++` need no lock here?',
                options: [
                    wrong(
                        'Because `++` is one instruction and cannot be interrupted.',
                        'In C it is a read, an addition and a write. Two threads that do it at once are a data race.',
                    ),
                    wrong('Because libcurl locks it.', 'libcurl knows nothing of your variables.'),
                    right(
                        'Because only one thread runs, and nothing else happens between two calls of `weft_loop_next`.',
                        'On a loop everything takes turns on one thread. The price: whoever takes long makes all others wait.',
                    ),
                ],
            },
        ],
        compare: [
            {
                question: 'With 6 jobs instead of 1 the crawl is less than 6 times as fast. Why?',
                options: [
                    wrong(
                        'Because threads cost so much.',
                        'The event loop has one thread and shows the same. Look at the left end of the drawing.',
                    ),
                    right(
                        'Because at first only one page is known, and at the end there are not enough pages left.',
                        'A site has a shape: no engine is faster than its longest chain of links.',
                    ),
                    wrong(
                        'Because three engines share one server.',
                        'They run one after the other.',
                    ),
                ],
            },
            {
                question:
                    'The engines visit pages in different orders. Why do they find the same set?',
                options: [
                    right(
                        'Because each page is asked for once, and every link on it is looked at, in whatever order.',
                        'What is reachable from the seed does not depend on the order in which you walk. Only order and time differ.',
                    ),
                    wrong(
                        'Because results are sorted at the end.',
                        'Sorting would hide another order; it would not bring back a page that was never found.',
                    ),
                    wrong(
                        'By chance; with another `--jobs` the set may differ.',
                        'The program compares the sets at its end. What a set holds depends on links alone, not on who came first.',
                    ),
                ],
            },
        ],
    });
})((globalThis.weftPage = globalThis.weftPage || {}));
