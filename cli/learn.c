/* dualpc learn: from the data to the graph, one stage after the other. */
#include "cli.h"
#include "clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run {
    options options;
    bar bar;
    dpc_audit audit;
    dpc_table *table;
    dpc_knowledge *knowledge;
    bool names_file; /* the message of the error says which file it is about */
    dpc_correlation *correlation;
    dpc_result *result;
    dpc_graph dag; /* edges owned */
    double start, seconds_read;
    dpc_error err;
} run;

const char *source_name(const options *o)
{
    return strcmp(o->data, "-") == 0 ? "standard input" : o->data;
}

static dpc_status read_data(run *r)
{
    const options *o = &r->options;
    dpc_status status =
        o->correlation
            ? dpc_matrix_read(o->data, &o->settings, &r->audit, &r->table, &r->err)
            : dpc_table_read(o->data, o->missing, &o->settings, &r->audit, &r->table, &r->err);
    r->seconds_read = dpc_seconds() - r->start;
    return status;
}

/* What is known beforehand, where --knowledge says. */
static dpc_status read_knowledge(run *r)
{
    options *o = &r->options;
    if (o->knowledge == NULL)
        return DPC_OK;
    dpc_status status =
        dpc_knowledge_read(o->knowledge, r->table->names, r->table->n_vars, &r->knowledge, &r->err);
    r->names_file = status != DPC_OK;
    o->settings.knowledge = r->knowledge;
    return status;
}

static dpc_status correlate(run *r)
{
    const options *o = &r->options;
    if (o->correlation)
        return dpc_correlation_from_matrix(r->table, o->samples, &o->settings, &r->audit,
                                           &r->correlation, &r->err);
    return dpc_correlate(r->table, &o->settings, &r->audit, &r->correlation, &r->err);
}

/* The values are not needed any more; the names are. */
static void drop_values(dpc_table *table)
{
    free(table->values);
    table->values = NULL;
}

static dpc_report report_of(const run *r)
{
    return (dpc_report){
        .names = r->table->names,
        .result = r->result,
        .correlation = r->correlation,
        .settings = &r->options.settings,
        .audit = &r->audit,
        .seconds_read = r->seconds_read,
        .seconds_total = dpc_seconds() - r->start,
        .dag_path = r->options.dag,
        .dag = &r->dag,
    };
}

static dpc_status write_results(run *r)
{
    const options *o = &r->options;
    dpc_report report = report_of(r);
    double start = dpc_seconds();
    if (o->to_stdout)
        bar_clear(&r->bar);
    interrupt_defer(true);
    dpc_status status = dpc_write(&report, o->outputs, o->n_outputs,
                                  o->to_stdout ? STDOUT_FILENO : -1, o->stdout_format, &r->err);
    interrupt_defer(false);
    r->result->info.seconds[DPC_STAGE_WRITE] = dpc_seconds() - start;
    return status;
}

/* One member of the class, where --dag asks for it. */
static dpc_status extend(run *r)
{
    const options *o = &r->options;
    dpc_status status =
        o->dag != NULL ? dpc_extension(&r->result->graph, &r->dag, &r->err) : DPC_OK;
    if (status == DPC_BAD_INPUT)
        snprintf(r->err.message, sizeof r->err.message,
                 "no DAG has the edges, arrows and v-structures of this graph, so there is nothing "
                 "to write to %s; --orient consistent always has one",
                 o->dag);
    return status;
}

static dpc_status learn(run *r)
{
    const options *o = &r->options;
    dpc_status status = dpc_write_check(o->outputs, o->n_outputs, &r->err);
    if (status == DPC_OK && o->dag != NULL)
        status = dpc_write_check(&o->dag, 1, &r->err);
    if (status == DPC_OK)
        status = read_data(r);
    if (status == DPC_OK)
        status = read_knowledge(r);
    if (status == DPC_OK)
        status = correlate(r);
    if (status != DPC_OK)
        return status;
    drop_values(r->table);
    bar_clear(&r->bar);
    if (!r->options.quiet)
        print_audit(stderr, source_name(&r->options), &r->audit);
    status = dpc_learn(r->correlation, &r->options.settings, &r->result, &r->err);
    if (status == DPC_OK)
        status = extend(r);
    if (status == DPC_OK)
        status = write_results(r);
    return status;
}

/* One sentence; before it the whole audit, where that says more. */
static void explain_failure(const run *r)
{
    const char *source = source_name(&r->options);
    if (r->result == NULL && r->audit.errors > 0 && r->audit.count > 1)
        print_audit(stderr, source, &r->audit);
    /* the reader has named the file itself */
    bool name = r->err.code == DPC_BAD_INPUT && r->table != NULL && !r->names_file;
    fprintf(stderr, "dualpc: %s%s%s\n", name ? source : "", name ? ": " : "", r->err.message);
}

static void run_free(run *r)
{
    dpc_result_free(r->result);
    free(r->dag.edges);
    dpc_correlation_free(r->correlation);
    dpc_table_free(r->table);
    dpc_knowledge_free(r->knowledge);
    dpc_audit_clear(&r->audit);
    options_free(&r->options);
}

static int run_main(run *r)
{
    interrupt_watch();
    bar_init(&r->bar, r->options.quiet, r->options.settings.method);
    r->options.settings.progress = bar_update;
    r->options.settings.progress_user = &r->bar;
    r->start = dpc_seconds();
    dpc_status status = learn(r);
    bar_clear(&r->bar);
    if (status == DPC_OK && !r->options.quiet) {
        dpc_report report = report_of(r);
        print_summary(stderr, &r->options, &report);
    }
    if (status != DPC_OK)
        explain_failure(r);
    return status;
}

int learn_main(int argc, char **argv)
{
    run r = {0};
    int code = DPC_OK;
    switch (options_parse(argc, argv, &r.options, &r.err)) {
    case PARSED_HELP:
        print_learn_help(stdout);
        code = finish_stdout();
        break;
    case PARSED_VERSION:
        puts("dualpc " DPC_VERSION);
        code = finish_stdout();
        break;
    case PARSED_WRONG:
        fprintf(stderr, "dualpc: %s\n", r.err.message);
        code = DPC_USAGE;
        break;
    case PARSED_RUN:
        code = run_main(&r);
        break;
    }
    run_free(&r);
    return code;
}
