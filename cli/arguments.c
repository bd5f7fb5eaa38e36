/*
 * What can be typed after a command: read, refused and explained from its tables, so that the help
 * cannot lie.
 */
#include "cli.h"
#include "status.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* ---- Reading ---- */

enum {
    MAX_OPTIONS = 96, /* more than learn has */
    FIRST_CODE = 256, /* what getopt_long calls the first row; below it are letters */
};

/*
 * --quiet and --threads are taken by every command. Where they mean nothing they are no options of
 * its own, and do nothing.
 */
typedef struct common {
    bool quiet;
    int threads;
} common;

static const dpc_option_row COMMON[] = {
    {{.name = "quiet", .kind = DPC_OPTION_FLAG}, DPC_PLACE(BOOL, common, quiet)},
    {{"threads", DPC_OPTION_COUNT, "T", .word = "all", .range = DPC_THREADS_RANGE},
     DPC_PLACE(INT, common, threads)},
};

static bool has_option(const command *c, const char *name)
{
    for (int g = 0; g < c->n_groups; g++)
        if (dpc_option_find(c->groups[g].rows, c->groups[g].count, name) != NULL)
            return true;
    return false;
}

/* The command with what all of them take. */
static command with_common(const command *c, common *into)
{
    command all = *c;
    for (size_t i = 0; i < sizeof COMMON / sizeof *COMMON; i++)
        if (!has_option(c, COMMON[i].told.name))
            all.groups[all.n_groups++] = (option_group){&COMMON[i], 1, into, 0};
    return all;
}

/* The row of a code or of a letter; the group that it is in remembers that it was given. */
static const dpc_option_row *row_of(command *c, int code, void **into)
{
    int here = FIRST_CODE;
    for (int g = 0; g < c->n_groups; g++)
        for (int i = 0; i < c->groups[g].count; i++, here++)
            if (code == here || code == c->groups[g].rows[i].letter) {
                c->groups[g].given |= UINT64_C(1) << i;
                *into = c->groups[g].into;
                return &c->groups[g].rows[i];
            }
    return NULL; /* getopt_long knows no others */
}

/* Is the text a word of this option, which may also stand alone? */
static bool is_own_word(const dpc_option_row *row, const char *text)
{
    for (int i = 0; text != NULL && row->told.words[i] != NULL; i++)
        if (strcmp(row->told.words[i], text) == 0)
            return true;
    return false;
}

static int argument_of(const dpc_option_row *row)
{
    return row->told.kind == DPC_OPTION_FLAG ? no_argument
           : row->alone != NULL              ? optional_argument
                                             : required_argument;
}

/* The tables of a command as getopt_long wants them; letters are added to `letters`. */
static void list_options(const command *c, struct option *out, char *letters)
{
    int code = FIRST_CODE;
    strcpy(letters, c->version ? ":hV" : ":h");
    for (int g = 0; g < c->n_groups; g++)
        for (int i = 0; i < c->groups[g].count; i++, code++) {
            const dpc_option_row *row = &c->groups[g].rows[i];
            bool flag = row->told.kind == DPC_OPTION_FLAG;
            *out++ = (struct option){row->told.name, argument_of(row), NULL, code};
            if (row->letter != 0)
                strcat(letters, (char[]){row->letter, flag ? '\0' : ':', '\0'});
        }
    *out++ = (struct option){"help", no_argument, NULL, 'h'};
    if (c->version)
        *out++ = (struct option){"version", no_argument, NULL, 'V'};
    *out = (struct option){0};
}

/* What getopt did not like: a letter, or a long word. */
static parsed refuse(bool lacks_value, char **argv, dpc_error *err)
{
    char letter[3] = {'-', (char)optopt, '\0'};
    const char *word = argv[optind - 1];
    const char *what = optopt > 0 && optopt < 256 && strncmp(word, "--", 2) != 0 ? letter : word;
    dpc_fail(err, DPC_USAGE,
             lacks_value ? "option '%s' needs a value"
                         : "unknown or ambiguous option '%s'; see --help",
             what);
    return PARSED_WRONG;
}

