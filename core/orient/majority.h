/* Orientation by the votes of all separating sets. */
#ifndef DPC_MAJORITY_H
#define DPC_MAJORITY_H

#include "orient.h"
#include "oriented.h"

/* The majority and the conservative rule, as settings->orient says; fills result->ambiguous too. */
dpc_status dpc_orient_majority(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err);

#endif
