/* Mixed graphs of few nodes by their definitions: see mags.h. */
#include "mags.h"

#include <gsl/gsl_randist.h>

#include "ancestral.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = DPC_END_NONE, CIRCLE = DPC_END_CIRCLE, ARROW = DPC_END_ARROW, TAIL = DPC_END_TAIL };

/* ---- From and to graphs ---- */

struct marks marks_of(const dpc_graph *graph)
{
    struct marks out = {.n = graph->n_nodes};
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        out.m[edge->a][edge->b] = (uint8_t)dpc_end_b(edge->mark);
        out.m[edge->b][edge->a] = (uint8_t)dpc_end_a(edge->mark);
    }
    return out;
}

dpc_graph marks_graph(const struct marks *marks)
{
    dpc_graph out = {.n_nodes = marks->n,
                     .edges = calloc((size_t)marks->n * (size_t)marks->n + 1, sizeof(dpc_edge))};
    if (out.edges == NULL)
        abort();
    for (int a = 0; a < marks->n; a++)
        for (int b = a + 1; b < marks->n; b++)
            if (marks->m[a][b] != NONE)
                out.edges[out.n_edges++] =
                    (dpc_edge){a, b, (dpc_mark)DPC_MARK(marks->m[b][a], marks->m[a][b])};
    return out;
}

bool marks_same(const struct marks *p, const struct marks *q)
{
    return p->n == q->n && memcmp(p->m, q->m, sizeof p->m) == 0;
}

struct marks marks_renumbered(const struct marks *marks, const int32_t *to)
{
    struct marks out = {.n = marks->n};
    for (int a = 0; a < marks->n; a++)
        for (int b = 0; b < marks->n; b++)
            out.m[to[a]][to[b]] = marks->m[a][b];
    return out;
}

const char *marks_text(const struct marks *marks)
{
    static char text[1024];
    size_t used = 0;
    text[0] = '\0';
    for (int a = 0; a < marks->n; a++)
        for (int b = a + 1; b < marks->n; b++)
            if (marks->m[a][b] != NONE)
                used += (size_t)snprintf(text + used, sizeof text - used, "%d %c-%c %d, ", a,
                                         " o<-"[marks->m[b][a]], " o>-"[marks->m[a][b]], b);
    return text;
}

/* ---- Ancestral graphs ---- */

static bool is_parent(const struct marks *g, int a, int b)
{
    return g->m[a][b] == ARROW && g->m[b][a] == TAIL;
}

unsigned mag_ancestors(const struct marks *mag, int v)
{
    unsigned set = 1u << v, before = 0;
    while (set != before) {
        before = set;
        for (int b = 0; b < mag->n; b++)
            for (int a = 0; a < mag->n; a++)
                if ((set >> b & 1) != 0 && is_parent(mag, a, b))
                    set |= 1u << a;
    }
    return set;
}

bool mag_is_ancestral(const struct marks *mag)
{
    for (int v = 0; v < mag->n; v++) {
        unsigned above = mag_ancestors(mag, v);
        bool tails = false, heads = false;
        for (int w = 0; w < mag->n; w++) {
            /* v has an edge with an arrowhead at w, and is a descendant of w */
            if (w != v && (above >> w & 1) != 0 && mag->m[v][w] == ARROW)
                return false;
            tails |= mag->m[v][w] == TAIL && mag->m[w][v] == TAIL;
            heads |= mag->m[w][v] == ARROW;
        }
        if (tails && heads)
            return false;
    }
    return true;
}

/* ---- Separation ---- */

/* Paths from x to y, of which `path` has the first nodes. */
struct search {
    const struct marks *g;
    unsigned given, opening; /* Z and its ancestors */
    int y, path[MAGS_MAX + 1];
};

static bool goes_on(const struct search *s, int length, int next)
{
    int v = s->path[length - 1];
    if (length == 1)
        return true;
    bool collider = s->g->m[s->path[length - 2]][v] == ARROW && s->g->m[next][v] == ARROW;
    return collider ? (s->opening >> v & 1) != 0 : (s->given >> v & 1) == 0;
}

static bool find_open(struct search *s, int length, unsigned used)
{
    int v = s->path[length - 1];
    if (v == s->y)
        return true;
    for (int w = 0; w < s->g->n; w++) {
        if (s->g->m[v][w] == NONE || (used >> w & 1) != 0 || !goes_on(s, length, w))
            continue;
        s->path[length] = w;
        if (find_open(s, length + 1, used | 1u << w))
            return true;
    }
    return false;
}

bool mag_separated(const struct marks *mag, int x, int y, unsigned given)
{
    struct search s = {.g = mag, .given = given, .y = y, .path = {x}};
    for (int v = 0; v < mag->n; v++)
        if ((given >> v & 1) != 0)
            s.opening |= mag_ancestors(mag, v);
    return !find_open(&s, 1, 1u << x);
}

