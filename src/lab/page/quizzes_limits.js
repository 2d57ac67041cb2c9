/* quizzes_limits.js -- the questions of the lessons about limits, races and what blocks. See quizzes.js. */
(function (page) {
    'use strict';
    const { right, wrong } = page.option;

    Object.assign(page.quizzes, {
        bulkhead: [
            {
                question:
                    'Four workers, two at once to one host, and the URLs of the slow host A come first. What do the workers do at the start?',
                options: [
                    wrong(
                        'Two fetch from A, two from B.',
                        'They take URLs in the order of the list, and the first ones are all of A.',
                    ),
                    right(
                        'Two fetch from A, two stand in the line of A; B has to wait.',
                        'Those in line hold a place in all and do nothing with it: the two limits block each other.',
                    ),
                    wrong('All four fetch from A.', 'The limit for one host is two.'),
                ],
            },
            {
                question: 'Would a larger pool mend that?',
                options: [
                    wrong(
                        'Yes: with eight workers there is always one free for B.',
                        'A has twelve pages. Two are fetched, six stand in line: that is eight.',
                    ),
                    wrong(
                        'Yes, if the pool is larger than the number of hosts.',
                        'What fills the pool is the number of URLs of one host, not the number of hosts.',
                    ),
                    right(
                        'No: a host with more URLs than workers fills any pool.',
                        'And each worker in line costs a thread. A coordinator that knows the hosts hands out only what can start.',
                    ),
                ],
            },
        ],
        race: [
            {
                question:
                    'The broken mirror answers first of all, by breaking the connection. Does it win?',
                options: [
                    right(
                        'No: only success counts.',
                        'Its job returns a code other than 0. `weft_race` goes on with the others.',
                    ),
                    wrong(
                        'Yes, it was first.',
                        'Then the fastest way to win would be to be broken.',
                    ),
                    wrong(
                        'Yes, but the race is then run again without it.',
                        'Nothing is run twice. The others are running already.',
                    ),
                ],
            },
            {
                question:
                    'Why must a racer not use variables on the stack of the function that called `weft_race`?',
                options: [
                    wrong(
                        'Because each thread has a stack of its own and cannot read another.',
                        'Threads share all memory, stacks too. It would work, until the function returns.',
                    ),
                    right(
                        'Because losers may still run when `weft_race` has returned.',
                        'They have been asked to stop, and may not have stopped. That is why the racers are static.',
                    ),
                    wrong(
                        'Because the winner frees them.',
                        'Nobody frees what lies on a stack. It is gone when its function returns.',
                    ),
                ],
            },
        ],
        rate: [
            {
                question:
                    'At most three requests are open at once, and the server answers in 20 ms. How many a second does it get?',
                options: [
                    wrong(
                        '3',
                        'Three at once, not three a second: each of the three is followed by the next after 20 ms.',
                    ),
                    wrong('60', '3 times 20 is 60, but the two have to be divided: 3 / 0.02 s.'),
                    right(
                        '150',
                        '3 / 0.02 s. The same limit is 1.5 a second when an answer takes two seconds: concurrency follows the server.',
                    ),
                ],
            },
            {
                question: 'What is the burst of a token bucket for?',
                options: [
                    wrong(
                        'It raises the average rate.',
                        'The average is the rate at which tokens come. The burst only allows to catch up.',
                    ),
                    right(
                        'Moments that were not used are not lost: after a slow page a few may go at once.',
                        'Short delays even out. With a burst larger than the server allows, some are refused again.',
                    ),
                    wrong(
                        'It limits how many requests are open.',
                        'Nothing in a bucket counts what is open. With a slow server many can be.',
                    ),
                ],
            },
        ],
        blocking: [
            {
                question:
                    "Parsing takes 40 ms on the loop's own thread. What happens to the other fetches meanwhile?",
                options: [
                    wrong(
                        'They go on; the kernel sends and receives.',
                        'The kernel does receive, into its buffers. But nobody reads them, and no new fetch starts.',
                    ),
                    right(
                        'They stand still for 40 ms, even if their answers are there.',
                        'On a loop everything takes turns on one thread. Whoever computes makes it deaf.',
                    ),
                    wrong(
                        'They are cancelled by their timeouts.',
                        'Only if a timeout is shorter than the pause. What is certain is the pause.',
                    ),
                ],
            },
            {
                question:
                    'A worker does the parsing. Why does the job not wake the loop in its last line?',
                options: [
                    wrong(
                        'Because another thread must not call the loop.',
                        '`weft_loop_wake` is the one call that another thread may make.',
                    ),
                    right(
                        'Because the job counts as done only after it has returned: the loop could look, find nothing, and sleep on.',
                        'No second wake would come. The callback runs when the future is done; so the wake belongs there.',
                    ),
                    wrong(
                        'Because the loop looks by itself every few milliseconds.',
                        'It sleeps until something happens; that is the point of it.',
                    ),
                ],
            },
        ],
        memory: [
            {
                question:
                    'Room for 5 in the queue, one writer, 4 fetchers. How many pages are held at most?',
                options: [
                    wrong(
                        '5',
                        'That is the queue alone. The writer has one in its hands, and each fetcher may hold one for which there is no room yet.',
                    ),
                    wrong(
                        '6',
                        'The queue and the writer. Each fetcher may hold one as well while it waits for room.',
                    ),
                    right(
                        '10',
                        '5 in the queue, 1 at the writer, 1 at each of the 4 fetchers. Whatever the length of the crawl.',
                    ),
                    wrong(
                        'As many as there are pages.',
                        'That is the unbounded way: there they pile up if they come faster than they are written.',
                    ),
                ],
            },
            {
                question: 'The bounded way is hardly slower. Why?',
                options: [
                    right(
                        'The writer is the slow part, and it is busy all the time in both ways.',
                        'Fetching earlier what cannot be written yet does not make the whole faster. It only costs memory.',
                    ),
                    wrong(
                        'Because waiting for room makes the fetches faster.',
                        'A fetch takes as long as before. Fetchers only pause in between.',
                    ),
                    wrong(
                        'Because memory that is not used need not be freed.',
                        'Every page is freed in both ways, one by one.',
                    ),
                ],
            },
        ],
    });
})((globalThis.weftPage = globalThis.weftPage || {}));
