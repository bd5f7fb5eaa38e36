/*
 * Columns that are left out once their cells are known: those whose every cell is missing, and,
 * where drop_text asks for it, those of text. A column that has a number is none of them: a text
 * among its numbers stays an error.
 */
#include "alloc.h"
#include "findings.h"
#include "read.h"
#include "status.h"
#include "table.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dpc_left_out dpc_reader_without_numbers(const dpc_reader *in, int64_t variable)
{
    int64_t text = in->tally.text[variable].count, missing = in->tally.missing[variable].count;
    if (text + missing == 0 || text + missing < dpc_reader_n_cells(in))
        return DPC_LEFT_NOTHING;
    return text > 0 ? DPC_LEFT_TEXT : DPC_LEFT_EMPTY;
}

/* Was it said what its texts are? */
static bool is_wanted(const dpc_reader *in, int64_t variable)
{
    dpc_taken_as said = dpc_reader_said(in, variable);
    return said == DPC_TAKEN_NOMINAL || said == DPC_TAKEN_ORDERED;
}

/* Closes the gaps that the columns without a place have left. */
static void close_gaps(dpc_reader *in, dpc_table *table)
{
    int kept = 0;
    for (int j = 0; j < table->n_vars; j++) {
        int64_t v = in->number[j] - 1;
        if (in->place[v] < 0) {
            free(table->names[j]);
            continue;
        }
        in->place[v] = kept;
        in->number[kept] = in->number[j];
        table->names[kept] = table->names[j];
        if (kept < j && in->values != NULL)
            memcpy(table->values + kept * table->n_obs, table->values + j * table->n_obs,
                   (size_t)table->n_obs * sizeof *table->values);
        kept++;
    }
    in->n_vars = table->n_vars = kept;
}

/* Columns whose every cell is missing, each with a sentence. */
static dpc_status tell_empty(const dpc_reader *in, const dpc_left_out *left, dpc_audit *audit)
{
    int found = 0;
    char name[DPC_LABEL_SIZE], words[96];
    for (int64_t v = 0; v < in->n_variables; v++)
        if (left[v] == DPC_LEFT_EMPTY && ++found <= DPC_MOST_NAMED) {
            dpc_reader_list_words(in, in->tally.words[v], words, sizeof words);
            DPC_CHECK(dpc_findings_add(audit, DPC_WARNING,
                                       "%s has no numbers, every cell is missing (%s); it was left "
                                       "out",
                                       dpc_reader_label(in, (int)v, name), words));
        }
    return dpc_findings_more(audit, DPC_WARNING, found, "such columns were left out");
}

/* Columns of text, in one sentence. */
static dpc_status tell_text(const dpc_reader *in, const dpc_left_out *left, dpc_audit *audit)
{
    char list[DPC_MOST_NAMED * DPC_LABEL_SIZE + 64], name[DPC_LABEL_SIZE];
    size_t used = 0;
    int found = 0;
    for (int64_t v = 0; v < in->n_variables; v++)
        if (left[v] == DPC_LEFT_TEXT && ++found <= DPC_MOST_NAMED) {
            const char *label = dpc_reader_label(in, (int)v, name) + strlen("column ");
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", found > 1 ? ", " : "",
                                     label);
        }
    if (found > DPC_MOST_NAMED)
        snprintf(list + used, sizeof list - used, " and %d more", found - DPC_MOST_NAMED);
    if (found == 0)
        return DPC_OK;
    return dpc_findings_add(audit, DPC_WARNING, "%d text column%s left out: %s", found,
                            found == 1 ? " was" : "s were", list);
}

/* The variable is none any more, and nothing is told of its cells. */
static void forget(dpc_reader *in, int64_t variable)
{
    in->place[variable] = -1;
    in->tally.text[variable] = in->tally.missing[variable] = (dpc_seen){0};
    in->tally.words[variable] = 0;
}

static dpc_status leave_out(dpc_reader *in, dpc_left_out *left, dpc_table *table, dpc_audit *audit)
{
    int found = 0;
    for (int j = 0; j < in->n_vars; j++) {
        int64_t v = in->number[j] - 1;
        dpc_left_out what = dpc_reader_without_numbers(in, v);
        if (what == DPC_LEFT_EMPTY ||
            (what == DPC_LEFT_TEXT && in->options.drop_text && !is_wanted(in, v))) {
            left[v] = what;
            found++;
        }
    }
    if (found == in->n_vars)
        return dpc_reader_refuse(
            audit, in->options.drop_text ? "no column has numbers: there is nothing to learn from"
                                         : "no column has numbers, every cell is missing");
    DPC_CHECK(tell_empty(in, left, audit));
    DPC_CHECK(tell_text(in, left, audit));
    for (int64_t v = 0; v < in->n_variables; v++)
        if (left[v] != DPC_LEFT_NOTHING)
            forget(in, v);
    if (found > 0)
        close_gaps(in, table);
    return DPC_OK;
}

dpc_status dpc_reader_leave_out(dpc_reader *in, dpc_table *table, dpc_audit *audit)
{
    if (in->options.matrix || in->tally.unlike_rows.count > 0)
        return DPC_OK;
    dpc_left_out *left = dpc_zalloc(in->n_variables, sizeof *left);
    dpc_status status = left != NULL ? leave_out(in, left, table, audit) : DPC_NO_MEMORY;
    free(left);
    return status;
}
