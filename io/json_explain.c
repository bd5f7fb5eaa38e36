/* The explanations of a report as JSON: see the man page for the fields. */
#include "write.h"

#include "alloc.h"
#include "settings.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>

static void write_key(FILE *file, const char *name)
{
    fprintf(file, ", \"%s\": ", name);
}

static void write_names(FILE *file, const char *name, const dpc_report *report,
                        const int32_t *members, int count)
{
    write_key(file, name);
    dpc_print_json_names(file, "", report->names, members, count);
}

/* What background knowledge says, in a word; null: nothing. */
static void write_known(FILE *file, dpc_known_kind known)
{
    write_key(file, "knowledge");
    fprintf(file, known == DPC_KNOWN_NOTHING ? "null" : "\"%s\"", dpc_word(DPC_WORD_KNOWN, known));
}

void dpc_print_json_f(FILE *file, const dpc_f_test *f)
{
    if (f == NULL)
        return;
    write_key(file, "statistic");
    bool counts = f->df2 == 0 && f->df1 > 0;
    fputs(counts ? "\"G2\"" : "\"F\"", file);
    dpc_print_json_value(file, counts ? "g2" : "f", f->f);
    dpc_print_json_value(file, "df1", f->df1);
    if (!counts)
        dpc_print_json_value(file, "df2", f->df2);
    fprintf(file, ", \"equations\": %d, \"canonical\": [", f->equations);
    for (int i = 0; i < f->n_canonical; i++) {
        fputs(i > 0 ? ", " : "", file);
        dpc_print_json_number(file, f->canonical[i]);
    }
    putc(']', file);
}

/* A test of a PC algorithm; null: there is none. */
static void write_test(FILE *file, const char *name, const dpc_report *report,
                       const dpc_pair_test *test, const dpc_f_test *f)
{
    const dpc_sepset *what = &test->what;
    write_key(file, name);
    if (what->kind == DPC_SEP_NONE || what->kind == DPC_SEP_FORBIDDEN) {
        fputs("null", file);
        return;
    }
    fprintf(file, "{\"kind\": \"%s\"", dpc_word(DPC_WORD_SEPARATION, what->kind));
    write_names(file, "set", report, test->members, what->size);
    fprintf(file, ", \"order\": %d, \"level\": %d, \"from\": ", what->size, what->level);
    if (what->from >= 0)
        dpc_print_json_string(file, report->names[what->from]);
    else
        fputs("null", file);
    dpc_print_json_value(file, "r", what->r);
    dpc_print_json_value(file, "p", what->p);
    dpc_print_json_f(file, f);
    if (dpc_has_own_n(report->result))
        fprintf(file, ", \"n\": %lld", (long long)what->n_obs);
    fprintf(file, ", \"ess\": %lld}", (long long)test->ess);
}

/* What GES has in the place of tests. */
static void write_score(FILE *file, const dpc_report *report, const dpc_explanation *e)
{
    const dpc_sepset *what = &e->test.what;
    write_key(file, "score");
    if (what->from < 0) {
        fputs("null", file);
        return;
    }
    fputs("{\"from\": ", file);
    dpc_print_json_string(file, report->names[what->from]);
    write_key(file, "to");
    dpc_print_json_string(file, report->names[e->a + e->b - what->from]);
    write_names(file, "parents", report, e->test.members, what->size);
    dpc_print_json_value(file, "r", what->r);
    dpc_print_json_value(file, "gain", e->gain);
    putc('}', file);
}

/* How the ends of a v-structure were separated; `members` has room for any set. */
static dpc_status write_separation(FILE *file, const dpc_report *report, const dpc_reason *reason,
                                   int32_t *members, dpc_error *err)
{
    dpc_sepset set;
    if (reason->kind != DPC_REASON_V_STRUCTURE && reason->kind != DPC_REASON_OVERWRITTEN &&
        reason->kind != DPC_REASON_CONTESTED)
        return DPC_OK;
    DPC_CHECK(
        dpc_separating_set(report->result, reason->from, reason->other[0], &set, members, err));
    if (set.kind == DPC_SEP_FORBIDDEN) /* no set, rather than an empty one */
        fputs(", \"separating_set\": null", file);
    else if (set.kind != DPC_SEP_NONE)
        write_names(file, "separating_set", report, members, set.size);
    return DPC_OK;
}

/* Is there a triple in it that the data say something to? */
static bool has_triple(const dpc_reason *reason)
{
    return reason->kind != DPC_REASON_RULE_2 && reason->kind != DPC_REASON_KNOWLEDGE &&
           reason->kind != DPC_REASON_CONFLICT;
}

static dpc_status write_reasons(FILE *file, const dpc_report *report, const dpc_explanation *e,
                                int32_t *members, dpc_error *err)
{
    write_key(file, "reasons");
    putc('[', file);
    for (int i = 0; i < e->n_reasons; i++) {
        const dpc_reason *reason = &e->reasons[i];
        fprintf(file, "%s{\"kind\": \"%s\", \"from\": ", i > 0 ? ",\n      " : "\n      ",
                dpc_word(DPC_WORD_REASON, reason->kind));
        dpc_print_json_string(file, report->names[reason->from]);
        write_key(file, "to");
        dpc_print_json_string(file, report->names[reason->to]);
        write_names(file, "others", report, reason->other,
                    (reason->other[0] >= 0) + (reason->other[1] >= 0));
        if (reason->kind == DPC_REASON_KNOWLEDGE)
            write_known(file, reason->known);
        DPC_CHECK(write_separation(file, report, reason, members, err));
        if (has_triple(reason) && !dpc_by_score(dpc_result_settings(report->result)))
            dpc_print_json_value(file, "evidence", reason->evidence);
        putc('}', file);
    }
    putc(']', file);
    return DPC_OK;
}

