/* What the user typed, and what can be typed: one table for both, so that the help cannot lie. */
#include "cli.h"

#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_ALPHA = 256,
    OPT_ALPHA_DUAL,
    OPT_METHOD,
    OPT_VARIANT,
    OPT_RULE,
    OPT_TEST,
    OPT_MAX_ORDER,
    OPT_MIN_ESS,
    OPT_PENALTY,
    OPT_NORMALIZE,
    OPT_GRAPH,
    OPT_ORIENT,
    OPT_ORDER,
    OPT_DAG,
    OPT_KNOWLEDGE,
    OPT_MISSING,
    OPT_CORRELATION,
    OPT_SAMPLES,
    OPT_THREADS,
    OPT_FORMAT,
    OPT_SEPARATING_SETS,
    OPT_EXPLAIN,
    OPT_BOOTSTRAP,
    OPT_SUBSAMPLE,
    OPT_SEED,
    OPT_FREQUENCIES,
    OPT_MIN_FREQUENCY,
    OPT_QUIET,
};

static const struct option LONG_OPTIONS[] = {
    {"alpha", required_argument, NULL, OPT_ALPHA},
    {"alpha-dual", required_argument, NULL, OPT_ALPHA_DUAL},
    {"method", required_argument, NULL, OPT_METHOD},
    {"variant", required_argument, NULL, OPT_VARIANT},
    {"rule", required_argument, NULL, OPT_RULE},
    {"test", required_argument, NULL, OPT_TEST},
    {"max-order", required_argument, NULL, OPT_MAX_ORDER},
    {"min-ess", required_argument, NULL, OPT_MIN_ESS},
    {"penalty", required_argument, NULL, OPT_PENALTY},
    {"normalize", required_argument, NULL, OPT_NORMALIZE},
    {"graph", required_argument, NULL, OPT_GRAPH},
    {"orient", required_argument, NULL, OPT_ORIENT},
    {"order", required_argument, NULL, OPT_ORDER},
    {"dag", required_argument, NULL, OPT_DAG},
    {"knowledge", required_argument, NULL, OPT_KNOWLEDGE},
    {"missing", required_argument, NULL, OPT_MISSING},
    {"correlation", no_argument, NULL, OPT_CORRELATION},
    {"samples", required_argument, NULL, OPT_SAMPLES},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"output", required_argument, NULL, 'o'},
    {"format", required_argument, NULL, OPT_FORMAT},
    {"separating-sets", no_argument, NULL, OPT_SEPARATING_SETS},
    {"explain", required_argument, NULL, OPT_EXPLAIN},
    {"bootstrap", required_argument, NULL, OPT_BOOTSTRAP},
    {"subsample", required_argument, NULL, OPT_SUBSAMPLE},
    {"seed", required_argument, NULL, OPT_SEED},
    {"frequencies", required_argument, NULL, OPT_FREQUENCIES},
    {"min-frequency", required_argument, NULL, OPT_MIN_FREQUENCY},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* In the order of dpc_missing. */
static const char *const MISSINGS[] = {"error", "rows", NULL};

