/*
 * Reading a graph from JSON: `nodes`, a list of names, and `edges`, a list of objects with `from`,
 * `to` and `mark` (-->, --- or <--), as io/json.c writes them. Whatever else there is is skipped.
 */
#include "graph_build.h"
#include "json_scan.h"
#include "memory.h"
#include "text.h"

#include <string.h>

/* The member with this key; an object without it, or with two, is refused. */
static dpc_status find_member(dpc_builder *b, const char *object, const char *key,
                              const char **value)
{
    const char *found = NULL;
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

/* The node named by the string at `p`; it is new or not, as `listed` says. */
static dpc_status name_node(dpc_builder *b, const char *p, bool listed, int32_t *node)
{
    char clipped[DPC_CLIP_SIZE];
    if (*p != '"')
        return dpc_build_refuse(b, p, "the name of a node is not a string");
    char *name = dpc_alloc(dpc_json_skip(p) - p, 1);
    if (name == NULL)
        return dpc_build_no_memory(b);
    size_t length = dpc_json_string(p, name);
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

static dpc_status read_edge(dpc_builder *b, const char *edge)
{
    const char *from = NULL, *to = NULL, *mark = NULL;
    int32_t tail, head;
    dpc_mark kind;
    if (*edge != '{')
        return dpc_build_refuse(b, edge, "an edge is not an object");
    dpc_status status = find_member(b, edge, "from", &from);
    if (status == DPC_OK)
        status = find_member(b, edge, "to", &to);
    if (status == DPC_OK)
        status = find_member(b, edge, "mark", &mark);
    if (status == DPC_OK)
        status = name_node(b, from, true, &tail);
    if (status == DPC_OK)
        status = name_node(b, to, true, &head);
    if (status == DPC_OK)
        status = read_mark(b, mark, &kind);
    if (status == DPC_OK)
        status = dpc_build_edge(b, tail, head, kind, edge);
    return status;
}

dpc_status dpc_parse_json(dpc_builder *b)
{
    const char *at, *nodes = NULL, *edges = NULL, *object = dpc_json_space(b->text);
    const char *fault = dpc_json_check(b->text, &at);
    if (fault != NULL)
        return dpc_build_refuse(b, at, "%s: this is not JSON", fault);
    if (*object != '{')
        return dpc_build_refuse(b, object, "there is no object with \"nodes\" and \"edges\"");
    dpc_status status = find_list(b, object, "nodes", &nodes);
    if (status == DPC_OK)
        status = find_list(b, object, "edges", &edges);
    if (status != DPC_OK)
        return status;
    int32_t node;
    for (const char *p = dpc_json_first(nodes); p != NULL && status == DPC_OK; p = dpc_json_next(p))
        status = name_node(b, p, false, &node);
    for (const char *p = status == DPC_OK ? dpc_json_first(edges) : NULL;
         p != NULL && status == DPC_OK; p = dpc_json_next(p))
        status = read_edge(b, p);
    return status == DPC_OK ? dpc_build_sort(b, false) : status;
}
