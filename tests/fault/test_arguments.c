/*
 * The command line program where there is no memory for its options: exit code 4 like anywhere
 * else, and not that of wrong usage. The linker sends its calls of realloc through the function
 * below; nothing else in the options asks for memory.
 */
#include "cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static long calls, fail_at; /* which call fails; 0: none */

void *__real_realloc(void *p, size_t size);

void *__wrap_realloc(void *p, size_t size)
{
    return ++calls == fail_at ? NULL : __real_realloc(p, size);
}

static char *const WORDS[] = {"learn",  "/nowhere.csv", "-o",  "x.txt",     "-o",
                              "y.json", "--explain",    "a,b", "--explain", "c,d"};
enum { N_WORDS = sizeof WORDS / sizeof *WORDS };

/* Each of them fails once. */
static void test_options(void **state)
{
    (void)state;
    for (fail_at = 1; fail_at <= 4; fail_at++) {
        char *words[N_WORDS + 1] = {NULL};
        options o;
        dpc_error err = {0};
        memcpy(words, WORDS, sizeof WORDS);
        calls = 0;
        assert_int_equal(options_parse(N_WORDS, words, &o, &err), PARSED_WRONG);
        assert_int_equal(err.code, DPC_NO_MEMORY);
        assert_string_equal(err.message, "out of memory for the options");
        options_free(&o);
    }
}

/* With memory they are taken, and the file is the one that is missing. */
static void test_exit_code(void **state)
{
    (void)state;
    int standard_error = dup(STDERR_FILENO);
    assert_non_null(freopen("/dev/null", "w", stderr));
    for (fail_at = 0; fail_at <= 4; fail_at++) {
        char *words[N_WORDS + 1] = {NULL};
        memcpy(words, WORDS, sizeof WORDS);
        calls = 0;
        int code = learn_main(N_WORDS, words);
        assert_int_equal(code, fail_at == 0 ? DPC_BAD_INPUT : DPC_NO_MEMORY);
    }
    fflush(stderr);
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
