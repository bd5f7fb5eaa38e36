/* The verdict as a member of the JSON object: what its lines are made of. */
#include "verdict.h"

#include <math.h>

static void write_count(FILE *file, const char *name, int64_t count)
{
    fprintf(file, ", \"%s\": %lld", name, (long long)count);
}

static void write_name(FILE *file, const char *key, const char *name)
{
    fprintf(file, "\"%s\": ", key);
    dpc_print_json_string(file, name);
}

static void write_columns(FILE *file, const dpc_report *report)
{
    const dpc_assumptions *a = report->assumptions;
    fputs(",\n      \"columns\": [", file);
    for (int j = 0; j < a->n_vars; j++) {
        const dpc_column_check *c = &a->columns[j];
        fputs(j > 0 ? ",\n        {" : "\n        {", file);
        write_name(file, "name", report->names[j]);
        dpc_print_json_value(file, "skewness", c->skewness);
        dpc_print_json_value(file, "kurtosis", c->kurtosis);
        fprintf(file, ", \"skewed\": %s, \"heavy_tails\": %s", c->skewed ? "true" : "false",
                c->heavy ? "true" : "false");
        write_count(file, "suspicious_zeros", c->zeros);
        dpc_print_json_value(file, "autocorrelation", c->lag);
        putc('}', file);
    }
    fputs("\n      ]", file);
}

static void write_assumptions(FILE *file, const dpc_report *report)
{
    const dpc_assumptions *a = report->assumptions;
    if (a == NULL)
        return;
    fprintf(file, ",\n    \"assumptions\": {\"skewed\": %d", a->skewed);
    write_count(file, "heavy_tails", a->heavy);
    write_count(file, "suspicious_zeros", a->zeros);
    write_count(file, "similar_rows", a->similar);
    fputs(",\n      \"curved\": [", file);
    for (int64_t i = 0; i < a->n_curves; i++) {
        fputs(i > 0 ? ", {" : "{", file);
        write_name(file, "from", report->names[a->curves[i].from]);
        fputs(", ", file);
        write_name(file, "to", report->names[a->curves[i].to]);
        dpc_print_json_value(file, "r", a->curves[i].r);
        dpc_print_json_value(file, "p", a->curves[i].p);
        putc('}', file);
    }
    putc(']', file);
    write_columns(file, report);
    putc('}', file);
}

static void write_advice(FILE *file, const dpc_report *report)
{
    static const char *const LIMITS[] = {"none", "few rows", "work", "skeleton", "columns"};
    static const char *const SIGNS[] = {"worse", "no better", "better"};
    const dpc_advice *advice = report->advice;
    if (advice == NULL)
        return;
    fprintf(file, ",\n    \"advice_limit\": \"%s\",\n    \"advice\": [", LIMITS[advice->limit]);
    for (int i = 0; i < advice->count; i++) {
        const dpc_alternative *a = &advice->items[i];
        fprintf(file, "%s{\"options\": \"%s\", \"advised\": %s", i > 0 ? ",\n      " : "\n      ",
                dpc_alternative_options(report, a->kind), i == advice->best ? "true" : "false");
        write_count(file, "edges", a->edges);
        write_count(file, "added", a->added);
        write_count(file, "removed", a->removed);
        write_count(file, "implied", a->tested);
        write_count(file, "contradicted", a->exceed);
        fprintf(file, ", \"held_out\": {\"verdict\": \"%s\", \"rows\": %lld",
                SIGNS[1 + dpc_alternative_sign(a)], (long long)a->held_out.rows);
        dpc_print_json_value(file, "now", a->held_out.first);
        dpc_print_json_value(file, "then", a->held_out.second);
        dpc_print_json_value(file, "gain", a->held_out.gain);
        dpc_print_json_value(file, "se", a->held_out.se);
        fputs("}}", file);
    }
    fputs(advice->count > 0 ? "\n    ]" : "]", file);
}

static void write_hidden(FILE *file, const dpc_report *report)
{
    const dpc_hidden_hint *hint = report->advice != NULL ? &report->advice->hidden : NULL;
    if (hint == NULL || isnan(hint->gain))
        return;
    fputs(",\n    \"hidden\": {\"options\": \"--latent search\", \"advised\": ", file);
    fputs(hint->a >= 0 ? "true, " : "false", file);
    if (hint->a >= 0) {
        write_name(file, "from", report->names[hint->a]);
        fputs(", ", file);
        write_name(file, "to", report->names[hint->b]);
        dpc_print_json_value(file, "lost", hint->lost);
    }
    dpc_print_json_value(file, "gain", hint->gain);
    putc('}', file);
}

void dpc_print_json_verdict(FILE *file, const dpc_report *report)
{
    static const char *const FITS[] = {"unknown", "good", "fair", "poor"};
    dpc_verdict_counts v = dpc_count_verdict(report);
    fprintf(file,
            ",\n  \"verdict\": {\n    \"edges\": %lld, \"directed\": %lld, \"undirected\": %lld",
            (long long)report->graph->n_edges, (long long)v.directed, (long long)v.undirected);
    if (report->fit != NULL) {
        fprintf(file, ",\n    \"fit\": \"%s\"", FITS[v.fit]);
        write_count(file, "implied", v.tested);
        write_count(file, "contradicted", v.exceed);
        dpc_print_json_value(file, "expected", v.expected);
    }
    fprintf(file, ",\n    \"arrows\": {\"strong\": %lld", (long long)v.strong);
    write_count(file, "weak", v.weak);
    write_count(file, "contradicted", v.against);
    write_count(file, "known", v.known);
    write_count(file, "unrated", v.unrated);
    if (v.doubtful >= 0)
        write_count(file, "doubtful", v.doubtful);
    putc('}', file);
    write_assumptions(file, report);
    write_advice(file, report);
    write_hidden(file, report);
    fputs("\n  }", file);
}
