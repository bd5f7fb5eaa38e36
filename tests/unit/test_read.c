/*
 * Reading tables and matrices: every rule of dpc_table_read and dpc_matrix_read, the numbers
 * against strtod, and the ways in (file, standard input, gzip).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv.h"
#include "dualpc_io.h"
#include "number.h"
#include "table.h"
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- Temporary files, and one reading of one text ---- */

typedef struct outcome {
    char path[256];
    dpc_status status;
    dpc_error err;
    dpc_audit audit;
    dpc_table *table;
} outcome;

static void make_path(char path[256])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, 256, "%s/dualpc-read-XXXXXX", folder != NULL ? folder : "/tmp");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

enum { MATRIX = -1 };

static outcome read_bytes(const void *bytes, size_t size, int how)
{
    outcome o = {.status = DPC_OK};
    make_path(o.path);
    write_file(o.path, bytes, size);
    o.status = how == MATRIX
                   ? dpc_matrix_read(o.path, NULL, &o.audit, &o.table, &o.err)
                   : dpc_table_read(o.path, (dpc_missing)how, NULL, &o.audit, &o.table, &o.err);
    /* without an audit the answer is the same */
    dpc_table *again = NULL;
    dpc_error err = {0};
    dpc_status status = how == MATRIX
                            ? dpc_matrix_read(o.path, NULL, NULL, &again, &err)
                            : dpc_table_read(o.path, (dpc_missing)how, NULL, NULL, &again, &err);
    assert_int_equal(status, o.status);
    if (status != DPC_OK) {
        assert_null(o.table);
        assert_null(again);
        assert_string_equal(err.message, o.err.message);
        assert_int_equal(strncmp(err.message, o.path, strlen(o.path)), 0);
    } else {
        assert_int_equal(o.audit.errors, 0);
    }
    dpc_table_free(again);
    unlink(o.path);
    return o;
}

static outcome read_text(const char *text, int how)
{
    return read_bytes(text, strlen(text), how);
}

static void clear(outcome *o)
{
    dpc_table_free(o->table);
    dpc_audit_clear(&o->audit);
}

static bool has_finding(const outcome *o, dpc_severity severity, const char *part)
{
    for (int i = 0; i < o->audit.count; i++)
        if (o->audit.items[i].severity == severity && strstr(o->audit.items[i].text, part) != NULL)
            return true;
    for (int i = 0; i < o->audit.count; i++)
        print_message("found: %s\n", o->audit.items[i].text);
    print_message("wanted: %s\n", part);
    return false;
}

/* `text` reads as a table of these names (separated by |) and values (row by row). */
static void expect_as(int how, const char *text, const char *names, int64_t n_rows, int n_cols,
                      const double *values, int warnings)
{
    outcome o = read_text(text, how);
    if (o.status != DPC_OK)
        print_message("%s\n", o.err.message);
    assert_int_equal(o.status, DPC_OK);
    assert_int_equal(o.audit.count, warnings);
    assert_int_equal(o.table->n_obs, n_rows);
    assert_int_equal(o.table->n_vars, n_cols);
    char joined[256] = "";
    for (int j = 0; j < n_cols; j++) {
        if (j > 0)
            strcat(joined, "|");
        strcat(joined, o.table->names[j]);
    }
    assert_string_equal(joined, names);
    for (int64_t i = 0; i < n_rows; i++)
        for (int j = 0; j < n_cols; j++)
            assert_true(o.table->values[j * n_rows + i] == values[i * n_cols + j]);
    clear(&o);
}

#define VALUES(...) ((const double[]){__VA_ARGS__})

static void expect_ab(const char *text)
{
    expect_as(DPC_MISSING_ERROR, text, "a|b", 2, 2, VALUES(1, 2, 3, 4.5), 0);
}

