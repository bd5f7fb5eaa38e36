/* The deep edit of all nodes of an order: see deep_edit.h. */
#include "deep_edit.h"

#include "alloc.h"

#include <math.h>

dpc_status dpc_deep_edit_init(dpc_deep_edit *d, dpc_workers *workers, dpc_editor **editors)
{
    int n = workers->scoring->stats.n;
    *d = (dpc_deep_edit){.n = n, .workers = workers, .editors = editors};
    d->edited = dpc_zalloc(n, sizeof *d->edited);
    return editors != NULL && d->edited != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_deep_edit_clear(dpc_deep_edit *d)
{
    for (int v = 0; d->edited != NULL && v < d->n; v++)
        free(d->edited[v].set.node);
    free(d->edited);
    free(d->editors);
    dpc_regressions_clear(&d->regressions);
    *d = (dpc_deep_edit){0};
}

/* The set that an editor has come to, if it is better. */
static dpc_status take(dpc_edited *to, const dpc_editor *e)
{
    if (!(e->score > to->score))
        return DPC_OK;
    to->score = e->score;
    return dpc_relatives_set(&to->set, e->set, e->count);
}

static dpc_status edit_node(dpc_deep_edit *d, int v, dpc_editor *e)
{
    dpc_edited *own = &d->edited[v];
    const dpc_relatives *near = d->regressions.made ? NULL : &d->candidates[v];
    own->score = -INFINITY;
    dpc_edit_among(e, v, d->place, d->place[v], NULL);
    DPC_CHECK(dpc_edit_deeply(e, own->set.node, (int)own->set.count));
    DPC_CHECK(take(own, e));
    dpc_edit_among(e, v, d->place, d->place[v], near);
    DPC_CHECK(dpc_edit_from_all(e, &d->regressions, d->place));
    return take(own, e);
}

static void edit_task(void *context, int64_t v, int worker)
{
    dpc_deep_edit *d = context;
    if (edit_node(d, (int)v, d->editors[worker]) != DPC_OK)
        atomic_store(&d->failed, true);
}

dpc_status dpc_deep_edit_run(dpc_deep_edit *d, const int32_t *order, const int32_t *place,
                             const dpc_relatives *candidates, bool *finished)
{
    const dpc_stats *stats = &d->workers->scoring->stats;
    bool there = dpc_stats_can(stats, DPC_CAN_READ_R) && dpc_stats_can(stats, DPC_ALL_SCALAR);
    double work = 50.0 * d->n * d->n;
    d->place = place;
    d->candidates = candidates;
    if (there && d->regressions.k == NULL)
        DPC_CHECK(dpc_regressions_init(&d->regressions, d->n));
    if (there)
        dpc_regressions_make(&d->regressions, d->workers, order);
    *finished = dpc_crew_run(d->workers->crew, d->n, work, edit_task, d);
    return atomic_load(&d->failed) ? DPC_NO_MEMORY : DPC_OK;
}
