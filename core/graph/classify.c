/*
 * What a graph stands for: see classify.h.
 *
 * First circles of arrows; then a consistent extension (extension.h); then whether the class of
 * that extension, or else Meek's rules, leave the graph as it is.
 */
#include "classify.h"

#include "ancestral.h"
#include "arena.h"
#include "closure.h"
#include "equivalence.h"
#include "extension.h"
#include "graph.h"
#include "mixed_lists.h"
#include "pag.h"
#include "sorted.h"
#include "status.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* ---- Sentences ---- */

enum { MOST_EDGES = 5, REASON = 480, LABEL = DPC_CLIP_SIZE + 16 };

static const char *label(const char *const *names, int v, char text[LABEL])
{
    char clipped[DPC_CLIP_SIZE];
    if (names != NULL)
        snprintf(text, LABEL, "%s", dpc_clip_name(names[v], clipped));
    else
        snprintf(text, LABEL, "node %d", v);
    return text;
}

static void add(char reason[REASON], const char *text)
{
    size_t used = strlen(reason);
    snprintf(reason + used, REASON - used, "%s", text);
}

/* `A --> B` */
static void add_edge(char reason[REASON], const char *const *names, const dpc_edge *edge)
{
    char text[LABEL];
    bool turn = edge->mark == DPC_BACKWARD;
    add(reason, label(names, turn ? edge->b : edge->a, text));
    add(reason, edge->mark == DPC_UNDIRECTED ? " --- " : " --> ");
    add(reason, label(names, turn ? edge->a : edge->b, text));
}

/* ---- Circles ---- */

static int32_t first_left(const bool *gone, dpc_node_row row)
{
    int64_t i = 0;
    while (i < row.count && gone[row.node[i]])
        i++;
    return i < row.count ? row.node[i] : -1;
}

/* Of what is left every node has a parent that is left: going back comes to where it was. */
static void tell_circle(const dpc_mixed_lists *lists, const bool *gone, const char *const *names,
                        int32_t *when, char reason[REASON])
{
    char text[LABEL];
    int v = 0, steps = 0;
    while (gone[v])
        v++;
    for (int i = 0; i < lists->n; i++)
        when[i] = -1;
    for (; when[v] < 0; v = first_left(gone, dpc_parents_of(lists, v)))
        when[v] = steps++;
    /* v closes it: from here forwards, which is backwards in `when` */
    int length = steps - when[v], at = v;
    snprintf(reason, REASON, "its arrows make a circle, ");
    add(reason, label(names, at, text));
    for (int i = 0; i < length; i++) {
        int next = -1, wanted = i + 1 == length ? when[v] : steps - 1 - i;
        dpc_node_row children = dpc_children_of(lists, at);
        for (int64_t c = 0; c < children.count; c++)
            next = when[children.node[c]] == wanted ? children.node[c] : next;
        if (i < MOST_EDGES || i + 1 == length) {
            add(reason, i < MOST_EDGES ? " --> " : " ... --> ");
            add(reason, label(names, next, text));
        }
        at = next;
    }
}

/* What has no place in a topological order is in circles or behind them. */
static dpc_status look_for_circles(const dpc_graph *graph, const char *const *names, bool *found,
                                   char reason[REASON])
{
    dpc_arena arena = {0};
    dpc_mixed_lists lists;
    int n = graph->n_nodes;
    bool *gone = dpc_arena_zalloc(&arena, n, sizeof *gone);
    int32_t *left = dpc_arena_alloc(&arena, n, sizeof *left);
    int32_t *order = dpc_arena_alloc(&arena, n, sizeof *order);
    dpc_status status = dpc_mixed_lists_init(graph, NULL, &lists);
    if (dpc_arena_failed(&arena))
        status = DPC_NO_MEMORY;
    if (status == DPC_OK) {
        int count = dpc_topological_order(n, dpc_children_after, &lists, left, order);
        for (int i = 0; i < count; i++)
            gone[order[i]] = true;
        *found = count < n;
        if (*found)
            tell_circle(&lists, gone, names, left, reason);
    }
    dpc_mixed_lists_clear(&lists);
    dpc_arena_clear(&arena);
    return status;
}

/* ---- No extension ---- */

/* The edges among the nodes that are kept. */
static void induce(const dpc_graph *graph, const bool *kept, dpc_graph *out)
{
    out->n_edges = 0;
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (kept[graph->edges[e].a] && kept[graph->edges[e].b])
            out->edges[out->n_edges++] = graph->edges[e];
}

/*
 * A part of the graph is extendable where the whole is. So of a graph that is not, a node can be
 * left out as long as the rest is not either, and what remains is to blame.
 */
