/*
 * What the study runs and shows: the settings of the paper (section 4 and appendix), the learners
 * with their levels, and one entry for every figure, in the paper's order.
 */
#include "catalogue.h"

#include "alloc.h"
#include "random.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* ---- Runs ---- */

static const double ALPHAS[STUDY_LEVELS] = {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25};
/* The sparse settings divide by 1000. */
static const double SMALL_ALPHAS[STUDY_LEVELS] = {2e-6, 5e-6,   1e-5, 2e-5,  5e-5,
                                                  1e-4, 1.5e-4, 2e-4, 2.5e-4};
static const double PENALTIES[STUDY_LEVELS] = {5, 7, 10, 14, 20, 28, 40, 57, 80};

/* The authors' effective sample sizes. */
enum { ESS = 3, SPARSE_ESS = 20 };

/* One end of a pair decides, the last v-structure wins. */
#define AS_PUBLISHED DPC_RELAXED, DPC_RULE_OR, DPC_REFINE_NONE, STUDY_AS_NUMBERS, 0

#define PC(method, variant, normalize, label)                                                      \
    {                                                                                              \
        label, method, variant, DPC_FISHER_Z, normalize, ESS, ALPHAS, AS_PUBLISHED                 \
    }
#define SPARSE(method, variant, test, label)                                                       \
    {                                                                                              \
        label, method, variant, test, DPC_NORMALIZE_NONE, SPARSE_ESS, SMALL_ALPHAS, AS_PUBLISHED   \
    }
#define ALL_METHODS(normalize)                                                                     \
    PC(DPC_DUAL, DPC_STABLE, normalize, "dual PC stable"),                                         \
        PC(DPC_DUAL, DPC_STANDARD, normalize, "dual PC"),                                          \
        PC(DPC_CLASSIC, DPC_STABLE, normalize, "PC stable"),                                       \
        PC(DPC_CLASSIC, DPC_STANDARD, normalize, "PC"),                                            \
        PC(DPC_PRECISION, DPC_STABLE, normalize, "precision-first PC stable"),                     \
        PC(DPC_PRECISION, DPC_STANDARD, normalize, "precision-first PC"),                          \
    {                                                                                              \
        "GES", DPC_GES, DPC_STABLE, DPC_FISHER_Z, normalize, ESS, PENALTIES, AS_PUBLISHED          \
    }
#define SPARSE_METHODS(test)                                                                       \
    SPARSE(DPC_DUAL, DPC_STABLE, test, "dual PC stable"),                                          \
        SPARSE(DPC_DUAL, DPC_STANDARD, test, "dual PC"),                                           \
        SPARSE(DPC_CLASSIC, DPC_STABLE, test, "PC stable"),                                        \
        SPARSE(DPC_CLASSIC, DPC_STANDARD, test, "PC")

/* As the data are; or also after quantile normalisation; or with either test. */
static const study_run PLAIN[] = {ALL_METHODS(DPC_NORMALIZE_NONE)};
static const study_run BOTH[] = {ALL_METHODS(DPC_NORMALIZE_NONE),
                                 ALL_METHODS(DPC_NORMALIZE_COPULA)};
static const study_run SPARSE_RUNS[] = {SPARSE_METHODS(DPC_FISHER_Z), SPARSE_METHODS(DPC_EXACT_T)};

#define RUNS(list) list, (int)(sizeof(list) / sizeof *(list)), STUDY_LEVELS, false, NULL

/* ---- Settings ---- */

const int STUDY_SIZES[4] = {50, 100, 150, 200};
const double STUDY_LAMBDAS[3] = {0.1, 0.25, 1};
static const int PER_NODE[] = {25, 50, 100};
static const int SPARSE_SIZES[] = {500, 1000, 1500, 2000};
static const double SPARSE_PARENTS[] = {0.05, 0.1, 0.2};
static const double DEGREES[] = {2, 5, 10};

enum { MAX_SETTINGS = 160, MAX_FIGURES = 40 };

int study_setting_of(study_catalogue *c, study_setting wanted)
{
    for (int i = 0; i < c->n_settings; i++) {
        study_setting *s = &c->settings[i];
        if (s->n == wanted.n && s->n_obs == wanted.n_obs && s->parents == wanted.parents &&
            s->degrees == wanted.degrees && s->tanh == wanted.tanh && s->runs == wanted.runs &&
            s->departure == wanted.departure)
            return i;
    }
    c->settings[c->n_settings] = wanted;
    return c->n_settings++;
}

static const study_setting PAPER = {0, 0, 0, INFINITY, 0, RUNS(PLAIN)};