/* The text of the option that getopt_long has just seen; a word behind it may be its own. */
static const char *text_of(const dpc_option_row *row, int argc, char **argv)
{
    if (row->told.kind == DPC_OPTION_FLAG)
        return "yes";
    if (row->alone == NULL || optarg != NULL)
        return optarg;
    return optind < argc && is_own_word(row, argv[optind]) ? argv[optind++] : row->alone;
}

static parsed parse_all(int argc, char **argv, command *c, dpc_error *err)
{
    struct option options[MAX_OPTIONS];
    char letters[2 * MAX_OPTIONS];
    int code;
    list_options(c, options, letters);
    opterr = 0;
    optind = 1;
    while ((code = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        if (code == 'h')
            return PARSED_HELP;
        if (code == 'V')
            return PARSED_VERSION;
        if (code == ':' || code == '?')
            return refuse(code == ':', argv, err);
        void *into = NULL;
        const dpc_option_row *row = row_of(c, code, &into);
        if (dpc_option_take(row, "--", text_of(row, argc, argv), into, err) != DPC_OK)
            return PARSED_WRONG;
    }
    return PARSED_RUN;
}

parsed parse_options(int argc, char **argv, command *c, dpc_error *err)
{
    common ignored = {0};
    command all = with_common(c, &ignored);
    parsed seen = parse_all(argc, argv, &all, err);
    for (int g = 0; g < c->n_groups; g++)
        c->groups[g].given = all.groups[g].given;
    return seen;
}

/* How many arguments the option at *at takes, itself included; 0: the command has none such. */
static int length_of_option(char **at, command *c, const struct option *options,
                            const char *letters)
{
    const char *word = at[0];
    void *into;
    if (word[1] != '-') {
        const char *letter = strchr(letters + 1, word[1]);
        return letter == NULL ? 0 : letter[1] == ':' && word[2] == '\0' ? 2 : 1;
    }
    const struct option *found = NULL;
    size_t length = strcspn(word + 2, "=");
    for (; options->name != NULL; options++)
        if (strncmp(options->name, word + 2, length) == 0) {
            found = options; /* a beginning of its name will do */
            if (strlen(options->name) == length)
                break;
        }
    if (found != NULL && found->has_arg == optional_argument && word[2 + length] != '=')
        return is_own_word(row_of(c, found->val, &into), at[1]) ? 2 : 1;
    return found == NULL ? 0 : found->has_arg == no_argument || word[2 + length] == '=' ? 1 : 2;
}

int first_operand(int argc, char **argv, const command *c)
{
    struct option options[MAX_OPTIONS];
    char letters[2 * MAX_OPTIONS];
    command all = with_common(c, NULL);
    list_options(&all, options, letters);
    int i = 1;
    while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
        int length =
            strcmp(argv[i], "--") != 0 ? length_of_option(argv + i, &all, options, letters) : 0;
        if (length == 0)
            return 0;
        i += length;
    }
    return i < argc ? i : 0;
}

bool was_given(const command *c, const char *name)
{
    for (int g = 0; g < c->n_groups; g++) {
        const option_group *group = &c->groups[g];
        const dpc_option_row *row = dpc_option_find(group->rows, group->count, name);
        if (row != NULL)
            return (group->given >> (row - group->rows) & 1) != 0;
    }
    return false;
}

/* ---- Help ---- */

enum {
    LEFT_MOST = 33, /* columns for names and values; what needs more juts out */
    LINE = 88,
    TEXT_SIZE = 400,
};

