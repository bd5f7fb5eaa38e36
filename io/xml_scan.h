/*
 * As much XML as GraphML needs, from a text that ends with a NUL: tags, their attributes and the
 * text between them. Comments, processing instructions and a document type are skipped; the prefix
 * of a namespace is left out of names. What a program writes is read; that a text is well-formed in
 * every respect is not asked.
 */
#ifndef DPC_XML_SCAN_H
#define DPC_XML_SCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum dpc_xml_kind {
    DPC_XML_END,   /* of the text */
    DPC_XML_OPEN,  /* <a …> */
    DPC_XML_EMPTY, /* <a …/> */
    DPC_XML_CLOSE, /* </a> */
    DPC_XML_TEXT,  /* up to the next tag; white space included */
    DPC_XML_CDATA, /* the same, with no characters by name or number in it */
    DPC_XML_FAULT, /* a tag, comment or value that is never closed */
} dpc_xml_kind;

typedef struct dpc_xml {
    const char *next; /* behind the part; begin with the text */
    dpc_xml_kind kind;
    const char *at;          /* the part */
    const char *name;        /* of a tag */
    size_t length;           /* of the name */
    const char *begin, *end; /* of the text, or of the attributes of a tag */
} dpc_xml;

/* Moves on to the next part. */
void dpc_xml_next(dpc_xml *x);

/* Is the tag called so? */
bool dpc_xml_is(const dpc_xml *x, const char *name);

/* The value of an attribute of a tag, as it stands between its quotes; false: it has none. */
bool dpc_xml_attribute(const dpc_xml *x, const char *name, const char **begin, const char **end);

#define DPC_XML_WRONG ((size_t)-1)

/*
 * The text from `begin` to `end` with its &amp; &#960; &#x3c0; … resolved, and a NUL behind it,
 * into `out`, which has room for all of it; returns its length. What is no such reference stays. A
 * number that no character has is DPC_XML_WRONG.
 */
size_t dpc_xml_decode(const char *begin, const char *end, char *out);

#endif
