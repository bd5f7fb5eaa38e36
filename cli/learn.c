/* dualpc learn: from the data to the graph, one stage after the other. */
#include "cli.h"
#include "platform.h"
#include "status.h"

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
    dpc_frequencies *frequencies;
    dpc_graph *consensus; /* of --min-frequency; NULL: the graph is that of the result */
    dpc_graph *dag;       /* of --dag */
    subject *subjects;    /* of --explain; owned */
    pair_list pairs;      /* what they are in the graph; owned */
    char *verdict;        /* the first lines of the summary; likewise */
    char **sentences;     /* what they say; before anything is written, for it takes memory */
    dpc_explanation **explanations; /* one for each; owned */
    dpc_goodness *fit;              /* NULL: of a skeleton, or for nobody to read */
    dpc_assumptions *assumptions;   /* NULL: for nobody to read, or the table is gone */
    dpc_advice *advice;             /* likewise */
    dpc_edge_table *edge_table;     /* of --edges, and for pictures */
    dpc_node_table *node_table;     /* of --nodes, for JSON and the report */
    dpc_output *outputs;            /* all files, and standard output; owned, and bytes */
    int n_outputs;
    dpc_effect_table *effects;              /* of --effects */
    dpc_effect_resamples *effect_resamples; /* of the same with --bootstrap */
    dpc_posterior *posterior;               /* of --posterior; NULL: none */
    char *posterior_lines;                  /* what it says; owned */
    dpc_audit posterior_warnings;
    bool sampling_called_off;     /* by a signal */
    bool called_off;              /* the bootstrap, by a signal */
    bool cut_short;               /* a refinement, by a signal */
    double start, last;           /* when the command began, and the stage that is going on */
    double seconds[DPC_N_STAGES]; /* of the stages: they add up to the time of the command */
    dpc_error err;
} run;

const char *source_name(const options *o)
{
    return strcmp(o->data, "-") == 0 ? "standard input" : o->data;
}

/* What was done since the last stage has been this one. */
static void end_stage(run *r, dpc_stage stage)
{
    double now = dpc_seconds();
    r->seconds[stage] += now - r->last;
    r->last = now;
}

/* What the library has said of its own stages, within the time that it took in all. */
static void take_stages(run *r)
{
    const double *own = dpc_result_info(r->result)->seconds;
    static const dpc_stage PARTS[][2] = {{DPC_STAGE_CORRELATION, DPC_STAGE_PREPARE},
                                         {DPC_STAGE_SKELETON, DPC_STAGE_ORIENT},
                                         {DPC_STAGE_SKELETON, DPC_STAGE_REFINE},
                                         {DPC_STAGE_SKELETON, DPC_STAGE_HIDDEN}};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        r->seconds[PARTS[i][1]] = own[PARTS[i][1]];
        r->seconds[PARTS[i][0]] -= own[PARTS[i][1]];
    }
}

static dpc_status read_table(run *r)
{
    options *o = &r->options;
    dpc_status status =
        read_data(o->data, &o->reading, &o->settings, &r->audit, &r->table, &r->err);
    if (status != DPC_OK)
        return status;
    r->bar.names = dpc_table_about(r->table).names;
    /* a file may turn out to be a matrix */
    return check_bootstrap(o, o->resampling.resamples > 0, &r->err);
}

/* What is known beforehand, where --knowledge says. */
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

/* What the first process has read, for all of them: the table, what it is, and the knowledge. */
static dpc_status share_inputs(run *r)
{
    const other_ranks *with = program_ranks();
    options *o = &r->options;
    if (with == NULL)
        return DPC_OK;
    const dpc_ranks *ranks = with->ranks;
    int64_t is[] = {o->reading.correlation, o->reading.samples};
    dpc_status status = ranks->spread(ranks->context, is, sizeof is, &r->err);
    o->reading.correlation = is[0] != 0;
    o->reading.samples = is[1];
    if (status == DPC_OK)
        status = with->share_table(ranks, &r->table, &r->err);
    if (status == DPC_OK && o->knowledge != NULL)
        status = with->share_knowledge(ranks, &r->knowledge, &r->err);
    o->settings.knowledge = r->knowledge;
    return status;
}

static dpc_status correlate(run *r)
{
    const options *o = &r->options;
    dpc_audit *audit =
        dpc_leads(program_library_ranks()) ? &r->audit : NULL; /* for who prints it */
    if (o->reading.correlation)
        return dpc_correlation_from_matrix(r->table, o->reading.samples, &o->settings, audit,
                                           &r->correlation, &r->err);
    return dpc_correlate(r->table, &o->settings, audit, &r->correlation, &r->err);
}

