/*
 * Which nodes can be reached from which along arrows, as rows of bits: whether an arrow would close
 * a circle is one question then, however many arrows there are. For graphs that are dense enough to
 * be worth n² / 2 bytes. Arrows can be taken back, down to the last mark.
 */
#ifndef DPC_REACH_H
#define DPC_REACH_H

#include "bits.h"
#include "dualpc_graph.h"

typedef struct dpc_reach {
    int n;
    int64_t words; /* of a row */
    uint64_t
        *rows; /* row v: what can be reached from v, v too; row n + v: from where v can; owned */
    uint64_t *saved; /* rows as they were at the mark; owned */
    int32_t *list;   /* which ones; owned */
    int n_saved;
    int32_t *when; /* per row: the mark since which it is saved; owned */
    int32_t marks;
} dpc_reach;

/* No arrows. End with dpc_reach_clear, also after a failure. */
dpc_status dpc_reach_init(int n, dpc_reach *out);
void dpc_reach_clear(dpc_reach *reach);

/* Can b be reached from a? */
static inline bool dpc_reaches(const dpc_reach *reach, int a, int b)
{
    return dpc_bit(reach->rows, reach->words, a, b);
}

/* An arrow a → b more; false, and nothing changed: it would close a circle. */
bool dpc_reach_add(dpc_reach *reach, int a, int b);

/* From here on arrows can be taken back; and takes them back. */
void dpc_reach_mark(dpc_reach *reach);
void dpc_reach_undo(dpc_reach *reach);

#endif
