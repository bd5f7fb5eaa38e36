/* Reading tables and matrices: the rules of dpc_table_read and dpc_matrix_read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    outcome o = read_table_text("id,a,b\nr1,1,2\nr2,3,4.5\n", DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_WARNING, "the first column 'id' was taken as row names"));
    clear_outcome(&o);
    expect_as(DPC_MISSING_ERROR, "id,a\nr1,1\nr2,2\nr1,3\n", "id|a", 3, 2, VALUES(0, 1, 1, 2, 0, 3),
              1);
    expect_error(DPC_MISSING_ERROR, "id,a\nr1,1\n7,2\nr3,3\n", 1,
                 "column 'id' is not numeric: 2 cells");
    expect_error(DPC_MISSING_ERROR, "id,a\nr1,1\n,2\nr3,3\n", 1,
                 "1 missing cell, the first in column 'id' on line 3");
    /* a name may be a word that is a missing value elsewhere, as that of Namibia */
    expect_ab_told("land,a,b\nNA,1,2\nNL,3,4.5\n");
    expect_ab_told("land,a,b\n?,1,2\n.,3,4.5\n");
    /* or one that could be an oddly spelled number, as long as most are text */
    expect_as(DPC_MISSING_ERROR, "well,a\n1D-2,1\n1A-2,3\n1B-2,5\n", "a", 3, 1, VALUES(1, 3, 5), 1);
    /* but a variable with a slip is no row name */
    expect_error(DPC_MISSING_ERROR, "dose,a\n10%,1\n20%,3\nnone given,5\n", 1,
                 "column 'dose' is not numeric: 1 cell, 'none given' on line 4");
    expect_error(DPC_MISSING_ERROR, "dose;a\n3,1l;1\n2,5;3\n", 1,
                 "column 'dose' is not numeric: 1 cell, '3,1l' on line 2");
    /* left out by the user, they are row names nevertheless: one may begin with # */
    const char *const drop[] = {"id"};
    dpc_read_options options = {.size = sizeof options, .drop = drop, .n_drop = 1};
    expect_with(&options, "id,a,b\nx,1,2\n#y,3,4.5\n", "a|b", 2, 2, VALUES(1, 2, 3, 4.5), 0);
    options.matrix = true;
    expect_with(&options, "id,a,b\na,1,0.5\nb,0.5,1\n", "a|b", 2, 2, VALUES(1, 0.5, 0.5, 1), 0);
    /* where every row is too long or too short, nothing is known of them */
    expect_error(DPC_MISSING_ERROR, "a;9\n-7\n1.5\n.\n", 1, "line 2 has 1 field");
    expect_error(DPC_MISSING_ERROR, "id\nr1\nr2\nr3\n", 1, "column 'id' has 3 different texts");
    expect_error(DPC_MISSING_ERROR, "a,id\n1,r1\n2,r2\n4,r3\n", 1,
                 "column 'id' has 3 different texts in 3 rows, the first 'r1' on line 2, and looks "
                 "like a name or identifier; exclude it with --drop id");
}

static void test_names(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,\"b\nc\"\n1,2\n", 1,
                 "the name of column 2 holds a line break");
    expect_error(DPC_MISSING_ERROR, "a,b\x01\n1,2\n", 1, "the name of column 2 holds a line break");
    expect_error(DPC_MISSING_ERROR, "a,b\xc2\x85\n1,2\n", 1, "the name of column 2 holds");
    expect_as(DPC_MISSING_ERROR, "a,größe\n1,2\n", "a|größe", 1, 2, VALUES(1, 2), 0);
    expect_error(DPC_MISSING_ERROR, "a,,c\n1,2,3\n", 1, "column 2 has no name; give it one");
    expect_error(DPC_MISSING_ERROR, "a,b,a\n1,2,3\n", 1,
                 "columns 1 and 3 are both named 'a'; rename one of them");
    expect_error(DPC_MISSING_ERROR, "a,,a\n1,x,3\n", 2, "column 2 has no name; give it one");
    outcome o = read_table_text("1,2\n3,4\n", DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_OK);
    assert_true(has_finding(&o, DPC_WARNING, "seems to have no header"));
    assert_string_equal(o.table->names[1], "2");
    clear_outcome(&o);
}

