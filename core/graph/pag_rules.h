/*
 * From circles to marks: the rules of orientation for partial ancestral graphs.
 *
 * R0 writes the arrowheads of unshielded colliders, R1 – R4 and R8 – R10 what follows from them
 * (Zhang 2008), R5 – R7 the tails of selected samples. A circle is the only mark a rule may change.
 *
 * A rule reads the graph as it was when the rule began, and all that it finds is written at once;
 * where it finds a tail and an arrowhead for one end it writes the arrowhead. So the marks do not
 * depend on the numbers of the nodes, not even where the judge contradicts himself.
 */
#ifndef DPC_PAG_RULES_H
#define DPC_PAG_RULES_H

#include "mixed.h"

/* What b is between a and c. */
typedef enum dpc_triple_status {
    DPC_STATUS_OPEN, /* nobody knows: d and c were never separated by a set */
    DPC_STATUS_COLLIDER,
    DPC_STATUS_NONCOLLIDER,
} dpc_triple_status;

/*
 * Says what b is on a path d … a, b, c whose ends d and c are not adjacent: of an unshielded
 * triple, where d is a, or of a path that discriminates b. By a separating set of d and c, which
 * has b where b is no collider, or by the marks of a MAG.
 */
typedef dpc_triple_status dpc_pag_judge(const void *context, int d, int a, int b, int c);

enum {
    DPC_RULE_OF_KNOWLEDGE = 11, /* in the place of a rule: the mark was known beforehand */
    DPC_RULE_OF_NOTHING = 255,  /* the mark is a circle, or was there before the rules */
};

/*
 * Why the end at b of an edge a *-* b has its mark. `other` has the nodes of the premises, -1 where
 * there are fewer:
 *
 *     R0, R1   the third node of the triple;
 *     R2, R8   the node between;
 *     R3       the two ends of the collider at b;
 *     R4       d, and the node before the one that is discriminated; then the collider or not one
 *              (the node itself), and the last node of the path;
 *     R5       the nodes next to a and to b on the circle of circles;
 *     R6, R7   the third node;
 *     R9       the first node after the end with the tail;
 *     R10      the two parents, and the first nodes of the paths to them.
 */
typedef struct dpc_mark_reason {
    int32_t other[4];
    uint8_t rule; /* 0 … 10, or one of the above */
} dpc_mark_reason;

typedef struct dpc_pag_rules {
    dpc_pag_judge *judge;
    const void *context;
    bool some_open;           /* the judge may say that a triple is open: he is asked each time */
    bool selection;           /* with R5 – R7 */
    dpc_mark_reason *reasons; /* by slot; NULL: nobody asks. Filled by dpc_pag_start first */
} dpc_pag_rules;

/* All marks are circles, and no reason is known. */
void dpc_pag_start(const dpc_pag_rules *rules, dpc_mixed *graph);

/* R0: the arrowheads of all unshielded colliders. DPC_OK or no memory, as below. */
dpc_status dpc_pag_colliders(const dpc_pag_rules *rules, dpc_mixed *graph);

/* R1 – R3 until nothing changes, then R4, from the beginning until nothing changes; R5 – R7 where
 * samples are selected; then R8 – R10 with all of these. */
dpc_status dpc_pag_close(const dpc_pag_rules *rules, dpc_mixed *graph);

/* Both, one after the other. */
dpc_status dpc_pag_apply(const dpc_pag_rules *rules, dpc_mixed *graph);

#endif