void print_learn_help(FILE *file)
{
    dpc_settings d;
    dpc_settings_default(&d);
    fprintf(
        file,
        "dualpc learn DATA [options]\n"
        "\n"
        "Learns the graph behind a table: CSV or TSV with a header, plain or .gz, or - for\n"
        "standard input. Writes the edges to standard output, a summary to standard error.\n"
        "\n"
        "  --alpha A                        significance level [%g]\n"
        "  --alpha-dual A                   level of full-order, full-S and dual tests [alpha]\n"
        "  --method dual|classic|precision|ges  which PC algorithm, or a greedy search [%s]\n"
        "  --variant stable|standard        order-independent or not [%s]\n"
        "  --rule or|and                    who must separate a pair: one end, or both ends [%s]\n"
        "  --test z|t                       Fisher z or exact t [%s]\n"
        "  --max-order M                    largest level [none]\n"
        "  --min-ess E                      effective sample a dual test must leave [%g]\n"
        "  --penalty L                      ges: a parameter costs L log N; 0.5 is BIC [%g]\n"
        "  --normalize none|copula          normal scores of the ranks first [%s]\n"
        "  --graph cpdag|pattern|skeleton   what to return [%s]\n"
        "  --orient RULE                    how edges get directions [%s]; or relaxed,\n"
        "                                   majority, conservative\n"
        "  --order canonical|given          canonical: places of columns do not matter [%s]\n"
        "  --knowledge FILE                 tiers, forbidden and required edges: as Tetrad writes\n"
        "                                   them, or JSON\n"
        "  --dag FILE                       also one DAG of the class, as -o would write it\n"
        "  --missing error|rows             missing cells: stop, or drop their rows [error]\n"
        "  --correlation --samples N        DATA is a correlation or covariance matrix of N\n"
        "                                   observations\n"
        "  --threads T                      never changes the result [all]\n"
        "  -o, --output FILE                repeatable; the extension chooses: .txt edge list,\n"
        "                                   .csv adjacency matrix, .dot, .json [standard output]\n"
        "  --format txt|csv|dot|json        what standard output gets [txt]\n"
        "  --separating-sets                also keep and write the separating sets (JSON)\n"
        "  --explain A,B                    why A and B have an edge, or none; repeatable\n"
        "  --bootstrap B                    also learn from B resamples of the rows; writes how\n"
        "                                   often each edge is found, as a table [none]\n"
        "  --subsample F                    each has a share F of the rows, none twice [N rows,\n"
        "                                   drawn with replacement]\n"
        "  --seed S                         of the resamples [1]\n"
        "  --frequencies FILE.csv           the table goes there, the graph where it would\n"
        "  --min-frequency F                the graph is the consensus of the resamples: the\n"
        "                                   edges that a share F of them has\n"
        "  --quiet                          no progress, no summary\n"
        "  --help, --version\n"
        "\n"
        "Exit codes: 0 done, 1 wrong usage, 2 bad input, 3 could not write, 4 out of memory,\n"
        "130 interrupted.\n",
        d.alpha, dpc_method_words[d.method], dpc_variant_words[d.variant], dpc_rule_words[d.rule],
        dpc_test_words[d.test], d.min_ess, d.penalty, dpc_normalize_words[d.normalize],
        dpc_target_words[d.graph], dpc_orientation_words[d.orient], dpc_order_words[d.order]);
}

static bool add_output(options *o, const char *path, dpc_error *err)
{
    dpc_format format;
    if (dpc_format_of_path(path, &format, err) != DPC_OK)
        return false;
    const char **outputs = realloc(o->outputs, ((size_t)o->n_outputs + 1) * sizeof *outputs);
    if (outputs == NULL)
        return wrong(err, "out of memory for the options");
    o->outputs = outputs;
    outputs[o->n_outputs++] = path;
    return true;
}

static bool add_pair(options *o, const char *pair, dpc_error *err)
{
    if (strchr(pair, ',') == NULL)
        return wrong(err, "--explain needs two names with a comma between them, not '%s'", pair);
    const char **pairs = realloc(o->explain, ((size_t)o->n_explain + 1) * sizeof *pairs);
    if (pairs == NULL)
        return wrong(err, "out of memory for the options");
    o->explain = pairs;
    pairs[o->n_explain++] = pair;
    return true;
}

static bool set_dag(options *o, const char *path, dpc_error *err)
{
    dpc_format format;
    if (o->dag != NULL)
        return wrong(err, "--dag is given twice, '%s' and '%s'", o->dag, path);
    o->dag = path;
    return dpc_format_of_path(path, &format, err) == DPC_OK;
}

static bool parse_max_order(const char *text, int *out, dpc_error *err)
{
    int64_t count;
    if (strcmp(text, "none") == 0) {
        *out = DPC_NO_MAX_ORDER;
        return true;
    }
    if (!parse_count("--max-order", text, 0, INT_MAX, &count, err))
        return false;
    *out = (int)count;
    return true;
}

static bool parse_level(const char *option, const char *text, double *out, dpc_error *err)
{
    if (!parse_number(option, text, out, err))
        return false;
    if (!(*out > 0 && *out < 1))
        return wrong(err, "%s must be between 0 and 1, not %s", option, text);
    return true;
}

