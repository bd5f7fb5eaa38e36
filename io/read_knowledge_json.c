/*
 * Background knowledge as JSON: an object with any of
 *
 *     "tiers":            [["A", "B"], {"variables": ["C"], "forbidden_within": true}, …]
 *     "forbidden_edges":  [["A", "D"], {"from": "A", "to": "D"}, …]
 *     "required_edges":   the same
 *     "forbidden_groups": [[["A", "B"], ["C", "D"]], {"from": ["A", "B"], "to": ["C", "D"]}, …]
 *     "required_groups":  the same
 *
 * A tier may also say "only_next": true. A key that is none of these is refused, for it may be one
 * with a slip.
 */
#include "alloc.h"
#include "json_scan.h"
#include "read_knowledge.h"
#include "text.h"

#include <string.h>

/* What one statement needs. */
typedef struct reader {
    dpc_knowing *k;
    dpc_chosen first, second;
} reader;

/* The name at `p`, one more in the list. */
static dpc_status read_name(reader *r, const char *p, dpc_chosen *list)
{
    if (*p != '"')
        return dpc_knowing_refuse(r->k, p, "the name of a variable must be a string");
    char *name = dpc_alloc(dpc_json_skip(p) - p, 1);
    if (name == NULL)
        return dpc_knowing_no_memory(r->k);
    size_t length = dpc_json_string(p, name);
    dpc_status status = strlen(name) == length
                            ? dpc_knowing_choose(r->k, name, length, p, list)
                            : dpc_knowing_refuse(r->k, p, "the name has a NUL in it");
    free(name);
    return status;
}

/* A list of names. */
static dpc_status read_names(reader *r, const char *p, dpc_chosen *list)
{
    dpc_status status = DPC_OK;
    list->count = 0;
    if (*p != '[')
        return dpc_knowing_refuse(r->k, p, "a list of names must be here");
    for (p = dpc_json_first(p); p != NULL && status == DPC_OK; p = dpc_json_next(p))
        status = read_name(r, p, list);
    return status;
}

/*
 * The values of the members that have these keys, NULL where there is none; `keys` ends with NULL.
 * Other members, and the same one twice, are refused.
 */
static dpc_status find_members(reader *r, const char *object, const char *const *keys,
                               const char **values)
{
    for (int i = 0; keys[i] != NULL; i++)
        values[i] = NULL;
    for (const char *p = dpc_json_first(object); p != NULL; p = dpc_json_next(p)) {
        int i = 0;
        while (keys[i] != NULL && !dpc_json_is(p, keys[i]))
            i++;
        if (keys[i] == NULL) {
            char clipped[DPC_CLIP_SIZE];
            dpc_clip(p, (size_t)(dpc_json_skip(p) - p), false, clipped);
            return dpc_knowing_refuse(r->k, p, "the key %s is not known here", clipped);
        }
        if (values[i] != NULL)
            return dpc_knowing_refuse(r->k, p, "\"%s\" is there twice", keys[i]);
        values[i] = dpc_json_member(p);
    }
    return DPC_OK;
}

/* From and to of an edge or a group, which is a pair or an object. */
static dpc_status find_ends(reader *r, const char *p, const char *ends[2])
{
    static const char *const keys[] = {"from", "to", NULL};
    dpc_status status = DPC_OK;
    int count = 0;
    ends[0] = ends[1] = NULL;
    if (*p == '{') {
        status = find_members(r, p, keys, ends);
    } else if (*p == '[') {
        for (const char *q = dpc_json_first(p); q != NULL; q = dpc_json_next(q), count++)
            if (count < 2)
                ends[count] = q;
    }
    if (status == DPC_OK && (ends[0] == NULL || ends[1] == NULL || count > 2))
        status = dpc_knowing_refuse(r->k, p,
                                    "from and to must be here, as [from, to] or as "
                                    "{\"from\": …, \"to\": …}");
    return status;
}

/* Edges, or groups, in a list. */
static dpc_status read_edges(reader *r, const char *list, bool groups, bool required)
{
    dpc_status status = DPC_OK;
    for (const char *p = dpc_json_first(list); p != NULL && status == DPC_OK;
         p = dpc_json_next(p)) {
        const char *ends[2];
        r->first.count = r->second.count = 0;
        status = find_ends(r, p, ends);
        if (status == DPC_OK)
            status = groups ? read_names(r, ends[0], &r->first) : read_name(r, ends[0], &r->first);
        if (status == DPC_OK)
            status =
                groups ? read_names(r, ends[1], &r->second) : read_name(r, ends[1], &r->second);
        if (status == DPC_OK)
            status = dpc_knowing_edges(r->k, p, &r->first, &r->second, required);
    }
    return status;
}

/* The bit where the value at `p` is true; `p` may be NULL. */
static dpc_status read_flag(reader *r, const char *p, uint8_t bit, uint8_t *flags)
{
    if (p == NULL || *p == 'f')
        return DPC_OK;
    if (*p != 't')
        return dpc_knowing_refuse(r->k, p, "this must be true or false");
    *flags |= bit;
    return DPC_OK;
}

static dpc_status read_tier(reader *r, const char *p, int tier)
{
    static const char *const keys[] = {"variables", "forbidden_within", "only_next", NULL};
    const char *values[3] = {p, NULL, NULL};
    uint8_t flags = 0;
    dpc_status status = DPC_OK;
    if (tier >= DPC_MAX_TIERS)
        return dpc_knowing_refuse(r->k, p, "there are more than %d tiers", DPC_MAX_TIERS);
    if (*p == '{')
        status = find_members(r, p, keys, values);
    if (status == DPC_OK && values[0] == NULL)
        status = dpc_knowing_refuse(r->k, p, "the tier has no \"variables\"");
    if (status == DPC_OK)
        status = read_flag(r, values[1], DPC_TIER_WITHIN, &flags);
    if (status == DPC_OK)
        status = read_flag(r, values[2], DPC_TIER_NEXT, &flags);
    if (status == DPC_OK)
        status = read_names(r, values[0], &r->first);
    return status == DPC_OK ? dpc_knowing_tier(r->k, p, tier, flags, &r->first) : status;
}

static dpc_status read_parts(reader *r, const char *object)
{
    enum { TIERS, EDGES, GROUPS = 3, PARTS = 5 };
    static const char *const keys[] = {
        "tiers", "forbidden_edges", "required_edges", "forbidden_groups", "required_groups", NULL};
    const char *values[PARTS];
    int tier = 0;
    dpc_status status = find_members(r, object, keys, values);
    for (int i = 0; i < PARTS && status == DPC_OK; i++)
        if (values[i] != NULL && *values[i] != '[')
            status = dpc_knowing_refuse(r->k, values[i], "\"%s\" must be a list", keys[i]);
    if (status == DPC_OK && values[TIERS] != NULL)
        for (const char *p = dpc_json_first(values[TIERS]); p != NULL && status == DPC_OK;
             p = dpc_json_next(p))
            status = read_tier(r, p, tier++);
    for (int i = EDGES; i < PARTS && status == DPC_OK; i++)
        if (values[i] != NULL)
            status = read_edges(r, values[i], i >= GROUPS, i == EDGES + 1 || i == GROUPS + 1);
    return status;
}

dpc_status dpc_parse_knowledge_json(dpc_knowing *k)
{
    const char *at;
    const char *fault = dpc_json_check(k->text, &at);
    if (fault != NULL)
        return dpc_knowing_refuse(k, at, "%s: this is not JSON", fault);
    reader r = {.k = k};
    dpc_status status = read_parts(&r, dpc_json_space(k->text));
    free(r.first.items);
    free(r.second.items);
    return status;
}
