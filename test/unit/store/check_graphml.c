/* check_graphml.c -- the link graph in XML: always whole, each node and edge once, whatever the
 * URLs are and wherever the file was cut off. Judged by libxml2's parser without its repairs. */
#include "fixture.h"
#include "store/output.h"

#include <libxml/parser.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns="
#define MARK "<!-- linked to, and not recorded -->\n"
#define FOOT "</graph></graphml>\n"

static char *dir, *path;

static void setup(void)
{
    dir = fixture_dir();
    path = fixture_path(dir, "out.graphml");
}

static void teardown(void)
{
    free(path);
    fixture_remove(dir);
}

static struct weft_record page(const char *url, const struct weft_record_link *links, unsigned n)
{
    return (struct weft_record){
        .url = url, .outcome = WEFT_FETCHED, .status = 200, .links = links, .nlinks = n};
}

/* The value of a child's text: of <data key=KEY>, or of <desc>. To xmlFree(); NULL: none. */
static xmlChar *value_of(xmlNodePtr element, const char *key)
{
    for (xmlNodePtr c = xmlFirstElementChild(element); c; c = xmlNextElementSibling(c)) {
        xmlChar *k = xmlGetProp(c, (const xmlChar *)"key");
        bool is_it = k && strcmp((const char *)k, key) == 0;
        xmlFree(k);
        if (is_it) {
            return xmlNodeGetContent(c);
        }
    }
    return NULL;
}

struct judged {
    unsigned nodes, recorded, edges;
    char text[4096]; /* "ID=URL outcome;" and "FROM>TO;", as far as they fit */
};

static void add(struct judged *j, const char *text)
{
    size_t n = strlen(j->text);
    snprintf(j->text + n, sizeof j->text - n, "%s", text);
}

/* Reads the whole file: it is well-formed, ids are n1 .. nN each once, edges are between them and
 * each is there once. */
static struct judged judge(void)
{
    enum { MOST = 2000 };
    static bool there[MOST];
    static bool edge[MOST][MOST];
    struct judged j = {0};
    unsigned ends[MOST], nends = 0;
    memset(there, 0, sizeof there);
    memset(edge, 0, sizeof edge);
    xmlDocPtr doc = xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_HUGE);
    must(doc, "not well-formed");
    xmlNodePtr graph = xmlLastElementChild(xmlDocGetRootElement(doc));
    ck_assert_str_eq((const char *)graph->name, "graph");
    for (xmlNodePtr c = xmlFirstElementChild(graph); c; c = xmlNextElementSibling(c)) {
        char line[600];
        if (strcmp((const char *)c->name, "node") == 0) {
            xmlChar *id = xmlGetProp(c, (const xmlChar *)"id"), *url = value_of(c, "url");
            xmlChar *outcome = value_of(c, "outcome");
            unsigned n = (unsigned)atoi((const char *)id + 1);
            must(id[0] == 'n' && n > 0 && n < MOST && !there[n] && url, "node %s", id);
            there[n] = true;
            j.nodes++;
            j.recorded += outcome != NULL;
            snprintf(line, sizeof line, "%.60s=%.400s %s;", id, url,
                     outcome ? (char *)outcome : "-");
            xmlFree(id);
            xmlFree(url);
            xmlFree(outcome);
        } else {
            xmlChar *from = xmlGetProp(c, (const xmlChar *)"source");
            xmlChar *to = xmlGetProp(c, (const xmlChar *)"target");
            unsigned f = (unsigned)atoi((const char *)from + 1), t = (unsigned)atoi((char *)to + 1);
            must(f > 0 && f < MOST && t > 0 && t < MOST && !edge[f][t], "edge %s %s", from, to);
            edge[f][t] = true;
            ends[nends++ % MOST] = f;
            ends[nends++ % MOST] = t;
            j.edges++;
            snprintf(line, sizeof line, "%.60s>%.60s;", from, to);
            xmlFree(from);
            xmlFree(to);
        }
        add(&j, line);
    }
    for (unsigned i = 0; i < nends && i < MOST; i++) {
        must(there[ends[i]], "an edge leads to n%u, which is not there", ends[i]);
    }
    xmlFreeDoc(doc);
    return j;
}

