/*
 * The rules of orientation and the order of the columns, on random tables.
 *
 * Rearranging the columns of a table rearranges the result, for every rule and both variants, also
 * where columns are rounded, binary, copied or constant. Columns that nothing but their places can
 * tell apart may change roles, so two results are compared in canonical labels; that these labels
 * mean the same in both runs is checked first, by the correlations themselves.
 * The consistent rule gives a CPDAG, always; majority and conservative give no circle of arrows.
 *
 * The number of tables is the first argument; 150 where there is none.
 */
#include "canonical.h"
#include "cases.h"
#include "repeat.h"
#include "valid.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 150, N_SYMMETRIC = 40, N_ARRANGEMENTS = 3, MAX_NODES = 60 };

static void ok_or_fail(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("%s", err->message);
}

/* ---- Tables ------------------------------------------------------------ */

enum kind { SMOOTH, ROUNDED, BINARY, COPIED, CONSTANT, N_KINDS };

static void spoil(dpc_table *t, enum kind kind, gsl_rng *rng)
{
    int64_t cells = t->n_obs * t->n_vars;
    for (int64_t i = 0; i < cells && kind == ROUNDED; i++)
        t->values[i] = rint(2 * t->values[i]) / 2;
    for (int64_t i = 0; i < cells && kind == BINARY; i++)
        t->values[i] = t->values[i] > 0;
    for (int i = draw_int(rng, 1, 3); i > 0 && kind >= COPIED; i--) {
        double *to = t->values + draw_int(rng, 0, t->n_vars - 1) * t->n_obs;
        const double *from = t->values + draw_int(rng, 0, t->n_vars - 1) * t->n_obs;
        for (int64_t row = 0; row < t->n_obs; row++)
            to[row] = kind == COPIED ? from[row] : 1;
    }
}

static dpc_table *draw_table(enum kind kind, gsl_rng *rng)
{
    dpc_dag_model model = {draw_int(rng, 2, draw_int(rng, 0, 3) ? 20 : MAX_NODES),
                           2 * gsl_rng_uniform(rng), 0.2, 1.5, DPC_ER};
    int64_t n_obs = (int64_t)draw_log(rng, 12, 2000);
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_error err = {0};
    ok_or_fail(dpc_dag_random(&model, rng, &dag, &err), &err);
    ok_or_fail(dpc_dag_sample(dag, n_obs, (dpc_noise){.degrees = INFINITY}, rng, &table, &err),
               &err);
    spoil(table, kind, rng);
    dpc_dag_free(dag);
    return table;
}

/* Column j of the new table is column arrangement[j] of the old one. */
static dpc_table *rearrange(const dpc_table *table, const int *arrangement)
{
    dpc_table *other = NULL;
    dpc_error err = {0};
    ok_or_fail(dpc_table_new(table->n_obs, table->n_vars, NULL, &other, &err), &err);
    for (int j = 0; j < table->n_vars; j++)
        memcpy(other->values + j * table->n_obs, table->values + arrangement[j] * table->n_obs,
               (size_t)table->n_obs * sizeof(double));
    return other;
}

static dpc_settings draw_settings(gsl_rng *rng)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.alpha = draw_log(rng, 0.001, 0.2);
    s.min_ess = draw_int(rng, 0, 1) ? 30 : 3;
    s.method = (dpc_method)draw_int(rng, 0, 2);
    s.variant = (dpc_variant)draw_int(rng, 0, 1);
    s.test = (dpc_test)draw_int(rng, 0, 1);
    s.normalize = draw_int(rng, 0, 3) ? DPC_NORMALIZE_NONE : DPC_NORMALIZE_COPULA;
    s.max_order = draw_int(rng, 0, 1) ? draw_int(rng, 0, 4) : 6;
    s.order = DPC_ORDER_CANONICAL;
    s.threads = draw_int(rng, 1, 2);
    return s;
}

/* ---- One run ----------------------------------------------------------- */

/* A correlation matrix with its labels, and what was learned from it. */
struct run {
    dpc_correlation *correlation;
    dpc_labels labels;
    dpc_result *result;
};