static dpc_report report_of(const run *r)
{
    const dpc_settings *settings = &r->options.settings;
    return (dpc_report){
        .size = sizeof(dpc_report),
        .names = dpc_table_about(r->table).names,
        .result = r->result,
        .graph = r->consensus != NULL ? r->consensus : dpc_result_graph(r->result),
        .separating_sets = settings->keep_separating_sets,
        .audit = &r->audit,
        .seconds = r->seconds,
        .dag = r->dag,
        .explanations = r->explanations,
        .n_explanations = r->explanations != NULL ? r->pairs.count : 0,
        .frequencies = r->frequencies,
        .posterior = r->posterior,
        .min_frequency = r->options.min_frequency,
        .progress = settings->progress,
        .progress_user = settings->progress_user,
        .fit = r->fit,
        .edge_table = r->edge_table,
        .node_table = r->node_table,
        .effects = r->effects,
        .missing = dpc_table_about(r->table).missing,
        .table = r->table,
        .assumptions = r->assumptions,
        .advice = r->advice,
    };
}

/* Pictures and reports, where -o asks for them. */
static dpc_status draw(run *r)
{
    const options *o = &r->options;
    dpc_report report = report_of(r);
    look_request ask = {o->layout, source_name(o), o->quiet, r->seconds};
    bar_clear(&r->bar);
    dpc_status status = looks_make(&ask, &report, r->outputs, r->n_outputs, &r->err);
    r->last = dpc_seconds();
    return status;
}

static dpc_status write_results(run *r)
{
    const options *o = &r->options;
    dpc_report report = report_of(r);
    if (o->to_stdout)
        bar_clear(&r->bar);
    interrupt_defer(true);
    dpc_status status = dpc_write(&report, r->outputs, r->n_outputs, &r->err);
    interrupt_defer(false);
    end_stage(r, DPC_STAGE_WRITE);
    return status;
}

/* The graph that stands for a class of DAGs: with the arrows that --min-evidence has left out. */
static const dpc_graph *class_of(const run *r)
{
    return r->consensus != NULL ? r->consensus : dpc_result_info(r->result)->class_graph;
}

/* One member of the class, where --dag asks for it. */
static dpc_status choose_dag(run *r)
{
    const options *o = &r->options;
    if (o->dag == NULL)
        return DPC_OK;
    dpc_status status = dpc_class_member(class_of(r), &r->dag, &r->err);
    if (status == DPC_BAD_INPUT)
        snprintf(r->err.message, sizeof r->err.message,
                 "no DAG has the edges, arrows and v-structures of this graph, so there is nothing "
                 "to write to %s; --orient consistent always has one",
                 o->dag);
    return status;
}

/* Whom --explain is about; asked before the work. */
static dpc_status choose_subjects(run *r)
{
    int count = r->options.n_explain;
    if (count == 0)
        return DPC_OK;
    r->subjects = calloc((size_t)count, sizeof *r->subjects);
    if (r->subjects != NULL)
        return find_subjects(&r->options, r->table, r->subjects, &r->err);
    r->err = (dpc_error){DPC_NO_MEMORY, "out of memory for the explanations"};
    return DPC_NO_MEMORY;
}

static dpc_status explain(run *r)
{
    const dpc_settings *settings = &r->options.settings;
    dpc_status status = list_pairs(r->subjects, r->options.n_explain, dpc_result_graph(r->result),
                                   &r->pairs, &r->err);
    if (status != DPC_OK)
        return status;
    r->explanations = calloc((size_t)r->pairs.count + 1, sizeof *r->explanations);
    r->sentences = calloc((size_t)r->pairs.count + 1, sizeof *r->sentences);
    if (r->explanations == NULL || r->sentences == NULL) {
        r->err = (dpc_error){DPC_NO_MEMORY, "out of memory for the explanations"};
        return DPC_NO_MEMORY;
    }
    for (int i = 0; i < r->pairs.count && status == DPC_OK; i++) {
        status =
            dpc_explain(r->result, r->pairs.items[i].a, r->pairs.items[i].b, settings->progress,
                        settings->progress_user, &r->explanations[i], &r->err);
        if (status == DPC_OK)
            status = dpc_explanation_string(r->result, dpc_table_about(r->table).names,
                                            r->explanations[i], &r->sentences[i], NULL, &r->err);
    }
    return status;
}

