/*
 * Reading a table of arcs: a header, then a row for each edge, as bnlearn's arcs(), Gephi and our
 * own --edges have it. The columns are found by their names, in any order and in any case of
 * letters; others are skipped.
 *
 *     from, source         and to, target     the two nodes
 *     mark, type, interaction                 --> --- o-> directed …: see dpc_relation
 *     directed                                true, false, 1 or 0
 *
 * Without a column for it every row is an arrow, and an edge that is there both ways is undirected.
 * Row names, as R's write.csv makes them, are skipped.
 *
 * A .csv is a matrix or such a table: its header tells; but where the cells below n names are n
 * rows of 0 and 1, it is the matrix of variables that happen to be called so.
 */
#include "graph_build.h"
#include "text.h"

enum { FROM, TO, MARK, DIRECTED, N_COLUMNS };

typedef struct table {
    char delimiter;
    const char *rows;
    int64_t fields;                       /* of the header */
    int64_t place[N_COLUMNS];             /* of each column; -1: it is not there */
    int64_t strength, direction, forward; /* of columns that other tables have */
} table;

static bool is_word(const dpc_cell *cell, const char *word)
{
    return dpc_says(cell->text, cell->length, word);
}

static void find_column(const dpc_cell *cell, int64_t place, table *t)
{
    static const struct {
        const char *word;
        int column;
    } WORDS[] = {{"from", FROM},        {"source", FROM},      {"to", TO},
                 {"target", TO},        {"mark", MARK},        {"type", MARK},
                 {"interaction", MARK}, {"directed", DIRECTED}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (is_word(cell, WORDS[i].word) && t->place[WORDS[i].column] < 0)
            t->place[WORDS[i].column] = place;
    t->strength = is_word(cell, "strength") ? place : t->strength;
    t->direction = is_word(cell, "direction") ? place : t->direction;
    t->forward = is_word(cell, "forward") ? place : t->forward;
}

/* The columns by the header. Does it have both nodes, one in each? */
static bool read_header(const char *text, table *t)
{
    const char *p = dpc_over_space(text), *row = p;
    dpc_csv_after after = DPC_CSV_CELL;
    *t = (table){.delimiter = dpc_csv_delimiter(p),
                 .place = {-1, -1, -1, -1},
                 .strength = -1,
                 .direction = -1,
                 .forward = -1};
    t->rows = dpc_csv_skip(&row, t->delimiter);
    for (; t->rows != NULL && after == DPC_CSV_CELL; t->fields++) {
        dpc_cell cell;
        after = dpc_csv_next(&p, t->delimiter, &cell);
        find_column(&cell, t->fields, t);
    }
    return t->rows != NULL && t->place[FROM] >= 0 && t->place[TO] >= 0;
}

bool dpc_is_arcs(const char *text)
{
    table t;
    return read_header(text, &t);
}

/* ---- Rows ---- */

/* What a row says of the direction. */
static dpc_status read_mark(dpc_builder *b, const table *t, const dpc_cell cells[N_COLUMNS],
                            dpc_mark *mark)
{
    char clipped[DPC_CLIP_SIZE];
    const dpc_cell *cell = &cells[t->place[MARK] >= 0 ? MARK : DIRECTED];
    *mark = DPC_FORWARD;
    if (t->place[MARK] >= 0)
        return dpc_build_mark(b, cell->text, cell->length, cell->text, mark);
    if (t->place[DIRECTED] < 0)
        return DPC_OK;
    bool yes = is_word(cell, "true") || is_word(cell, "1");
    *mark = yes ? DPC_FORWARD : DPC_UNDIRECTED;
    if (yes || is_word(cell, "false") || is_word(cell, "0"))
        return DPC_OK;
    return dpc_build_refuse(b, cell->text,
                            "'%s' does not say whether the edge has a direction; write true or "
                            "false",
                            dpc_csv_clip(cell, clipped));
}

static dpc_status read_row(dpc_builder *b, const table *t, const char **p)
{
    const char *row = *p;
    dpc_cell cells[N_COLUMNS] = {{0}};
    int64_t extra = dpc_csv_count(row, t->delimiter) - t->fields, fields = -extra;
    dpc_csv_after after = DPC_CSV_CELL;
    int32_t from, to;
    dpc_mark mark;
    if (extra != 0 && extra != 1) /* one more: the name of the row */
        return dpc_build_refuse(b, row, "the row has %lld fields, but the header %lld",
                                (long long)(t->fields + extra), (long long)t->fields);
    for (; after == DPC_CSV_CELL; fields++) {
        dpc_cell cell;
        after = dpc_csv_next(p, t->delimiter, &cell);
        for (int c = 0; c < N_COLUMNS; c++)
            if (t->place[c] == fields)
                cells[c] = cell;
    }
    if (after == DPC_CSV_UNCLOSED)
        return dpc_build_refuse(b, row, "a quote opens here that is never closed");
    *p = dpc_csv_over_break(*p);
    DPC_CHECK(dpc_build_cell(b, &cells[FROM], &from));
    DPC_CHECK(dpc_build_cell(b, &cells[TO], &to));
    DPC_CHECK(read_mark(b, t, cells, &mark));
    return dpc_build_edge(b, from, to, mark, row);
}

dpc_status dpc_parse_arcs(dpc_builder *b)
{
    table t;
    const char *start = dpc_over_space(b->text);
    if (!read_header(b->text, &t))
        return dpc_build_refuse(b, start, "the header does not have the columns from and to");
    if ((t.strength >= 0 && t.direction >= 0) || (t.forward >= 0 && t.place[MARK] < 0))
        return dpc_build_refuse(b, start,
                                "this table tells how often each edge was found, and is no graph; "
                                "choose edges first (dualpc learn --min-frequency, bnlearn's "
                                "averaged.network)");
    for (const char *p = t.rows; *dpc_over_space(p) != '\0';)
        DPC_CHECK(read_row(b, &t, &p));
    return dpc_build_sort(b, DPC_TWICE_BOTH_WAYS);
}

/* ---- Matrix or arcs ---- */

/* Are there as many rows as names, all of them 0 and 1? */
static bool is_matrix(const table *t)
{
    int64_t rows = 0;
    for (const char *p = t->rows; *dpc_over_space(p) != '\0'; rows++) {
        dpc_csv_after after = DPC_CSV_CELL;
        while (after == DPC_CSV_CELL) {
            dpc_cell cell;
            after = dpc_csv_next(&p, t->delimiter, &cell);
            if (cell.length != 1 || (cell.text[0] != '0' && cell.text[0] != '1'))
                return false;
        }
        p = dpc_csv_over_break(p);
    }
    return rows == t->fields;
}

dpc_status dpc_parse_table(dpc_builder *b)
{
    table t;
    return read_header(b->text, &t) && !is_matrix(&t) ? dpc_parse_arcs(b) : dpc_parse_adjacency(b);
}
