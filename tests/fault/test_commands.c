/*
 * Every command of the program with allocations failing: the k-th one for every k there is (as far
 * as DPC_REPEAT goes, and then in strides), and every k-th one. Exit code 4 and one sentence, with
 * all files as they were; or, where it can be done without, the same files as ever.
 */
#include "cli.h"
#include "commands.h"
#include "repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What a failed study has left is gone on with. */
static void expect_resumed(const scenario *s, const ending *whole, const char *what)
{
    static ending again;
    run_again(s, &again);
    expect_whole(s, &again, whole, what);
}

static bool try_one(const scenario *s, const fault *f, const ending *whole)
{
    static ending e;
    char what[64];
    snprintf(what, sizeof what, "allocation %ld%s of %ld", f->allocation,
             f->repeatedly ? ", and its multiples," : "", whole->allocations);
    run_command(s, f, f->allocation % 2 == 0, &e);
    if (e.code == 0) {
        expect_whole(s, &e, whole, what);
        return false;
    }
    expect_nothing(s, &e, DPC_NO_MEMORY, what);
    if (s->appends && f->allocation % 8 == 0)
        expect_resumed(s, whole, what);
    return true;
}

/* The first ones each, and then as many in strides. */
static void try_scenario(const scenario *s)
{
    static ending whole;
    run_command(s, &(fault){0}, true, &whole);
    expect_whole(s, &whole, &whole, "without a fault");
    long all = whole.allocations, each = repeats(s->slow ? 160 : 600), tried = 0, failed = 0;
    long stride = all > 2 * each ? (all - each) / each : 1;
    assert_true(all > 10);
    for (long k = 1; k <= all; k += k < each ? 1 : stride, tried++)
        failed += try_one(s, &(fault){.allocation = k}, &whole);
    if (failed < tried * 9 / 10)
        fail_msg("dualpc %s: only %ld of %ld faults were noticed", s->line, failed, tried);
    for (long k = 1; k <= all; k = k < 4 ? k + 1 : 2 * k, tried++)
        try_one(s, &(fault){.allocation = k, .repeatedly = true}, &whole);
    print_message("%5ld of %5ld allocations, %5ld runs: dualpc %s\n", failed, all, tried, s->line);
}

static void test_commands(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip(); /* a process of its own for each fault takes too long there */
#endif
    for (int i = 0; i < N_SCENARIOS; i++)
        try_scenario(&SCENARIOS[i]);
    expect_no_wrong();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
    };
    return cmocka_run_group_tests(tests, commands_enter, commands_leave);
}
