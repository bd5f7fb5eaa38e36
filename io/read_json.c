/*
 * Reading a graph from JSON, of three kinds that its members tell apart. Whatever else there is is
 * skipped.
 *
 *     ours        "nodes": ["A", …], "edges": [{"from", "to", "mark": --> --- or <--}, …]
 *     node-link   "nodes": [{"id": "A"}, …], "links" or "edges": [{"source", "target", "mark"}, …]
 *                 of networkx and d3; "directed": false says that edges without a mark are none.
 *                 Ids may be numbers. Links both ways are an undirected edge
 *     Tetrad's    "nodes": [{"name": "A"}, …], "edgesSet": [{"node1": {"name"}, "node2",
 *                 "endpoint1": "TAIL" or "ARROW", "endpoint2"}, …], maybe inside of "graph"; older
 *                 versions have {"ordinal": 0} for a tail and 1 for an arrow
 */
#include "alloc.h"
#include "graph_build.h"
#include "json_scan.h"
#include "text.h"

#include <string.h>

/* The first member with this key; NULL: there is none, or this is no object. */
static const char *look_for(const char *object, const char *key)
{
    for (const char *p = *object == '{' ? dpc_json_first(object) : NULL; p != NULL;
         p = dpc_json_next(p))
        if (dpc_json_is(p, key))
            return dpc_json_member(p);
    return NULL;
}

/* The member with this key; what is no object, or has none or two of it, is refused. */
static dpc_status find_member(dpc_builder *b, const char *object, const char *key,
                              const char **value)
{
    const char *found = NULL;
    if (*object != '{')
        return dpc_build_refuse(b, object, "there is no object with \"%s\"", key);
    for (const char *p = dpc_json_first(object); p != NULL; p = dpc_json_next(p)) {
        if (!dpc_json_is(p, key))
            continue;
        if (found != NULL)
            return dpc_build_refuse(b, p, "\"%s\" is there twice", key);
        found = dpc_json_member(p);
    }
    if (found == NULL)
        return dpc_build_refuse(b, object, "the object has no \"%s\"", key);
    *value = found;
    return DPC_OK;
}

/* The same for a member of the whole that must be a list. */
static dpc_status find_list(dpc_builder *b, const char *object, const char *key, const char **list)
{
    dpc_status status = find_member(b, object, key, list);
    if (status == DPC_OK && **list != '[')
        status = dpc_build_refuse(b, *list, "\"%s\" is not a list", key);
    return status;
}

/* The node named by the string at `p`; it is new or not, as `listed` says. An id may be a number.
 */
static dpc_status name_node(dpc_builder *b, const char *p, bool listed, bool id, int32_t *node)
{
    char clipped[DPC_CLIP_SIZE];
    bool number = id && (*p == '-' || (*p >= '0' && *p <= '9'));
    if (*p != '"' && !number)
        return dpc_build_refuse(b, p, "the name of a node is not a string");
    size_t length = (size_t)(dpc_json_skip(p) - p);
    char *name = dpc_alloc((int64_t)length + 1, 1);
    if (name == NULL)
        return dpc_build_no_memory(b);
    memcpy(name, p, length);
    name[length] = '\0';
    if (!number)
        length = dpc_json_string(p, name);
    int before = b->names.count;
    dpc_status status = DPC_OK;
    if (strlen(name) != length)
        status = dpc_build_refuse(b, p, "the name of a node has a NUL in it");
    else if (listed && dpc_names_find(&b->names, name, length) < 0)
        status =
            dpc_build_refuse(b, p, "'%s' is not among the nodes", dpc_clip_name(name, clipped));
    else
        status = dpc_build_node(b, name, length, p, node);
    if (status == DPC_OK && !listed && *node != before)
        status =
            dpc_build_refuse(b, p, "the node '%s' is there twice", dpc_clip_name(name, clipped));
    free(name);
    return status;
}

static dpc_status read_mark(dpc_builder *b, const char *p, dpc_mark *mark)
{
    *mark = dpc_json_is(p, "-->")   ? DPC_FORWARD
            : dpc_json_is(p, "---") ? DPC_UNDIRECTED
            : dpc_json_is(p, "<--") ? DPC_BACKWARD
                                    : DPC_NONE;
    return *mark != DPC_NONE
               ? DPC_OK
               : dpc_build_refuse(b, p, "the mark of an edge is not \"-->\", \"---\" or \"<--\"");
}

/* The two ends of an edge: from and to, or by ids source and target. */
static dpc_status read_ends(dpc_builder *b, const char *edge, bool ids, int32_t *from, int32_t *to)
{
    const char *tail = NULL, *head = NULL;
    dpc_status status = find_member(b, edge, ids ? "source" : "from", &tail);
    if (status == DPC_OK)
        status = find_member(b, edge, ids ? "target" : "to", &head);
    if (status == DPC_OK)
        status = name_node(b, tail, true, ids, from);
    return status == DPC_OK ? name_node(b, head, true, ids, to) : status;
}

/* What a kind of JSON is like: its list of edges, and how to read a node and an edge of it. */
typedef struct kind {
    const char *edges;
    const char *node_key; /* of the name in the object of a node; NULL: a node is its name */
    dpc_status (*read_edge)(dpc_builder *b, const char *edge, bool directed);
} kind;

