/* Ranks that are threads: see mates.h. */
#include "mates.h"

#include "status.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

typedef struct mate {
    dpc_ranks ranks;
    struct mates *all;
    pthread_t thread;
    dpc_status (*run)(const dpc_ranks *ranks, void *context);
    void *context;
    int64_t list; /* that it has begun */
    /* What it brings to the present meeting: */
    const char *bytes;
    int64_t size;
    dpc_error said;
    bool met; /* it has failed, or knows that another one has */
} mate;

typedef struct mates {
    mate of[MOST];
    int ranks, arrived;
    int64_t round; /* meetings that are over */
    int64_t dealt, next;
    bool closed;
    dpc_take take;
    void *take_context;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} mates;

/* Waits until all have come here; under the lock. */
static void meet(mates *m)
{
    int64_t round = m->round;
    if (++m->arrived == m->ranks) {
        m->arrived = 0;
        m->round++;
        pthread_cond_broadcast(&m->changed);
    }
    while (m->round == round)
        pthread_cond_wait(&m->changed, &m->lock);
}

/* Hears from all; what follows is read until they meet again. */
static dpc_status agree(mate *self, dpc_status status, const char *bytes, int64_t size,
                        dpc_error *err)
{
    mates *m = self->all;
    if (self->met)
        return dpc_fail(err, self->said.code, "%s", self->said.message);
    self->bytes = bytes;
    self->size = size;
    dpc_fail(&self->said, status, "%s", status != DPC_OK && err != NULL ? err->message : "");
    meet(m);
    for (int i = 0; i < m->ranks && !self->met; i++)
        if (m->of[i].said.code != DPC_OK) {
            dpc_error first = m->of[i].said;
            self->met = true;
            meet(m); /* all have read it */
            self->said = first;
            return dpc_fail(err, first.code, "%s", first.message);
        }
    return DPC_OK;
}

static dpc_status exchange(void *context, dpc_exchange *e, dpc_error *err)
{
    mate *self = context;
    mates *m = self->all;
    if (e->idle != NULL)
        e->idle(e->idle_context);
    pthread_mutex_lock(&m->lock);
    dpc_status status = agree(self, e->status, e->mine, e->size, err);
    if (status == DPC_OK) {
        e->at = calloc((size_t)m->ranks + 1, sizeof *e->at);
        for (int i = 0; i < m->ranks; i++)
            e->at[i + 1] = e->at[i] + m->of[i].size;
        e->all = malloc((size_t)e->at[m->ranks] + 1);
        for (int i = 0; i < m->ranks; i++)
            if (m->of[i].size > 0)
                memcpy(e->all + e->at[i], m->of[i].bytes, (size_t)m->of[i].size);
        meet(m);
    }
    pthread_mutex_unlock(&m->lock);
    return status;
}

static dpc_status spread(void *context, void *bytes, int64_t size, dpc_error *err)
{
    mate *self = context;
    mates *m = self->all;
    pthread_mutex_lock(&m->lock);
    dpc_status status = agree(self, DPC_OK, bytes, size, err);
    if (status == DPC_OK) {
        if (self->ranks.rank != 0 && size > 0)
            memcpy(bytes, m->of[0].bytes, (size_t)size);
        meet(m);
    }
    pthread_mutex_unlock(&m->lock);
    return status;
}

static void begin(void *context, dpc_take take, void *take_context)
{
    mate *self = context;
    mates *m = self->all;
    pthread_mutex_lock(&m->lock);
    self->list++;
    if (self->ranks.rank == 0) {
        m->take = take;
        m->take_context = take_context;
        pthread_cond_broadcast(&m->changed);
    }
    pthread_mutex_unlock(&m->lock);
}

static void at_list(mate *self)
{
    mates *m = self->all;
    if (self->list > m->dealt) {
        m->dealt = self->list;
        m->next = 0;
        m->closed = false;
    }
}

static bool claim(void *context, int64_t count, int64_t singles, int64_t *first, int64_t *end)
{
    mate *self = context;
    mates *m = self->all;
    pthread_mutex_lock(&m->lock);
    at_list(self);
    bool mine = self->list == m->dealt && !m->closed && m->next < count;
    int64_t run = m->next < singles ? 1 : 1 + m->next % 3;
    run = run < count - m->next ? run : count - m->next;
    if (mine) {
        *first = m->next;
        *end = m->next += run;
    }
    pthread_mutex_unlock(&m->lock);
    return mine;
}

static void close_list(void *context)
{
    mate *self = context;
    pthread_mutex_lock(&self->all->lock);
    at_list(self);
    self->all->closed = self->all->closed || self->list == self->all->dealt;
    pthread_mutex_unlock(&self->all->lock);
}

static void bring(void *context, int64_t index, const void *bytes, int64_t size)
{
    mate *self = context;
    mates *m = self->all;
    pthread_mutex_lock(&m->lock);
    while (m->of[0].list < self->list) /* rank 0 has not begun it */
        pthread_cond_wait(&m->changed, &m->lock);
    m->take(m->take_context, index, bytes, size);
    pthread_mutex_unlock(&m->lock);
}

static void *live(void *context)
{
    mate *self = context;
    dpc_error err = {0};
    dpc_exchange last = {.status = self->run(&self->ranks, self->context)};
    exchange(self, &last, &err);
    free(last.all);
    free(last.at);
    return NULL;
}

void as_team(int ranks, dpc_status (*run)(const dpc_ranks *ranks, void *context), void *context)
{
    mates *m = calloc(1, sizeof *m);
    if (m == NULL || ranks > MOST)
        abort();
    m->ranks = ranks;
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->changed, NULL);
    for (int i = 0; i < ranks; i++)
        m->of[i] = (mate){
            .ranks = {.rank = i,
                      .ranks = ranks,
                      .neighbours = ranks,
                      .context = &m->of[i],
                      .begin = begin,
                      .claim = claim,
                      .close = close_list,
                      .send = bring,
                      .exchange = exchange,
                      .spread = spread},
            .all = m,
            .run = run,
            .context = context,
        };
    for (int i = 0; i < ranks; i++)
        if (pthread_create(&m->of[i].thread, NULL, live, &m->of[i]) != 0)
            abort();
    for (int i = 0; i < ranks; i++)
        pthread_join(m->of[i].thread, NULL);
    pthread_mutex_destroy(&m->lock);
    pthread_cond_destroy(&m->changed);
    free(m);
}
