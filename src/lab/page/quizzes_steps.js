/* quizzes_steps.js -- the questions of the crawler in steps. See quizzes.js. */
(function (page) {
    'use strict';
    const { right, wrong } = page.option;

    Object.assign(page.quizzes, {
        'steps/1-sequential': [
            {
                question:
                    'On this site one page takes 300 ms. What does this step do in that time?',
                options: [
                    wrong(
                        'It fetches the pages behind it.',
                        'One fetch goes on at a time. That is what the next step changes.',
                    ),
                    right(
                        'It waits, and so does every page behind it.',
                        'Decide, wait, decide, wait: nobody decides while somebody waits.',
                    ),
                    wrong(
                        'It looks for links in the pages before.',
                        'A page is read when it has come, before the next one is asked for. All of that is over.',
                    ),
                ],
            },
        ],
        'steps/2-executor': [
            {
                question:
                    'Several threads fetch at once now. Why does the queue of URLs need no lock?',
                options: [
                    right(
                        'Only the coordinator touches it.',
                        'A worker gets a visit, fills in the response, and gives it back. The completion queue hands it from one thread to the other.',
                    ),
                    wrong(
                        'The pool locks it.',
                        'The pool locks its own queue, of jobs. It knows nothing of URLs.',
                    ),
                    wrong(
                        'Writes to an array of characters are atomic.',
                        'They are not. Two threads in `discover` would be a data race.',
                    ),
                ],
            },
            {
                question: 'Why does each worker have a client of its own?',
                options: [
                    wrong(
                        'So that the server sees several users.',
                        'It sees several connections. That is a consequence, and not the reason.',
                    ),
                    right(
                        'A client keeps connections and belongs to one thread at a time.',
                        'With one client for all, fetches would take turns, or two threads would write to one connection.',
                    ),
                    wrong(
                        'So that each worker can follow other links.',
                        'Links are read by the coordinator. A worker only fetches.',
                    ),
                ],
            },
        ],
        'steps/3-engine': [
            {
                question: 'What does `crawl` still know of threads after this step?',
                options: [
                    wrong(
                        'How many workers there are, and which of them is free.',
                        'It knows how many visits are out, not who has them. Look for the word worker in `crawl`.',
                    ),
                    right(
                        'Nothing: it starts visits and takes back whichever has ended.',
                        'What waits has four functions of its own: open, start, next, close. Another engine can stand behind them.',
                    ),
                    wrong(
                        'That it has to lock the queue before `engine_start`.',
                        'There is no lock to take: only the coordinator touches the queue.',
                    ),
                ],
            },
        ],
        'steps/4-events': [
            {
                question: 'What has changed in `crawl` since step 3?',
                options: [
                    wrong(
                        "It runs on the loop's thread, so `engine_next` may not block.",
                        '`engine_next` blocks as before, until one fetch has ended. Meanwhile the loop drives all of them.',
                    ),
                    right(
                        'One line, which gives each visit its lane for the drawing.',
                        'The deciding part is what it was. That is why `weft crawl` can offer the engine as an option.',
                    ),
                    wrong(
                        'It had to be written anew around callbacks.',
                        'Look at the diff: the four functions of the engine are new, `crawl` is not.',
                    ),
                ],
            },
            {
                question: 'Ten thousand fetches at once: what of step 3 would have to change?',
                options: [
                    wrong(
                        'The queue of URLs needs a lock.',
                        'One thread still decides, however many fetches are out.',
                    ),
                    wrong(
                        '`crawl`, which would have to know about slots.',
                        'It only counts what is out.',
                    ),
                    right(
                        'Nothing but the engine.',
                        'Ten thousand threads are too many; ten thousand slots of a loop are not.',
                    ),
                ],
            },
        ],
    });
})((globalThis.weftPage = globalThis.weftPage || {}));
