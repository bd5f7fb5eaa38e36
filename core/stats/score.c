/* The score that refinement climbs: see score.h. */
#include "score.h"

#include <math.h>
#include <string.h>

void dpc_scoring_init(dpc_scoring *s, const dpc_stats *stats, const dpc_constraints *known,
                      double price)
{
    double n_obs = (double)stats->view.n_obs;
    *s = (dpc_scoring){.stats = *stats, .known = known, .n_obs = n_obs, .price = price};
    s->stats.parameter = dpc_parameter_price(price, n_obs);
    s->weight = dpc_score_weight(stats);
    s->least = -expm1(-2 * price / s->weight);
    s->slack = 1e-7 * fmax(1, n_obs / 1000);
    s->most_parents = dpc_parent_limit(stats->n, stats->view.n_obs);
}

double dpc_parameter_price(double price, double n_obs)
{
    return fmin(price, log(n_obs) / 2);
}

bool dpc_can_use_one_equation(const dpc_blocks *blocks)
{
    bool can = blocks != NULL && blocks->lead != NULL;
    for (int v = 0; can && v < blocks->n; v++)
        can = blocks->lead[v] == 1 || dpc_block_width(blocks, v) == 0;
    return can;
}

double dpc_score_weight(const dpc_stats *stats)
{
    const dpc_blocks *blocks = stats->view.blocks;
    int widest = 1;
    for (int v = 0; blocks != NULL && v < blocks->n; v++)
        widest = dpc_block_width(blocks, v) > widest ? dpc_block_width(blocks, v) : widest;
    return widest * (double)stats->view.n_obs;
}

int dpc_parent_limit(int n, int64_t n_obs)
{
    int64_t most = n_obs < n ? n_obs / 4 : (n_obs - 3) / 2;
    return most < 1 ? 1 : most < n ? (int)most : n;
}

/* ---- Sorting ---- */

/* Two r² that differ by less than this share of 1 - r² gain the same. */
static const double TIED = 1e-10;

enum { SHORT_RUN = 6 };

static void sort_run(uint64_t *keys, int count)
{
    for (int i = 1; i < count; i++) {
        uint64_t key = keys[i];
        int j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* Without a branch on the keys, which nobody could foresee. */
static void sort_keys(uint64_t *keys, int count, uint64_t *room)
{
    if (count <= SHORT_RUN) {
        sort_run(keys, count);
        return;
    }
    int half = count / 2, i = 0, j = half, k = 0;
    sort_keys(keys, half, room);
    sort_keys(keys + half, count - half, room);
    memcpy(room, keys, (size_t)half * sizeof *keys);
    while (i < half && j < count) {
        uint64_t a = room[i], b = keys[j];
        bool first = a <= b;
        keys[k++] = first ? a : b;
        i += first;
        j += !first;
    }
    memcpy(keys + k, room + i, (size_t)(half - i) * sizeof *keys);
}

/*
 * By 1 - r², ascending. The bits of doubles that are not negative are in the order of these; the
 * lowest make room for the place of a pick, which is far below what counts as tied.
 */
static void sort_by_square(dpc_candidate *p, int count, dpc_candidate *room)
{
    uint64_t *keys = (uint64_t *)room, places = 1;
    while (places < (uint64_t)count)
        places *= 2;
    for (int i = 0; i < count; i++) {
        double left = 1 - p[i].square;
        uint64_t bits;
        memcpy(&bits, &left, sizeof bits);
        keys[i] = (bits & ~(places - 1)) | (uint64_t)i;
    }
    sort_keys(keys, count, keys + count);
    dpc_candidate *sorted = room + count;
    for (int i = 0; i < count; i++)
        sorted[i] = p[keys[i] & (places - 1)];
    memcpy(p, sorted, (size_t)count * sizeof *p);
}

void dpc_sort_candidates(dpc_candidate *p, int count, double noise, dpc_candidate *room)
{
    sort_by_square(p, count, room);
    for (int from = 0, to = 1; to <= count; to++) {
        if (to < count && p[to - 1].square - p[to].square <= TIED * (1 - p[to].square) + noise)
            continue;
        for (int i = from + 1; i < to; i++) { /* equals, nearly always one */
            dpc_candidate pick = p[i];
            int j = i;
            for (; j > from && p[j - 1].node > pick.node; j--)
                p[j] = p[j - 1];
            p[j] = pick;
        }
        from = to;
    }
}
