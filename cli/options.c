/* What learn takes: the settings of the library, and the options below. */
#include "alloc.h"
#include "cli.h"
#include "status.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

dpc_status take_graph_output(const char *path, void *into, dpc_error *err)
{
    options *o = into;
    dpc_format format;
    DPC_CHECK(dpc_format_of_path(path, &format, err));
    return append_text(&o->outputs, &o->n_outputs, path, err);
}

static dpc_status take_explain(const char *text, void *into, dpc_error *err)
{
    options *o = into;
    if (*text == '\0')
        return dpc_fail(err, DPC_USAGE,
                        "--explain needs the names of two columns, or of one, or 'all'");
    return append_text(&o->explain, &o->n_explain, text, err);
}

static dpc_status take_dag(const char *path, void *into, dpc_error *err)
{
    options *o = into;
    dpc_format format;
    if (o->dag != NULL)
        return dpc_fail(err, DPC_USAGE, "--dag is given twice, '%s' and '%s'", o->dag, path);
    o->dag = path;
    return dpc_format_of_path(path, &format, err);
}

dpc_status take_table_path(const char *option, const char *path, const char **to, dpc_error *err)
{
    dpc_format format;
    if (*to != NULL)
        return dpc_fail(err, DPC_USAGE, "--%s is given twice, '%s' and '%s'", option, *to, path);
    *to = path;
    const char *dot = strrchr(path, '.');
    bool txt = dot != NULL && strcasecmp(dot, ".txt") == 0; /* a device may have no extension */
    if (dpc_format_of_path(path, &format, NULL) != DPC_OK || txt ||
        (format != DPC_FORMAT_ADJACENCY && format != DPC_FORMAT_EDGES))
        return dpc_fail(err, DPC_USAGE, "--%s writes a table; '%s' does not end in .csv", option,
                        path);
    return DPC_OK;
}

static dpc_status take_frequencies(const char *path, void *into, dpc_error *err)
{
    options *o = into;
    return take_table_path("frequencies", path, &o->frequencies, err);
}

static dpc_status take_edges(const char *path, void *into, dpc_error *err)
{
    options *o = into;
    return take_table_path("edges", path, &o->edges, err);
}

static dpc_status take_nodes(const char *path, void *into, dpc_error *err)
{
    options *o = into;
    return take_table_path("nodes", path, &o->nodes, err);
}

dpc_status take_effects_path(const char *path, void *into, dpc_error *err)
{
    options *o = into;
    return take_table_path("effects", path, &o->effects, err);
}

dpc_status take_graph_format(const char *word, void *into, dpc_error *err)
{
    options *o = into;
    o->to_stdout = true;
    dpc_error why;
    if (dpc_format_of_word(word, &o->stdout_format, &why) == DPC_OK)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "--format: %s", why.message);
}

