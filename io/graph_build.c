/* Putting a graph together: see graph_build.h. */
#include "graph_build.h"

#include "csv.h"
#include "error.h"
#include "graph.h"
#include "memory.h"
#include "sorted.h"
#include "source.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

long long dpc_build_line(const dpc_builder *b, const char *at)
{
    return (long long)dpc_csv_line(b->text, at);
}

dpc_status dpc_build_refuse(dpc_builder *b, const char *at, const char *format, ...)
{
    char text[DPC_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return dpc_fail(b->err, DPC_BAD_INPUT, "%s: line %lld: %s", dpc_source_name(b->path),
                    dpc_build_line(b, at), text);
}

dpc_status dpc_build_no_memory(dpc_builder *b)
{
    return dpc_fail(b->err, DPC_NO_MEMORY, "%s: out of memory for its graph",
                    dpc_source_name(b->path));
}

dpc_status dpc_build_node(dpc_builder *b, const char *name, size_t length, const char *at,
                          int32_t *node)
{
    if (length == 0)
        return dpc_build_refuse(b, at, "the name of a node is empty");
    int32_t number = dpc_names_add(&b->names, name, length);
    if (number < 0)
        return dpc_build_no_memory(b);
    *node = number;
    return DPC_OK;
}

dpc_status dpc_build_edge(dpc_builder *b, int32_t from, int32_t to, dpc_mark mark, const char *at)
{
    char clipped[DPC_CLIP_SIZE];
    if (from == to)
        return dpc_build_refuse(b, at, "an edge joins '%s' with itself",
                                dpc_clip_name(b->names.names[from], clipped));
    if (b->n_edges == b->capacity) {
        int64_t capacity = b->capacity > 0 ? 2 * b->capacity : 64;
        dpc_built_edge *edges = dpc_regrow(b->edges, capacity, sizeof *edges);
        if (edges == NULL)
            return dpc_build_no_memory(b);
        b->edges = edges;
        b->capacity = capacity;
    }
    b->edges[b->n_edges++] = (dpc_built_edge){dpc_edge_of(from, to, mark), at};
    return DPC_OK;
}

/* By the pair, then by the place in the text. */
static int by_pair(const void *pa, const void *pb)
{
    const dpc_built_edge *a = pa, *b = pb;
    int order = dpc_by_pair(&a->edge, &b->edge);
    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static dpc_status refuse_twice(dpc_builder *b, const dpc_built_edge *first,
                               const dpc_built_edge *second)
{
    char clipped[2][DPC_CLIP_SIZE];
    return dpc_build_refuse(b, second->at,
                            "'%s' and '%s' are joined twice, first on line %lld; keep one of the "
                            "two",
                            dpc_clip_name(b->names.names[first->edge.a], clipped[0]),
                            dpc_clip_name(b->names.names[first->edge.b], clipped[1]),
                            dpc_build_line(b, first->at));
}

dpc_status dpc_build_sort(dpc_builder *b, bool both_ways)
{
    int64_t kept = 0;
    if (b->n_edges > 0)
        qsort(b->edges, (size_t)b->n_edges, sizeof *b->edges, by_pair);
    for (int64_t e = 0; e < b->n_edges; e++) {
        dpc_built_edge *last = kept > 0 ? &b->edges[kept - 1] : NULL, *next = &b->edges[e];
        if (last == NULL || last->edge.a != next->edge.a || last->edge.b != next->edge.b)
            b->edges[kept++] = *next;
        else if (both_ways && last->edge.mark != next->edge.mark)
            last->edge.mark = DPC_UNDIRECTED;
        else
            return refuse_twice(b, last, next);
    }
    b->n_edges = kept;
    return DPC_OK;
}