/* `text` is refused, with an error that holds `part`, the first of `errors`. */
static void expect_error(int how, const char *text, int errors, const char *part)
{
    outcome o = read_text(text, how);
    assert_int_equal(o.status, DPC_BAD_INPUT);
    assert_int_equal(o.err.code, DPC_BAD_INPUT);
    assert_true(has_finding(&o, DPC_ERROR, part));
    if (strstr(o.err.message, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, o.err.message);
    assert_int_equal(o.audit.errors, errors);
    clear(&o);
}

/* ---- Numbers ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

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
    static const char *const missing[] = {"",    "NA",  "na",   "N/A",  "n/a", "NaN",
                                          "nan", "NAN", "-nan", "NULL", "null"};
    static const char *const infinite[] = {"inf",      "-inf",      "+Inf",  "INF",
                                           "Infinity", "-INFINITY", "1e999", "-1e999"};
    static const char *const texts[] = {
        "x",     "0x10",  "1e",    "1e+",   "e5",      ".",     "-",    "+",   "--1",
        "1.2.3", "1,5",   "1 2",   "12a",   "nano",    "in",    "infi", "-na", "nan(1)",
        "1d5",   "N / A", "0x1p3", "\"1\"", "infinit", "-null", "1_000"};
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

/* ---- Delimiters, quotes, line ends ---- */

static void test_delimiters(void **state)
{
    (void)state;
    expect_ab("a,b\n1,2\n3,4.5\n");
    expect_ab("a\tb\n1\t2\n3\t4.5\n");
    expect_ab("a;b\n1;2\n3;4.5\n");
    expect_ab("a b\n1 2\n3 4.5\n");
    expect_ab("  a   b \n 1  2\n3    4.5  \n");
    expect_ab(" a , b \n 1 ,2\n3,\t4.5 \n");
    expect_ab("a;b\n\"1\";2\n3;4.5\n");
    /* delimiters of another kind inside names */
    expect_as(DPC_MISSING_ERROR, "\"a,b;c\";d\n1;2\n", "a,b;c|d", 1, 2, VALUES(1, 2), 0);
    expect_as(DPC_MISSING_ERROR, "a,x\tb\n1\t2\n", "a,x|b", 1, 2, VALUES(1, 2), 0);
    expect_as(DPC_MISSING_ERROR, "\"a;b\" \"c,d\"\n1 2\n", "a;b|c,d", 1, 2, VALUES(1, 2), 0);
    expect_as(DPC_MISSING_ERROR, "body mass,height\n1,2\n", "body mass|height", 1, 2, VALUES(1, 2),
              0);
    expect_as(DPC_MISSING_ERROR, "x\n1\n2\n", "x", 2, 1, VALUES(1, 2), 0);
    expect_as(DPC_MISSING_ERROR, "height cm\n1\n2\n", "height cm", 2, 1, VALUES(1, 2), 0);
    expect_as(DPC_MISSING_ERROR, "5\" pipe,b\n1,2\n", "5\" pipe|b", 1, 2, VALUES(1, 2), 0);
}

static void test_line_ends(void **state)
{
    (void)state;
    expect_ab("a,b\r\n1,2\r\n3,4.5\r\n");
    expect_ab("a,b\r1,2\r3,4.5\r");
    expect_ab("a,b\n1,2\r\n3,4.5");
    expect_ab("a,b\n1,2\n3,4.5\n\n\r\n  \n\t\n");
    expect_ab("\n\n a,b\n1,2\n3,4.5\n");
    expect_ab("\xef\xbb\xbf"
              "a,b\n1,2\n3,4.5\n");
    expect_ab("\xef\xbb\xbf\"a\",b\n1,2\n3,4.5\n");
    expect_as(DPC_MISSING_ERROR, "a b\n1 2 \t\n3 4\n   ", "a|b", 2, 2, VALUES(1, 2, 3, 4), 0);
}

static void test_quotes(void **state)
{
    (void)state;
    expect_ab("\"a\",\"b\"\n\"1\",\"2\"\n\"3\",\" 4.5 \"\n");
    expect_as(DPC_MISSING_ERROR, "\" say \"\"hi\"\" \",b\n1,2\n", " say \"hi\" |b", 1, 2,
              VALUES(1, 2), 0); /* blanks in quotes are meant */
    expect_as(DPC_MISSING_ERROR, "a\"b,c\"\n1,2\n", "a\"b|c\"", 1, 2, VALUES(1, 2), 0);
    expect_as(DPC_MISSING_ERROR, "\"a\"b,c\n1,2\n", "\"a\"b|c", 1, 2, VALUES(1, 2), 0);
    /* a line break in a quoted row name counts as a line */
    expect_error(DPC_MISSING_ERROR, ",a\n\"r\n1\",1\nr2,x\n", 1, "'x' on line 4");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2\n3,\"4\n5,6\n", 1,
                 "the quote that opens on line 3 is never closed");
    expect_error(DPC_MISSING_ERROR, "a,\"b\n1,2\n3,4\n", 1,
                 "the quote that opens on line 1 is never closed");
    expect_error(DPC_MISSING_ERROR, "a,b\n\"1\"\"\",2\n3,4\n", 1,
                 "column 'a' is not numeric: 1 cell, '1\"' on line 2");
}

