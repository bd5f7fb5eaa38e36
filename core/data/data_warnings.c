/*
 * Numbers that are probably not what they are taken for: see data_warnings.h.
 *
 * Few values: up to five different ones, in at least three times as many rows. The tests take every
 * column as Gaussian.
 *
 * A code for missing values (-9999, 99): an extreme v of the column that occurs more than once and
 * lies far from the other values. If these have the range w, and v is g away from the next of them:
 * g ≥ w where v is written with nines only (as -99, 999, 99.9) or is an end of a type of integers,
 * also where such a v < 0 is the only negative number; g ≥ 10 w and at least three times where v is
 * any other number. The others must be several.
 *
 * Autocorrelation: r₁ = Σ z_i z_{i+1} / Σ z_i², of the centred column in the order of its rows. In
 * independent rows it is about 0 ± 1/√N. Where a third of the columns, and at least two, have more
 * than ½ and more than 4/√N, the rows are a time series, come in groups, or are sorted. Two series
 * with the autocorrelations of an AR(1) process, a and b, have a correlation as variable as that of
 * N (1 - ab) / (1 + ab) independent rows (Bartlett 1935); here a = b = their mean.
 *
 * A symmetric matrix: as many rows as columns, and entry (i, j) is entry (j, i).
 */
#include "data_warnings.h"

#include "audit.h"
#include "findings.h"
#include "status.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    FEW = 5,          /* different values */
    ROWS_A_VALUE = 3, /* for each of them, at least */
    NAMED = 4,        /* columns that a sentence names */
    MIN_ROWS = 10,    /* to find a row number, or a code */
    MIN_MATRIX = 3,   /* rows and columns of a matrix that is no table */
};
static const double STRONG = 0.5;

/* ---- One column ---- */

static int count_values(const double *x, int64_t n)
{
    double seen[FEW];
    int count = 0;
    for (int64_t i = 0; i < n; i++) {
        int k = 0;
        while (k < count && seen[k] != x[i])
            k++;
        if (k < count)
            continue;
        if (count == FEW)
            return 0;
        seen[count++] = x[i];
    }
    return (int64_t)count * ROWS_A_VALUE <= n ? count : 0;
}

/* Nines only: -9, 99, -999, 99.9; of the positive ones 9 is a number like any other. */
static bool has_nines(double v)
{
    double size = fabs(v);
    for (int decimals = 0; decimals <= 2; decimals++, size *= 10) {
        double whole = round(size), nines = 9;
        if (size > 1e15 || fabs(size - whole) > 1e-7 * size) /* a float has no more digits */
            continue;
        while (nines < whole)
            nines = 10 * nines + 9;
        return nines == whole && (v < 0 || whole > 9);
    }
    return false;
}

static bool is_known_code(double v)
{
    static const double ENDS[] = {32767, 65535, 2147483647, 4294967295, 32768, 2147483648};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++)
        if (fabs(v) == ENDS[i])
            return true;
    return has_nines(v) || fabs(v) >= 1e30;
}

/* Is v, `times` times there and `gap` away from the others with this range, no value of theirs? */
static bool is_code(double v, int64_t times, double gap, double range, bool only_negative)
{
    if (times < 2 || !(range > 0))
        return false;
    if (is_known_code(v))
        return gap >= range || only_negative;
    return times > 2 && gap >= 10 * range;
}

/* How often the extremes occur, and the next values inside. */
typedef struct edges {
    int64_t n_low, n_high;
    double above_low, below_high;
} edges;

static edges look_at_edges(const double *restrict x, int64_t n, double low, double high)
{
    int64_t n_low = 0, n_high = 0;
    double above = high, below = low;
#pragma omp simd reduction(+ : n_low, n_high) reduction(min : above) reduction(max : below)
    for (int64_t i = 0; i < n; i++) {
        bool at_low = x[i] == low, at_high = x[i] == high;
        double up = at_low ? high : x[i], down = at_high ? low : x[i];
        n_low += at_low;
        n_high += at_high;
        above = up < above ? up : above;
        below = down > below ? down : below;
    }
    return (edges){n_low, n_high, above, below};
}

/*
 * Do the first values show already that no extreme is far from the others? They are where these
 * take more than half of the whole range, unless a negative code is the only negative number.
 */
