/*
 * Numbers that are not spelled as usual: 1,5 and 1,234,567 and 12% and 1.5D+03.
 *
 * Only when a file has such numbers is it looked at again. A comma is a decimal comma or stands
 * between thousands, and that is so in the whole file: it is a decimal comma where some number
 * cannot be read otherwise (1,5) and no number of the file has a point; it stands between thousands
 * where some number cannot be read otherwise (1,234,567 or 1,234.5), and no number is 1,5. Where
 * all are like 1,234 points elsewhere decide, then the delimiter: who has to put semicolons between
 * cells has decimal commas. Percent signs must be on all numbers of a column. A file whose numbers
 * contradict each other in this is refused (read_audit.c).
 *
 * Columns without text are made plain in the text itself, in the place that they have: then the
 * fast way reads them, and lines keep their numbers. Text in a column is an error, and names the
 * cells that are text alone.
 */
#include "read.h"

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

/* ---- What the file has ---- */

static void look_at(void *context, const dpc_cell *cell, int64_t variable)
{
    dpc_reader *in = context;
    double value;
    dpc_kind kind = dpc_reader_kind(in, cell, &value, NULL);
    if ((kind != DPC_KIND_NUMBER && kind != DPC_KIND_ODD) || in->tally.text[variable].count > 0)
        return;
    dpc_spelling *column = &in->spellings[variable];
    spelling s = spelling_of(in, cell);
    dpc_seen_add(s.percent ? &column->percent : &column->no_percent, cell, variable);
    column->fortran += s.fortran;
    column->commas += s.comma != COMMA_NONE;
    if (s.point)
        dpc_seen_add(&in->points, cell, variable);
    if (s.comma == COMMA_DECIMAL)
        dpc_seen_add(&in->commas, cell, variable);
    if (s.comma == COMMA_GROUPS)
        dpc_seen_add(&in->groups, cell, variable);
}

bool dpc_reader_commas_differ(const dpc_reader *in)
{
    return in->commas.count > 0 && (in->points.count > 0 || in->groups.count > 0);
}

bool dpc_reader_percents_differ(const dpc_reader *in, int64_t variable)
{
    const dpc_spelling *s = &in->spellings[variable];
    return s->percent.count > 0 && s->no_percent.count > 0;
}

/* Are the commas decimal ones? If they are all like 1,234, points and the delimiter decide. */
static bool commas_are_decimal(const dpc_reader *in)
{
    return in->commas.count > 0 ||
           (in->groups.count == 0 && in->points.count == 0 && in->delimiter != ',');
}

/* How the numbers of each variable are made plain; false: not at all. */
static bool choose_spellings(dpc_reader *in)
{
    bool any = false, contradict = dpc_reader_commas_differ(in);
    for (int64_t v = 0; v < in->n_variables; v++)
        contradict = contradict || dpc_reader_percents_differ(in, v);
    for (int64_t v = 0; v < in->n_variables && !contradict; v++) {
        dpc_spelling *s = &in->spellings[v];
        s->as = (s->percent.count > 0 ? DPC_SPELLED_PERCENT : 0U) |
                (s->fortran > 0 ? DPC_SPELLED_FORTRAN : 0U);
        if (s->commas > 0)
            s->as |= commas_are_decimal(in) ? DPC_SPELLED_COMMA : DPC_SPELLED_GROUPS;
        any = any || s->as != 0;
    }
    return any;
}

/* ---- Making them plain ---- */

/* In the text of the file, which the reader owns; blanks fill what becomes free. */
static void make_plain(void *context, const dpc_cell *cell, int64_t variable)
{
    const dpc_reader *in = context;
    unsigned as = in->spellings[variable].as;
    double value;
    if (as == 0 || dpc_reader_kind(in, cell, &value, NULL) != DPC_KIND_ODD)
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

dpc_status dpc_reader_respell(dpc_reader *in, bool *changed)
{
    int64_t odd = 0;
    for (int64_t v = 0; v < in->n_variables; v++)
        odd += in->tally.odd[v].count;
    if (odd == 0)
        return DPC_OK;
    in->spellings = dpc_arena_zalloc(&in->memory, in->n_variables, sizeof *in->spellings);
    if (in->spellings == NULL)
        return DPC_NO_MEMORY;
    dpc_reader_visit(in, look_at, in);
    *changed = choose_spellings(in);
    if (*changed)
        dpc_reader_visit(in, make_plain, in);
    return DPC_OK;
}
