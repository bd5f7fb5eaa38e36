/* The study from inside: its catalogue, its statistics, what was published. */
#include "settings.h"
#include "study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static study_catalogue catalogue;

static int open_catalogue(void **state)
{
    (void)state;
    return study_catalogue_new(&catalogue, NULL) == DPC_OK ? 0 : -1;
}

static int close_catalogue(void **state)
{
    (void)state;
    study_catalogue_free(&catalogue);
    return 0;
}

/* Does the setting belong to the figures that are not about the paper's? */
static bool is_ours(const study_setting *s)
{
    return s->n_levels == 1;
}

/* To those beyond linear and Gaussian data? Their α is 0.01. */
static bool is_beyond(const study_setting *s)
{
    return s->departure != NULL && s->departure->weight_high > 0;
}

/*
 * 24 Gaussian settings, 12 sparse ones, and every panel of every figure points at one of all. The
 * Gaussian ones are there twice, with the paper's runs and with those of refined graphs; one more
 * of these, with fewer rows, is beside the 15 other designs and the 12 other shapes. Five kinds of
 * data that are not linear and Gaussian have three numbers of rows.
 */
static void test_catalogue(void **state)
{
    (void)state;
    int dense = 0, sparse = 0, ours = 0, critics = 0, beyond = 0;
    for (int i = 0; i < catalogue.n_settings; i++) {
        const study_setting *s = &catalogue.settings[i];
        bool plain = isinf(s->degrees) && s->tanh == 0;
        dense += plain && s->parents > 1 && !is_ours(s);
        ours += plain && s->parents > 1 && is_ours(s) && s->departure == NULL;
        critics += s->departure != NULL && !is_beyond(s);
        beyond += is_beyond(s);
        assert_true(s->departure == NULL || is_ours(s));
        sparse += plain && s->parents < 1;
        if (plain && s->parents < 1)
            assert_int_equal(2 * s->n_obs, s->n);
        for (int j = 0; j < i; j++)
            assert_true(study_seed(s, 1, 0) != study_seed(&catalogue.settings[j], 1, 1));
    }
    assert_int_equal(dense, 24);
    assert_int_equal(ours, 25);
    assert_int_equal(critics, 27);
    assert_int_equal(beyond, 15);
    assert_int_equal(sparse, 12);
    for (int f = 0; f < catalogue.n_figures; f++) {
        const study_figure *figure = &catalogue.figures[f];
        assert_int_equal(figure->n_panels, figure->rows * figure->columns);
        assert_true(strlen(figure->title) > 10 && strlen(figure->caption) > 40);
        assert_true(strlen(figure->caption) < sizeof figure->caption - 1);
        for (int p = 0; p < figure->n_panels; p++) {
            const study_panel *panel = &figure->panels[p];
            const study_setting *s = &catalogue.settings[panel->setting];
            int shown = 0;
            for (int r = 0; r < s->n_runs; r++)
                shown += study_shows(figure, panel, &s->runs[r]);
            assert_in_range(shown, 2, STUDY_MAX_LINES);
        }
    }
}

static bool has_group(const char *group)
{
    for (int f = 0; f < catalogue.n_figures; f++)
        if (catalogue.figures[f].group != NULL && strcmp(catalogue.figures[f].group, group) == 0)
            return true;
    return false;
}

/* Our runs are the program's defaults but for what they are about, and the paper's are not. */
static void test_our_runs(void **state)
{
    (void)state;
    dpc_settings usual, start;
    dpc_settings_default(&usual);
    dpc_settings_default(&start);
    start.refine = DPC_REFINE_FAST;
    dpc_settings_resolve(&usual);
    dpc_settings_resolve(&start);
    for (int i = 0; i < catalogue.n_settings; i++) {
        const study_setting *s = &catalogue.settings[i];
        assert_int_equal(is_ours(s) && s->departure == NULL, s->distances);
        for (int r = 0; r < s->n_runs; r++) {
            const study_run *run = &s->runs[r];
            assert_int_equal(run->orient == usual.orient, is_ours(s));
            if (!is_ours(s))
                continue;
            const dpc_settings *like = run->rule == DPC_RULE_AND ? &start : &usual;
            assert_true(run->min_ess == usual.min_ess && run->variant == usual.variant);
            assert_true(run->method == DPC_GES ||
                        run->levels[0] == (is_beyond(s) ? start.alpha : like->alpha));
            assert_int_equal(run->line != 0, is_beyond(s));
            assert_true(run->refine == DPC_REFINE_NONE || run->rule == start.rule);
        }
    }
    assert_true(has_group("refine") && has_group("aid") && has_group("critics"));
    assert_true(has_group("beyond-gaussian"));
    assert_false(has_group("all"));
}

