/*
 * Possible effects as CSV with a row for each effect, and as JSON with an object for each pair.
 * Those for people are in write_effects_text.c.
 */
#include "write.h"

#include "alloc.h"
#include "number.h"
#include "status.h"
#include "text.h"

#include <math.h>
#include <string.h>

/* ---- CSV ---- */

static void print_cell(FILE *file, double value)
{
    char text[DPC_NUMBER_SIZE];
    putc(',', file);
    if (isfinite(value)) {
        dpc_number_print(value, text);
        fputs(text, file);
    }
}

/* The names of a set with ; between them, as one field; `text` has room for all names. */
static void print_members(FILE *file, const dpc_effect *e, const char *const *names, char *text)
{
    char *at = text;
    for (int i = 0; i < e->size; i++) {
        size_t length = strlen(names[e->set[i]]);
        if (i > 0)
            *at++ = ';';
        memcpy(at, names[e->set[i]], length);
        at += length;
    }
    *at = '\0';
    putc(',', file);
    if (e->size > 0 && strpbrk(text, "\",\n\r\t") == NULL)
        fputs(text, file); /* ; alone needs no quotes here */
    else if (e->size > 0)
        dpc_print_field(file, text);
}

static void print_spread(FILE *file, const dpc_report *r, int64_t pair)
{
    dpc_effect_spread spread = dpc_effect_table_spread(r->effects, pair);
    print_cell(file, spread.low);
    print_cell(file, spread.high);
    print_cell(file, spread.min_abs);
    print_cell(file, spread.rank);
}

/* The level of a variable by its name; nothing of a number. */
static void print_level(FILE *file, const dpc_report *r, int variable, int level)
{
    char number[DPC_LEVEL_SIZE];
    putc(',', file);
    if (level >= 0)
        dpc_print_field(file, dpc_level_name(r, variable, level, number));
}

static void print_csv(FILE *file, const dpc_report *r, char *text)
{
    fputs("cause,outcome,identified,count,min_abs,effect,standardised,se,low,high,set", file);
    const dpc_effect_table_info *about = dpc_effect_table_about(r->effects);
    fputs(about->resampled ? ",boot_low,boot_high,boot_min_abs,boot_rank" : "", file);
    fputs(about->levels ? ",contrast,baseline,level\n" : "\n", file);
    for (int64_t i = 0; i < about->n_pairs && !ferror(file); i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(r->effects, i);
        for (int k = 0; k < pair.count; k++) {
            dpc_effect e = dpc_effect_table_at(r->effects, i, k);
            dpc_print_field(file, r->names[pair.cause]);
            putc(',', file);
            dpc_print_field(file, r->names[pair.outcome]);
            fprintf(file, ",%s,%d", pair.identified ? "true" : "false", pair.count);
            const double values[] = {pair.min_abs, e.effect, e.standardised, e.se, e.low, e.high};
            for (size_t v = 0; v < sizeof values / sizeof *values; v++)
                print_cell(file, values[v]);
            print_members(file, &e, r->names, text);
            if (about->resampled)
                print_spread(file, r, i);
            if (about->levels) {
                print_level(file, r, pair.cause, pair.contrast);
                print_level(file, r, pair.cause, pair.baseline);
                print_level(file, r, pair.outcome, pair.level);
            }
            putc('\n', file);
        }
    }
}

/* ---- JSON ---- */

static void print_json_effect(FILE *file, const dpc_effect *e, const char *const *names)
{
    fputs("{\"effect\": ", file);
    dpc_print_json_number(file, e->effect);
    dpc_print_json_value(file, "standardised", e->standardised);
    dpc_print_json_value(file, "se", e->se);
    dpc_print_json_value(file, "low", e->low);
    dpc_print_json_value(file, "high", e->high);
    fputs(", ", file);
    dpc_print_json_names(file, "\"set\": ", names, e->set, e->size);
    putc('}', file);
}

static void print_json_spread(FILE *file, const dpc_report *r, int64_t pair)
{
    dpc_effect_spread spread = dpc_effect_table_spread(r->effects, pair);
    fprintf(file, ", \"bootstrap\": {\"resamples\": %d", spread.resamples);
    dpc_print_json_value(file, "low", spread.low);
    dpc_print_json_value(file, "high", spread.high);
    dpc_print_json_value(file, "min_abs", spread.min_abs);
    dpc_print_json_value(file, "rank", spread.rank);
    putc('}', file);
}

static void print_json_level(FILE *file, const dpc_report *r, const char *name, int variable,
                             int level)
{
    char number[DPC_LEVEL_SIZE];
    if (level < 0)
        return;
    fprintf(file, ", \"%s\": ", name);
    dpc_print_json_string(file, dpc_level_name(r, variable, level, number));
}

static void print_json(FILE *file, const dpc_report *r)
{
    int64_t pairs = dpc_effect_table_about(r->effects)->n_pairs;
    putc('[', file);
    for (int64_t i = 0; i < pairs && !ferror(file); i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(r->effects, i);
        fputs(i > 0 ? ",\n  {\"cause\": " : "\n  {\"cause\": ", file);
        dpc_print_json_string(file, r->names[pair.cause]);
        fputs(", \"outcome\": ", file);
        dpc_print_json_string(file, r->names[pair.outcome]);
        print_json_level(file, r, "contrast", pair.cause, pair.contrast);
        print_json_level(file, r, "baseline", pair.cause, pair.baseline);
        print_json_level(file, r, "level", pair.outcome, pair.level);
        fprintf(file, ", \"identified\": %s, \"possible\": %s", pair.identified ? "true" : "false",
                pair.possible ? "true" : "false");
        dpc_print_json_value(file, "min_abs", pair.min_abs);
        dpc_print_json_value(file, "max_abs", pair.max_abs);
        if (dpc_effect_table_about(r->effects)->resampled)
            print_json_spread(file, r, i);
        fputs(", \"effects\": [", file);
        for (int k = 0; k < pair.count; k++) {
            dpc_effect e = dpc_effect_table_at(r->effects, i, k);
            fputs(k > 0 ? ",\n    " : "\n    ", file);
            print_json_effect(file, &e, r->names);
        }
        fputs("]}", file);
    }
    fputs(pairs > 0 ? "\n]\n" : "]\n", file);
}

/* ---- All of them ---- */

dpc_status dpc_print_effects(FILE *file, const dpc_printing *printing, dpc_error *err)
{
    const dpc_report *r = printing->what;
    int64_t room = 1;
    dpc_status status = DPC_OK;
    if (r->effects == NULL)
        return dpc_fail(err, DPC_USAGE, "there are no effects to write");
    if (printing->format != DPC_FORMAT_JSON && printing->format != DPC_FORMAT_ADJACENCY &&
        printing->format != DPC_FORMAT_EDGES)
        return dpc_fail(err, DPC_USAGE, "effects are written as .csv, .json or .txt, not as '%s'",
                        printing->path != NULL ? printing->path
                                               : dpc_format_word((dpc_format)printing->format));
    for (int v = 0; v < r->graph->n_nodes; v++)
        room += (int64_t)strlen(r->names[v]) + 1;
    char *text = dpc_alloc(room, 1);
    if (text == NULL)
        return dpc_fail_memory(err, "a row of the effects");
    if (printing->format == DPC_FORMAT_JSON)
        print_json(file, r);
    else if (printing->format == DPC_FORMAT_ADJACENCY)
        print_csv(file, r, text);
    else
        status = dpc_print_effects_text(file, r, err);
    free(text);
    return status;
}