START_TEST(pages_are_nodes_and_links_are_edges)
{
    static const struct weft_record_link links[] = {
        {.url = "http://a.example/gone"},
        {.url = "http://a.example/two", .nofollow = true},
        {.url = "http://a.example/gone", .fragment = "again"},
    };
    struct weft_record r[] = {page("http://a.example/old", links, 3),
                              page("http://a.example/new", NULL, 0),
                              page("http://a.example/gone", NULL, 0)};
    r[0].final_url = "http://a.example/new";
    r[0].title = "T & <T>\n\x01";
    r[2].outcome = WEFT_FAILED;
    r[2].reason = WEFT_REASON_HTTP_STATUS;
    r[2].status = 404;
    r[2].depth = 1;
    fixture_put_all(path, WEFT_OUTPUT_NEW, r, 3);
    char *text = fixture_read(path, NULL);
    ck_assert_int_eq(strncmp(text, HEAD, strlen(HEAD)), 0);
    const char *body = strstr(text, "<graph id=");
    ck_assert_ptr_nonnull(body);
    ck_assert_str_eq(
        body, "<graph id=\"weft\" edgedefault=\"directed\">\n"
              "<node id=\"n1\"><data key=\"url\">http://a.example/old</data>"
              "<data key=\"outcome\">fetched</data><data key=\"status\">200</data>"
              "<data key=\"depth\">0</data><data key=\"title\">T &amp; &lt;T&gt;  </data></node>\n"
              "<edge source=\"n1\" target=\"n2\"><desc>http://a.example/new</desc>"
              "<data key=\"redirect\">true</data></edge>\n"
              "<edge source=\"n2\" target=\"n3\"><desc>http://a.example/gone</desc></edge>\n"
              "<edge source=\"n2\" target=\"n4\"><desc>http://a.example/two</desc>"
              "<data key=\"nofollow\">true</data></edge>\n"
              "<node id=\"n2\"><data key=\"url\">http://a.example/new</data>"
              "<data key=\"outcome\">fetched</data><data key=\"status\">200</data>"
              "<data key=\"depth\">0</data></node>\n"
              "<node id=\"n3\"><data key=\"url\">http://a.example/gone</data>"
              "<data key=\"outcome\">failed</data><data key=\"reason\">http_status</data>"
              "<data key=\"status\">404</data><data key=\"depth\">1</data></node>\n" MARK
              "<node id=\"n4\"><data key=\"url\">http://a.example/two</data></node>\n" FOOT);
    free(text);
    struct judged j = judge();
    ck_assert_uint_eq(j.nodes, 4);
    ck_assert_uint_eq(j.recorded, 3);
    ck_assert_uint_eq(j.edges, 3);
}
END_TEST

START_TEST(hostile_texts_stay_texts)
{
    const char *hostile = fixture_hostile[_i];
    struct weft_record_link links[] = {{.url = hostile}, {.url = "\xEF\xBF\xBE \xEF\xBF\xBF"}};
    struct weft_record r = page(hostile, links, 2);
    r.title = hostile;
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    struct judged j = judge();
    ck_assert_uint_eq(j.nodes, 2);
    ck_assert_uint_eq(j.edges, 2);
    ck_assert_ptr_nonnull(strstr(j.text, "n2=%EF%BF%BE%20%EF%BF%BF -;"));
    r.title = "\xEF\xBF\xBF";
    fixture_put_all(path, WEFT_OUTPUT_APPEND, &r, 1);
    ck_assert_uint_eq(judge().nodes, 2);
}
END_TEST

static const struct weft_record_link here[] = {
    {.url = "http://a.example/1"}, {.url = "http://a.example/2"}, {.url = "http://b.example/"}};

START_TEST(what_is_recorded_again_is_there_once)
{
    struct weft_record r[] = {page("http://a.example/1", here, 3),
                              page("http://a.example/1", here, 3)};
    fixture_put_all(path, WEFT_OUTPUT_NEW, r, 2);
    ck_assert_str_eq(judge().text, "n1=http://a.example/1 fetched;n1>n1;n1>n2;n1>n3;"
                                   "n2=http://a.example/2 -;n3=http://b.example/ -;");
    r[1].url = "http://a.example/2"; /* was linked to, and is recorded by the next run */
    fixture_put_all(path, WEFT_OUTPUT_APPEND, r, 2);
    ck_assert_str_eq(judge().text, "n1=http://a.example/1 fetched;n1>n1;n1>n2;n1>n3;"
                                   "n2=http://a.example/2 fetched;n2>n1;n2>n2;n2>n3;"
                                   "n3=http://b.example/ -;");
}
END_TEST

