/* What the user reads after a run: the audit of the data, and the summary. */
#include "cli.h"

#include <string.h>

static const char *const METHODS[] = {"dual PC", "classic PC", "precision-first PC"};
static const char *const VARIANTS[] = {"stable", "standard"};
static const char *const NORMALIZED[] = {"", ", normal scores", ", latent variables"};
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
                NORMALIZED[s->normalize]);
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
    fputs(NORMALIZED[s->normalize], file);
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

/* Columns that the tests have set aside; a refinement has taken them in again. */
static void print_copies(FILE *file, const dpc_info *info)
{
    bool one = info->n_copies == 1;
    if (info->n_copies > 0 && info->refined == NULL)
        fprintf(file,
                "  %d column%s of another and %s not tested; %s the edges of the column that it "
                "copies\n",
                info->n_copies, one ? " is a copy" : "s are copies", one ? "was" : "were",
                one ? "it has" : "each has");
}

/* Tests that could not be made: of these every reader should know. */
static void print_singular(FILE *file, const dpc_info *info)
{
    print_copies(file, info);
    if (info->left_out > 0)
        fprintf(
            file,
            "  %lld neighbourhood%s of nearly copied columns %s too many sets to test them all; "
            "the edges concerned were kept\n",
            (long long)info->left_out, plural(info->left_out),
            info->left_out == 1 ? "has" : "have");
    if (info->start_ended > 0)
        fprintf(file,
                "  refinement started from the tests up to level %d; those of level %d would have "
                "been too many\n",
                info->start_ended - 1, info->start_ended);
    if (info->singular_tests > 0)
        fprintf(file,
                "  %lld test%s impossible because of collinear columns; the edges concerned were "
                "kept\n",
                (long long)info->singular_tests, info->singular_tests == 1 ? " was" : "s were");
}

static void print_numerics(FILE *file, const dpc_info *info)
{
    if (info->singular_neighbourhoods > 0)
        fprintf(file, "  %lld neighbourhood%s of collinear columns could not be inverted\n",
                (long long)info->singular_neighbourhoods, plural(info->singular_neighbourhoods));
    if (info->doubtful_tests > 0)
        fprintf(file, "  %lld test%s decided by a direct calculation, not by the fast one\n",
                (long long)info->doubtful_tests, info->doubtful_tests == 1 ? " was" : "s were");
    if (info->uncertain_tests > 0)
        fprintf(file,
                "  %lld verdict%s closer to the critical value than the rounding of nearly "
                "collinear data\n",
                (long long)info->uncertain_tests, info->uncertain_tests == 1 ? " was" : "s were");
}

/* What is doubtful about the directions. */
static void print_triples(FILE *file, const dpc_result *result)
{
    int64_t conflicts = dpc_result_info(result)->n_conflicts;
    int64_t ambiguous = dpc_result_info(result)->n_ambiguous;
    if (conflicts > 0)
        fprintf(file, "  %lld triple%s oriented against the evidence\n", (long long)conflicts,
                conflicts == 1 ? " is" : "s are");
    if (ambiguous > 0)
        fprintf(file, "  %lld ambiguous triple%s, from which no direction was read\n",
                (long long)ambiguous, plural(ambiguous));
}

/* The likelihood of one DAG of the class. */
static void print_likelihood(FILE *file, const dpc_report *report)
{
    const dpc_goodness *g = report->fit;
    if (g == NULL)
        return;
    if (g->determined > 0)
        fprintf(file, "  no likelihood: %d variable%s completely determined by %s parents, ",
                g->determined, g->determined == 1 ? " is" : "s are",
                g->determined == 1 ? "its" : "their");
    else
        fprintf(file, "  log-likelihood %.6g%s, BIC %.6g, ", g->log_likelihood,
                g->standardised ? " of standardised variables" : "", g->bic);
    fprintf(file, "%lld parameters%s\n", (long long)g->parameters,
            g->forced ? "; the graph stands for no DAG, and this is about one near it" : "");
}

/* Each variable, as the assumptions were checked. */
static void print_columns(FILE *file, const dpc_report *report)
{
    const dpc_assumptions *a = report->assumptions;
    if (a == NULL)
        return;
    fprintf(file, "  %10s %10s %8s  %s\n", "skewness", "kurtosis", "lag 1", "variable");
    for (int j = 0; j < a->n_vars; j++)
        fprintf(file, "  %10.2f %10.2f %8.2f  %s\n", a->columns[j].skewness, a->columns[j].kurtosis,
                a->columns[j].lag, report->names[j]);
    for (int64_t i = 0; i < a->n_curves; i++)
        fprintf(file, "  curved: %s along %s, partial correlation with the square %.2f\n",
                report->names[a->curves[i].to], report->names[a->curves[i].from], a->curves[i].r);
}

