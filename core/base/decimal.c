/*
 * Numbers with a point in any locale: see decimal.h. strtod and printf use the sign that the locale
 * has in its place; what that is shows when a half is printed. To ask so needs no locale object and
 * no lock, and cannot fail.
 */
#include "decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_SIZE = 8, COPY_SIZE = 512 };

/* What stands between the 0 and the 5 of 0.5. */
static void find_point(char point[POINT_SIZE])
{
    char half[POINT_SIZE + 2];
    int length = snprintf(half, sizeof half, "%.1f", 0.5);
    length = length > 2 && length < (int)sizeof half ? length - 2 : 0;
    memcpy(point, half + 1, (size_t)length);
    point[length] = '\0';
}

/* `text` with its first `from` replaced by `to`; false: there is no room. */
static bool replace(const char *text, const char *from, const char *to, char *out, size_t size)
{
    const char *at = strstr(text, from);
    size_t before = at != NULL ? (size_t)(at - text) : strlen(text);
    const char *after = at != NULL ? at + strlen(from) : "";
    int length = snprintf(out, size, "%.*s%s%s", (int)before, text, at != NULL ? to : "", after);
    return length >= 0 && (size_t)length < size;
}

bool dpc_decimal_read(const char *text, double *out)
{
    char point[POINT_SIZE], copy[COPY_SIZE];
    find_point(point);
    if (strcmp(point, ".") != 0) {
        if (strstr(text, point) != NULL || !replace(text, ".", point, copy, sizeof copy))
            return false;
        text = copy;
    }
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        return false;
    *out = value;
    return true;
}

void dpc_decimal_print(double value, char text[DPC_DECIMAL_SIZE])
{
    char point[POINT_SIZE], raw[DPC_DECIMAL_SIZE];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(raw, sizeof raw, "%.*g", digits, value);
        if (strtod(raw, NULL) == value)
            break;
    }
    find_point(point);
    replace(raw, point, ".", text, DPC_DECIMAL_SIZE);
}