/* ---- Names ---- */

/* The table of expect_ab, with a warning that the first column was taken as row names. */
static void expect_ab_told(const char *text)
{
    expect_as(DPC_MISSING_ERROR, text, "a|b", 2, 2, VALUES(1, 2, 3, 4.5), 1);
}

static void test_row_names(void **state)
{
    (void)state;
    /* the header is one field short */
    expect_ab_told("\"a\" \"b\"\n\"1\" 1 2\n\"2\" 3 4.5\n");
    expect_ab_told("a,b\nx,1,2\nx,3,4.5\n");
    expect_as(DPC_MISSING_ERROR, "\"x\"\n\"1\" 5\n\"2\" 6\n", "x", 2, 1, VALUES(5, 6), 1);
    expect_as(DPC_MISSING_ERROR, "\"x\"\n\"1\",5\n\"2\",6\n", "x", 2, 1, VALUES(5, 6), 1);
    /* the first name is empty */
    expect_ab_told(",a,b\n0,1,2\n1,3,4.5\n");
    expect_ab_told("\"\",\"a\",\"b\"\n\"1\",1,2\n\"1\",3,4.5\n");
    expect_ab_told("\ta\tb\nx\t1\t2\nx\t3\t4.5\n");
    expect_ab_told("\"\" a b\nx 1 2\ny 3 4.5\n");
    /* the first column is nothing but different texts */
    expect_as(DPC_MISSING_ERROR, "id,a,b\nr1,1,2\nr2,3,4.5\n", "a|b", 2, 2, VALUES(1, 2, 3, 4.5),
              1);
    outcome o = read_text("id,a,b\nr1,1,2\nr2,3,4.5\n", DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_WARNING, "the first column 'id' was taken as row names"));
    clear(&o);
    expect_error(DPC_MISSING_ERROR, "id,a\nr1,1\nr2,2\nr1,3\n", 1,
                 "column 'id' is not numeric: 3 cells, the first 'r1' on line 2");
    expect_error(DPC_MISSING_ERROR, "id,a\nr1,1\n7,2\nr3,3\n", 1,
                 "column 'id' is not numeric: 2 cells");
    expect_error(DPC_MISSING_ERROR, "id,a\nr1,1\n,2\nr3,3\n", 2,
                 "column 'id' is not numeric: 2 cells");
    expect_error(DPC_MISSING_ERROR, "id\nr1\nr2\n", 1, "column 'id' is not numeric");
    expect_error(DPC_MISSING_ERROR, "a,id\n1,r1\n2,r2\n", 1, "column 'id' is not numeric");
}

static void test_names(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,\"b\nc\"\n1,2\n", 1,
                 "the name of column 2 holds a line break");
    expect_error(DPC_MISSING_ERROR, "a,b\x01\n1,2\n", 1, "the name of column 2 holds a line break");
    expect_error(DPC_MISSING_ERROR, "a,b\xc2\x85\n1,2\n", 1, "the name of column 2 holds");
    expect_error(DPC_MISSING_ERROR, "a,b\xe9\n1,2\n", 1, "the name of column 2 is not UTF-8");
    expect_as(DPC_MISSING_ERROR, "a,größe\n1,2\n", "a|größe", 1, 2, VALUES(1, 2), 0);
    expect_error(DPC_MISSING_ERROR, "a,,c\n1,2,3\n", 1, "column 2 has no name; give it one");
    expect_error(DPC_MISSING_ERROR, "a,b,a\n1,2,3\n", 1,
                 "columns 1 and 3 are both named 'a'; rename one of them");
    expect_error(DPC_MISSING_ERROR, "a,,a\n1,x,3\n", 3, "column 2 has no name; give it one");
    outcome o = read_text("1,2\n3,4\n", DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_OK);
    assert_true(has_finding(&o, DPC_WARNING, "seems to have no header"));
    assert_string_equal(o.table->names[1], "2");
    clear(&o);
}

/* ---- What is wrong with the rows ---- */

