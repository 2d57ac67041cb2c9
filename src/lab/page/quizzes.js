/* quizzes.js -- the questions to answer before moving on: one list for each lesson, written by hand in
 * the files quizzes_*.js, which are read after this one.
 *
 * Each question has three or four options; one is right, and every option says why it is or is not.
 * Text in `backquotes` is code. Knows nothing of how a question is shown. */
(function (page) {
    'use strict';

    /* By the name of the lesson: a list of {question, options}. */
    page.quizzes = {};

    /* The two kinds of options, each with its explanation. */
    page.option = {
        right: (text, why) => ({ text, right: true, why }),
        wrong: (text, why) => ({ text, right: false, why }),
    };
})((globalThis.weftPage = globalThis.weftPage || {}));
