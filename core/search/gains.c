/* What single edges of a DAG are worth: see gains.h. */
#include "gains.h"

#include "alloc.h"
#include "sorted.h"

#include <math.h>

dpc_status dpc_dag_score(dpc_scorer *h, const dpc_families *dag, double *score)
{
    double sum = 0;
    for (int v = 0; v < dag->n; v++) {
        const dpc_relatives *pa = &dag->pa[v];
        DPC_CHECK(dpc_family_of(&h->family, v, pa->node, (int)pa->count));
        sum += dpc_scorer_score(h, (int)pa->count);
    }
    *score = sum;
    return DPC_OK;
}

dpc_status dpc_dag_gains(dpc_scorer *h, const dpc_families *dag, double *gains)
{
    for (int v = 0; v < dag->n; v++) {
        const dpc_relatives *pa = &dag->pa[v];
        DPC_CHECK(dpc_family_of(&h->family, v, pa->node, (int)pa->count));
        DPC_CHECK(dpc_scorer_losses(h, pa->node, (int)pa->count, gains));
        gains += pa->count;
    }
    return DPC_OK;
}

/* What u → v adds to the score of the DAG, or would add. */
static dpc_status gain_of(dpc_scorer *h, const dpc_families *dag, int u, int v, double *gain)
{
    const dpc_relatives *pa = &dag->pa[v];
    int count = 0;
    for (int64_t i = 0; i < pa->count; i++)
        if (pa->node[i] != u)
            h->list[count++] = pa->node[i];
    h->list[count] = u;
    DPC_CHECK(dpc_family_start(&h->family, v, h->list, count + 1));
    DPC_CHECK(dpc_family_push_all(&h->family, h->list, count));
    double square = dpc_family_square(&h->family, u);
    *gain = dpc_gain_of(h->scoring, isnan(square) ? 0 : square);
    return DPC_OK;
}

typedef struct comparing {
    dpc_scorer *scorer;
    const dpc_families *dag;
    int32_t *place; /* in an order of the DAG; owned */
    dpc_change *changes;
    int64_t count, capacity;
} comparing;

/* The pair of two edges, one of which may be NULL. */
static dpc_status compare(comparing *c, const dpc_edge *before, const dpc_edge *after)
{
    const dpc_edge *some = before != NULL ? before : after;
    dpc_change change = {
        .a = some->a,
        .b = some->b,
        .kind = before == NULL  ? DPC_EDGE_ADDED
                : after == NULL ? DPC_EDGE_REMOVED
                                : DPC_EDGE_TURNED,
        .before = before != NULL ? before->mark : DPC_NONE,
        .after = after != NULL ? after->mark : DPC_NONE,
    };
    if (change.before == change.after)
        return DPC_OK;
    bool forward = c->place[change.a] < c->place[change.b];
    int from = forward ? change.a : change.b, to = forward ? change.b : change.a;
    dpc_change *changes = dpc_make_room(c->changes, &c->capacity, c->count + 1, sizeof *c->changes);
    if (changes == NULL)
        return DPC_NO_MEMORY;
    c->changes = changes;
    changes[c->count++] = change;
    return gain_of(c->scorer, c->dag, from, to, &changes[c->count - 1].gain);
}

static dpc_status compare_all(comparing *c, const dpc_graph *before, const dpc_graph *after)
{
    dpc_status status = DPC_OK;
    int64_t i = 0, j = 0;
    while (status == DPC_OK && (i < before->n_edges || j < after->n_edges)) {
        const dpc_edge *p = i < before->n_edges ? &before->edges[i] : NULL;
        const dpc_edge *q = j < after->n_edges ? &after->edges[j] : NULL;
        int sign = p == NULL ? 1 : q == NULL ? -1 : dpc_by_pair(p, q);
        status = compare(c, sign <= 0 ? p : NULL, sign >= 0 ? q : NULL);
        i += sign <= 0;
        j += sign >= 0;
    }
    return status;
}

dpc_status dpc_find_changes(dpc_scorer *scorer, dpc_families *dag, const dpc_graph *before,
                            const dpc_graph *after, dpc_change **out, int64_t *count)
{
    int n = dag->n;
    comparing c = {.scorer = scorer, .dag = dag, .place = dpc_alloc(n, sizeof *c.place)};
    int32_t *order = dpc_alloc(n, sizeof *order);
    dpc_status status = order != NULL && c.place != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK) {
        dpc_families_order(dag, order);
        for (int i = 0; i < n; i++)
            c.place[order[i]] = i;
        status = compare_all(&c, before, after);
    }
    free(order);
    free(c.place);
    if (status == DPC_OK) {
        *out = c.changes;
        *count = c.count;
    } else {
        free(c.changes);
    }
    return status;
}
