/* What is known of the edges: the edge table as CSV; with resamples it says which arrows are
 * doubtful, with a posterior how probable each edge is.
 */
#include "write.h"

#include "number.h"
#include "status.h"

#include <math.h>

/* Behind a comma; nothing where it is not known. */
static void print_value(FILE *file, double value)
{
    char text[DPC_NUMBER_SIZE];
    putc(',', file);
    if (isnan(value))
        return;
    if (isfinite(value))
        dpc_number_print(value, text);
    fputs(isfinite(value) ? text : value > 0 ? "Inf" : "-Inf", file);
}

dpc_status dpc_print_edge_table(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_edge_table *table = report->edge_table;
    if (table == NULL)
        return dpc_fail(err, DPC_USAGE, "there is no table of edges to write");
    bool resampled = report->frequencies != NULL;
    fprintf(file, "from,to,mark,r,low,high,p,evidence,edge,forward,backward,undirected%s%s\n",
            resampled ? ",doubtful" : "",
            report->posterior != NULL ? ",probability,forward_probability,backward_probability"
                                      : "");
    for (int64_t i = 0; i < table->n_rows && !ferror(file); i++) {
        const dpc_edge_row *row = &table->rows[i];
        const double values[] = {row->r,       row->low,      row->high,
                                 row->p,       row->evidence, row->edge,
                                 row->forward, row->backward, row->undirected};
        dpc_print_field(file, report->names[row->from]);
        putc(',', file);
        dpc_print_field(file, report->names[row->to]);
        fprintf(file, ",%s", dpc_mark_text(row->mark));
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            print_value(file, values[k]);
        if (resampled)
            fputs(dpc_edge_row_is_doubtful(row) ? ",yes" : ",no", file);
        if (report->posterior != NULL)
            dpc_print_probability_cells(file, report, row->from, row->to);
        putc('\n', file);
    }
    return DPC_OK;
}
