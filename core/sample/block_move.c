/*
 * The move of a chain: see block_move.h.
 *
 * Numerics. F_k(X) are sums with levels (set_table.h). In most moves doubles suffice: F_k is taken
 * over Z_k(A_k), and the sum of all products is at least Π F_k(∅), because no edge at all is a DAG,
 * too. Where that is too small for a double, each f_k(X) is a double and an exponent of 2, and so
 * are all products and sums. Terms of f_k below 1e-12 of F_k are rounding, and count as 0: a DAG
 * with fewer edges is a DAG, too, and has nearly all of their weight.
 */
#include "block_move.h"

#include "set_draw.h"
#include "variates.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

/* ---- Which nodes ---- */

static int draw_size(dpc_random *random)
{
    static const double UP_TO[DPC_BLOCK_NODES - 1] = {0.1, 0.5, 0.8};
    double u = dpc_draw_uniform(random);
    int size = 1;
    while (size < DPC_BLOCK_NODES && u >= UP_TO[size - 1])
        size++;
    return size;
}

static bool is_in(const dpc_node_block *b, int v)
{
    for (int k = 0; k < b->size; k++)
        if (b->node[k] == v)
            return true;
    return false;
}

void dpc_block_choose(dpc_node_block *block, const dpc_space *space, dpc_random *random)
{
    enum { TRIES = 8 };
    int size = draw_size(random);
    block->node[0] = dpc_picks_draw(&space->first_node, random);
    block->size = 1;
    for (int i = 0; i < TRIES && block->size < size; i++) {
        int from = block->node[dpc_random_below(random, (uint64_t)block->size)];
        if (space->neighbour[from].count == 0)
            continue;
        int64_t at = space->first[from] + dpc_picks_draw(&space->neighbour[from], random);
        if (!is_in(block, space->relation[at].node))
            block->node[block->size++] = space->relation[at].node;
    }
}

/* What of the candidates of each node of the block is in D_l. `wanted`: all these candidates. */
INLINE void find_candidates(const dpc_node_block *b, const dpc_space *space, int size,
                            const uint64_t *wanted, const uint64_t *below, uint32_t *found)
{
    const uint8_t *place[DPC_BLOCK_NODES];
    for (int k = 0; k < size; k++) {
        place[k] = space->place + (int64_t)b->node[k] * space->n;
        found[k] = 0;
    }
    for (int64_t w = 0; w < space->words; w++)
        for (uint64_t left = below[w] & wanted[w]; left != 0; left &= left - 1) {
            int64_t u = 64 * w + __builtin_ctzll(left);
            for (int k = 0; k < size; k++)
                found[k] |= dpc_bit_at(place[k][u]);
        }
}

INLINE void open_block(dpc_node_block *b, const dpc_chain_dag *dag, int size, uint64_t *room)
{
    const dpc_space *space = dag->space;
    int64_t words = space->words;
    uint64_t *barred = room, *wanted = barred + words, *below = wanted + words;
    uint32_t found[DPC_BLOCK_NODES][DPC_BLOCK_NODES];
    for (int64_t w = 0; w < words; w++) {
        barred[w] = wanted[w] = 0;
        for (int k = 0; k < size; k++)
            wanted[w] |= space->candidates[b->node[k] * words + w];
    }
    for (int k = 0; k < size; k++)
        barred[b->node[k] / 64] |= UINT64_C(1) << (b->node[k] % 64);
    for (int l = 0; l < size; l++) {
        dpc_chain_dag_descend(dag, b->node[l], barred, below, below + words);
        find_candidates(b, space, size, wanted, below, found[l]);
    }
    for (int k = 0; k < size; k++) {
        b->open[k] = dpc_all_of(&space->table[b->node[k]]) & ~found[k][k];
        for (int l = 0; l < size; l++)
            if (l != k)
                b->meet[k][dpc_other_of(k, l)] = b->open[k] & found[l][k];
    }
}