/* ---- Spellings of numbers ---- */

/*
 * The rules for odd spellings, for missing values and for row names meet in one table: every
 * spelling, with every word for a missing value, in every column, on the first line, on another and
 * on the last one.
 */
enum { N_ROWS = 5, N_COLUMNS = 3 };

static const struct {
    char delimiter;
    const char *cells[N_ROWS][N_COLUMNS];
    const double values[N_ROWS * N_COLUMNS];
    const char *slip;
} SPELLINGS[] = {
    {',',
     {{"1.5", "2", "3"}, {"2.5", "1", "4"}, {"-3", "5e1", "1"}, {"4", "7", "2"}, {"0", "3", "6"}},
     {1.5, 2, 3, 2.5, 1, 4, -3, 50, 1, 4, 7, 2, 0, 3, 6},
     "3.x1"},
    {';',
     {{"1,5", "2", "3,25"},
      {"2,5", "1", "4,5"},
      {"-3,1", "5", "1,0"},
      {"4,2", "7,5", "2,5"},
      {"0,5", "3", "6,1"}},
     {1.5, 2, 3.25, 2.5, 1, 4.5, -3.1, 5, 1, 4.2, 7.5, 2.5, 0.5, 3, 6.1},
     "3,x1"},
    {'\t',
     {{"1,5", "2,0", "3,2"},
      {"2,5", "1,5", "4,5"},
      {"3,1", "5,5", "1,0"},
      {"4,2", "7,5", "2,5"},
      {"0,5", "3,5", "6,1"}},
     {1.5, 2, 3.2, 2.5, 1.5, 4.5, 3.1, 5.5, 1, 4.2, 7.5, 2.5, 0.5, 3.5, 6.1},
     "3,1,x"},
    {' ',
     {{"1,5", "2,0", "3,2"},
      {"2,5", "1,5", "4,5"},
      {"3,1", "5,5", "1,0"},
      {"4,2", "7,5", "2,5"},
      {"0,5", "3,5", "6,1"}},
     {1.5, 2, 3.2, 2.5, 1.5, 4.5, 3.1, 5.5, 1, 4.2, 7.5, 2.5, 0.5, 3.5, 6.1},
     "3,1l"},
    {',',
     {{"12%", "2.5%", "3 %"},
      {"13%", "1.5%", "4 %"},
      {"-1%", "5%", "1 %"},
      {"4%", "7%", "2 %"},
      {"0%", "3%", "6 %"}},
     {12, 2.5, 3, 13, 1.5, 4, -1, 5, 1, 4, 7, 2, 0, 3, 6},
     "1o%"},
    {';',
     {{"1,5%", "2,5", "3"},
      {"2,5%", "1,5", "4"},
      {"3,1%", "5,5", "1"},
      {"4,2%", "7,5", "2"},
      {"0,5%", "3,5", "6"}},
     {1.5, 2.5, 3, 2.5, 1.5, 4, 3.1, 5.5, 1, 4.2, 7.5, 2, 0.5, 3.5, 6},
     "3,o%"},
    {';',
     {{"1,234,567", "2,500", "3"},
      {"2,234,567", "1,500", "4"},
      {"345", "5,250", "1"},
      {"4,234", "7,125", "2"},
      {"5,234", "3,875", "6"}},
     {1234567, 2500, 3, 2234567, 1500, 4, 345, 5250, 1, 4234, 7125, 2, 5234, 3875, 6},
     "1,23,567"},
    {',',
     {{"\"1,234.5\"", "\"2,500\"", "3"},
      {"\"2,234.5\"", "\"1,500\"", "4"},
      {"\"3,345.25\"", "\"5,250\"", "1"},
      {"\"4,234\"", "\"7,125\"", "2"},
      {"\"5,234\"", "\"3,875\"", "6"}},
     {1234.5, 2500, 3, 2234.5, 1500, 4, 3345.25, 5250, 1, 4234, 7125, 2, 5234, 3875, 6},
     "1.234.5"},
    {',',
     {{"1.5D+03", "2.5d-01", "3"},
      {"2.5D+03", "1.5d-01", "4"},
      {"3.5D+03", "5.5d-01", "1"},
      {"4.5D+03", "7.5d-01", "2"},
      {"5.5D+03", "3.5d-01", "6"}},
     {1500, 0.25, 3, 2500, 0.15, 4, 3500, 0.55, 1, 4500, 0.75, 2, 5500, 0.35, 6},
     "1.5D+"},
};