/* The options that choose one of some words, and where their enum is. */
typedef struct choice {
    int code;
    const char *option;
    const char *const *words;
    size_t place;
} choice;

static const choice CHOICES[] = {
    {OPT_METHOD, "--method", dpc_method_words, offsetof(options, settings.method)},
    {OPT_VARIANT, "--variant", dpc_variant_words, offsetof(options, settings.variant)},
    {OPT_RULE, "--rule", dpc_rule_words, offsetof(options, settings.rule)},
    {OPT_TEST, "--test", dpc_test_words, offsetof(options, settings.test)},
    {OPT_NORMALIZE, "--normalize", dpc_normalize_words, offsetof(options, settings.normalize)},
    {OPT_GRAPH, "--graph", dpc_target_words, offsetof(options, settings.graph)},
    {OPT_ORIENT, "--orient", dpc_orientation_words, offsetof(options, settings.orient)},
    {OPT_ORDER, "--order", dpc_order_words, offsetof(options, settings.order)},
    {OPT_MISSING, "--missing", MISSINGS, offsetof(options, missing)},
};
_Static_assert(sizeof(dpc_method) == sizeof(int), "enums are as large as the int that is copied");

static bool take_choice(const choice *c, const char *text, options *o, dpc_error *err)
{
    int chosen;
    if (!parse_choice(c->option, text, c->words, &chosen, err))
        return false;
    memcpy((char *)o + c->place, &chosen, sizeof chosen);
    return true;
}

/* What goes into the settings and is no choice of words. */
static bool take_setting(int code, const char *text, options *o, dpc_error *err)
{
    dpc_settings *s = &o->settings;
    switch (code) {
    case OPT_ALPHA:
        return parse_level("--alpha", text, &s->alpha, err);
    case OPT_ALPHA_DUAL:
        return parse_level("--alpha-dual", text, &s->alpha_dual, err);
    case OPT_MAX_ORDER:
        return parse_max_order(text, &s->max_order, err);
    case OPT_MIN_ESS:
        return parse_number("--min-ess", text, &s->min_ess, err);
    case OPT_PENALTY:
        o->penalty_given = true;
        return parse_number("--penalty", text, &s->penalty, err);
    case OPT_THREADS:
        return parse_threads(text, &s->threads, err);
    case OPT_SEPARATING_SETS:
        s->keep_separating_sets = true;
        return true;
    default:
        return wrong(err, "unknown option; see dualpc learn --help");
    }
}

static bool take(int code, const char *text, void *into, dpc_error *err)
{
    options *o = into;
    for (size_t i = 0; i < sizeof CHOICES / sizeof *CHOICES; i++)
        if (CHOICES[i].code == code)
            return take_choice(&CHOICES[i], text, o, err);
    switch (code) {
    case OPT_DAG:
        return set_dag(o, text, err);
    case OPT_KNOWLEDGE:
        if (o->knowledge != NULL)
            return wrong(err, "--knowledge is given twice, '%s' and '%s'", o->knowledge, text);
        o->knowledge = text;
        return true;
    case OPT_CORRELATION:
        o->correlation = true;
        return true;
    case OPT_SAMPLES:
        return parse_count("--samples", text, 1, INT64_C(9000000000000000), &o->samples, err);
    case 'o':
        return add_output(o, text, err);
    case OPT_FORMAT:
        o->to_stdout = true;
        if (dpc_format_of_word(text, &o->stdout_format, NULL) == DPC_OK)
            return true;
        return wrong(err, "--format must be one of txt, csv, dot, json, not '%s'", text);
    case OPT_EXPLAIN:
        return add_pair(o, text, err);
    case OPT_BOOTSTRAP:
        return parse_bootstrap(text, o, err);
    case OPT_SUBSAMPLE:
        return parse_level("--subsample", text, &o->resampling.subsample, err);
    case OPT_SEED:
        o->seed_given = true;
        return parse_seed(text, &o->resampling.seed, err);
    case OPT_FREQUENCIES:
        return parse_frequencies(text, o, err);
    case OPT_MIN_FREQUENCY:
        return parse_min_frequency(text, o, err);
    case OPT_QUIET:
        o->quiet = true;
        return true;
    default:
        return take_setting(code, text, o, err);
    }
}

