/*
 * The state of one reading, shared by its three files:
 *
 *     read_table.c   the way through: bytes, header, layout, table
 *     read_rows.c    where the rows are, and their cells into the columns
 *     read_audit.c   what was seen, in sentences
 */
#ifndef DPC_READ_H
#define DPC_READ_H

#include "crew.h"
#include "csv.h"
#include "dualpc_io.h"
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
    int field; /* of the first */
} dpc_seen;

/* Lines with another number of fields than expected. */
typedef struct dpc_ragged {
    int64_t count;
    const char *first;
    int64_t fields; /* of the first */
} dpc_ragged;

/*
 * What is not a plain number, in a range of rows. Ranges read apart are joined by adding the
 * counts and keeping the first that comes first in the text.
 */
typedef struct dpc_tally {
    dpc_ragged unlike_header; /* not as many fields as the header */
    dpc_ragged unlike_rows;   /* not as many as `n_fields` of the reader */
    dpc_seen missing, infinite;
    dpc_seen *text;    /* by field; owned */
    dpc_seen *inexact; /* by field, behind those: numbers whose digits a double cannot hold */
} dpc_tally;

dpc_status dpc_tally_init(dpc_tally *tally, int n_fields);
void dpc_tally_clear(dpc_tally *tally);

typedef struct dpc_reader {
    const char *path;
    dpc_crew *crew;
    bool matrix;       /* must be square, and may have no header */
    char *bytes;       /* the source; owned */
    const char *text;  /* the same from behind the byte order mark */
    const char *end;   /* the NUL, behind the last line that is not blank */
    locale_t c_locale; /* owned */

    char delimiter;
    const char *header; /* the first line that is not blank */
    dpc_cell *names;    /* the cells of the header; owned */
    int n_names;
    bool headerless; /* a matrix whose header is its first row */

    dpc_chunk *chunks; /* owned */
    int64_t n_chunks;
    int64_t n_rows;
    int n_fields;         /* of a row: n_names, or one more */
    int n_row_names;      /* fields in front of a row that are no values: 0 or 1 */
    dpc_cell *row_names;  /* of a matrix, or where they are a guess; owned */
    bool guessed;         /* row names only because they are text, to be confirmed */
    bool wrong_row_names; /* the guess was wrong */
    bool other_order;     /* the rows of a matrix have the names of the columns, out of order */
    double *values;       /* where the cells go; NULL: nowhere, some row is too short anyway */
    dpc_tally tally;
} dpc_reader;

/* The name of a field of the rows; NULL where it has none. */
const dpc_cell *dpc_reader_name(const dpc_reader *in, int field);

/* Finds the rows, from the one at `begin` on. DPC_BAD_INPUT: a quote is open at `*unclosed`. */
dpc_status dpc_reader_index(dpc_reader *in, const char *begin, const char **unclosed,
                            dpc_error *err);

/* The cells of all rows into in->values and in->tally. */
dpc_status dpc_reader_parse(dpc_reader *in, dpc_error *err);

/*
 * Are the guessed row names text, and all different? If not, they are tallied as a column. Those
 * of a matrix are compared with its header.
 */
void dpc_reader_settle_row_names(dpc_reader *in);

/* Is it a number but for a comma in place of the point? */
bool dpc_reader_decimal_comma(const dpc_reader *in, const dpc_cell *cell);

/* Adds an error that ends the reading; DPC_BAD_INPUT, or DPC_NO_MEMORY. */
__attribute__((format(printf, 2, 3))) dpc_status dpc_reader_refuse(dpc_audit *audit,
                                                                   const char *format, ...);

/* What there is to say of what was read, in the order of data/audit.c; and of the rows dropped. */
dpc_status dpc_reader_audit(const dpc_reader *in, const dpc_table *table, dpc_missing missing,
                            dpc_audit *audit);
dpc_status dpc_reader_audit_dropped(const dpc_reader *in, int64_t dropped, dpc_audit *audit);

#endif