/* All that can be wrong, told in the one order; and by the library of its caller's table. */
static void test_one_order(void **state)
{
    (void)state;
    static const char *const WANTED[] = {
        "the first column 'id' was taken as row names",
        "the name of column 8 is not UTF-8; save the file as UTF-8",
        "column 4 has no name; give it one",
        "columns 2 and 6 are both named 'a'; rename one of them",
        "line 4 has 2 fields, the header has 8; correct or remove it",
        "column 'w' is not numeric: 1 cell, 'x' on line 3; remove or recode it",
        "column 'a' has more digits than can be kept: 1 number beyond 2^53 was rounded, "
        "'9007199254740993' on line 2; subtract what they have in common",
        "1 missing cell, the first in column 5 on line 3; drop such rows with missing = rows "
        "(--missing rows), or fill them in",
        "1 infinite cell, the first 'inf' in column 'h' on line 5; correct or remove such rows",
    };
    outcome o = read_text("id,a,w,,,a,h,b\xe9\n"
                          "r,9007199254740993,1,1,5,1,2,1\n"
                          "s,2,x,3,,1,3,1\n"
                          "t,1\n"
                          "u,3,2,2,4,2,inf,2\n",
                          DPC_MISSING_ERROR);
    int at = 0, more = 0;
    for (int i = 0; i < o.audit.count; i++) {
        if (strcmp(o.audit.items[i].text, "column 5 has no name; give it one") == 0)
            more++; /* the other one of its kind */
        else if (strcmp(o.audit.items[i].text, WANTED[at++]) != 0)
            fail_msg("'%s' instead of '%s'", o.audit.items[i].text, WANTED[at - 1]);
    }
    assert_int_equal(at, sizeof WANTED / sizeof *WANTED);
    assert_int_equal(more, 1);
    clear(&o);
}

static void expect_findings(const double *values, const char *const *names,
                            const char *const *wanted)
{
    enum { N_OBS = 6, N_VARS = 5 };
    dpc_table *table = NULL;
    dpc_correlation *c = NULL;
    dpc_audit audit = {0};
    int count = 0;
    assert_int_equal(dpc_table_new(N_OBS, N_VARS, names, &table, NULL), DPC_OK);
    memcpy(table->values, values, N_OBS * N_VARS * sizeof *values);
    dpc_correlate(table, NULL, &audit, &c, NULL);
    for (; wanted[count] != NULL; count++)
        if (count >= audit.count || strcmp(audit.items[count].text, wanted[count]) != 0)
            fail_msg("'%s' instead of '%s'", count < audit.count ? audit.items[count].text : "",
                     wanted[count]);
    assert_int_equal(count, audit.count);
    dpc_audit_clear(&audit);
    dpc_correlation_free(c);
    dpc_table_free(table);
}

static void test_one_order_in_memory(void **state)
{
    (void)state;
    const char *const names[] = {"a", "b", "c", "d", "e"}, *const bad[] = {"a", "b", "", "a", "e"};
    const double good[] = {1, 5, 2, 4, 3, 7, 2, 10, 4, 8, 6, 14, 1, 0, 0,
                           1, 1, 0, 3, 3, 3, 3, 3,  3, 2, 5, 2,  5, 4, 7};
    double sick[30];
    memcpy(sick, good, sizeof good);
    sick[8] = INFINITY;
    sick[20] = -INFINITY;
    sick[14] = sick[15] = NAN;
    expect_findings(good, bad,
                    (const char *const[]){"column 3 has no name; give it one",
                                          "columns 1 and 4 are both named 'a'; rename one of them",
                                          NULL});
    expect_findings(sick, names,
                    (const char *const[]){"2 missing cells, the first in column 'c', row 3; fill "
                                          "them in, or leave them out",
                                          "2 infinite cells, the first 'Inf' in column 'b', row 3; "
                                          "correct or remove such rows",
                                          NULL});
    expect_findings(good, names,
                    (const char *const[]){"column 'd' is constant; it will have no edges",
                                          "column 'b' is a copy or a linear function of 'a'",
                                          "column 'e' is an exact linear combination of 'a', 'c'",
                                          NULL});
}

