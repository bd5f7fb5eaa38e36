/*
 * Tables of numbers and categories against the slow twin, which makes every test anew from the
 * columns in long double (tests/reference/blocks.c): the same graph, the same separating sets, the
 * same edges after each level, as many tests. Some tables are awkward: a variable that is a
 * function of another, two that are the same, a level that is seen once, a constant. Where a pivot
 * or a p-value is closer to what decides than rounding can tell, nothing is compared.
 *
 * Then what must not change a graph, and the parts of the evidence.
 */
#include "knowing.h"
#include "loudness.h"
#include "mixed_tables.h"
#include "repeat.h"
#include "resample.h"
#include "same.h"
#include "settings.h"
#include "skeleton.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 300, N_KNOWN = 100, N_CHANGED = 150, N_SINGLE = 150, MAX_NODES = 16 };

struct tally {
    int exact, loose;
    int64_t sets[DPC_SEP_FORBIDDEN + 1], high;
};

static struct mixed_model draw_model(gsl_rng *rng)
{
    struct mixed_model model = {.n = draw_int(rng, 2, 7)};
    if (draw_int(rng, 0, 9) == 0)
        model.n = draw_int(rng, 8, 10);
    model.n_obs = (int64_t)draw_log(rng, 15, 300);
    model.widest = draw_int(rng, 1, 5);
    model.nominal = gsl_rng_uniform(rng) < 0.2 ? 1 : gsl_rng_uniform(rng);
    model.ordered = 0.5 * gsl_rng_uniform(rng);
    model.parents = gsl_rng_uniform(rng) * 0.7 * model.n;
    model.flaw = (enum mixed_flaw)draw_int(rng, 0, MIXED_N_FLAWS - 1);
    if (draw_int(rng, 0, 2) == 0) { /* where higher levels are reached */
        model.n = draw_int(rng, 5, 8);
        model.n_obs = draw_int(rng, 150, 500);
        model.widest = draw_int(rng, 1, 3);
        model.parents = 0.6 * model.n;
    }
    return model;
}

static dpc_settings draw_settings(gsl_rng *rng)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.orient = DPC_RELAXED;
    s.order = DPC_ORDER_GIVEN;
    s.alpha = draw_log(rng, 0.001, 0.3);
    if (draw_int(rng, 0, 3) == 0)
        s.alpha_dual = draw_log(rng, 0.001, 0.3);
    if (draw_int(rng, 0, 3) == 0)
        s.max_order = draw_int(rng, 0, 4);
    s.min_ess = draw_int(rng, 0, 1) ? draw_int(rng, 1, 30) : 1 + 5 * gsl_rng_uniform(rng);
    s.threads = draw_int(rng, 1, 2);
    s.graph = (dpc_target)draw_int(rng, 0, 2);
    s.rule = (dpc_rule)draw_int(rng, 0, 1);
    s.categorical = (dpc_categorical)draw_int(rng, 0, 1);
    s.relations = draw_int(rng, 0, 4) == 0 ? DPC_CURVED : DPC_LINEAR;
    s.keep_separating_sets = true;
    return s;
}

static bool comparable(const struct reference *twin)
{
    return twin->largest_refused < 1e-14 && twin->least_variance > 1e-7 &&
           twin->least_margin > 1e-7;
}

static bool has_blocks(const dpc_table *table, const dpc_settings *s)
{
    dpc_correlation *c = NULL;
    dpc_error err;
    if (dpc_correlate(table, s, NULL, &c, &err) != DPC_OK)
        fail_msg("%s", err.message);
    bool blocks = c->blocks != NULL;
    dpc_correlation_free(c);
    return blocks;
}

static void check_pair(const char *words, const dpc_result *result, const struct reference *twin,
                       int a, int b)
{
    dpc_sepset found;
    int32_t members[MAX_NODES];
    const struct reference_sepset *wanted = &twin->sepsets[a * twin->n + b];
    if (dpc_graph_mark(dpc_result_graph(result), a, b) != reference_mark(twin, a, b))
        fail_msg("%s: the mark of %d, %d is %d, not %d", words, a, b,
                 (int)dpc_graph_mark(dpc_result_graph(result), a, b),
                 (int)reference_mark(twin, a, b));
    separated(result, a, b, &found, members);
    if (found.kind != wanted->kind || (found.kind != DPC_SEP_NONE && found.size != wanted->size))
        fail_msg("%s: %d, %d separated as kind %d (%d), not %d (%d)", words, a, b, (int)found.kind,
                 found.size, (int)wanted->kind, wanted->size);
    if (wanted->kind == DPC_SEP_NONE)
        return;
    if (memcmp(members, wanted->members, (size_t)wanted->size * sizeof *members) != 0 ||
        found.level != wanted->level || found.from != wanted->from)
        fail_msg("%s: %d, %d separated by another set, at level %d from %d, not %d from %d", words,
                 a, b, found.level, found.from, wanted->level, wanted->from);
}

