/* The score that refinement climbs: see score.h. */
#include "score.h"

#include "linalg.h"

#include <math.h>
#include <string.h>

double dpc_ebic_price(int64_t n_obs, int n)
{
    return log((double)n_obs) / 2 + log(n);
}

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
    return -s->n_obs / 2 * log1p(-fmin(square, 1 - DPC_SINGULAR));
}

/* ---- Parents to be had ---- */

static void consider(const dpc_scoring *s, const dpc_sweep *sweep, int u, dpc_pick *out, int *count)
{
    if (u == sweep->v || !dpc_may_be_parent(s, u, sweep->v))
        return;
    double square = dpc_sweep_square(sweep, u);
    if (square > s->least) /* not where it is NaN: u or v is determined already */
        out[(*count)++] = (dpc_pick){square, u};
}

int dpc_picks(const dpc_scoring *s, const dpc_sweep *sweep, dpc_pick *out)
{
    const dpc_sweep_level *l = &sweep->level[sweep->depth];
    double limit = s->least * dpc_sweep_variance(sweep, sweep->v);
    int count = 0;
    for (int first = 0; first < sweep->m; first += 64) {
        int width = sweep->m - first < 64 ? sweep->m - first : 64;
        int whole = (width + DPC_VECTOR - 1) / DPC_VECTOR * DPC_VECTOR;
        uint64_t bits = ~sweep->vector->passing(whole, l->t + first, NULL, 0, l->t + first,
                                                l->var + first, 0, 0, limit, 0);
        bits &= width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);
        for (; bits != 0; bits &= bits - 1) {
            int at = first + __builtin_ctzll(bits);
            int column = sweep->place == sweep->all_places ? at : sweep->column[at];
            consider(s, sweep, dpc_label_of(sweep->view.labels, column), out, &count);
        }
    }
    return count;
}

/* Two r² that differ by less are the same number: see TIED in ges_moves.c. */
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

void dpc_sort_picks(dpc_pick *p, int count, dpc_pick *room)
{
    sort_by_square(p, count, room);
    for (int from = 0, to = 1; to <= count; to++) {
        if (to < count && p[to - 1].square - p[to].square <= TIED)
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
