/*
 * Meek's rules (Causal inference and causal explanation with background knowledge, 1995): which
 * undirected edges follow from arrows, if there is to be no circle of arrows and no v-structure but
 * those there are.
 *
 *     rule 1   c → a — b,                     a no collider between c and b      ⇒ a → b
 *     rule 2   a → c → b,  a — b                                                 ⇒ a → b
 *     rule 3   a — c → b,  a — d → b,  a — b, a no collider between c and d      ⇒ a → b
 *     rule 4   a — c → d → b,  a, d adjacent,  a — b, a no collider between c and b ⇒ a → b
 *
 * The fourth is needed only with background knowledge. They are here once, asked from both ends:
 * what directs an edge (dpc_meek_rule), and what a new arrow directs (dpc_meek_follow).
 *
 * Two nodes that are not adjacent make a no collider between them where a is none already; but who
 * has not decided on all triples, or learns nothing from some, answers that question in another
 * way. So it is asked of whoever asks.
 */
#ifndef DPC_MEEK_H
#define DPC_MEEK_H

#include "mixed.h"

/* Is a, with its neighbours in two of its slots, known to be no collider? The two are not adjacent
 * then. */
typedef bool dpc_meek_noncollider(const void *context, int a, int64_t first, int64_t second);

typedef struct dpc_meek {
    const dpc_mixed *arrows;
    const uint8_t *premise; /* by slot: the ends that rules may start from; mostly arrows->end */
    dpc_meek_noncollider *noncollider;
    const void *context;
    /* Rule 4 asks that a — d is undirected, too; where it is not, rules 1 and 2 come to the same,
     * but in two steps. */
    bool all_undirected;
    /* For speed; each may be NULL. Per node: premises that end there, and that start there; */
    const int32_t *n_in, *n_out;
    /* by slot: the triples at its node that it is in and that are known to be no colliders. */
    const int32_t *n_noncolliders;
} dpc_meek;

enum { DPC_MEEK_RULES = 4 };

/*
 * Does this rule direct a — b, slot e of a, as a → b? If so `other` receives c and d, where the
 * rule has them: those with the smallest numbers, c first.
 */
bool dpc_meek_rule(const dpc_meek *meek, int rule, int a, int64_t e, int32_t other[2]);

/* The first of rules 1 … last that does; 0: none. */
int dpc_meek_find(const dpc_meek *meek, int last, int a, int64_t e, int32_t other[2]);

/* Directs an edge as a → b, slot a→b; it may be so already. False: it cannot be. */
typedef bool dpc_meek_direct(void *context, int64_t slot);

/*
 * The arrow a → b, at a slot a→b, is new: directs all that follows from it by one application of
 * rules 1 to 3. False: something cannot be, and the rest was left out.
 */
bool dpc_meek_follow(const dpc_meek *meek, int64_t slot, dpc_meek_direct *direct, void *context);

/* The same where it is new that y, with its neighbours in two slots, is no collider. */
bool dpc_meek_follow_noncollider(const dpc_meek *meek, int y, int64_t ex, int64_t ez,
                                 dpc_meek_direct *direct, void *context);

#endif
