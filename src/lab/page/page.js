/* page.js -- puts the page together: which view is shown, by what stands behind the # of its address.
 *
 *     #/path  #/lesson-NAME  #/experiments  #/experiment-NAME  #/real-run  #/inside  #/inside-FUNCTION
 *
 * The slash keeps the browser from taking the name for an element's id, and scrolling there. Views
 * are made when they are first shown; experiments and lessons each time. Knows which views there
 * are, and nothing of what they show. */
(function (page) {
    'use strict';
    const { el, fill } = page.dom;
    const views = ['path', 'lesson', 'experiments', 'experiment', 'real-run', 'inside'];
    const tabs = {
        path: 'path',
        lesson: 'path',
        experiments: 'experiments',
        experiment: 'experiments',
        'real-run': 'real-run',
        inside: 'inside',
    };
    const order = ['bounded', 'frontier', 'retry', 'limits', 'bucket', 'futures'];
    const mounted = new Set();

    page.prefersLessMotion = () =>
        globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;

    function bodyOf(view) {
        return document.querySelector(`#${view} .body`);
    }

    function once(view, mount) {
        if (!mounted.has(view)) {
            mounted.add(view);
            mount(bodyOf(view));
        }
    }

    function mountExperiments(element) {
        fill(
            element,
            el(
                'ul',
                { class: 'cards' },
                order.map((name) =>
                    el(
                        'li',
                        {},
                        el('a', { href: `#/experiment-${name}` }, page.experiments[name].title),
                        el('p', {}, page.experiments[name].about),
                    ),
                ),
            ),
        );
    }

    function mountExperiment(element, name) {
        const { title, about, mount } = page.experiments[name];
        const next = order[(order.indexOf(name) + 1) % order.length];
        const body = el('div', { class: 'experiment' });
        fill(
            element,
            el(
                'p',
                { class: 'hint' },
                el('a', { href: '#/experiments' }, 'Experiments'),
                ` · ${order.indexOf(name) + 1} of ${order.length}`,
            ),
            el('h2', { tabindex: '-1' }, title),
            el('p', {}, about),
            body,
            el(
                'nav',
                { class: 'onward', 'aria-label': 'Experiments' },
                el('a', { href: '#/experiments' }, '← All experiments'),
                el(
                    'a',
                    { href: `#/experiment-${next}` },
                    `Next: ${page.experiments[next].title} →`,
                ),
            ),
        );
        mount(body);
        return title;
    }

    /* Shows what the address says; gives the title, and what gets the focus. */
    function route(hash) {
        const [, view, name] =
            hash.match(/^#\/(path|lesson|experiments|experiment|real-run|inside)(?:-(.+))?$/) ?? [];
        if (view === 'lesson' && name) {
            const title = page.lessonViews.mountLesson(bodyOf('lesson'), name);
            if (title) {
                return { view, title };
            }
        }
        if (view === 'experiment' && order.includes(name)) {
            return { view, title: mountExperiment(bodyOf('experiment'), name) };
        }
        if (view === 'experiments') {
            once('experiments', mountExperiments);
            return { view, title: 'Experiments' };
        }
        if (view === 'real-run') {
            once('real-run', page.realRun.mount);
            return { view, title: 'A real run' };
        }
        if (view === 'inside') {
            once('inside', page.inside.mount);
            return {
                view,
                title: 'Inside weft',
                focus: name && document.querySelector(`#inside-${CSS.escape(name)} h3`),
            };
        }
        once('path', page.lessonViews.mountPath);
        return { view: 'path', title: 'Lessons' };
    }

    function show(byReader) {
        const { view, title, focus } = route(globalThis.location.hash);
        for (const other of views) {
            document.getElementById(other).hidden = other !== view;
        }
        document.title = `${title} · weft lab`;
        for (const link of document.querySelectorAll('#tabs a')) {
            if (link.hash === `#/${tabs[view]}`) {
                link.setAttribute('aria-current', 'page');
            } else {
                link.removeAttribute('aria-current');
            }
        }
        if (byReader || focus) {
            const heading = focus ?? document.querySelector(`#${view} h2`);
            heading.focus({ preventScroll: true });
            globalThis.scrollTo(
                0,
                focus ? heading.getBoundingClientRect().top + globalThis.scrollY - 16 : 0,
            );
        }
    }

    document.getElementById('skip').addEventListener('click', (event) => {
        event.preventDefault(); /* #main is no view */
        document.getElementById('main').focus();
    });
    globalThis.addEventListener('hashchange', () => show(true));
    show(false);
})((globalThis.weftPage = globalThis.weftPage || {}));
