/* Graphs for the tests: see graphs.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const EXTENSIONS[N_FORMATS] = {"txt", "csv", "dot", "json"};

char folder[200];

int enter_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/dualpc-graph-XXXXXX", base != NULL ? base : "/tmp");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

int leave_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

dpc_status read_bytes(const char *extension, const char *bytes, size_t size, dpc_named_graph **out,
                      dpc_error *err)
{
    char path[256];
    snprintf(path, sizeof path, "%s/given.%s", folder, extension);
    write_file(path, bytes, size);
    *out = NULL;
    dpc_status status = dpc_graph_read(path, out, err);
    unlink(path);
    return status;
}

void draw_graph(gsl_rng *rng, int n, int chance, dpc_graph *graph)
{
    graph->n_nodes = n;
    graph->n_edges = 0;
    graph->edges = malloc((size_t)(n * n + 1) * sizeof *graph->edges);
    assert_non_null(graph->edges);
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = a + 1; b < n; b++)
            if (draw_int(rng, 1, 100) <= chance)
                graph->edges[graph->n_edges++] = (dpc_edge){a, b, draw_mark(rng)};
}

int place_of(const dpc_named_graph *g, const char *name)
{
    int v = 0;
    while (v < g->graph.n_nodes && strcmp(g->names[v], name) != 0)
        v++;
    return v < g->graph.n_nodes ? v : -1;
}

void write_all(const dpc_graph *graph, char *const *names, char paths[N_FORMATS][256])
{
    dpc_report report = {
        .size = sizeof report, .names = (const char *const *)names, .graph = graph};
    dpc_output list[N_FORMATS] = {0};
    for (int f = 0; f < N_FORMATS; f++) {
        snprintf(paths[f], 256, "%s/graph.%s", folder, EXTENSIONS[f]);
        list[f].path = paths[f];
    }
    dpc_error err;
    if (dpc_write(&report, list, N_FORMATS, &err) != DPC_OK)
        fail_msg("%s", err.message);
}
