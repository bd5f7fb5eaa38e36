/* Reading a graph: dpc_graph_read of dualpc_io.h, by the table of formats.c. */
#include "alloc.h"
#include "encoding.h"
#include "formats.h"
#include "source.h"
#include "status.h"

#include <string.h>
#include <strings.h>

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

/*
 * Names are UTF-8 from here on, for some formats can write no others. What is not is
 * Windows-1252, as in a table; but for JSON, which is UTF-8 or no JSON.
 */
static dpc_status make_utf8(dpc_builder *b, char **bytes)
{
    size_t length = strlen(b->text);
    if (dpc_is_utf8(b->text, length))
        return DPC_OK;
    char *text = dpc_alloc((int64_t)length + 1, 3);
    if (text == NULL)
        return dpc_build_no_memory(b);
    dpc_from_windows(b->text, length, text);
    free(*bytes);
    b->text = *bytes = text;
    return DPC_OK;
}

/* The nodes and edges of the file, by the rules of its format. */
static dpc_status build(dpc_builder *b, const dpc_format_row *row, char **bytes)
{
    size_t size = 0;
    DPC_CHECK(dpc_source_read(b->path, NULL, bytes, &size, b->err));
    DPC_CHECK(check_text(b, *bytes, size));
    if (*b->text == '\0' && !row->empty)
        return dpc_fail(b->err, DPC_BAD_INPUT, "%s: is empty; it needs a graph", b->path);
    if (row->parse != dpc_parse_json)
        DPC_CHECK(make_utf8(b, bytes));
    b->room = dpc_alloc((int64_t)strlen(b->text) + 1, 1);
    return b->room != NULL ? row->parse(b) : dpc_build_no_memory(b);
}

/* The nodes and edges become a graph of their own. */
static dpc_status finish(dpc_builder *b, dpc_named_graph **out)
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
    graph->all_nodes = b->all_nodes;
    graph->pag = b->pag;
    *out = graph;
    return DPC_OK;
}

/* Without the .gz that a packed file has behind its extension. */
static dpc_status format_of(const char *path, dpc_format *out, dpc_error *err)
{
    size_t length = strlen(path);
    bool packed = length > 3 && strcasecmp(path + length - 3, ".gz") == 0;
    char *name = strdup(path);
    if (name == NULL)
        return dpc_fail(err, DPC_NO_MEMORY, "%s: out of memory for its name", path);
    if (packed)
        name[length - 3] = '\0';
    dpc_status status = dpc_format_of_path(name, out, err);
    free(name);
    return status;
}

dpc_status dpc_graph_read_as(const char *path, dpc_format format, dpc_named_graph **out,
                             dpc_error *err)
{
    dpc_builder b = {.path = path, .err = err};
    char *bytes = NULL;
    const dpc_format_row *row = dpc_format_find(format);
    if (row == NULL || row->parse == NULL)
        return dpc_fail(err, DPC_USAGE, "%s: a graph cannot be read from this format", path);
    dpc_status status = build(&b, row, &bytes);
    if (status == DPC_OK)
        status = finish(&b, out);
    dpc_names_clear(&b.names);
    free(b.edges);
    free(b.room);
    free(bytes);
    return status;
}

dpc_status dpc_graph_read(const char *path, dpc_named_graph **out, dpc_error *err)
{
    dpc_format format = DPC_FORMAT_EDGES;
    DPC_CHECK(strcmp(path, "-") != 0 ? format_of(path, &format, err) : DPC_OK);
    return dpc_graph_read_as(path, format, out, err);
}
