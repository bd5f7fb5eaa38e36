/*
 * What the caller says of the kinds of columns: options.types.
 *
 * A list has commas between its entries, name=kind or name=block(a,b,c); commas in parentheses and
 * in double quotes are no ends of entries. A file has one entry a line, with a comma, a tab or an =
 * behind the name; blank lines, lines that begin with # and a header are passed over. The name is
 * what --keep and --drop take: a name, a number, a range or a pattern. Later entries replace
 * earlier ones, so that a pattern can have exceptions.
 */
#include "read.h"
#include "source.h"
#include "status.h"
#include "text.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One entry: its text, and where it comes from. */
typedef struct entry {
    char *name, *kind; /* end with a NUL; parts of one copy */
    const char *file;  /* of types, or, with a list, of the table … */
    int64_t line;      /* … and this is 0 */
} entry;

/* "types.csv, line 3: " before a sentence about an entry of a file, "data.csv: " of a list. */
static const char *where_is(const entry *e, char out[300])
{
    int length = snprintf(out, 300, "%.200s", dpc_source_name(e->file));
    if (e->line > 0)
        length += snprintf(out + length, (size_t)(300 - length), ", line %lld", (long long)e->line);
    snprintf(out + length, (size_t)(300 - length), ": ");
    return out;
}

/* Behind the text that ends at a mark outside of quotes and parentheses, or at the NUL. */
static char *find_mark(char *text, const char *marks)
{
    bool quoted = false;
    int depth = 0;
    for (; *text != '\0'; text++) {
        if (*text == '"')
            quoted = !quoted;
        else if (!quoted && depth == 0 && strchr(marks, *text) != NULL)
            return text;
        else if (!quoted)
            depth += (*text == '(') - (*text == ')' && depth > 0);
    }
    return text;
}

/* Without blanks and one pair of quotes around it; in place. */
static char *strip(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
        length--;
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
        char *to = ++text;
        for (const char *p = text; p < text + length - 2; p++) {
            *to++ = *p;
            p += *p == '"' && p[1] == '"';
        }
        *to = '\0';
        return text;
    }
    text[length] = '\0';
    return text;
}

/* ---- Blocks ---- */

static dpc_status refuse_block(const entry *e, const char *what, const char *name, dpc_error *err)
{
    char where[300], block[DPC_CLIP_SIZE], clipped[DPC_CLIP_SIZE];
    return dpc_fail(err, DPC_USAGE, "%sblock '%s' %s%s%s%s", where_is(e, where),
                    dpc_clip_name(e->name, block), what, name != NULL ? " '" : "",
                    name != NULL ? dpc_clip_name(name, clipped) : "", name != NULL ? "'" : "");
}

/* The columns of an item, each of which may be in one block only. */
static dpc_status add_members(dpc_reader *in, const entry *e, const char *item, bool *marked,
                              dpc_block_entry *block, dpc_error *err)
{
    memset(marked, 0, (size_t)in->n_variables * sizeof *marked);
    if (!dpc_reader_mark(in, item, marked))
        return dpc_reader_refuse_item(in, item, "put into a block", err);
    for (int64_t v = 0; v < in->n_variables; v++) {
        if (!marked[v])
            continue;
        if (in->place[v] < 0)
            return refuse_block(e, "needs a column that is left out:", in->names[v], err);
        if (in->said[v] == DPC_TAKEN_BLOCK)
            return refuse_block(e, "has a column that is in a block already:", in->names[v], err);
        in->said[v] = DPC_TAKEN_BLOCK;
        block->variables[block->count++] = (int32_t)v;
    }
    return DPC_OK;
}

/* Its name may be that of one of its columns, but of no other variable. */
static dpc_status check_name(const dpc_reader *in, const entry *e, const dpc_block_entry *block,
                             dpc_error *err)
{
    for (int b = 0; b < in->n_blocks; b++)
        if (strcmp(in->blocks[b].name, block->name) == 0)
            return refuse_block(e, "is defined twice", NULL, err);
    for (int64_t v = 0; v < in->n_variables; v++) {
        bool member = false;
        for (int i = 0; i < block->count && !member; i++)
            member = block->variables[i] == v;
        if (!member && in->place[v] >= 0 && strcmp(in->names[v], block->name) == 0)
            return refuse_block(e,
                                "has the name of a column that is not in it; choose another "
                                "name",
                                NULL, err);
    }
    return DPC_OK;
}

