/* What the user reads after a run: the audit of the data, and the summary. */
#include "cli.h"

#include <string.h>

static const char *const METHODS[] = {"dual PC", "classic PC", "precision-first PC"};
static const char *const VARIANTS[] = {"stable", "standard"};
static const char *const TESTS[] = {"Fisher z", "exact t"};

void print_audit(FILE *file, const char *source, const dpc_audit *audit)
{
    if (audit->count == 0)
        return;
    fprintf(file, "audit of %s:\n", source);
    for (int i = 0; i < audit->count; i++)
        fprintf(file, "  %s: %s\n", audit->items[i].severity == DPC_ERROR ? "error" : "warning",
                audit->items[i].text);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_settings(FILE *file, const dpc_result *result)
{
    const dpc_settings *s = dpc_result_settings(result);
    int n = dpc_result_info(result)->n_vars;
    int64_t n_obs = dpc_result_info(result)->n_obs;
    if (s->method == DPC_GES) {
        fprintf(file, "  GES, penalty %.3g%s%s\n", s->penalty,
                n_obs < n && s->penalty == dpc_ebic(n, n_obs)
                    ? " (EBIC, for there are fewer rows than variables)"
                    : "",
                s->normalize == DPC_NORMALIZE_COPULA ? ", normal scores" : "");
        return;
    }
    fprintf(file, "  %s, %s, %s%s, alpha %g", METHODS[s->method], VARIANTS[s->variant],
            s->rule == DPC_RULE_AND ? "AND rule, " : "", TESTS[s->test], s->alpha);
    if (s->alpha_dual > 0 && s->alpha_dual != s->alpha)
        fprintf(file, ", alpha-dual %g", s->alpha_dual);
    if (s->method != DPC_CLASSIC)
        fprintf(file, ", min-ess %g", s->min_ess);
    if (s->max_order != DPC_NO_MAX_ORDER)
        fprintf(file, ", max-order %d", s->max_order);
    if (s->normalize == DPC_NORMALIZE_COPULA)
        fputs(", normal scores", file);
    if (s->graph != DPC_SKELETON)
        fprintf(file, ", %s orientation", dpc_word(DPC_WORD_ORIENTATION, s->orient));
    if (s->order == DPC_ORDER_GIVEN)
        fputs(", columns as given", file);
    putc('\n', file);
}

static void print_knowledge(FILE *file, const dpc_knowledge *knowledge)
{
    dpc_knowledge_counts c;
    if (knowledge == NULL)
        return;
    dpc_knowledge_count(knowledge, &c);
    fprintf(file, "  knowledge: %d tier%s, %lld required, %lld forbidden edge%s\n", c.tiers,
            plural(c.tiers), (long long)c.required, (long long)c.forbidden, plural(c.forbidden));
}

/* What GES has in the place of levels. */
static void print_search(FILE *file, const dpc_info *info)
{
    const int64_t *steps = info->steps;
    fprintf(file, "  %lld insertion%s, %lld deletion%s, %lld turn%s\n",
            (long long)steps[DPC_INSERT], plural(steps[DPC_INSERT]), (long long)steps[DPC_DELETE],
            plural(steps[DPC_DELETE]), (long long)steps[DPC_TURN], plural(steps[DPC_TURN]));
    fprintf(file, "  score %.10g, %lld scores of steps\n", info->score, (long long)info->scores);
    if (info->singular_tests > 0)
        fprintf(file, "  singular: %lld sets or steps had no score, for no variance was left\n",
                (long long)info->singular_tests);
}

static void print_levels(FILE *file, const dpc_info *info)
{
    fprintf(file, "  %5s %15s %12s %12s %10s\n", "level", "tests", "removed", "left", "seconds");
    for (int i = 0; i < info->n_levels; i++)
        fprintf(file, "  %5d %15lld %12lld %12lld %10.4f\n", i, (long long)info->levels[i].tests,
                (long long)info->levels[i].removed, (long long)info->levels[i].left,
                info->levels[i].seconds);
}

static void print_numerics(FILE *file, const dpc_info *info)
{
    if (info->singular_neighbourhoods > 0 || info->singular_tests > 0)
        fprintf(file,
                "  singular: %lld neighbourhoods could not be inverted, %lld tests could not be "
                "made; edges that could not be tested were kept\n",
                (long long)info->singular_neighbourhoods, (long long)info->singular_tests);
    if (info->doubtful_tests > 0)
        fprintf(file,
                "  doubtful: %lld tests were too close for the fast route and were decided "
                "by a direct one\n",
                (long long)info->doubtful_tests);
    if (info->uncertain_tests > 0)
        fprintf(
            file,
            "  uncertain: %lld verdict%s closer to the critical value than the rounding of nearly "
            "collinear data\n",
            (long long)info->uncertain_tests, info->uncertain_tests == 1 ? " was" : "s were");
}

/* What is doubtful about the directions. */
static void print_triples(FILE *file, const dpc_result *result)
{
    int64_t conflicts = dpc_result_info(result)->n_conflicts;
    int64_t ambiguous = dpc_result_info(result)->n_ambiguous;
    if (conflicts > 0)
        fprintf(file, "  %lld conflict%s: triples that the graph decides against the data\n",
                (long long)conflicts, plural(conflicts));
    if (ambiguous > 0)
        fprintf(file, "  %lld ambiguous triple%s, from which no direction was read\n",
                (long long)ambiguous, plural(ambiguous));
}

/* Of one DAG of the class: how well it fits, and what it leaves out. */
static void print_fit(FILE *file, const dpc_report *report)
{
    const dpc_goodness *g = report->fit;
    const dpc_settings *s = dpc_result_settings(report->result);
    if (g == NULL)
        return;
    fputs("  fit: ", file);
    if (g->determined > 0)
        fprintf(file, "no likelihood, for the parents of %d variable%s leave nothing of %s, ",
                g->determined, plural(g->determined), g->determined == 1 ? "it" : "them");
    else
        fprintf(file, "log-likelihood %.6g%s, BIC %.6g, ", g->log_likelihood,
                g->standardised ? " of standardised variables" : "", g->bic);
    fprintf(file, "%lld parameters%s\n", (long long)g->parameters,
            g->forced ? "; the graph stands for no DAG, and this is about one near it" : "");
    if (g->implied == g->untested)
        return;
    const dpc_implied *first = &g->largest[0];
    int64_t tested = g->implied - g->untested;
    fprintf(file, "  %lld of %lld implied independenc%s contradicted at alpha %g (by chance %.0f)",
            (long long)g->exceed, (long long)tested, tested == 1 ? "y is" : "ies are", s->alpha,
            s->alpha * (double)tested);
    if (g->exceed > 0)
        fprintf(file, ", most strongly %s and %s (z = %.1f)", report->names[first->a],
                report->names[first->b], first->z);
    putc('\n', file);
}

/* With few rows for each variable a penalty of 1 has many false edges (docs/algorithm.md, 12). */
static void print_greedy_hint(FILE *file, const dpc_result *result)
{
    enum { FEW_ROWS = 10 };
    int n = dpc_result_info(result)->n_vars;
    int64_t n_obs = dpc_result_info(result)->n_obs;
    double ebic = dpc_ebic(n, n_obs);
    if (n_obs < (int64_t)FEW_ROWS * n && dpc_result_settings(result)->penalty < ebic)
        fprintf(file,
                "  hint: with so few rows for each variable, --penalty %.2f (EBIC) makes fewer "
                "false edges\n",
                ebic);
}

/*
 * Where a fifth of the edges are close calls, a quarter or more of all are false on simulated
 * sparse networks: what makes fewer of them.
 */
static void print_hint(FILE *file, const dpc_report *report)
{
    enum { FEW = 5 };
    const dpc_settings *s = dpc_result_settings(report->result);
    int64_t close = report->fit != NULL ? report->fit->close_calls : 0;
    if (s->method == DPC_GES)
        print_greedy_hint(file, report->result);
    if (close < FEW || 5 * close <= report->graph->n_edges || report->min_frequency > 0)
        return;
    bool strict = s->rule == DPC_RULE_AND && s->alpha <= 0.01;
    fprintf(file,
            "  hint: %lld edges are close calls: %s--bootstrap with --min-frequency makes "
            "fewer false ones; see docs/settings.md\n",
            (long long)close, strict ? "" : "--rule and with --alpha 0.01, or ");
}

/* What refinement has done. */
static void print_refinement(FILE *file, const dpc_result *result)
{
    const dpc_refined *r = dpc_result_info(result)->refined;
    int64_t count[3] = {0};
    if (r == NULL)
        return;
    for (int64_t i = 0; i < r->n_changes; i++)
        count[r->changes[i].kind]++;
    fprintf(file,
            "  refined (%s): %lld edge%s added, %lld removed, %lld turned; score %.2f, it was "
            "%.2f; price of an edge %.2f\n",
            dpc_word(DPC_WORD_REFINEMENT, dpc_result_settings(result)->refine),
            (long long)count[DPC_EDGE_ADDED], plural(count[DPC_EDGE_ADDED]),
            (long long)count[DPC_EDGE_REMOVED], (long long)count[DPC_EDGE_TURNED], r->score_after,
            r->score_before, r->price);
    if (!r->complete)
        fputs("  the refinement ended before it was done: this is the best graph until then\n",
              file);
}

/* What --timeout has ended before it was done. */
static void print_time(FILE *file, const dpc_report *report)
{
    const dpc_frequencies *f = report->frequencies;
    if (dpc_result_settings(report->result)->timeout == DPC_NO_TIMEOUT)
        return;
    if (!dpc_result_info(report->result)->complete)
        fputs("  the time was up before the search was done: this is the best graph until then\n",
              file);
    if (f != NULL && !f->complete)
        fprintf(file, "  the time was up after %d of %d resamples\n", f->resamples,
                f->resampling.resamples);
}

/* Of the stages, which add up to the total; some only where there was something to do. */
static void print_seconds(FILE *file, const dpc_report *report)
{
    static const struct {
        dpc_stage stage;
        bool always;
    } STAGES[] = {
        {DPC_STAGE_READ, true},     {DPC_STAGE_PREPARE, true},  {DPC_STAGE_CORRELATION, true},
        {DPC_STAGE_SKELETON, true}, {DPC_STAGE_ORIENT, true},   {DPC_STAGE_REFINE, false},
        {DPC_STAGE_EXPLAIN, true},  {DPC_STAGE_EFFECTS, false}, {DPC_STAGE_LAYOUT, false},
        {DPC_STAGE_REPORT, false},  {DPC_STAGE_WRITE, true},    {DPC_STAGE_BOOTSTRAP, false},
    };
    bool greedy = dpc_result_settings(report->result)->method == DPC_GES;
    double total = 0;
    fputs("  seconds:", file);
    for (size_t i = 0; i < sizeof STAGES / sizeof *STAGES; i++) {
        double seconds = report->seconds[STAGES[i].stage];
        const char *name = greedy && STAGES[i].stage == DPC_STAGE_SKELETON
                               ? "search"
                               : dpc_word(DPC_WORD_STAGE, STAGES[i].stage);
        total += seconds;
        if (STAGES[i].always || seconds > 0)
            fprintf(file, " %s %.3f,", name, seconds);
    }
    fprintf(file, " total %.3f\n", total);
}

static const char *name_of(const char *type)
{
    return strcmp(type, "PDAG") == 0 ? "partially directed graph" : type;
}

/* Arrows that the data speak against, and those that min_evidence has left out. */
static void print_evidence(FILE *file, const dpc_report *report)
{
    const dpc_graph *graph = report->graph, *whole = dpc_result_info(report->result)->class_graph;
    double least = dpc_result_settings(report->result)->min_evidence;
    int64_t against = 0, left_out = 0;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        bool turn = edge->mark == DPC_BACKWARD;
        against +=
            dpc_evidence(report->result, turn ? edge->b : edge->a, turn ? edge->a : edge->b) < 0;
        left_out += edge->mark != whole->edges[e].mark;
    }
    if (against > 0)
        fprintf(file, "  %lld arrow%s with evidence against %s in the chain of reasons\n",
                (long long)against, plural(against), against == 1 ? "it" : "them");
    if (least != DPC_NO_MIN_EVIDENCE)
        fprintf(file, "  %lld arrow%s with evidence below %g left undirected\n",
                (long long)left_out, plural(left_out), least);
}

