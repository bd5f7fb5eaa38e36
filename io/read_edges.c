/*
 * Reading an edge list: one edge a line, `A --> B`, `A <-- B` or `A --- B`; or, where a line has
 * none of these arrows, `A -> B`, `A <- B` or `A -- B`. The arrow has a blank on each side, so that
 * names may hold blanks, and hyphens; blanks around a name do not count, unless it is in quotes
 * (see edge_names.h). A line with two arrows could be read in two ways and is refused. Lines that
 * are blank, or begin with #, are skipped; but `#A --> B`, without a blank after the #, is an edge,
 * since a name may begin so and an edge must not get lost.
 *
 * A text may also be Tetrad's, with "Graph Nodes:" or with its lines numbered 1. 2. 3. …, or a
 * table whose header says from and to. Its beginning tells.
 */
#include "alloc.h"
#include "csv.h"
#include "edge_names.h"
#include "graph_build.h"
#include "read_graph_parts.h"
#include "text.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *line_end(const char *p)
{
    return p + strcspn(p, "\r\n");
}

/* ---- The arrow ---- */

dpc_mark dpc_find_arrow(const char *p, const char *end, const char **at, size_t *length)
{
    size_t word;
    const char *shorter = NULL, *foreign = NULL;
    for (const char *w = dpc_next_word(p, end, &word); w != NULL;
         w = dpc_next_word(w + word, end, &word)) {
        dpc_mark mark = strchr("-<", *w) != NULL ? dpc_relation(w, word) : DPC_NONE;
        if (mark != DPC_NONE && word == 3) {
            *at = w;
            *length = 3;
            return mark;
        }
        if (mark != DPC_NONE && shorter == NULL)
            shorter = w;
        if (dpc_is_foreign_mark(w, word) && foreign == NULL)
            foreign = w;
    }
    *at = shorter != NULL ? shorter : foreign;
    *length = shorter != NULL ? 2 : 3;
    return shorter != NULL ? dpc_relation(shorter, 2) : DPC_NONE;
}

/* ---- Names ---- */

dpc_status dpc_add_trimmed(dpc_builder *b, const char *begin, const char *end, const char *at,
                           int32_t *node)
{
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    return dpc_build_node(b, begin, (size_t)(end - begin), at, node);
}

/* The name in the quotes from `begin` to `end`. */
static dpc_status add_quoted(dpc_builder *b, const char *begin, const char *end, int32_t *node)
{
    dpc_cell cell = {begin + 1, (size_t)(end - begin - 2), true};
    char *name = dpc_alloc(end - begin, 1);
    if (name == NULL)
        return dpc_build_no_memory(b);
    dpc_csv_copy(&cell, name);
    dpc_status status = dpc_build_node(b, name, strlen(name), begin, node);
    free(name);
    return status;
}

/* ---- Lines ---- */

static dpc_status refuse_line(dpc_builder *b, const char *line, const char *end, const char *why)
{
    char clipped[DPC_CLIP_SIZE];
    dpc_clip(line, (size_t)(end - line), false, clipped);
    return dpc_build_refuse(b, line, "'%s' %s", clipped, why);
}

/* What follows the arrow: a name in quotes, which may hold line breaks, or all of the line. */
static dpc_status read_right(dpc_builder *b, const char *line, const char *p, const char **end,
                             int32_t *node)
{
    dpc_mark mark;
    size_t length;
    const char *other, *word = p;
    while (is_blank(*word))
        word++;
    const char *close = dpc_edge_name_end(word);
    if (close != NULL && line_end(close) == close + strspn(close, " \t")) {
        *end = line_end(close);
        return add_quoted(b, word, close, node);
    }
    *end = line_end(p);
    mark = dpc_find_arrow(p, *end, &other, &length);
    if (mark != DPC_NONE && length == 3)
        return refuse_line(b, line, *end,
                           "has more than one arrow; names that hold one must be in quotes");
    return dpc_add_trimmed(b, p, *end, line, node);
}

/* The edge at `line`, which is not blank; moves on to its end. */
static dpc_status parse_line(dpc_builder *b, const char *line, const char **end)
{
    const char *first = line, *arrow = NULL;
    size_t length = 0;
    int32_t from, to;
    while (is_blank(*first))
        first++;
    const char *quoted = dpc_edge_name_end(first);
    *end = line_end(quoted != NULL ? quoted : first);
    dpc_mark mark = dpc_find_arrow(quoted != NULL ? quoted : line, *end, &arrow, &length);
    if (quoted != NULL && (arrow == NULL || arrow != quoted + strspn(quoted, " \t"))) {
        quoted = NULL; /* text behind the quote: it belongs to the name */
        *end = line_end(first);
        mark = dpc_find_arrow(line, *end, &arrow, &length);
    }
    if (*first == '#' && (mark == DPC_NONE || is_blank(first[1]) || first[1] == '#'))
        return DPC_OK;
    if (mark == DPC_NONE && arrow != NULL)
        return dpc_refuse_foreign(b, arrow);
    if (mark == DPC_NONE)
        return refuse_line(b, line, *end,
                           "is no edge; write A --> B or A --- B, with blanks around the arrow");
    dpc_status status = quoted != NULL ? add_quoted(b, first, quoted, &from)
                                       : dpc_add_trimmed(b, line, arrow, line, &from);
    if (status == DPC_OK)
        status = read_right(b, line, arrow + length, end, &to);
    return status == DPC_OK ? dpc_build_edge(b, from, to, mark, line) : status;
}

/* ---- What the text is ---- */

/* Are its lines that are not blank numbered from 1 on? */
static bool is_numbered(const char *text)
{
    long long count = 0;
    for (const char *line = text; *line != '\0';) {
        const char *end = line_end(line), *first = line;
        while (is_blank(*first))
            first++;
        if (first < end && (dpc_line_number(first, end) == 0 || atoll(first) != ++count))
            return false;
        line = end + (*end != '\0');
    }
    return count > 0;
}

/* Is the first line a header, and no edge between nodes of such names? */
static bool is_table(const char *text)
{
    const char *at, *first = text + strspn(text, " \t\r\n");
    size_t length;
    return dpc_find_arrow(first, line_end(first), &at, &length) == DPC_NONE && dpc_is_arcs(text);
}

dpc_status dpc_parse_edges(dpc_builder *b)
{
    dpc_status status = DPC_OK;
    if (dpc_is_tetrad(b->text) || is_numbered(b->text))
        return dpc_parse_tetrad(b);
    if (is_table(b->text))
        return dpc_parse_arcs(b);
    for (const char *line = b->text; *line != '\0' && status == DPC_OK;) {
        const char *end = line_end(line), *first = line;
        while (is_blank(*first))
            first++;
        if (first < end)
            status = parse_line(b, line, &end);
        line = end + (*end != '\0');
    }
    return status == DPC_OK ? dpc_build_sort(b, DPC_TWICE_REFUSED) : status;
}
