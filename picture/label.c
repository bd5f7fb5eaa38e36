/* Names as labels: see label.h. */
#include "label.h"

#include "alloc.h"
#include "text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The name in UTF-8, without control characters, and cut. Returns the end of `out`. */
static char *clean(const char *name, char *out)
{
    size_t left = strlen(name);
    for (int shown = 0; left > 0; shown++) {
        int length = dpc_utf8_length(name, left);
        if (shown == DPC_LABEL_LONGEST) {
            strcpy(out, "…");
            return out + strlen(out);
        }
        if (length == 0) { /* Latin-1, as everywhere */
            *out++ = (char)(0xc0 | (unsigned char)*name >> 6);
            *out++ = (char)(0x80 | ((unsigned char)*name & 0x3f));
        }
        for (int i = 0; i < length; i++)
            *out++ = (unsigned char)name[i] < 0x20 ? ' ' : name[i];
        name += length > 0 ? length : 1;
        left -= length > 0 ? (size_t)length : 1;
    }
    *out = '\0';
    return out;
}

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* The bytes of the first characters of a text. */
static size_t bytes_of(const char *text, int characters)
{
    size_t size = 0;
    for (; text[size] != '\0'; size++)
        if (begins_character(text[size]) && characters-- == 0)
            break;
    return size;
}

static int characters_of(const char *text, size_t size)
{
    int count = 0;
    for (size_t i = 0; i < size; i++)
        count += begins_character(text[i]);
    return count;
}

/*
 * The bytes of the next piece that stays on one line: a word with the signs behind it, or of a very
 * long one as many characters as each of its parts has. *part is that number, 0 between words.
 */
static size_t next_piece(const char *text, int *part)
{
    static const char ENDS[] = " _.,:;/|-";
    size_t word = strcspn(text, ENDS);
    size_t size = word + strspn(text + word, ENDS);
    int characters = characters_of(text, size);
    if (*part == 0 && characters > DPC_LABEL_WORD) {
        int parts = (characters + DPC_LABEL_LINE - 1) / DPC_LABEL_LINE;
        *part = (characters + parts - 1) / parts;
    }
    if (*part > 0 && characters > *part)
        return bytes_of(text, *part);
    *part = 0;
    return size;
}

/* Without the spaces at its end. */
static size_t trimmed(const char *text, size_t size)
{
    while (size > 0 && text[size - 1] == ' ')
        size--;
    return size;
}

char *dpc_label(const char *name)
{
    int64_t room = 4 * (int64_t)strlen(name) + 8; /* of a byte two, and a line break behind it */
    char *text = dpc_alloc(room, 1), *label = dpc_alloc(room, 1);
    size_t used = 0;
    int column = 0, part = 0;
    if (text != NULL && label != NULL) {
        clean(name, text);
        for (const char *next = text; *next != '\0';) {
            size_t size = next_piece(next, &part);
            int seen = characters_of(next, trimmed(next, size));
            if (column > 0 && column + seen > DPC_LABEL_LINE) {
                used = trimmed(label, used);
                label[used++] = '\n';
                column = 0;
            }
            memcpy(label + used, next, size);
            used += size;
            column += characters_of(next, size);
            next += size;
        }
        label[used] = '\0';
    }
    if (text == NULL) {
        free(label);
        label = NULL;
    }
    free(text);
    return label;
}