/* The DAG of a data set does not depend on N, noise or transformation; it does on the rest. */
static void test_seeds(void **state)
{
    (void)state;
    study_setting a = {.n = 50, .n_obs = 100, .parents = 2, .degrees = INFINITY};
    study_setting b = a;
    b.n_obs = 7;
    b.degrees = 5;
    b.tanh = 1;
    assert_true(study_seed(&a, 1, 3) == study_seed(&b, 1, 3));
    assert_true(study_seed(&a, 1, 3) != study_seed(&a, 1, 4));
    assert_true(study_seed(&a, 1, 3) != study_seed(&a, 2, 3));
    b.parents = 1.5;
    assert_true(study_seed(&a, 1, 3) != study_seed(&b, 1, 3));
}

/* How many of the points of a setting's run the authors published. */
static int count_published(const study_setting *s, const study_run *run, dpc_target graph)
{
    study_published p;
    int found = 0;
    for (int level = 0; level < s->n_levels; level++)
        if (study_find_published(s, run, run->levels[level], graph, &p)) {
            found++;
            assert_true(p.tpr >= 0 && p.tpr <= 1 && p.fprp >= 0 && p.shd > 0 && p.seconds > 0);
            assert_true(p.shd_q25 <= p.shd_median && p.shd_median <= p.shd_q75);
        }
    return found;
}

static void test_published(void **state)
{
    (void)state;
    for (int i = 0; i < catalogue.n_settings; i++) {
        const study_setting *s = &catalogue.settings[i];
        if (!isinf(s->degrees) || s->tanh > 0)
            continue;
        if (is_ours(s)) { /* the same α, but not the same algorithm */
            for (int r = 0; r < s->n_runs; r++)
                assert_int_equal(count_published(s, &s->runs[r], DPC_CPDAG), 0);
            continue;
        }
        for (int r = 0; r < s->n_runs; r++)
            if (s->runs[r].method != DPC_GES) /* which they ran for some sizes only */
                assert_int_equal(count_published(s, &s->runs[r], DPC_CPDAG), STUDY_LEVELS);
    }
    /* One line read by eye: n = 50, N = 1250, d = 2, classic stable, α = 0.05. */
    study_published p;
    const study_setting *first = &catalogue.settings[0];
    assert_int_equal(first->n, 50);
    assert_true(study_find_published(first, &first->runs[2], 0.05, DPC_CPDAG, &p));
    assert_true(p.shd == 69.47 && p.tpr == 0.463111);
    assert_false(study_find_published(first, &first->runs[2], 0.06, DPC_CPDAG, &p));
}

static void test_describe(void **state)
{
    (void)state;
    double values[] = {4, NAN, 1, 3, 2, NAN};
    study_summary s = study_describe(values, 6);
    assert_int_equal(s.count, 4);
    assert_true(s.mean == 2.5 && s.median == 2.5 && s.least == 1 && s.most == 4);
    assert_true(s.q25 == 1.75 && s.q75 == 3.25); /* R's quantile(), type 7 */
    assert_true(fabs(s.sd - sqrt(5.0 / 3)) < 1e-15);
    assert_int_equal(study_describe(values, 0).count, 0);
    assert_true(isnan(study_describe(values, 0).mean));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalogue), cmocka_unit_test(test_our_runs),
        cmocka_unit_test(test_seeds),     cmocka_unit_test(test_published),
        cmocka_unit_test(test_describe),
    };
    return cmocka_run_group_tests(tests, open_catalogue, close_catalogue);
}
