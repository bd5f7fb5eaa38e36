/*
 * Reading a graph from Graphviz: what io/write.c writes, and what people write by hand.
 *
 *     [strict] (graph | digraph) [name] { statement … }
 *     statement:  a   a -> b   a -> b -> c   a -- b   each with [attributes]
 *                 node, edge or graph [attributes]    name = value
 *
 * with semicolons or without, and comments. Whether an edge has a direction is what Graphviz would
 * draw: `dir` says at which ends there are arrows (-> has forward, -- has none), and arrowhead or
 * arrowtail = none takes one away. An arrow at one end is a direction; at none or at both ends it
 * is not; a circle at an end (odot), as PAGs have it, is refused. Attributes of `edge [ … ]` hold
 * for the edges below it. Nodes are numbered as they appear. Where all of them are whole numbers,
 * and each has a `name` or a `label` of its own, these are their names: so igraph and causal-learn
 * write them. Subgraphs, ports and HTML names are refused.
 *
 * In quotes \" stands for a quote and \\ for a backslash, as our writer means them; any other
 * backslash stays, but one at the end of a line joins it with the next.
 */
#include "alloc.h"
#include "graph_ids.h"
#include "text.h"

#include <string.h>
#include <strings.h>

/* ---- Words ---- */

typedef enum kind {
    END,
    ID,     /* a name, bare */
    QUOTED, /* a name in quotes */
    ARROW,  /* -> */
    LINE,   /* -- */
    SIGN,   /* one of { } [ ] ; , = */
} kind;

typedef struct scanner {
    dpc_builder *b;
    dpc_ids ids;
    const char *next; /* behind the word */
    kind kind;        /* of the word */
    const char *at;   /* the word */
    char *text;       /* of a name, ends with a NUL; as long as the file: owned */
    size_t length;
} scanner;

