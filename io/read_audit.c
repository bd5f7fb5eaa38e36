/*
 * What was seen while reading, in sentences: they name the column and the line. The order of the
 * findings, and the sentences that others have too, are those of core/data/audit.c.
 */
#include "audit.h"
#include "findings.h"
#include "read.h"
#include "status.h"
#include "table.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

dpc_status dpc_reader_refuse(dpc_audit *audit, const char *format, ...)
{
    char text[DPC_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    DPC_CHECK(dpc_findings_add(audit, DPC_ERROR, "%s", text));
    return DPC_BAD_INPUT;
}

dpc_status dpc_reader_refuse_quote(const dpc_reader *in, const char *quote, dpc_audit *audit)
{
    return dpc_reader_refuse(
        audit, "the quote that opens on line %lld is never closed; close or remove it",
        dpc_reader_line(in, quote));
}

const char *dpc_reader_label(const dpc_reader *in, int variable, char out[DPC_LABEL_SIZE])
{
    char clipped[DPC_CLIP_SIZE];
    const char *name = in->names[variable];
    if (*name == '\0' || (in->header == NULL && !in->options.transpose))
        snprintf(out, DPC_LABEL_SIZE, "column %d", variable + 1);
    else
        snprintf(out, DPC_LABEL_SIZE, "column '%s'", dpc_clip_name(name, clipped));
    return out;
}

/* "column 'x' on line 7": where the first of these cells is. */
static const char *where_is(const dpc_reader *in, const dpc_seen *seen, char out[DPC_WHERE_SIZE])
{
    char name[DPC_LABEL_SIZE];
    snprintf(out, DPC_WHERE_SIZE, "%s on line %lld", dpc_reader_label(in, seen->variable, name),
             dpc_reader_line(in, seen->first.text));
    return out;
}

/* ---- The header ---- */

/* What is wrong with a name; NULL: nothing that reading could tell. */
static const char *fault_of_name(const char *name)
{
    size_t left = strlen(name);
    while (left > 0) {
        int length = dpc_utf8_length(name, left);
        if (length == 0)
            return "is not UTF-8; save the file as UTF-8";
        if (dpc_is_control(name, length))
            return "holds a line break or another control character; rename it";
        name += length;
        left -= (size_t)length;
    }
    return NULL;
}

static dpc_status audit_names(const dpc_reader *in, const dpc_table *table, dpc_audit *audit)
{
    int found = 0;
    for (int j = 0; j < table->n_vars; j++) {
        const char *fault = fault_of_name(table->names[j]);
        if (fault != NULL && ++found <= DPC_MOST_NAMED)
            DPC_CHECK(dpc_findings_add(audit, DPC_ERROR, "the name of column %d %s", in->number[j],
                                       fault));
    }
    DPC_CHECK(dpc_findings_more(audit, DPC_ERROR, found, "such names"));
    return dpc_audit_names(table->names, table->n_vars, in->number, audit);
}

/* ---- The rows ---- */

static dpc_status audit_ragged(const dpc_reader *in, dpc_audit *audit)
{
    /* with row names outside the header, what most lines have is what is meant */
    const dpc_tally *t = &in->tally;
    bool alone = in->header == NULL || in->options.transpose;
    bool as_rows = alone || t->unlike_rows.count < t->unlike_header.count;
    const dpc_lines *ragged = as_rows ? &t->unlike_rows : &t->unlike_header;
    char has[48], expected[96], all[48] = "it";
    if (dpc_csv_at_end(*dpc_csv_over_blanks(ragged->first, in->delimiter)))
        snprintf(has, sizeof has, "is blank");
    else
        snprintf(has, sizeof has, "has %lld field%s", (long long)ragged->fields,
                 dpc_plural(ragged->fields));
    if (alone)
        snprintf(expected, sizeof expected, "the first line has %d", in->n_fields);
    else if (as_rows)
        snprintf(expected, sizeof expected, "the header has %d, or %d with the row names",
                 in->n_names, in->n_fields);
    else
        snprintf(expected, sizeof expected, "the header has %d", in->n_names);
    if (ragged->count > 1)
        snprintf(all, sizeof all, "all %lld such lines", (long long)ragged->count);
    return dpc_findings_add(audit, DPC_ERROR, "line %lld %s, %s; correct or remove %s",
                            dpc_reader_line(in, ragged->first), has, expected, all);
}

/* ---- Columns that are not numeric ---- */

/* Can the name stand in a list as it is? */
static bool is_simple(const char *name)
{
    char clipped[DPC_CLIP_SIZE];
    return *name != '\0' && name[strspn(name, "0123456789-")] != '\0' &&
           strpbrk(name, " ,;'\"*?[]\\$`!&|<>(){}#~\t") == NULL &&
           strcmp(dpc_clip_name(name, clipped), name) == 0;
}

const char *dpc_reader_typed(const dpc_reader *in, int variable, char out[DPC_CLIP_SIZE])
{
    if (is_simple(in->names[variable]))
        snprintf(out, DPC_CLIP_SIZE, "%s", in->names[variable]);
    else
        snprintf(out, DPC_CLIP_SIZE, "%d", variable + 1);
    return out;
}

static dpc_status audit_text_column(const dpc_reader *in, const dpc_seen *seen, dpc_audit *audit)
{
    bool all_text = dpc_reader_without_numbers(in, seen->variable) == DPC_LEFT_TEXT;
    char name[DPC_LABEL_SIZE], first[DPC_CLIP_SIZE], drop[DPC_CLIP_SIZE],
        advice[2 * DPC_CLIP_SIZE + 96];
    if (dpc_na_is_usual(seen->first.text, seen->first.length))
        snprintf(advice, sizeof advice, "if that is a missing value, name it in na (--na) too");
    else
        snprintf(advice, sizeof advice, "recode it, or leave it out with drop (--drop %s)%s",
                 dpc_reader_typed(in, seen->variable, drop),
                 all_text && !in->options.matrix ? " or drop_text (--drop-text)" : "");
    return dpc_findings_add(
        audit, DPC_ERROR, "%s is not numeric: %lld cell%s, %s'%s' on line %lld; %s",
        dpc_reader_label(in, seen->variable, name), (long long)seen->count, dpc_plural(seen->count),
        seen->count > 1 ? "the first " : "", dpc_csv_clip(&seen->first, first),
        dpc_reader_line(in, seen->first.text), advice);
}

/* Has it text that is none of its levels? */
static bool is_text(const dpc_reader *in, int64_t variable)
{
    return in->tally.text[variable].count > 0 && !dpc_reader_has_levels(in, variable);
}

/* The names of the columns, or their numbers and ranges of these, as --drop takes them. */
static void list_texts(const dpc_reader *in, int found, char *out, size_t size)
{
    bool names = found <= DPC_MOST_NAMED;
    size_t used = 0;
    for (int64_t v = 0; v < in->n_variables; v++)
        names = names && (!is_text(in, v) || is_simple(in->names[v]));
    for (int64_t v = 0; v < in->n_variables; v++) {
        if (!is_text(in, v))
            continue;
        int64_t last = v;
        while (!names && last + 1 < in->n_variables && is_text(in, last + 1))
            last++;
        char item[DPC_CLIP_SIZE + 24];
        if (names)
            snprintf(item, sizeof item, "%s", in->names[v]);
        else if (last > v)
            snprintf(item, sizeof item, "%lld-%lld", (long long)v + 1, (long long)last + 1);
        else
            snprintf(item, sizeof item, "%lld", (long long)v + 1);
        if (used + strlen(item) + 8 > size) { /* it is too long to be typed anyway */
            snprintf(out + used, size - used, ",…");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? "," : "", item);
        v = last;
    }
}

static dpc_status audit_text(const dpc_reader *in, dpc_audit *audit)
{
    char list[DPC_MESSAGE_SIZE], more[48] = "";
    int found = 0;
    for (int64_t v = 0; v < in->n_variables; v++)
        if (is_text(in, v) && ++found <= DPC_MOST_NAMED)
            DPC_CHECK(audit_text_column(in, &in->tally.text[v], audit));
    if (found < 2 || found == in->n_vars)
        return DPC_OK;
    if (found > DPC_MOST_NAMED)
        snprintf(more, sizeof more, "and %d more columns are not numeric; ",
                 found - DPC_MOST_NAMED);
    list_texts(in, found, list, sizeof list);
    return dpc_findings_add(audit, DPC_ERROR, "%sto leave out all %d: drop = %s (--drop %s)", more,
                            found, list, list);
}

/* ---- Numbers that contradict each other ---- */

/* "'3.1' in column 'b' on line 4 has", "2 numbers, the first … on line 4, have". */
static void tell_numbers(const dpc_reader *in, const dpc_seen *seen, char *out, size_t size)
{
    char first[DPC_CLIP_SIZE], where[DPC_WHERE_SIZE], many[48] = "";
    if (seen->count > 1)
        snprintf(many, sizeof many, "%lld numbers, the first ", (long long)seen->count);
    snprintf(out, size, "%s'%s' in %s%s", many, dpc_csv_clip(&seen->first, first),
             where_is(in, seen, where), seen->count > 1 ? ", have" : " has");
}

/* The fewer ones are the likelier slip, and come first. */
static dpc_status tell_contradiction(const dpc_reader *in, const dpc_seen *a, const char *what_a,
                                     const dpc_seen *b, const char *what_b, dpc_audit *audit)
{
    char some[DPC_WHERE_SIZE + 128], others[DPC_WHERE_SIZE + 128];
    if (b->count < a->count)
        return tell_contradiction(in, b, what_b, a, what_a, audit);
    tell_numbers(in, a, some, sizeof some);
    tell_numbers(in, b, others, sizeof others);
    return dpc_findings_add(audit, DPC_ERROR, "%s %s, but %s %s; write all numbers the same way",
                            some, what_a, others, what_b);
}

static dpc_status audit_spellings(const dpc_reader *in, dpc_audit *audit)
{
    int found = 0;
    if (in->spellings == NULL)
        return DPC_OK;
    bool points = in->points.count > 0;
    if (dpc_reader_commas_differ(in))
        DPC_CHECK(tell_contradiction(
            in, &in->commas, "a decimal comma", points ? &in->points : &in->groups,
            points ? "a decimal point" : "commas between thousands", audit));
    for (int64_t v = 0; v < in->n_variables; v++)
        if (dpc_reader_percents_differ(in, v) && ++found <= DPC_MOST_NAMED)
            DPC_CHECK(tell_contradiction(in, &in->spellings[v].percent, "a percent sign",
                                         &in->spellings[v].no_percent, "no percent sign", audit));
    return dpc_findings_more(audit, DPC_ERROR, found, "columns with some percent signs");
}

static dpc_status audit_inexact(const dpc_reader *in, dpc_audit *audit)
{
    char name[DPC_LABEL_SIZE], first[DPC_CLIP_SIZE];
    int found = 0;
    for (int64_t v = 0; v < in->n_variables; v++) {
        const dpc_seen *seen = &in->tally.inexact[v];
        if (seen->count > 0 && ++found <= DPC_MOST_NAMED)
            DPC_CHECK(dpc_findings_add(
                audit, DPC_WARNING,
                "%s has more digits than can be kept: %lld number%s beyond 2^53 %s rounded, %s'%s' "
                "on line %lld; subtract what they have in common",
                dpc_reader_label(in, (int)v, name), (long long)seen->count, dpc_plural(seen->count),
                seen->count == 1 ? "was" : "were", seen->count > 1 ? "the first " : "",
                dpc_csv_clip(&seen->first, first), dpc_reader_line(in, seen->first.text)));
    }
    return dpc_findings_more(audit, DPC_WARNING, found, "columns with such numbers");
}

/* ---- Missing and infinite cells ---- */

/* Missing cells of columns that have numbers too: others are told as what they are. */
static bool has_missing(const dpc_reader *in, int64_t variable)
{
    return in->tally.missing[variable].count > 0 && !is_text(in, variable);
}

int64_t dpc_reader_count_missing(const dpc_reader *in)
{
    int64_t count = 0;
    for (int64_t v = 0; v < in->n_variables; v++)
        count += has_missing(in, v) ? in->tally.missing[v].count : 0;
    return count;
}

int64_t dpc_reader_n_cells(const dpc_reader *in)
{
    return in->options.transpose ? dpc_reader_n_values(in)
                                 : in->n_rows - in->tally.unlike_rows.count;
}

/* The missing cell that comes first in the file; NULL: none is missing. */
static const dpc_seen *first_missing(const dpc_reader *in)
{
    const dpc_seen *first = NULL;
    for (int64_t v = 0; v < in->n_variables; v++) {
        const dpc_seen *seen = &in->tally.missing[v];
        if (has_missing(in, v) && (first == NULL || seen->first.text < first->first.text))
            first = seen;
    }
    return first;
}

void dpc_reader_list_words(const dpc_reader *in, uint64_t words, char *out, size_t size)
{
    size_t used = 0;
    for (int w = 0; w < DPC_NA_BITS && w < DPC_NA_FIRST + in->na.count; w++) {
        char word[DPC_CLIP_SIZE + 2];
        if ((words >> w & 1) == 0 || used + sizeof word + 8 > size)
            continue;
        words &= ~(UINT64_C(1) << w);
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 used == 0    ? ""
                                 : words == 0 ? " or "
                                              : ", ",
                                 dpc_na_told(&in->na, w, word));
    }
}