static struct run run_open(const dpc_table *table, const dpc_settings *settings)
{
    struct run run = {0};
    dpc_error err = {0};
    ok_or_fail(dpc_correlate(table, settings, NULL, &run.correlation, &err), &err);
    ok_or_fail(dpc_labels_make(run.correlation, settings, &run.labels, &err), &err);
    return run;
}

static void run_learn(struct run *run, const dpc_settings *settings)
{
    dpc_error err = {0};
    dpc_result_free(run->result);
    run->result = NULL;
    ok_or_fail(dpc_learn(run->correlation, settings, &run->result, &err), &err);
}

static void run_close(struct run *run)
{
    dpc_result_free(run->result);
    dpc_labels_clear(&run->labels);
    dpc_correlation_free(run->correlation);
}

static double labelled_r(const struct run *run, int i, int j)
{
    int64_t n = run->correlation->n_vars;
    return run->correlation->r[run->labels.column[i] * n + run->labels.column[j]];
}

static dpc_mark labelled_mark(const struct run *run, int i, int j)
{
    return dpc_graph_mark(dpc_result_graph(run->result), run->labels.column[i],
                          run->labels.column[j]);
}

/* ---- Two runs ---------------------------------------------------------- */

static void check_labels(const struct run *first, const struct run *second, const int *arrangement,
                         bool no_ties, const char *words)
{
    int n = first->correlation->n_vars;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            if (!(fabs(labelled_r(first, i, j) - labelled_r(second, i, j)) <= 1e-12))
                fail_msg("%s: labels %d, %d are not the same columns", words, i, j);
        if (no_ties && arrangement[second->labels.column[i]] != first->labels.column[i])
            fail_msg("%s: label %d is another column", words, i);
    }
}

static void check_marks(const struct run *first, const struct run *second, const char *words)
{
    int n = first->correlation->n_vars;
    assert_int_equal(dpc_result_graph(first->result)->n_edges,
                     dpc_result_graph(second->result)->n_edges);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (labelled_mark(first, i, j) != labelled_mark(second, i, j))
                fail_msg("%s: the edge of labels %d, %d depends on the order of %d columns", words,
                         i, j, n);
}

static int compare_labels(const void *left, const void *right)
{
    const int32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The separating sets, in labels. */
static void check_sets(const struct run *first, const struct run *second, const char *words)
{
    const struct run *run[2] = {first, second};
    int n = first->correlation->n_vars;
    int32_t members[2][MAX_NODES];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            dpc_sepset set[2];
            for (int k = 0; k < 2; k++) {
                separated(run[k]->result, run[k]->labels.column[i], run[k]->labels.column[j],
                          &set[k], members[k]);
                for (int m = 0; m < set[k].size; m++)
                    members[k][m] = run[k]->labels.label[members[k][m]];
                qsort(members[k], (size_t)set[k].size, sizeof(int32_t), compare_labels);
            }
            if (set[0].kind == DPC_SEP_NONE && set[1].kind == DPC_SEP_NONE)
                continue;
            if (set[0].kind != set[1].kind || set[0].size != set[1].size ||
                set[0].level != set[1].level ||
                memcmp(members[0], members[1], (size_t)set[0].size * sizeof(int32_t)) != 0)
                fail_msg("%s: the separating sets of labels %d, %d differ", words, i, j);
        }
}

/* Every triple of the list is one, says what the graph says, and is in the right order. */
static void check_triples(const dpc_result *result, const dpc_triple *list, int64_t count,
                          bool conflicts, const char *words)
{
    const dpc_graph *g = dpc_result_graph(result);
    for (int64_t i = 0; i < count; i++) {
        const dpc_triple *t = &list[i];
        bool collider = dpc_graph_mark(g, t->x, t->y) == DPC_FORWARD &&
                        dpc_graph_mark(g, t->z, t->y) == DPC_FORWARD;
        if (!(t->x < t->z) || dpc_graph_mark(g, t->x, t->y) == DPC_NONE ||
            dpc_graph_mark(g, t->z, t->y) == DPC_NONE || dpc_graph_mark(g, t->x, t->z) != DPC_NONE)
            fail_msg("%s: %d, %d, %d is no unshielded triple", words, t->x, t->y, t->z);
        if (collider != t->collider || (conflicts && collider == (t->evidence > 0)))
            fail_msg("%s: %d, %d, %d with evidence %g is said to be %d", words, t->x, t->y, t->z,
                     t->evidence, t->collider);
        if (i > 0 && (t[-1].y > t->y || (t[-1].y == t->y && t[-1].x > t->x)))
            fail_msg("%s: the triples are not sorted", words);
    }
}

