/*
 * dualpc sample: graphs drawn from their posterior, and what they say: how probable each edge, each
 * direction and each effect is.
 */
#include "alloc.h"
#include "cli.h"
#include "platform.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Options ---- */

static dpc_status take_cause(const char *text, void *into, dpc_error *err)
{
    posterior_wishes *w = &((options *)into)->posterior;
    return append_text(&w->causes, &w->n_causes, text, err);
}

static dpc_status take_outcome(const char *text, void *into, dpc_error *err)
{
    posterior_wishes *w = &((options *)into)->posterior;
    return append_text(&w->outcomes, &w->n_outcomes, text, err);
}

static const dpc_option_row ROWS[] = {
    {{"cause", DPC_OPTION_TEXT, "X",
      .sentence = "also sample the total effects of X, on all others or on --outcome; repeatable"},
     DPC_TYPE_OWN,
     .absent = "none",
     .take = take_cause},
    {{"outcome", DPC_OPTION_TEXT, "Y",
      .sentence = "also sample the total effects on Y, of all others or of --cause; repeatable"},
     DPC_TYPE_OWN,
     .absent = "none",
     .take = take_outcome},
    {{"effects", DPC_OPTION_TEXT, "FILE.csv",
      .sentence = "write the effects there: of all pairs, where neither --cause nor --outcome is "
                  "given"},
     DPC_TYPE_OWN,
     .take = take_effects_path},
    {{"min-probability", DPC_OPTION_NUMBER, "P", .range = "(0,1]",
      .sentence = "the graph that is written has the edges with at least this probability"},
     DPC_PLACE(DOUBLE, options, posterior.min_probability)},
    {{"knowledge", DPC_OPTION_TEXT, "FILE",
      .sentence = "tiers, forbidden and required edges: as Tetrad writes them, or JSON"},
     DPC_PLACE(TEXT, options, knowledge)},
    {{"output", DPC_OPTION_TEXT, "FILE",
      .sentence = "write the graph of the probable edges; repeatable; the extension chooses the "
                  "format as in dualpc learn; .json has everything"},
     DPC_TYPE_OWN,
     .letter = 'o',
     .absent = "a table on standard output",
     .take = take_graph_output},
    {{"format", DPC_OPTION_TEXT, "WORD",
      .sentence = "write the graph to standard output as txt, csv, dot, json or another word of "
                  "dualpc convert"},
     DPC_TYPE_OWN,
     .absent = "a table of probabilities",
     .take = take_graph_format},
    {{"layout", DPC_OPTION_WORD, .words = dpc_layout_words,
      .sentence = "layout engine for pictures"},
     DPC_PLACE(ENUM, options, layout)},
    {{"seed", DPC_OPTION_COUNT, "S", .sentence = "random seed; the same seed gives the same draws"},
     DPC_PLACE(UINT64, options, settings.seed)},
    {{"timeout", DPC_OPTION_NUMBER, "SECONDS", .word = "none", .range = "(0,inf)",
      .sentence = "stop after SECONDS and keep the draws made so far"},
     DPC_PLACE(DOUBLE, options, settings.timeout),
     .other = DPC_NO_TIMEOUT},
    {{"verbose", DPC_OPTION_FLAG, .sentence = "add diagnostics for experts to the summary"},
     DPC_PLACE(BOOL, options, verbose)},
    {{"quiet", DPC_OPTION_FLAG, .sentence = "no progress, no summary"},
     DPC_PLACE(BOOL, options, quiet)},
};

/* One setting of the library. */
static option_group setting_group(const char *name, options *o)
{
    int count;
    const dpc_option_row *rows = dpc_settings_rows(&count);
    return (option_group){dpc_option_find(rows, count, name), 1, &o->settings, 0};
}

static command sample_command(options *o)
{
    *o = (options){.stdout_format = DPC_FORMAT_EDGES,
                   .posterior = {.wanted = true, .min_probability = 0.5}};
    dpc_settings_default(&o->settings);
    dpc_sampling_default(&o->posterior.sampling);
    return (command){
        .head = "dualpc sample DATA [options]\n"
                "\n"
                "Draws DAGs from their posterior distribution given the data, and says how "
                "probable\n"
                "each edge, each direction and each total effect is. DATA is as in dualpc learn.\n"
                "Writes the edges with a probability of at least 0.1 to standard output, a "
                "summary to\n"
                "standard error.\n",
        .tail = "\n"
                "Exit codes: 0 done, 1 wrong usage, 2 bad input, 3 could not write, 4 out of "
                "memory,\n"
                "130 interrupted: the draws until then are written where every chain has one.\n",
        .n_groups = 6,
        .groups = {posterior_group(o),
                   {.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = o},
                   reading_group(&o->reading),
                   setting_group("normalize", o),
                   setting_group("memory", o),
                   setting_group("threads", o)},
    };
}

