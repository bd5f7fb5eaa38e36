/*
 * Which columns --explain A,B means. A name may hold commas itself: the text is cut at that comma
 * which leaves a name on both sides. An unknown name is told, with a similar one where there is
 * one.
 */
#include "cli.h"
#include "error.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 200 }; /* bytes of a name for which a similar one is looked for */

/* The column with the name at `text`, `length` bytes of it; -1: there is none. */
static int find_column(const dpc_table *table, const char *text, size_t length)
{
    for (int i = 0; i < dpc_table_n_vars(table); i++)
        if (strlen(dpc_table_names(table)[i]) == length &&
            memcmp(dpc_table_names(table)[i], text, length) == 0)
            return i;
    return -1;
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
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            int changed = corner + !same;
            corner = row[j];
            row[j] = smaller(changed, smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[lb];
}

/* A name that the user may have meant; NULL: none is near. */
static const char *similar(const dpc_table *table, const char *text, size_t length)
{
    const char *best = NULL;
    int least = (int)(length / 3 > 1 ? length / 3 : 1) + 1; /* this far is too far */
    for (int i = 0; i < dpc_table_n_vars(table) && length <= LONGEST; i++) {
        size_t other = strlen(dpc_table_names(table)[i]);
        int far =
            other <= LONGEST ? distance(text, length, dpc_table_names(table)[i], other) : LONGEST;
        if (far < least && far < (int)length) {
            least = far;
            best = dpc_table_names(table)[i];
        }
    }
    return best;
}

/* The name that is not known, of the reading with most that are. */
static dpc_status tell_unknown(const options *o, const dpc_table *table, const char *text,
                               dpc_error *err)
{
    const char *unknown = NULL;
    size_t length = 0;
    bool half = false;
    for (const char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        bool left = find_column(table, text, (size_t)(comma - text)) >= 0;
        bool right = find_column(table, comma + 1, strlen(comma + 1)) >= 0;
        if (unknown != NULL && (half || (!left && !right)))
            continue;
        half = left || right;
        unknown = left ? comma + 1 : text;
        length = left ? strlen(comma + 1) : (size_t)(comma - text);
    }
    const char *meant = similar(table, unknown, length);
    return dpc_fail(err, DPC_USAGE, "--explain %.60s: %.200s has no column '%.*s'%s%.60s%s", text,
                    source_name(o), (int)(length < 60 ? length : 60), unknown,
                    meant != NULL ? "; is '" : "", meant != NULL ? meant : "",
                    meant != NULL ? "' meant?" : "");
}

static dpc_status find_pair(const options *o, const dpc_table *table, const char *text, pair *out,
                            dpc_error *err)
{
    const char *cut = NULL;
    for (const char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        int a = find_column(table, text, (size_t)(comma - text));
        int b = find_column(table, comma + 1, strlen(comma + 1));
        if (a < 0 || b < 0)
            continue;
        if (cut != NULL)
            return dpc_fail(err, DPC_USAGE,
                            "--explain %.60s can be read in two ways, '%.60s' with '%.60s' and "
                            "'%.60s' with '%.60s'; rename a column",
                            text, dpc_table_names(table)[out->a], dpc_table_names(table)[out->b],
                            dpc_table_names(table)[a], dpc_table_names(table)[b]);
        cut = comma;
        *out = (pair){a, b};
    }
    if (cut == NULL)
        return tell_unknown(o, table, text, err);
    if (out->a == out->b)
        return dpc_fail(err, DPC_USAGE,
                        "--explain %.60s: a column has no edge with itself; name two", text);
    return DPC_OK;
}

dpc_status find_pairs(const options *o, const dpc_table *table, pair *out, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int i = 0; i < o->n_explain && status == DPC_OK; i++)
        status = find_pair(o, table, o->explain[i], &out[i], err);
    return status;
}
