/* Numbers in cells: against strtod, whatever the locale, and what a double cannot keep of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "number.h"
#include "reading.h"
#include "table.h"
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ---- */

static int digits(char *to, int count, uint64_t *state)
{
    for (int i = 0; i < count; i++)
        to[i] = (char)('0' + next_random(state) % 10);
    return count;
}

/* A random decimal number of one of several shapes. */
static void random_number(char *to, uint64_t *state)
{
    static const char *const signs[] = {"", "", "-", "+"};
    static const struct {
        int whole, decimals, exponent; /* the most of each */
    } shapes[] = {{4, 6, 0}, {1, 17, 0}, {20, 20, 0}, {3, 40, 30}, {2, 17, 330}, {1, 3, 22}};
    uint64_t r = next_random(state);
    int shape = (int)(r % 6), whole = 1 + (int)((r >> 8) % (unsigned)shapes[shape].whole);
    int decimals = (int)((r >> 16) % (unsigned)(shapes[shape].decimals + 1));
    char *p = to + sprintf(to, "%s", signs[(r >> 32) % 4]);
    p += digits(p, whole, state);
    if (decimals > 0 || (r >> 40) % 8 == 0) {
        *p++ = '.';
        p += digits(p, decimals, state);
    }
    *p = '\0';
    int most = shapes[shape].exponent;
    if (most > 0)
        sprintf(p, "%c%s%d", (r >> 41) % 2 ? 'e' : 'E', (r >> 42) % 2 ? "-" : "+",
                (int)((r >> 48) % (unsigned)(most + 1)));
}

static void same_as_strtod(const char *text, locale_t c_locale)
{
    double wanted = strtod(text, NULL), value = 1;
    dpc_kind kind = dpc_number_classify(text, strlen(text), c_locale, &value);
    if (memcmp(&wanted, &value, sizeof value) != 0)
        fail_msg("%s: %a, not %a", text, value, wanted);
    assert_int_equal(kind, isinf(wanted) ? DPC_KIND_INFINITE : DPC_KIND_NUMBER);
}

static void test_numbers_as_strtod(void **state)
{
    (void)state;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    uint64_t seed = 88172645463325252u;
    char text[128];
    for (int i = 0; i < 200000; i++) {
        random_number(text, &seed);
        same_as_strtod(text, c_locale);
    }
    for (int i = 0; i < 100000; i++) { /* every bit pattern, also subnormal, as 17 digits */
        uint64_t bits = next_random(&seed);
        if (i % 4 == 0)
            bits &= ~(UINT64_C(0x7ff) << 52);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, "%.*g", i % 2 ? 17 : 15, value);
        same_as_strtod(text, c_locale);
    }
    static const char *const special[] = {"0",
                                          "-0",
                                          "0e5",
                                          "0e999999999999",
                                          "-0.0e-400",
                                          "1e22",
                                          "1e23",
                                          "9007199254740992e22",
                                          "9007199254740993",
                                          "9007199254740993e0",
                                          "1e-22",
                                          "1e-23",
                                          "4.9e-324",
                                          "2e-324",
                                          "2.2250738585072011e-308",
                                          "1.7976931348623158e308",
                                          "1.7976931348623159e308",
                                          "1e999",
                                          "-1e999",
                                          "1e-999",
                                          "1e99999999999999999999",
                                          "1e-99999999999999999999",
                                          ".5",
                                          "5.",
                                          "-.5e1",
                                          "00000000000000000000000000001",
                                          "0.000000000000000000000000000000000000001",
                                          "18446744073709551616",
                                          "99999999999999999999",
                                          "184467440737095516160000000000000000e-10"};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        same_as_strtod(special[i], c_locale);
    freelocale(c_locale);
}

static void expect_kind(const char *text, dpc_kind wanted)
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = 0;
    dpc_kind kind = dpc_number_classify(text, strlen(text), c_locale, &value);
    if (kind != wanted)
        fail_msg("'%s' is of kind %d, not %d", text, kind, wanted);
    bool as_nan = kind == DPC_KIND_MISSING || kind == DPC_KIND_TEXT;
    assert_int_equal(isnan(value) != 0, as_nan);
    if (kind == DPC_KIND_INFINITE)
        assert_true(isinf(value) && signbit(value) == (text[0] == '-'));
    freelocale(c_locale);
}

