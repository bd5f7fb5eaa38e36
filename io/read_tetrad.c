/*
 * Reading Tetrad's text:
 *
 *     Graph Nodes:
 *     X1;X2;X3
 *
 *     Graph Edges:
 *     1. X1 --> X2
 *     2. X2 --- X3 [X2 --- X3]:0.9;[no edge]:0.1; dd pl
 *     3. X1 o-> X3
 *
 * Older versions have commas between the nodes. What follows an edge, how often it was found and of
 * which kind it is in a PAG, is skipped, and so are the sections below the edges. Without the line
 * of nodes, or without any header, these are the nodes of the edges.
 */
#include "edge_names.h"
#include "graph_build.h"
#include "text.h"

static const char NODES[] = "Graph Nodes:", EDGES[] = "Graph Edges:";

static bool begins(const char *p, const char *header)
{
    return strncasecmp(p, header, strlen(header)) == 0;
}

/* Is that header alone on its line? */
static bool is_alone(const char *p, const char *header)
{
    return begins(p, header) &&
           strchr("\r\n", p[strlen(header) + strspn(p + strlen(header), " \t")]);
}

bool dpc_is_tetrad(const char *text)
{
    const char *p = dpc_over_space(text);
    return is_alone(p, NODES) || is_alone(p, EDGES);
}

/* ---- Nodes ---- */

static dpc_status read_nodes(dpc_builder *b, const char *p, const char *end)
{
    char between = memchr(p, ';', (size_t)(end - p)) != NULL ? ';' : ',';
    while (p < end) {
        const char *next = memchr(p, between, (size_t)(end - p));
        const char *stop = next != NULL ? next : end, *last = stop;
        int32_t node;
        p += strspn(p, " \t");
        while (last > p && dpc_is_blank(last[-1]))
            last--;
        DPC_CHECK(dpc_build_new_node(b, p, last > p ? (size_t)(last - p) : 0, p, &node));
        p = stop + (next != NULL);
    }
    return DPC_OK;
}

/* ---- Edges ---- */

/* dd, nl, … tell of which kind an edge of a PAG is. */
static bool is_property(const char *word, size_t length)
{
    return length == 2 && (memcmp(word, "dd", 2) == 0 || memcmp(word, "pd", 2) == 0 ||
                           memcmp(word, "nl", 2) == 0 || memcmp(word, "pl", 2) == 0);
}

/* Where the name at `p` ends: before what tells how often the edge was found, and its properties.
 */
static const char *name_end(const char *p, const char *end)
{
    const char *stop = p, *word;
    size_t length;
    for (const char *q = p; (word = dpc_next_word(q, end, &length)) != NULL; q = word + length) {
        if (stop > p && (*word == '[' || is_property(word, length)))
            break;
        stop = word + length;
    }
    return stop;
}

/* The node at the end of a line. Where the nodes are known, a name may look like anything. */
static dpc_status find_right(dpc_builder *b, const char *p, const char *end, int32_t *node)
{
    size_t length;
    const char *first = dpc_next_word(p, end, &length);
    const char *stop = end;
    if (first == NULL)
        return dpc_build_node(b, p, 0, p, node);
    while (stop > first && dpc_is_blank(stop[-1]))
        stop--;
    *node = dpc_names_find(&b->names, first, (size_t)(stop - first));
    if (*node >= 0 && b->all_nodes)
        return DPC_OK;
    return dpc_build_trimmed(b, first, name_end(first, end), first, node);
}

static dpc_status read_edge(dpc_builder *b, const char *line, const char *end)
{
    const char *p = line + dpc_line_number(line, end);
    char clipped[DPC_CLIP_SIZE];
    size_t length;
    int known = b->names.count;
    int32_t from, to;
    const char *arrow = dpc_next_word(p, end, &length);
    while (arrow != NULL && dpc_arrow(arrow, length) == DPC_NONE)
        arrow = dpc_next_word(arrow + length, end, &length);
    if (arrow == NULL) {
        dpc_clip(line, (size_t)(end - line), false, clipped);
        return dpc_build_refuse(b, line, "'%s' is no edge; write 1. A --> B or 1. A --- B",
                                clipped);
    }
    DPC_CHECK(dpc_build_trimmed(b, p, arrow, line, &from));
    DPC_CHECK(find_right(b, arrow + length, end, &to));
    if (b->all_nodes && b->names.count > known)
        return dpc_build_refuse(b, line, "'%s' is not among the nodes",
                                dpc_clip_name(b->names.names[known], clipped));
    return dpc_build_edge(b, from, to, dpc_arrow(arrow, length), line);
}

/* A line without a number that ends with a colon opens another section. */
static bool is_header(const char *line, const char *end)
{
    if (dpc_line_number(line, end) > 0)
        return false;
    while (end > line && dpc_is_blank(end[-1]))
        end--;
    return end > line && end[-1] == ':';
}

dpc_status dpc_parse_tetrad(dpc_builder *b)
{
    const char *p = dpc_over_space(b->text);
    if (begins(p, NODES)) {
        p = dpc_over_space(p + strlen(NODES));
        if (!begins(p, EDGES)) {
            DPC_CHECK(read_nodes(b, p, dpc_line_end(p)));
            p = dpc_over_space(dpc_line_end(p));
        }
        b->all_nodes = true;
    }
    if (begins(p, EDGES))
        p = dpc_over_space(p + strlen(EDGES));
    else if (b->all_nodes && *p != '\0')
        return dpc_build_refuse(b, p, "there is no \"%s\" after the nodes", EDGES);
    for (; *p != '\0' && !is_header(p, dpc_line_end(p)); p = dpc_over_space(dpc_line_end(p)))
        DPC_CHECK(read_edge(b, p, dpc_line_end(p)));
    return dpc_build_sort(b, DPC_TWICE_REFUSED);
}
