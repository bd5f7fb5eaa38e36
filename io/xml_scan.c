/* As much XML as GraphML needs: see xml_scan.h. */
#include "xml_scan.h"

#include "text.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* ---- Characters ---- */

static size_t encode(unsigned long code, char *out)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[length] | code);
    return length;
}

/* The code of the digits from `p` to `end`; 0: there are none, or there is no such character. */
static unsigned long number(const char *p, const char *end, unsigned base)
{
    static const char digits[] = "0123456789abcdef";
    unsigned long code = 0;
    for (; p < end; p++) {
        char c = *p >= 'A' && *p <= 'F' ? (char)(*p - 'A' + 'a') : *p;
        const char *digit = c != '\0' ? strchr(digits, c) : NULL;
        if (digit == NULL || digit - digits >= (int)base || code > 0x10ffff)
            return 0;
        code = base * code + (unsigned long)(digit - digits);
    }
    return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : code;
}

static const unsigned long NO_REFERENCE = ~0ul;

/* The character that the reference from & to ; stands for; 0: a wrong number; or NO_REFERENCE. */
static unsigned long reference(const char *p, const char *semicolon)
{
    static const struct {
        const char *name;
        char is;
    } NAMES[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    size_t length = (size_t)(semicolon - p - 1);
    if (length > 1 && p[1] == '#')
        return p[2] == 'x' || p[2] == 'X' ? number(p + 3, semicolon, 16)
                                          : number(p + 2, semicolon, 10);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strlen(NAMES[i].name) == length && memcmp(p + 1, NAMES[i].name, length) == 0)
            return (unsigned char)NAMES[i].is;
    return NO_REFERENCE;
}

size_t dpc_xml_decode(const char *begin, const char *end, char *out)
{
    char *to = out;
    for (const char *p = begin; p < end;) {
        const char *semicolon = *p == '&' ? memchr(p, ';', (size_t)(end - p)) : NULL;
        unsigned long code = semicolon != NULL ? reference(p, semicolon) : NO_REFERENCE;
        if (code == 0)
            return DPC_XML_WRONG;
        if (code == NO_REFERENCE) {
            *to++ = *p++;
        } else {
            to += encode(code, to);
            p = semicolon + 1;
        }
    }
    *to = '\0';
    return (size_t)(to - out);
}

/* ---- Parts ---- */

/* The `>` of the tag at `p`, which may be in the value of an attribute; NULL: none. */
static const char *tag_end(const char *p)
{
    char quote = '\0';
    for (; *p != '\0'; p++) {
        if (quote != '\0')
            quote = *p == quote ? '\0' : quote;
        else if (*p == '"' || *p == '\'')
            quote = *p;
        else if (*p == '>')
            return p;
    }
    return NULL;
}

/* Over a document type, which may have others in brackets. */
static const char *declaration_end(const char *p)
{
    int brackets = 0;
    for (; *p != '\0'; p++) {
        brackets += (*p == '[') - (*p == ']');
        if (*p == '>' && brackets <= 0)
            return p + 1;
    }
    return NULL;
}

/* Behind what is no tag at `p`: a comment, an instruction, a declaration. NULL: never closed. */
static const char *over_other(const char *p)
{
    const char *close;
    if (strncmp(p, "<!--", 4) == 0) {
        close = strstr(p + 4, "-->");
        return close != NULL ? close + 3 : NULL;
    }
    if (p[1] == '?') {
        close = strstr(p, "?>");
        return close != NULL ? close + 2 : NULL;
    }
    return declaration_end(p);
}

static void read_tag(dpc_xml *x, const char *p)
{
    const char *close = tag_end(p);
    x->kind = DPC_XML_FAULT;
    if (close == NULL)
        return;
    x->next = close + 1;
    x->kind = p[1] == '/' ? DPC_XML_CLOSE : close[-1] == '/' ? DPC_XML_EMPTY : DPC_XML_OPEN;
    x->end = close - (x->kind == DPC_XML_EMPTY);
    x->name = p + 1 + (x->kind == DPC_XML_CLOSE);
    const char *end = x->name;
    while (end < x->end && !is_space(*end))
        end++;
    x->begin = end;
    for (const char *q = x->name; q < end; q++)
        if (*q == ':')
            x->name = q + 1;
    x->length = (size_t)(end - x->name);
}

void dpc_xml_next(dpc_xml *x)
{
    for (;;) {
        const char *p = x->at = x->next;
        if (*p == '\0') {
            x->kind = DPC_XML_END;
            return;
        }
        if (strncmp(p, "<![CDATA[", 9) == 0) {
            const char *close = strstr(p, "]]>");
            x->kind = close != NULL ? DPC_XML_CDATA : DPC_XML_FAULT;
            x->begin = p + 9;
            x->end = close;
            x->next = close != NULL ? close + 3 : p;
            return;
        }
        if (*p != '<') {
            x->kind = DPC_XML_TEXT;
            x->begin = p;
            x->end = x->next = p + strcspn(p, "<");
            return;
        }
        if (p[1] != '!' && p[1] != '?') {
            read_tag(x, p);
            return;
        }
        x->next = over_other(p);
        if (x->next == NULL) {
            x->kind = DPC_XML_FAULT;
            x->next = p;
            return;
        }
    }
}

bool dpc_xml_is(const dpc_xml *x, const char *name)
{
    return strlen(name) == x->length && memcmp(x->name, name, x->length) == 0;
}

bool dpc_xml_attribute(const dpc_xml *x, const char *name, const char **begin, const char **end)
{
    for (const char *p = x->begin; p < x->end;) {
        while (p < x->end && is_space(*p))
            p++;
        const char *key = p;
        while (p < x->end && *p != '=' && !is_space(*p))
            p++;
        size_t length = (size_t)(p - key);
        while (p < x->end && (*p == '=' || is_space(*p)))
            p++;
        if (p >= x->end || (*p != '"' && *p != '\''))
            return false;
        const char *close = memchr(p + 1, *p, (size_t)(x->end - p - 1));
        if (close == NULL)
            return false;
        if (length == strlen(name) && memcmp(key, name, length) == 0) {
            *begin = p + 1;
            *end = close;
            return true;
        }
        p = close + 1;
    }
    return false;
}
