/*
 * Reading a graph from Graphviz: what io/write_dot.c writes, and what people write by hand.
 *
 *     [strict] (graph | digraph) [name] { statement … }
 *     statement:  a   a -> b   a -> b -> c   a -- b   each with [attributes]
 *                 node, edge or graph [attributes]    name = value
 *
 * with semicolons or without, and comments. Which marks an edge has is what Graphviz would draw:
 * `dir` says at which ends there are arrows (-> has forward, -- has none), and arrowhead or
 * arrowtail = none takes one away; odot is the circle of a PAG. An edge that is drawn with two
 * arrowheads is a bidirected one where an attribute names these, and otherwise undirected: so
 * Rgraphviz draws the lines of a CPDAG. Attributes of `edge [ … ]` hold for the edges below it.
 * Nodes are numbered as they appear. Where all of them are whole numbers, and each has a `name` or
 * a `label` of its own, these are their names: so igraph and causal-learn write them. Subgraphs,
 * ports and HTML names are refused.
 */
#include "dot_scan.h"
#include "graph.h"
#include "graph_ids.h"

#include <stdlib.h>

typedef struct reader {
    dpc_dot s;
    dpc_ids ids;
} reader;

/* ---- Attributes ---- */

/* What is known of the ends of an edge, and of the names of a node. */
typedef struct look {
    enum { DIR_UNSET, DIR_NONE, DIR_FORWARD, DIR_BACK, DIR_BOTH } dir;
    dpc_end head, tail;  /* their shapes; DPC_END_NONE: not given */
    int64_t name, label; /* where their values are in the text; 0: not given */
} look;

static dpc_end end_of_shape(const char *shape)
{
    bool circle = strcmp(shape, "odot") == 0 || strcmp(shape, "circle") == 0;
    return circle ? DPC_END_CIRCLE : strcmp(shape, "none") == 0 ? DPC_END_TAIL : DPC_END_ARROW;
}

static dpc_status take_attribute(dpc_dot *s, const char *name, void *into)
{
    static const char *const DIRS[] = {"", "none", "forward", "back", "both"};
    look *l = into;
    if (strcmp(name, "dir") == 0) {
        int dir = DIR_NONE;
        while (dir <= DIR_BOTH && strcasecmp(s->text, DIRS[dir]) != 0)
            dir++;
        if (dir > DIR_BOTH)
            return dpc_dot_refuse(s, "dir = forward, back, both or none");
        l->dir = dir;
    } else if (strcmp(name, "arrowhead") == 0) {
        l->head = end_of_shape(s->text);
    } else if (strcmp(name, "arrowtail") == 0) {
        l->tail = end_of_shape(s->text);
    } else if (strcmp(name, "name") == 0) {
        l->name = s->at - s->b->text;
    } else if (strcmp(name, "label") == 0) {
        l->label = s->at - s->b->text;
    }
    return DPC_OK;
}

/* ---- Statements ---- */

/* The mark of an edge that looks so, joined by -> (forward) or --. */
static dpc_mark mark_of(const look *l, dpc_mark joined)
{
    int dir = l->dir != DIR_UNSET ? l->dir : joined == DPC_FORWARD ? DIR_FORWARD : DIR_NONE;
    bool at_head = dir == DIR_FORWARD || dir == DIR_BOTH,
         at_tail = dir == DIR_BACK || dir == DIR_BOTH;
    dpc_end head = !at_head ? DPC_END_TAIL : l->head != DPC_END_NONE ? l->head : DPC_END_ARROW;
    dpc_end tail = !at_tail ? DPC_END_TAIL : l->tail != DPC_END_NONE ? l->tail : DPC_END_ARROW;
    dpc_mark mark = DPC_MARK(tail, head);
    bool named = l->head != DPC_END_NONE || l->tail != DPC_END_NONE;
    return mark == DPC_BIDIRECTED && !named ? DPC_UNDIRECTED : mark;
}

/* The attributes come after a whole chain: its edges wait, seen as forward. */
static void set_marks(dpc_builder *b, int64_t first, dpc_mark mark)
{
    for (int64_t e = first; e < b->n_edges; e++)
        b->edges[e].edge.mark = b->edges[e].edge.mark == DPC_FORWARD ? mark : dpc_turned(mark);
}