static int sparse(study_catalogue *c, int n, double parents)
{
    return study_setting_of(c, (study_setting){n, n / 2, parents, INFINITY, 0, RUNS(SPARSE_RUNS)});
}

/* N = 50 n, and both normalisations for the one that the paper has with a copula. */
static int t_noise(study_catalogue *c, int n, double parents, double degrees)
{
    if (n == 50 && parents == 2)
        return study_setting_of(c, (study_setting){n, 50 * n, parents, degrees, 0, RUNS(BOTH)});
    return study_setting_of(c, (study_setting){n, 50 * n, parents, degrees, 0, RUNS(PLAIN)});
}

static int with_tanh(study_catalogue *c, int n, double parents, double lambda)
{
    return study_setting_of(c, (study_setting){n, 50 * n, parents, INFINITY, lambda, RUNS(BOTH)});
}

/* ---- Figures ---- */

enum {
    PC_METHODS = STUDY_BIT(DPC_DUAL) | STUDY_BIT(DPC_CLASSIC),
    WITH_GES = PC_METHODS | STUDY_BIT(DPC_GES),
    EVERY_METHOD = WITH_GES | STUDY_BIT(DPC_PRECISION),
};

study_figure *study_add_figure(study_catalogue *c, const char *name, study_kind kind,
                               unsigned methods, int rows, int columns)
{
    study_figure *f = &c->figures[c->n_figures++];
    *f = (study_figure){
        .kind = kind, .methods = methods, .rows = rows, .columns = columns, .in_paper = true};
    STUDY_PRINT(f->name, "%s", name);
    return f;
}

void study_add_panel(study_figure *f, int setting, dpc_normalize normalize)
{
    f->panels[f->n_panels++] = (study_panel){setting, normalize, 0};
}

study_figure *study_add_grid(study_catalogue *c, const char *stem, study_kind kind,
                             unsigned methods, double parents, study_setting with)
{
    char name[32];
    STUDY_PRINT(name, "%s-%g", stem, parents);
    study_figure *f = study_add_figure(c, name, kind, methods, 3, 4);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            with.n = STUDY_SIZES[column];
            with.n_obs = (int64_t)PER_NODE[row] * with.n;
            with.parents = parents;
            study_add_panel(f, study_setting_of(c, with), DPC_NORMALIZE_NONE);
        }
    for (int row = 0; row < 3; row++)
        STUDY_PRINT(f->row_label[row], "N = %dn", PER_NODE[row]);
    for (int column = 0; column < 4; column++)
        STUDY_PRINT(f->column_label[column], "n = %d", STUDY_SIZES[column]);
    return f;
}

void study_title(study_figure *f, const char *title, const char *caption)
{
    STUDY_PRINT(f->title, "%s", title);
    STUDY_PRINT(f->caption, "%s", caption);
}

static const char *const GRAPHS[STUDY_GRAPHS] = {"CPDAG", "pattern", "skeleton"};

static void add_curves(study_catalogue *c, dpc_target graph, double parents)
{
    study_figure *f = study_add_grid(c, dpc_word(DPC_WORD_TARGET, graph), STUDY_CURVES, PC_METHODS,
                                     parents, PAPER);
    f->graph = graph;
    STUDY_PRINT(f->title, "ROC-like curves, %s, d = %g", GRAPHS[graph], parents);
    STUDY_PRINT(
        f->caption,
        "True against false positive edges of the estimated %ss, both divided by the number "
        "of true edges: means over the data sets, one point for each of the nine "
        "significance levels. Expected number of parents d = %g.",
        GRAPHS[graph], parents);
}

static void add_boxes(study_catalogue *c, const char *stem, study_kind kind, double parents)
{
    study_figure *f = study_add_grid(c, stem, kind, PC_METHODS, parents, PAPER);
    const char *what = kind == STUDY_SHD     ? "SHD per node"
                       : kind == STUDY_TESTS ? "Number of tests"
                                             : "Run times";
    const char *more =
        kind == STUDY_SHD ? "Structural Hamming distance between estimated and true CPDAG, divided "
                            "by the number of nodes"
        : kind == STUDY_TESTS
            ? "Conditional independence tests made for the skeleton, on a log scale"
            : "Seconds from the correlation matrix to the CPDAG on one thread, on a "
              "log scale";
    STUDY_PRINT(f->title, "%s at α = 5 %%, d = %g", what, parents);
    STUDY_PRINT(f->caption, "%s, at α = 5 %%. Expected number of parents d = %g.", more, parents);
}

