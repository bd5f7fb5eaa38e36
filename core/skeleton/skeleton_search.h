/* The skeleton search from inside: shared by skeleton.c, level_zero.c, stable.c and standard.c. */
#ifndef DPC_SKELETON_SEARCH_H
#define DPC_SKELETON_SEARCH_H

#include "adjacency.h"
#include "arena.h"
#include "sepset.h"
#include "visit.h"

typedef struct dpc_skeleton_search {
    dpc_problem problem;
    dpc_crew crew;
    dpc_visitor **visitors; /* one per worker */
    int workers;            /* of all ranks together */
    dpc_adjacency *graph;   /* what is left; with the AND rule each row is its node's own list */
    int64_t edges;          /* pairs of columns of which at least one end lists the other */
    dpc_sepsets *sepsets;
    dpc_info *info;
    dpc_row_counts rows; /* among all variables */
    dpc_arena arena;     /* what follows, and what else lives as long as the search */
    /* per node: */
    int32_t *copies;       /* the columns that it stands for, and itself; NULL: 1, always */
    int *changed_level;    /* the level that last changed its neighbours; 0: none since level 0 */
    int64_t *changed_pair; /* standard variant: which pair of that level, in the order of visits */
    uint8_t *condition;    /* what is known of the present neighbourhood; see dpc_condition */
    bool more;             /* this level has found reason for another one */
} dpc_skeleton_search;

/* The pairs of columns that two nodes stand for: what their edge counts for. */
static inline int64_t dpc_columns_joined(const dpc_skeleton_search *search, int a, int b)
{
    return search->copies != NULL ? (int64_t)search->copies[a] * search->copies[b] : 1;
}

/* With tiers, what is visited of a node's neighbours differs by the tier that sets may reach to. */
static inline uint8_t *dpc_condition(const dpc_skeleton_search *search, int x, int limit)
{
    return search->condition + (int64_t)x * dpc_n_limits(search->problem.known) + limit;
}

/* The neighbours of x have changed: nothing is known of the new ones. */
static inline void dpc_forget_condition(dpc_skeleton_search *search, int x)
{
    for (int limit = 0; limit < dpc_n_limits(search->problem.known); limit++)
        *dpc_condition(search, x, limit) = 0;
}

/* The sets of a neighbourhood are not gone through: counted once, until it changes. */
static inline void dpc_leave_out(dpc_skeleton_search *search, uint8_t *condition)
{
    search->info->left_out += (*condition & DPC_LEFT_OUT) == 0;
    *condition |= DPC_LEFT_OUT;
}

/* Adds what visits have counted to the counts that the caller receives. */
static inline void dpc_count(dpc_skeleton_search *search, dpc_counts counts)
{
    search->info->tests += counts.tests;
    search->info->singular_neighbourhoods += counts.singular_neighbourhoods;
    search->info->singular_tests += counts.singular_tests;
    search->info->doubtful_tests += counts.doubtful_tests;
    search->info->uncertain_tests += counts.uncertain_tests;
    search->info->left_out += counts.left_out;
}

/* Does a neighbourhood of that many leave sets for a level after this one? */
static inline bool dpc_leaves_more(const dpc_skeleton_search *search, int degree, int level)
{
    return level < degree - (search->problem.dual ? 2 : 1);
}

/* Level 0 makes the first search->graph; ranks that do not lead help to make it. */
dpc_status dpc_level_zero(dpc_skeleton_search *search, dpc_error *err);
dpc_status dpc_block_level_zero(dpc_skeleton_search *search, dpc_error *err);
dpc_status dpc_level_zero_help(dpc_skeleton_search *search, dpc_error *err);

/*
 * One later level, deletions at its end; or at once. `*removed` receives the number of edges. Where
 * search->crew is late it is DPC_INTERRUPTED, and graph and separating sets are as they were before
 * the level.
 */
dpc_status dpc_level_stable(dpc_skeleton_search *search, int level, int64_t *removed,
                            dpc_error *err);
dpc_status dpc_level_standard(dpc_skeleton_search *search, int level, int64_t *removed,
                              dpc_error *err);

#endif
