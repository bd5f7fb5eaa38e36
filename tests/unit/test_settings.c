/*
 * The settings: every one by its name and as text, at its default, at the ends of its range and
 * beyond; what does not go together; and structs of other versions.
 */
#include "decimal.h"
#include "dualpc_io.h"
#include "number.h"
#include "settings.h"
#include "status.h"
#include "tables.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Setting and getting ---- */

static void expect_text(const dpc_settings *s, const char *name, const char *text)
{
    char seen[DPC_OPTION_SIZE];
    dpc_error err = {0};
    if (dpc_settings_get(s, name, seen, sizeof seen, &err) != DPC_OK)
        fail_msg("%s: %s", name, err.message);
    if (strcmp(seen, text) != 0)
        fail_msg("%s is '%s', not '%s'", name, seen, text);
}

/* Is taken, and read back as `back`. */
static void expect_taken(const char *name, const char *text, const char *back)
{
    dpc_settings s;
    dpc_error err = {0};
    dpc_settings_default(&s);
    if (dpc_settings_set(&s, name, text, &err) != DPC_OK)
        fail_msg("%s = '%s' is refused: %s", name, text, err.message);
    expect_text(&s, name, back);
    assert_int_equal(dpc_settings_set(&s, name, back, &err), DPC_OK);
    expect_text(&s, name, back);
    if (strcmp(name, "method") != 0) /* ges does not go with all */
        assert_int_equal(dpc_settings_check(&s, NULL), DPC_OK);
}

/* Is refused by a sentence that begins with the name, and nothing changes. */
static void expect_refused(const char *name, const char *text)
{
    dpc_settings s, before;
    dpc_error err = {0};
    dpc_settings_default(&s);
    before = s;
    dpc_status status = dpc_settings_set(&s, name, text, &err);
    if (status != DPC_USAGE || err.code != DPC_USAGE)
        fail_msg("%s = '%s' is taken", name, text);
    if (strncmp(err.message, name, strlen(name)) != 0 || err.message[strlen(name)] != ' ')
        fail_msg("'%s' does not begin with %s", err.message, name);
    assert_memory_equal(&s, &before, sizeof s);
    assert_int_equal(dpc_settings_set(&s, name, text, NULL), DPC_USAGE);
}

