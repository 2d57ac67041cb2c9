/* srcset.c -- see srcset.h. */
#include "text/srcset.h"

#include "text/html_space.h"

/* What the descriptors of one candidate have said so far. */
struct descriptors {
    bool width, density, height; /* height: the Standard's "future-compat-h" */
    bool error;
};

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p;
}

/* Whether [p, end) is a valid non-negative integer greater than zero (2.3.4.2). */
static bool is_positive_integer(const char *p, const char *end)
{
    bool nonzero = false;
    for (const char *q = p; q < end; q++) {
        if (*q < '0' || *q > '9') {
            return false;
        }
        nonzero |= *q != '0';
    }
    return nonzero;
}

/* Whether [p, end) is a valid floating-point number (2.3.4.3) that is not below zero. */
static bool is_density(const char *p, const char *end)
{
    bool negative = p < end && *p == '-', nonzero = false;
    p += negative;
    const char *mantissa = p, *q = skip_digits(p, end);
    bool valid = q > p;
    if (q < end && *q == '.') {
        p = q + 1;
        q = skip_digits(p, end);
        valid = q > p;
    }
    for (const char *m = mantissa; m < q; m++) {
        nonzero |= *m != '0' && *m != '.';
    }
    if (valid && q < end && (*q | 0x20) == 'e') {
        q++;
        q += q < end && (*q == '+' || *q == '-');
        p = q;
        q = skip_digits(p, end);
        valid = q > p;
    }
    return valid && q == end && !(negative && nonzero);
}

/* The descriptor parser, for one descriptor [p, end). */
static void add_descriptor(struct descriptors *d, const char *p, const char *end)
{
    if (p == end) {
        return;
    }
    const char *last = end - 1;
    if (*last == 'w' && !d->width && !d->density && is_positive_integer(p, last)) {
        d->width = true;
    } else if (*last == 'x' && !d->width && !d->density && !d->height && is_density(p, last)) {
        d->density = true;
    } else if (*last == 'h' && !d->height && !d->density && is_positive_integer(p, last)) {
        d->height = true;
    } else {
        d->error = true;
    }
}

/* The descriptor tokenizer: states "in descriptor", "in parens", "after descriptor". Gives the
 * position behind the comma that ends the candidate, or end. */
static const char *read_descriptors(const char *p, const char *end, struct descriptors *d)
{
    const char *from = p;
    bool parens = false;
    for (; p < end; p++) {
        if (parens) {
            parens = *p != ')';
        } else if (*p == '(') {
            parens = true;
        } else if (weft_html_space(*p) || *p == ',') {
            add_descriptor(d, from, p);
            from = p + 1;
            if (*p == ',') {
                return p + 1;
            }
        }
    }
    add_descriptor(d, from, p);
    return p;
}

bool weft_srcset_next(const char **at, const char *end, const char **url, size_t *url_len)
{
    const char *p = *at;
    for (;;) {
        while (p < end && (weft_html_space(*p) || *p == ',')) {
            p++;
        }
        if (p == end) {
            *at = end;
            return false;
        }
        const char *from = p;
        while (p < end && !weft_html_space(*p)) {
            p++;
        }
        const char *to = p;
        struct descriptors d = {false, false, false, false};
        if (to[-1] == ',') {
            while (to[-1] == ',') { /* stops: the first character is no comma */
                to--;
            }
        } else {
            p = read_descriptors(p, end, &d);
        }
        if (!d.error && (!d.height || d.width)) {
            *url = from;
            *url_len = (size_t)(to - from);
            *at = p;
            return true;
        }
    }
}
