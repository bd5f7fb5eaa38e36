/*
 * The library in one screen: read a table, learn its CPDAG, print the edges.
 *
 *     cc minimal.c $(pkg-config --cflags --libs dualpc) -o minimal && ./minimal example.csv
 */
#include <dualpc_io.h>
#include <stdio.h>

static void print_edges(const dpc_graph *graph, const char *const *names)
{
    for (int64_t i = 0; i < graph->n_edges; i++) {
        const dpc_edge *e = &graph->edges[i];
        const char *a = names[e->a], *b = names[e->b];
        switch (e->mark) {
        case DPC_FORWARD:
            printf("%s --> %s\n", a, b);
            break;
        case DPC_BACKWARD:
            printf("%s --> %s\n", b, a);
            break;
        default:
            printf("%s --- %s\n", a, b);
        }
    }
}

int main(int argc, char **argv)
{
    dpc_error err = {0};
    dpc_audit audit = {0};
    dpc_table *table = NULL;
    dpc_result *result = NULL;
    dpc_settings settings;

    if (argc != 2) {
        fprintf(stderr, "usage: minimal DATA.csv\n");
        return DPC_USAGE;
    }
    dpc_settings_default(&settings);
    settings.alpha = 0.01;
    dpc_status status = dpc_table_read(argv[1], DPC_MISSING_ERROR, NULL, &audit, &table, &err);
    if (status == DPC_OK)
        status = dpc_learn_table(table, &settings, &audit, &result, &err);
    for (int i = 0; i < audit.count; i++)
        fprintf(stderr, "note: %s\n", audit.items[i].text);
    if (status == DPC_OK)
        print_edges(dpc_result_graph(result), dpc_table_about(table).names);
    else
        fprintf(stderr, "%s\n", err.message);

    dpc_result_free(result);
    dpc_table_free(table);
    dpc_audit_clear(&audit);
    return status;
}
