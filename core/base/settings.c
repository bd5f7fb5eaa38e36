/*
 * The settings of a run: the one table of what can be set, and all that follows from it: defaults,
 * checks, settings by name.
 */
#include "settings.h"
#include "platform.h"
#include "ranks.h"
#include "status.h"
#include "text.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- The table ---- */

enum {
    PC = 1u << DPC_DUAL | 1u << DPC_CLASSIC | 1u << DPC_PRECISION,
    WITH_DUAL_TESTS = 1u << DPC_DUAL | 1u << DPC_PRECISION,
    GES = 1u << DPC_GES,
};

static const dpc_option_row ROWS[] = {
    {{.name = "alpha",
      .kind = DPC_OPTION_NUMBER,
      .value = "A",
      .word = "auto",
      .range = "(0,1)",
      .sentence = "significance level",
      .methods = PC},
     DPC_PLACE(DOUBLE, dpc_settings, alpha),
     .other = 0,
     .absent = "0.05",
     .json = DPC_TELL_ALWAYS},
    {{.name = "alpha-dual",
      .kind = DPC_OPTION_NUMBER,
      .value = "A",
      .word = "alpha",
      .range = "(0,1)",
      .sentence = "level of full-order, full-S and dual tests",
      .methods = WITH_DUAL_TESTS},
     DPC_PLACE(DOUBLE, dpc_settings, alpha_dual),
     .other = 0,
     .json = DPC_TELL_ALWAYS},
    {{.name = "method",
      .kind = DPC_OPTION_WORD,
      .words = dpc_method_words,
      .sentence = "which PC algorithm, or a greedy search",
      .methods = PC | GES},
     DPC_PLACE(ENUM, dpc_settings, method),
     .json = DPC_TELL_ALWAYS},
    {{.name = "variant",
      .kind = DPC_OPTION_WORD,
      .words = dpc_variant_words,
      .sentence = "order-independent or not",
      .methods = PC},
     DPC_PLACE(ENUM, dpc_settings, variant),
     .json = DPC_TELL_ALWAYS},
    {{.name = "rule",
      .kind = DPC_OPTION_WORD,
      .words = dpc_rule_words,
      .word = "auto",
      .sentence = "who must separate a pair: one end, or both ends",
      .methods = PC},
     DPC_PLACE(ENUM, dpc_settings, rule),
     .other = DPC_RULE_AUTO,
     .absent = "or",
     .json = DPC_TELL_ALWAYS},
    {{.name = "test",
      .kind = DPC_OPTION_WORD,
      .words = dpc_test_words,
      .sentence = "Fisher z or exact t",
      .methods = PC},
     DPC_PLACE(ENUM, dpc_settings, test),
     .json = DPC_TELL_ALWAYS},
    {{.name = "max-order",
      .kind = DPC_OPTION_COUNT,
      .value = "M",
      .word = "none",
      .range = "[0,2147483647]",
      .sentence = "largest level",
      .methods = PC},
     DPC_PLACE(INT, dpc_settings, max_order),
     .other = DPC_NO_MAX_ORDER,
     .json = DPC_TELL_ALWAYS},
    {{.name = "min-ess",
      .kind = DPC_OPTION_NUMBER,
      .value = "E",
      .word = "inf",
      .range = "[0,inf)",
      .sentence = "effective sample a dual test must leave, or inf",
      .methods = WITH_DUAL_TESTS},
     DPC_PLACE(DOUBLE, dpc_settings, min_ess),
     .other = INFINITY,
     .json = DPC_TELL_ALWAYS},
    {{.name = "penalty",
      .kind = DPC_OPTION_NUMBER,
      .value = "P",
      .word = "auto",
      .range = "(0,inf)",
      .sentence = "ges, refine: a parameter costs P log N",
      .methods = GES},
     DPC_PLACE(DOUBLE, dpc_settings, penalty),
     .other = 0,
     .json = DPC_TELL_WHERE_USED},
    {{.name = "normalize",
      .kind = DPC_OPTION_WORD,
      .words = dpc_normalize_words,
      .sentence = "normal scores of ranks, or latent variables",
      .methods = PC | GES},
     DPC_PLACE(ENUM, dpc_settings, normalize),
     .json = DPC_TELL_ALWAYS},
    {{.name = "relations",
      .kind = DPC_OPTION_WORD,
      .words = dpc_relations_words,
      .sentence = "shape of the relations; curved uses polynomials of the ranks",
      .methods = PC | GES},
     DPC_PLACE(ENUM, dpc_settings, relations),
     .json = DPC_TELL_CHANGED},
    {{.name = "degree",
      .kind = DPC_OPTION_COUNT,
      .value = "D",
      .range = "[1,8]",
      .sentence = "degree of the polynomials for --relations curved",
      .methods = PC | GES},
     DPC_PLACE(INT, dpc_settings, degree),
     .json = DPC_TELL_CHANGED},
    {{.name = "categorical",
      .kind = DPC_OPTION_WORD,
      .words = dpc_categorical_words,
      .sentence = "tests of nominal variables; mixture uses G2 for small sets",
      .methods = PC},
     DPC_PLACE(ENUM, dpc_settings, categorical),
     .json = DPC_TELL_CHANGED},
    {{.name = "graph",
      .kind = DPC_OPTION_WORD,
      .words = dpc_target_words,
      .sentence = "what to return",
      .methods = PC | GES},
     DPC_PLACE(ENUM, dpc_settings, graph),
     .json = DPC_TELL_ALWAYS},
    {{.name = "orient",
      .kind = DPC_OPTION_WORD,
      .value = "RULE",
      .words = dpc_orientation_words,
      .sentence = "how edges get directions",
      .methods = PC},
     DPC_PLACE(ENUM, dpc_settings, orient),
     .json = DPC_TELL_ALWAYS},
    {{.name = "min-evidence",
      .kind = DPC_OPTION_NUMBER,
      .value = "E",
      .word = "none",
      .range = "(-inf,inf)",
      .sentence = "arrows with weaker evidence are left undirected",
      .methods = PC},
     DPC_PLACE(DOUBLE, dpc_settings, min_evidence),
     .other = DPC_NO_MIN_EVIDENCE,
     .json = DPC_TELL_WHERE_USED},
    {{.name = "order",
      .kind = DPC_OPTION_WORD,
      .words = dpc_order_words,
      .sentence = "of the columns; auto: given with relaxed only",
      .methods = PC},
     DPC_PLACE(ENUM, dpc_settings, order),
     .json = DPC_TELL_ALWAYS},
    {{.name = "refine",
      .kind = DPC_OPTION_WORD,
      .words = dpc_refinement_words,
      .sentence = "a search by score goes on from the graph",
      .methods = PC},
     DPC_PLACE(ENUM, dpc_settings, refine)},
    {{.name = "restarts",
      .kind = DPC_OPTION_COUNT,
      .value = "R",
      .word = "auto",
      .range = "[0,1000000]",
      .sentence = "of the search of refine full",
      .methods = PC},
     DPC_PLACE(INT, dpc_settings, restarts),
     .other = DPC_AUTO_RESTARTS},
    {{.name = "latent",
      .kind = DPC_OPTION_WORD,
      .words = dpc_hidden_words,
      .sentence = "allow for hidden common causes; the graph is a PAG",
      .methods = PC},
     DPC_PLACE(ENUM, dpc_settings, latent),
     .json = DPC_TELL_CHANGED,
     .alone = "search"},
    {{.name = "pdsep",
      .kind = DPC_OPTION_COUNT,
      .value = "M",
      .word = "all",
      .range = "[0,2147483647]",
      .sentence = "largest sets of Possible-D-SEP that latent fci tests, or all",
      .methods = PC},
     DPC_PLACE(INT, dpc_settings, pdsep),
     .other = DPC_ALL_PDSEP,
     .json = DPC_TELL_CHANGED},
    {{.name = "selection",
      .kind = DPC_OPTION_FLAG,
      .sentence = "with latent fci or dag: the sample may be selected",
      .methods = PC},
     DPC_PLACE(BOOL, dpc_settings, selection),
     .json = DPC_TELL_CHANGED},
    {{.name = "seed",
      .kind = DPC_OPTION_COUNT,
      .value = "S",
      .sentence = "random seed for refine, bootstrap and posterior",
      .methods = PC | GES},
     DPC_PLACE(UINT64, dpc_settings, seed)},
    {{.name = "memory",
      .kind = DPC_OPTION_NUMBER,
      .value = "MB",
      .word = "auto",
      .range = "(0,inf)",
      .sentence = "for one matrix, or what refine keeps: 500, 4G",
      .methods = PC | GES},
     DPC_PLACE(DOUBLE, dpc_settings, memory),
     .other = 0,
     .sized = true},
    {{.name = "timeout",
      .kind = DPC_OPTION_NUMBER,
      .value = "SECONDS",
      .word = "none",
      .range = "(0,inf)",
      .sentence = "after which the best graph so far is the result",
      .methods = PC | GES},
     DPC_PLACE(DOUBLE, dpc_settings, timeout),
     .other = DPC_NO_TIMEOUT},
    {{.name = "threads",
      .kind = DPC_OPTION_COUNT,
      .value = "T",
      .word = "all",
      .range = DPC_THREADS_RANGE,
      .sentence = "never changes the result",
      .methods = PC | GES},
     DPC_PLACE(INT, dpc_settings, threads),
     .other = 0},
    {{.name = "separating-sets",
      .kind = DPC_OPTION_FLAG,
      .sentence = "also keep and write the separating sets (JSON)",
      .methods = PC},
     DPC_PLACE(BOOL, dpc_settings, keep_separating_sets)},
};
enum { N_ROWS = sizeof ROWS / sizeof *ROWS };