/* `list` is what stands behind "block(". */
static dpc_status take_block(dpc_reader *in, const entry *e, char *list, dpc_error *err)
{
    char *end = strrchr(list, ')');
    if (end == NULL || *strip(end + 1) != '\0')
        return refuse_block(e, "has no ) at its end, as in block(a,b,c)", NULL, err);
    *end = '\0';
    bool *marked = dpc_arena_alloc(&in->memory, in->n_variables, sizeof *marked);
    dpc_block_entry block = {
        .name = e->name,
        .variables = dpc_arena_alloc(&in->memory, in->n_variables, sizeof(int32_t)),
    };
    if (dpc_arena_failed(&in->memory))
        return DPC_NO_MEMORY;
    if (*e->name == '\0')
        return refuse_block(e, "needs a name, as in pose=block(x,y,z)", NULL, err);
    for (char *p = list, *next; p != NULL; p = next) {
        char *mark = find_mark(p, ",");
        next = *mark != '\0' ? mark + 1 : NULL;
        *mark = '\0';
        char *item = strip(p);
        if (*item != '\0')
            DPC_CHECK(add_members(in, e, item, marked, &block, err));
    }
    if (block.count < 2)
        return refuse_block(e, "needs at least two columns, as in block(a,b,c)", NULL, err);
    DPC_CHECK(check_name(in, e, &block, err));
    in->blocks[in->n_blocks++] = block;
    return DPC_OK;
}

/* ---- Entries ---- */

static dpc_status refuse_kind(const entry *e, dpc_error *err)
{
    char where[300], name[DPC_CLIP_SIZE], kind[DPC_CLIP_SIZE];
    enum { KINDS = 5 };
    const char *meant = dpc_similar(dpc_variable_words, KINDS, e->kind, strlen(e->kind));
    dpc_clip_name(e->name, name);
    dpc_clip_name(e->kind, kind);
    if (meant != NULL && strcmp(meant, "block") != 0)
        return dpc_fail(err, DPC_USAGE,
                        "%sthere is no kind '%s' for column '%s'; did you mean "
                        "'%s'?",
                        where_is(e, where), kind, name, meant);
    return dpc_fail(err, DPC_USAGE,
                    "%sthere is no kind '%s' for column '%s'; the kinds are number, ordered, "
                    "nominal, zero and block(a,b,c)",
                    where_is(e, where), kind, name);
}

/* The words of the kinds but the last, block, are in the order of dpc_taken_as. */
static dpc_taken_as kind_of(const char *word)
{
    for (int i = 0; i < DPC_TAKEN_BLOCK - DPC_TAKEN_NUMBER; i++)
        if (strcasecmp(word, dpc_variable_words[i]) == 0)
            return (dpc_taken_as)(DPC_TAKEN_NUMBER + i);
    return DPC_TAKEN_BY_CELLS;
}

static dpc_status take_entry(dpc_reader *in, const entry *e, dpc_error *err)
{
    static const char BLOCK[] = "block(";
    if (strncasecmp(e->kind, BLOCK, strlen(BLOCK)) == 0)
        return take_block(in, e, e->kind + strlen(BLOCK), err);
    dpc_taken_as kind = kind_of(e->kind);
    if (kind == DPC_TAKEN_BY_CELLS)
        return refuse_kind(e, err);
    bool *marked = dpc_arena_zalloc(&in->memory, in->n_variables, sizeof *marked);
    if (marked == NULL)
        return DPC_NO_MEMORY;
    if (!dpc_reader_mark(in, e->name, marked))
        return dpc_reader_refuse_item(in, e->name, "set the type of", err);
    for (int64_t v = 0; v < in->n_variables; v++)
        if (marked[v] && in->said[v] != DPC_TAKEN_BLOCK)
            in->said[v] = kind;
    return DPC_OK;
}

/* How many entries a text can have at most. */
static int64_t most_entries(const char *text)
{
    int64_t count = 1;
    for (; *text != '\0'; text++)
        count += *text == ',' || *text == '\n';
    return count;
}

static dpc_status need_blocks(dpc_reader *in, const char *text)
{
    dpc_block_entry *more =
        dpc_arena_alloc(&in->memory, in->n_blocks + most_entries(text), sizeof *more);
    if (more == NULL)
        return DPC_NO_MEMORY;
    if (in->n_blocks > 0)
        memcpy(more, in->blocks, (size_t)in->n_blocks * sizeof *more);
    in->blocks = more;
    return DPC_OK;
}

