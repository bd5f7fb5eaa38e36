/* Foreign text in our own sentences: see text.h. */
#include "text.h"

#include <string.h>

int dpc_utf8_length(const char *text, size_t left)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    int length = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    if (length == 0 || (size_t)length > left)
        return 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool too_long = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xed && s[1] >= 0xa0;
    bool too_large = s[0] == 0xf4 && s[1] >= 0x90;
    return too_long || surrogate || too_large ? 0 : length;
}

bool dpc_is_control(const char *text, int length)
{
    const unsigned char *s = (const unsigned char *)text;
    if (length == 1)
        return s[0] < 0x20 || s[0] == 0x7f;
    if (length == 2)
        return s[0] == 0xc2 && s[1] < 0xa0;
    /* U+2028 and U+2029 break lines too */
    return length == 3 && s[0] == 0xe2 && s[1] == 0x80 && (s[2] == 0xa8 || s[2] == 0xa9);
}

void dpc_clip(const char *text, size_t length, bool doubled, char out[DPC_CLIP_SIZE])
{
    size_t used = 0, i = 0;
    while (i < length) {
        int step = dpc_utf8_length(text + i, length - i);
        bool printable = step > 0 && !dpc_is_control(text + i, step);
        size_t needed = printable ? (size_t)step : 1;
        if (used + needed > DPC_CLIP_BYTES)
            break;
        if (printable)
            memcpy(out + used, text + i, needed);
        else
            out[used] = '?';
        used += needed;
        bool pair = doubled && text[i] == '"' && i + 1 < length && text[i + 1] == '"';
        i += pair ? 2 : step > 0 ? (size_t)step : 1;
    }
    strcpy(out + used, i < length ? "…" : "");
}

const char *dpc_clip_name(const char *name, char out[DPC_CLIP_SIZE])
{
    dpc_clip(name, strlen(name), false, out);
    return out;
}

/* ---- Similar names ---- */

enum { LONGEST = 200 }; /* bytes of a name for which a similar one is looked for */

/* tolower asks the locale. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* How many bytes must be put in, taken out or changed; capitals are as good as small letters. */
static int distance(const char *a, size_t la, const char *b, size_t lb)
{
    int row[LONGEST + 1];
    for (size_t j = 0; j <= lb; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int corner = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            int changed = corner + !same;
            corner = row[j];
            row[j] = smaller(changed, smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[lb];
}

const char *dpc_similar(const char *const *names, int count, const char *text, size_t length)
{
    const char *best = NULL;
    int least = (int)(length / 3 > 1 ? length / 3 : 1) + 1; /* this far is too far */
    for (int i = 0; i < count && length <= LONGEST; i++) {
        size_t other = strlen(names[i]);
        int far = other <= LONGEST ? distance(text, length, names[i], other) : LONGEST;
        if (far < least && far < (int)length) {
            least = far;
            best = names[i];
        }
    }
    return best;
}

void dpc_print_json_string(FILE *file, const char *text)
{
    putc('"', file);
    for (size_t left = strlen(text); left > 0;) {
        int length = dpc_utf8_length(text, left);
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if (length == 0 || (unsigned char)*text < 0x20)
            fprintf(file, "\\u%04x", (unsigned char)*text);
        else
            fwrite(text, 1, (size_t)length, file);
        text += length > 0 ? length : 1;
        left -= length > 0 ? (size_t)length : 1;
    }
    putc('"', file);
}
