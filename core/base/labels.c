/* Labels: see labels.h. */
#include "labels.h"

#include <stdlib.h>

void dpc_labels_clear(dpc_labels *labels)
{
    free(labels->column);
    free(labels->label);
    *labels = (dpc_labels){0};
}
