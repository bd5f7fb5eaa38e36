/*
 * How each pair without an edge was separated, in a form that stays small for hundred thousands of
 * pairs: a letter for each pair a < b in their order, then r, p and the sets of those that have
 * some.
 *
 *     "pairs": {"kinds": "m-fp…", "r": [0.012, …], "p": [0.41, …], "sets": [[3, 7], null, …]}
 *
 * m is marginal, f full order, s full S, p primal, d dual, k forbidden by knowledge, - an edge, ?
 * nothing. r and p are there for all but -; sets for s, p and d. Sets are written out as long as
 * they do not make the page too large.
 */
#include "report.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_VARIABLES = 1000,  /* of a report with pairs: about 8 MB */
    MOST_MEMBERS = 3000000, /* of all sets together: about 12 MB */
};

static const char LETTERS[] = {
    [DPC_SEP_NONE] = '?',      [DPC_SEP_MARGINAL] = 'm', [DPC_SEP_FULL_ORDER] = 'f',
    [DPC_SEP_FULL_S] = 's',    [DPC_SEP_PRIMAL] = 'p',   [DPC_SEP_DUAL] = 'd',
    [DPC_SEP_FORBIDDEN] = 'k',
};

/* What a pair is told with. */
typedef struct teller {
    FILE *file;
    const dpc_report *report;
    int32_t *members; /* room for any set */
    int64_t told;     /* members written so far */
    bool any;         /* something was written in this list */
} teller;

static bool has_set(dpc_sep_kind kind)
{
    return kind == DPC_SEP_FULL_S || kind == DPC_SEP_PRIMAL || kind == DPC_SEP_DUAL;
}

static void print_next(teller *t)
{
    fputs(t->any ? "," : "", t->file);
    t->any = true;
}

static void print_number(teller *t, double value)
{
    print_next(t);
    fprintf(t->file, isfinite(value) ? "%.4g" : "null", value);
}

static void print_set(teller *t, const dpc_sepset *set)
{
    print_next(t);
    t->told += set->size;
    if (t->told > MOST_MEMBERS) {
        fputs("null", t->file);
        return;
    }
    putc('[', t->file);
    for (int i = 0; i < set->size; i++)
        fprintf(t->file, "%s%d", i > 0 ? "," : "", t->members[i]);
    putc(']', t->file);
}

typedef enum part { KINDS, NUMBERS_R, NUMBERS_P, SETS } part;

static void print_pair(teller *t, int a, int b, part part)
{
    dpc_sepset set = {.kind = DPC_SEP_NONE, .r = NAN, .p = NAN};
    bool edge = dpc_graph_mark(t->report->graph, a, b) != DPC_NONE;
    if (!edge)
        dpc_separating_set(t->report->result, a, b, &set, t->members, NULL);
    if (part == KINDS)
        putc(edge ? '-' : LETTERS[set.kind], t->file);
    else if (part == NUMBERS_R && !edge)
        print_number(t, set.r);
    else if (part == NUMBERS_P && !edge)
        print_number(t, set.p);
    else if (part == SETS && !edge && has_set(set.kind))
        print_set(t, &set);
}

static dpc_status print_pairs(FILE *file, const dpc_report *report, dpc_error *err)
{
    static const char *const BEFORE[] = {",\"pairs\":{\"kinds\":\"", "\",\"r\":[", "],\"p\":[",
                                         "],\"sets\":["};
    int n = report->graph->n_nodes;
    teller t = {.file = file, .report = report, .members = dpc_alloc(n, sizeof *t.members)};
    if (t.members == NULL)
        return dpc_fail_memory(err, "the report");
    for (part part = KINDS; part <= SETS; part++) {
        fputs(BEFORE[part], file);
        t.any = false;
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                print_pair(&t, a, b, part);
    }
    fputs("]}", file);
    free(t.members);
    return DPC_OK;
}

dpc_status dpc_report_pairs(FILE *file, const dpc_report *report, dpc_error *err)
{
    const char *why = NULL;
    if (report->result == NULL && report->posterior != NULL)
        why = "Sampling makes no tests; --probabilities has the probability of every pair.";
    else if (report->result == NULL)
        why = "The file has the graph only, not how it was found.";
    else if (dpc_result_settings(report->result)->method == DPC_GES)
        why = "Greedy search makes no tests: an edge here would not have raised the score.";
    else if (report->graph->n_nodes > MOST_VARIABLES)
        why = "There are too many pairs for this page; dualpc learn --explain A,B tells.";
    if (why == NULL)
        return print_pairs(file, report, err);
    fprintf(file, ",\"nopairs\":\"%s\"", why);
    return DPC_OK;
}
