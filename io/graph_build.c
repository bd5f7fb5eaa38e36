/* Putting a graph together: see graph_build.h. */
#include "graph_build.h"

#include "alloc.h"
#include "edge_names.h"
#include "graph.h"
#include "sorted.h"
#include "source.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Errors ---- */

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

/* ---- Nodes ---- */

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

dpc_status dpc_build_new_node(dpc_builder *b, const char *name, size_t length, const char *at,
                              int32_t *node)
{
    char clipped[DPC_CLIP_SIZE];
    int before = b->names.count;
    DPC_CHECK(dpc_build_node(b, name, length, at, node));
    if (*node == before)
        return DPC_OK;
    return dpc_build_refuse(b, at, "the node '%s' is there twice",
                            dpc_clip_name(b->names.names[*node], clipped));
}

dpc_status dpc_build_cell(dpc_builder *b, const dpc_cell *cell, int32_t *node)
{
    dpc_csv_copy(cell, b->room);
    return dpc_build_node(b, b->room, strlen(b->room), cell->text, node);
}

dpc_status dpc_build_trimmed(dpc_builder *b, const char *begin, const char *end, const char *at,
                             int32_t *node)
{
    while (begin < end && dpc_is_blank(*begin))
        begin++;
    while (begin < end && dpc_is_blank(end[-1]))
        end--;
    return dpc_build_node(b, begin, (size_t)(end - begin), at, node);
}

/* ---- Edges ---- */

dpc_status dpc_build_edge(dpc_builder *b, int32_t from, int32_t to, dpc_mark mark, const char *at)
{
    char clipped[DPC_CLIP_SIZE];
    if (from == to)
        return dpc_build_refuse(b, at, "an edge joins '%s' with itself",
                                dpc_clip_name(b->names.names[from], clipped));
    dpc_built_edge *edges = dpc_make_room(b->edges, &b->capacity, b->n_edges + 1, sizeof *edges);
    if (edges == NULL)
        return dpc_build_no_memory(b);
    b->edges = edges;
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

/* An arrow or a line, as CPDAGs have them? */
static bool is_plain(dpc_mark mark)
{
    return mark == DPC_FORWARD || mark == DPC_BACKWARD || mark == DPC_UNDIRECTED;
}

/* Two records of one pair into one. */
static dpc_status join(dpc_builder *b, dpc_built_edge *last, const dpc_built_edge *next,
                       dpc_twice twice)
{
    dpc_mark *mark = &last->edge.mark, other = next->edge.mark;
    if (twice == DPC_TWICE_BOTH_WAYS && *mark != other && is_plain(*mark) && is_plain(other))
        *mark = DPC_UNDIRECTED;
    else if (twice == DPC_TWICE_ENDS && dpc_end_a(*mark & other) == DPC_END_NONE &&
             dpc_end_b(*mark & other) == DPC_END_NONE)
        *mark |= other;
    else
        return refuse_twice(b, last, next);
    return DPC_OK;
}

/* Has every edge both ends? */
static dpc_status check_ends(dpc_builder *b)
{
    char clipped[2][DPC_CLIP_SIZE];
    for (int64_t e = 0; e < b->n_edges; e++) {
        const dpc_edge *edge = &b->edges[e].edge;
        if (dpc_end_a(edge->mark) == DPC_END_NONE || dpc_end_b(edge->mark) == DPC_END_NONE)
            return dpc_build_refuse(b, b->edges[e].at,
                                    "the edge between '%s' and '%s' has a mark at one end only",
                                    dpc_clip_name(b->names.names[edge->a], clipped[0]),
                                    dpc_clip_name(b->names.names[edge->b], clipped[1]));
    }
    return DPC_OK;
}

dpc_status dpc_build_sort(dpc_builder *b, dpc_twice twice)
{
    int64_t kept = 0;
    if (b->n_edges > 0)
        qsort(b->edges, (size_t)b->n_edges, sizeof *b->edges, by_pair);
    for (int64_t e = 0; e < b->n_edges; e++) {
        dpc_built_edge *last = kept > 0 ? &b->edges[kept - 1] : NULL, *next = &b->edges[e];
        if (last != NULL && dpc_by_pair(&last->edge, &next->edge) == 0)
            DPC_CHECK(join(b, last, next, twice));
        else
            b->edges[kept++] = *next;
    }
    b->n_edges = kept;
    return check_ends(b);
}

/* ---- Words between nodes ---- */

/* What the sign of an arrow says of its end; `head` is the arrowhead there. */
static dpc_end end_of(char sign, char head)
{
    return sign == head  ? DPC_END_ARROW
           : sign == 'o' ? DPC_END_CIRCLE
           : sign == '-' ? DPC_END_TAIL
                         : DPC_END_NONE;
}

dpc_mark dpc_arrow(const char *word, size_t length)
{
    dpc_end left = end_of(word[0], '<'), right = end_of(word[length - 1], '>');
    bool arrow = length == 3 ? word[1] == '-'
                 : length == 2 && left != DPC_END_CIRCLE && right != DPC_END_CIRCLE
                     ? left == DPC_END_TAIL || right == DPC_END_TAIL
                     : false;
    return arrow && left != DPC_END_NONE && right != DPC_END_NONE ? DPC_MARK(left, right)
                                                                  : DPC_NONE;
}

dpc_mark dpc_relation(const char *word, size_t length)
{
    static const struct {
        const char *word;
        dpc_mark mark;
    } WORDS[] = {
        {"directed", DPC_FORWARD},
        {"pd", DPC_FORWARD}, /* Cytoscape: protein to DNA … */
        {"undirected", DPC_UNDIRECTED},
        {"pp", DPC_UNDIRECTED}, /* … and protein with protein */
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (dpc_says(word, length, WORDS[i].word))
            return WORDS[i].mark;
    return length > 0 ? dpc_arrow(word, length) : DPC_NONE;
}

dpc_status dpc_build_mark(dpc_builder *b, const char *word, size_t length, const char *at,
                          dpc_mark *mark)
{
    char clipped[DPC_CLIP_SIZE];
    *mark = dpc_relation(word, length);
    if (*mark != DPC_NONE)
        return DPC_OK;
    dpc_clip(word, length, false, clipped);
    return dpc_build_refuse(b, at,
                            "'%s' does not say how the two nodes are joined; write --> or ---, and "
                            "in a PAG also <->, o-> or o-o",
                            clipped);
}

dpc_mark dpc_find_arrow(const char *p, const char *end, const char **at, size_t *length)
{
    dpc_mark found = DPC_NONE;
    size_t word;
    for (const char *w = dpc_next_word(p, end, &word); w != NULL;
         w = dpc_next_word(w + word, end, &word)) {
        dpc_mark mark = dpc_arrow(w, word);
        if (mark == DPC_NONE || (found != DPC_NONE && word != 3))
            continue;
        found = mark;
        *at = w;
        *length = word;
        if (word == 3)
            break;
    }
    return found;
}