static study_figure *sparse_figure(study_catalogue *c, const char *name, study_kind kind,
                                   unsigned methods)
{
    study_figure *f = study_add_figure(c, name, kind, methods, 3, 4);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            study_add_panel(f, sparse(c, SPARSE_SIZES[column], SPARSE_PARENTS[row]),
                            DPC_NORMALIZE_NONE);
    for (int row = 0; row < 3; row++)
        STUDY_PRINT(f->row_label[row], "d = %g", SPARSE_PARENTS[row]);
    for (int column = 0; column < 4; column++)
        STUDY_PRINT(f->column_label[column], "n = %d", SPARSE_SIZES[column]);
    return f;
}

static void label_degrees(study_figure *f)
{
    for (int column = 0; column < 3; column++)
        STUDY_PRINT(f->column_label[column], "ν = %g", DEGREES[column]);
}

/* One row for each of the sizes. */
static void add_t_noise(study_catalogue *c, const char *name, double parents, const int *sizes,
                        int count, bool in_paper)
{
    study_figure *f = study_add_figure(c, name, STUDY_CURVES, WITH_GES, count, 3);
    for (int row = 0; row < count; row++) {
        for (int column = 0; column < 3; column++)
            study_add_panel(f, t_noise(c, sizes[row], parents, DEGREES[column]),
                            DPC_NORMALIZE_NONE);
        STUDY_PRINT(f->row_label[row], "n = %d", sizes[row]);
    }
    label_degrees(f);
    f->in_paper = in_paper;
    STUDY_PRINT(f->title, "Student t noise, n = %d%s, d = %g", sizes[0],
                count > 1 ? " and larger" : "", parents);
    STUDY_PRINT(
        f->caption,
        "Recovery of the CPDAG where the noise follows Student's t distribution with ν degrees "
        "of freedom; N = 50n, d = %g.",
        parents);
}

study_figure *study_add_pair_of_rows(study_catalogue *c, const char *name, study_kind kind)
{
    study_figure *f = study_add_figure(c, name, kind, WITH_GES, 2, 3);
    strcpy(f->row_label[0], "quantile normalised");
    strcpy(f->row_label[1], "as they are");
    return f;
}

static void add_copula(study_catalogue *c, int n, double parents, bool in_paper)
{
    char name[32];
    STUDY_PRINT(name, in_paper ? "copula-%d" : "copula-%d-%g", n, parents);
    study_figure *f = study_add_pair_of_rows(c, name, STUDY_CURVES);
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            study_add_panel(f, with_tanh(c, n, parents, STUDY_LAMBDAS[column]),
                            row == 0 ? DPC_NORMALIZE_COPULA : DPC_NORMALIZE_NONE);
    for (int column = 0; column < 3; column++)
        STUDY_PRINT(f->column_label[column], "λ = %g", STUDY_LAMBDAS[column]);
    f->in_paper = in_paper;
    STUDY_PRINT(f->title, "Gaussian copula: tanh of the data, n = %d, d = %g", n, parents);
    STUDY_PRINT(
        f->caption,
        "Recovery of the CPDAG where every variable went through tanh, the more bent the "
        "larger λ; above with the ranks turned into normal scores, below as they are; N = %d, "
        "d = %g.",
        50 * n, parents);
}

static void add_t_copula(study_catalogue *c)
{
    study_figure *f = study_add_pair_of_rows(c, "t-copula", STUDY_CURVES);
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            study_add_panel(f, t_noise(c, 50, 2, DEGREES[column]),
                            row == 0 ? DPC_NORMALIZE_COPULA : DPC_NORMALIZE_NONE);
    label_degrees(f);
    study_title(f, "Student t noise with a copula, n = 50, d = 2",
                "Recovery of the CPDAG where the noise follows Student's t distribution with ν "
                "degrees of freedom; above with the ranks turned into normal scores, below as they "
                "are; n = 50, N = 2500, d = 2.");
}

static void add_every_method(study_catalogue *c, double parents)
{
    study_figure *f = study_add_grid(c, "methods", STUDY_CURVES, EVERY_METHOD, parents, PAPER);
    f->in_paper = false;
    STUDY_PRINT(f->title, "All methods, CPDAG, d = %g", parents);
    STUDY_PRINT(
        f->caption,
        "Not in the paper: its ROC-like curves for the CPDAG with precision-first PC and GES "
        "added. Expected number of parents d = %g.",
        parents);
}

static void add_sparse(study_catalogue *c)
{
    study_title(sparse_figure(c, "sparse-cpdag", STUDY_CURVES, PC_METHODS),
                "High dimension: ROC-like curves, CPDAG",
                "Sparse networks with twice as many variables as observations, N = n/2; the nine "
                "significance levels are divided by 1000.");
    study_title(
        sparse_figure(c, "sparse-times", STUDY_SECONDS, PC_METHODS),
        "High dimension: run times at α = 5e-5",
        "Seconds from the correlation matrix to the CPDAG on one thread, on a log scale; N = "
        "n/2, α = 5e-5.");
}

