/* Numbers and tables as text: the shortest that reads back, and the same bits when it is read. */
#include "number.h"
#include "table.h"
#include "write.h"

#include <dirent.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Numbers ---- */

/* The slow twin: printf and strtod, with 15, 16, 17 digits. */
static void check_number(double value)
{
    char text[DPC_NUMBER_SIZE], wanted[64];
    int length = dpc_number_print(value, text);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(wanted, sizeof wanted, "%.*g", digits, value);
        if (strtod(wanted, NULL) == value)
            break;
    }
    if (strcmp(text, wanted) != 0 || length != (int)strlen(wanted))
        fail_msg("%.17g: '%s', of length %d, instead of '%s'", value, text, length, wanted);
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void test_numbers(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 300000; i++) {
        double u = 2 * gsl_rng_uniform(rng) - 1 + 0x1p-32 * gsl_rng_uniform(rng);
        check_number(u * pow(10, i % 31 - 12));                /* as data are */
        check_number(round(u * 1e6) / pow(10, i % 17));        /* few digits */
        check_number(ldexp(1 + i % 5 * 0x1p-52, i % 90 - 40)); /* where doubles get denser */
        uint64_t bits = (uint64_t)gsl_rng_get(rng) << 32 | gsl_rng_get(rng);
        if (isfinite(from_bits(bits)) && i % 10 == 0)
            check_number(from_bits(bits));
    }
    for (int power = -330; power <= 310; power++) {
        double ten = pow(10, power);
        double near[] = {ten, nextafter(ten, 0), nextafter(ten, INFINITY), 5 * ten, -ten};
        for (int i = 0; i < 5; i++)
            if (isfinite(near[i]))
                check_number(near[i]);
    }
    check_number(0.0);
    check_number(-0.0);
    gsl_rng_free(rng);
}

/* ---- Tables ---- */

static char folder[] = "/tmp/dualpc-write-XXXXXX";

static void write_table(const dpc_table *table, const char *path)
{
    dpc_error err = {0};
    dpc_printing output = {.path = path, .print = dpc_print_table, .what = table};
    if (dpc_table_format_of_path(path, &output.format, &err) != DPC_OK ||
        dpc_printings_write(&output, 1, NULL, &err) != DPC_OK)
        fail_msg("%s", err.message);
}

static void test_tables_read_back(void **state)
{
    (void)state;
    enum { N_OBS = 500, N_VARS = 40 };
    static const char *const PATHS[] = {"t.csv", "t.tsv", "t.csv.gz", "t.TSV.GZ"};
    const char *names[N_VARS];
    char plain[N_VARS][16];
    for (int j = 0; j < N_VARS; j++) {
        snprintf(plain[j], sizeof plain[j], "x%d", j);
        names[j] = plain[j];
    }
    names[3] = "a, b";
    names[4] = "\"quoted\"";
    dpc_table *table = NULL;
    assert_int_equal(dpc_table_new(N_OBS, N_VARS, names, &table, NULL), DPC_OK);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < N_OBS * N_VARS; i++)
        table->values[i] = (gsl_rng_uniform(rng) - 0.5) * pow(10, i % 40 - 20);
    gsl_rng_free(rng);
    for (int i = 0; i < 4; i++) {
        dpc_table *read = NULL;
        dpc_audit audit = {0};
        dpc_error err = {0};
        write_table(table, PATHS[i]);
        if (dpc_table_read(PATHS[i], DPC_MISSING_ERROR, NULL, &audit, &read, &err) != DPC_OK)
            fail_msg("%s", err.message);
        assert_int_equal(read->n_obs, N_OBS);
        assert_int_equal(read->n_vars, N_VARS);
        for (int j = 0; j < N_VARS; j++)
            assert_string_equal(read->names[j], names[j]);
        assert_memory_equal(read->values, table->values, N_OBS * N_VARS * sizeof(double));
        dpc_table_free(read);
        dpc_audit_clear(&audit);
        unlink(PATHS[i]);
    }
    dpc_table_free(table);
}