static void check_levels(const char *words, const dpc_result *result, const struct reference *twin)
{
    const dpc_info *info = dpc_result_info(result);
    int64_t before = (int64_t)twin->n * (twin->n - 1) / 2;
    for (int level = 0; level < twin->n_levels; level++) {
        int64_t left = level < info->n_levels ? info->levels[level].left : before;
        if (left != twin->left[level])
            fail_msg("%s: level %d leaves %lld edges, not %lld", words, level, (long long)left,
                     (long long)twin->left[level]);
        before = left;
    }
    if (info->tests != twin->tests)
        fail_msg("%s: %lld tests, not %lld", words, (long long)info->tests, (long long)twin->tests);
}

/* Did an edge go because the knowledge left only a circle for it? */
static bool broke_circles(const dpc_result *result, const dpc_knowledge *known)
{
    for (int a = 0; known != NULL && a < dpc_result_info(result)->n_vars; a++)
        for (int b = 0; b < a; b++) {
            dpc_sepset set;
            separated(result, a, b, &set, NULL);
            if (set.kind == DPC_SEP_FORBIDDEN &&
                !(dpc_knowledge_forbids(known, a, b) && dpc_knowledge_forbids(known, b, a)))
                return true;
        }
    return false;
}

static void compare(const char *about, const dpc_table *table, const dpc_settings *settings,
                    gsl_rng *rng, struct tally *tally)
{
    dpc_result *result = NULL;
    dpc_error err;
    char words[512], text[256];
    if (!has_blocks(table, settings))
        return;
    describe_settings(settings, text, sizeof text);
    snprintf(words, sizeof words, "%s %s%s%s", about, text,
             settings->categorical == DPC_CATEGORICAL_MIXTURE ? " mixture" : "",
             settings->relations == DPC_CURVED ? " curved" : "");
    if (dpc_learn_table(table, settings, NULL, &result, &err) != DPC_OK)
        fail_msg("%s: %s", words, err.message);
    struct reference *twin = mixed_twin(table, settings, rng);
    if (comparable(twin) && !broke_circles(result, settings->knowledge)) {
        check_levels(words, result, twin);
        for (int a = 0; a < twin->n; a++)
            for (int b = 0; b < twin->n; b++)
                if (a != b) {
                    check_pair(words, result, twin, a, b);
                    tally->sets[twin->sepsets[a * twin->n + b].kind]++;
                    tally->high += twin->sepsets[a * twin->n + b].level >= 3;
                }
        tally->exact++;
    } else {
        tally->loose++;
    }
    reference_free(twin);
    dpc_result_free(result);
}

static void test_twin(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261118);
    struct tally tally[MIXED_N_FLAWS] = {0}, all = {0};
    int tables = repeats(N_TABLES);
    for (int number = 0; number < tables; number++) {
        struct mixed_model model = draw_model(rng);
        dpc_table *table = mixed_table(&model, rng);
        for (int i = 0; i < 6; i++) {
            char about[128];
            dpc_settings settings = draw_settings(rng);
            settings.method = (dpc_method)(i % 3);
            settings.variant = (dpc_variant)(i / 3);
            snprintf(about, sizeof about, "table %d (%d x %lld, flaw %d)", number, model.n,
                     (long long)model.n_obs, (int)model.flaw);
            compare(about, table, &settings, rng, &tally[model.flaw]);
        }
        dpc_table_free(table);
    }
    for (int flaw = 0; flaw < MIXED_N_FLAWS; flaw++) {
        print_message("flaw %d: %d runs compared, %d too close to call\n", flaw, tally[flaw].exact,
                      tally[flaw].loose);
        assert_true(tally[flaw].exact > 5 * tally[flaw].loose);
        for (int kind = 0; kind <= DPC_SEP_DUAL; kind++)
            all.sets[kind] += tally[flaw].sets[kind];
        all.high += tally[flaw].high;
    }
    print_message("sets: %lld marginal, %lld full order, %lld full S, %lld primal, %lld dual; %lld "
                  "at level 3 or above\n",
                  (long long)all.sets[DPC_SEP_MARGINAL], (long long)all.sets[DPC_SEP_FULL_ORDER],
                  (long long)all.sets[DPC_SEP_FULL_S], (long long)all.sets[DPC_SEP_PRIMAL],
                  (long long)all.sets[DPC_SEP_DUAL], (long long)all.high);
    for (int kind = DPC_SEP_MARGINAL; kind <= DPC_SEP_DUAL; kind++)
        assert_true(all.sets[kind] >= share(N_TABLES / 4));
    gsl_rng_free(rng);
}

