/* The score that refinement climbs: see score.h. */
#include "score.h"

#include <math.h>
#include <string.h>

void dpc_scoring_init(dpc_scoring *s, const dpc_view *view, const dpc_constraints *known,
                      double price)
{
    double n_obs = (double)view->n_obs, half = floor((n_obs - 3) / 2);
    *s = (dpc_scoring){.view = *view, .known = known, .n_obs = n_obs, .price = price};
    s->least = -expm1(-2 * price / n_obs);
    s->slack = 1e-7 * fmax(1, n_obs / 1000);
    s->most_parents = half < 1 ? 1 : half < view->n ? (int)half : view->n;
}

double dpc_likelihood_of(const dpc_scoring *s, double square)
{
    return -s->n_obs / 2 * log1p(-square);
}

/* ---- Sorting ---- */

/* Two r² that differ by less than this share of 1 - r² gain the same. */
static const double TIED = 1e-10;

enum { SHORT_RUN = 12 };

static void sort_run(dpc_pick *p, int count)
{
    for (int i = 1; i < count; i++) {
        dpc_pick pick = p[i];
        int j = i;
        for (; j > 0 && p[j - 1].square < pick.square; j--)
            p[j] = p[j - 1];
        p[j] = pick;
    }
}

static void sort_by_square(dpc_pick *p, int count, dpc_pick *room)
{
    if (count <= SHORT_RUN) {
        sort_run(p, count);
        return;
    }
    int half = count / 2, i = 0, j = half, k = 0;
    sort_by_square(p, half, room);
    sort_by_square(p + half, count - half, room);
    memcpy(room, p, (size_t)half * sizeof *p);
    while (i < half && j < count)
        p[k++] = room[i].square >= p[j].square ? room[i++] : p[j++];
    memcpy(p + k, room + i, (size_t)(half - i) * sizeof *p);
}

void dpc_sort_picks(dpc_pick *p, int count, double noise, dpc_pick *room)
{
    sort_by_square(p, count, room);
    for (int from = 0, to = 1; to <= count; to++) {
        if (to < count && p[to - 1].square - p[to].square <= TIED * (1 - p[to].square) + noise)
            continue;
        for (int i = from + 1; i < to; i++) { /* equals, nearly always one */
            dpc_pick pick = p[i];
            int j = i;
            for (; j > from && p[j - 1].who > pick.who; j--)
                p[j] = p[j - 1];
            p[j] = pick;
        }
        from = to;
    }
}
