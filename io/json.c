/* The whole report as JSON: settings, graph, counts, times; the larger parts have files of their
 * own. */
#include "write.h"

#include "alloc.h"
#include "number.h"
#include "platform.h"
#include "settings.h"
#include "status.h"
#include "text.h"
#include "verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In their order; but for the writing, which is going on. */
static const struct {
    dpc_stage stage;
    bool always; /* also where there was nothing to do */
} STAGES[] = {
    {DPC_STAGE_READ, true},     {DPC_STAGE_PREPARE, true},    {DPC_STAGE_CORRELATION, true},
    {DPC_STAGE_SKELETON, true}, {DPC_STAGE_ORIENT, true},     {DPC_STAGE_REFINE, false},
    {DPC_STAGE_HIDDEN, false},  {DPC_STAGE_BOOTSTRAP, false}, {DPC_STAGE_EXPLAIN, false},
    {DPC_STAGE_EFFECTS, false}, {DPC_STAGE_LAYOUT, false},    {DPC_STAGE_REPORT, false},
    {DPC_STAGE_SAMPLE, false},
};

/* ---- Values ---- */

/* A string; bytes that are not UTF-8 are taken as Latin-1, so that nothing is lost. */
/* With as few digits as give the same number again. */
void dpc_print_json_number(FILE *file, double value)
{
    char text[DPC_NUMBER_SIZE];
    if (isfinite(value))
        dpc_number_print(value, text);
    fputs(isfinite(value) ? text : "null", file);
}

void dpc_print_json_value(FILE *file, const char *name, double value)
{
    fprintf(file, ", \"%s\": ", name);
    dpc_print_json_number(file, value);
}

void dpc_print_json_names(FILE *file, const char *before, const char *const *names,
                          const int32_t *members, int count)
{
    fprintf(file, "%s[", before);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", file);
        dpc_print_json_string(file, names[members != NULL ? members[i] : i]);
    }
    putc(']', file);
}

static void write_named(FILE *file, const char *name, double value)
{
    fprintf(file, "\"%s\": ", name);
    dpc_print_json_number(file, value);
}

/* ---- Parts ---- */

/* One setting, by the row of its table; a word in the place of a number is null. */
static void write_setting(FILE *file, const dpc_option_row *row, const dpc_settings *s)
{
    char text[DPC_OPTION_SIZE];
    dpc_option_print(row, s, text);
    bool null = row->told.word != NULL && strcmp(text, row->told.word) == 0;
    putc('"', file);
    for (const char *c = row->told.name; *c != '\0'; c++)
        putc(*c == '-' ? '_' : *c, file);
    if (row->type == DPC_TYPE_BOOL)
        fprintf(file, "\": %s, ", *(const bool *)((const char *)s + row->place) ? "true" : "false");
    else
        fprintf(file, row->told.kind == DPC_OPTION_WORD ? "\": \"%s\", " : "\": %s, ",
                null ? "null" : text);
}

static void write_knowledge(FILE *file, const dpc_knowledge *knowledge)
{
    dpc_knowledge_counts c;
    if (knowledge == NULL)
        return;
    dpc_knowledge_count(knowledge, &c);
    fprintf(file, "\"knowledge\": {\"tiers\": %d, \"required\": %lld, \"forbidden\": %lld}, ",
            c.tiers, (long long)c.required, (long long)c.forbidden);
}

/* Is it not what it is by default? */
static bool is_changed(const dpc_option_row *row, const dpc_settings *s)
{
    char text[DPC_OPTION_SIZE], other[DPC_OPTION_SIZE];
    dpc_settings plain;
    dpc_settings_default(&plain);
    dpc_option_print(row, s, text);
    dpc_option_print(row, &plain, other);
    return strcmp(text, other) != 0;
}

static bool is_told(const dpc_option_row *row, const dpc_settings *s)
{
    switch (row->json) {
    case DPC_TELL_ALWAYS:
        return true;
    case DPC_TELL_WHERE_USED:
        return (row->told.methods >> s->method & 1) != 0;
    case DPC_TELL_CHANGED:
        return is_changed(row, s);
    default:
        return false;
    }
}

static void write_settings(FILE *file, const dpc_result *result)
{
    const dpc_settings *s = dpc_result_settings(result);
    int count;
    const dpc_option_row *rows = dpc_settings_rows(&count);
    fputs("  \"settings\": {", file);
    for (int i = 0; i < count; i++) {
        if (rows[i].place == offsetof(dpc_settings, orient)) /* its place, before the directions */
            write_knowledge(file, s->knowledge);
        if (is_told(&rows[i], s))
            write_setting(file, &rows[i], s);
    }
    fprintf(file, "\"version\": \"%s\"},\n", DPC_VERSION);
}

