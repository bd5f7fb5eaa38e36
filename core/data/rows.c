/* The N of a test: see rows.h. */
#include "rows.h"

static int64_t common(const dpc_view *view, int a, int b)
{
    return view->rows[(int64_t)a * view->n + b];
}

int64_t dpc_test_rows(const dpc_view *view, int x, int y, const int32_t *set, int size)
{
    if (view->rows == NULL)
        return view->n_obs;
    int64_t least = common(view, x, y);
    for (int i = 0; i < size; i++) {
        const int32_t *of = view->rows + (int64_t)set[i] * view->n;
        least = of[x] < least ? of[x] : least;
        least = of[y] < least ? of[y] : least;
        for (int j = 0; j < i; j++)
            least = of[set[j]] < least ? of[set[j]] : least;
    }
    return least;
}

static void take(dpc_rows *rows, int64_t seen)
{
    rows->least = seen < rows->least ? seen : rows->least;
    rows->most = seen > rows->most ? seen : rows->most;
}

dpc_rows dpc_rows_among(const dpc_view *view, int x, const int32_t *others, int count)
{
    if (view->rows == NULL || count == 0)
        return (dpc_rows){view->n_obs, view->n_obs};
    dpc_rows rows = {INT64_MAX, 0};
    int node = dpc_column_of(view->labels, x);
    for (int i = 0; i < count; i++) {
        int a = dpc_column_of(view->labels, others != NULL ? others[i] : i);
        if (a != node)
            take(&rows, common(view, node, a));
        for (int j = 0; j < i; j++)
            take(&rows,
                 common(view, a, dpc_column_of(view->labels, others != NULL ? others[j] : j)));
    }
    return rows;
}
