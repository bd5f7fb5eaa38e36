/*
 * JSON, strictly (RFC 8259), from a text that ends with a NUL: a cursor that checks values, skips
 * them, walks over their parts and reads strings. Nothing is kept.
 *
 * A text is first checked as a whole with dpc_json_check. After that the other functions cannot
 * meet an error of syntax, and only what the values mean is left to be told by the caller.
 */
#ifndef DPC_JSON_SCAN_H
#define DPC_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* Arrays and objects in each other: more is refused. */
enum { DPC_JSON_DEPTH = 100 };

/*
 * Is the text one value, with nothing after it? NULL: it is. Otherwise what is wrong, and `*at` is
 * where.
 */
const char *dpc_json_check(const char *text, const char **at);

/* Over white space. */
const char *dpc_json_space(const char *p);

/* Over the value at `p`, to the byte behind it. */
const char *dpc_json_skip(const char *p);

/*
 * The parts of the array or object at `p`, in turn:
 *
 *     for (p = dpc_json_first(p); p != NULL; p = dpc_json_next(p))
 *
 * `p` is then at a value, or at the key of a member.
 */
const char *dpc_json_first(const char *p);
const char *dpc_json_next(const char *p);

/* From the key of a member to its value. */
const char *dpc_json_member(const char *key);

/* Is the string at `p` this word? */
bool dpc_json_is(const char *p, const char *word);

/*
 * The string at `p` as UTF-8, with a NUL behind it, into `out`, which has as many bytes as the
 * string in its quotes has; returns its length. An escape may have made a NUL in it, too.
 */
size_t dpc_json_string(const char *p, char *out);

#endif
