/*
 * Columns that a search by tests sets aside, and their return: see representatives.h.
 *
 * The return is a substitution: a node of the graph is replaced by a clique of which every member
 * has the edges that the node had. In a DAG of the class let a copy follow its representative. An
 * edge between them is covered, so it has no direction in the CPDAG; a collider at or below the
 * node is there once for each member, and none is new, because the members are adjacent.
 */
#include "representatives.h"

#include "arena.h"
#include "canonical.h"
#include "copies.h"
#include "graph.h"
#include "linalg.h"
#include "sorted.h"
#include "status.h"
#include "view.h"

/* ---- Who is set aside, and who is alike ---- */

typedef struct choice {
    const dpc_correlation *correlation;
    dpc_view view;
    dpc_same *same; /* or NULL */
    const void *context;
    double left;     /* see copies.h */
    int32_t *copied; /* by column: see dpc_find_copies */
    int32_t *of;     /* by column: its representative, which may be itself */
} choice;

static bool is_copy(const choice *c, int a, int b)
{
    return dpc_is_copy(dpc_r_at(&c->view, a, b), c->left) &&
           (c->same == NULL || c->same(c->context, a, b));
}

/* The first representative before a label that its column is a copy of; otherwise the column. */
static int find_representative(const choice *c, int label)
{
    int column = dpc_column_of(c->view.labels, label), first = c->copied[column];
    if (first < 0)
        return column;
    for (int l = dpc_label_of(c->view.labels, first); l < label; l++) {
        int other = dpc_column_of(c->view.labels, l);
        if (c->of[other] == other && is_copy(c, other, column))
            return other;
    }
    return column;
}

/* Fills c->of for all nodes of the view; *any: not each is its own representative. */
static dpc_status choose(choice *c, const dpc_settings *settings, bool *any)
{
    *any = false;
    DPC_CHECK(dpc_find_copies(c->correlation, c->view.labels, c->left, settings, c->copied));
    for (int l = 0; l < dpc_nodes(&c->view); l++) {
        int column = dpc_column_of(c->view.labels, l);
        c->of[column] = find_representative(c, l);
        *any = *any || c->of[column] != column;
    }
    return DPC_OK;
}

/* Numbers the representatives in their order; all others have the number of theirs. */
static dpc_status number(const choice *c, dpc_labels *labels)
{
    int n = c->view.n;
    labels->column = dpc_alloc(n, sizeof *labels->column);
    labels->label = dpc_alloc(n, sizeof *labels->label);
    if (labels->column == NULL || labels->label == NULL)
        return DPC_NO_MEMORY;
    for (int l = 0; l < n; l++) {
        int column = dpc_column_of(c->view.labels, l);
        if (c->of[column] == column) {
            labels->column[labels->count] = column;
            labels->label[column] = labels->count++;
        }
    }
    for (int j = 0; j < n; j++)
        labels->label[j] = labels->label[c->of[j]];
    return DPC_OK;
}

/* Those that are nearly copies, among the nodes that are left. */
static dpc_status find_alike(choice *c, const dpc_settings *settings, dpc_representatives *out)
{
    const dpc_labels *labels = out->labels.count > 0 ? &out->labels : c->view.labels;
    bool any;
    c->left = DPC_SHAKY;
    c->same = NULL;
    c->view.labels = labels;
    DPC_CHECK(choose(c, settings, &any));
    if (!any)
        return DPC_OK;
    out->alike = dpc_alloc(c->view.n, sizeof *out->alike);
    if (out->alike == NULL)
        return DPC_NO_MEMORY;
    for (int l = 0; l < dpc_nodes(&c->view); l++)
        out->alike[l] = dpc_label_of(labels, c->of[dpc_column_of(labels, l)]);
    return DPC_OK;
}

static dpc_status find(choice *c, const dpc_settings *settings, dpc_representatives *out)
{
    bool any = false;
    DPC_CHECK(dpc_find_copies(c->correlation, c->view.labels, DPC_SHAKY, settings, c->copied));
    for (int j = 0; j < c->view.n && !any; j++)
        any = c->copied[j] >= 0;
    if (!any) /* then no two are copies, either */
        return DPC_OK;
    c->left = DPC_SINGULAR;
    DPC_CHECK(choose(c, settings, &any));
    if (any)
        DPC_CHECK(number(c, &out->labels));
    return find_alike(c, settings, out);
}

