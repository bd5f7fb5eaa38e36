/*
 * Nodes that have an id, by which edges know them, and maybe a name that people know them by. The
 * names of the graph are the names where every node has one of its own, otherwise the ids.
 */
#ifndef DPC_GRAPH_IDS_H
#define DPC_GRAPH_IDS_H

#include "graph_build.h"

/* How good a name is: a better one takes the place of another. */
typedef enum dpc_name_rank { DPC_NAME_NONE, DPC_NAME_LABEL, DPC_NAME_NAME } dpc_name_rank;

typedef struct dpc_id_node {
    char *name;         /* NULL: it has none; owned */
    dpc_name_rank rank; /* of the name */
    bool listed;        /* not only seen at an edge */
    const char *at;     /* in the text */
} dpc_id_node;

typedef struct dpc_ids {
    dpc_builder *b;
    dpc_names ids;      /* owned */
    dpc_id_node *nodes; /* one for each; owned */
    int64_t capacity;
} dpc_ids;

void dpc_ids_clear(dpc_ids *ids);

/* The node of this id, new or not. */
dpc_status dpc_ids_node(dpc_ids *ids, const char *id, size_t length, const char *at, int32_t *node);

/* The same for a place that lists it: two of them are refused. */
dpc_status dpc_ids_list(dpc_ids *ids, const char *id, size_t length, const char *at, int32_t *node);

/* Gives it a name, which is copied, unless it has a better one. */
dpc_status dpc_ids_name(dpc_ids *ids, int32_t node, dpc_name_rank rank, const char *name,
                        size_t length);

/* What a key calls: "name" or "label", in any case of letters. */
dpc_name_rank dpc_name_rank_of(const char *key, size_t length);

/* An edge as by dpc_build_edge. */
dpc_status dpc_ids_edge(dpc_ids *ids, int32_t from, int32_t to, dpc_mark mark, const char *at);

/*
 * The nodes into the builder. `must_list`: those that no place lists are refused. `numbers_only`:
 * names count only where all ids are whole numbers.
 */
dpc_status dpc_ids_finish(dpc_ids *ids, bool must_list, bool numbers_only);

#endif
