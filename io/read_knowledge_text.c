/*
 * Background knowledge in the text format of Tetrad:
 *
 *     /knowledge
 *     addtemporal
 *     1 A B           a tier: its number, then its variables
 *     2* C D          no edges within this tier
 *     3- E            no edges from this tier to others than the next; also 3*-
 *     forbiddirect
 *     A D             no edge A → D; also A B ==> C D, for all of them
 *     requiredirect
 *     A C             the edge A → C
 *     forbiddengroup
 *     A B             no edges from these …
 *     C D             … to those
 *     requiredgroup
 *     …               in the same way
 *
 * Names are separated by white space, after "/knowledge comma" by commas; one in double quotes may
 * hold either, and a quote in it is doubled. Empty lines, and lines that begin with // or with #
 * and a blank, are skipped. Sections come in any order, and may come again.
 */
#include "read_knowledge.h"
#include "status.h"

#include <string.h>
#include <strings.h>

typedef enum section {
    NO_SECTION,
    TIERS,
    FORBIDDEN,
    REQUIRED,
    FORBIDDEN_GROUP,
    REQUIRED_GROUP
} section;

static const char *const SECTIONS[] = {
    "", "addtemporal", "forbiddirect", "requiredirect", "forbiddengroup", "requiredgroup"};

typedef struct reader {
    dpc_knowing *k;
    section section;
    bool comma;             /* names are separated by commas */
    const char *line, *end; /* the present line */
    const char *group;      /* the first line of a group that waits for its second; or NULL */
} reader;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static const char *skip_space(const reader *r, const char *p)
{
    while (p < r->end && is_space(*p))
        p++;
    return p;
}

/* The quoted name at `p`, into r->k->name; returns the byte behind it, or NULL: it is not closed.
 */
static const char *quoted(reader *r, const char *p, size_t *length)
{
    *length = 0;
    for (p++; p < r->end; p++) {
        if (*p == '"' && (p + 1 == r->end || p[1] != '"'))
            return p + 1;
        p += *p == '"';
        r->k->name[(*length)++] = *p;
    }
    return NULL;
}

/*
 * The next name, or number, or sign of the line at `*p`, into r->k->name; its length in *length, 0
 * at the end of the line.
 */
static dpc_status next_word(reader *r, const char **p, size_t *length)
{
    const char *at = skip_space(r, *p), *end = at;
    *length = 0;
    if (at < r->end && *at == '"') {
        end = quoted(r, at, length);
        if (end == NULL)
            return dpc_knowing_refuse(r->k, r->line, "a quote is not closed");
    } else {
        while (end < r->end && (r->comma ? *end != ',' : !is_space(*end)))
            end++;
        const char *last = end;
        while (last > at && is_space(last[-1]))
            last--;
        *length = (size_t)(last - at);
        memcpy(r->k->name, at, *length);
    }
    if (*length == 0 && at < r->end)
        return dpc_knowing_refuse(r->k, r->line, "there is an empty name");
    end = skip_space(r, end);
    *p = r->comma && end < r->end && *end == ',' ? end + 1 : end;
    return DPC_OK;
}

/* All names from `p` on, up to a sign ==> where `sign` is not NULL; *sign says where it ended. */
static dpc_status read_names(reader *r, const char *p, dpc_chosen *list, const char **sign)
{
    size_t length;
    list->count = 0;
    if (sign != NULL)
        *sign = NULL;
    for (;;) {
        const char *at = skip_space(r, p);
        DPC_CHECK(next_word(r, &p, &length));
        if (length == 0)
            return DPC_OK;
        if (sign != NULL && length == 3 && *at != '"' && memcmp(r->k->name, "==>", 3) == 0) {
            *sign = p;
            return DPC_OK;
        }
        DPC_CHECK(dpc_knowing_choose(r->k, r->k->name, length, r->line, list));
    }
}