static bool writes_json(const options *o)
{
    bool json = o->to_stdout && o->stdout_format == DPC_FORMAT_JSON;
    for (int i = 0; i < o->n_outputs; i++) {
        dpc_format format;
        json = json || (dpc_format_of_path(o->outputs[i], &format, NULL) == DPC_OK &&
                        format == DPC_FORMAT_JSON);
    }
    return json;
}

/* What the options together must make sense of. */
static bool check(const options *o, dpc_error *err)
{
    if (o->data == NULL)
        return wrong(err, "no data given; name a file, or - for standard input");
    if (o->correlation && o->samples == 0)
        return wrong(err, "--correlation also needs --samples N, the number of observations "
                          "behind the matrix");
    if (!o->correlation && o->samples != 0)
        return wrong(err, "--samples goes with --correlation; a table has as many observations "
                          "as rows");
    if (o->correlation && o->settings.normalize != DPC_NORMALIZE_NONE)
        return wrong(err, "--normalize copula needs the table, not its correlation matrix");
    if (o->correlation && o->missing != DPC_MISSING_ERROR)
        return wrong(err, "--missing rows needs the table, not its correlation matrix");
    if (o->penalty_given && o->settings.method != DPC_GES)
        return wrong(err, "--penalty goes with --method ges; the PC algorithms have --alpha");
    if (o->settings.rule == DPC_RULE_AND && o->settings.method == DPC_GES)
        return wrong(err, "--rule and goes with the PC algorithms; GES finds no separating sets");
    if (o->settings.keep_separating_sets && o->settings.method == DPC_GES)
        return wrong(err, "GES finds no separating sets; leave out --separating-sets, or choose "
                          "another --method");
    if (o->settings.keep_separating_sets && !writes_json(o))
        return wrong(err, "--separating-sets are written as JSON; add -o FILE.json or "
                          "--format json");
    if (o->knowledge != NULL && o->settings.method == DPC_GES)
        return wrong(err, "--knowledge is not used by GES yet; choose another --method");
    if (o->knowledge != NULL && strcmp(o->knowledge, "-") == 0 && strcmp(o->data, "-") == 0)
        return wrong(err, "data and knowledge cannot both come from standard input");
    if (o->dag != NULL && o->settings.graph == DPC_SKELETON)
        return wrong(err, "--dag needs directions; with --graph skeleton there are none");
    for (int i = 0; o->dag != NULL && i < o->n_outputs; i++)
        if (strcmp(o->dag, o->outputs[i]) == 0)
            return wrong(err, "'%s' cannot hold both the graph (-o) and the DAG (--dag)", o->dag);
    return check_bootstrap(o, err) && dpc_settings_check(&o->settings, err) == DPC_OK;
}

static bool parse_operands(int argc, char **argv, options *o, dpc_error *err)
{
    for (int i = optind; i < argc; i++) {
        if (i == optind && i + 1 < argc && strcmp(argv[i], "learn") == 0)
            continue; /* options may come before the subcommand */
        if (o->data != NULL)
            return wrong(err, "'%s' is one file too many, after '%s'", argv[i], o->data);
        o->data = argv[i];
    }
    return true;
}

parsed options_parse(int argc, char **argv, options *o, dpc_error *err)
{
    *o = (options){.stdout_format = DPC_FORMAT_EDGES, .resampling.seed = 1};
    dpc_settings_default(&o->settings);
    parsed seen = parse_options(argc, argv, ":o:hV", LONG_OPTIONS, take, o, err);
    if (seen != PARSED_RUN)
        return seen;
    bool nothing_said = !o->to_stdout && o->n_outputs == 0 && o->frequencies == NULL;
    if (o->resampling.resamples > 0 && nothing_said && o->min_frequency == 0)
        o->stdout_format = DPC_FORMAT_FREQUENCIES;
    o->to_stdout = o->to_stdout || o->n_outputs == 0;
    return parse_operands(argc, argv, o, err) && check(o, err) ? PARSED_RUN : PARSED_WRONG;
}

void options_free(options *o)
{
    free(o->outputs);
    free(o->explain);
    o->outputs = o->explain = NULL;
}