/* What the reader and the library call constant is the same: what varies by rounding only. */
static void test_constant_to_rounding(void **state)
{
    (void)state;
    outcome o =
        read_text("a,b,c\n1,3,1\n1.0000000000000002,2,x\n1,5,3\n1,5,4\n", DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_WARNING, "column 'a' is constant"));
    clear(&o);
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
            outcome o = read_text(text, DPC_MISSING_ERROR);
            assert_int_equal(o.status, DPC_OK);
            assert_int_equal(o.audit.count, !CASES[i].exact);
            if (!CASES[i].exact)
                assert_true(has_finding(&o, DPC_WARNING,
                                        "column 'b' has more digits than can be kept: 1 number "
                                        "beyond 2^53 was rounded, '"));
            assert_true(o.table->values[4] == strtod(CASES[i].text, NULL));
            clear(&o);
        }
    }
    outcome o = read_text("a,b\n1,9007199254740993\n3,9007199254740995\n5,9007199254740996\n",
                          DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_WARNING,
                            "column 'b' has more digits than can be kept: 2 numbers beyond 2^53 "
                            "were rounded, the first '9007199254740993' on line 2; subtract what "
                            "they have in common"));
    clear(&o);
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

static void test_ragged(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,b,c,d\n1,2,3,4\n1,2,3\n1,2,3,4\n", 1,
                 "line 3 has 3 fields, the header has 4; correct or remove it");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2\n1\n1,2\n1,2,3\n", 1,
                 "line 3 has 1 field, the header has 2; correct or remove all 2 such lines");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2\n\n1,2\n", 1, "line 3 is blank, the header has 2");
    expect_error(DPC_MISSING_ERROR, "a b\n1 2\n \n1 2\n", 1, "line 3 is blank, the header has 2");
    expect_error(DPC_MISSING_ERROR, "a,b\nx,1,2\ny,1,2\nz,1\n", 1,
                 "line 4 has 2 fields, the header has 2, or 3 with the row names");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2,3\n4,5\n6,7\n", 1,
                 "line 2 has 3 fields, the header has 2; correct or remove it");
    /* text in a row of the right length is told in the same report */
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2\n1\n1,x\n", 2, "line 3 has 1 field");
    /* row names under a name survive a short row */
    expect_error(DPC_MISSING_ERROR, "id,a\nx,1\n\ny,2\n", 1, "line 3 is blank");
    /* a table this ragged would need far more memory than its text */
    size_t width = 200000, lines = 100000;
    char *text = malloc(width + lines + 8);
    memset(text, ',', width);
    memset(text + width, '\n', lines);
    strcpy(text + width + lines, "1\n");
    /* … and names only the first ten of its nameless columns */
    expect_error(DPC_MISSING_ERROR, text, 12, "column 2 has no name");
    outcome o = read_text(text, DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_ERROR, "line 2 is blank, the header has 200001"));
    clear(&o);
    free(text);
}

static void test_text(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,sex\n1,M\n2,F\n3,1\n", 1,
                 "column 'sex' is not numeric: 2 cells, the first 'M' on line 2; remove or recode");
    expect_error(DPC_MISSING_ERROR, "a;b\n1;1,5\n2;2,5\n", 1,
                 "column 'b' is not numeric: 2 cells, the first '1,5' on line 2; it looks like a "
                 "decimal comma");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,0x1f\n", 1, "'0x1f'");
    char text[4096], *p = text;
    for (int j = 0; j < 15; j++)
        p += sprintf(p, "%sc%d", j > 0 ? "," : "", j);
    *p++ = '\n';
    for (int j = 0; j < 15; j++)
        p += sprintf(p, "%st", j > 0 ? "," : "");
    strcpy(p, "\n1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\n");
    expect_error(DPC_MISSING_ERROR, text, 11, "column 'c0' is not numeric");
    outcome o = read_text(text, DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_ERROR, "column 'c9' is not numeric"));
    assert_true(has_finding(&o, DPC_ERROR, "and 5 more columns are not numeric"));
    clear(&o);
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

static void test_missing(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2\n,3\nNA,\n", 1,
                 "3 missing cells, the first in column 'a' on line 3");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,NaN\n", 1, "--missing rows");
    expect_error(DPC_MISSING_ERROR, "x\n1\n\n2\n", 1,
                 "1 missing cell, the first in column 'x' on line 3");
    expect_as(DPC_MISSING_ROWS, "a,b\n1,2\n,3\n5,6\nNA,\n7,8\nnull,1\n", "a|b", 3, 2,
              VALUES(1, 2, 5, 6, 7, 8), 1);
    expect_as(DPC_MISSING_ROWS, "a,b\n1,2\n3,4.5\n", "a|b", 2, 2, VALUES(1, 2, 3, 4.5), 0);
    expect_as(DPC_MISSING_ROWS, "x\n1\n\n2\n", "x", 2, 1, VALUES(1, 2), 1);
    outcome o = read_text("a,b\n1,2\n,3\n5,n/a\n", DPC_MISSING_ROWS);
    assert_true(has_finding(&o, DPC_WARNING, "2 of 3 rows were dropped"));
    clear(&o);
    expect_error(DPC_MISSING_ROWS, "a,b\n1,\n,3\n", 1, "every row has a missing cell");
    /* text is not missing, and an infinite cell in a dropped row is still told */
    expect_error(DPC_MISSING_ROWS, "a,b\n1,x\n,3\n", 1, "not numeric");
    expect_error(DPC_MISSING_ROWS, "a,b\n1,2\n,inf\n", 1, "infinite");
}

