/*
 * What a cell says: see number.h. Three routes to the number that strtod would give:
 *
 *   short     a mantissa m ≤ 2^53 and a power 10^e with |e| ≤ 22 are both exact as doubles, so
 *             that m × 10^e or m / 10^e is rounded once, correctly (Clinger 1990);
 *   long      m < 2^64, |e| ≤ 27: 5^|e| fits into 64 bits, so that the product, or the quotient
 *             with its remainder, is exact in 128 bits, and is rounded to 53 bits by hand;
 *   the rest  is left to strtod_l itself.
 *
 * The way back is the long route again. With value = m 2^e and k decimals wanted, m 5^k is exact in
 * 128 bits, and value × 10^k is that shifted by s = -(e + k) bits to the right. Rounded it is the
 * digits; times 2^s once more it shows by how much they are off, and they read back as the same
 * double where that is less than half the distance to the next one, 5^k / 2.
 */
#include "number.h"

#include "csv.h"
#include "platform.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_POWER = 22,        /* 10^22 is the last exact one */
    MAX_LONG_POWER = 27,   /* 5^27 is the last one below 2^64 */
    MAX_DIGITS = 19,       /* as many decimal digits always fit into 64 bits */
    HUGE_EXPONENT = 100000 /* as good as any larger one */
};

