/* The N of a test: see rows.h. */
#include "rows.h"

/* What was seen of the pairs so far. */
typedef struct seen {
    int64_t least, most, sum, pairs;
} seen;

static const seen NOTHING = {.least = INT64_MAX};

static inline void take(seen *s, int64_t rows)
{
    s->least = rows < s->least ? rows : s->least;
    s->most = rows > s->most ? rows : s->most;
    s->sum += rows;
    s->pairs++;
}

static int64_t n_of(const dpc_view *view, const seen *s)
{
    return view->mean_rows ? s->sum / s->pairs : s->least;
}

int64_t dpc_test_rows(const dpc_view *view, int x, int y, const int32_t *set, int size)
{
    if (view->rows == NULL)
        return view->n_obs;
    seen s = NOTHING;
    take(&s, view->rows[(int64_t)x * view->n + y]);
    for (int i = 0; i < size; i++) {
        const int32_t *of = view->rows + (int64_t)set[i] * view->n;
        take(&s, of[x]);
        take(&s, of[y]);
        for (int j = 0; j < i; j++)
            take(&s, of[set[j]]);
    }
    return n_of(view, &s);
}

static int64_t count_columns(const dpc_view *view, int x, const int32_t *others, int count)
{
    const dpc_blocks *b = view->blocks;
    if (b == NULL)
        return 0;
    if (others == NULL)
        return b->m;
    int64_t columns = dpc_block_width(b, dpc_column_of(view->labels, x));
    for (int i = 0; i < count; i++)
        if (others[i] != x)
            columns += dpc_block_width(b, dpc_column_of(view->labels, others[i]));
    return columns;
}

dpc_row_counts dpc_rows_among(const dpc_view *view, int x, const int32_t *others, int count)
{
    seen s = NOTHING;
    int node = dpc_column_of(view->labels, x);
    for (int i = 0; view->rows != NULL && i < count; i++) {
        int a = dpc_column_of(view->labels, others != NULL ? others[i] : i);
        const int32_t *of = view->rows + (int64_t)a * view->n;
        if (a != node)
            take(&s, of[node]);
        for (int j = 0; j < i; j++) {
            int b = dpc_column_of(view->labels, others != NULL ? others[j] : j);
            if (b != node && a != node)
                take(&s, of[b]);
        }
    }
    if (s.pairs == 0)
        return (dpc_row_counts){view->n_obs, view->n_obs, view->n_obs,
                                count_columns(view, x, others, count)};
    return (dpc_row_counts){s.least, s.most, n_of(view, &s), 0};
}
