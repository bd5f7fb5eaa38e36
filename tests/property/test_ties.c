/*
 * Columns of few values and few rows have correlations that are exactly equal. Still the order of
 * the columns does not matter: the graph of rearranged columns is the rearranged graph. Only where
 * R itself is the same after columns have changed places, and the data as well, two graphs are as
 * good as each other; then the one is the other after these columns have changed places.
 */
#include "canonical.h"
#include "cases.h"
#include "repeat.h"
#include "same.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 6000, MOST = 12, MOST_ROWS = 100 };

struct tied_table {
    int n, rows;
    double values[MOST * MOST_ROWS];
};

/* ---- Tables ---- */

/* What a cell becomes, given that of another column. */
static double draw_cell(gsl_rng *rng, int levels, bool related, double other)
{
    return related && gsl_rng_uniform(rng) < 0.7 ? other : draw_int(rng, 0, levels - 1);
}

static void swap(double *a, double *b)
{
    double old = *a;
    *a = *b;
    *b = old;
}

/* Half of the cells are 1; related columns differ in few of them. */
static void fill_balanced(gsl_rng *rng, int rows, const double *other, double *to)
{
    for (int i = 0; i < rows; i++)
        to[i] = other != NULL ? other[i] : i % 2;
    for (int k = 0; k < (other != NULL ? 1 + rows / 10 : 10 * rows); k++)
        swap(&to[draw_int(rng, 0, rows - 1)], &to[draw_int(rng, 0, rows - 1)]);
}

static void draw_table(gsl_rng *rng, int number, struct tied_table *t)
{
    int kind = number % 3;
    t->n = draw_int(rng, 3, MOST);
    t->rows = kind == 0 ? 2 * draw_int(rng, 5, 20) : draw_int(rng, 20, MOST_ROWS);
    for (int j = 0; j < t->n; j++) {
        double *to = t->values + j * t->rows;
        bool related = j > 0 && draw_int(rng, 0, 3) > 0;
        const double *other = related ? t->values + draw_int(rng, 0, j - 1) * t->rows : NULL;
        if (kind == 0)
            fill_balanced(rng, t->rows, other, to);
        for (int i = 0; kind != 0 && i < t->rows; i++)
            to[i] = draw_cell(rng, 1 + kind, related, related ? other[i] : 0);
    }
}

static dpc_correlation *correlated(const struct tied_table *t, const int *order)
{
    dpc_table *table = NULL;
    dpc_correlation *c = NULL;
    assert_int_equal(dpc_table_make(t->rows, t->n, NULL, &table, NULL), DPC_OK);
    for (int j = 0; j < t->n; j++)
        memcpy(table->values + (int64_t)j * t->rows, t->values + order[j] * t->rows,
               (size_t)t->rows * sizeof *t->values);
    assert_int_equal(dpc_correlate(table, NULL, NULL, &c, NULL), DPC_OK);
    dpc_table_free(table);
    return c;
}

/* Are there copies, or columns that do not vary? The order of copies is that of the table. */
static bool has_copies(const dpc_correlation *c)
{
    int n = c->n_vars;
    for (int i = 0; i < n; i++) {
        double others = 0;
        for (int j = 0; j < n; j++) {
            others += i != j ? fabs(c->r[i * n + j]) : 0;
            if (i != j && fabs(c->r[i * n + j]) > 1 - 1e-9)
                return true;
        }
        if (others == 0)
            return true;
    }
    return false;
}

/* ---- Symmetries ---- */

/* Columns that change places so that R stays the same but for signs. */
struct symmetry {
    const dpc_correlation *c;
    bool signs; /* R itself, not its absolute values only */
    int place[MOST], sign[MOST];
    const dpc_graph *first, *second; /* or NULL; */
    const int *order;                /* of the columns of the second */
    int found;
};

/* Does this one lead from the first graph to the second? */
static bool leads(const struct symmetry *s)
{
    int n = s->c->n_vars;
    for (int i = 0; i < n && s->first != NULL; i++)
        for (int j = 0; j < n; j++)
            if (i != j &&
                dpc_graph_mark(s->second, i, j) !=
                    dpc_graph_mark(s->first, s->place[s->order[i]], s->place[s->order[j]]))
                return false;
    return true;
}

