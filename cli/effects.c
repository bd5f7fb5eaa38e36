/* dualpc effects: what happens to one variable if another is changed, by a graph and data. */
#include "alloc.h"
#include "cli.h"
#include "graph.h"
#include "status.h"
#include "text.h"
#include "words.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct wishes {
    dpc_settings settings; /* of the graph where none is given */
    const char *data;
    reading reading;
    const char *graph, *knowledge;              /* paths; NULL: none */
    const char **causes, **outcomes, **outputs; /* owned */
    int n_causes, n_outcomes, n_outputs;
    dpc_effect_query query;
    dpc_resampling resampling; /* no resamples: not given */
    bool extend, quiet;
    bool to_stdout;
    dpc_format stdout_format;
} wishes;

/* ---- Options ---- */

static dpc_status take_cause(const char *text, void *into, dpc_error *err)
{
    wishes *w = into;
    return append_text(&w->causes, &w->n_causes, text, err);
}

static dpc_status take_outcome(const char *text, void *into, dpc_error *err)
{
    wishes *w = into;
    return append_text(&w->outcomes, &w->n_outcomes, text, err);
}

static dpc_status check_format(const char *option, const char *text, dpc_format format,
                               dpc_error *err)
{
    if (format != DPC_FORMAT_DOT)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "%s: effects are written as csv, json or txt, not as '%s'",
                    option, text);
}

static dpc_status take_output(const char *path, void *into, dpc_error *err)
{
    wishes *w = into;
    dpc_format format = DPC_FORMAT_EDGES;
    DPC_CHECK(dpc_format_of_path(path, &format, err));
    DPC_CHECK(check_format("-o", path, format, err));
    return append_text(&w->outputs, &w->n_outputs, path, err);
}

static dpc_status take_format(const char *word, void *into, dpc_error *err)
{
    wishes *w = into;
    w->to_stdout = true;
    if (dpc_format_of_word(word, &w->stdout_format, NULL) != DPC_OK)
        return dpc_fail(err, DPC_USAGE, "--format must be one of txt, csv, json, not '%s'", word);
    return check_format("--format", word, w->stdout_format, err);
}

static const char *const IDAS[] = {"local", "optimal", "pcalg", NULL};

static const dpc_option_row ROWS[] = {
    {{"graph", DPC_OPTION_TEXT, "GRAPH",
      .sentence = "a DAG, CPDAG or MPDAG, in a file as learn writes it"},
     DPC_PLACE(TEXT, wishes, graph),
     .absent = "learned from DATA, by the options below"},
    {{"cause", DPC_OPTION_TEXT, "X",
      .sentence = "what is changed; alone: what X may affect; repeatable"},
     DPC_TYPE_OWN,
     .absent = "all",
     .take = take_cause},
    {{"outcome", DPC_OPTION_TEXT, "Y", .sentence = "on what; alone: what may affect Y; repeatable"},
     DPC_TYPE_OWN,
     .absent = "all",
     .take = take_outcome},
    {{"ida", DPC_OPTION_WORD, .words = IDAS,
      .sentence = "adjust for the parents of the cause or for the optimal set; pcalg is local "
                  "without the zeros of the graph"},
     DPC_PLACE(ENUM, wishes, query.ida)},
    {{"top", DPC_OPTION_COUNT, "K", .range = "[1,2147483647]",
      .sentence = "for each outcome list the K causes with the largest smallest absolute effect"},
     DPC_PLACE(INT, wishes, query.top),
     .absent = "all, not ranked"},
    {{"standardised", DPC_OPTION_FLAG,
      .sentence = "all in standard deviations, the ranks too, and not in units of the data"},
     DPC_PLACE(BOOL, wishes, query.standardised)},
    {{"extend", DPC_OPTION_FLAG,
      .sentence = "take the nearest valid graph where it is no DAG, CPDAG or MPDAG"},
     DPC_PLACE(BOOL, wishes, extend)},
    {{"bootstrap", DPC_OPTION_COUNT, "B", .range = "[1,2147483647]",
      .sentence = "also learn a graph from each of B resamples of the rows, and tell how the "
                  "effects and ranks vary"},
     DPC_PLACE(INT, wishes, resampling.resamples),
     .absent = "none"},
    {{"subsample", DPC_OPTION_NUMBER, "F", .range = "(0,1)",
      .sentence = "each has a share F of the rows, none twice"},
     DPC_PLACE(DOUBLE, wishes, resampling.subsample),
     .absent = "N rows, drawn with replacement"},
    {{"seed", DPC_OPTION_COUNT, "S", .sentence = "of the resamples"},
     DPC_PLACE(UINT64, wishes, resampling.seed)},
    {{"output", DPC_OPTION_TEXT, "FILE",
      .sentence = "repeatable; the extension chooses: .csv, .json, .txt"},
     DPC_TYPE_OWN,
     .letter = 'o',
     .absent = "standard output",
     .take = take_output},
    {{"format", DPC_OPTION_TEXT, "txt|csv|json", .sentence = "what standard output gets"},
     DPC_TYPE_OWN,
     .absent = "txt",
     .take = take_format},
    {{"quiet", DPC_OPTION_FLAG, .sentence = "no progress, no warnings"},
     DPC_PLACE(BOOL, wishes, quiet)},
    {{"knowledge", DPC_OPTION_TEXT, "FILE",
      .sentence = "of the graph that is learned: as in dualpc learn"},
     DPC_PLACE(TEXT, wishes, knowledge)},
};