/* Those of a posterior that is all there is. */
static void write_sampling(FILE *file, const dpc_report *report)
{
    const dpc_settings *s = report->settings;
    int count;
    const dpc_option_row *rows = dpc_settings_rows(&count);
    fputs("  \"settings\": {", file);
    dpc_print_json_sampling(file, report);
    fputs(", ", file);
    if (s != NULL) {
        write_setting(file, dpc_option_find(rows, count, "normalize"), s);
        write_knowledge(file, s->knowledge);
    }
    fprintf(file, "\"version\": \"%s\"},\n", DPC_VERSION);
}

static void write_type(FILE *file, const dpc_report *report)
{
    bool dag = report->graph == report->dag, pag = dpc_report_is_pag(report);
    if (pag || report->result != NULL)
        fprintf(file, "  \"graph_type\": \"%s\",\n",
                pag   ? "pag"
                : dag ? "DAG"
                      : dpc_result_info(report->result)->type);
    else if (report->posterior != NULL)
        fprintf(file, "  \"graph_type\": \"%s\",\n", dag ? "DAG" : "CPDAG");
}

static void write_nodes(FILE *file, const dpc_report *report)
{
    int n = report->graph->n_nodes;
    fprintf(file, "  \"n_vars\": %d,\n", n);
    if (report->result != NULL)
        fprintf(file, "  \"n_obs\": %lld,\n", (long long)dpc_result_info(report->result)->n_obs);
    else if (report->posterior != NULL)
        fprintf(file, "  \"n_obs\": %lld,\n", (long long)report->posterior->n_obs);
    dpc_print_json_names(file, "  \"nodes\": ", report->names, NULL, n);
    fputs(",\n", file);
}

/* Of an arrow; what is known beforehand has no number, and says so. */
static void write_evidence(FILE *file, double evidence)
{
    dpc_print_json_value(file, "evidence", evidence);
    if (isinf(evidence))
        fputs(", \"known\": true", file);
}

void dpc_print_json_edge(FILE *file, const dpc_report *report, int64_t e, const char *from,
                         const char *to)
{
    const dpc_edge *edge = &report->graph->edges[e];
    fputs(e > 0 ? ",\n    {" : "\n    {", file);
    dpc_print_json_string(file, from);
    fputs(": ", file);
    dpc_print_json_string(file, report->names[dpc_edge_from(edge)]);
    fputs(", ", file);
    dpc_print_json_string(file, to);
    fputs(": ", file);
    dpc_print_json_string(file, report->names[dpc_edge_to(edge)]);
    fprintf(file, ", \"mark\": \"%s\"", dpc_mark_text(dpc_edge_mark(edge)));
}

static void write_edges(FILE *file, const dpc_report *report)
{
    static const char *const ENDS[] = {"", "circle", "arrow", "tail"}; /* by dpc_end */
    const dpc_graph *graph = report->graph;
    bool pag = dpc_report_is_pag(report);
    fputs("  \"edges\": [", file);
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
        const dpc_edge *edge = &graph->edges[e];
        dpc_print_json_edge(file, report, e, "from", "to");
        if (pag)
            fprintf(file, ", \"from_mark\": \"%s\", \"to_mark\": \"%s\"",
                    ENDS[dpc_end_a(dpc_edge_mark(edge))], ENDS[dpc_end_b(dpc_edge_mark(edge))]);
        if (report->result != NULL && edge->mark != DPC_UNDIRECTED)
            write_evidence(file, dpc_report_evidence(report, edge));
        if (report->frequencies != NULL && edge->mark != DPC_UNDIRECTED)
            fprintf(file, ", \"doubtful\": %s",
                    dpc_is_doubtful(report->frequencies, edge->a, edge->b, edge->mark) ? "true"
                                                                                       : "false");
        if (report->posterior != NULL)
            dpc_print_json_probability(file, report, edge);
        putc('}', file);
    }
    fputs(graph->n_edges > 0 ? "\n  ]" : "]", file);
}

