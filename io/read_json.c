/*
 * Reading a graph from JSON, of three kinds that its members tell apart. Whatever else there is is
 * skipped.
 *
 *     ours        "nodes": ["A", …], "edges": [{"from", "to", "mark": --> --- <-- o-> …}, …]; in
 *                 the place of the mark, or beside it, "from_mark" and "to_mark": tail, arrow or
 *                 circle; "graph_type": "pag" where it is one
 *     node-link   "nodes": [{"id": "A"}, …], "links" or "edges": [{"source", "target", "mark"}, …]
 *                 of networkx and d3; "directed": false says that edges without a mark are none.
 *                 Ids may be numbers. Links both ways are an undirected edge
 *     Tetrad's    "nodes": [{"name": "A"}, …], "edgesSet": [{"node1": {"name"}, "node2",
 *                 "endpoint1": "TAIL", "ARROW" or "CIRCLE", "endpoint2"}, …], maybe inside of
 *                 "graph"; older versions have {"ordinal": 0} for a tail, 1 for an arrow, 2 for a
 *                 circle
 */
#include "graph_build.h"
#include "json_scan.h"
#include "text.h"

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
    DPC_CHECK(find_member(b, object, key, list));
    return **list == '[' ? DPC_OK : dpc_build_refuse(b, *list, "\"%s\" is not a list", key);
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
    char *name = b->room;
    memcpy(name, p, length);
    name[length] = '\0';
    if (!number)
        length = dpc_json_string(p, name);
    if (strlen(name) != length)
        return dpc_build_refuse(b, p, "the name of a node has a NUL in it");
    if (!listed)
        return dpc_build_new_node(b, name, length, p, node);
    if (dpc_names_find(&b->names, name, length) < 0)
        return dpc_build_refuse(b, p, "'%s' is not among the nodes", dpc_clip_name(name, clipped));
    return dpc_build_node(b, name, length, p, node);
}

/* Three signs need no more in the quotes, unless somebody has escaped them. */
static dpc_status read_mark(dpc_builder *b, const char *p, dpc_mark *mark)
{
    char text[32] = "";
    size_t length = *p == '"' ? (size_t)(dpc_json_skip(p) - p) : 0;
    if (length > 0 && length <= sizeof text)
        length = dpc_json_string(p, text);
    *mark = length == 3 ? dpc_arrow(text, 3) : DPC_NONE;
    return *mark != DPC_NONE
               ? DPC_OK
               : dpc_build_refuse(b, p,
                                  "the mark of an edge is not one of \"-->\", \"---\", \"<--\", "
                                  "\"<->\", \"o->\", \"o-o\", …");
}

/* The mark at one end, by the words that are given in the order of dpc_end from circle on. */
static dpc_status read_end(dpc_builder *b, const char *p, const char *const words[3], dpc_end *end)
{
    for (int i = 0; i < 3; i++)
        if (dpc_json_is(p, words[i])) {
            *end = DPC_END_CIRCLE + i;
            return DPC_OK;
        }
    return dpc_build_refuse(b, p, "the end of an edge is none of \"%s\", \"%s\" and \"%s\"",
                            words[2], words[1], words[0]);
}

/* The two ends of an edge: from and to, or by ids source and target. */
static dpc_status read_ends(dpc_builder *b, const char *edge, bool ids, int32_t *from, int32_t *to)
{
    const char *tail = NULL, *head = NULL;
    DPC_CHECK(find_member(b, edge, ids ? "source" : "from", &tail));
    DPC_CHECK(find_member(b, edge, ids ? "target" : "to", &head));
    DPC_CHECK(name_node(b, tail, true, ids, from));
    return name_node(b, head, true, ids, to);
}

/* What a kind of JSON is like: its list of edges, and how to read a node and an edge of it. */
typedef struct kind {
    const char *edges;
    const char *node_key; /* of the name in the object of a node; NULL: a node is its name */
    dpc_status (*read_edge)(dpc_builder *b, const char *edge, bool directed);
} kind;

/* The mark of an edge by "from_mark" and "to_mark". */
static dpc_status read_end_marks(dpc_builder *b, const char *edge, dpc_mark *mark)
{
    static const char *const WORDS[] = {"circle", "arrow", "tail"};
    const char *from = NULL, *to = NULL;
    dpc_end ends[2] = {DPC_END_NONE, DPC_END_NONE};
    DPC_CHECK(find_member(b, edge, "from_mark", &from));
    DPC_CHECK(find_member(b, edge, "to_mark", &to));
    DPC_CHECK(read_end(b, from, WORDS, &ends[0]));
    DPC_CHECK(read_end(b, to, WORDS, &ends[1]));
    *mark = DPC_MARK(ends[0], ends[1]);
    return DPC_OK;
}