static void test_kinds_of_cells(void **state)
{
    (void)state;
    static const char *const missing[] = {"", "NaN", "nan", "NAN", "-nan", "  "};
    static const char *const infinite[] = {"inf",      "-inf",      "+Inf",  "INF",
                                           "Infinity", "-INFINITY", "1e999", "-1e999"};
    static const char *const texts[] = {
        "x",   "0x10",   "1e",  "1e+",   "e5",    ".",     "-",       "+",     "--1",  "1.2.3",
        "1,5", "NA",     "n/a", "null",  "?",     "1 2",   "12a",     "nano",  "in",   "infi",
        "-na", "nan(1)", "1d5", "N / A", "0x1p3", "\"1\"", "infinit", "-null", "1_000"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        expect_kind(missing[i], DPC_KIND_MISSING);
    for (size_t i = 0; i < sizeof infinite / sizeof *infinite; i++)
        expect_kind(infinite[i], DPC_KIND_INFINITE);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_kind(texts[i], DPC_KIND_TEXT);
}

static void test_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8"};
    int found = 0;
    for (int i = 0; i < 3; i++)
        if (setlocale(LC_ALL, locales[i]) != NULL) {
            found++;
            expect_ab("a,b\n1,2\n3,4.5\n");
            expect_as(DPC_MISSING_ERROR, "a,b\n1.25,0.10000000000000000555111512312578\n", "a|b", 1,
                      2, VALUES(1.25, 0.1), 0);
            expect_kind("INF", DPC_KIND_INFINITE);
        }
    setlocale(LC_ALL, "C");
    if (found == 0)
        fail_msg("no locale with a decimal comma to test with; tools/check.sh makes one");
}

static void test_lost_digits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool exact;
    } CASES[] = {
        {"9007199254740992", true},
        {"9007199254740993", false},
        {"-9007199254740993", false},
        {"9007199254740994", true},
        {"+0009007199254740995.000", false},
        {"9007199254740993.5", false},
        {"90071992547409930", false},
        {"9.007199254740993e15", false},
        {"123456789012345680000", true}, /* as JavaScript prints that double */
        {"123456789012345683968", true}, /* the same in full */
        {"123456789012345678901", false},
        {"1.2345678901234568e+20", true},
        {"1.23456789012345678e+20", false},
        {"1.23456789012345684e+20", true},
        {"1e23", true},
        {"100000000000000000000000", true},
        {"1.7976931348623157e308", true},
        {"1.79769313486231571e308", true},
        {"1.79769313486231572e308", false},
        {"18446744073709551615", false},
        {"18446744073709551616", true},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[128];
        if (dpc_number_is_exact(CASES[i].text, strlen(CASES[i].text),
                                strtod(CASES[i].text, NULL)) != CASES[i].exact)
            fail_msg("%s is%s exact", CASES[i].text, CASES[i].exact ? " not" : "");
        for (int quoted = 0; quoted < 2; quoted++) {
            const char *quote = quoted ? "\"" : "";
            snprintf(text, sizeof text, "a,b\n1,2\n3,%s%s%s\n5,6\n", quote, CASES[i].text, quote);
            outcome o = read_table_text(text, DPC_MISSING_ERROR);
            assert_int_equal(o.status, DPC_OK);
            assert_int_equal(o.audit.count, !CASES[i].exact);
            if (!CASES[i].exact)
                assert_true(has_finding(&o, DPC_WARNING,
                                        "column 'b' has more digits than can be kept: 1 number "
                                        "beyond 2^53 was rounded, '"));
            assert_true(o.table->values[4] == strtod(CASES[i].text, NULL));
            clear_outcome(&o);
        }
    }
    outcome o = read_table_text("a,b\n1,9007199254740993\n3,9007199254740995\n5,9007199254740996\n",
                                DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_WARNING,
                            "column 'b' has more digits than can be kept: 2 numbers beyond 2^53 "
                            "were rounded, the first '9007199254740993' on line 2; subtract what "
                            "they have in common"));
    clear_outcome(&o);
    /* what a double prints has lost nothing */
    char text[512];
    uint64_t state_of_random = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = next_random(&state_of_random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value) || fabs(value) < DPC_NUMBER_WHOLE)
            continue;
        int length = snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.0f", value);
        if (!dpc_number_is_exact(text, (size_t)length, value))
            fail_msg("%s is not exact", text);
    }
}

static void test_clipping(void **state)
{
    (void)state;
    char out[DPC_CLIP_SIZE];
    dpc_clip("short", 5, false, out);
    assert_string_equal(out, "short");
    dpc_clip("a\nb\xff"
             "c\x7f",
             6, false, out);
    assert_string_equal(out, "a?b?c?");
    dpc_clip("a\"\"b", 4, true, out);
    assert_string_equal(out, "a\"b");
    char text[128];
    memset(text, 'x', 39);
    strcpy(text + 39, "éé");
    dpc_clip(text, strlen(text), false, out);
    assert_int_equal(strlen(out), 39 + strlen("…"));
    assert_string_equal(out + 39, "…");
    dpc_clip(text, 39 + 1, false, out); /* cut in the middle of é */
    assert_string_equal(out + 38, "x?");
    memset(text, 'y', 100);
    dpc_clip(text, 40, false, out);
    assert_int_equal(strlen(out), 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_as_strtod),
        cmocka_unit_test(test_kinds_of_cells),
        cmocka_unit_test(test_locale_does_not_matter),
        cmocka_unit_test(test_lost_digits),
        cmocka_unit_test(test_clipping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
