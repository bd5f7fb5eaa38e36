/*
 * Graphs whose nodes are known by their names: dpc_match_graphs, dpc_match_variables and
 * dpc_compare_named of dualpc_graph.h.
 *
 * One graph, the base, gives its nodes their numbers, and the nodes of the other are found among
 * them by name. The base is a graph that lists its nodes, where there is one. An edge list does
 * not list them; it has its names without the blanks around them, so that is how they are found
 * where they are not found as they are. Of two edge lists one may lack nodes of the other, which
 * have no edges there; but if each lacks some, these are names that do not match.
 */
#include "alloc.h"
#include "compare.h"
#include "graph.h"
#include "names.h"
#include "sorted.h"
#include "status.h"
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

/* Which nodes of the base the other does not have, by their names; returns how many. */
static int list_lacking(const match *m, int32_t *found, char text[LIST_SIZE])
{
    int n = m->base->graph.n_nodes;
    memset(found, -1, (size_t)n * sizeof *found);
    for (int v = 0; v < m->other->graph.n_nodes; v++)
        if (m->number[v] >= 0 && m->number[v] < n)
            found[m->number[v]] = v;
    return list_missing(m->base->names, n, found, text);
}

/* Which nodes of the other the base does not have: they have no number, or one behind its own. */
static int list_extra(const match *m, int32_t *found, char text[LIST_SIZE])
{
    int n = m->other->graph.n_nodes;
    for (int v = 0; v < n; v++)
        found[v] = m->number[v] < m->base->graph.n_nodes ? m->number[v] : -1;
    return list_missing(m->other->names, n, found, text);
}

static dpc_status check_nodes(const match *m, dpc_error *err)
{
    char extra[LIST_SIZE] = "", lacking[LIST_SIZE] = "";
    char first[LIST_SIZE + 64] = "", second[LIST_SIZE + 64] = "";
    int n = m->base->graph.n_nodes, n_other = m->other->graph.n_nodes;
    int32_t *found = dpc_alloc(n > n_other ? n : n_other, sizeof *found);
    if (found == NULL)
        return no_memory(err);
    int n_extra = list_extra(m, found, extra), n_lacking = list_lacking(m, found, lacking);
    free(found);
    if (!m->other->all_nodes && (m->base->all_nodes || n_extra == 0))
        n_lacking = 0; /* an edge list need not have all */
    if (!m->base->all_nodes && n_lacking == 0)
        n_extra = 0;
    if (n_extra == 0 && n_lacking == 0)
        return DPC_OK;
    if (n_extra > 0)
        snprintf(first, sizeof first, "the %s lacks %s of the %s%s", m->base_name, extra,
                 m->other_name, n_lacking > 0 ? ", " : "");
    if (n_lacking > 0)
        snprintf(second, sizeof second, "the %s lacks %s of the %s", m->other_name, lacking,
                 m->base_name);
    return dpc_fail(err, DPC_BAD_INPUT, "%s%s; both must have the same nodes%s", first, second,
                    m->base->all_nodes
                        ? ""
                        : " (in an edge list a node without edges is a line with its name alone)");
}

/* ---- Edges in the common numbers ---- */

