/* The report: see report.h. */
#include "report.h"

#include "csp.h"
#include "graph.h"
#include "status.h"
#include "write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The files of this folder, which the Makefile names as what this one is made of. */
__asm__(".section .rodata\n"
        ".global dpc_page_html, dpc_page_css, dpc_page_js\n"
        "dpc_page_html: .incbin \"report/page.html\"\n.byte 0\n"
        "dpc_page_css: .incbin \"report/page.css\"\n.byte 0\n"
        "dpc_page_js: .incbin \"report/page.js\"\n.byte 0\n"
        ".previous\n");
extern const char dpc_page_html[], dpc_page_css[], dpc_page_js[];

enum {
    MANY_EDGES = 151, /* from so many on the report also draws … */
    STRONGEST = 100,  /* … the strongest of them alone */
};

/* ---- Numbers ---- */

/* 1e999 is read as infinity by every browser. */
static void print_number(FILE *file, double value, const char *format)
{
    if (isnan(value))
        fputs("null", file);
    else if (isinf(value))
        fputs(value > 0 ? "1e999" : "-1e999", file);
    else
        fprintf(file, format, value);
}

/* ---- What is known of the edges ---- */

static void print_row(FILE *file, const dpc_edge *edge, const dpc_edge_row *row)
{
    fprintf(file, "[%d,%d,%d", dpc_edge_from(edge), dpc_edge_to(edge),
            edge->mark != DPC_UNDIRECTED);
    if (row != NULL) {
        const double values[] = {row->r,       row->low,      row->high,
                                 row->p,       row->evidence, row->edge,
                                 row->forward, row->backward, row->undirected};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            putc(',', file);
            print_number(file, values[k], "%.5g");
        }
        if (row->association)
            fputs(",1", file);
    }
    putc(']', file);
}

static void print_edges(FILE *file, const dpc_scene *scene, char *const *why)
{
    const dpc_graph *graph = scene->graph;
    fputs(",\"rows\":[", file);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        fputs(e > 0 ? ",\n" : "\n", file);
        print_row(file, &graph->edges[e], scene->edges != NULL ? &scene->edges->rows[e] : NULL);
    }
    fputs("]", file);
    if (why == NULL)
        return;
    fputs(",\"why\":[", file);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        fputs(e > 0 ? "," : "", file);
        if (why[e] != NULL)
            dpc_print_json_string(file, why[e]);
        else
            fputs("null", file);
    }
    fputs("],\"nowhy\":\"Finding out about all edges took too long; dualpc learn --explain A,B "
          "tells.\"",
          file);
}

/* ---- Where things are drawn ---- */

/* null: the graph is too large. */
static dpc_status print_places(FILE *file, const dpc_scene *scene, dpc_error *err)
{
    dpc_picture *picture = NULL;
    char *places = NULL;
    size_t size;
    if (dpc_picture_too_large(scene->graph)) {
        fputs("null", file);
        return DPC_OK;
    }
    dpc_status status = dpc_picture_new(scene, &picture, err);
    if (status == DPC_OK)
        status = dpc_picture_render(picture, DPC_FORMAT_JSON, &places, &size, err);
    if (status == DPC_OK)
        fputs(places, file);
    free(places);
    dpc_picture_free(picture);
    return status;
}

/* The layout of the whole graph, and where it has many edges, of the strongest ones alone. */
static dpc_status print_layout(FILE *file, const dpc_scene *scene, dpc_error *err)
{
    dpc_strongest strongest = {0};
    fputs(",\"layout\":", file);
    dpc_status status = print_places(file, scene, err);
    if (status != DPC_OK || scene->edges == NULL || scene->graph->n_edges < MANY_EDGES)
        return status;
    status = dpc_strongest_make(scene, STRONGEST, &strongest, err);
    if (status == DPC_OK) {
        fputs(",\"strongest\":{\"index\":[", file);
        for (int64_t i = 0; i < strongest.graph.n_edges; i++)
            fprintf(file, "%s%lld", i > 0 ? "," : "", (long long)strongest.index[i]);
        fputs("],\"layout\":", file);
        status = print_places(file, &strongest.scene, err);
        putc('}', file);
    }
    dpc_strongest_clear(&strongest);
    return status;
}

/* ---- The block of the page ---- */

