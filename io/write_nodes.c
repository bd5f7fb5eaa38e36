/*
 * What is known of the nodes: the node table as CSV, and as a member of a JSON object; the kinds of
 * the variables.
 */
#include "write.h"

#include "number.h"
#include "status.h"
#include "table.h"

#include <math.h>

static void print_value(FILE *file, double value)
{
    char text[DPC_NUMBER_SIZE];
    dpc_number_print(value, text);
    fprintf(file, ",%s", isnan(value) ? "" : text);
}

/* ---- Kinds ---- */

const char *dpc_level_name(const dpc_report *report, int variable, int level, char *number)
{
    if (report->table != NULL) {
        const dpc_variable_info info = dpc_table_variable(report->table, variable);
        if (info.levels != NULL && level < info.n_levels)
            return info.levels[level];
    }
    snprintf(number, DPC_LEVEL_SIZE, "%d", level);
    return number;
}

/* Are there variables that are no plain numbers? */
static bool has_kinds(const dpc_report *report)
{
    return report->table != NULL && report->table->variable != NULL;
}

static const char *kind_word(const dpc_variable_info *info)
{
    return dpc_word(DPC_WORD_VARIABLE, (int)info->kind);
}

static void print_levels(FILE *file, const dpc_variable_info *info)
{
    fputs(", \"levels\": [", file);
    for (int i = 0; i < info->n_levels && !ferror(file); i++) {
        fputs(i > 0 ? ", {\"level\": " : "{\"level\": ", file);
        dpc_print_json_string(file, info->levels[i]);
        fprintf(file, ", \"count\": %lld}", (long long)info->counts[i]);
    }
    putc(']', file);
}

static void print_members(FILE *file, const dpc_variable_info *info)
{
    fputs(", \"members\": [", file);
    for (int i = 0; i < info->n_columns && !ferror(file); i++) {
        fputs(i > 0 ? ", " : "", file);
        dpc_print_json_string(file, info->columns[i]);
    }
    putc(']', file);
}

void dpc_print_json_variables(FILE *file, const dpc_report *report)
{
    if (!has_kinds(report))
        return;
    fputs("  \"variables\": [", file);
    for (int v = 0; v < report->table->n_vars && !ferror(file); v++) {
        const dpc_variable_info info = dpc_table_variable(report->table, v);
        fputs(v > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ", file);
        dpc_print_json_string(file, report->names[v]);
        fprintf(file, ", \"type\": \"%s\", \"columns\": %d", kind_word(&info),
                dpc_width_of(report->table, v));
        if (info.levels != NULL && info.counts != NULL)
            print_levels(file, &info);
        if (info.columns != NULL)
            print_members(file, &info);
        putc('}', file);
    }
    fputs("\n  ],\n", file);
}

/* ---- The node table ---- */

static void print_kind(FILE *file, const dpc_report *report, int v)
{
    const dpc_variable_info info = dpc_table_variable(report->table, v);
    fprintf(file, ",%s,", kind_word(&info));
    if (info.n_levels > 0)
        fprintf(file, "%d", info.n_levels);
}

dpc_status dpc_print_node_table(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_node_table *table = report->node_table;
    if (table == NULL)
        return dpc_fail(err, DPC_USAGE, "there is no table of nodes to write");
    bool kinds = has_kinds(report);
    fprintf(file, "name,neighbours,parents,children,r2,r2_parents%s\n",
            kinds ? ",type,levels" : "");
    for (int v = 0; v < table->n_vars && !ferror(file); v++) {
        const dpc_node_info *row = &table->rows[v];
        dpc_print_field(file, report->names[v]);
        fprintf(file, ",%d,%d,%d", row->neighbours, row->parents, row->children);
        print_value(file, row->r2);
        print_value(file, row->r2_parents);
        if (kinds)
            print_kind(file, report, v);
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
        if (has_kinds(report)) {
            const dpc_variable_info info = dpc_table_variable(report->table, v);
            fprintf(file, ", \"type\": \"%s\"", kind_word(&info));
        }
        putc('}', file);
    }
    fputs(table->n_vars > 0 ? "\n  ]" : "]", file);
}