void dpc_representatives_clear(dpc_representatives *r)
{
    dpc_labels_clear(&r->labels);
    free(r->alike);
    *r = (dpc_representatives){0};
}

dpc_status dpc_find_representatives(const dpc_correlation *correlation, const dpc_labels *all,
                                    dpc_same *same, const void *context,
                                    const dpc_settings *settings, dpc_representatives *out,
                                    dpc_error *err)
{
    int n = correlation->n_vars;
    dpc_arena arena = {0};
    *out = (dpc_representatives){0};
    choice c = {.correlation = correlation,
                .view = dpc_view_of(correlation, all),
                .same = same,
                .context = context,
                .copied = dpc_arena_alloc(&arena, n, sizeof *c.copied),
                .of = dpc_arena_alloc(&arena, n, sizeof *c.of)};
    dpc_status status = dpc_arena_failed(&arena) ? DPC_NO_MEMORY : find(&c, settings, out);
    dpc_arena_clear(&arena);
    if (status != DPC_OK)
        dpc_representatives_clear(out);
    return dpc_fail_as(err, status, "the copies among the columns");
}

/* ---- Their return ---- */

/* The columns of each label, one after the other; those of label l begin at start[l]. */
typedef struct groups {
    const dpc_labels *labels;
    int32_t *start, *column;
} groups;

static dpc_status group(const dpc_labels *labels, int n, dpc_arena *arena, groups *out)
{
    int count = labels->count;
    *out = (groups){.labels = labels,
                    .start = dpc_arena_zalloc(arena, count + 1, sizeof *out->start),
                    .column = dpc_arena_alloc(arena, n, sizeof *out->column)};
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    for (int j = 0; j < n; j++)
        out->start[labels->label[j] + 1]++;
    for (int l = 0; l < count; l++)
        out->start[l + 1] += out->start[l];
    for (int j = n - 1; j >= 0; j--) /* from behind: the starts move to where they belong */
        out->column[--out->start[labels->label[j] + 1]] = j;
    for (int l = 0; l < count; l++)
        out->start[l] = out->start[l + 1];
    out->start[count] = n;
    return DPC_OK;
}

/* The columns that a representative stands for, itself among them. */
static const int32_t *members(const groups *g, int column, int *count)
{
    int label = g->labels->label[column];
    *count = g->start[label + 1] - g->start[label];
    return g->column + g->start[label];
}

static int64_t times(const groups *g, int a, int b)
{
    int of_a, of_b;
    members(g, a, &of_a);
    members(g, b, &of_b);
    return (int64_t)of_a * of_b;
}

/* The edges of all copies of both ends of an edge; returns how many. */
static int64_t repeat_edge(const groups *g, const dpc_edge *edge, dpc_edge *to)
{
    int of_a, of_b;
    const int32_t *a = members(g, edge->a, &of_a), *b = members(g, edge->b, &of_b);
    for (int i = 0; i < of_a; i++)
        for (int j = 0; j < of_b; j++)
            *to++ = dpc_edge_of(a[i], b[j], edge->mark);
    return (int64_t)of_a * of_b;
}

/* The undirected edges among the columns of one label; returns how many. */
static int64_t join_group(const groups *g, int label, dpc_edge *to)
{
    int64_t count = 0;
    for (int i = g->start[label]; i < g->start[label + 1]; i++)
        for (int j = i + 1; j < g->start[label + 1]; j++)
            to[count++] = (dpc_edge){g->column[i], g->column[j], DPC_UNDIRECTED};
    return count;
}

/* Takes `edges`, in no order, in the place of those that a graph has. */
static void replace_edges(dpc_graph *graph, int n, dpc_edge *edges, int64_t count)
{
    free(graph->edges);
    qsort(edges, (size_t)count, sizeof *edges, dpc_by_pair);
    *graph = (dpc_graph){.n_nodes = n, .edges = edges, .n_edges = count};
}

