/* The sets of parents that a node may have: see parental.h. */
#include "parental.h"

#include "sorted.h"

static bool next_to_all(const dpc_parental *w, int sibling, const int32_t *set, int size)
{
    for (int i = 0; i < size; i++)
        if (dpc_mixed_lists_mark(w->lists, sibling, set[i]) == DPC_NONE)
            return false;
    return true;
}

/* Does no arrow come into S from another sibling? */
static bool is_upper(const dpc_parental *w, const int32_t *set, int size)
{
    dpc_node_row siblings = dpc_siblings_of(w->lists, w->node);
    for (int i = 0; i < size; i++) {
        dpc_node_row parents = dpc_parents_of(w->lists, set[i]);
        for (int64_t k = 0; k < parents.count; k++)
            if (dpc_place_of(siblings.node, siblings.count, parents.node[k]) >= 0 &&
                dpc_place_of(set, size, parents.node[k]) < 0)
                return false;
    }
    return true;
}

static dpc_status walk_on(const dpc_parental *w, int64_t from, int32_t *set, int size)
{
    dpc_node_row siblings = dpc_siblings_of(w->lists, w->node);
    dpc_status status = DPC_OK;
    if (is_upper(w, set, size))
        status = w->found(w->context, set, size);
    for (int64_t i = from; i < siblings.count && status == DPC_OK; i++) {
        if (!next_to_all(w, siblings.node[i], set, size))
            continue;
        set[size] = siblings.node[i];
        status = w->push(w->context, siblings.node[i]);
        if (status == DPC_OK)
            status = walk_on(w, i + 1, set, size + 1);
        w->pop(w->context);
    }
    return status;
}

dpc_status dpc_parental_walk(const dpc_parental *walk, int32_t *scratch)
{
    return walk_on(walk, 0, scratch, 0);
}
