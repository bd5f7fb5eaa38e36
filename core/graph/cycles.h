/* Circles of arrows: which arrows lie in one. */
#ifndef DPC_CYCLES_H
#define DPC_CYCLES_H

#include "mixed.h"

typedef struct dpc_cycles {
    bool *safe;     /* per node: in no circle, nor between two; owned */
    int32_t *left;  /* per node: arrows at its one side, while circles are searched; owned */
    int32_t *stack; /* owned */
} dpc_cycles;

/* End with dpc_cycles_clear, also after a failure. */
dpc_status dpc_cycles_init(int n, dpc_cycles *out);
void dpc_cycles_clear(dpc_cycles *cycles);

/* After it, nodes that are not safe are in circles of the arrows in `end`, by slot, or on a way
 * from one to another. Returns whether there are any. */
bool dpc_cycles_find(dpc_cycles *cycles, const dpc_mixed *arrows, const uint8_t *end);

#endif