static void test_defaults(void **state)
{
    (void)state;
    dpc_settings s, again;
    dpc_settings_default(&s);
    assert_int_equal(dpc_settings_check(&s, NULL), DPC_OK);
    assert_int_equal(dpc_settings_check(NULL, NULL), DPC_OK);
    for (int i = 0; dpc_option_at(i) != NULL; i++) {
        const dpc_option *option = dpc_option_at(i);
        assert_true(strlen(option->sentence) > 5);
        assert_true(option->methods > 0 && option->methods < 1u << (DPC_GES + 1));
        assert_int_equal(option->words != NULL, option->kind == DPC_OPTION_WORD);
        char initial[DPC_OPTION_SIZE];
        assert_int_equal(dpc_settings_get(&s, option->name, initial, sizeof initial, NULL), DPC_OK);
        memset(&again, 0x55, sizeof again);
        dpc_settings_default(&again);
        assert_memory_equal(&again, &s, sizeof s);
        assert_int_equal(dpc_settings_set(&again, option->name, initial, NULL), DPC_OK);
        assert_memory_equal(&again, &s, sizeof s);
    }
    assert_null(dpc_option_at(-1));
    assert_non_null(dpc_option_at(15));
    assert_null(dpc_option_at(1000));
    /* what the documents promise */
    assert_true(s.alpha == 0 && s.alpha_dual == 0 && s.min_ess == 30 && s.penalty == 0);
    assert_true(s.refine == DPC_REFINE_NONE && s.restarts == DPC_AUTO_RESTARTS && s.seed == 1);
    assert_true(s.memory == 0 && s.timeout == DPC_NO_TIMEOUT);
    assert_true(s.method == DPC_DUAL && s.variant == DPC_STABLE && s.rule == DPC_RULE_AUTO);
    assert_true(s.test == DPC_FISHER_Z && s.max_order == DPC_NO_MAX_ORDER && s.threads == 0);
    assert_true(s.normalize == DPC_NORMALIZE_NONE && s.graph == DPC_CPDAG);
    assert_true(s.orient == DPC_CONSISTENT && s.order == DPC_ORDER_AUTO &&
                s.min_evidence == DPC_NO_MIN_EVIDENCE);
    assert_true(!s.keep_separating_sets && s.knowledge == NULL && s.progress == NULL);
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const never[] = {"",   " ",    "x",     "nan", "inf", "-inf", "1e999",
                                        "-1", "0,05", "0.05x", "5 ",  "--1", "1 2",  "true"};
    static const char *const numbers[] = {"alpha",   "alpha-dual", "max-order",
                                          "min-ess", "penalty",    "threads"};
    for (int n = 0; n < 6; n++)
        for (size_t i = 0; i < sizeof never / sizeof *never; i++)
            if (strcmp(numbers[n], "min-ess") != 0 || strcmp(never[i], "inf") != 0)
                expect_refused(numbers[n], never[i]);
    for (int n = 0; n < 2; n++) {
        expect_taken(numbers[n], "0.01", "0.01");
        expect_taken(numbers[n], "1e-300", "1e-300");
        expect_taken(numbers[n], "5e-324", "4.94065645841247e-324");
        expect_taken(numbers[n], "0.99999999999999989", "0.9999999999999999");
        expect_taken(numbers[n], "+.25", "0.25");
        expect_refused(numbers[n], "0");
        expect_refused(numbers[n], "1");
        expect_refused(numbers[n], "2");
    }
    expect_taken("alpha-dual", "alpha", "alpha");
    expect_refused("alpha", "alpha");
    expect_taken("alpha", "auto", "auto");
    expect_taken("min-ess", "0", "0");
    expect_taken("min-ess", "3.5", "3.5");
    expect_taken("min-ess", "1e300", "1e+300");
    expect_taken("min-ess", "inf", "inf");
    expect_taken("memory", "1500", "1500");
    expect_taken("memory", "4G", "4000");
    expect_taken("memory", "0.5T", "500000");
    expect_taken("memory", "250K", "0.25");
    expect_taken("memory", "auto", "auto");
    expect_refused("memory", "0");
    expect_refused("memory", "G");
    expect_refused("memory", "4GB");
    expect_refused("min-ess", "none");
    expect_taken("min-evidence", "none", "none");
    expect_taken("min-evidence", "-1.5", "-1.5");
    expect_refused("min-evidence", "weak");
    expect_taken("penalty", "1e-9", "1e-09");
    expect_taken("penalty", "1e9", "1000000000");
    expect_refused("penalty", "0");
}

static void test_counts(void **state)
{
    (void)state;
    expect_taken("max-order", "0", "0");
    expect_taken("max-order", "1e1", "10");
    expect_taken("max-order", "2147483646", "2147483646");
    expect_taken("max-order", "2147483647", "none"); /* as good as none */
    expect_taken("max-order", "none", "none");
    expect_taken("threads", "1", "1");
    expect_taken("threads", "256", "256");
    expect_taken("threads", "all", "all");
    for (const char *const *text = (const char *const[]){"1.5", "2147483648", "1e10", "1e300",
                                                         "9223372036854775808", "all", NULL};
         *text != NULL; text++)
        expect_refused("max-order", *text);
    for (const char *const *text = (const char *const[]){"0", "1.5", "257", "4096", "none", NULL};
         *text != NULL; text++)
        expect_refused("threads", *text);
}