static void check_alone(const dpc_result *result, const dpc_settings *settings, const char *words)
{
    dpc_graph *dag = NULL;
    if (settings->orient != DPC_RELAXED && has_circle(dpc_result_graph(result)))
        fail_msg("%s: there is a circle of arrows", words);
    if (settings->orient == DPC_CONSISTENT) {
        if (!is_cpdag(dpc_result_graph(result)))
            fail_msg("%s: this is no CPDAG", words);
        if (dpc_class_member(dpc_result_graph(result), &dag, NULL) != DPC_OK ||
            !is_extension(dag, dpc_result_graph(result)))
            fail_msg("%s: the extension is none", words);
    } else if (dpc_class_member(dpc_result_graph(result), &dag, NULL) == DPC_OK &&
               !is_extension(dag, dpc_result_graph(result))) {
        fail_msg("%s: the extension is none", words);
    }
    dpc_graph_free(dag);
    check_triples(result, result->found.conflicts, result->found.n_conflicts, true, words);
    check_triples(result, result->found.ambiguous, result->found.n_ambiguous, false, words);
}

struct tally {
    int64_t runs, edges, conflicts, ambiguous, invalid; /* invalid: relaxed only */
};

static void check_table(int number, const dpc_table *table, enum kind kind, dpc_settings settings,
                        gsl_rng *rng, struct tally *tally)
{
    int n = table->n_vars, arrangement[MAX_NODES];
    struct run first = run_open(table, &settings), second = {0};
    for (int j = 0; j < n; j++)
        arrangement[j] = j;
    for (int turn = 0; turn < N_ARRANGEMENTS; turn++) {
        gsl_ran_shuffle(rng, arrangement, (size_t)n, sizeof *arrangement);
        dpc_table *other = rearrange(table, arrangement);
        second = run_open(other, &settings);
        for (int rule = 0; rule < 4; rule++) {
            char words[400], text[300];
            settings.orient = (dpc_orientation)rule;
            describe_settings(&settings, text, sizeof text);
            snprintf(words, sizeof words, "table %d of kind %d, %s", number, (int)kind, text);
            /* two columns cannot be told apart, whatever they hold */
            check_labels(&first, &second, arrangement, kind == SMOOTH && n > 2, words);
            run_learn(&first, &settings);
            run_learn(&second, &settings);
            check_marks(&first, &second, words);
            check_sets(&first, &second, words);
            check_alone(second.result, &settings, words);
            assert_int_equal(first.result->found.n_conflicts, second.result->found.n_conflicts);
            assert_int_equal(first.result->found.n_ambiguous, second.result->found.n_ambiguous);
            tally->runs++;
            tally->edges += dpc_result_graph(first.result)->n_edges;
            tally->conflicts += first.result->found.n_conflicts;
            tally->ambiguous += first.result->found.n_ambiguous;
            tally->invalid += rule == DPC_RELAXED && !is_cpdag(dpc_result_graph(first.result));
        }
        run_close(&second);
        dpc_table_free(other);
    }
    run_close(&first);
}

static void test_arrangements(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240601);
    struct tally tally = {0};
    for (int number = 0; number < repeats(N_TABLES); number++) {
        enum kind kind = number % 2 ? SMOOTH : (enum kind)(number / 2 % N_KINDS);
        dpc_table *table = draw_table(kind, rng);
        check_table(number, table, kind, draw_settings(rng), rng, &tally);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
    print_message("%d tables, %lld pairs of runs, %lld edges, %lld conflicts, %lld ambiguous "
                  "triples; relaxed: %lld of %lld graphs are no CPDAG\n",
                  repeats(N_TABLES), (long long)tally.runs, (long long)tally.edges,
                  (long long)tally.conflicts, (long long)tally.ambiguous, (long long)tally.invalid,
                  (long long)tally.runs / 4);
    assert_true(tally.conflicts > share(N_TABLES) / 5);
    assert_true(tally.ambiguous > share(N_TABLES));
    assert_true(tally.invalid > tally.runs / 100); /* the tables are not too easy */
}

