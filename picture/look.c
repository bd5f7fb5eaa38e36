/* What edges look like: colours, widths, shades. See picture.h. */
#include "picture.h"

#include <math.h>
#include <stdio.h>

/* Okabe and Ito's blue and vermilion, and a dark grey for what has no sign. */
static const int BLUE[] = {0x00, 0x72, 0xb2}, ORANGE[] = {0xd5, 0x5e, 0x00},
                 GREY[] = {0x4a, 0x4a, 0x4a};

void dpc_edge_colour(double r, double share, char out[8])
{
    const int *colour = isnan(r) || r == 0 ? GREY : r > 0 ? BLUE : ORANGE;
    int mixed[3];
    double depth = 0.18 + 0.82 * (isnan(share) ? 1 : share); /* never as pale as the paper */
    for (int i = 0; i < 3; i++)
        mixed[i] = (int)lround(255 - depth * (255 - colour[i])) & 0xff;
    snprintf(out, 8, "#%02x%02x%02x", (unsigned char)mixed[0], (unsigned char)mixed[1],
             (unsigned char)mixed[2]);
}

double dpc_edge_width(double r)
{
    return isnan(r) ? 1.2 : 0.7 + 3.8 * fabs(r);
}

double dpc_edge_share(const dpc_edge_row *row)
{
    double share = row->mark == DPC_FORWARD ? row->forward : row->edge;
    return isnan(share) ? 1 : share;
}
