/*
 * The methods paragraph: what was done with which settings, in sentences for a paper, and the works
 * that they cite. Plain text: one paragraph, an empty line, the word References, and a line for
 * each work.
 */
#include "output.h"
#include "status.h"
#include "text.h"
#include "write.h"

#include <math.h>

/* The works, in the order of the alphabet. */
typedef enum work {
    ANDREWS,
    CHICKERING,
    COLOMBO,
    DEMPSTER,
    DRTON,
    FRIEDMAN,
    GIUDICE,
    LIU,
    MEEK,
    RAMSEY,
    SILANDER,
    SPIRTES,
    ZHANG,
    N_WORKS,
} work;

static const struct {
    const char *cited, *whole;
} WORKS[] = {
    [ANDREWS] = {"Andrews et al., 2023",
                 "Andrews, B., Ramsey, J., Sanchez-Romero, R., Camchong, J., and Kummerfeld, E. "
                 "(2023). Fast scalable and accurate discovery of DAGs using the best order score "
                 "search and grow-shrink trees. Advances in Neural Information Processing Systems, "
                 "36."},
    [CHICKERING] = {"Chickering, 2002",
                    "Chickering, D. M. (2002). Optimal structure identification with greedy "
                    "search. Journal of Machine Learning Research, 3, 507-554."},
    [COLOMBO] = {"Colombo and Maathuis, 2014",
                 "Colombo, D., and Maathuis, M. H. (2014). Order-independent constraint-based "
                 "causal structure learning. Journal of Machine Learning Research, 15."},
    [DEMPSTER] = {"Dempster et al., 1977",
                  "Dempster, A. P., Laird, N. M., and Rubin, D. B. (1977). Maximum likelihood from "
                  "incomplete data via the EM algorithm. Journal of the Royal Statistical Society, "
                  "Series B, 39, 1-38."},
    [DRTON] = {"Drton et al., 2009",
               "Drton, M., Eichler, M., and Richardson, T. S. (2009). Computing maximum likelihood "
               "estimates in recursive linear models with correlated errors. Journal of Machine "
               "Learning Research, 10, 2329-2348."},
    [FRIEDMAN] = {"Friedman et al., 1999",
                  "Friedman, N., Goldszmidt, M., and Wyner, A. (1999). Data analysis with Bayesian "
                  "networks: A bootstrap approach. Proceedings of the 15th Conference on "
                  "Uncertainty in Artificial Intelligence, 196-205."},
    [GIUDICE] = {"Giudice et al., 2023",
                 "Giudice, E., Kuipers, J., and Moffa, G. (2023). The dual PC algorithm and the "
                 "role of Gaussianity for structure learning of Bayesian networks. International "
                 "Journal of Approximate Reasoning, 161, 108975. "
                 "https://doi.org/10.1016/j.ijar.2023.108975"},
    [LIU] = {"Liu et al., 2009",
             "Liu, H., Lafferty, J., and Wasserman, L. (2009). The nonparanormal: Semiparametric "
             "estimation of high dimensional undirected graphs. Journal of Machine Learning "
             "Research, 10, 2295-2328."},
    [MEEK] = {"Meek, 1995",
              "Meek, C. (1995). Causal inference and causal explanation with background knowledge. "
              "Proceedings of the 11th Conference on Uncertainty in Artificial Intelligence, "
              "403-410."},
    [RAMSEY] = {"Ramsey et al., 2006",
                "Ramsey, J., Spirtes, P., and Zhang, J. (2006). Adjacency-faithfulness and "
                "conservative causal inference. Proceedings of the 22nd Conference on Uncertainty "
                "in Artificial Intelligence, 401-408."},
    [SILANDER] = {"Silander and Myllymäki, 2006",
                  "Silander, T., and Myllymäki, P. (2006). A simple approach for finding the "
                  "globally optimal Bayesian network structure. Proceedings of the 22nd Conference "
                  "on Uncertainty in Artificial Intelligence, 445-452."},
    [SPIRTES] = {"Spirtes et al., 2000",
                 "Spirtes, P., Glymour, C., and Scheines, R. (2000). Causation, prediction, and "
                 "search (2nd ed.). MIT Press."},
    [ZHANG] = {"Zhang, 2008",
               "Zhang, J. (2008). On the completeness of orientation rules for causal discovery in "
               "the presence of latent confounders and selection bias. Artificial Intelligence, "
               "172, 1873-1896."},
};