static void test_infinite(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2\n3,-Inf\n1e999,1\n", 1,
                 "2 infinite cells, the first '-Inf' in column 'b' on line 3");
    expect_error(DPC_MISSING_ERROR, "a,b\nr1,1,\"1e400\"\n", 1,
                 "1 infinite cell, the first '1e400' in column 'b' on line 2");
}

static void test_one_report(void **state)
{
    (void)state;
    outcome o = read_text("a,b,c,d\n1,x,,inf\n1,2,3\n1,2,3,4\n", DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_BAD_INPUT);
    assert_int_equal(o.audit.errors, 4);
    clear(&o);
    /* findings are added to those an audit has, and the first new error is the message */
    dpc_audit audit = {0};
    dpc_table *table = NULL;
    dpc_error err;
    char path[256];
    make_path(path);
    write_file(path, "a\nx\n", 4);
    dpc_table_read(path, DPC_MISSING_ERROR, NULL, &audit, &table, &err);
    write_file(path, "a\ninf\n", 6);
    dpc_table_read(path, DPC_MISSING_ERROR, NULL, &audit, &table, &err);
    assert_int_equal(audit.errors, 2);
    assert_non_null(strstr(err.message, "infinite"));
    write_file(path, "a\n1\n", 4);
    assert_int_equal(dpc_table_read(path, DPC_MISSING_ERROR, NULL, &audit, &table, &err), DPC_OK);
    dpc_table_free(table);
    dpc_audit_clear(&audit);
    unlink(path);
}

static void test_no_table(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,b\n", 1, "there are no rows below the header");
    expect_error(DPC_MISSING_ERROR, "a,b", 1, "there are no rows below the header");
    expect_error(DPC_MISSING_ERROR, "\n\n  \n", 1, "only blank lines");
    expect_error(DPC_MISSING_ERROR, "\xef\xbb\xbf", 1, "only blank lines");
    static const char nul[] = "a,b\n1,2\n1,\0"
                              "2\n",
                      utf16[] = "\xff\xfe"
                                "a\0,\0b\0\n\0";
    outcome o = read_bytes(nul, sizeof nul - 1, DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_BAD_INPUT);
    assert_true(has_finding(&o, DPC_ERROR, "line 3 has a NUL byte: the file looks binary"));
    clear(&o);
    o = read_bytes(utf16, sizeof utf16 - 1, DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_ERROR, "the file is UTF-16; save it as UTF-8"));
    clear(&o);
}

/* ---- Matrices ---- */

static void test_matrix(void **state)
{
    (void)state;
    const double *r = VALUES(1, 0.5, 0.5, 1);
    expect_as(MATRIX, "a,b\n1,0.5\n0.5,1\n", "a|b", 2, 2, r, 0);
    expect_as(MATRIX, ",a,b\na,1,0.5\nb,0.5,1\n", "a|b", 2, 2, r, 0);
    expect_as(MATRIX, "\"a\" \"b\"\n\"a\" 1 0.5\n\"b\" 0.5 1\n", "a|b", 2, 2, r, 0);
    expect_as(MATRIX, "v,a,b\na,1,0.5\nb,0.5,1\n", "a|b", 2, 2, r, 1);
    expect_as(MATRIX, "1,0.5\n0.5,1\n", "V1|V2", 2, 2, r, 0);
    expect_as(MATRIX, "1 0.5\n0.5 1\n", "V1|V2", 2, 2, r, 0);
    expect_as(MATRIX, "4", "V1", 1, 1, VALUES(4), 0);
    expect_as(MATRIX, "1,2\n1,0.5\n0.5,1\n", "1|2", 2, 2, r, 1);
    expect_error(MATRIX, "a,b\n1,0.5\n0.5,1\n0,0\n", 1, "the matrix has 3 rows and 2 columns");
    expect_error(MATRIX, ",a,b\na,1,0.5\n", 1, "the matrix has 1 row and 2 columns");
    expect_error(MATRIX, "1,0.5,0\n0.5,1\n0,0,1\n", 1, "line 2 has 2 fields, the first line has 3");
    expect_error(MATRIX, "a,b\n1,\n0.5,1\n", 1, "a matrix needs every cell");
    expect_error(MATRIX, "a,b\n1,inf\n0.5,1\n", 1, "infinite");
    expect_error(MATRIX, "1,0.5\nx,1\n", 1, "column 1 is not numeric");
}