/* The same with knowledge: tiers, forbidden and required edges. */
static void test_known(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261119);
    struct tally tally = {0};
    int tables = repeats(N_KNOWN);
    for (int number = 0; number < tables; number++) {
        char about[128];
        struct mixed_model model = draw_model(rng);
        dpc_table *table = mixed_table(&model, rng);
        dpc_knowledge *known = draw_any_knowledge(model.n, rng);
        for (int i = 0; i < 6; i++) {
            dpc_settings settings = draw_settings(rng);
            settings.method = (dpc_method)(i % 3);
            settings.variant = (dpc_variant)(i / 3);
            settings.graph = DPC_SKELETON;
            settings.knowledge = known;
            snprintf(about, sizeof about, "known %d (%d x %lld, flaw %d)", number, model.n,
                     (long long)model.n_obs, (int)model.flaw);
            compare(about, table, &settings, rng, &tally);
        }
        dpc_knowledge_free(known);
        dpc_table_free(table);
    }
    assert_true(tally.exact > 5 * tally.loose);
    gsl_rng_free(rng);
}

/* ---- What must not change a graph ---- */

static dpc_result *learn(const dpc_table *table, const dpc_settings *settings)
{
    dpc_result *result = NULL;
    dpc_error err;
    if (dpc_learn_table(table, settings, NULL, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return result;
}

/* The table with its rows, its columns and the codes of its levels in another order. */
static dpc_table *shuffle(const dpc_table *table, const int *place, gsl_rng *rng)
{
    int n = table->n_vars;
    int64_t rows = table->n_obs, *row = malloc((size_t)rows * sizeof *row);
    dpc_table *out = NULL;
    assert_int_equal(dpc_table_new(rows, n, NULL, &out, NULL), DPC_OK);
    for (int64_t i = 0; i < rows; i++)
        row[i] = i;
    gsl_ran_shuffle(rng, row, (size_t)rows, sizeof *row);
    for (int v = 0; v < n; v++) {
        dpc_variable_kind kind = dpc_kind_of(table, v);
        int levels = table->variable != NULL ? table->variable[v].n_levels : 0, code[64];
        for (int l = 0; l < levels; l++)
            code[l] = l;
        if (kind == DPC_NOMINAL)
            gsl_ran_shuffle(rng, code, (size_t)levels, sizeof *code);
        for (int64_t i = 0; i < rows; i++) {
            double x = table->values[v * rows + row[i]];
            out->values[place[v] * rows + i] = kind == DPC_NOMINAL ? code[(int)x] : x;
        }
        if (kind != DPC_NUMBER)
            assert_int_equal(dpc_table_set_kind(out, place[v], kind, levels, NULL, NULL), DPC_OK);
    }
    free(row);
    return out;
}

static void check_moved(const dpc_graph *first, const dpc_graph *second, const int *place,
                        const char *words)
{
    for (int a = 0; a < first->n_nodes; a++)
        for (int b = 0; b < first->n_nodes; b++)
            if (a != b && dpc_graph_mark(first, a, b) != dpc_graph_mark(second, place[a], place[b]))
                fail_msg("%s: %d, %d", words, a, b);
}

static void check_same_sets(const dpc_result *first, const dpc_result *second, const char *words)
{
    int n = dpc_result_info(first)->n_vars;
    assert_int_equal(dpc_result_info(first)->tests, dpc_result_info(second)->tests);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) {
            dpc_sepset p, q;
            int32_t of_first[MAX_NODES], of_second[MAX_NODES];
            separated(first, a, b, &p, of_first);
            separated(second, a, b, &q, of_second);
            if (p.kind != q.kind || p.level != q.level || p.from != q.from || p.size != q.size ||
                memcmp(of_first, of_second, (size_t)p.size * sizeof *of_first) != 0)
                fail_msg("%s: the separating sets of %d, %d differ", words, a, b);
        }
}

static void test_changed(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261120);
    int tables = repeats(N_CHANGED);
    dpc_settings defaults;
    dpc_settings_default(&defaults);
    for (int number = 0; number < tables; number++) {
        char words[200], text[128];
        int place[MAX_NODES];
        struct mixed_model model = draw_model(rng);
        model.flaw = draw_int(rng, 0, 1) ? MIXED_FINE : MIXED_RARE; /* no ties between columns */
        dpc_table *table = mixed_table(&model, rng);
        dpc_settings s = draw_settings(rng);
        s.order = defaults.order;
        s.orient = draw_int(rng, 0, 1) ? defaults.orient : DPC_MAJORITY;
        s.method = (dpc_method)draw_int(rng, 0, 2);
        s.threads = 1;
        for (int v = 0; v < model.n; v++)
            place[v] = v;
        gsl_ran_shuffle(rng, place, (size_t)model.n, sizeof *place);
        describe_settings(&s, text, sizeof text);
        snprintf(words, sizeof words, "changed table %d %s", number, text);
        dpc_table *other = shuffle(table, place, rng);
        dpc_result *first = learn(table, &s), *second = learn(other, &s);
        check_moved(dpc_result_graph(first), dpc_result_graph(second), place, words);
        assert_int_equal(dpc_result_info(first)->tests, dpc_result_info(second)->tests);
        dpc_result_free(second);
        s.threads = 3;
        second = learn(table, &s);
        check_same_graph(dpc_result_graph(first), dpc_result_graph(second), words, number);
        check_same_sets(first, second, words);
        dpc_result_free(first);
        dpc_result_free(second);
        dpc_table_free(table);
        dpc_table_free(other);
    }
    gsl_rng_free(rng);
}

