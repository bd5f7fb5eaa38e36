/*
 * Why the edges of a PAG have their marks, and what it would cost to change them.
 *
 * The marks: the rules are applied once more, to the edges of the graph as it is, with one of its
 * MAGs as the judge; what they write down is the answer. So it is about the final graph, also where
 * that had to be repaired. The cost: mag_search.h, of the MAG that a search has found.
 */
#include "explain.h"

#include "alloc.h"
#include "canonical.h"
#include "constraints.h"
#include "known_marks.h"
#include "mag_search.h"
#include "pag.h"
#include "status.h"

#include <math.h>

/* ---- Marks ---- */

static dpc_end_reason reason_of(const dpc_mixed *again, const dpc_mark_reason *reasons, int from,
                                int to, dpc_end end)
{
    int64_t slot = dpc_slot(again->graph, from, to);
    dpc_end_reason out = {end, DPC_RULE_NONE, {-1, -1, -1, -1}};
    if (reasons[slot].rule == DPC_RULE_OF_NOTHING || again->end[slot] != end)
        return out;
    out.rule = reasons[slot].rule;
    for (int i = 0; i < 4; i++)
        out.other[i] = reasons[slot].other[i];
    return out;
}

/* All marks once more, from circles. */
static dpc_status apply_rules(const dpc_constraints *known, const dpc_pag_rules *rules,
                              dpc_mixed *pag)
{
    dpc_pag_start(rules, pag);
    dpc_know_marks(known, pag, rules->reasons);
    return dpc_pag_apply(rules, pag);
}

static dpc_status explain_ends(const dpc_result *result, const dpc_constraints *known,
                               dpc_explanation *e)
{
    dpc_graph mag = {0};
    dpc_mixed judge = {0}, again = {0};
    DPC_CHECK(dpc_mag_of_pag(&result->found.graph, &mag));
    dpc_status status = dpc_mixed_of(&mag, NULL, &judge);
    dpc_pag_rules rules = dpc_rules_of_mag(&judge, result->settings.selection);
    if (status == DPC_OK)
        status = dpc_mixed_init(judge.graph, &again);
    if (status == DPC_OK) {
        rules.reasons = dpc_alloc(dpc_slots(judge.graph), sizeof *rules.reasons);
        status = rules.reasons != NULL ? apply_rules(known, &rules, &again) : DPC_NO_MEMORY;
    }
    if (status == DPC_OK) {
        e->end_a = reason_of(&again, rules.reasons, e->b, e->a, dpc_end_a(e->mark));
        e->end_b = reason_of(&again, rules.reasons, e->a, e->b, dpc_end_b(e->mark));
    }
    free(rules.reasons);
    dpc_mixed_clear(&again);
    dpc_mixed_clear(&judge);
    dpc_graph_clear(&mag);
    return status;
}

/* ---- Scores ---- */

/* In the labels of the search, so that the places of the columns do not matter. */
static dpc_status find_loss(const dpc_result *result, const dpc_settings *settings,
                            const dpc_labels *labels, dpc_explanation *e, dpc_error *err)
{
    const dpc_view view = dpc_view_of(result->correlation, labels);
    const dpc_labels back = {.column = labels->label, .label = labels->column};
    const dpc_mag_plan plan = {.price = result->hidden.price,
                               .hidden_price = result->hidden.hidden_price,
                               .memory = INFINITY};
    int a = dpc_label_of(labels, e->a), b = dpc_label_of(labels, e->b);
    dpc_constraints *known = NULL;
    dpc_graph mag = {0};
    dpc_mag_loss loss = {NAN, NAN, NAN, NAN};
    DPC_CHECK(dpc_constraints_new(settings->knowledge, labels, &known, err));
    dpc_status status = dpc_fail_as(err, dpc_graph_duplicate(&result->mag, &mag), "an explanation");
    if (status == DPC_OK) {
        dpc_labels_undo_graph(&back, &mag);
        status = dpc_mag_loss_of(&view, known, settings, &plan, &mag, a < b ? a : b, a < b ? b : a,
                                 &loss, err);
    }
    e->lost = (dpc_score_lost){loss.none, a < b ? loss.forward : loss.backward,
                               a < b ? loss.backward : loss.forward, loss.both};
    dpc_graph_clear(&mag);
    dpc_constraints_free(known);
    return status;
}

static dpc_status explain_lost(const dpc_result *result, const dpc_settings *settings,
                               dpc_explanation *e, dpc_error *err)
{
    dpc_labels labels = {0};
    DPC_CHECK(dpc_labels_make(result->correlation, settings, &labels, err));
    dpc_status status = find_loss(result, settings, &labels, e, err);
    dpc_labels_clear(&labels);
    return status;
}

/* ---- Both ---- */

dpc_status dpc_explain_pag(const dpc_result *result, const dpc_settings *settings,
                           dpc_explanation *e, dpc_error *err)
{
    const dpc_labels columns = {0};
    dpc_constraints *known = NULL;
    if (result->hidden.mag != NULL)
        DPC_CHECK(explain_lost(result, settings, e, err));
    if (e->mark == DPC_NONE)
        return DPC_OK;
    DPC_CHECK(dpc_constraints_new(settings->knowledge, &columns, &known, err));
    dpc_status status = dpc_fail_as(err, explain_ends(result, known, e), "an explanation");
    dpc_constraints_free(known);
    return status;
}
