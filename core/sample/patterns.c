/*
 * The DAGs on up to four nodes: see patterns.h.
 *
 * The class of a choice for the nodes a, b of a pair: the nodes of the other pair that lead to a,
 * directly or through b, as bits 0 and 1, and those that lead to b as bits 2 and 3. Together two
 * choices are a DAG if no node of the one pair leads to one of the other that leads to it, and
 * there is no circle through all four.
 */
#include "patterns.h"

#include <stdbool.h>
#include <string.h>

/* The nodes of the other pair that lead to a node with parents `own`, whose mate has `mates`. */
static unsigned leading(unsigned own, unsigned mates, int mate, int pair)
{
    unsigned all = own | ((own >> mate & 1) != 0 ? mates : 0);
    return (pair == 0 ? all >> 2 : all) & 3;
}

/* -1: the two are parents of each other. */
static int class_of(dpc_choice c, int pair)
{
    int a = 2 * pair, b = a + 1;
    if ((c.first >> b & 1) != 0 && (c.second >> a & 1) != 0)
        return -1;
    return (int)(leading(c.first, c.second, b, pair) | leading(c.second, c.first, a, pair) << 2);
}

/* May a node have these parents in a block of so many? */
static bool is_possible(unsigned parents, int node, int size)
{
    return node < size ? (parents >> node & 1) == 0 && parents < 1U << size : parents == 0;
}

static void fill_choices(dpc_choices *choices, int pair, int size)
{
    int count = 0;
    for (int class = 0; class < DPC_CLASSES; class ++) {
        choices->start[class] = (uint8_t)count;
        for (unsigned first = 0; first < 1 << DPC_BLOCK_NODES; first++)
            for (unsigned second = 0; second < 1 << DPC_BLOCK_NODES; second++) {
                dpc_choice c = {(uint8_t)first, (uint8_t)second};
                if (is_possible(first, 2 * pair, size) && is_possible(second, 2 * pair + 1, size) &&
                    class_of(c, pair) == class)
                    choices->choice[count++] = c;
            }
    }
    choices->start[DPC_CLASSES] = (uint8_t)count;
}

/* Does node u of pair 1 lead to node v of pair 0; does v lead to u? */
static bool leads_to_first(int class, int v, int u)
{
    return (class >> (2 * v + u) & 1) != 0;
}

static bool leads_to_second(int class, int v, int u)
{
    return (class >> (2 * u + v) & 1) != 0;
}

static bool go_together(int one, int two)
{
    for (int v = 0; v < 2; v++)
        for (int u = 0; u < 2; u++)
            if (leads_to_first(one, v, u) && leads_to_second(two, v, u))
                return false;
    for (int u = 0; u < 2; u++) /* u → 0 → the other of pair 1 → 1 → u */
        if (leads_to_first(one, 0, u) && leads_to_second(two, 0, 1 - u) &&
            leads_to_first(one, 1, 1 - u) && leads_to_second(two, 1, u))
            return false;
    return true;
}

static void fill_pattern(dpc_pattern *p, int size)
{
    for (int pair = 0; pair < 2; pair++)
        fill_choices(&p->pair[pair], pair, size);
    for (int one = 0; one < DPC_CLASSES; one++)
        for (int two = 0; two < DPC_CLASSES; two++)
            if (p->pair[0].start[one] < p->pair[0].start[one + 1] &&
                p->pair[1].start[two] < p->pair[1].start[two + 1] && go_together(one, two))
                p->joint[p->joints++] = (dpc_joint){{(uint8_t)one, (uint8_t)two}};
}

void dpc_patterns_init(dpc_patterns *patterns)
{
    memset(patterns, 0, sizeof *patterns);
    for (int size = 2; size <= DPC_BLOCK_NODES; size++)
        fill_pattern(&patterns->of[size], size);
}
