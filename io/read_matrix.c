/*
 * Reading a matrix: a line of names, then n lines of numbers. What row i, column j holds for an
 * edge between the two:
 *
 *              csv, tsv   pcalg   pag   causallearn
 *     i → j       1         0      2       -1
 *     i ← j       0         1      3        1
 *     i — j       1         1      3       -1
 *     i ↔ j                        2        1
 *     i o-o j                      1        2
 *
 * So pag (pcalg's amat.pag) has the mark at j, and causallearn the mark at i. True and False, in
 * any case of letters, and T and F are 1 and 0.
 *
 * The text is a table as io/csv.h knows it. Row names are recognised where the header is one field
 * short, where its first field is empty, or where the first cell of the first row is the name of
 * the second field; they must be the names of the header in its order. Only the ones are kept, so
 * the matrix itself is never made. A matrix of causal-learn may come without names: then it has as
 * many lines as fields, and its nodes are X1, X2, …, as causal-learn calls them.
 */
#include "decimal.h"
#include "graph_build.h"
#include "text.h"

#include <limits.h>
#include <stdio.h>

typedef enum convention {
    ADJACENCY,
    PCALG,
    PAG,
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

/* From -1 to 3; NO_ENTRY: anything else. */
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
    if (!dpc_decimal_read(text, &value) || !(value >= -1 && value <= 3) || value != (int)value)
        return NO_ENTRY;
    return (int)value;
}

/* The mark that an entry stands for, as seen from i; DPC_NONE: it cannot be there. */
static dpc_mark mark_of(convention convention, int entry)
{
    static const dpc_end CAUSALLEARN_ENDS[] = {DPC_END_TAIL, DPC_END_NONE, DPC_END_ARROW,
                                               DPC_END_CIRCLE};
    switch (convention) {
    case ADJACENCY:
        return entry == 1 ? DPC_FORWARD : DPC_NONE;
    case PCALG:
        return entry == 1 ? DPC_BACKWARD : DPC_NONE;
    case PAG:
        return entry >= 1 && entry <= 3 ? DPC_MARK(DPC_END_NONE, entry) : DPC_NONE;
    default:
        return entry >= -1 && entry <= 2 ? DPC_MARK(CAUSALLEARN_ENDS[entry + 1], DPC_END_NONE)
                                         : DPC_NONE;
    }
}

/* Can the cell be an entry of the matrix? */
static bool is_entry(convention convention, const dpc_cell *cell)
{
    int entry = entry_of(cell);
    return entry == 0 || mark_of(convention, entry) != DPC_NONE;
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
    DPC_CHECK(dpc_build_cell(b, cell, &node));
    if (node == before)
        return DPC_OK;
    return dpc_build_refuse(b, cell->text, "the header has the name '%s' twice",
                            dpc_clip_name(b->names.names[node], clipped));
}

/* Does the first field of the header stand above row names? */
static bool above_row_names(const matrix *m, const char *header, const char *row)
{
    dpc_cell first, second, cell;
    if (dpc_csv_next(&header, m->delimiter, &first) != DPC_CSV_CELL)
        return false;
    if (first.length == 0)
        return true;
    dpc_csv_next(&header, m->delimiter, &second);
    dpc_csv_next(&row, m->delimiter, &cell);
    return !is_entry(m->convention, &cell) && cell.length == second.length &&
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
    bool extra = above_row_names(m, p, m->rows);
    m->row_names = extra || dpc_csv_count(m->rows, m->delimiter) == fields + 1;
    if (fields >= INT_MAX)
        return dpc_build_refuse(b, p, "the header has %lld fields, more than can be used",
                                (long long)fields);
    m->n = (int)(fields - extra);
    dpc_cell cell;
    if (extra)
        dpc_csv_next(&p, m->delimiter, &cell);
    for (int i = 0; i < m->n; i++) {
        dpc_csv_next(&p, m->delimiter, &cell);
        DPC_CHECK(add_name(b, &cell));
    }
    return DPC_OK;
}