/* The name and what its value may be: --test z|t. */
static int print_left(const dpc_option_row *row, char out[TEXT_SIZE])
{
    char words[TEXT_SIZE] = "";
    if (row->told.value != NULL)
        snprintf(words, sizeof words, "%s", row->told.value);
    else if (row->told.words != NULL)
        dpc_join_words(row->told.words, "|", words, sizeof words);
    char letter[] = {'-', row->letter, ',', ' ', '\0'};
    bool may_lack = row->alone != NULL;
    return snprintf(out, TEXT_SIZE, "  %s--%s%s%s%s", row->letter != 0 ? letter : "",
                    row->told.name,
                    *words == '\0' ? ""
                    : may_lack     ? " ["
                                   : " ",
                    words, may_lack ? "]" : "");
}

/* What it is about, its default, and the choices that are not at its name. */
static void print_right(const dpc_option_row *row, const void *defaults, char out[TEXT_SIZE])
{
    char initial[DPC_OPTION_SIZE] = "";
    if (row->told.kind != DPC_OPTION_FLAG)
        dpc_option_print(row, defaults, initial);
    const char *shown = row->absent != NULL ? row->absent : initial;
    int used = snprintf(out, TEXT_SIZE, "%s%s%s%s", row->told.sentence, *shown != '\0' ? " [" : "",
                        shown, *shown != '\0' ? "]" : "");
    if (row->told.words == NULL || row->told.value == NULL)
        return;
    const char *between = "; or ";
    for (int i = 0; row->told.words[i] != NULL; i++)
        if (strcmp(row->told.words[i], initial) != 0) {
            used += snprintf(out + used, (size_t)(TEXT_SIZE - used), "%s%s", between,
                             row->told.words[i]);
            between = ", ";
        }
}

/* Words from column `at` on, in lines that begin at `column`. */
static void print_wrapped(FILE *file, const char *text, int at, int column)
{
    const char *between = "";
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        bool full = at + (int)strlen(between) + length > LINE;
        if (full)
            fprintf(file, "\n%*s%.*s", column, "", length, text);
        else
            fprintf(file, "%s%.*s", between, length, text);
        at = length + (full ? column : at + (int)strlen(between));
        between = " ";
        text += length;
        text += strspn(text, " ");
    }
    putc('\n', file);
}

void print_help(FILE *file, const command *c)
{
    char left[TEXT_SIZE], right[TEXT_SIZE];
    int width = 0;
    for (int g = 0; g < c->n_groups; g++)
        for (int i = 0; i < c->groups[g].count; i++) {
            int length = print_left(&c->groups[g].rows[i], left);
            width = length > width && length <= LEFT_MOST ? length : width;
        }
    fprintf(file, "%s\n", c->head);
    for (int g = 0; g < c->n_groups; g++)
        for (int i = 0; i < c->groups[g].count; i++) {
            int length = print_left(&c->groups[g].rows[i], left);
            int gap = length < width ? width - length + 2 : 2;
            print_right(&c->groups[g].rows[i], c->groups[g].into, right);
            fprintf(file, "%s%*s", left, gap, "");
            print_wrapped(file, right, length + gap, width + 2);
        }
    fprintf(file, "  --help%s\n%s", c->version ? ", --version" : "", c->tail);
}

/* ---- What there is to say where nothing is to be run ---- */

bool is_closed_pipe(dpc_status code)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return code == DPC_WRITE_FAILED && poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

int finish_stdout(void)
{
    bool failed = ferror(stdout); /* while it was written, a buffer ago */
    if (fflush(stdout) == 0 && !failed)
        return DPC_OK;
    int why = errno;
    if (is_closed_pipe(DPC_WRITE_FAILED))
        return DPC_WRITE_FAILED;
    errno = why;
    fprintf(stderr, "dualpc: cannot write standard output: %s\n", strerror(errno));
    return DPC_WRITE_FAILED;
}

int answer(parsed seen, const command *defaults, const dpc_error *err)
{
    if (seen == PARSED_WRONG) {
        fprintf(stderr, "dualpc: %s\n", err->message);
        return err->code;
    }
    if (seen == PARSED_HELP)
        print_help(stdout, defaults);
    else
        puts("dualpc " DPC_VERSION);
    return finish_stdout();
}
