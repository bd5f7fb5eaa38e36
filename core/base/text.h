/*
 * Our own sentences, and foreign text in them: is it UTF-8, and how is it quoted safely and
 * briefly.
 */
#ifndef DPC_TEXT_H
#define DPC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a noun ends with behind that number. */
static inline const char *dpc_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* The length in bytes of the UTF-8 character at `text`, which has `left` > 0 bytes; 0: none. */
int dpc_utf8_length(const char *text, size_t left);

/* Is the character of that length at `text` a control character, line breaks included? */
bool dpc_is_control(const char *text, int length);

enum { DPC_CLIP_BYTES = 40, DPC_CLIP_SIZE = DPC_CLIP_BYTES + 4 };

/*
 * `text` for a message: at most DPC_CLIP_BYTES of it, then "…", with '?' for what cannot be
 * printed. Where `doubled`, two quotes in a row stand for one.
 */
void dpc_clip(const char *text, size_t length, bool doubled, char out[DPC_CLIP_SIZE]);

/* The same for a name that ends with a NUL; returns `out`. */
const char *dpc_clip_name(const char *name, char out[DPC_CLIP_SIZE]);

/* The name that is most like the text, as mistyped ones are; NULL: none is near. */
const char *dpc_similar(const char *const *names, int count, const char *text, size_t length);

/* As a JSON string, in quotes; bytes that are no UTF-8 become the characters of their numbers. */
void dpc_print_json_string(FILE *file, const char *text);

#endif