static const char *const WORDS[] = {"NA",   "N/A",  ".",   "?",  "*",      "null",
                                    "None", "#N/A", "NaN", "na", "\"NA\"", ""};

/* The table with one or two cells replaced; `second` may be NULL. */
static void write_spelled(int s, int row, int column, const char *first, const char *second,
                          char *text)
{
    text += sprintf(text, "a%cb%cc\n", SPELLINGS[s].delimiter, SPELLINGS[s].delimiter);
    for (int i = 0; i < N_ROWS; i++)
        for (int j = 0; j < N_COLUMNS; j++) {
            const char *cell = SPELLINGS[s].cells[i][j];
            if (i == row && j == column)
                cell = first;
            else if (i == (row + 1) % N_ROWS && j == column && second != NULL)
                cell = second;
            text += sprintf(text, "%s%c", cell, j < N_COLUMNS - 1 ? SPELLINGS[s].delimiter : '\n');
        }
}

static void expect_missing_cell(const char *text, int s, int row)
{
    outcome o = read_table_text(text, DPC_MISSING_ROWS);
    if (o.status != DPC_OK || o.table->n_vars != N_COLUMNS || o.table->n_obs != N_ROWS - 1)
        fail_msg("%s: '%s'", text, o.err.message);
    for (int i = 0, left = 0; i < N_ROWS; i++)
        for (int j = 0; j < N_COLUMNS && i != row; j++, left += j == N_COLUMNS)
            assert_true(o.table->values[j * (N_ROWS - 1) + left] ==
                        SPELLINGS[s].values[i * N_COLUMNS + j]);
    clear_outcome(&o);
}

/* The error names the slip alone: its text, its line and its column. */
static void expect_slip(const char *text, int s, int row, int column)
{
    char wanted[128];
    outcome o = read_table_text(text, DPC_MISSING_ROWS);
    snprintf(wanted, sizeof wanted, "column '%c' is not numeric: 1 cell, '%s' on line %d;",
             'a' + column, SPELLINGS[s].slip, row + 2);
    if (!has_finding(&o, DPC_ERROR, wanted) || o.audit.errors != 1)
        fail_msg("%s", text);
    clear_outcome(&o);
}

static void test_spellings_in_pairs(void **state)
{
    (void)state;
    char text[1024];
    int tables = 0;
    for (int s = 0; s < (int)(sizeof SPELLINGS / sizeof *SPELLINGS); s++)
        for (int w = 0; w < (int)(sizeof WORDS / sizeof *WORDS); w++)
            for (int column = 0; column < N_COLUMNS; column++)
                for (int row = 0; row < N_ROWS; row += 2) {
                    if (SPELLINGS[s].delimiter == ' ' && *WORDS[w] == '\0')
                        continue; /* blanks leave no empty cells between them */
                    write_spelled(s, row, column, WORDS[w], NULL, text);
                    expect_missing_cell(text, s, row);
                    write_spelled(s, row, column, SPELLINGS[s].slip, NULL, text);
                    expect_slip(text, s, row, column);
                    write_spelled(s, row, column, SPELLINGS[s].slip, WORDS[w], text);
                    expect_slip(text, s, row, column);
                    tables += 3;
                }
    assert_int_equal(tables, 3 * 9 * (9 * 12 - 1));
}