/* ---- Blocks of one column ---- */

static void test_single(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261121);
    int samples = repeats(N_SINGLE);
    for (int number = 0; number < samples; number++) {
        struct sample_model model = {.n = draw_int(rng, 2, 12),
                                     .n_obs = draw_int(rng, 40, 400),
                                     .parents = 3 * gsl_rng_uniform(rng)};
        struct sample sample = sample_draw(&model, rng);
        int32_t first[MAX_NODES];
        dpc_settings s = draw_settings(rng);
        s.method = (dpc_method)draw_int(rng, 0, 2);
        s.variant = (dpc_variant)draw_int(rng, 0, 1);
        s.min_ess = fmax(s.min_ess, 3);
        s.test = DPC_EXACT_T;
        s.relations = DPC_LINEAR;
        for (int v = 0; v <= model.n; v++)
            first[v] = v;
        dpc_result *scalar = learned(&sample.correlation, &s);
        assert_int_equal(dpc_blocks_make(sample.correlation.r, first, model.n, NULL,
                                         &sample.correlation.blocks, NULL),
                         DPC_OK);
        dpc_result *block = learned(&sample.correlation, &s);
        check_same_graph(dpc_result_graph(scalar), dpc_result_graph(block), "single columns",
                         number);
        dpc_result_free(scalar);
        dpc_result_free(block);
        dpc_blocks_free(sample.correlation.blocks);
        sample.correlation.blocks = NULL;
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- The evidence ---- */

/* L given all others, or all but y, from P and by the direct way. */
static void check_one_rest(const dpc_unoriented *task, dpc_loudness *l, int x, int z, int y)
{
    int32_t set[MAX_NODES];
    int size = 0;
    double from_p, direct;
    for (int v = 0; v < task->view->n; v++)
        if (v != x && v != y && v != z)
            set[size++] = v;
    assert_int_equal(dpc_loudness_of_rest(l, x, z, y, &from_p), DPC_OK);
    assert_int_equal(dpc_loudness_given(l, x, z, set, size, false, &direct, NULL), DPC_OK);
    if (!(isnan(from_p) && isnan(direct)) && !(fabs(from_p - direct) <= 1e-6))
        fail_msg("L of %d, %d without %d is %.17g, not %.17g", x, z, y, from_p, direct);
}

static int check_rest(const dpc_unoriented *task)
{
    dpc_loudness l;
    int n = task->view->n, compared = 0;
    assert_int_equal(dpc_loudness_init(task, &l), DPC_OK);
    for (int x = 0; x < n; x++)
        for (int z = 0; z < x; z++)
            for (int y = -1; y < n; y++)
                if (y != x && y != z) {
                    check_one_rest(task, &l, x, z, y);
                    compared++;
                }
    dpc_loudness_clear(&l);
    return compared;
}

static void test_rest(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261122);
    int compared = 0, tables = repeats(N_CHANGED);
    for (int number = 0; number < tables; number++) {
        struct mixed_model model = draw_model(rng);
        dpc_table *table = mixed_table(&model, rng);
        dpc_settings s = draw_settings(rng);
        dpc_labels labels = {0};
        dpc_info info = {0};
        dpc_correlation *c = NULL;
        dpc_adjacency *graph = NULL;
        dpc_sepsets *sets = NULL;
        dpc_error err;
        s.method = DPC_DUAL;
        s.max_order = 0;
        dpc_settings_resolve(&s);
        if (dpc_correlate(table, &s, NULL, &c, &err) != DPC_OK)
            fail_msg("%s", err.message);
        if (c->blocks != NULL) {
            dpc_view view = dpc_view_of(c, &labels);
            if (dpc_skeleton(&view, NULL, NULL, &s, NULL, &graph, &sets, &info, &err) != DPC_OK)
                fail_msg("%s", err.message);
            dpc_unoriented task = {
                .view = &view, .skeleton = graph, .sepsets = sets, .settings = &s};
            if (sets->precision != NULL)
                compared += check_rest(&task);
            free(info.levels);
            dpc_adjacency_free(graph);
            dpc_sepsets_free(sets);
        }
        dpc_correlation_free(c);
        dpc_table_free(table);
    }
    assert_true(compared >= share(1000));
    gsl_rng_free(rng);
}

