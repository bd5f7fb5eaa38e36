/* How often resamples whose graphs are PAGs have each mark, and say what is a cause of what. */
#ifndef DPC_PAG_FREQUENCY_H
#define DPC_PAG_FREQUENCY_H

#include "weighted_graphs.h"

/* One for each pair, in their order. Free with free. DPC_OK or no memory. */
dpc_status dpc_weigh_pags(const dpc_weighted_graphs *all, const dpc_frequency *pairs, int64_t count,
                          dpc_pag_frequency **out);

#endif
