/*
 * Reading DAGitty's text, as its web page, its R package and people write it:
 *
 *     dag {
 *       bb="0,0,1,1"
 *       "blood pressure" [outcome,pos="0.5,0.2"]
 *       age -> "blood pressure" <- {sex weight}
 *       age <-> weight
 *     }
 *
 * The type is dag, pdag, mag or pag (or graph, digraph). Statements have line breaks, semicolons or
 * nothing between them. Arrows are -> <- -- <-> and those with a circle, which is @: @-> @-@ …; a
 * chain may have different ones. A group in braces is joined with each of its nodes, and may hold
 * statements of its own. What stands in brackets (positions, exposure, outcome, latent) and the
 * settings of the drawing are skipped: a graph has no such things here.
 */
#include "dot_scan.h"

#include "alloc.h"

#include <stdlib.h>

enum {
    DEEPEST = 100,     /* groups in each other */
    MOST_EDGES = 20000 /* and one for every two bytes: few words must not fill the memory */
};

typedef struct reader {
    dpc_dot s;
    int32_t *nodes; /* of the statement and of the groups that are open; owned */
    int64_t count, capacity;
    int64_t most; /* edges */
} reader;

static dpc_status parse_statements(reader *r, int depth);

/* ---- What an arrow joins ---- */

static dpc_status add_node(reader *r)
{
    int32_t *nodes = dpc_make_room(r->nodes, &r->capacity, r->count + 1, sizeof *nodes);
    if (nodes == NULL)
        return dpc_build_no_memory(r->s.b);
    r->nodes = nodes;
    return dpc_build_node(r->s.b, r->s.text, r->s.length, r->s.at, &nodes[r->count++]);
}

static int by_number(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* The nodes from `first` on, each of them once. */
static void keep_different(reader *r, int64_t first)
{
    int64_t kept = first;
    if (r->count > first)
        qsort(r->nodes + first, (size_t)(r->count - first), sizeof *r->nodes, by_number);
    for (int64_t i = first; i < r->count; i++)
        if (kept == first || r->nodes[kept - 1] != r->nodes[i])
            r->nodes[kept++] = r->nodes[i];
    r->count = kept;
}

/* A name or a group, from the word on; its nodes are added to the list. */
static dpc_status parse_side(reader *r, int depth)
{
    dpc_dot *s = &r->s;
    int64_t first = r->count;
    const char *open = s->at;
    if (dpc_dot_is_name(s)) {
        DPC_CHECK(add_node(r));
        return dpc_dot_scan(s);
    }
    if (!dpc_dot_is_sign(s, '{'))
        return dpc_dot_refuse(s, "a node, an edge or }");
    if (depth == DEEPEST)
        return dpc_build_refuse(s->b, open, "more than %d groups are in each other", DEEPEST);
    DPC_CHECK(dpc_dot_scan(s));
    DPC_CHECK(parse_statements(r, depth + 1));
    keep_different(r, first);
    return dpc_dot_scan(s);
}

/* Every node from `left` on, up to `right`, with every one from there on. */
static dpc_status join(reader *r, int64_t left, int64_t right, dpc_mark mark, const char *at)
{
    if ((right - left) * (r->count - right) > r->most - r->s.b->n_edges)
        return dpc_build_refuse(r->s.b, at,
                                "the groups stand for more than %lld edges; write the edges out",
                                (long long)r->most);
    for (int64_t i = left; i < right; i++)
        for (int64_t j = right; j < r->count; j++)
            DPC_CHECK(dpc_build_edge(r->s.b, r->nodes[i], r->nodes[j], mark, at));
    return DPC_OK;
}

/* ---- Statements ---- */

/* The settings of all nodes or edges, or of the drawing? */
static bool is_setting(const dpc_dot *s)
{
    bool word =
        dpc_dot_is_word(s, "node") || dpc_dot_is_word(s, "edge") || dpc_dot_is_word(s, "graph");
    return word && *dpc_over_space(s->next) == '[';
}

static dpc_status parse_statement(reader *r, int depth)
{
    dpc_dot *s = &r->s;
    const char *at = s->at;
    int64_t left = r->count;
    if (dpc_dot_is_name(s) && dpc_dot_before_equals(s))
        return dpc_dot_attribute(s, NULL, NULL);
    if (is_setting(s)) {
        DPC_CHECK(dpc_dot_scan(s));
        return dpc_dot_attributes(s, NULL, NULL);
    }
    DPC_CHECK(parse_side(r, depth));
    while (s->kind == DPC_DOT_ARROW) {
        int64_t right = r->count;
        dpc_mark mark = s->arrow;
        DPC_CHECK(dpc_dot_scan(s));
        DPC_CHECK(parse_side(r, depth));
        DPC_CHECK(join(r, left, right, mark, at));
        left = right;
    }
    return dpc_dot_attributes(s, NULL, NULL);
}

/* Up to the } that is the word then. */
static dpc_status parse_statements(reader *r, int depth)
{
    while (!dpc_dot_is_sign(&r->s, '}')) {
        if (depth == 0)
            r->count = 0;
        if (dpc_dot_is_sign(&r->s, ';') || dpc_dot_is_sign(&r->s, ','))
            DPC_CHECK(dpc_dot_scan(&r->s));
        else
            DPC_CHECK(parse_statement(r, depth));
    }
    return DPC_OK;
}

static dpc_status parse(reader *r)
{
    static const char *const TYPES[] = {"dag", "pdag", "mag", "pag", "graph", "digraph", NULL};
    DPC_CHECK(dpc_dot_head(&r->s, TYPES, "dag, pdag, mag or pag"));
    DPC_CHECK(parse_statements(r, 0));
    DPC_CHECK(dpc_dot_tail(&r->s));
    r->s.b->all_nodes = true;
    return dpc_build_sort(r->s.b, DPC_TWICE_REFUSED);
}

dpc_status dpc_parse_dagitty(dpc_builder *b)
{
    reader r = {.s = dpc_dot_start(b, true), .most = MOST_EDGES + (int64_t)strlen(b->text) / 2};
    dpc_status status = parse(&r);
    free(r.nodes);
    return status;
}
