/* The votes of all separating sets on the unshielded triples. */
#ifndef DPC_SET_VOTES_H
#define DPC_SET_VOTES_H

#include "triples.h"

/*
 * Marks each triple as a collider, as none, or as open, by majority or by unanimity as
 * settings->orient says; its weight becomes the share of the sets with y in it, or -1 where no set
 * separates.
 */
dpc_status dpc_count_set_votes(const dpc_unoriented *task, dpc_triples *triples, dpc_error *err);

#endif