static const double POWERS[MAX_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* clang-format off */
static const uint64_t FIVES[MAX_LONG_POWER + 1] = {
    UINT64_C(1), UINT64_C(5), UINT64_C(25), UINT64_C(125),
    UINT64_C(625), UINT64_C(3125), UINT64_C(15625), UINT64_C(78125),
    UINT64_C(390625), UINT64_C(1953125), UINT64_C(9765625), UINT64_C(48828125),
    UINT64_C(244140625), UINT64_C(1220703125), UINT64_C(6103515625), UINT64_C(30517578125),
    UINT64_C(152587890625), UINT64_C(762939453125), UINT64_C(3814697265625), UINT64_C(19073486328125),
    UINT64_C(95367431640625), UINT64_C(476837158203125), UINT64_C(2384185791015625), UINT64_C(11920928955078125),
    UINT64_C(59604644775390625), UINT64_C(298023223876953125), UINT64_C(1490116119384765625), UINT64_C(7450580596923828125),
};
/* clang-format on */

/* isdigit asks the locale. */
static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* For exponents of normal numbers. */
static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* `bits` × 2^exponent, 2^62 ≤ bits, rounded to even; `more`: there is something below its last bit.
 */
static double round_to_double(uint64_t bits, bool more, int exponent)
{
    int shift = 64 - __builtin_clzll(bits) - 53;
    uint64_t half = UINT64_C(1) << (shift - 1), rest = bits & (2 * half - 1);
    uint64_t kept = bits >> shift;
    if (rest > half || (rest == half && (more || (kept & 1))))
        kept++;
    return (double)kept * power_of_two(exponent + shift);
}

/* m × 10^power, m > 0, |power| ≤ MAX_LONG_POWER, exactly rounded. */
static double long_route(uint64_t m, int power)
{
    uint64_t five = FIVES[power < 0 ? -power : power];
    if (power >= 0) {
        unsigned __int128 product = (unsigned __int128)m * five;
        uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
        if (high == 0) {
            int zeros = __builtin_clzll(low);
            return round_to_double(low << zeros, false, power - zeros);
        }
        int zeros = __builtin_clzll(high); /* 128 bits to the 64 highest */
        uint64_t top = zeros > 0 ? high << zeros | low >> (64 - zeros) : high;
        return round_to_double(top, (low << zeros) != 0, power + 64 - zeros);
    }
    /* Both with their highest bits set, the quotient has 63 or 64 bits. */
    int zeros_m = __builtin_clzll(m), zeros_five = __builtin_clzll(five);
    unsigned __int128 dividend = (unsigned __int128)(m << zeros_m) << 63;
    uint64_t divisor = five << zeros_five;
    uint64_t quotient = (uint64_t)(dividend / divisor);
    bool more = dividend != (unsigned __int128)quotient * divisor;
    return round_to_double(quotient, more, power - zeros_m + zeros_five - 63);
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

    int power = exponent - (int)n_decimals;
    if (FLT_EVAL_METHOD == 0 && n_digits <= MAX_DIGITS) {
        if (mantissa <= UINT64_C(1) << 53 && power >= -MAX_POWER && power <= MAX_POWER) {
            double m = negative ? -(double)mantissa : (double)mantissa;
            *value = power < 0 ? m / POWERS[-power] : m * POWERS[power];
            return end;
        }
        if (mantissa > 0 && power >= -MAX_LONG_POWER && power <= MAX_LONG_POWER) {
            double m = long_route(mantissa, power);
            *value = negative ? -m : m;
            return end;
        }
    }
    *value = dpc_strtod(start, c_locale);
    return end;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && dpc_same_word(text, word, length);
}

dpc_kind dpc_number_classify(const char *text, size_t length, locale_t c_locale, double *value)
{
    dpc_trim(&text, &length);
    if (length > 0 && dpc_number_scan(text, c_locale, value) == text + length)
        return isinf(*value) ? DPC_KIND_INFINITE : DPC_KIND_NUMBER;
    *value = NAN;
    if (length == 0)
        return DPC_KIND_MISSING;
    bool has_sign = *text == '-' || *text == '+';
    const char *word = text + has_sign;
    length -= has_sign;
    if (is_word(word, length, "nan")) /* printf writes -nan */
        return DPC_KIND_MISSING;
    if (!is_word(word, length, "inf") && !is_word(word, length, "infinity"))
        return DPC_KIND_TEXT;
    *value = *text == '-' ? -INFINITY : INFINITY;
    return DPC_KIND_INFINITE;
}

/*
 * The significant digits of a decimal number, without the zeros at both ends; how many, or -1 where
 * there are more than `room`.
 */
static int significant_digits(const char *text, size_t length, char *digits, int room)
{
    int count = 0, zeros = 0;
    for (size_t i = 0; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
        if (!is_digit(text[i]))
            continue;
        if (text[i] == '0') {
            zeros += count > 0;
            continue;
        }
        if (count + zeros + 1 > room)
            return -1;
        for (; zeros > 0; zeros--)
            digits[count++] = '0';
        digits[count++] = text[i];
    }
    return count;
}

bool dpc_number_is_exact(const char *text, size_t length, double value)
{
    /* all that a double can have: the longest has 767 significant digits */
    enum { SURE = DBL_DIG, MOST = 767 };
    char given[MOST], own[MOST], printed[MOST + 16];
    int count = significant_digits(text, length, given, MOST);
    if (count <= SURE && count >= 0)
        return true;
    if (count < 0)
        return false;
    int size = snprintf(printed, sizeof printed, "%.*e", count - 1, value);
    return significant_digits(printed, (size_t)size, own, MOST) == count &&
           memcmp(given, own, (size_t)count) == 0;
}

/* ---- The way back ---- */

enum { LEAST_DIGITS = 15, MOST_DIGITS = 17 };

/* The values whose digits come from 128 bits, with room to spare for the estimate of the power. */
static const double LEAST_FAST = 1e-9, END_FAST = 1e14;

/* A positive number as digits × 10^(power - how many digits + 1). */
typedef struct decimal {
    uint64_t digits;
    int power;  /* of the first digit */
    bool exact; /* it reads back as the same double */
} decimal;

static decimal round_to(uint64_t m, int e, int n_digits, int power)
{
    int k = n_digits - 1 - power, s = -(e + k);
    unsigned __int128 product = (unsigned __int128)m * FIVES[k];
    unsigned __int128 half = (unsigned __int128)1 << (s - 1), mask = 2 * half - 1;
    uint64_t digits = (uint64_t)(product >> s);
    unsigned __int128 left = product & mask;
    bool up = left > half || (left == half && (digits & 1) != 0);
    unsigned __int128 off = up ? mask - left + 1 : left;
    /* the next double below a power of 2 is only half as far away */
    int closer = !up && m == UINT64_C(1) << (DBL_MANT_DIG - 1) ? 4 : 2;
    return (decimal){digits + up, power, closer * off < FIVES[k]};
}

/* `power` is that of the first digit, or one too small. */
static decimal digits_of(uint64_t m, int e, int n_digits, int power)
{
    static const uint64_t TENS[] = {UINT64_C(1000000000000000), UINT64_C(10000000000000000),
                                    UINT64_C(100000000000000000)};
    uint64_t end = TENS[n_digits - LEAST_DIGITS]; /* the first number with a digit more */
    decimal d = round_to(m, e, n_digits, power);
    return d.digits < end ? d : round_to(m, e, n_digits, power + 1);
}

/* As %g does it: with an exponent below 1e-4. */
static int print_decimal(decimal d, char *text)
{
    char digits[24], *at = text;
    int count = 0;
    while (d.digits % 10 == 0)
        d.digits /= 10;
    for (uint64_t rest = d.digits; rest > 0; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    bool exponent = d.power < -4;
    int before = exponent ? 1 : d.power + 1; /* digits before the point */
    if (before <= 0) {
        memcpy(at, "0.0000", 6);
        at += 2 - before;
    }
    for (int i = 0; i < count || i < before; i++) {
        if (i == before && i > 0)
            *at++ = '.';
        *at++ = i < count ? digits[count - 1 - i] : '0';
    }
    if (exponent) {
        memcpy(at, "e-0", 3); /* one digit: see LEAST_FAST */
        at[3] = (char)('0' - d.power);
        at += 4;
    }
    *at = '\0';
    return (int)(at - text);
}

static int print_slowly(double value, char *text)
{
    char digits[DPC_NUMBER_SIZE];
    int length = 0;
    for (int n_digits = LEAST_DIGITS; n_digits <= MOST_DIGITS; n_digits++) {
        length = snprintf(digits, sizeof digits, "%.*g", n_digits, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    memcpy(text, digits, (size_t)length + 1);
    return length;
}

int dpc_number_print(double value, char text[DPC_NUMBER_SIZE])
{
    double size = fabs(value);
    if (!(size >= LEAST_FAST && size < END_FAST))
        return print_slowly(value, text);
    int e, sign = value < 0;
    uint64_t m = (uint64_t)(frexp(size, &e) * 0x1p53);
    int power = (int)floor((e - 1) * 0.30102999566398120); /* log10(2); exact, or one too small */
    e -= DBL_MANT_DIG;
    decimal d = {0};
    for (int n_digits = LEAST_DIGITS; n_digits <= MOST_DIGITS && !d.exact; n_digits++)
        d = digits_of(m, e, n_digits, power);
    text[0] = '-';
    return sign + print_decimal(d, text + sign);
}
