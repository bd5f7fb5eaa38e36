/* Explanations in plain words. */
#include "alloc.h"
#include "output.h"
#include "settings.h"
#include "speaker.h"
#include "status.h"
#include "write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 12 }; /* of a long list */

static const dpc_settings *settings_of(const dpc_speaker *t)
{
    return dpc_result_settings(t->result);
}

void dpc_say_name(const dpc_speaker *t, int node)
{
    for (const char *c = t->names[node]; *c != '\0'; c++)
        putc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, t->file);
}

void dpc_say_names(const dpc_speaker *t, const int32_t *members, int count)
{
    int shown = count > MOST_NAMED + 2 ? MOST_NAMED : count;
    if (count == 0)
        fputs("none", t->file);
    for (int i = 0; i < shown; i++) {
        fputs(i > 0 ? ", " : "", t->file);
        dpc_say_name(t, members[i]);
    }
    if (shown < count)
        fprintf(t->file, " and %d others", count - shown);
}

/* Do tiers keep variables out of the sets? */
static const char *allowed(const dpc_speaker *t)
{
    dpc_knowledge_counts about = {0};
    if (settings_of(t)->knowledge != NULL)
        dpc_knowledge_count(settings_of(t)->knowledge, &about);
    return about.tiers > 1 ? " that the tiers allow" : "";
}

static void say_p(const dpc_speaker *t, double p)
{
    if (p < 1e-300)
        fputs("p below 1e-300", t->file);
    else
        fprintf(t->file, "p = %.3g", p);
}

/* ---- Tests ---- */

/* Given what, and what test that is. */
static void say_set(const dpc_speaker *t, const dpc_pair_test *test, int a, int b)
{
    const dpc_sepset *what = &test->what;
    int other = what->from == a ? b : a;
    if (what->kind == DPC_SEP_MARGINAL) {
        fputs("given nothing (marginal test)", t->file);
    } else if (what->kind == DPC_SEP_FULL_ORDER) {
        fprintf(t->file, "given all %d others%s (full-order test)", what->size, allowed(t));
    } else {
        fputs("given ", t->file);
        dpc_say_names(t, test->members, what->size);
        if (t->by_pdsep) {
            fputs(" (from Possible-D-SEP of ", t->file);
            dpc_say_name(t, what->from);
            putc(')', t->file);
            return;
        }
        fputs(what->kind == DPC_SEP_FULL_S ? " (all neighbours of " : " (from the neighbours of ",
              t->file);
        dpc_say_name(t, what->from);
        if (what->kind == DPC_SEP_FULL_S) {
            fputs(" but ", t->file);
            dpc_say_name(t, other);
            fputs(allowed(t), t->file);
        }
        fprintf(t->file, ": %s test)",
                what->kind == DPC_SEP_FULL_S ? "full-S"
                : what->kind == DPC_SEP_DUAL ? "dual"
                                             : "primal");
    }
}

/* Of variables of several columns: "F(3, 595) = 4.2". */
static void say_f(const dpc_speaker *t, const dpc_f_test *f)
{
    if (f == NULL)
        return;
    for (int i = 0; i < f->n_canonical && f->n_canonical > 1; i++)
        fprintf(t->file, "%s%.3f", i == 0 ? "canonical correlations " : ", ", f->canonical[i]);
    fputs(f->n_canonical > 1 ? ", " : "", t->file);
    if (f->df2 > 0)
        fprintf(t->file, "F(%.6g, %.6g) = %.3g, ", f->df1, f->df2, f->f);
    else if (f->df1 > 0)
        fprintf(t->file, "G2(%.6g) = %.3g, ", f->df1, f->f);
}

static void say_figures(const dpc_speaker *t, const dpc_pair_test *test, const dpc_f_test *f)
{
    const dpc_sepset *what = &test->what;
    const char *noun = f != NULL && !f->is_signed ? "association" : "correlation";
    fprintf(t->file, " the %s%s is %.3f, ", what->size > 0 ? "partial " : "", noun, what->r);
    say_f(t, f);
    say_p(t, what->p);
    if (dpc_has_own_n(t->result))
        fprintf(t->file, ", N = %lld", (long long)what->n_obs);
    fprintf(t->file, ", effective sample size %lld", (long long)test->ess);
}

static double alpha_of(const dpc_speaker *t, dpc_sep_kind kind)
{
    const dpc_settings *s = settings_of(t);
    bool dual = kind == DPC_SEP_FULL_ORDER || kind == DPC_SEP_FULL_S || kind == DPC_SEP_DUAL;
    return dual && s->alpha_dual > 0 ? s->alpha_dual : s->alpha;
}

