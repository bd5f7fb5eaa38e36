/*
 * Comparing graphs whose nodes are known by their names: dpc_compare_named of dualpc.h.
 *
 * One graph, the base, gives its nodes their numbers, and the nodes of the other are found among
 * them by name. The base is a graph that lists its nodes, where there is one. An edge list does
 * not list them; it has its names without the blanks around them, so that is how they are found
 * where they are not found as they are. Two edge lists have the nodes of either.
 */
#include "compare.h"
#include "error.h"
#include "graph.h"
#include "memory.h"
#include "names.h"
#include "sorted.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_NAMED = 3,
    LIST_SIZE = MOST_NAMED * (DPC_CLIP_SIZE + 4) + 32,
};

/* ---- Names without the blanks around them ---- */

static const char *trimmed(const char *name, size_t *length)
{
    while (*name == ' ' || *name == '\t')
        name++;
    *length = strlen(name);
    while (*length > 0 && (name[*length - 1] == ' ' || name[*length - 1] == '\t'))
        --*length;
    return name;
}

typedef struct aliases {
    dpc_names names; /* the trimmed ones of those that have such blanks */
    int32_t *node;   /* whose each is; -1: of several; owned */
} aliases;

static void aliases_clear(aliases *a)
{
    dpc_names_clear(&a->names);
    free(a->node);
}

static dpc_status aliases_find(const dpc_named_graph *base, aliases *a)
{
    a->node = dpc_alloc(base->graph.n_nodes, sizeof *a->node);
    if (a->node == NULL)
        return DPC_NO_MEMORY;
    for (int v = 0; v < base->graph.n_nodes; v++) {
        size_t length;
        const char *text = trimmed(base->names[v], &length);
        if (length == strlen(base->names[v]))
            continue;
        int before = a->names.count;
        int32_t alias = dpc_names_add(&a->names, text, length);
        if (alias < 0)
            return DPC_NO_MEMORY;
        a->node[alias] = alias == before ? v : -1;
    }
    return DPC_OK;
}

/* ---- Numbering ---- */

typedef struct match {
    const dpc_named_graph *base, *other;
    const char *base_name, *other_name; /* for messages */
    dpc_names names;                    /* numbered: those of the base, then what others add */
    int32_t *number;                    /* of each node of `other`; -1: none; owned */
} match;

static dpc_status no_memory(dpc_error *err)
{
    return dpc_fail_memory(err, "the names of two graphs");
}

static dpc_status number_base(match *m, dpc_error *err)
{
    char clipped[DPC_CLIP_SIZE];
    for (int v = 0; v < m->base->graph.n_nodes; v++) {
        const char *name = m->base->names[v];
        int32_t number = dpc_names_add(&m->names, name, strlen(name));
        if (number < 0)
            return no_memory(err);
        if (number != v)
            return dpc_fail(err, DPC_USAGE, "two nodes of the %s are called '%s'", m->base_name,
                            dpc_clip_name(name, clipped));
    }
    return DPC_OK;
}

static dpc_status number_other(match *m, dpc_error *err)
{
    aliases blank = {0};
    bool grows = !m->base->all_nodes; /* a name that is not found is a node more */
    bool fine = grows || m->other->all_nodes || aliases_find(m->base, &blank) == DPC_OK;
    for (int v = 0; fine && v < m->other->graph.n_nodes; v++) {
        const char *name = m->other->names[v];
        size_t length = strlen(name);
        int32_t alias = dpc_names_find(&blank.names, name, length);
        m->number[v] = grows ? dpc_names_add(&m->names, name, length)
                             : dpc_names_find(&m->names, name, length);
        if (m->number[v] < 0 && alias >= 0)
            m->number[v] = blank.node[alias];
        fine = !grows || m->number[v] >= 0;
    }
    aliases_clear(&blank);
    return fine ? DPC_OK : no_memory(err);
}

/* ---- Nodes that only one of them has ---- */

/* "'a', 'b', 'c' and 4 more": those where `number` is below 0. Returns how many there are. */
static int list_missing(char *const *names, int n, const int32_t *number, char text[LIST_SIZE])
{
    char clipped[DPC_CLIP_SIZE];
    int count = 0;
    size_t used = 0;
    for (int v = 0; v < n; v++)
        if (number[v] < 0 && ++count <= MOST_NAMED)
            used += (size_t)snprintf(text + used, LIST_SIZE - used, "%s'%s'", count > 1 ? ", " : "",
                                     dpc_clip_name(names[v], clipped));
    if (count > MOST_NAMED)
        snprintf(text + used, LIST_SIZE - used, " and %d more", count - MOST_NAMED);
    return count;
}

