/*
 * Records and cells of a delimited text (RFC 4180 and its relatives).
 *
 * The text ends with a NUL and holds none before. Cells are slices of it: nothing is copied. A
 * delimiter of ' ' stands for runs of blanks, as R's write.table makes them.
 */
#ifndef DPC_CSV_H
#define DPC_CSV_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dpc_cell {
    const char *text; /* without the quotes around it; without them, trimmed of blanks */
    size_t length;
    bool doubled; /* was quoted: two quotes in a row stand for one */
} dpc_cell;

/* What comes after a cell. */
typedef enum dpc_csv_after {
    DPC_CSV_CELL,     /* another cell of the record */
    DPC_CSV_END,      /* the end of the record */
    DPC_CSV_OTHER,    /* neither: the cell goes on */
    DPC_CSV_UNCLOSED, /* the end of the text, in a quoted cell that is never closed */
} dpc_csv_after;

/* The delimiter of the table that starts at `text`: one of , tab ; and blank. */
char dpc_csv_delimiter(const char *text);

/* The same of a table with this header and this first row. */
char dpc_csv_delimiter_of(const char *header, const char *first_row);

/* Reads the cell at `*p` and moves on to the next one, or to the end of the record. */
dpc_csv_after dpc_csv_next(const char **p, char delimiter, dpc_cell *cell);

/*
 * The start of the record after the one at `p`, or the NUL. Where the record does not end because
 * of an open quote: NULL, and `*p` is at that quote.
 */
const char *dpc_csv_skip(const char **p, char delimiter);

/* How many cells the record at `p` has. */
int64_t dpc_csv_count(const char *p, char delimiter);

/* The line of `text` that holds `at`, counted from 1. */
int64_t dpc_csv_line(const char *text, const char *at);

/* Copies the cell, doubled quotes made one, and a NUL; returns the byte after that. */
char *dpc_csv_copy(const dpc_cell *cell, char *to);

/* What the cell says, for a message: as dpc_clip has it; returns `out`. */
const char *dpc_csv_clip(const dpc_cell *cell, char out[DPC_CLIP_SIZE]);

/* The two texts of that length are the same, whatever the case of their letters. */
bool dpc_same_word(const char *a, const char *b, size_t length);

/* The parts below are here for the loop that reads numbers. */

/* Takes the blanks off both ends of a text. */
static inline void dpc_trim(const char **text, size_t *length)
{
    for (; *length > 0 && (**text == ' ' || **text == '\t'); --*length)
        ++*text;
    while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t'))
        --*length;
}

static inline bool dpc_csv_at_end(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

/* From the end of a record over its line break. */
static inline const char *dpc_csv_over_break(const char *p)
{
    return p + (p[0] == '\r' && p[1] == '\n' ? 2 : p[0] != '\0');
}

static inline const char *dpc_csv_over_blanks(const char *p, char delimiter)
{
    while (*p == ' ' || (*p == '\t' && delimiter != '\t'))
        p++;
    return p;
}

/* What comes after the byte range that ends at `*p`; moves on unless it is DPC_CSV_OTHER. */
static inline dpc_csv_after dpc_csv_follow(const char **p, char delimiter)
{
    const char *q = dpc_csv_over_blanks(*p, delimiter);
    dpc_csv_after after = DPC_CSV_OTHER;
    if (dpc_csv_at_end(*q)) {
        after = DPC_CSV_END;
        *p = q;
    } else if (delimiter == ' ' ? q > *p : *q == delimiter) {
        after = DPC_CSV_CELL;
        *p = delimiter == ' ' ? q : q + 1;
    }
    return after;
}

/* The cells of a record: for (dpc_csv_cells r = dpc_record_at(p, ','); dpc_record_next(&r);) … */
typedef struct dpc_csv_cells {
    const char *p; /* behind the cell: the next one, or the end of the record */
    char delimiter;
    dpc_csv_after after;
    int64_t index; /* of the cell */
    dpc_cell cell;
} dpc_csv_cells;

static inline dpc_csv_cells dpc_record_at(const char *p, char delimiter)
{
    return (dpc_csv_cells){.p = p, .delimiter = delimiter, .after = DPC_CSV_CELL, .index = -1};
}

static inline bool dpc_record_next(dpc_csv_cells *r)
{
    if (r->after != DPC_CSV_CELL)
        return false;
    r->after = dpc_csv_next(&r->p, r->delimiter, &r->cell);
    r->index++;
    return true;
}

#endif
