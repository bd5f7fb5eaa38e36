/*
 * The state of one reading, shared by its files:
 *
 *     read_table.c     the way through: bytes, lines, layout, table
 *     read_text.c      from bytes to a text, and which of its lines is the header
 *     read_lines.c     which lines are rows: not comments, not blank ones
 *     read_layout.c    which field of a row is what: row names, values, nothing
 *     read_row_names.c whether the first fields are row names, and which
 *     read_columns.c   the names of the variables, and which of them are wanted
 *     read_rows.c      where the rows are, and their cells into the columns
 *     read_spelling.c  numbers with a decimal comma, percent signs and the like
 *     read_leave_out.c columns without numbers, which are left out
 *     read_types.c     what the caller says of the kinds of columns
 *     read_levels.c    columns of text as categories: their levels, and what is none
 *     read_kinds.c     the kinds of the variables of the table, and its blocks
 *     read_dates.c     what looks like a date
 *     read_audit.c     what was seen, in sentences; read_notes.c: how the file was taken apart
 *
 * A *field* is a cell of a line, counted from the start of the line. A *variable* is a field, or,
 * where the table is transposed, a row. It has a column in the table, unless it is left out.
 */
#ifndef DPC_READ_H
#define DPC_READ_H

#include "arena.h"
#include "crew.h"
#include "csv.h"
#include "dualpc_io.h"
#include "missing.h"
#include "names.h"
#include "number.h"

/* Consecutive rows, about a megabyte of them: what is parsed between two polls. */
typedef struct dpc_chunk {
    const char *begin;
    int64_t row; /* the number of its first row */
} dpc_chunk;

/* Cells of one kind: how many, and the first. */
typedef struct dpc_seen {
    int64_t count;
    dpc_cell first;
    int variable; /* of the first */
} dpc_seen;

/* Lines of one kind: how many, and the first. */
typedef struct dpc_lines {
    int64_t count;
    const char *first;
    int64_t fields; /* of the first, where that matters */
} dpc_lines;

/* Lines that are no rows. */
typedef struct dpc_passed {
    dpc_lines comments, blank;
} dpc_passed;

/*
 * What is not a plain number, in a range of rows. Ranges read apart are joined by adding the
 * counts and keeping the first that comes first in the text.
 */
typedef struct dpc_tally {
    dpc_lines unlike_header; /* not as many fields as the header */
    dpc_lines unlike_rows;   /* not as many as `n_fields` of the reader */
    dpc_seen infinite;
    dpc_seen *text;    /* by variable; owned */
    dpc_seen *odd;     /* by variable, behind those: numbers in another spelling */
    dpc_seen *inexact; /* by variable, behind those: numbers whose digits a double cannot hold */
    dpc_seen *missing; /* by variable, behind those */
    uint64_t *words;   /* by variable: which words were missing values; owned */
} dpc_tally;

dpc_status dpc_tally_init(dpc_tally *tally, int64_t n_variables);
void dpc_tally_clear(dpc_tally *tally);

/* Count one more: a cell of that variable, a line of that many fields. */
void dpc_seen_add(dpc_seen *seen, const dpc_cell *cell, int64_t variable);
void dpc_lines_add(dpc_lines *lines, const char *line, int64_t fields);

/* How numbers were spelled, of those variables that were made plain. */
typedef enum dpc_spelled {
    DPC_SPELLED_COMMA = 1,   /* 1,5 */
    DPC_SPELLED_GROUPS = 2,  /* 1,234,567 */
    DPC_SPELLED_PERCENT = 4, /* 12% */
    DPC_SPELLED_FORTRAN = 8, /* 1.5D+03 */
} dpc_spelled;

/* The spellings of the numbers of a variable. */
typedef struct dpc_spelling {
    dpc_seen percent, no_percent;
    int64_t commas, fortran;
    unsigned as; /* dpc_spelled: how they were made plain; 0: they were not */
} dpc_spelling;

/* What is said of a column, or found in it. */
typedef enum dpc_taken_as {
    DPC_TAKEN_BY_CELLS, /* nothing is said */
    DPC_TAKEN_NUMBER,
    DPC_TAKEN_ORDERED,
    DPC_TAKEN_NOMINAL,
    DPC_TAKEN_ZERO,
    DPC_TAKEN_BLOCK, /* it is one of the columns of a block */
} dpc_taken_as;

