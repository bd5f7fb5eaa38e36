/* What background knowledge says of an order: see precedence.h. */
#include "precedence.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

/* Is every variable in a tier? Those that are not can be in any set: see constraints.h. */
static bool all_tiered(const dpc_constraints *known)
{
    for (int v = 0; v < known->n; v++)
        if (known->member[v] != known->limit[v])
            return false;
    return dpc_has_tiers(known);
}

static void count_tiers(dpc_precedence *p)
{
    const dpc_constraints *known = p->known;
    for (int v = 0; v < known->n; v++)
        p->first[known->member[v] + 1]++;
    for (int t = 0; t < known->n_limits; t++)
        p->first[t + 1] += p->first[t];
}

dpc_status dpc_precedence_init(dpc_precedence *p, int n, const dpc_constraints *known)
{
    *p = (dpc_precedence){.known = known};
    DPC_CHECK(dpc_families_init(&p->required, n));
    DPC_CHECK(dpc_families_require(&p->required, known));
    p->room = dpc_alloc(n, sizeof *p->room);
    if (p->room == NULL)
        return DPC_NO_MEMORY;
    if (known == NULL || !all_tiered(known))
        return DPC_OK;
    p->first = dpc_zalloc((int64_t)known->n_limits + 1, sizeof *p->first);
    if (p->first == NULL)
        return DPC_NO_MEMORY;
    count_tiers(p);
    return DPC_OK;
}

void dpc_precedence_clear(dpc_precedence *p)
{
    dpc_families_clear(&p->required);
    free(p->first);
    free(p->room);
    *p = (dpc_precedence){0};
}

/* The tiers one after the other; within each as it was. */
static void sort_tiers(const dpc_precedence *p, int32_t *order)
{
    const dpc_constraints *known = p->known;
    int at = 0;
    memcpy(p->room, order, (size_t)known->n * sizeof *order);
    for (int t = 0; t < known->n_limits; t++)
        for (int i = 0; i < known->n; i++)
            if (known->member[p->room[i]] == t)
                order[at++] = p->room[i];
}

void dpc_precedence_obey(dpc_precedence *p, int32_t *order)
{
    if (p->known == NULL)
        return;
    if (p->first != NULL)
        sort_tiers(p, order);
    dpc_families_arrange(&p->required, order, p->room);
}

void dpc_precedence_window(const dpc_precedence *p, const int32_t *place, int v, int *low,
                           int *high)
{
    *low = 0;
    *high = p->required.n - 1;
    if (p->known == NULL)
        return;
    if (p->first != NULL) {
        *low = p->first[p->known->member[v]];
        *high = p->first[p->known->member[v] + 1] - 1;
    }
    const dpc_relatives *pa = &p->required.pa[v], *ch = &p->required.ch[v];
    for (int64_t i = 0; i < pa->count; i++) /* all of them stand before v */
        *low = place[pa->node[i]] + 1 > *low ? place[pa->node[i]] + 1 : *low;
    for (int64_t i = 0; i < ch->count; i++) /* and these after it */
        *high = place[ch->node[i]] - 1 < *high ? place[ch->node[i]] - 1 : *high;
}
