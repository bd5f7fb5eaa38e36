/*
 * The slow twin of climbing: the best of all steps from a DAG, by scoring whole families afresh.
 * A step adds, deletes or turns one edge, or replaces one parent of a node by another variable. It
 * shares no code with core/.
 */
#ifndef STEP_TWIN_H
#define STEP_TWIN_H

#include "knowledge.h"
#include "score_twin.h"

/* What is known, as bits by child: parents that must be, and that cannot be. */
struct rules {
    uint64_t required[TWIN_NODES], banned[TWIN_NODES];
};

/* `knowledge` may be NULL. */
void rules_of(const dpc_knowledge *knowledge, int n, struct rules *rules);
bool within_rules(const struct rules *rules, int n, const uint64_t *parents);

enum twin_kind { TWIN_ADD = 1, TWIN_DELETE = 2, TWIN_TURN = 4, TWIN_SWAP = 8 };
enum { TWIN_SINGLE = TWIN_ADD | TWIN_DELETE | TWIN_TURN, TWIN_ALL = TWIN_SINGLE | TWIN_SWAP };

/* The edge is that before it is turned; a swap has the parent that goes, too. */
struct twin_step {
    double gain;
    enum twin_kind kind;
    int from, to, out;
};

/* Is more left of v given S, and of its members given those before them, than rounding could leave?
 */
bool twin_is_firm(const struct score_twin *twin, int v, uint64_t set);

/*
 * The best step of some kinds (bits) that closes no circle; its gain is -INFINITY where there is
 * none. Steps from or to a family that is not firm are not judged. `rules` may be NULL; those of
 * the class: a step must lead to a DAG whose class has a member within the rules, for up to 8
 * nodes.
 */
struct twin_step twin_best_step(const struct score_twin *twin, const struct rules *rules, int kinds,
                                const uint64_t *parents);
struct twin_step twin_best_class_step(const struct score_twin *twin, const struct rules *rules,
                                      int kinds, const uint64_t *parents);

/* Makes it. */
void twin_take(const struct twin_step *step, uint64_t *parents);

/* In words, for a failure. */
const char *twin_words(const struct twin_step *step);

#endif
