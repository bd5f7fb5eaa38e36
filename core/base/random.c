/* Where a stream of random numbers starts: see random.h. */
#include "random.h"

/* The first two words depend on the seed alone, the others on the stream too. */
void dpc_random_start(dpc_random *random, uint64_t seed, uint64_t stream)
{
    uint64_t *s = random->state;
    s[0] = dpc_mix(seed);
    s[1] = dpc_mix(s[0]);
    s[2] = dpc_mix(s[1] ^ dpc_mix(stream));
    s[3] = dpc_mix(s[2]);
    if ((s[0] | s[1] | s[2] | s[3]) == 0)
        s[0] = 1; /* the one state that the generator cannot leave */
}
