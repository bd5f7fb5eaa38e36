/* How often each pair is joined in the resamples, and how: the weights of the pairs as counts. */
#include "frequency.h"

#include "alloc.h"
#include "sorted.h"

dpc_status dpc_frequencies_count(dpc_frequencies *f)
{
    dpc_pair_weights all;
    if (dpc_weigh_pairs(&f->graphs->graphs, &all) != DPC_OK)
        return DPC_NO_MEMORY;
    f->pairs = dpc_alloc(all.count, sizeof *f->pairs);
    for (int64_t i = 0; i < all.count && f->pairs != NULL; i++) {
        const dpc_pair_weight *w = &all.pairs[i];
        f->pairs[i] = (dpc_frequency){.a = w->a,
                                      .b = w->b,
                                      .edge = (int32_t)w->edge,
                                      .forward = (int32_t)w->forward,
                                      .backward = (int32_t)w->backward,
                                      .undirected = (int32_t)w->undirected};
    }
    f->n_pairs = f->pairs != NULL ? all.count : 0;
    f->resamples = (int)all.total;
    free(all.pairs);
    return f->pairs != NULL ? DPC_OK : DPC_NO_MEMORY;
}

dpc_frequency dpc_frequency_of(const dpc_frequencies *f, int a, int b)
{
    dpc_frequency key = {.a = a < b ? a : b, .b = a < b ? b : a};
    const dpc_frequency *found = NULL;
    if (f->n_pairs > 0)
        found = bsearch(&key, f->pairs, (size_t)f->n_pairs, sizeof key, dpc_by_pair);
    return found != NULL ? *found : key;
}

void dpc_frequencies_free(dpc_frequencies *f)
{
    if (f == NULL)
        return;
    if (f->graphs != NULL) {
        dpc_weighted_graphs_clear(&f->graphs->graphs);
        dpc_labels_clear(&f->graphs->labels);
        dpc_settings_release(&f->graphs->settings);
    }
    free(f->graphs);
    free(f->pairs);
    free(f);
}
