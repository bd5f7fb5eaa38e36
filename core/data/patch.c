/* R over a few columns: see patch.h. */
#include "patch.h"

#include "alloc.h"

void dpc_patch_clear(dpc_patch *p)
{
    free(p->r);
    free(p->columns);
    free(p->set);
    free(p->room);
    *p = (dpc_patch){0};
}

dpc_status dpc_patch_reserve(dpc_patch *p, const dpc_view *view, int64_t order)
{
    if (view->r != NULL || order <= p->most)
        return DPC_OK;
    int64_t grown = order > p->most + p->most / 4 ? order : p->most + p->most / 4;
    dpc_patch_clear(p);
    p->r = dpc_alloc_aligned(grown * grown);
    p->columns = dpc_alloc(grown, sizeof *p->columns);
    p->set = dpc_alloc(grown, sizeof *p->set);
    p->room = dpc_alloc_aligned(dpc_product_room(grown));
    if (!p->r || !p->columns || !p->set || !p->room) {
        dpc_patch_clear(p);
        return DPC_NO_MEMORY;
    }
    p->most = grown;
    return DPC_OK;
}

dpc_view dpc_patch_over(dpc_patch *p, const dpc_view *view, int32_t *columns, int count)
{
    static const dpc_labels numbers = {0};
    size_t bytes = (size_t)count * sizeof *columns;
    if (view->r != NULL)
        return *view;
    if (count != p->order || memcmp(columns, p->columns, bytes) != 0) {
        p->order = count;
        memcpy(p->columns, columns, bytes);
        dpc_product_square(view->products, columns, count, p->room, p->r);
    }
    for (int i = 0; i < count; i++)
        columns[i] = i;
    return (dpc_view){.r = p->r, .n = count, .n_obs = view->n_obs, .labels = &numbers};
}
