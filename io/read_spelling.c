/*
 * Numbers that are not spelled as usual: 1,5 and 1,234,567 and 12% and 1.5D+03.
 *
 * Only when a column has cells that are no numbers is it looked at again. A comma is a decimal
 * comma or stands between thousands, and that is so in the whole file: it is a decimal comma where
 * some number cannot be read otherwise (1,5) and no number of the file has a point; it stands
 * between thousands where some number cannot be read otherwise (1,234,567 or 1,234.5), and no
 * number is 1,5. Where all are like 1,234 points elsewhere decide, then the delimiter: who has to
 * put semicolons between cells has decimal commas. Percent signs must be on all numbers of a
 * column.
 *
 * Columns all of whose cells can be read so are made plain in the text itself, in the place that
 * they have: then the fast way reads them, and lines keep their numbers.
 */
#include "alloc.h"
#include "read.h"

#include <stdlib.h>
#include <string.h>

typedef enum comma {
    COMMA_NONE,
    COMMA_DECIMAL, /* cannot be anything else */
    COMMA_GROUPS,  /* cannot be anything else */
    COMMA_EITHER,
} comma;

typedef struct spelling {
    bool number;
    bool percent, fortran, point;
    comma comma;
} spelling;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Groups of three digits behind commas, from a first one of up to three that is not 0. */
static bool has_groups(const char *text)
{
    const char *p = text + (*text == '-' || *text == '+');
    size_t digits = strspn(p, "0123456789");
    if (digits < 1 || digits > 3 || *p == '0' || p[digits] != ',')
        return false;
    p += digits;
    while (*p == ',') {
        if (!is_digit(p[1]) || !is_digit(p[2]) || !is_digit(p[3]) || is_digit(p[4]))
            return false;
        p += 4;
    }
    return *p == '\0' || *p == '.';
}

/* Without its commas, or with a point in the place of the only one. */
static void replace_commas(char *text, bool decimal)
{
    char *to = text;
    for (const char *p = text; *p != '\0'; p++)
        if (*p != ',')
            *to++ = *p;
        else if (decimal)
            *to++ = '.';
    *to = '\0';
}

static bool is_plain(const dpc_reader *in, const char *text)
{
    double value;
    const char *end = dpc_number_scan(text, in->c_locale, &value);
    return end != NULL && *end == '\0';
}

/* Takes off the percent sign, and makes Fortran's D an e; a copy of the cell. */
static bool make_copy(const dpc_cell *cell, char copy[DPC_CLIP_SIZE], spelling *s)
{
    const char *begin = cell->text, *end = begin + cell->length;
    while (begin < end && (*begin == ' ' || *begin == '\t'))
        begin++;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    s->percent = end > begin && end[-1] == '%';
    end -= s->percent;
    while (end > begin && end[-1] == ' ')
        end--;
    if (end - begin >= DPC_CLIP_SIZE || end == begin)
        return false;
    memcpy(copy, begin, (size_t)(end - begin));
    copy[end - begin] = '\0';
    char *d = strpbrk(copy, "dD");
    s->fortran = d != NULL && (d[1] == '+' || d[1] == '-');
    if (s->fortran)
        *d = 'e';
    return true;
}

static spelling spelling_of(const dpc_reader *in, const dpc_cell *cell)
{
    spelling s = {0};
    char copy[DPC_CLIP_SIZE];
    if (!make_copy(cell, copy, &s))
        return (spelling){0};
    const char *first = strchr(copy, ',');
    s.point = strchr(copy, '.') != NULL;
    if (first != NULL) {
        bool groups = has_groups(copy), decimal = strchr(first + 1, ',') == NULL && !s.point;
        replace_commas(copy, decimal);
        decimal = decimal && is_plain(in, copy);
        if (!decimal)
            replace_commas(copy, false);
        s.comma = groups && decimal ? COMMA_EITHER : groups ? COMMA_GROUPS : COMMA_DECIMAL;
        s.number = (groups || decimal) && is_plain(in, copy);
        return s;
    }
    s.number = is_plain(in, copy);
    return s;
}

bool dpc_reader_is_odd_number(const dpc_reader *in, const dpc_cell *cell)
{
    spelling s = spelling_of(in, cell);
    return s.number && (s.percent || s.fortran || s.comma != COMMA_NONE);
}

bool dpc_reader_decimal_comma(const dpc_reader *in, const dpc_cell *cell)
{
    spelling s = spelling_of(in, cell);
    return s.number && (s.comma == COMMA_DECIMAL || s.comma == COMMA_EITHER);
}

/* ---- What the file has ---- */