static const dpc_option_row ROWS[] = {
    {{"knowledge", DPC_OPTION_TEXT, "FILE",
      .sentence = "tiers, forbidden and required edges: as Tetrad writes them, or JSON"},
     DPC_PLACE(TEXT, options, knowledge)},
    {{"dag", DPC_OPTION_TEXT, "FILE",
      .sentence = "also one DAG of the class, as -o would write it"},
     DPC_TYPE_OWN,
     .take = take_dag},
    {{"edges", DPC_OPTION_TEXT, "FILE.csv",
      .sentence = "also a table of the edges: strength, closest call, evidence, frequencies"},
     DPC_TYPE_OWN,
     .take = take_edges},
    {{"nodes", DPC_OPTION_TEXT, "FILE.csv",
      .sentence = "also a table of the variables: neighbours, R squared (predictability)"},
     DPC_TYPE_OWN,
     .take = take_nodes},
    {{"effects", DPC_OPTION_TEXT, "FILE.csv",
      .sentence = "also the possible effects of all pairs: as dualpc effects has them"},
     DPC_TYPE_OWN,
     .take = take_effects_path},
    {{"output", DPC_OPTION_TEXT, "FILE",
      .sentence = "repeatable; the extension chooses: .txt edge list, .csv adjacency matrix, .dot, "
                  ".json, .svg, .png, .pdf picture, .html report, .graphml, .gml, .sif and "
                  "others of dualpc convert"},
     DPC_TYPE_OWN,
     .letter = 'o',
     .absent = "standard output",
     .take = take_graph_output},
    {{"format", DPC_OPTION_TEXT, "WORD",
      .sentence = "what standard output gets: txt, csv, dot, json or another word of dualpc "
                  "convert"},
     DPC_TYPE_OWN,
     .absent = "txt",
     .take = take_graph_format},
    {{"layout", DPC_OPTION_WORD, .words = dpc_layout_words,
      .sentence = "of pictures: Graphviz's programs, or by the size"},
     DPC_PLACE(ENUM, options, layout)},
    {{"explain", DPC_OPTION_TEXT, "A,B",
      .sentence = "why A and B have an edge, or none; A alone: all its edges; all: every edge; "
                  "repeatable"},
     DPC_TYPE_OWN,
     .take = take_explain},
    {{"bootstrap", DPC_OPTION_COUNT, "B", .range = "[1,2147483647]",
      .sentence = "also learn from B resamples of the rows; standard output gets the graph and "
                  "how often each edge is found"},
     DPC_PLACE(INT, options, resampling.resamples),
     .absent = "none"},
    {{"subsample", DPC_OPTION_NUMBER, "F", .range = "(0,1)",
      .sentence = "each has a share F of the rows, none twice"},
     DPC_PLACE(DOUBLE, options, resampling.subsample),
     .absent = "N rows, drawn with replacement"},
    {{"frequencies", DPC_OPTION_TEXT, "FILE.csv",
      .sentence = "the table goes there, the graph where it would"},
     DPC_TYPE_OWN,
     .take = take_frequencies},
    {{"min-frequency", DPC_OPTION_NUMBER, "F", .range = "(0,1]",
      .sentence = "the graph is the consensus of the resamples: the edges that a share F of them "
                  "has"},
     DPC_PLACE(DOUBLE, options, min_frequency),
     .absent = ""},
    {{"no-advice", DPC_OPTION_FLAG,
      .sentence = "do not try other settings, and do not say what they would change"},
     DPC_PLACE(BOOL, options, no_advice)},
    {{"advice", DPC_OPTION_FLAG,
      .sentence = "try other settings also where that takes long; small tables always have advice"},
     DPC_PLACE(BOOL, options, advice)},
    {{"verbose", DPC_OPTION_FLAG,
      .sentence = "add the expert's tables to the summary: tests per level, likelihood, each "
                  "variable, seconds"},
     DPC_PLACE(BOOL, options, verbose)},
    {{"quiet", DPC_OPTION_FLAG, .sentence = "no progress, no summary"},
     DPC_PLACE(BOOL, options, quiet)},
    {{"posterior", DPC_OPTION_FLAG,
      .sentence = "also sample graphs from their posterior, for the probability of each edge; the "
                  "next options are about it"},
     DPC_PLACE(BOOL, options, posterior.wanted)},
};

command learn_command(options *o)
{
    command c = {
        .head = "dualpc learn DATA [options]\n"
                "\n"
                "Learns the graph behind a table: CSV or TSV with a header, plain or .gz, or - "
                "for\n"
                "standard input. Writes the edges to standard output, a summary to standard "
                "error.\n",
        .tail = "\n"
                "Exit codes: 0 done, 1 wrong usage, 2 bad input, 3 could not write, 4 out of "
                "memory,\n"
                "130 interrupted.\n",
        .version = true,
        .n_groups = 4,
        .groups = {{.into = &o->settings},
                   reading_group(&o->reading),
                   {.rows = ROWS, .count = sizeof ROWS / sizeof *ROWS, .into = o},
                   posterior_group(o)},
    };
    c.groups[0].rows = dpc_settings_rows(&c.groups[0].count);
    *o = (options){.stdout_format = DPC_FORMAT_EDGES};
    dpc_sampling_default(&o->posterior.sampling);
    dpc_settings_default(&o->settings);
    return c;
}

/* ---- What the options together must make sense of ---- */

bool writes_json(const options *o)
{
    bool json = o->to_stdout && o->stdout_format == DPC_FORMAT_JSON;
    for (int i = 0; i < o->n_outputs; i++) {
        dpc_format format;
        json = json || (dpc_format_of_path(o->outputs[i], &format, NULL) == DPC_OK &&
                        format == DPC_FORMAT_JSON);
    }
    return json;
}

dpc_status check_data_options(const options *o, dpc_error *err)
{
    const char *wrong = NULL;
    dpc_status status = o->data != NULL ? reading_check(&o->reading, err) : DPC_OK;
    if (o->data == NULL)
        wrong = "no data given; name a file, or - for standard input";
    else if (o->reading.correlation && o->settings.normalize != DPC_NORMALIZE_NONE)
        wrong = "--normalize needs the table, not its correlation matrix";
    else if (o->reading.correlation && o->settings.categorical == DPC_CATEGORICAL_MIXTURE)
        wrong = "--categorical mixture needs the table, not its correlation matrix";
    else if (o->knowledge != NULL && strcmp(o->knowledge, "-") == 0 && strcmp(o->data, "-") == 0)
        wrong = "data and knowledge cannot both come from standard input";
    return status != DPC_OK ? status
           : wrong != NULL  ? dpc_fail(err, DPC_USAGE, "%s", wrong)
                            : DPC_OK;
}

