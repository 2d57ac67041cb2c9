/* page_ask.c -- see page_ask.h. */
#include "lab/page_ask.h"

#include "base/limits.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const engines[] = {"sync", "threads", "events"};

#define NENGINES (sizeof engines / sizeof *engines)

const char *weft_page_engine_name(enum weft_page_engine e)
{
    return engines[e];
}

static bool read_engine(const json_t *value, struct weft_page_ask *ask, char *error, size_t cap)
{
    const char *name = json_string_value(value);
    for (size_t i = 0; name && i < NENGINES; i++) {
        if (strcmp(name, engines[i]) == 0) {
            ask->engine = (enum weft_page_engine)i;
            return true;
        }
    }
    snprintf(error, cap, "engine must be sync, threads or events");
    return false;
}

static bool read_number(const json_t *o, const char *name, json_int_t min, json_int_t max,
                        unsigned *out, char *error, size_t cap)
{
    const json_t *value = json_object_get(o, name);
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max) {
        snprintf(error, cap, "%s must be a whole number from %d to %d", name, (int)min, (int)max);
        return false;
    }
    *out = (unsigned)json_integer_value(value);
    return true;
}

static bool read_object(const json_t *o, struct weft_page_ask *ask, char *error, size_t cap)
{
    if (!json_is_object(o)) {
        snprintf(error, cap, "the body must be a JSON object");
        return false;
    }
    if (!read_engine(json_object_get(o, "engine"), ask, error, cap) ||
        !read_number(o, "jobs", 1, WEFT_PAGE_MAX_JOBS, &ask->jobs, error, cap) ||
        !read_number(o, "delay_ms", 0, WEFT_PAGE_MAX_DELAY_MS, &ask->delay_ms, error, cap)) {
        return false;
    }
    if (json_object_size(o) != 3) {
        snprintf(error, cap, "there is a member beside engine, jobs and delay_ms");
        return false;
    }
    return true;
}

enum weft_status weft_page_ask_read(const char *text, size_t len, struct weft_page_ask *ask,
                                    char *error, size_t cap)
{
    json_error_t why;
    struct weft_page_ask read = {0};
    json_t *o = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
    bool fine = false;
    if (o) {
        fine = read_object(o, &read, error, cap);
        json_decref(o);
    } else {
        /* jansson's own words may quote the text */
        snprintf(error, cap, "the body is not JSON, or a member stands there twice");
    }
    if (fine) {
        *ask = read;
    }
    return fine ? WEFT_OK : WEFT_ESYNTAX;
}
