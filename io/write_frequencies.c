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

/* The table, each line behind a text. */
static dpc_status print_rows(FILE *file, const dpc_report *report, const char *before,
                             dpc_error *err)
{
    const dpc_frequencies *f = report->frequencies;
    if (f == NULL)
        return dpc_fail(err, DPC_USAGE, "there are no frequencies to write");
    fprintf(file, "%sfrom,to,edge,forward,backward,undirected\n", before);
    for (int64_t i = 0; i < f->n_pairs && !ferror(file); i++) {
        const dpc_frequency *pair = &f->pairs[i];
        fputs(before, file);
        dpc_print_field(file, report->names[pair->a]);
        putc(',', file);
        dpc_print_field(file, report->names[pair->b]);
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
        print_shares(file, f, pair, KEYS);
        putc('}', file);
    }
    fputs(f->n_pairs > 0 ? "\n    ]\n  }" : "]\n  }", file);
}

/* A line as wide as the edge is sure. */
void dpc_print_dot_frequency(FILE *file, const dpc_report *report, const dpc_edge *edge)
{
    const dpc_frequencies *f = report->frequencies;
    dpc_frequency pair = dpc_frequency_of(f, edge->a, edge->b);
    fprintf(file, "label=\"%.2f", pair.edge / f->total);
    if (edge->mark != DPC_UNDIRECTED)
        fprintf(file, " (→ %.2f)",
                (edge->mark == DPC_FORWARD ? pair.forward : pair.backward) / f->total);
    fprintf(file, "\", penwidth=%.2f", 0.5 + 3.5 * pair.edge / f->total);
}