static parsed parse_arguments(int argc, char **argv, options *o, dpc_error *err)
{
    command c = sample_command(o);
    parsed seen = parse_options(argc, argv, &c, err);
    if (seen != PARSED_RUN)
        return seen;
    const posterior_wishes *w = &o->posterior;
    bool named = o->n_outputs > 0 || w->probabilities || w->graphs || o->effects;
    if (!o->to_stdout)
        o->stdout_what = DPC_CONTENT_PROBABLE_EDGES;
    o->to_stdout = o->to_stdout || !named;
    dpc_status status = parse_data(argc, argv, o, err);
    if (status == DPC_OK)
        status = check_data_options(o, err);
    if (status == DPC_OK && o->quiet && o->verbose)
        status =
            dpc_fail(err, DPC_USAGE, "--verbose adds to the summary, which --quiet leaves out");
    if (status == DPC_OK)
        status = check_posterior(o, &c, err);
    return status == DPC_OK ? PARSED_RUN : PARSED_WRONG;
}

/* ---- The work ---- */

typedef struct run {
    options options;
    bar bar;
    dpc_audit audit, warnings; /* of the data, and of the posterior */
    dpc_table *table;
    dpc_knowledge *knowledge;
    bool names_file; /* the message of the error says which file it is about */
    dpc_correlation *correlation;
    int32_t *causes, *outcomes; /* owned */
    dpc_posterior *posterior;
    dpc_graph *graph;           /* of the probable edges */
    dpc_edge_table *edge_table; /* of this graph, for pictures */
    char *lines;                /* the first ones of the summary */
    dpc_output *outputs;        /* owned, and bytes */
    int n_outputs;
    bool called_off; /* by a signal */
    double start;
    double seconds[DPC_N_STAGES]; /* of pictures and the report */
    dpc_error err;
} run;

static dpc_status list_outputs(run *r)
{
    const options *o = &r->options;
    const dpc_output others[] = {
        {.path = o->posterior.probabilities, .what = DPC_CONTENT_PROBABILITIES},
        {.path = o->posterior.graphs, .what = DPC_CONTENT_DRAWS},
        {.path = o->effects, .what = DPC_CONTENT_POSTERIOR_EFFECTS}};
    enum { N_OTHERS = sizeof others / sizeof *others };
    r->outputs = calloc((size_t)o->n_outputs + N_OTHERS + 1, sizeof *r->outputs);
    if (r->outputs == NULL)
        return dpc_fail_memory(&r->err, "the outputs");
    for (int i = 0; i < o->n_outputs; i++)
        r->outputs[r->n_outputs++].path = o->outputs[i];
    for (int i = 0; i < N_OTHERS; i++)
        if (others[i].path != NULL)
            r->outputs[r->n_outputs++] = others[i];
    if (o->to_stdout)
        r->outputs[r->n_outputs++] =
            (dpc_output){.fd = STDOUT_FILENO, .format = o->stdout_format, .what = o->stdout_what};
    return DPC_OK;
}

static dpc_status read_knowledge(run *r)
{
    options *o = &r->options;
    if (o->knowledge == NULL)
        return DPC_OK;
    dpc_status status =
        dpc_knowledge_read(o->knowledge, dpc_table_about(r->table).names,
                           dpc_table_about(r->table).n_vars, &r->knowledge, &r->err);
    r->names_file = status != DPC_OK;
    o->settings.knowledge = r->knowledge;
    return status;
}

