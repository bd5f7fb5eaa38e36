/*
 * Reading a graph: dpc_graph_read of dualpc.h, and the edge list.
 *
 * An edge list has one edge a line: `A --> B`, `A <-- B` or `A --- B`. The arrow has a blank on
 * each side, so that names may hold blanks, and hyphens; blanks around a name do not count. A line
 * with two arrows could be read in two ways and is refused. Lines that are blank, or begin with #,
 * are skipped; but `#A --> B`, without a blank after the #, is an edge, since a name may begin so
 * and an edge must not get lost.
 */
#include "error.h"
#include "graph_build.h"
#include "memory.h"
#include "source.h"
#include "text.h"

#include <string.h>
#include <strings.h>

/* ---- Edge list ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

enum { ARROW = 3 }; /* the length of an arrow */

/* The mark of the arrow at `p`, which has a byte before it; DPC_NONE: there is none. */
static dpc_mark arrow_at(const char *p, const char *end)
{
    if (end - p <= ARROW || !is_blank(p[-1]) || !is_blank(p[ARROW]))
        return DPC_NONE;
    return memcmp(p, "---", ARROW) == 0   ? DPC_UNDIRECTED
           : memcmp(p, "-->", ARROW) == 0 ? DPC_FORWARD
           : memcmp(p, "<--", ARROW) == 0 ? DPC_BACKWARD
                                          : DPC_NONE;
}

/* The first arrow from `p` on, and its mark; NULL: none. */
static const char *find_arrow(const char *p, const char *end, dpc_mark *mark)
{
    for (; p < end; p++) {
        *mark = arrow_at(p, end);
        if (*mark != DPC_NONE)
            return p;
    }
    return NULL;
}

static dpc_status add_name(dpc_builder *b, const char *begin, const char *end, const char *at,
                           int32_t *node)
{
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    return dpc_build_node(b, begin, (size_t)(end - begin), at, node);
}

/* One line, which is not empty. */
static dpc_status parse_line(dpc_builder *b, const char *line, const char *end)
{
    char clipped[DPC_CLIP_SIZE];
    dpc_mark mark, other;
    const char *arrow = find_arrow(line + 1, end, &mark);
    if (*line == '#' && (arrow == NULL || is_blank(line[1]) || line[1] == '#'))
        return DPC_OK;
    dpc_clip(line, (size_t)(end - line), false, clipped);
    if (arrow == NULL)
        return dpc_build_refuse(b, line,
                                "'%s' is no edge; write A --> B or A --- B, with blanks "
                                "around the arrow",
                                clipped);
    if (find_arrow(arrow + ARROW, end, &other) != NULL)
        return dpc_build_refuse(b, line,
                                "'%s' has more than one arrow; a graph with such names can be read "
                                "from csv, dot or json",
                                clipped);
    int32_t from, to;
    dpc_status status = add_name(b, line, arrow, line, &from);
    if (status == DPC_OK)
        status = add_name(b, arrow + ARROW, end, line, &to);
    if (status == DPC_OK)
        status = dpc_build_edge(b, from, to, mark, line);
    return status;
}

dpc_status dpc_parse_edges(dpc_builder *b)
{
    dpc_status status = DPC_OK;
    for (const char *line = b->text; *line != '\0' && status == DPC_OK;) {
        const char *end = line + strcspn(line, "\r\n");
        const char *first = line;
        while (is_blank(*first))
            first++;
        if (first < end) /* a comment may be indented */
            status = parse_line(b, *first == '#' ? first : line, end);
        line = end + (*end != '\0');
    }
    return status == DPC_OK ? dpc_build_sort(b, false) : status;
}

/* ---- Formats ---- */

static const struct {
    dpc_format format;
    dpc_status (*parse)(dpc_builder *b);
    bool all_nodes; /* it lists them */
    bool empty;     /* a file without a byte is a graph */
} READERS[] = {
    {DPC_FORMAT_EDGES, dpc_parse_edges, false, true},
    {DPC_FORMAT_ADJACENCY, dpc_parse_adjacency, true, false},
    {DPC_FORMAT_DOT, dpc_parse_dot, true, false},
    {DPC_FORMAT_JSON, dpc_parse_json, true, false},
};

/* The place in READERS. */
static dpc_status find_reader(const char *path, size_t *out, dpc_error *err)
{
    size_t length = strlen(path), i = 0, count = sizeof READERS / sizeof *READERS;
    dpc_format format = DPC_FORMAT_EDGES;
    dpc_status status = DPC_OK;
    bool packed = length > 3 && strcasecmp(path + length - 3, ".gz") == 0;
    char *name = strdup(path);
    if (name == NULL)
        return dpc_fail(err, DPC_NO_MEMORY, "%s: out of memory for its name", path);
    if (packed)
        name[length - 3] = '\0';
    if (strcmp(path, "-") != 0)
        status = dpc_format_of_path(name, &format, err);
    free(name);
    while (i < count && READERS[i].format != format)
        i++;
    if (status == DPC_OK && i == count)
        return dpc_fail(err, DPC_USAGE, "%s: a graph cannot be read from this format", path);
    *out = i;
    return status;
}

/* ---- The way in ---- */

static dpc_status check_text(dpc_builder *b, const char *bytes, size_t size)
{
    const char *nul;
    switch (dpc_source_encoding(bytes, size, &b->text, &nul)) {
    case DPC_ENCODING_UTF16:
        return dpc_fail(b->err, DPC_BAD_INPUT, "%s: the file is UTF-16; save it as UTF-8",
                        dpc_source_name(b->path));
    case DPC_ENCODING_BINARY:
        return dpc_build_refuse(b, nul, "there is a NUL byte: the file looks binary");
    default:
        return DPC_OK;
    }
}

/* The nodes and edges become a graph of their own. */
static dpc_status finish(dpc_builder *b, bool all_nodes, dpc_named_graph **out)
{
    dpc_named_graph *graph = dpc_zalloc(1, sizeof *graph);
    dpc_edge *edges = dpc_alloc(b->n_edges, sizeof *edges);
    if (graph == NULL || edges == NULL) {
        free(graph);
        free(edges);
        return dpc_build_no_memory(b);
    }
    for (int64_t e = 0; e < b->n_edges; e++)
        edges[e] = b->edges[e].edge;
    graph->graph = (dpc_graph){b->names.count, b->n_edges, edges};
    graph->names = dpc_names_release(&b->names);
    graph->all_nodes = all_nodes;
    *out = graph;
    return DPC_OK;
}

dpc_status dpc_graph_read(const char *path, dpc_named_graph **out, dpc_error *err)
{
    dpc_builder b = {.path = path, .err = err};
    char *bytes = NULL;
    size_t size = 0, reader = 0;
    dpc_status status = find_reader(path, &reader, err);
    if (status == DPC_OK)
        status = dpc_source_read(path, NULL, &bytes, &size, err);
    if (status == DPC_OK)
        status = check_text(&b, bytes, size);
    if (status == DPC_OK && *b.text == '\0' && !READERS[reader].empty)
        status = dpc_fail(err, DPC_BAD_INPUT, "%s: is empty; it needs a graph", path);
    if (status == DPC_OK)
        status = READERS[reader].parse(&b);
    if (status == DPC_OK)
        status = finish(&b, READERS[reader].all_nodes, out);
    dpc_names_clear(&b.names);
    free(b.edges);
    free(bytes);
    return status;
}
