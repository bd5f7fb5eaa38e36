/*
 * dualpc-mpi: the command line program on all ranks of an MPI run.
 *
 * All ranks run the same command. Rank 0 reads, writes and prints; the others help where the
 * library or the study has work for several ranks, and have nothing to do otherwise.
 */
#include "mpi_ranks.h"

#include "cli.h"
#include "platform.h"
#include "status.h"

#include <stdlib.h>
#include <unistd.h>

/* Threads of a rank by default: the processors of its machine, shared with its neighbours. */
static void offer_threads(const ranks *r)
{
    char text[16];
    long offered = dpc_threads_offered();
    long share = sysconf(_SC_NPROCESSORS_ONLN) / r->ranks.neighbours;
    if (getenv("OMP_NUM_THREADS") != NULL)
        return;
    snprintf(text, sizeof text, "%ld", share < 1 ? 1 : share < offered ? share : offered);
    setenv("OMP_NUM_THREADS", text, 1);
}

/* Where one rank has died the others would wait for it; mpirun ends all as soon as one goes. */
static void leave(const ranks *r)
{
    if (r->ranks.rank == 0)
        fputs(ENDED_FROM_OUTSIDE, stderr);
    fflush(NULL);
    _exit(DPC_INTERRUPTED);
}

/* All ranks meet here, and rank 0 prints a failure of another one that is not known yet. */
static int meet(ranks *r, int code)
{
    dpc_exchange e = {.status = (dpc_status)code};
    dpc_error err = {0};
    if (r->ranks.rank != 0)
        hush_last(err.message, sizeof err.message);
    dpc_status status = r->ranks.exchange(r, &e, &err);
    dpc_exchange_clear(&e);
    if (status != DPC_OK && code == DPC_OK && r->ranks.rank == 0)
        fprintf(stderr, "dualpc: %s\n", err.message);
    if (status != DPC_OK && r->failed != 0 && r->ranks.rank == 0)
        fprintf(stderr, "dualpc: that was rank %d\n", r->failed);
    return r->ranks.rank != 0 ? DPC_OK : code != DPC_OK ? code : (int)status;
}

int main(int argc, char **argv)
{
    ranks r;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    ranks_open(&r);
    if (provided < MPI_THREAD_SERIALIZED)
        ranks_abort(&r, "this MPI cannot be used from several threads");
    if (r.ranks.rank != 0)
        hush();
    offer_threads(&r);
    const other_ranks all = {&r.ranks, share_table, share_knowledge};
    int code = program_run(argc, argv, r.ranks.ranks > 1 ? &all : NULL);
    if (code == DPC_INTERRUPTED && r.ranks.ranks > 1)
        leave(&r);
    code = meet(&r, code);
    ranks_close(&r);
    MPI_Finalize();
    return code;
}
