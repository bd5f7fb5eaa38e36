/*
 * Tables of numbers and categories against the slow twin, which makes every test anew from the
 * columns in long double (tests/reference/blocks.c): the same graph, the same separating sets, the
 * same edges after each level, as many tests. Some tables are awkward: a variable that is a
 * function of another, two that are the same, a level that is seen once, a constant. Where a pivot
 * or a p-value is closer to what decides than rounding can tell, nothing is compared.
 */
#include "mixed_tables.h"
#include "repeat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 400, MAX_NODES = 16 };

struct tally {
    int exact, loose;
    int64_t sets[DPC_SEP_DUAL + 1], high;
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
    if (comparable(twin)) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
