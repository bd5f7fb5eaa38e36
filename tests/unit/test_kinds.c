/*
 * The kinds of the variables of a table: set by a caller, made into blocks, kept by whoever copies
 * rows; and read from a file, with what is no category refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kinds.h"
#include "read.h"
#include "reading.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fine(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("status %d: %s", (int)status, err->message);
}

static void refused(dpc_status status, const dpc_error *err, const char *part)
{
    assert_int_equal(status, DPC_USAGE);
    if (strstr(err->message, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, err->message);
}

/* Columns a, b, … of so many rows. */
static dpc_table *table_of(const double *columns, int64_t n_obs, int n_vars)
{
    static const char *const NAMES[] = {"a", "b", "c", "d", "e"};
    dpc_table *table = NULL;
    dpc_error err = {0};
    fine(dpc_table_new(n_obs, n_vars, NAMES, &table, &err), &err);
    memcpy(dpc_table_about(table).values, columns,
           (size_t)n_obs * (size_t)n_vars * sizeof *columns);
    return table;
}

static void expect_values(const dpc_table *table, int variable, const double *expected)
{
    const dpc_cells cells = dpc_table_cells(table);
    for (int64_t i = 0; i < table->n_obs; i++) {
        double x = dpc_value_at(&cells, i, variable);
        if (isnan(expected[i]) ? !isnan(x) : x != expected[i])
            fail_msg("row %d: %g, not %g", (int)i, x, expected[i]);
    }
}

/* "F 2, M 3": the levels and how many rows have them. */
static void expect_levels(const dpc_table *table, int variable, dpc_variable_kind kind,
                          const char *expected)
{
    char text[512] = "";
    const dpc_variable_info info = dpc_table_variable(table, variable);
    assert_int_equal(info.kind, kind);
    for (int i = 0; i < info.n_levels; i++)
        sprintf(text + strlen(text), "%s%s %d", i > 0 ? ", " : "", info.levels[i],
                (int)info.counts[i]);
    assert_string_equal(text, expected);
}

/* ---- The interface ---- */

static void test_set_kind(void **state)
{
    (void)state;
    static const char *const sexes[] = {"F", "M"};
    dpc_error err = {0};
    dpc_table *t = table_of(
        (double[]){0, 1, 1, NAN, 0, 1, /**/ 7, -1, 7, 2.5, 7, -1, /**/ 1, 2, 3, 4, 5, 6}, 6, 3);
    assert_int_equal(dpc_table_variable(t, 0).kind, DPC_NUMBER);
    assert_int_equal(dpc_table_variable(t, 0).n_columns, 1);
    fine(dpc_table_set_kind(t, 0, DPC_NOMINAL, 2, sexes, &err), &err);
    expect_levels(t, 0, DPC_NOMINAL, "F 2, M 3");
    /* an ordered variable keeps its values, a nominal one has the numbers of its levels */
    fine(dpc_table_set_kind(t, 1, DPC_ORDERED, 0, NULL, &err), &err);
    expect_levels(t, 1, DPC_ORDERED, "-1 2, 2.5 1, 7 3");
    expect_values(t, 1, (double[]){7, -1, 7, 2.5, 7, -1});
    fine(dpc_table_set_kind(t, 1, DPC_NOMINAL, 0, NULL, &err), &err);
    expect_levels(t, 1, DPC_NOMINAL, "-1 2, 2.5 1, 7 3");
    expect_values(t, 1, (double[]){2, 0, 2, 1, 2, 0});
    assert_int_equal(dpc_width_of(t, 1), 2);
    assert_int_equal(dpc_width_of(t, 2), 1);
    dpc_kind_counts counts = dpc_kinds_of(t);
    assert_int_equal(counts.variables[DPC_NOMINAL], 2);
    assert_int_equal(counts.columns[DPC_NOMINAL], 3);
    assert_int_equal(counts.variables[DPC_NUMBER], 1);
    /* levels without a name, one without a row */
    fine(dpc_table_set_kind(t, 1, DPC_ORDERED, 4, NULL, &err), &err);
    expect_levels(t, 1, DPC_ORDERED, "0 2, 1 1, 2 3, 3 0");
    fine(dpc_table_set_kind(t, 2, DPC_ZERO, 0, NULL, &err), &err);
    assert_int_equal(dpc_table_variable(t, 2).kind, DPC_ZERO);
    /* all numbers again: nothing is left */
    for (int v = 0; v < 3; v++)
        fine(dpc_table_set_kind(t, v, DPC_NUMBER, 0, NULL, &err), &err);
    assert_null(t->variable);
    dpc_table_free(t);
}