static void test_words(void **state)
{
    (void)state;
    int words = 0;
    for (int i = 0; dpc_option_at(i) != NULL; i++) {
        const dpc_option *option = dpc_option_at(i);
        for (int w = 0; option->words != NULL && option->words[w] != NULL; w++, words++) {
            char longer[40];
            expect_taken(option->name, option->words[w], option->words[w]);
            snprintf(longer, sizeof longer, "%sx", option->words[w]);
            expect_refused(option->name, longer);
            snprintf(longer, sizeof longer, "%s", option->words[w]);
            longer[0] ^= 0x20; /* Dual */
            expect_refused(option->name, longer);
        }
        if (option->words != NULL) {
            expect_refused(option->name, "");
            expect_refused(option->name, "0");
        }
    }
    assert_int_equal(words, 4 + 2 + 2 + 2 + 3 + 2 + 2 + 3 + 4 + 3 + 4 + 4);
    expect_taken("rule", "auto", "auto");
    expect_taken("separating-sets", "yes", "yes");
    expect_taken("separating-sets", "no", "no");
    expect_refused("separating-sets", "");
    expect_refused("separating-sets", "1");
    assert_string_equal(dpc_word(DPC_WORD_METHOD, DPC_GES), "ges");
    assert_string_equal(dpc_word(DPC_WORD_ORDER, DPC_ORDER_GIVEN), "given");
    assert_null(dpc_word(DPC_WORD_METHOD, (dpc_method)(DPC_GES + 1)));
    assert_null(dpc_word(DPC_WORD_RULE, (dpc_rule)-1));
}

static void test_names(void **state)
{
    (void)state;
    dpc_settings s;
    dpc_error err = {0};
    char text[DPC_OPTION_SIZE], small[4] = "old";
    dpc_settings_default(&s);
    assert_int_equal(dpc_settings_set(&s, "max_order", "3", &err), DPC_OK);
    assert_int_equal(s.max_order, 3);
    expect_text(&s, "max-order", "3");
    static const char *const unknown[] = {"", "alp", "alphas", "--alpha", "Alpha", "size"};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(dpc_settings_set(&s, unknown[i], "0.1", &err), DPC_USAGE);
        assert_non_null(strstr(err.message, "alpha-dual")); /* it lists what there is */
        assert_non_null(strstr(err.message, "separating-sets"));
        assert_int_equal(dpc_settings_get(&s, unknown[i], text, sizeof text, &err), DPC_USAGE);
    }
    assert_int_equal(dpc_settings_set(&s, NULL, "0.1", &err), DPC_USAGE);
    assert_int_equal(dpc_settings_set(&s, "alpha", NULL, &err), DPC_USAGE);
    assert_int_equal(dpc_settings_get(&s, NULL, text, sizeof text, &err), DPC_USAGE);
    assert_int_equal(dpc_settings_get(&s, "alpha", small, sizeof small, &err), DPC_USAGE);
    assert_string_equal(small, "old");
    assert_int_equal(dpc_settings_get(&s, "test", small, 2, &err), DPC_OK);
    assert_string_equal(small, "z");
}

/* ---- What lies in the struct ---- */

static void expect_wrong(const dpc_settings *s, const char *sentence)
{
    dpc_error err = {0};
    assert_int_equal(dpc_settings_check(s, &err), DPC_USAGE);
    assert_string_equal(err.message, sentence);
}

static void test_check(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, -1, 0, 1};
    dpc_settings s;
    for (int i = 0; i < 6; i++) {
        dpc_settings_default(&s);
        s.alpha = bad[i]; /* 0 is auto */
        assert_int_equal(dpc_settings_check(&s, NULL), i == 4 ? DPC_OK : DPC_USAGE);
        dpc_settings_default(&s);
        s.alpha_dual = bad[i];
        assert_int_equal(dpc_settings_check(&s, NULL), i == 4 ? DPC_OK : DPC_USAGE);
        dpc_settings_default(&s);
        s.min_ess = bad[i];
        assert_int_equal(dpc_settings_check(&s, NULL), i < 4 && i != 1 ? DPC_USAGE : DPC_OK);
        dpc_settings_default(&s);
        s.penalty = bad[i]; /* 0 is auto */
        assert_int_equal(dpc_settings_check(&s, NULL), i < 4 ? DPC_USAGE : DPC_OK);
    }
    dpc_settings_default(&s);
    s.alpha = 2;
    expect_wrong(&s, "alpha must be between 0 and 1, not 2");
    dpc_settings_default(&s);
    s.penalty = -1;
    expect_wrong(&s, "penalty must be more than 0, not -1");
    dpc_settings_default(&s);
    s.refine = DPC_REFINE_FAST;
    s.keep_separating_sets = true;
    expect_wrong(&s, "separating-sets tells of tests, and with refine a score decides; leave out "
                     "one of the two");
    s.method = DPC_GES;
    expect_wrong(&s, "refine starts from the graph of a PC algorithm; leave it out, or choose "
                     "another method");
    dpc_settings_default(&s);
    s.max_order = -1;
    expect_wrong(&s, "max-order must be at least 0 and at most 2147483647, not -1");
    dpc_settings_default(&s);
    s.threads = -1;
    expect_wrong(&s, "threads must be at least 1 and at most 256, not -1");
    dpc_settings_default(&s);
    s.method = (dpc_method)7;
    expect_wrong(&s, "method must be one of dual, classic, precision, ges, not '7'");
    dpc_settings_default(&s);
    s.orient = (dpc_orientation)-1;
    expect_wrong(&s, "orient must be one of consistent, relaxed, majority, conservative, not '-1'");
}

