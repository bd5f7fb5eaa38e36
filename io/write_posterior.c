/*
 * How probable edges, paths and effects are: the tables of a posterior as CSV and for people, its
 * draws as lines of JSON, and the probabilities beside the edges of other tables.
 *
 * A pair a, b of the CSV is as the columns are, a before b. For people the likelier direction comes
 * first.
 */
#include "write.h"

#include "alloc.h"
#include "number.h"
#include "status.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

static const double LEAST_SHOWN = 0.1; /* the probability of an edge that people are shown */

static dpc_status check(const dpc_report *report, dpc_error *err)
{
    if (report->posterior != NULL)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "there is no posterior to write");
}

/* Behind a comma; nothing where it is not known. */
static void print_cell(FILE *file, double value)
{
    char text[DPC_NUMBER_SIZE];
    putc(',', file);
    if (!isfinite(value))
        return;
    dpc_number_print(value, text);
    fputs(text, file);
}

static void print_names(FILE *file, const dpc_report *report, int a, int b)
{
    dpc_print_field(file, report->names[a]);
    putc(',', file);
    dpc_print_field(file, report->names[b]);
}

/* ---- CSV ---- */

dpc_status dpc_print_probabilities(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_posterior *p = report->posterior;
    DPC_CHECK(check(report, err));
    fputs("a,b,forward,backward,edge,ancestor,descendant,se\n", file);
    for (int64_t i = 0; i < p->n_pairs && !ferror(file); i++) {
        const dpc_probability *pair = &p->pairs[i];
        const double values[] = {pair->forward,  pair->backward,   pair->forward + pair->backward,
                                 pair->ancestor, pair->descendant, pair->se};
        print_names(file, report, pair->a, pair->b);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            print_cell(file, values[k]);
        putc('\n', file);
    }
    return DPC_OK;
}

dpc_status dpc_print_posterior_effects(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_posterior *p = report->posterior;
    DPC_CHECK(check(report, err));
    fputs("cause,outcome,mean,sd,low,high,nonzero\n", file);
    for (int64_t i = 0; i < p->n_effects && !ferror(file); i++) {
        const dpc_posterior_effect *e = &p->effects[i];
        const double values[] = {e->mean, e->sd, e->low, e->high, e->nonzero};
        print_names(file, report, e->cause, e->outcome);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            print_cell(file, values[k]);
        putc('\n', file);
    }
    return DPC_OK;
}

/* ---- Draws ---- */

void dpc_print_json_arrows(FILE *file, const char *const *names, const dpc_graph *dag)
{
    putc('[', file);
    for (int64_t e = 0; e < dag->n_edges; e++) {
        const dpc_edge *edge = &dag->edges[e];
        fputs(e > 0 ? ", [" : "[", file);
        dpc_print_json_string(file, names[dpc_edge_from(edge)]);
        fputs(", ", file);
        dpc_print_json_string(file, names[dpc_edge_to(edge)]);
        putc(']', file);
    }
    putc(']', file);
}

static dpc_status print_draw(FILE *file, const dpc_report *report, int chain, int draw,
                             dpc_error *err)
{
    const dpc_posterior *p = report->posterior;
    dpc_graph *dag = NULL;
    DPC_CHECK(dpc_posterior_draw(p, chain, draw, &dag, err));
    fprintf(file, "{\"chain\": %d, \"draw\": %d, \"score\": ", chain + 1, draw + 1);
    dpc_print_json_number(file, p->scores[(int64_t)chain * p->draws + draw]);
    fputs(", \"edges\": ", file);
    dpc_print_json_arrows(file, report->names, dag);
    fputs("}\n", file);
    dpc_graph_free(dag);
    return DPC_OK;
}

dpc_status dpc_print_draws(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_posterior *p = report->posterior;
    DPC_CHECK(check(report, err));
    for (int chain = 0; chain < p->chains; chain++)
        for (int draw = 0; draw < p->draws && !ferror(file); draw++)
            DPC_CHECK(print_draw(file, report, chain, draw, err));
    return DPC_OK;
}

/* ---- For people ---- */

/* A row of a table: two names, and by what it is sorted. */
typedef struct row {
    int64_t index;
    int32_t first, second;
    double key;
} row;

