/* Files that appear whole or not at all, whatever is in them. */
#ifndef DPC_OUTPUT_H
#define DPC_OUTPUT_H

#include "dualpc_io.h"

#include <stdio.h>

/* One thing to write, and where to. */
typedef struct dpc_printing {
    const char *path; /* NULL: to `fd`, which stays open and is called standard output */
    int fd;
    /*
     * Prints it, in the C locale. It leaves the errors of the FILE to its caller, but a long one
     * ends early where there is one, for that is how it learns that it is to stop.
     */
    dpc_status (*print)(FILE *file, const struct dpc_printing *output, dpc_error *err);
    const void *what; /* for `print` */
    int format;       /* for `print` */
    double start;     /* for `print`: when the writing began, by dpc_seconds */
} dpc_printing;

/*
 * Are they files of their own, by whatever names: none of them an input ("-": standard input), no
 * two of them the same? If not, DPC_USAGE. What is no regular file, a device or a pipe, may be
 * both. Only paths and descriptors are looked at.
 */
dpc_status dpc_printings_differ(const dpc_printing *outputs, int count, const char *const *inputs,
                                int n_inputs, dpc_error *err);

/* The same, and can they be written, as far as can be told before the work? */
dpc_status dpc_printings_check(const dpc_printing *outputs, int count, const char *const *inputs,
                               int n_inputs, dpc_error *err);

/* Prints into memory: a text that ends with a NUL, which `length` does not count. Freed by free().
 */
dpc_status dpc_printing_string(const dpc_printing *output, const dpc_settings *settings, char **out,
                               size_t *length, dpc_error *err);

/*
 * Writes all of them or none, in this order, but what is no regular file last. The progress
 * callback of `settings` (may be NULL) can stop it.
 */
dpc_status dpc_printings_write(const dpc_printing *outputs, int count, const dpc_settings *settings,
                               dpc_error *err);

#endif