/* The settings of the library, but for `graph`, which is another thing here. */
static void add_settings(command *c, wishes *w)
{
    int count;
    const dpc_option_row *rows = dpc_settings_rows(&count);
    int graph = (int)(dpc_option_find(rows, count, "graph") - rows);
    c->groups[2] = (option_group){.rows = rows, .count = graph, .into = &w->settings};
    c->groups[3] =
        (option_group){.rows = rows + graph + 1, .count = count - graph - 1, .into = &w->settings};
    c->n_groups = 4;
}

static command effects_command(wishes *w)
{
    *w = (wishes){.stdout_format = DPC_FORMAT_EDGES, .resampling.seed = 1};
    dpc_settings_default(&w->settings);
    command c = {
        .head =
            "dualpc effects DATA [--graph GRAPH] [options]\n"
            "\n"
            "What happens to one variable if another is changed: all total effects that the graph\n"
            "leaves possible (IDA), each with its standard error, its 95 % interval and the set\n"
            "that was adjusted for. DATA is as in dualpc learn.\n",
        .tail =
            "\n"
            "Where the graph has no possibly directed path from the cause to the outcome, the "
            "effect\n"
            "is 0 and has no interval; --top does not list it.\n"
            "\n"
            "The intervals take the graph as given: they do not know that it may have been "
            "learned\n"
            "from the same data. In units of the data, and standardised; from a correlation "
            "matrix\n"
            "and with --normalize copula standardised only.\n"
            "\n"
            "Exit codes: 0 done, 1 wrong usage, 2 bad input, 3 could not write, 4 out of memory,\n"
            "130 interrupted.\n",
        .groups = {{.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = w},
                   reading_group(&w->reading)},
    };
    add_settings(&c, w);
    return c;
}

static void wishes_clear(wishes *w)
{
    free(w->causes);
    free(w->outcomes);
    free(w->outputs);
    reading_free(&w->reading);
}

static dpc_status check(const wishes *w, const command *c, dpc_error *err)
{
    const char *wrong = NULL;
    dpc_status status = w->data != NULL ? reading_check(&w->reading, err) : DPC_OK;
    if (status != DPC_OK)
        return status;
    if (w->data == NULL)
        wrong = "no data given; name a file, or - for standard input";
    else if (w->reading.correlation && w->settings.normalize != DPC_NORMALIZE_NONE)
        wrong = "--normalize needs the table, not its correlation matrix";
    else if (w->graph != NULL && strcmp(w->graph, "-") == 0 && strcmp(w->data, "-") == 0)
        wrong = "data and graph cannot both come from standard input";
    else if (w->graph != NULL && w->knowledge != NULL && w->resampling.resamples == 0)
        wrong = "--knowledge is about a graph that is learned; with --graph none is";
    else if (w->resampling.resamples == 0 && (w->resampling.subsample > 0 || was_given(c, "seed")))
        wrong = "--subsample and --seed go with --bootstrap B, the number of resamples";
    else if (w->resampling.resamples > 0 && w->reading.correlation)
        wrong = "--bootstrap draws rows of the table, which a correlation matrix has none of";
    else if (w->settings.relations == DPC_CURVED)
        wrong = NO_CURVED_EFFECTS;
    else if (was_given(c, "separating-sets"))
        wrong = "--separating-sets are written by dualpc learn";
    if (wrong != NULL)
        return dpc_fail(err, DPC_USAGE, "%s", wrong);
    return dpc_settings_check_named(&w->settings, "--", err);
}