/* The settings of what comes next: of their time, what is left since the command began. */
static dpc_settings settings_from_here(const run *r)
{
    const double hardly_any = 1e-9;
    dpc_settings settings = r->options.settings;
    double left = settings.timeout - (dpc_seconds() - r->start);
    if (settings.timeout != DPC_NO_TIMEOUT)
        settings.timeout = left > hardly_any ? left : hardly_any;
    return settings;
}

/* Learns, and explains what --explain asks for. */
static dpc_status search(run *r)
{
    dpc_settings settings = settings_from_here(r);
    if (r->options.n_explain > 0 || r->options.edges != NULL ||
        wants_look(&r->options, false)) /* to be had again, not written */
        settings.keep_separating_sets = !dpc_by_score(&settings);
    dpc_status status = dpc_learn(r->correlation, &settings, &r->result, &r->err);
    if (status != DPC_OK || r->result == NULL) /* one that helps another has none */
        return status;
    end_stage(r, DPC_STAGE_SKELETON);
    take_stages(r);
    const dpc_info *info = dpc_result_info(r->result);
    r->cut_short = interrupted() && ((info->refined != NULL && !info->refined->complete) ||
                                     (info->hidden != NULL && !info->hidden->complete));
    bool more = r->options.resampling.resamples > 0 || r->options.posterior.wanted;
    if (r->cut_short && more) /* there is nothing of that yet */
        return dpc_fail(&r->err, DPC_INTERRUPTED, "interrupted");
    if (r->cut_short)
        interrupt_forget(); /* what there is will be written; the next signal is about that */
    if (r->options.n_explain > 0)
        status = explain(r);
    end_stage(r, DPC_STAGE_EXPLAIN);
    return status;
}

/* Is there somebody to read a verdict? */
static bool wants_verdict(const options *o)
{
    return !o->quiet || writes_json(o) || wants_look(o, true);
}

/* Is the table needed once there are correlations? A large one takes memory that the search may
 * need: it is kept only where it was asked for. */
static bool needs_rows(const run *r)
{
    const double most_cells = 4e6;
    const options *o = &r->options;
    dpc_table_info t = dpc_table_about(r->table);
    bool small = (double)t.n_obs * t.n_vars <= most_cells;
    return o->resampling.resamples > 0 || (o->posterior.wanted && !o->reading.correlation) ||
           (!o->reading.correlation && wants_verdict(o) && (small || o->advice));
}

/* What the data are like, and what other settings would change. */
static dpc_status look_at_rows(run *r)
{
    const options *o = &r->options;
    const dpc_graph *graph = report_of(r).graph;
    if (!wants_verdict(o) || o->reading.correlation || !needs_rows(r))
        return DPC_OK;
    DPC_CHECK(dpc_check_assumptions(r->table, graph, &o->settings, &r->assumptions, &r->err));
    bool read = !o->quiet || wants_look(o, true); /* JSON alone does not wait for it */
    if (!read || o->no_advice || o->settings.latent != DPC_HIDDEN_NONE || o->min_frequency > 0 ||
        o->settings.timeout != DPC_NO_TIMEOUT)
        return DPC_OK;
    return dpc_advise(r->table, r->result, &o->settings, o->advice, &r->advice, &r->err);
}

/* How well the graph fits, and the tables of its edges and nodes. */
static dpc_status look_at_graph(run *r)
{
    const options *o = &r->options;
    const dpc_graph *graph = report_of(r).graph;
    dpc_status status = DPC_OK;
    bool pag = o->settings.latent != DPC_HIDDEN_NONE; /* fit and nodes are about DAGs */
    if (!pag && o->settings.graph != DPC_SKELETON && wants_verdict(o))
        status = dpc_fit(r->result, class_of(r), o->settings.progress, o->settings.progress_user,
                         &r->fit, &r->err);
    if (status == DPC_OK && (o->edges != NULL || wants_look(o, false)))
        status = dpc_tabulate_edges(r->result, graph, r->frequencies, o->settings.progress,
                                    o->settings.progress_user, &r->edge_table, &r->err);
    if (status == DPC_OK && !pag && (o->nodes != NULL || writes_json(o) || wants_look(o, true)))
        status = dpc_tabulate_nodes(r->result, graph, o->settings.progress,
                                    o->settings.progress_user, &r->node_table, &r->err);
    return status;
}

