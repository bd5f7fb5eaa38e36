/* The slow twin of climbing: see step_twin.h. */
#include "step_twin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- What is known ---- */

void rules_of(const dpc_knowledge *knowledge, int n, struct rules *rules)
{
    *rules = (struct rules){0};
    for (int v = 0; v < n && knowledge != NULL; v++)
        for (int u = 0; u < n; u++) {
            if (u == v)
                continue;
            rules->required[v] |= (uint64_t)dpc_knowledge_requires(knowledge, u, v) << u;
            bool banned =
                dpc_knowledge_forbids(knowledge, u, v) || dpc_knowledge_requires(knowledge, v, u);
            rules->banned[v] |= (uint64_t)banned << u;
        }
}

bool within_rules(const struct rules *rules, int n, const uint64_t *parents)
{
    for (int v = 0; v < n; v++)
        if ((parents[v] & rules->banned[v]) != 0 || (rules->required[v] & ~parents[v]) != 0)
            return false;
    return true;
}

struct obedient {
    const struct rules *rules;
    int n;
    bool found;
};

static void look_at_member(void *context, const uint64_t *parents)
{
    struct obedient *o = context;
    o->found = o->found || within_rules(o->rules, o->n, parents);
}

static bool class_is_within(const struct rules *rules, int n, const uint64_t *parents)
{
    struct obedient o = {rules, n, false};
    twin_members(n, parents, 5000, look_at_member, &o);
    return o.found;
}

/* ---- Steps ---- */

struct looking {
    const struct score_twin *twin;
    const struct rules *rules;
    bool class_wide;
    int n;
    uint64_t now[TWIN_NODES];
    double score[TWIN_NODES];
    struct twin_step best;
};

/* Below this a variance given others may be what rounding has left. */
static const double FIRM = 1e-8;

/* Of steps whose gains differ by no more, the first is the best: by `to`, then `from`. */
static const double TIED = 1e-7;

bool twin_is_firm(const struct score_twin *t, int v, uint64_t set)
{
    return twin_least_left(t, v, set) >= FIRM;
}

/* The score of a family; NaN where it is not firm. */
static double firm_family(const struct score_twin *t, int v, uint64_t set)
{
    return twin_is_firm(t, v, set) ? twin_family(t, v, set) : NAN;
}

static bool acyclic(const uint64_t *parents, int n)
{
    uint64_t done = 0;
    for (int round = 0; round < n; round++)
        for (int v = 0; v < n; v++)
            if ((parents[v] & ~done) == 0)
                done |= UINT64_C(1) << v;
    return done == (n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0));
}

static bool allowed(const struct looking *l, const uint64_t *parents)
{
    for (int v = 0; v < l->n; v++)
        if ((parents[v] & ~l->now[v]) != 0 &&
            __builtin_popcountll(parents[v]) > l->twin->most_parents)
            return false;
    if (!acyclic(parents, l->n))
        return false;
    if (l->rules == NULL)
        return true;
    return l->class_wide ? class_is_within(l->rules, l->n, parents)
                         : within_rules(l->rules, l->n, parents);
}

static void consider(struct looking *l, struct twin_step step)
{
    uint64_t parents[TWIN_NODES];
    memcpy(parents, l->now, sizeof parents);
    twin_take(&step, parents);
    step.gain = firm_family(l->twin, step.to, parents[step.to]) - l->score[step.to];
    if (step.kind == TWIN_TURN)
        step.gain += firm_family(l->twin, step.from, parents[step.from]) - l->score[step.from];
    if (step.gain > l->best.gain + TIED && allowed(l, parents)) /* not where it is NaN */
        l->best = step;
}

static void consider_pair(struct looking *l, int kinds, int u, int v)
{
    bool there = l->now[v] >> u & 1, turned = l->now[u] >> v & 1;
    if (there && (kinds & TWIN_DELETE))
        consider(l, (struct twin_step){.kind = TWIN_DELETE, .from = u, .to = v});
    if (there && (kinds & TWIN_TURN))
        consider(l, (struct twin_step){.kind = TWIN_TURN, .from = u, .to = v});
    if (there || turned)
        return;
    if (kinds & TWIN_ADD)
        consider(l, (struct twin_step){.kind = TWIN_ADD, .from = u, .to = v});
    for (int w = 0; w < l->n; w++)
        if ((kinds & TWIN_SWAP) && (l->now[v] >> w & 1))
            consider(l, (struct twin_step){.kind = TWIN_SWAP, .from = u, .to = v, .out = w});
}

static struct twin_step best_of(struct looking *l, int kinds, const uint64_t *parents)
{
    l->n = l->twin->n;
    l->best.gain = -INFINITY;
    for (int v = 0; v < l->n; v++) {
        l->now[v] = parents[v];
        l->score[v] = firm_family(l->twin, v, parents[v]);
    }
    for (int v = 0; v < l->n; v++)
        for (int u = 0; u < l->n; u++)
            if (u != v)
                consider_pair(l, kinds, u, v);
    return l->best;
}

struct twin_step twin_best_step(const struct score_twin *twin, const struct rules *rules, int kinds,
                                const uint64_t *parents)
{
    struct looking l = {.twin = twin, .rules = rules};
    return best_of(&l, kinds, parents);
}

struct twin_step twin_best_class_step(const struct score_twin *twin, const struct rules *rules,
                                      int kinds, const uint64_t *parents)
{
    struct looking l = {.twin = twin, .rules = rules, .class_wide = true};
    return best_of(&l, kinds, parents);
}

void twin_take(const struct twin_step *s, uint64_t *parents)
{
    uint64_t from = UINT64_C(1) << s->from;
    if (s->kind == TWIN_ADD || s->kind == TWIN_SWAP)
        parents[s->to] |= from;
    else
        parents[s->to] &= ~from;
    if (s->kind == TWIN_TURN)
        parents[s->from] |= UINT64_C(1) << s->to;
    if (s->kind == TWIN_SWAP)
        parents[s->to] &= ~(UINT64_C(1) << s->out);
}

const char *twin_words(const struct twin_step *s)
{
    static char words[120];
    int used = snprintf(words, sizeof words, "to %s %d -> %d",
                        s->kind == TWIN_ADD      ? "add"
                        : s->kind == TWIN_DELETE ? "delete"
                        : s->kind == TWIN_TURN   ? "turn"
                                                 : "swap in",
                        s->from, s->to);
    if (s->kind == TWIN_SWAP)
        used += snprintf(words + used, sizeof words - (size_t)used, " for %d", s->out);
    snprintf(words + used, sizeof words - (size_t)used, " gains %g", s->gain);
    return words;
}
