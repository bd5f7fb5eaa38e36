/* Putting a graph together: see graph_build.h. */
#include "graph_build.h"

#include "alloc.h"
#include "csv.h"
#include "graph.h"
#include "sorted.h"
#include "source.h"
#include "status.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

/* Two records of one pair into one. */
static dpc_status join(dpc_builder *b, dpc_built_edge *last, const dpc_built_edge *next,
                       dpc_twice twice)
{
    char clipped[2][DPC_CLIP_SIZE];
    bool line = last->edge.mark == DPC_UNDIRECTED, same = last->edge.mark == next->edge.mark;
    if (twice == DPC_TWICE_BOTH_WAYS && !same) {
        last->edge.mark = DPC_UNDIRECTED;
        return DPC_OK;
    }
    if (twice != DPC_TWICE_ENDS)
        return refuse_twice(b, last, next);
    if (!line && next->edge.mark != DPC_UNDIRECTED)
        return dpc_build_refuse(b, next->at,
                                "'%s' and '%s' are joined by an edge with two heads, which stands "
                                "for a hidden common cause; such graphs cannot be read",
                                dpc_clip_name(b->names.names[last->edge.a], clipped[0]),
                                dpc_clip_name(b->names.names[last->edge.b], clipped[1]));
    last->edge.mark = line ? next->edge.mark : last->edge.mark;
    return DPC_OK;
}

static dpc_status refuse_half(dpc_builder *b, const dpc_built_edge *half)
{
    char clipped[2][DPC_CLIP_SIZE];
    return dpc_build_refuse(b, half->at,
                            "the edge between '%s' and '%s' has a mark at one end only",
                            dpc_clip_name(b->names.names[half->edge.a], clipped[0]),
                            dpc_clip_name(b->names.names[half->edge.b], clipped[1]));
}

dpc_status dpc_build_sort(dpc_builder *b, dpc_twice twice)
{
    int64_t kept = 0;
    dpc_status status = DPC_OK;
    bool whole = true; /* the last one kept has both ends */
    if (b->n_edges > 0)
        qsort(b->edges, (size_t)b->n_edges, sizeof *b->edges, by_pair);
    for (int64_t e = 0; e < b->n_edges && status == DPC_OK; e++) {
        dpc_built_edge *last = kept > 0 ? &b->edges[kept - 1] : NULL, *next = &b->edges[e];
        bool again = last != NULL && last->edge.a == next->edge.a && last->edge.b == next->edge.b;
        if (again)
            status = join(b, last, next, twice);
        else if (!whole)
            status = refuse_half(b, last);
        else
            b->edges[kept++] = *next;
        whole = again || twice != DPC_TWICE_ENDS;
    }
    if (status == DPC_OK && !whole)
        status = refuse_half(b, &b->edges[kept - 1]);
    b->n_edges = kept;
    return status;
}

/* ---- Words between nodes ---- */

dpc_mark dpc_relation(const char *word, size_t length)
{
    static const struct {
        const char *word;
        dpc_mark mark;
    } WORDS[] = {
        {"-->", DPC_FORWARD},           {"->", DPC_FORWARD},     {"<--", DPC_BACKWARD},
        {"<-", DPC_BACKWARD},           {"---", DPC_UNDIRECTED}, {"--", DPC_UNDIRECTED},
        {"directed", DPC_FORWARD},      {"pd", DPC_FORWARD},    /* Cytoscape: protein to DNA … */
        {"undirected", DPC_UNDIRECTED}, {"pp", DPC_UNDIRECTED}, /* … and protein with protein */
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strlen(WORDS[i].word) == length && strncasecmp(word, WORDS[i].word, length) == 0)
            return WORDS[i].mark;
    return DPC_NONE;
}

bool dpc_is_foreign_mark(const char *word, size_t length)
{
    static const char *const WORDS[] = {"<->", "o->", "<-o", "o-o", "o--", "--o"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (length == 3 && memcmp(word, WORDS[i], 3) == 0)
            return true;
    return false;
}

bool dpc_is_arrow(const char *word, size_t length)
{
    bool ours = (*word == '-' || *word == '<') && dpc_relation(word, length) != DPC_NONE;
    return ours || dpc_is_foreign_mark(word, length);
}

dpc_status dpc_refuse_foreign(dpc_builder *b, const char *at)
{
    return dpc_build_refuse(b, at,
                            "an edge has a circle at an end, or two heads: graphs of hidden common "
                            "causes (PAGs, MAGs) cannot be read");
}