/* Without a header the delimiter is that which leaves numbers between, however they are spelled. */
static void test_spellings_without_header(void **state)
{
    (void)state;
    const dpc_read_options options = {.size = sizeof options, .no_header = true};
    const double *wanted = VALUES(1.5, 2.5, 3.5, 3, 4, 5.5);
    expect_with(&options, "1,5;2,5;3,5\n3,0;4,0;5,5\n", "V1|V2|V3", 2, 3, wanted, 1);
    expect_with(&options, "1,5%;2,5%;3,5%\n3,0%;4,0%;5,5%\n", "V1|V2|V3", 2, 3, wanted, 2);
    expect_with(&options, "1,5 %\t2,5 %\t3,5 %\n3,0 %\t4,0 %\t5,5 %\n", "V1|V2|V3", 2, 3, wanted,
                2);
    const char *missing = "-1,234,567\t-80.5\t4\n-7,490,385\t70.6\tNone\n";
    outcome o = read_table_with(missing, strlen(missing), &options);
    assert_true(has_finding(&o, DPC_ERROR, "1 missing cell, the first in column 3 on line 2"));
    clear_outcome(&o);
    expect_with(&options, "1,5D+00;2,5D+00;3,5D+00\n3,0D+00;4,0D+00;5,5D+00\n", "V1|V2|V3", 2, 3,
                wanted, 2);
    /* blanks between numbers with decimal commas */
    expect_with(&options, "1,5 2,5 3,5\n3,0 4,0 5,5\n", "V1|V2|V3", 2, 3, wanted, 1);
    expect_with(&options, "1,5  2,5 3,5\n3 4 5,5\n", "V1|V2|V3", 2, 3, wanted, 1);
    expect_with(&options, "1,5% 2,5% 3,5%\n3% 4% 5,5%\n", "V1|V2|V3", 2, 3, wanted, 2);
    expect_with(&options, "1 2,5\n3 4\n", "V1|V2", 2, 2, VALUES(1, 2.5, 3, 4), 1);
    expect_with(&options, "1, 2,5\n3, 4,6\n", "V1|V2|V3", 2, 3, VALUES(1, 2, 5, 3, 4, 6), 0);
    expect_with(&options, "1 a,2,5\n2 b,4,6\n", "V2|V3", 2, 2, VALUES(2, 5, 4, 6), 1);
    for (int w = 0; *WORDS[w] != '\0'; w++)
        for (int column = 0; column < N_COLUMNS; column++) {
            static const char *const CELLS[] = {"1,5", "2,5", "3,5"};
            char text[256], *to = text;
            if (column == 0 && *WORDS[w] == '#')
                continue; /* such a line is a comment */
            for (int j = 0; j < N_COLUMNS; j++)
                to += sprintf(to, "%s%c", j == column ? WORDS[w] : CELLS[j],
                              j < N_COLUMNS - 1 ? ' ' : '\n');
            sprintf(to, "3,0 4,0 5,5\n1,0 2,0 4,5\n");
            o = read_table_with(text, strlen(text), &options);
            if (o.audit.errors != 1 || !has_finding(&o, DPC_ERROR, "1 missing cell, the first in"))
                fail_msg("%s", text);
            clear_outcome(&o);
        }
}

/* ---- What is wrong with the rows ---- */

/* All that can be wrong, told in the one order; and by the library of its caller's table. */
static void test_one_order(void **state)
{
    (void)state;
    static const char *const WANTED[] = {
        "the first column 'id' was taken as row names",
        "there are more columns (7) than rows (4), and the rows have names: if these are the "
        "variables, read the file with transpose (--transpose)",
        "the name of column 8 holds a line break or another control character; rename it",
        "column 4 has no name; give it one",
        "columns 2 and 6 are both named 'a'; rename one of them",
        "line 4 has 2 fields, the header has 8; correct or remove it",
        "column 'w' is not numeric: 1 cell, 'x' on line 3; recode it, or leave it out with drop "
        "(--drop w)",
        "column 'a' has more digits than can be kept: 1 number beyond 2^53 was rounded, "
        "'9007199254740993' on line 2; subtract what they have in common",
        "1 missing cell, the first in column 5 on line 3; use --missing em (recommended), "
        "--missing pairwise or --missing rows, or impute them",
        "missing cells: column 5 1 (empty)",
        "1 infinite cell, the first 'inf' in column 'h' on line 5; correct or remove such rows",
    };
    outcome o = read_table_text("id,a,w,,,a,h,b\x01\n"
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
    clear_outcome(&o);
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
                    (const char *const[]){"2 missing cells, the first in column 'c', row 3; use "
                                          "missing = em (recommended), pairwise or rows, or fill "
                                          "them in",
                                          "2 infinite cells, the first 'Inf' in column 'b', row 3; "
                                          "correct or remove such rows",
                                          NULL});
    expect_findings(good, names,
                    (const char *const[]){"column 'd' is constant; it will have no edges",
                                          "1 column has only two to five different values: 'c' 2; "
                                          "it is treated as Gaussian, so tests that "
                                          "involve it are approximate",
                                          "column 'b' is a copy or a linear function of 'a'",
                                          "column 'e' is an exact linear combination of 'a', 'c'",
                                          NULL});
}

