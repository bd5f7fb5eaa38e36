/*
 * The report: one HTML file with all that is known of a graph, to look at in a browser. It needs no
 * network and no server. Its script, style and frame are page.js, page.css and page.html of this
 * folder, which are built into the program; report.c fills them with two blocks of JSON: what
 * `-o FILE.json` has, and what only the report needs (pairs.c has the part on pairs without an
 * edge, effects.c that on effects, trace.c the scores of a posterior's draws, explain.c the reasons
 * for the edges; strongest.c chooses the edges of a picture that has not all).
 *
 * Foreign text comes into the page as JSON only, in which every < is written as \u003c, and as the
 * title, in which all signs of HTML are written by name. The page allows itself, by the hashes of
 * its script and style, nothing else: no other script can run, and nothing is loaded.
 */
#ifndef DPC_REPORT_H
#define DPC_REPORT_H

#include "picture.h"

#include <stdio.h>

/*
 * The page for a report whose graph is that of the scene, into memory that free() takes. `title` is
 * what the data are called. `why` has a text for each edge, in the order of the graph, or NULL
 * where there is none for it; it may be NULL itself.
 */
dpc_status dpc_report_html(const dpc_report *report, const dpc_scene *scene, const char *title,
                           char *const *why, char **bytes, size_t *size, dpc_error *err);

/* The strongest edges of a scene, as a scene of their own. */
typedef struct dpc_strongest {
    dpc_graph graph; /* over the same nodes; its edges are owned */
    int64_t *index;  /* of each of its edges in the scene, ascending; owned */
    dpc_scene scene; /* that draws it; knows the graph only */
} dpc_strongest;

/* Those with the largest |r|, `most` of them; the scene has an edge table. To be cleared. */
dpc_status dpc_strongest_make(const dpc_scene *scene, int64_t most, dpc_strongest *out,
                              dpc_error *err);
void dpc_strongest_clear(dpc_strongest *strongest);

/* How each pair without an edge was separated, as a member of an object, or why it is not told. */
dpc_status dpc_report_pairs(FILE *file, const dpc_report *report, dpc_error *err);

/* The effects of each variable on the others, likewise; nothing where the report has none. */
void dpc_report_effects(FILE *file, const dpc_report *report);

/* The scores of the draws of a posterior, likewise. */
void dpc_report_trace(FILE *file, const dpc_report *report);

/*
 * A text for each edge of the graph that tells why it is there, in the order of the edges, as far
 * as `most` goes: the rest is NULL. That counts work, and never looks at a clock, so that a report
 * has the same texts on any machine: so many tests made again, and for each edge a tenth of the
 * nodes and edges of the graph, which are looked at. Free with dpc_report_explain_free; NULL where
 * the report has no result.
 */
#define DPC_REPORT_WORK 10000000
dpc_status dpc_report_explain(const dpc_report *report, int64_t most, char ***out, dpc_error *err);
void dpc_report_explain_free(char **texts, int64_t count);

#endif
