/* A ranks whose ranks are threads of this process: to test what is shared without MPI. */
#ifndef MATES_H
#define MATES_H

#include "ranks.h"

/*
 * Runs `run` on so many ranks at once, each with several ranks of its own, and waits for all. Every
 * list is shared, however short, and dealt out in runs of odd lengths. `run` returns the status of
 * its rank, which the others hear of.
 */
void as_team(int ranks, dpc_status (*run)(const dpc_ranks *ranks, void *context), void *context);

#endif