static void say_near(const dpc_speaker *t, const dpc_explanation *e)
{
    fputs("  considered: neighbours of ", t->file);
    dpc_say_name(t, e->a);
    fputs(": ", t->file);
    dpc_say_names(t, e->near_a, e->n_near_a);
    fputs("; of ", t->file);
    dpc_say_name(t, e->b);
    fputs(": ", t->file);
    dpc_say_names(t, e->near_b, e->n_near_b);
    putc('\n', t->file);
}

/* What the knowledge has decided, so that no test did. */
static void say_known(const dpc_speaker *t, dpc_known_kind known)
{
    switch (known) {
    case DPC_KNOWN_NOTHING:
        break;
    case DPC_KNOWN_REQUIRED:
        fputs("the knowledge requires it; it was never tested.\n", t->file);
        break;
    case DPC_KNOWN_FORBIDDEN:
    case DPC_KNOWN_TIERS:
        fprintf(t->file, "%s it both ways; it was never tested.\n",
                known == DPC_KNOWN_TIERS ? "the tiers forbid" : "the knowledge forbids");
        break;
    case DPC_KNOWN_CIRCLE:
        fputs("the tests have kept it, but the directions that the knowledge leaves for it and for "
              "other edges would make a circle; of those not required it was the weakest.\n",
              t->file);
        break;
    }
}

static void say_absent(const dpc_speaker *t, const dpc_explanation *e)
{
    fprintf(t->file, "removed at level %d; ", e->test.what.level);
    say_set(t, &e->test, e->a, e->b);
    say_figures(t, &e->test, e->test_f);
    fputs(".\n", t->file);
    if (e->other.what.kind != DPC_SEP_NONE) {
        fprintf(t->file, "  the other end agreed at level %d: ", e->other.what.level);
        say_set(t, &e->other, e->a, e->b);
        say_figures(t, &e->other, e->other_f);
        fputs(".\n", t->file);
    }
    if (e->mark != DPC_NONE)
        fputs("  the repair of the PAG has joined the pair: without the edge the graph would imply "
              "an independence that the tests have not found.\n",
              t->file);
    if (e->test.what.level > 0 && !e->by_pdsep)
        say_near(t, e);
}

static void say_present(const dpc_speaker *t, const dpc_explanation *e)
{
    if (e->test.what.kind == DPC_SEP_NONE) {
        fputs("no test could be made.\n", t->file);
    } else {
        fprintf(t->file, "%s; the closest call, at level %d: ",
                e->other.what.kind == DPC_SEP_NONE ? "it survived all tests"
                                                   : "the tests of one end have kept it",
                e->test.what.level);
        say_set(t, &e->test, e->a, e->b);
        say_figures(t, &e->test, e->test_f);
        fprintf(t->file, "; alpha is %g.\n", alpha_of(t, e->test.what.kind));
    }
    if (e->other.what.kind != DPC_SEP_NONE) {
        fprintf(t->file, "  one end would have removed it at level %d: ", e->other.what.level);
        say_set(t, &e->other, e->a, e->b);
        say_figures(t, &e->other, e->other_f);
        fputs("; the other end found no such set, and the AND rule asks both.\n", t->file);
    }
    if (e->mark == DPC_NONE)
        fputs("  the repair of the PAG removed the edge: the directions that the knowledge leaves "
              "for it and for other edges would make a cycle.\n",
              t->file);
    if (!e->all_tests)
        fprintf(t->file, "  only the first %lld tests were looked at; there were too many\n",
                (long long)e->tests);
}

/* Is a column a copy of another, which was tested in its place? */
static void say_copy(const dpc_speaker *t, int column)
{
    const int32_t *copy_of = dpc_result_info(t->result)->copy_of;
    if (copy_of == NULL || copy_of[column] < 0)
        return;
    fputs("  ", t->file);
    dpc_say_name(t, column);
    fputs(" is a copy of ", t->file);
    dpc_say_name(t, copy_of[column]);
    fputs(", which was tested in its place.\n", t->file);
}