const dpc_option_row *dpc_settings_rows(int *count)
{
    *count = N_ROWS;
    return ROWS;
}

const dpc_option *dpc_option_at(int i)
{
    return i >= 0 && i < N_ROWS ? &ROWS[i].told : NULL;
}

/* ---- Sizes, defaults, copies ---- */

static const dpc_settings DEFAULTS = {
    .size = sizeof(dpc_settings),
    .alpha = 0,      /* auto */
    .alpha_dual = 0, /* alpha */
    .method = DPC_DUAL,
    .variant = DPC_STABLE,
    .rule = DPC_RULE_AUTO,
    .test = DPC_FISHER_Z,
    .max_order = DPC_NO_MAX_ORDER,
    .min_ess = 30,
    .penalty = 0, /* auto */
    .normalize = DPC_NORMALIZE_NONE,
    .graph = DPC_CPDAG,
    .orient = DPC_CONSISTENT,
    .order = DPC_ORDER_AUTO,
    .min_evidence = DPC_NO_MIN_EVIDENCE,
    .refine = DPC_REFINE_NONE,
    .restarts = DPC_AUTO_RESTARTS,
    .seed = 1,
    .memory = 0, /* auto */
    .timeout = DPC_NO_TIMEOUT,
    .relations = DPC_LINEAR,
    .degree = 3,
    .categorical = DPC_CATEGORICAL_BLOCKS,
    .latent = DPC_HIDDEN_NONE,
    .pdsep = 0,
};

