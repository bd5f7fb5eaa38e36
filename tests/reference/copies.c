/*
 * Copies (docs/algorithm.md, "Copies"): which variables stand for others, a run without the others,
 * and what its results say about all; and which are nearly copies.
 */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Is the same known of edges from a and from b, and of those to them? */
static bool same_facts(const struct reference_input *in, int a, int b)
{
    size_t n = (size_t)in->n;
    if (in->known == NULL)
        return true;
    const unsigned char *no = in->known->forbidden, *must = in->known->required;
    if (in->known->tier[a] != in->known->tier[b])
        return false;
    if (no[a * n + b] || no[b * n + a] || must[a * n + b] || must[b * n + a])
        return false;
    for (size_t v = 0; v < n; v++) {
        if (v == (size_t)a || v == (size_t)b)
            continue;
        if (no[a * n + v] != no[b * n + v] || no[v * n + a] != no[v * n + b] ||
            must[a * n + v] != must[b * n + v] || must[v * n + a] != must[v * n + b])
            return false;
    }
    return true;
}

void ref_stand_for(const struct reference_input *in, real left, bool facts, int *of)
{
    for (int v = 0; v < in->n; v++) {
        of[v] = v;
        for (int w = 0; w < v; w++) {
            real r = in->r[(size_t)v * in->n + w];
            if (of[w] == w && 1 - r * r < left && (!facts || same_facts(in, v, w))) {
                of[v] = w;
                break;
            }
        }
    }
}

/* One n × n matrix over fewer variables. */
static void *fewer(const void *from, int n, const int *kept, int count, size_t size)
{
    if (from == NULL)
        return NULL;
    char *to = ref_zeroed((size_t)count * count, size);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            memcpy(to + ((size_t)i * count + j) * size,
                   (const char *)from + ((size_t)kept[i] * n + kept[j]) * size, size);
    return to;
}

/* The run over the variables `kept` alone. */
static struct reference *run_over(const struct reference_input *in, const int *kept, int count,
                                  const int *copies)
{
    struct reference_input part = *in;
    struct reference_facts facts = {0};
    int *tier = ref_zeroed((size_t)count, sizeof *tier);
    double *r = fewer(in->r, in->n, kept, count, sizeof *r);
    int32_t *rows = fewer(in->rows, in->n, kept, count, sizeof *rows);
    unsigned char *no = NULL, *must = NULL;
    if (in->known != NULL) {
        for (int i = 0; i < count; i++)
            tier[i] = in->known->tier[kept[i]];
        facts.tier = tier;
        facts.forbidden = no = fewer(in->known->forbidden, in->n, kept, count, 1);
        facts.required = must = fewer(in->known->required, in->n, kept, count, 1);
        part.known = &facts;
    }
    part.n = count;
    part.r = r;
    part.rows = rows;
    struct reference *out = ref_learn_all(&part, copies);
    free(tier);
    free(r);
    free(rows);
    free(no);
    free(must);
    return out;
}

/* A set of the run over fewer variables, said of a pair of all of them. */
static void say_set(const struct reference_sepset *from, const int *kept, int x, int y, int end_x,
                    struct reference_sepset *to)
{
    int32_t *members = to->members;
    *to = *from;
    to->members = members;
    for (int i = 0; i < from->size; i++)
        members[i] = kept[from->members[i]];
    if (from->from >= 0)
        to->from = from->from == end_x ? x : y;
}

/* What the run says of the variables at a and b, said of x and y, for which they stand. */
static void say_pair(const struct reference *from, const int *kept, int a, int b, int x, int y,
                     struct reference *to)
{
    size_t there = (size_t)x * to->n + y;
    if (a == b) { /* copies of each other */
        to->adjacency[there] = x != y;
        to->weakest[there] = x != y ? 0 : -1;
        return;
    }
    size_t here = (size_t)a * from->n + b;
    to->adjacency[there] = from->adjacency[here];
    to->weakest[there] = from->weakest[here];
    say_set(&from->sepsets[here], kept, x, y, a, &to->sepsets[there]);
    say_set(&from->second[here], kept, x, y, a, &to->second[there]);
}

struct reference *reference_learn(const struct reference_input *in)
{
    int n = in->n, count = 0, *of = ref_zeroed((size_t)n, sizeof *of),
        *kept = ref_zeroed((size_t)n, sizeof *kept), *at = ref_zeroed((size_t)n, sizeof *at),
        *copies = ref_zeroed((size_t)n, sizeof *copies);
    if (in->columns == NULL)
        ref_stand_for(in, 1e-10L, true, of);
    for (int v = 0; v < n; v++) {
        of[v] = in->columns == NULL ? of[v] : v; /* copies among blocks take part */
        if (of[v] == v) {
            at[v] = count;
            kept[count++] = v;
        } else {
            at[v] = at[of[v]];
        }
        copies[at[v]]++;
    }
    struct reference *part = run_over(in, kept, count, copies), *out = part;
    if (count < n) {
        out = ref_new(n);
        for (int x = 0; x < n; x++)
            for (int y = 0; y < n; y++)
                say_pair(part, kept, at[x], at[y], x, y, out);
        ref_take_counts(part, out);
        reference_free(part);
    }
    out->n_copies = n - count;
    free(of);
    free(kept);
    free(at);
    free(copies);
    return out;
}

/* ---- Nearly copies ---- */

/* The subsets of size m, or of half of all if that is less. */
static double count_subsets(int all, int m)
{
    double count = 1;
    if (all < 0 || m < 0)
        return 0;
    if (m > all / 2)
        m = all / 2;
    for (int i = 1; i <= m; i++)
        count = count * (all - m + i) / i;
    return count;
}

static const double TOO_MANY = 200000;

bool ref_too_many_alike(struct run *run, int x, int y, int s, int level)
{
    int32_t all[s + 1];
    double among = 0, own = 0;
    memcpy(all, run->set, (size_t)s * sizeof *all);
    all[s] = y;
    for (int i = 0; i <= s; i++) {
        own += run->alike[all[i]] == run->alike[x];
        for (int j = 0; j < i; j++)
            among += run->alike[all[i]] == run->alike[all[j]];
    }
    double held = among * count_subsets(s - 2, level - 2) + own * count_subsets(s - 1, level - 1);
    return (s + 1) * fmin(held, count_subsets(s, level)) > TOO_MANY;
}

bool ref_too_many_large(int s, int level)
{
    return 2 * level > s && (s + 1) * count_subsets(s, level) > TOO_MANY;
}