static void test_set_kind_refuses(void **state)
{
    (void)state;
    static const char *const hole[] = {"x", NULL};
    dpc_error err = {0};
    dpc_table *t =
        table_of((double[]){0, 1, 2, 1, /**/ 5, 5, 5, NAN, /**/ 1, INFINITY, 2, 3}, 4, 3);
    refused(dpc_table_set_kind(t, 3, DPC_NOMINAL, 0, NULL, &err), &err, "number 3");
    refused(dpc_table_set_kind(t, -1, DPC_NOMINAL, 0, NULL, &err), &err, "number -1");
    refused(dpc_table_set_kind(t, 0, DPC_BLOCK, 0, NULL, &err), &err, "dpc_table_join");
    refused(dpc_table_set_kind(t, 0, (dpc_variable_kind)9, 0, NULL, &err), &err, "no kind");
    refused(dpc_table_set_kind(t, 0, DPC_NUMBER, 3, NULL, &err), &err, "'a' cannot have 3 levels");
    refused(dpc_table_set_kind(t, 0, DPC_NOMINAL, -3, NULL, &err), &err, "-3 levels");
    refused(dpc_table_set_kind(t, 0, DPC_NOMINAL, 2, NULL, &err), &err,
            "variable 'a' has 2 in row 3; its cells must be the numbers of its levels, 0 to 1");
    refused(dpc_table_set_kind(t, 0, DPC_NOMINAL, 1, NULL, &err), &err, "only one level");
    refused(dpc_table_set_kind(t, 1, DPC_NOMINAL, 0, NULL, &err), &err, "'b' has only one level");
    refused(dpc_table_set_kind(t, 2, DPC_ORDERED, 0, NULL, &err), &err, "'c' has an infinite");
    refused(dpc_table_set_kind(t, 0, DPC_NOMINAL, 2, hole, &err), &err, "level 1 of variable 'a'");
    assert_null(t->variable); /* what fails leaves nothing */
    dpc_table_drop_values(t);
    refused(dpc_table_set_kind(t, 0, DPC_NOMINAL, 0, NULL, &err), &err, "dropped");
    dpc_table_free(t);
}

/* A view is not written to: it becomes a copy where its cells are no codes. */
static void test_views(void **state)
{
    (void)state;
    const float rows[] = {0, 5, /**/ 1, 6, /**/ 1, 5, /**/ 0, 9};
    dpc_error err = {0};
    dpc_table *t = NULL;
    fine(dpc_table_view(rows, DPC_FLOAT, 4, 2, 2, 1, NULL, &t, &err), &err);
    fine(dpc_table_set_kind(t, 0, DPC_NOMINAL, 0, NULL, &err), &err);
    assert_null(dpc_table_about(t).values);
    expect_levels(t, 0, DPC_NOMINAL, "0 2, 1 2");
    fine(dpc_table_set_kind(t, 1, DPC_NOMINAL, 0, NULL, &err), &err);
    assert_non_null(dpc_table_about(t).values);
    expect_levels(t, 1, DPC_NOMINAL, "5 2, 6 1, 9 1");
    expect_values(t, 0, (double[]){0, 1, 1, 0});
    expect_values(t, 1, (double[]){0, 1, 0, 2});
    assert_true(rows[1] == 5);
    dpc_table_free(t);
}