/* ---- Resamples by counts ---- */

/* The rows that were drawn, as often as they were. */
static dpc_table *drawn_rows(const dpc_table *table, const int32_t *count)
{
    dpc_table *out = NULL;
    int64_t rows = table->n_obs;
    assert_int_equal(dpc_table_new(rows, table->n_vars, NULL, &out, NULL), DPC_OK);
    for (int v = 0; v < table->n_vars; v++) {
        double *to = out->values + v * rows;
        for (int64_t i = 0; i < rows; i++)
            for (int k = 0; k < count[i]; k++)
                *to++ = table->values[v * rows + i];
        if (dpc_kind_of(table, v) != DPC_NUMBER)
            assert_int_equal(dpc_table_set_kind(out, v, dpc_kind_of(table, v),
                                                table->variable[v].n_levels, NULL, NULL),
                             DPC_OK);
    }
    return out;
}

/* All tests given at most one variable, of two correlations. Returns how many were by counts. */
static int check_counts(const dpc_correlation *first, const dpc_correlation *second)
{
    const dpc_labels labels = {0};
    dpc_view a = dpc_view_of(first, &labels), b = dpc_view_of(second, &labels);
    dpc_direct of_a = {.view = &a}, of_b = {.view = &b};
    int counted = 0;
    for (int x = 0; x < a.n; x++)
        for (int y = 0; y < x; y++)
            for (int z = -1; z < a.n; z++) {
                dpc_block_answer p, q;
                int32_t set[] = {z};
                if (z == x || z == y)
                    continue;
                assert_int_equal(dpc_direct_primal(&of_a, x, y, set, z >= 0, &p), DPC_OK);
                assert_int_equal(dpc_direct_primal(&of_b, x, y, set, z >= 0, &q), DPC_OK);
                if (!(isnan(p.p) && isnan(q.p)) && !(fabs(p.p - q.p) <= 1e-9))
                    fail_msg("p of %d, %d given %d is %.17g, not %.17g", x, y, z, p.p, q.p);
                assert_true(p.g2.df == q.g2.df);
                counted += p.g2.df > 0;
            }
    dpc_direct_clear(&of_a);
    dpc_direct_clear(&of_b);
    return counted;
}

