/*
 * The whole way of the library: file to files, simulation to files, memory to memory. With each
 * allocation failing in turn, and with every k-th, a run must end in DPC_OK or DPC_NO_MEMORY with
 * its outputs untouched, leave no file half-written or temporary, and give back all memory.
 */
#ifndef DPC_TESTS_WAY_H
#define DPC_TESTS_WAY_H

#include "dualpc_io.h"
#include "simulate.h"

typedef struct setup {
    const char *data; /* in the working folder */
    bool matrix;
    dpc_missing missing;
    dpc_settings settings;
    const char *knowledge;            /* a file with it; NULL: none */
    const dpc_simulation *simulation; /* not NULL: data are drawn, not read */
    dpc_resampling resampling;        /* no resamples: no bootstrap */
    bool advise;                      /* the rows are looked at, and other settings tried */
    bool in_memory;                   /* the data are not read from anywhere, and nothing written */
} setup;

/* Every allocation of it fails once, and some of them again and again. */
void try_all(const setup *s);
/* cmocka's teardown: the outputs go, and the inputs. */
int way_leave(void **state);

#endif