/* ---- Ways in ---- */

static void *gzip(const char *text, size_t size, size_t *packed_size)
{
    char path[256];
    make_path(path);
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)size), (int)size);
    assert_int_equal(gzclose(file), Z_OK);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *bytes = malloc(size + 1024);
    *packed_size = fread(bytes, 1, size + 1024, in);
    fclose(in);
    unlink(path);
    return bytes;
}

static void test_gzip(void **state)
{
    (void)state;
    size_t head, tail;
    char *first = gzip("a,b\n1,2\n3,", 10, &head), *second = gzip("4.5\n", 4, &tail);
    char *both = malloc(head + tail + 16);
    memcpy(both, first, head);
    memcpy(both + head, second, tail);
    memset(both + head + tail, 0, 16);
    const size_t sizes[] = {head + tail, head + tail + 16};
    for (int i = 0; i < 2; i++) { /* two members, then with padding */
        outcome o = read_bytes(both, sizes[i], DPC_MISSING_ERROR);
        assert_int_equal(o.status, DPC_OK);
        assert_int_equal(o.table->n_obs, 2);
        assert_true(o.table->values[3] == 4.5);
        clear(&o);
    }
    for (size_t size = 2; size < head; size++) {
        outcome o = read_bytes(first, size, DPC_MISSING_ERROR);
        assert_int_equal(o.status, DPC_BAD_INPUT);
        assert_non_null(strstr(o.err.message, "gzip data end too soon"));
        clear(&o);
    }
    both[head + tail] = 'x';
    outcome o = read_bytes(both, head + tail + 1, DPC_MISSING_ERROR);
    assert_non_null(strstr(o.err.message, "other bytes after its gzip data"));
    clear(&o);
    first[head - 6] ^= 1; /* the checksum */
    o = read_bytes(first, head, DPC_MISSING_ERROR);
    assert_non_null(strstr(o.err.message, "gzip data are corrupt"));
    clear(&o);
    free(first);
    first = gzip("", 0, &head);
    o = read_bytes(first, head, DPC_MISSING_ERROR);
    assert_non_null(strstr(o.err.message, "is empty"));
    clear(&o);
    free(first);
    free(second);
    free(both);
}

static void expect_unreadable(const char *path, const char *part)
{
    dpc_error err = {0};
    dpc_audit audit = {0};
    dpc_table *table = NULL;
    assert_int_equal(dpc_table_read(path, DPC_MISSING_ERROR, NULL, &audit, &table, &err),
                     DPC_BAD_INPUT);
    assert_null(table);
    assert_int_equal(strncmp(err.message, path, strlen(path)), 0);
    if (strstr(err.message, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, err.message);
    /* the error may be NULL too */
    assert_int_equal(dpc_table_read(path, DPC_MISSING_ERROR, NULL, NULL, &table, NULL),
                     DPC_BAD_INPUT);
    dpc_audit_clear(&audit);
}

static void test_unreadable(void **state)
{
    (void)state;
    char path[256];
    make_path(path);
    expect_unreadable(path, "is empty");
    uid_t me = geteuid();
    chmod(path, 0);
    if (me == 0) /* root may read everything */
        assert_int_equal(seteuid(65534), 0);
    expect_unreadable(path, "no permission");
    assert_int_equal(seteuid(me), 0);
    unlink(path);
    expect_unreadable(path, "no such file");
    expect_unreadable("/", "is a folder");
}

typedef struct caller {
    int calls, stop_at;
    double last;
} caller;

static int on_progress(const dpc_progress *progress, void *user)
{
    caller *c = user;
    assert_int_equal(progress->stage, DPC_STAGE_READ);
    assert_true(progress->fraction >= c->last && progress->fraction <= 1);
    c->last = progress->fraction;
    return ++c->calls == c->stop_at;
}

static dpc_status read_with(const char *path, caller *c, dpc_table **table)
{
    /* one thread: with more, how often the caller's is free to ask is a matter of luck */
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.progress = on_progress;
    settings.progress_user = c;
    settings.threads = 1;
    dpc_error err = {0};
    dpc_status status = dpc_table_read(path, DPC_MISSING_ERROR, &settings, NULL, table, &err);
    assert_int_equal(err.code, status);
    return status;
}

/* Reads "-" with the reading end of a pipe in the place of standard input. */
static dpc_status read_pipe(const char *text, size_t size, bool closed, caller *c,
                            dpc_table **table)
{
    int ends[2], saved = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, size), (ssize_t)size);
    if (closed)
        close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    alarm(60); /* a wait that does not end must not hang the tests */
    dpc_status status = read_with("-", c, table);
    alarm(0);
    if (saved >= 0)
        dup2(saved, STDIN_FILENO);
    close(saved);
    close(ends[0]);
    if (!closed)
        close(ends[1]);
    return status;
}