/* Of which effects: those that are named; all, where only a file for them is. */
static dpc_status choose_effects(run *r)
{
    posterior_wishes *w = &r->options.posterior;
    dpc_sampling *s = &w->sampling;
    int n = dpc_table_about(r->table).n_vars;
    naming who = {dpc_table_about(r->table).names, n, "--cause", source_name(&r->options),
                  "column"};
    DPC_CHECK(find_variables(&who, w->causes, w->n_causes, &r->causes, &s->n_causes, &r->err));
    who.option = "--outcome";
    DPC_CHECK(
        find_variables(&who, w->outcomes, w->n_outcomes, &r->outcomes, &s->n_outcomes, &r->err));
    if (r->options.effects != NULL && s->n_causes == 0 && s->n_outcomes == 0) {
        r->causes = dpc_alloc(n, sizeof *r->causes);
        if (r->causes == NULL)
            return dpc_fail_memory(&r->err, "the variables");
        for (s->n_causes = 0; s->n_causes < n; s->n_causes++)
            r->causes[s->n_causes] = s->n_causes;
    }
    s->causes = r->causes;
    s->outcomes = r->outcomes;
    return DPC_OK;
}

static dpc_status read_inputs(run *r)
{
    options *o = &r->options;
    const char *inputs[] = {o->data, o->knowledge};
    DPC_CHECK(list_outputs(r));
    DPC_CHECK(
        dpc_write_check(r->outputs, r->n_outputs, inputs, 1 + (o->knowledge != NULL), &r->err));
    DPC_CHECK(read_data(o->data, &o->reading, &o->settings, &r->audit, &r->table, &r->err));
    r->bar.names = dpc_table_about(r->table).names;
    DPC_CHECK(choose_effects(r));
    DPC_CHECK(read_knowledge(r));
    return reserve_blas_memory(&o->settings.threads, &r->err);
}

/* The correlations, where they are the data, or pictures need them. */
static dpc_status correlate(run *r)
{
    const options *o = &r->options;
    if (o->reading.correlation)
        return dpc_correlation_from_matrix(r->table, o->reading.samples, &o->settings, &r->audit,
                                           &r->correlation, &r->err);
    if (!wants_look(o, false))
        return DPC_OK;
    dpc_settings settings = o->settings;
    settings.method = DPC_CLASSIC; /* no test given all others is made: no inverse of R */
    return dpc_correlate(r->table, &settings, NULL, &r->correlation, &r->err);
}

/* The settings from here on: of their time, what is left. */
static dpc_settings settings_from_here(const run *r)
{
    const double hardly_any = 1e-9;
    dpc_settings settings = r->options.settings;
    if (settings.timeout != DPC_NO_TIMEOUT)
        settings.timeout = fmax(hardly_any, settings.timeout - (dpc_seconds() - r->start));
    return settings;
}

/*
 * The partial correlations that colour and width of lines are made of: those of a result in which
 * as little as possible was learned. What it says of tests is not about this graph.
 */
static dpc_status tabulate_edges(run *r)
{
    dpc_settings settings = r->options.settings;
    dpc_result *result = NULL;
    settings.method = DPC_CLASSIC;
    settings.graph = DPC_SKELETON;
    settings.max_order = 0;
    settings.knowledge = NULL;
    settings.timeout = DPC_NO_TIMEOUT;
    dpc_status status = dpc_learn(r->correlation, &settings, &result, &r->err);
    if (status == DPC_OK)
        status = dpc_tabulate_edges(result, r->graph, NULL, settings.progress,
                                    settings.progress_user, &r->edge_table, &r->err);
    for (int64_t i = 0; status == DPC_OK && i < r->edge_table->n_rows; i++)
        r->edge_table->rows[i].p = r->edge_table->rows[i].evidence = NAN;
    dpc_result_free(result);
    return status;
}

static dpc_report report_of(const run *r)
{
    const options *o = &r->options;
    return (dpc_report){
        .size = sizeof(dpc_report),
        .names = dpc_table_about(r->table).names,
        .graph = r->graph,
        .audit = &r->audit,
        .edge_table = r->edge_table,
        .progress = o->settings.progress,
        .progress_user = o->settings.progress_user,
        .table = r->table,
        .posterior = r->posterior,
        .min_probability = o->posterior.min_probability,
        .settings = &o->settings,
    };
}

static dpc_status write_results(run *r)
{
    const options *o = &r->options;
    dpc_status status = DPC_OK;
    if (wants_look(o, false))
        status = tabulate_edges(r);
    dpc_report report = report_of(r);
    look_request ask = {o->layout, source_name(o), o->quiet, r->seconds};
    bar_clear(&r->bar);
    if (status == DPC_OK && wants_look(o, false))
        status = looks_make(&ask, &report, r->outputs, r->n_outputs, &r->err);
    if (status == DPC_OK)
        status = say_posterior(&report, &r->lines, &r->warnings, &r->err);
    if (status != DPC_OK)
        return status;
    interrupt_defer(true);
    status = dpc_write(&report, r->outputs, r->n_outputs, &r->err);
    interrupt_defer(false);
    return status;
}

