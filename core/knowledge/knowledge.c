/*
 * Background knowledge as the user says it: see knowledge.h.
 *
 * Every statement is held against all earlier ones at once, so that whoever reads a file can point
 * to the line, and so that what is kept never contradicts itself: no edge is required and
 * forbidden, or required both ways, or required against the tiers, and required edges make no
 * circle.
 */
#include "knowledge.h"

#include "alloc.h"
#include "bits.h"
#include "status.h"

#include <string.h>

static bool bit(const dpc_knowledge *k, const uint64_t *bits, int from, int to)
{
    return dpc_bit(bits, k->words, from, to);
}

dpc_status dpc_knowledge_new(int n_vars, dpc_knowledge **out, dpc_error *err)
{
    if (n_vars < 1)
        return dpc_fail(err, DPC_USAGE, "knowledge must be about 1 variable or more, not %d",
                        n_vars);
    dpc_knowledge *k = dpc_zalloc(1, sizeof *k);
    if (k == NULL)
        return dpc_fail_memory(err, "the background knowledge");
    k->n = n_vars;
    k->words = dpc_bit_words(n_vars);
    k->forbidden = dpc_zalloc(k->words * n_vars, sizeof *k->forbidden);
    k->required = dpc_zalloc(k->words * n_vars, sizeof *k->required);
    k->tier = dpc_alloc(n_vars, sizeof *k->tier);
    k->flags = dpc_zalloc(DPC_MAX_TIERS, sizeof *k->flags);
    k->stack = dpc_alloc(n_vars, sizeof *k->stack);
    k->seen = dpc_zalloc(n_vars, sizeof *k->seen);
    if (!k->forbidden || !k->required || !k->tier || !k->flags || !k->stack || !k->seen) {
        dpc_knowledge_free(k);
        return dpc_fail_memory(err, "the background knowledge");
    }
    for (int v = 0; v < n_vars; v++)
        k->tier[v] = -1;
    *out = k;
    return DPC_OK;
}

void dpc_knowledge_free(dpc_knowledge *k)
{
    if (k == NULL)
        return;
    free(k->forbidden);
    free(k->required);
    free(k->tier);
    free(k->flags);
    free(k->stack);
    free(k->seen);
    free(k);
}

dpc_status dpc_knowledge_copy(const dpc_knowledge *from, dpc_knowledge **out, dpc_error *err)
{
    dpc_knowledge *k;
    DPC_CHECK(dpc_knowledge_new(from->n, &k, err));
    size_t bits = (size_t)(from->words * from->n) * sizeof *from->forbidden;
    memcpy(k->forbidden, from->forbidden, bits);
    memcpy(k->required, from->required, bits);
    memcpy(k->tier, from->tier, (size_t)from->n * sizeof *from->tier);
    memcpy(k->flags, from->flags, DPC_MAX_TIERS * sizeof *from->flags);
    *out = k;
    return DPC_OK;
}

dpc_status dpc_settings_keep(const dpc_settings *settings, dpc_settings *out, dpc_error *err)
{
    dpc_knowledge *knowledge = NULL;
    if (settings->knowledge != NULL)
        DPC_CHECK(dpc_knowledge_copy(settings->knowledge, &knowledge, err));
    *out = *settings;
    out->knowledge = knowledge;
    out->progress = NULL;
    out->progress_user = NULL;
    out->ranks = NULL;
    return DPC_OK;
}

void dpc_settings_release(dpc_settings *settings)
{
    dpc_knowledge_free((dpc_knowledge *)settings->knowledge); /* its own copy */
    settings->knowledge = NULL;
}

/* ---- Does it contradict? ---- */

/* Do the tiers forbid from → to? */
static bool against_tiers(const dpc_knowledge *k, int from, int to)
{
    int first = k->tier[from], second = k->tier[to];
    if (first < 0 || second < 0)
        return false;
    return first > second || (first == second && (k->flags[first] & DPC_TIER_WITHIN) != 0) ||
           (second > first + 1 && (k->flags[first] & DPC_TIER_NEXT) != 0);
}

