/*
 * Reading GML: keys with values, which are numbers, strings in quotes or lists in brackets.
 *
 *     graph [ directed 1
 *       node [ id 0 label "A" ]
 *       edge [ source 0 target 1 mark "---" ] ]
 *
 * A node is called by its `name`, otherwise its `label`, otherwise its id. An edge is what its
 * `mark` says (see dpc_relation), and without one an arrow where the graph is directed; there two
 * arrows both ways are an undirected edge. In strings &amp; &quot; &apos; &lt; &gt; and &#960;
 * stand for characters. Everything else is skipped.
 */
#include "alloc.h"
#include "graph_ids.h"
#include "xml_scan.h"

typedef struct scanner {
    dpc_ids ids;
    dpc_builder *b;
    const char *p;
    char *text; /* of a value, as long as the file; owned */
    size_t length;
    bool directed, found; /* what the graph says of itself; there was one */
} scanner;

typedef enum kind { KEY_NONE, KEY_SCALAR, KEY_LIST } kind;

/* Over white space, and over lines that begin with #. */
static void over_space(scanner *s)
{
    for (;;) {
        bool at_start = s->p == s->b->text || s->p[-1] == '\n' || s->p[-1] == '\r';
        if (*s->p == '#' && at_start)
            s->p += strcspn(s->p, "\r\n");
        else if (strchr(" \t\r\n", *s->p) != NULL && *s->p != '\0')
            s->p++;
        else
            return;
    }
}

/* The value at s->p into s->text. */
static dpc_status read_scalar(scanner *s)
{
    const char *begin = s->p;
    if (*s->p == '"') {
        const char *close = strchr(s->p + 1, '"');
        if (close == NULL)
            return dpc_build_refuse(s->b, s->p, "a quote opens here that is never closed");
        s->length = dpc_xml_decode(s->p + 1, close, s->text);
        s->p = close + 1;
        return s->length != DPC_XML_WRONG
                   ? DPC_OK
                   : dpc_build_refuse(s->b, begin, "a character by number that there is not");
    }
    s->length = strcspn(s->p, " \t\r\n[]\"");
    memcpy(s->text, s->p, s->length);
    s->text[s->length] = '\0';
    s->p += s->length;
    return DPC_OK;
}

/*
 * The next key of a list, and for a scalar its value. KEY_NONE: the list ends here, with a bracket
 * or, at the top, with the text.
 */
static dpc_status next_key(scanner *s, const char **key, size_t *length, kind *kind)
{
    over_space(s);
    *kind = KEY_NONE;
    *key = s->p;
    if (*s->p == ']' || *s->p == '\0')
        return DPC_OK;
    *length = strcspn(s->p, " \t\r\n[]\"");
    if (*length == 0)
        return dpc_build_refuse(s->b, s->p, "there is no key where one must be");
    s->p += *length;
    over_space(s);
    if (*s->p == '\0' || *s->p == ']')
        return dpc_build_refuse(s->b, s->p, "there is no value where one must be");
    *kind = *s->p == '[' ? KEY_LIST : KEY_SCALAR;
    s->p += *kind == KEY_LIST;
    return *kind == KEY_SCALAR ? read_scalar(s) : DPC_OK;
}

/* Behind the bracket that closes a list. */
static dpc_status close_list(scanner *s, const char *open)
{
    if (*s->p != ']')
        return dpc_build_refuse(s->b, open, "this list is never closed");
    s->p++;
    return DPC_OK;
}

/* Over a list that does not matter, with all that is in it; s->p is behind its bracket. */
static dpc_status skip_list(scanner *s)
{
    const char *open = s->p;
    for (int64_t depth = 1; depth > 0;) {
        over_space(s);
        if (*s->p == '\0')
            return dpc_build_refuse(s->b, open, "this list is never closed");
        const char *close = *s->p == '"' ? strchr(s->p + 1, '"') : s->p;
        if (close == NULL)
            return dpc_build_refuse(s->b, s->p, "a quote opens here that is never closed");
        depth += (*s->p == '[') - (*s->p == ']');
        s->p = close + 1;
    }
    return DPC_OK;
}

/* ---- Nodes and edges ---- */