/* Columns that are one variable. */
typedef struct dpc_block_entry {
    const char *name;
    int32_t *variables; /* in their order */
    int count;
} dpc_block_entry;

/* The cells of a column that has text. */
typedef struct dpc_levels {
    bool text;       /* its cells are levels, not numbers */
    bool mixed;      /* some of them are numbers as well */
    bool many;       /* more levels than were kept */
    bool dates;      /* all levels look like dates */
    int64_t row;     /* of the next cell */
    dpc_seen none;   /* cells that say None, a level among texts */
    dpc_names names; /* the different cells, in the order of the file; owned */
    int64_t *counts; /* cells with each; owned */
    int64_t room;    /* for so many */
} dpc_levels;

typedef struct dpc_reader {
    const char *path;
    dpc_crew *crew;
    dpc_read_options options; /* all fields of it */
    char *bytes;              /* the source; owned */
    const char *text;         /* the same from behind the byte order mark */
    const char *end;          /* the NUL, behind the last line that is not blank */
    dpc_arena memory;         /* of all arrays below */
    locale_t c_locale;        /* owned */
    dpc_na na;                /* owned */

    /* lines */
    char delimiter;
    const char *header;  /* the line of the names; NULL: there is none */
    const char *below;   /* where the rows begin */
    const char *units;   /* a line below the header that is no row; NULL: there is none */
    bool hash_header;    /* the header begins with # */
    bool hash_rows;      /* rows begin with #: no line is a comment */
    bool numbers_header; /* the names are numbers */
    bool numbers_row;    /* they would be, some twice: the line was taken as a row */
    dpc_passed passed;

    /* layout */
    dpc_cell *header_cells; /* NULL: there is no header */
    int n_names;            /* how many */
    int first_name;         /* the field that the first of them is for: 0 or 1 */
    int n_fields;           /* of a row */
    int n_row_names;        /* fields in front of a row that are no values: 0 or 1 */
    dpc_cell *row_names;    /* of a matrix, and of a transposed table */
    bool guessed;           /* row names only because they are different texts */
    bool *no_values;        /* by field: not a variable's */
    int empty_fields;       /* of these, without a name and a value */

    /* rows */
    dpc_chunk *chunks;
    int64_t n_chunks;
    int64_t n_rows;

    /* variables */
    int64_t n_variables; /* fields, or rows */
    const char **names;  /* by variable */
    bool windows;        /* some name was Windows-1252 */
    int32_t *place;      /* by variable: its column, -1: none */
    int32_t *number;     /* by column: its variable, counted from 1 */
    int n_vars;          /* columns */
    int64_t n_obs;
    double *values; /* where the cells go; NULL: nowhere, some row is too short anyway */
    int64_t step;   /* from a cell of a row to the next */
    dpc_tally tally;

    /* spellings */
    dpc_spelling *spellings; /* by variable; NULL: all numbers are spelled as usual */
    dpc_seen points, commas; /* numbers that have a decimal point; a comma that must be decimal */
    dpc_seen groups;         /* commas that must be between thousands */

    /* kinds */
    dpc_taken_as *said;      /* by variable; NULL: nothing is said of any */
    dpc_block_entry *blocks; /* those that are to be made */
    int n_blocks;
    dpc_levels *levels; /* by variable; owned; NULL: no column has text, or they do not matter */
} dpc_reader;

/* ---- read_text.c ---- */

/* The source as a text. */
dpc_status dpc_reader_open(dpc_reader *in, dpc_audit *audit, dpc_error *err);
/* The delimiter, the header, and where the rows begin. */
dpc_status dpc_reader_find_header(dpc_reader *in, dpc_audit *audit);

/*
 * What a cell says: a number in any spelling, a missing value by any word, or text. `*value` is NaN
 * unless the spelling is the usual one. `*word` (may be NULL): which of the words of in->na, where
 * it is missing.
 */
dpc_kind dpc_reader_kind(const dpc_reader *in, const dpc_cell *cell, double *value, int *word);

static inline bool dpc_is_number(dpc_kind kind)
{
    return kind == DPC_KIND_NUMBER || kind == DPC_KIND_INFINITE || kind == DPC_KIND_ODD;
}

