/* What is known of edges as marks of a PAG: see known_marks.h. */
#include "known_marks.h"

dpc_end dpc_known_end(const dpc_constraints *known, int a, int b)
{
    if (dpc_bit(known->required, known->words, b, a))
        return DPC_END_TAIL;
    return dpc_forced(known, a, b) || dpc_bit(known->required, known->words, a, b) ? DPC_END_ARROW
                                                                                   : DPC_END_CIRCLE;
}

int64_t dpc_know_marks(const dpc_constraints *known, dpc_mixed *graph, dpc_mark_reason *reasons)
{
    const dpc_adjacency *g = graph->graph;
    int64_t written = 0;
    for (int a = 0; known != NULL && a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++) {
            dpc_end end = dpc_known_end(known, a, g->node[e]);
            if (end == DPC_END_CIRCLE || graph->end[e] != DPC_END_CIRCLE)
                continue;
            graph->end[e] = (uint8_t)end;
            written++;
            if (reasons != NULL)
                reasons[e] = (dpc_mark_reason){{-1, -1, -1, -1}, DPC_RULE_OF_KNOWLEDGE};
        }
    return written;
}