static parsed parse_arguments(int argc, char **argv, wishes *w, dpc_error *err)
{
    command c = effects_command(w);
    parsed seen = parse_options(argc, argv, &c, err);
    if (seen != PARSED_RUN)
        return seen;
    w->to_stdout = w->to_stdout || w->n_outputs == 0;
    if (argc - optind > 1) {
        dpc_fail(err, DPC_USAGE, "'%s' is one file too many, after '%s'", argv[optind + 1],
                 argv[optind]);
        return PARSED_WRONG;
    }
    w->data = argc > optind ? argv[optind] : NULL;
    return check(w, &c, err) == DPC_OK ? PARSED_RUN : PARSED_WRONG;
}

/* ---- The work ---- */

typedef struct run {
    wishes wishes;
    bar bar;
    dpc_audit audit;
    dpc_table *table;
    bool names_file; /* the message of the error says which file it is about */
    dpc_correlation *correlation;
    dpc_knowledge *knowledge;
    dpc_result *result;
    dpc_graph *graph;
    dpc_causal *causal;
    int32_t *causes, *outcomes;
    dpc_effect_table *effects;
    dpc_effect_resamples *resamples;
    dpc_frequencies *frequencies; /* of the graphs of the resamples; tells how many there are */
    bool called_off;              /* the resamples, by a signal */
    dpc_output *outputs;          /* owned */
    int n_outputs;
    dpc_error err;
} run;

static dpc_status read_and_correlate(run *r)
{
    wishes *w = &r->wishes;
    dpc_status status =
        read_data(w->data, &w->reading, &w->settings, &r->audit, &r->table, &r->err);
    if (status == DPC_OK)
        status = reserve_blas_memory(&w->settings.threads, &r->err);
    if (status != DPC_OK)
        return status;
    dpc_settings settings = w->settings;
    if (w->graph != NULL)
        settings.method = DPC_CLASSIC; /* no test given all others is made: no inverse of R */
    return w->reading.correlation
               ? dpc_correlation_from_matrix(r->table, w->reading.samples, &w->settings, &r->audit,
                                             &r->correlation, &r->err)
               : dpc_correlate(r->table, &settings, &r->audit, &r->correlation, &r->err);
}

static dpc_status read_knowledge(run *r)
{
    wishes *w = &r->wishes;
    if (w->knowledge == NULL)
        return DPC_OK;
    dpc_status status =
        dpc_knowledge_read(w->knowledge, dpc_table_about(r->table).names,
                           dpc_table_about(r->table).n_vars, &r->knowledge, &r->err);
    r->names_file = status != DPC_OK;
    w->settings.knowledge = r->knowledge;
    return status;
}

static dpc_status learn_graph(run *r)
{
    DPC_CHECK(dpc_learn(r->correlation, &r->wishes.settings, &r->result, &r->err));
    return dpc_graph_copy(dpc_result_info(r->result)->class_graph, &r->graph, &r->err);
}

static dpc_status read_graph(run *r)
{
    const wishes *w = &r->wishes;
    dpc_named_graph *named = NULL;
    r->names_file = true;
    dpc_status status = dpc_graph_read(w->graph, &named, &r->err);
    if (status == DPC_OK) {
        status = dpc_match_variables(named, dpc_table_about(r->table).names,
                                     dpc_table_about(r->table).n_vars, &r->graph, &r->err);
        if (status == DPC_BAD_INPUT) {
            dpc_error why = r->err;
            dpc_fail(&r->err, status, "%.100s and %.100s: %s", file_name(w->graph),
                     file_name(w->data), why.message);
        }
    }
    dpc_named_graph_free(named);
    return status;
}