/* ---- Matrices that look the same from everywhere ----------------------- */

/* Equal correlations; a ring; two blocks of different sizes; pairs of pairs. */
static double symmetric_r(int number, int n, int i, int j)
{
    int apart = abs(i - j);
    if (i == j)
        return 1;
    switch (number % 4) {
    case 0:
        return 0.4;
    case 1:
        return apart == 1 || apart == n - 1 ? 0.45 : 0.05;
    case 2:
        return (i < n / 2 - 1) == (j < n / 2 - 1) ? 0.45 : 0.05;
    default:
        return i / 4 != j / 4 ? 0.1 : i / 2 == j / 2 ? 0.5 : i % 2 == j % 2 ? 0.3 : 0.2;
    }
}

static void test_symmetry(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240602);
    for (int number = 0; number < repeats(N_SYMMETRIC); number++) {
        int n = 4 * draw_int(rng, 2, 6), arrangement[MAX_NODES];
        double r[MAX_NODES * MAX_NODES], s[MAX_NODES * MAX_NODES];
        dpc_settings settings;
        dpc_error err = {0};
        dpc_settings_default(&settings);
        for (int j = 0; j < n; j++)
            arrangement[j] = j;
        gsl_ran_shuffle(rng, arrangement, (size_t)n, sizeof *arrangement);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                r[i * n + j] = symmetric_r(number, n, i, j);
                s[i * n + j] = symmetric_r(number, n, arrangement[i], arrangement[j]);
            }
        dpc_correlation a = {.n_vars = n, .n_obs = 200, .r = r};
        dpc_correlation b = {.n_vars = n, .n_obs = 200, .r = s};
        struct run first = {.correlation = &a}, second = {.correlation = &b};
        ok_or_fail(dpc_labels_make(&a, &settings, &first.labels, &err), &err);
        ok_or_fail(dpc_labels_make(&b, &settings, &second.labels, &err), &err);
        check_labels(&first, &second, arrangement, false, "a symmetric matrix");
        run_learn(&first, &settings);
        run_learn(&second, &settings);
        check_marks(&first, &second, "a symmetric matrix");
        dpc_result_free(first.result);
        dpc_result_free(second.result);
        dpc_labels_clear(&first.labels);
        dpc_labels_clear(&second.labels);
    }
    gsl_rng_free(rng);
}

/* ---- Graphs without an extension --------------------------------------- */

static dpc_status extension_of(int n, dpc_edge *edges, int count)
{
    dpc_graph graph = {n, count, edges}, *dag = NULL;
    dpc_error err = {0};
    dpc_status status = dpc_class_member(&graph, &dag, &err);
    if (status == DPC_OK)
        assert_true(is_extension(dag, &graph));
    else
        assert_null(dag);
    dpc_graph_free(dag);
    return status;
}

static void test_no_extension(void **state)
{
    (void)state;
    const dpc_mark U = DPC_UNDIRECTED, F = DPC_FORWARD, B = DPC_BACKWARD;
    dpc_edge square[] = {{0, 1, U}, {0, 3, U}, {1, 2, U}, {2, 3, U}};
    assert_int_equal(extension_of(4, square, 4), DPC_BAD_INPUT);
    dpc_edge circle[] = {{0, 1, F}, {0, 2, B}, {1, 2, F}};
    assert_int_equal(extension_of(3, circle, 3), DPC_BAD_INPUT);
    dpc_edge collider[] = {{0, 1, F}, {1, 2, U}, {2, 3, B}}; /* 0 → 1 — 2 ← 3 */
    assert_int_equal(extension_of(4, collider, 3), DPC_BAD_INPUT);
    dpc_edge chain[] = {{0, 1, U}, {1, 2, U}, {2, 3, B}};
    assert_int_equal(extension_of(4, chain, 3), DPC_OK);
    dpc_edge chord[] = {{0, 1, U}, {0, 2, U}, {0, 3, U}, {1, 2, U}, {2, 3, U}};
    assert_int_equal(extension_of(4, chord, 5), DPC_OK);
    assert_int_equal(extension_of(3, NULL, 0), DPC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrangements),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_no_extension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