static int by_key(const void *left, const void *right)
{
    const row *a = left, *b = right;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Two names in columns that are wide enough for all of them, and for their heads. */
static void print_pair(FILE *file, const char *first, const char *second, const int width[2])
{
    dpc_print_padded(file, first, width[0]);
    dpc_print_padded(file, second, width[1]);
}

/* How wide they must be. */
static void measure(const dpc_report *report, const row *rows, int64_t count, const char *first,
                    const char *second, int width[2])
{
    char clipped[DPC_CLIP_SIZE];
    width[0] = dpc_text_width(first);
    width[1] = dpc_text_width(second);
    for (int64_t i = 0; i < count; i++) {
        int a = dpc_text_width(dpc_clip_name(report->names[rows[i].first], clipped));
        int b = dpc_text_width(dpc_clip_name(report->names[rows[i].second], clipped));
        width[0] = a > width[0] ? a : width[0];
        width[1] = b > width[1] ? b : width[1];
    }
}

static void print_clipped(FILE *file, const dpc_report *report, const row *r, const int width[2])
{
    char first[DPC_CLIP_SIZE], second[DPC_CLIP_SIZE];
    print_pair(file, dpc_clip_name(report->names[r->first], first),
               dpc_clip_name(report->names[r->second], second), width);
}

static void print_edge_rows(FILE *file, const dpc_report *report, const row *rows, int64_t count)
{
    int width[2];
    measure(report, rows, count, "A", "B", width);
    print_pair(file, "A", "B", width);
    fputs(" edge  A --> B  A <-- B  error\n", file);
    for (int64_t i = 0; i < count && !ferror(file); i++) {
        const dpc_probability *pair = &report->posterior->pairs[rows[i].index];
        bool turned = rows[i].first != pair->a;
        print_clipped(file, report, &rows[i], width);
        fprintf(file, "%5.3f  %7.3f  %7.3f  %5.3f\n", pair->forward + pair->backward,
                turned ? pair->backward : pair->forward, turned ? pair->forward : pair->backward,
                pair->se);
    }
}

static void print_effect_rows(FILE *file, const dpc_report *report, const row *rows, int64_t count)
{
    int width[2];
    measure(report, rows, count, "cause", "outcome", width);
    putc('\n', file);
    print_pair(file, "cause", "outcome", width);
    fputs("    effect         sd        2.5 %       97.5 %  nonzero\n", file);
    for (int64_t i = 0; i < count && !ferror(file); i++) {
        const dpc_posterior_effect *e = &report->posterior->effects[rows[i].index];
        print_clipped(file, report, &rows[i], width);
        fprintf(file, "%10.4g %10.4g   %10.4g   %10.4g  %7.3f\n", e->mean, e->sd, e->low, e->high,
                e->nonzero);
    }
}

/* The edges that are shown, the most probable first. */
static int64_t list_edges(const dpc_posterior *p, row *rows)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->n_pairs; i++) {
        const dpc_probability *pair = &p->pairs[i];
        double edge = pair->forward + pair->backward;
        bool turned = pair->backward > pair->forward;
        if (edge >= LEAST_SHOWN)
            rows[count++] = (row){i, turned ? pair->b : pair->a, turned ? pair->a : pair->b, edge};
    }
    qsort(rows, (size_t)count, sizeof *rows, by_key);
    return count;
}

/* Those effects, the most certain first. */
static int64_t list_effects(const dpc_posterior *p, row *rows)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->n_effects; i++)
        if (p->effects[i].nonzero >= LEAST_SHOWN)
            rows[count++] =
                (row){i, p->effects[i].cause, p->effects[i].outcome, p->effects[i].nonzero};
    qsort(rows, (size_t)count, sizeof *rows, by_key);
    return count;
}

dpc_status dpc_print_probable_edges(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_posterior *p = report->posterior;
    DPC_CHECK(check(report, err));
    row *rows =
        dpc_alloc(1 + (p->n_pairs > p->n_effects ? p->n_pairs : p->n_effects), sizeof *rows);
    if (rows == NULL)
        return dpc_fail_memory(err, "the table of probabilities");
    int64_t count = list_edges(p, rows);
    print_edge_rows(file, report, rows, count);
    if (p->n_effects > 0) {
        count = list_effects(p, rows);
        print_effect_rows(file, report, rows, count);
    }
    free(rows);
    return DPC_OK;
}

/* ---- Beside the edges of a graph ---- */

dpc_edge_probability dpc_report_probability(const dpc_report *report, int from, int to)
{
    dpc_probability pair = dpc_probability_of(report->posterior, from, to);
    bool turned = from > to; /* the pair is seen from its smaller number */
    return (dpc_edge_probability){.edge = pair.forward + pair.backward,
                                  .forward = turned ? pair.backward : pair.forward,
                                  .backward = turned ? pair.forward : pair.backward};
}

void dpc_print_probability_cells(FILE *file, const dpc_report *report, int from, int to)
{
    dpc_edge_probability p = dpc_report_probability(report, from, to);
    print_cell(file, p.edge);
    print_cell(file, p.forward);
    print_cell(file, p.backward);
}

void dpc_print_json_probability(FILE *file, const dpc_report *report, const dpc_edge *edge)
{
    dpc_edge_probability p = dpc_report_probability(report, dpc_edge_from(edge), dpc_edge_to(edge));
    dpc_print_json_value(file, "probability", p.edge);
    dpc_print_json_value(file, "forward_probability", p.forward);
    dpc_print_json_value(file, "backward_probability", p.backward);
}

/* As dpc_print_dot_frequency has those of resamples. */
void dpc_print_dot_probability(FILE *file, const dpc_report *report, const dpc_edge *edge)
{
    dpc_edge_probability p = dpc_report_probability(report, dpc_edge_from(edge), dpc_edge_to(edge));
    fprintf(file, "probability=\"%.4f\"", p.edge);
    if (report->frequencies != NULL) /* their numbers are beside the line */
        return;
    fprintf(file, ", label=\"%.2f", p.edge);
    if (edge->mark != DPC_UNDIRECTED)
        fprintf(file, " (→ %.2f)", p.forward);
    fprintf(file, "\", penwidth=%.2f", 0.5 + 3.5 * p.edge);
}