/* How many are missing in which columns, and the words that say so. */
static dpc_status audit_missing_columns(const dpc_reader *in, dpc_audit *audit)
{
    enum { ITEM = DPC_LABEL_SIZE + 128 };
    char list[DPC_MOST_NAMED * ITEM + 64], words[96], name[DPC_LABEL_SIZE];
    size_t used = 0;
    int found = 0;
    for (int64_t v = 0; v < in->n_variables; v++) {
        if (!has_missing(in, v) || ++found > DPC_MOST_NAMED)
            continue;
        dpc_reader_list_words(in, in->tally.words[v], words, sizeof words);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s %lld (%s)",
                                 found > 1 ? ", " : "", dpc_reader_label(in, (int)v, name),
                                 (long long)in->tally.missing[v].count, words);
    }
    if (found > DPC_MOST_NAMED)
        snprintf(list + used, sizeof list - used, " and %d more columns", found - DPC_MOST_NAMED);
    return found == 0 ? DPC_OK : dpc_findings_add(audit, DPC_WARNING, "missing cells: %s", list);
}

/* What to do about missing cells; beside categories they are not estimated. */
static const char *missing_advice(const dpc_reader *in)
{
    if (in->options.matrix)
        return "a matrix needs every cell";
    for (int64_t v = 0; v < in->n_variables; v++)
        if (dpc_reader_has_levels(in, v))
            return "use --missing rows, or impute them";
    return "use --missing em (recommended), --missing pairwise or --missing rows, or impute them";
}