/* The line below that of `p`. */
const char *dpc_reader_next_line(const char *p);
bool dpc_reader_is_hash(const char *p);
/* Are all cells of the line numbers? Those from number `from` on, and is there one? */
bool dpc_reader_has_numbers(const dpc_reader *in, const char *line, char delimiter, int from);

/* ---- read_lines.c ---- */

/*
 * The first row at `p` or below it; in->end: there is none. Passes over comments and blank lines,
 * which it counts where `passed` is not NULL. n_fields and n_row_names are known.
 */
const char *dpc_reader_pass(const dpc_reader *in, const char *p, dpc_passed *passed);

static inline const char *dpc_reader_row(const dpc_reader *in, const char *p, dpc_passed *passed)
{
    bool plain = *p != '#' && (unsigned char)*p > ' ' && *p != in->delimiter;
    return plain ? p : dpc_reader_pass(in, p, passed);
}

/* What a row begins and ends with, and how many fields it has. */
typedef struct dpc_row_ends {
    dpc_cell first, last;
    int64_t fields;
} dpc_row_ends;

/* The ends of the row at `*p`, which moves on to the next row; false: there is none, or none that
 * ends. */
bool dpc_reader_next_row(const dpc_reader *in, const char **p, dpc_row_ends *ends);

/* ---- read_layout.c ---- */

/* What the fields of a row are. */
dpc_status dpc_reader_layout(dpc_reader *in, dpc_audit *audit);
/* A matrix whose header holds numbers may have none; asked when its rows have been counted. */
void dpc_reader_square(dpc_reader *in);

/* ---- read_row_names.c ---- */

/* Are the first cells of the rows names, since they are different texts? */
dpc_status dpc_reader_guess_row_names(dpc_reader *in, bool *names);
/* The first cells of all rows, which have been counted, into in->row_names. */
dpc_status dpc_reader_take_row_names(dpc_reader *in);
/* Are the rows of a matrix named like its columns, but in another order? */
bool dpc_reader_in_other_order(const dpc_reader *in);

/* ---- read_columns.c ---- */

/* The names of the variables; which of them are wanted, and their columns. */
dpc_status dpc_reader_choose(dpc_reader *in, dpc_audit *audit, dpc_error *err);

/* Marks the variables that an item of a list means: a name, a number, a range or a pattern; false:
 * there is none. */
bool dpc_reader_mark(const dpc_reader *in, const char *item, bool *marked);
/* DPC_USAGE: there is no such column "to keep", say. */
dpc_status dpc_reader_refuse_item(const dpc_reader *in, const char *item, const char *what,
                                  dpc_error *err);

/* ---- read_types.c ---- */

/* Reads options.types into in->said and in->blocks. */
dpc_status dpc_reader_types(dpc_reader *in, dpc_error *err);

static inline dpc_taken_as dpc_reader_said(const dpc_reader *in, int64_t variable)
{
    return in->said != NULL ? in->said[variable] : DPC_TAKEN_BY_CELLS;
}

/* ---- read_levels.c ---- */

/* Finds the columns whose texts are levels, and puts the numbers of these into the table. */
dpc_status dpc_reader_find_levels(dpc_reader *in, dpc_table *table);
/* What cannot be levels: names, dates. */
dpc_status dpc_reader_audit_levels(const dpc_reader *in, dpc_audit *audit);
void dpc_reader_levels_clear(dpc_reader *in);

/* Are the texts of the column its levels? */
static inline bool dpc_reader_has_levels(const dpc_reader *in, int64_t variable)
{
    return in->levels != NULL && in->levels[variable].text;
}

/* ---- read_kinds.c ---- */

/* Gives the variables of the table their kinds, once its rows are those that stay. */
dpc_status dpc_reader_set_kinds(dpc_reader *in, dpc_table *table, dpc_audit *audit, dpc_error *err);

/* ---- read_dates.c ---- */

/* Is it a date or a time of the day, as 2024-01-31, 31.1.2024, 1/31/24, 31-Jan-2024, 12:30? */
bool dpc_looks_like_date(const char *text);

/* ---- read_rows.c ---- */