typedef struct column_survey {
    int64_t numbers, percent, fortran, others, commas;
} column_survey;

typedef struct survey {
    const dpc_reader *in;
    column_survey *columns; /* by variable */
    int64_t points, decimal, groups, either;
} survey;

static void look_at(void *context, const dpc_cell *cell, int64_t variable)
{
    survey *all = context;
    column_survey *c = &all->columns[variable];
    double value;
    dpc_kind kind = dpc_reader_kind(all->in, cell, &value, NULL);
    if (kind == DPC_KIND_MISSING || kind == DPC_KIND_INFINITE)
        return;
    spelling s = spelling_of(all->in, cell);
    if (!s.number) {
        c->others++;
        return;
    }
    c->numbers++;
    c->percent += s.percent;
    c->fortran += s.fortran;
    c->commas += s.comma != COMMA_NONE;
    all->points += s.point;
    all->decimal += s.comma == COMMA_DECIMAL;
    all->groups += s.comma == COMMA_GROUPS;
    all->either += s.comma == COMMA_EITHER;
}

/* What the commas are; COMMA_EITHER: they contradict each other. */
static comma meaning_of_commas(const survey *s)
{
    if (s->decimal > 0)
        return s->points == 0 && s->groups == 0 ? COMMA_DECIMAL : COMMA_EITHER;
    if (s->groups > 0 || s->points > 0)
        return COMMA_GROUPS;
    return s->in->delimiter == ',' ? COMMA_GROUPS : COMMA_DECIMAL;
}

/* How the numbers of a variable are to be made plain; 0: they are not, or cannot be. */
static unsigned spelled_as(const column_survey *c, comma commas)
{
    bool fine = c->others == 0 && (c->percent == 0 || c->percent == c->numbers) &&
                (c->commas == 0 || commas != COMMA_EITHER);
    unsigned as = 0;
    if (c->commas > 0)
        as |= commas == COMMA_DECIMAL ? DPC_SPELLED_COMMA : DPC_SPELLED_GROUPS;
    if (c->percent > 0)
        as |= DPC_SPELLED_PERCENT;
    if (c->fortran > 0)
        as |= DPC_SPELLED_FORTRAN;
    return fine ? as : 0;
}

/* ---- Making them plain ---- */

typedef struct change {
    const dpc_reader *in;
    const unsigned *as; /* by variable */
} change;

/* In the text of the file, which the reader owns; blanks fill what becomes free. */
static void make_plain(void *context, const dpc_cell *cell, int64_t variable)
{
    const change *c = context;
    unsigned as = c->as[variable];
    double value;
    if (as == 0 || dpc_reader_kind(c->in, cell, &value, NULL) == DPC_KIND_MISSING)
        return;
    char *begin = (char *)cell->text, *to = begin, *end = begin + cell->length;
    for (const char *p = begin; p < end; p++) {
        bool left_out = (*p == ',' && (as & DPC_SPELLED_GROUPS) != 0) || *p == '%';
        bool exponent = (*p == 'd' || *p == 'D') && (as & DPC_SPELLED_FORTRAN) != 0;
        if (!left_out)
            *to++ = *p == ',' ? '.' : exponent ? 'e' : *p;
    }
    memset(to, ' ', (size_t)(end - to));
}

static void remember(dpc_reader *in, const unsigned *as)
{
    for (int64_t v = 0; v < in->n_variables; v++)
        for (int i = 0; i < 4; i++)
            if ((as[v] >> i & 1) != 0 && in->spelled_as[i].count++ == 0)
                in->spelled_as[i].variable = (int)v;
}

dpc_status dpc_reader_respell(dpc_reader *in, bool *changed)
{
    bool texts = false;
    for (int64_t v = 0; v < in->n_variables; v++)
        texts = texts || in->tally.text[v].count > 0;
    *changed = false;
    if (!texts)
        return DPC_OK;
    survey s = {.in = in, .columns = dpc_zalloc(in->n_variables, sizeof *s.columns)};
    unsigned *as = dpc_zalloc(in->n_variables, sizeof *as);
    in->spelled_as = dpc_zalloc(4, sizeof *in->spelled_as);
    dpc_status status =
        s.columns != NULL && as != NULL && in->spelled_as != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK) {
        dpc_reader_visit(in, look_at, &s);
        for (int64_t v = 0; v < in->n_variables; v++) {
            as[v] = spelled_as(&s.columns[v], meaning_of_commas(&s));
            *changed = *changed || as[v] != 0;
        }
    }
    if (*changed) {
        dpc_reader_visit(in, make_plain, &(change){in, as});
        remember(in, as);
    }
    free(s.columns);
    free(as);
    return status;
}
