/* progress.js -- what the reader has answered, kept in this browser and nowhere else.
 *
 * The page may be open in several tabs: what is kept is read again before each change, or the tab
 * that was opened first would write over what the others have added. If the browser keeps nothing (a private window, a file that may not), the same calls work and
 * last as long as the page is open. Knows nothing of the page's elements. */
(function (page) {
    'use strict';
    const KEY = 'weft-lab';
    const listeners = [];
    let state = { quizzes: {}, notes: {} };
    let kept = true;

    /* The members of a value that are `type`s; none if it has no members. */
    function only(type, value) {
        const members = typeof value === 'object' ? Object.entries(value ?? {}) : [];
        return Object.fromEntries(members.filter(([, member]) => member && typeof member === type));
    }

    function parse(text) {
        try {
            const found = JSON.parse(text);
            return { quizzes: only('object', found?.quizzes), notes: only('string', found?.notes) };
        } catch {
            return { quizzes: {}, notes: {} }; /* what is kept there is not ours */
        }
    }

    /* What is kept now, by whatever tab. What could not be kept is not lost for it. */
    function read() {
        try {
            const text = globalThis.localStorage.getItem(KEY);
            if (kept) {
                state = parse(text);
            }
        } catch {
            kept = false; /* there is no storage */
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
        read();
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
        read();
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

    /* Calls tell after each change, in this tab or another. */
    function onChange(tell) {
        listeners.push(tell);
    }

    read();
    globalThis.addEventListener?.('storage', () => {
        read();
        listeners.forEach((tell) => tell());
    });
    page.progress = { answer, status, note, setNote, clear, onChange, isKept: () => kept };
})((globalThis.weftPage = globalThis.weftPage || {}));