/* ---- Kinds of variables ---- */

enum { N_KINDS = DPC_BLOCK + 1 };

/* Columns that a variable takes: of a nominal one, one less than it has levels. */
static int width_of(const dpc_variable_info *info)
{
    return info->kind == DPC_NOMINAL ? info->n_levels - 1 : info->n_columns;
}

/* "12 variables: 7 numbers, 4 nominal (13 columns), 1 ordered"; nothing where all are numbers. */
static void print_kinds(FILE *file, const dpc_table *table)
{
    static const char *const NOUNS[N_KINDS][2] = {{"number", "numbers"},
                                                  {"ordered", "ordered"},
                                                  {"nominal", "nominal"},
                                                  {"often zero", "often zero"},
                                                  {"block", "blocks"}};
    static const dpc_variable_kind ORDER[N_KINDS] = {DPC_NUMBER, DPC_NOMINAL, DPC_ORDERED, DPC_ZERO,
                                                     DPC_BLOCK};
    int n = dpc_table_about(table).n_vars, count[N_KINDS] = {0}, columns[N_KINDS] = {0};
    for (int v = 0; v < n; v++) {
        const dpc_variable_info info = dpc_table_variable(table, v);
        count[info.kind]++;
        columns[info.kind] += width_of(&info);
    }
    if (count[DPC_NUMBER] == n)
        return;
    fprintf(file, "  %d variables:", n);
    const char *before = " ";
    for (int i = 0; i < N_KINDS; i++) {
        dpc_variable_kind kind = ORDER[i];
        if (count[kind] == 0)
            continue;
        fprintf(file, "%s%d %s", before, count[kind], NOUNS[kind][count[kind] > 1]);
        if (kind == DPC_NOMINAL || kind == DPC_BLOCK)
            fprintf(file, " (%d column%s)", columns[kind], plural(columns[kind]));
        before = ", ";
    }
    putc('\n', file);
}

/* What each variable was taken for, and its levels. */
static void print_variables(FILE *file, const dpc_table *table)
{
    enum { MOST = 8 };
    int n = dpc_table_about(table).n_vars, plain = 0;
    for (int v = 0; v < n; v++)
        plain += dpc_table_variable(table, v).kind == DPC_NUMBER;
    for (int v = 0; v < n && plain < n; v++) {
        const dpc_variable_info info = dpc_table_variable(table, v);
        fprintf(file, "  %-8s %s", dpc_word(DPC_WORD_VARIABLE, (int)info.kind),
                dpc_table_about(table).names[v]);
        for (int i = 0; i < info.n_levels && i < MOST; i++)
            fprintf(file, "%s%s %lld", i > 0 ? ", " : ": ", info.levels[i],
                    (long long)info.counts[i]);
        for (int i = 0; i < info.n_columns && info.columns != NULL; i++)
            fprintf(file, "%s%s", i > 0 ? ", " : ": ", info.columns[i]);
        if (info.n_levels > MOST)
            fprintf(file, " and %d more levels", info.n_levels - MOST);
        putc('\n', file);
    }
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
            "  refinement (%s): %lld edge%s added, %lld removed, %lld reoriented; score %.2f → "
            "%.2f (penalty per edge %.2f)\n",
            dpc_word(DPC_WORD_REFINEMENT, dpc_result_settings(result)->refine),
            (long long)count[DPC_EDGE_ADDED], plural(count[DPC_EDGE_ADDED]),
            (long long)count[DPC_EDGE_REMOVED], (long long)count[DPC_EDGE_TURNED], r->score_before,
            r->score_after, r->price);
    if (!r->complete)
        fputs("  the refinement ended before it was done: this is the best graph so far\n", file);
}

/* What the search for hidden causes has done. */
static void print_hidden(FILE *file, const dpc_result *result)
{
    const dpc_hidden_search *h = dpc_result_info(result)->hidden;
    if (h == NULL)
        return;
    fprintf(file,
            "  hidden causes: %lld of %lld tries kept; score %.2f → %.2f (a double arrow costs "
            "%.2f more than an arrow)\n",
            (long long)h->kept, (long long)h->tries, h->score_before, h->score_after,
            h->hidden_price);
    if (!h->complete)
        fputs("  the search for hidden causes ended before it was done: this is the best graph so "
              "far\n",
              file);
}