static dpc_status check_nodes(const match *m, dpc_error *err)
{
    char extra[LIST_SIZE] = "", lacking[LIST_SIZE] = "", first[LIST_SIZE + 64] = "";
    int n = m->base->graph.n_nodes, n_lacking = 0;
    int n_extra = list_missing(m->other->names, m->other->graph.n_nodes, m->number, extra);
    if (m->other->all_nodes && m->base->all_nodes) {
        int32_t *found = dpc_alloc(n, sizeof *found);
        if (found == NULL)
            return no_memory(err);
        memset(found, -1, (size_t)n * sizeof *found);
        for (int v = 0; v < m->other->graph.n_nodes; v++)
            if (m->number[v] >= 0)
                found[m->number[v]] = v;
        n_lacking = list_missing(m->base->names, n, found, lacking);
        free(found);
    }
    if (n_extra == 0 && n_lacking == 0)
        return DPC_OK;
    if (n_extra > 0)
        snprintf(first, sizeof first, "the %s lacks %s of the %s%s", m->base_name, extra,
                 m->other_name, n_lacking > 0 ? ", " : "");
    if (n_lacking == 0)
        return dpc_fail(err, DPC_BAD_INPUT, "%s; both must have the same nodes", first);
    return dpc_fail(err, DPC_BAD_INPUT,
                    "%sthe %s lacks %s of the %s; both must have the same nodes", first,
                    m->other_name, lacking, m->base_name);
}

/* ---- Edges in the common numbers ---- */

static dpc_status renumber(const dpc_graph *graph, int n_nodes, const int32_t *number,
                           dpc_graph *out, dpc_error *err)
{
    dpc_edge *edges = dpc_alloc(graph->n_edges, sizeof *edges);
    if (edges == NULL)
        return dpc_fail_memory(err, "a graph to compare");
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        edges[e] = dpc_edge_of(number[edge->a], number[edge->b], edge->mark);
    }
    qsort(edges, (size_t)graph->n_edges, sizeof *edges, dpc_by_pair);
    *out = (dpc_graph){n_nodes, graph->n_edges, edges};
    return DPC_OK;
}

void dpc_named_graph_free(dpc_named_graph *graph)
{
    if (graph == NULL)
        return;
    dpc_names_free_list(graph->names, graph->graph.n_nodes);
    dpc_graph_clear(&graph->graph);
    free(graph);
}

dpc_status dpc_compare_named(const dpc_named_graph *estimate, const dpc_named_graph *truth,
                             dpc_target as, dpc_metrics *out, dpc_error *err)
{
    bool on_truth = truth->all_nodes || !estimate->all_nodes;
    match m = {
        .base = on_truth ? truth : estimate,
        .other = on_truth ? estimate : truth,
        .base_name = on_truth ? "truth" : "estimate",
        .other_name = on_truth ? "estimate" : "truth",
    };
    dpc_graph renumbered = {0};
    dpc_status status = dpc_graph_check(&estimate->graph, "estimate", err);
    if (status == DPC_OK)
        status = dpc_graph_check(&truth->graph, "truth", err);
    if (status != DPC_OK)
        return status;
    m.number = dpc_alloc(m.other->graph.n_nodes, sizeof *m.number);
    status = m.number != NULL ? number_base(&m, err) : no_memory(err);
    if (status == DPC_OK)
        status = number_other(&m, err);
    if (status == DPC_OK)
        status = check_nodes(&m, err);
    if (status == DPC_OK)
        status = renumber(&m.other->graph, m.names.count, m.number, &renumbered, err);
    if (status == DPC_OK) {
        dpc_graph base = m.base->graph; /* its edges are only read */
        base.n_nodes = m.names.count;
        status = on_truth ? dpc_compare(&renumbered, &base, as, out, err)
                          : dpc_compare(&base, &renumbered, as, out, err);
    }
    dpc_graph_clear(&renumbered);
    free(m.number);
    dpc_names_clear(&m.names);
    return status;
}
