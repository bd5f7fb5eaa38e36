/*
 * Reading GML: keys with values, which are numbers, strings in quotes or lists in brackets.
 *
 *     graph [ directed 1
 *       node [ id 0 label "A" ]
 *       edge [ source 0 target 1 mark "---" ] ]
 *
 * A node is called by its `name`, otherwise its `label`, otherwise its id. An edge is what its
 * `mark` says (see dpc_relation), and without one an arrow where the graph is directed; there two
 * arrows both ways are an undirected edge. In strings &amp; &quot; &apos; &lt; &gt; and &#960;
 * stand for characters. Everything else is skipped.
 */
#include "graph_ids.h"
#include "xml_scan.h"

typedef struct scanner {
    dpc_ids ids;
    dpc_builder *b;
    const char *p;
    char *text; /* of a value; the room of the builder */
    size_t length;
    bool directed, found; /* what the graph says of itself; there was one */
} scanner;

/* Over white space, and over lines that begin with #. */
static void over_space(scanner *s)
{
    for (;;) {
        bool at_start = s->p == s->b->text || s->p[-1] == '\n' || s->p[-1] == '\r';
        if (*s->p == '#' && at_start)
            s->p += strcspn(s->p, "\r\n");
        else if (strchr(" \t\r\n", *s->p) != NULL && *s->p != '\0')
            s->p++;
        else
            return;
    }
}

/* The value at s->p into s->text. */
static dpc_status read_scalar(scanner *s)
{
    const char *begin = s->p;
    if (*s->p == '"') {
        const char *close = strchr(s->p + 1, '"');
        if (close == NULL)
            return dpc_build_refuse(s->b, s->p, "a quote opens here that is never closed");
        s->length = dpc_xml_decode(s->p + 1, close, s->text);
        s->p = close + 1;
        return s->length != DPC_XML_WRONG
                   ? DPC_OK
                   : dpc_build_refuse(s->b, begin, "a character by number that there is not");
    }
    s->length = strcspn(s->p, " \t\r\n[]\"");
    memcpy(s->text, s->p, s->length);
    s->text[s->length] = '\0';
    s->p += s->length;
    return DPC_OK;
}

/* Behind the bracket that closes a list. */
static dpc_status close_list(scanner *s, const char *open)
{
    if (*s->p != ']')
        return dpc_build_refuse(s->b, open, "this list is never closed");
    s->p++;
    return DPC_OK;
}

/* Over a list that does not matter, with all that is in it; s->p is behind its bracket. */
static dpc_status skip_list(scanner *s)
{
    const char *open = s->p;
    for (int64_t depth = 1; depth > 0;) {
        over_space(s);
        if (*s->p == '\0')
            return dpc_build_refuse(s->b, open, "this list is never closed");
        const char *close = *s->p == '"' ? strchr(s->p + 1, '"') : s->p;
        if (close == NULL)
            return dpc_build_refuse(s->b, s->p, "a quote opens here that is never closed");
        depth += (*s->p == '[') - (*s->p == ']');
        s->p = close + 1;
    }
    return DPC_OK;
}

/* What to do with a key: its value is in s->text, or behind the bracket of a list at s->p. */
typedef dpc_status taker(scanner *s, const char *key, size_t length, void *into);

/*
 * Every key of a list, up to its bracket or, at the top, to the end of the text. NULL: such keys do
 * not matter.
 */
static dpc_status each(scanner *s, taker *scalar, taker *list, void *into)
{
    for (;;) {
        over_space(s);
        const char *key = s->p;
        if (*s->p == ']' || *s->p == '\0')
            return DPC_OK;
        size_t length = strcspn(s->p, " \t\r\n[]\"");
        if (length == 0)
            return dpc_build_refuse(s->b, s->p, "there is no key where one must be");
        s->p += length;
        over_space(s);
        if (*s->p == '\0' || *s->p == ']')
            return dpc_build_refuse(s->b, s->p, "there is no value where one must be");
        if (*s->p == '[') {
            s->p++;
            DPC_CHECK(list != NULL ? list(s, key, length, into) : skip_list(s));
        } else {
            DPC_CHECK(read_scalar(s));
            if (scalar != NULL)
                DPC_CHECK(scalar(s, key, length, into));
        }
    }
}