/* Over white space and comments; NULL: a comment is not closed, and `*p` is at it. */
static const char *over_space(const char *text, const char **p)
{
    const char *q = *p;
    for (;; *p = q) {
        while (*q == ' ' || *q == '\t' || *q == '\n' || *q == '\r')
            q++;
        bool line_start = q == text || q[-1] == '\n' || q[-1] == '\r';
        if ((q[0] == '/' && q[1] == '/') || (q[0] == '#' && line_start)) {
            q += strcspn(q, "\r\n");
        } else if (q[0] == '/' && q[1] == '*') {
            *p = q;
            q = strstr(q + 2, "*/");
            if (q == NULL)
                return NULL;
            q += 2;
        } else {
            return q;
        }
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool in_bare_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* The length of the word of letters, digits and _, or the number such as -.5, at `p`; 0: none. */
static size_t bare_length(const char *p)
{
    static const char digits[] = "0123456789";
    size_t length = 0, sign = *p == '-';
    if (!is_digit(*p)) {
        while (in_bare_name(p[length]))
            length++;
        if (length > 0)
            return length;
    }
    size_t whole = strspn(p + sign, digits);
    bool point = p[sign + whole] == '.';
    size_t fraction = point ? strspn(p + sign + whole + 1, digits) : 0;
    return whole + fraction > 0 ? sign + whole + point + fraction : 0;
}

static dpc_status scan_quoted(scanner *s)
{
    const char *p = s->at + 1;
    s->length = 0;
    for (; *p != '"'; p++) {
        if (*p == '\0')
            return dpc_build_refuse(s->b, s->at, "a quote opens here that is never closed");
        if (p[0] == '\\' && (p[1] == '"' || p[1] == '\\')) {
            p++;
        } else if (p[0] == '\\' && (p[1] == '\n' || p[1] == '\r')) {
            p += p[1] == '\r' && p[2] == '\n' ? 2 : 1;
            continue;
        }
        s->text[s->length++] = *p;
    }
    s->text[s->length] = '\0';
    s->kind = QUOTED;
    s->next = p + 1;
    return DPC_OK;
}

static dpc_status refuse_word(scanner *s, const char *wanted)
{
    char clipped[DPC_CLIP_SIZE];
    if (s->kind == END)
        return dpc_build_refuse(s->b, s->at, "the file ends where %s must be", wanted);
    dpc_clip(s->at, (size_t)(s->next - s->at), false, clipped);
    return dpc_build_refuse(s->b, s->at, "'%s' where %s must be", clipped, wanted);
}

/* Moves on to the next word. */
static dpc_status scan(scanner *s)
{
    const char *p = over_space(s->b->text, &s->next);
    if (p == NULL)
        return dpc_build_refuse(s->b, s->next, "a comment opens here that is never closed");
    s->at = p;
    s->next = p + 1;
    s->length = bare_length(p);
    if (*p == '\0') {
        s->kind = END;
        s->next = p;
    } else if (*p == '"') {
        return scan_quoted(s);
    } else if (p[0] == '-' && (p[1] == '>' || p[1] == '-')) {
        s->kind = p[1] == '>' ? ARROW : LINE;
        s->next = p + 2;
    } else if (s->length > 0) {
        s->kind = ID;
        memcpy(s->text, p, s->length);
        s->text[s->length] = '\0';
        s->next = p + s->length;
        if (in_bare_name(*s->next)) /* Graphviz would take 1a as two names */
            return dpc_build_refuse(s->b, p, "a name that begins with a digit needs quotes");
    } else if (strchr("{}[];,=", *p) != NULL) {
        s->kind = SIGN;
    } else if (*p == ':') {
        return dpc_build_refuse(s->b, p,
                                "ports (a:b) cannot be read; put the name in quotes if "
                                "the colon belongs to it");
    } else if (*p == '<') {
        return dpc_build_refuse(s->b, p, "HTML names cannot be read; use names in quotes");
    } else if (*p == '+') {
        return dpc_build_refuse(s->b, p, "strings joined by + cannot be read; write them as one");
    } else {
        char clipped[DPC_CLIP_SIZE];
        int length = dpc_utf8_length(p, 4);
        dpc_clip(p, length > 0 ? (size_t)length : 1, false, clipped);
        return dpc_build_refuse(s->b, p,
                                "'%s' is not understood here; a name with other signs "
                                "than letters, digits and _ needs quotes",
                                clipped);
    }
    return DPC_OK;
}

static bool is_sign(const scanner *s, char sign)
{
    return s->kind == SIGN && *s->at == sign;
}

static bool is_name(const scanner *s)
{
    return s->kind == ID || s->kind == QUOTED;
}

/* Words of the language are so in any case of letters, but not in quotes. */
static bool is_word(const scanner *s, const char *word)
{
    return s->kind == ID && strcasecmp(s->text, word) == 0;
}

/* ---- Attributes ---- */

/* What is known of the arrows of an edge. */
typedef struct look {
    enum { DIR_UNSET, DIR_NONE, DIR_FORWARD, DIR_BACK, DIR_BOTH } dir;
    bool no_head, no_tail;
    int64_t name, label; /* of a node: where their values are in the text; 0: not given */
} look;

static bool is_circle(const char *shape)
{
    return strcmp(shape, "odot") == 0 || strcmp(shape, "circle") == 0;
}

static dpc_status set_attribute(scanner *s, const char *name, look *l)
{
    static const char *const dirs[] = {"", "none", "forward", "back", "both"};
    if (strcmp(name, "dir") == 0) {
        int dir = DIR_NONE;
        while (dir <= DIR_BOTH && strcasecmp(s->text, dirs[dir]) != 0)
            dir++;
        if (dir > DIR_BOTH)
            return refuse_word(s, "dir = forward, back, both or none");
        l->dir = dir;
    } else if (strcmp(name, "arrowhead") == 0 || strcmp(name, "arrowtail") == 0) {
        bool none = strcmp(s->text, "none") == 0;
        if (is_circle(s->text))
            return dpc_refuse_foreign(s->b, s->at);
        l->no_head = name[5] == 'h' ? none : l->no_head;
        l->no_tail = name[5] == 't' ? none : l->no_tail;
    } else if (strcmp(name, "name") == 0) {
        l->name = s->at - s->b->text;
    } else if (strcmp(name, "label") == 0) {
        l->label = s->at - s->b->text;
    }
    return DPC_OK;
}

/* name = value, where the name is the word; it may stand alone. Ends behind it. */
static dpc_status parse_attribute(scanner *s, look *l)
{
    char name[16] = ""; /* a longer one is none that matters */
    if (s->length < sizeof name)
        memcpy(name, s->text, s->length + 1);
    dpc_status status = scan(s);
    if (status != DPC_OK || !is_sign(s, '='))
        return status;
    status = scan(s);
    if (status == DPC_OK && !is_name(s))
        status = refuse_word(s, "the value of an attribute");
    if (status == DPC_OK && l != NULL)
        status = set_attribute(s, name, l);
    return status == DPC_OK ? scan(s) : status;
}

/* Any number of [ … ], from the word on; `l` may be NULL. */
static dpc_status parse_attributes(scanner *s, look *l)
{
    dpc_status status = DPC_OK;
    while (status == DPC_OK && is_sign(s, '[')) {
        status = scan(s);
        while (status == DPC_OK && !is_sign(s, ']')) {
            status = is_name(s) ? parse_attribute(s, l) : refuse_word(s, "an attribute or ]");
            if (status == DPC_OK && (is_sign(s, ',') || is_sign(s, ';')))
                status = scan(s);
        }
        if (status == DPC_OK)
            status = scan(s);
    }
    return status;
}

/* ---- Statements ---- */

/* The mark of an edge that looks so, joined by -> or --. */
static dpc_mark mark_of(const look *l, bool arrow)
{
    int dir = l->dir != DIR_UNSET ? l->dir : arrow ? DIR_FORWARD : DIR_NONE;
    bool head = (dir == DIR_FORWARD || dir == DIR_BOTH) && !l->no_head;
    bool tail = (dir == DIR_BACK || dir == DIR_BOTH) && !l->no_tail;
    return head == tail ? DPC_UNDIRECTED : head ? DPC_FORWARD : DPC_BACKWARD;
}

/* The attributes come after a whole chain: its edges wait, seen as forward. */
static void set_marks(dpc_builder *b, int64_t first, dpc_mark mark)
{
    dpc_mark reverse = mark == DPC_FORWARD    ? DPC_BACKWARD
                       : mark == DPC_BACKWARD ? DPC_FORWARD
                                              : DPC_UNDIRECTED;
    for (int64_t e = first; e < b->n_edges; e++)
        b->edges[e].edge.mark = b->edges[e].edge.mark == DPC_FORWARD ? mark : reverse;
}

/* The value of an attribute at that place of the text, read once more, as a name of the node. */
static dpc_status take_name(scanner *s, int32_t node, dpc_name_rank rank, int64_t place)
{
    scanner again = *s; /* it shares the room for the text, which is free between two words */
    again.next = s->b->text + place;
    if (place == 0)
        return DPC_OK;
    dpc_status status = scan(&again);
    if (status == DPC_OK)
        status = dpc_ids_name(&s->ids, node, rank, again.text, again.length);
    again = *s;
    again.next = s->at; /* the word as it was */
    return status == DPC_OK ? scan(&again) : status;
}

/* A node, or a chain of them; the word is the first name. */
static dpc_status parse_chain(scanner *s, const look *defaults)
{
    dpc_builder *b = s->b;
    int64_t first = b->n_edges;
    const char *at = s->at;
    int32_t last = -1, node = -1;
    kind joined = END; /* by -> or --, where there is an edge */
    dpc_status status = dpc_ids_node(&s->ids, s->text, s->length, at, &last);
    if (status == DPC_OK)
        status = scan(s);
    while (status == DPC_OK && (s->kind == ARROW || s->kind == LINE)) {
        if (joined != END && joined != s->kind)
            return refuse_word(s, "the same sign as before in this chain");
        joined = s->kind;
        status = scan(s);
        if (status == DPC_OK && (is_sign(s, '{') || is_word(s, "subgraph")))
            return dpc_build_refuse(b, s->at, "subgraphs cannot be read; write the edges out");
        if (status == DPC_OK && !is_name(s))
            return refuse_word(s, "the name of a node");
        if (status == DPC_OK)
            status = dpc_ids_node(&s->ids, s->text, s->length, s->at, &node);
        if (status == DPC_OK)
            status = dpc_ids_edge(&s->ids, last, node, DPC_FORWARD, at);
        last = node;
        if (status == DPC_OK)
            status = scan(s);
    }
    look l = *defaults;
    l.name = l.label = 0;
    if (status == DPC_OK)
        status = parse_attributes(s, &l);
    set_marks(b, first, mark_of(&l, joined == ARROW));
    if (status == DPC_OK && joined == END)
        status = take_name(s, last, DPC_NAME_NAME, l.name);
    if (status == DPC_OK && joined == END)
        status = take_name(s, last, DPC_NAME_LABEL, l.label);
    return status;
}

/* node [ … ], edge [ … ] or graph [ … ]; the word is the first. */
static dpc_status parse_defaults(scanner *s, look *defaults)
{
    bool edge = is_word(s, "edge");
    dpc_status status = scan(s);
    if (status == DPC_OK && !is_sign(s, '['))
        return refuse_word(s, "[ after node, edge or graph");
    return status == DPC_OK ? parse_attributes(s, edge ? defaults : NULL) : status;
}

/* Is the word followed by = ? */
static bool before_equals(const scanner *s)
{
    const char *p = s->next, *q = over_space(s->b->text, &p);
    return q != NULL && *q == '=';
}

static dpc_status parse_statement(scanner *s, look *defaults)
{
    if (is_sign(s, '{') || is_word(s, "subgraph"))
        return dpc_build_refuse(s->b, s->at, "subgraphs cannot be read; write the edges out");
    if (!is_name(s))
        return refuse_word(s, "a node, an edge or }");
    if (is_word(s, "node") || is_word(s, "edge") || is_word(s, "graph"))
        return parse_defaults(s, defaults);
    return before_equals(s) ? parse_attribute(s, NULL) : parse_chain(s, defaults);
}

/* Up to the first word behind the { of the graph. */
static dpc_status parse_head(scanner *s)
{
    dpc_status status = scan(s);
    if (status == DPC_OK && is_word(s, "strict"))
        status = scan(s);
    if (status == DPC_OK && !is_word(s, "graph") && !is_word(s, "digraph"))
        return refuse_word(s, "graph or digraph");
    if (status == DPC_OK)
        status = scan(s);
    if (status == DPC_OK && is_name(s))
        status = scan(s);
    if (status == DPC_OK && !is_sign(s, '{'))
        return refuse_word(s, "{");
    return status == DPC_OK ? scan(s) : status;
}

static dpc_status parse(scanner *s)
{
    look defaults = {.dir = DIR_UNSET};
    dpc_status status = parse_head(s);
    while (status == DPC_OK && !is_sign(s, '}')) {
        status = parse_statement(s, &defaults);
        while (status == DPC_OK && is_sign(s, ';'))
            status = scan(s);
    }
    if (status == DPC_OK)
        status = scan(s);
    if (status == DPC_OK && s->kind != END)
        return refuse_word(s, "the end of the file");
    if (status == DPC_OK)
        status = dpc_ids_finish(&s->ids, false, true);
    return status == DPC_OK ? dpc_build_sort(s->b, DPC_TWICE_REFUSED) : status;
}

dpc_status dpc_parse_dot(dpc_builder *b)
{
    scanner s = {.b = b, .ids = {.b = b}, .next = b->text};
    s.text = dpc_alloc((int64_t)strlen(b->text) + 1, 1);
    dpc_status status = s.text != NULL ? parse(&s) : dpc_build_no_memory(b);
    dpc_ids_clear(&s.ids);
    free(s.text);
    return status;
}