static void test_table_text(void **state)
{
    (void)state;
    char text[64] = "";
    dpc_table *table = NULL;
    assert_int_equal(dpc_table_new(2, 3, NULL, &table, NULL), DPC_OK);
    const double values[] = {0.1, -1e-7, 12345678, NAN, 0, INFINITY};
    memcpy(table->values, values, sizeof values);
    write_table(table, "t.csv");
    FILE *file = fopen("t.csv", "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, "V1,V2,V3\n0.1,12345678,0\n-1e-07,NA,Inf\n");
    unlink("t.csv");
    dpc_table_free(table);
}

static void test_table_formats(void **state)
{
    (void)state;
    static const char *const BAD[] = {"x", "x.txt", "x.gz", "csv", "x.csv.zip", ""};
    int format = -1;
    dpc_error err;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_int_equal(dpc_table_format_of_path(BAD[i], &format, &err), DPC_USAGE);
    assert_int_equal(format, -1);
    assert_int_equal(dpc_table_format_of_path("/dev/stdout", &format, &err), DPC_OK);
    assert_int_equal(format, DPC_TABLE_CSV);
}

/* ---- Several outputs ---- */

static void test_two_names_of_one_file(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool differ;
    } CASES[] = {
        {"a.csv", "b.csv", true},         {"a.csv", "./a.csv", false},
        {"a.csv", "link.csv", false},     {"a.csv", "here/a.csv", false},
        {"a.csv", "there/a.csv", true},   {"link.csv", "here/link.csv", false},
        {"/dev/null", "/dev/null", true}, {NULL, NULL, true},
    };
    assert_int_equal(symlink("a.csv", "link.csv"), 0); /* to nothing yet */
    assert_int_equal(symlink(".", "here"), 0);
    assert_int_equal(symlink("/", "there"), 0);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        dpc_error err = {0};
        dpc_printing outputs[] = {{.path = CASES[i].a, .fd = -1}, {.path = CASES[i].b, .fd = -1}};
        dpc_status status = dpc_printings_differ(outputs, 2, NULL, 0, &err);
        if (status != (CASES[i].differ ? DPC_OK : DPC_USAGE))
            fail_msg("%s, %s: %d, %s", CASES[i].a, CASES[i].b, (int)status, err.message);
    }
    unlink("link.csv");
    unlink("here");
    unlink("there");
}

/* Prints `what`; and makes a folder of its path, so that it cannot get its name. */
static dpc_status print_words(FILE *file, const dpc_printing *output, dpc_error *err)
{
    (void)err;
    fputs(output->what, file);
    return DPC_OK;
}

static dpc_status print_and_block(FILE *file, const dpc_printing *output, dpc_error *err)
{
    assert_int_equal(mkdir(output->path, 0700), 0);
    return print_words(file, output, err);
}

static void expect_text(const char *path, const char *wanted)
{
    char text[16] = "";
    struct stat about;
    FILE *file = fopen(path, "r");
    if (wanted == NULL) {
        assert_null(file);
        return;
    }
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fstat(fileno(file), &about), 0);
    fclose(file);
    assert_int_equal(size, strlen(wanted));
    assert_string_equal(text, wanted);
    assert_int_equal(about.st_nlink, 1);
}

static int count_files(void)
{
    int count = 0;
    DIR *list = opendir(".");
    while (readdir(list) != NULL)
        count++;
    closedir(list);
    return count - 2;
}

/* Where a later file cannot get its name the earlier ones are what they were. */
static void test_names_are_taken_back(void **state)
{
    (void)state;
    dpc_error err = {0};
    dpc_printing outputs[] = {
        {.path = "old", .print = print_words, .what = "one"},
        {.path = "new", .print = print_words, .what = "two"},
        {.path = "link", .print = print_words, .what = "three"},
        {.path = "blocked", .print = print_and_block, .what = "four"},
        {.path = "never", .print = print_words, .what = "five"},
    };
    dpc_printing before[] = {{.path = "old", .print = print_words, .what = "before"},
                             {.path = "target", .print = print_words, .what = "before too"}};
    assert_int_equal(dpc_printings_write(before, 2, NULL, &err), DPC_OK);
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(dpc_printings_write(outputs, 5, NULL, &err), DPC_WRITE_FAILED);
    assert_non_null(strstr(err.message, "blocked"));
    assert_int_equal(rmdir("blocked"), 0);
    expect_text("old", "before");
    expect_text("new", NULL);
    expect_text("target", "before too");
    expect_text("never", NULL);
    assert_int_equal(count_files(), 3);
    outputs[3].print = print_words;
    assert_int_equal(dpc_printings_write(outputs, 5, NULL, &err), DPC_OK);
    expect_text("old", "one");
    expect_text("new", "two");
    expect_text("target", "three");
    expect_text("never", "five");
    assert_int_equal(count_files(), 6);
    for (int i = 0; i < 5; i++)
        unlink(outputs[i].path);
    unlink("target");
}

static int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_tables_read_back),
        cmocka_unit_test(test_table_text),
        cmocka_unit_test(test_table_formats),
        cmocka_unit_test(test_two_names_of_one_file),
        cmocka_unit_test(test_names_are_taken_back),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