static dpc_status read_own_edge(dpc_builder *b, const char *edge, bool directed)
{
    const char *text = NULL;
    bool ends = look_for(edge, "from_mark") != NULL;
    int32_t from, to;
    dpc_mark mark, by_ends = DPC_NONE;
    (void)directed;
    if (ends)
        DPC_CHECK(read_end_marks(b, edge, &by_ends));
    if (!ends || look_for(edge, "mark") != NULL)
        DPC_CHECK(find_member(b, edge, "mark", &text));
    DPC_CHECK(read_ends(b, edge, false, &from, &to));
    mark = by_ends;
    if (text != NULL)
        DPC_CHECK(read_mark(b, text, &mark));
    if (ends && mark != by_ends)
        return dpc_build_refuse(b, edge, "\"mark\" differs from \"from_mark\" and \"to_mark\"");
    return dpc_build_edge(b, from, to, mark, edge);
}

static dpc_status read_link(dpc_builder *b, const char *edge, bool directed)
{
    const char *text = look_for(edge, "mark");
    int32_t from, to;
    dpc_mark mark = directed ? DPC_FORWARD : DPC_UNDIRECTED;
    DPC_CHECK(read_ends(b, edge, true, &from, &to));
    if (text != NULL)
        DPC_CHECK(read_mark(b, text, &mark));
    return dpc_build_edge(b, from, to, mark, edge);
}

/* An end as Tetrad has it: a word, or the number of it. */
static dpc_status read_endpoint(dpc_builder *b, const char *edge, const char *key, dpc_end *end)
{
    static const char *const WORDS[] = {"CIRCLE", "ARROW", "TAIL"};
    const char *p = NULL;
    DPC_CHECK(find_member(b, edge, key, &p));
    if (*p == '{')
        DPC_CHECK(find_member(b, p, "ordinal", &p));
    if (*p < '0' || *p > '2' || dpc_json_skip(p) != p + 1)
        return read_end(b, p, WORDS, end);
    *end = *p == '0' ? DPC_END_TAIL : *p == '1' ? DPC_END_ARROW : DPC_END_CIRCLE;
    return DPC_OK;
}

static dpc_status read_tetrad_edge(dpc_builder *b, const char *edge, bool directed)
{
    static const char *const NODES[] = {"node1", "node2"}, *const ENDS[] = {"endpoint1",
                                                                            "endpoint2"};
    dpc_end ends[2] = {DPC_END_NONE, DPC_END_NONE};
    int32_t node[2];
    (void)directed;
    for (int i = 0; i < 2; i++) {
        const char *object = NULL, *name = NULL;
        DPC_CHECK(find_member(b, edge, NODES[i], &object));
        DPC_CHECK(find_member(b, object, "name", &name));
        DPC_CHECK(name_node(b, name, true, false, &node[i]));
        DPC_CHECK(read_endpoint(b, edge, ENDS[i], &ends[i]));
    }
    return dpc_build_edge(b, node[0], node[1], DPC_MARK(ends[0], ends[1]), edge);
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

static dpc_status read_graph(dpc_builder *b, const char *object)
{
    const char *nodes = object, *edges = object, *said = look_for(object, "directed");
    kind k = kind_of(object);
    bool directed = said == NULL || *said != 'f';
    DPC_CHECK(find_list(b, object, "nodes", &nodes));
    DPC_CHECK(find_list(b, object, k.edges, &edges));
    for (const char *p = dpc_json_first(nodes); p != NULL; p = dpc_json_next(p)) {
        const char *name = p;
        int32_t node;
        if (k.node_key != NULL)
            DPC_CHECK(find_member(b, p, k.node_key, &name));
        DPC_CHECK(name_node(b, name, false, k.node_key != NULL, &node));
    }
    for (const char *p = dpc_json_first(edges); p != NULL; p = dpc_json_next(p))
        DPC_CHECK(*p == '{' ? k.read_edge(b, p, directed)
                            : dpc_build_refuse(b, p, "an edge is not an object"));
    b->all_nodes = true;
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
    const char *type = look_for(object, "graph_type");
    b->pag = type != NULL && dpc_json_is(type, "pag");
    return read_graph(b, inner != NULL ? inner : object);
}
