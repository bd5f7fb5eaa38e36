/*
 * The move of a chain: see block_move.h.
 *
 * Numerics. F_k(X) are sums with levels (set_table.h). In most moves doubles suffice: F_k is taken
 * over Z_k(A_k), and the sum of all products is at least Π F_k(∅), because no edge at all is a DAG,
 * too. Where that is too small for a double, each f_k(X) is a fraction and an exponent of 2, and so
 * are all products and sums. Terms of f_k below 1e-12 of F_k are rounding, and count as 0: a DAG
 * with fewer edges is a DAG, too, and has nearly all of their weight.
 */
#include "block_move.h"

#include "set_draw.h"
#include "variates.h"

#include <math.h>

enum { SUBSETS = 1 << DPC_BLOCK_NODES };

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

static bool is_in(const dpc_block *b, int v)
{
    for (int k = 0; k < b->size; k++)
        if (b->node[k] == v)
            return true;
    return false;
}

void dpc_block_choose(dpc_block *block, const dpc_space *space, dpc_random *random)
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

void dpc_block_open(dpc_block *block, const dpc_chain_dag *dag, uint64_t *room)
{
    const dpc_space *space = dag->space;
    int64_t words = space->words;
    uint64_t *barred = room, *spare = room + words, *below = spare + words;
    memset(barred, 0, (size_t)words * sizeof *barred);
    for (int k = 0; k < block->size; k++)
        barred[block->node[k] / 64] |= UINT64_C(1) << (block->node[k] % 64);
    for (int k = 0; k < block->size; k++)
        dpc_chain_dag_descend(dag, block->node[k], barred, below + k * words, spare);
    for (int k = 0; k < block->size; k++) {
        int v = block->node[k];
        block->open[k] =
            dpc_all_of(&space->table[v]) & ~dpc_among_candidates(space, v, below + k * words);
        for (int l = 0; l < block->size; l++)
            block->meet[k][l] =
                l == k ? 0 : block->open[k] & dpc_among_candidates(space, v, below + l * words);
    }
}

/* ---- Weights ---- */

/* The candidates of k outside of all D_l with l not in X. */
static uint32_t within_of(const dpc_block *b, int k, unsigned x)
{
    uint32_t set = b->open[k];
    for (int l = 0; l < b->size; l++)
        if ((x >> l & 1) == 0)
            set &= ~b->meet[k][l];
    return set;
}

/* The weights of a block, by node and X; X without k itself, nor any node beyond the block. */
typedef struct weights {
    double f[DPC_BLOCK_NODES][SUBSETS];
    double share[DPC_BLOCK_NODES][SUBSETS];     /* f_k(X) over F_k(X) */
    int32_t exponent[DPC_BLOCK_NODES][SUBSETS]; /* where doubles do not suffice */
} weights;

static const double ROUNDING = 1e-12;

/* Is X a set of other nodes than k of the block? */
static bool is_among_others(const dpc_block *b, int k, unsigned x)
{
    return (x >> k & 1) == 0 && x < 1U << b->size;
}

/* False: doubles do not suffice. */
static bool weigh(const dpc_block *b, const dpc_space *space, weights *w)
{
    const double least = 1e-250;
    double product = 1;
    for (int k = 0; k < b->size; k++) {
        const dpc_set_table *t = &space->table[b->node[k]];
        int level = t->sum.level[b->open[k]];
        double scale = 1 / t->sum.value[b->open[k]], *f = w->f[k], all[SUBSETS];
        for (unsigned x = 0; x < 1U << b->size; x++)
            if (is_among_others(b, k, x))
                f[x] = all[x] = dpc_at_level(t->sum, within_of(b, k, x), level) * scale;
        product *= f[0];
        for (int l = 0; l < b->size; l++)
            for (unsigned x = 0; x < 1U << b->size && l != k; x++)
                if (is_among_others(b, k, x) && (x >> l & 1) != 0)
                    f[x] -= f[x ^ 1U << l];
        for (unsigned x = 0; x < 1U << b->size; x++)
            if (is_among_others(b, k, x)) {
                f[x] = f[x] > ROUNDING * all[x] ? f[x] : 0;
                w->share[k][x] = all[x] > 0 ? f[x] / all[x] : 0;
            }
    }
    for (int k = b->size; k < DPC_BLOCK_NODES; k++)
        w->f[k][0] = 1;
    return product > least;
}