/* Whole members, alpha at least: all are as large as the alignment, or half of it, two by two. */
static dpc_status check_size(size_t size, dpc_error *err)
{
    if (size >= offsetof(dpc_settings, alpha_dual) && size <= sizeof(dpc_settings) &&
        size % _Alignof(dpc_settings) == 0)
        return DPC_OK;
    if (size > sizeof(dpc_settings))
        return dpc_fail(err, DPC_USAGE,
                        "the settings have %zu bytes, and this version of the library, %s, knows "
                        "%zu of them; the program was compiled with a newer one",
                        size, DPC_VERSION, sizeof(dpc_settings));
    return dpc_fail(err, DPC_USAGE, "settings of %zu bytes; fill them with dpc_settings_default",
                    size);
}

dpc_status dpc_settings_init(dpc_settings *settings, size_t size)
{
    /* what cannot be filled is refused later, by its size */
    memcpy(settings, &DEFAULTS, size < sizeof DEFAULTS ? size : sizeof DEFAULTS);
    if (size >= sizeof settings->size)
        settings->size = size;
    return check_size(size, NULL);
}

/*
 * What the caller has, and the defaults of what it does not know; not checked. The size stays that
 * of the caller, who may be handed the copy back.
 */
static dpc_status complete(const dpc_settings *given, dpc_settings *out, dpc_error *err)
{
    dpc_settings_default(out);
    if (given == NULL)
        return DPC_OK;
    DPC_CHECK(check_size(given->size, err));
    memcpy(out, given, given->size);
    return DPC_OK;
}

