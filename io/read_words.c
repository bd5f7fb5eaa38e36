/*
 * Reading SIF, and bnlearn's model string.
 *
 * SIF, of Cytoscape: a node alone on its line, or `node relation node …`, one edge to each of the
 * nodes behind the relation. Where the file has a tab, tabs part the words, otherwise blanks. The
 * relation must say whether there is a direction: see dpc_relation.
 *
 * A model string: `[A][B|A][C|A:B]`, each node with its parents. Blanks and line breaks between the
 * brackets do not count.
 */
#include "graph_build.h"
#include "text.h"

/* ---- SIF ---- */

/* The next word of a line: not empty where blanks part them. NULL: there is none. */
static const char *next_word(const char *p, const char *end, bool tabs, size_t *length)
{
    while (p < end && (tabs ? *p == '\t' : *p == ' '))
        p++;
    for (*length = 0; p + *length < end && p[*length] != (tabs ? '\t' : ' ');)
        ++*length;
    return *length > 0 ? p : NULL;
}

static dpc_status read_line(dpc_builder *b, const char *line, const char *end, bool tabs)
{
    size_t length;
    int32_t from, to;
    dpc_mark mark;
    const char *word = next_word(line, end, tabs, &length);
    DPC_CHECK(dpc_build_node(b, word, length, word, &from));
    word = next_word(word + length, end, tabs, &length);
    if (word == NULL)
        return DPC_OK;
    DPC_CHECK(dpc_build_mark(b, word, length, word, &mark));
    word = next_word(word + length, end, tabs, &length);
    if (word == NULL)
        return dpc_build_refuse(b, line, "there is no node behind the relation");
    for (; word != NULL; word = next_word(word + length, end, tabs, &length)) {
        DPC_CHECK(dpc_build_node(b, word, length, word, &to));
        DPC_CHECK(dpc_build_edge(b, from, to, mark, line));
    }
    return DPC_OK;
}

dpc_status dpc_parse_sif(dpc_builder *b)
{
    bool tabs = strchr(b->text, '\t') != NULL;
    size_t length;
    for (const char *line = b->text; *line != '\0';) {
        const char *end = dpc_line_end(line);
        if (next_word(line, end, tabs, &length) != NULL)
            DPC_CHECK(read_line(b, line, end, tabs));
        line = end + (*end != '\0');
    }
    b->all_nodes = true;
    return dpc_build_sort(b, DPC_TWICE_BOTH_WAYS);
}

/* ---- Model string ---- */

/* Every node is met before its parents are, so that nodes are numbered by the brackets. */
static dpc_status read_nodes(dpc_builder *b)
{
    const char *p = dpc_over_space(b->text);
    while (*p != '\0') {
        int32_t node;
        if (*p != '[')
            return dpc_build_refuse(b, p, "a model string is like [A][B|A]; there is no [ here");
        size_t name = strcspn(p + 1, "|[]"), rest = strcspn(p + 1, "[]");
        if (p[1 + rest] != ']')
            return dpc_build_refuse(b, p, "this [ is never closed");
        DPC_CHECK(dpc_build_new_node(b, p + 1, name, p, &node));
        p = dpc_over_space(p + 1 + rest + 1);
    }
    return DPC_OK;
}

/* The parents between | and ] at `p`. */
static dpc_status read_parents(dpc_builder *b, const char *p, int32_t node)
{
    char clipped[DPC_CLIP_SIZE];
    while (*p != ']') {
        size_t length = strcspn(++p, ":]");
        int32_t parent = dpc_names_find(&b->names, p, length);
        if (length == 0)
            return dpc_build_refuse(b, p, "the name of a node is empty");
        if (parent < 0) {
            dpc_clip(p, length, false, clipped);
            return dpc_build_refuse(b, p, "the parent '%s' has no [%s] of its own", clipped,
                                    clipped);
        }
        DPC_CHECK(dpc_build_edge(b, parent, node, DPC_FORWARD, p));
        p += length;
    }
    return DPC_OK;
}

dpc_status dpc_parse_model(dpc_builder *b)
{
    int32_t node = 0;
    DPC_CHECK(read_nodes(b));
    for (const char *p = dpc_over_space(b->text); *p != '\0'; node++) {
        p += 1 + strcspn(p + 1, "|]");
        DPC_CHECK(read_parents(b, p, node));
        p = dpc_over_space(p + strcspn(p, "]") + 1);
    }
    b->all_nodes = true;
    return dpc_build_sort(b, DPC_TWICE_REFUSED);
}
