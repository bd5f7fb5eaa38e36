/*
 * The DAGs on up to four nodes, in the order in which their weights are summed.
 *
 * Node k of a block has a weight f_k(X) for each set X of the others that its parents may come
 * from, or from below; the weight of a DAG on the block is the product of these. Of four nodes
 * there are 543 DAGs. They need not be gone through one by one: nodes 0 and 1 are one pair, 2 and 3
 * another. Whether a choice for one pair goes with a choice for the other depends only on which
 * nodes of the other pair lead to each of its own, 16 classes a pair. So the choices of a pair are
 * summed by class, and then 79 pairs of classes.
 */
#ifndef DPC_SAMPLE_PATTERNS_H
#define DPC_SAMPLE_PATTERNS_H

#include <stdint.h>

enum {
    DPC_BLOCK_NODES = 4,
    DPC_BLOCK_OTHERS = DPC_BLOCK_NODES - 1,
    DPC_BLOCK_SETS = 1 << DPC_BLOCK_OTHERS, /* of others of a node */
    DPC_CLASSES = 16,
    DPC_MOST_CHOICES = 48,
    DPC_MOST_JOINTS = 79
};

/*
 * Of both nodes of a pair the set of others that it has as parents. Bit i of a set is the i-th
 * other: that of another node l is dpc_other_of.
 */
typedef struct dpc_pair_choice {
    uint8_t first, second;
} dpc_pair_choice;

static inline int dpc_other_of(int k, int l)
{
    return l < k ? l : l - 1;
}

/* Those of a pair, by class: the c-th that has any has choice[start[c]] … choice[start[c+1] - 1].
 */
typedef struct dpc_pair_choices {
    dpc_pair_choice choice[DPC_MOST_CHOICES];
    uint8_t start[DPC_CLASSES + 1];
    int classes;
} dpc_pair_choices;

/* A class of each pair that go together, by their numbers. */
typedef struct dpc_class_pair {
    uint8_t class[2];
} dpc_class_pair;

/* Of blocks of one size. */
typedef struct dpc_pattern {
    dpc_pair_choices pair[2];
    dpc_class_pair joint[DPC_MOST_JOINTS];
    int joints;
} dpc_pattern;

typedef struct dpc_patterns {
    dpc_pattern of[DPC_BLOCK_NODES + 1]; /* by the size of a block: 2, 3, 4 */
} dpc_patterns;

void dpc_patterns_init(dpc_patterns *patterns);

#endif