/* ---- Hidden causes ---- */

static void write_end(FILE *file, const dpc_report *report, int at, const dpc_end_reason *why)
{
    static const char *const WORDS[] = {"none", "circle", "arrow", "tail"};
    int others = 0;
    fputs("{\"at\": ", file);
    dpc_print_json_string(file, report->names[at]);
    fprintf(file, ", \"mark\": \"%s\", \"rule\": ", WORDS[why->end]);
    if (why->rule == DPC_RULE_NONE)
        fputs("null", file);
    else if (why->rule == DPC_RULE_KNOWN)
        fputs("\"knowledge\"", file);
    else
        fprintf(file, "\"R%d\"", why->rule);
    while (others < 4 && why->other[others] >= 0)
        others++;
    write_names(file, "others", report, why->other, others);
    putc('}', file);
}

static void write_pag(FILE *file, const dpc_report *report, const dpc_explanation *e)
{
    if (e->mark != DPC_NONE) {
        fputs(", \"ends\": [", file);
        write_end(file, report, e->a, &e->end_a);
        fputs(", ", file);
        write_end(file, report, e->b, &e->end_b);
        putc(']', file);
    }
    if (dpc_result_info(report->result)->repaired) {
        fputs(", \"tested\": ", file);
        fprintf(file, e->tested != DPC_NONE ? "\"%s\"" : "%s",
                e->tested != DPC_NONE ? dpc_mark_text(e->tested) : "null");
    }
    if (dpc_result_info(report->result)->hidden == NULL)
        return;
    fputs(", \"score_lost\": {\"none\": ", file);
    dpc_print_json_number(file, e->lost.none);
    dpc_print_json_value(file, "-->", e->lost.forward);
    dpc_print_json_value(file, "<--", e->lost.backward);
    dpc_print_json_value(file, "<->", e->lost.both);
    putc('}', file);
}

static dpc_status write_explanation(FILE *file, const dpc_report *report, const dpc_explanation *e,
                                    int32_t *members, dpc_error *err)
{
    fputs("{\"a\": ", file);
    dpc_print_json_string(file, report->names[e->a]);
    write_key(file, "b");
    dpc_print_json_string(file, report->names[e->b]);
    if (e->mark == DPC_NONE)
        fputs(", \"adjacent\": false, \"mark\": null", file);
    else
        fprintf(file, ", \"adjacent\": true, \"mark\": \"%s\"", dpc_mark_text(e->mark));
    if (dpc_result_settings(report->result)->knowledge != NULL)
        write_known(file, e->known);
    if (dpc_result_settings(report->result)->latent != DPC_HIDDEN_NONE)
        write_pag(file, report, e);
    if (dpc_result_info(report->result)->hidden != NULL) {
        /* the score that is lost is in the place of a test */
    } else if (dpc_by_score(dpc_result_settings(report->result))) {
        write_score(file, report, e);
    } else {
        write_test(file, "test", report, &e->test, e->test_f);
        if (dpc_result_settings(report->result)->rule == DPC_RULE_AND)
            write_test(file, "other_test", report, &e->other, e->other_f);
        fprintf(file, ", \"tests\": %lld, \"all_tests\": %s", (long long)e->tests,
                e->all_tests ? "true" : "false");
        if (e->by_pdsep)
            fputs(", \"possible_d_sep\": true", file);
    }
    write_names(file, "neighbours_a", report, e->near_a, e->n_near_a);
    write_names(file, "neighbours_b", report, e->near_b, e->n_near_b);
    if (e->mark != DPC_NONE) {
        fprintf(file, ", \"given_neighbours\": {\"order\": %d", e->order);
        dpc_print_json_value(file, "r", e->r);
        dpc_print_json_value(file, "low", e->low);
        dpc_print_json_value(file, "high", e->high);
        putc('}', file);
        if (e->n_reasons > 0 && !dpc_by_score(dpc_result_settings(report->result)))
            dpc_print_json_value(file, "evidence", e->evidence);
        if (dpc_result_settings(report->result)->latent == DPC_HIDDEN_NONE)
            DPC_CHECK(write_reasons(file, report, e, members, err));
    }
    putc('}', file);
    return DPC_OK;
}

dpc_status dpc_print_json_explanations(FILE *file, const dpc_report *report, dpc_error *err)
{
    int32_t *members = dpc_alloc(report->graph->n_nodes, sizeof *members);
    if (members == NULL)
        return dpc_fail_memory(err, "a separating set");
    dpc_status status = DPC_OK;
    fputs(",\n  \"explanations\": [", file);
    for (int i = 0; i < report->n_explanations && !ferror(file) && status == DPC_OK; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", file);
        status = write_explanation(file, report, report->explanations[i], members, err);
    }
    fputs(report->n_explanations > 0 ? "\n  ]" : "]", file);
    free(members);
    return status;
}
