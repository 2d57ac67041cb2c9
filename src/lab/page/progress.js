/* progress.js -- what the reader has answered, kept in this browser and nowhere else.
 *
 * If the browser keeps nothing (a private window, a file that may not), the same calls work and
 * last as long as the page is open. Knows nothing of the page's elements. */
(function (page) {
    'use strict';
    const KEY = 'weft-lab';
    const listeners = [];
    let state = { quizzes: {}, notes: {} };
    let kept = true;

    function read() {
        try {
            const text = globalThis.localStorage.getItem(KEY);
            const found = text ? JSON.parse(text) : null;
            if (found && typeof found.quizzes === 'object' && typeof found.notes === 'object') {
                state = { quizzes: found.quizzes ?? {}, notes: found.notes ?? {} };
            }
        } catch {
            kept = false; /* no storage, or what is in it is not ours */
        }
    }

    function write() {
        try {
            globalThis.localStorage.setItem(KEY, JSON.stringify(state));
            kept = true;
        } catch {
            kept = false;
        }
        listeners.forEach((tell) => tell());
    }

    /* Notes that question `index` of a lesson was answered, rightly or not. Right stays right. */
    function answer(lesson, index, right) {
        const of = (state.quizzes[lesson] ??= {});
        of[index] = of[index] === 'right' || right ? 'right' : 'wrong';
        write();
    }

    /* 'new', 'begun' or 'done': done when each of its `questions` was answered rightly. */
    function status(lesson, questions) {
        const answers = Object.values(state.quizzes[lesson] ?? {});
        const right = answers.filter((a) => a === 'right').length;
        return right >= questions
            ? 'done'
            : answers.length > 0 || state.notes[lesson]
              ? 'begun'
              : 'new';
    }

    /* What the reader wrote down before running a lesson. */
    function note(lesson) {
        return state.notes[lesson] ?? '';
    }

    function setNote(lesson, text) {
        if (text) {
            state.notes[lesson] = text;
        } else {
            delete state.notes[lesson];
        }
        write();
    }

    function clear() {
        state = { quizzes: {}, notes: {} };
        try {
            globalThis.localStorage.removeItem(KEY);
        } catch {
            kept = false;
        }
        listeners.forEach((tell) => tell());
    }

    /* Calls tell after each change. */
    function onChange(tell) {
        listeners.push(tell);
    }

    read();
    page.progress = { answer, status, note, setNote, clear, onChange, isKept: () => kept };
})((globalThis.weftPage = globalThis.weftPage || {}));
