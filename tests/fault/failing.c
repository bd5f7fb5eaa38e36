/* The failing allocator: see failing.h. */
#include "failing.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static asked_for of_this_process;
asked_for *counts = &of_this_process;
atomic_long live;
long fail_at;
bool repeatedly;

static bool fails(void)
{
    long call = atomic_fetch_add(&counts->calls, 1) + 1;
    return fail_at > 0 && (repeatedly ? call % fail_at == 0 : call == fail_at);
}

bool count_with_children(void)
{
    void *shared =
        mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return false;
    counts = shared;
    return true;
}

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
int __real_posix_memalign(void **p, size_t alignment, size_t size);
char *__real_strdup(const char *s);
locale_t __real_newlocale(int mask, const char *name, locale_t base);
void __real_freelocale(locale_t locale);
FILE *__real_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
FILE *__real_open_memstream(char **text, size_t *size);
void __real_free(void *p);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *p, size_t size)
{
    if (fails())
        return NULL;
    void *q = __real_realloc(p, size);
    live += p == NULL && q != NULL;
    return q;
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
    if (fails())
        return 12; /* ENOMEM */
    int code = __real_posix_memalign(p, alignment, size);
    live += code == 0;
    return code;
}

char *__wrap_strdup(const char *s)
{
    return fails() ? NULL : counted(__real_strdup(s));
}

static int print_counted(char **out, const char *format, va_list args)
{
    int length = fails() ? -1 : vasprintf(out, format, args);
    live += length >= 0;
    return length;
}

int __wrap_asprintf(char **out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = print_counted(out, format, args);
    va_end(args);
    return length;
}

/* What a hardened build calls in its place. */
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...)
{
    (void)flag;
    va_list args;
    va_start(args, format);
    int length = print_counted(out, format, args);
    va_end(args);
    return length;
}

locale_t __wrap_newlocale(int mask, const char *name, locale_t base)
{
    if (fails())
        return (locale_t)0;
    live++;
    return __real_newlocale(mask, name, base);
}

void __wrap_freelocale(locale_t locale)
{
    live--;
    __real_freelocale(locale);
}

FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    return fails() ? NULL : __real_fopencookie(cookie, mode, functions);
}

/* Its text is the caller's to free. */
FILE *__wrap_open_memstream(char **text, size_t *size)
{
    FILE *file = fails() ? NULL : __real_open_memstream(text, size);
    live += file != NULL;
    return file;
}

void __wrap_free(void *p)
{
    live -= p != NULL;
    __real_free(p);
}
