/* One reading of one text: see reading.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void make_path(char path[256])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, 256, "%s/dualpc-read-XXXXXX", folder != NULL ? folder : "/tmp");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
}

void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

outcome read_table_with(const void *bytes, size_t size, const dpc_read_options *options)
{
    outcome o = {.status = DPC_OK};
    make_path(o.path);
    write_file(o.path, bytes, size);
    o.status = dpc_data_read(o.path, options, NULL, &o.audit, &o.table, &o.samples, &o.err);
    /* without an audit the answer is the same */
    dpc_table *again = NULL;
    dpc_error err = {0};
    int64_t samples;
    dpc_status status = dpc_data_read(o.path, options, NULL, NULL, &again, &samples, &err);
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

dpc_read_options reading_as(int how)
{
    dpc_read_options options = {.size = sizeof options};
    options.matrix = how == MATRIX;
    options.missing = how == MATRIX ? DPC_MISSING_ERROR : (dpc_missing)how;
    return options;
}

outcome read_table_bytes(const void *bytes, size_t size, int how)
{
    dpc_read_options options = reading_as(how);
    return read_table_with(bytes, size, &options);
}

outcome read_table_text(const char *text, int how)
{
    return read_table_bytes(text, strlen(text), how);
}

void clear_outcome(outcome *o)
{
    dpc_table_free(o->table);
    dpc_audit_clear(&o->audit);
}

bool has_finding(const outcome *o, dpc_severity severity, const char *part)
{
    for (int i = 0; i < o->audit.count; i++)
        if (o->audit.items[i].severity == severity && strstr(o->audit.items[i].text, part) != NULL)
            return true;
    for (int i = 0; i < o->audit.count; i++)
        print_message("found: %s\n", o->audit.items[i].text);
    print_message("wanted: %s\n", part);
    return false;
}

void expect_with(const dpc_read_options *options, const char *text, const char *names,
                 int64_t n_rows, int n_cols, const double *values, int warnings)
{
    outcome o = read_table_with(text, strlen(text), options);
    if (o.status != DPC_OK)
        print_message("%s\n", o.err.message);
    assert_int_equal(o.status, DPC_OK);
    if (o.audit.count != warnings)
        has_finding(&o, DPC_WARNING, "as many as there should be"); /* prints them */
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
    clear_outcome(&o);
}

void expect_as(int how, const char *text, const char *names, int64_t n_rows, int n_cols,
               const double *values, int warnings)
{
    dpc_read_options options = reading_as(how);
    expect_with(&options, text, names, n_rows, n_cols, values, warnings);
}

void expect_ab(const char *text)
{
    expect_as(DPC_MISSING_ERROR, text, "a|b", 2, 2, VALUES(1, 2, 3, 4.5), 0);
}

/* `text` is refused, with an error that holds `part`, the first of `errors`. */
void expect_error(int how, const char *text, int errors, const char *part)
{
    outcome o = read_table_text(text, how);
    assert_int_equal(o.status, DPC_BAD_INPUT);
    assert_int_equal(o.err.code, DPC_BAD_INPUT);
    assert_true(has_finding(&o, DPC_ERROR, part));
    if (strstr(o.err.message, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, o.err.message);
    assert_int_equal(o.audit.errors, errors);
    clear_outcome(&o);
}

void expect_refusal(const dpc_read_options *options, const char *text, dpc_status status,
                    const char *part)
{
    outcome o = read_table_with(text, strlen(text), options);
    assert_int_equal(o.status, status);
    if (strstr(o.err.message, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, o.err.message);
    clear_outcome(&o);
}

uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
