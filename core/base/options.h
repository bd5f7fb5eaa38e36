/*
 * A table of options: what can be set, by which name, to which values, and where the value lies. A
 * row serves whoever reads, checks, prints or explains the option, so that none of them can differ:
 * the library has one table for dpc_settings, the program one for each of its commands.
 *
 * Sentences call an option by its name with `dashes` before it: "--" in the program, "" elsewhere.
 */
#ifndef DPC_OPTIONS_H
#define DPC_OPTIONS_H

#include "dualpc.h"

/* Where a value goes, and with that what its text may be. */
typedef enum dpc_type {
    DPC_TYPE_DOUBLE,
    DPC_TYPE_INT,
    DPC_TYPE_INT64,
    DPC_TYPE_UINT64, /* all of them, without a range: a seed */
    DPC_TYPE_ENUM,   /* the place of a word in its list */
    DPC_TYPE_BOOL,   /* "yes" and "no" */
    DPC_TYPE_TEXT,   /* a const char *, for which the option can be given once */
    DPC_TYPE_OWN,    /* take() knows */
} dpc_type;

/* When JSON tells the value. */
typedef enum dpc_telling {
    DPC_TELL_NEVER, /* it does not change the graph */
    DPC_TELL_ALWAYS,
    DPC_TELL_WHERE_USED, /* by its methods */
    DPC_TELL_CHANGED,    /* where it is not the default */
} dpc_telling;

typedef struct dpc_option_row {
    dpc_option told; /* what everybody may know; first */
    dpc_type type;
    size_t place; /* in the struct that the table is about */
    double other; /* what told.word stands for */
    dpc_telling json;
    bool sized;         /* a number of megabytes, which may end in K, M, G or T */
    char letter;        /* of the program: -o; 0: none */
    const char *absent; /* of the program: what the help says in the place of the default */
    /* of the program: what a DPC_TYPE_ENUM is where no word of its own follows; NULL: one must */
    const char *alone;
    /* DPC_TYPE_OWN: reads into the struct */
    dpc_status (*take)(const char *text, void *into, dpc_error *err);
    /* DPC_TYPE_OWN: the value as text; NULL: it has none */
    void (*print)(const void *from, char text[DPC_OPTION_SIZE]);
} dpc_option_row;

/* Where a value lies: DPC_PLACE(INT, dpc_settings, threads) in a row. */
#define DPC_PLACE(type_, of, member) .type = DPC_TYPE_##type_, .place = offsetof(of, member)

/* The row of a name, where - and _ are the same; NULL: there is none. */
const dpc_option_row *dpc_option_find(const dpc_option_row *rows, int count, const char *name);

enum { DPC_SHOWN_SIZE = 40 };
/* What sentences call an option: --max-order, max-order or -o; returns `shown`. */
const char *dpc_option_shown(const dpc_option_row *row, const char *dashes,
                             char shown[DPC_SHOWN_SIZE]);

/* Reads a text into its place in the struct; DPC_USAGE, and nothing changed, where it is wrong. */
dpc_status dpc_option_take(const dpc_option_row *row, const char *dashes, const char *text,
                           void *into, dpc_error *err);

/* Is what lies there a value that dpc_option_take could have put there? */
dpc_status dpc_option_check(const dpc_option_row *row, const char *dashes, const void *from,
                            dpc_error *err);

/* The value as dpc_option_take takes it; empty where there is none. */
void dpc_option_print(const dpc_option_row *row, const void *from, char text[DPC_OPTION_SIZE]);

/* Words with something between them, as far as there is room. */
void dpc_join_words(const char *const *words, const char *between, char *out, size_t size);

#endif
