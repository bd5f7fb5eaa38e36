/*
 * Which neighbours a node had at a given moment of the search.
 *
 * The stable variant keeps the lists of every level. The standard one keeps who was dropped when: a
 * record names the level and the end that found the set, so the visit, and the visits of a level
 * have a fixed order. With the OR rule a visit drops the pair from both lists; with the AND rule
 * from that of the visiting end, and the second drop of a pair, which has no record, is noted
 * beside the records. So the list at any visit is what was there after level 0, that is all pairs
 * with an edge or a record now, without those dropped before. Background knowledge may have taken
 * away edges after the last level: these were listed to the end.
 */
#include "replay.h"

#include <string.h>

/* A visit of a level in the order of the visits. */
static int64_t turn(const dpc_replay *p, int x, int y)
{
    int64_t n = p->sets->n;
    return p->problem.settings->method == DPC_DUAL ? y * n + x : x * n + y;
}

/* Has `node` lost v before the turn `now` of the level? `found` is what is known of the pair. */
static bool lost(const dpc_replay *p, int node, int v, const dpc_separation *found, int level,
                 int64_t now)
{
    if (found->record == NULL)
        return false;
    int from = dpc_record_from(found->record), when = found->batch->level;
    int other = from == node ? v : node;
    if (p->problem.settings->rule == DPC_RULE_AND && from != node) {
        from = node;
        other = v;
        when = dpc_sepsets_dropped(p->sets, node, v);
        if (when == 0)
            return false;
    }
    return when < level || (when == level && turn(p, from, other) < now);
}

static bool joined_now(const dpc_replay *p, int a, int b)
{
    const dpc_labels *labels = &p->sets->labels;
    return dpc_graph_mark(dpc_result_tested(p->result), dpc_column_of(labels, a),
                          dpc_column_of(labels, b)) != DPC_NONE;
}

/* What `node` listed when x was about to visit y, in the standard variant. */
static int list_by_records(const dpc_replay *p, int node, int x, int y, int level, int32_t *list)
{
    int64_t now = turn(p, x, y);
    int count = 0;
    for (int v = 0; v < p->sets->n; v++) {
        if (v == node)
            continue;
        dpc_separation found = dpc_sepsets_find(p->sets, node, v);
        if ((found.record != NULL || joined_now(p, node, v) ||
             dpc_was_broken(p->problem.known, node, v)) &&
            !lost(p, node, v, &found, level, now))
            list[count++] = v;
    }
    return count;
}

int dpc_replay_list(const dpc_replay *p, int node, int x, int y, int level, int32_t *list)
{
    const dpc_constraints *known = p->problem.known;
    const dpc_adjacency *kept = p->sets->batches[level - 1].graph; /* each level after 0 has one */
    int n = p->sets->n, count;
    if (kept != NULL) {
        count = dpc_degree(kept, node);
        memcpy(list, dpc_neighbours(kept, node), (size_t)count * sizeof *list);
    } else {
        count = list_by_records(p, node, x, y, level, list);
    }
    dpc_part part = dpc_part_of(known, dpc_limit(known, x, y), list, count, list + n);
    memmove(list, part.node, (size_t)part.size * sizeof *list);
    return part.size;
}