typedef struct writer {
    FILE *file;
    const dpc_report *report;
    const dpc_settings *settings;
    const dpc_info *info;
    bool cited[N_WORKS];
} writer;

static void cite(writer *w, work which)
{
    fprintf(w->file, " (%s)", WORKS[which].cited);
    w->cited[which] = true;
}

static bool by_tests(const writer *w)
{
    return w->settings->method != DPC_GES;
}

/* ---- The data ---- */

static void tell_data(writer *w)
{
    const dpc_correlation_info about = dpc_correlation_about(w->info->correlation);
    fprintf(w->file, "The structure of a Gaussian Bayesian network of %d variable%s was learned ",
            w->info->n_vars, dpc_plural(w->info->n_vars));
    fprintf(w->file, "from %lld observations with dualpc %s", (long long)w->info->n_obs,
            DPC_VERSION);
    fputs(". ", w->file);
    if (w->settings->normalize == DPC_NORMALIZE_COPULA) {
        fputs("Each variable was first transformed to normal scores", w->file);
        cite(w, LIU);
        fputs(". ", w->file);
    }
    if (w->settings->normalize == DPC_NORMALIZE_LATENT) {
        fputs("Each variable was taken as a standard normal variable that is seen exactly, by the "
              "interval that it lies in, or only above a threshold, and the correlations of these "
              "latent variables were estimated from those of their scores. The number of "
              "observations of a test is the mean effective number of its pairs. ",
              w->file);
        return;
    }
    if (about.rows == NULL)
        return;
    if (about.mean_rows) {
        fputs("Some cells were missing, and the covariances were estimated by maximum likelihood "
              "with the EM algorithm",
              w->file);
        cite(w, DEMPSTER);
        fputs("; the number of observations is then the mean over all pairs of variables. ",
              w->file);
    } else {
        fputs("Some cells were missing, and each correlation was estimated from the rows that have "
              "both variables; the number of observations is then the mean over all pairs. ",
              w->file);
    }
}

static void tell_knowledge(writer *w)
{
    dpc_knowledge_counts c;
    const char *before = "";
    if (w->settings->knowledge == NULL)
        return;
    dpc_knowledge_count(w->settings->knowledge, &c);
    const struct {
        int64_t count;
        const char *what;
    } PARTS[] = {{c.tiers > 1 ? c.tiers : 0, "tier"},
                 {c.required, "required edge"},
                 {c.forbidden, "forbidden edge"}};
    fputs("Background knowledge was used", w->file);
    cite(w, MEEK);
    for (int i = 0; i < 3; i++)
        if (PARTS[i].count > 0) {
            fprintf(w->file, "%s %lld %s%s", before[0] != '\0' ? before : ":",
                    (long long)PARTS[i].count, PARTS[i].what, dpc_plural(PARTS[i].count));
            before = ",";
        }
    fputs(". ", w->file);
}

/* ---- The tests ---- */

static void tell_method(writer *w)
{
    fputs("The skeleton was found by ", w->file);
    if (w->settings->method == DPC_CLASSIC) {
        fputs("the PC algorithm", w->file);
        cite(w, SPIRTES);
    } else {
        fputs(w->settings->method == DPC_DUAL
                  ? "the dual PC algorithm"
                  : "the PC algorithm after the first level of the dual PC algorithm",
              w->file);
        cite(w, GIUDICE);
    }
    if (w->settings->variant == DPC_STABLE) {
        fputs(" in its order-independent variant", w->file);
        cite(w, COLOMBO);
    }
    fputs(". ", w->file);
}