static bool has_no_code(const double *x, int64_t n, double low, double high)
{
    enum { LOOK = 64 };
    double least = high, most = low;
    for (int64_t i = 0; i < n && i < LOOK; i++)
        if (x[i] != low && x[i] != high) {
            least = x[i] < least ? x[i] : least;
            most = x[i] > most ? x[i] : most;
        }
    return most - least > (high - low) / 2 && !(low < 0 && is_known_code(low));
}

static void look_for_code(const double *x, int64_t n, double low, double high,
                          dpc_data_warning *odd)
{
    if (has_no_code(x, n, low, high))
        return;
    edges e = look_at_edges(x, n, low, high);
    bool only_negative = low < 0 && e.above_low >= 0;
    odd->has_code = true;
    if (is_code(low, e.n_low, e.above_low - low, high - e.above_low, only_negative)) {
        odd->code = low;
        odd->repeated = e.n_low;
    } else if (is_code(high, e.n_high, high - e.below_high, e.below_high - low, false)) {
        odd->code = high;
        odd->repeated = e.n_high;
    } else {
        odd->has_code = false;
    }
}

static double lag_of(const double *restrict x, int64_t n, double mean, double scale)
{
    double product = 0, square = 0;
    int64_t last_row = n - 1;
#pragma omp simd reduction(+ : product, square)
    for (int64_t i = 0; i < last_row; i++) {
        double z = x[i] * scale - mean;
        product += z * (x[i + 1] * scale - mean);
        square += z * z;
    }
    double last = x[last_row] * scale - mean;
    return product / (square + last * last);
}

static bool counts_rows(const double *x, int64_t n)
{
    int64_t i = 0;
    while (i < n && x[i] == x[0] + (double)i)
        i++;
    return i == n && n >= MIN_ROWS && (x[0] == 0 || x[0] == 1);
}

dpc_data_warning dpc_look_for_warnings(const double *x, int64_t n, double low, double high,
                                       double mean, double scale)
{
    dpc_data_warning odd = {.values = count_values(x, n), .lag = lag_of(x, n, mean, scale)};
    odd.counts = counts_rows(x, n);
    if (n >= MIN_ROWS)
        look_for_code(x, n, low, high, &odd);
    return odd;
}

bool dpc_rows_are_similar(const dpc_data_warning *odd, int64_t n)
{
    return !odd->counts && odd->lag > STRONG && odd->lag > 4 / sqrt((double)n);
}

/* ---- All columns, in sentences ---- */

/* The columns that a sentence names. */
typedef struct list {
    char text[NAMED * (DPC_CLIP_SIZE + 64)];
    size_t used;
    int found;
} list;

__attribute__((format(printf, 3, 4))) static void add(list *l, const char *name, const char *format,
                                                      ...)
{
    char clipped[DPC_CLIP_SIZE], more[48];
    va_list args;
    if (++l->found > NAMED)
        return;
    va_start(args, format);
    vsnprintf(more, sizeof more, format, args);
    va_end(args);
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s'%s' %s",
                                l->found > 1 ? ", " : "", dpc_clip_name(name, clipped), more);
}

static const char *list_text(list *l)
{
    if (l->found > NAMED)
        snprintf(l->text + l->used, sizeof l->text - l->used, " and %d more", l->found - NAMED);
    return l->text;
}

static dpc_status warn_of_few_values(const dpc_table *table, const dpc_data_warning *odd,
                                     dpc_audit *audit)
{
    list l = {.text = ""};
    for (int j = 0; j < table->n_vars; j++)
        if (odd[j].values > 1 && dpc_kind_of(table, j) != DPC_NOMINAL)
            add(&l, table->names[j], "%d", odd[j].values);
    if (l.found == 0)
        return DPC_OK;
    return dpc_findings_add(audit, DPC_WARNING,
                            "%d column%s only two to five different values: %s; %s treated as "
                            "Gaussian, so tests that involve %s are approximate",
                            l.found, l.found == 1 ? " has" : "s have", list_text(&l),
                            l.found == 1 ? "it is" : "they are", l.found == 1 ? "it" : "them");
}