static dpc_status sample(run *r)
{
    const options *o = &r->options;
    DPC_CHECK(read_inputs(r));
    DPC_CHECK(correlate(r));
    dpc_settings settings = settings_from_here(r);
    DPC_CHECK(posterior_run(o, &settings, r->table, o->reading.correlation ? r->correlation : NULL,
                            &r->audit, &r->posterior, &r->called_off, &r->err));
    dpc_table_drop_values(r->table);
    DPC_CHECK(dpc_posterior_graph(r->posterior, o->posterior.min_probability, &r->graph, &r->err));
    return write_results(r);
}

/* ---- What is told ---- */

/* A graph without edges may surprise who opens its file. */
static void tell_empty(const run *r)
{
    const options *o = &r->options;
    bool written = o->n_outputs > 0 || (o->to_stdout && o->stdout_what == DPC_CONTENT_GRAPH);
    if (r->graph->n_edges == 0 && written)
        fprintf(stderr,
                "  the written graph has no edges: none has a probability of at least %g "
                "(--min-probability)\n",
                o->posterior.min_probability);
}

static void tell_all(const run *r)
{
    const options *o = &r->options;
    print_audit(stderr, source_name(o), &r->audit);
    fprintf(stderr, "%s: %lld observations of %d variables\n", source_name(o),
            (long long)r->posterior->n_obs, r->posterior->n_vars);
    print_posterior(stderr, r->posterior, r->lines, &r->warnings, o->verbose);
    tell_empty(r);
    fprintf(stderr, "  %.3f seconds\n", dpc_seconds() - r->start);
}

/* Has `| head` all that it wanted? The summary is for who reads standard error. */
static bool is_read_enough(const run *r)
{
    const options *o = &r->options;
    bool files =
        o->n_outputs > 0 || o->posterior.probabilities || o->posterior.graphs || o->effects;
    return !files && is_closed_pipe(r->err.code);
}

static void tell_failure(const run *r)
{
    const char *source = source_name(&r->options);
    if (r->posterior == NULL && r->audit.errors > 0 && r->audit.count > 1)
        print_audit(stderr, source, &r->audit);
    bool name = r->err.code == DPC_BAD_INPUT && r->table != NULL && !r->names_file;
    fprintf(stderr, "dualpc: %s%s%s\n", name ? source : "", name ? ": " : "", r->err.message);
}

static void run_free(run *r)
{
    dpc_string_free(r->lines);
    looks_clear(r->outputs, r->n_outputs);
    free(r->outputs);
    dpc_edge_table_free(r->edge_table);
    dpc_graph_free(r->graph);
    dpc_posterior_free(r->posterior);
    free(r->causes);
    free(r->outcomes);
    dpc_correlation_free(r->correlation);
    dpc_table_free(r->table);
    dpc_knowledge_free(r->knowledge);
    dpc_audit_clear(&r->audit);
    dpc_audit_clear(&r->warnings);
    options_free(&r->options);
}

static int run_main(run *r)
{
    options *o = &r->options;
    interrupt_watch();
    bar_init(&r->bar, o->quiet, o->settings.method);
    bar_begin_posterior(&r->bar);
    o->settings.progress = bar_update;
    o->settings.progress_user = &r->bar;
    r->start = dpc_seconds();
    dpc_status status = sample(r);
    bar_clear(&r->bar);
    if (status != DPC_OK && !is_read_enough(r)) {
        tell_failure(r);
        return status;
    }
    if (!o->quiet)
        tell_all(r);
    return r->called_off ? tell_sampling_called_off(r->posterior) : status;
}

command sample_table(void)
{
    options ignored;
    command c = sample_command(&ignored);
    for (int g = 0; g < c.n_groups; g++)
        c.groups[g].into = NULL;
    return c;
}

int sample_main(int argc, char **argv)
{
    run r = {0};
    options defaults;
    command help = sample_command(&defaults);
    parsed seen = parse_arguments(argc, argv, &r.options, &r.err);
    int code = seen == PARSED_RUN ? run_main(&r) : answer(seen, &help, &r.err);
    run_free(&r);
    return code;
}