/* Is there a required edge that the tiers forbid, from or to this variable? */
static bool contradicts(const dpc_knowledge *k, int v)
{
    for (int w = 0; w < k->n; w++)
        if ((bit(k, k->required, v, w) && against_tiers(k, v, w)) ||
            (bit(k, k->required, w, v) && against_tiers(k, w, v)))
            return true;
    return false;
}

/* Is there a way of required edges? */
static bool leads_to(dpc_knowledge *k, int from, int to)
{
    int top = 0;
    k->rounds++;
    k->stack[top++] = from;
    k->seen[from] = k->rounds;
    while (top > 0) {
        const uint64_t *row = k->required + k->stack[--top] * k->words;
        for (int64_t i = 0; i < k->words; i++)
            for (uint64_t left = row[i]; left != 0; left &= left - 1) {
                int w = (int)(64 * i) + __builtin_ctzll(left);
                if (w == to)
                    return true;
                if (k->seen[w] != k->rounds) {
                    k->seen[w] = k->rounds;
                    k->stack[top++] = w;
                }
            }
    }
    return false;
}

static const char *const SELF = "an edge needs two different variables";
static const char *const BOTH = "this edge is both required and forbidden";
static const char *const TIERS = "this edge is required, but the tiers forbid it";

const char *dpc_know_forbidden(dpc_knowledge *k, int from, int to)
{
    if (from == to)
        return SELF;
    if (bit(k, k->required, from, to))
        return BOTH;
    dpc_set_bit(k->forbidden, k->words, from, to);
    return NULL;
}

const char *dpc_know_required(dpc_knowledge *k, int from, int to)
{
    if (from == to)
        return SELF;
    if (bit(k, k->forbidden, from, to))
        return BOTH;
    if (against_tiers(k, from, to))
        return TIERS;
    if (bit(k, k->required, to, from))
        return "this edge is required both ways";
    if (leads_to(k, to, from))
        return "with this edge the required ones make a circle";
    dpc_set_bit(k->required, k->words, from, to);
    return NULL;
}

const char *dpc_know_tier(dpc_knowledge *k, int variable, int tier)
{
    int before = k->tier[variable];
    if (before >= 0 && before != tier)
        return "a variable is in two tiers";
    k->tier[variable] = tier;
    if (!contradicts(k, variable))
        return NULL;
    k->tier[variable] = before;
    return "these tiers forbid an edge that is required";
}

const char *dpc_know_flags(dpc_knowledge *k, int tier, uint8_t flags)
{
    uint8_t before = k->flags[tier];
    k->flags[tier] |= flags;
    for (int v = 0; v < k->n; v++)
        if (k->tier[v] == tier && contradicts(k, v)) {
            k->flags[tier] = before;
            return "this tier forbids an edge that is required";
        }
    return NULL;
}

/* ---- For the public ---- */

static bool in_range(const dpc_knowledge *k, int v)
{
    return v >= 0 && v < k->n;
}

static dpc_status say_edge(dpc_knowledge *k, int from, int to,
                           const char *(*say)(dpc_knowledge *, int, int), dpc_error *err)
{
    if (!in_range(k, from) || !in_range(k, to))
        return dpc_fail(err, DPC_USAGE, "knowledge: the variables are 0 to %d, not %d and %d",
                        k->n - 1, from, to);
    const char *why = say(k, from, to);
    return why == NULL ? DPC_OK
                       : dpc_fail(err, DPC_BAD_INPUT, "knowledge: %d -> %d: %s", from, to, why);
}

dpc_status dpc_knowledge_forbid(dpc_knowledge *k, int from, int to, dpc_error *err)
{
    return say_edge(k, from, to, dpc_know_forbidden, err);
}

dpc_status dpc_knowledge_require(dpc_knowledge *k, int from, int to, dpc_error *err)
{
    return say_edge(k, from, to, dpc_know_required, err);
}

