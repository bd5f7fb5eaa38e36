/*
 * Figures that the paper does not have: refined graphs beside those of tests and of GES, and how
 * wrong all of them are about effects. Every method runs as the program does by default
 * (consistent directions, --min-ess 30), at one level, on the data sets of the paper's settings.
 */
#include "catalogue.h"

#include <math.h>

static const double ALPHA[] = {0.05}, START_ALPHA[] = {0.01}, PENALTY[] = {1};

enum { ESS = 30 };

#define RUN(label, method, normalize, level, rule, refine)                                         \
    {                                                                                              \
        label, method, DPC_STABLE, DPC_FISHER_Z, normalize, ESS, level, DPC_CONSISTENT, rule,      \
            refine, STUDY_AS_NUMBERS, 0                                                            \
    }
#define OUR_METHODS(normalize)                                                                     \
    RUN("dual PC", DPC_DUAL, normalize, ALPHA, DPC_RULE_OR, DPC_REFINE_NONE),                      \
        RUN("dual PC, rule and", DPC_DUAL, normalize, START_ALPHA, DPC_RULE_AND, DPC_REFINE_NONE), \
        RUN("refine fast", DPC_DUAL, normalize, START_ALPHA, DPC_RULE_AND, DPC_REFINE_FAST),       \
        RUN("refine full", DPC_DUAL, normalize, START_ALPHA, DPC_RULE_AND, DPC_REFINE_FULL),       \
        RUN("PC", DPC_CLASSIC, normalize, ALPHA, DPC_RULE_OR, DPC_REFINE_NONE),                    \
        RUN("GES, penalty 1", DPC_GES, normalize, PENALTY, DPC_RULE_OR, DPC_REFINE_NONE)

static const study_run PLAIN[] = {OUR_METHODS(DPC_NORMALIZE_NONE)};
static const study_run BOTH[] = {OUR_METHODS(DPC_NORMALIZE_NONE),
                                 OUR_METHODS(DPC_NORMALIZE_COPULA)};

#define ONCE(list) list, (int)(sizeof(list) / sizeof *(list)), 1, true, NULL

const study_setting STUDY_DEFAULTS = {0, 0, 0, INFINITY, 0, ONCE(PLAIN)};

void study_leave_out_of_all(study_figure *f, const char *group)
{
    f->in_paper = false;
    f->group = group;
}

static void add_boxes(study_catalogue *c, double parents)
{
    study_figure *f =
        study_add_grid(c, "refine-shd", STUDY_SHD, STUDY_OURS, parents, STUDY_DEFAULTS);
    study_leave_out_of_all(f, "refine");
    STUDY_PRINT(f->title, "Refined graphs: SHD per node, d = %g", parents);
    STUDY_PRINT(
        f->caption,
        "Structural Hamming distance between estimated and true CPDAG, divided by the number "
        "of nodes, on a square root scale; as the program runs by default, and with --rule and "
        "--alpha 0.01, which is where refinement starts. d = %g.",
        parents);
    f = study_add_grid(c, "refine-times", STUDY_SECONDS, STUDY_OURS, parents, STUDY_DEFAULTS);
    study_leave_out_of_all(f, "refine");
    STUDY_PRINT(f->title, "Refined graphs: run times, d = %g", parents);
    STUDY_PRINT(f->caption,
                "Seconds from the correlation matrix to the CPDAG on one thread, on a log scale. "
                "Expected number of parents d = %g.",
                parents);
}

static void add_tanh(study_catalogue *c)
{
    study_figure *f = study_add_pair_of_rows(c, "refine-tanh", STUDY_SHD);
    study_leave_out_of_all(f, "refine");
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++) {
            study_setting s = {50, 2500, 2, INFINITY, STUDY_LAMBDAS[column], ONCE(BOTH)};
            study_add_panel(f, study_setting_of(c, s),
                            row == 0 ? DPC_NORMALIZE_COPULA : DPC_NORMALIZE_NONE);
            STUDY_PRINT(f->column_label[column], "λ = %g", STUDY_LAMBDAS[column]);
        }
    study_title(f, "Refined graphs: tanh of the data, n = 50, d = 2",
                "SHD per node, on a square root scale, where every variable went through tanh; "
                "above with the ranks turned into normal scores, below as they are, where "
                "refinement fails; N = 2500.");
}

static void add_distances(study_catalogue *c)
{
    static const char *const SETS[STUDY_AIDS] = {"parent AID", "ancestor AID", "oset AID"};
    study_figure *f = study_add_figure(c, "aid", STUDY_SCATTER, STUDY_OURS, STUDY_AIDS, 4);
    study_leave_out_of_all(f, "aid");
    for (int row = 0; row < STUDY_AIDS; row++) {
        for (int column = 0; column < 4; column++) {
            study_setting s = STUDY_DEFAULTS;
            s.n = STUDY_SIZES[column];
            s.n_obs = (int64_t)50 * s.n;
            s.parents = 2;
            study_add_panel(f, study_setting_of(c, s), DPC_NORMALIZE_NONE);
            f->panels[f->n_panels - 1].aid = row;
            STUDY_PRINT(f->column_label[column], "n = %d", s.n);
        }
        STUDY_PRINT(f->row_label[row], "%s", SETS[row]);
    }
    study_title(f, "Wrong effects against wrong edges, d = 2",
                "The share of ordered pairs whose effect is wrong, by three adjustment "
                "identification distances to the true CPDAG, against SHD / n, both on square root "
                "scales. A dot is a data set, a large point the mean; N = 50n.");
}

void study_add_refined(study_catalogue *c)
{
    add_boxes(c, 2);
    add_boxes(c, 1.5);
    add_tanh(c);
    add_distances(c);
}
