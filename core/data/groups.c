/* Rows that repeat: see groups.h. */
#include "groups.h"

#include "arena.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How a column divides the rows. */
typedef struct division {
    uint64_t hash; /* of the groups of all rows */
    int64_t count; /* of groups; 0: they are not worth looking at */
    int column;
} division;

/* Values and the numbers of their groups, by their bits. */
typedef struct table {
    uint64_t *key;
    int32_t *group;
    int64_t size; /* a power of 2; at least twice the rows */
} table;

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15u;
    return x ^ (x >> 29);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The group of a value: `next` where it is new. */
static int32_t group_of(table *t, double value, int32_t next)
{
    uint64_t key = bits_of(value), mask = (uint64_t)t->size - 1, at = mix(key) & mask;
    while (t->group[at] >= 0 && t->key[at] != key)
        at = (at + 1) & mask;
    if (t->group[at] < 0) {
        t->key[at] = key;
        t->group[at] = next;
    }
    return t->group[at];
}

/* The groups of `count` rows by a column, as long as there are at most so many. Their number. */
static int64_t divide(const dpc_columns *c, int column, const int32_t *row, int64_t rows,
                      int64_t most, table *t, uint64_t *hash, int32_t *group)
{
    int64_t count = 0;
    memset(t->group, -1, (size_t)t->size * sizeof *t->group);
    *hash = 0;
    for (int64_t i = 0; i < rows && count <= most; i++) {
        double value = dpc_value_at(&c->cells, row != NULL ? row[i] : i, column);
        int32_t g = group_of(t, value, (int32_t)count);
        count += g == count;
        *hash = mix(*hash + (uint64_t)g + 1);
        if (group != NULL)
            group[i] = g;
    }
    return count;
}

/*
 * Of N rows in groups of two, 8 √N that are chosen at random have about 32 pairs, and never none.
 * So a column that has as many values there has no groups.
 */
static int64_t choose_rows(int64_t rows, bool *chosen, int32_t *row)
{
    int64_t wanted = (int64_t)ceil(8 * sqrt((double)rows)), count = 0;
    for (int64_t i = 0; i < wanted; i++)
        chosen[(mix(mix((uint64_t)i + 1)) >> 16) % (uint64_t)rows] = true;
    for (int64_t i = 0; i < rows; i++)
        if (chosen[i])
            row[count++] = (int32_t)i;
    return count;
}

static division division_of(const dpc_columns *c, int column, const int32_t *some, int64_t count,
                            table *t)
{
    int64_t rows = c->n_rows;
    division d = {.column = column};
    table small = *t;
    while (small.size / 4 >= count)
        small.size /= 2;
    if (divide(c, column, some, count, count, &small, &d.hash, NULL) == count)
        return d;
    d.count = divide(c, column, NULL, rows, rows / 2, t, &d.hash, NULL);
    if (d.count > rows / 2 || d.count < DPC_LEAST_GROUPS)
        d.count = 0;
    return d;
}

static int by_division(const void *a, const void *b)
{
    const division *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* The division of the most columns, at least two; NULL: there is none. */
static const division *most_common(division *all, int n)
{
    const division *best = NULL;
    int most = 1;
    qsort(all, (size_t)n, sizeof *all, by_division);
    for (int i = 0, from = 0; i < n && all[i].count > 0; i++) {
        if (by_division(&all[i], &all[from]) != 0)
            from = i;
        if (i - from + 1 > most) {
            most = i - from + 1;
            best = &all[from];
        }
    }
    return best;
}

dpc_status dpc_find_groups(const dpc_columns *c, int n_vars, int32_t *group, int64_t *count)
{
    dpc_arena arena = {0};
    table t = {.size = 2};
    uint64_t hash;
    while (t.size < 2 * c->n_rows)
        t.size *= 2;
    t.key = dpc_arena_alloc(&arena, t.size, sizeof *t.key);
    t.group = dpc_arena_alloc(&arena, t.size, sizeof *t.group);
    division *all = dpc_arena_alloc(&arena, n_vars, sizeof *all);
    bool *chosen = dpc_arena_zalloc(&arena, c->n_rows, sizeof *chosen);
    int32_t *some = dpc_arena_alloc(&arena, c->n_rows, sizeof *some);
    dpc_status status = dpc_arena_failed(&arena) ? DPC_NO_MEMORY : DPC_OK;
    if (status == DPC_OK) {
        int64_t few = choose_rows(c->n_rows, chosen, some);
        for (int j = 0; j < n_vars; j++)
            all[j] = division_of(c, j, some, few, &t);
        const division *best = most_common(all, n_vars);
        *count = c->n_rows;
        for (int64_t i = 0; i < c->n_rows; i++)
            group[i] = (int32_t)i;
        if (best != NULL)
            *count = divide(c, best->column, NULL, c->n_rows, c->n_rows, &t, &hash, group);
    }
    dpc_arena_clear(&arena);
    return status;
}
