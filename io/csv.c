/* Records and cells of a delimited text: see csv.h. */
#include "csv.h"

#include "missing.h"

#include <string.h>

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The quote that closes the one at `open`; NULL where none does. */
static const char *closing_quote(const char *open)
{
    const char *q = strchr(open + 1, '"');
    while (q != NULL && q[1] == '"')
        q = strchr(q + 2, '"');
    return q;
}

dpc_csv_after dpc_csv_next(const char **p, char delimiter, dpc_cell *cell)
{
    const char *begin = dpc_csv_over_blanks(*p, delimiter), *end = begin;
    if (*begin == '"') {
        const char *close = closing_quote(begin);
        if (close == NULL) {
            *cell = (dpc_cell){begin, 1, false};
            return DPC_CSV_UNCLOSED;
        }
        *p = end = close + 1;
        dpc_csv_after after = dpc_csv_follow(p, delimiter);
        if (after != DPC_CSV_OTHER) {
            *cell = (dpc_cell){begin + 1, (size_t)(close - begin - 1), true};
            return after;
        }
        /* text after the closing quote: all of it is one plain cell, quotes included */
    }
    const char other = delimiter == ' ' ? '\t' : delimiter;
    while (*end != delimiter && *end != other && !dpc_csv_at_end(*end))
        end++;
    *cell = (dpc_cell){begin, (size_t)(end - begin), false};
    dpc_trim(&cell->text, &cell->length); /* blanks inside of quotes are meant */
    *p = end;
    return dpc_csv_follow(p, delimiter);
}

const char *dpc_csv_skip(const char **p, char delimiter)
{
    const char *q = *p;
    while (!dpc_csv_at_end(*q) && *q != '"')
        q++;
    if (*q == '"') { /* only now do cells matter */
        dpc_csv_cells r = dpc_record_at(*p, delimiter);
        while (dpc_record_next(&r))
            ;
        if (r.after == DPC_CSV_UNCLOSED) {
            *p = r.cell.text;
            return NULL;
        }
        q = r.p;
    }
    return dpc_csv_over_break(q);
}

int64_t dpc_csv_count(const char *p, char delimiter)
{
    dpc_csv_cells r = dpc_record_at(p, delimiter);
    while (dpc_record_next(&r))
        ;
    return r.index + 1;
}

int64_t dpc_csv_line(const char *text, const char *at)
{
    int64_t line = 1;
    for (const char *p = text; p < at; p++)
        line += *p == '\n' || (*p == '\r' && p[1] != '\n');
    return line;
}

char *dpc_csv_copy(const dpc_cell *cell, char *to)
{
    for (size_t i = 0; i < cell->length; i++) {
        *to++ = cell->text[i];
        if (cell->doubled && cell->text[i] == '"')
            i++; /* inside quotes they come in pairs */
    }
    *to++ = '\0';
    return to;
}

const char *dpc_csv_clip(const dpc_cell *cell, char out[DPC_CLIP_SIZE])
{
    dpc_clip(cell->text, cell->length, cell->doubled, out);
    return out;
}

/* isalpha and tolower ask the locale. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool dpc_same_word(const char *a, const char *b, size_t length)
{
    size_t i = 0;
    while (i < length && lower(a[i]) == lower(b[i]))
        i++;
    return i == length;
}

/* ---- The delimiter ---- */

enum { N_MARKS = 3 };
static const char MARKS[N_MARKS + 1] = ",\t;";

/* How many cells a line would have with each delimiter. */
typedef struct shape {
    int64_t cells[N_MARKS];
    int64_t words; /* with runs of blanks */
} shape;

/*
 * The shape of the line at `p`; returns the start of the next one. Since the delimiter is not
 * known yet, a quote opens after any of them, and one that is never closed is text.
 */
