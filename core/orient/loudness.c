/* L of a test of blocks: see loudness.h. */
#include "loudness.h"

#include "alloc.h"

#include <math.h>

dpc_status dpc_loudness_init(const dpc_unoriented *task, dpc_loudness *out)
{
    const dpc_view *view = task->view;
    int64_t n = view->blocks->n;
    *out = (dpc_loudness){.task = task, .direct = {.view = view}};
    out->first = dpc_alloc(n + 1, sizeof *out->first);
    out->variable = dpc_alloc(n, sizeof *out->variable);
    if (out->first == NULL || out->variable == NULL)
        return DPC_NO_MEMORY;
    out->first[0] = 0;
    for (int v = 0; v < n; v++)
        out->first[v + 1] =
            out->first[v] + dpc_block_width(view->blocks, dpc_column_of(view->labels, v));
    return DPC_OK;
}

void dpc_loudness_clear(dpc_loudness *l)
{
    dpc_direct_clear(&l->direct);
    free(l->first);
    free(l->variable);
    free(l->w);
    *l = (dpc_loudness){0};
}

bool dpc_loudness_counts(dpc_loudness *l, int x, int z, const int32_t *set, int k)
{
    const dpc_view *view = l->task->view;
    if (view->blocks->codes == NULL)
        return false;
    dpc_columns_of(view, set, k, l->variable);
    return dpc_g2_applies(view->blocks, dpc_column_of(view->labels, x),
                          dpc_column_of(view->labels, z), l->variable, k);
}

dpc_status dpc_loudness_given(dpc_loudness *l, int x, int z, const int32_t *set, int k, bool counts,
                              double *out, double *p)
{
    const dpc_view *view = l->task->view;
    dpc_block_answer answer;
    dpc_columns_of(view, set, k, l->variable);
    x = dpc_column_of(view->labels, x);
    z = dpc_column_of(view->labels, z);
    DPC_CHECK(counts ? dpc_direct_primal(&l->direct, x, z, l->variable, k, &answer)
                     : dpc_direct_blocks(&l->direct, x, z, l->variable, k, 0, &answer));
    *out = log1p(answer.z);
    if (p != NULL)
        *p = answer.p;
    return DPC_OK;
}

/* P over the columns of some labels, one after the other; returns how many columns. */
static int gather(const dpc_loudness *l, const int *label, int count, double *to)
{
    const double *p = l->task->sepsets->precision;
    int64_t m = l->first[l->task->view->blocks->n];
    int order = 0, i = 0;
    for (int a = 0; a < count; a++)
        order += l->first[label[a] + 1] - l->first[label[a]];
    for (int a = 0; a < count; a++)
        for (int c = l->first[label[a]]; c < l->first[label[a] + 1]; c++, i++)
            for (int b = 0, j = 0; b < count; b++)
                for (int d = l->first[label[b]]; d < l->first[label[b] + 1]; d++, j++)
                    to[i * order + j] = p[c * m + d];
    return order;
}

/* Eliminates the last `count` columns; what is left goes to the front. */
static bool eliminate(double *a, int order, int count)
{
    for (int k = order - 1; k >= order - count; k--) {
        double pivot = a[k * order + k];
        if (!(pivot >= 1e-8))
            return false;
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++)
                a[i * order + j] -= a[i * order + k] * a[k * order + j] / pivot;
    }
    int left = order - count;
    for (int i = 0; i < left; i++)
        for (int j = 0; j < left; j++)
            a[i * left + j] = a[i * order + j];
    return true;
}

dpc_status dpc_loudness_of_rest(dpc_loudness *l, int x, int z, int y, double *out)
{
    const dpc_view *view = l->task->view;
    const dpc_blocks *b = view->blocks;
    int label[] = {x, z, y}, count, members = y >= 0 ? 3 : 2;
    int p = l->first[x + 1] - l->first[x], q = l->first[z + 1] - l->first[z];
    int last = y >= 0 ? l->first[y + 1] - l->first[y] : 0;
    int64_t order = (int64_t)p + q + last, given = l->first[b->n] - order;
    dpc_wilks part[2];
    *out = NAN;
    if (l->task->sepsets->precision == NULL)
        return DPC_OK;
    double *w = dpc_make_room(l->w, &l->room, 3 * order * order, sizeof *w);
    if (w == NULL)
        return DPC_NO_MEMORY;
    l->w = w;
    int lead_x = dpc_lead_of(b, dpc_column_of(view->labels, x));
    int lead_z = dpc_lead_of(b, dpc_column_of(view->labels, z));
    if (!eliminate(w, gather(l, label, members, w), last) ||
        ((lead_x < p || lead_z < q) && !dpc_block_inverse(w, p + q)))
        return DPC_OK;
    dpc_wilks_from(w, p, q, lead_x, lead_z, given, w + (p + q) * (p + q), part, &count);
    *out = log1p(dpc_answer_of(part, count, view->n_obs, 0).z);
    return DPC_OK;
}
