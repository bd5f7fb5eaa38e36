/*
 * The commands of the program, run whole in a process of their own, with an allocation or a call of
 * the system failing; and what they leave behind.
 */
#ifndef DPC_TESTS_COMMANDS_H
#define DPC_TESTS_COMMANDS_H

#include "failing.h"

/* One command. It runs in an empty folder; its inputs are in the folder above. */
typedef struct scenario {
    const char *line;    /* its words; no word has a blank */
    const char *outputs; /* files that it writes, with blanks between them; NULL: none */
    const char *given;   /* a file that is copied into its folder; NULL: none */
    bool appends;        /* the study: a failed run is gone on with, and its results stay */
    bool slow;           /* it has many allocations, and computes for long */
    bool talks;          /* it says something on standard error though all is well */
    const char *input;   /* what standard input has; NULL: nothing */
} scenario;

extern const scenario SCENARIOS[];
extern const int N_SCENARIOS;

/* What is to fail: an allocation, or a call of the system. */
typedef struct fault {
    long allocation; /* 0: none */
    bool repeatedly;
    broken system; /* .at 0: none */
} fault;

enum { MOST_LEFT = 8192 };

/* How a run ended. */
typedef struct ending {
    int code; /* exit code; -1: ended by a signal */
    int signal;
    long allocations, leaked;
    long seen[N_CALLS];
    char out[MOST_LEFT], err[MOST_LEFT];     /* the beginning of what it printed */
    char before[MOST_LEFT], left[MOST_LEFT]; /* the files there, with a number for their bytes */
} ending;

/* cmocka's setup and teardown: a folder with the inputs, and nothing of it. */
int commands_enter(void **state);
int commands_leave(void **state);

/* From an empty folder, or from one that has something of the name of every output. */
void run_command(const scenario *s, const fault *f, bool old, ending *out);
/* Once more in the folder as it is. */
void run_again(const scenario *s, ending *out);

/* What is not as it must be is told, and is a failure of the test when it asks. */
void expect_no_wrong(void);
/* It is as if nothing had failed. */
void expect_whole(const scenario *s, const ending *e, const ending *whole, const char *what);
/*
 * This exit code, one sentence, all files as they were, and nothing printed, unless it is standard
 * output that could not be written.
 */
void expect_nothing(const scenario *s, const ending *e, int code, const char *what);

#endif
