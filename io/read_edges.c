/*
 * Reading an edge list: one edge a line, `A --> B`, `A <-- B` or `A --- B`, and in a PAG `A <-> B`,
 * `A o-> B`, `A o-o B` …; or, where a line has none of these arrows, `A -> B`, `A <- B` or
 * `A -- B`. The arrow has a blank on each side, so that names may hold blanks, and hyphens; blanks
 * around a name do not count, unless it is in quotes (see edge_names.h). A line with two arrows
 * could be read in two ways and is refused. A name alone on its line is a node without edges; a
 * list with such a line lists its nodes. Lines that are blank, or begin with #, are skipped; but
 * `#A --> B`, without a blank after the #, is an edge, since a name may begin so and an edge must
 * not get lost.
 *
 * A text may also be Tetrad's, with "Graph Nodes:" or with its lines numbered 1. 2. 3. …, or a
 * table whose header says from and to. Its beginning tells.
 */
#include "edge_names.h"
#include "graph_build.h"
#include "text.h"

#include <stdlib.h>

static const char *over_blanks(const char *p)
{
    return p + strspn(p, " \t");
}

/* The name in the quotes from `begin` to `end`. */
static dpc_status add_quoted(dpc_builder *b, const char *begin, const char *end, int32_t *node)
{
    return dpc_build_cell(b, &(dpc_cell){begin + 1, (size_t)(end - begin - 2), true}, node);
}

/* ---- Lines ---- */

static dpc_status refuse_line(dpc_builder *b, const char *line, const char *end, const char *why)
{
    char clipped[DPC_CLIP_SIZE];
    dpc_clip(line, (size_t)(end - line), false, clipped);
    return dpc_build_refuse(b, line, "'%s' %s", clipped, why);
}

/* The end of a name in quotes at `p` with nothing behind it on its line, which `*end` becomes. */
static const char *lone_quoted(const char *p, const char **end)
{
    const char *close = dpc_edge_name_end(p);
    if (close == NULL || dpc_line_end(close) != over_blanks(close))
        return NULL;
    *end = dpc_line_end(close);
    return close;
}

/* What follows the arrow: a name in quotes, which may hold line breaks, or all of the line. */
static dpc_status read_right(dpc_builder *b, const char *line, const char *p, const char **end,
                             int32_t *node)
{
    size_t length;
    const char *other, *word = over_blanks(p), *close = lone_quoted(word, end);
    if (close != NULL)
        return add_quoted(b, word, close, node);
    *end = dpc_line_end(p);
    if (dpc_find_arrow(p, *end, &other, &length) != DPC_NONE && length == 3)
        return refuse_line(b, line, *end,
                           "has more than one arrow; names that hold one must be in quotes");
    return dpc_build_trimmed(b, p, *end, line, node);
}

/* A node without edges: a line with a name, in quotes or one word. */
static dpc_status read_lone(dpc_builder *b, const char *line, const char **end)
{
    const char *first = over_blanks(line), *close = lone_quoted(first, end), *last = *end;
    int32_t node;
    b->all_nodes = true;
    if (close != NULL)
        return add_quoted(b, first, close, &node);
    while (last > first && dpc_is_blank(last[-1]))
        last--;
    if (!dpc_edge_name_is_word(first, (size_t)(last - first)))
        return refuse_line(b, line, *end,
                           "is no edge; write A --> B or A --- B, with blanks around the arrow; a "
                           "node without edges is its name alone, in quotes if it is not one word");
    return dpc_build_node(b, first, (size_t)(last - first), line, &node);
}

/* The edge or the node at `line`, which is not blank; moves on to its end. */
static dpc_status parse_line(dpc_builder *b, const char *line, const char **end)
{
    const char *first = over_blanks(line), *arrow = NULL, *quoted = dpc_edge_name_end(first);
    size_t length = 0;
    int32_t from, to;
    *end = dpc_line_end(quoted != NULL ? quoted : first);
    dpc_mark mark = dpc_find_arrow(quoted != NULL ? quoted : line, *end, &arrow, &length);
    if (quoted != NULL && (arrow == NULL || arrow != over_blanks(quoted))) {
        quoted = NULL; /* text behind the quote: it belongs to the name */
        *end = dpc_line_end(first);
        mark = dpc_find_arrow(line, *end, &arrow, &length);
    }
    if (*first == '#' && (mark == DPC_NONE || dpc_is_blank(first[1]) || first[1] == '#'))
        return DPC_OK;
    if (mark == DPC_NONE || lone_quoted(first, end) != NULL)
        return read_lone(b, line, end);
    DPC_CHECK(quoted != NULL ? add_quoted(b, first, quoted, &from)
                             : dpc_build_trimmed(b, line, arrow, line, &from));
    DPC_CHECK(read_right(b, line, arrow + length, end, &to));
    return dpc_build_edge(b, from, to, mark, line);
}

/* ---- What the text is ---- */

/* Are its lines that are not blank numbered from 1 on? */
static bool is_numbered(const char *text)
{
    long long count = 0;
    for (const char *line = text; *line != '\0';) {
        const char *end = dpc_line_end(line), *first = over_blanks(line);
        if (first < end && (dpc_line_number(first, end) == 0 || atoll(first) != ++count))
            return false;
        line = end + (*end != '\0');
    }
    return count > 0;
}

/* Is the first line a header, and no edge between nodes of such names? */
static bool is_table(const char *text)
{
    const char *at, *first = dpc_over_space(text);
    size_t length;
    return dpc_find_arrow(first, dpc_line_end(first), &at, &length) == DPC_NONE &&
           dpc_is_arcs(text);
}

dpc_status dpc_parse_edges(dpc_builder *b)
{
    if (dpc_is_tetrad(b->text) || is_numbered(b->text))
        return dpc_parse_tetrad(b);
    if (is_table(b->text))
        return dpc_parse_arcs(b);
    for (const char *line = b->text; *line != '\0';) {
        const char *end = dpc_line_end(line);
        if (over_blanks(line) < end)
            DPC_CHECK(parse_line(b, line, &end));
        line = end + (*end != '\0');
    }
    return dpc_build_sort(b, DPC_TWICE_REFUSED);
}