static dpc_status audit_values(const dpc_reader *in, dpc_audit *audit)
{
    const dpc_seen *infinite = &in->tally.infinite;
    char where[DPC_WHERE_SIZE], first[DPC_CLIP_SIZE];
    int64_t missing = dpc_reader_count_missing(in);
    bool matrix = in->options.matrix;
    if (missing > 0 && (matrix || in->options.missing == DPC_MISSING_ERROR))
        DPC_CHECK(dpc_audit_missing(missing, where_is(in, first_missing(in), where),
                                    missing_advice(in), audit));
    if (missing > 0 && !matrix)
        DPC_CHECK(audit_missing_columns(in, audit));
    return infinite->count == 0
               ? DPC_OK
               : dpc_audit_infinite(infinite->count, dpc_csv_clip(&infinite->first, first),
                                    where_is(in, infinite, where), audit);
}

/* What a matrix must be, beyond a table. */
static dpc_status audit_matrix(const dpc_reader *in, dpc_audit *audit)
{
    int n_vars = in->n_fields - in->n_row_names - in->empty_fields;
    if (dpc_reader_in_other_order(in))
        DPC_CHECK(dpc_findings_add(audit, DPC_ERROR,
                                   "the rows of the matrix are in another order than its columns; "
                                   "sort them alike"));
    if (in->n_rows == n_vars || in->tally.unlike_rows.count > 0)
        return DPC_OK;
    return dpc_findings_add(
        audit, DPC_ERROR,
        "the matrix has %lld row%s and %d column%s; it must have as many rows as columns",
        (long long)in->n_rows, dpc_plural(in->n_rows), n_vars, dpc_plural(n_vars));
}

