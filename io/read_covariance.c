/*
 * The covariance and correlation matrices of Tetrad: comments, maybe a line "/covariance", the
 * number of observations, the names, and then the lower triangle, a line for each row, or the whole
 * matrix.
 */
#include "audit.h"
#include "findings.h"
#include "read.h"
#include "source.h"
#include "status.h"
#include "table.h"
#include "text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 1000 }; /* names: more are worth a look before memory is asked for */

static const char BETWEEN[] = " \t,;";

/* The first line at `p` or below that says something; the NUL: none does. */
static const char *over_comments(const char *p)
{
    for (;; p = dpc_reader_next_line(p)) {
        const char *q = p + strspn(p, " \t");
        if (*q == '\0' || (!dpc_csv_at_end(*q) && *q != '#' && strncmp(q, "//", 2) != 0))
            return *q == '\0' ? q : p;
    }
}

/* "/covariance" or "/correlation", and the lines above it. */
static const char *over_title(const char *p, bool *found)
{
    p = over_comments(p);
    const char *q = p + strspn(p, " \t");
    bool word = strncmp(q, "/cov", 4) == 0 || strncmp(q, "/Cov", 4) == 0 ||
                strncmp(q, "/cor", 4) == 0 || strncmp(q, "/Cor", 4) == 0;
    /* alone: a column may be called /cortisol */
    *found = word && dpc_csv_at_end(q[strcspn(q, ",;\t\r\n")]);
    return *found ? over_comments(dpc_reader_next_line(p)) : p;
}

/* A whole number and nothing else on the line; 0: it is not so. */
static int64_t whole_number(const char *p)
{
    int64_t number = 0;
    p += strspn(p, " \t");
    for (; *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, *p - '0', &number))
            return 0;
    p += strspn(p, BETWEEN);
    return dpc_csv_at_end(*p) ? number : 0;
}

/* How many numbers the line has; -1: something else too. */
static int64_t count_numbers(const dpc_reader *in, const char *p)
{
    int64_t count = 0;
    for (p += strspn(p, BETWEEN); !dpc_csv_at_end(*p); p += strspn(p, BETWEEN)) {
        double ignored;
        p = dpc_number_scan(p, in->c_locale, &ignored);
        if (p == NULL || (!dpc_csv_at_end(*p) && strchr(BETWEEN, *p) == NULL))
            return -1;
        count++;
    }
    return count;
}

static char delimiter_of(const char *names)
{
    size_t length = strcspn(names, "\r\n");
    for (const char *mark = "\t,;"; *mark != '\0'; mark++)
        if (memchr(names, *mark, length) != NULL)
            return *mark;
    return ' ';
}

static bool is_called_cov(const char *path)
{
    const char *cov = strstr(path, ".cov");
    return cov != NULL && (cov[4] == '\0' || cov[4] == '.');
}

/* Is no cell of the line a number, and are there several? */
static bool has_names(const dpc_reader *in, const char *p, int64_t *count)
{
    char delimiter = delimiter_of(p);
    dpc_csv_after after = DPC_CSV_CELL;
    for (*count = 0; after == DPC_CSV_CELL; ++*count) {
        dpc_cell cell;
        double ignored;
        after = dpc_csv_next(&p, delimiter, &cell);
        if (dpc_number_classify(cell.text, cell.length, in->c_locale, &ignored) == DPC_KIND_NUMBER)
            return false;
    }
    return *count > 1;
}

bool dpc_is_covariance(const dpc_reader *in)
{
    bool title;
    const char *p = over_title(in->text, &title);
    if (title)
        return true;
    if (whole_number(p) == 0)
        return false;
    const char *names = over_comments(dpc_reader_next_line(p));
    const char *row = over_comments(dpc_reader_next_line(names));
    int64_t count, numbers = count_numbers(in, row);
    return has_names(in, names, &count) &&
           (numbers == 1 || numbers == count || is_called_cov(in->path));
}

/* ---- Reading ---- */

/* The names, as the header of a table would have them. */
static dpc_status take_names(dpc_reader *in, const char *names, dpc_audit *audit)
{
    in->header = names;
    in->delimiter = delimiter_of(names);
    int64_t count = dpc_csv_count(names, in->delimiter);
    if (count > INT_MAX / 2)
        return dpc_reader_refuse(audit, "there are too many names on line %lld",
                                 (long long)dpc_csv_line(in->text, names));
    in->header_cells = dpc_arena_alloc(&in->memory, count, sizeof *in->header_cells);
    if (in->header_cells == NULL)
        return DPC_NO_MEMORY;
    for (int64_t i = 0; i < count; i++)
        dpc_csv_next(&names, in->delimiter, &in->header_cells[i]);
    if (in->header_cells[count - 1].length == 0)
        count--; /* a delimiter at the end of the line */
    in->n_names = in->n_fields = (int)count;
    in->no_values = dpc_arena_zalloc(&in->memory, count, sizeof *in->no_values);
    return in->no_values != NULL ? DPC_OK : DPC_NO_MEMORY;
}

