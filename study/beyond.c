/*
 * Figures of data that are not linear and Gaussian: conditional Gaussian networks, ordered levels
 * of latent normal variables, binary ones, curved relations, and linear data beside them. The same
 * data are taken in several ways: as the numbers that code them, by their ranks, as what they are.
 */
#include "catalogue.h"

#include "status.h"

#include <math.h>

static const double ALPHA[] = {0.01};

enum { ESS = 30 };

/* Their colours in the figures, among the line types of figure.c. */
enum {
    RED = 3,
    BLUE = 1,
    GREEN = 7,
    PURPLE = 5,
    BROWN = 8,
    RED_DASHED = 4,
    BLUE_DASHED = 2,
    PURPLE_DASHED = 6,
};

#define RUN(label, method, normalize, rule, refine, kinds, line)                                   \
    {                                                                                              \
        label, method, DPC_STABLE, DPC_FISHER_Z, normalize, ESS, ALPHA, DPC_CONSISTENT, rule,      \
            refine, kinds, line                                                                    \
    }

static const study_run RUNS[] = {
    RUN("PC, numbers", DPC_CLASSIC, DPC_NORMALIZE_NONE, DPC_RULE_OR, DPC_REFINE_NONE,
        STUDY_AS_NUMBERS, RED),
    RUN("dual PC, numbers", DPC_DUAL, DPC_NORMALIZE_NONE, DPC_RULE_OR, DPC_REFINE_NONE,
        STUDY_AS_NUMBERS, BLUE),
    RUN("dual PC, copula", DPC_DUAL, DPC_NORMALIZE_COPULA, DPC_RULE_OR, DPC_REFINE_NONE,
        STUDY_AS_NUMBERS, GREEN),
    RUN("refined, numbers", DPC_DUAL, DPC_NORMALIZE_NONE, DPC_RULE_AND, DPC_REFINE_FAST,
        STUDY_AS_NUMBERS, PURPLE),
    RUN("dual PC, latent", DPC_DUAL, DPC_NORMALIZE_LATENT, DPC_RULE_OR, DPC_REFINE_NONE,
        STUDY_AS_ORDERED, BROWN),
    RUN("PC, blocks", DPC_CLASSIC, DPC_NORMALIZE_NONE, DPC_RULE_OR, DPC_REFINE_NONE,
        STUDY_AS_BLOCKS, RED_DASHED),
    RUN("dual PC, blocks", DPC_DUAL, DPC_NORMALIZE_NONE, DPC_RULE_OR, DPC_REFINE_NONE,
        STUDY_AS_BLOCKS, BLUE_DASHED),
    RUN("refined, blocks", DPC_DUAL, DPC_NORMALIZE_NONE, DPC_RULE_AND, DPC_REFINE_FAST,
        STUDY_AS_BLOCKS, PURPLE_DASHED),
};

/* In quotes, because of the comma: the options are a cell of a CSV file. */
#define DATA(text, ...)                                                                            \
    {                                                                                              \
        .options = "\"--weights 0.3,1" text "\"", .weight_low = 0.3, .weight_high = 1, .kinds = {  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
static const struct {
    const char *label;
    study_departure departure;
} COLUMNS[] = {
    {"half nominal", DATA(" --mixed 0.5", .mixed = 0.5)},
    {"half ordered", DATA(" --ordinal 0.5", .ordinal = 0.5)},
    {"all binary", DATA(" --ordinal 1 --levels 2", .ordinal = 1, .levels = 2)},
    {"three quarters curved", DATA(" --curved 0.75", .curved = 0.75)},
    {"linear", DATA("", .mixed = 0)},
};
enum { N_COLUMNS = sizeof COLUMNS / sizeof *COLUMNS, N_ROWS = 3 };
static const int ROWS[N_ROWS] = {300, 1000, 5000};

static study_figure *add_figure(study_catalogue *c, const char *name, study_kind kind)
{
    study_figure *f = study_add_figure(c, name, kind, STUDY_OURS, N_ROWS, N_COLUMNS);
    study_leave_out_of_all(f, "beyond-gaussian");
    f->every_run = true;
    for (int row = 0; row < N_ROWS; row++) {
        for (int column = 0; column < N_COLUMNS; column++) {
            const study_setting s = {.n = 20,
                                     .n_obs = ROWS[row],
                                     .parents = 1.5,
                                     .degrees = INFINITY,
                                     .runs = RUNS,
                                     .n_runs = (int)(sizeof RUNS / sizeof *RUNS),
                                     .n_levels = 1,
                                     .departure = &COLUMNS[column].departure};
            study_add_panel(f, study_setting_of(c, s), DPC_NORMALIZE_NONE);
            STUDY_PRINT(f->column_label[column], "%s", COLUMNS[column].label);
        }
        STUDY_PRINT(f->row_label[row], "N = %d", ROWS[row]);
    }
    return f;
}

void study_add_beyond(study_catalogue *c)
{
    study_title(
        add_figure(c, "beyond-shd", STUDY_SHD), "Beyond Gaussian data: SHD per node",
        "SHD per node, on a square root scale; n = 20, d = 1.5, α = 0.01. Numbers: the "
        "levels of a variable enter as 0, 1, … Copula: the ranks become normal scores. "
        "Latent: levels are cut from normal variables. Blocks: indicators of the levels, and "
        "polynomials of the ranks where edges are curved.");
    study_title(add_figure(c, "beyond-tests", STUDY_TESTS), "Beyond Gaussian data: number of tests",
                "Tests made for the skeleton (refined: and scores), on a log scale; n = 20, d = "
                "1.5, α = 0.01.");
}

/* ---- Kinds ---- */

/* All variables that are not numbers: as their codes, as ordered levels, or as what they are. */
dpc_status study_set_kinds(const dpc_dag *dag, study_kinds kinds, dpc_table *table, dpc_error *err)
{
    for (int v = 0; v < dag->n; v++) {
        dpc_variable_kind kind = dpc_node_kind_of(dag, v);
        if (kind != DPC_NUMBER)
            kind = kinds == STUDY_AS_NUMBERS   ? DPC_NUMBER
                   : kinds == STUDY_AS_ORDERED ? DPC_ORDERED
                                               : DPC_NOMINAL;
        int levels = kind == DPC_NUMBER ? 0 : dag->kinds[v].n_levels;
        DPC_CHECK(dpc_table_set_kind(table, v, kind, levels, NULL, err));
    }
    return DPC_OK;
}
