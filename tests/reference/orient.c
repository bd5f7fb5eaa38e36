/* Orientation by the paper's rule (section 6): v-structures, then Meek's rules, over and over. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

static bool undirected(const struct run *run, int a, int b)
{
    const unsigned char *g = run->out->adjacency;
    return g[(size_t)a * run->n + b] && g[(size_t)b * run->n + a];
}

static bool directed(const unsigned char *g, int n, int a, int b)
{
    return g[(size_t)a * n + b] && !g[(size_t)b * n + a];
}

static bool arrow(const struct run *run, int a, int b)
{
    return directed(run->out->adjacency, run->n, a, b);
}

static bool adjacent(const struct run *run, int a, int b)
{
    return run->adjacency[(size_t)a * run->n + b];
}

static void orient(struct run *run, int a, int b)
{
    run->out->adjacency[(size_t)a * run->n + b] = 1;
    run->out->adjacency[(size_t)b * run->n + a] = 0;
}

static bool separated_by(const struct run *run, int x, int z, int y)
{
    const struct reference_sepset *s = ref_sepset(run->out, x, z);
    for (int i = 0; i < s->size; i++)
        if (s->members[i] == y)
            return true;
    return false;
}

static void v_structures(struct run *run)
{
    int n = run->n;
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            for (int z = 0; z < n && adjacent(run, x, y); z++) {
                if (z != x && adjacent(run, z, y) && !adjacent(run, x, z) &&
                    !separated_by(run, x, z, y) && !ref_impossible(run, x, z) &&
                    !ref_forbidden(run, x, y) && !ref_forbidden(run, z, y)) {
                    orient(run, x, y);
                    orient(run, z, y);
                }
            }
        }
    }
}

/* a → b, b — c, a and c not adjacent: b → c. */
static bool rule_1(struct run *run, int a, int b)
{
    bool changed = false;
    for (int c = 0; c < run->n; c++) {
        if (c != a && undirected(run, b, c) && !adjacent(run, a, c) && !ref_impossible(run, a, c)) {
            orient(run, b, c);
            changed = true;
        }
    }
    return changed;
}

/* a — b and a → c → b: a → b. */
static bool rule_2(struct run *run, int a, int b)
{
    for (int c = 0; c < run->n; c++) {
        if (undirected(run, a, b) && arrow(run, a, c) && arrow(run, c, b)) {
            orient(run, a, b);
            return true;
        }
    }
    return false;
}

/* a — b, a — c → b, a — d → b, c and d not adjacent: a → b. */
static bool rule_3(struct run *run, int a, int b)
{
    for (int c = 0; c < run->n; c++) {
        for (int d = 0; d < c; d++) {
            if (undirected(run, a, b) && undirected(run, a, c) && undirected(run, a, d) &&
                arrow(run, c, b) && arrow(run, d, b) && !adjacent(run, c, d) &&
                !ref_impossible(run, c, d)) {
                orient(run, a, b);
                return true;
            }
        }
    }
    return false;
}

/* a — b, a — c → d → b, a and d adjacent, b and c not: a → b. For background knowledge. */
static bool rule_4(struct run *run, int a, int b)
{
    for (int c = 0; c < run->n; c++) {
        for (int d = 0; d < run->n; d++) {
            if (c != b && undirected(run, a, b) && undirected(run, a, c) && arrow(run, c, d) &&
                arrow(run, d, b) && adjacent(run, a, d) && !adjacent(run, b, c) &&
                !ref_impossible(run, b, c)) {
                orient(run, a, b);
                return true;
            }
        }
    }
    return false;
}

/* What is left one direction. */
static void orient_known(struct run *run)
{
    for (int a = 0; a < run->n; a++)
        for (int b = 0; b < run->n; b++)
            if (a != b && adjacent(run, a, b) && ref_forbidden(run, b, a))
                orient(run, a, b);
}

/* Applies a rule to the edges a → b (or a — b) of the state at its start, column by column. */
static bool apply_rule(struct run *run, bool (*rule)(struct run *, int, int), bool to_arrows)
{
    int n = run->n;
    unsigned char *start = ref_zeroed((size_t)n * n, 1);
    memcpy(start, run->out->adjacency, (size_t)n * n);
    bool changed = false;
    for (int b = 0; b < n; b++) {
        for (int a = 0; a < n; a++) {
            bool both = start[(size_t)a * n + b] && start[(size_t)b * n + a];
            if (to_arrows ? directed(start, n, a, b) : both)
                changed |= rule(run, a, b);
        }
    }
    free(start);
    return changed;
}

void ref_orient(struct run *run)
{
    memcpy(run->out->adjacency, run->adjacency, (size_t)run->n * run->n);
    if (run->settings->graph == DPC_SKELETON)
        return;
    orient_known(run);
    v_structures(run);
    if (run->settings->graph == DPC_PATTERN)
        return;
    bool changed = true;
    while (changed) {
        changed = apply_rule(run, rule_1, true);
        changed |= apply_rule(run, rule_2, false);
        changed |= apply_rule(run, rule_3, false);
        if (run->known != NULL)
            changed |= apply_rule(run, rule_4, false);
    }
}