static void test_standard_input(void **state)
{
    (void)state;
    dpc_table *table = NULL;
    assert_int_equal(read_pipe("a,b\n1,2\n", 8, true, &(caller){0}, &table), DPC_OK);
    assert_int_equal(table->n_vars, 2);
    dpc_table_free(table);
    table = NULL;
    size_t size;
    char *packed = gzip("a,b\n1,2\n", 8, &size);
    assert_int_equal(read_pipe(packed, size, true, &(caller){0}, &table), DPC_OK);
    assert_true(table->values[1] == 2);
    dpc_table_free(table);
    free(packed);
    /* nothing more comes, and the pipe stays open: the caller can still stop */
    table = NULL;
    assert_int_equal(read_pipe("a,b\n1,", 6, false, &(caller){.stop_at = 5}, &table),
                     DPC_INTERRUPTED);
    assert_null(table);
}

/* ---- Size ---- */

static void test_wide(void **state)
{
    (void)state;
    enum { WIDE = 20000, ROWS = 5 };
    char *text = malloc(WIDE * (ROWS + 1) * 16), *p = text;
    for (int j = 0; j < WIDE; j++)
        p += sprintf(p, "%sgene%d", j > 0 ? "," : "", j);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDE; j++)
            p += sprintf(p, "%c%d.5", j > 0 ? ',' : '\n', (i + 1) * j);
    outcome o = read_bytes(text, (size_t)(p - text), DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_OK);
    assert_int_equal(o.table->n_vars, WIDE);
    assert_int_equal(o.table->n_obs, ROWS);
    assert_string_equal(o.table->names[WIDE - 1], "gene19999");
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDE; j++)
            assert_true(o.table->values[j * ROWS + i] == (i + 1) * j + 0.5);
    clear(&o);
    free(text);
}

/* Several chunks: rows find their place, and the caller can stop at every call. */
static void test_long(void **state)
{
    (void)state;
    enum { LONG = 300000 };
    char *text = malloc(LONG * 24), *p = text, path[256];
    p += sprintf(p, "x,y,z\r\n");
    for (int i = 0; i < LONG; i++)
        p += sprintf(p, i % 1000 == 0 ? "\"%d\",0.5,-%d\r\n" : "%d,0.5,-%d\r\n", i, i);
    make_path(path);
    write_file(path, text, (size_t)(p - text));
    caller patient = {0};
    dpc_table *table = NULL;
    assert_int_equal(read_with(path, &patient, &table), DPC_OK);
    assert_int_equal(table->n_obs, LONG);
    for (int i = 0; i < LONG; i++) {
        assert_true(table->values[i] == i);
        assert_true(table->values[2 * LONG + i] == -i);
    }
    dpc_table_free(table);
    assert_true(patient.calls > 15);
    for (int stop = 1; stop <= patient.calls; stop++) {
        dpc_table *none = NULL;
        assert_int_equal(read_with(path, &(caller){.stop_at = stop}, &none), DPC_INTERRUPTED);
        assert_null(none);
    }
    unlink(path);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_as_strtod),
        cmocka_unit_test(test_kinds_of_cells),
        cmocka_unit_test(test_locale_does_not_matter),
        cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_row_names),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_one_order),
        cmocka_unit_test(test_one_order_in_memory),
        cmocka_unit_test(test_constant_to_rounding),
        cmocka_unit_test(test_lost_digits),
        cmocka_unit_test(test_ragged),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_clipping),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_infinite),
        cmocka_unit_test(test_one_report),
        cmocka_unit_test(test_no_table),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_standard_input),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
