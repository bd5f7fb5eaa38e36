/* The options that say how to read the data, of every command that reads some. */
#include "alloc.h"
#include "cli.h"
#include "status.h"
#include "words.h"

#include <stdlib.h>

dpc_status append_text(const char ***list, int *count, const char *text, dpc_error *err)
{
    const char **longer = dpc_regrow(*list, *count + INT64_C(1), sizeof *longer);
    if (longer == NULL)
        return dpc_fail_memory(err, "the options");
    *list = longer;
    longer[(*count)++] = text;
    return DPC_OK;
}

static dpc_status take_na(const char *list, void *into, dpc_error *err)
{
    reading *r = into;
    return append_text(&r->na, &r->n_na, list, err);
}

static dpc_status take_keep(const char *list, void *into, dpc_error *err)
{
    reading *r = into;
    return append_text(&r->keep, &r->n_keep, list, err);
}

static dpc_status take_drop(const char *list, void *into, dpc_error *err)
{
    reading *r = into;
    return append_text(&r->drop, &r->n_drop, list, err);
}

static dpc_status take_types(const char *list, void *into, dpc_error *err)
{
    reading *r = into;
    return append_text(&r->types, &r->n_types, list, err);
}

static const dpc_option_row ROWS[] = {
    {{"missing", DPC_OPTION_WORD, .words = dpc_missing_words,
      .sentence =
          "missing cells: stop, drop their rows, or estimate from the cells that are there"},
     DPC_PLACE(ENUM, reading, missing)},
    {{"na", DPC_OPTION_TEXT, "LIST",
      .sentence = "cells that are missing, besides empty ones and NaN; a number means its value"},
     DPC_TYPE_OWN,
     .absent = "NA,N/A,.,?,*,null,None,#N/A",
     .take = take_na},
    {{"keep", DPC_OPTION_TEXT, "LIST",
      .sentence = "only these columns: names, numbers, ranges such as 3-7, patterns such as "
                  "'gene*'; repeatable"},
     DPC_TYPE_OWN,
     .absent = "all",
     .take = take_keep},
    {{"drop", DPC_OPTION_TEXT, "LIST", .sentence = "not these columns; repeatable"},
     DPC_TYPE_OWN,
     .absent = "none",
     .take = take_drop},
    {{"drop-text", DPC_OPTION_FLAG,
      .sentence = "leave out the columns that have text and no numbers"},
     DPC_PLACE(BOOL, reading, drop_text)},
    {{"types", DPC_OPTION_TEXT, "LIST|FILE",
      .sentence =
          "kinds of columns: name=number, ordered, nominal or zero, name=block(a,b,c); or a "
          "file with one name,kind a line; repeatable"},
     DPC_TYPE_OWN,
     .absent = "text is nominal",
     .take = take_types},
    {{"max-levels", DPC_OPTION_COUNT, "K", .range = "[0,1000000]",
      .sentence = "columns of whole numbers with at most K different values are nominal; 0: off"},
     DPC_PLACE(INT, reading, max_levels)},
    {{"merge-rare", DPC_OPTION_COUNT, "K", .range = "[0,2147483647]",
      .sentence = "merge the levels seen fewer than K times into one level 'other'; 0: off"},
     DPC_PLACE(INT, reading, merge_rare)},
    {{"no-header", DPC_OPTION_FLAG,
      .sentence = "the first line is a row; the columns are called V1, V2, ..."},
     DPC_PLACE(BOOL, reading, no_header)},
    {{"transpose", DPC_OPTION_FLAG,
      .sentence = "each line is a variable, and begins with its name"},
     DPC_PLACE(BOOL, reading, transpose)},
    {{"correlation", DPC_OPTION_FLAG,
      .sentence = "DATA is a correlation or covariance matrix; needs --samples"},
     DPC_PLACE(BOOL, reading, correlation)},
    {{"samples", DPC_OPTION_COUNT, "N", .range = "[1,9000000000000000]",
      .sentence = "the number of observations behind the matrix"},
     DPC_PLACE(INT64, reading, samples),
     .absent = ""},
};

option_group reading_group(reading *into)
{
    return (option_group){.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = into};
}

void reading_free(reading *r)
{
    free(r->na);
    free(r->keep);
    free(r->drop);
    free(r->types);
    r->na = r->keep = r->drop = r->types = NULL;
}

dpc_status reading_check(const reading *r, dpc_error *err)
{
    const char *wrong = NULL;
    if (!r->correlation && r->samples != 0)
        wrong = "--samples goes with --correlation; a table has as many observations as rows";
    else if (r->correlation && r->missing != DPC_MISSING_ERROR)
        wrong = "--missing needs the table, not its correlation matrix";
    else if (r->correlation && r->drop_text)
        wrong = "--drop-text needs the table, not its correlation matrix";
    else if (r->correlation && r->n_types > 0)
        wrong = "--types needs the table, not its correlation matrix";
    else if (r->correlation && (r->max_levels > 0 || r->merge_rare > 0))
        wrong = r->max_levels > 0 ? "--max-levels needs the table, not its correlation matrix"
                                  : "--merge-rare needs the table, not its correlation matrix";
    else if (r->correlation && r->transpose)
        wrong = "--transpose needs the table, not its correlation matrix";
    return wrong != NULL ? dpc_fail(err, DPC_USAGE, "%s", wrong) : DPC_OK;
}

dpc_status read_data(const char *path, reading *r, const dpc_settings *settings, dpc_audit *audit,
                     dpc_table **out, dpc_error *err)
{
    const dpc_read_options options = {
        .size = sizeof options,
        .missing = r->missing,
        .matrix = r->correlation,
        .no_header = r->no_header,
        .transpose = r->transpose,
        .na = r->na,
        .n_na = r->n_na,
        .keep = r->keep,
        .n_keep = r->n_keep,
        .drop = r->drop,
        .n_drop = r->n_drop,
        .drop_text = r->drop_text,
        .types = r->types,
        .n_types = r->n_types,
        .max_levels = r->max_levels,
        .merge_rare = r->merge_rare,
    };
    int64_t told;
    dpc_status status = dpc_data_read(path, &options, settings, audit, out, &told, err);
    if (status != DPC_OK)
        return status;
    if (told < 0 && r->samples == 0) {
        dpc_table_free(*out);
        *out = NULL;
        return dpc_fail(err, DPC_USAGE,
                        "--correlation also needs --samples N, the number of observations behind "
                        "the matrix");
    }
    r->correlation = told != 0;
    if (r->samples == 0)
        r->samples = told;
    return DPC_OK;
}