/* ---- Lists and files ---- */

/* The = between name and kind: the last before the parenthesis of a block. */
static char *find_equals(char *item)
{
    char *found = NULL;
    for (char *p = find_mark(item, "="); *p != '\0'; p = find_mark(p + 1, "="))
        found = p;
    return found;
}

static dpc_status take_list(dpc_reader *in, char *list, dpc_error *err)
{
    char clipped[DPC_CLIP_SIZE], where[300];
    for (char *p = list, *next; p != NULL; p = next) {
        char *mark = find_mark(p, ",");
        next = *mark != '\0' ? mark + 1 : NULL;
        *mark = '\0';
        entry e = {.file = in->path};
        char *equals = find_equals(p);
        if (*strip(p) == '\0')
            continue;
        if (equals == NULL)
            return dpc_fail(err, DPC_USAGE, "%s'%s' has no kind; write name=kind, as in %s=nominal",
                            where_is(&e, where), dpc_clip_name(strip(p), clipped), clipped);
        *equals = '\0';
        e.name = strip(p);
        e.kind = strip(equals + 1);
        DPC_CHECK(take_entry(in, &e, err));
    }
    return DPC_OK;
}

static bool is_header(const entry *e)
{
    return e->line == 1 && (strcasecmp(e->kind, "kind") == 0 || strcasecmp(e->kind, "type") == 0);
}

static dpc_status take_lines(dpc_reader *in, const char *path, char *text, dpc_error *err)
{
    int64_t number = 0;
    char clipped[DPC_CLIP_SIZE], where[300];
    for (char *line = text, *next; line != NULL; line = next) {
        size_t length = strcspn(line, "\n");
        next = line[length] != '\0' ? line + length + 1 : NULL;
        line[length] = '\0';
        entry e = {.file = path, .line = ++number};
        char *start = line + strspn(line, " \t\r");
        if (*start == '\0' || *start == '#')
            continue;
        char *mark = find_mark(start, ",\t;");
        mark = *mark != '\0' ? mark : find_equals(start);
        if (mark == NULL)
            return dpc_fail(err, DPC_BAD_INPUT, "%s'%s' has no kind; write name,kind",
                            where_is(&e, where), dpc_clip_name(strip(start), clipped));
        *mark = '\0';
        e.name = strip(start);
        e.kind = strip(mark + 1);
        if (!is_header(&e))
            DPC_CHECK(take_entry(in, &e, err));
    }
    return DPC_OK;
}

/* The entries point into the text, which lives as long as the reader. */
static dpc_status take_text(dpc_reader *in, const char *given, const char *path, dpc_error *err)
{
    size_t size = strlen(given) + 1;
    char *text = dpc_arena_alloc(&in->memory, (int64_t)size, 1);
    if (text == NULL)
        return DPC_NO_MEMORY;
    memcpy(text, given, size);
    DPC_CHECK(need_blocks(in, text));
    return path != NULL ? take_lines(in, path, text, err) : take_list(in, text, err);
}

static dpc_status take_file(dpc_reader *in, const char *path, dpc_error *err)
{
    char *bytes = NULL;
    size_t size;
    DPC_CHECK(dpc_source_read(path, NULL, &bytes, &size, err));
    dpc_status status =
        strlen(bytes) < size
            ? dpc_fail(err, DPC_BAD_INPUT, "%.200s: is no text file", dpc_source_name(path))
            : take_text(in, bytes + (dpc_has_mark(bytes) ? 3 : 0), path, err);
    free(bytes);
    return status;
}

dpc_status dpc_reader_types(dpc_reader *in, dpc_error *err)
{
    if (in->options.n_types == 0)
        return DPC_OK;
    in->said = dpc_arena_zalloc(&in->memory, in->n_variables, sizeof *in->said);
    if (in->said == NULL)
        return DPC_NO_MEMORY;
    for (int i = 0; i < in->options.n_types; i++) {
        const char *text = in->options.types[i];
        DPC_CHECK(strchr(text, '=') != NULL ? take_text(in, text, NULL, err)
                                            : take_file(in, text, err));
    }
    return DPC_OK;
}
