/*
 * The table reader. The first byte of an input says how to read (bits 0-1 missing, 2 no header, 3
 * transposed, 4 with word lists), the second one how the bytes come (bit 0 gzip, 1 UTF-16, 2 a
 * matrix is allowed to be seen, 3 two threads). With word lists, three lines follow: the words for
 * missing cells, the columns to keep, those to drop; an empty line is no list.
 *
 * What was read has names of its own, values where there are to be some, and comes back bit by bit
 * when it is written as CSV. With or without an audit, and with any number of threads, the answer
 * is the same.
 */
#include "fuzz.h"
#include "output.h"
#include "table.h"
#include "write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEARNED = 8 }; /* columns: what is learned from, to see that it can be */

typedef struct wish {
    dpc_read_options options;
    dpc_settings settings;
    bool gzip, utf16, told;
    char lines[4][FUZZ_LINE];
    const char *lists[4];
} wish;

static void take_wish(fuzz_bytes *in, wish *w)
{
    uint8_t how = fuzz_byte(in), what = fuzz_byte(in);
    *w = (wish){.gzip = what & 1, .utf16 = (what & 2) != 0, .told = (what & 4) != 0};
    w->options = (dpc_read_options){.size = sizeof w->options,
                                    .missing = (dpc_missing)(how & 3),
                                    .no_header = (how & 4) != 0,
                                    .transpose = (how & 8) != 0};
    dpc_settings_default(&w->settings);
    w->settings.threads = what & 8 ? 2 : 1;
    if ((how & 32) != 0) { /* types, unless it is the path of a file */
        fuzz_line(in, w->lines[3]);
        w->lists[3] = w->lines[3];
        w->options.types = &w->lists[3];
        w->options.n_types = strchr(w->lines[3], '=') != NULL;
        w->options.max_levels = how >> 6;
        w->options.merge_rare = what >> 6;
    }
    if ((how & 16) == 0)
        return;
    for (int i = 0; i < 3; i++) {
        fuzz_line(in, w->lines[i]);
        w->lists[i] = w->lines[i];
    }
    w->options.na = &w->lists[0];
    w->options.keep = &w->lists[1];
    w->options.drop = &w->lists[2];
    w->options.n_na = *w->lines[0] != '\0';
    w->options.n_keep = *w->lines[1] != '\0';
    w->options.n_drop = *w->lines[2] != '\0';
}

static void check_table(const dpc_table *table, const wish *w)
{
    MUST(table->n_vars > 0 && table->n_obs >= 0, "%d × %lld", table->n_vars,
         (long long)table->n_obs);
    for (int j = 0; j < table->n_vars; j++)
        MUST(table->names[j] != NULL && table->names[j][0] != '\0', "column %d has no name", j);
    bool missing = false;
    for (int64_t i = 0; i < table->n_obs * table->n_vars; i++) {
        MUST(!isinf(table->values[i]), "an infinite value");
        missing = missing || isnan(table->values[i]);
    }
    MUST(!missing || w->options.missing >= DPC_MISSING_PAIRWISE, "a missing value was kept");
}

/* NaN is NaN. */
static void check_same(const dpc_table *a, const dpc_table *b, const char *words)
{
    MUST(a->n_vars == b->n_vars && a->n_obs == b->n_obs, "%s: %d × %lld, not %d × %lld", words,
         b->n_vars, (long long)b->n_obs, a->n_vars, (long long)a->n_obs);
    for (int j = 0; j < a->n_vars; j++)
        MUST(strcmp(a->names[j], b->names[j]) == 0, "%s: '%s', not '%s'", words, b->names[j],
             a->names[j]);
    for (int64_t i = 0; i < a->n_obs * a->n_vars; i++)
        MUST(memcmp(&a->values[i], &b->values[i], sizeof(double)) == 0 ||
                 (isnan(a->values[i]) && isnan(b->values[i])),
             "%s: cell %lld is %.17g, not %.17g", words, (long long)i, b->values[i], a->values[i]);
}

/* Written and read again. */
static void check_return(const dpc_table *table, dpc_missing missing)
{
    char *text = NULL;
    size_t length = 0;
    dpc_error err = {0};
    dpc_table *again = NULL;
    dpc_printing output = {.print = dpc_print_table, .what = table, .format = DPC_TABLE_CSV};
    MUST(dpc_printing_string(&output, NULL, &text, &length, &err) == DPC_OK, "%s", err.message);
    MUST(dpc_table_read(fuzz_file(text, length), missing, NULL, NULL, &again, &err) == DPC_OK,
         "what was written cannot be read: %s\n%s", err.message, text);
    check_same(table, again, "written and read again");
    free(text);
    dpc_table_free(again);
}

/* Whatever can be read can be learned from, or is refused with a sentence. */
static void check_learning(const dpc_table *table, const dpc_settings *given)
{
    dpc_settings settings = *given;
    dpc_result *result = NULL;
    dpc_error err = {0};
    if (table->n_vars > MOST_LEARNED)
        return;
    settings.normalize = table->n_obs % 2 != 0 ? DPC_NORMALIZE_COPULA : DPC_NORMALIZE_NONE;
    fuzz_check_error(dpc_learn_table(table, &settings, NULL, &result, &err), &err);
    dpc_result_free(result);
}

static void read_once(const wish *w, const void *bytes, size_t size)
{
    dpc_table *table = NULL, *again = NULL;
    dpc_audit audit = {0};
    dpc_error err = {0}, second = {0};
    int64_t samples = 0, *told = w->told ? &samples : NULL;
    const char *path = fuzz_file(bytes, size);
    fuzz_watch_memory();
    dpc_status status = dpc_data_read(path, &w->options, &w->settings, &audit, &table, told, &err);
    fuzz_check_memory();
    fuzz_check_error(status, &err);
    MUST((status == DPC_OK) == (table != NULL), "status %d and a table", (int)status);
    MUST(status != DPC_OK || audit.errors == 0, "a table in spite of errors");
    dpc_status without = dpc_data_read(path, &w->options, NULL, NULL, &again, told, &second);
    MUST(status == without && strcmp(err.message, second.message) == 0, "%s: without an audit %s",
         err.message, second.message);
    if (status == DPC_OK) {
        check_table(table, w);
        check_same(table, again, "read again");
        if (samples == 0 && table->n_obs > 0) {
            check_return(table, w->options.missing);
            check_learning(table, &w->settings);
        }
    }
    dpc_table_free(table);
    dpc_table_free(again);
    dpc_audit_clear(&audit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    wish w;
    take_wish(&in, &w);
    size_t length = in.left, packed;
    void *wide = w.utf16 ? fuzz_utf16(in.at, in.left, &length) : NULL;
    const void *text = wide != NULL ? wide : in.at;
    void *zip = w.gzip ? fuzz_gzip(text, length, &packed) : NULL;
    read_once(&w, zip != NULL ? zip : text, zip != NULL ? packed : length);
    free(wide);
    free(zip);
    return 0;
}
