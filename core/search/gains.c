/* What single edges of a DAG are worth: see gains.h. */
#include "gains.h"

#include "alloc.h"
#include "sorted.h"

#include <math.h>

dpc_status dpc_dag_score(dpc_family *h, const dpc_families *dag, double *score)
{
    double sum = 0;
    for (int v = 0; v < dag->n; v++) {
        const dpc_relatives *pa = &dag->pa[v];
        dpc_status status = dpc_family_of(h, v, pa->node, (int)pa->count);
        if (status != DPC_OK)
            return status;
        sum += dpc_family_score(h, (int)pa->count);
    }
    *score = sum;
    return DPC_OK;
}

dpc_status dpc_dag_gains(dpc_family *h, const dpc_families *dag, double *gains)
{
    for (int v = 0; v < dag->n; v++) {
        const dpc_relatives *pa = &dag->pa[v];
        dpc_status status = dpc_family_of(h, v, pa->node, (int)pa->count);
        if (status == DPC_OK)
            status = dpc_family_squares(h);
        if (status != DPC_OK)
            return status;
        for (int64_t i = 0, firm = 0; i < pa->count; i++) {
            bool in = firm < h->size && h->firm[firm] == pa->node[i];
            *gains++ = in ? dpc_likelihood_of(h->scoring, h->square[firm++]) : 0;
        }
    }
    return DPC_OK;
}

/* What u → v adds to the score of the DAG, or would add. */
static dpc_status gain_of(dpc_family *h, const dpc_families *dag, int u, int v, double *gain)
{
    const dpc_relatives *pa = &dag->pa[v];
    int count = 0;
    bool pushed;
    for (int64_t i = 0; i < pa->count; i++)
        if (pa->node[i] != u)
            h->list[count++] = pa->node[i];
    h->list[count] = u;
    dpc_status status = dpc_family_start(h, v, h->list, count + 1);
    for (int i = 0; status == DPC_OK && i < count; i++)
        status = dpc_family_push(h, h->list[i], &pushed);
    if (status != DPC_OK)
        return status;
    double square = dpc_family_square(h, u);
    *gain = (isnan(square) ? 0 : dpc_likelihood_of(h->scoring, square)) - h->scoring->price;
    return DPC_OK;
}

typedef struct comparing {
    dpc_family *family;
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
    return gain_of(c->family, c->dag, from, to, &changes[c->count - 1].gain);
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

dpc_status dpc_find_changes(dpc_family *family, dpc_families *dag, const dpc_graph *before,
                            const dpc_graph *after, dpc_change **out, int64_t *count)
{
    int n = dag->n;
    comparing c = {.family = family, .dag = dag, .place = dpc_alloc(n, sizeof *c.place)};
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
