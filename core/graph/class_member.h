/* One DAG on the edges of a partly directed graph, from inside: dpc_class_member and its order. */
#ifndef DPC_CLASS_MEMBER_H
#define DPC_CLASS_MEMBER_H

#include "labels.h"

/*
 * Takes the nodes away one after the other, each when it can be the last of what is left; when[v]
 * becomes the turn in which v went, by labels (NULL: the graph's own numbers). Pointing every edge
 * at the end that went first makes a DAG, whose nodes in the order of falling `when` have parents
 * before children. *consistent: it is one of the class. Otherwise some nodes have -1, or, with
 * `force`, went all the same. DPC_OK or no memory. Where two nodes can go, the smaller number goes
 * first.
 */
dpc_status dpc_extension(const dpc_graph *graph, const dpc_labels *labels, bool force,
                         int32_t *when, bool *consistent);

#endif
