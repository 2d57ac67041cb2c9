/* quizzes_trouble.js -- the questions of the lessons about what goes wrong. See quizzes.js. */
(function (page) {
    'use strict';
    const { right, wrong } = page.option;

    Object.assign(page.quizzes, {
        queue: [
            {
                question: 'The queue is empty. Is all work done?',
                options: [
                    wrong(
                        'Yes, nothing is left in it.',
                        'The last items may be in the hands of workers, who may even put new ones.',
                    ),
                    right(
                        'Not until every item that was put has been told done.',
                        'That is what `unfinished` counts, and what `join` waits for.',
                    ),
                    wrong(
                        'Yes, if no worker waits in `get`.',
                        'A worker that does not wait is working: it may still put items, so that is the very case in which it is not over.',
                    ),
                ],
            },
            {
                question:
                    'A worker reads a page and puts its links into the queue. When must it tell the page done?',
                options: [
                    wrong(
                        'As soon as it has fetched the page.',
                        'Then the count can be zero for a moment although its links are about to come, and `join` ends too early.',
                    ),
                    right(
                        'After it has put the links.',
                        'The count never touches zero while more is to come.',
                    ),
                    wrong(
                        'It does not matter, `join` waits a little longer anyway.',
                        '`join` waits for a count of zero, not for a while.',
                    ),
                ],
            },
        ],
        timeout: [
            {
                question:
                    'A server sends one byte every ten seconds, for ever. The read timeout is 15 s. Which limit ends the fetch?',
                options: [
                    wrong(
                        'The read timeout.',
                        'It is about silence between two pieces, and that is never longer than ten seconds.',
                    ),
                    wrong('The connect timeout.', 'The connection was made long ago.'),
                    right(
                        'The limit for the whole request.',
                        'A trickle is never silent for long and never ends; only a limit for the whole catches it.',
                    ),
                ],
            },
            {
                question:
                    'You wait for a future with a deadline, and the deadline passes. What happens to the job?',
                options: [
                    wrong(
                        'It is cancelled.',
                        'Nobody called cancel. The wait has ended, nothing else.',
                    ),
                    right(
                        'Nothing: it goes on, and its worker is not free.',
                        'A limit that ends the work must be known to the one who works. That is why fetches have limits of their own.',
                    ),
                    wrong(
                        'It fails with `WEFT_ETIMEDOUT`.',
                        'That is the answer of your wait. What becomes of the job is another number, and you can ask again later.',
                    ),
                ],
            },
        ],
        retry: [
            {
                question: 'Which of these is not worth another try in a second?',
                options: [
                    wrong(
                        '503 Service Unavailable',
                        'It says something of this moment: later may be fine.',
                    ),
                    right(
                        '404 Not Found',
                        'It says something of the page, and will say the same in a second.',
                    ),
                    wrong(
                        'A connection that broke',
                        'The question may never have been read. Another try may get an answer.',
                    ),
                    wrong(
                        '429 Too Many Requests',
                        'It says: not so fast. Later is fine, and `Retry-After` says when.',
                    ),
                ],
            },
            {
                question: 'What is the random part (jitter) of the wait good for?',
                options: [
                    wrong(
                        'It makes the wait shorter on average, so the crawl is faster.',
                        'Speed is not what it is for. Half of the wait is certain, the other half is random.',
                    ),
                    wrong(
                        'It hides from the server that a program is asking.',
                        'A polite crawler says who it is. Jitter has another reason.',
                    ),
                    right(
                        'A thousand clients that failed in the same second do not all come back in the same later second.',
                        'Without it they would, and again, each time together: the server never gets a quiet moment.',
                    ),
                ],
            },
        ],
        semaphore: [
            {
                question: 'Three permits, eight workers. What is limited to three?',
                options: [
                    wrong('The threads.', 'Eight exist. Five of them stand in line.'),
                    wrong(
                        'The requests a second.',
                        'If the server is fast, three at once are thousands a second.',
                    ),
                    right(
                        'The fetches that go on at the same time.',
                        'A semaphore limits how many are in a place at once, and nothing else.',
                    ),
                    wrong(
                        'The jobs that can be submitted.',
                        'The pool took all sixteen; nobody asked the semaphore when they were submitted.',
                    ),
                ],
            },
            {
                question:
                    'One path of `fetch` returns without giving its permit back. What do you see?',
                options: [
                    wrong(
                        'An error at the next `acquire`.',
                        '`acquire` cannot know that the permit will never come. It waits.',
                    ),
                    right(
                        'Nothing, at first. After three such returns everybody waits for ever.',
                        'That is why there is one way out of the function. The opposite, one release too many, is told at once.',
                    ),
                    wrong(
                        'A fourth fetch at once.',
                        'That would take a release too many. Here permits get fewer, so fewer run at once.',
                    ),
                ],
            },
        ],
        cancellation: [
            {
                question: '`weft_future_cancel` says `WEFT_EBUSY`. What has happened?',
                options: [
                    wrong(
                        'Nothing; try again later.',
                        'Something did happen: the job has been asked to stop, and can see that.',
                    ),
                    wrong(
                        'The thread of the job was ended.',
                        'Nobody can end a thread from outside without breaking what it holds: a lock, memory, half a file.',
                    ),
                    right(
                        'The job runs, and has been asked to stop. It may look, and may not.',
                        'One that listens ends cancelled. One that is deaf keeps its result.',
                    ),
                ],
            },
            {
                question:
                    'You cancelled four jobs and do not want their results. Why wait for them all the same?',
                options: [
                    wrong(
                        'Because a cancelled future has to be read once.',
                        'It need not be read at all. You only give your reference back.',
                    ),
                    right(
                        'Because those that run may still use what you gave them until they have ended.',
                        'Cancelled and ended are two moments. Free the memory between the two, and a worker uses what is not there any more.',
                    ),
                    wrong(
                        'Because otherwise the pool would run the queued ones.',
                        'They left the queue inside `cancel`. They never run, whether you wait or not.',
                    ),
                ],
            },
        ],
        failures: [
            {
                question:
                    'Two of eight URLs fail. In the first table nothing is lost. What became of the two failures?',
                options: [
                    wrong(
                        'They were tried again until they worked.',
                        'Nobody tries again here. Retrying is another decision, and another lesson.',
                    ),
                    right(
                        'Each is kept in its own future: a code and a text, beside the other results.',
                        'A failure is an ordinary result. Whoever reads the results decides what it means.',
                    ),
                    wrong(
                        'They were dropped, so that the rest could go on.',
                        'Dropping them would be losing them without a trace. They are in the table, with their reasons.',
                    ),
                ],
            },
            {
                question:
                    'What is the difference between failed and cancelled in the second table?',
                options: [
                    wrong(
                        'None: there is no page in either case.',
                        'For the page, yes. For what you know of the URL, no: that is how a crawl loses pages without a trace.',
                    ),
                    wrong('Cancelled ones failed earlier.', 'They did not fail. Most never ran.'),
                    right(
                        'A failed job ran and says what went wrong. A cancelled one says nothing of its URL.',
                        'Such a URL has to be asked again; a failed one may not be worth it.',
                    ),
                ],
            },
        ],
    });
})((globalThis.weftPage = globalThis.weftPage || {}));
