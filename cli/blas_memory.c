/*
 * The memory that OpenBLAS takes for itself.
 *
 * OpenBLAS maps a buffer the first time that a thread calls it while all others are in use, keeps
 * it, and where the system refuses tries again, for ever. So the program maps all buffers before
 * the work, each after a look whether it can be. Another BLAS has none of this, and nothing is
 * done. The buffers belong to the process; so this is the program's, and not the library's, which
 * leaves the memory of its BLAS to its host.
 */
#include "cli.h"
#include "platform.h"
#include "settings.h"
#include "status.h"

/* Not in the headers of OpenBLAS, but in every version of it; NULL in another BLAS. */
__attribute__((weak)) void *blas_memory_alloc(int where);
__attribute__((weak)) void blas_memory_free(void *buffer);

static const size_t BUFFER = ((size_t)128 << 20) + ((size_t)1 << 16); /* and what goes with it */

/* Buffers that are known to be mapped; once they are there it may be that no other could be. */
static int mapped;

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

dpc_status reserve_blas_memory(int *threads, dpc_error *err)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.threads = *threads;
    int wanted = dpc_thread_count(&settings);
    if (blas_memory_alloc == NULL || blas_memory_free == NULL || wanted <= mapped)
        return DPC_OK;
    int count = map_buffers(wanted);
    mapped = count > mapped ? count : mapped;
    if (mapped == 0)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "out of memory for the linear algebra, which takes 128 MB for each thread");
    if (mapped < wanted)
        *threads = mapped;
    return DPC_OK;
}