static void test_join(void **state)
{
    (void)state;
    dpc_error err = {0};
    dpc_table *t = table_of((double[]){1, 2, /**/ 3, 4, /**/ 5, 6, /**/ 7, 8, /**/ 0, 1}, 2, 5);
    fine(dpc_table_set_kind(t, 4, DPC_NOMINAL, 0, NULL, &err), &err);
    fine(dpc_table_join(t, "pose", (int32_t[]){3, 1}, 2, &err), &err);
    assert_int_equal(dpc_table_about(t).n_vars, 4);
    const char *const *names = dpc_table_about(t).names;
    assert_string_equal(names[0], "a");
    assert_string_equal(names[1], "pose"); /* in the place of the leftmost */
    assert_string_equal(names[2], "c");
    assert_string_equal(names[3], "e");
    expect_values(t, 0, (double[]){1, 2});
    expect_values(t, 1, (double[]){7, 8}); /* in the order given */
    expect_values(t, 2, (double[]){5, 6});
    expect_values(t, 3, (double[]){0, 1});
    const dpc_variable_info info = dpc_table_variable(t, 1);
    assert_int_equal(info.kind, DPC_BLOCK);
    assert_int_equal(info.n_columns, 2);
    assert_string_equal(info.columns[0], "d");
    assert_string_equal(info.columns[1], "b");
    assert_true(t->variable[1].more[0] == 3 && t->variable[1].more[1] == 4);
    assert_int_equal(dpc_width_of(t, 1), 2);
    assert_int_equal(dpc_kind_of(t, 3), DPC_NOMINAL);

    refused(dpc_table_join(t, "q", (int32_t[]){0, 3}, 2, &err), &err,
            "'e' of block 'q' is of kind");
    refused(dpc_table_join(t, "q", (int32_t[]){0, 1}, 2, &err), &err, "of kind block");
    refused(dpc_table_join(t, "q", (int32_t[]){0, 0}, 2, &err), &err, "'a' is in block 'q' twice");
    refused(dpc_table_join(t, "q", (int32_t[]){0, 4}, 2, &err), &err, "number 4");
    refused(dpc_table_join(t, "q", (int32_t[]){0}, 1, &err), &err, "at least two");
    refused(dpc_table_join(t, "", (int32_t[]){0, 2}, 2, &err), &err, "needs a name");
    refused(dpc_table_set_kind(t, 1, DPC_NUMBER, 0, NULL, &err), &err, "is a block of columns");
    dpc_table_drop_values(t);
    assert_null(t->variable[1].more);
    assert_string_equal(dpc_table_variable(t, 1).columns[1], "b");
    dpc_table_free(t);
}

/* Rows that are chosen, some of them several times. */
static void test_gather(void **state)
{
    (void)state;
    dpc_error err = {0};
    dpc_table *t = table_of((double[]){0, 1, 2, 1, /**/ 1, 2, 3, 4, /**/ 5, 6, 7, 8}, 4, 3), *u;
    fine(dpc_table_set_kind(t, 0, DPC_NOMINAL, 0, NULL, &err), &err);
    fine(dpc_table_join(t, "xy", (int32_t[]){1, 2}, 2, &err), &err);
    fine(dpc_table_make(3, 2, dpc_table_about(t).names, &u, &err), &err);
    const int32_t row[] = {1, 3}, times[] = {0, 2, 0, 1};
    memcpy(u->values, (double[]){1, 1, 1, 2, 2, 4}, 6 * sizeof(double));
    fine(dpc_kinds_copy(t, u, &err), &err);
    dpc_kinds_gather(t, row, 2, times, u);
    expect_levels(u, 0, DPC_NOMINAL, "0 0, 1 3, 2 0");
    const double expected[] = {6, 6, 8};
    assert_memory_equal(u->variable[1].more, expected, sizeof expected);
    assert_string_equal(dpc_table_variable(u, 1).columns[0], "b");
    dpc_table_free(u);
    dpc_table_free(t);
}

static void test_check(void **state)
{
    (void)state;
    dpc_error err = {0};
    dpc_settings settings;
    dpc_settings_default(&settings);
    dpc_table *t = table_of((double[]){0, 1, 2, NAN, /**/ 1, 2, 3, 4, /**/ 0, 1, 0, 1}, 4, 3);
    fine(dpc_table_set_kind(t, 2, DPC_NOMINAL, 0, NULL, &err), &err);
    settings.normalize = DPC_NORMALIZE_COPULA;
    fine(dpc_kinds_check(t, &settings, &err), &err); /* two levels have an order */
    fine(dpc_table_set_kind(t, 0, DPC_NOMINAL, 0, NULL, &err), &err);
    refused(dpc_kinds_check(t, &settings, &err), &err, "column 'a' is nominal with 3 levels");
    settings.normalize = DPC_NORMALIZE_NONE;
    fine(dpc_kinds_check(t, &settings, &err), &err);
    fine(dpc_table_set_missing(t, DPC_MISSING_EM, &err), &err);
    assert_int_equal(dpc_kinds_check(t, &settings, &err), DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "column 'a' is nominal and has missing cells"));
    assert_non_null(strstr(err.message, "--missing rows"));
    dpc_table_free(t);
}