dpc_status dpc_reader_audit(const dpc_reader *in, const dpc_table *table, dpc_audit *audit)
{
    const dpc_tally *t = &in->tally;
    DPC_CHECK(audit_names(in, table, audit));
    if (t->unlike_rows.count > 0) {
        DPC_CHECK(audit_ragged(in, audit));
        /* where the row names were none, all columns were counted one off */
        if (t->unlike_rows.count >= t->unlike_header.count && in->first_name > 0)
            return DPC_OK;
    }
    DPC_CHECK(audit_text(in, audit));
    DPC_CHECK(dpc_reader_audit_levels(in, audit));
    DPC_CHECK(audit_spellings(in, audit));
    DPC_CHECK(audit_inexact(in, audit));
    DPC_CHECK(audit_values(in, audit));
    return in->options.matrix ? audit_matrix(in, audit) : DPC_OK;
}

dpc_status dpc_reader_audit_dropped(const dpc_reader *in, int64_t dropped, dpc_audit *audit)
{
    char where[DPC_WHERE_SIZE];
    where_is(in, first_missing(in), where);
    if (dropped == in->n_obs)
        return dpc_reader_refuse(
            audit,
            "every row has a missing cell, the first in %s: none is left; "
            "use --missing em (recommended) or --missing pairwise, or exclude the columns that "
            "have most of them with --drop",
            where);
    return dpc_findings_add(audit, DPC_WARNING,
                            "%lld of %lld rows were dropped for missing cells, the first in %s",
                            (long long)dropped, (long long)in->n_obs, where);
}
