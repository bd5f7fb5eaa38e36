/*
 * Names in an edge list. They stand as they are, blanks in them included, unless the line could
 * then be read in another way: such names are in quotes, as CSV has them.
 *
 *     A b --> C
 *     "x --> y" --> " z"
 *
 * A variable without edges is a line with its name alone. There only a word stands as it is, one
 * without blanks, commas, semicolons and parts of arrows: whatever else a line holds may be an edge
 * that was written otherwise, and must not become a name.
 */
#ifndef DPC_EDGE_NAMES_H
#define DPC_EDGE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Can the name stand as it is at an edge? And alone on its line? */
bool dpc_edge_name_is_plain(const char *name);
bool dpc_edge_name_is_word(const char *name, size_t length);

/*
 * The byte behind a name in quotes at `p`: the end of the text, or white space is there. NULL: what
 * is at `p` is no such name.
 */
const char *dpc_edge_name_end(const char *p);

static inline bool dpc_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next word from `p` on, before `end`: blanks and tabs are around it. NULL: there is none. */
const char *dpc_next_word(const char *p, const char *end, size_t *length);

/* The length of a number such as "12." that a line may begin with, and the blanks behind it; 0. */
size_t dpc_line_number(const char *p, const char *end);

#endif