/* ---- Drawing who meets whom: by doubles ---- */

static void sum_classes(const dpc_choices *choices, const double *first, const double *second,
                        double *sum)
{
    for (int c = 0; c < DPC_CLASSES; c++) {
        sum[c] = 0;
        for (int i = choices->start[c]; i < choices->start[c + 1]; i++)
            sum[c] += first[choices->choice[i].first] * second[choices->choice[i].second];
    }
}

static dpc_choice draw_choice(const dpc_choices *choices, const double *first, const double *second,
                              int class, double t)
{
    dpc_choice last = {0, 0};
    for (int i = choices->start[class]; i < choices->start[class + 1]; i++) {
        dpc_choice c = choices->choice[i];
        double weight = first[c.first] * second[c.second];
        if (weight > 0) {
            last = c;
            t -= weight;
            if (t < 0)
                break;
        }
    }
    return last;
}

static void draw_pattern(const dpc_pattern *p, const weights *w, dpc_random *random, uint8_t *x)
{
    double sum[2][DPC_CLASSES], up_to[DPC_MOST_JOINTS], total = 0;
    for (int pair = 0; pair < 2; pair++)
        sum_classes(&p->pair[pair], w->f[2 * pair], w->f[2 * pair + 1], sum[pair]);
    for (int i = 0; i < p->joints; i++)
        up_to[i] = total += sum[0][p->joint[i].class[0]] * sum[1][p->joint[i].class[1]];
    double t = dpc_draw_uniform(random) * total;
    int i = 0;
    while (i < p->joints - 1 && up_to[i] <= t)
        i++;
    for (int pair = 0; pair < 2; pair++) {
        int class = p->joint[i].class[pair];
        dpc_choice c = draw_choice(&p->pair[pair], w->f[2 * pair], w->f[2 * pair + 1], class,
                                   dpc_draw_uniform(random) * sum[pair][class]);
        x[2 * pair] = c.first;
        x[2 * pair + 1] = c.second;
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

/* F_k(X) as a fraction and an exponent, and f_k from these. */
static void weigh_far(const dpc_block *b, const dpc_space *space, weights *w)
{
    for (int k = 0; k < b->size; k++) {
        const dpc_set_table *t = &space->table[b->node[k]];
        double *f = w->f[k];
        int32_t *e = w->exponent[k];
        for (unsigned x = 0; x < 1U << b->size; x++) {
            if (!is_among_others(b, k, x))
                continue;
            uint32_t set = within_of(b, k, x);
            int exponent;
            f[x] = frexp(t->sum.value[set], &exponent);
            e[x] = f[x] > 0 ? exponent - 512 * t->sum.level[set] : NOTHING;
        }
        double all[SUBSETS];
        memcpy(all, f, sizeof all);
        for (int l = 0; l < b->size; l++)
            for (unsigned x = 0; x < 1U << b->size && l != k; x++)
                if (is_among_others(b, k, x) && (x >> l & 1) != 0)
                    f[x] -= f[x ^ 1U << l] * power_of_two(e[x ^ 1U << l] - e[x]);
        for (unsigned x = 0; x < 1U << b->size; x++)
            if (is_among_others(b, k, x)) {
                bool counts = f[x] > ROUNDING * all[x];
                w->share[k][x] = counts ? f[x] / all[x] : 0;
                f[x] = counts ? f[x] : 0;
                e[x] = counts ? e[x] : NOTHING;
            }
    }
    for (int k = b->size; k < DPC_BLOCK_NODES; k++) {
        w->f[k][0] = 1;
        w->exponent[k][0] = 0;
    }
}

/* Weights of the choices of a class over 2^exponent; returns the exponent. */
static int32_t weigh_class(const dpc_choices *choices, const weights *w, int pair, int class,
                           double *weight)
{
    int from = choices->start[class], count = choices->start[class + 1] - from;
    int32_t exponent[DPC_MOST_CHOICES], most = 2 * NOTHING;
    for (int i = 0; i < count; i++) {
        dpc_choice c = choices->choice[from + i];
        weight[i] = w->f[2 * pair][c.first] * w->f[2 * pair + 1][c.second];
        exponent[i] = w->exponent[2 * pair][c.first] + w->exponent[2 * pair + 1][c.second];
        most = exponent[i] > most ? exponent[i] : most;
    }
    for (int i = 0; i < count; i++)
        weight[i] *= power_of_two(exponent[i] - most);
    return most;
}

static int draw_by(const double *weight, int count, dpc_random *random)
{
    double total = 0;
    int last = 0;
    for (int i = 0; i < count; i++)
        total += weight[i];
    double t = dpc_draw_uniform(random) * total;
    for (int i = 0; i < count; i++)
        if (weight[i] > 0) {
            last = i;
            t -= weight[i];
            if (t < 0)
                break;
        }
    return last;
}

static void draw_pattern_far(const dpc_pattern *p, const weights *w, dpc_random *random, uint8_t *x)
{
    double sum[2][DPC_CLASSES], weight[DPC_MOST_JOINTS];
    int32_t exponent[2][DPC_CLASSES], joint[DPC_MOST_JOINTS], most = 4 * NOTHING;
    for (int pair = 0; pair < 2; pair++)
        for (int c = 0; c < DPC_CLASSES; c++) {
            exponent[pair][c] = weigh_class(&p->pair[pair], w, pair, c, weight);
            sum[pair][c] = 0;
            for (int i = 0; i < p->pair[pair].start[c + 1] - p->pair[pair].start[c]; i++)
                sum[pair][c] += weight[i];
        }
    for (int i = 0; i < p->joints; i++) {
        dpc_joint j = p->joint[i];
        weight[i] = sum[0][j.class[0]] * sum[1][j.class[1]];
        joint[i] = exponent[0][j.class[0]] + exponent[1][j.class[1]];
        most = weight[i] > 0 && joint[i] > most ? joint[i] : most;
    }
    for (int i = 0; i < p->joints; i++)
        weight[i] = weight[i] > 0 ? weight[i] * power_of_two(joint[i] - most) : 0;
    dpc_joint chosen = p->joint[draw_by(weight, p->joints, random)];
    for (int pair = 0; pair < 2; pair++) {
        const dpc_choices *choices = &p->pair[pair];
        int class = chosen.class[pair], from = choices->start[class];
        weigh_class(choices, w, pair, class, weight);
        int i = draw_by(weight, choices->start[class + 1] - from, random);
        x[2 * pair] = choices->choice[from + i].first;
        x[2 * pair + 1] = choices->choice[from + i].second;
    }
}

/* ---- Drawing the parents ---- */

static uint32_t draw_parents(const dpc_block *b, const dpc_space *space, int k, unsigned x,
                             double share, dpc_random *random)
{
    uint32_t meet[DPC_BLOCK_NODES - 1];
    int count = 0;
    for (int l = 0; l < b->size; l++)
        if ((x >> l & 1) != 0)
            meet[count++] = b->meet[k][l];
    return dpc_draw_set_meeting(&space->table[b->node[k]], within_of(b, k, x), meet, count, share,
                                random);
}

bool dpc_block_draw(const dpc_block *block, const dpc_space *space, bool always, dpc_random *random,
                    uint32_t *parents)
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
    for (int k = 0; k < block->size; k++)
        parents[k] = draw_parents(block, space, k, x[k], w.share[k][x[k]], random);
    return far;
}