static void tell_tests(writer *w)
{
    const dpc_settings *s = w->settings;
    bool dual = s->method != DPC_CLASSIC;
    fprintf(w->file,
            "Conditional independence was tested by %s of partial correlations at level "
            "%g",
            s->test == DPC_EXACT_T ? "the exact t test" : "Fisher's z test", s->alpha);
    if (dual && s->alpha_dual != s->alpha)
        fprintf(w->file, " (%g for full-order, full-S and dual tests)", s->alpha_dual);
    if (s->method == DPC_DUAL && isfinite(s->min_ess))
        fprintf(w->file, "; a dual test was made where it left an effective sample of at least %g",
                s->min_ess);
    fprintf(w->file, "; an edge was removed when a separating set was found from %s. ",
            s->rule == DPC_RULE_AND ? "both of its ends" : "one of its ends");
    if (s->max_order != DPC_NO_MAX_ORDER)
        fprintf(w->file, "The search ended with level %d. ", s->max_order);
}

static void tell_directions(writer *w)
{
    const dpc_settings *s = w->settings;
    if (s->graph == DPC_SKELETON || s->latent == DPC_HIDDEN_FCI)
        return;
    fputs("Edges were directed ", w->file);
    if (s->orient == DPC_CONSISTENT)
        fputs("by unshielded triples, those with the strongest evidence first, so that the result "
              "is the class of a directed acyclic graph",
              w->file);
    else if (s->orient == DPC_RELAXED)
        fputs("by the v-structures that the separating sets imply, a later one overriding an "
              "earlier one",
              w->file);
    else {
        fprintf(w->file, "by the %s rule", s->orient == DPC_MAJORITY ? "majority" : "conservative");
        cite(w, s->orient == DPC_MAJORITY ? COLOMBO : RAMSEY);
    }
    if (s->min_evidence != DPC_NO_MIN_EVIDENCE)
        fprintf(w->file, "; arrows with an evidence below %g were left undirected",
                s->min_evidence);
    fputs(". ", w->file);
}

/* ---- The scores ---- */

static void tell_search(writer *w)
{
    fputs("The graph was found by greedy equivalence search", w->file);
    cite(w, CHICKERING);
    if (w->settings->penalty > 0)
        fprintf(w->file, " with a penalty of %g log N for each parameter", w->settings->penalty);
    fputs(". ", w->file);
}

static void tell_exact(writer *w)
{
    fputs("The graph was then replaced by the best of all directed acyclic graphs", w->file);
    fputs(w->settings->knowledge != NULL ? " that respect the knowledge" : "", w->file);
    cite(w, SILANDER);
    fprintf(w->file, ", by the Gaussian likelihood with a penalty of %.4g for each edge. ",
            w->info->refined->price);
}

static void tell_refinement(writer *w)
{
    const dpc_refined *refined = w->info->refined;
    if (refined == NULL)
        return;
    if (refined->optimality == DPC_OPTIMUM_GLOBAL) {
        tell_exact(w);
        return;
    }
    fputs("The graph was then refined by a score-based search, hill climbing followed by a search "
          "over orders of the variables",
          w->file);
    cite(w, ANDREWS);
    fprintf(w->file, " and a backward search, with a penalty of %.4g for each edge",
            refined->price);
    if (w->settings->refine == DPC_REFINE_FULL)
        fprintf(w->file, " and %d restart%s (seed %llu)", refined->restarts,
                dpc_plural(refined->restarts), (unsigned long long)w->settings->seed);
    fputs(". ", w->file);
}

/* ---- Hidden causes ---- */

static void tell_mag(writer *w, const dpc_hidden_search *hidden)
{
    fputs("Hidden common causes were allowed for by a search over maximal ancestral graphs from "
          "there, by the Gaussian likelihood",
          w->file);
    cite(w, DRTON);
    fprintf(w->file,
            " with a penalty of %.4g for each edge and %.4g more for each bidirected one; besides "
            "single edges, hidden causes of two to four variables that are joined were tried. ",
            hidden->price, hidden->hidden_price);
}