/* The graph, given or learned, as one that can be asked. */
static dpc_status find_graph(run *r)
{
    const wishes *w = &r->wishes;
    const char *source = w->graph != NULL ? file_name(w->graph) : "the graph that was learned";
    dpc_error why = {0};
    dpc_status status = w->graph != NULL ? read_graph(r) : learn_graph(r);
    if (status != DPC_OK)
        return status;
    status = dpc_graph_check_directed(r->graph, "graph", "a question about effects", &why);
    if (status == DPC_OK)
        status =
            dpc_causal_new(r->graph, dpc_table_about(r->table).names, w->extend, &r->causal, &why);
    r->names_file = true;
    bar_clear(&r->bar);
    if (status != DPC_OK)
        return dpc_fail(&r->err, status, "%.200s: %s%s", source, why.message,
                        status == DPC_BAD_INPUT && !dpc_graph_is_pag(r->graph)
                            ? "; --extend takes the nearest valid graph"
                            : "");
    if (!w->quiet)
        tell_extension(r->causal, source);
    return DPC_OK;
}

static dpc_status refuse_blocks(run *r, const int32_t *list, int count, const char *where)
{
    char name[DPC_CLIP_SIZE];
    for (int i = 0; list != NULL && i < count; i++)
        if (dpc_table_variable(r->table, list[i]).kind == DPC_BLOCK)
            return dpc_fail(&r->err, DPC_BAD_INPUT,
                            "no single number describes the effect %s '%s', which is a block of "
                            "columns; ask about its columns one by one",
                            where, dpc_clip_name(dpc_table_about(r->table).names[list[i]], name));
    return DPC_OK;
}

static dpc_status choose_variables(run *r)
{
    wishes *w = &r->wishes;
    naming who = {dpc_table_about(r->table).names, dpc_table_about(r->table).n_vars, "--cause",
                  file_name(w->data), "column"};
    dpc_status status =
        find_variables(&who, w->causes, w->n_causes, &r->causes, &w->query.n_causes, &r->err);
    who.option = "--outcome";
    if (status == DPC_OK)
        status = find_variables(&who, w->outcomes, w->n_outcomes, &r->outcomes,
                                &w->query.n_outcomes, &r->err);
    if (status == DPC_OK)
        status = refuse_blocks(r, r->causes, w->query.n_causes, "of");
    if (status == DPC_OK)
        status = refuse_blocks(r, r->outcomes, w->query.n_outcomes, "on");
    w->query.causes = r->causes;
    w->query.outcomes = r->outcomes;
    return status;
}

/* The files, and standard output. */
static dpc_status list_outputs(run *r)
{
    const wishes *w = &r->wishes;
    r->outputs = calloc((size_t)w->n_outputs + 1, sizeof *r->outputs);
    if (r->outputs == NULL)
        return dpc_fail_memory(&r->err, "the outputs");
    for (int i = 0; i < w->n_outputs; i++)
        r->outputs[r->n_outputs++] =
            (dpc_output){.path = w->outputs[i], .what = DPC_CONTENT_EFFECTS};
    if (w->to_stdout)
        r->outputs[r->n_outputs++] = (dpc_output){
            .fd = STDOUT_FILENO, .format = w->stdout_format, .what = DPC_CONTENT_EFFECTS};
    return DPC_OK;
}

static dpc_status write_effects(run *r)
{
    const dpc_settings *settings = &r->wishes.settings;
    dpc_report report = {.size = sizeof report,
                         .names = dpc_table_about(r->table).names,
                         .graph = r->graph,
                         .effects = r->effects,
                         .table = r->table,
                         .progress = settings->progress,
                         .progress_user = settings->progress_user};
    bar_clear(&r->bar);
    interrupt_defer(true);
    dpc_status status = dpc_write(&report, r->outputs, r->n_outputs, &r->err);
    interrupt_defer(false);
    return status;
}

/* What an interrupted one has is a result too. */
static dpc_status resample(run *r)
{
    wishes *w = &r->wishes;
    if (w->resampling.resamples == 0)
        return DPC_OK;
    dpc_status status = dpc_bootstrap_effects(r->table, &w->settings, &w->resampling, &w->query,
                                              &r->frequencies, &r->resamples, &r->err);
    if (status == DPC_INTERRUPTED && r->resamples != NULL) {
        interrupt_forget(); /* what there is will be written; the next signal is about that */
        r->called_off = true;
        status = DPC_OK;
    }
    w->query.resamples = r->resamples;
    return status;
}