/* The numbers of a line, each into its place in both triangles. */
static void take_row(const dpc_reader *in, const char *p, int64_t row, int64_t count, double *to)
{
    int64_t n = in->n_names;
    for (int64_t j = 0; j < count; j++) {
        double value = NAN;
        p = dpc_number_scan(p + strspn(p, BETWEEN), in->c_locale, &value);
        to[row * n + j] = value;
        if (count <= row + 1)
            to[j * n + row] = value;
    }
}

static dpc_status read_numbers(const dpc_reader *in, const char *p, dpc_audit *audit, double *to)
{
    int n = in->n_names, whole = 0;
    for (int row = 0; row < n; row++, p = dpc_reader_next_line(p)) {
        p = over_comments(p);
        if (*p == '\0')
            return dpc_reader_refuse(audit,
                                     "the matrix has %d row%s and %d names; it needs a row "
                                     "for each",
                                     row, dpc_plural(row), n);
        int64_t count = count_numbers(in, p);
        if (row == 0 && count == n && n > 1)
            whole = n;
        int wanted = whole > 0 ? whole : row + 1;
        if (count != wanted)
            return dpc_reader_refuse(audit,
                                     "line %lld should have %d number%s, as row %d of the "
                                     "matrix, and nothing else",
                                     (long long)dpc_csv_line(in->text, p), wanted,
                                     dpc_plural(wanted), row + 1);
        take_row(in, p, row, count, to);
    }
    p = over_comments(p);
    if (*p != '\0')
        return dpc_reader_refuse(audit,
                                 "line %lld is one too many: the matrix has %d names, and "
                                 "as many rows",
                                 (long long)dpc_csv_line(in->text, p), n);
    for (int64_t i = 0; i < (int64_t)n * n; i++)
        if (!isfinite(to[i]))
            return dpc_reader_refuse(audit, "the matrix has an infinite number");
    return DPC_OK;
}

/* The rows and columns that are wanted. */
static dpc_status make_table(dpc_reader *in, const double *all, dpc_table **table, dpc_error *err)
{
    int n = in->n_vars;
    const char **names = dpc_arena_alloc(&in->memory, n, sizeof *names);
    if (names == NULL)
        return DPC_NO_MEMORY;
    for (int j = 0; j < n; j++)
        names[j] = in->names[in->number[j] - 1];
    DPC_CHECK(dpc_table_make(n, n, names, table, err));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            (*table)->values[j * n + i] =
                all[(int64_t)(in->number[j] - 1) * in->n_names + in->number[i] - 1];
    return DPC_OK;
}

dpc_status dpc_covariance_read(dpc_reader *in, dpc_audit *audit, dpc_table **table, int64_t *n_obs,
                               dpc_error *err)
{
    bool title;
    const char *p = over_title(in->text, &title);
    *n_obs = whole_number(p);
    if (*n_obs == 0)
        return dpc_reader_refuse(audit,
                                 "line %lld should be the number of observations of this "
                                 "covariance matrix, a whole number from 1",
                                 (long long)dpc_csv_line(in->text, p));
    p = over_comments(dpc_reader_next_line(p));
    if (*p == '\0')
        return dpc_reader_refuse(audit, "there are no names below the number of observations");
    if (in->options.transpose || in->options.no_header)
        return dpc_fail(err, DPC_USAGE,
                        "%.200s is a covariance matrix; transpose and no_header are for tables",
                        dpc_source_name(in->path));
    DPC_CHECK(take_names(in, p, audit));
    /* a number and what is behind it take two bytes: many names alone must not ask for memory */
    if (in->n_names > MANY && (double)in->n_names * (in->n_names + 1.0) > (double)(in->end - p))
        return dpc_reader_refuse(audit, "the matrix has fewer numbers than its %d names need",
                                 in->n_names);
    int64_t entries = (int64_t)in->n_names * in->n_names;
    double *all = dpc_arena_alloc(&in->memory, entries, sizeof *all);
    if (all == NULL)
        return DPC_NO_MEMORY;
    DPC_CHECK(read_numbers(in, dpc_reader_next_line(p), audit, all));
    DPC_CHECK(dpc_reader_choose(in, audit, err));
    DPC_CHECK(make_table(in, all, table, err));
    int errors = audit->errors;
    DPC_CHECK(dpc_audit_names((*table)->names, (*table)->n_vars, in->number, audit));
    return audit->errors > errors ? DPC_BAD_INPUT : DPC_OK;
}
