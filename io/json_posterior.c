/*
 * A posterior as JSON: the members of an object of its own (dualpc sample), and the same as one
 * member of a result (dualpc learn --posterior).
 *
 * Of the draws there are sums: the mean, spread and range of the score and the number of edges of
 * each chain. The draws themselves are lines of another file.
 */
#include "write.h"

#include "alloc.h"
#include "number.h"
#include "status.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

/* An object that is being written, `depth` blanks from the left. */
typedef struct object {
    FILE *file;
    const dpc_report *report;
    const dpc_posterior *posterior;
    int depth;
} object;

/* The name of the next member, behind another one. */
static void begin(const object *o, const char *name)
{
    fprintf(o->file, ",\n%*s\"%s\": ", o->depth, "", name);
}

static void write_number(const object *o, const char *name, double value)
{
    begin(o, name);
    dpc_print_json_number(o->file, value);
}

/* The beginning and the end of a list with a line for each item. */
static void next_item(const object *o, int64_t i)
{
    fprintf(o->file, "%s\n%*s  ", i > 0 ? "," : "", o->depth, "");
}

static void end_list(const object *o, int64_t count)
{
    if (count > 0)
        fprintf(o->file, "\n%*s", o->depth, "");
    putc(']', o->file);
}

static void write_two(const object *o, const char *first, int a, const char *second, int b)
{
    fprintf(o->file, "{\"%s\": ", first);
    dpc_print_json_string(o->file, o->report->names[a]);
    fprintf(o->file, ", \"%s\": ", second);
    dpc_print_json_string(o->file, o->report->names[b]);
}

/* ---- Settings ---- */

void dpc_print_json_sampling(FILE *file, const dpc_report *report)
{
    const dpc_posterior *p = report->posterior;
    const dpc_sampling *s = &p->sampling;
    fprintf(file, "\"score\": \"%s\", \"prior\": \"%s\"", dpc_word(DPC_WORD_SCORE, (int)s->score),
            dpc_word(DPC_WORD_PRIOR, (int)s->prior));
    dpc_print_json_value(file, "edge_probability",
                         s->prior == DPC_PRIOR_EDGE ? s->edge_probability : NAN);
    fprintf(file,
            ", \"candidates\": %d, \"resamples\": %d, \"chains\": %d, \"draws\": %d, \"thin\": %d, "
            "\"seed\": %llu",
            s->candidates, s->resamples, s->chains, s->draws, s->thin, (unsigned long long)p->seed);
    dpc_print_json_value(file, "min_probability",
                         report->min_probability > 0 ? report->min_probability : NAN);
}

/* R-hat; null where nothing varies, and a very large number where chains differ but do not vary. */
static double shown_rhat(double rhat)
{
    const double very_large = 1e300;
    return isinf(rhat) ? very_large : rhat;
}

/* ---- Pairs and effects ---- */

static void write_probabilities(const object *o)
{
    const dpc_posterior *p = o->posterior;
    begin(o, "probabilities");
    putc('[', o->file);
    for (int64_t i = 0; i < p->n_pairs && !ferror(o->file); i++) {
        const dpc_probability *pair = &p->pairs[i];
        next_item(o, i);
        write_two(o, "a", pair->a, "b", pair->b);
        dpc_print_json_value(o->file, "forward", pair->forward);
        dpc_print_json_value(o->file, "backward", pair->backward);
        dpc_print_json_value(o->file, "edge", pair->forward + pair->backward);
        dpc_print_json_value(o->file, "ancestor", pair->ancestor);
        dpc_print_json_value(o->file, "descendant", pair->descendant);
        dpc_print_json_value(o->file, "se", pair->se);
        dpc_print_json_value(o->file, "rhat", shown_rhat(pair->rhat));
        dpc_print_json_value(o->file, "ess", pair->ess);
        putc('}', o->file);
    }
    end_list(o, p->n_pairs);
}