/* Wherever a file ends, appending makes a whole graph of it that has every line that was whole. */
START_TEST(a_file_cut_anywhere_is_mended)
{
    struct weft_record r[] = {page("http://a.example/1", here, 3),
                              page("http://a.example/2", here, 3)};
    struct weft_record more = page("http://a.example/3", here, 2);
    size_t len;
    fixture_put_all(path, WEFT_OUTPUT_NEW, r, 2);
    char *whole = fixture_read(path, &len);
    for (size_t at = 0; at <= len; at++) {
        unsigned nodes = 0, edges = 0;
        const char *line = strstr(whole, "<graph id");
        for (const char *end; (end = strchr(line, '\n')) && end < whole + at; line = end + 1) {
            nodes += strncmp(line, "<node", 5) == 0 && strstr(line, "outcome") < end;
            edges += strncmp(line, "<edge", 5) == 0;
            if (strncmp(line, "<!--", 4) == 0) {
                break;
            }
        }
        fixture_write(path, whole, at);
        fixture_put_all(path, WEFT_OUTPUT_APPEND, &more, 1);
        struct judged j = judge();
        must(j.recorded == nodes + 1 && j.edges == edges + 2, "cut at %zu: %s", at, j.text);
    }
    free(whole);
}
END_TEST

static enum weft_status open_again(struct weft_output **out, int64_t position,
                                   struct weft_failure *failure)
{
    const struct weft_output_options options = {.path = path,
                                                .mode = WEFT_OUTPUT_APPEND,
                                                .software = "test",
                                                .resume = true,
                                                .position = position,
                                                .failure = failure};
    return weft_format_graphml.open(out, &options);
}

/* As a state file has it: what stands behind the position goes, and is written once more. */
START_TEST(it_is_led_back_to_a_position)
{
    struct weft_record r[] = {page("http://a.example/1", here, 3),
                              page("http://a.example/2", here, 3)};
    struct weft_failure failure = {""};
    struct weft_output *o;
    const struct weft_format *f = &weft_format_graphml;
    ck_assert_int_eq(open_again(&o, 0, &failure), WEFT_OK);
    ck_assert_int_eq(f->begin(o), WEFT_OK);
    ck_assert_int_eq(f->write(o, &r[0]), WEFT_OK);
    int64_t at = f->position(o);
    ck_assert_int_eq(f->write(o, &r[1]), WEFT_OK);
    ck_assert_int_eq(f->finish(o, true, NULL), WEFT_OK);
    char *once = fixture_read(path, NULL);
    ck_assert_int_eq(open_again(&o, at, &failure), WEFT_OK);
    ck_assert_int_eq(f->begin(o), WEFT_OK);
    ck_assert_int_eq(f->position(o), at);
    ck_assert_int_eq(f->write(o, &r[1]), WEFT_OK);
    ck_assert_int_eq(f->finish(o, true, NULL), WEFT_OK);
    char *twice = fixture_read(path, NULL);
    ck_assert_str_eq(twice, once);
    ck_assert_int_eq(open_again(&o, at * 10, &failure), WEFT_EIO);
    ck_assert_msg(strstr(failure.text, "can't go on with") != NULL, "%s", failure.text);
    free(once);
    free(twice);
}
END_TEST

static void expect_refused(const char *before, const char *words)
{
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {.paths = paths, .mode = WEFT_OUTPUT_APPEND};
    struct weft_writer *w;
    char error[512] = "";
    fixture_write(path, before, strlen(before));
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_EINVAL);
    ck_assert_msg(strstr(error, words) != NULL, "%s", error);
    char *text = fixture_read(path, NULL);
    ck_assert_str_eq(text, before);
    free(text);
}

START_TEST(what_is_no_such_graph_is_refused_and_left)
{
    static const char *const lines[] = {
        "this is no element\n",
        "<node id=\"n1\"><data key=\"url\">x</data>\n",
        "<node id=\"1\"><data key=\"url\">x</data></node>\n",
        "<node id=\"n1x\"><data key=\"url\">x</data></node>\n",
        "<node id=\"n1\"></node>\n",
        "<edge source=\"n1\"/>\n",
        "<hyperedge/>\n",
        "<node id=\"n2\"><data key=\"url\">y</data></node>\n"
        "<node id=\"n2\"><data key=\"url\">z</data></node>\n",
        "<node id=\"n2\"><data key=\"url\">y</data></node>\n"
        "<node id=\"n3\"><data key=\"url\">y</data></node>\n",
    };
    char text[4096];
    expect_refused("<?xml version=\"1.0\"?><graphml/>\n", "another kind of file");
    expect_refused("strict digraph weft {\n}\n", "another kind of file");
    fixture_write(path, "", 0);
    fixture_put_all(path, WEFT_OUTPUT_APPEND, NULL, 0);
    char *empty = fixture_read(path, NULL);
    *strstr(empty, MARK) = '\0';
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        snprintf(text, sizeof text, "%s%s", empty, lines[i]);
        expect_refused(text, "it is no graph that was written here");
    }
    free(empty);
}
END_TEST