static dpc_status warn_of_codes(const dpc_table *table, const dpc_data_warning *odd,
                                dpc_audit *audit)
{
    list l = {.text = ""};
    double code = 0;
    for (int j = 0; j < table->n_vars; j++)
        if (odd[j].has_code) {
            code = l.found == 0 ? odd[j].code : code;
            add(&l, table->names[j], "%.10g (%lld times)", odd[j].code, (long long)odd[j].repeated);
        }
    if (l.found == 0)
        return DPC_OK;
    return dpc_findings_add(audit, DPC_WARNING,
                            "an extreme number is repeated, far from the others: %s; if it stands "
                            "for missing values, say so with na (--na %.10g)",
                            list_text(&l), code);
}

static dpc_status warn_of_counts(const dpc_table *table, const dpc_data_warning *odd,
                                 dpc_audit *audit)
{
    char name[DPC_CLIP_SIZE];
    for (int j = 0; j < table->n_vars; j++)
        if (odd[j].counts) /* a second one would be reported as a copy of it */
            return dpc_findings_add(audit, DPC_WARNING,
                                    "column '%s' only counts the rows; if it is no variable, leave "
                                    "it out with drop (--drop)",
                                    dpc_clip_name(table->names[j], name));
    return DPC_OK;
}

static dpc_status warn_of_order(const dpc_table *table, const dpc_data_warning *odd,
                                dpc_audit *audit)
{
    list l = {.text = ""};
    double n = (double)table->n_obs, sum = 0;
    int columns = 0;
    for (int j = 0; j < table->n_vars; j++) {
        columns += odd[j].lag != 0 && !odd[j].counts;
        if (!dpc_rows_are_similar(&odd[j], table->n_obs))
            continue;
        sum += odd[j].lag;
        add(&l, table->names[j], "%.2f", odd[j].lag);
    }
    if (!dpc_similar_enough(l.found, columns))
        return DPC_OK;
    double mean = sum / l.found, left = n * (1 - mean * mean) / (1 + mean * mean);
    return dpc_findings_add(
        audit, DPC_WARNING,
        "consecutive rows are similar in %d of %d columns (lag-1 autocorrelation %s). If the rows "
        "are a time series, they carry about as much information as %.0f independent rows, and too "
        "many edges will be found. If they come in groups (subjects, batches, conditions), the "
        "group may be a hidden common cause. If the file was merely sorted, ignore this",
        l.found, columns, list_text(&l), fmax(left, 1));
}

static bool is_symmetric(const dpc_table *table)
{
    const dpc_cells cells = dpc_table_cells(table);
    if (table->n_obs != table->n_vars || table->n_vars < MIN_MATRIX)
        return false;
    bool varies = false;
    for (int64_t j = 0; j < table->n_vars; j++)
        for (int64_t i = 0; i < j; i++) {
            double a = dpc_value_at(&cells, i, j), b = dpc_value_at(&cells, j, i);
            if (!(fabs(a - b) <= 1e-6 * (fabs(a) + fabs(b))))
                return false;
            varies = varies || a != dpc_value_at(&cells, 0, 0);
        }
    return varies;
}

static dpc_status warn_of_matrix(const dpc_table *table, dpc_audit *audit)
{
    if (!is_symmetric(table))
        return DPC_OK;
    return dpc_findings_add(audit, DPC_WARNING,
                            "the table is a symmetric matrix; if it holds correlations or "
                            "covariances, read it as a matrix, with the number of observations "
                            "(--correlation --samples N)");
}

static dpc_status warn_of_columns(const dpc_table *table, const dpc_data_warning *odd,
                                  dpc_audit *audit)
{
    DPC_CHECK(warn_of_matrix(table, audit));
    DPC_CHECK(warn_of_few_values(table, odd, audit));
    DPC_CHECK(warn_of_codes(table, odd, audit));
    DPC_CHECK(warn_of_counts(table, odd, audit));
    return warn_of_order(table, odd, audit);
}

dpc_status dpc_audit_columns(const dpc_table *table, const bool *constant,
                             const dpc_data_warning *odd, dpc_audit *audit, dpc_error *err)
{
    dpc_status status = dpc_audit_constant(table->names, constant, table->n_vars, audit);
    if (status == DPC_OK && odd != NULL)
        status = warn_of_columns(table, odd, audit);
    return dpc_fail_as(err, status, "the audit of the data");
}
