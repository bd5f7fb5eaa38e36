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

/* Is node l among these others of node k? */
static bool has(unsigned others, int k, int l)
{
    return (others >> dpc_other_of(k, l) & 1) != 0;
}

/* The nodes of the other pair that lead to node k, directly or through its mate. */
static unsigned leading(int k, unsigned own, int mate, unsigned mates)
{
    int other = k < 2 ? 2 : 0;
    unsigned set = 0;
    for (int i = 0; i < 2; i++)
        if (has(own, k, other + i) || (has(own, k, mate) && has(mates, mate, other + i)))
            set |= 1U << i;
    return set;
}

/* -1: the two are parents of each other. */
static int class_of(dpc_pair_choice c, int pair)
{
    int a = 2 * pair, b = a + 1;
    if (has(c.first, a, b) && has(c.second, b, a))
        return -1;
    return (int)(leading(a, c.first, b, c.second) | leading(b, c.second, a, c.first) << 2);
}

/* How many sets of others a node of a block of this size has; one that is not there has none. */
static unsigned sets_of(int node, int size)
{
    return node < size ? 1U << (size - 1) : 1;
}

/* Those of a pair; which class is the c-th goes into `class`. */
static void fill_choices(dpc_pair_choices *choices, int pair, int size, int *class)
{
    int count = 0;
    for (int c = 0; c < DPC_CLASSES; c++) {
        int from = count;
        for (unsigned first = 0; first < sets_of(2 * pair, size); first++)
            for (unsigned second = 0; second < sets_of(2 * pair + 1, size); second++) {
                dpc_pair_choice choice = {(uint8_t)first, (uint8_t)second};
                if (class_of(choice, pair) == c)
                    choices->choice[count++] = choice;
            }
        if (count > from) {
            class[choices->classes++] = c;
            choices->start[choices->classes] = (uint8_t)count;
        }
    }
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
    int class[2][DPC_CLASSES];
    for (int pair = 0; pair < 2; pair++)
        fill_choices(&p->pair[pair], pair, size, class[pair]);
    for (int one = 0; one < p->pair[0].classes; one++)
        for (int two = 0; two < p->pair[1].classes; two++)
            if (go_together(class[0][one], class[1][two]))
                p->joint[p->joints++] = (dpc_class_pair){{(uint8_t)one, (uint8_t)two}};
}

void dpc_patterns_init(dpc_patterns *patterns)
{
    memset(patterns, 0, sizeof *patterns);
    for (int size = 2; size <= DPC_BLOCK_NODES; size++)
        fill_pattern(&patterns->of[size], size);
}