/* ---- Reading ---- */

static void expect_read(const dpc_read_options *options, const char *text, int column,
                        dpc_variable_kind kind, const char *levels)
{
    outcome o = read_table_with(text, strlen(text), options);
    if (o.status != DPC_OK)
        fail_msg("%s", o.err.message);
    expect_levels(o.table, column, kind, levels);
    clear_outcome(&o);
}

static void expect_found(const dpc_read_options *options, const char *text, dpc_severity severity,
                         const char *part)
{
    outcome o = read_table_with(text, strlen(text), options);
    assert_int_equal(o.status, severity == DPC_ERROR ? DPC_BAD_INPUT : DPC_OK);
    if (!has_finding(&o, severity, part))
        fail_msg("no finding says '%s'", part);
    clear_outcome(&o);
}

static const char SEXES[] = "x,sex,y\n1,M,2\n2,F,9\n3,M,4\n4,F,1\n5,NA,2\n6,M,7\n";

static void test_text(void **state)
{
    (void)state;
    expect_read(OPTIONS(.missing = DPC_MISSING_ROWS), SEXES, 1, DPC_NOMINAL, "F 2, M 3");
    expect_read(OPTIONS(LISTS(na, "none")), SEXES, 1, DPC_NOMINAL, "F 2, M 3, NA 1");
    expect_found(OPTIONS(.missing = DPC_MISSING_ERROR), SEXES, DPC_ERROR,
                 "1 missing cell, the first in column 'sex' on line 6; use --missing rows");
    expect_found(OPTIONS(.missing = DPC_MISSING_EM), SEXES, DPC_ERROR,
                 "column 'sex' is nominal and has 1 missing cell, which --missing em cannot "
                 "estimate; use --missing rows");
    expect_found(OPTIONS(.missing = DPC_MISSING_ROWS), SEXES, DPC_WARNING,
                 "column 'sex' has 2 levels seen fewer than 5 times: 'F' 2, 'M' 3");
    /* numbers among the levels, in their order where all are numbers */
    expect_read(OPTIONS(.no_header = false), "x,n\n1,10\n2,2\n3,x\n4,2\n5,10\n6,x\n7,2\n8,10\n", 1,
                DPC_NOMINAL, "10 3, 2 3, x 2");
    expect_read(OPTIONS(LISTS(types, "n=nominal")), "x,n\n1,10\n2,2\n3,2\n4,-1\n", 1, DPC_NOMINAL,
                "-1 1, 2 2, 10 1");
    /* quotes, blanks, Latin-1 */
    expect_read(OPTIONS(.no_header = false),
                "x,n\n1,\" a\"\n2,\"say \"\"b\"\"\"\n3,a \n4,\"say \"\"b\"\"\"\n5,gr\xfcn\n", 1,
                DPC_NOMINAL, "a 2, grün 1, say \"b\" 2");
    expect_read(OPTIONS(.transpose = true, .no_header = true), "x,1,2,3,4\ns,b,a,b,a\n", 1,
                DPC_NOMINAL, "a 2, b 2");
    /* a constant is told as one of numbers is */
    expect_read(OPTIONS(.no_header = false), "x,s\n1,a\n2,a\n3,a\n4,a\n", 1, DPC_NUMBER, "");
    /* … also where only the rows that stay are alike */
    expect_read(OPTIONS(.missing = DPC_MISSING_ROWS), "x,s\n1,a\n,b\n3,a\n4,a\n,b\n", 1, DPC_NUMBER,
                "");
}

