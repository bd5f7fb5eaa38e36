/* JSON, strictly: see json_scan.h. */
#include "json_scan.h"

#include "text.h"

#include <stdint.h>
#include <string.h>

/* ---- Characters ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

const char *dpc_json_space(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

/* The four hexadecimal digits at `p`; -1: there are not four. */
static int32_t hex4(const char *p)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit = is_digit(c)            ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = 16 * value + digit;
    }
    return value;
}

/* The code of the escape \u… at `p`, a pair of surrogates included; -1: it is none. */
static int32_t unicode_escape(const char *p, const char **end)
{
    int32_t high = hex4(p + 2);
    *end = p + 6;
    if (high < 0xd800 || high > 0xdfff)
        return high;
    if (high > 0xdbff || p[6] != '\\' || p[7] != 'u')
        return -1;
    int32_t low = hex4(p + 8);
    *end = p + 12;
    return low < 0xdc00 || low > 0xdfff ? -1 : 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static int encode(int32_t code, char out[4])
{
    int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = length - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[length] | code);
    return length;
}

/* The next character of a checked string, escaped or not; returns its length and moves on. */
static int next_character(const char **p, char out[4])
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *at = *p;
    if (*at != '\\') {
        int length = dpc_utf8_length(at, 4);
        memcpy(out, at, (size_t)length);
        *p = at + length;
        return length;
    }
    if (at[1] == 'u')
        return encode(unicode_escape(at, p), out);
    out[0] = to[strchr(from, at[1]) - from];
    *p = at + 2;
    return 1;
}

/* ---- Checking ---- */

/* What is wrong, and where. */
typedef struct fault {
    const char *what, *at;
} fault;

static const char *refuse(fault *f, const char *at, const char *what)
{
    *f = (fault){what, at};
    return NULL;
}

/* Each of these returns the byte behind what it checks, or NULL. */

static const char *check_escape(const char *p, fault *f)
{
    const char *end = p + 2;
    if (p[1] == '\0' || strchr("\"\\/bfnrtu", p[1]) == NULL)
        return refuse(f, p, "an unknown escape in a string");
    if (p[1] == 'u' && unicode_escape(p, &end) < 0)
        return refuse(f, p, "a wrong \\u escape in a string");
    return end;
}

static const char *check_string(const char *open, fault *f)
{
    const char *p = open + 1;
    while (p != NULL && *p != '"') {
        int length = dpc_utf8_length(p, 4);
        if (*p == '\0')
            return refuse(f, open, "a string that is never closed");
        if ((unsigned char)*p < 0x20)
            return refuse(f, p, "a control character in a string");
        if (length == 0)
            return refuse(f, p, "a string that is not UTF-8");
        p = *p == '\\' ? check_escape(p, f) : p + length;
    }
    return p != NULL ? p + 1 : NULL;
}

static const char *over_digits(const char *p)
{
    while (is_digit(*p))
        p++;
    return p;
}

static const char *check_number(const char *p, fault *f)
{
    const char *digits = p + (*p == '-'), *end = over_digits(digits);
    bool fine = end > digits && (*digits != '0' || end == digits + 1);
    if (*end == '.') {
        digits = end + 1;
        end = over_digits(digits);
        fine = fine && end > digits;
    }
    if (*end == 'e' || *end == 'E') {
        digits = end + 1;
        digits += *digits == '+' || *digits == '-';
        end = over_digits(digits);
        fine = fine && end > digits;
    }
    return fine ? end : refuse(f, p, "a wrong number");
}

static const char *check_value(const char *p, int depth, fault *f);

/* The array or object at `p`. */
static const char *check_parts(const char *p, int depth, fault *f)
{
    bool object = *p == '{';
    char close = object ? '}' : ']';
    if (depth == DPC_JSON_DEPTH)
        return refuse(f, p, "values nested too deeply");
    p = dpc_json_space(p + 1);
    if (*p == close)
        return p + 1;
    for (;;) {
        if (object) {
            if (*p != '"')
                return refuse(f, p, "no key in quotes where one must be");
            p = check_string(p, f);
            p = p != NULL ? dpc_json_space(p) : NULL;
            if (p != NULL && *p != ':')
                return refuse(f, p, "no colon after a key");
            p = p != NULL ? p + 1 : NULL;
        }
        p = p != NULL ? check_value(p, depth + 1, f) : NULL;
        if (p == NULL)
            return NULL;
        p = dpc_json_space(p);
        if (*p == close)
            return p + 1;
        if (*p != ',')
            return refuse(
                f, p, object ? "no comma or } after a member" : "no comma or ] after an element");
        p = dpc_json_space(p + 1);
    }
}

static const char *check_value(const char *p, int depth, fault *f)
{
    static const char *const words[] = {"true", "false", "null"};
    p = dpc_json_space(p);
    if (*p == '{' || *p == '[')
        return check_parts(p, depth, f);
    if (*p == '"')
        return check_string(p, f);
    if (*p == '-' || is_digit(*p))
        return check_number(p, f);
    for (int i = 0; i < 3; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            return p + strlen(words[i]);
    return refuse(f, p,
                  *p == '\0' ? "the end of the file where a value must be"
                             : "something that is no value");
}

const char *dpc_json_check(const char *text, const char **at)
{
    fault f = {0};
    const char *end = check_value(text, 0, &f);
    if (end != NULL && *dpc_json_space(end) != '\0')
        refuse(&f, dpc_json_space(end), "something after the end of the value");
    *at = f.at;
    return f.what;
}

/* ---- Walking over what has been checked ---- */

static const char *skip_string(const char *p)
{
    for (p++; *p != '"'; p++)
        p += *p == '\\';
    return p + 1;
}

const char *dpc_json_skip(const char *p)
{
    int64_t depth = 0;
    do {
        p = dpc_json_space(p);
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        if (strchr("{}[],:", *p) != NULL)
            p++;
        else
            p += strcspn(p, "{}[],: \t\n\r");
    } while (depth > 0);
    return p;
}

const char *dpc_json_first(const char *p)
{
    p = dpc_json_space(p + 1);
    return *p == ']' || *p == '}' ? NULL : p;
}

const char *dpc_json_next(const char *p)
{
    p = dpc_json_space(dpc_json_skip(p));
    if (*p == ':') /* it was a key */
        p = dpc_json_space(dpc_json_skip(p + 1));
    return *p == ',' ? dpc_json_space(p + 1) : NULL;
}

const char *dpc_json_member(const char *key)
{
    return dpc_json_space(dpc_json_space(dpc_json_skip(key)) + 1);
}

bool dpc_json_is(const char *p, const char *word)
{
    if (*p++ != '"')
        return false;
    while (*p != '"') {
        char bytes[4];
        size_t length = (size_t)next_character(&p, bytes);
        if (strncmp(word, bytes, length) != 0 || bytes[0] == '\0')
            return false;
        word += length;
    }
    return *word == '\0';
}

size_t dpc_json_string(const char *p, char *out)
{
    size_t length = 0;
    for (p++; *p != '"';)
        length += (size_t)next_character(&p, out + length);
    out[length] = '\0';
    return length;
}