dpc_status dpc_knowledge_tier(dpc_knowledge *k, int variable, int tier, dpc_error *err)
{
    if (!in_range(k, variable) || tier < 0 || tier >= DPC_MAX_TIERS)
        return dpc_fail(err, DPC_USAGE,
                        "knowledge: the variables are 0 to %d and the tiers 0 to %d, not %d and %d",
                        k->n - 1, DPC_MAX_TIERS - 1, variable, tier);
    const char *why = dpc_know_tier(k, variable, tier);
    return why == NULL ? DPC_OK
                       : dpc_fail(err, DPC_BAD_INPUT, "knowledge: variable %d in tier %d: %s",
                                  variable, tier, why);
}

dpc_status dpc_knowledge_restrict(dpc_knowledge *k, int tier, bool within, bool only_next,
                                  dpc_error *err)
{
    if (tier < 0 || tier >= DPC_MAX_TIERS)
        return dpc_fail(err, DPC_USAGE, "knowledge: the tiers are 0 to %d, not %d",
                        DPC_MAX_TIERS - 1, tier);
    uint8_t flags = (uint8_t)((within ? DPC_TIER_WITHIN : 0) | (only_next ? DPC_TIER_NEXT : 0));
    const char *why = dpc_know_flags(k, tier, flags);
    return why == NULL ? DPC_OK : dpc_fail(err, DPC_BAD_INPUT, "knowledge: tier %d: %s", tier, why);
}

bool dpc_knowledge_forbids(const dpc_knowledge *k, int from, int to)
{
    if (!in_range(k, from) || !in_range(k, to))
        return false;
    return from == to || bit(k, k->forbidden, from, to) || bit(k, k->required, to, from) ||
           against_tiers(k, from, to);
}

dpc_known_kind dpc_knowledge_why(const dpc_knowledge *k, int from, int to)
{
    if (k == NULL)
        return DPC_KNOWN_NOTHING;
    if (bit(k, k->required, from, to))
        return DPC_KNOWN_REQUIRED;
    if (against_tiers(k, to, from))
        return DPC_KNOWN_TIERS;
    return dpc_knowledge_forbids(k, to, from) ? DPC_KNOWN_FORBIDDEN : DPC_KNOWN_NOTHING;
}

bool dpc_knowledge_requires(const dpc_knowledge *k, int from, int to)
{
    return in_range(k, from) && in_range(k, to) && bit(k, k->required, from, to);
}

/* Is the same known of two edges? */
static bool same_edge(const dpc_knowledge *k, int from, int to, int other_from, int other_to)
{
    return dpc_knowledge_forbids(k, from, to) == dpc_knowledge_forbids(k, other_from, other_to) &&
           bit(k, k->required, from, to) == bit(k, k->required, other_from, other_to);
}

dpc_status dpc_knowledge_check(const dpc_knowledge *k, int n_vars, dpc_error *err)
{
    if (k == NULL || k->n == n_vars)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "the knowledge is about %d variables, the data have %d", k->n,
                    n_vars);
}

bool dpc_knowledge_same(const dpc_knowledge *k, int a, int b)
{
    bool same = k->tier[a] == k->tier[b] && !dpc_knowledge_forbids(k, a, b) &&
                !dpc_knowledge_forbids(k, b, a);
    for (int v = 0; v < k->n && same; v++)
        if (v != a && v != b)
            same = same_edge(k, a, v, b, v) && same_edge(k, v, a, v, b);
    return same;
}

int dpc_knowledge_tier_of(const dpc_knowledge *k, int variable)
{
    return in_range(k, variable) ? k->tier[variable] : -1;
}

void dpc_knowledge_count(const dpc_knowledge *k, dpc_knowledge_counts *out)
{
    *out = (dpc_knowledge_counts){.n_vars = k->n};
    for (int64_t i = 0; i < k->words * k->n; i++) {
        out->required += __builtin_popcountll(k->required[i]);
        out->forbidden += __builtin_popcountll(k->forbidden[i]);
    }
    for (int v = 0; v < k->n; v++) {
        bool first = k->tier[v] >= 0;
        for (int w = 0; w < v && first; w++)
            first = k->tier[w] != k->tier[v];
        out->tiers += first;
    }
}