void dpc_block_open(dpc_node_block *block, const dpc_chain_dag *dag, uint64_t *room)
{
    switch (block->size) {
    case 1:
        open_block(block, dag, 1, room);
        break;
    case 2:
        open_block(block, dag, 2, room);
        break;
    case 3:
        open_block(block, dag, 3, room);
        break;
    default:
        open_block(block, dag, 4, room);
    }
}

/* ---- Weights ---- */

/* The weights of a block, by node and set X of its others. */
typedef struct weights {
    double f[DPC_BLOCK_NODES][DPC_BLOCK_SETS];
    double all[DPC_BLOCK_NODES][DPC_BLOCK_SETS];       /* F; with exponents, … */
    double share[DPC_BLOCK_NODES][DPC_BLOCK_SETS];     /* … f over F */
    int32_t exponent[DPC_BLOCK_NODES][DPC_BLOCK_SETS]; /* of f, where doubles do not suffice */
    uint32_t within[DPC_BLOCK_NODES][DPC_BLOCK_SETS];  /* A_k without D_l for all l not in X */
} weights;

static const double ROUNDING = 1e-12;

/* Fills `within` of a node. */
INLINE void restrict_sets(const dpc_node_block *b, int k, unsigned sets, uint32_t *within)
{
    within[sets - 1] = b->open[k];
    for (unsigned x = sets - 1; x-- > 0;) {
        unsigned missing = ~x & (x + 1); /* the first other that is not in X */
        within[x] = within[x | missing] & ~b->meet[k][__builtin_ctz(missing)];
    }
}

/* F of a node over that of all others, and f; returns F of none. 0: doubles do not suffice. */
INLINE double weigh_node(const dpc_set_table *t, unsigned sets, const uint32_t *within, double *all,
                         double *f)
{
    int level = t->sum.level[within[sets - 1]], above = 0;
    double scale = 1 / t->sum.value[within[sets - 1]];
    for (unsigned x = 0; x < sets; x++) {
        f[x] = all[x] = t->sum.value[within[x]] * scale;
        above |= t->sum.level[within[x]] - level;
    }
    for (unsigned bit = 1; bit < sets; bit *= 2)
        for (unsigned x = 0; x < sets; x++)
            if ((x & bit) != 0)
                f[x] -= f[x ^ bit];
    for (unsigned x = 0; x < sets; x++)
        f[x] = f[x] > ROUNDING * all[x] ? f[x] : 0;
    return above == 0 ? all[0] : 0;
}

INLINE bool weigh_block(const dpc_node_block *b, const dpc_space *space, int size, weights *w)
{
    const double least = 1e-250;
    double product = 1;
    for (int k = 0; k < size; k++) {
        restrict_sets(b, k, 1U << (size - 1), w->within[k]);
        product *= weigh_node(&space->table[b->node[k]], 1U << (size - 1), w->within[k], w->all[k],
                              w->f[k]);
    }
    for (int k = size; k < DPC_BLOCK_NODES; k++)
        w->f[k][0] = 1;
    return product > least;
}

/* False: doubles do not suffice, and only `within` is there. */
static bool weigh(const dpc_node_block *b, const dpc_space *space, weights *w)
{
    return b->size == 2   ? weigh_block(b, space, 2, w)
           : b->size == 3 ? weigh_block(b, space, 3, w)
                          : weigh_block(b, space, 4, w);
}

/* The first number of a list at which the sum of all up to it is above t; of those above 0. */
static int first_above(const double *weight, int count, double t)
{
    int last = 0;
    for (int i = 0; i < count; i++)
        if (weight[i] > 0) {
            last = i;
            t -= weight[i];
            if (t < 0)
                break;
        }
    return last;
}

/* ---- Drawing who meets whom: by doubles ---- */

/* The weights of the choices of a pair, and their sums by class. */
static void weigh_choices(const dpc_pair_choices *choices, const double *first,
                          const double *second, double *weight, double *sum)
{
    int i = 0;
    for (int c = 0; c < choices->classes; c++) {
        double total = 0;
        for (; i < choices->start[c + 1]; i++) {
            weight[i] = first[choices->choice[i].first] * second[choices->choice[i].second];
            total += weight[i];
        }
        sum[c] = total;
    }
}

