/* A table as text, which the reader makes the same table of, bit by bit; packed or not. */
#include "write.h"

#include "alloc.h"
#include "number.h"
#include "place.h"
#include "platform.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

/* ---- Which format ---- */

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && strncasecmp(text + length - n, end, n) == 0;
}

dpc_status dpc_table_format_of_path(const char *path, int *out, dpc_error *err)
{
    size_t length = strlen(path);
    int packed = ends_with(path, length, ".gz") ? DPC_TABLE_GZIP : 0;
    if (packed)
        length -= strlen(".gz");
    bool tsv = ends_with(path, length, ".tsv");
    if (!tsv && !ends_with(path, length, ".csv") && !dpc_is_device(path))
        return dpc_fail(err, DPC_USAGE,
                        "'%s' does not say how to write the data; use .csv or .tsv, or either "
                        "with .gz after it",
                        path);
    *out = packed | (tsv ? DPC_TABLE_TSV : DPC_TABLE_CSV);
    return DPC_OK;
}

/* ---- Rows ---- */

static int print_value(double value, char *text)
{
    if (isfinite(value))
        return dpc_number_print(value, text);
    strcpy(text, isnan(value) ? "NA" : value < 0 ? "-Inf" : "Inf");
    return (int)strlen(text);
}

/* The name of the level in a cell; NULL: it is a number, or missing. */
static const char *level_at(const dpc_levels_table *w, int column, double value)
{
    const char *const *names = w->levels != NULL ? w->levels[column] : NULL;
    return names != NULL && isfinite(value) ? names[(int)value] : NULL;
}

static dpc_status print_rows(FILE *file, const dpc_levels_table *written, char delimiter,
                             dpc_error *err)
{
    const dpc_table *table = written->table;
    int n = table->n_vars;
    const dpc_cells cells = dpc_table_cells(table);
    char *row = dpc_alloc(n, DPC_NUMBER_SIZE); /* a number, and the delimiter in place of its NUL */
    if (row == NULL)
        return dpc_fail_memory(err, "a row of the data");
    for (int j = 0; j < n; j++) {
        dpc_print_field(file, table->names[j]);
        putc(j + 1 < n ? delimiter : '\n', file);
    }
    for (int64_t i = 0; i < table->n_obs && !ferror(file); i++) {
        char *at = row;
        for (int j = 0; j < n; j++) {
            double value = dpc_value_at(&cells, i, j);
            const char *level = level_at(written, j, value);
            if (level != NULL) { /* its name may be long: what came before it goes first */
                fwrite(row, 1, (size_t)(at - row), file);
                at = row;
                dpc_print_field(file, level);
            } else
                at += print_value(value, at);
            *at++ = j + 1 < n ? delimiter : '\n';
        }
        fwrite(row, 1, (size_t)(at - row), file);
    }
    free(row);
    return DPC_OK;
}

/* ---- Packed ---- */

typedef struct packer {
    FILE *to;
    z_stream z;
    unsigned char out[1 << 14];
} packer;

static bool pack(packer *p, const char *bytes, size_t size, int flush)
{
    p->z.next_in = (unsigned char *)(uintptr_t)bytes; /* zlib does not write there */
    p->z.avail_in = (unsigned)size;
    do {
        p->z.next_out = p->out;
        p->z.avail_out = sizeof p->out;
        deflate(&p->z, flush);
        fwrite(p->out, 1, sizeof p->out - p->z.avail_out, p->to);
    } while (p->z.avail_out == 0);
    return !ferror(p->to);
}

static ssize_t packer_write(void *cookie, const char *bytes, size_t size)
{
    return pack(cookie, bytes, size, Z_NO_FLUSH) ? (ssize_t)size : 0;
}

/* The header has neither a time nor a name, so that the same table gives the same bytes. */
static dpc_status print_packed(FILE *file, const dpc_levels_table *table, char delimiter,
                               dpc_error *err)
{
    enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };
    dpc_status status = DPC_OK;
    packer *p = dpc_zalloc(1, sizeof *p);
    if (p == NULL || deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                                  MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(p);
        return dpc_fail_memory(err, "a packed output");
    }
    p->to = file;
    FILE *packed = dpc_stream_new(p, packer_write, NULL);
    if (packed == NULL) {
        status = dpc_fail_memory(err, "a packed output");
    } else {
        status = print_rows(packed, table, delimiter, err);
        fclose(packed); /* what it says is what ferror(file) says */
        pack(p, "", 0, Z_FINISH);
    }
    deflateEnd(&p->z);
    free(p);
    return status;
}

dpc_status dpc_print_levels_table(FILE *file, const dpc_printing *output, dpc_error *err)
{
    char delimiter = output->format & DPC_TABLE_TSV ? '\t' : ',';
    return output->format & DPC_TABLE_GZIP ? print_packed(file, output->what, delimiter, err)
                                           : print_rows(file, output->what, delimiter, err);
}

dpc_status dpc_print_table(FILE *file, const dpc_printing *output, dpc_error *err)
{
    const dpc_levels_table numbers = {.table = output->what};
    dpc_printing same = *output;
    same.what = &numbers;
    return dpc_print_levels_table(file, &same, err);
}
