/*
 * Every command of the program with calls of the system failing, the k-th one for every k there is,
 * and all from the k-th on: full disks, broken disks, interrupted calls, calls that do half of what
 * was asked for. Each run ends as if nothing had been, or in its exit code with one sentence and
 * all files as they were.
 */
#include "cli.h"
#include "commands.h"
#include "repeat.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* How a run may end. */
enum { WHOLE = 1, UNREAD = 2, UNWRITTEN = 4, STARVED = 8 };

static const struct {
    system_call call;
    int error;
    int endings;
    const char *what;
} FAULTS[] = {
    {CALL_WRITE, EIO, UNWRITTEN, "write: EIO"},
    {CALL_WRITE, ENOSPC, UNWRITTEN, "write: ENOSPC"},
    {CALL_WRITE, EINTR, WHOLE, "write: EINTR"},
    {CALL_WRITE, HALF, WHOLE, "write: half of it"},
    {CALL_READ, EIO, WHOLE | UNREAD, "read: EIO"},
    {CALL_READ, EINTR, WHOLE, "read: EINTR"},
    {CALL_READ, HALF, WHOLE, "read: half of it"},
    {CALL_OPEN, EMFILE, WHOLE | UNREAD | UNWRITTEN, "open: EMFILE"},
    {CALL_OPEN, EACCES, WHOLE | UNREAD | UNWRITTEN, "open: EACCES"},
    {CALL_OPEN, EINTR, WHOLE, "open: EINTR"},
    {CALL_CLOSE, EIO, WHOLE | UNWRITTEN, "close: EIO"},
    {CALL_CLOSE, EINTR, WHOLE, "close: EINTR"},
    {CALL_SYNC, EIO, UNWRITTEN, "fsync: EIO"},
    {CALL_SYNC, ENOSPC, UNWRITTEN, "fsync: ENOSPC"},
    {CALL_SYNC, EINTR, WHOLE, "fsync: EINTR"},
    {CALL_SYNC, EINVAL, WHOLE, "fsync: EINVAL"},
    {CALL_RENAME, EIO, UNWRITTEN, "rename: EIO"},
    {CALL_RENAME, ENOSPC, UNWRITTEN, "rename: ENOSPC"},
    {CALL_LINK, EPERM, WHOLE, "link: EPERM"},
    {CALL_LINK, EIO, WHOLE, "link: EIO"},
    {CALL_TRUNCATE, EIO, UNWRITTEN, "ftruncate: EIO"},
    {CALL_TRUNCATE, EINTR, WHOLE, "ftruncate: EINTR"},
    {CALL_LOCK, EWOULDBLOCK, WHOLE | UNWRITTEN, "flock: EWOULDBLOCK"},
    {CALL_LOCK, ENOLCK, WHOLE | UNWRITTEN, "flock: ENOLCK"},
    {CALL_POLL, EINTR, WHOLE, "poll: EINTR"},
    {CALL_POLL, EIO, WHOLE, "poll: EIO"},
    {CALL_STAT, EIO, WHOLE | UNREAD | UNWRITTEN, "stat: EIO"},
    {CALL_MKDIR, EACCES, WHOLE | UNWRITTEN, "mkdir: EACCES"},
    {CALL_FORK, EAGAIN, UNWRITTEN, "fork: EAGAIN"},
    {CALL_FORK, ENOMEM, UNWRITTEN | STARVED, "fork: ENOMEM"},
    {CALL_WAIT, EINTR, WHOLE, "waitpid: EINTR"},
    {CALL_PIPE, EMFILE, UNWRITTEN, "socketpair: EMFILE"},
    {CALL_DUP, EMFILE, UNWRITTEN, "dup2: EMFILE"},
};

static long injected, noticed;

/* Every one in the long run, and the same share of them everywhere otherwise. */
static bool is_its_turn(void)
{
    static int number;
    int some = repeats(1000) < 1000 ? repeats(1000) : 1000;
    number++;
    return number * some / 1000 > (number - 1) * some / 1000;
}

static bool draws(const scenario *s)
{
    return strstr(s->line, "svg") != NULL || strncmp(s->line, "view", 4) == 0;
}

/* The browser of `view`, last of all: the report is there; it says so, and where. */
static bool is_browser(const scenario *s, const broken *how, const ending *whole)
{
    return strncmp(s->line, "view", 4) == 0 && how->call == CALL_FORK &&
           how->at == whole->seen[CALL_FORK];
}

/* The exit code that a run must have that did not end well; 0: it must not end like this. */
static int code_of(const ending *e, int endings)
{
    if (endings & UNREAD && e->code == DPC_BAD_INPUT)
        return DPC_BAD_INPUT;
    if (endings & STARVED && e->code == DPC_NO_MEMORY)
        return DPC_NO_MEMORY;
    return endings & UNWRITTEN ? DPC_WRITE_FAILED : 0;
}

static void try_one(const scenario *s, const broken *how, int endings, const ending *whole,
                    const char *what)
{
    static ending e, again;
    char which[64];
    fault f = {.system = *how};
    snprintf(which, sizeof which, "%s, call %ld of %ld%s", what, how->at, whole->seen[how->call],
             how->ever_after ? " and all after it" : "");
    run_command(s, &f, how->at % 2 == 0, &e);
    injected++;
    noticed += e.code != 0;
    if (how->call == CALL_READ && endings & UNREAD && draws(s))
        endings |= UNWRITTEN; /* what Graphviz has drawn is read, too */
    if (e.code == 0 && endings & WHOLE)
        expect_whole(s, &e, whole, which);
    else if (!is_browser(s, how, whole))
        expect_nothing(s, &e, code_of(&e, endings), which);
    if (s->appends && e.code != 0) {
        run_again(s, &again);
        expect_whole(s, &again, whole, which);
    }
}

/*
 * Calls that are interrupted again and again would be made again for ever; and where no file can be
 * renamed any more, those before cannot be taken back either.
 */
static void try_fault(const scenario *s, size_t number, const ending *whole)
{
    broken how = {.call = FAULTS[number].call, .error = FAULTS[number].error};
    bool lasting = how.error != EINTR && how.error != HALF && how.call != CALL_RENAME;
    for (how.at = 1; how.at <= whole->seen[how.call]; how.at++)
        for (int ever = 0; ever <= lasting; ever++) {
            how.ever_after = ever;
            if (is_its_turn())
                try_one(s, &how, FAULTS[number].endings, whole, FAULTS[number].what);
        }
}

static void test_system(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip(); /* a process of its own for each fault takes too long there */
#endif
    static ending whole;
    for (int i = 0; i < N_SCENARIOS; i++) {
        if (SCENARIOS[i].slow)
            continue;
        run_command(&SCENARIOS[i], &(fault){0}, true, &whole);
        expect_whole(&SCENARIOS[i], &whole, &whole, "without a fault");
        for (size_t f = 0; f < sizeof FAULTS / sizeof *FAULTS; f++)
            try_fault(&SCENARIOS[i], f, &whole);
    }
    print_message("%ld faults, of which %ld ended a run\n", injected, noticed);
    expect_no_wrong();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_system),
    };
    return cmocka_run_group_tests(tests, commands_enter, commands_leave);
}