static void draw_pattern(const dpc_pattern *p, const weights *w, dpc_random *random, uint8_t *x)
{
    double weight[2][DPC_MOST_CHOICES], sum[2][DPC_CLASSES], joint[DPC_MOST_JOINTS], total = 0;
    for (int pair = 0; pair < 2; pair++)
        weigh_choices(&p->pair[pair], w->f[2 * pair], w->f[2 * pair + 1], weight[pair], sum[pair]);
    for (int i = 0; i < p->joints; i++)
        total += joint[i] = sum[0][p->joint[i].class[0]] * sum[1][p->joint[i].class[1]];
    dpc_class_pair chosen =
        p->joint[first_above(joint, p->joints, dpc_draw_uniform(random) * total)];
    for (int pair = 0; pair < 2; pair++) {
        const dpc_pair_choices *choices = &p->pair[pair];
        int class = chosen.class[pair], from = choices->start[class];
        int i = from + first_above(weight[pair] + from, choices->start[class + 1] - from,
                                   dpc_draw_uniform(random) * sum[pair][class]);
        x[2 * pair] = choices->choice[i].first;
        x[2 * pair + 1] = choices->choice[i].second;
    }
}

/* ---- The same with exponents ---- */

/* Of a number that is 0. */
enum { NOTHING = -(1 << 26) };