bool mag_is_maximal(const struct marks *mag)
{
    for (int x = 0; x < mag->n; x++)
        for (int y = x + 1; y < mag->n; y++) {
            bool apart = mag->m[x][y] != NONE;
            for (unsigned set = 0; set < 1u << mag->n && !apart; set++)
                apart = (set >> x & 1) == 0 && (set >> y & 1) == 0 && mag_separated(mag, x, y, set);
            if (!apart)
                return false;
        }
    return true;
}

struct mag_key mag_key_of(const struct marks *mag)
{
    struct mag_key key = {{0}};
    int bit = 0;
    for (int x = 0; x < mag->n; x++)
        for (int y = x + 1; y < mag->n; y++)
            for (unsigned set = 0; set < 1u << mag->n; set++) {
                if ((set >> x & 1) != 0 || (set >> y & 1) != 0)
                    continue;
                if (mag->m[x][y] == NONE && mag_separated(mag, x, y, set))
                    key.word[bit / 64] |= UINT64_C(1) << (bit % 64);
                bit++;
            }
    return key;
}

/* ---- Classes ---- */

struct trying {
    struct mag_key key;
    bool selection;
    mag_visit *visit;
    void *context;
};

/* All marks on the edges from (a, b) on. */
static void try_marks(const struct trying *t, struct marks *g, int a, int b)
{
    static const uint8_t ENDS[4][2] = {{TAIL, ARROW}, {ARROW, TAIL}, {ARROW, ARROW}, {TAIL, TAIL}};
    for (; a < g->n && (b >= g->n || g->m[a][b] == NONE); b++)
        if (b >= g->n)
            b = ++a;
    if (a >= g->n) {
        struct mag_key key;
        if (!mag_is_ancestral(g))
            return;
        key = mag_key_of(g);
        if (memcmp(&key, &t->key, sizeof key) == 0)
            t->visit(t->context, g);
        return;
    }
    for (int i = 0; i < 3 + t->selection; i++) {
        g->m[b][a] = ENDS[i][0];
        g->m[a][b] = ENDS[i][1];
        try_marks(t, g, a, b + 1);
    }
}

void mags_equivalent(const struct marks *mag, bool selection, mag_visit *visit, void *context)
{
    struct marks g = *mag;
    struct trying t = {mag_key_of(mag), selection, visit, context};
    try_marks(&t, &g, 0, 1);
}

struct shared {
    struct marks marks;
    int count;
};

static void share_marks(void *context, const struct marks *mag)
{
    struct shared *s = context;
    if (s->count++ == 0)
        s->marks = *mag;
    for (int a = 0; a < mag->n; a++)
        for (int b = 0; b < mag->n; b++)
            if (s->marks.m[a][b] != mag->m[a][b])
                s->marks.m[a][b] = CIRCLE;
}

struct marks slow_pag(const struct marks *mag, bool selection, int *members)
{
    struct shared s = {.count = 0};
    mags_equivalent(mag, selection, share_marks, &s);
    if (members != NULL)
        *members = s.count;
    return s.marks;
}

/* ---- The adjustment criterion ---- */

/* Is the edge x → v visible? */
static bool into_x(const struct marks *g, int x, int v, int at, unsigned used)
{
    /* a path comes from `at` to x, all of whose nodes but the first are colliders and parents of v;
     * `at` is on it, with an arrowhead at the node after it */
    if (g->m[at][v] == NONE && at != v)
        return true;
    if (!is_parent(g, at, v))
        return false;
    for (int w = 0; w < g->n; w++)
        if ((used >> w & 1) == 0 && w != v && g->m[w][at] == ARROW &&
            (g->m[w][v] == NONE || g->m[at][w] == ARROW) && into_x(g, x, v, w, used | 1u << w))
            return true;
    return false;
}

static bool is_visible(const struct marks *g, int x, int v)
{
    if (!is_parent(g, x, v))
        return false;
    for (int w = 0; w < g->n; w++) /* w *-> x, and where w goes on it is a collider */
        if (w != v && w != x && g->m[w][x] == ARROW &&
            (g->m[w][v] == NONE || (g->m[x][w] == ARROW && into_x(g, x, v, w, 1u << x | 1u << w))))
            return true;
    return false;
}

/* No node of the path has an arrowhead from a later one: v_i <-* v_j for no i < j. */
static bool stays_possible(const struct marks *g, const int *path, int length, int next)
{
    for (int i = 0; i < length; i++)
        if (g->m[next][path[i]] == ARROW)
            return false;
    return true;
}

struct possible {
    const struct marks *g;
    int y, path[MAGS_MAX + 1];
    bool invisible;  /* one begins with an edge that is not visible */
    unsigned on_way; /* nodes of such paths, without x */
};

static void find_possible(struct possible *p, int length, unsigned used)
{
    int v = p->path[length - 1];
    if (v == p->y) {
        p->invisible |= !is_visible(p->g, p->path[0], p->path[1]);
        p->on_way |= used & ~(1u << p->path[0]);
        return;
    }
    for (int w = 0; w < p->g->n; w++)
        if ((used >> w & 1) == 0 && p->g->m[v][w] != NONE &&
            stays_possible(p->g, p->path, length, w)) {
            p->path[length] = w;
            find_possible(p, length + 1, used | 1u << w);
        }
}

