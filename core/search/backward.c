/* Backward equivalence search: see backward.h. The search is that of class_search.h. */
#include "backward.h"

#include "class_search.h"

dpc_status dpc_backward(dpc_workers *workers, dpc_families *dag)
{
    dpc_class_searched searched;
    return dpc_class_search(workers, DPC_DELETIONS, dag, &searched);
}
