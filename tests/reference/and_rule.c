/*
 * The AND rule needs little here: row x of the adjacency matrix is what x lists. Each end clears
 * its own cell and keeps its own set; which of the two sets is the pair's is decided at the very
 * end.
 */
#include "run.h"

#include <string.h>

/* Of two sets found at the same level: whether the one from x, x < y, came first. */
static bool smaller_first(const dpc_settings *settings)
{
    return settings->variant == DPC_STABLE || settings->method != DPC_DUAL;
}

/* The set of the later end, which record_at is about to overwrite. */
static void keep_second(struct reference *out, int x, int y, const struct reference_sepset *late)
{
    struct reference_sepset *place = out->second + (size_t)x * out->n + y;
    int32_t *members = place->members;
    memcpy(members, late->members, (size_t)late->size * sizeof *members);
    *place = *late;
    place->members = members;
    out->second[(size_t)y * out->n + x] = *place;
}

void ref_join_lists(struct run *run)
{
    struct reference *out = run->out;
    for (int x = 0; x < run->n; x++) {
        for (int y = x + 1; y < run->n; y++) {
            struct reference_sepset *from_x = ref_sepset(out, x, y),
                                    *from_y = ref_sepset(out, y, x);
            if (*ref_cell(run, x, y) || *ref_cell(run, y, x)) {
                out->one_sided += *ref_cell(run, x, y) != *ref_cell(run, y, x);
                *ref_cell(run, x, y) = *ref_cell(run, y, x) = 1;
                from_x->kind = from_y->kind = DPC_SEP_NONE;
                continue;
            }
            if (ref_impossible(run, x, y))
                continue;
            out->apart += from_x->level != from_y->level;
            bool x_first = from_x->level < from_y->level ||
                           (from_x->level == from_y->level && smaller_first(run->settings));
            keep_second(out, x, y, x_first ? from_y : from_x);
            if (x_first)
                ref_record_at(out, y, x, from_x);
            else
                ref_record_at(out, x, y, from_y);
        }
    }
}