void print_summary(FILE *file, const options *o, const dpc_report *report)
{
    const dpc_info *info = dpc_result_info(report->result);
    const dpc_settings *settings = dpc_result_settings(report->result);
    const dpc_graph *graph = report->graph;
    int64_t directed = 0;
    for (int64_t e = 0; e < graph->n_edges; e++)
        directed += graph->edges[e].mark != DPC_UNDIRECTED;
    fprintf(file, "%s: %lld observations of %d variables\n", source_name(o),
            (long long)dpc_result_info(report->result)->n_obs,
            dpc_result_info(report->result)->n_vars);
    print_settings(file, report->result);
    print_knowledge(file, settings->knowledge);
    bool greedy = settings->method == DPC_GES;
    if (greedy)
        print_search(file, info);
    else
        print_levels(file, info);
    if (report->min_frequency > 0)
        fprintf(file, "  of the edges with a frequency of at least %g:\n", report->min_frequency);
    fprintf(file, "  %s: %lld edge%s, %lld directed, %lld undirected\n", name_of(info->type),
            (long long)graph->n_edges, plural(graph->n_edges), (long long)directed,
            (long long)(graph->n_edges - directed));
    if (report->min_frequency == 0) { /* of a consensus there are none */
        print_triples(file, report->result);
        print_evidence(file, report);
    }
    if (!greedy) {
        fprintf(file, "  %lld test%s, highest order %d\n", (long long)info->tests,
                plural(info->tests), info->n_levels - 1);
        print_numerics(file, info);
        print_refinement(file, report->result);
    }
    if (info->warning != NULL)
        fprintf(file, "  warning: %s\n", info->warning);
    print_fit(file, report);
    print_hint(file, report);
    if (report->frequencies != NULL)
        print_bootstrap(file, report->frequencies);
    print_time(file, report);
    print_seconds(file, report);
}