static dpc_status read_tier(reader *r)
{
    const char *p = skip_space(r, r->line);
    int tier = 0, digits = 0;
    uint8_t flags = 0;
    for (; p < r->end && *p >= '0' && *p <= '9'; p++, digits++)
        tier = tier < DPC_MAX_TIERS ? 10 * tier + (*p - '0') : tier;
    for (; p < r->end && (*p == '*' || *p == '-'); p++)
        flags |= *p == '*' ? DPC_TIER_WITHIN : DPC_TIER_NEXT;
    bool ends = p == r->end || is_space(*p) || (r->comma && *p == ',');
    if (digits == 0 || !ends)
        return dpc_knowing_refuse(r->k, r->line,
                                  "a tier begins with its number, as in '1 A B', '1* A B' or "
                                  "'1- A B'");
    if (tier >= DPC_MAX_TIERS)
        return dpc_knowing_refuse(r->k, r->line, "tiers have numbers up to %d", DPC_MAX_TIERS - 1);
    if (r->comma && p < r->end && *p == ',')
        p++;
    DPC_CHECK(read_names(r, p, &r->k->first, NULL));
    return dpc_knowing_tier(r->k, r->line, tier, flags, &r->k->first);
}

/* Two names, or several on both sides of a sign. */
static dpc_status read_edge(reader *r)
{
    const char *sign;
    dpc_knowing *k = r->k;
    DPC_CHECK(read_names(r, r->line, &k->first, &sign));
    if (sign != NULL) {
        DPC_CHECK(read_names(r, sign, &k->second, NULL));
        if (k->first.count == 0 || k->second.count == 0)
            return dpc_knowing_refuse(k, r->line, "there is nothing on one side of ==>");
    } else {
        if (k->first.count != 2)
            return dpc_knowing_refuse(k, r->line, "an edge is two names, from and to, not %lld",
                                      (long long)k->first.count);
        const char *to = k->names.names[k->first.items[1]];
        k->first.count = 1;
        k->second.count = 0;
        DPC_CHECK(dpc_knowing_choose(k, to, strlen(to), r->line, &k->second));
    }
    return dpc_knowing_edges(k, r->line, &k->first, &k->second, r->section == REQUIRED);
}

/* The first line of a group, or the second. */
static dpc_status read_group(reader *r)
{
    dpc_chosen *list = r->group == NULL ? &r->k->first : &r->k->second;
    DPC_CHECK(read_names(r, r->line, list, NULL));
    if (r->group == NULL) {
        r->group = r->line;
        return DPC_OK;
    }
    r->group = NULL;
    return dpc_knowing_edges(r->k, r->line, &r->k->first, &r->k->second,
                             r->section == REQUIRED_GROUP);
}

/* Does the line hold this word, alone? Letters may be large. */
static bool is_word(const reader *r, const char *word)
{
    const char *p = skip_space(r, r->line), *end = r->end;
    while (end > p && is_space(end[-1]))
        end--;
    return (size_t)(end - p) == strlen(word) && strncasecmp(p, word, strlen(word)) == 0;
}

static dpc_status check_group(reader *r)
{
    return r->group == NULL ? DPC_OK
                            : dpc_knowing_refuse(r->k, r->group,
                                                 "a group is two lines, from and to; the second is "
                                                 "missing");
}

static dpc_status read_line(reader *r)
{
    const char *p = skip_space(r, r->line);
    if (p == r->end || (*p == '#' && (p + 1 == r->end || is_space(p[1]))) ||
        (r->end - p >= 2 && p[0] == '/' && p[1] == '/'))
        return DPC_OK;
    for (section s = TIERS; s <= REQUIRED_GROUP; s++)
        if (is_word(r, SECTIONS[s])) {
            r->section = s;
            return check_group(r);
        }
    switch (r->section) {
    case TIERS:
        return read_tier(r);
    case FORBIDDEN:
    case REQUIRED:
        return read_edge(r);
    case FORBIDDEN_GROUP:
    case REQUIRED_GROUP:
        return read_group(r);
    case NO_SECTION:
        break;
    }
    if (is_word(r, "/knowledge") || is_word(r, "/knowledge comma")) {
        r->comma = r->comma || is_word(r, "/knowledge comma");
        return DPC_OK;
    }
    return dpc_knowing_refuse(r->k, r->line,
                              "a section must begin first: addtemporal, forbiddirect, "
                              "requiredirect, forbiddengroup or requiredgroup");
}

dpc_status dpc_parse_knowledge_text(dpc_knowing *k)
{
    reader r = {.k = k};
    for (const char *p = k->text; *p != '\0'; p = r.end + (*r.end != '\0')) {
        r.line = p;
        r.end = p + strcspn(p, "\r\n");
        DPC_CHECK(read_line(&r));
    }
    DPC_CHECK(check_group(&r));
    return r.section != NO_SECTION
               ? DPC_OK
               : dpc_knowing_refuse(k, k->text, "there is no knowledge in this file");
}