static void say_interval(const dpc_speaker *t, const dpc_explanation *e)
{
    if (e->order == 0)
        fputs("  neither has other neighbours", t->file);
    else
        fprintf(t->file, "  given %s%d other neighbour%s of the two",
                e->order > 1 ? "all " : "the ", e->order, e->order > 1 ? "s" : "");
    if (!isnan(e->r) && isnan(e->low))
        fprintf(t->file, ": %sassociation %.3f.\n", e->order > 0 ? "partial " : "", e->r);
    else if (!isnan(e->r))
        fprintf(t->file, ": %scorrelation %.3f, 95 %% interval %.3f to %.3f.\n",
                e->order > 0 ? "partial " : "", e->r, e->low, e->high);
    else if (dpc_has_own_n(t->result))
        fputs(": no partial correlation: too few rows in common, or no variance left.\n", t->file);
    else if (dpc_result_info(t->result)->n_obs - e->order - 3 < 1)
        fputs(": too few observations for a partial correlation.\n", t->file);
    else
        fputs(": no partial correlation, for they leave no variance.\n", t->file);
}

/* ---- The score ---- */

static void say_score(const dpc_speaker *t, const dpc_explanation *e)
{
    int from = e->test.what.from, to = e->a + e->b - from;
    bool skeleton = dpc_result_settings(t->result)->graph == DPC_SKELETON;
    if (from < 0 || isnan(e->gain)) {
        fputs(from >= 0  ? "there is no score, for no variance is left.\n"
              : skeleton ? "the skeleton alone has no score.\n"
                         : "in one DAG of the class it cannot be inserted: it would close a cycle, "
                           "the knowledge forbids it, or the rows allow no more parents.\n",
              t->file);
        return;
    }
    fputs(e->mark == DPC_NONE ? "the better way to insert it, " : "in one DAG of the class, ",
          t->file);
    dpc_say_name(t, from);
    fputs(" --> ", t->file);
    dpc_say_name(t, to);
    fprintf(t->file,
            e->mark == DPC_NONE ? ", would change the score by %.3f"
                                : ", it adds %.3f to the score",
            e->gain);
    fputs(e->test.what.size > 0 ? ", beside the parents " : ", beside no other parents", t->file);
    if (e->test.what.size > 0)
        dpc_say_names(t, e->test.members, e->test.what.size);
    fprintf(t->file, "; r = %.3f.\n", e->test.what.r);
}

/* ---- Directions ---- */

dpc_sepset dpc_say_separation_of(const dpc_speaker *t, int a, int b)
{
    dpc_sepset set = {.kind = DPC_SEP_NONE};
    if (dpc_separating_set(t->result, a, b, &set, t->members, NULL) != DPC_OK)
        *t->failed = true;
    return set;
}

static void say_arrow(const dpc_speaker *t, int from, int to)
{
    dpc_say_name(t, from);
    fputs(" --> ", t->file);
    dpc_say_name(t, to);
}

static void say_both(const dpc_speaker *t, int a, int b)
{
    dpc_say_name(t, a);
    fputs(" and ", t->file);
    dpc_say_name(t, b);
}

/* What separated the ends of a v-structure. */
static void say_separation(const dpc_speaker *t, const dpc_reason *reason)
{
    dpc_sepset set = dpc_say_separation_of(t, reason->from, reason->other[0]);
    bool inside = false;
    say_both(t, reason->from, reason->other[0]);
    fputs(" are not adjacent", t->file);
    if (set.kind == DPC_SEP_FORBIDDEN)
        fputs(", but by the knowledge and not by a test, so no data speak for it", t->file);
    if (set.kind == DPC_SEP_NONE || set.kind == DPC_SEP_FORBIDDEN)
        return;
    for (int i = 0; i < set.size; i++)
        inside = inside || t->members[i] == reason->to;
    fputs(", and independent given ", t->file);
    if (set.kind == DPC_SEP_FULL_ORDER)
        fputs("all others", t->file);
    else if (set.size == 0)
        fputs("nothing", t->file);
    else
        dpc_say_names(t, t->members, set.size);
    if (set.size > 0) {
        fputs(inside ? ", which hold " : ", without ", t->file);
        dpc_say_name(t, reason->to);
    }
    dpc_orientation rule = settings_of(t)->orient;
    if (rule == DPC_MAJORITY || rule == DPC_CONSERVATIVE)
        fputs("; all separating sets were asked", t->file);
}

