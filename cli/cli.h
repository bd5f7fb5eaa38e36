/* The command line program: what its files share. */
#ifndef DPC_CLI_H
#define DPC_CLI_H

#include "dualpc.h"

#include <stdio.h>

/* ---- options.c ---- */

typedef struct options {
    dpc_settings settings;
    const char *data; /* path, or "-" */
    dpc_missing missing;
    bool correlation;     /* DATA is a matrix */
    int64_t samples;      /* behind it; 0: not given */
    const char **outputs; /* -o, in the order given; owned */
    int n_outputs;
    bool to_stdout; /* --format was given, or there is no -o */
    dpc_format stdout_format;
    bool quiet;
} options;

typedef enum parsed {
    PARSED_RUN,
    PARSED_HELP,
    PARSED_VERSION,
    PARSED_WRONG, /* the reason is in the error */
} parsed;

parsed options_parse(int argc, char **argv, options *out, dpc_error *err);
void options_free(options *o);
void print_learn_help(FILE *file);

/* ---- interrupt.c ---- */

/* From here on Ctrl-C asks to stop, and ends the program within a second in any case. */
void interrupt_watch(void);
bool interrupted(void);
/* While files are being written they are given the time to be taken away again. */
void interrupt_defer(bool deferred);

/* ---- progress.c ---- */

typedef struct bar {
    bool shown;  /* standard error is a terminal, and not --quiet */
    double last; /* when it was drawn */
    double start, skeleton_start;
    bool dirty; /* there is something to wipe */
} bar;

void bar_init(bar *b, bool quiet);
/* A dpc_progress_fn; `user` is the bar. Also asks for interrupts. */
int bar_update(const dpc_progress *progress, void *user);
void bar_clear(bar *b);

/* ---- summary.c ---- */

/* What messages call the data. */
const char *source_name(const options *o);
void print_audit(FILE *file, const char *source, const dpc_audit *audit);
void print_summary(FILE *file, const options *o, const dpc_report *report);

/* ---- main.c ---- */

/* Exit code once all has been printed: it may not have arrived. */
int finish_stdout(void);

/* ---- learn.c ---- */

/* The subcommand; returns the exit code. */
int learn_main(int argc, char **argv);

#endif
