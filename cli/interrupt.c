/*
 * Ctrl-C. The first one asks the work to stop, which it does at its next look; should it be in
 * a long call of a library just then, a timer ends the program half a second later. Only while
 * files are written it waits, so that nothing half-written stays behind; and where the work has
 * results that would be lost, it takes a second Ctrl-C to end the program like that.
 *
 * With other processes that is also how a run ends in which one of them has died: the others may
 * wait for it in a call that never returns, and are ended from outside.
 */
#include "cli.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t asked, deferring, patient;
static const char *last_words; /* of a process that has others; NULL: none */

static void on_interrupt(int signal)
{
    (void)signal;
    asked = asked < 2 ? asked + 1 : asked;
    const struct itimerval half = {.it_value = {.tv_usec = 500000}};
    setitimer(ITIMER_REAL, &half, NULL); /* a plain system call, wherever there is one */
}

static void on_grace_over(int signal)
{
    (void)signal;
    if (deferring || (patient && asked < 2))
        return;
    if (last_words != NULL)
        (void)!write(STDERR_FILENO, last_words, strlen(last_words));
    _exit(DPC_INTERRUPTED);
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = on_grace_over};
    sigaction(SIGALRM, &action, NULL);
    /* No SA_RESTART: a blocked read or write comes back and sees the request. */
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* not under nohup */
        sigaction(SIGHUP, &action, NULL);
    /* A reader that goes away, or a file size limit, is an error of the write. */
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
    /* Whoever ignores this one, and may have started us, does not learn how its children end. */
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, NULL);
}

void interrupt_says(const char *words)
{
    last_words = words;
}

bool interrupted(void)
{
    return asked != 0;
}

bool interrupted_at_once(void)
{
    return asked > (patient ? 1 : 0);
}

void interrupt_defer(bool deferred)
{
    deferring = deferred;
}

void interrupt_patiently(void)
{
    patient = 1;
}

void interrupt_forget(void)
{
    asked = 0;
}
