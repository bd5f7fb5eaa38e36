/* The name of a variable as it is drawn: cut where it is very long, and over several lines. */
#ifndef DPC_LABEL_H
#define DPC_LABEL_H

enum {
    DPC_LABEL_LONGEST = 54, /* characters of a name that are shown */
    DPC_LABEL_LINE = 18,    /* a line ends before it has more, … */
    DPC_LABEL_WORD = 24,    /* … but no word of up to so many characters is broken */
};

/*
 * UTF-8, with a \n between the lines; what follows spaces and signs such as _ may begin a line.
 * Control characters are spaces. Owned by the caller, free(); NULL: no memory.
 */
char *dpc_label(const char *name);

#endif
