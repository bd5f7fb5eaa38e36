/* Levels from 1 (sections 4 and 5): the tests of one ordered pair after the other. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* Does T exist? It has to be inverted anew for each pair: this twin keeps nothing. */
static bool neighbourhood_inverse_exists(struct run *run, int x, int y, const int32_t *set, int s)
{
    int32_t index[s + 2];
    index[0] = x;
    index[1] = y;
    memcpy(index + 2, set, (size_t)s * sizeof *index);
    if (run->blocks != NULL)
        return ref_block_inverse_exists(run, index, s + 2);
    return s + 2 < ref_rows(run, x, y, set, s) && ref_inverse_exists(run, index, s + 2);
}

/* The dual PC's tests of (x, y) at a level, given S of size s ≥ level. */
static bool dual_separates(struct run *run, int x, int y, int s, int level,
                           struct reference_sepset *found)
{
    int32_t *set = run->set, position[s + 1], inside[s + 1], outside[s + 1];
    bool invertible = neighbourhood_inverse_exists(run, x, y, set, s);
    if (invertible && ref_enough_samples(run, ref_rows(run, x, y, set, s), s) &&
        ref_test_noted(run, x, y, set, s, DPC_SEP_FULL_S, level, found))
        return true;
    bool left_out =
        ref_too_many_alike(run, x, y, s, level) ||
        (!invertible && s + 2 < ref_rows(run, x, y, set, s) && ref_too_many_large(s, level));
    run->out->left_out += level < s && left_out;
    if (level == s || left_out)
        return false;
    int m = 2 * level <= s ? level : s - level;
    ref_first_subset(position, m);
    do {
        ref_split(set, s, position, m, inside, outside);
        memcpy(run->subset, 2 * level <= s ? inside : outside, (size_t)level * sizeof *set);
        if (2 * level <= s
                ? ref_test(run, x, y, run->subset, level, DPC_SEP_PRIMAL, level, found)
                : ref_test_noted(run, x, y, run->subset, level, DPC_SEP_PRIMAL, level, found))
            return true;
        if (2 * level >= s || !invertible ||
            !ref_enough_samples(run, ref_rows(run, x, y, outside, s - level), s - level))
            continue;
        memcpy(run->subset, outside, (size_t)(s - level) * sizeof *set);
        if (ref_test_noted(run, x, y, run->subset, s - level, DPC_SEP_DUAL, level, found))
            return true;
    } while (ref_next_subset(position, m, s));
    return false;
}

/* Classic PC's tests of (x, y) at a level, given S of size s ≥ level. */
static bool classic_separates(struct run *run, int x, int y, int s, int level,
                              struct reference_sepset *found)
{
    int32_t position[s + 1], outside[s + 1];
    if (ref_too_many_alike(run, x, y, s, level)) {
        run->out->left_out++;
        return false;
    }
    ref_first_subset(position, level);
    do {
        ref_split(run->set, s, position, level, run->subset, outside);
        if (ref_test(run, x, y, run->subset, level, DPC_SEP_PRIMAL, level, found))
            return true;
    } while (ref_next_subset(position, level, s));
    return false;
}

/* S = adj(x) \ {y} in the given graph, into run->set. Returns its size. */
static int neighbours(struct run *run, const unsigned char *graph, int x, int y)
{
    int s = 0;
    for (int v = 0; v < run->n; v++)
        if (graph[(size_t)x * run->n + v] && v != y && ref_usable(run, x, y, v))
            run->set[s++] = v;
    return s;
}

/*
 * All tests of one ordered pair. `graph` gives the neighbours: the graph at the start of the
 * level (stable) or as it is now (standard). Returns whether the pair asks for another level.
 */
static bool visit_pair(struct run *run, const unsigned char *graph, int x, int y, int level)
{
    if (!graph[(size_t)x * run->n + y] || ref_required(run, x, y))
        return false;
    int s = neighbours(run, graph, x, y);
    if (s < level)
        return false;
    bool dual = run->settings->method == DPC_DUAL;
    /* Tests of blocks cost much: the larger end is asked only where the smaller found nothing. */
    if (run->blocks != NULL && run->settings->rule == DPC_RULE_OR && x > y && !*ref_cell(run, x, y))
        return dual ? level < s - 1 : level < s;
    struct reference_sepset found;
    ref_look_back(run, x, y, s);
    bool separated = dual ? dual_separates(run, x, y, s, level, &found)
                          : classic_separates(run, x, y, s, level, &found);
    if (separated && run->settings->rule == DPC_RULE_AND) {
        *ref_cell(run, x, y) = 0;
        ref_record_at(run->out, x, y, &found);
    } else if (separated) {
        /* Within a level of the stable variant, the set found from the smaller index is kept. */
        if (*ref_cell(run, x, y))
            ref_record(run, x, y, &found);
        ref_delete_edge(run, x, y);
    }
    return dual ? level < s - 1 : level < s;
}

bool ref_level(struct run *run, int level)
{
    int n = run->n;
    const dpc_settings *settings = run->settings;
    bool by_column = settings->variant == DPC_STANDARD && settings->method == DPC_DUAL;
    unsigned char *start = ref_zeroed((size_t)n * n, 1);
    memcpy(start, run->adjacency, (size_t)n * n);
    bool more = false;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int x = by_column ? j : i, y = by_column ? i : j;
            more |= visit_pair(run, settings->variant == DPC_STABLE ? start : run->adjacency, x, y,
                               level);
        }
    }
    free(start);
    return more;
}
