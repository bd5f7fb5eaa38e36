/*
 * How often the tests repeat. The numbers in the tests are those of `make check-long`; DPC_REPEAT
 * is a percentage of them, from 5, where the rarer cases still occur, to any number above 100.
 * Without it they are taken as they stand.
 */
#ifndef REPEAT_H
#define REPEAT_H

/* How many of `all` repetitions to make: at least one. */
int repeats(int all);

/*
 * How often something must have been seen that all repetitions see at least `all` times. Short runs
 * need half of their part only, which may be 0 times: few cases vary more, and what is rare is
 * asked for in the long run.
 */
int share(int all);

#endif
