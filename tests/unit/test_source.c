/* Ways in for tables: gzip, files that cannot be read, standard input, wide and long ones. */
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
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

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
        outcome o = read_table_bytes(both, sizes[i], DPC_MISSING_ERROR);
        assert_int_equal(o.status, DPC_OK);
        assert_int_equal(o.table->n_obs, 2);
        assert_true(o.table->values[3] == 4.5);
        clear_outcome(&o);
    }
    for (size_t size = 2; size < head; size++) {
        outcome o = read_table_bytes(first, size, DPC_MISSING_ERROR);
        assert_int_equal(o.status, DPC_BAD_INPUT);
        assert_non_null(strstr(o.err.message, "gzip data end too soon"));
        clear_outcome(&o);
    }
    both[head + tail] = 'x';
    outcome o = read_table_bytes(both, head + tail + 1, DPC_MISSING_ERROR);
    assert_non_null(strstr(o.err.message, "other bytes after its gzip data"));
    clear_outcome(&o);
    first[head - 6] ^= 1; /* the checksum */
    o = read_table_bytes(first, head, DPC_MISSING_ERROR);
    assert_non_null(strstr(o.err.message, "gzip data are corrupt"));
    clear_outcome(&o);
    free(first);
    first = gzip("", 0, &head);
    o = read_table_bytes(first, head, DPC_MISSING_ERROR);
    assert_non_null(strstr(o.err.message, "is empty"));
    clear_outcome(&o);
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
    alarm(600); /* a wait that does not end must not hang the tests */
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

/* The first bytes of a stream without end tell that it is no text: the others are not waited for.
 */
static void test_binary_stream(void **state)
{
    (void)state;
    static const char zeros[64], late[] = "a,b\n1,2\n3,4.5,\0 and the like";
    dpc_table *table = NULL;
    assert_int_equal(read_pipe(zeros, sizeof zeros, false, &(caller){0}, &table), DPC_BAD_INPUT);
    assert_int_equal(read_pipe(late, sizeof late - 1, false, &(caller){0}, &table), DPC_BAD_INPUT);
    assert_null(table);
    /* UTF-16 and gzip have such bytes too, and are read to their ends */
    static const char wide[] = "a\0,\0b\0\n\0"
                               "1\0,\0"
                               "2\0\n\0"
                               "3\0,\0"
                               "4\0\n\0";
    assert_int_equal(read_pipe(wide, sizeof wide - 1, true, &(caller){0}, &table), DPC_OK);
    assert_int_equal(table->n_obs, 2);
    dpc_table_free(table);
    table = NULL;
    size_t size;
    char *packed = gzip("a,b\n1,2\n", 8, &size);
    assert_int_equal(read_pipe(packed, size, true, &(caller){0}, &table), DPC_OK);
    dpc_table_free(table);
    free(packed);
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
    outcome o = read_table_bytes(text, (size_t)(p - text), DPC_MISSING_ERROR);
    assert_int_equal(o.status, DPC_OK);
    assert_int_equal(o.table->n_vars, WIDE);
    assert_int_equal(o.table->n_obs, ROWS);
    assert_string_equal(o.table->names[WIDE - 1], "gene19999");
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDE; j++)
            assert_true(o.table->values[j * ROWS + i] == (i + 1) * j + 0.5);
    clear_outcome(&o);
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
        cmocka_unit_test(test_gzip),           cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_standard_input), cmocka_unit_test(test_binary_stream),
        cmocka_unit_test(test_wide),           cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