/* What the reader and the library call constant is the same: what varies by rounding only. */
static void test_constant_to_rounding(void **state)
{
    (void)state;
    outcome o =
        read_table_text("a,b,c\n1,3,1\n1.0000000000000002,2,x\n1,5,3\n1,5,4\n", DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_WARNING, "column 'a' is constant"));
    clear_outcome(&o);
}

static void test_ragged(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,b,c,d\n1,2,3,4\n1,2,3\n1,2,3,4\n", 1,
                 "line 3 has 3 fields, the header has 4; correct or remove it");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2\n1\n1,2\n1,2,3\n", 1,
                 "line 3 has 1 field, the header has 2; correct or remove all 2 such lines");
    /* blank lines are no rows, but in a table of one column */
    expect_as(DPC_MISSING_ERROR, "a,b\n1,2\n\n3,4\n", "a|b", 2, 2, VALUES(1, 2, 3, 4), 1);
    expect_as(DPC_MISSING_ERROR, "a b\n1 2\n \n3 4\n", "a|b", 2, 2, VALUES(1, 2, 3, 4), 1);
    expect_as(DPC_MISSING_ERROR, "a,b\n1,2\n,,\n3,4\n,\n", "a|b", 2, 2, VALUES(1, 2, 3, 4), 1);
    expect_error(DPC_MISSING_ERROR, "a,b\nx,1,2\ny,1,2\nz,1\n", 1,
                 "line 4 has 2 fields, the header has 2, or 3 with the row names");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2,3\n4,5\n6,7\n", 1,
                 "line 2 has 3 fields, the header has 2; correct or remove it");
    /* text in a row of the right length is told in the same report */
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2\n1\n1,x\n", 2, "line 3 has 1 field");
    /* row names under a name survive a short row */
    expect_error(DPC_MISSING_ERROR, "id,a\nx,1\nz\ny,2\n", 1, "line 3 has 1 field");
    /* a table this ragged would need far more memory than its text */
    size_t width = 200000, lines = 100000;
    char *text = malloc(width + 2 * lines + 8);
    memset(text, ',', width);
    for (size_t i = 0; i < lines; i++)
        memcpy(text + width + i * 2, "\n1", 2);
    strcpy(text + width + lines * 2, "\n");
    expect_error(DPC_MISSING_ERROR, text, 1, "there are no columns with values");
    /* … and only the first ten of its columns with the same name are told */
    for (size_t i = 0; i < width; i += 2)
        text[i] = 'x';
    outcome o = read_table_text(text, DPC_MISSING_ERROR);
    assert_int_equal(o.audit.errors, 12);
    assert_true(has_finding(&o, DPC_ERROR, "line 2 has 1 field, the header has 100001"));
    assert_true(has_finding(&o, DPC_ERROR, "are both named 'x'"));
    clear_outcome(&o);
    free(text);
}