static void test_together(void **state)
{
    (void)state;
    dpc_settings s;
    dpc_settings_default(&s);
    s.method = DPC_GES;
    assert_int_equal(dpc_settings_check(&s, NULL), DPC_OK);
    s.rule = DPC_RULE_AND;
    expect_wrong(&s, "rule and goes with the PC algorithms; GES finds no separating sets");
    s.rule = DPC_RULE_OR;
    s.keep_separating_sets = true;
    expect_wrong(&s, "GES finds no separating sets; leave out separating-sets, or choose another "
                     "method");
    s.keep_separating_sets = false;
    dpc_knowledge *knowledge = NULL;
    assert_int_equal(dpc_knowledge_new(3, &knowledge, NULL), DPC_OK);
    s.knowledge = knowledge;
    assert_int_equal(dpc_settings_check(&s, NULL), DPC_OK);
    s.method = DPC_PRECISION;
    s.rule = DPC_RULE_AND;
    s.keep_separating_sets = true;
    assert_int_equal(dpc_settings_check(&s, NULL), DPC_OK);
    dpc_knowledge_free(knowledge);
}

/* ---- Other versions ---- */

static dpc_result *learned(const dpc_table *table, const dpc_settings *settings)
{
    dpc_result *result = NULL;
    dpc_error err = {0};
    if (dpc_learn_table(table, settings, NULL, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return result;
}

/* The same edges after as many tests. */
static bool same_results(const dpc_result *a, const dpc_result *b)
{
    return same_edges(dpc_result_graph(a), dpc_result_graph(b)) &&
           dpc_result_info(a)->tests == dpc_result_info(b)->tests;
}

/* Programs that know only a beginning of the struct, in as much memory as they would have. */
static void test_older(void **state)
{
    (void)state;
    static const size_t ends[] = {offsetof(dpc_settings, max_order), offsetof(dpc_settings, order),
                                  offsetof(dpc_settings, knowledge),
                                  offsetof(dpc_settings, progress_user)};
    dpc_table *table = simulated_table(12, 200, 7);
    for (int i = 0; i < 4; i++) {
        size_t size = ends[i] / _Alignof(dpc_settings) * _Alignof(dpc_settings);
        dpc_settings *old = malloc(size), whole;
        assert_int_equal(dpc_settings_init(old, size), DPC_OK);
        assert_int_equal(old->size, size);
        dpc_settings_default(&whole);
        assert_memory_equal((char *)old + sizeof(size_t), (char *)&whole + sizeof(size_t),
                            size - sizeof(size_t));
        assert_int_equal(dpc_settings_set(old, "alpha", "0.2", NULL), DPC_OK);
        assert_int_equal(dpc_settings_set(&whole, "alpha", "0.2", NULL), DPC_OK);
        expect_text(old, "alpha", "0.2");
        assert_int_equal(dpc_settings_check(old, NULL), DPC_OK);
        dpc_error err = {0};
        bool has = size > offsetof(dpc_settings, keep_separating_sets);
        assert_int_equal(dpc_settings_set(old, "separating-sets", "no", &err),
                         has ? DPC_OK : DPC_USAGE);
        assert_true(has || strncmp(err.message, "separating-sets is newer", 24) == 0);
        dpc_result *a = learned(table, old), *b = learned(table, &whole);
        assert_true(same_results(a, b));
        assert_int_equal(dpc_result_settings(a)->size, size); /* to be copied by the caller */
        assert_true(dpc_result_settings(a)->alpha == 0.2);
        dpc_result_free(a);
        dpc_result_free(b);
        free(old);
    }
    dpc_table_free(table);
}

static void test_sizes(void **state)
{
    (void)state;
    static const size_t wrong[] = {0,
                                   1,
                                   sizeof(size_t),
                                   sizeof(dpc_settings) - 1,
                                   sizeof(dpc_settings) + 1,
                                   sizeof(dpc_settings) + 8,
                                   SIZE_MAX};
    dpc_settings whole[2]; /* room for what a newer program has */
    dpc_settings *s = whole;
    dpc_table *table = simulated_table(5, 50, 7), *none = NULL;
    dpc_error err = {0};
    for (int i = 0; i < 7; i++) {
        if (wrong[i] <= sizeof whole)
            assert_int_equal(dpc_settings_init(s, wrong[i]), DPC_USAGE);
        dpc_settings_default(s);
        s->size = wrong[i];
        dpc_result *result = NULL;
        dpc_frequencies *frequencies = NULL;
        dpc_correlation *correlation = NULL;
        const dpc_resampling once = {.resamples = 1};
        char text[DPC_OPTION_SIZE];
        assert_int_equal(dpc_settings_check(s, &err), DPC_USAGE);
        assert_non_null(strstr(err.message, "bytes"));
        assert_int_equal(dpc_settings_set(s, "alpha", "0.5", &err), DPC_USAGE);
        assert_int_equal(dpc_settings_get(s, "alpha", text, sizeof text, &err), DPC_USAGE);
        assert_int_equal(dpc_learn_table(table, s, NULL, &result, &err), DPC_USAGE);
        assert_int_equal(dpc_correlate(table, s, NULL, &correlation, &err), DPC_USAGE);
        assert_int_equal(dpc_bootstrap(table, s, &once, &frequencies, &err), DPC_USAGE);
        assert_int_equal(dpc_table_read("/dev/null", DPC_MISSING_ERROR, s, NULL, &none, &err),
                         DPC_USAGE);
    }
    dpc_table_free(table);
}

/* ---- What is left to the library ---- */

/* The same struct, the same settings by name, and what they stand for: one graph. */
static void test_auto(void **state)
{
    (void)state;
    static const char *const words[] = {"none", "fast", "full", "exact"};
    dpc_table *table = simulated_table(DPC_MOST_EXACT, 200, 11);
    for (int i = DPC_REFINE_NONE; i <= DPC_REFINE_EXACT; i++) {
        dpc_settings s[3];
        dpc_result *results[3];
        for (int k = 0; k < 3; k++)
            dpc_settings_default(&s[k]);
        s[0].refine = (dpc_refinement)i;
        assert_int_equal(dpc_settings_set(&s[1], "refine", words[i], NULL), DPC_OK);
        s[2].refine = (dpc_refinement)i;
        s[2].alpha = i == DPC_REFINE_NONE ? 0.05 : 0.01;
        s[2].rule = i == DPC_REFINE_NONE ? DPC_RULE_OR : DPC_RULE_AND;
        for (int k = 0; k < 3; k++) {
            results[k] = learned(table, &s[k]);
            const dpc_settings *told = dpc_result_settings(results[k]);
            assert_true(told->alpha == s[2].alpha && told->alpha_dual == s[2].alpha);
            assert_true(told->rule == s[2].rule && told->order == DPC_ORDER_CANONICAL);
            assert_true((told->penalty > 0) == (i != DPC_REFINE_NONE));
        }
        assert_true(same_results(results[0], results[1]) && same_results(results[0], results[2]));
        for (int k = 0; k < 3; k++)
            dpc_result_free(results[k]);
    }
    dpc_table_free(table);
}

/* ---- To whom a setting matters ---- */

/* Another value than the default, that matters on most tables. */
static const char *other_value(const dpc_option *option)
{
    static const char *const others[][2] = {
        {"alpha", "0.3"},        {"alpha-dual", "0.4"}, {"variant", "standard"},
        {"rule", "and"},         {"test", "t"},         {"max-order", "0"},
        {"min-ess", "3"},        {"penalty", "3"},      {"orient", "relaxed"},
        {"normalize", "copula"}, {"graph", "skeleton"}, {"order", "given"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i][0], option->name) == 0)
            return others[i][1];
    return NULL; /* the method itself, and what changes no result */
}

/* Do the edges or the number of tests change? */
static bool matters(const dpc_table *table, dpc_method method, const dpc_option *option)
{
    dpc_settings s = plain_settings();
    s.min_ess = 30;
    s.method = method;
    dpc_result *before = learned(table, &s);
    assert_int_equal(dpc_settings_set(&s, option->name, other_value(option), NULL), DPC_OK);
    dpc_result *after = learned(table, &s);
    bool same = same_results(before, after);
    dpc_result_free(before);
    dpc_result_free(after);
    return !same;
}

/* The masks of the table are neither too wide nor too narrow. */
static void test_methods(void **state)
{
    (void)state;
    enum { TABLES = 12 };
    dpc_table *tables[TABLES];
    for (int t = 0; t < TABLES; t++)
        tables[t] = simulated_table(14, t % 2 ? 20 : 60 + 10 * t, 100 + (uint64_t)t);
    for (int i = 0; dpc_option_at(i) != NULL; i++)
        for (int method = DPC_DUAL; method <= DPC_GES; method++) {
            const dpc_option *option = dpc_option_at(i);
            bool refused = method == DPC_GES && strcmp(option->name, "rule") == 0;
            if (other_value(option) == NULL || refused)
                continue;
            int count = 0;
            for (int t = 0; t < TABLES; t++)
                count += matters(tables[t], (dpc_method)method, option);
            if ((option->methods >> method & 1) != (count > 0))
                fail_msg("%s matters to %s on %d tables", option->name,
                         dpc_word(DPC_WORD_METHOD, (dpc_method)method), count);
        }
    for (int t = 0; t < TABLES; t++)
        dpc_table_free(tables[t]);
}

/* ---- Numbers as text ---- */

static double draw_double(gsl_rng *rng)
{
    uint64_t bits = (uint64_t)gsl_rng_get(rng) << 40 ^ (uint64_t)gsl_rng_get(rng) << 20 ^
                    (uint64_t)gsl_rng_get(rng);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0.1;
}

/* The same digits as the writers', and the same double back. */
static void test_decimals(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240614);
    for (int i = 0; i < 20000; i++) {
        double value = i % 2 ? draw_double(rng) : gsl_rng_uniform(rng), back = NAN;
        char ours[DPC_DECIMAL_SIZE], theirs[DPC_NUMBER_SIZE];
        dpc_decimal_print(value, ours);
        dpc_number_print(value, theirs);
        assert_string_equal(ours, theirs);
        assert_true(dpc_decimal_read(ours, &back) && back == value);
    }
    gsl_rng_free(rng);
    char text[DPC_DECIMAL_SIZE];
    dpc_decimal_print(-DBL_MAX, text);
    assert_string_equal(text, "-1.7976931348623157e+308");
}

/* A host may have set a locale with a decimal comma. */
static void test_locale(void **state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        fail_msg("no locale with a decimal comma to test with; tools/check.sh makes one");
    test_defaults(state);
    test_numbers(state);
    test_counts(state);
    test_check(state);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_counts),   cmocka_unit_test(test_words),
        cmocka_unit_test(test_names),    cmocka_unit_test(test_check),
        cmocka_unit_test(test_together), cmocka_unit_test(test_older),
        cmocka_unit_test(test_sizes),    cmocka_unit_test(test_methods),
        cmocka_unit_test(test_auto),     cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