static void write_effects(const object *o)
{
    const dpc_posterior *p = o->posterior;
    if (p->n_effects == 0)
        return;
    begin(o, "effects");
    putc('[', o->file);
    for (int64_t i = 0; i < p->n_effects && !ferror(o->file); i++) {
        const dpc_posterior_effect *e = &p->effects[i];
        next_item(o, i);
        write_two(o, "cause", e->cause, "outcome", e->outcome);
        dpc_print_json_value(o->file, "mean", e->mean);
        dpc_print_json_value(o->file, "sd", e->sd);
        dpc_print_json_value(o->file, "low", e->low);
        dpc_print_json_value(o->file, "high", e->high);
        dpc_print_json_value(o->file, "nonzero", e->nonzero);
        putc('}', o->file);
    }
    end_list(o, p->n_effects);
}

/* ---- Draws ---- */

/* Mean, spread and range of one chain. */
typedef struct trace {
    double mean, sd, low, high, edges;
} trace;

static trace trace_of(const dpc_posterior *p, int chain)
{
    const double *scores = p->scores + (int64_t)chain * p->draws;
    const int32_t *edges = p->n_edges + (int64_t)chain * p->draws;
    trace t = {.low = INFINITY, .high = -INFINITY};
    for (int i = 0; i < p->draws; i++) {
        t.mean += scores[i];
        t.edges += edges[i];
        t.low = fmin(t.low, scores[i]);
        t.high = fmax(t.high, scores[i]);
    }
    t.mean /= p->draws;
    t.edges /= p->draws;
    for (int i = 0; i < p->draws; i++)
        t.sd += (scores[i] - t.mean) * (scores[i] - t.mean);
    t.sd = p->draws > 1 ? sqrt(t.sd / (p->draws - 1)) : NAN;
    return t;
}

static void write_chains(const object *o)
{
    const dpc_posterior *p = o->posterior;
    begin(o, "chains");
    putc('[', o->file);
    for (int c = 0; c < p->chains; c++) {
        trace t = trace_of(p, c);
        next_item(o, c);
        fprintf(o->file, "{\"chain\": %d, \"draws\": %d", c + 1, p->draws);
        dpc_print_json_value(o->file, "mean_score", t.mean);
        dpc_print_json_value(o->file, "sd_score", t.sd);
        dpc_print_json_value(o->file, "min_score", t.low);
        dpc_print_json_value(o->file, "max_score", t.high);
        dpc_print_json_value(o->file, "mean_edges", t.edges);
        putc('}', o->file);
    }
    end_list(o, p->chains);
}