static const char *shape_of_line(const char *p, shape *s)
{
    *s = (shape){{1, 1, 1}, 0};
    bool at_start = true, in_word = false, quotes = true;
    for (; !dpc_csv_at_end(*p); p++) {
        if (*p == '"' && at_start && quotes) {
            const char *close = closing_quote(p);
            quotes = close != NULL;
            p = quotes ? close : p;
        }
        at_start = is_blank(*p);
        for (int i = 0; i < N_MARKS; i++)
            if (*p == MARKS[i]) {
                s->cells[i]++;
                at_start = true;
            }
        s->words += !is_blank(*p) && !in_word;
        in_word = !is_blank(*p);
    }
    if (s->words == 0)
        s->words = 1;
    return dpc_csv_over_break(p);
}

static const char *over_blank_lines(const char *p)
{
    while (*p == '\n' || *p == '\r')
        p++;
    return p;
}

/* Looks within the cell alone: the next ones may look the same, to the end of a long line. */
static bool looks_like_a_value(const dpc_cell *cell)
{
    const char *text = cell->text;
    size_t length = cell->length;
    length -= length > 0 && text[length - 1] == '%';
    dpc_trim(&text, &length);
    for (size_t i = 0; i < length; i++)
        if (memchr("+-.,eEdD0123456789", text[i], 18) == NULL)
            return dpc_na_is_usual(text, length) ||
                   (length == 3 && dpc_same_word("nan", text, length));
    return true;
}

/* How many cells of the line are neither numbers by their looks, in any spelling, nor missing. */
static int64_t odd_cells(const char *p, char mark)
{
    int64_t odd = 0;
    for (dpc_csv_cells r = dpc_record_at(p, mark); dpc_record_next(&r);)
        odd += !looks_like_a_value(&r.cell);
    return odd;
}

/*
 * Are these numbers between blanks, some of them with a decimal comma, "1,5 2,5"? Between commas
 * there would be texts, "5 2". No word has two commas: so even if the first text is taken as the
 * name of a row, there would not be two columns of numbers beside it.
 */
static bool has_decimal_commas(const char *line)
{
    for (dpc_csv_cells r = dpc_record_at(line, ' '); dpc_record_next(&r);) {
        const char *end = r.cell.text + r.cell.length;
        const char *comma = memchr(r.cell.text, ',', r.cell.length);
        if (!looks_like_a_value(&r.cell) ||
            (comma != NULL && memchr(comma + 1, ',', (size_t)(end - comma - 1)) != NULL))
            return false;
    }
    return odd_cells(line, ',') > 0;
}

char dpc_csv_delimiter_of(const char *header, const char *first_row)
{
    shape head, row;
    shape_of_line(header, &head);
    shape_of_line(first_row, &row);

    /*
     * one that is in the header, best where the first row has as many cells, or one more; then one
     * that leaves numbers between: 1,5;2,5 has two cells
     */
    int best = 0, best_fit = 0;
    int64_t best_odd = 0;
    for (int i = 0; i < N_MARKS; i++) {
        int64_t extra = row.cells[i] - head.cells[i];
        int fit = head.cells[i] < 2 ? 0 : extra == 0 ? 3 : extra == 1 ? 2 : 1;
        if (fit == 0 || fit < best_fit)
            continue;
        int64_t odd = odd_cells(first_row, MARKS[i]);
        if (fit > best_fit || odd < best_odd ||
            (odd == best_odd && head.cells[i] > head.cells[best])) {
            best = i;
            best_fit = fit;
            best_odd = odd;
        }
    }
    /* a comma between the names of a header leaves words that are no numbers */
    if (best_fit > 0 && MARKS[best] == ',' && head.words > 1 && head.words == row.words &&
        has_decimal_commas(header) && has_decimal_commas(first_row))
        return ' ';
    if (best_fit > 0)
        return MARKS[best];
    if (head.words > 1 && row.words > 1)
        return ' ';
    /* one column, maybe with row names that have no place in the header */
    for (int i = 0; i < N_MARKS; i++)
        if (row.cells[i] == 2)
            return MARKS[i];
    return head.words == 1 && row.words == 2 ? ' ' : ',';
}

char dpc_csv_delimiter(const char *text)
{
    shape ignored;
    return dpc_csv_delimiter_of(text, over_blank_lines(shape_of_line(text, &ignored)));
}
