/* measure.mjs -- what can be measured on a page as it stands: contrast, names, headings, width.
 *
 * Functions here run inside the browser (page.evaluate), so each is complete in itself. They give a
 * list of complaints; an empty one is good. */

/* Text whose contrast with what is behind it is below 4.5 (WCAG 2, computed here). */
export function poorContrast() {
    const channel = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const luminance = ([r, g, b]) =>
        0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
    const parse = (text) => {
        const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
        return [r, g, b, a];
    };
    /* The colour behind an element: the nearest ground that is not transparent. */
    const ground = (element) => {
        for (let e = element; e; e = e.parentElement) {
            const color = parse(getComputedStyle(e).backgroundColor);
            if (color[3] === 1) {
                return color;
            }
        }
        return [255, 255, 255, 1];
    };
    const complaints = new Set();
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some(
            (n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim(),
        );
        if (!own || !element.checkVisibility() || element.tagName === 'OPTION') {
            continue;
        }
        const [a, b] = [
            luminance(parse(getComputedStyle(element).color)),
            luminance(ground(element)),
        ].sort((x, y) => y - x);
        const contrast = (a + 0.05) / (b + 0.05);
        if (contrast < 4.5) {
            complaints.add(
                `${element.tagName}.${element.className} "${element.textContent.trim().slice(0, 20)}": ${contrast.toFixed(2)}`,
            );
        }
    }
    return [...complaints];
}

/* The parts that a screen reader needs: language, one h1, headings in order, names of controls. */
export function missingNames() {
    const complaints = [];
    const seen = (e) => e.checkVisibility();
    if (!document.documentElement.lang) {
        complaints.push('no language');
    }
    if (!document.title) {
        complaints.push('no title');
    }
    if (document.querySelectorAll('h1').length !== 1) {
        complaints.push(`${document.querySelectorAll('h1').length} h1`);
    }
    let level = 0;
    for (const heading of [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(seen)) {
        const now = Number(heading.tagName[1]);
        if (now > level + 1) {
            complaints.push(`h${now} after h${level}: ${heading.textContent}`);
        }
        level = now;
    }
    for (const control of [...document.querySelectorAll('input, select, textarea')].filter(seen)) {
        const labels = [...(control.labels ?? [])].map((l) => l.textContent.trim()).join('');
        if (!labels && !control.getAttribute('aria-label')) {
            complaints.push(`a ${control.tagName} without a label`);
        }
    }
    for (const control of [...document.querySelectorAll('button, a[href], summary')].filter(seen)) {
        if (!control.textContent.trim() && !control.getAttribute('aria-label')) {
            complaints.push(`a ${control.tagName} without a name`);
        }
    }
    for (const table of [...document.querySelectorAll('table')].filter(seen)) {
        if (!table.caption || !table.querySelector('th[scope]')) {
            complaints.push('a table without caption or headers');
        }
    }
    const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
    ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) =>
        complaints.push(`id twice: ${id}`),
    );
    for (const element of document.querySelectorAll('[for], [aria-controls]')) {
        const id = element.getAttribute('for') ?? element.getAttribute('aria-controls');
        if (!document.getElementById(id)) {
            complaints.push(`points to nothing: ${id}`);
        }
    }
    for (const element of document.querySelectorAll(
        '[role="img"], [role="region"], [role="radiogroup"], fieldset',
    )) {
        if (!element.getAttribute('aria-label') && !element.querySelector('legend')) {
            complaints.push(`${element.tagName} ${element.className} has no name`);
        }
    }
    return complaints;
}

/* What sticks out of the window to the right, but for what scrolls by itself. */
export function overflow() {
    const scrolls = (e) => {
        for (let p = e.parentElement; p; p = p.parentElement) {
            if (getComputedStyle(p).overflowX !== 'visible') {
                return true;
            }
        }
        return false;
    };
    const wide = [...document.querySelectorAll('body *')].filter(
        (e) =>
            e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e),
    );
    const complaints = wide
        .slice(0, 5)
        .map(
            (e) =>
                `${e.tagName}.${e.className} reaches ${Math.round(e.getBoundingClientRect().right)}`,
        );
    if (document.documentElement.scrollWidth > innerWidth) {
        complaints.push(
            `the page is ${document.documentElement.scrollWidth} wide in ${innerWidth}`,
        );
    }
    return complaints;
}

/* Controls that a finger would miss: lower than 24 px (WCAG 2.2), links in text aside. */
export function tooSmall() {
    return [...document.querySelectorAll('button, select, input, summary, textarea')]
        .filter((e) => e.checkVisibility())
        .filter((e) => {
            const box =
                e.labels?.length && e.type === 'radio'
                    ? e.labels[0].getBoundingClientRect()
                    : e.getBoundingClientRect();
            return box.height < 24 || box.width < 24;
        })
        .map(
            (e) =>
                `${e.tagName} ${e.textContent || e.name || e.id}: ${e.getBoundingClientRect().height}`,
        );
}
