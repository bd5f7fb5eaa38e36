/* Circles of arrows: which arrows lie in one. */
#ifndef DPC_CYCLES_H
#define DPC_CYCLES_H

#include "arena.h"
#include "mixed.h"

typedef struct dpc_cycles {
    bool *safe;     /* per node: in no circle, nor between two */
    int32_t *left;  /* per node: arrows at its one side, while circles are searched */
    int32_t *stack; /* n */
} dpc_cycles;

/* Its arrays are those of the arena. DPC_OK or no memory. */
dpc_status dpc_cycles_init(int n, dpc_arena *arena, dpc_cycles *out);

/* After it, nodes that are not safe are in circles of the arrows in `end`, by slot, or on a way
 * from one to another. Returns whether there are any. */
bool dpc_cycles_find(dpc_cycles *cycles, const dpc_mixed *arrows, const uint8_t *end);

#endif
