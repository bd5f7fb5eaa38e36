/* Tiles of a matrix, exchanged between ranks: see shared_tiles.h. */
#include "shared_tiles.h"

#include "alloc.h"
#include "tiles.h"

#include <string.h>

/* Copies a tile out of R, or back into it; returns its size. `bytes` NULL: only that. */
static int64_t copy_tile(const dpc_shared_tiles *t, int64_t task, char *bytes, bool back)
{
    int64_t n = t->n_vars, chunk = task % t->chunks;
    dpc_tile tile = dpc_tile_of(task / t->chunks, t->n_vars, t->tile);
    double *r =
        (chunk == 0 ? t->first : t->others + (chunk - 1) * n * n) + tile.left * n + tile.top;
    size_t size = (size_t)tile.height * sizeof *r;
    for (int k = 0; k < tile.width && bytes != NULL; k++, r += n, bytes += size)
        memcpy(back ? (void *)r : bytes, back ? bytes : (void *)r, size);
    return tile.width * (int64_t)size;
}

/* The tiles of this rank, each after its number; returns how many bytes. */
static int64_t pack(const dpc_shared_tiles *t, char *to)
{
    int64_t size = 0;
    for (int64_t task = 0; task < t->tasks; task++)
        if (t->mine[task]) {
            if (to != NULL)
                memcpy(to + size, &task, sizeof task);
            size += (int64_t)sizeof task;
            size += copy_tile(t, task, to != NULL ? to + size : NULL, false);
        }
    return size;
}

static void unpack(const dpc_shared_tiles *t, char *from, const char *end)
{
    for (int64_t task; from < end; from += copy_tile(t, task, from, true)) {
        memcpy(&task, from, sizeof task);
        from += sizeof task;
    }
}

static dpc_status exchange(const dpc_shared_tiles *t, bool done, dpc_crew *crew)
{
    const dpc_ranks *ranks = crew->settings->ranks;
    int64_t size = pack(t, NULL);
    char *mine = dpc_alloc(size, 1);
    dpc_exchange e = {.mine = mine, .size = size};
    e.status = !done ? DPC_INTERRUPTED : mine == NULL ? DPC_NO_MEMORY : DPC_OK;
    if (mine != NULL)
        pack(t, mine);
    dpc_status status = dpc_crew_exchange(crew, &e, NULL);
    for (int rank = 0; rank < ranks->ranks && status == DPC_OK; rank++)
        if (rank != ranks->rank)
            unpack(t, e.all + e.at[rank], e.all + e.at[rank + 1]);
    free(mine);
    dpc_exchange_clear(&e);
    return status;
}

dpc_status dpc_make_shared_tiles(const dpc_shared_tiles *t, const dpc_list *list, dpc_crew *crew)
{
    bool done = dpc_crew_run_shared(crew, list);
    if (dpc_crew_shares(crew, list->work))
        return exchange(t, done, crew);
    return done ? DPC_OK : DPC_INTERRUPTED;
}
