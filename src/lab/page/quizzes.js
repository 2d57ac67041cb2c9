/* quizzes.js -- the questions to answer before moving on: one list for each lesson, written by hand.
 *
 * Each question has three or four options; one is right, and every option says why it is or is not.
 * Text in `backquotes` is code. Knows nothing of how a question is shown. */
(function (page) {
    'use strict';

    const right = (text, why) => ({ text, right: true, why });
    const wrong = (text, why) => ({ text, right: false, why });

    page.quizzes = {
        sequential: [
            {
                question: 'When does a URL enter the set of those that were seen?',
                options: [
                    wrong('When its fetch has ended.', 'Then two pages that link to a third, both read before it is fetched, would queue it twice, and it would be fetched twice.'),
                    wrong('When its fetch begins.', 'Between discovery and that moment it stands in the queue, and a second link to it would put it there again.'),
                    right('When it is discovered, in the same step that puts it into the queue.', 'So it enters the queue once in its life, however many pages link to it. That is also why the crawl ends on a site with cycles.'),
                ],
            },
            {
                question: '13 pages, each takes 20 ms, one after another. What shortens the whole most?',
                options: [
                    wrong('A faster queue.', 'The queue takes microseconds. The 260 ms are the sum of all waits for the server.'),
                    right('Waiting for several answers at once.', 'One after another, the whole time is the sum of all delays. The program does nothing but wait, so waits can overlap.'),
                    wrong('A faster HTML parser.', 'Reading a page takes a small part of a millisecond here; waiting for it takes twenty.'),
                ],
            },
        ],
        pool: [
            {
                question: '60 requests of 200 ms each, 5 slots. What is the least time for all of them?',
                options: [
                    wrong('0.2 s', 'That would need 60 slots: every request at once.'),
                    right('2.4 s', '60 / 5 = 12 rounds of 200 ms. The same by throughput: 5 / 0.2 s = 25 a second, and 60 / 25 = 2.4 s.'),
                    wrong('12 s', 'That is one after another: 60 times 200 ms.'),
                    wrong('4.8 s', 'That is what 2.5 slots would do. Divide 60 by 5: twelve rounds, not twenty-four.'),
                ],
            },
            {
                question: 'Why does the coordinator wait for the first future that is done, and not for the one that it submitted first?',
                options: [
                    wrong('Because futures get done in the order in which they were submitted.', 'They start in that order. A page that takes three times as long is overtaken.'),
                    right('Because a slow page must not keep a free slot empty.', 'If it waited for the oldest, all other slots would stand idle behind one slow page.'),
                    wrong('Because waiting for a certain future is not possible.', 'It is: `weft_future_result` waits for one. It would be the wrong one here.'),
                ],
            },
        ],
        events: [
            {
                question: 'The loop and the pool draw nearly the same picture. What does the loop save?',
                options: [
                    wrong('Waiting time: its fetches are answered sooner.', 'The server takes as long as it takes. With the same slots both need about the same time.'),
                    right('Threads: their stacks, and the switches between them.', 'What a thread keeps on its stack between question and answer, the loop keeps in a struct. With thousands of fetches that decides.'),
                    wrong('Requests: it asks for fewer pages.', 'What is asked for is decided by the coordinator, which is the same for both.'),
                ],
            },
            {
                question: 'Why does `started++` need no lock here?',
                options: [
                    wrong('Because `++` is one instruction and cannot be interrupted.', 'In C it is a read, an addition and a write. Two threads that do it at once are a data race.'),
                    wrong('Because libcurl locks it.', 'libcurl knows nothing of your variables.'),
                    right('Because only one thread runs, and nothing else happens between two calls of `weft_loop_next`.', 'On a loop everything takes turns on one thread. The price: whoever takes long makes all others wait.'),
                ],
            },
        ],
        compare: [
            {
                question: 'With 6 jobs instead of 1 the crawl is less than 6 times as fast. Why?',
                options: [
                    wrong('Because threads cost so much.', 'The event loop has one thread and shows the same. Look at the left end of the drawing.'),
                    right('Because at first only one page is known, and at the end there are not enough pages left.', 'A site has a shape: no engine is faster than its longest chain of links.'),
                    wrong('Because three engines share one server.', 'They run one after the other.'),
                ],
            },
            {
                question: 'The engines visit pages in different orders. Why do they find the same set?',
                options: [
                    right('Because each page is asked for once, and every link on it is looked at, in whatever order.', 'What is reachable from the seed does not depend on the order in which you walk. Only order and time differ.'),
                    wrong('Because results are sorted at the end.', 'Sorting would hide another order; it would not bring back a page that was never found.'),
                    wrong('By chance; with another `--jobs` the set may differ.', 'The program compares the sets, and its test does for several settings. The set depends on links alone.'),
                ],
            },
        ],
        queue: [
            {
                question: 'The queue is empty. Is all work done?',
                options: [
                    wrong('Yes, nothing is left in it.', 'The last items may be in the hands of workers, who may even put new ones.'),
                    right('Not until every item that was put has been told done.', 'That is what `unfinished` counts, and what `join` waits for.'),
                    wrong('Yes, if no worker waits in `get`.', 'A worker that does not wait is working: it may still put items, so that is the very case in which it is not over.'),
                ],
            },
            {
                question: 'A worker reads a page and puts its links into the queue. When must it tell the page done?',
                options: [
                    wrong('As soon as it has fetched the page.', 'Then the count can be zero for a moment although its links are about to come, and `join` ends too early.'),
                    right('After it has put the links.', 'The count never touches zero while more is to come.'),
                    wrong('It does not matter, `join` waits a little longer anyway.', '`join` waits for a count of zero, not for a while.'),
                ],
            },
        ],
        timeout: [
            {
                question: 'A server sends one byte every ten seconds, for ever. The read timeout is 15 s. Which limit ends the fetch?',
                options: [
                    wrong('The read timeout.', 'It is about silence between two pieces, and that is never longer than ten seconds.'),
                    wrong('The connect timeout.', 'The connection was made long ago.'),
                    right('The limit for the whole request.', 'A trickle is never silent for long and never ends; only a limit for the whole catches it.'),
                ],
            },
            {
                question: 'You wait for a future with a deadline, and the deadline passes. What happens to the job?',
                options: [
                    wrong('It is cancelled.', 'Nobody called cancel. The wait has ended, nothing else.'),
                    right('Nothing: it goes on, and its worker is not free.', 'A limit that ends the work must be known to the one who works. That is why fetches have limits of their own.'),
                    wrong('It fails with `WEFT_ETIMEDOUT`.', 'That is the answer of your wait. What becomes of the job is another number, and you can ask again later.'),
                ],
            },
        ],
        retry: [
            {
                question: 'Which of these is not worth another try in a second?',
                options: [
                    wrong('503 Service Unavailable', 'It says something of this moment: later may be fine.'),
                    right('404 Not Found', 'It says something of the page, and will say the same in a second.'),
                    wrong('A connection that broke', 'The question may never have been read. Another try may get an answer.'),
                    wrong('429 Too Many Requests', 'It says: not so fast. Later is fine, and `Retry-After` says when.'),
                ],
            },
            {
                question: 'What is the random part (jitter) of the wait good for?',
                options: [
                    wrong('It makes the wait shorter on average, so the crawl is faster.', 'Speed is not what it is for. Half of the wait is certain, the other half is random.'),
                    wrong('It hides from the server that a program is asking.', 'A polite crawler says who it is. Jitter has another reason.'),
                    right('A thousand clients that failed in the same second do not all come back in the same later second.', 'Without it they would, and again, each time together: the server never gets a quiet moment.'),
                ],
            },
        ],
        semaphore: [
            {
                question: 'Three permits, eight workers. What is limited to three?',
                options: [
                    wrong('The threads.', 'Eight exist. Five of them stand in line.'),
                    wrong('The requests a second.', 'If the server is fast, three at once are thousands a second.'),
                    right('The fetches that go on at the same time.', 'A semaphore limits how many are in a place at once, and nothing else.'),
                    wrong('The jobs that can be submitted.', 'All sixteen are in the queue of the pool; nobody asked the semaphore when they were submitted.'),
                ],
            },
            {
                question: 'One path of `fetch` returns without giving its permit back. What do you see?',
                options: [
                    wrong('An error at the next `acquire`.', '`acquire` cannot know that the permit will never come. It waits.'),
                    right('Nothing, at first. After three such returns everybody waits for ever.', 'That is why there is one way out of the function. The opposite, one release too many, is told at once.'),
                    wrong('A fourth fetch at once.', 'That would take a release too many. Here permits get fewer, so fewer run at once.'),
                ],
            },
        ],
        cancellation: [
            {
                question: '`weft_future_cancel` says `WEFT_EBUSY`. What has happened?',
                options: [
                    wrong('Nothing; try again later.', 'Something did happen: the job has been asked to stop, and can see that.'),
                    wrong('The thread of the job was ended.', 'Nobody can end a thread from outside without breaking what it holds: a lock, memory, half a file.'),
                    right('The job runs, and has been asked to stop. It may look, and may not.', 'One that listens ends cancelled. One that is deaf keeps its result.'),
                ],
            },
            {
                question: 'You cancelled four jobs and do not want their results. Why wait for them all the same?',
                options: [
                    wrong('Because a cancelled future has to be read once.', 'It need not be read at all. You only give your reference back.'),
                    right('Because those that run may still use what you gave them until they have ended.', 'Cancelled and ended are two moments. Free the memory between the two, and a worker uses what is not there any more.'),
                    wrong('Because otherwise the pool would run the queued ones.', 'They left the queue inside `cancel`. They never run, whether you wait or not.'),
                ],
            },
        ],
        failures: [
            {
                question: 'Two of eight URLs fail. In the first table nothing is lost. What became of the two failures?',
                options: [
                    wrong('They were tried again until they worked.', 'Nobody tries again here. Retrying is another decision, and another lesson.'),
                    right('Each is kept in its own future: a code and a text, beside the other results.', 'A failure is an ordinary result. Whoever reads the results decides what it means.'),
                    wrong('They were dropped, so that the rest could go on.', 'Dropping them would be losing them without a trace. They are in the table, with their reasons.'),
                ],
            },
            {
                question: 'What is the difference between failed and cancelled in the second table?',
                options: [
                    wrong('None: there is no page in either case.', 'For the page, yes. For what you know of the URL, no: that is how a crawl loses pages without a trace.'),
                    wrong('Cancelled ones failed earlier.', 'They did not fail. Most never ran.'),
                    right('A failed job ran and says what went wrong. A cancelled one says nothing of its URL.', 'Such a URL has to be asked again; a failed one may not be worth it.'),
                ],
            },
        ],
        bulkhead: [
            {
                question: 'Four workers, two at once to one host, and the URLs of the slow host A come first. What do the workers do at the start?',
                options: [
                    wrong('Two fetch from A, two from B.', 'They take URLs in the order of the list, and the first ones are all of A.'),
                    right('Two fetch from A, two stand in the line of A; B has to wait.', 'Those in line hold a place in all and do nothing with it: the two limits block each other.'),
                    wrong('All four fetch from A.', 'The limit for one host is two.'),
                ],
            },
            {
                question: 'Would a larger pool mend that?',
                options: [
                    wrong('Yes: with eight workers there is always one free for B.', 'A has twelve pages. Two are fetched, six stand in line: that is eight.'),
                    wrong('Yes, if the pool is larger than the number of hosts.', 'What fills the pool is the number of URLs of one host, not the number of hosts.'),
                    right('No: a host with more URLs than workers fills any pool.', 'And each worker in line costs a thread. A coordinator that knows the hosts hands out only what can start.'),
                ],
            },
        ],
        race: [
            {
                question: 'The broken mirror answers first of all, by breaking the connection. Does it win?',
                options: [
                    right('No: only success counts.', 'Its job returns a code other than 0. `weft_race` goes on with the others.'),
                    wrong('Yes, it was first.', 'Then the fastest way to win would be to be broken.'),
                    wrong('Yes, but the race is then run again without it.', 'Nothing is run twice. The others are running already.'),
                ],
            },
            {
                question: 'Why must a racer not use variables on the stack of the function that called `weft_race`?',
                options: [
                    wrong('Because each thread has a stack of its own and cannot read another.', 'Threads share all memory, stacks too. It would work, until the function returns.'),
                    right('Because losers may still run when `weft_race` has returned.', 'They have been asked to stop, and may not have stopped. That is why the racers are static.'),
                    wrong('Because the winner frees them.', 'Nobody frees what lies on a stack. It is gone when its function returns.'),
                ],
            },
        ],
        rate: [
            {
                question: 'At most three requests are open at once, and the server answers in 20 ms. How many a second does it get?',
                options: [
                    wrong('3', 'Three at once, not three a second: each of the three is followed by the next after 20 ms.'),
                    wrong('60', '3 times 20 is 60, but the two have to be divided: 3 / 0.02 s.'),
                    right('150', '3 / 0.02 s. The same limit is 1.5 a second when an answer takes two seconds: concurrency follows the server.'),
                ],
            },
            {
                question: 'What is the burst of a token bucket for?',
                options: [
                    wrong('It raises the average rate.', 'The average is the rate at which tokens come. The burst only allows to catch up.'),
                    right('Moments that were not used are not lost: after a slow page a few may go at once.', 'Short delays even out. With a burst larger than the server allows, some are refused again.'),
                    wrong('It limits how many requests are open.', 'Nothing in a bucket counts what is open. With a slow server many can be.'),
                ],
            },
        ],
        blocking: [
            {
                question: 'Parsing takes 40 ms on the loop\'s own thread. What happens to the other fetches meanwhile?',
                options: [
                    wrong('They go on; the kernel sends and receives.', 'The kernel does receive, into its buffers. But nobody reads them, and no new fetch starts.'),
                    right('They stand still for 40 ms, even if their answers are there.', 'On a loop everything takes turns on one thread. Whoever computes makes it deaf.'),
                    wrong('They are cancelled by their timeouts.', 'Only if a timeout is shorter than the pause. What is certain is the pause.'),
                ],
            },
            {
                question: 'A worker does the parsing. Why does the job not wake the loop in its last line?',
                options: [
                    wrong('Because another thread must not call the loop.', '`weft_loop_wake` is the one call that another thread may make.'),
                    right('Because the job counts as done only after it has returned: the loop could look, find nothing, and sleep on.', 'No second wake would come. The callback runs when the future is done; so the wake belongs there.'),
                    wrong('Because the loop looks by itself every few milliseconds.', 'It sleeps until something happens; that is the point of it.'),
                ],
            },
        ],
        memory: [
            {
                question: 'Room for 5 in the queue, one writer, 4 fetchers. How many pages are held at most?',
                options: [
                    wrong('5', 'That is the queue alone. The writer has one in its hands, and each fetcher may hold one for which there is no room yet.'),
                    wrong('6', 'The queue and the writer. Each fetcher may hold one as well while it waits for room.'),
                    right('10', '5 in the queue, 1 at the writer, 1 at each of the 4 fetchers. Whatever the length of the crawl.'),
                    wrong('As many as there are pages.', 'That is the unbounded way: there they pile up if they come faster than they are written.'),
                ],
            },
            {
                question: 'The bounded way is hardly slower. Why?',
                options: [
                    right('The writer is the slow part, and it is busy all the time in both ways.', 'Fetching earlier what cannot be written yet does not make the whole faster. It only costs memory.'),
                    wrong('Because waiting for room makes the fetches faster.', 'A fetch takes as long as before. Fetchers only pause in between.'),
                    wrong('Because memory that is not used need not be freed.', 'Every page is freed in both ways, one by one.'),
                ],
            },
        ],
        'steps/1-sequential': [
            {
                question: 'On this site one page takes 300 ms. What does this step do in that time?',
                options: [
                    wrong('It fetches the pages behind it.', 'One fetch goes on at a time. That is what the next step changes.'),
                    right('It waits, and so does every page behind it.', 'Decide, wait, decide, wait: nobody decides while somebody waits.'),
                    wrong('It looks for links in the pages before.', 'A page is read when it has come, before the next one is asked for. All of that is over.'),
                ],
            },
        ],
        'steps/2-executor': [
            {
                question: 'Several threads fetch at once now. Why does the queue of URLs need no lock?',
                options: [
                    right('Only the coordinator touches it.', 'A worker gets a visit, fills in the response, and gives it back. The completion queue hands it from one thread to the other.'),
                    wrong('The pool locks it.', 'The pool locks its own queue, of jobs. It knows nothing of URLs.'),
                    wrong('Writes to an array of characters are atomic.', 'They are not. Two threads in `discover` would be a data race.'),
                ],
            },
            {
                question: 'Why does each worker have a client of its own?',
                options: [
                    wrong('So that the server sees several users.', 'It sees several connections. That is a consequence, and not the reason.'),
                    right('A client keeps connections and belongs to one thread at a time.', 'With one client for all, fetches would take turns, or two threads would write to one connection.'),
                    wrong('So that each worker can follow other links.', 'Links are read by the coordinator. A worker only fetches.'),
                ],
            },
        ],
        'steps/3-engine': [
            {
                question: 'What does `crawl` still know of threads after this step?',
                options: [
                    wrong('How many workers there are, and which of them is free.', 'It knows how many visits are out, not who has them. Look for the word worker in `crawl`.'),
                    right('Nothing: it starts visits and takes back whichever has ended.', 'What waits has four functions of its own: open, start, next, close. Another engine can stand behind them.'),
                    wrong('That it has to lock the queue before `engine_start`.', 'There is no lock to take: only the coordinator touches the queue.'),
                ],
            },
        ],
        'steps/4-events': [
            {
                question: 'What has changed in `crawl` since step 3?',
                options: [
                    wrong('It runs on the loop\'s thread, so `engine_next` may not block.', '`engine_next` blocks as before, until one fetch has ended. Meanwhile the loop drives all of them.'),
                    right('One line, which gives each visit its lane for the drawing.', 'The deciding part is what it was. That is why `weft crawl` can offer the engine as an option.'),
                    wrong('It had to be written anew around callbacks.', 'Look at the diff: the four functions of the engine are new, `crawl` is not.'),
                ],
            },
            {
                question: 'Ten thousand fetches at once: what of step 3 would have to change?',
                options: [
                    wrong('The queue of URLs needs a lock.', 'One thread still decides, however many fetches are out.'),
                    wrong('`crawl`, which would have to know about slots.', 'It only counts what is out.'),
                    right('Nothing but the engine.', 'Ten thousand threads are too many; ten thousand slots of a loop are not.'),
                ],
            },
        ],
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