/* ---- Checks ---- */

/* What has no meaning for a graph that a score has decided on. */
static dpc_status check_refinement(const dpc_settings *s, const char *dashes, dpc_error *err)
{
    const char *not_with = s->refine == DPC_REFINE_NONE             ? NULL
                           : s->min_evidence != DPC_NO_MIN_EVIDENCE ? "min-evidence"
                           : s->keep_separating_sets                ? "separating-sets"
                                                                    : NULL;
    if (not_with == NULL)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE,
                    "%s%s tells of tests, and with %srefine a score decides; leave out one of the "
                    "two",
                    dashes, not_with, dashes);
}

/* What does not go together with hidden causes, or has no meaning without. */
static dpc_status check_latent(const dpc_settings *s, const char *dashes, dpc_error *err)
{
    const char *word = dpc_hidden_words[s->latent];
    bool by_tests = s->latent == DPC_HIDDEN_FCI;
    const char *not_with = s->method == DPC_GES                             ? "method ges"
                           : s->graph != DPC_CPDAG                          ? "graph"
                           : s->min_evidence != DPC_NO_MIN_EVIDENCE         ? "min-evidence"
                           : by_tests && s->refine != DPC_REFINE_NONE       ? "refine"
                           : by_tests && s->orient != DPC_CONSISTENT        ? "orient"
                           : !by_tests && s->pdsep != 0                     ? "pdsep"
                           : !by_tests && s->keep_separating_sets           ? "separating-sets"
                           : s->selection && s->latent == DPC_HIDDEN_SEARCH ? "selection"
                                                                            : NULL;
    if (s->latent == DPC_HIDDEN_NONE && (s->pdsep != 0 || s->selection))
        return dpc_fail(err, DPC_USAGE, "%s%s goes with %slatent", dashes,
                        s->pdsep != 0 ? "pdsep" : "selection", dashes);
    if (s->latent == DPC_HIDDEN_NONE || not_with == NULL)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "%slatent %s does not go with %s%s; leave out one of the two",
                    dashes, word, dashes, not_with);
}

dpc_status dpc_settings_check_named(const dpc_settings *s, const char *dashes, dpc_error *err)
{
    for (int i = 0; i < N_ROWS; i++) {
        dpc_status status = dpc_option_check(&ROWS[i], dashes, s, err);
        if (status != DPC_OK)
            return status;
    }
    DPC_CHECK(check_latent(s, dashes, err));
    if (s->ranks != NULL && s->ranks->ranks > 1 && s->timeout != DPC_NO_TIMEOUT)
        return dpc_fail(err, DPC_USAGE,
                        "%stimeout goes by the clock of one process; leave it out where several "
                        "share the work",
                        dashes);
    if (s->method != DPC_GES)
        return check_refinement(s, dashes, err);
    if (s->refine != DPC_REFINE_NONE)
        return dpc_fail(err, DPC_USAGE,
                        "%srefine starts from the graph of a PC algorithm; leave it out, or choose "
                        "another %smethod",
                        dashes, dashes);
    if (s->rule == DPC_RULE_AND)
        return dpc_fail(err, DPC_USAGE,
                        "%srule and goes with the PC algorithms; GES finds no separating sets",
                        dashes);
    if (s->min_evidence != DPC_NO_MIN_EVIDENCE)
        return dpc_fail(
            err, DPC_USAGE,
            "GES weighs no evidence for its arrows; leave out %smin-evidence, or choose "
            "another %smethod",
            dashes, dashes);
    if (s->keep_separating_sets)
        return dpc_fail(err, DPC_USAGE,
                        "GES finds no separating sets; leave out %sseparating-sets, or choose "
                        "another %smethod",
                        dashes, dashes);
    return DPC_OK;
}

