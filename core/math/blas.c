/*
 * The memory that a BLAS takes for itself: see blas.h.
 *
 * OpenBLAS maps a buffer the first time that a thread calls it while all others are in use, keeps
 * it, and where the system refuses tries again, for ever. So all buffers are mapped beforehand,
 * each after a look whether it can be. Another BLAS has none of this, and nothing is done.
 */
#include "blas.h"

#include "platform.h"
#include "settings.h"
#include "status.h"

#include <stdatomic.h>

/* Not in the headers of OpenBLAS, but in every version of it; NULL in another BLAS. */
__attribute__((weak)) void *blas_memory_alloc(int where);
__attribute__((weak)) void blas_memory_free(void *buffer);

static const size_t BUFFER = ((size_t)128 << 20) + ((size_t)1 << 16); /* and what goes with it */

/*
 * Buffers that are known to be mapped. They belong to the process, not to a call; and once they are
 * there it may be that no other could be mapped.
 */
static atomic_int mapped;

/* All but the first leave as much again to everything else: one thread is better than none. */
static int map_buffers(int wanted)
{
    void *buffers[DPC_MOST_THREADS];
    int count = 0;
    while (count < wanted && dpc_can_map(count == 0 ? BUFFER : 2 * BUFFER) &&
           (buffers[count] = blas_memory_alloc(0)) != NULL)
        count++;
    for (int i = 0; i < count; i++)
        blas_memory_free(buffers[i]);
    return count;
}

dpc_status dpc_blas_ready(dpc_settings *settings, dpc_error *err)
{
    int wanted = dpc_thread_count(settings), known = atomic_load(&mapped);
    if (blas_memory_alloc == NULL || blas_memory_free == NULL || wanted <= known)
        return DPC_OK;
    int count = map_buffers(wanted);
    while (count > known && !atomic_compare_exchange_weak(&mapped, &known, count))
        ;
    count = count > known ? count : known;
    if (count == 0)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "out of memory for the linear algebra, which takes 128 MB for each thread");
    if (count < wanted)
        settings->threads = count;
    return DPC_OK;
}
