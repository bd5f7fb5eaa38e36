/* The ways in which tables come: dpc_read_options, and what is understood without them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encoding.h"
#include "reading.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_told(const char *text, const char *part)
{
    outcome o = read_table_text(text, DPC_MISSING_ROWS);
    assert_int_equal(o.status, DPC_OK);
    assert_true(has_finding(&o, DPC_WARNING, part));
    clear_outcome(&o);
}

/* ---- Missing values ---- */

static void test_words(void **state)
{
    (void)state;
    static const char *const usual[] = {"NA",   "na",   "N/A",    "n/a",  ".",    "?",
                                        "*",    "",     "NaN",    "null", "NULL", "None",
                                        "none", "#N/A", "\"NA\"", " ? "};
    char text[128];
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        snprintf(text, sizeof text, "a,b\n1,2\n3,%s\n5,6\n", usual[i]);
        expect_as(DPC_MISSING_ROWS, text, "a|b", 2, 2, VALUES(1, 2, 5, 6), 2);
    }
    /* a column that has other text is text, and its words are not counted */
    expect_error(DPC_MISSING_ERROR, "a,b\n1,None\n2,some\n3,4\n", 1,
                 "column 'b' is not numeric: 1 cell, 'some' on line 3");
    expect_told("a,b\n1,2\n3,?\n?,6\n7,\n1,1\n",
                "missing cells: column 'a' 1 ('?'), column 'b' 2 (empty or '?')");
    /* names may be such words */
    expect_as(DPC_MISSING_ERROR, "NA,?,\".\"\n1,2,3\n", "NA|?|.", 1, 3, VALUES(1, 2, 3), 0);
}

static void test_own_words(void **state)
{
    (void)state;
    const char *text = "a,b\n1,2\n3,-9.0\n5,6\nx y,1\n7,8\n";
    expect_with(OPTIONS(.missing = DPC_MISSING_ROWS, LISTS(na, "-9, X Y")), text, "a|b", 3, 2,
                VALUES(1, 2, 5, 6, 7, 8), 2);
    expect_with(OPTIONS(.missing = DPC_MISSING_ROWS, LISTS(na, "-9", "x y")), text, "a|b", 3, 2,
                VALUES(1, 2, 5, 6, 7, 8), 2);
    expect_refusal(OPTIONS(.missing = DPC_MISSING_ROWS, LISTS(na, "-9")), "a,b\n1,NA\n2,3\n",
                   DPC_BAD_INPUT, "'NA' on line 2; if that is a missing value, name it in na");
    /* empty cells and NaN are missing whatever the list says */
    expect_with(OPTIONS(.missing = DPC_MISSING_ROWS, LISTS(na, "")), "a,b\n1,\n2,3\nnan,1\n", "a|b",
                1, 2, VALUES(2, 3), 2);
}

static void test_counts_of_missing_cells(void **state)
{
    (void)state;
    outcome o = read_table_text("r,a,b,c\nx,1,2,3\ny,,2,NA\nz,4,5,.\nv,1,1,1\n", DPC_MISSING_ROWS);
    assert_int_equal(o.status, DPC_OK);
    const int64_t *missing = dpc_table_about(o.table).missing;
    assert_non_null(missing);
    assert_int_equal(missing[0], 1);
    assert_int_equal(missing[1], 0);
    assert_int_equal(missing[2], 2);
    clear_outcome(&o);
    o = read_table_text("a,b\n1,2\n3,4\n", DPC_MISSING_ROWS);
    assert_null(dpc_table_about(o.table).missing);
    clear_outcome(&o);
}

/* ---- Comments, blank lines, header ---- */

