/* The words of the choices: see words.h. */
#include "words.h"

const char *const dpc_method_words[] = {"dual", "classic", "precision", "ges", NULL};
const char *const dpc_variant_words[] = {"stable", "standard", NULL};
const char *const dpc_rule_words[] = {"or", "and", NULL};
const char *const dpc_test_words[] = {"z", "t", NULL};
const char *const dpc_normalize_words[] = {"none", "copula", "latent", NULL};
const char *const dpc_target_words[] = {"cpdag", "pattern", "skeleton", NULL};
const char *const dpc_orientation_words[] = {"consistent", "relaxed", "majority", "conservative",
                                             NULL};
const char *const dpc_order_words[] = {"canonical", "given", "auto", NULL};
const char *const dpc_refinement_words[] = {"none", "fast", "full", "exact", NULL};
const char *const dpc_relations_words[] = {"linear", "curved", NULL};
const char *const dpc_categorical_words[] = {"blocks", "mixture", NULL};
const char *const dpc_hidden_words[] = {"none", "search", "fci", "dag", NULL};
const char *const dpc_missing_words[] = {"error", "rows", "pairwise", "em", NULL};
const char *const dpc_variable_words[] = {"number", "ordered", "nominal", "zero", "block", NULL};
const char *const dpc_score_words[] = {"fbf", "bge", "bic", NULL};
const char *const dpc_prior_words[] = {"fair", "uniform", "order", "edge", NULL};

static const char *const GRAPH_KINDS[] = {"dag", "cpdag", "mpdag", "mag", "pag", NULL};
static const char *const VERDICTS[] = {"valid", "not-identified", "forbidden", "open", NULL};
static const char *const CHANGES[] = {"added", "removed", "turned", NULL};
static const char *const SEPARATIONS[] = {"none",   "marginal", "full-order", "full-s",
                                          "primal", "dual",     "forbidden",  NULL};
static const char *const REASONS[] = {"v-structure", "overwritten", "rule-1",    "rule-2",
                                      "rule-3",      "rule-4",      "knowledge", "conflict",
                                      "contested",   NULL};
static const char *const KNOWN[] = {"nothing", "required", "forbidden", "tiers", "circle", NULL};
static const char *const IDAS[] = {"local", "optimal", "pcalg", NULL};
static const char *const OPTIMA[] = {"unknown", "local", "global", NULL};
static const char *const DOUBTS[] = {"none", "rows", "hub", "dense", "restarts", NULL};
static const char *const STAGES[] = {"read",   "prepare",   "correlation", "skeleton", "orient",
                                     "write",  "bootstrap", "refine",      "effects",  "explain",
                                     "layout", "report",    "sample",      "hidden",   NULL};
_Static_assert(sizeof STAGES / sizeof *STAGES == DPC_N_STAGES + 1, "a word for each stage");

static const char *const *const WORDS[] = {
    [DPC_WORD_METHOD] = dpc_method_words,
    [DPC_WORD_VARIANT] = dpc_variant_words,
    [DPC_WORD_RULE] = dpc_rule_words,
    [DPC_WORD_TEST] = dpc_test_words,
    [DPC_WORD_NORMALIZE] = dpc_normalize_words,
    [DPC_WORD_TARGET] = dpc_target_words,
    [DPC_WORD_ORIENTATION] = dpc_orientation_words,
    [DPC_WORD_ORDER] = dpc_order_words,
    [DPC_WORD_REFINEMENT] = dpc_refinement_words,
    [DPC_WORD_MISSING] = dpc_missing_words,
    [DPC_WORD_GRAPH_KIND] = GRAPH_KINDS,
    [DPC_WORD_VERDICT] = VERDICTS,
    [DPC_WORD_CHANGE] = CHANGES,
    [DPC_WORD_SEPARATION] = SEPARATIONS,
    [DPC_WORD_REASON] = REASONS,
    [DPC_WORD_KNOWN] = KNOWN,
    [DPC_WORD_IDA] = IDAS,
    [DPC_WORD_STAGE] = STAGES,
    [DPC_WORD_OPTIMALITY] = OPTIMA,
    [DPC_WORD_DOUBT] = DOUBTS,
    [DPC_WORD_VARIABLE] = dpc_variable_words,
    [DPC_WORD_SCORE] = dpc_score_words,
    [DPC_WORD_PRIOR] = dpc_prior_words,
    [DPC_WORD_HIDDEN] = dpc_hidden_words,
};

const char *dpc_word(dpc_word_kind kind, int value)
{
    if ((unsigned)kind >= sizeof WORDS / sizeof *WORDS)
        return NULL;
    for (int i = 0; WORDS[kind][i] != NULL; i++) /* what is no value of the enum is never read */
        if (i == value)
            return WORDS[kind][i];
    return NULL;
}