static void add_exact(study_catalogue *c)
{
    study_title(
        sparse_figure(c, "exact-shd", STUDY_SHD_CHANGE, STUDY_BIT(DPC_DUAL)),
        "High dimension: exact t against Fisher z, SHD",
        "SHD of the CPDAG by the exact t test minus that by Fisher's z on the same data, at α "
        "= 5e-5; below 0 the exact test is better.");
    study_title(
        sparse_figure(c, "exact-times", STUDY_TIME_CHANGE, STUDY_BIT(DPC_DUAL)),
        "High dimension: exact t against Fisher z, run time",
        "Run time with the exact t test minus that with Fisher's z, divided by the latter, at "
        "α = 5e-5.");
}

/* In the paper's order; what it does not have comes last. */
static void fill(study_catalogue *c)
{
    add_boxes(c, "shd", STUDY_SHD, 2);
    add_curves(c, DPC_CPDAG, 2);
    add_boxes(c, "tests", STUDY_TESTS, 2);
    add_boxes(c, "times", STUDY_SECONDS, 2);
    add_sparse(c);
    add_t_noise(c, "t-noise-2", 2, STUDY_SIZES, 1, true);
    add_copula(c, 50, 2, true);
    add_curves(c, DPC_SKELETON, 2);
    add_curves(c, DPC_PATTERN, 2);
    add_boxes(c, "shd", STUDY_SHD, 1.5);
    add_curves(c, DPC_CPDAG, 1.5);
    add_curves(c, DPC_SKELETON, 1.5);
    add_curves(c, DPC_PATTERN, 1.5);
    add_boxes(c, "tests", STUDY_TESTS, 1.5);
    add_boxes(c, "times", STUDY_SECONDS, 1.5);
    add_exact(c);
    add_t_noise(c, "t-noise-1.5", 1.5, STUDY_SIZES, 1, true);
    add_t_noise(c, "t-noise-large", 2, STUDY_SIZES + 1, 3, true);
    add_copula(c, 100, 2, true);
    add_copula(c, 150, 2, true);
    add_copula(c, 200, 2, true);
    add_t_copula(c);
    add_every_method(c, 2);
    add_every_method(c, 1.5);
    add_t_noise(c, "t-noise-large-1.5", 1.5, STUDY_SIZES + 1, 1, false);
    add_copula(c, 50, 1.5, false);
    add_copula(c, 100, 1.5, false);
    study_add_refined(c);
    study_add_critics(c);
    study_add_beyond(c);
}

dpc_status study_catalogue_new(study_catalogue *out, dpc_error *err)
{
    study_catalogue c = {
        .settings = dpc_zalloc(MAX_SETTINGS, sizeof *c.settings),
        .figures = dpc_zalloc(MAX_FIGURES, sizeof *c.figures),
    };
    if (c.settings == NULL || c.figures == NULL) {
        study_catalogue_free(&c);
        return dpc_fail_memory(err, "the list of figures");
    }
    fill(&c);
    *out = c;
    return DPC_OK;
}

void study_catalogue_free(study_catalogue *c)
{
    free(c->settings);
    free(c->figures);
    *c = (study_catalogue){0};
}

bool study_shows(const study_figure *figure, const study_panel *panel, const study_run *run)
{
    return (figure->methods & STUDY_BIT(run->method)) != 0 &&
           (figure->every_run || run->normalize == panel->normalize) && run->test == DPC_FISHER_Z;
}

/* ---- Seeds and costs ---- */

uint64_t study_seed(const study_setting *setting, uint64_t seed, int rep)
{
    uint64_t key = dpc_mix(seed);
    key = dpc_mix(key ^ (uint64_t)setting->n);
    key = dpc_mix(key ^ (uint64_t)llround(1000 * setting->parents));
    key = dpc_mix(key ^ (uint64_t)rep);
    return key >> 11; /* 53 bits: a double holds it exactly */
}

/*
 * Nanoseconds, roughly, as measured: drawing and correlating the data, and searching, which
 * grows with the density and where bent data make every pair depend on every other.
 */
double study_cost(const study_setting *s)
{
    double draw = (double)s->n * (double)s->n_obs * (50 + 0.4 * s->n);
    if (s->n_levels == 1) /* nearly all of it is refinement */
        return draw + 1e4 * s->n * s->n * (s->tanh > 0.2 ? 20 : s->n_runs / 6.0);
    double search = (s->parents < 1 ? 1e3 : 2e4 * s->parents) * s->n * s->n;
    return draw + search * s->n_runs * (s->tanh > 0.5 ? 4 : 1);
}
