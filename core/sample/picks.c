/* Picks by weights in constant time: see picks.h. */
#include "picks.h"

dpc_status dpc_picks_init(dpc_picks *picks, dpc_arena *arena, int32_t count)
{
    *picks = (dpc_picks){count, dpc_arena_alloc(arena, count, sizeof *picks->pick)};
    return picks->pick != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_picks_fill(dpc_picks *picks, double *weight, int32_t *room)
{
    int32_t count = picks->count, small = 0, large = count;
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += weight[i];
    for (int32_t i = 0; i < count; i++) {
        weight[i] *= count / sum;
        room[weight[i] < 1 ? small++ : --large] = i;
    }
    /* those below the mean in room[0 … small-1], the others in room[large … count-1] */
    while (small > 0 && large < count) {
        int32_t less = room[--small], more = room[large];
        picks->pick[less] = (dpc_pick){(uint32_t)(weight[less] * 0x1p32), more};
        weight[more] -= 1 - weight[less];
        if (weight[more] < 1) {
            large++;
            room[small++] = more;
        }
    }
    while (small > 0 || large < count) { /* all of their place, but for rounding */
        int32_t i = small > 0 ? room[--small] : room[large++];
        picks->pick[i] = (dpc_pick){UINT32_MAX, i};
    }
}
