/* Nodes with ids and names: see graph_ids.h. */
#include "graph_ids.h"

#include "alloc.h"
#include "text.h"

void dpc_ids_clear(dpc_ids *ids)
{
    for (int i = 0; ids->nodes != NULL && i < ids->ids.count; i++)
        free(ids->nodes[i].name);
    free(ids->nodes);
    dpc_names_clear(&ids->ids);
    ids->nodes = NULL;
}

dpc_status dpc_ids_node(dpc_ids *ids, const char *id, size_t length, const char *at, int32_t *node)
{
    if (length == 0)
        return dpc_build_refuse(ids->b, at, "the name of a node is empty");
    dpc_id_node *nodes =
        dpc_make_room(ids->nodes, &ids->capacity, ids->ids.count + INT64_C(1), sizeof *nodes);
    if (nodes == NULL)
        return dpc_build_no_memory(ids->b);
    ids->nodes = nodes;
    int before = ids->ids.count;
    int32_t number = dpc_names_add(&ids->ids, id, length);
    if (number < 0)
        return dpc_build_no_memory(ids->b);
    if (number == before)
        nodes[number] = (dpc_id_node){.at = at};
    *node = number;
    return DPC_OK;
}

dpc_status dpc_ids_list(dpc_ids *ids, const char *id, size_t length, const char *at, int32_t *node)
{
    char clipped[DPC_CLIP_SIZE];
    DPC_CHECK(dpc_ids_node(ids, id, length, at, node));
    if (ids->nodes[*node].listed)
        return dpc_build_refuse(ids->b, at, "the node '%s' is there twice",
                                dpc_clip_name(ids->ids.names[*node], clipped));
    ids->nodes[*node].listed = true;
    return DPC_OK;
}

dpc_status dpc_ids_name(dpc_ids *ids, int32_t node, dpc_name_rank rank, const char *name,
                        size_t length)
{
    dpc_id_node *n = &ids->nodes[node];
    if (rank <= n->rank || length == 0)
        return DPC_OK;
    char *copy = dpc_alloc((int64_t)length + 1, 1);
    if (copy == NULL)
        return dpc_build_no_memory(ids->b);
    memcpy(copy, name, length);
    copy[length] = '\0';
    free(n->name);
    n->name = copy;
    n->rank = rank;
    return DPC_OK;
}

dpc_name_rank dpc_name_rank_of(const char *key, size_t length)
{
    return dpc_says(key, length, "name")    ? DPC_NAME_NAME
           : dpc_says(key, length, "label") ? DPC_NAME_LABEL
                                            : DPC_NAME_NONE;
}

dpc_status dpc_ids_edge(dpc_ids *ids, int32_t from, int32_t to, dpc_mark mark, const char *at)
{
    char clipped[DPC_CLIP_SIZE];
    if (from == to)
        return dpc_build_refuse(ids->b, at, "an edge joins '%s' with itself",
                                dpc_clip_name(ids->ids.names[from], clipped));
    return dpc_build_edge(ids->b, from, to, mark, at);
}

/* Are the names such that they can take the place of the ids? */
static bool names_count(const dpc_ids *ids, bool numbers_only)
{
    bool all = true;
    for (int i = 0; i < ids->ids.count && all; i++) {
        const char *id = ids->ids.names[i];
        all = ids->nodes[i].name != NULL && (!numbers_only || id[strspn(id, "0123456789")] == '\0');
    }
    return all;
}

/* All ids, or all names, into the builder: *unique tells whether no two are the same. */
static dpc_status add_all(dpc_ids *ids, bool names, bool *unique)
{
    dpc_builder *b = ids->b;
    *unique = true;
    for (int i = 0; i < ids->ids.count && *unique; i++) {
        const char *text = names ? ids->nodes[i].name : ids->ids.names[i];
        int32_t node;
        DPC_CHECK(dpc_build_node(b, text, strlen(text), ids->nodes[i].at, &node));
        *unique = node == i;
    }
    return DPC_OK;
}

dpc_status dpc_ids_finish(dpc_ids *ids, bool must_list, bool numbers_only)
{
    char clipped[DPC_CLIP_SIZE];
    bool unique = false;
    for (int i = 0; i < ids->ids.count && must_list; i++)
        if (!ids->nodes[i].listed)
            return dpc_build_refuse(ids->b, ids->nodes[i].at, "'%s' is not among the nodes",
                                    dpc_clip_name(ids->ids.names[i], clipped));
    if (names_count(ids, numbers_only))
        DPC_CHECK(add_all(ids, true, &unique));
    if (!unique) {
        dpc_names_clear(&ids->b->names);
        DPC_CHECK(add_all(ids, false, &unique));
    }
    ids->b->all_nodes = true;
    return DPC_OK;
}