/* A mention behind the node itself, as weft does not write it, takes nothing back. */
START_TEST(a_late_mention_is_no_news)
{
    struct weft_record r = page("http://a.example/1", NULL, 0);
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    char *text = fixture_read(path, NULL), *late = NULL;
    *strstr(text, MARK) = '\0';
    ck_assert_int_gt(
        asprintf(&late, "%s%s", text,
                 "<edge source=\"n1\" target=\"n1\"><desc>http://a.example/1</desc></edge>\n"),
        0);
    fixture_write(path, late, strlen(late));
    fixture_put_all(path, WEFT_OUTPUT_APPEND, &r, 1);
    ck_assert_str_eq(judge().text, "n1=http://a.example/1 fetched;n1>n1;");
    free(late);
    free(text);
}
END_TEST

/* A line that is longer than what is read at once, and more lines than that. */
START_TEST(long_files_are_read_back)
{
    enum { LENGTH = 700000, PAGES = 300 };
    char *url = malloc(LENGTH + 1);
    ck_assert_ptr_nonnull(url);
    memset(url, 'u', LENGTH);
    url[LENGTH] = '\0';
    struct weft_record_link links[] = {{.url = url}, {.url = "http://a.example/next"}};
    char urls[PAGES][64];
    struct weft_record r[PAGES];
    for (int i = 0; i < PAGES; i++) {
        snprintf(urls[i], sizeof urls[i], "http://a.example/%d", i);
        r[i] = page(urls[i], links + (i == 0 ? 0 : 1), i == 0 ? 2 : 1);
    }
    fixture_put_all(path, WEFT_OUTPUT_NEW, r, PAGES);
    char *before = fixture_read(path, NULL);
    for (int i = 0; i < 2; i++) { /* nothing is lost, and nothing written again */
        fixture_put_all(path, WEFT_OUTPUT_APPEND, r, i == 0 ? 0 : PAGES);
        char *after = fixture_read(path, NULL);
        must(strcmp(before, after) == 0, "another file after append %d", i);
        free(after);
    }
    free(before);
    struct judged j = judge();
    ck_assert_uint_eq(j.recorded, PAGES);
    ck_assert_uint_eq(j.nodes, PAGES + 2);
    ck_assert_uint_eq(j.edges, PAGES + 1);
    free(url);
}
END_TEST

START_TEST(a_full_disk_keeps_what_is_whole)
{
    struct rlimit old, limit;
    char error[512] = "", urls[1500][64];
    int n = 0;
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_NEW);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = (struct rlimit){100000, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (enum weft_status st = WEFT_OK; st == WEFT_OK && n < 1500; n++) {
        snprintf(urls[n], sizeof urls[n], "http://a.example/%d", n);
        struct weft_record r = page(urls[n], here, 3);
        st = weft_writer_put(w, fixture_item(&r, NULL));
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_EIO);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    ck_assert_msg(strstr(error, path) != NULL, "%s", error);
    fixture_put_all(path, WEFT_OUTPUT_APPEND, NULL, 0); /* there is room again */
    struct judged j = judge();
    ck_assert_uint_gt(j.recorded, 100);
    ck_assert_uint_lt(j.recorded, 1500);
    ck_assert_uint_ge(j.edges, 3 * j.recorded - 3);
}
END_TEST

/* An output after it that can't be opened: the graph that was there is whole again. */
START_TEST(a_graph_is_whole_again_when_nothing_comes_of_it)
{
    struct weft_record r = page("http://a.example/1", here, 3);
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    fixture_comes_to_nothing(dir, path);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("graphml");
    int hostile = 0;
    while (fixture_hostile[hostile]) {
        hostile++;
    }
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, pages_are_nodes_and_links_are_edges);
    tcase_add_loop_test(tc, hostile_texts_stay_texts, 0, hostile);
    tcase_add_test(tc, what_is_recorded_again_is_there_once);
    tcase_add_test(tc, a_file_cut_anywhere_is_mended);
    tcase_add_test(tc, it_is_led_back_to_a_position);
    tcase_add_test(tc, what_is_no_such_graph_is_refused_and_left);
    tcase_add_test(tc, a_late_mention_is_no_news);
    tcase_add_test(tc, long_files_are_read_back);
    tcase_add_test(tc, a_full_disk_keeps_what_is_whole);
    tcase_add_test(tc, a_graph_is_whole_again_when_nothing_comes_of_it);
    return suite_run("store: graphml", tc);
}
