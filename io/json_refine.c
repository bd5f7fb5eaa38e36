/* What refinement and the search for hidden causes have done, as members of the report in JSON. */
#include "write.h"

static void write_change(FILE *file, const dpc_report *report, const dpc_change *change)
{
    fputs("{\"a\": ", file);
    dpc_print_json_string(file, report->names[change->a]);
    fputs(", \"b\": ", file);
    dpc_print_json_string(file, report->names[change->b]);
    fprintf(file, ", \"change\": \"%s\", \"before\": \"%s\", \"after\": \"%s\"",
            dpc_word(DPC_WORD_CHANGE, change->kind), dpc_mark_text(change->before),
            dpc_mark_text(change->after));
    dpc_print_json_value(file, "gain", change->gain);
    putc('}', file);
}

void dpc_print_json_refinement(FILE *file, const dpc_report *report)
{
    const dpc_refined *r = dpc_result_info(report->result)->refined;
    const dpc_settings *s = dpc_result_settings(report->result);
    fprintf(file, ",\n  \"refine\": {\n    \"search\": \"%s\", \"seed\": %llu, \"restarts\": %d",
            dpc_word(DPC_WORD_REFINEMENT, s->refine), (unsigned long long)s->seed, r->restarts);
    dpc_print_json_value(file, "price", r->price);
    dpc_print_json_value(file, "score_before", r->score_before);
    dpc_print_json_value(file, "score_after", r->score_after);
    fprintf(file,
            ", \"complete\": %s, \"optimality\": \"%s\", \"doubt\": \"%s\",\n    \"changes\": [",
            r->complete ? "true" : "false", dpc_word(DPC_WORD_OPTIMALITY, r->optimality),
            dpc_word(DPC_WORD_DOUBT, r->doubt));
    for (int64_t i = 0; i < r->n_changes && !ferror(file); i++) {
        fputs(i > 0 ? ",\n      " : "\n      ", file);
        write_change(file, report, &r->changes[i]);
    }
    fputs(r->n_changes > 0 ? "\n    ]\n  }" : "]\n  }", file);
}

/* The MAG as it was found; its PAG has the edges of the report. */
void dpc_print_json_hidden(FILE *file, const dpc_report *report)
{
    const dpc_hidden_search *h = dpc_result_info(report->result)->hidden;
    fprintf(file, ",\n  \"hidden\": {\n    \"tries\": %lld, \"kept\": %lld", (long long)h->tries,
            (long long)h->kept);
    dpc_print_json_value(file, "price", h->price);
    dpc_print_json_value(file, "hidden_price", h->hidden_price);
    dpc_print_json_value(file, "score_before", h->score_before);
    dpc_print_json_value(file, "score_after", h->score_after);
    fprintf(file, ", \"complete\": %s,\n    \"mag\": [", h->complete ? "true" : "false");
    for (int64_t e = 0; e < h->mag->n_edges && !ferror(file); e++) {
        const dpc_edge *edge = &h->mag->edges[e];
        fputs(e > 0 ? ",\n      {\"from\": " : "\n      {\"from\": ", file);
        dpc_print_json_string(file, report->names[dpc_edge_from(edge)]);
        fputs(", \"to\": ", file);
        dpc_print_json_string(file, report->names[dpc_edge_to(edge)]);
        fprintf(file, ", \"mark\": \"%s\"}", dpc_mark_text(dpc_edge_mark(edge)));
    }
    fputs(h->mag->n_edges > 0 ? "\n    ]\n  }" : "]\n  }", file);
}
