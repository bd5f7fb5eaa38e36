/* Temporary files, and one reading of one text: what the tests of the readers share. */
#ifndef DPC_TESTS_READING_H
#define DPC_TESTS_READING_H

#include "dualpc_io.h"

#include <stdint.h>

typedef struct outcome {
    char path[256];
    dpc_status status;
    dpc_error err;
    dpc_audit audit;
    dpc_table *table;
    int64_t samples;
} outcome;

/* A dpc_missing, or that a matrix is meant. */
enum { MATRIX = -1 };

#define VALUES(...) ((const double[]){__VA_ARGS__})

/* OPTIONS(.transpose = true, LISTS(drop, "a", "b")): how to read. */
#define OPTIONS(...) (&(dpc_read_options){.size = sizeof(dpc_read_options), __VA_ARGS__})
#define LISTS(what, ...)                                                                           \
    .what = (const char *const[]){__VA_ARGS__},                                                    \
    .n_##what = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)

void make_path(char path[256]);
void write_file(const char *path, const void *bytes, size_t size);

dpc_read_options reading_as(int how);
outcome read_table_with(const void *bytes, size_t size, const dpc_read_options *options);
outcome read_table_bytes(const void *bytes, size_t size, int how);
outcome read_table_text(const char *text, int how);
void clear_outcome(outcome *o);
bool has_finding(const outcome *o, dpc_severity severity, const char *part);

/* `text` reads as a table of these names (separated by |) and values (row by row). */
void expect_with(const dpc_read_options *options, const char *text, const char *names,
                 int64_t n_rows, int n_cols, const double *values, int warnings);
void expect_as(int how, const char *text, const char *names, int64_t n_rows, int n_cols,
               const double *values, int warnings);
/* The table of a and b with the rows 1, 2 and 3, 4.5, and nothing to say about it. */
void expect_ab(const char *text);
/* `text` is refused, with an error that holds `part`, the first of `errors`. */
void expect_error(int how, const char *text, int errors, const char *part);
/* Likewise with a status, whatever the errors are. */
void expect_refusal(const dpc_read_options *options, const char *text, dpc_status status,
                    const char *part);

uint64_t next_random(uint64_t *state);

#endif
