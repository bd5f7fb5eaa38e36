/*
 * Orientation by weighed triples (docs/algorithm.md, section 14), the slow way: everything is
 * looked up in matrices and counted anew at every step. It shares nothing with the library.
 */
#ifndef WEIGHED_TWIN_H
#define WEIGHED_TWIN_H

#include <stdbool.h>
#include <stdint.h>

/* All pointers are to matrices that the caller owns. */
struct weighed_twin {
    int n;
    const bool *adjacent; /* n × n, symmetric */
    const bool *must;     /* n × n: an edge a — b can only be a → b; or NULL */
    /* n × n × n: the weight of x — y — z in millionths, at y, x, z and y, z, x. */
    const int32_t *weight;
    bool *arrow; /* n × n, the result: a → b */
    bool *apart; /* n × n × n, scratch: y is decided to be no collider between x and z */
};

/* The three steps, one after the other; the first starts from no arrows. */
void twin_decide(struct weighed_twin *twin);
void twin_complete(struct weighed_twin *twin);
void twin_polish(struct weighed_twin *twin);

/*
 * The evidence of all arrows of a finished graph, t->arrow, into `evidence`, n × n: the largest of
 * all chains of the smallest of their links. `says` has for y, x, z what dpc_trace_provenance is
 * told by the marks: 1 gives arrows, 2 is no collider, or both. INT32_MAX where t->must has the
 * arrow, INT32_MIN where no chain leads to it.
 */
void twin_evidence(const struct weighed_twin *t, const unsigned char *says, int32_t *evidence);

#endif