/* The triples of a list; nothing where the rule makes no such list. */
static void write_triples(FILE *file, const char *name, const dpc_report *report,
                          const dpc_triple *triples, int64_t count)
{
    if (triples == NULL)
        return;
    fprintf(file, ",\n  \"%s\": [", name);
    for (int64_t i = 0; i < count && !ferror(file); i++) {
        const int32_t node[] = {triples[i].x, triples[i].y, triples[i].z};
        fputs(i > 0 ? ",\n    {" : "\n    {", file);
        for (int k = 0; k < 3; k++) {
            fprintf(file, "\"%c\": ", 'x' + k);
            dpc_print_json_string(file, report->names[node[k]]);
            fputs(", ", file);
        }
        fprintf(file, "\"collider\": %s, ", triples[i].collider ? "true" : "false");
        write_named(file, "evidence", triples[i].evidence);
        putc('}', file);
    }
    fputs(count > 0 ? "\n  ]" : "]", file);
}

static void write_levels(FILE *file, const dpc_info *info)
{
    fputs("    \"levels\": [", file);
    for (int i = 0; i < info->n_levels; i++)
        fprintf(file, "%s{\"tests\": %lld, \"removed\": %lld, \"left\": %lld}", i > 0 ? ", " : "",
                (long long)info->levels[i].tests, (long long)info->levels[i].removed,
                (long long)info->levels[i].left);
    fputs("],\n", file);
}

static void write_warnings(FILE *file, const dpc_audit *audit, const char *last)
{
    const char *before = "";
    fputs("    \"warnings\": [", file);
    for (int i = 0; audit != NULL && i < audit->count; i++) {
        fputs(before, file);
        dpc_print_json_string(file, audit->items[i].text);
        before = ", ";
    }
    if (last != NULL) {
        fputs(before, file);
        dpc_print_json_string(file, last);
    }
    fputs("],\n", file);
}

/* Where cells were missing, how many in each column. */
static void write_missing(FILE *file, const dpc_report *report)
{
    const char *before = "";
    if (report->missing == NULL)
        return;
    fputs("    \"missing\": {", file);
    for (int j = 0; j < dpc_result_info(report->result)->n_vars; j++) {
        if (report->missing[j] == 0)
            continue;
        fputs(before, file);
        dpc_print_json_string(file, report->names[j]);
        fprintf(file, ": %lld", (long long)report->missing[j]);
        before = ", ";
    }
    fputs("},\n", file);
}

/* Of the writing: what it has taken up to here. The stages add up to the total. */
static void write_seconds(FILE *file, const dpc_report *report, double start)
{
    const dpc_info *info = dpc_result_info(report->result);
    const double *seconds = report->seconds != NULL ? report->seconds : info->seconds;
    double writing = dpc_seconds() - start, total = writing;
    fputs("    \"seconds\": {", file);
    for (int i = 0; i < (int)(sizeof STAGES / sizeof *STAGES); i++) {
        dpc_stage stage = STAGES[i].stage;
        total += seconds[stage];
        if (STAGES[i].always || seconds[stage] > 0)
            fprintf(file, "\"%s\": %.6f, ", dpc_word(DPC_WORD_STAGE, stage), seconds[stage]);
    }
    fprintf(file, "\"write\": %.6f, \"total\": %.6f, \"levels\": [", writing, total);
    for (int i = 0; i < info->n_levels; i++)
        fprintf(file, "%s%.6f", i > 0 ? ", " : "", info->levels[i].seconds);
    fputs("]}\n", file);
}

/* What only the greedy search has. */
static void write_search(FILE *file, const dpc_info *info)
{
    fputs("    ", file);
    write_named(file, "score", info->score);
    fprintf(file, ",\n    \"steps\": {\"insert\": %lld, \"delete\": %lld, \"turn\": %lld},\n",
            (long long)info->steps[DPC_INSERT], (long long)info->steps[DPC_DELETE],
            (long long)info->steps[DPC_TURN]);
}

/* The columns that took no part in the tests. */
static void write_copies(FILE *file, const dpc_report *report)
{
    const dpc_info *info = dpc_result_info(report->result);
    const char *before = "    \"copies\": [";
    for (int j = 0; j < info->n_vars && info->copy_of != NULL; j++) {
        if (info->copy_of[j] < 0)
            continue;
        fprintf(file, "%s{\"column\": ", before);
        dpc_print_json_string(file, report->names[j]);
        fputs(", \"of\": ", file);
        dpc_print_json_string(file, report->names[info->copy_of[j]]);
        putc('}', file);
        before = ", ";
    }
    if (info->copy_of != NULL)
        fputs("],\n", file);
}

