/*
 * How often the edges of a bootstrap were found: as a table, as JSON, and beside the edges of a
 * drawn graph.
 */
#include "write.h"

#include "number.h"
#include "status.h"

/* How often a pair is joined at all, and in each way; each number behind its text. */
static void print_shares(FILE *file, const dpc_frequencies *f, const dpc_frequency *pair,
                         const char *const before[4])
{
    const double weights[] = {pair->edge, pair->forward, pair->backward, pair->undirected};
    char text[DPC_NUMBER_SIZE];
    for (int i = 0; i < 4; i++) {
        dpc_number_print(weights[i] / f->total, text);
        fprintf(file, "%s%s", before[i], text);
    }
}

/* ---- PAGs ---- */

/* The marks that resamples may have; the last three only where samples may be selected. */
static const dpc_mark MARKS[] = {DPC_FORWARD,      DPC_BACKWARD,     DPC_BIDIRECTED,
                                 DPC_CIRCLE_ARROW, DPC_ARROW_CIRCLE, DPC_CIRCLES,
                                 DPC_UNDIRECTED,   DPC_CIRCLE_TAIL,  DPC_TAIL_CIRCLE};
static const char *const CAUSES[] = {"from_is_cause", "from_is_no_cause", "to_is_cause",
                                     "to_is_no_cause"};

static int count_marks(const dpc_report *report)
{
    return dpc_result_settings(report->result)->selection ? 9 : 6;
}

static void print_head(FILE *file, const dpc_report *report)
{
    fputs("from,to,edge", file);
    for (int i = 0; i < count_marks(report); i++)
        fprintf(file, ",%s", dpc_mark_text(MARKS[i]));
    for (int i = 0; i < 4; i++)
        fprintf(file, ",%s", CAUSES[i]);
    putc('\n', file);
}

/* How often a pair has each mark, and what is said of causes; JSON names each number. */
static void print_pag_shares(FILE *file, const dpc_report *report, int64_t i, bool json)
{
    const dpc_frequencies *f = report->frequencies;
    const dpc_pag_frequency *pag = &f->pags[i];
    const double causes[] = {pag->a_is_cause, pag->a_is_no_cause, pag->b_is_cause,
                             pag->b_is_no_cause};
    int marks = count_marks(report);
    char text[DPC_NUMBER_SIZE];
    for (int k = -1; k < marks + 4; k++) {
        double weight = k < 0       ? f->pairs[i].edge
                        : k < marks ? pag->mark[MARKS[k]]
                                    : causes[k - marks];
        const char *name = k < 0 ? "edge" : k < marks ? dpc_mark_text(MARKS[k]) : CAUSES[k - marks];
        dpc_number_print(weight / f->total, text);
        if (json)
            fprintf(file, ", \"%s\": %s", name, text);
        else
            fprintf(file, ",%s", text);
    }
}

/* ---- All graphs ---- */

/* The table, each line behind a text. */
static dpc_status print_rows(FILE *file, const dpc_report *report, const char *before,
                             dpc_error *err)
{
    const dpc_frequencies *f = report->frequencies;
    if (f == NULL)
        return dpc_fail(err, DPC_USAGE, "there are no frequencies to write");
    fputs(before, file);
    if (f->pags != NULL)
        print_head(file, report);
    else
        fputs("from,to,edge,forward,backward,undirected\n", file);
    for (int64_t i = 0; i < f->n_pairs && !ferror(file); i++) {
        const dpc_frequency *pair = &f->pairs[i];
        fputs(before, file);
        dpc_print_field(file, report->names[pair->a]);
        putc(',', file);
        dpc_print_field(file, report->names[pair->b]);
        if (f->pags != NULL)
            print_pag_shares(file, report, i, false);
        else
            print_shares(file, f, pair, (const char *const[]){",", ",", ",", ","});
        putc('\n', file);
    }
    return DPC_OK;
}

dpc_status dpc_print_frequencies(FILE *file, const dpc_report *report, dpc_error *err)
{
    return print_rows(file, report, "", err);
}

dpc_status dpc_print_edges_and_frequencies(FILE *file, const dpc_report *report, dpc_error *err)
{
    DPC_CHECK(dpc_print_edges(file, report, err));
    fputs("# how often the resamples have each edge, and each direction:\n", file);
    return print_rows(file, report, "# ", err);
}

void dpc_print_json_frequencies(FILE *file, const dpc_report *report)
{
    static const char *const KEYS[] = {
        ", \"edge\": ", ", \"forward\": ", ", \"backward\": ", ", \"undirected\": "};
    const dpc_frequencies *f = report->frequencies;
    char text[DPC_NUMBER_SIZE];
    fprintf(file, ",\n  \"bootstrap\": {\n    \"resamples\": %d, \"asked\": %d, \"seed\": %llu, ",
            f->resamples, f->resampling.resamples, (unsigned long long)f->resampling.seed);
    dpc_number_print(f->resampling.subsample, text);
    fprintf(file, "\"subsample\": %s, ", f->resampling.subsample > 0 ? text : "null");
    dpc_number_print(report->min_frequency, text);
    fprintf(file, "\"min_frequency\": %s,\n", report->min_frequency > 0 ? text : "null");
    fprintf(file, "    \"rows\": %lld, \"constant\": %d,\n    \"frequencies\": [",
            (long long)f->rows, f->constant);
    for (int64_t i = 0; i < f->n_pairs && !ferror(file); i++) {
        const dpc_frequency *pair = &f->pairs[i];
        fputs(i > 0 ? ",\n      {\"from\": " : "\n      {\"from\": ", file);
        dpc_print_json_string(file, report->names[pair->a]);
        fputs(", \"to\": ", file);
        dpc_print_json_string(file, report->names[pair->b]);
        if (f->pags != NULL)
            print_pag_shares(file, report, i, true);
        else
            print_shares(file, f, pair, KEYS);
        putc('}', file);
    }
    fputs(f->n_pairs > 0 ? "\n    ]\n  }" : "]\n  }", file);
}

/* How often the resamples have the marks that the edge has. */
static void print_mark_share(FILE *file, const dpc_frequencies *f, const dpc_edge *edge)
{
    for (int64_t i = 0; i < f->n_pairs; i++)
        if (f->pairs[i].a == edge->a && f->pairs[i].b == edge->b)
            fprintf(file, " (%s %.2f)", dpc_mark_text(edge->mark),
                    f->pags[i].mark[edge->mark] / f->total);
}

/* A line as wide as the edge is sure. */
void dpc_print_dot_frequency(FILE *file, const dpc_report *report, const dpc_edge *edge)
{
    const dpc_frequencies *f = report->frequencies;
    dpc_frequency pair = dpc_frequency_of(f, edge->a, edge->b);
    fprintf(file, "label=\"%.2f", pair.edge / f->total);
    if (f->pags != NULL)
        print_mark_share(file, f, edge);
    else if (edge->mark != DPC_UNDIRECTED)
        fprintf(file, " (→ %.2f)",
                (edge->mark == DPC_FORWARD ? pair.forward : pair.backward) / f->total);
    fprintf(file, "\", penwidth=%.2f", 0.5 + 3.5 * pair.edge / f->total);
}