static void tell_latent(writer *w)
{
    const dpc_settings *s = w->settings;
    if (s->latent == DPC_HIDDEN_NONE)
        return;
    if (s->pdsep > 0)
        fputs("Pairs were tested again given sets in Possible-D-SEP", w->file);
    if (s->pdsep > 0 && s->pdsep != DPC_ALL_PDSEP)
        fprintf(w->file, ", of up to %d members or all but these", s->pdsep);
    if (s->pdsep > 0) {
        cite(w, SPIRTES);
        fputs(". ", w->file);
    }
    if (w->info->hidden != NULL)
        tell_mag(w, w->info->hidden);
    fputs(s->latent == DPC_HIDDEN_SEARCH
              ? "The result is the partial ancestral graph of its class, by the rules of FCI"
          : s->latent == DPC_HIDDEN_DAG ? "Hidden common causes were allowed for by the partial "
                                          "ancestral graph of that graph, by the rules of FCI"
                                        : "Hidden common causes were allowed for: the ends of the "
                                          "edges were marked by the rules of FCI",
          w->file);
    cite(w, ZHANG);
    fputs(s->selection ? ", those for selected samples included. " : ". ", w->file);
    if (w->info->repaired)
        fputs("The test results contradicted each other, and no partial ancestral graph has all of "
              "them; the result is a valid one near them. ",
              w->file);
}

/* ---- The rest ---- */

static void tell_bootstrap(writer *w)
{
    const dpc_frequencies *f = w->report->frequencies;
    if (f == NULL)
        return;
    fprintf(w->file, "The analysis was repeated on %d ", f->resamples);
    if (f->resampling.subsample > 0)
        fprintf(w->file, "subsamples of %lld rows", (long long)f->rows);
    else
        fputs("bootstrap resamples of the rows", w->file);
    cite(w, FRIEDMAN);
    fprintf(w->file, " with seed %llu", (unsigned long long)f->resampling.seed);
    if (w->report->min_frequency > 0)
        fprintf(w->file, ", and the graph has the edges found in at least %g %% of them",
                100 * w->report->min_frequency);
    fputs(". ", w->file);
}

static void tell_graph(writer *w)
{
    const dpc_graph *graph = w->report->graph;
    int64_t directed = 0;
    for (int64_t e = 0; e < graph->n_edges; e++)
        directed += graph->edges[e].mark == DPC_FORWARD || graph->edges[e].mark == DPC_BACKWARD;
    fprintf(w->file, "The result is a %s with %lld edge%s, %lld of them directed.",
            graph == w->report->dag ? "DAG" : w->info->type, (long long)graph->n_edges,
            dpc_plural(graph->n_edges), (long long)directed);
    if (!w->info->complete)
        fputs(" The search was ended by a time limit; this is the best graph found until then.",
              w->file);
}

static dpc_status print_methods(FILE *file, const dpc_printing *printing, dpc_error *err)
{
    const dpc_report *report = printing->what;
    writer w = {
        file, report, dpc_result_settings(report->result), dpc_result_info(report->result), {0}};
    (void)err;
    tell_data(&w);
    if (by_tests(&w)) {
        tell_method(&w);
        tell_tests(&w);
        tell_directions(&w);
        tell_refinement(&w);
        tell_latent(&w);
    } else {
        tell_search(&w);
    }
    tell_knowledge(&w);
    tell_bootstrap(&w);
    tell_graph(&w);
    fputs("\n\nReferences\n", file);
    for (int i = 0; i < N_WORKS; i++)
        if (w.cited[i])
            fprintf(file, "%s\n", WORKS[i].whole);
    return DPC_OK;
}

dpc_status dpc_methods_string(const dpc_report *report, char **out, size_t *length, dpc_error *err)
{
    dpc_report whole;
    size_t size;
    DPC_CHECK(dpc_take_report(report, &whole, err));
    if (whole.result == NULL)
        return dpc_fail(err, DPC_USAGE, "a graph that was not learned has no methods to describe");
    dpc_printing output = {.fd = -1, .print = print_methods, .what = &whole};
    return dpc_printing_string(&output, NULL, out, length != NULL ? length : &size, err);
}