/* As many lines as fields, the first all entries of causal-learn: there are no names. */
static bool is_bare(const char *text)
{
    const char *p = over_blank_lines(text), *first = p;
    char delimiter = dpc_csv_delimiter(p);
    int64_t fields = 0, lines = 0;
    dpc_csv_after after = DPC_CSV_CELL;
    for (; after == DPC_CSV_CELL; fields++) {
        dpc_cell cell;
        after = dpc_csv_next(&first, delimiter, &cell);
        if (!is_entry(CAUSALLEARN, &cell))
            return false;
    }
    for (; p != NULL && *over_blank_lines(p) != '\0'; lines++)
        p = dpc_csv_skip(&p, delimiter);
    return lines == fields;
}

static dpc_status name_nodes(matrix *m)
{
    m->rows = over_blank_lines(m->b->text);
    m->delimiter = dpc_csv_delimiter(m->rows);
    m->n = (int)dpc_csv_count(m->rows, m->delimiter);
    for (int i = 0; i < m->n; i++) {
        char name[16];
        int32_t node;
        int length = snprintf(name, sizeof name, "X%d", i + 1);
        DPC_CHECK(dpc_build_node(m->b, name, (size_t)length, m->rows, &node));
    }
    return DPC_OK;
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
    static const char *const WANTED[] = {
        [ADJACENCY] = "neither 0 nor 1",
        [PCALG] = "neither 0 nor 1",
        [PAG] = "none of 0, 1, 2 and 3",
        [CAUSALLEARN] = "none of -1, 0, 1 and 2",
    };
    bool code = m->convention <= PCALG && (entry_of(cell) == 2 || entry_of(cell) == 3);
    return dpc_build_refuse(m->b, cell->text, "'%s' in column '%s' is %s%s",
                            dpc_csv_clip(cell, clipped[1]), name, WANTED[m->convention],
                            code ? "; pcalg's codes of a PAG are read from .pag.csv (--from pag)"
                                 : "");
}

static dpc_status read_entry(matrix *m, int32_t i, int32_t j, const dpc_cell *cell)
{
    int entry = entry_of(cell);
    dpc_mark mark = mark_of(m->convention, entry);
    if (entry == 0)
        return DPC_OK;
    if (mark == DPC_NONE || i == j)
        return refuse_entry(m, i, j, cell);
    return dpc_build_edge(m->b, i, j, mark, cell->text);
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
            DPC_CHECK(read_entry(m, i, j, &cell));
        else if (!says(&cell, b->names.names[i]))
            return dpc_build_refuse(
                b, cell.text,
                "the row is called '%s', but column %d is '%s'; rows and columns need the same "
                "names in the same order",
                dpc_csv_clip(&cell, clipped[0]), i + 1,
                dpc_clip_name(b->names.names[i], clipped[1]));
    }
    *p = dpc_csv_over_break(*p);
    return DPC_OK;
}

static dpc_status parse(dpc_builder *b, convention convention)
{
    matrix m = {.b = b, .convention = convention};
    int32_t i = 0;
    DPC_CHECK(convention == CAUSALLEARN && is_bare(b->text) ? name_nodes(&m) : read_header(&m));
    const char *p = m.rows;
    for (; *over_blank_lines(p) != '\0'; i++) {
        if (i == m.n)
            return dpc_build_refuse(b, p, "the matrix has more rows than names, which are %d", m.n);
        DPC_CHECK(read_row(&m, &p, i));
    }
    if (i < m.n)
        return dpc_build_refuse(b, p, "the matrix ends after %d row%s, but has %d name%s", i,
                                i == 1 ? "" : "s", m.n, m.n == 1 ? "" : "s");
    b->all_nodes = true;
    return dpc_build_sort(b, convention >= PAG ? DPC_TWICE_ENDS : DPC_TWICE_BOTH_WAYS);
}

dpc_status dpc_parse_adjacency(dpc_builder *b)
{
    return parse(b, ADJACENCY);
}

dpc_status dpc_parse_pcalg(dpc_builder *b)
{
    return parse(b, PCALG);
}

dpc_status dpc_parse_pag(dpc_builder *b)
{
    b->pag = true;
    return parse(b, PAG);
}

dpc_status dpc_parse_causallearn(dpc_builder *b)
{
    return parse(b, CAUSALLEARN);
}
