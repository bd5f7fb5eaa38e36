/*
 * Allocations and calls of the system that fail on demand. The linker sends the project's own calls
 * through the __wrap functions of failing.c and calls.c; the libraries allocate and write as usual.
 */
#ifndef DPC_TESTS_FAILING_H
#define DPC_TESTS_FAILING_H

#include <stdatomic.h>
#include <stdbool.h>

/* ---- Allocations ---- */

extern atomic_long live; /* allocations of this process that are not yet freed */
extern long fail_at;     /* which one fails; 0: none */
extern bool repeatedly;  /* every fail_at-th one, rather than one */

/* ---- Calls of the system ---- */

typedef enum system_call {
    CALL_WRITE,
    CALL_READ, /* pread too */
    CALL_OPEN, /* openat, opendir and fopen too */
    CALL_CLOSE,
    CALL_SYNC,
    CALL_RENAME,
    CALL_LINK,
    CALL_TRUNCATE,
    CALL_LOCK,
    CALL_POLL,
    CALL_STAT,
    CALL_MKDIR,
    CALL_FORK,
    CALL_WAIT,
    CALL_PIPE, /* socketpair */
    CALL_DUP,
    CALL_THREAD,
    N_CALLS
} system_call;

enum { HALF = -1 }; /* no error: half of what was asked for is done */

/* The one that fails. */
typedef struct broken {
    system_call call;
    long at;         /* which of them; 0: none */
    bool ever_after; /* and all after it */
    int error;       /* errno, or HALF */
} broken;

extern broken system_fails;

/* ---- What was asked for ---- */

typedef struct asked_for {
    atomic_long calls; /* allocations */
    atomic_long seen[N_CALLS];
} asked_for;

extern asked_for *counts;

/* From here on processes that are forked count on where this one is, and it where they are. */
bool count_with_children(void);

#endif
