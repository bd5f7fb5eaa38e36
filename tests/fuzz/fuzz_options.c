/*
 * The parser of the command line. The first byte of an input chooses the command, in the order of
 * COMMANDS from '@' on; the words after it are its lines.
 *
 * Words are taken, or refused with a sentence; of learn also what goes together is checked, as
 * before a run. Nothing is run, and no file is opened.
 */
#include "cli.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 40, ROOM = 1 << 12 };

static command (*const COMMANDS[])(void) = {
    NULL, /* learn */
    simulate_table, compare_table, convert_table, view_table,
    study_table,    effects_table, adjust_table,  separate_table,
};
enum { N_COMMANDS = sizeof COMMANDS / sizeof *COMMANDS };

/*
 * Lists of options that may be repeated. The tables of the other commands read into a piece of
 * memory here, and nobody but this function knows where in it the lists are. (Those of how to read
 * the data are appended in their own file, where the linker does not come between.)
 */
enum { MOST_LISTS = 16 };
static const char ***lists[MOST_LISTS];
static int n_lists;

dpc_status __real_append_text(const char ***list, int *count, const char *text, dpc_error *err);
dpc_status __wrap_append_text(const char ***list, int *count, const char *text, dpc_error *err);

dpc_status __wrap_append_text(const char ***list, int *count, const char *text, dpc_error *err)
{
    int i = 0;
    while (i < n_lists && lists[i] != list)
        i++;
    MUST(i < MOST_LISTS, "more lists than there are");
    lists[i] = list;
    n_lists = i == n_lists ? i + 1 : n_lists;
    return __real_append_text(list, count, text, err);
}

static void check_answer(parsed seen, const dpc_error *err)
{
    MUST(seen <= PARSED_WRONG, "answer %d", (int)seen);
    MUST(seen != PARSED_WRONG || err->code == DPC_USAGE, "code %d", (int)err->code);
    MUST(seen != PARSED_WRONG || err->message[0] != '\0', "an error without a sentence");
}

static void parse_learn(int count, char **words)
{
    options o;
    dpc_error err = {0};
    parsed seen = options_parse(count, words, &o, &err);
    check_answer(seen, &err);
    MUST(seen != PARSED_RUN || o.data != NULL, "there is nothing to learn from");
    MUST(seen != PARSED_RUN || dpc_settings_check(&o.settings, &err) == DPC_OK, "%s", err.message);
    options_free(&o);
}

static void parse_other(command c, int count, char **words)
{
    static _Alignas(16) char memory[4][ROOM];
    dpc_error err = {0};
    memset(memory, 0, sizeof memory);
    for (int g = 0; g < c.n_groups; g++)
        c.groups[g].into = memory[g];
    n_lists = 0;
    int first = first_operand(count, words, &c);
    MUST(first >= 0 && first < (count > 1 ? count : 2), "operand %d of %d", first, count);
    check_answer(parse_options(count, words, &c, &err), &err);
    for (int i = 0; i < n_lists; i++)
        free(*lists[i]);
    for (int g = 0; g < c.n_groups; g++)
        if (c.groups[g].rows == reading_group(NULL).rows)
            reading_free((reading *)memory[g]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    int which = (uint8_t)(fuzz_byte(&in) - '@') % N_COMMANDS, count = 1;
    char lines[MOST_WORDS][FUZZ_LINE] = {"command"}, *words[MOST_WORDS + 1] = {lines[0]};
    while (in.left > 0 && count < MOST_WORDS) {
        fuzz_line(&in, lines[count]);
        words[count] = lines[count];
        count++;
    }
    if (which == 0)
        parse_learn(count, words);
    else
        parse_other(COMMANDS[which](), count, words);
    return 0;
}
