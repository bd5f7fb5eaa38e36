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
#include "json_scan.h"
#include "read_knowledge.h"
#include "status.h"
#include "text.h"

#include <string.h>

/* The name at `p`, one more in the list. */
static dpc_status read_name(dpc_knowing *k, const char *p, dpc_chosen *list)
{
    if (*p != '"')
        return dpc_knowing_refuse(k, p, "the name of a variable must be a string");
    size_t length = dpc_json_string(p, k->name);
    return strlen(k->name) == length ? dpc_knowing_choose(k, k->name, length, p, list)
                                     : dpc_knowing_refuse(k, p, "the name has a NUL in it");
}

/* A list of names. */
static dpc_status read_names(dpc_knowing *k, const char *p, dpc_chosen *list)
{
    list->count = 0;
    if (*p != '[')
        return dpc_knowing_refuse(k, p, "a list of names must be here");
    for (p = dpc_json_first(p); p != NULL; p = dpc_json_next(p))
        DPC_CHECK(read_name(k, p, list));
    return DPC_OK;
}

/*
 * The values of the members that have these keys, NULL where there is none; `keys` ends with NULL.
 * Other members, and the same one twice, are refused.
 */
static dpc_status find_members(dpc_knowing *k, const char *object, const char *const *keys,
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
            return dpc_knowing_refuse(k, p, "the key %s is not known here", clipped);
        }
        if (values[i] != NULL)
            return dpc_knowing_refuse(k, p, "\"%s\" is there twice", keys[i]);
        values[i] = dpc_json_member(p);
    }
    return DPC_OK;
}

/* From and to of an edge or a group, which is a pair or an object. */
static dpc_status find_ends(dpc_knowing *k, const char *p, const char *ends[2])
{
    static const char *const keys[] = {"from", "to", NULL};
    int count = 0;
    ends[0] = ends[1] = NULL;
    if (*p == '{')
        DPC_CHECK(find_members(k, p, keys, ends));
    if (*p == '[')
        for (const char *q = dpc_json_first(p); q != NULL; q = dpc_json_next(q), count++)
            if (count < 2)
                ends[count] = q;
    if (ends[0] == NULL || ends[1] == NULL || count > 2)
        return dpc_knowing_refuse(k, p,
                                  "from and to must be here, as [from, to] or as "
                                  "{\"from\": …, \"to\": …}");
    return DPC_OK;
}

/* Edges, or groups, in a list. */
static dpc_status read_edges(dpc_knowing *k, const char *list, bool groups, bool required)
{
    dpc_status (*read)(dpc_knowing *, const char *, dpc_chosen *) = groups ? read_names : read_name;
    for (const char *p = dpc_json_first(list); p != NULL; p = dpc_json_next(p)) {
        const char *ends[2];
        k->first.count = k->second.count = 0;
        DPC_CHECK(find_ends(k, p, ends));
        DPC_CHECK(read(k, ends[0], &k->first));
        DPC_CHECK(read(k, ends[1], &k->second));
        DPC_CHECK(dpc_knowing_edges(k, p, &k->first, &k->second, required));
    }
    return DPC_OK;
}

/* The bit where the value at `p` is true; `p` may be NULL. */
static dpc_status read_flag(dpc_knowing *k, const char *p, uint8_t bit, uint8_t *flags)
{
    if (p == NULL || *p == 'f')
        return DPC_OK;
    if (*p != 't')
        return dpc_knowing_refuse(k, p, "this must be true or false");
    *flags |= bit;
    return DPC_OK;
}

static dpc_status read_tier(dpc_knowing *k, const char *p, int tier)
{
    static const char *const keys[] = {"variables", "forbidden_within", "only_next", NULL};
    const char *values[3] = {p, NULL, NULL};
    uint8_t flags = 0;
    if (tier >= DPC_MAX_TIERS)
        return dpc_knowing_refuse(k, p, "there are more than %d tiers", DPC_MAX_TIERS);
    if (*p == '{')
        DPC_CHECK(find_members(k, p, keys, values));
    if (values[0] == NULL)
        return dpc_knowing_refuse(k, p, "the tier has no \"variables\"");
    DPC_CHECK(read_flag(k, values[1], DPC_TIER_WITHIN, &flags));
    DPC_CHECK(read_flag(k, values[2], DPC_TIER_NEXT, &flags));
    DPC_CHECK(read_names(k, values[0], &k->first));
    return dpc_knowing_tier(k, p, tier, flags, &k->first);
}

static dpc_status read_tiers(dpc_knowing *k, const char *list)
{
    int tier = 0;
    for (const char *p = dpc_json_first(list); p != NULL; p = dpc_json_next(p))
        DPC_CHECK(read_tier(k, p, tier++));
    return DPC_OK;
}

static dpc_status read_parts(dpc_knowing *k, const char *object)
{
    enum { TIERS, EDGES, GROUPS = 3, PARTS = 5 };
    static const char *const keys[] = {
        "tiers", "forbidden_edges", "required_edges", "forbidden_groups", "required_groups", NULL};
    const char *values[PARTS];
    DPC_CHECK(find_members(k, object, keys, values));
    for (int i = 0; i < PARTS; i++)
        if (values[i] != NULL && *values[i] != '[')
            return dpc_knowing_refuse(k, values[i], "\"%s\" must be a list", keys[i]);
    if (values[TIERS] != NULL)
        DPC_CHECK(read_tiers(k, values[TIERS]));
    for (int i = EDGES; i < PARTS; i++)
        if (values[i] != NULL)
            DPC_CHECK(read_edges(k, values[i], i >= GROUPS, i == EDGES + 1 || i == GROUPS + 1));
    return DPC_OK;
}

dpc_status dpc_parse_knowledge_json(dpc_knowing *k)
{
    const char *at;
    const char *fault = dpc_json_check(k->text, &at);
    return fault == NULL ? read_parts(k, dpc_json_space(k->text))
                         : dpc_knowing_refuse(k, at, "%s: this is not JSON", fault);
}