/* Finds the rows; a quote that is never closed is at `*unclosed` then, or NULL. */
dpc_status dpc_reader_index(dpc_reader *in, const char **unclosed, dpc_error *err);

/* How many fields of a row are values. */
int dpc_reader_n_values(const dpc_reader *in);

/* The cells of all rows into in->values and in->tally. */
dpc_status dpc_reader_parse(dpc_reader *in, dpc_error *err);

/* Each cell of a variable, in rows that have as many fields as they should. */
typedef void dpc_cell_visitor(void *context, const dpc_cell *cell, int64_t variable);
void dpc_reader_visit(const dpc_reader *in, dpc_cell_visitor *visit, void *context);

/* ---- read_spelling.c ---- */

/* Is it a number that is not spelled as usual? */
bool dpc_reader_is_odd_number(const dpc_reader *in, const dpc_cell *cell);

/*
 * Makes odd numbers plain in the text, in the variables that have no text; *changed: some were.
 * Where numbers contradict each other in how they are spelled, none is changed.
 */
dpc_status dpc_reader_respell(dpc_reader *in, bool *changed);

/* Are some commas decimal, while others or points say that they cannot be? */
bool dpc_reader_commas_differ(const dpc_reader *in);
/* Do some numbers of the variable have a percent sign, and some none? */
bool dpc_reader_percents_differ(const dpc_reader *in, int64_t variable);

/* ---- read_leave_out.c ---- */

/* Columns that have no numbers. */
typedef enum dpc_left_out { DPC_LEFT_NOTHING, DPC_LEFT_EMPTY, DPC_LEFT_TEXT } dpc_left_out;

/* Has the variable no number, and why? */
dpc_left_out dpc_reader_without_numbers(const dpc_reader *in, int64_t variable);

/* Leaves such columns out of the table, those of text where options.drop_text is set. */
dpc_status dpc_reader_leave_out(dpc_reader *in, dpc_table *table, dpc_audit *audit);

/* ---- read_audit.c, read_notes.c ---- */

/* Adds an error that ends the reading; DPC_BAD_INPUT, or DPC_NO_MEMORY. */
__attribute__((format(printf, 2, 3))) dpc_status dpc_reader_refuse(dpc_audit *audit,
                                                                   const char *format, ...);

/* The same for a quote that is never closed. */
dpc_status dpc_reader_refuse_quote(const dpc_reader *in, const char *quote, dpc_audit *audit);

/* The number of the line that holds `at`, for a sentence. */
static inline long long dpc_reader_line(const dpc_reader *in, const char *at)
{
    return (long long)dpc_csv_line(in->text, at);
}

/* How the file was taken apart. */
dpc_status dpc_reader_notes(const dpc_reader *in, dpc_audit *audit);
/* What there is to say of what was read, in the order of data/audit.c; and of the rows dropped. */
dpc_status dpc_reader_audit(const dpc_reader *in, const dpc_table *table, dpc_audit *audit);
dpc_status dpc_reader_audit_dropped(const dpc_reader *in, int64_t dropped, dpc_audit *audit);
/* "column 'x'", or "column 3" where it has no name. */
enum { DPC_LABEL_SIZE = DPC_CLIP_SIZE + 16 };
const char *dpc_reader_label(const dpc_reader *in, int variable, char out[DPC_LABEL_SIZE]);
/* What --drop and --types are to be given for it: its name, or its number where that cannot be
 * typed as it is. */
const char *dpc_reader_typed(const dpc_reader *in, int variable, char out[DPC_CLIP_SIZE]);
/* "'NA'", "'?' or empty": the words of a variable. */
void dpc_reader_list_words(const dpc_reader *in, uint64_t words, char *out, size_t size);
/* How many cells of a variable have values. */
int64_t dpc_reader_n_cells(const dpc_reader *in);
/* The missing cells of the variables that are numeric. */
int64_t dpc_reader_count_missing(const dpc_reader *in);

/* ---- read_covariance.c ---- */

/* Is the text a covariance file of Tetrad? */
bool dpc_is_covariance(const dpc_reader *in);
/* Reads it; *n_obs becomes the number of observations. */
dpc_status dpc_covariance_read(dpc_reader *in, dpc_audit *audit, dpc_table **table, int64_t *n_obs,
                               dpc_error *err);

#endif
