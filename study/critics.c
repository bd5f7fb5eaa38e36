/*
 * Figures for those who doubt the paper's design: its data let one read the causal order off the R²
 * of the variables (sortability.h). The same methods on data without that, with mixed signs,
 * unequal or skewed noise, and graphs of other shapes. Every method runs as the program does by
 * default.
 */
#include "catalogue.h"

#include <math.h>

/* In quotes, because of the comma: the options are a cell of a CSV file. */
static const study_departure UNEQUAL = {.options = "\"--signs mixed --variances 0.5,2\"",
                                        .signs = DPC_MIXED_SIGNS,
                                        .variance_low = 0.5,
                                        .variance_high = 2};
static const study_departure SKEWED = {.options = "", .exponential = true};
static const study_departure INTERNAL = {.options = "--design internal", .design = DPC_INTERNAL};
static const study_departure MIXED = {
    .options = "--design internal --signs mixed", .design = DPC_INTERNAL, .signs = DPC_MIXED_SIGNS};
static const study_departure ONION = {.options = "--design onion", .design = DPC_ONION};

/* NULL: the paper's. */
static const struct {
    const char *label;
    const study_departure *departure;
} DESIGNS[] = {
    {"as in the paper", NULL},         {"mixed signs, noise .5 to 2", &UNEQUAL},
    {"exponential noise", &SKEWED},    {"internal", &INTERNAL},
    {"internal, mixed signs", &MIXED}, {"onion", &ONION},
};
enum { N_DESIGNS = sizeof DESIGNS / sizeof *DESIGNS };

static const struct {
    int n, n_obs;
    double parents;
} SIZES[] = {{50, 1250, 2}, {100, 2500, 1.5}, {50, 250, 2}};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES };

#define SHAPE(name, value)                                                                         \
    {                                                                                              \
        {.options = "--structure " name, .structure = value},                                      \
        {                                                                                          \
            .options = "--structure " name " --design internal --signs mixed", .structure = value, \
            .design = DPC_INTERNAL, .signs = DPC_MIXED_SIGNS                                       \
        }                                                                                          \
    }
/* Each as in the paper, and internal with mixed signs. */
static const study_departure SHAPES[][2] = {
    SHAPE("scale-free-out", DPC_SCALE_FREE_OUT),
    SHAPE("scale-free-in", DPC_SCALE_FREE_IN),
    SHAPE("small-world", DPC_SMALL_WORLD),
    SHAPE("bipartite", DPC_BIPARTITE),
    SHAPE("hubs", DPC_HUBS),
    SHAPE("chain", DPC_CHAIN),
};
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES };

static void add(study_catalogue *c, study_figure *f, int n, int n_obs, double parents,
                const study_departure *departure)
{
    study_setting s = STUDY_DEFAULTS;
    s.n = n;
    s.n_obs = n_obs;
    s.parents = parents;
    s.departure = departure;
    s.distances = departure == NULL; /* then it is a setting of other figures, which have them */
    study_add_panel(f, study_setting_of(c, s), DPC_NORMALIZE_NONE);
}

static study_figure *new_figure(study_catalogue *c, const char *name, int rows, int columns)
{
    study_figure *f = study_add_figure(c, name, STUDY_SHD, STUDY_OURS, rows, columns);
    study_leave_out_of_all(f, "critics");
    f->sortability = true;
    return f;
}

static void add_designs(study_catalogue *c)
{
    study_figure *f = new_figure(c, "critics-designs", N_SIZES, N_DESIGNS);
    for (int row = 0; row < N_SIZES; row++) {
        for (int column = 0; column < N_DESIGNS; column++) {
            add(c, f, SIZES[row].n, SIZES[row].n_obs, SIZES[row].parents,
                DESIGNS[column].departure);
            STUDY_PRINT(f->column_label[column], "%s", DESIGNS[column].label);
        }
        STUDY_PRINT(f->row_label[row], "n=%d, N=%d, d=%g", SIZES[row].n, SIZES[row].n_obs,
                    SIZES[row].parents);
    }
    study_title(
        f, "Other designs: SHD per node",
        "SHD per node, on a square root scale, with the mean R²-sortability (0.5: the causal "
        "order cannot be read off the R² of the variables). Internal: every variable is "
        "standardised before its children are made. Onion: all correlation matrices of the "
        "DAG are equally likely.");
}

static void add_structures(study_catalogue *c)
{
    study_figure *f = new_figure(c, "critics-structures", 2, N_SHAPES);
    for (int row = 0; row < 2; row++) {
        for (int column = 0; column < N_SHAPES; column++) {
            dpc_structure structure = SHAPES[column][row].structure;
            add(c, f, 50, 1250, structure == DPC_CHAIN ? 1 : 2, &SHAPES[column][row]);
            STUDY_PRINT(f->column_label[column], "%s", dpc_structure_words[structure]);
        }
        STUDY_PRINT(f->row_label[row], "%s",
                    row == 0 ? "as in the paper" : "internal, mixed signs");
    }
    study_title(
        f, "Graphs of other shapes: SHD per node",
        "SHD per node, on a square root scale, with the mean R²-sortability; n = 50, N = 1250, "
        "d = 2. Scale-free-out: hubs are causes; scale-free-in: hubs are effects; bipartite: "
        "a third of the variables are causes, the rest effects.");
}

void study_add_critics(study_catalogue *c)
{
    add_designs(c);
    add_structures(c);
}
