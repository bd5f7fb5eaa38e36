/* Machines and systems: see platform.h. */
#include "platform.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) && !defined(DPC_PORTABLE)
#define ON_LINUX 1
#include <sched.h>
#include <sys/prctl.h>
#else
#define ON_LINUX 0
#endif
#if defined(__APPLE__)
#include <xlocale.h>
#endif
#if !defined(MAP_ANONYMOUS)
#define MAP_ANONYMOUS MAP_ANON
#endif

/* ---- Time ---- */

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double dpc_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double dpc_seconds_roughly(void)
{
#if ON_LINUX
    return read_clock(CLOCK_MONOTONIC_COARSE);
#else
    return read_clock(CLOCK_MONOTONIC);
#endif
}

/* ---- Memory ---- */

/* The beginning of a small file; false: it cannot be read. */
static bool read_text(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    size_t length = 0;
    ssize_t got;
    while (length + 1 < size && (got = read(file, text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    close(file);
    text[length] = '\0';
    return length > 0;
}

/* The number that a file of a cgroup begins with; "max" and no file are no limit. */
static double read_limit(const char *path)
{
    char text[64], *end;
    if (!read_text(path, text, sizeof text))
        return INFINITY;
    unsigned long long limit = strtoull(text, &end, 10);
    return end != text ? (double)limit : INFINITY;
}

/*
 * The least that a group and those above it allow. `group` is a path below `mount`; in a container
 * it may be the one outside, and then only the mount itself has the file.
 */
static double least_limit(const char *root, const char *mount, const char *group, int length,
                          const char *file)
{
    char path[PATH_MAX];
    double least = INFINITY;
    for (;;) {
        int needed = snprintf(path, sizeof path, "%s%s%.*s/%s", root, mount, length, group, file);
        if (needed > 0 && needed < (int)sizeof path)
            least = fmin(least, read_limit(path));
        if (length == 0)
            return least;
        while (length > 0 && group[--length] != '/')
            ;
    }
}

/* Is "memory" one of the names between `from` and `to`, which have commas between them? */
static bool names_memory(const char *from, const char *to)
{
    static const char name[] = "memory";
    const size_t length = sizeof name - 1;
    for (const char *end; from < to; from = end + 1) {
        end = memchr(from, ',', (size_t)(to - from));
        end = end != NULL ? end : to;
        if ((size_t)(end - from) == length && memcmp(from, name, length) == 0)
            return true;
    }
    return false;
}

/* A line of /proc/self/cgroup is number:controllers:group; version 2 has number 0 and no names. */
double dpc_container_memory(const char *root)
{
    char path[PATH_MAX], text[4096];
    double least = INFINITY;
    if (snprintf(path, sizeof path, "%s/proc/self/cgroup", root) >= (int)sizeof path ||
        !read_text(path, text, sizeof text))
        return least;
    for (const char *line = text; *line != '\0';) {
        const char *end = strchr(line, '\n');
        end = end != NULL ? end : line + strlen(line);
        const char *names = memchr(line, ':', (size_t)(end - line));
        const char *group =
            names != NULL ? memchr(names + 1, ':', (size_t)(end - names - 1)) : NULL;
        if (group != NULL && group - names == 1)
            least = fmin(least, least_limit(root, "/sys/fs/cgroup", group + 1,
                                            (int)(end - group - 1), "memory.max"));
        else if (group != NULL && names_memory(names + 1, group))
            least = fmin(least, least_limit(root, "/sys/fs/cgroup/memory", group + 1,
                                            (int)(end - group - 1), "memory.limit_in_bytes"));
        line = *end != '\0' ? end + 1 : end;
    }
    return least;
}

static double limit_of(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
               ? (double)limit.rlim_cur
               : INFINITY;
}

dpc_memory_offer dpc_memory_offered(void)
{
    dpc_memory_offer offer = {INFINITY, "this machine has"};
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        offer.bytes = (double)pages * (double)page;
    double container = dpc_container_memory("");
    if (container < offer.bytes)
        offer = (dpc_memory_offer){container, "this container may use"};
    double process = fmin(limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA));
    if (process < offer.bytes)
        offer = (dpc_memory_offer){process, "this process may use"};
    return offer;
}

bool dpc_can_map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    munmap(memory, bytes);
    return true;
}

void dpc_advise_huge(void *memory, size_t bytes)
{
#if ON_LINUX
    madvise(memory, bytes, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

/* ---- Processors and threads ---- */

/* The number that a variable of the environment begins with; 0: there is none. */
static int environment_number(const char *name)
{
    const char *text = getenv(name);
    long number = text != NULL ? strtol(text, NULL, 10) : 0;
    return number < 1 ? 0 : number > DPC_MOST_THREADS ? DPC_MOST_THREADS : (int)number;
}

static int processors(void)
{
#if ON_LINUX
    cpu_set_t allowed; /* on a machine with more than a thousand it does not suffice */
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > DPC_MOST_THREADS ? DPC_MOST_THREADS : (int)online;
}

int dpc_threads_offered(void)
{
    int asked = environment_number("OMP_NUM_THREADS");
    int most = environment_number("OMP_THREAD_LIMIT");
    int threads = asked > 0 ? asked : processors();
    return most > 0 && most < threads ? most : threads;
}

bool dpc_has_avx2(void)
{
#if defined(__x86_64__) && !defined(DPC_PORTABLE)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/* Signals are for the threads of the host: its handlers may not expect to run on another. */
bool dpc_thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    const size_t stack = (size_t)4 << 20;
    pthread_attr_t how;
    sigset_t all, before;
    if (pthread_attr_init(&how) != 0)
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_attr_setstacksize(&how, stack) == 0 &&
                   pthread_create(thread, &how, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&how);
    return started;
}

#if defined(__APPLE__)
enum { WAKEUP_CLOCK = CLOCK_REALTIME }; /* conditions know no other clock there */
#else
enum { WAKEUP_CLOCK = CLOCK_MONOTONIC };
#endif

void dpc_wakeup_init(dpc_wakeup *wakeup)
{
    pthread_condattr_t how;
    pthread_mutex_init(&wakeup->lock, NULL);
    pthread_condattr_init(&how);
#if !defined(__APPLE__)
    pthread_condattr_setclock(&how, WAKEUP_CLOCK);
#endif
    pthread_cond_init(&wakeup->rung, &how);
    pthread_condattr_destroy(&how);
}

void dpc_wakeup_clear(dpc_wakeup *wakeup)
{
    pthread_cond_destroy(&wakeup->rung);
    pthread_mutex_destroy(&wakeup->lock);
}

void dpc_wakeup_wait(dpc_wakeup *wakeup, double seconds)
{
    double until = read_clock(WAKEUP_CLOCK) + seconds, whole = floor(until);
    struct timespec at = {.tv_sec = (time_t)whole, .tv_nsec = (long)(1e9 * (until - whole))};
    pthread_cond_timedwait(&wakeup->rung, &wakeup->lock, &at);
}

bool dpc_end_with_parent(pid_t parent)
{
#if ON_LINUX
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    return getppid() == parent;
}

/* ---- Numbers and streams ---- */

double dpc_strtod(const char *text, locale_t c_locale)
{
#if defined(__GLIBC__) || defined(__APPLE__)
    return strtod_l(text, NULL, c_locale);
#else
    locale_t before = uselocale(c_locale);
    double value = strtod(text, NULL);
    uselocale(before);
    return value;
#endif
}

#if defined(__APPLE__)

typedef struct adapter {
    void *cookie;
    dpc_stream_write write;
    dpc_stream_close close;
} adapter;

static int adapter_write(void *cookie, const char *bytes, int count)
{
    adapter *a = cookie;
    return (int)a->write(a->cookie, bytes, (size_t)count);
}

static int adapter_close(void *cookie)
{
    adapter *a = cookie;
    int code = a->close != NULL ? a->close(a->cookie) : 0;
    free(a);
    return code;
}

FILE *dpc_stream_new(void *cookie, dpc_stream_write write, dpc_stream_close close)
{
    adapter *a = malloc(sizeof *a);
    if (a == NULL)
        return NULL;
    *a = (adapter){cookie, write, close};
    FILE *file = funopen(a, NULL, adapter_write, NULL, adapter_close);
    if (file == NULL)
        free(a);
    return file;
}

#else

FILE *dpc_stream_new(void *cookie, dpc_stream_write write, dpc_stream_close close)
{
    return fopencookie(cookie, "w", (cookie_io_functions_t){.write = write, .close = close});
}

#endif
