/*
 * What a cell says: see number.h.
 *
 * Fast route (Clinger 1990): a mantissa m ≤ 2^53 and a power 10^e with e ≤ 22 are both exact as
 * doubles, so that m × 10^e or m / 10^e is rounded once, correctly: the result of strtod. The rest
 * is left to strtod_l itself.
 */
#include "number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    MAX_POWER = 22,        /* 10^22 is the last exact one */
    MAX_DIGITS = 19,       /* as many decimal digits always fit into 64 bits */
    HUGE_EXPONENT = 100000 /* as good as any larger one */
};

static const double POWERS[MAX_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* isdigit and tolower ask the locale. */
static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The exponent at `p`, from its letter on; NULL where there is none. */
static const char *scan_exponent(const char *p, int *exponent)
{
    if (*p != 'e' && *p != 'E')
        return NULL;
    p++;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if (!is_digit(*p))
        return NULL;
    int e = 0;
    for (; is_digit(*p); p++)
        if (e < HUGE_EXPONENT)
            e = 10 * e + (*p - '0');
    *exponent = negative ? -e : e;
    return p;
}

const char *dpc_number_scan(const char *p, locale_t c_locale, double *value)
{
    const char *start = p;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    const char *digits = p;
    uint64_t mantissa = 0; /* may wrap; then there are too many digits for it to be used */
    for (; is_digit(*p); p++)
        mantissa = 10 * mantissa + (uint64_t)(*p - '0');
    ptrdiff_t n_digits = p - digits, n_decimals = 0;
    if (*p == '.') {
        const char *decimals = ++p;
        for (; is_digit(*p); p++)
            mantissa = 10 * mantissa + (uint64_t)(*p - '0');
        n_decimals = p - decimals;
        n_digits += n_decimals;
    }
    if (n_digits == 0)
        return NULL;
    int exponent = 0;
    const char *after = scan_exponent(p, &exponent);
    const char *end = after != NULL ? after : p;

    if (FLT_EVAL_METHOD == 0 && n_digits <= MAX_DIGITS && mantissa <= UINT64_C(1) << 53) {
        double m = negative ? -(double)mantissa : (double)mantissa;
        int power = exponent - (int)n_decimals;
        if (power >= -MAX_POWER && power <= MAX_POWER) {
            *value = power < 0 ? m / POWERS[-power] : m * POWERS[power];
            return end;
        }
    }
    *value = strtod_l(start, NULL, c_locale);
    return end;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    size_t i = 0;
    while (i < length && word[i] != '\0' && lower(text[i]) == word[i])
        i++;
    return i == length && word[i] == '\0';
}

static bool is_one_of(const char *text, size_t length, const char *const *words)
{
    for (; *words != NULL; words++)
        if (is_word(text, length, *words))
            return true;
    return false;
}

dpc_kind dpc_number_classify(const char *text, size_t length, locale_t c_locale, double *value)
{
    static const char *const missing[] = {"na", "n/a", "null", "nan", NULL};
    static const char *const signed_missing[] = {"nan", NULL}; /* printf writes -nan */
    static const char *const infinite[] = {"inf", "infinity", NULL};

    if (length > 0 && dpc_number_scan(text, c_locale, value) == text + length)
        return isinf(*value) ? DPC_KIND_INFINITE : DPC_KIND_NUMBER;
    *value = NAN;
    if (length == 0 || is_one_of(text, length, missing))
        return DPC_KIND_MISSING;
    bool has_sign = *text == '-' || *text == '+';
    const char *word = text + has_sign;
    length -= has_sign;
    if (is_one_of(word, length, signed_missing))
        return DPC_KIND_MISSING;
    if (!is_one_of(word, length, infinite))
        return DPC_KIND_TEXT;
    *value = *text == '-' ? -INFINITY : INFINITY;
    return DPC_KIND_INFINITE;
}
