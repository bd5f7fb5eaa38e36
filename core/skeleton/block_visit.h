/*
 * A visit whose variables are blocks of columns: what visit.c, subsets.c and verdict.c are for
 * single columns. The tests are those of wilks.h.
 *
 * U is R over the columns of the neighbours and of x, T its inverse. With K eliminated from U, the
 * blocks of x and y in what is left are W given K; with K eliminated from T, the same ratio of
 * determinants is the one given S \ K, all neighbours but y and K, as with single columns: what is
 * left of T over x and y is the inverse of W. So both kinds of sets are gone through together, the
 * columns of one more member being eliminated at each depth; of the last member only what x and
 * each target need.
 *
 * Whatever is not clear at a glance, and whatever separates, is decided by the direct way.
 */
#ifndef DPC_BLOCK_VISIT_H
#define DPC_BLOCK_VISIT_H

#include "visitor.h"

typedef struct dpc_block_visitor dpc_block_visitor;

dpc_status dpc_block_visitor_new(dpc_visitor *owner, dpc_block_visitor **out);
void dpc_block_visitor_free(dpc_block_visitor *visitor);

/* As the functions of visit.h. */
dpc_status dpc_block_visitor_reserve(dpc_block_visitor *visitor, const dpc_plan *plan, int degree);
void dpc_block_visit(dpc_block_visitor *visitor, const dpc_plan *plan, const dpc_visit *visit);

#endif