static int by_number(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

dpc_status dpc_count_edges(const dpc_posterior *p, dpc_edge_count *out, dpc_error *err)
{
    int64_t count = (int64_t)p->chains * p->draws;
    int32_t *sorted = dpc_alloc(count + 1, sizeof *sorted);
    if (sorted == NULL)
        return dpc_fail_memory(err, "the number of edges");
    *out = (dpc_edge_count){0};
    for (int64_t i = 0; i < count; i++) {
        sorted[i] = p->n_edges[i];
        out->mean += sorted[i];
    }
    if (count > 0) {
        out->mean /= (double)count;
        qsort(sorted, (size_t)count, sizeof *sorted, by_number);
        out->low = sorted[(int64_t)(0.025 * (double)(count - 1))];
        out->high = sorted[(int64_t)ceil(0.975 * (double)(count - 1))];
    }
    free(sorted);
    return DPC_OK;
}

static dpc_status write_counts(const object *o, dpc_error *err)
{
    dpc_edge_count c;
    DPC_CHECK(dpc_count_edges(o->posterior, &c, err));
    begin(o, "n_edges");
    fputs("{\"mean\": ", o->file);
    dpc_print_json_number(o->file, c.mean);
    fprintf(o->file, ", \"low\": %d, \"high\": %d}", c.low, c.high);
    return DPC_OK;
}

static void write_best(const object *o)
{
    const dpc_posterior *p = o->posterior;
    if (p->best == NULL)
        return;
    begin(o, "best");
    fputs("{\"score\": ", o->file);
    dpc_print_json_number(o->file, p->best_score);
    fputs(", \"edges\": ", o->file);
    dpc_print_json_arrows(o->file, o->report->names, p->best);
    putc('}', o->file);
}

/* ---- How far to trust it ---- */

static void write_diagnostics(const object *o)
{
    const dpc_posterior *p = o->posterior;
    write_number(o, "rhat", shown_rhat(p->rhat));
    write_number(o, "ess", p->ess);
    begin(o, "diagnostics");
    fputs("{\"score_rhat\": ", o->file);
    dpc_print_json_number(o->file, shown_rhat(p->score_rhat));
    dpc_print_json_value(o->file, "score_ess", p->score_ess);
    dpc_print_json_value(o->file, "worst_chain", p->worst_chain);
    dpc_print_json_value(o->file, "refined_score", p->refined_score);
    if (p->outside_parent >= 0) {
        fputs(", \"outside\": ", o->file);
        write_two(o, "parent", p->outside_parent, "child", p->outside_child);
        dpc_print_json_value(o->file, "probability", p->outside);
        putc('}', o->file);
    }
    if (p->least_variable >= 0) {
        fputs(", \"least_variance\": {\"variable\": ", o->file);
        dpc_print_json_string(o->file, o->report->names[p->least_variable]);
        dpc_print_json_value(o->file, "share", p->least_variance);
        putc('}', o->file);
    }
    fprintf(o->file, ", \"exact\": %s, \"moves\": %lld, \"log_moves\": %lld, \"restarted\": %d}",
            p->exact ? "true" : "false", (long long)p->moves, (long long)p->log_moves, p->annealed);
}

/* What was noticed of the data, where this object is all there is, and of the posterior. */
static dpc_status write_warnings(const object *o, bool whole, dpc_error *err)
{
    dpc_audit own = {0};
    const dpc_audit *lists[] = {whole ? o->report->audit : NULL, &own};
    const char *before = "";
    dpc_status status = dpc_posterior_warnings(o->posterior, o->report->names, &own, err);
    begin(o, "warnings");
    putc('[', o->file);
    for (int k = 0; k < 2; k++)
        for (int i = 0; lists[k] != NULL && i < lists[k]->count; i++) {
            fputs(before, o->file);
            dpc_print_json_string(o->file, lists[k]->items[i].text);
            before = ", ";
        }
    putc(']', o->file);
    dpc_audit_clear(&own);
    return status;
}

static void write_seconds(const object *o)
{
    const dpc_posterior *p = o->posterior;
    begin(o, "seconds");
    fprintf(o->file,
            "{\"candidates\": %.6f, \"tables\": %.6f, \"start\": %.6f, \"draws\": %.6f, "
            "\"total\": %.6f}",
            p->seconds_candidates, p->seconds_tables, p->seconds_start, p->seconds_draws,
            p->seconds);
}

/* ---- The whole ---- */

static dpc_status write_members(const object *o, bool whole, dpc_error *err)
{
    write_probabilities(o);
    write_effects(o);
    DPC_CHECK(write_counts(o, err));
    write_best(o);
    write_chains(o);
    write_diagnostics(o);
    begin(o, "complete");
    fputs(o->posterior->complete ? "true" : "false", o->file);
    DPC_CHECK(write_warnings(o, whole, err));
    write_seconds(o);
    return DPC_OK;
}

dpc_status dpc_print_json_posterior(FILE *file, const dpc_report *report, dpc_error *err)
{
    bool whole = report->result == NULL;
    const object o = {file, report, report->posterior, whole ? 2 : 4};
    if (whole)
        return write_members(&o, true, err);
    fputs(",\n  \"posterior\": {\n    \"settings\": {", file);
    dpc_print_json_sampling(file, report);
    putc('}', file);
    DPC_CHECK(write_members(&o, false, err));
    fputs("\n  }", file);
    return DPC_OK;
}
