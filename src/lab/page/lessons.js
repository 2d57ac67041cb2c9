/* lessons.js -- the path of lessons, and one lesson with all that belongs to it.
 *
 * Text and programs come from the data files, questions from quizzes.js, experiments by their name.
 * Knows the order of things on the page; knows nothing of what the lessons teach. */
(function (page) {
    'use strict';
    const { el, fill, freshId, count } = page.dom;

    /* The experiment of this page that shows what a lesson is about. Those without one are seen best
     * in their own program. */
    const experimentOf = {
        sequential: 'frontier',
        pool: 'bounded',
        events: 'bounded',
        timeout: 'retry',
        retry: 'retry',
        semaphore: 'bucket',
        cancellation: 'futures',
        failures: 'futures',
        bulkhead: 'limits',
        rate: 'bucket',
    };
    const realRunOf = new Set([
        'compare',
        'events',
        'blocking',
        'steps/2-executor',
        'steps/4-events',
    ]);
    /* Functions of weft that do for real what a lesson shows. */
    const insideOf = {
        pool: ['work', 'listen_and_sleep'],
        events: ['events_wait_any'],
        compare: ['weft_coordinate', 'threads_wait_any', 'events_wait_any'],
        queue: ['weft_waiter_wait'],
        cancellation: ['weft_future_cancel', 'weft_future_start'],
        failures: ['get_ready'],
        race: ['tell'],
        bulkhead: ['weft_coordinate'],
        blocking: ['events_wait_any'],
        'steps/2-executor': ['get_ready'],
        'steps/3-engine': ['threads_wait_any'],
        'steps/4-events': ['events_wait_any'],
    };
    const states = { new: 'not begun', begun: 'begun', done: 'done' };

    function path() {
        return page.lessons.path;
    }

    function textOf(lesson) {
        return page.lessons.pages[lesson.page];
    }

    function titleOf(lesson) {
        const step = lesson.name.match(/^steps\/(\d)-(.+)$/);
        return step ? `Step ${step[1]}: ${step[2]}` : textOf(lesson).title;
    }

    function statusOf(lesson) {
        return page.progress.status(lesson.name, page.quizzes[lesson.name].length);
    }

    /* The list of all lessons, with what the reader has done. */
    function mountPath(element) {
        const list = el('ol', { class: 'path' });
        const summary = el('p', { class: 'state', role: 'status' });
        const clear = page.controls.button(
            'Forget my progress',
            () => {
                page.progress.clear();
                summary.textContent = 'Forgotten: answers and notes are gone from this browser.';
            },
            { class: 'quiet' },
        );

        function show() {
            const done = path().filter((l) => statusOf(l) === 'done').length;
            const minutes = path()
                .filter((l) => statusOf(l) !== 'done')
                .reduce((sum, l) => sum + l.minutes, 0);
            const kept = page.progress.isKept()
                ? 'Progress is kept in this browser.'
                : 'This browser keeps nothing: progress lasts until you close the page.';
            summary.textContent = `${done} of ${path().length} lessons done, about ${minutes} minutes left. ${kept}`;
            fill(
                list,
                path().map((lesson) =>
                    el(
                        'li',
                        { class: statusOf(lesson) },
                        el('a', { href: `#/lesson-${lesson.name}` }, titleOf(lesson)),
                        el('span', { class: 'about' }, lesson.about),
                        el('span', { class: 'minutes' }, `${lesson.minutes} min`),
                        el('span', { class: 'status' }, states[statusOf(lesson)]),
                    ),
                ),
            );
        }

        fill(element, summary, list, clear);
        page.progress.onChange(show);
        show();
    }

    function section(title, ...children) {
        return el('section', {}, el('h3', {}, title), children);
    }

    /* What the reader expects, written down before anything runs. */
    function notebook(lesson) {
        const id = freshId('note');
        const area = el('textarea', {
            id,
            rows: 3,
            oninput: () => page.progress.setNote(lesson.name, area.value.trim()),
        });
        area.value = page.progress.note(lesson.name);
        return el(
            'div',
            { class: 'notebook' },
            el('label', { for: id }, 'Write down what you expect, before you run it'),
            area,
        );
    }

    /* What the program prints, for those who have no terminal at hand. */
    function printed(lesson) {
        const { output } = page.sources[lesson.name];
        return el(
            'details',
            { class: 'printed' },
            el('summary', {}, 'What one run printed'),
            el(
                'p',
                { class: 'hint' },
                'One run with the knobs as they are, on one machine: times on yours differ.',
            ),
            page.code.block(output, 'text', `What weft lesson ${lesson.name} printed`),
        );
    }

    function experiment(lesson) {
        const name = experimentOf[lesson.name];
        if (!name) {
            return null;
        }
        const { title, mount } = page.experiments[name];
        const body = el('div', { class: 'experiment' });
        mount(body);
        return el('div', { class: 'panel' }, el('h4', {}, `On this page: ${title}`), body);
    }

    /* The questions of the text, each with its answer behind a button. */
    function questions(text) {
        return el(
            'ol',
            { class: 'questions' },
            text.questions.map((question, i) => {
                const id = freshId('answer');
                const answer = el(
                    'p',
                    { id, class: 'answer', hidden: true },
                    page.markup.inline(text.answers[i]),
                );
                const toggle = page.controls.button(
                    'Show the answer',
                    () => {
                        answer.hidden = !answer.hidden;
                        toggle.textContent = answer.hidden ? 'Show the answer' : 'Hide the answer';
                        toggle.setAttribute('aria-expanded', String(!answer.hidden));
                    },
                    { class: 'quiet', 'aria-expanded': 'false', 'aria-controls': id },
                );
                return el('li', {}, el('p', {}, page.markup.inline(question)), toggle, answer);
            }),
        );
    }

    function program(lesson) {
        const source = page.sources[lesson.name];
        return section(
            'The program',
            el('p', {}, 'Read it from ', el('code', {}, 'main'), ' at its end upwards.'),
            source.changes &&
                el(
                    'details',
                    { open: true },
                    el('summary', {}, 'What this step changes in the one before'),
                    page.code.diff(source.changes, `Changes of ${source.file}`),
                ),
            el(
                'details',
                { class: 'source' },
                el(
                    'summary',
                    {},
                    el('code', {}, source.file),
                    ` (${source.code.split('\n').length} lines)`,
                ),
                page.code.block(source.code, 'c', source.file, { numbered: true }),
            ),
            inside(lesson),
        );
    }

    /* Where to read on, if there is a place. */
    function inside(lesson) {
        const excerpts = (insideOf[lesson.name] ?? []).map((name) =>
            page.excerpts.find((excerpt) => excerpt.name === name),
        );
        const item = ({ name, title, file }) =>
            el('li', {}, el('a', { href: `#/inside-${name}` }, title), ` (${file})`);
        return (
            excerpts.length > 0 &&
            el('div', {}, el('p', {}, "In weft's own sources:"), el('ul', {}, excerpts.map(item)))
        );
    }

    /* In the text a link to the lesson's own source leads to it here, opened. */
    function leadToProgram(element, lesson) {
        const summary = element.querySelector('.source > summary');
        for (const link of element.querySelectorAll(`a[href="#/lesson-${lesson.name}"]`)) {
            link.addEventListener('click', (event) => {
                event.preventDefault();
                summary.parentElement.open = true;
                summary.focus();
                summary.scrollIntoView();
            });
        }
    }

    /* The way on: it says whether a question is left. */
    function onward(lesson) {
        const at = path().indexOf(lesson);
        const [before, next] = [path()[at - 1], path()[at + 1]];
        const nav = el('nav', { class: 'onward', 'aria-label': 'Lessons before and after' });
        function show() {
            const done = statusOf(lesson) === 'done';
            fill(
                nav,
                before
                    ? el('a', { href: `#/lesson-${before.name}` }, `← ${titleOf(before)}`)
                    : el('a', { href: '#/path' }, '← All lessons'),
                el(
                    'span',
                    { class: done ? 'good' : 'hint' },
                    done
                        ? '✓ Answered: this lesson is done.'
                        : 'Answer the questions above before you move on.',
                ),
                next
                    ? el(
                          'a',
                          { href: `#/lesson-${next.name}`, class: done ? 'go' : '' },
                          `${done ? 'Next' : 'Skip to'}: ${titleOf(next)} →`,
                      )
                    : el('a', { href: '#/real-run' }, 'A real run →'),
            );
        }
        return { nav, show };
    }

    /* One lesson, by its name. Gives false if there is none. */
    function mountLesson(element, name) {
        const lesson = path().find((l) => l.name === name || l.page === name);
        if (!lesson) {
            return false;
        }
        const text = textOf(lesson);
        const [, step] = lesson.name.match(/^steps\/(\d)/) ?? [];
        const command = `weft lesson ${lesson.name}`;
        const told = text.run.some((block) => (block.code ?? '').split('\n').includes(command));
        const way = onward(lesson);
        const quizzes = page.quizzes[lesson.name].map((quiz, i) =>
            page.quiz.build(quiz, (right) => {
                page.progress.answer(lesson.name, i, right);
                way.show();
            }),
        );
        fill(
            element,
            el(
                'p',
                { class: 'hint' },
                el('a', { href: '#/path' }, 'Lessons'),
                ` · ${path().indexOf(lesson) + 1} of ${path().length} · ${lesson.minutes} minutes`,
            ),
            el('h2', { tabindex: '-1' }, titleOf(lesson)),
            section(
                'Idea',
                step &&
                    el(
                        'p',
                        { class: 'lead' },
                        `This is step ${step}: ${lesson.about.replace(/^\.\.\. |^.*: /, '')}.`,
                    ),
                page.markup.blocks(text.idea, 'Idea'),
            ),
            section(
                'Run it',
                !told && page.code.block(command, 'sh', 'Command of this step'),
                page.markup.blocks(text.run, 'Commands'),
            ),
            section(
                'Experiment',
                page.markup.blocks(text.experiment, 'Experiment'),
                notebook(lesson),
                printed(lesson),
                experiment(lesson),
                realRunOf.has(lesson.name) &&
                    el(
                        'p',
                        {},
                        'See it live: ',
                        el('a', { href: '#/real-run' }, 'a real run'),
                        ' of weft draws its fetches while they go on.',
                    ),
            ),
            program(lesson),
            section('In Python', page.markup.blocks(text.python, 'The same in Python')),
            section(
                'Before you move on',
                el(
                    'p',
                    {},
                    `${count(quizzes.length, 'question')}; a wrong answer is explained as well, and you may try again.`,
                ),
                quizzes,
            ),
            section('Questions to think about', questions(text)),
            way.nav,
        );
        way.show();
        leadToProgram(element, lesson);
        return titleOf(lesson);
    }

    page.lessonViews = { mountPath, mountLesson };
})((globalThis.weftPage = globalThis.weftPage || {}));