/* What is told of graphs without hidden causes alone. */
static dpc_status check_latent(const options *o, dpc_error *err)
{
    const char *not_with = o->dag != NULL         ? "dag"
                           : o->nodes != NULL     ? "nodes"
                           : o->effects != NULL   ? "effects"
                           : o->min_frequency > 0 ? "min-frequency"
                           : o->advice            ? "advice"
                           : o->posterior.wanted  ? "posterior"
                                                  : NULL;
    if (o->settings.latent == DPC_HIDDEN_NONE || not_with == NULL)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE,
                    "--%s is about graphs without hidden causes; leave it out, or leave out "
                    "--latent",
                    not_with);
}

static dpc_status check_output(const options *o, dpc_error *err)
{
    DPC_CHECK(check_latent(o, err));
    if (o->settings.keep_separating_sets && !writes_json(o))
        return dpc_fail(err, DPC_USAGE,
                        "--separating-sets are written as JSON; add -o FILE.json or --format json");
    if (o->effects != NULL && o->settings.graph != DPC_CPDAG)
        return dpc_fail(err, DPC_USAGE,
                        "--effects needs all directions that there are; leave out --graph %s",
                        dpc_word(DPC_WORD_TARGET, o->settings.graph));
    if (o->effects != NULL && o->settings.relations == DPC_CURVED)
        return dpc_fail(err, DPC_USAGE, "%s", NO_CURVED_EFFECTS);
    if (o->dag != NULL && o->settings.graph == DPC_SKELETON)
        return dpc_fail(err, DPC_USAGE,
                        "--dag needs directions; with --graph skeleton there are none");
    return DPC_OK;
}

/* What goes with one search alone. */
static dpc_status check_refinement(const options *o, const command *c, dpc_error *err)
{
    if (!was_given(c, "restarts") || o->settings.refine == DPC_REFINE_FULL ||
        (o->settings.refine == DPC_REFINE_NONE && dpc_by_score(&o->settings)))
        return DPC_OK;
    if (o->settings.refine == DPC_REFINE_EXACT)
        return dpc_fail(err, DPC_USAGE,
                        "--restarts has no meaning for --refine exact, which goes through all "
                        "DAGs; leave it out");
    return dpc_fail(err, DPC_USAGE, "--restarts goes with --refine full");
}

static dpc_status check(const options *o, const command *c, dpc_error *err)
{
    DPC_CHECK(check_data_options(o, err));
    if (o->advice && o->no_advice)
        return dpc_fail(err, DPC_USAGE, "--advice and --no-advice exclude each other");
    if (o->quiet && (o->advice || o->verbose))
        return dpc_fail(err, DPC_USAGE, "--%s adds to the summary, which --quiet leaves out",
                        o->advice ? "advice" : "verbose");
    if (was_given(c, "penalty") && !dpc_by_score(&o->settings))
        return dpc_fail(err, DPC_USAGE,
                        "--penalty goes with --method ges and --refine; the PC algorithms have "
                        "--alpha");
    DPC_CHECK(check_refinement(o, c, err));
    DPC_CHECK(dpc_settings_check_named(&o->settings, "--", err));
    DPC_CHECK(check_output(o, err));
    DPC_CHECK(check_posterior(o, c, err));
    return check_bootstrap(o, was_given(c, "seed"), err);
}

dpc_status parse_data(int argc, char **argv, options *o, dpc_error *err)
{
    for (int i = optind; i < argc; i++) {
        if (o->data != NULL)
            return dpc_fail(err, DPC_USAGE, "'%s' is one file too many, after '%s'", argv[i],
                            o->data);
        o->data = argv[i];
    }
    return DPC_OK;
}

parsed options_parse(int argc, char **argv, options *o, dpc_error *err)
{
    command c = learn_command(o);
    parsed seen = parse_options(argc, argv, &c, err);
    if (seen != PARSED_RUN)
        return seen;
    bool nothing_said = !o->to_stdout && o->n_outputs == 0 && o->frequencies == NULL;
    if (o->resampling.resamples > 0 && nothing_said && o->min_frequency == 0)
        o->stdout_what = DPC_CONTENT_GRAPH_AND_FREQUENCIES;
    o->to_stdout = o->to_stdout || o->n_outputs == 0;
    dpc_status status = parse_data(argc, argv, o, err);
    if (status == DPC_OK)
        status = check(o, &c, err);
    return status == DPC_OK ? PARSED_RUN : PARSED_WRONG;
}

void options_free(options *o)
{
    reading_free(&o->reading);
    free(o->outputs);
    free(o->explain);
    free(o->posterior.causes);
    free(o->posterior.outcomes);
    o->outputs = o->explain = o->posterior.causes = o->posterior.outcomes = NULL;
}