/* The effects that --effects asks for. */
static dpc_status find_effects(run *r)
{
    const options *o = &r->options;
    const dpc_effect_query query = {.resamples = r->effect_resamples};
    dpc_causal *causal = NULL;
    dpc_error why = {0};
    dpc_status status =
        dpc_causal_new(class_of(r), dpc_table_about(r->table).names, false, &causal, &why);
    if (status == DPC_OK)
        status = dpc_effects(r->correlation, causal, &query, &o->settings, &r->effects, &r->err);
    else
        dpc_fail(&r->err, status,
                 status == DPC_BAD_INPUT ? "no effects of this graph: %s; --orient consistent "
                                           "always has a valid one"
                                         : "%s",
                 why.message);
    dpc_causal_free(causal);
    if (status == DPC_OK && !o->quiet)
        tell_left_out(r->effects);
    return status;
}

/* All that is to be written: the files of -o, those of their own options, and standard output. */
static dpc_status list_outputs(run *r)
{
    const options *o = &r->options;
    const dpc_output others[] = {
        {.path = o->dag, .what = DPC_CONTENT_DAG},
        {.path = o->frequencies, .what = DPC_CONTENT_FREQUENCIES},
        {.path = o->edges, .what = DPC_CONTENT_EDGE_TABLE},
        {.path = o->nodes, .what = DPC_CONTENT_NODE_TABLE},
        {.path = o->effects, .what = DPC_CONTENT_EFFECTS, .format = DPC_FORMAT_ADJACENCY},
        {.path = o->posterior.probabilities, .what = DPC_CONTENT_PROBABILITIES},
        {.path = o->posterior.graphs, .what = DPC_CONTENT_DRAWS}};
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

/* Can the outputs be written, and is none of them another or an input? */
static dpc_status check_files(run *r)
{
    const char *inputs[] = {r->options.data, r->options.knowledge};
    DPC_CHECK(list_outputs(r));
    if (r->options.settings.latent != DPC_HIDDEN_NONE)
        DPC_CHECK(dpc_write_check_pag(r->outputs, r->n_outputs, &r->err));
    return dpc_write_check(r->outputs, r->n_outputs, inputs, 1 + (r->options.knowledge != NULL),
                           &r->err);
}

/* All that is read, and what is asked about it. */
static dpc_status read_inputs(run *r)
{
    DPC_CHECK(check_files(r));
    DPC_CHECK(read_table(r));
    DPC_CHECK(read_knowledge(r));
    return choose_subjects(r);
}

/* The lines that the summary begins with. */
static dpc_status say_verdict(run *r)
{
    dpc_report report = report_of(r);
    if (r->options.quiet)
        return DPC_OK;
    return dpc_write_string(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_EDGES, &r->verdict, NULL,
                            &r->err);
}

/* How probable the edges are, where --posterior asks. */
static dpc_status sample_posterior(run *r)
{
    const options *o = &r->options;
    dpc_settings settings = settings_from_here(r);
    if (!o->posterior.wanted)
        return DPC_OK;
    bar_begin_posterior(&r->bar);
    if (r->called_off) /* there are no draws yet */
        return dpc_fail(&r->err, DPC_INTERRUPTED, "interrupted");
    DPC_CHECK(posterior_run(o, &settings, r->table, o->reading.correlation ? r->correlation : NULL,
                            NULL, &r->posterior, &r->sampling_called_off, &r->err));
    dpc_report report = report_of(r);
    dpc_status status =
        say_posterior(&report, &r->posterior_lines, &r->posterior_warnings, &r->err);
    end_stage(r, DPC_STAGE_SAMPLE);
    return status;
}

/* What follows from the graph, and the files. */
static dpc_status conclude(run *r)
{
    dpc_status status = choose_dag(r);
    if (status == DPC_OK)
        status = sample_posterior(r);
    if (status == DPC_OK)
        status = look_at_graph(r);
    if (status == DPC_OK)
        status = look_at_rows(r);
    dpc_table_drop_values(r->table);
    if (status == DPC_OK)
        status = say_verdict(r);
    end_stage(r, DPC_STAGE_EXPLAIN);
    if (status == DPC_OK && r->options.effects != NULL) {
        status = find_effects(r);
        end_stage(r, DPC_STAGE_EFFECTS);
    }
    if (status == DPC_OK && wants_look(&r->options, false))
        status = draw(r);
    if (status == DPC_OK)
        status = write_results(r);
    return status;
}

static dpc_status learn(run *r)
{
    const options *o = &r->options;
    bool leads = dpc_leads(program_library_ranks());
    dpc_status status = leads ? read_inputs(r) : DPC_OK;
    if (status == DPC_OK)
        status = share_inputs(r);
    if (status == DPC_OK)
        status = reserve_blas_memory(&r->options.settings.threads, &r->err);
    end_stage(r, DPC_STAGE_READ);
    if (status == DPC_OK)
        status = correlate(r);
    end_stage(r, DPC_STAGE_CORRELATION);
    if (status != DPC_OK)
        return status;
    if (!needs_rows(r))
        dpc_table_drop_values(r->table);
    bar_clear(&r->bar);
    if (!r->options.quiet)
        print_audit(stderr, source_name(&r->options), &r->audit);
    status = search(r);
    if (status == DPC_OK && o->resampling.resamples > 0) {
        dpc_settings settings = settings_from_here(r);
        status = bootstrap_run(o, &settings, r->table, &r->frequencies, &r->effect_resamples,
                               &r->consensus, &r->called_off, &r->err);
        end_stage(r, DPC_STAGE_BOOTSTRAP);
    }
    return status == DPC_OK && leads ? conclude(r) : status;
}

/* One sentence; before it the whole audit, where that says more. */
static void explain_failure(const run *r)
{
    const options *o = &r->options;
    const char *source = source_name(o);
    bool files = o->n_outputs > 0 || o->dag || o->frequencies || o->edges || o->nodes ||
                 o->effects || o->posterior.probabilities || o->posterior.graphs;
    if (!files && is_closed_pipe(r->err.code))
        return;
    if (r->result == NULL && r->audit.errors > 0 && r->audit.count > 1)
        print_audit(stderr, source, &r->audit);
    /* the reader has named the file itself */
    bool name = r->err.code == DPC_BAD_INPUT && r->table != NULL && !r->names_file;
    fprintf(stderr, "dualpc: %s%s%s\n", name ? source : "", name ? ": " : "", r->err.message);
}

static void run_free(run *r)
{
    for (int i = 0; r->explanations != NULL && i < r->pairs.count; i++)
        dpc_explanation_free(r->explanations[i]);
    for (int i = 0; r->sentences != NULL && i < r->pairs.count; i++)
        dpc_string_free(r->sentences[i]);
    dpc_string_free(r->verdict);
    dpc_string_free(r->posterior_lines);
    dpc_audit_clear(&r->posterior_warnings);
    dpc_posterior_free(r->posterior);
    free(r->explanations);
    free(r->sentences);
    free(r->pairs.items);
    free(r->subjects);
    dpc_goodness_free(r->fit);
    dpc_assumptions_free(r->assumptions);
    dpc_advice_free(r->advice);
    dpc_edge_table_free(r->edge_table);
    dpc_node_table_free(r->node_table);
    looks_clear(r->outputs, r->n_outputs);
    free(r->outputs);
    dpc_effect_table_free(r->effects);
    dpc_effect_resamples_free(r->effect_resamples);
    dpc_result_free(r->result);
    dpc_frequencies_free(r->frequencies);
    dpc_graph_free(r->consensus);
    dpc_graph_free(r->dag);
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
    r->options.settings.ranks = program_library_ranks();
    if (program_library_ranks() != NULL)
        interrupt_says("dualpc: interrupted\n" ENDED_FROM_OUTSIDE);
    r->start = r->last = dpc_seconds();
    dpc_status status = learn(r);
    bar_clear(&r->bar);
    if (status == DPC_OK && r->result != NULL) {
        dpc_report report = report_of(r);
        if (!r->options.quiet)
            print_summary(stderr, &r->options, &report, r->verdict);
        if (!r->options.quiet && r->posterior != NULL) {
            fputs("posterior:\n", stderr);
            print_posterior(stderr, r->posterior, r->posterior_lines, &r->posterior_warnings,
                            r->options.verbose);
        }
        for (int i = 0; i < r->pairs.count; i++)
            fputs(r->sentences[i], stderr);
    }
    if (status != DPC_OK) {
        explain_failure(r);
    } else if (r->called_off) {
        status = tell_called_off(r->frequencies);
    } else if (r->sampling_called_off) {
        status = tell_sampling_called_off(r->posterior);
    } else if (r->cut_short) {
        fputs("dualpc: interrupted; the best graph until then was written\n", stderr);
        status = DPC_INTERRUPTED;
    }
    return status;
}

command learn_table(void)
{
    options ignored;
    command c = learn_command(&ignored);
    for (int g = 0; g < c.n_groups; g++)
        c.groups[g].into = NULL;
    return c;
}

int learn_main(int argc, char **argv)
{
    run r = {0};
    options defaults;
    command help = learn_command(&defaults);
    parsed seen = options_parse(argc, argv, &r.options, &r.err);
    int code = seen == PARSED_RUN ? run_main(&r) : answer(seen, &help, &r.err);
    run_free(&r);
    return code;
}