/* The lines that the page begins with. */
static dpc_status print_verdict(FILE *file, const dpc_report *report, dpc_error *err)
{
    char *text = NULL;
    DPC_CHECK(dpc_write_string(report, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO, &text, NULL, err));
    fputs(",\"verdict\":", file);
    dpc_print_json_string(file, text);
    dpc_string_free(text);
    return DPC_OK;
}

static dpc_status make_page(const dpc_report *report, const dpc_scene *scene, const char *title,
                            char *const *why, char **text, dpc_error *err)
{
    size_t size;
    char today[32] = "";
    time_t now = time(NULL);
    struct tm local;
    FILE *file = open_memstream(text, &size);
    if (file == NULL)
        return dpc_fail_memory(err, "the report");
    if (localtime_r(&now, &local) != NULL)
        strftime(today, sizeof today, "%Y-%m-%d", &local);
    fprintf(file, "{\"version\":\"%s\",\"written\":\"%s\",\"title\":", DPC_VERSION, today);
    dpc_print_json_string(file, title);
    print_edges(file, scene, why);
    dpc_status status = print_layout(file, scene, err);
    if (status == DPC_OK)
        status = dpc_report_pairs(file, report, err);
    dpc_report_effects(file, report);
    dpc_report_trace(file, report);
    if (status == DPC_OK)
        status = print_verdict(file, report, err);
    fputs("}\n", file);
    if (fclose(file) != 0 && status == DPC_OK)
        status = dpc_fail_memory(err, "the report");
    return status;
}

/* The same JSON as in a file, without what this page has in a better form. */
static dpc_status make_data(const dpc_report *report, char **text, dpc_error *err)
{
    dpc_report plain = *report;
    plain.separating_sets = false;
    plain.explanations = NULL;
    plain.n_explanations = 0;
    return dpc_write_string(&plain, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, text, NULL, err);
}

/* ---- The whole ---- */

/* JSON in a script: < could begin a tag that ends it. */
static void print_json(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '<')
            fputs("\\u003c", file);
        else
            putc(*text, file);
    }
}

static void print_html(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("<>&\"'", *text) != NULL)
            fprintf(file, "&#%d;", *text);
        else
            putc((unsigned char)*text < 0x20 ? ' ' : *text, file);
    }
}

/* What stands for a mark of the frame, such as @TITLE@. */
static void print_mark(FILE *file, const char *mark, size_t length, const char *title,
                       const char *data, const char *page)
{
    static const char *const MARKS[] = {"CSP",  "VERSION", "TITLE", "STYLE",
                                        "DATA", "PAGE",    "SCRIPT"};
    int i = 0;
    while (i < 7 && (strlen(MARKS[i]) != length || memcmp(MARKS[i], mark, length) != 0))
        i++;
    if (i == 2)
        print_html(file, title);
    else if (i == 4 || i == 5)
        print_json(file, i == 4 ? data : page);
    else if (i < 7)
        fputs(i == 0   ? DPC_PAGE_CSP
              : i == 1 ? DPC_VERSION
              : i == 3 ? dpc_page_css
                       : dpc_page_js,
              file);
}

static dpc_status assemble(const char *title, const char *data, const char *page, char **bytes,
                           size_t *size, dpc_error *err)
{
    FILE *file = open_memstream(bytes, size);
    if (file == NULL)
        return dpc_fail_memory(err, "the report");
    for (const char *p = dpc_page_html; *p != '\0';) {
        const char *mark = strchr(p, '@'), *end = mark != NULL ? strchr(mark + 1, '@') : NULL;
        if (end == NULL) {
            fputs(p, file);
            break;
        }
        fwrite(p, 1, (size_t)(mark - p), file);
        print_mark(file, mark + 1, (size_t)(end - mark - 1), title, data, page);
        p = end + 1;
    }
    if (fclose(file) == 0)
        return DPC_OK;
    free(*bytes);
    return dpc_fail_memory(err, "the report");
}

dpc_status dpc_report_html(const dpc_report *report, const dpc_scene *scene, const char *title,
                           char *const *why, char **bytes, size_t *size, dpc_error *err)
{
    char *data = NULL, *page = NULL;
    const char *slash = strrchr(title, '/');
    dpc_status status = make_data(report, &data, err);
    if (status == DPC_OK)
        status = make_page(report, scene, title, why, &page, err);
    if (status == DPC_OK)
        status = assemble(slash != NULL ? slash + 1 : title, data, page, bytes, size, err);
    dpc_string_free(data);
    free(page);
    return status;
}