/* The value of an attribute at that place of the text, read once more, as a name of the node. */
static dpc_status take_name(reader *r, int32_t node, dpc_name_rank rank, int64_t place)
{
    dpc_dot again = r->s; /* it shares the room for the text, which is free between two words */
    again.next = again.b->text + place;
    if (place == 0)
        return DPC_OK;
    DPC_CHECK(dpc_dot_scan(&again));
    DPC_CHECK(dpc_ids_name(&r->ids, node, rank, again.text, again.length));
    again = r->s;
    again.next = r->s.at; /* the word as it was */
    return dpc_dot_scan(&again);
}

static dpc_status refuse_subgraph(const dpc_dot *s)
{
    return dpc_build_refuse(s->b, s->at, "subgraphs cannot be read; write the edges out");
}

static bool is_subgraph(const dpc_dot *s)
{
    return dpc_dot_is_sign(s, '{') || dpc_dot_is_word(s, "subgraph");
}

/* A node, or a chain of them; the word is the first name. */
static dpc_status parse_chain(reader *r, const look *defaults)
{
    dpc_dot *s = &r->s;
    int64_t first = s->b->n_edges;
    const char *at = s->at;
    int32_t last = -1, node = -1;
    dpc_mark joined = DPC_NONE; /* by -> or --, where there is an edge */
    DPC_CHECK(dpc_ids_node(&r->ids, s->text, s->length, at, &last));
    DPC_CHECK(dpc_dot_scan(s));
    while (s->kind == DPC_DOT_ARROW) {
        if (joined != DPC_NONE && joined != s->arrow)
            return dpc_dot_refuse(s, "the same sign as before in this chain");
        joined = s->arrow;
        DPC_CHECK(dpc_dot_scan(s));
        if (is_subgraph(s))
            return refuse_subgraph(s);
        if (!dpc_dot_is_name(s))
            return dpc_dot_refuse(s, "the name of a node");
        DPC_CHECK(dpc_ids_node(&r->ids, s->text, s->length, s->at, &node));
        DPC_CHECK(dpc_ids_edge(&r->ids, last, node, DPC_FORWARD, at));
        last = node;
        DPC_CHECK(dpc_dot_scan(s));
    }
    look l = *defaults;
    l.name = l.label = 0;
    DPC_CHECK(dpc_dot_attributes(s, take_attribute, &l));
    set_marks(s->b, first, mark_of(&l, joined));
    if (joined != DPC_NONE)
        return DPC_OK;
    DPC_CHECK(take_name(r, last, DPC_NAME_NAME, l.name));
    return take_name(r, last, DPC_NAME_LABEL, l.label);
}

/* node [ … ], edge [ … ] or graph [ … ]; the word is the first. */
static dpc_status parse_defaults(dpc_dot *s, look *defaults)
{
    bool edge = dpc_dot_is_word(s, "edge");
    DPC_CHECK(dpc_dot_scan(s));
    if (!dpc_dot_is_sign(s, '['))
        return dpc_dot_refuse(s, "[ after node, edge or graph");
    return dpc_dot_attributes(s, edge ? take_attribute : NULL, defaults);
}

static dpc_status parse_statement(reader *r, look *defaults)
{
    dpc_dot *s = &r->s;
    if (is_subgraph(s))
        return refuse_subgraph(s);
    if (!dpc_dot_is_name(s))
        return dpc_dot_refuse(s, "a node, an edge or }");
    if (dpc_dot_is_word(s, "node") || dpc_dot_is_word(s, "edge") || dpc_dot_is_word(s, "graph"))
        return parse_defaults(s, defaults);
    return dpc_dot_before_equals(s) ? dpc_dot_attribute(s, NULL, NULL) : parse_chain(r, defaults);
}

static dpc_status parse(reader *r)
{
    static const char *const TYPES[] = {"graph", "digraph", NULL};
    look defaults = {.dir = DIR_UNSET};
    DPC_CHECK(dpc_dot_head(&r->s, TYPES, "graph or digraph"));
    while (!dpc_dot_is_sign(&r->s, '}')) {
        DPC_CHECK(parse_statement(r, &defaults));
        while (dpc_dot_is_sign(&r->s, ';'))
            DPC_CHECK(dpc_dot_scan(&r->s));
    }
    DPC_CHECK(dpc_dot_tail(&r->s));
    DPC_CHECK(dpc_ids_finish(&r->ids, false, true));
    return dpc_build_sort(r->s.b, DPC_TWICE_REFUSED);
}

dpc_status dpc_parse_dot(dpc_builder *b)
{
    reader r = {.s = dpc_dot_start(b, false), .ids = {.b = b}};
    dpc_status status = parse(&r);
    dpc_ids_clear(&r.ids);
    return status;
}
