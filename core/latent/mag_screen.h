/*
 * Which pairs of a MAG that are not adjacent are worth a fit with an edge between them.
 *
 * There are n²/2 of them, and a fit takes long. With S_v the other nodes and the parents of the
 * district of v, and e_v what S_v leaves of v, an arrow u → v gains about -N/2 log(1 - r²), r the
 * partial correlation of u and v given S_v, and a double arrow about the same with the correlation
 * of e_u and e_v. If v has no spouses, S_v = pa(v), and the first is exact. Otherwise both are
 * first steps towards the fit; what they promise must be a share of the price at least.
 */
#ifndef DPC_MAG_SCREEN_H
#define DPC_MAG_SCREEN_H

#include "mag_moves.h"

/* How v is regressed on S_v. */
typedef struct dpc_mag_residual {
    int32_t *given;      /* S_v; owned */
    double *coefficient; /* beside it; owned */
    int64_t room, coefficient_room;
    int count;
    double left; /* the variance of e_v */
    bool alone;  /* v has no spouses */
} dpc_mag_residual;

typedef struct dpc_mag_screen {
    dpc_mag_residual *of; /* per node; owned */
    int n;
} dpc_mag_screen;

/* DPC_OK or no memory, as all below; to be cleared in either case. */
dpc_status dpc_mag_screen_init(dpc_mag_screen *screen, int n);
void dpc_mag_screen_clear(dpc_mag_screen *screen);

/* Regresses v anew, in the MAG of a walker. */
dpc_status dpc_mag_screen_renew(dpc_mag_screen *screen, dpc_mag_walker *walker, int v);

/*
 * The moves of v, as far as they depend on its district: those of its adjacent pairs, and those
 * that add an edge and gain. Of pairs with two touched nodes (walker->touched) each is looked at
 * once. The screen is to be good for all nodes.
 */
dpc_status dpc_mag_screen_offer(const dpc_mag_screen *screen, dpc_mag_walker *walker,
                                const uint64_t *touched, int v, dpc_mag_moves *to);

#endif