static void say_v_structure(const dpc_speaker *t, const dpc_reason *reason)
{
    const int32_t *other = reason->other;
    fputs(" <-- ", t->file);
    dpc_say_name(t, other[0]);
    fputs(", a v-structure: ", t->file);
    say_separation(t, reason);
    if (reason->kind == DPC_REASON_CONTESTED && other[1] < 0)
        fputs("; its second arrow is left out, for it would lie in a cycle", t->file);
    if (reason->kind == DPC_REASON_V_STRUCTURE ||
        (reason->kind == DPC_REASON_CONTESTED && other[1] < 0))
        return;
    fputs(reason->kind == DPC_REASON_OVERWRITTEN ? "; its second arrow was overwritten by "
                                                 : "; its second arrow is left out, for there is ",
          t->file);
    say_arrow(t, reason->to, other[0]);
    if (other[1] >= 0) {
        fputs(" <-- ", t->file);
        dpc_say_name(t, other[1]);
    }
}

static void say_known_arrow(const dpc_speaker *t, const dpc_reason *reason)
{
    if (reason->known == DPC_KNOWN_REQUIRED) {
        fputs(", which the knowledge requires", t->file);
    } else if (reason->known == DPC_KNOWN_TIERS) {
        fputs(", for ", t->file);
        dpc_say_name(t, reason->from);
        fputs(" is in an earlier tier", t->file);
    } else {
        fputs(", for the knowledge forbids ", t->file);
        say_arrow(t, reason->to, reason->from);
    }
}

/* Whether it is the data that say of two nodes what a rule makes of them. */
static void say_if_mute(const dpc_speaker *t, int a, int b)
{
    if (dpc_say_separation_of(t, a, b).kind == DPC_SEP_FORBIDDEN) {
        fputs("; that is a choice, for the knowledge keeps ", t->file);
        say_both(t, a, b);
        fputs(" apart and no test does", t->file);
    }
}

static void say_rule(const dpc_speaker *t, const dpc_reason *reason)
{
    const int32_t *other = reason->other;
    fputs(", for ", t->file);
    switch (reason->kind) {
    case DPC_REASON_RULE_1:
        say_arrow(t, other[0], reason->from);
        fputs(", ", t->file);
        say_both(t, other[0], reason->to);
        fputs(" are not adjacent, and ", t->file);
        dpc_say_name(t, reason->from);
        fputs(" is no collider between them (rule 1)", t->file);
        say_if_mute(t, other[0], reason->to);
        break;
    case DPC_REASON_RULE_2:
        say_arrow(t, reason->from, other[0]);
        fputs(" --> ", t->file);
        dpc_say_name(t, reason->to);
        fputs(", and there is no cycle (rule 2)", t->file);
        break;
    case DPC_REASON_RULE_3:
        say_arrow(t, other[0], reason->to);
        fputs(" <-- ", t->file);
        dpc_say_name(t, other[1]);
        fputs(", both adjacent to ", t->file);
        dpc_say_name(t, reason->from);
        fputs(", which is no collider between them (rule 3)", t->file);
        say_if_mute(t, other[0], other[1]);
        break;
    default: /* DPC_REASON_RULE_4 */
        say_arrow(t, other[0], other[1]);
        fputs(" --> ", t->file);
        dpc_say_name(t, reason->to);
        fputs(", all adjacent to ", t->file);
        dpc_say_name(t, reason->from);
        fputs(", which is no collider between ", t->file);
        say_both(t, other[0], reason->to);
        fputs(", and there is no cycle (rule 4)", t->file);
        say_if_mute(t, other[0], reason->to);
        break;
    }
}

static void say_reason(const dpc_speaker *t, const dpc_reason *reason)
{
    say_arrow(t, reason->from, reason->to);
    switch (reason->kind) {
    case DPC_REASON_V_STRUCTURE:
    case DPC_REASON_OVERWRITTEN:
    case DPC_REASON_CONTESTED:
        say_v_structure(t, reason);
        break;
    case DPC_REASON_RULE_1:
    case DPC_REASON_RULE_2:
    case DPC_REASON_RULE_3:
    case DPC_REASON_RULE_4:
        say_rule(t, reason);
        break;
    case DPC_REASON_KNOWLEDGE:
        say_known_arrow(t, reason);
        break;
    case DPC_REASON_CONFLICT:
        fputs(", left by a conflict of v-structures: no other arrow of the graph explains it",
              t->file);
        break;
    }
    if (!isnan(reason->evidence) && reason->evidence != 0) /* 0: no data speak */
        fprintf(t->file, " (evidence %+.2f)", reason->evidence);
}

