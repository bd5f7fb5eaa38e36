/* The terms of causes and outcomes: see terms.h. */
#include "terms.h"

#include "alloc.h"

void dpc_terms_clear(dpc_terms *t)
{
    free(t->variable);
    free(t->column);
    free(t->level);
    *t = (dpc_terms){0};
}

/* Where `to` has room, adds them; how many there are. */
static int terms_of(const dpc_coding *d, int v, bool cause, dpc_terms *to)
{
    int count = 0, first = d != NULL ? d->first[v] : v, end = d != NULL ? d->first[v + 1] : v + 1;
    bool nominal = dpc_is_nominal(d, v);
    if (d != NULL && d->base[v] == DPC_BASE_BLOCK)
        return 0;
    for (int c = first; c < end; c++) {
        if (nominal && cause && c - first == d->base[v])
            continue;
        count++;
        if (to == NULL)
            continue;
        to->variable[to->count] = v;
        to->column[to->count] = c;
        to->level[to->count++] = nominal ? c - first : -1;
    }
    return count;
}

dpc_status dpc_terms_make(const dpc_coding *coding, const int32_t *variables, int count,
                          bool causes, dpc_terms *out)
{
    int64_t all = 0;
    *out = (dpc_terms){0};
    for (int i = 0; i < count; i++)
        all += terms_of(coding, variables != NULL ? variables[i] : i, causes, NULL);
    out->variable = dpc_alloc(all, sizeof *out->variable);
    out->column = dpc_alloc(all, sizeof *out->column);
    out->level = dpc_alloc(all, sizeof *out->level);
    if (!out->variable || !out->column || !out->level)
        return DPC_NO_MEMORY;
    for (int i = 0; i < count; i++)
        terms_of(coding, variables != NULL ? variables[i] : i, causes, out);
    return DPC_OK;
}
