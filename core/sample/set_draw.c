/*
 * Draws of a set by halves: see set_draw.h.
 *
 * A set within U is drawn in two scans: its high half S by the sums over the low halves within U,
 * which `half` has side by side; then its low half by the weights.
 *
 * Sets that must meet others, H1, H2, …: where they are a good share of all, one is drawn until it
 * does. Otherwise the same two scans. Those H that S meets are done with; of the others the sum
 * over the low halves that meet them all is Σ_Y (-1)^|Y| half(U \ ∪_{Y} H), over the sets Y of
 * them. Where that has lost its digits the low halves are summed one by one.
 */
#include "set_draw.h"

#include "variates.h"

/*
 * The first number at first | set, of the sets within another, up to which the sum of all is above
 * t; and what of t is left before it. Rounding can make the sum too small: then the last number
 * that is not 0. Zeros never are the first, so that the loop need not look for them.
 */
static inline uint32_t scan(dpc_levelled numbers, uint32_t first, uint32_t within, int level,
                            double t, double *left)
{
    uint32_t set = 0, last = 0;
    do {
        *left = t;
        t -= dpc_at_level(numbers, first | set, level);
        if (t < 0)
            return set;
        set = dpc_next_within(set, within);
    } while (set != 0);
    do {
        if (dpc_at_level(numbers, first | set, level) > 0)
            last = set;
        set = dpc_next_within(set, within);
    } while (set != 0);
    *left = dpc_at_level(numbers, first | last, level);
    return last;
}

uint32_t dpc_draw_set(const dpc_set_table *table, uint32_t within, dpc_random *random)
{
    int level = table->sum.level[within], bits = table->k - table->low;
    uint32_t low = within & ((UINT32_C(1) << table->low) - 1), high = within >> table->low;
    double t = dpc_draw_uniform(random) * table->sum.value[within];
    high = scan(table->half, low << bits, high, level, t, &t) << table->low;
    return high | scan(table->weight, high, low, level, t, &t);
}

/* ---- Sets that meet others ---- */

/* What is to be drawn. */
typedef struct meeting {
    const dpc_set_table *table;
    uint32_t within;
    const uint32_t *meet;
    int count, level;
} meeting;

static bool meets_all(const meeting *m, uint32_t set)
{
    for (int i = 0; i < m->count; i++)
        if ((set & m->meet[i]) == 0)
            return false;
    return true;
}

static double sum_one_by_one(const meeting *m, uint32_t high)
{
    uint32_t low = m->within & ((UINT32_C(1) << m->table->low) - 1), set = 0;
    double sum = 0;
    do {
        uint32_t whole = high << m->table->low | set;
        if (meets_all(m, whole))
            sum += dpc_at_level(m->table->weight, whole, m->level);
        set = dpc_next_within(set, low);
    } while (set != 0);
    return sum;
}

/* The sum over all sets with a high half that meet all. */
static double sum_of(const meeting *m, uint32_t high)
{
    const dpc_set_table *table = m->table;
    int bits = table->k - table->low, open = 0;
    uint32_t low = m->within & ((UINT32_C(1) << table->low) - 1), meet[DPC_MOST_MET];
    double most = dpc_at_level(table->half, (int64_t)low << bits | high, m->level), sum = most;
    for (int i = 0; i < m->count; i++)
        if ((m->meet[i] & high << table->low) == 0)
            meet[open++] = m->meet[i] & low;
    for (unsigned y = 1; y < 1U << open && most > 0; y++) {
        uint32_t without = 0;
        for (int i = 0; i < open; i++)
            if ((y >> i & 1) != 0)
                without |= meet[i];
        double term = dpc_at_level(table->half, (int64_t)(low & ~without) << bits | high, m->level);
        sum += __builtin_popcount(y) % 2 != 0 ? -term : term;
    }
    return sum > 1e-6 * most || sum == 0 ? sum : sum_one_by_one(m, high);
}

/* The low half, as scan_low finds it, among those that meet all. */
static uint32_t scan_meeting(const meeting *m, uint32_t high, double t)
{
    uint32_t low = m->within & ((UINT32_C(1) << m->table->low) - 1), set = 0, last = 0;
    do {
        uint32_t whole = high << m->table->low | set;
        double weight = meets_all(m, whole) ? dpc_at_level(m->table->weight, whole, m->level) : 0;
        if (weight > 0) {
            last = whole;
            t -= weight;
            if (t < 0)
                break;
        }
        set = dpc_next_within(set, low);
    } while (set != 0);
    return last;
}

static uint32_t draw_by_sums(const meeting *m, dpc_random *random)
{
    double up_to[1 << ((DPC_MOST_CANDIDATES + 1) / 2)], total = 0;
    uint32_t high = m->within >> m->table->low, set = 0, last = 0;
    do {
        total += sum_of(m, set);
        up_to[set] = total;
        set = dpc_next_within(set, high);
    } while (set != 0);
    double t = dpc_draw_uniform(random) * total, before = 0, left = 0;
    do {
        if (up_to[set] > before) {
            last = set;
            left = t - before;
            if (up_to[set] > t)
                break;
        }
        before = up_to[set];
        set = dpc_next_within(set, high);
    } while (set != 0);
    return scan_meeting(m, last, left);
}

uint32_t dpc_draw_set_meeting(const dpc_set_table *table, uint32_t within, const uint32_t *meet,
                              int count, double share, dpc_random *random)
{
    const double good_share = 0.2;
    meeting m = {table, within, meet, count, table->sum.level[within]};
    if (count == 0)
        return dpc_draw_set(table, within, random);
    if (!(share > good_share))
        return draw_by_sums(&m, random);
    for (;;) {
        uint32_t set = dpc_draw_set(table, within, random);
        if (meets_all(&m, set))
            return set;
    }
}