/* The graph over n_nodes nodes, its own called by their numbers; NULL: as they are. */
static dpc_status renumber(const dpc_graph *graph, int n_nodes, const int32_t *number,
                           dpc_graph *out, dpc_error *err)
{
    if (dpc_graph_duplicate(graph, out) != DPC_OK)
        return dpc_fail_memory(err, "a graph to compare");
    out->n_nodes = n_nodes;
    for (int64_t e = 0; e < out->n_edges && number != NULL; e++) {
        dpc_edge *edge = &out->edges[e];
        *edge = dpc_edge_of(number[edge->a], number[edge->b], edge->mark);
    }
    qsort(out->edges, (size_t)out->n_edges, sizeof *out->edges, dpc_by_pair);
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

/* Numbers both by the names of the base and those that the other adds. */
static dpc_status match_names(match *m, dpc_error *err)
{
    DPC_CHECK(dpc_graph_check(&m->base->graph, m->base_name, err));
    DPC_CHECK(dpc_graph_check(&m->other->graph, m->other_name, err));
    m->number = dpc_alloc(m->other->graph.n_nodes, sizeof *m->number);
    if (m->number == NULL)
        return no_memory(err);
    DPC_CHECK(number_base(m, err));
    DPC_CHECK(number_other(m, err));
    return check_nodes(m, err);
}

static void match_clear(match *m)
{
    free(m->number);
    dpc_names_clear(&m->names);
}

static match match_of(const dpc_named_graph *estimate, const dpc_named_graph *truth)
{
    bool on_truth = truth->all_nodes || !estimate->all_nodes;
    return (match){
        .base = on_truth ? truth : estimate,
        .other = on_truth ? estimate : truth,
        .base_name = on_truth ? "truth" : "estimate",
        .other_name = on_truth ? "estimate" : "truth",
    };
}

/* ---- Matched graphs ---- */

/* A graph over all names of the match; `number` is NULL for the base. */
static dpc_status matched_new(const match *m, const dpc_graph *graph, const int32_t *number,
                              dpc_named_graph **out, dpc_error *err)
{
    int n = m->names.count;
    dpc_named_graph *g = dpc_zalloc(1, sizeof *g);
    dpc_names copy = {0};
    dpc_status status = g != NULL ? DPC_OK : no_memory(err);
    for (int v = 0; v < n && status == DPC_OK; v++)
        if (dpc_names_add(&copy, m->names.names[v], strlen(m->names.names[v])) < 0)
            status = no_memory(err);
    if (status == DPC_OK)
        status = renumber(graph, n, number, &g->graph, err);
    if (status == DPC_OK) {
        g->names = dpc_names_release(&copy);
        g->all_nodes = true;
        *out = g;
    } else {
        dpc_names_clear(&copy);
        free(g);
    }
    return status;
}

dpc_status dpc_match_graphs(const dpc_named_graph *estimate, const dpc_named_graph *truth,
                            dpc_named_graph **matched_estimate, dpc_named_graph **matched_truth,
                            dpc_error *err)
{
    match m = match_of(estimate, truth);
    dpc_named_graph *base = NULL, *other = NULL;
    dpc_status status = match_names(&m, err);
    if (status == DPC_OK)
        status = matched_new(&m, &m.base->graph, NULL, &base, err);
    if (status == DPC_OK)
        status = matched_new(&m, &m.other->graph, m.number, &other, err);
    if (status == DPC_OK) {
        *matched_estimate = m.base == estimate ? base : other;
        *matched_truth = m.base == estimate ? other : base;
    } else {
        dpc_named_graph_free(base);
    }
    match_clear(&m);
    return status;
}

dpc_status dpc_match_variables(const dpc_named_graph *graph, const char *const *names, int n_vars,
                               dpc_graph **out, dpc_error *err)
{
    dpc_named_graph variables = {
        .graph = {n_vars, 0, NULL}, .names = (char **)names, .all_nodes = true}; /* only read */
    match m = {.base = &variables, .other = graph, .base_name = "data", .other_name = "graph"};
    dpc_graph renumbered = {0};
    dpc_status status = match_names(&m, err);
    if (status == DPC_OK)
        status = renumber(&graph->graph, n_vars, m.number, &renumbered, err);
    if (status == DPC_OK)
        status = dpc_graph_release(&renumbered, out, err);
    match_clear(&m);
    return status;
}

dpc_status dpc_compare_named(const dpc_named_graph *estimate, const dpc_named_graph *truth,
                             dpc_target as, dpc_metrics *out, dpc_error *err)
{
    dpc_named_graph *ours = NULL, *theirs = NULL;
    dpc_status status = dpc_match_graphs(estimate, truth, &ours, &theirs, err);
    if (status == DPC_OK)
        status = dpc_compare(&ours->graph, &theirs->graph, as, out, err);
    dpc_named_graph_free(ours);
    dpc_named_graph_free(theirs);
    return status;
}