static struct possible possible_paths(const struct marks *g, int x, int y)
{
    struct possible p = {.g = g, .y = y, .path = {x}};
    find_possible(&p, 1, 1u << x);
    return p;
}

bool slow_amenable(const struct marks *g, int x, int y)
{
    return !possible_paths(g, x, y).invisible;
}

unsigned slow_forbidden(const struct marks *g, int x, int y)
{
    unsigned on_way = possible_paths(g, x, y).on_way, out = on_way;
    for (int v = 0; v < g->n; v++)
        for (int w = 0; w < g->n; w++)
            if ((on_way >> v & 1) != 0 && w != v && possible_paths(g, v, w).on_way != 0)
                out |= 1u << w;
    return out;
}

/* Of an inner node of a path: collider, definite non-collider, or neither? */
static int definite(const struct marks *g, int u, int v, int w)
{
    if (g->m[u][v] == ARROW && g->m[w][v] == ARROW)
        return ARROW;
    if (g->m[u][v] == TAIL || g->m[w][v] == TAIL ||
        (g->m[u][v] == CIRCLE && g->m[w][v] == CIRCLE && g->m[u][w] == NONE))
        return TAIL;
    return NONE;
}

/* Does an open path of definite status that is not causal lead from path[0] to y? */
static bool find_noncausal(struct search *s, int length, unsigned used, bool causal)
{
    int v = s->path[length - 1];
    if (v == s->y)
        return !causal;
    for (int w = 0; w < s->g->n; w++) {
        int status = length == 1 ? TAIL : definite(s->g, s->path[length - 2], v, w);
        if (s->g->m[v][w] == NONE || (used >> w & 1) != 0 || status == NONE)
            continue;
        if (length > 1 && (status == ARROW ? (s->opening >> v & 1) == 0 : (s->given >> v & 1) != 0))
            continue;
        s->path[length] = w;
        bool still = causal && stays_possible(s->g, s->path, length, w);
        if (find_noncausal(s, length + 1, used | 1u << w, still))
            return true;
    }
    return false;
}

bool slow_criterion(const struct marks *g, int x, int y, unsigned set)
{
    struct search s = {.g = g, .given = set, .y = y, .path = {x}};
    if (!slow_amenable(g, x, y) || (slow_forbidden(g, x, y) & set) != 0)
        return false;
    for (int v = 0; v < g->n; v++)
        if ((set >> v & 1) != 0)
            s.opening |= mag_ancestors(g, v);
    return !find_noncausal(&s, 1, 1u << x, true);
}

/* ---- Random ones ---- */

void shuffle_nodes(gsl_rng *rng, int32_t *to, int n)
{
    for (int v = 0; v < n; v++)
        to[v] = v;
    for (int v = n - 1; v > 0; v--) {
        int w = draw_int(rng, 0, v), t = to[v];
        to[v] = to[w];
        to[w] = t;
    }
}

struct marks draw_mag(gsl_rng *rng, int n, int most_edges)
{
    for (;;) {
        int all = n + draw_int(rng, 0, 5);
        bool hidden[2 * MAGS_MAX] = {false};
        dpc_edge edges[200];
        dpc_graph dag = {.n_nodes = all, .edges = edges}, mag = {0};
        double density = 0.15 + 0.4 * gsl_rng_uniform(rng);
        int32_t place[2 * MAGS_MAX];
        shuffle_nodes(rng, place, all);
        for (int v = n; v < all; v++)
            hidden[v] = true;
        for (int a = 0; a < all; a++)
            for (int b = a + 1; b < all; b++)
                if (gsl_rng_uniform(rng) < density)
                    edges[dag.n_edges++] =
                        (dpc_edge){a, b, place[a] < place[b] ? DPC_FORWARD : DPC_BACKWARD};
        if (dpc_mag_of_dag(&dag, hidden, &mag, NULL) != DPC_OK)
            abort();
        struct marks out = marks_of(&mag);
        int64_t count = mag.n_edges;
        dpc_graph_clear(&mag);
        if (count <= most_edges)
            return out;
    }
}

double *draw_hidden_data(gsl_rng *rng, int n, int hidden, int rows)
{
    int all = n + hidden;
    double weight[MOST_SEEN][MOST_SEEN] = {{0}}, row[MOST_SEEN];
    int32_t place[MOST_SEEN];
    double *values = calloc((size_t)n * (size_t)rows, sizeof *values);
    if (values == NULL)
        abort();
    shuffle_nodes(rng, place, all);
    for (int a = 0; a < all; a++)
        for (int b = 0; b < a; b++)
            if (gsl_rng_uniform(rng) < 0.3)
                weight[a][b] = (gsl_rng_uniform(rng) < 0.5 ? -1 : 1) * gsl_ran_flat(rng, 0.4, 1);
    for (int i = 0; i < rows; i++)
        for (int a = 0; a < all; a++) {
            row[a] = gsl_ran_gaussian(rng, 1);
            for (int b = 0; b < a; b++)
                row[a] += weight[a][b] * row[b];
            if (place[a] < n)
                values[(int64_t)place[a] * rows + i] = row[a];
        }
    return values;
}