static void test_no_categories(void **state)
{
    (void)state;
    char text[8192], *p = text;
    const dpc_read_options *plain = OPTIONS(.no_header = false);
    expect_found(plain, "x,d\n1,2024-01-01\n2,2024-01-02\n3,2024-01-01\n4,2024-01-03\n", DPC_ERROR,
                 "column 'd' holds dates or times, the first '2024-01-01' on line 2");
    expect_read(OPTIONS(LISTS(types, "d=nominal")), "x,d\n1,12:30\n2,12:31\n3,12:30\n4,12:31\n", 1,
                DPC_NOMINAL, "12:30 2, 12:31 2");
    /* N = 12, one text among numbers */
    expect_found(plain, "x\n1\n2\n3\n4\n5\nlow\n7\n8\n9\n10\n11\n12\n", DPC_ERROR,
                 "column 'x' is not numeric: 1 cell, 'low' on line 7");
    /* measurements with a word for small ones */
    expect_found(plain, "x\n1.2\nnd\n2.3\nnd\n3.4\n4.1\n5.6\nnd\n", DPC_ERROR,
                 "column 'x' is not numeric: 3 cells, the first 'nd' on line 3");
    expect_found(plain, "x,who\n1,Ann\n2,Bob\n3,Cy\n4,Di\n", DPC_ERROR, "looks like a name");
    /* 60 levels: too many for 120 rows, not for 600 */
    for (int rows = 120; rows <= 600; rows += 480) {
        p = text + sprintf(text, "x,g\n");
        for (int i = 0; i < rows; i++)
            p += sprintf(p, "%d,g%d\n", i * 7 % 13, i % 60);
        if (rows == 120)
            expect_found(plain, text, DPC_ERROR,
                         "column 'g' has more than 50 different texts in 120 rows");
    }
    outcome o = read_table_text(text, DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_OK);
    assert_int_equal(dpc_table_variable(o.table, 1).n_levels, 60);
    clear_outcome(&o);
}

static void test_types(void **state)
{
    (void)state;
    static const char text[] = "q1,q2,g,x\n1,3,low,.5\n2,1,high,1.5\n3,2,mid,0\n1,1,low,0\n2,3,mid,"
                               "2.5\n3,2,high,0\n";
    const dpc_read_options *o = OPTIONS(LISTS(types, "q*=nominal,q2=ordered", "4=zero,g=ordered"));
    expect_read(o, text, 0, DPC_NOMINAL, "1 2, 2 2, 3 2");
    expect_read(o, text, 1, DPC_ORDERED, "1 2, 2 2, 3 2");
    expect_read(o, text, 2, DPC_ORDERED, "high 2, low 2, mid 2");
    expect_read(o, text, 3, DPC_ZERO, "");
    expect_found(o, text, DPC_WARNING,
                 "ordered column 'g' are text and were ordered alphabetically: 'high' < 'low' < "
                 "'mid'");
    expect_found(OPTIONS(LISTS(types, "g=number")), text, DPC_ERROR, "column 'g' is not numeric");
    expect_read(OPTIONS(.drop_text = true, LISTS(types, "g=nominal")), text, 2, DPC_NOMINAL,
                "high 2, low 2, mid 2");
    expect_refusal(OPTIONS(LISTS(types, "g=nomnal")), text, DPC_USAGE,
                   "there is no kind 'nomnal' for column 'g'; did you mean 'nominal'?");
    expect_refusal(OPTIONS(LISTS(types, "g=text")), text, DPC_USAGE,
                   "the kinds are number, ordered, nominal, zero and block(a,b,c)");
    expect_refusal(OPTIONS(LISTS(types, "q=nominal")), text, DPC_USAGE,
                   "has no column 'q' to set the type of");
    expect_refusal(OPTIONS(LISTS(types, "q1=nominal,g")), text, DPC_USAGE, "'g' has no kind");
}

static void test_codes(void **state)
{
    (void)state;
    static const char text[] =
        "x,o,b\n.1,1,0\n.2,2,1\n.4,3,1\n.3,1,0\n.7,2,1\n.6,3,0\n.1,1,1\n.2,2,"
        "0\n.8,3,1\n";
    expect_found(OPTIONS(.no_header = false), text, DPC_WARNING,
                 "column 'o' has 3 distinct values. If they are codes of categories, use --types "
                 "o=nominal");
    expect_read(OPTIONS(.no_header = false), text, 1, DPC_NUMBER, "");
    expect_read(OPTIONS(.max_levels = 2), text, 1, DPC_NUMBER, "");
    expect_read(OPTIONS(.max_levels = 2), text, 2, DPC_NOMINAL, "0 4, 1 5");
    expect_read(OPTIONS(.max_levels = 50), text, 1, DPC_NOMINAL, "1 3, 2 3, 3 3");
    expect_read(OPTIONS(.max_levels = 50), text, 0, DPC_NUMBER, "");
    expect_read(OPTIONS(.max_levels = 3, LISTS(types, "o=number")), text, 1, DPC_NUMBER, "");
    outcome o = read_table_with(text, strlen(text), OPTIONS(LISTS(types, "o=number")));
    assert_int_equal(o.audit.count, 0); /* who has said so is not asked */
    clear_outcome(&o);
}

