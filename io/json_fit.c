/* How well the graph fits, as a member of the JSON object. */
#include "write.h"

static void write_count(FILE *file, const char *name, int64_t count)
{
    fprintf(file, ", \"%s\": %lld", name, (long long)count);
}

static void write_largest(FILE *file, const dpc_report *report, const dpc_implied *pair)
{
    fputs("{\"a\": ", file);
    dpc_print_json_string(file, report->names[pair->a]);
    fputs(", \"b\": ", file);
    dpc_print_json_string(file, report->names[pair->b]);
    dpc_print_json_names(file, ", \"set\": ", report->names, pair->set, pair->size);
    dpc_print_json_value(file, "r", pair->r);
    dpc_print_json_value(file, "z", pair->z);
    dpc_print_json_value(file, "p", pair->p);
    putc('}', file);
}

void dpc_print_json_fit(FILE *file, const dpc_report *report)
{
    const dpc_goodness *g = report->fit;
    fputs(",\n  \"fit\": {\n    \"log_likelihood\": ", file);
    dpc_print_json_number(file, g->log_likelihood);
    dpc_print_json_value(file, "bic", g->bic);
    write_count(file, "parameters", g->parameters);
    fprintf(file, ",\n    \"standardised\": %s, \"dag\": \"%s\"",
            g->standardised ? "true" : "false", g->forced ? "forced" : "member");
    write_count(file, "determined", g->determined);
    fprintf(file, ",\n    \"implied\": %lld", (long long)g->implied);
    write_count(file, "untested", g->untested);
    write_count(file, "exceed", g->exceed);
    if (g->close_calls >= 0)
        write_count(file, "close_calls", g->close_calls);
    fputs(",\n    \"largest\": [", file);
    for (int i = 0; i < g->n_largest; i++) {
        fputs(i > 0 ? ",\n      " : "\n      ", file);
        write_largest(file, report, &g->largest[i]);
    }
    fputs(g->n_largest > 0 ? "\n    ]\n  }" : "]\n  }", file);
}
