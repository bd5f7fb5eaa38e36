/* What is known of the nodes: the node table as CSV, and as a member of a JSON object. */
#include "write.h"

#include "number.h"
#include "status.h"

#include <math.h>

static void print_value(FILE *file, double value)
{
    char text[DPC_NUMBER_SIZE];
    dpc_number_print(value, text);
    fprintf(file, ",%s", isnan(value) ? "" : text);
}

dpc_status dpc_print_node_table(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_node_table *table = report->node_table;
    if (table == NULL)
        return dpc_fail(err, DPC_USAGE, "there is no table of nodes to write");
    fputs("name,neighbours,parents,children,r2,r2_parents\n", file);
    for (int v = 0; v < table->n_vars && !ferror(file); v++) {
        const dpc_node_info *row = &table->rows[v];
        dpc_print_field(file, report->names[v]);
        fprintf(file, ",%d,%d,%d", row->neighbours, row->parents, row->children);
        print_value(file, row->r2);
        print_value(file, row->r2_parents);
        putc('\n', file);
    }
    return DPC_OK;
}

void dpc_print_json_nodes(FILE *file, const dpc_report *report)
{
    const dpc_node_table *table = report->node_table;
    fputs(",\n  \"node_table\": [", file);
    for (int v = 0; v < table->n_vars && !ferror(file); v++) {
        const dpc_node_info *row = &table->rows[v];
        fputs(v > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ", file);
        dpc_print_json_string(file, report->names[v]);
        fprintf(file, ", \"neighbours\": %d, \"parents\": %d, \"children\": %d", row->neighbours,
                row->parents, row->children);
        dpc_print_json_value(file, "r2", row->r2);
        dpc_print_json_value(file, "r2_parents", row->r2_parents);
        putc('}', file);
    }
    fputs(table->n_vars > 0 ? "\n  ]" : "]", file);
}
