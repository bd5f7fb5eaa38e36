/*
 * The separating sets in the JSON are written by reference (io/json_sets.c): expanded, they are
 * what dpc_separating_set says, for all methods and variants, both rules, with knowledge and
 * without. And their size grows with the pairs only.
 */
#include "cases.h"
#include "dualpc_io.h"
#include "json_scan.h"
#include "knowing.h"
#include "repeat.h"
#include "write.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_SAMPLES = 160, MOST = 200 };

static const char *names[MOST]; /* V1, V2, … */

/* ---- One report ---- */

/* The sets by reference, as with many variables, whatever the number of variables is. */
static char *write_report(const dpc_result *result)
{
    dpc_error err = {0};
    char *text = NULL;
    size_t size;
    dpc_report report = {
        .size = sizeof report, .names = names, .result = result, .separating_sets = true};
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    for (int v = 0; v < dpc_result_info(result)->n_vars; v++)
        fprintf(file, "%s\"%s\"", v > 0 ? ", " : "{\"nodes\": [", names[v]);
    fputs("]", file);
    if (dpc_print_json_sets(file, &report, 0, &err) != DPC_OK)
        fail_msg("%s", err.message);
    fputs("}", file);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* The value of a member of the object; NULL: there is none. */
static const char *member(const char *object, const char *key)
{
    const char *p = dpc_json_first(object);
    while (p != NULL && !dpc_json_is(p, key))
        p = dpc_json_next(p);
    return p != NULL ? dpc_json_member(p) : NULL;
}

static const char *item(const char *array, int number)
{
    const char *p = dpc_json_first(array);
    for (int i = 0; i < number; i++)
        p = dpc_json_next(p);
    return p;
}

static int number_of(const char *name)
{
    assert_int_equal(name[1], 'V');
    return atoi(name + 2) - 1;
}

/* Sets or clears the variables that a list names. */
static void mark(const char *array, bool value, bool in[MOST])
{
    for (const char *p = dpc_json_first(array); p != NULL; p = dpc_json_next(p))
        in[number_of(p)] = value;
}

/* How the sets of a report are written. */
struct forms {
    int set, all_but, all_of, but;
};

/* The recipe of the man page. */
static void expand(const char *text, const char *entry, bool in[MOST], struct forms *forms)
{
    const char *set = member(entry, "set"), *all_but = member(entry, "all_but"),
               *all_of = member(entry, "all_of"), *but = member(entry, "but");
    assert_int_equal((set != NULL) + (all_but != NULL) + (all_of != NULL), 1);
    assert_true((all_of != NULL) == (but != NULL));
    forms->set += set != NULL;
    forms->all_but += all_but != NULL;
    forms->all_of += all_of != NULL;
    forms->but += but != NULL && dpc_json_first(but) != NULL;
    memset(in, 0, MOST * sizeof *in);
    if (set != NULL) {
        mark(set, true, in);
        return;
    }
    if (all_of != NULL)
        mark(member(item(member(text, "neighbourhoods"), atoi(all_of)), "members"), true, in);
    else
        mark(member(text, "nodes"), true, in);
    mark(but != NULL ? but : all_but, false, in);
    in[number_of(member(entry, "a"))] = in[number_of(member(entry, "b"))] = false;
}

static bool same_number(const char *text, double value)
{
    return isnan(value) ? strncmp(text, "null", 4) == 0 : strtod(text, NULL) == value;
}

static void check_entry(const char *text, const char *entry, const dpc_sepset *set,
                        const int32_t *members, struct forms *forms, const char *words)
{
    bool in[MOST];
    int count = 0;
    expand(text, entry, in, forms);
    for (int v = 0; v < MOST; v++)
        count += in[v];
    bool same = count == set->size && atoi(member(entry, "order")) == count;
    for (int i = 0; i < set->size; i++)
        same = same && in[members[i]];
    same = same && dpc_json_is(member(entry, "kind"), dpc_word(DPC_WORD_SEPARATION, set->kind)) &&
           atoi(member(entry, "level")) == set->level && same_number(member(entry, "r"), set->r) &&
           same_number(member(entry, "p"), set->p);
    if (!same)
        fail_msg("%s: the set of %.80s… is another one", words, entry);
}

/* What a list is of: its node and level, or nobody's at level 0. */
static void check_lists(const char *text, const char *words)
{
    for (const char *p = dpc_json_first(member(text, "neighbourhoods")); p != NULL;
         p = dpc_json_next(p)) {
        bool of_node = *member(p, "node") == '"';
        if (of_node != (atoi(member(p, "level")) > 0) ||
            dpc_json_first(member(p, "members")) == NULL)
            fail_msg("%s: a list without a place, %.80s", words, p);
    }
}

/* The length of the text of the sets and their lists. */
static size_t check_report(const dpc_correlation *c, const dpc_settings *settings,
                           struct forms *forms, const char *words)
{
    static int32_t members[MOST];
    const char *at;
    dpc_result *result = NULL;
    dpc_error err = {0};
    if (dpc_learn(c, settings, &result, &err) != DPC_OK)
        fail_msg("%s: %s", words, err.message);
    char *text = write_report(result);
    assert_null(dpc_json_check(text, &at));
    check_lists(text, words);
    const char *sets = member(text, "separating_sets"), *entry = dpc_json_first(sets);
    for (int a = 0; a < c->n_vars; a++)
        for (int b = a + 1; b < c->n_vars; b++) {
            dpc_sepset set;
            assert_int_equal(dpc_separating_set(result, a, b, &set, members, &err), DPC_OK);
            if (set.kind == DPC_SEP_NONE)
                continue;
            assert_non_null(entry);
            assert_int_equal(number_of(member(entry, "a")), a);
            assert_int_equal(number_of(member(entry, "b")), b);
            check_entry(text, entry, &set, members, forms, words);
            entry = dpc_json_next(entry);
        }
    assert_null(entry);
    size_t size = (size_t)(dpc_json_skip(sets) - member(text, "neighbourhoods"));
    free(text);
    dpc_result_free(result);
    return size;
}

/* ---- Random ones ---- */

static dpc_settings draw_settings(int number, gsl_rng *rng)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.alpha = draw_log(rng, 0.001, 0.3);
    s.min_ess = draw_int(rng, 1, 30);
    s.method = number % 4 == 3 ? DPC_DUAL : (dpc_method)(number % 4);
    s.variant = (dpc_variant)(number / 4 % 2);
    s.rule = (dpc_rule)(number / 8 % 2);
    s.orient = DPC_RELAXED;
    s.order = (dpc_order)(number / 16 % 2);
    s.max_order = 4;
    s.threads = 1;
    s.keep_separating_sets = true;
    return s;
}