static dpc_status read_own_edge(dpc_builder *b, const char *edge, bool directed)
{
    const char *text = NULL;
    int32_t from, to;
    dpc_mark mark;
    (void)directed;
    dpc_status status = find_member(b, edge, "mark", &text);
    if (status == DPC_OK)
        status = read_ends(b, edge, false, &from, &to);
    if (status == DPC_OK)
        status = read_mark(b, text, &mark);
    return status == DPC_OK ? dpc_build_edge(b, from, to, mark, edge) : status;
}

static dpc_status read_link(dpc_builder *b, const char *edge, bool directed)
{
    const char *text = look_for(edge, "mark");
    int32_t from, to;
    dpc_mark mark = directed ? DPC_FORWARD : DPC_UNDIRECTED;
    dpc_status status = read_ends(b, edge, true, &from, &to);
    if (status == DPC_OK && text != NULL)
        status = read_mark(b, text, &mark);
    return status == DPC_OK ? dpc_build_edge(b, from, to, mark, edge) : status;
}

/* Is that end an arrow? Circles are refused. */
static dpc_status read_end(dpc_builder *b, const char *edge, const char *key, bool *arrow)
{
    const char *end = NULL;
    dpc_status status = find_member(b, edge, key, &end);
    if (status != DPC_OK)
        return status;
    if (*end == '{')
        status = find_member(b, end, "ordinal", &end);
    if (status != DPC_OK)
        return status;
    *arrow = dpc_json_is(end, "ARROW") || strncmp(end, "1", 1) == 0;
    bool tail = dpc_json_is(end, "TAIL") || strncmp(end, "0", 1) == 0;
    return *arrow || tail ? DPC_OK : dpc_refuse_foreign(b, end);
}

static dpc_status read_tetrad_edge(dpc_builder *b, const char *edge, bool directed)
{
    static const char *const NODES[] = {"node1", "node2"}, *const ENDS[] = {"endpoint1",
                                                                            "endpoint2"};
    bool arrow[2] = {false, false};
    int32_t node[2];
    dpc_status status = DPC_OK;
    (void)directed;
    for (int i = 0; i < 2 && status == DPC_OK; i++) {
        const char *object = NULL, *name = NULL;
        status = find_member(b, edge, NODES[i], &object);
        if (status == DPC_OK)
            status = find_member(b, object, "name", &name);
        if (status == DPC_OK)
            status = name_node(b, name, true, false, &node[i]);
        if (status == DPC_OK)
            status = read_end(b, edge, ENDS[i], &arrow[i]);
    }
    if (status == DPC_OK && arrow[0] && arrow[1])
        return dpc_refuse_foreign(b, edge);
    dpc_mark mark = arrow[0] ? DPC_BACKWARD : arrow[1] ? DPC_FORWARD : DPC_UNDIRECTED;
    return status == DPC_OK ? dpc_build_edge(b, node[0], node[1], mark, edge) : status;
}

/* Which kind it is: by the list of edges, and by what its nodes are. */
static kind kind_of(const char *object)
{
    const char *nodes = look_for(object, "nodes");
    const char *first = nodes != NULL && *nodes == '[' ? dpc_json_first(nodes) : NULL;
    bool objects = first != NULL && *first == '{';
    if (look_for(object, "edgesSet") != NULL)
        return (kind){"edgesSet", "name", read_tetrad_edge};
    if (look_for(object, "links") != NULL)
        return (kind){"links", "id", read_link};
    return objects ? (kind){"edges", "id", read_link} : (kind){"edges", NULL, read_own_edge};
}

static dpc_status read_node(dpc_builder *b, const char *p, const char *key)
{
    int32_t node;
    dpc_status status = key != NULL ? find_member(b, p, key, &p) : DPC_OK;
    return status == DPC_OK ? name_node(b, p, false, key != NULL, &node) : status;
}

static dpc_status read_graph(dpc_builder *b, const char *object)
{
    const char *nodes = NULL, *edges = NULL, *said = look_for(object, "directed");
    kind k = kind_of(object);
    bool directed = said == NULL || *said != 'f';
    dpc_status status = find_list(b, object, "nodes", &nodes);
    if (status == DPC_OK)
        status = find_list(b, object, k.edges, &edges);
    if (status != DPC_OK)
        return status;
    for (const char *p = dpc_json_first(nodes); p != NULL && status == DPC_OK; p = dpc_json_next(p))
        status = read_node(b, p, k.node_key);
    for (const char *p = status == DPC_OK ? dpc_json_first(edges) : NULL;
         p != NULL && status == DPC_OK; p = dpc_json_next(p))
        status = *p == '{' ? k.read_edge(b, p, directed)
                           : dpc_build_refuse(b, p, "an edge is not an object");
    b->all_nodes = true;
    if (status != DPC_OK)
        return status;
    return dpc_build_sort(b, k.read_edge == read_link ? DPC_TWICE_BOTH_WAYS : DPC_TWICE_REFUSED);
}

dpc_status dpc_parse_json(dpc_builder *b)
{
    const char *at, *object = dpc_json_space(b->text);
    const char *fault = dpc_json_check(b->text, &at);
    if (fault != NULL)
        return dpc_build_refuse(b, at, "%s: this is not JSON", fault);
    if (*object != '{')
        return dpc_build_refuse(b, object, "there is no object with \"nodes\" and \"edges\"");
    const char *inner = look_for(object, "nodes") == NULL ? look_for(object, "graph") : NULL;
    return read_graph(b, inner != NULL ? inner : object);
}
