/* Machine and system: limits of memory wherever they stand, threads, time, streams. */
#include "platform.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Containers: the files of the system, under a folder ---- */

static char root[] = "/tmp/dualpc-platform-XXXXXX";

/* Writes `text` to a file under the root, and makes the folders above it. */
static void put(const char *path, const char *text)
{
    char at[512];
    int length = snprintf(at, sizeof at, "%s%s", root, path);
    assert_true(length > 0 && length < (int)sizeof at);
    for (char *slash = at + sizeof root; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(at, 0755);
        *slash = '/';
    }
    FILE *file = fopen(at, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_root(void **state)
{
    (void)state;
    memset(root + sizeof root - 7, 'X', 6);
    return mkdtemp(root) == NULL;
}

static int drop_root(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void check_container(double expected)
{
    double seen = dpc_container_memory(root);
    if (seen != expected)
        fail_msg("expected %g bytes, saw %g", expected, seen);
}

static void test_no_container(void **state)
{
    (void)state;
    check_container(INFINITY);
    put("/proc/self/cgroup", "");
    check_container(INFINITY);
    put("/proc/self/cgroup", "0::/\n");
    check_container(INFINITY);
    put("/sys/fs/cgroup/memory.max", "max\n");
    check_container(INFINITY);
    put("/proc/self/cgroup", "nonsense\n:\n::\n\n7:cpu");
    put("/sys/fs/cgroup/memory.max", "no number\n");
    check_container(INFINITY);
}

static void test_container_version_2(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/a/b.slice\n");
    put("/sys/fs/cgroup/a/b.slice/memory.max", "max\n");
    check_container(INFINITY);
    put("/sys/fs/cgroup/a/memory.max", "3000000000\n");
    check_container(3e9);
    put("/sys/fs/cgroup/a/b.slice/memory.max", "2000000000\n");
    check_container(2e9);
    put("/sys/fs/cgroup/memory.max", "1000000000\n"); /* the whole container's */
    check_container(1e9);
    put("/proc/self/cgroup", "0::/a/b.slice"); /* without an end of line */
    check_container(1e9);
    put("/proc/self/cgroup", "0::/elsewhere/outside\n"); /* a path of the host's */
    check_container(1e9);
}

static void test_container_version_1(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "12:pids:/x\n5:hugetlb,memory,misc:/job/7\n1:name=systemd:/\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_true(dpc_container_memory(root) > 9e18);
    put("/sys/fs/cgroup/memory/job/7/memory.limit_in_bytes", "500000000\n");
    check_container(5e8);
    put("/proc/self/cgroup", "5:memoryless,not-memory:/job/7\n");
    check_container(INFINITY);
}

static void test_container_of_both_versions(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "4:memory:/m\n0::/u\n");
    put("/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "700\n");
    check_container(700);
    put("/sys/fs/cgroup/u/memory.max", "600\n");
    check_container(600);
}

/* ---- Memory of the process ---- */

/* Runs in a child, for a limit cannot be taken back. */
static void check_limit(int resource, rlim_t bytes)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {bytes, bytes};
        bool fine = setrlimit(resource, &limit) == 0;
        dpc_memory_offer offer = dpc_memory_offered();
        fine =
            fine && offer.bytes == (double)bytes && strcmp(offer.who, "this process may use") == 0;
        fine = fine && !dpc_can_map(bytes);
        _exit(fine ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

static void test_memory(void **state)
{
    (void)state;
    dpc_memory_offer offer = dpc_memory_offered();
    assert_true(offer.bytes > 1e7 && offer.bytes < 1e16);
    assert_true(dpc_can_map(1 << 20));
    assert_false(dpc_can_map(SIZE_MAX / 2));
    check_limit(RLIMIT_DATA, (rlim_t)1 << 26);
}

/* ---- Threads ---- */

static void check_threads(const char *asked, const char *most, int expected)
{
    if (asked != NULL)
        setenv("OMP_NUM_THREADS", asked, 1);
    else
        unsetenv("OMP_NUM_THREADS");
    if (most != NULL)
        setenv("OMP_THREAD_LIMIT", most, 1);
    else
        unsetenv("OMP_THREAD_LIMIT");
    assert_int_equal(dpc_threads_offered(), expected);
}

static void test_threads_offered(void **state)
{
    (void)state;
    check_threads("3", NULL, 3);
    check_threads("3,2", NULL, 3);
    check_threads("3", "2", 2);
    check_threads("1", "2", 1);
    check_threads("1000000", NULL, DPC_MOST_THREADS);
    check_threads(NULL, "1", 1);
    unsetenv("OMP_THREAD_LIMIT");
    int processors = dpc_threads_offered();
    assert_true(processors >= 1 && processors <= DPC_MOST_THREADS);
    check_threads("0", NULL, processors);
    check_threads("-4", NULL, processors);
    check_threads("many", "", processors);
}

/* ---- Time, numbers, streams ---- */

static void test_time(void **state)
{
    (void)state;
    double start = dpc_seconds();
    usleep(50000);
    double took = dpc_seconds() - start;
    assert_true(took > 0.049);
    double before = dpc_seconds(), now = dpc_seconds_roughly(), after = dpc_seconds();
    assert_true(before - 1 < now && now < after + 1);
    usleep(50000);
    assert_true(dpc_seconds_roughly() > now);
}

static void test_wait(void **state)
{
    (void)state;
    dpc_wakeup bell;
    dpc_wakeup_init(&bell);
    double start = dpc_seconds();
    pthread_mutex_lock(&bell.lock);
    for (int i = 0; i < 5; i++)
        dpc_wakeup_wait(&bell, 0.01);
    pthread_mutex_unlock(&bell.lock);
    assert_true(dpc_seconds() - start > 0.01);
    dpc_wakeup_clear(&bell);
}

static void test_numbers(void **state)
{
    (void)state;
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    assert_true(dpc_strtod("-12.5e-1;", c) == -1.25);
    assert_true(isinf(dpc_strtod("1e999", c)));
    freelocale(c);
}

typedef struct sink {
    char text[64];
    size_t length;
    int closed;
} sink;

static ssize_t sink_write(void *cookie, const char *bytes, size_t count)
{
    sink *s = cookie;
    memcpy(s->text + s->length, bytes, count);
    s->length += count;
    return (ssize_t)count;
}

static int sink_close(void *cookie)
{
    ((sink *)cookie)->closed++;
    return 0;
}

static void test_streams(void **state)
{
    (void)state;
    sink s = {.length = 0};
    FILE *file = dpc_stream_new(&s, sink_write, sink_close);
    assert_non_null(file);
    fprintf(file, "%d and %s", 12, "text");
    assert_int_equal(fclose(file), 0);
    assert_string_equal(s.text, "12 and text");
    assert_int_equal(s.closed, 1);
    file = dpc_stream_new(&s, sink_write, NULL);
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(s.closed, 1);
}

#define WITH_ROOT(test) cmocka_unit_test_setup_teardown(test, make_root, drop_root)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ROOT(test_no_container),        WITH_ROOT(test_container_version_2),
        WITH_ROOT(test_container_version_1), WITH_ROOT(test_container_of_both_versions),
        cmocka_unit_test(test_memory),       cmocka_unit_test(test_threads_offered),
        cmocka_unit_test(test_time),         cmocka_unit_test(test_wait),
        cmocka_unit_test(test_numbers),      cmocka_unit_test(test_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
