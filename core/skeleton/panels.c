/*
 * What the enumeration of subsets.c starts from: the columns of a visit in their first order, and
 * the rows of U and T over them.
 */
#include "linalg.h"
#include "visitor.h"

#include <string.h>

void dpc_gather_columns(const dpc_visitor *v, int q, int count, double *to)
{
    enum { FAR = 512 }; /* variables from which R is not in the nearest caches anyway */
    const dpc_view *view = &v->view;
    const double *from = dpc_column_row(view, v->variable[q]);
    const double *next = dpc_column_row(view, v->variable[q < v->degree ? q + 1 : q]);
    bool far = view->n >= FAR;
    for (int c = 0; c < count; c++) {
        to[c] = from[v->of_column[c]];
        if (far)
            __builtin_prefetch(next + v->of_column[c]); /* the row that comes after */
    }
    for (int c = count; c < dpc_whole_vectors(count); c++)
        to[c] = 0;
}

/* The targets come first. */
static void start_columns(dpc_visitor *v, dpc_depth *depth)
{
    depth->live = 0;
    depth->dead_seen = v->dead;
    for (int q = 0; q < v->degree; q++)
        if (v->live[q])
            depth->position[depth->live++] = q;
    for (int q = 0, c = depth->live; q < v->degree; q++)
        if (!v->live[q])
            depth->position[c++] = q;
    for (int c = 0; c < v->degree; c++) {
        depth->column[depth->position[c]] = c;
        v->of_column[c] = v->variable[depth->position[c]];
    }
}

/* The rows of U that will be needed again and again; for single elements only that of x. */
static void start_subsets(dpc_visitor *v, dpc_depth *depth)
{
    dpc_panel *w = &depth->panel[SIDE_U];
    dpc_gather_columns(v, v->degree, v->degree, w->x);
    for (int q = 0; v->m > 1 && q < v->degree; q++)
        dpc_gather_columns(v, q, v->degree, w->row + (int64_t)q * v->ld);
}

/* The product FᵀF is made with the columns first: a row is contiguous. */
static void multiply_out(dpc_visitor *v, const dpc_depth *depth, int columns, double *to)
{
    const double one = 1;
    int order = v->degree + 1;
    for (int i = 0; i < order; i++)
        for (int c = 0; c < columns; c++) {
            int j = depth->position[c];
            to[(int64_t)i * v->ld + c] = j <= i ? v->factor[(int64_t)j * order + i] : 0;
        }
    dtrmm_("R", "L", "N", "N", &columns, &order, &one, v->factor, &order, to, &v->ld);
}

static void pick_columns(dpc_visitor *v, const dpc_depth *depth, int columns, double *to)
{
    bool all = depth->live == v->degree; /* then they stand in their order */
    for (int i = 0; i <= v->degree; i++) {
        const double *from = v->inverse + (int64_t)i * v->inverse_ld;
        double *row = to + (int64_t)i * v->ld;
        if (all)
            memcpy(row, from, (size_t)columns * sizeof *row);
        for (int c = 0; !all && c < columns; c++)
            row[c] = from[depth->position[c]];
    }
}

/*
 * The rows of T, of x too, over the live columns; over all columns where they are to be eliminated
 * from each other.
 */
static void start_complements(dpc_visitor *v, dpc_depth *depth)
{
    int columns = v->m > 1 ? v->degree : depth->live;
    double *to = depth->panel[SIDE_T].row;
    if (v->has_inverse)
        pick_columns(v, depth, columns, to);
    else
        multiply_out(v, depth, columns, to);
    for (int i = 0; i <= v->degree; i++)
        for (int c = columns; c < dpc_whole_vectors(columns); c++)
            to[(int64_t)i * v->ld + c] = 0;
}

void dpc_start_panels(dpc_visitor *v)
{
    dpc_depth *depth = &v->depths[0];
    start_columns(v, depth);
    for (int p = 0; p < 2; p++) {
        if (!v->side[p].used)
            continue;
        if (p == SIDE_U)
            start_subsets(v, depth);
        else
            start_complements(v, depth);
        depth->panel[p].vx = 1;
        for (int c = 0; c < v->ld; c++)
            v->side[p].v[c] = depth->panel[p].v[c] = 1;
    }
}