static void test_comments(void **state)
{
    (void)state;
    const double *ab = VALUES(1, 2, 3, 4.5);
    expect_as(DPC_MISSING_ERROR, "# one\n#two, three\na,b\n1,2\n3,4.5\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "a,b\n# it's 5\" long\n1,2\n  # x\n3,4.5\n# end\n", "a|b", 2, 2,
              ab, 1);
    expect_as(DPC_MISSING_ERROR, "a,b\n1,2\n#7,8\n3,4.5\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "x\n# no\n1\n#2\n3\n", "x", 2, 1, VALUES(1, 3), 1);
    /* a header with # */
    expect_as(DPC_MISSING_ERROR, "# a,b\n1,2\n3,4.5\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "# prose\n# a b\n1 2\n3 4.5\n", "a|b", 2, 2, ab, 2);
    expect_as(DPC_MISSING_ERROR, "#a,b\n1,2\n3,4.5\n", "#a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "#,b\n1,2\n3,4.5\n", "#|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "#id\ta\tb\nr1\t1\t2\nr2\t3\t4.5\n", "a|b", 2, 2, ab, 2);
    /* not one: the line below is the header */
    expect_as(DPC_MISSING_ERROR, "# of x, y\na,b\n1,2\n3,4.5\n", "a|b", 2, 2, ab, 1);
    /* quotes make a name of it */
    expect_as(DPC_MISSING_ERROR, "\"#a\",b\n1,2\n3,4.5\n", "#a|b", 2, 2, ab, 0);
    /* rows whose names begin with #, as before */
    expect_as(DPC_MISSING_ERROR, "id,a,b\n#1,1,2\n#2,3,4.5\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "id,a,b\nx,1,2\n#y,3,4.5\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "#id,a,b\n#1,1,2\n#2,3,4.5\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ROWS, "a,b\n#N/A,1\n1,2\n3,4.5\n", "a|b", 2, 2, ab, 2);
    expect_error(DPC_MISSING_ERROR, "# nothing\n# else\n", 1, "only comments");
}

static void test_no_header(void **state)
{
    (void)state;
    expect_with(OPTIONS(.no_header = true), "1,2\n3,4.5\n", "V1|V2", 2, 2, VALUES(1, 2, 3, 4.5), 0);
    expect_with(OPTIONS(.no_header = true), "# c\n1 2\n3 4.5\n", "V1|V2", 2, 2,
                VALUES(1, 2, 3, 4.5), 1);
    expect_with(OPTIONS(.no_header = true), "r1;1,5;2\nr2;3;4,25\n", "V2|V3", 2, 2,
                VALUES(1.5, 2, 3, 4.25), 2);
    expect_with(OPTIONS(.no_header = true, LISTS(drop, "V2")), "1,x,2\n3,y,4.5\n", "V1|V3", 2, 2,
                VALUES(1, 2, 3, 4.5), 0);
    expect_with(OPTIONS(.no_header = true), "1,2,\n3,4.5,\n", "V1|V2", 2, 2, VALUES(1, 2, 3, 4.5),
                1);
    expect_refusal(OPTIONS(.no_header = true), "1,2\n3\n", DPC_BAD_INPUT,
                   "line 2 has 1 field, the first line has 2");
    expect_told("1,2\n3,4\n", "no_header (--no-header)");
    /* UCI's kind of file: a class behind the numbers */
    outcome o = read_table_text("5.1,3.5,setosa\n4.9,3.0,setosa\n", DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_OK);
    assert_true(has_finding(&o, DPC_WARNING, "no_header (--no-header)"));
    clear_outcome(&o);
    /* names that are years, and numbers that cannot be names */
    expect_as(DPC_MISSING_ERROR, "land,2001,2002\nx,1,2\ny,3,4.5\n", "2001|2002", 2, 2,
              VALUES(1, 2, 3, 4.5), 1);
    expect_as(DPC_MISSING_ERROR, "0,0\n1,2\n3,4\n", "V1|V2", 3, 2, VALUES(0, 0, 1, 2, 3, 4), 1);
}

static void test_transpose(void **state)
{
    (void)state;
    const dpc_read_options *turn = OPTIONS(.transpose = true);
    const double *x = VALUES(1, 4, 2.5, 5, 7, 6);
    expect_with(turn, "a,1,2.5,7\nb,4,5,6\n", "a|b", 3, 2, x, 0);
    expect_with(turn, "gene,s1,s2,s3\na,1,2.5,7\nb,4,5,6\n", "a|b", 3, 2, x, 1);
    expect_with(turn, ",1,2,3\na,1,2.5,7\nb,4,5,6\n", "a|b", 3, 2, x, 1);
    expect_with(turn, "s1 s2 s3\na 1 2.5 7\nb 4 5 6\n", "a|b", 3, 2, x, 1);
    expect_with(turn, "gene\t1\t2\t3\na\t1\t2.5\t7\nb\t4\t5\t6\n", "a|b", 3, 2, x, 1);
    expect_with(turn, "a,1,2.5,7,\nb,4,5,6,\n", "a|b", 3, 2, x, 1);
    expect_with(turn, "a;1;2,5;7\nb;4;5;6\n", "a|b", 3, 2, x, 1);
    expect_with(OPTIONS(.transpose = true, .no_header = true), "n,1,2,3\na,1,2.5,7\nb,4,5,6\n",
                "n|a|b", 3, 3, VALUES(1, 1, 4, 2, 2.5, 5, 3, 7, 6), 0);
    expect_with(OPTIONS(.transpose = true, LISTS(drop, "t*")), "a,1,2.5,7\nt1,x,y,z\nb,4,5,6\n",
                "a|b", 3, 2, x, 0);
    expect_with(OPTIONS(.transpose = true, LISTS(keep, "1,3")), "a,1,2.5,7\nt1,x,y,z\nb,4,5,6\n",
                "a|b", 3, 2, x, 0);
    expect_with(OPTIONS(.transpose = true, .missing = DPC_MISSING_ROWS),
                "a,1,NA,2.5,7\nb,4,1,5,6\n", "a|b", 3, 2, x, 2);
    expect_refusal(turn, "a,1,7\nb,4\n", DPC_BAD_INPUT,
                   "line 2 has 2 fields, the first line has 3");
    expect_refusal(turn, "a,1,7\nb,4,x\n", DPC_BAD_INPUT,
                   "column 'b' is not numeric: 1 cell, 'x' on line 2");
    expect_refusal(turn, "a,1,7\na,4,3\n", DPC_BAD_INPUT, "both named 'a'");
    expect_refusal(turn, "a\nb\n", DPC_BAD_INPUT, "nothing to transpose");
}

/* ---- Columns ---- */

static void test_columns(void **state)
{
    (void)state;
    const char *text = "a,b1,b2,\"c,d\",2\n1,2,3,4,5\n6,7,8,9,10\n";
    expect_with(OPTIONS(LISTS(keep, "a,b2")), text, "a|b2", 2, 2, VALUES(1, 3, 6, 8), 0);
    expect_with(OPTIONS(LISTS(keep, "b2", "a")), text, "a|b2", 2, 2, VALUES(1, 3, 6, 8), 0);
    expect_with(OPTIONS(LISTS(keep, "b*")), text, "b1|b2", 2, 2, VALUES(2, 3, 7, 8), 0);
    expect_with(OPTIONS(LISTS(keep, "1,3-4")), text, "a|b2|c,d", 2, 3, VALUES(1, 3, 4, 6, 8, 9), 0);
    /* a name goes before a number */
    expect_with(OPTIONS(LISTS(keep, "2")), text, "2", 2, 1, VALUES(5, 10), 0);
    expect_with(OPTIONS(LISTS(drop, "c,d"), LISTS(keep, "1-4")), text, "a|b1|b2", 2, 3,
                VALUES(1, 2, 3, 6, 7, 8), 0);
    expect_with(OPTIONS(LISTS(drop, "\"c,d\",b?, a")), text, "2", 2, 1, VALUES(5, 10), 0);
    /* what is left out may be anything, also where the row names would be */
    expect_with(OPTIONS(LISTS(drop, "day")), "day,a,b\nmo,1,2\nmo,3,4.5\n", "a|b", 2, 2,
                VALUES(1, 2, 3, 4.5), 0);
    expect_with(OPTIONS(LISTS(keep, "a,b")), "day,a,b\nmo,1,2\nmo,3,4.5\n", "a|b", 2, 2,
                VALUES(1, 2, 3, 4.5), 0);
    expect_with(OPTIONS(LISTS(drop, "2")), ",x,a,b\n1,NA,1,2\n2,q,3,4.5\n", "a|b", 2, 2,
                VALUES(1, 2, 3, 4.5), 1);
    expect_with(OPTIONS(LISTS(drop, "3")), "a,b,\n1,2,x\n3,4.5,y\n", "a|b", 2, 2,
                VALUES(1, 2, 3, 4.5), 0);
    expect_with(OPTIONS(.matrix = true, LISTS(drop, "b")),
                ",a,b,c\na,1,.5,.25\nb,.5,1,.125\n"
                "c,.25,.125,1\n",
                "a|c", 2, 2, VALUES(1, .25, .25, 1), 0);
    static const char *const wrong[] = {"d", "6", "0", "4-9", "3-2", "x*", "-1", "c,"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refusal(OPTIONS(LISTS(drop, wrong[i])), text, DPC_USAGE, "to drop");
    expect_refusal(OPTIONS(LISTS(keep, "b3")), text, DPC_USAGE,
                   "has no column 'b3' to keep; did you mean 'b1'?");
    expect_refusal(OPTIONS(LISTS(drop, "*")), text, DPC_USAGE, "no column left");
}

static void test_text_columns_are_listed(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,b,c,d\n1,x,2,y\n3,5,4,6\n", 3, "column 'b' is not numeric");
    outcome o = read_table_text("a,b,c,d\n1,x,2,y\n3,5,4,6\n", DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_ERROR, "to leave out all 2: drop = b,d (--drop b,d)"));
    clear_outcome(&o);
    o = read_table_text("a,b 1,c 2,d,e\n1,x,2,y,z\n3,7,x,8,1\n", DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_ERROR, "to leave out all 4: drop = 2-5 (--drop 2-5)"));
    clear_outcome(&o);
    expect_error(DPC_MISSING_ERROR, "a,b\n1,yes\n2,1\n", 1, "(--drop b)");
    expect_error(DPC_MISSING_ERROR, "a,b c\n1,yes\n2,1\n", 1, "(--drop 2)");
}

/* A column whose every cell is missing is left out, whatever missing cells do. */
static void test_empty_columns(void **state)
{
    (void)state;
    static const char *const text = "a,b,c\n1,?,2\n2,?,3\n3,.,4\n";
    static const int HOWS[] = {DPC_MISSING_ERROR, DPC_MISSING_ROWS, DPC_MISSING_PAIRWISE,
                               DPC_MISSING_EM};
    for (int i = 0; i < 4; i++) {
        expect_as(HOWS[i], text, "a|c", 3, 2, VALUES(1, 2, 2, 3, 3, 4), 1);
        outcome o = read_table_text(text, HOWS[i]);
        assert_true(has_finding(&o, DPC_WARNING,
                                "column 'b' has no numbers, every cell is missing ('.' or '?'); it "
                                "was left out"));
        clear_outcome(&o);
    }
    /* others that are missing are so all the same, and the names stay with their columns */
    expect_as(DPC_MISSING_ROWS, "x,a,y,b\n,1,NA,2\n,3,NA,NA\n,5,NA,6\n", "a|b", 2, 2,
              VALUES(1, 2, 5, 6), 4);
    expect_with(OPTIONS(.transpose = true, .no_header = true), "a,1,2,3\nb,NA,NA,NA\nc,4,5,7\n",
                "a|c", 3, 2, VALUES(1, 4, 2, 5, 3, 7), 1);
    expect_error(DPC_MISSING_EM, "a,b\n?,\n,?\n", 1,
                 "no column has numbers, every cell is missing");
    expect_refusal(OPTIONS(.matrix = true), "a,b\n1,NA\n.2,NA\n", DPC_BAD_INPUT, "2 missing cells");
}

static void test_drop_text(void **state)
{
    (void)state;
    const dpc_read_options *drop = OPTIONS(.drop_text = true);
    /* dates, truth values, names with empty cells; quoted numbers are numbers */
    static const char *const text = "when,a,flag,b,who\n2020-01-01,1,TRUE,\"2\",\n"
                                    "2020-01-02,3,FALSE,\"4\",Ann\n2020-01-02,5,TRUE,\"6\",NA\n";
    expect_with(drop, text, "a|b", 3, 2, VALUES(1, 2, 3, 4, 5, 6), 1);
    outcome o = read_table_with(text, strlen(text), drop);
    assert_true(
        has_finding(&o, DPC_WARNING, "3 text columns were left out: 'when', 'flag', 'who'"));
    clear_outcome(&o);
    expect_error(DPC_MISSING_ERROR, text, 2, "column 'when' holds dates or times, the first");
    /* one number is enough to make it an error */
    expect_refusal(
        drop, "a,b,c\n1,x,2\n2,7,4\n3,y,5\n", DPC_BAD_INPUT,
        "column 'b' is not numeric: 2 cells, the first 'x' on line 2; recode it, or leave "
        "it out with drop (--drop b)");
    expect_refusal(drop, "a,b\nx,y\nz,y\nz,NA\n", DPC_BAD_INPUT, "no column has numbers");
}

/* ---- What spreadsheets and others leave behind ---- */

static void test_shapes(void **state)
{
    (void)state;
    const double *ab = VALUES(1, 2, 3, 4.5);
    expect_as(DPC_MISSING_ERROR, "sep=;\na;b\n1;2\n3;4.5\n", "a|b", 2, 2, ab, 0);
    expect_as(DPC_MISSING_ERROR, "\"sep=,\"\r\na,b\r\n1,2\r\n3,4.5\r\n", "a|b", 2, 2, ab, 0);
    expect_as(DPC_MISSING_ERROR, "\"sep=;\"\n1\n2\n3\n4.5\n", "sep=;", 4, 1, ab, 0);
    expect_as(DPC_MISSING_ERROR, "a,b,\n1,2,\n3,4.5,\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "a,b\n1,2,\n3,4.5,\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "a,b\n1,2,\n3,4.5\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "a,b,\n1,2\n3,4.5\n", "a|b", 2, 2, ab, 0);
    expect_as(DPC_MISSING_ERROR, "a\tb\t\n1\t2\t\n3\t4.5\t\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "a,,b,,\n1,,2,,\n3,,4.5,,\n,,,,\n,,,,\n", "a|b", 2, 2, ab, 2);
    expect_as(DPC_MISSING_ERROR, "a,b\nm,kg\n1,2\n3,4.5\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "id,a,b\nunit,m,\nr1,1,2\nr2,3,4.5\n", "a|b", 2, 2, ab, 2);
    /* no units: the second line is text too */
    expect_error(DPC_MISSING_ERROR, "a,b\nm,kg\nx,y\n1,2\n", 2, "column 'a' is not numeric: 2");
    /* R's data sets: numbered rows under an empty name, and names of rows that are a column too
     * many */
    expect_as(DPC_MISSING_ERROR, "\"\",\"a\",\"b\"\n\"1\",1,2\n\"2\",3,4.5\n", "a|b", 2, 2, ab, 1);
    expect_as(DPC_MISSING_ERROR, "    a   b\n1   1 2.0\n22  3 4.5\n", "a|b", 2, 2, ab, 1);
    /* missing values in the last column are no delimiters at the ends */
    expect_as(DPC_MISSING_ROWS, "a,b\nx,1,\ny,3,4.5\n", "a|b", 1, 2, VALUES(3, 4.5), 3);
}

static void test_spellings(void **state)
{
    (void)state;
    const double *x = VALUES(1.5, 2, 3, 4.25);
    expect_as(DPC_MISSING_ERROR, "a;b\n1,5;2\n3;4,25\n", "a|b", 2, 2, x, 1);
    expect_as(DPC_MISSING_ERROR, "a\tb\n1,5\t2\n3\t4,25\n", "a|b", 2, 2, x, 1);
    expect_as(DPC_MISSING_ERROR, "a b\n1,5 2\n3 4,25\n", "a|b", 2, 2, x, 1);
    expect_as(DPC_MISSING_ERROR, "\"a\",\"b\"\n\"1,5\",\"2\"\n\"3\",\"4,25\"\n", "a|b", 2, 2, x, 1);
    expect_as(DPC_MISSING_ROWS, "a;b\n1,5;2\n3;4,25\nNA;1,5e1\n", "a|b", 2, 2, x, 3);
    /* 1,234 is a decimal comma among semicolons, and thousands where points say so */
    expect_as(DPC_MISSING_ERROR, "a;b\n1,234;1\n5,678;2\n", "a|b", 2, 2, VALUES(1.234, 1, 5.678, 2),
              1);
    expect_as(DPC_MISSING_ERROR, "a;b\n1,234;1.5\n5,678;2\n", "a|b", 2, 2,
              VALUES(1234, 1.5, 5678, 2), 1);
    expect_as(DPC_MISSING_ERROR, "a,b\n\"1,234\",1\n\"5,678,901.5\",2\n12,3\n", "a|b", 3, 2,
              VALUES(1234, 1, 5678901.5, 2, 12, 3), 1);
    expect_error(DPC_MISSING_ERROR, "a;b\n1,5;1.5\n2,5;2\n", 1,
                 "1.5' in column 'b' on line 2 has a decimal point");
    expect_as(DPC_MISSING_ERROR, "a,b\n12%,1\n3.5 %,2\n", "a|b", 2, 2, VALUES(12, 1, 3.5, 2), 1);
    expect_error(DPC_MISSING_ERROR, "a,b\n12%,1\n0.5,2\n", 1, "0.5");
    expect_as(DPC_MISSING_ERROR, "a,b\n1.5D+03,1\n-2d-1,2\n", "a|b", 2, 2, VALUES(1500, 1, -.2, 2),
              1);
    /* a delimiter at the end of some rows and not of others */
    expect_as(DPC_MISSING_ERROR, "a,b\n12%,1,\n3.5%,2\n", "a|b", 2, 2, VALUES(12, 1, 3.5, 2), 2);
    expect_error(DPC_MISSING_ROWS, "a\n3,\n\n5%\n", 1, "'5%' in column 'a' on line 4");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,1d5\n2,3e2\n", 1, "'1d5'"); /* as identifiers are */
    expect_error(DPC_MISSING_ERROR, "a,b\n1,1.0f\n2,3\n", 1, "'1.0f'");
    expect_as(DPC_MISSING_ERROR, "a,b\n1,TRUE\n2,FALSE\n", "a|b", 2, 2, VALUES(1, 1, 2, 0), 1);
}

static void test_encodings(void **state)
{
    (void)state;
    static const char low_first[] = "\xff\xfe"
                                    "a\0,\0\xe9\0\n\0001\0,\0002\0\n\0",
                      high_first[] = "\xfe\xff"
                                     "\0a\0,\0\xe9\0\n\0001\0,\0002\0\n";
    const char *const texts[] = {low_first, high_first};
    for (int i = 0; i < 2; i++) {
        outcome o = read_table_bytes(texts[i], sizeof low_first - 1, DPC_MISSING_ERROR);
        assert_int_equal(o.status, DPC_OK);
        assert_string_equal(o.table->names[1], "é");
        assert_true(o.table->values[1] == 2);
        clear_outcome(&o);
    }
    expect_as(DPC_MISSING_ERROR,
              "a,gr\xf6\xdf"
              "e\n1,2\n",
              "a|größe", 1, 2, VALUES(1, 2), 1);
    expect_as(DPC_MISSING_ERROR, "a,\x80\n1,2\n", "a|€", 1, 2, VALUES(1, 2), 1);
    /* beyond the basic plane, and a half of a pair */
    char *text = NULL;
    size_t length;
    assert_int_equal(dpc_from_utf16("\xff\xfe\x3d\xd8\x00\xde\x3d\xd8", 8, &text, &length), DPC_OK);
    assert_string_equal(text, "😀\xef\xbf\xbd");
    free(text);
}

static void test_foreign_formats(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "% c\n@relation x\n@data\n1\n", 1, "the file is ARFF");
    expect_error(DPC_MISSING_ERROR, "<html>\n", 1, "a web page");
    expect_error(DPC_MISSING_ERROR, "{\n \"a\": 1}\n", 1, "the file is JSON");
    outcome o = read_table_bytes("PK\3\4\0\0", 6, DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_ERROR, "zip archive"));
    clear_outcome(&o);
    /* names that look like it */
    expect_as(DPC_MISSING_ERROR, "PAR1,[b]\n1,2\n", "PAR1|[b]", 1, 2, VALUES(1, 2), 0);
    expect_as(DPC_MISSING_ERROR, "{a},@b\n1,2\n", "{a}|@b", 1, 2, VALUES(1, 2), 0);
}

/* ---- Tetrad's matrices ---- */

static void expect_covariance(const char *text, int64_t samples)
{
    outcome o = read_table_text(text, DPC_MISSING_ERROR);
    if (o.status != DPC_OK)
        print_message("%s\n", o.err.message);
    assert_int_equal(o.status, DPC_OK);
    assert_int_equal(o.samples, samples);
    assert_int_equal(o.table->n_obs, 3);
    assert_string_equal(o.table->names[2], "z");
    const double wanted[] = {1, .5, -.25, .5, 2, .125, -.25, .125, 3};
    for (int i = 0; i < 9; i++)
        assert_true(o.table->values[i] == wanted[i]);
    clear_outcome(&o);
}

static void test_covariances(void **state)
{
    (void)state;
    expect_covariance("88\nx y z\n1\n.5 2\n-.25 .125 3\n", 88);
    expect_covariance("88\nx\ty\tz\n1.0\n .5\t2\n -.25\t.125\t3", 88);
    expect_covariance("// by hand\n/covariance\n 1000 \n\nx,y,z\n1\n.5,2\n# c\n-.25,.125,3\n\n",
                      1000);
    expect_covariance("7\r\nx y z\r\n1 .5 -.25\r\n.5 2 .125\r\n-.25 .125 3\r\n", 7);
    outcome o = read_table_text("88\nx y z\n1\n.5 2\n-.25 .125 3\n", MATRIX);
    assert_int_equal(o.samples, 88);
    clear_outcome(&o);
    o = read_table_text("a,b\n1,0\n0,1\n", MATRIX);
    assert_int_equal(o.samples, -1);
    clear_outcome(&o);
    expect_with(OPTIONS(LISTS(drop, "y")), "88\nx y z\n1\n.5 2\n-.25 .125 3\n", "x|z", 2, 2,
                VALUES(1, -.25, -.25, 3), 0);
    expect_error(DPC_MISSING_ERROR, "88\nx y z\n1\n.5\n", 1, "line 4 should have 2 numbers");
    expect_error(DPC_MISSING_ERROR, "88\nx y z\n1\n.5 2 2 2 2 2 2 2\n", 1,
                 "line 4 should have 2 numbers");
    expect_error(DPC_MISSING_ERROR, "88\nx y z\n1\n.5 2\n1 2 3\n4 5 6\n", 1,
                 "line 6 is one too many");
    expect_error(DPC_MISSING_ERROR, "88\nx x z\n1\n.5 2\n1 2 3\n", 1, "both named 'x'");
    expect_error(DPC_MISSING_ERROR, "/covariance\nx y\n1\n1 1\n", 1, "the number of observations");
    expect_refusal(OPTIONS(.transpose = true), "8\nx y\n1\n.5 2\n", DPC_USAGE, "covariance matrix");
    /* a table of one column, with row names, is none */
    expect_as(DPC_MISSING_ERROR, "100\nr1 5\nr2 6\n", "100", 2, 1, VALUES(5, 6), 2);
    /* who asks for a table must not get a matrix for it */
    char path[256];
    dpc_table *table = NULL;
    dpc_error err;
    make_path(path);
    write_file(path, "8\nx y\n1\n.5 2\n", 13);
    assert_int_equal(dpc_table_read(path, DPC_MISSING_ERROR, NULL, NULL, &table, &err),
                     DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "covariance matrix of Tetrad"));
    remove(path);
}

static void test_options_of_another_size(void **state)
{
    (void)state;
    const dpc_read_options none = {.size = 0};
    dpc_table *table = NULL;
    dpc_error err;
    assert_int_equal(dpc_data_read("/dev/null", &none, NULL, NULL, &table, NULL, &err), DPC_USAGE);
    assert_int_equal(dpc_data_read("/dev/null", OPTIONS(.transpose = true, .matrix = true), NULL,
                                   NULL, &table, NULL, &err),
                     DPC_USAGE);
    expect_with(NULL, "a,b\n1,2\n", "a|b", 1, 2, VALUES(1, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_own_words),
        cmocka_unit_test(test_counts_of_missing_cells),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_no_header),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_text_columns_are_listed),
        cmocka_unit_test(test_empty_columns),
        cmocka_unit_test(test_drop_text),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_foreign_formats),
        cmocka_unit_test(test_covariances),
        cmocka_unit_test(test_options_of_another_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