static void test_text(void **state)
{
    (void)state;
    expect_error(
        DPC_MISSING_ERROR, "a,sex\n1,M\n2,F\n3,1\n", 1,
        "column 'sex' is not numeric: 2 cells, the first 'M' on line 2; recode it, or leave");
    /* numbers that contradict each other: the fewer ones are named first */
    expect_error(
        DPC_MISSING_ERROR, "a;b\n1.5;1,5\n2;2,5\n", 1,
        "'1.5' in column 'a' on line 2 has a decimal point, but 2 numbers, the first '1,5' "
        "in column 'b' on line 2, have a decimal comma; write all numbers the same way");
    expect_error(DPC_MISSING_ERROR, "a;b\n1,5;1,234,567\n2,5;2,234,567\n3,5;1\n", 1,
                 "2 numbers, the first '1,234,567' in column 'b' on line 2, have commas between "
                 "thousands, but 3 numbers, the first '1,5'");
    expect_error(
        DPC_MISSING_ERROR, "a,b\n1,5%\n2,6\n3,7%\n4,8 %\n", 1,
        "'6' in column 'b' on line 3 has no percent sign, but 3 numbers, the first '5%' in "
        "column 'b' on line 2, have a percent sign");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,0x1f\n2,3\n", 1, "'0x1f'");
    char text[4096], *p = text;
    for (int j = 0; j < 15; j++)
        p += sprintf(p, "%sc%d", j > 0 ? "," : "", j);
    *p++ = '\n';
    for (int j = 0; j < 15; j++)
        p += sprintf(p, "%st", j > 0 ? "," : "");
    strcpy(p, "\n1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\nt,t,t,t,t,t,t,t,t,t,t,t,t,t,t\n");
    expect_error(DPC_MISSING_ERROR, text, 10, "column 'c0' is not numeric");
    outcome o = read_table_text(text, DPC_MISSING_ERROR);
    assert_true(has_finding(&o, DPC_ERROR, "column 'c9' is not numeric"));
    clear_outcome(&o);
}

static void test_missing(void **state)
{
    (void)state;
    expect_error(DPC_MISSING_ERROR, "a,b\n1,2\n,3\nNA,\n", 1,
                 "3 missing cells, the first in column 'a' on line 3");
    expect_error(DPC_MISSING_ERROR, "a,b\n1,NaN\n1,1\n", 1, "--missing rows");
    expect_error(DPC_MISSING_ERROR, "x\n1\n\n2\n", 1,
                 "1 missing cell, the first in column 'x' on line 3");
    expect_as(DPC_MISSING_ROWS, "a,b\n1,2\n,3\n5,6\nNA,\n7,8\nnull,1\n", "a|b", 3, 2,
              VALUES(1, 2, 5, 6, 7, 8), 2);
    expect_as(DPC_MISSING_ROWS, "a,b\n1,2\n3,4.5\n", "a|b", 2, 2, VALUES(1, 2, 3, 4.5), 0);
    expect_as(DPC_MISSING_ROWS, "x\n1\n\n2\n", "x", 2, 1, VALUES(1, 2), 2);
    outcome o = read_table_text("a,b\n1,2\n,3\n5,n/a\n", DPC_MISSING_ROWS);
    assert_true(has_finding(&o, DPC_WARNING, "2 of 3 rows were dropped"));
    clear_outcome(&o);
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
    outcome o = read_table_text("a,b,c,d\n1,x,,inf\n1,2,3\n1,2,3,4\n", DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_BAD_INPUT);
    assert_int_equal(o.audit.errors, 4);
    clear_outcome(&o);
    /* findings are added to those an audit has, and the first new error is the message */
    dpc_audit audit = {0};
    dpc_table *table = NULL;
    dpc_error err;
    char path[256];
    make_path(path);
    write_file(path, "a\nx\n1\n", 6);
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
                              "2\n";
    outcome o = read_table_bytes(nul, sizeof nul - 1, DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_BAD_INPUT);
    assert_true(
        has_finding(&o, DPC_ERROR, "line 3 has a NUL byte: the file is binary, not a text table"));
    clear_outcome(&o);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_row_names),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_spellings_in_pairs),
        cmocka_unit_test(test_spellings_without_header),
        cmocka_unit_test(test_one_order),
        cmocka_unit_test(test_one_order_in_memory),
        cmocka_unit_test(test_constant_to_rounding),
        cmocka_unit_test(test_ragged),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_infinite),
        cmocka_unit_test(test_one_report),
        cmocka_unit_test(test_no_table),
        cmocka_unit_test(test_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
