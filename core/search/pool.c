/* Parent sets that were found by other means than growing: see pool.h. */
#include "pool.h"

#include "alloc.h"

#include <string.h>

enum { MOST_SETS = 12 }; /* of a node: one that fits is nearly always among the first two */

dpc_status dpc_pool_init(dpc_pool *p, int n)
{
    *p = (dpc_pool){.n = n, .best = dpc_alloc(n, sizeof *p->best)};
    if (p->best == NULL)
        return DPC_NO_MEMORY;
    dpc_pool_empty(p);
    return DPC_OK;
}

void dpc_pool_clear(dpc_pool *p)
{
    free(p->best);
    free(p->set);
    free(p->member);
    *p = (dpc_pool){0};
}

void dpc_pool_empty(dpc_pool *p)
{
    for (int v = 0; v < p->n; v++)
        p->best[v] = -1;
    p->sets = p->members = 0;
}

static dpc_status reserve(dpc_pool *p, int64_t sets, int64_t members)
{
    dpc_pooled *set = dpc_make_room(p->set, &p->set_capacity, sets, sizeof *set);
    p->set = set != NULL ? set : p->set;
    int32_t *member = dpc_make_room(p->member, &p->member_capacity, members, sizeof *member);
    p->member = member != NULL ? member : p->member;
    return set != NULL && member != NULL ? DPC_OK : DPC_NO_MEMORY;
}

dpc_status dpc_pool_copy(dpc_pool *to, const dpc_pool *from)
{
    memcpy(to->best, from->best, (size_t)from->n * sizeof *to->best);
    to->sets = from->sets;
    to->members = from->members;
    if (from->sets == 0)
        return DPC_OK;
    dpc_status status = reserve(to, from->sets, from->members);
    if (status != DPC_OK) {
        dpc_pool_empty(to);
        return status;
    }
    memcpy(to->set, from->set, (size_t)from->sets * sizeof *to->set);
    if (from->members > 0)
        memcpy(to->member, from->member, (size_t)from->members * sizeof *to->member);
    return DPC_OK;
}

static bool is_same(const dpc_pool *p, const dpc_pooled *set, const int32_t *members, int count)
{
    return set->count == count && (count == 0 || memcmp(dpc_pooled_members(p, set), members,
                                                        (size_t)count * sizeof *members) == 0);
}

/* Those behind the last that a node may have are forgotten. */
static void cut(dpc_pool *p, int v)
{
    int32_t *link = &p->best[v];
    for (int i = 0; i < MOST_SETS && *link >= 0; i++)
        link = &p->set[*link].next;
    *link = -1;
}

dpc_status dpc_pool_add(dpc_pool *p, int v, const int32_t *members, int count, double score)
{
    for (int32_t i = p->best[v]; i >= 0; i = p->set[i].next)
        if (is_same(p, &p->set[i], members, count))
            return DPC_OK;
    if (reserve(p, p->sets + 1, p->members + count + 1) != DPC_OK)
        return DPC_NO_MEMORY;
    int32_t *link = &p->best[v], made = (int32_t)p->sets++;
    while (*link >= 0 && p->set[*link].score >= score)
        link = &p->set[*link].next;
    p->set[made] = (dpc_pooled){score, p->members, count, *link};
    *link = made;
    if (count > 0)
        memcpy(p->member + p->members, members, (size_t)count * sizeof *members);
    p->members += count;
    cut(p, v);
    return DPC_OK;
}
