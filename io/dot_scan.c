/* The words of Graphviz's language and of DAGitty's: see dot_scan.h. */
#include "dot_scan.h"

#include "text.h"

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

/*
 * The length of the word of letters, digits and _, or the number such as -.5, at `p`; 0: none.
 * DAGitty's words may begin with a digit, and hold points.
 */
static size_t bare_length(const char *p, bool dagitty)
{
    static const char digits[] = "0123456789";
    size_t length = 0, sign = *p == '-';
    if (dagitty && (!sign || is_digit(p[1]) || p[1] == '.')) {
        length = sign;
        while (in_bare_name(p[length]) || p[length] == '.')
            length++;
        return length;
    }
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

static dpc_status scan_quoted(dpc_dot *s)
{
    const char *p = s->at + 1;
    s->length = 0;
    for (; *p != '"'; p++) {
        if (*p == '\0')
            return dpc_build_refuse(s->b, s->at, "a quote opens here that is never closed");
        if (p[0] == '\\' && (p[1] == '"' || (p[1] == '\\' && !s->dagitty))) {
            p++;
        } else if (p[0] == '\\' && (p[1] == '\n' || p[1] == '\r')) {
            p += p[1] == '\r' && p[2] == '\n' ? 2 : 1;
            continue;
        }
        s->text[s->length++] = *p;
    }
    s->text[s->length] = '\0';
    s->kind = DPC_DOT_QUOTED;
    s->next = p + 1;
    return DPC_OK;
}

/* Is the word an arrow? */
static bool scan_arrow(dpc_dot *s)
{
    static const struct {
        const char *sign;
        dpc_mark mark;
    } ARROWS[] = {
        /* the longer ones first; the last two are also those of DOT */
        {"<->", DPC_BIDIRECTED}, {"@->", DPC_CIRCLE_ARROW}, {"<-@", DPC_ARROW_CIRCLE},
        {"@-@", DPC_CIRCLES},    {"@--", DPC_CIRCLE_TAIL},  {"--@", DPC_TAIL_CIRCLE},
        {"<-", DPC_BACKWARD},    {"->", DPC_FORWARD},       {"--", DPC_UNDIRECTED},
    };
    for (int i = s->dagitty ? 0 : 7; i < 9; i++)
        if (strncmp(s->at, ARROWS[i].sign, strlen(ARROWS[i].sign)) == 0) {
            s->arrow = ARROWS[i].mark;
            s->next = s->at + strlen(ARROWS[i].sign);
            return true;
        }
    return false;
}

dpc_status dpc_dot_refuse(dpc_dot *s, const char *wanted)
{
    char clipped[DPC_CLIP_SIZE];
    if (s->kind == DPC_DOT_END)
        return dpc_build_refuse(s->b, s->at, "the file ends where %s must be", wanted);
    dpc_clip(s->at, (size_t)(s->next - s->at), false, clipped);
    return dpc_build_refuse(s->b, s->at, "'%s' where %s must be", clipped, wanted);
}

/* Moves on to the next word. */
dpc_status dpc_dot_scan(dpc_dot *s)
{
    const char *p = over_space(s->b->text, &s->next);
    if (p == NULL)
        return dpc_build_refuse(s->b, s->next, "a comment opens here that is never closed");
    s->at = p;
    s->next = p + 1;
    s->length = bare_length(p, s->dagitty);
    if (*p == '\0') {
        s->kind = DPC_DOT_END;
        s->next = p;
    } else if (*p == '"') {
        return scan_quoted(s);
    } else if (scan_arrow(s)) {
        s->kind = DPC_DOT_ARROW;
    } else if (s->length > 0) {
        s->kind = DPC_DOT_NAME;
        memcpy(s->text, p, s->length);
        s->text[s->length] = '\0';
        s->next = p + s->length;
        if (in_bare_name(*s->next)) /* Graphviz would take 1a as two names */
            return dpc_build_refuse(s->b, p, "a name that begins with a digit needs quotes");
    } else if (strchr("{}[];,=", *p) != NULL) {
        s->kind = DPC_DOT_SIGN;
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

dpc_dot dpc_dot_start(dpc_builder *b, bool dagitty)
{
    return (dpc_dot){.b = b, .dagitty = dagitty, .next = b->text, .text = b->room};
}

bool dpc_dot_before_equals(const dpc_dot *s)
{
    const char *p = s->next, *q = over_space(s->b->text, &p);
    return q != NULL && *q == '=';
}

/* ---- The frame ---- */

dpc_status dpc_dot_head(dpc_dot *s, const char *const *types, const char *wanted)
{
    DPC_CHECK(dpc_dot_scan(s));
    if (dpc_dot_is_word(s, "strict"))
        DPC_CHECK(dpc_dot_scan(s));
    while (*types != NULL && !dpc_dot_is_word(s, *types))
        types++;
    if (*types == NULL)
        return dpc_dot_refuse(s, wanted);
    DPC_CHECK(dpc_dot_scan(s));
    if (dpc_dot_is_name(s))
        DPC_CHECK(dpc_dot_scan(s));
    return dpc_dot_is_sign(s, '{') ? dpc_dot_scan(s) : dpc_dot_refuse(s, "{");
}

dpc_status dpc_dot_tail(dpc_dot *s)
{
    DPC_CHECK(dpc_dot_scan(s));
    return s->kind == DPC_DOT_END ? DPC_OK : dpc_dot_refuse(s, "the end of the file");
}

/* ---- Attributes ---- */

dpc_status dpc_dot_attribute(dpc_dot *s, dpc_dot_take *take, void *into)
{
    char name[16] = ""; /* a longer one is none that matters */
    if (s->length < sizeof name)
        memcpy(name, s->text, s->length + 1);
    DPC_CHECK(dpc_dot_scan(s));
    if (!dpc_dot_is_sign(s, '='))
        return DPC_OK;
    DPC_CHECK(dpc_dot_scan(s));
    if (!dpc_dot_is_name(s))
        return dpc_dot_refuse(s, "the value of an attribute");
    if (take != NULL)
        DPC_CHECK(take(s, name, into));
    return dpc_dot_scan(s);
}

dpc_status dpc_dot_attributes(dpc_dot *s, dpc_dot_take *take, void *into)
{
    while (dpc_dot_is_sign(s, '[')) {
        DPC_CHECK(dpc_dot_scan(s));
        while (!dpc_dot_is_sign(s, ']')) {
            DPC_CHECK(dpc_dot_is_name(s) ? dpc_dot_attribute(s, take, into)
                                         : dpc_dot_refuse(s, "an attribute or ]"));
            if (dpc_dot_is_sign(s, ',') || dpc_dot_is_sign(s, ';'))
                DPC_CHECK(dpc_dot_scan(s));
        }
        DPC_CHECK(dpc_dot_scan(s));
    }
    return DPC_OK;
}