static dpc_status tell_blame(const dpc_graph *graph, const char *const *names, int32_t *when,
                             char reason[REASON])
{
    enum { MOST_TRIED = 2000 };
    dpc_graph part = {graph->n_nodes, 0, dpc_alloc(graph->n_edges, sizeof *part.edges)};
    bool *kept = dpc_alloc(graph->n_nodes, sizeof *kept), consistent = false;
    dpc_status status = part.edges != NULL && kept != NULL ? DPC_OK : DPC_NO_MEMORY;
    int tried = 0;
    for (int v = 0; v < graph->n_nodes && status == DPC_OK; v++)
        kept[v] = when[v] < 0;
    for (int v = 0; v < graph->n_nodes && status == DPC_OK; v++) {
        if (!kept[v] || ++tried > MOST_TRIED)
            continue;
        kept[v] = false;
        induce(graph, kept, &part);
        status = dpc_extension(&part, NULL, DPC_SINK_FIRST, when, &consistent);
        kept[v] = consistent;
    }
    if (status == DPC_OK) {
        induce(graph, kept, &part);
        snprintf(reason, REASON, "no DAG has these edges without a circle or a new v-structure: ");
        for (int64_t e = 0; e < part.n_edges && e < MOST_EDGES; e++) {
            add(reason, e > 0 ? ", " : "");
            add_edge(reason, names, &part.edges[e]);
        }
        if (part.n_edges > MOST_EDGES)
            snprintf(reason + strlen(reason), REASON - strlen(reason), " and %lld more",
                     (long long)part.n_edges - MOST_EDGES);
    }
    dpc_graph_clear(&part);
    free(kept);
    return status;
}

/* ---- Arrows that are missing ---- */

static void tell_missing(const dpc_closure *c, const char *const *names, int rule, int64_t slot,
                         const int32_t other[2], char reason[REASON])
{
    char text[LABEL];
    dpc_edge edge =
        dpc_edge_of(dpc_slot_node(&c->arrows, slot), c->graph->node[slot], DPC_UNDIRECTED);
    snprintf(reason, REASON, "its edge ");
    add_edge(reason, names, &edge);
    add(reason, " must be ");
    edge = dpc_edge_of(dpc_slot_node(&c->arrows, slot), c->graph->node[slot], DPC_FORWARD);
    add_edge(reason, names, &edge);
    snprintf(reason + strlen(reason), REASON - strlen(reason), " by Meek's rule %d, from ", rule);
    add(reason, label(names, other[0], text));
    if (rule >= 3) {
        add(reason, " and ");
        add(reason, label(names, other[1], text));
    }
}

/* Directs what follows from the arrows there are; the first edge that does gives the reason. */
static dpc_status close_graph(dpc_graph *graph, const char *const *names, char reason[REASON])
{
    dpc_closure c;
    int64_t slot;
    int32_t other[2];
    int rule = 0;
    dpc_graph closed = {0};
    dpc_status status = dpc_closure_init(graph, &c);
    while (status == DPC_OK && (rule = dpc_closure_lacks(&c, &slot, other)) > 0) {
        if (*reason == '\0')
            tell_missing(&c, names, rule, slot, other, reason);
        dpc_closure_direct(&c, slot);
        dpc_closure_run(&c);
    }
    if (status == DPC_OK && *reason != '\0')
        status = dpc_mixed_graph(&c.arrows, &closed);
    if (status == DPC_OK && *reason != '\0') {
        dpc_graph_clear(graph);
        *graph = closed;
    }
    dpc_closure_clear(&c);
    return status;
}

/* ---- All of it ---- */

static bool same_marks(const dpc_graph *p, const dpc_graph *q)
{
    int64_t e = 0;
    while (e < p->n_edges && p->edges[e].mark == q->edges[e].mark)
        e++;
    return e == p->n_edges;
}

dpc_status dpc_number_nodes(const dpc_graph *dag, int32_t *number)
{
    bool consistent;
    dpc_status status = dpc_extension(dag, NULL, DPC_SINK_FIRST, number, &consistent);
    for (int v = 0; v < dag->n_nodes && status == DPC_OK; v++)
        number[v] = dag->n_nodes - 1 - number[v];
    return status;
}

/* A DAG with the edges of the graph, consistent with it where there is one. */
static dpc_status find_member(const dpc_graph *graph, const char *const *names, bool force,
                              dpc_graph *dag, char reason[REASON])
{
    bool consistent = false, circle = false;
    int32_t *when = dpc_alloc(graph->n_nodes, sizeof *when);
    dpc_status status = when != NULL ? dpc_graph_duplicate(graph, dag) : DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = dpc_extension(graph, NULL, DPC_SINK_FIRST, when, &consistent);
    if (status == DPC_OK && !consistent) {
        status = look_for_circles(graph, names, &circle, reason);
        if (status == DPC_OK && !circle)
            status = tell_blame(graph, names, when, reason);
        if (status == DPC_OK && force)
            status = dpc_extension(graph, NULL, DPC_SINK_NEAREST, when, &consistent);
    }
    if (status == DPC_OK && (force || *reason == '\0'))
        dpc_point_by_turns(dag, when);
    free(when);
    return status;
}