/* The reasons of an arrow, behind something that has been said. */
static void say_reasons(const dpc_speaker *t, const dpc_explanation *e)
{
    if (e->n_reasons == 1) {
        say_reason(t, &e->reasons[0]);
        fputs(".\n", t->file);
        return;
    }
    fprintf(t->file, "it follows in %d steps", e->n_reasons);
    if (isfinite(e->evidence))
        fprintf(t->file, ", with evidence %+.2f", e->evidence);
    fputs(".\n", t->file);
    for (int i = 0; i < e->n_reasons; i++) {
        fprintf(t->file, "    %d. ", i + 1);
        say_reason(t, &e->reasons[i]);
        fputs(".\n", t->file);
    }
}

/* An arrow that min_evidence has left out. */
static void say_left_out(const dpc_speaker *t, const dpc_explanation *e)
{
    const dpc_reason *last = &e->reasons[e->n_reasons - 1];
    fputs("  direction: left open, for the evidence of ", t->file);
    say_arrow(t, last->from, last->to);
    fprintf(t->file, ", %+.2f, is below %g: ", e->evidence, settings_of(t)->min_evidence);
    say_reasons(t, e);
}

static void say_direction(const dpc_speaker *t, const dpc_explanation *e)
{
    const dpc_settings *settings = settings_of(t);
    if (settings->graph == DPC_SKELETON)
        return;
    if (e->mark == DPC_UNDIRECTED && e->n_reasons > 0) {
        say_left_out(t, e);
        return;
    }
    if (e->mark == DPC_UNDIRECTED) {
        bool valid = dpc_by_score(settings) || settings->orient == DPC_CONSISTENT;
        bool pattern = settings->graph == DPC_PATTERN;
        fprintf(t->file, "  direction: none; no %sv-structure%s decides it%s.\n",
                settings->knowledge == NULL ? ""
                : pattern                   ? "knowledge or "
                                            : "knowledge, ",
                pattern ? "" : " or rule", !pattern && valid ? ", and both are in the class" : "");
        return;
    }
    fputs("  direction: ", t->file);
    say_reasons(t, e);
}

static void say_title(const dpc_speaker *t, const dpc_explanation *e)
{
    bool turn = e->mark == DPC_BACKWARD;
    fputs(e->mark == DPC_NONE ? "why no edge " : "why ", t->file);
    dpc_say_name(t, turn ? e->b : e->a);
    if (e->mark == DPC_NONE)
        fputs(", ", t->file);
    else
        fprintf(t->file, " %s ", dpc_mark_text(turn ? DPC_FORWARD : e->mark));
    dpc_say_name(t, turn ? e->a : e->b);
    fputs(": ", t->file);
}

/* For dpc_printing: `what` is of this kind. */
typedef struct telling {
    const dpc_result *result;
    const char *const *names;
    const dpc_explanation *explanation;
} telling;

static dpc_status print_explanation(FILE *file, const dpc_printing *output, dpc_error *err)
{
    const telling *what = output->what;
    const dpc_explanation *e = what->explanation;
    bool failed = false;
    bool pag = dpc_result_settings(what->result)->latent != DPC_HIDDEN_NONE;
    bool searched = dpc_result_info(what->result)->hidden != NULL;
    dpc_speaker t = {file, what->result, what->names, NULL, &failed, e->by_pdsep};
    t.members = dpc_alloc(dpc_result_info(t.result)->n_vars, sizeof *t.members);
    if (t.members == NULL)
        return dpc_fail_memory(err, "a separating set");
    say_title(&t, e);
    if (e->known != DPC_KNOWN_NOTHING)
        say_known(&t, e->known);
    else if (searched)
        dpc_say_lost(&t, e);
    else if (dpc_by_score(settings_of(&t)))
        say_score(&t, e);
    else if (e->tested == DPC_NONE)
        say_absent(&t, e);
    else
        say_present(&t, e);
    if (!dpc_by_score(settings_of(&t))) {
        say_copy(&t, e->a);
        say_copy(&t, e->b);
    }
    if (e->mark != DPC_NONE) {
        say_interval(&t, e);
        if (pag)
            dpc_say_ends(&t, e);
        else
            say_direction(&t, e);
    }
    free(t.members);
    return failed ? dpc_fail_memory(err, "a separating set") : DPC_OK;
}

dpc_status dpc_explanation_string(const dpc_result *result, const char *const *names,
                                  const dpc_explanation *explanation, char **out, size_t *length,
                                  dpc_error *err)
{
    telling what = {result, names, explanation};
    dpc_printing output = {.fd = -1, .print = print_explanation, .what = &what};
    size_t size;
    return dpc_printing_string(&output, NULL, out, length != NULL ? length : &size, err);
}
