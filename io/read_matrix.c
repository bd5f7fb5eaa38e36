/*
 * Reading a matrix: a line of names, then n lines of numbers. What row i, column j holds for an
 * edge between the two:
 *
 *              csv, tsv   pcalg   causallearn
 *     i → j       1         0         -1
 *     i ← j       0         1          1
 *     i — j       1         1         -1
 *
 * True and False, in any case of letters, and T and F are 1 and 0.
 *
 * The text is a table as io/csv.h knows it. Row names are recognised where the header is one field
 * short, where its first field is empty, or where the first cell of the first row is the name of
 * the second field; they must be the names of the header in its order. Only the ones are kept, so
 * the matrix itself is never made. A matrix of causal-learn may come without names: then it has as
 * many lines as fields, and its nodes are X1, X2, …, as causal-learn calls them.
 */
#include "alloc.h"
#include "csv.h"
#include "decimal.h"
#include "graph_build.h"
#include "text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef enum convention {
    ADJACENCY,
    PCALG,
    CAUSALLEARN,
} convention;

typedef struct matrix {
    dpc_builder *b;
    convention convention;
    char delimiter;
    const char *rows; /* where they begin */
    int n;            /* nodes, and fields of a row besides the row name */
    bool row_names;
} matrix;

static const char *over_blank_lines(const char *p)
{
    const char *line = p;
    for (; *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'; p++)
        if (*p == '\n' || *p == '\r')
            line = p + 1;
    return *p == '\0' ? p : line;
}

enum { NO_ENTRY = 9 };

/* -1, 0 or 1; NO_ENTRY: anything else. */
static int entry_of(const dpc_cell *cell)
{
    static const char *const TRUTHS[] = {"false", "true", "f", "t"};
    char text[DPC_DECIMAL_SIZE];
    double value;
    if (cell->length == 1 && (cell->text[0] == '0' || cell->text[0] == '1'))
        return cell->text[0] - '0';
    if (cell->length == 0 || cell->length >= sizeof text)
        return NO_ENTRY;
    memcpy(text, cell->text, cell->length);
    text[cell->length] = '\0';
    for (int i = 0; i < 4; i++)
        if (strcasecmp(text, TRUTHS[i]) == 0)
            return i % 2;
    if (!dpc_decimal_read(text, &value) || (value != 0 && value != 1 && value != -1))
        return NO_ENTRY;
    return (int)value;
}

/* Is that what the cell says? */
static bool says(const dpc_cell *cell, const char *name)
{
    size_t i = 0;
    for (; i < cell->length && *name == cell->text[i] && *name != '\0'; name++)
        i += cell->doubled && cell->text[i] == '"' ? 2 : 1; /* quotes in it come in pairs */
    return i >= cell->length && *name == '\0';
}

/* ---- Header ---- */

static dpc_status add_name(dpc_builder *b, const dpc_cell *cell)
{
    char clipped[DPC_CLIP_SIZE];
    int32_t node;
    int before = b->names.count;
    char *name = dpc_alloc((int64_t)cell->length + 1, 1);
    if (name == NULL)
        return dpc_build_no_memory(b);
    dpc_csv_copy(cell, name);
    dpc_status status = dpc_build_node(b, name, strlen(name), cell->text, &node);
    if (status == DPC_OK && node != before)
        status = dpc_build_refuse(b, cell->text, "the header has the name '%s' twice",
                                  dpc_clip_name(name, clipped));
    free(name);
    return status;
}

/* Does the first field of the header stand above row names? */
static bool above_row_names(const char *header, const char *row, char delimiter)
{
    dpc_cell first, second, cell;
    if (dpc_csv_next(&header, delimiter, &first) != DPC_CSV_CELL)
        return false;
    if (first.length == 0)
        return true;
    dpc_csv_next(&header, delimiter, &second);
    dpc_csv_next(&row, delimiter, &cell);
    return entry_of(&cell) == NO_ENTRY && cell.length == second.length &&
           memcmp(cell.text, second.text, cell.length) == 0;
}

static dpc_status read_header(matrix *m)
{
    dpc_builder *b = m->b;
    const char *p = over_blank_lines(b->text), *end = p;
    m->delimiter = dpc_csv_delimiter(p);
    m->rows = dpc_csv_skip(&end, m->delimiter);
    if (m->rows == NULL)
        return dpc_build_refuse(b, end, "a quote opens here that is never closed");
    int64_t fields = dpc_csv_count(p, m->delimiter);
    bool extra = above_row_names(p, m->rows, m->delimiter);
    m->row_names = extra || dpc_csv_count(m->rows, m->delimiter) == fields + 1;
    if (fields >= INT_MAX)
        return dpc_build_refuse(b, p, "the header has %lld fields, more than can be used",
                                (long long)fields);
    m->n = (int)(fields - extra);
    dpc_cell cell;
    dpc_status status = DPC_OK;
    if (extra)
        dpc_csv_next(&p, m->delimiter, &cell);
    for (int i = 0; i < m->n && status == DPC_OK; i++) {
        dpc_csv_next(&p, m->delimiter, &cell);
        status = add_name(b, &cell);
    }
    return status;
}

/* As many lines as fields, the first all entries: there are no names. */
static bool is_bare(const char *text)
{
    const char *p = over_blank_lines(text), *first = p;
    char delimiter = dpc_csv_delimiter(p);
    int64_t fields = 0, lines = 0;
    dpc_csv_after after = DPC_CSV_CELL;
    for (; after == DPC_CSV_CELL; fields++) {
        dpc_cell cell;
        after = dpc_csv_next(&first, delimiter, &cell);
        if (entry_of(&cell) == NO_ENTRY)
            return false;
    }
    for (; p != NULL && *over_blank_lines(p) != '\0'; lines++)
        p = dpc_csv_skip(&p, delimiter);
    return lines == fields;
}

static dpc_status name_nodes(matrix *m)
{
    dpc_status status = DPC_OK;
    m->rows = over_blank_lines(m->b->text);
    m->delimiter = dpc_csv_delimiter(m->rows);
    m->n = (int)dpc_csv_count(m->rows, m->delimiter);
    for (int i = 0; i < m->n && status == DPC_OK; i++) {
        char name[16];
        int32_t node;
        int length = snprintf(name, sizeof name, "X%d", i + 1);
        status = dpc_build_node(m->b, name, (size_t)length, m->rows, &node);
    }
    return status;
}

/* ---- Rows ---- */

static dpc_status refuse_fields(matrix *m, const char *row)
{
    if (dpc_csv_at_end(*dpc_csv_over_blanks(row, m->delimiter)))
        return dpc_build_refuse(m->b, row, "the line is blank; remove it");
    return dpc_build_refuse(m->b, row, "the row has %lld fields, but %d are needed for %d name%s%s",
                            (long long)dpc_csv_count(row, m->delimiter), m->n + m->row_names, m->n,
                            m->n == 1 ? "" : "s", m->row_names ? " and the row name" : "");
}

/* What is wrong with an entry of column j. */
static dpc_status refuse_entry(matrix *m, int32_t i, int32_t j, const dpc_cell *cell)
{
    char clipped[2][DPC_CLIP_SIZE];
    const char *name = dpc_clip_name(m->b->names.names[j], clipped[0]);
    if (i == j && entry_of(cell) != NO_ENTRY)
        return dpc_build_refuse(
            m->b, cell->text, "column '%s' has a %d on the diagonal: an edge joins it with itself",
            name, entry_of(cell));
    return dpc_build_refuse(m->b, cell->text, "'%s' in column '%s' is %s",
                            dpc_csv_clip(cell, clipped[1]), name,
                            m->convention == CAUSALLEARN
                                ? "none of -1, 0 and 1; graphs with circles (PAGs) cannot be read"
                                : "neither 0 nor 1");
}

static dpc_status read_entry(matrix *m, int32_t i, int32_t j, const dpc_cell *cell)
{
    int entry = entry_of(cell);
    bool fine = entry == 1 || (entry == -1 && m->convention == CAUSALLEARN);
    if (entry == 0)
        return DPC_OK;
    if (!fine || i == j)
        return refuse_entry(m, i, j, cell);
    if (m->convention == ADJACENCY)
        return dpc_build_edge(m->b, i, j, DPC_FORWARD, cell->text);
    return dpc_build_edge(m->b, j, i, entry == 1 ? DPC_FORWARD : DPC_UNDIRECTED, cell->text);
}

/* Nearly every entry is a lone 0: moves on over those, but never over the last field. */
static int64_t over_zeros(const matrix *m, const char **p, int64_t field)
{
    const char *q = *p;
    for (; field >= m->row_names && field + 1 < (int64_t)m->n + m->row_names; field++, q += 2)
        if (q[0] != '0' || q[1] != m->delimiter || m->delimiter == ' ')
            break;
    *p = q;
    return field;
}

/* The row at `*p`, number i; moves on to the next one. */
static dpc_status read_row(matrix *m, const char **p, int32_t i)
{
    dpc_builder *b = m->b;
    const char *row = *p;
    char clipped[2][DPC_CLIP_SIZE];
    dpc_csv_after after = DPC_CSV_CELL;
    dpc_status status = DPC_OK;
    for (int64_t field = 0; after == DPC_CSV_CELL; field++) {
        dpc_cell cell;
        field = over_zeros(m, p, field);
        int32_t j = (int32_t)(field - m->row_names);
        if (field == (int64_t)m->n + m->row_names)
            return refuse_fields(m, row);
        after = dpc_csv_next(p, m->delimiter, &cell);
        if (after == DPC_CSV_UNCLOSED)
            return dpc_build_refuse(b, cell.text, "a quote opens here that is never closed");
        if (after == DPC_CSV_END && j + 1 < m->n)
            return refuse_fields(m, row);
        if (j >= 0)
            status = read_entry(m, i, j, &cell);
        else if (!says(&cell, b->names.names[i]))
            status = dpc_build_refuse(
                b, cell.text,
                "the row is called '%s', but column %d is '%s'; rows and columns need the same "
                "names in the same order",
                dpc_csv_clip(&cell, clipped[0]), i + 1,
                dpc_clip_name(b->names.names[i], clipped[1]));
        if (status != DPC_OK)
            return status;
    }
    *p = dpc_csv_over_break(*p);
    return DPC_OK;
}

static dpc_status parse(dpc_builder *b, convention convention)
{
    matrix m = {.b = b, .convention = convention};
    dpc_status status =
        convention == CAUSALLEARN && is_bare(b->text) ? name_nodes(&m) : read_header(&m);
    const char *p = m.rows;
    int32_t i = 0;
    for (; status == DPC_OK && *over_blank_lines(p) != '\0'; i++) {
        if (i == m.n)
            return dpc_build_refuse(b, p, "the matrix has more rows than names, which are %d", m.n);
        status = read_row(&m, &p, i);
    }
    if (status == DPC_OK && i < m.n)
        return dpc_build_refuse(b, p, "the matrix ends after %d row%s, but has %d name%s", i,
                                i == 1 ? "" : "s", m.n, m.n == 1 ? "" : "s");
    b->all_nodes = true;
    if (status != DPC_OK)
        return status;
    return dpc_build_sort(b, convention == CAUSALLEARN ? DPC_TWICE_ENDS : DPC_TWICE_BOTH_WAYS);
}

dpc_status dpc_parse_adjacency(dpc_builder *b)
{
    return parse(b, ADJACENCY);
}

dpc_status dpc_parse_pcalg(dpc_builder *b)
{
    return parse(b, PCALG);
}

dpc_status dpc_parse_causallearn(dpc_builder *b)
{
    return parse(b, CAUSALLEARN);
}