/* ---- Nodes and edges ---- */

static dpc_status take_id(scanner *s, const char *key, size_t length, void *into)
{
    int32_t *node = into;
    return *node < 0 && dpc_says(key, length, "id")
               ? dpc_ids_list(&s->ids, s->text, s->length, key, node)
               : DPC_OK;
}

static dpc_status take_name(scanner *s, const char *key, size_t length, void *into)
{
    const int32_t *node = into;
    dpc_name_rank rank = dpc_name_rank_of(key, length);
    return rank != DPC_NAME_NONE ? dpc_ids_name(&s->ids, *node, rank, s->text, s->length) : DPC_OK;
}

static dpc_status read_node(scanner *s, const char *open)
{
    int32_t node = -1;
    const char *inside = s->p;
    DPC_CHECK(each(s, take_id, NULL, &node));
    if (node < 0)
        return dpc_build_refuse(s->b, open, "the node has no id");
    s->p = inside; /* names may stand before the id */
    DPC_CHECK(each(s, take_name, NULL, &node));
    return close_list(s, open);
}

typedef struct edge {
    int32_t from, to;
    dpc_mark mark;
} edge;

static dpc_status take_edge(scanner *s, const char *key, size_t length, void *into)
{
    edge *e = into;
    if (dpc_says(key, length, "source"))
        return dpc_ids_node(&s->ids, s->text, s->length, key, &e->from);
    if (dpc_says(key, length, "target"))
        return dpc_ids_node(&s->ids, s->text, s->length, key, &e->to);
    if (dpc_says(key, length, "mark"))
        return dpc_build_mark(s->b, s->text, s->length, key, &e->mark);
    return DPC_OK;
}

static dpc_status read_edge(scanner *s, const char *open)
{
    edge e = {-1, -1, s->directed ? DPC_FORWARD : DPC_UNDIRECTED};
    DPC_CHECK(each(s, take_edge, NULL, &e));
    if (e.from < 0 || e.to < 0)
        return dpc_build_refuse(s->b, open, "the edge has no source, or no target");
    DPC_CHECK(dpc_ids_edge(&s->ids, e.from, e.to, e.mark, open));
    return close_list(s, open);
}

/* ---- The graph ---- */

static dpc_status take_directed(scanner *s, const char *key, size_t length, void *into)
{
    (void)into;
    if (dpc_says(key, length, "directed"))
        s->directed = strcmp(s->text, "0") != 0;
    return DPC_OK;
}

static dpc_status take_part(scanner *s, const char *key, size_t length, void *into)
{
    (void)into;
    return dpc_says(key, length, "node")   ? read_node(s, key)
           : dpc_says(key, length, "edge") ? read_edge(s, key)
                                           : skip_list(s);
}

static dpc_status take_graph(scanner *s, const char *key, size_t length, void *into)
{
    const char *inside = s->p;
    if (!dpc_says(key, length, "graph"))
        return skip_list(s);
    if (s->found)
        return dpc_build_refuse(s->b, key, "there is a second graph; one file has one");
    s->found = true;
    DPC_CHECK(each(s, take_directed, NULL, into)); /* which may stand behind the edges */
    s->p = inside;
    DPC_CHECK(each(s, NULL, take_part, into));
    return close_list(s, key);
}

static dpc_status parse(scanner *s)
{
    DPC_CHECK(each(s, NULL, take_graph, NULL));
    if (*s->p != '\0')
        return dpc_build_refuse(s->b, s->p, "a ] that closes nothing");
    if (!s->found)
        return dpc_build_refuse(s->b, s->b->text, "there is no graph [ … ] in it");
    DPC_CHECK(dpc_ids_finish(&s->ids, true, false));
    return dpc_build_sort(s->b, DPC_TWICE_BOTH_WAYS);
}

dpc_status dpc_parse_gml(dpc_builder *b)
{
    scanner s = {.ids = {.b = b}, .b = b, .p = b->text, .text = b->room};
    dpc_status status = parse(&s);
    dpc_ids_clear(&s.ids);
    return status;
}
