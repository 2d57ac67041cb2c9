/* What the page tells: every lesson has its text, its program, its questions; every wrong option has
 * a word of its own. That the texts are those of docs/ and src/ is test/cli/check_lesson_page.sh's. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { load, questionFiles } from './model.mjs';

const page = load('lessons_data', 'sources_data', 'excerpts_data', ...questionFiles);
const folder = new URL('../../src/lab/page/', import.meta.url);
const html = readFileSync(new URL('index.html', folder), 'utf8');

test('nineteen lessons, each with all its parts', () => {
    assert.equal(page.lessons.path.length, 19);
    for (const { name, page: text, minutes, about } of page.lessons.path) {
        assert.ok(minutes >= 5 && about, name);
        for (const part of [
            'title',
            'idea',
            'run',
            'experiment',
            'python',
            'questions',
            'answers',
        ]) {
            assert.ok(page.lessons.pages[text][part].length > 0, `${name}: ${part}`);
        }
        assert.match(page.sources[name].code, /^int main\(/m, name);
        assert.match(page.sources[name].output, /^ +[a-z]+ 0 +\|.*\|$/m, `${name}: a drawing`);
    }
});

test('each lesson has a question, with three or four options and one right', () => {
    assert.deepEqual(Object.keys(page.quizzes).sort(), page.lessons.path.map((l) => l.name).sort());
    for (const [name, quizzes] of Object.entries(page.quizzes)) {
        assert.ok(quizzes.length >= 1, name);
        for (const { question, options } of quizzes) {
            assert.ok(options.length === 3 || options.length === 4, question);
            assert.equal(options.filter((o) => o.right).length, 1, question);
            assert.ok(
                options.every((o) => o.why.length > 20),
                `${question}: each option is explained`,
            );
            assert.equal(
                new Set(options.map((o) => o.why)).size,
                options.length,
                `${question}: by words of its own`,
            );
            assert.equal(new Set(options.map((o) => o.text)).size, options.length, question);
        }
    }
});

test('the right option does not always stand in the same place', () => {
    const places = Object.values(page.quizzes)
        .flat()
        .map(({ options }) => options.findIndex((o) => o.right));
    for (const place of [0, 1, 2]) {
        const share = places.filter((p) => p === place).length / places.length;
        assert.ok(share > 0.1 && share < 0.6, `place ${place}: ${share}`);
    }
});

test('links of the texts lead to lessons that there are', () => {
    const links = JSON.stringify(page.lessons).match(/#\/lesson-[a-z0-9/-]+/g);
    for (const link of links) {
        const name = link.slice('#/lesson-'.length);
        assert.ok(
            page.lessons.path.some((l) => l.name === name || l.page === name),
            link,
        );
    }
});

test('six to ten functions, each with notes on lines of its own', () => {
    assert.ok(page.excerpts.length >= 6 && page.excerpts.length <= 10);
    for (const { name, code, notes } of page.excerpts) {
        const lines = code.split('\n').length;
        assert.match(code, new RegExp(`\\b${name}\\(`));
        assert.ok(
            notes.every((n) => n.lines.every((l) => l >= 1 && l <= lines)),
            name,
        );
    }
});

test('the page names each of its scripts and styles, and nothing else', () => {
    const named = [...html.matchAll(/(?:src|href)="([^#":,]+)"/g)].map((m) => m[1]);
    const there = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
    assert.deepEqual([...named].sort(), [...there].sort());
});

test("nothing inline, nothing from elsewhere: the server's policy would refuse it", () => {
    assert.doesNotMatch(html, /\sstyle=|\son[a-z]+=|<style|<script(?![^>]* src=)/);
    for (const name of readdirSync(folder)) {
        const text = readFileSync(new URL(name, folder), 'utf8');
        if (!name.endsWith('_data.js')) {
            assert.doesNotMatch(text, /https?:\/\/|@import|url\(/, name);
        }
        assert.doesNotMatch(
            text,
            /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/,
            name,
        );
    }
});