static dpc_status estimate(run *r)
{
    const wishes *w = &r->wishes;
    const char *inputs[] = {w->data, w->graph != NULL ? w->graph : w->data,
                            w->knowledge != NULL ? w->knowledge : w->data};
    dpc_status status = list_outputs(r);
    if (status == DPC_OK)
        status = dpc_write_check(r->outputs, r->n_outputs, inputs, 3, &r->err);
    if (status == DPC_OK)
        status = read_and_correlate(r);
    if (status == DPC_OK)
        status = choose_variables(r);
    if (status == DPC_OK)
        status = read_knowledge(r);
    if (status != DPC_OK)
        return status;
    bar_clear(&r->bar);
    if (!w->quiet)
        print_audit(stderr, file_name(w->data), &r->audit);
    status = find_graph(r);
    if (status == DPC_OK)
        status = resample(r);
    if (status == DPC_OK)
        status =
            dpc_effects(r->correlation, r->causal, &w->query, &w->settings, &r->effects, &r->err);
    if (status == DPC_OK)
        status = write_effects(r);
    return status;
}

void tell_left_out(const dpc_effect_table *effects)
{
    const dpc_effect_table_info *about = dpc_effect_table_about(effects);
    int blocks = about->all_causes || about->all_outcomes ? about->left_out : 0;
    if (blocks > 0)
        fprintf(stderr,
                "dualpc: effects of and on %d block%s of columns are left out: no single number "
                "describes them\n",
                blocks, dpc_plural(blocks));
}

static void tell_failure(const run *r)
{
    const char *source = file_name(r->wishes.data);
    if (r->wishes.n_outputs == 0 && is_closed_pipe(r->err.code))
        return;
    if (r->causal == NULL && r->audit.errors > 0 && r->audit.count > 1)
        print_audit(stderr, source, &r->audit);
    bool name = r->err.code == DPC_BAD_INPUT && r->table != NULL && !r->names_file;
    fprintf(stderr, "dualpc: %s%s%s\n", name ? source : "", name ? ": " : "", r->err.message);
}

static int run_main(run *r)
{
    interrupt_watch();
    bar_init(&r->bar, r->wishes.quiet, r->wishes.settings.method);
    r->wishes.settings.progress = bar_update;
    r->wishes.settings.progress_user = &r->bar;
    dpc_status status = estimate(r);
    bar_clear(&r->bar);
    if (status != DPC_OK) {
        tell_failure(r);
        return status;
    }
    if (!r->wishes.quiet && dpc_effect_table_about(r->effects)->undefined > 0)
        fprintf(stderr,
                "dualpc: %lld of the effects have no value, for no variance is left: columns are "
                "copies or combinations of others, or too many for the observations\n",
                (long long)dpc_effect_table_about(r->effects)->undefined);
    if (!r->wishes.quiet)
        tell_left_out(r->effects);
    return r->called_off ? tell_called_off(r->frequencies) : DPC_OK;
}

command effects_table(void)
{
    wishes ignored;
    command c = effects_command(&ignored);
    for (int g = 0; g < c.n_groups; g++)
        c.groups[g].into = NULL;
    return c;
}

int effects_main(int argc, char **argv)
{
    run r = {0};
    wishes defaults;
    command help = effects_command(&defaults);
    parsed seen = parse_arguments(argc, argv, &r.wishes, &r.err);
    int code = seen == PARSED_RUN ? run_main(&r) : answer(seen, &help, &r.err);
    dpc_effect_table_free(r.effects);
    dpc_effect_resamples_free(r.resamples);
    dpc_frequencies_free(r.frequencies);
    dpc_causal_free(r.causal);
    dpc_graph_free(r.graph);
    dpc_result_free(r.result);
    dpc_knowledge_free(r.knowledge);
    dpc_correlation_free(r.correlation);
    dpc_table_free(r.table);
    dpc_audit_clear(&r.audit);
    free(r.outputs);
    free(r.causes);
    free(r.outcomes);
    wishes_clear(&r.wishes);
    return code;
}
