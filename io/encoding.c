/* Texts that are no UTF-8, and files that are no tables: see encoding.h. */
#include "encoding.h"

#include "alloc.h"
#include "csv.h"

#include <stdint.h>
#include <string.h>

bool dpc_is_utf8(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        int step = dpc_utf8_length(text + i, length - i);
        if (step == 0)
            return false;
        i += (size_t)step;
    }
    return true;
}

static char *put(uint32_t code, char *to)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

char *dpc_from_windows(const char *text, size_t length, char *to)
{
    /* 0x80 to 0x9f; what has no meaning there stays what it is in Latin-1 */
    static const uint16_t OTHERS[32] = {
        0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
        0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        to = put(c >= 0x80 && c < 0xa0 ? OTHERS[c - 0x80] : c, to);
    }
    *to++ = '\0';
    return to;
}

/* ---- UTF-16 ---- */

static bool has_mark(const char *bytes, size_t size, bool *high_first)
{
    *high_first = size >= 2 && memcmp(bytes, "\xfe\xff", 2) == 0;
    return *high_first || (size >= 2 && memcmp(bytes, "\xff\xfe", 2) == 0);
}

/* Without a mark: every second byte of the first ones is 0, and no other is. */
static bool has_zeros(const char *bytes, size_t size, bool *high_first)
{
    enum { LOOK = 16 };
    if (size < LOOK)
        return false;
    *high_first = bytes[0] == '\0';
    for (int i = 0; i < LOOK; i++)
        if ((bytes[i] == '\0') != ((i % 2 == 0) == *high_first))
            return false;
    return true;
}

bool dpc_is_utf16(const char *bytes, size_t size)
{
    bool high_first;
    return has_mark(bytes, size, &high_first) || has_zeros(bytes, size, &high_first);
}

static uint32_t unit_at(const char *bytes, bool high_first)
{
    unsigned char first = (unsigned char)bytes[0], second = (unsigned char)bytes[1];
    return high_first ? (uint32_t)first << 8 | second : (uint32_t)second << 8 | first;
}

dpc_status dpc_from_utf16(const char *bytes, size_t size, char **text, size_t *length)
{
    enum { UNKNOWN = 0xfffd };
    bool high_first;
    size_t at = has_mark(bytes, size, &high_first) ? 2 : 0;
    if (at == 0)
        has_zeros(bytes, size, &high_first);
    char *to = dpc_alloc((int64_t)(size / 2 * 3 + 1), 1), *next = to;
    if (to == NULL)
        return DPC_NO_MEMORY;
    for (; at + 1 < size; at += 2) {
        uint32_t code = unit_at(bytes + at, high_first);
        if (code >= 0xd800 && code < 0xdc00 && at + 3 < size) {
            uint32_t low = unit_at(bytes + at + 2, high_first);
            if (low >= 0xdc00 && low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                at += 2;
            }
        }
        next = put(code >= 0xd800 && code < 0xe000 ? UNKNOWN : code, next);
    }
    *next = '\0';
    *text = to;
    *length = (size_t)(next - to);
    return DPC_OK;
}

/* ---- What is no table ---- */

static bool begins_with(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && dpc_same_word(text, word, length);
}

static const char *over_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        p++;
    return p;
}

/* Weka's ARFF begins with comments, which have %, and then @relation. */
static bool is_arff(const char *p, const char *end)
{
    p = over_blanks(p, end);
    while (p < end && *p == '%') {
        const char *line_end = memchr(p, '\n', (size_t)(end - p));
        p = over_blanks(line_end != NULL ? line_end : end, end);
    }
    return begins_with(p, end, "@relation");
}

/* An object or a list of JSON; a table may have a name that begins with a brace. */
static bool is_json(const char *p, const char *end)
{
    p = over_blanks(p, end);
    if (p >= end || (*p != '{' && *p != '['))
        return false;
    bool list = *p == '[';
    p = over_blanks(p + 1, end);
    return p < end &&
           (list ? *p == '{' || *p == '[' : *p == '"' && memchr(p, ':', (size_t)(end - p)));
}

/* A name of a column may be the same: only what is no text otherwise is meant. */
static bool is_magic(const char *bytes, size_t size, const char *magic, size_t length)
{
    bool printable = true;
    for (size_t i = 0; i < length; i++)
        printable = printable && magic[i] >= ' ' && magic[i] <= '~';
    return size >= length && memcmp(bytes, magic, length) == 0 &&
           (!printable || memchr(bytes, '\0', size) != NULL);
}

const char *dpc_foreign_format(const char *bytes, size_t size)
{
    static const struct {
        const char *magic;
        size_t length;
        const char *told;
    } KINDS[] = {
        {"PK\x03\x04", 4,
         "a zip archive or a spreadsheet (.xlsx, .ods); unpack it, or save the "
         "sheet as CSV"},
        {"\xfd"
         "7zXZ",
         5, "packed by xz; unpack it (xz -d), or pack it with gzip"},
        {"BZh", 3, "packed by bzip2; unpack it (bunzip2), or pack it with gzip"},
        {"\x28\xb5\x2f\xfd", 4, "packed by zstd; unpack it (zstd -d), or pack it with gzip"},
        {"7z\xbc\xaf", 4, "a 7z archive; unpack it"},
        {"Rar!", 4, "a rar archive; unpack it"},
        {"\xd0\xcf\x11\xe0", 4, "an old Excel or Office file; save the sheet as CSV"},
        {"RDX", 3, "an R data file; write it with write.csv in R"},
        {"RDA", 3, "an R data file; write it with write.csv in R"},
        {"X\n\0\0", 4, "an R data file; write it with write.csv in R"},
        {"$FL2", 4, "an SPSS file (.sav); save it as CSV"},
        {"$FL3", 4, "an SPSS file (.zsav); save it as CSV"},
        {"<stata_dta>", 11, "a Stata file (.dta); save it as CSV"},
        {"MATLAB 5", 8, "a MATLAB file (.mat); save it as CSV"},
        {"\x89HDF", 4, "an HDF5 file; save the table as CSV"},
        {"\x93NUMPY", 6, "a NumPy file (.npy); save it with numpy.savetxt"},
        {"PAR1", 4, "a Parquet file; save it as CSV"},
        {"ARROW1", 6, "an Arrow file; save it as CSV"},
        {"%PDF", 4, "a PDF; save its table as CSV"},
    };
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (is_magic(bytes, size, KINDS[i].magic, KINDS[i].length))
            return KINDS[i].told;
    const char *end = bytes + size, *p = over_blanks(bytes, end);
    if (begins_with(p, end, "<!doctype html") || begins_with(p, end, "<html"))
        return "a web page, not the data that it is about; download the file itself";
    if (begins_with(p, end, "<?xml"))
        return "XML; save the table as CSV";
    if (is_arff(bytes, end))
        return "ARFF; save it as CSV";
    return is_json(bytes, end) ? "JSON; save the table as CSV" : NULL;
}
