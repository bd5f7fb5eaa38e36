/*
 * The effects of every variable on every other, where the report has them: as a member of the
 * object of the page,
 *
 *     "effects": {"units": true, "rows": [[cause, outcome, identified, least,
 *                 [[effect, low, high], …], count], …], "complete": true}
 *
 * Where the cause or the outcome is nominal, a row goes on with contrast, baseline and level, each
 * the number of a level in the `variables` of the JSON, or -1.
 *
 * Pairs without a possibly directed path, whose effect is 0, are left out, and of many possible
 * effects of one pair only the first are told. It is complete if no other pairs are left out.
 */
#include "report.h"

#include "write.h"

#include <math.h>

enum {
    MOST_EFFECTS = 6,    /* of one pair */
    MOST_PAIRS = 100000, /* in all: about 6 MB */
};

static void print_number(FILE *file, const char *before, double value)
{
    fputs(before, file);
    fprintf(file, isfinite(value) ? "%.4g" : "null", value);
}

static void print_pair(FILE *file, const dpc_effect_table *table, int64_t i, bool first)
{
    dpc_effect_pair pair = dpc_effect_table_pair(table, i);
    bool units = dpc_effect_table_about(table)->units;
    fprintf(file, "%s[%d,%d,%d", first ? "\n" : ",\n", pair.cause, pair.outcome, pair.identified);
    print_number(file, ",", pair.min_abs);
    for (int k = 0; k < pair.count && k < MOST_EFFECTS; k++) {
        dpc_effect e = dpc_effect_table_at(table, i, k);
        print_number(file, k > 0 ? ",[" : ",[[", units ? e.effect : e.standardised);
        print_number(file, ",", e.low);
        print_number(file, ",", e.high);
        putc(']', file);
    }
    fprintf(file, "],%d", pair.count);
    if (pair.contrast >= 0 || pair.level >= 0)
        fprintf(file, ",%d,%d,%d", pair.contrast, pair.baseline, pair.level);
    putc(']', file);
}

static void print_table(FILE *file, const dpc_effect_table *table)
{
    int64_t told = 0, i = 0;
    fprintf(file, ",\"effects\":{\"units\":%s,\"rows\":[",
            dpc_effect_table_about(table)->units ? "true" : "false");
    for (; i < dpc_effect_table_about(table)->n_pairs && told < MOST_PAIRS; i++)
        if (dpc_effect_table_pair(table, i).possible)
            print_pair(file, table, i, told++ == 0);
    fprintf(file, "],\"complete\":%s}",
            i == dpc_effect_table_about(table)->n_pairs ? "true" : "false");
}

void dpc_report_effects(FILE *file, const dpc_report *report)
{
    if (report->effects != NULL)
        print_table(file, report->effects);
}
