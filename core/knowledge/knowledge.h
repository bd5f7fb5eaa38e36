/*
 * Background knowledge: which edges there cannot be, which there must be, and which variables come
 * before which.
 *
 * dpc_knowledge is what the user said, in columns. dpc_known is the same for a search, in its
 * labels, and with everything spelled out that follows for single edges.
 */
#ifndef DPC_KNOWLEDGE_H
#define DPC_KNOWLEDGE_H

#include "adjacency.h"
#include "labels.h"

enum { DPC_MAX_TIERS = 1 << 16 };

/* What may be said of a tier, as bits. */
enum {
    DPC_TIER_WITHIN = 1, /* no edges between its members */
    DPC_TIER_NEXT = 2,   /* its members have no edges to tiers after the next */
};

struct dpc_knowledge {
    int n;
    int64_t words;                   /* of a row of bits */
    uint64_t *forbidden, *required;  /* a bit per ordered pair, as it was said */
    int32_t *tier;                   /* per variable; -1: none */
    uint8_t *flags;                  /* DPC_MAX_TIERS of them, by tier */
    int32_t *stack, *seen, searches; /* for the search of circles */
};

/*
 * One statement more. NULL: it holds now; otherwise why it cannot, and nothing has changed. All
 * numbers must be in their ranges.
 */
const char *dpc_know_forbidden(dpc_knowledge *knowledge, int from, int to);
const char *dpc_know_required(dpc_knowledge *knowledge, int from, int to);
const char *dpc_know_tier(dpc_knowledge *knowledge, int variable, int tier);
const char *dpc_know_flags(dpc_knowledge *knowledge, int tier, uint8_t flags);

/*
 * A copy of settings that may outlive what they were made from: with knowledge of its own, and
 * without the callback. Free with dpc_settings_release.
 */
dpc_status dpc_settings_keep(const dpc_settings *settings, dpc_settings *out, dpc_error *err);
void dpc_settings_release(dpc_settings *settings);

/* ---- In the labels of a search ---- */

typedef struct dpc_known {
    int n;
    int64_t words;
    uint64_t *banned;   /* rows of bits: an edge from → to cannot be, for whatever reason */
    uint64_t *required; /* rows of bits: it must be */
    /*
     * The tiers, numbered from 0 without gaps. A set for the pair a, b may hold v where member[v]
     * is at most the larger of limit[a] and limit[b]. Variables in no tier may be in any set
     * (member 0), and for their pairs any set will do (limit: the last).
     */
    int32_t *limit, *member;
    int n_limits; /* 1: the tiers restrict no set */
    /* Pairs that dpc_known_break_circles has taken away, two nodes each; owned. */
    int32_t *broken;
    int64_t n_broken;
} dpc_known;

/* In the labels of a search. NULL: no memory. Free with dpc_known_free. */
dpc_known *dpc_known_make(const dpc_knowledge *knowledge, const dpc_labels *labels);
void dpc_known_free(dpc_known *known);

static inline bool dpc_bit(const uint64_t *bits, int64_t words, int from, int to)
{
    return (bits[from * words + to / 64] >> (to % 64) & 1) != 0;
}

static inline void dpc_set_bit(uint64_t *bits, int64_t words, int from, int to)
{
    bits[from * words + to / 64] |= UINT64_C(1) << (to % 64);
}

/* Must an edge between the two, where there is one, point from a to b? `known` may be NULL. */
static inline bool dpc_must(const dpc_known *known, int a, int b)
{
    return known != NULL && dpc_bit(known->banned, known->words, b, a);
}

/* Is there certainly no edge between the two? */
static inline bool dpc_never(const dpc_known *known, int a, int b)
{
    return dpc_must(known, a, b) && dpc_must(known, b, a);
}

/* Is there certainly one? */
static inline bool dpc_always(const dpc_known *known, int a, int b)
{
    return known != NULL && (dpc_bit(known->required, known->words, a, b) ||
                             dpc_bit(known->required, known->words, b, a));
}

/* Up to which tier sets for this pair may reach. */
static inline int dpc_limit(const dpc_known *known, int a, int b)
{
    return known->limit[a] > known->limit[b] ? known->limit[a] : known->limit[b];
}

/* May v be in a set for the pair a, b? `known` may be NULL. */
static inline bool dpc_allowed(const dpc_known *known, int a, int b, int v)
{
    return known == NULL || known->member[v] <= dpc_limit(known, a, b);
}

/* Those of a row of nodes that sets up to a limit may hold, into `to`; returns how many. */
int dpc_known_row(const dpc_known *known, int limit, const int32_t *row, int length, int32_t *to);

/*
 * The smallest limit above `after` among the pairs of x and a row of nodes that are to be tested;
 * -1: there is none.
 */
int dpc_known_next(const dpc_known *known, int x, const int32_t *row, int length, int after);

/* How strong the edge between two nodes is. */
typedef double dpc_strength(const void *context, int a, int b);

/*
 * Where the directions that are left for some edges of the skeleton close a circle, not all of
 * these edges can be: the weakest of them that is not required is taken away, and so on. What goes
 * is banned both ways, and noted. False: no memory.
 */
bool dpc_known_break_circles(dpc_known *known, dpc_strength *strength, const void *context,
                             dpc_adjacency **skeleton);

/* Was the pair taken away so? `known` may be NULL. */
bool dpc_known_broken(const dpc_known *known, int a, int b);

/* Why an arrow from → to, columns, has no other direction; or why there is no edge at all. */
dpc_known_kind dpc_knowledge_why(const dpc_knowledge *knowledge, int from, int to);

#endif