static dpc_status read_node(scanner *s, const char *open)
{
    dpc_ids *ids = &s->ids;
    const char *key;
    size_t length;
    kind kind;
    int32_t node = -1;
    dpc_status status = DPC_OK;
    const char *inside = s->p;
    for (int round = 0; round < 2 && status == DPC_OK; round++) { /* first the id, then names */
        s->p = inside;
        for (kind = KEY_SCALAR; kind != KEY_NONE && status == DPC_OK;) {
            status = next_key(s, &key, &length, &kind);
            if (status != DPC_OK || kind == KEY_NONE)
                break;
            dpc_name_rank rank = dpc_name_rank_of(key, length);
            if (kind == KEY_LIST)
                status = skip_list(s);
            else if (round == 0 && node < 0 && dpc_says(key, length, "id"))
                status = dpc_ids_list(ids, s->text, s->length, key, &node);
            else if (round == 1 && rank != DPC_NAME_NONE)
                status = dpc_ids_name(ids, node, rank, s->text, s->length);
        }
        if (status == DPC_OK && node < 0)
            return dpc_build_refuse(s->b, open, "the node has no id");
    }
    return status == DPC_OK ? close_list(s, open) : status;
}

static dpc_status read_edge(scanner *s, const char *open)
{
    const char *key;
    size_t length;
    kind kind = KEY_SCALAR;
    int32_t from = -1, to = -1;
    dpc_mark mark = s->directed ? DPC_FORWARD : DPC_UNDIRECTED;
    dpc_status status = DPC_OK;
    while (status == DPC_OK) {
        status = next_key(s, &key, &length, &kind);
        if (status != DPC_OK || kind == KEY_NONE)
            break;
        if (kind == KEY_LIST)
            status = skip_list(s);
        else if (dpc_says(key, length, "source"))
            status = dpc_ids_node(&s->ids, s->text, s->length, key, &from);
        else if (dpc_says(key, length, "target"))
            status = dpc_ids_node(&s->ids, s->text, s->length, key, &to);
        else if (dpc_says(key, length, "mark"))
            status = dpc_build_mark(s->b, s->text, s->length, key, &mark);
    }
    if (status == DPC_OK && (from < 0 || to < 0))
        return dpc_build_refuse(s->b, open, "the edge has no source, or no target");
    if (status == DPC_OK)
        status = dpc_ids_edge(&s->ids, from, to, mark, open);
    return status == DPC_OK ? close_list(s, open) : status;
}

/* Is the graph directed? It may say so behind its edges. */
static dpc_status read_directed(scanner *s)
{
    const char *inside = s->p;
    for (;;) {
        const char *key;
        size_t length;
        kind kind;
        dpc_status status = next_key(s, &key, &length, &kind);
        if (status == DPC_OK && kind == KEY_LIST)
            status = skip_list(s);
        else if (status == DPC_OK && kind == KEY_SCALAR && dpc_says(key, length, "directed"))
            s->directed = strcmp(s->text, "0") != 0;
        if (status != DPC_OK)
            return status;
        if (kind == KEY_NONE)
            break;
    }
    s->p = inside;
    return DPC_OK;
}

static dpc_status read_graph(scanner *s, const char *open)
{
    if (s->found)
        return dpc_build_refuse(s->b, open, "there is a second graph; one file has one");
    s->found = true;
    dpc_status status = read_directed(s);
    while (status == DPC_OK) {
        const char *key;
        size_t length;
        kind kind;
        status = next_key(s, &key, &length, &kind);
        if (status != DPC_OK || kind == KEY_NONE)
            break;
        if (kind == KEY_LIST)
            status = dpc_says(key, length, "node")   ? read_node(s, key)
                     : dpc_says(key, length, "edge") ? read_edge(s, key)
                                                     : skip_list(s);
    }
    return status == DPC_OK ? close_list(s, open) : status;
}

static dpc_status parse(scanner *s)
{
    dpc_status status = DPC_OK;
    while (status == DPC_OK) {
        const char *key;
        size_t length;
        kind kind;
        status = next_key(s, &key, &length, &kind);
        if (status != DPC_OK || kind == KEY_NONE)
            break;
        if (kind == KEY_LIST)
            status = dpc_says(key, length, "graph") ? read_graph(s, key) : skip_list(s);
    }
    if (status == DPC_OK && *s->p != '\0')
        return dpc_build_refuse(s->b, s->p, "a ] that closes nothing");
    if (status == DPC_OK && !s->found)
        return dpc_build_refuse(s->b, s->b->text, "there is no graph [ … ] in it");
    if (status == DPC_OK)
        status = dpc_ids_finish(&s->ids, true, false);
    return status == DPC_OK ? dpc_build_sort(s->b, DPC_TWICE_BOTH_WAYS) : status;
}

dpc_status dpc_parse_gml(dpc_builder *b)
{
    scanner s = {.ids = {.b = b}, .b = b, .p = b->text};
    s.text = dpc_alloc((int64_t)strlen(b->text) + 1, 1);
    dpc_status status = s.text != NULL ? parse(&s) : dpc_build_no_memory(b);
    dpc_ids_clear(&s.ids);
    free(s.text);
    return status;
}
