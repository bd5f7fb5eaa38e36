/*
 * What the fuzzing harnesses share: input bytes in the place of a file, what must hold, and a limit
 * for the memory that reading may take.
 *
 * Every harness is a program of libFuzzer (`make fuzz`, tools/fuzz.sh). It takes an input apart,
 * calls the library, and ends with abort() where something does not hold that must; the sanitizers
 * see to the rest. The first bytes of an input are options, as printable characters, so that seeds
 * can be written by hand; what follows is the file.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "dualpc_io.h"

#include <stddef.h>
#include <stdint.h>

/* Ends with the sentence where `holds` does not. */
#define MUST(holds, ...) ((holds) ? (void)0 : fuzz_found(__FILE__, __LINE__, __VA_ARGS__))
__attribute__((noreturn, format(printf, 3, 4))) void fuzz_found(const char *file, int line,
                                                                const char *format, ...);

/* The input, from its start on. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

/* The next byte; '@', which sets no option, where there is none. */
uint8_t fuzz_byte(fuzz_bytes *in);
/* Up to the next line break, which is left out, into `line`; what is too long is cut. */
enum { FUZZ_LINE = 200 };
void fuzz_line(fuzz_bytes *in, char line[FUZZ_LINE]);
/* The bytes as a number from 0 to 1, 1 excluded. */
double fuzz_share(fuzz_bytes *in);

/* A path that reads these bytes: a file in memory, the same one in every call. */
const char *fuzz_file(const void *bytes, size_t size);

/* The bytes packed by gzip, or, Latin letters only, as UTF-16. Freed by the caller. */
void *fuzz_gzip(const void *bytes, size_t size, size_t *packed);
void *fuzz_utf16(const void *bytes, size_t size, size_t *doubled);

/*
 * Between the two calls no more memory may be taken than docs/reliability.md promises for the bytes
 * of the file, unpacked.
 */
void fuzz_watch_memory(void);
void fuzz_check_memory(void);

/* An error has its code and a sentence; a success has none of these. */
void fuzz_check_error(dpc_status status, const dpc_error *err);

#endif
