/*
 * Possible effects for people. Asked about outcomes alone, or about causes alone, the text says
 * what may affect an outcome, or what a cause may affect, in sentences, largest first; a table of
 * the same pairs follows. Otherwise it is a table of all pairs. An effect that is 0 by the graph
 * has the reason in the place of its set.
 */
#include "write.h"

#include "alloc.h"
#include "status.h"
#include "text.h"

#include <math.h>
#include <string.h>

/* A pair, and by what it is sorted. */
typedef struct listed {
    int64_t pair;
    int32_t about;  /* the variable that the question is about; 0 where there is none */
    double rank[3]; /* NaN: -1; each decides where those before it are the same */
    dpc_effect_pair has;
} listed;

typedef struct printed {
    FILE *file;
    const dpc_report *report;
    dpc_effect_table_info info;
    bool asks_causes;   /* what may affect an outcome? */
    bool asks_outcomes; /* what may a cause affect? */
    listed *list;       /* owned */
    int64_t count;
} printed;

/* ---- Which pairs ---- */

static int by_size(const void *left, const void *right)
{
    const listed *a = left, *b = right;
    if (a->about != b->about)
        return a->about < b->about ? -1 : 1;
    for (int i = 0; i < 3; i++)
        if (a->rank[i] != b->rank[i])
            return a->rank[i] > b->rank[i] ? -1 : 1;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

static double or_last(double value)
{
    return isnan(value) ? -1 : value;
}

/* All pairs; of a question those with a possibly directed path, largest first. */
static dpc_status list_pairs(printed *p, dpc_error *err)
{
    const dpc_effect_table *t = p->report->effects;
    bool asks = p->asks_causes || p->asks_outcomes;
    p->list = dpc_alloc(p->info.n_pairs, sizeof *p->list);
    if (p->list == NULL)
        return dpc_fail_memory(err, "the effects");
    for (int64_t i = 0; i < p->info.n_pairs; i++) {
        dpc_effect_pair has = dpc_effect_table_pair(t, i);
        double median = dpc_effect_table_spread(t, i).min_abs;
        if (asks && !has.possible)
            continue;
        p->list[p->count++] = (listed){
            .pair = i,
            .about = p->asks_causes     ? has.outcome
                     : p->asks_outcomes ? has.cause
                                        : 0,
            .rank = {or_last(p->info.resampled ? median : has.min_abs), or_last(has.min_abs),
                     or_last(has.max_abs)},
            .has = has,
        };
    }
    if (asks)
        qsort(p->list, (size_t)p->count, sizeof *p->list, by_size);
    return DPC_OK;
}

static const char *clip_level(const printed *p, int variable, int level, char *clipped)
{
    char number[DPC_LEVEL_SIZE];
    return dpc_clip_name(dpc_level_name(p->report, variable, level, number), clipped);
}

/* ---- Sentences ---- */

/* "0.5", or "0.5 to 0.7". */
static void print_range(FILE *file, double low, double high)
{
    fprintf(file, low != high ? "%.4g to %.4g" : "%.4g", low, high);
}

/* The range of the estimates of a pair and of their intervals, and whether it may be 0 too. */
static void print_values(const printed *p, const listed *l)
{
    double range[2] = {INFINITY, -INFINITY}, within[2] = {INFINITY, -INFINITY};
    int estimates = 0;
    for (int k = 0; k < l->has.count; k++) {
        dpc_effect e = dpc_effect_table_at(p->report->effects, l->pair, k);
        double value = p->info.units ? e.effect : e.standardised;
        if (!e.possible)
            continue;
        estimates++;
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
        within[0] = fmin(within[0], e.low);
        within[1] = fmax(within[1], e.high);
    }
    print_range(p->file, range[0], range[1]);
    fputs(p->info.units || l->has.level >= 0 ? "" : " standard deviations", p->file);
    if (within[0] <= within[1]) {
        fputs(estimates > 1 ? " (95 % intervals from " : " (95 % interval ", p->file);
        print_range(p->file, within[0], within[1]);
        putc(')', p->file);
    }
    if (!l->has.identified)
        fprintf(p->file, "%s: the graph leaves %d cases open",
                estimates < l->has.count ? ", or not at all" : "", l->has.count);
    else if (estimates > 1)
        fprintf(p->file, ": %d estimates of one effect", estimates);
}

/* What resamples say, which know that the graph is an estimate too. */
static void print_resampled(const printed *p, const listed *l)
{
    const dpc_effect_spread spread = dpc_effect_table_spread(p->report->effects, l->pair);
    if (spread.resamples == 0)
        return;
    fputs("; in 95 % of the resamples by ", p->file);
    print_range(p->file, spread.low, spread.high);
}

/* "One more unit of X changes Y by", or with the levels of one that is nominal. */
static void print_change(const printed *p, const dpc_effect_pair *pair, const char *cause,
                         const char *outcome)
{
    char level[DPC_CLIP_SIZE], other[DPC_CLIP_SIZE];
    if (pair->contrast >= 0)
        fprintf(p->file, "  %s = %s instead of %s changes ", cause,
                clip_level(p, pair->cause, pair->contrast, level),
                clip_level(p, pair->cause, pair->baseline, other));
    else
        fprintf(p->file, "  One more %s of %s changes ",
                p->info.units ? "unit" : "standard deviation", cause);
    if (pair->level >= 0)
        fprintf(p->file, "the share of %s = %s by ", outcome,
                clip_level(p, pair->outcome, pair->level, level));
    else
        fprintf(p->file, "%s by ", outcome);
}

static void print_sentence(const printed *p, const listed *l)
{
    char cause[DPC_CLIP_SIZE], outcome[DPC_CLIP_SIZE];
    dpc_clip_name(p->report->names[l->has.cause], cause);
    dpc_clip_name(p->report->names[l->has.outcome], outcome);
    if (isnan(l->has.min_abs)) {
        fprintf(p->file, "  The effect of %s on %s cannot be estimated: no variance is left\n",
                cause, outcome);
        return;
    }
    print_change(p, &l->has, cause, outcome);
    print_values(p, l);
    print_resampled(p, l);
    putc('\n', p->file);
}

/* How many of the other variables are an answer, of which so many are listed. */
static void print_heading(const printed *p, const char *name, int64_t possible, int64_t shown)
{
    int others = p->report->graph->n_nodes - 1 - p->info.left_out;
    if (possible == 0) {
        fprintf(p->file,
                p->asks_causes ? "Nothing affects %s: no possibly directed path leads to it.\n"
                               : "%s affects nothing: no possibly directed path leads from it.\n",
                name);
        return;
    }
    fprintf(p->file, p->asks_causes ? "What may affect %s: " : "What %s may affect: ", name);
    fprintf(p->file, "%lld of the other %d variable%s", (long long)possible, others,
            others == 1 ? "" : "s");
    if (shown < possible)
        fprintf(p->file, " (%lld listed)", (long long)shown);
    putc('\n', p->file);
}

static void print_section(const printed *p, int about, const listed *first, int64_t shown,
                          int64_t impossible)
{
    char name[DPC_CLIP_SIZE];
    int64_t possible = p->report->graph->n_nodes - 1 - p->info.left_out - impossible;
    print_heading(p, dpc_clip_name(p->report->names[about], name), possible, shown);
    for (int64_t i = 0; i < shown; i++)
        print_sentence(p, &first[i]);
    if (impossible > 0 && possible > 0)
        fprintf(p->file,
                p->asks_causes
                    ? "The graph has no possibly directed path from the other %lld to %s: the "
                      "effect is 0.\n"
                    : "The graph has no possibly directed path to the other %lld from %s: the "
                      "effect is 0.\n",
                (long long)impossible, name);
}

/* A section for each variable that was asked about. */
static void print_answers(const printed *p)
{
    const listed *next = p->list, *end = p->list + p->count;
    int sections = 0;
    for (int v = 0; v < p->report->graph->n_nodes; v++) {
        const listed *first = next;
        while (next < end && next->about == v)
            next++;
        int64_t impossible = dpc_effect_table_impossible(
            p->report->effects, p->asks_causes ? -1 : v, p->asks_causes ? v : -1);
        if (next == first && impossible == 0)
            continue;
        fputs(sections++ > 0 ? "\n" : "", p->file);
        print_section(p, v, first, next - first, impossible);
    }
}

/* ---- The table ---- */

/* A variable by its name; a nominal one with its level, and what that is compared with. */
enum { TERM_SIZE = 3 * DPC_CLIP_SIZE + 16 };
static const char *term_of(const printed *p, const dpc_effect_pair *pair, bool cause, char *text)
{
    char name[DPC_CLIP_SIZE], level[DPC_CLIP_SIZE], other[DPC_CLIP_SIZE];
    int variable = cause ? pair->cause : pair->outcome;
    int which = cause ? pair->contrast : pair->level;
    dpc_clip_name(p->report->names[variable], name);
    if (which < 0)
        snprintf(text, TERM_SIZE, "%s", name);
    else if (cause)
        snprintf(text, TERM_SIZE, "%s = %s vs %s", name, clip_level(p, variable, which, level),
                 clip_level(p, variable, pair->baseline, other));
    else
        snprintf(text, TERM_SIZE, "%s = %s", name, clip_level(p, variable, which, level));
    return text;
}

static void print_short(FILE *file, double value)
{
    if (isnan(value))
        fprintf(file, "%11s", "-");
    else
        fprintf(file, "%11.4g", value);
}

static void widest(const printed *p, int width[2])
{
    char text[TERM_SIZE];
    width[0] = (int)strlen("cause");
    width[1] = (int)strlen("outcome");
    for (int64_t i = 0; i < p->count; i++)
        for (int k = 0; k < 2; k++) {
            int w = dpc_text_width(term_of(p, &p->list[i].has, k == 0, text));
            width[k] = w > width[k] ? w : width[k];
        }
}

static void print_set(const printed *p, const char *before, const dpc_effect *e)
{
    char clipped[DPC_CLIP_SIZE];
    for (int i = 0; i < e->size; i++)
        fprintf(p->file, "%s%s", i > 0 ? ", " : before,
                dpc_clip_name(p->report->names[e->set[i]], clipped));
}

/* Why an effect is 0. The parents of the case are told where they are the set. */
static void print_reason(const printed *p, const dpc_effect_pair *pair, const dpc_effect *e)
{
    char cause[DPC_CLIP_SIZE], outcome[DPC_CLIP_SIZE];
    dpc_clip_name(p->report->names[pair->cause], cause);
    dpc_clip_name(p->report->names[pair->outcome], outcome);
    fprintf(p->file,
            pair->possible ? "  0: no directed path leads from %s to %s"
                           : "  0: the graph has no possibly directed path from %s to %s",
            cause, outcome);
    if (!pair->possible)
        return;
    if (p->info.ida == DPC_IDA_OPTIMAL) {
        fputs(" in this case", p->file);
        return;
    }
    fprintf(p->file, " if %s has ", cause);
    print_set(p, e->size == 1 ? "the parent " : "the parents ", e);
    fputs(e->size == 0 ? "no parents" : "", p->file);
}

/* One line for each effect; what belongs to the pair stands in the first. */
static void print_line(const printed *p, const listed *l, const dpc_effect *e, bool first,
                       const int width[2])
{
    const dpc_effect_spread spread = dpc_effect_table_spread(p->report->effects, l->pair);
    char text[TERM_SIZE];
    dpc_print_padded(p->file, first ? term_of(p, &l->has, true, text) : "", width[0]);
    dpc_print_padded(p->file, first ? term_of(p, &l->has, false, text) : "", width[1]);
    fprintf(p->file, "%-10s", !first ? "" : l->has.identified ? "yes" : "no");
    if (first)
        print_short(p->file, l->has.min_abs);
    else
        fprintf(p->file, "%11s", "");
    if (p->info.units)
        print_short(p->file, e->effect);
    print_short(p->file, e->standardised);
    print_short(p->file, e->se);
    print_short(p->file, e->low);
    print_short(p->file, e->high);
    for (int i = 0; i < 3 && p->info.resampled && !first; i++)
        fprintf(p->file, "%11s", "");
    if (p->info.resampled && first) {
        print_short(p->file, spread.low);
        print_short(p->file, spread.high);
        print_short(p->file, spread.rank);
    }
    if (!e->possible)
        print_reason(p, &l->has, e);
    else
        print_set(p, "  ", e);
    putc('\n', p->file);
}

static void print_table(const printed *p)
{
    int width[2];
    widest(p, width);
    dpc_print_padded(p->file, "cause", width[0]);
    dpc_print_padded(p->file, "outcome", width[1]);
    fprintf(p->file, "%-10s%11s%s%11s%11s%11s%11s%s  %s\n", "identified", "smallest",
            p->info.units ? "     effect" : "", p->info.units ? "standard." : "effect", "se", "low",
            "high", p->info.resampled ? "   boot low  boot high  boot rank" : "", "adjusted for");
    for (int64_t i = 0; i < p->count && !ferror(p->file); i++)
        for (int k = 0; k < p->list[i].has.count; k++) {
            dpc_effect e = dpc_effect_table_at(p->report->effects, p->list[i].pair, k);
            print_line(p, &p->list[i], &e, k == 0, width);
        }
}

dpc_status dpc_print_effects_text(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_effect_table_info info = *dpc_effect_table_about(report->effects);
    bool asks = info.ida != DPC_IDA_PCALG && info.all_causes != info.all_outcomes;
    printed p = {.file = file,
                 .report = report,
                 .info = info,
                 .asks_causes = asks && info.all_causes,
                 .asks_outcomes = asks && info.all_outcomes};
    DPC_CHECK(list_pairs(&p, err));
    if (asks)
        print_answers(&p);
    if (asks && p.count > 0)
        putc('\n', file);
    if (!asks || p.count > 0)
        print_table(&p);
    free(p.list);
    return DPC_OK;
}
