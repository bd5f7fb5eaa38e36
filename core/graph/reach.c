/* Which nodes can be reached from which: see reach.h. */
#include "reach.h"

#include "alloc.h"

#include <string.h>

dpc_status dpc_reach_init(int n, dpc_reach *out)
{
    int64_t words = dpc_bit_words(n), rows = 2 * (int64_t)n;
    *out = (dpc_reach){
        .n = n,
        .words = words,
        .rows = dpc_zalloc(rows * words, sizeof *out->rows),
        .saved = dpc_alloc(rows * words, sizeof *out->saved),
        .list = dpc_alloc(rows, sizeof *out->list),
        .when = dpc_zalloc(rows, sizeof *out->when),
        .marks = 1,
    };
    if (!out->rows || !out->saved || !out->list || !out->when)
        return DPC_NO_MEMORY;
    for (int v = 0; v < rows; v++)
        dpc_set_bit(out->rows, words, v, v % n);
    return DPC_OK;
}

void dpc_reach_clear(dpc_reach *reach)
{
    free(reach->rows);
    free(reach->saved);
    free(reach->list);
    free(reach->when);
    *reach = (dpc_reach){0};
}

/* A row before it changes. */
static void save(dpc_reach *reach, int row)
{
    if (reach->when[row] == reach->marks)
        return;
    reach->when[row] = reach->marks;
    memcpy(reach->saved + reach->n_saved * reach->words, reach->rows + row * reach->words,
           (size_t)reach->words * sizeof *reach->rows);
    reach->list[reach->n_saved++] = row;
}

/*
 * Row `from` is added to the rows of all that are in row `of` and do not have v yet; `shift` leads
 * from the number of a node to that of its row.
 */
static void spread(dpc_reach *reach, int64_t of, int shift, int v, int64_t from)
{
    const uint64_t *add = reach->rows + from * reach->words;
    for (int64_t w = 0; w < reach->words; w++)
        for (uint64_t left = reach->rows[of * reach->words + w]; left != 0; left &= left - 1) {
            int row = (int)(64 * w) + __builtin_ctzll(left) + shift;
            uint64_t *to = reach->rows + row * reach->words;
            if (dpc_reaches(reach, row, v))
                continue;
            save(reach, row);
            for (int64_t i = 0; i < reach->words; i++)
                to[i] |= add[i];
        }
}

bool dpc_reach_add(dpc_reach *reach, int a, int b)
{
    int n = reach->n;
    if (dpc_reaches(reach, b, a))
        return false;
    if (!dpc_reaches(reach, a, b)) {
        spread(reach, n + a, 0, b, b); /* what is behind b, to all from where a can be reached */
        spread(reach, b, n, a, n + a); /* and the other way round */
    }
    return true;
}

void dpc_reach_mark(dpc_reach *reach)
{
    reach->n_saved = 0;
    reach->marks++;
}

void dpc_reach_undo(dpc_reach *reach)
{
    for (int i = 0; i < reach->n_saved; i++)
        memcpy(reach->rows + reach->list[i] * reach->words, reach->saved + i * reach->words,
               (size_t)reach->words * sizeof *reach->rows);
    dpc_reach_mark(reach);
}