/* What --timeout has ended before it was done. */
static void print_time(FILE *file, const dpc_report *report)
{
    const dpc_frequencies *f = report->frequencies;
    if (dpc_result_settings(report->result)->timeout == DPC_NO_TIMEOUT)
        return;
    if (!dpc_result_info(report->result)->complete)
        fputs("  time limit reached before the search was done: this is the best graph so far\n",
              file);
    if (f != NULL && !f->complete)
        fprintf(file, "  time limit reached after %d of %d resamples\n", f->resamples,
                f->resampling.resamples);
}

/* Of the stages, which add up to the total; some only where there was something to do. */
static void print_seconds(FILE *file, const dpc_report *report)
{
    static const struct {
        dpc_stage stage;
        bool always;
    } STAGES[] = {
        {DPC_STAGE_READ, true},       {DPC_STAGE_PREPARE, true}, {DPC_STAGE_CORRELATION, true},
        {DPC_STAGE_SKELETON, true},   {DPC_STAGE_ORIENT, true},  {DPC_STAGE_REFINE, false},
        {DPC_STAGE_HIDDEN, false},    {DPC_STAGE_EXPLAIN, true}, {DPC_STAGE_EFFECTS, false},
        {DPC_STAGE_LAYOUT, false},    {DPC_STAGE_REPORT, false}, {DPC_STAGE_WRITE, true},
        {DPC_STAGE_BOOTSTRAP, false}, {DPC_STAGE_SAMPLE, false},
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

/* Arrows that min_evidence has left out. */
static void print_left_out(FILE *file, const dpc_report *report)
{
    const dpc_graph *graph = report->graph, *whole = dpc_result_info(report->result)->class_graph;
    double least = dpc_result_settings(report->result)->min_evidence;
    int64_t left_out = 0;
    if (least == DPC_NO_MIN_EVIDENCE || report->min_frequency > 0)
        return;
    for (int64_t e = 0; e < graph->n_edges; e++)
        left_out += graph->edges[e].mark != whole->edges[e].mark;
    fprintf(file, "  %lld arrow%s with evidence below %g left undirected\n", (long long)left_out,
            plural(left_out), least);
}

void print_lines(FILE *file, const char *text)
{
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        fprintf(file, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* What an expert wants to know. */
static void print_details(FILE *file, const dpc_report *report)
{
    const dpc_info *info = dpc_result_info(report->result);
    const dpc_settings *settings = dpc_result_settings(report->result);
    bool greedy = settings->method == DPC_GES;
    print_settings(file, report->result);
    print_knowledge(file, settings->knowledge);
    if (greedy) {
        print_search(file, info);
    } else {
        print_levels(file, info);
        fprintf(file, "  %lld test%s, highest order %d\n", (long long)info->tests,
                plural(info->tests), info->n_levels - 1);
        print_numerics(file, info);
    }
    fprintf(file, "  the graph is a %s\n",
            strcmp(info->type, "PDAG") == 0 ? "partially directed graph" : info->type);
    if (report->min_frequency == 0) /* of a consensus there are none */
        print_triples(file, report->result);
    print_likelihood(file, report);
    print_variables(file, report->table);
    print_columns(file, report);
    print_seconds(file, report);
}

void print_summary(FILE *file, const options *o, const dpc_report *report, const char *verdict)
{
    const dpc_info *info = dpc_result_info(report->result);
    double total = 0;
    for (int i = 0; i < DPC_N_STAGES; i++)
        total += report->seconds[i];
    fprintf(file, "%s: %lld observations of %d variables\n", source_name(o), (long long)info->n_obs,
            info->n_vars);
    print_kinds(file, report->table);
    print_lines(file, verdict);
    print_refinement(file, report->result);
    print_hidden(file, report->result);
    if (info->warning != NULL)
        fprintf(file, "  warning: %s\n", info->warning);
    print_left_out(file, report);
    if (dpc_result_settings(report->result)->method != DPC_GES)
        print_singular(file, info);
    if (report->frequencies != NULL)
        print_bootstrap(file, report->frequencies);
    print_time(file, report);
    if (o->verbose)
        print_details(file, report);
    else
        fprintf(file,
                "  %.3f seconds; --verbose shows the tests, the likelihood and each variable\n",
                total);
}
