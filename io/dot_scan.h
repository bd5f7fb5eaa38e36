/*
 * The words of Graphviz's language, and of DAGitty's, which is a relative of it: names, arrows and
 * signs, one after the other. White space and comments are between them.
 *
 * In quotes \" stands for a quote, and a backslash at the end of a line joins it with the next; in
 * DOT \\ stands for a backslash, as our writer means it, and any other backslash stays. What both
 * languages have in brackets behind a statement is read here, too.
 */
#ifndef DPC_DOT_SCAN_H
#define DPC_DOT_SCAN_H

#include "graph_build.h"

typedef enum dpc_dot_kind {
    DPC_DOT_END,
    DPC_DOT_NAME,   /* a name, bare */
    DPC_DOT_QUOTED, /* a name in quotes */
    DPC_DOT_ARROW,  /* -> or --; in DAGitty's text also <- <-> @-> <-@ @-@ @-- --@ */
    DPC_DOT_SIGN,   /* one of { } [ ] ; , = */
} dpc_dot_kind;

typedef struct dpc_dot {
    dpc_builder *b;
    bool dagitty;
    const char *next; /* behind the word */
    dpc_dot_kind kind;
    const char *at; /* the word */
    char *text;     /* of a name, ends with a NUL; the room of the builder */
    size_t length;
    dpc_mark arrow;
} dpc_dot;

/* At the beginning of the text. */
dpc_dot dpc_dot_start(dpc_builder *b, bool dagitty);

/* Moves on to the next word. */
dpc_status dpc_dot_scan(dpc_dot *s);

/* The word is refused: `wanted` must be there. */
dpc_status dpc_dot_refuse(dpc_dot *s, const char *wanted);

static inline bool dpc_dot_is_sign(const dpc_dot *s, char sign)
{
    return s->kind == DPC_DOT_SIGN && *s->at == sign;
}

static inline bool dpc_dot_is_name(const dpc_dot *s)
{
    return s->kind == DPC_DOT_NAME || s->kind == DPC_DOT_QUOTED;
}

/* Words of the language are so in any case of letters, but not in quotes. */
static inline bool dpc_dot_is_word(const dpc_dot *s, const char *word)
{
    return s->kind == DPC_DOT_NAME && strcasecmp(s->text, word) == 0;
}

/* Is the word followed by = ? */
bool dpc_dot_before_equals(const dpc_dot *s);

/*
 * From the first word up to the one behind the { of the graph: [strict] type [name] {. `types` ends
 * with NULL, and `wanted` says what they are.
 */
dpc_status dpc_dot_head(dpc_dot *s, const char *const *types, const char *wanted);

/* To the end of the text, behind the } that is the word. */
dpc_status dpc_dot_tail(dpc_dot *s);

/* What to do with the value of an attribute, which is the word; NULL: nothing. */
typedef dpc_status dpc_dot_take(dpc_dot *s, const char *name, void *into);

/* name = value, where the name is the word; it may stand alone. Ends behind it. */
dpc_status dpc_dot_attribute(dpc_dot *s, dpc_dot_take *take, void *into);

/* Any number of [ … ], from the word on. */
dpc_status dpc_dot_attributes(dpc_dot *s, dpc_dot_take *take, void *into);

#endif
