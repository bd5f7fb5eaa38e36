/* A DAG to be changed edge by edge: see families.h. */
#include "families.h"

#include "alloc.h"
#include "graph.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

dpc_status dpc_families_init(dpc_families *f, int n)
{
    *f = (dpc_families){.n = n};
    f->pa = dpc_zalloc(n, sizeof *f->pa);
    f->ch = dpc_zalloc(n, sizeof *f->ch);
    f->queue = dpc_alloc(n, sizeof *f->queue);
    f->left = dpc_zalloc(n, sizeof *f->left);
    return f->pa && f->ch && f->queue && f->left ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_families_clear(dpc_families *f)
{
    for (int v = 0; v < f->n; v++) {
        if (f->pa != NULL)
            free(f->pa[v].node);
        if (f->ch != NULL)
            free(f->ch[v].node);
    }
    free(f->pa);
    free(f->ch);
    free(f->queue);
    free(f->left);
    *f = (dpc_families){0};
}

/* ---- Edges ---- */

static dpc_status make_room(dpc_relatives *relatives, int64_t wanted)
{
    if (wanted <= relatives->capacity)
        return DPC_OK;
    int32_t *node =
        dpc_make_little_room(relatives->node, &relatives->capacity, wanted, sizeof *node);
    if (node == NULL)
        return DPC_NO_MEMORY;
    relatives->node = node;
    return DPC_OK;
}

static void insert(dpc_relatives *relatives, int v)
{
    int64_t place = dpc_place_for(relatives->node, relatives->count, v);
    memmove(relatives->node + place + 1, relatives->node + place,
            (size_t)(relatives->count - place) * sizeof v);
    relatives->node[place] = v;
    relatives->count++;
}

static void withdraw(dpc_relatives *relatives, int v)
{
    int64_t place = dpc_place_for(relatives->node, relatives->count, v);
    relatives->count--;
    memmove(relatives->node + place, relatives->node + place + 1,
            (size_t)(relatives->count - place) * sizeof v);
}

dpc_status dpc_families_add(dpc_families *f, int from, int to)
{
    dpc_relatives *pa = &f->pa[to], *ch = &f->ch[from];
    if (make_room(pa, pa->count + 1) != DPC_OK || make_room(ch, ch->count + 1) != DPC_OK)
        return DPC_NO_MEMORY;
    insert(pa, from);
    insert(ch, to);
    return DPC_OK;
}

void dpc_families_remove(dpc_families *f, int from, int to)
{
    withdraw(&f->pa[to], from);
    withdraw(&f->ch[from], to);
}

bool dpc_families_joined(const dpc_families *f, int from, int to)
{
    return dpc_place_of(f->pa[to].node, f->pa[to].count, from) >= 0;
}

/* From the end back, along parents. */
bool dpc_families_leads(dpc_families *f, int from, int to)
{
    int head = 0, tail = 0;
    bool found = false;
    f->queue[tail++] = to;
    f->left[to] = 1;
    for (; head < tail && !found; head++) {
        int v = f->queue[head];
        for (int64_t i = 0; i < f->pa[v].count && !found; i++) {
            int u = f->pa[v].node[i];
            found = u == from && v != to;
            if (u == from || f->left[u] != 0)
                continue;
            f->left[u] = 1;
            f->queue[tail++] = u;
        }
    }
    for (int i = 0; i < tail; i++)
        f->left[f->queue[i]] = 0;
    return found;
}

void dpc_families_empty(dpc_families *f)
{
    for (int v = 0; v < f->n; v++)
        f->pa[v].count = f->ch[v].count = 0;
}

static dpc_status copy_kin(dpc_relatives *to, const dpc_relatives *from)
{
    if (make_room(to, from->count) != DPC_OK)
        return DPC_NO_MEMORY;
    if (from->count > 0)
        memcpy(to->node, from->node, (size_t)from->count * sizeof *from->node);
    to->count = from->count;
    return DPC_OK;
}

dpc_status dpc_families_copy(dpc_families *to, const dpc_families *from)
{
    for (int v = 0; v < from->n; v++)
        if (copy_kin(&to->pa[v], &from->pa[v]) != DPC_OK ||
            copy_kin(&to->ch[v], &from->ch[v]) != DPC_OK)
            return DPC_NO_MEMORY;
    return DPC_OK;
}

/* ---- From and to graphs ---- */

dpc_status dpc_families_read(dpc_families *f, const dpc_graph *dag)
{
    dpc_status status = DPC_OK;
    for (int64_t i = 0; status == DPC_OK && i < dag->n_edges; i++) {
        const dpc_edge *e = &dag->edges[i];
        bool forward = e->mark == DPC_FORWARD;
        status = dpc_families_add(f, forward ? e->a : e->b, forward ? e->b : e->a);
    }
    return status;
}

static dpc_node_row children_of(const void *context, int v)
{
    const dpc_families *f = context;
    return (dpc_node_row){f->ch[v].node, f->ch[v].count};
}

void dpc_families_order(dpc_families *f, int32_t *order)
{
    dpc_topological_order(f->n, children_of, f, f->left, order);
}

dpc_status dpc_families_graph(const dpc_families *f, dpc_graph *out, dpc_error *err)
{
    int64_t edges = dpc_families_edges(f), count = 0;
    dpc_edge *list = dpc_alloc(edges, sizeof *list);
    if (list == NULL)
        return dpc_fail_memory(err, "the edges of a DAG");
    for (int v = 0; v < f->n; v++) { /* with the larger ones: both lists are ascending */
        const dpc_relatives *pa = &f->pa[v], *ch = &f->ch[v];
        int64_t i = dpc_place_for(pa->node, pa->count, v),
                k = dpc_place_for(ch->node, ch->count, v);
        while (i < pa->count || k < ch->count) {
            bool parent = k == ch->count || (i < pa->count && pa->node[i] < ch->node[k]);
            list[count++] = parent ? (dpc_edge){v, pa->node[i++], DPC_BACKWARD}
                                   : (dpc_edge){v, ch->node[k++], DPC_FORWARD};
        }
    }
    *out = (dpc_graph){f->n, edges, list};
    return DPC_OK;
}

dpc_status dpc_families_class(const dpc_families *f, dpc_graph *out, dpc_error *err)
{
    dpc_graph dag = {0};
    DPC_CHECK(dpc_families_graph(f, &dag, err));
    dpc_status status = dpc_class_graph(&dag, DPC_CPDAG, NULL, out, err);
    dpc_graph_clear(&dag);
    return status;
}