static bool fits(const struct symmetry *s, int at)
{
    int n = s->c->n_vars;
    for (int i = 0; i < at; i++) {
        double old = s->c->r[i * n + at], new = s->c->r[s->place[i] * n + s->place[at]];
        double same = s->signs ? old - s->sign[i] * s->sign[at] * new : fabs(old) - fabs(new);
        if (s->place[i] == s->place[at] || fabs(same) > 1e-9)
            return false;
    }
    return true;
}

/* Counts those that lead from the first graph to the second, up to a few. */
static void find_symmetries(struct symmetry *s, int at)
{
    int n = s->c->n_vars;
    if (at == n) {
        s->found += leads(s);
        return;
    }
    for (int v = 0; v < n && s->found < 5; v++)
        for (int sign = s->signs && at > 0 ? -1 : 1; sign <= 1; sign += 2) {
            s->place[at] = v;
            s->sign[at] = sign;
            if (fits(s, at))
                find_symmetries(s, at + 1);
        }
}

static int count_symmetries(const dpc_correlation *c, bool signs)
{
    struct symmetry s = {.c = c, .signs = signs};
    find_symmetries(&s, 0);
    return s.found;
}

/* Do the data tell all columns apart that R does not? */
static bool data_tell(const dpc_correlation *c)
{
    for (int i = 0; c->apart != NULL && i < c->n_vars; i++)
        for (int j = 0; j < i; j++)
            if (c->apart[i] > 0 && fabs(c->apart[i] - c->apart[j]) < 1e-6 * c->apart[i])
                return false;
    return c->apart != NULL;
}

/* ---- Graphs ---- */

static bool same_graph(const struct symmetry *s)
{
    struct symmetry none = *s;
    for (int i = 0; i < s->c->n_vars; i++)
        none.place[i] = i;
    return leads(&none);
}

/* Returns whether it took a symmetry, which it must not where the data tell all columns apart. */
static bool check_permuted(int number, const dpc_correlation *c, const dpc_correlation *other,
                           const int *order, const dpc_settings *settings)
{
    dpc_result *first = learned(c, settings), *second = learned(other, settings);
    struct symmetry s = {.c = c,
                         .signs = true,
                         .first = dpc_result_graph(first),
                         .second = dpc_result_graph(second),
                         .order = order};
    bool same = same_graph(&s);
    if (!same)
        find_symmetries(&s, 0);
    if (!same && (s.found == 0 || data_tell(c)))
        fail_msg("table %d, method %d, refine %d: the graph depends on the order of %d columns",
                 number, (int)settings->method, (int)settings->refine, c->n_vars);
    dpc_result_free(first);
    dpc_result_free(second);
    return !same;
}

static dpc_settings draw_settings(int number)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.threads = 1;
    if (number % 5 < 3)
        settings.refine = (dpc_refinement)(number % 5);
    else if (number % 5 == 3)
        settings.method = DPC_GES;
    else
        settings.variant = DPC_STANDARD;
    return settings;
}

static void test_order_of_columns(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261401);
    int by_signs = 0, by_data = 0, symmetric = 0, took_symmetry = 0;
    for (int number = 0; number < repeats(N_TABLES); number++) {
        struct tied_table table;
        int order[MOST], given[MOST];
        draw_table(rng, number, &table);
        for (int i = 0; i < table.n; i++)
            order[i] = given[i] = i;
        gsl_ran_shuffle(rng, order, (size_t)table.n, sizeof *order);
        dpc_correlation *c = correlated(&table, given), *other = correlated(&table, order);
        if (!has_copies(c)) {
            int real = count_symmetries(c, true);
            by_signs += count_symmetries(c, false) > real && real == 1;
            by_data += data_tell(c);
            symmetric += real > 1 && !data_tell(c);
            for (int i = 0; i < 5; i++) {
                dpc_settings settings = draw_settings(i);
                took_symmetry += check_permuted(number, c, other, order, &settings);
            }
        }
        dpc_correlation_free(c);
        dpc_correlation_free(other);
    }
    print_message(
        "columns told apart by signs in %d tables, by data in %d; %d symmetric, %d graphs\n",
        by_signs, by_data, symmetric, took_symmetry);
    assert_true(by_signs >= share(N_TABLES / 300) && by_data >= share(N_TABLES / 600));
    assert_true(symmetric >= share(N_TABLES / 100));
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_of_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