static void test_merge_rare(void **state)
{
    (void)state;
    static const char text[] = "x,c\n1,a\n2,b\n3,a\n4,c\n5,a\n6,d\n7,b\n8,a\n9,other\n";
    expect_read(OPTIONS(.merge_rare = 2), text, 1, DPC_NOMINAL, "a 4, b 2, other 3");
    expect_read(OPTIONS(.merge_rare = 3), text, 1, DPC_NOMINAL, "a 4, other 5");
    expect_found(OPTIONS(.merge_rare = 2), text, DPC_WARNING,
                 "column 'c': 3 levels seen fewer than 2 times were merged into 'other': 'c' 1, "
                 "'d' 1, 'other' 1");
    /* an identifier does not become a category */
    expect_found(OPTIONS(.merge_rare = 2), "x,i\n1,a\n2,b\n3,c\n4,d\n", DPC_ERROR, "identifier");
}

static void test_blocks(void **state)
{
    (void)state;
    static const char text[] = "a,x,b,y,z\n1,2,3,4,5\n2,3,4,5,9\n5,4,3,2,1\n7,1,8,2,8\n";
    outcome o =
        read_table_with(text, strlen(text), OPTIONS(LISTS(types, "p=block(y,x),b=block(b,z)")));
    assert_int_equal(o.status, DPC_OK);
    assert_int_equal(o.table->n_vars, 3);
    assert_string_equal(o.table->names[1], "p");
    assert_string_equal(o.table->names[2], "b");
    expect_values(o.table, 1, (double[]){4, 5, 2, 2});
    expect_values(o.table, 2, (double[]){3, 4, 3, 8});
    assert_true(o.table->variable[1].more[3] == 1 && o.table->variable[2].more[1] == 9);
    clear_outcome(&o);
    static const char *const wrong[][2] = {
        {"p=block(x)", "block 'p' needs at least two columns"},
        {"p=block(x,w)", "has no column 'w' to put into a block"},
        {"p=block(x,y", "block 'p' has no ) at its end"},
        {"a=block(x,y)", "block 'a' has the name of a column"},
        {"p=block(x,y),q=block(y,z)", "block 'q' has a column that is in a block already: 'y'"},
        {"p=block(x,y),p=block(a,z)", "block 'p' is defined twice"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refusal(OPTIONS(LISTS(types, wrong[i][0])), text, DPC_USAGE, wrong[i][1]);
}

static void test_dates(void **state)
{
    (void)state;
    static const char *const dates[] = {"2024-01-31",
                                        "31.1.2024",
                                        "1/31/24",
                                        "31-Jan-2024",
                                        "12:30",
                                        "12:30:05",
                                        "2024-01-31T12:30:00Z",
                                        "2024/01/31",
                                        "31 March 24",
                                        "2024-01-31 23:59:59.123"};
    static const char *const others[] = {"1.2.3", "12-34-56", "2024",        "Jan",
                                         "a",     "",         "192.168.1.1", "1-2-3",
                                         "12:3",  "10-12",    "3/4",         "2024-13x"};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        if (!dpc_looks_like_date(dates[i]))
            fail_msg("'%s' is a date", dates[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (dpc_looks_like_date(others[i]))
            fail_msg("'%s' is no date", others[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_kind),   cmocka_unit_test(test_set_kind_refuses),
        cmocka_unit_test(test_views),      cmocka_unit_test(test_join),
        cmocka_unit_test(test_gather),     cmocka_unit_test(test_check),
        cmocka_unit_test(test_text),       cmocka_unit_test(test_no_categories),
        cmocka_unit_test(test_types),      cmocka_unit_test(test_codes),
        cmocka_unit_test(test_merge_rare), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_dates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