/* What the graph is; it is changed where it must be, for a reason. */
static dpc_status judge(dpc_classified *s, const char *const *names, bool extend,
                        char reason[REASON])
{
    dpc_graph class_graph = {0};
    dpc_status status = find_member(&s->graph, names, extend, &s->dag, reason);
    if (status != DPC_OK || (*reason != '\0' && !extend))
        return status;
    if (dpc_all_directed(&s->graph)) {
        s->kind = DPC_GRAPH_DAG;
        if (*reason == '\0')
            return DPC_OK;
        dpc_graph_clear(&s->graph);
        return dpc_graph_duplicate(&s->dag, &s->graph);
    }
    status = dpc_class_graph(&s->dag, DPC_CPDAG, NULL, &class_graph, NULL);
    s->kind = DPC_GRAPH_CPDAG;
    if (status == DPC_OK && *reason != '\0') { /* the class of the DAG that was forced */
        dpc_graph_clear(&s->graph);
        s->graph = class_graph;
        return DPC_OK;
    }
    if (status == DPC_OK && !same_marks(&class_graph, &s->graph)) {
        status = close_graph(&s->graph, names, reason);
        if (status == DPC_OK && !same_marks(&class_graph, &s->graph))
            s->kind = dpc_all_directed(&s->graph) ? DPC_GRAPH_DAG : DPC_GRAPH_MPDAG;
    }
    dpc_graph_clear(&class_graph);
    return status;
}

/* ---- Hidden causes ---- */

/* A valid PAG, where somebody says that it is one perhaps with more marks, which are known besides;
 * or else a MAG that stands for itself, or else, with `extend`, the nearest PAG. */
static dpc_status judge_pag(dpc_classified *s, bool said, bool extend, char reason[REASON])
{
    dpc_graph mag = {0}, mended = {0};
    bool is_pag = false, is_mag = false, circles = false;
    for (int64_t e = 0; e < s->graph.n_edges; e++)
        circles |= dpc_end_a(s->graph.edges[e].mark) == DPC_END_CIRCLE ||
                   dpc_end_b(s->graph.edges[e].mark) == DPC_END_CIRCLE;
    DPC_CHECK(dpc_pag_is_valid(&s->graph, true, &is_pag));
    if (!is_pag)
        DPC_CHECK(
            (said && circles ? dpc_pag_is_refined : dpc_pag_is_valid)(&s->graph, false, &is_pag));
    if (!is_pag && !circles)
        DPC_CHECK(dpc_graph_is_mag(&s->graph, &is_mag));
    s->kind = is_mag ? DPC_GRAPH_MAG : DPC_GRAPH_PAG;
    if (!is_pag && !is_mag) {
        snprintf(reason, REASON,
                 "its marks are not those that all of some equivalent maximal "
                 "ancestral graphs share");
        if (!extend)
            return DPC_OK;
        DPC_CHECK(dpc_pag_repair(&s->graph, false, &mended, &is_pag));
        dpc_graph_clear(&s->graph);
        s->graph = mended;
    }
    DPC_CHECK(is_mag ? dpc_graph_duplicate(&s->graph, &mag) : dpc_mag_of_pag(&s->graph, &mag));
    dpc_status status = dpc_mag_canonical(&mag, &s->dag, &s->n_selected);
    dpc_graph_clear(&mag);
    return status;
}

void dpc_classified_clear(dpc_classified *s)
{
    dpc_graph_clear(&s->graph);
    dpc_graph_clear(&s->dag);
    free(s->reason);
    *s = (dpc_classified){0};
}

dpc_status dpc_classified_init(const dpc_graph *graph, const char *const *names, bool pag,
                               bool extend, dpc_classified *out, dpc_error *err)
{
    char reason[REASON] = "";
    dpc_classified s = {0};
    bool hidden = false;
    DPC_CHECK(dpc_graph_check(graph, "graph", err));
    hidden = pag || dpc_graph_is_pag(graph);
    dpc_status status = dpc_graph_duplicate(graph, &s.graph);
    if (status == DPC_OK)
        status = hidden ? judge_pag(&s, pag, extend, reason) : judge(&s, names, extend, reason);
    if (status == DPC_OK && *reason != '\0' && extend && (s.reason = strdup(reason)) == NULL)
        status = DPC_NO_MEMORY;
    if (status != DPC_OK)
        status = dpc_fail_memory(err, "a graph to ask");
    else if (*reason != '\0' && !extend)
        status = dpc_fail(err, DPC_BAD_INPUT, "it is neither a %s: %s",
                          hidden ? "valid MAG nor a valid PAG" : "DAG nor a valid CPDAG or MPDAG",
                          reason);
    if (status != DPC_OK) {
        dpc_classified_clear(&s);
        return status;
    }
    s.changed = s.graph.n_edges - graph->n_edges; /* a PAG may have got some */
    for (int64_t e = 0; e < graph->n_edges; e++)
        s.changed +=
            dpc_graph_mark(&s.graph, graph->edges[e].a, graph->edges[e].b) != graph->edges[e].mark;
    *out = s;
    return DPC_OK;
}