/* 2^e for e <= 0. */
static inline double power_of_two(int32_t e)
{
    uint64_t bits = e > -1023 ? (uint64_t)(1023 + e) << 52 : 0;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* A number of 1 to 2, and its exponent: of a normal one above 0. */
static inline double split(double number, int32_t *exponent)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    *exponent = (int32_t)(bits >> 52) - 1023;
    bits = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* F of a node, and f: numbers of 1 to 2 with exponents, or 0. */
INLINE void weigh_node_far(const dpc_set_table *t, unsigned sets, const uint32_t *within,
                           double *share, double *f, int32_t *exponent)
{
    double all[DPC_BLOCK_SETS];
    for (unsigned x = 0; x < sets; x++) {
        double value = t->sum.value[within[x]];
        bool none = value == 0;
        f[x] = all[x] = none ? 0 : split(value, &exponent[x]);
        exponent[x] = none ? NOTHING : exponent[x] - 512 * t->sum.level[within[x]];
    }
    for (unsigned bit = 1; bit < sets; bit *= 2)
        for (unsigned x = 0; x < sets; x++)
            if ((x & bit) != 0)
                f[x] -= f[x ^ bit] * power_of_two(exponent[x ^ bit] - exponent[x]);
    for (unsigned x = 0; x < sets; x++) {
        int32_t less = NOTHING;
        bool counts = f[x] > ROUNDING * all[x];
        share[x] = counts ? f[x] / all[x] : 0;
        f[x] = counts ? split(f[x], &less) : 0;
        exponent[x] = counts ? exponent[x] + less : NOTHING;
    }
}

static void weigh_far(const dpc_node_block *b, const dpc_space *space, weights *w)
{
    for (int k = 0; k < DPC_BLOCK_NODES; k++) {
        w->exponent[k][0] = 0;
        if (k < b->size)
            weigh_node_far(&space->table[b->node[k]], 1U << (b->size - 1), w->within[k],
                           w->share[k], w->f[k], w->exponent[k]);
    }
}

/* The highest exponent of the choices of each class of a pair. */
static void bound_classes(const dpc_pair_choices *choices, const int32_t *first,
                          const int32_t *second, int32_t *highest)
{
    for (int c = 0, i = 0; c < choices->classes; c++) {
        int32_t most = 2 * NOTHING;
        for (; i < choices->start[c + 1]; i++) {
            int32_t e = first[choices->choice[i].first] + second[choices->choice[i].second];
            most = e > most ? e : most;
        }
        highest[c] = most;
    }
}

/* The weights of the choices of a class over 2^highest; returns their sum. */
static double weigh_class(const dpc_pair_choices *choices, const weights *w, int pair, int class,
                          int32_t highest, double *weight)
{
    const double *first = w->f[2 * pair], *second = w->f[2 * pair + 1];
    const int32_t *e1 = w->exponent[2 * pair], *e2 = w->exponent[2 * pair + 1];
    double sum = 0;
    for (int i = choices->start[class]; i < choices->start[class + 1]; i++) {
        dpc_pair_choice c = choices->choice[i];
        int32_t e = e1[c.first] + e2[c.second] - highest;
        sum += *weight++ = first[c.first] * second[c.second] * power_of_two(e);
    }
    return sum;
}

/*
 * Most pairs of classes are far below the best, as their exponents tell: the others alone are
 * weighed.
 */
static void draw_pattern_far(const dpc_pattern *p, const weights *w, dpc_random *random, uint8_t *x)
{
    enum { NEAR = 80 }; /* what is 2^80 times less is nothing, 543 times */
    double weight[DPC_MOST_CHOICES], joint[DPC_MOST_JOINTS], total = 0;
    int32_t highest[2][DPC_CLASSES], e[DPC_MOST_JOINTS], most = 4 * NOTHING;
    dpc_class_pair near[DPC_MOST_JOINTS];
    int count = 0;
    for (int pair = 0; pair < 2; pair++)
        bound_classes(&p->pair[pair], w->exponent[2 * pair], w->exponent[2 * pair + 1],
                      highest[pair]);
    for (int i = 0; i < p->joints; i++) {
        e[i] = highest[0][p->joint[i].class[0]] + highest[1][p->joint[i].class[1]];
        most = e[i] > most ? e[i] : most;
    }
    for (int i = 0; i < p->joints; i++) {
        if (e[i] < most - NEAR)
            continue;
        dpc_class_pair j = near[count] = p->joint[i];
        double product = power_of_two(e[i] - most);
        for (int pair = 0; pair < 2; pair++)
            product *= weigh_class(&p->pair[pair], w, pair, j.class[pair],
                                   highest[pair][j.class[pair]], weight);
        total += joint[count++] = product;
    }
    dpc_class_pair chosen = near[first_above(joint, count, dpc_draw_uniform(random) * total)];
    for (int pair = 0; pair < 2; pair++) {
        const dpc_pair_choices *choices = &p->pair[pair];
        int class = chosen.class[pair], from = choices->start[class];
        double sum = weigh_class(choices, w, pair, class, highest[pair][class], weight);
        int i = from + first_above(weight, choices->start[class + 1] - from,
                                   dpc_draw_uniform(random) * sum);
        x[2 * pair] = choices->choice[i].first;
        x[2 * pair + 1] = choices->choice[i].second;
    }
}

/* ---- Drawing the parents ---- */

static uint32_t draw_parents(const dpc_node_block *b, const dpc_space *space, int k, unsigned x,
                             uint32_t within, double share, dpc_random *random)
{
    const dpc_set_table *table = &space->table[b->node[k]];
    uint32_t meet[DPC_BLOCK_OTHERS];
    int count = 0;
    for (unsigned left = x; left != 0; left &= left - 1)
        meet[count++] = b->meet[k][__builtin_ctz(left)];
    return count == 0 ? dpc_draw_set(table, within, random)
                      : dpc_draw_set_meeting(table, within, meet, count, share, random);
}

bool dpc_block_draw(const dpc_node_block *block, const dpc_space *space, bool always,
                    dpc_random *random, uint32_t *parents)
{
    weights w;
    uint8_t x[DPC_BLOCK_NODES];
    if (block->size == 1) {
        parents[0] = dpc_draw_set(&space->table[block->node[0]], block->open[0], random);
        return false;
    }
    const dpc_pattern *pattern = &space->patterns.of[block->size];
    bool far = !weigh(block, space, &w) || always;
    if (far) {
        weigh_far(block, space, &w);
        draw_pattern_far(pattern, &w, random, x);
    } else {
        draw_pattern(pattern, &w, random, x);
    }
    for (int k = 0; k < block->size; k++) {
        double share = far ? w.share[k][x[k]] : w.f[k][x[k]] / w.all[k][x[k]];
        parents[k] = draw_parents(block, space, k, x[k], w.within[k][x[k]], share, random);
    }
    return far;
}