static void test_resampled(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261124);
    int counted = 0, tables = repeats(40);
    for (int number = 0; number < tables; number++) {
        struct mixed_model model = draw_model(rng);
        model.flaw = MIXED_FINE;
        model.nominal = 0.8;
        dpc_table *table = mixed_table(&model, rng);
        dpc_settings s;
        dpc_resampler resampler = {0};
        dpc_resample resample = {0};
        dpc_resampling how = {.resamples = 1, .seed = (uint64_t)number};
        dpc_correlation *c = NULL;
        dpc_error err;
        dpc_settings_default(&s);
        s.categorical = DPC_CATEGORICAL_MIXTURE;
        s.threads = 1;
        if (!has_blocks(table, &s)) {
            dpc_table_free(table);
            continue;
        }
        if (dpc_resampler_make(table, &s, &how, &resampler, &err) != DPC_OK ||
            dpc_resample_make(&resampler, &resample, &err) != DPC_OK)
            fail_msg("%s", err.message);
        assert_int_equal(dpc_resample_draw(&resampler, 0, &s, &resample), DPC_OK);
        dpc_table *drawn = drawn_rows(table, resample.count);
        if (dpc_correlate(drawn, &s, NULL, &c, &err) != DPC_OK)
            fail_msg("%s", err.message);
        counted += check_counts(resample.correlation, c);
        dpc_correlation_free(c);
        dpc_table_free(drawn);
        dpc_resample_clear(&resample);
        dpc_resampler_clear(&resampler);
        dpc_table_free(table);
    }
    assert_true(counted >= share(100));
    gsl_rng_free(rng);
}

/* ---- Bad input ---- */

/* Codes of a table of words: a result or a sentence, whatever they are; returns the edges, or -1.
 */
static int64_t try_codes(int n, int64_t rows, const double *codes, const int *levels)
{
    int64_t edges = -1;
    for (int i = 0; i < 24; i++) {
        dpc_table *table = NULL;
        dpc_result *result = NULL;
        dpc_error err = {0};
        dpc_settings s;
        dpc_settings_default(&s);
        s.method = (dpc_method)(i % 3);
        s.variant = (dpc_variant)(i / 3 % 2);
        s.categorical = (dpc_categorical)(i / 6 % 2);
        s.relations = (dpc_relations)(i / 12);
        s.orient = i % 2 == 0 ? DPC_MAJORITY : s.orient;
        s.min_ess = 3;
        assert_int_equal(dpc_table_new(rows, n, NULL, &table, NULL), DPC_OK);
        memcpy(table->values, codes, (size_t)(n * rows) * sizeof *codes);
        for (int v = 0; v < n; v++)
            if (levels[v] > 0)
                assert_int_equal(dpc_table_set_kind(table, v, DPC_NOMINAL, levels[v], NULL, NULL),
                                 DPC_OK);
        dpc_status status = dpc_learn_table(table, &s, NULL, &result, &err);
        if (status == DPC_OK)
            edges = dpc_result_graph(result)->n_edges;
        else
            assert_true(err.message[0] != 0);
        dpc_result_free(result);
        dpc_table_free(table);
    }
    return edges;
}

static void test_bad(void **state)
{
    (void)state;
    enum { N = 12, MANY = 200, COPIES = 13 };
    gsl_rng *rng = seeded(20261123);
    double small[4 * N], large[COPIES * MANY];
    /* as many levels as rows, and 60 of which 12 are seen */
    for (int i = 0; i < 4 * N; i++)
        small[i] = i < N ? i : i < 2 * N ? 5 * (i - N) : draw_int(rng, 0, 2);
    try_codes(4, N, small, (int[]){12, 60, 3, 0});
    try_codes(2, N, small, (int[]){12, 60});
    /* all constant; and a level that is seen once */
    double alone[2 * N] = {1};
    try_codes(2, N, alone, (int[]){2, 2});
    memset(alone, 0, sizeof alone);
    assert_int_equal(try_codes(2, N, alone, (int[]){2, 3}), 0);
    /* many variables that are the same, or functions of each other: no hang, and they stay joined
     */
    for (int v = 0; v < COPIES; v++)
        for (int i = 0; i < MANY; i++)
            large[v * MANY + i] = v == 0 ? draw_int(rng, 0, 3) : ((int)large[i] + v) % 4;
    int levels[COPIES];
    for (int v = 0; v < COPIES; v++)
        levels[v] = 4;
    assert_int_equal(try_codes(COPIES, MANY, large, levels), COPIES * (COPIES - 1) / 2);
    for (int v = 1; v < COPIES; v++)
        for (int i = 0; i < MANY; i++)
            large[v * MANY + i] = ((int)large[i] >> v % 2) & 1;
    try_codes(COPIES, MANY, large, levels);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),      cmocka_unit_test(test_known),
        cmocka_unit_test(test_changed),   cmocka_unit_test(test_single),
        cmocka_unit_test(test_rest),      cmocka_unit_test(test_bad),
        cmocka_unit_test(test_resampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