static void test_random(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250309);
    struct forms forms = {0};
    int tiers = 0;
    for (int number = 0; number < repeats(N_SAMPLES); number++) {
        struct sample_model model = {.n = draw_int(rng, 2, 45)};
        model.n_obs = (int64_t)draw_log(rng, 20, 400);
        model.parents = gsl_rng_uniform(rng) * fmin(4, 0.4 * model.n);
        model.flaw = number % 5 == 0 ? FLAW_COPY : FLAW_NONE;
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = draw_settings(number, rng);
        dpc_knowledge *known = number % 3 == 0 ? draw_any_knowledge(model.n, rng) : NULL;
        settings.knowledge = known;
        tiers += known != NULL && has_tiers(known, model.n);
        char words[64];
        snprintf(words, sizeof words, "sample %d", number);
        check_report(&sample.correlation, &settings, &forms, words);
        dpc_knowledge_free(known);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    print_message(
        "%d sets, %d all but some, %d of a list, %d of them without some; %d with tiers\n",
        forms.set, forms.all_but, forms.all_of, forms.but, tiers);
    assert_true(forms.set > share(1000) && forms.all_but > share(1000));
    assert_true(forms.all_of > share(1000) && forms.but > share(100));
    assert_true(tiers > share(10));
}

/* ---- Size ---- */

/* Sets of full order, with and without tiers, in no more bytes than the pairs and lists need. */
static void test_size(void **state)
{
    (void)state;
    enum { BYTES_OF_A_PAIR = 200 };
    gsl_rng *rng = seeded(8);
    struct forms forms = {0};
    for (int n = 100; n <= MOST; n += 100)
        for (int tiers = 0; tiers < 2; tiers++) {
            struct sample_model model = {.n = n, .n_obs = 4 * n, .parents = 1};
            struct sample sample = sample_draw(&model, rng);
            dpc_settings settings = draw_settings(0, rng);
            dpc_knowledge *known = NULL;
            assert_int_equal(dpc_knowledge_new(n, &known, NULL), DPC_OK);
            for (int v = 0; v < n && tiers; v++)
                assert_int_equal(dpc_knowledge_tier(known, v, v / 40, NULL), DPC_OK);
            settings.alpha = 0.01;
            settings.knowledge = tiers ? known : NULL;
            size_t size = check_report(&sample.correlation, &settings, &forms, "a large one");
            double pairs = 0.5 * n * (n - 1);
            print_message("%d variables%s: %.0f bytes a pair\n", n, tiers ? " in tiers" : "",
                          (double)size / pairs);
            assert_true((double)size < BYTES_OF_A_PAIR * pairs);
            dpc_knowledge_free(known);
            sample_free(&sample);
        }
    gsl_rng_free(rng);
}

static int begin(void **state)
{
    static char text[MOST][16];
    (void)state;
    for (int i = 0; i < MOST; i++) {
        snprintf(text[i], sizeof text[i], "V%d", i + 1);
        names[i] = text[i];
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_size),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
