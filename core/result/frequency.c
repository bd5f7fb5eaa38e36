/* How often each pair is joined in the resamples, and how. */
#include "frequency.h"

#include "alloc.h"
#include "pag_frequency.h"
#include "sorted.h"
#include "status.h"

dpc_status dpc_frequencies_count(dpc_frequencies *f)
{
    DPC_CHECK(dpc_weigh_pairs(&f->graphs->graphs, &f->pairs, &f->n_pairs, &f->total));
    f->resamples = 0;
    for (int64_t i = 0; i < f->graphs->graphs.places; i++)
        f->resamples += dpc_has_graph(&f->graphs->graphs, i);
    if (f->graphs->settings.latent != DPC_HIDDEN_NONE)
        return dpc_weigh_pags(&f->graphs->graphs, f->pairs, f->n_pairs, &f->pags);
    return DPC_OK;
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
    free(f->pags);
    free(f);
}

bool dpc_is_doubtful(const dpc_frequencies *frequencies, int a, int b, dpc_mark mark)
{
    dpc_frequency f = dpc_frequency_of(frequencies, a, b);
    bool along = (mark == DPC_FORWARD) == (a < b); /* it points from the smaller to the larger */
    if (mark != DPC_FORWARD && mark != DPC_BACKWARD)
        return false;
    return along ? f.backward > f.forward : f.forward > f.backward;
}