static void write_info(FILE *file, const dpc_report *report, double start)
{
    const dpc_info *info = dpc_result_info(report->result);
    fprintf(file, ",\n  \"info\": {\n    \"tests\": %lld,\n",
            (long long)(info->tests + info->scores)); /* one of them is 0 */
    if (dpc_result_settings(report->result)->method == DPC_GES)
        write_search(file, info);
    write_levels(file, info);
    fprintf(file,
            "    \"singular\": %lld,\n    \"singular_neighbourhoods\": %lld,\n"
            "    \"singular_tests\": %lld,\n    \"doubtful_tests\": %lld,\n",
            (long long)(info->singular_neighbourhoods + info->singular_tests),
            (long long)info->singular_neighbourhoods, (long long)info->singular_tests,
            (long long)info->doubtful_tests);
    write_copies(file, report);
    if (info->left_out > 0)
        fprintf(file, "    \"left_out\": %lld,\n", (long long)info->left_out);
    if (strcmp(info->type, "PAG") == 0)
        fprintf(file, "    \"repaired\": %s,\n    \"pdsep_given_up\": %lld,\n",
                info->repaired ? "true" : "false", (long long)info->pdsep_given_up);
    if (info->start_ended > 0)
        fprintf(file, "    \"start_ended\": %d,\n", info->start_ended);
    if (info->uncertain_tests > 0)
        fprintf(file, "    \"uncertain_tests\": %lld,\n", (long long)info->uncertain_tests);
    if (info->effective_rows < (double)info->n_obs)
        fprintf(file, "    \"effective_rows\": %.0f,\n", info->effective_rows);
    write_warnings(file, report->audit, info->warning);
    write_missing(file, report);
    write_seconds(file, report, start);
    fputs("  }", file);
}

/* The same text as dpc_methods_string gives. */
static dpc_status write_methods(FILE *file, const dpc_report *report, dpc_error *err)
{
    char *text = NULL;
    DPC_CHECK(dpc_methods_string(report, &text, NULL, err));
    fputs(",\n  \"methods\": ", file);
    dpc_print_json_string(file, text);
    dpc_string_free(text);
    return DPC_OK;
}

/* Where there was a time limit, or somebody has ended the run: was all done? */
static void write_complete(FILE *file, const dpc_report *report)
{
    const dpc_frequencies *f = report->frequencies;
    bool all = dpc_result_info(report->result)->complete && (f == NULL || f->complete) &&
               (report->posterior == NULL || report->posterior->complete);
    if (dpc_result_settings(report->result)->timeout != DPC_NO_TIMEOUT || !all)
        fprintf(file, ",\n  \"complete\": %s", all ? "true" : "false");
}

dpc_status dpc_print_json(FILE *file, const dpc_report *report, double start, dpc_error *err)
{
    dpc_status status = DPC_OK;
    bool learned = report->result != NULL;
    fputs("{\n", file);
    if (learned)
        write_settings(file, report->result);
    else if (report->posterior != NULL)
        write_sampling(file, report);
    write_type(file, report);
    write_nodes(file, report);
    dpc_print_json_variables(file, report);
    write_edges(file, report);
    if (learned && report->separating_sets)
        status = dpc_print_json_sets(file, report, DPC_SETS_WHOLE, err);
    if (learned) {
        if (report->min_frequency == 0) { /* of a consensus there are none */
            const dpc_info *info = dpc_result_info(report->result);
            write_triples(file, "conflicts", report, info->conflicts, info->n_conflicts);
            write_triples(file, "ambiguous", report, info->ambiguous, info->n_ambiguous);
        }
        if (report->explanations != NULL && status == DPC_OK)
            status = dpc_print_json_explanations(file, report, err);
        if (report->frequencies != NULL)
            dpc_print_json_frequencies(file, report);
        if (report->posterior != NULL && status == DPC_OK)
            status = dpc_print_json_posterior(file, report, err);
        if (dpc_result_info(report->result)->refined != NULL)
            dpc_print_json_refinement(file, report);
        if (dpc_result_info(report->result)->hidden != NULL)
            dpc_print_json_hidden(file, report);
        if (report->fit != NULL)
            dpc_print_json_fit(file, report);
        if (report->node_table != NULL)
            dpc_print_json_nodes(file, report);
        if (status == DPC_OK)
            status = write_methods(file, report, err);
        dpc_print_json_verdict(file, report);
        write_complete(file, report);
        write_info(file, report, start);
    } else if (report->posterior != NULL) {
        status = dpc_print_json_posterior(file, report, err);
    }
    fputs("\n}\n", file);
    return status;
}