void dpc_settings_resolve(dpc_settings *s)
{
    if ((s->latent == DPC_HIDDEN_DAG || s->latent == DPC_HIDDEN_SEARCH) &&
        s->refine == DPC_REFINE_NONE)
        s->refine = DPC_REFINE_FULL;
    bool refined = s->refine != DPC_REFINE_NONE;
    if (s->alpha == 0)
        s->alpha = refined ? 0.01 : 0.05;
    if (s->alpha_dual == 0)
        s->alpha_dual = s->alpha;
    if (s->rule == DPC_RULE_AUTO)
        s->rule = refined ? DPC_RULE_AND : DPC_RULE_OR;
    if (s->order == DPC_ORDER_AUTO)
        s->order = s->orient == DPC_RELAXED && s->method != DPC_GES ? DPC_ORDER_GIVEN
                                                                    : DPC_ORDER_CANONICAL;
}

dpc_status dpc_settings_or_default(const dpc_settings *given, dpc_settings *out, dpc_error *err)
{
    dpc_settings all;
    DPC_CHECK(complete(given, &all, err));
    DPC_CHECK(dpc_settings_check_named(&all, "", err));
    dpc_settings_resolve(&all);
    *out = all;
    return DPC_OK;
}

dpc_status dpc_settings_check(const dpc_settings *settings, dpc_error *err)
{
    dpc_settings all;
    return dpc_settings_or_default(settings, &all, err);
}

/* ---- By name ---- */

static dpc_status unknown(const char *name, dpc_error *err)
{
    char clip[DPC_CLIP_SIZE], list[512] = "";
    const char *names[N_ROWS + 1] = {NULL};
    for (int i = 0; i < N_ROWS; i++)
        names[i] = ROWS[i].told.name;
    dpc_join_words(names, ", ", list, sizeof list);
    return dpc_fail(err, DPC_USAGE, "there is no setting '%s'; there are %s",
                    dpc_clip_name(name, clip), list);
}

/* The row of a name, in settings that have it. */
static dpc_status find(const dpc_settings *settings, const char *name, const dpc_option_row **out,
                       dpc_error *err)
{
    const dpc_option_row *row = name != NULL ? dpc_option_find(ROWS, N_ROWS, name) : NULL;
    if (row == NULL)
        return unknown(name != NULL ? name : "", err);
    DPC_CHECK(check_size(settings->size, err));
    if (row->place >= settings->size)
        return dpc_fail(err, DPC_USAGE, "%s is newer than the program, which has no place for it",
                        row->told.name);
    *out = row;
    return DPC_OK;
}

dpc_status dpc_settings_set(dpc_settings *settings, const char *name, const char *text,
                            dpc_error *err)
{
    const dpc_option_row *row = NULL;
    DPC_CHECK(find(settings, name, &row, err));
    return dpc_option_take(row, "", text != NULL ? text : "", settings, err);
}

dpc_status dpc_settings_get(const dpc_settings *settings, const char *name, char *text, size_t size,
                            dpc_error *err)
{
    const dpc_option_row *row = NULL;
    char value[DPC_OPTION_SIZE];
    dpc_status status = find(settings, name, &row, err);
    if (status != DPC_OK)
        return status;
    dpc_option_print(row, settings, value);
    if (strlen(value) >= size)
        return dpc_fail(err, DPC_USAGE, "%s is '%s', for which %zu bytes are too few",
                        row->told.name, value, size);
    memcpy(text, value, strlen(value) + 1);
    return DPC_OK;
}

/* ---- What the rooms ask ---- */

bool dpc_by_score(const dpc_settings *s)
{
    return s->method == DPC_GES || s->refine != DPC_REFINE_NONE || s->latent == DPC_HIDDEN_DAG ||
           s->latent == DPC_HIDDEN_SEARCH;
}

dpc_status dpc_settings_check_no_latent(const dpc_settings *s, const char *what, dpc_error *err)
{
    if (s->latent == DPC_HIDDEN_NONE)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE,
                    "%s is about graphs without hidden causes; leave it out, or leave out latent",
                    what);
}

double dpc_ebic(int n_vars, double n_obs)
{
    return 0.5 + log((double)n_vars) / log(n_obs);
}

double dpc_penalty(const dpc_settings *s, int n_vars, double n_obs)
{
    if (s->penalty > 0)
        return s->penalty;
    return n_obs < n_vars ? dpc_ebic(n_vars, n_obs) : 1;
}

int dpc_thread_count(const dpc_settings *s)
{
    return s->threads > 0 ? s->threads : dpc_threads_offered();
}