static dpc_status join_edges(const groups *g, int n, dpc_graph *graph)
{
    int64_t all = 0, at = 0;
    for (int64_t e = 0; e < graph->n_edges; e++)
        all += times(g, graph->edges[e].a, graph->edges[e].b);
    for (int l = 0; l < g->labels->count; l++) {
        int64_t size = g->start[l + 1] - g->start[l];
        all += size * (size - 1) / 2;
    }
    dpc_edge *edges = dpc_alloc(all, sizeof *edges);
    if (edges == NULL)
        return DPC_NO_MEMORY;
    for (int64_t e = 0; e < graph->n_edges; e++)
        at += repeat_edge(g, &graph->edges[e], edges + at);
    for (int l = 0; l < g->labels->count; l++)
        at += join_group(g, l, edges + at);
    replace_edges(graph, n, edges, all);
    return DPC_OK;
}

/* An arrow of copies rests on what that of their representatives rests on. */
static dpc_status join_provenance(const groups *g, dpc_oriented *oriented)
{
    int64_t all = 0, at = 0;
    for (int64_t i = 0; i < oriented->n_provenance; i++)
        all += times(g, oriented->provenance[i].from, oriented->provenance[i].to);
    dpc_provenance *joined = dpc_alloc(all, sizeof *joined);
    if (joined == NULL)
        return DPC_NO_MEMORY;
    for (int64_t i = 0; i < oriented->n_provenance; i++) {
        int of_from, of_to;
        const dpc_provenance *p = &oriented->provenance[i];
        const int32_t *from = members(g, p->from, &of_from), *to = members(g, p->to, &of_to);
        for (int64_t k = 0; k < (int64_t)of_from * of_to; k++) {
            joined[at] = *p;
            joined[at].from = from[k / of_to];
            joined[at++].to = to[k % of_to];
        }
    }
    qsort(joined, (size_t)all, sizeof *joined, dpc_by_arrow);
    free(oriented->provenance);
    oriented->provenance = joined;
    oriented->n_provenance = all;
    return DPC_OK;
}

static dpc_status join(const dpc_labels *labels, int n, dpc_arena *arena, dpc_oriented *oriented)
{
    groups g;
    DPC_CHECK(group(labels, n, arena, &g));
    DPC_CHECK(join_edges(&g, n, &oriented->graph));
    if (oriented->whole.n_edges > 0)
        DPC_CHECK(join_edges(&g, n, &oriented->whole));
    return oriented->provenance != NULL ? join_provenance(&g, oriented) : DPC_OK;
}

dpc_status dpc_join_copies(const dpc_labels *labels, int n, dpc_oriented *oriented, dpc_error *err)
{
    dpc_arena arena = {0};
    oriented->graph.n_nodes = oriented->whole.n_nodes = n;
    DPC_CHECK(dpc_labels_undo(labels, oriented, err));
    if (labels->count == 0)
        return DPC_OK;
    dpc_status status = join(labels, n, &arena, oriented);
    dpc_arena_clear(&arena);
    return dpc_fail_as(err, status, "the copies among the columns");
}

dpc_status dpc_attach_copies(const dpc_labels *labels, int n, dpc_graph *graph, dpc_error *err)
{
    int64_t all = graph->n_edges + n - labels->count, at = graph->n_edges;
    dpc_labels_undo_graph(labels, graph);
    if (labels->count == 0)
        return DPC_OK;
    dpc_edge *edges = dpc_alloc(all, sizeof *edges);
    if (edges == NULL)
        return dpc_fail_memory(err, "the copies among the columns");
    for (int64_t e = 0; e < graph->n_edges; e++)
        edges[e] = graph->edges[e];
    for (int j = 0; j < n; j++)
        if (!dpc_is_representative(labels, j))
            edges[at++] = dpc_edge_of(j, labels->column[labels->label[j]], DPC_UNDIRECTED);
    replace_edges(graph, n, edges, all);
    return DPC_OK;
}
