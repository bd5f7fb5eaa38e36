/* The files that the fault tests read, written into the working folder. */
#ifndef DPC_TESTS_INPUTS_H
#define DPC_TESTS_INPUTS_H

extern const char *const VARIABLES[12]; /* of the table */
extern const char *const KNOWLEDGE[2];  /* files about it */
extern const char *const GRAPHS[4];     /* one graph in four formats */

void write_text(const char *path, const char *text);
/* Twelve variables in a chain, one copied, one constant, some cells missing. */
void write_table(const char *path);
/* Levels, an atom, a continuous column, a copy: cut from a chain. */
void write_levels(const char *path);
/* The first seven of these, of which b, d and g are words; one level is seen once. */
void write_mixed(const char *path);
void write_matrix(const char *path);
/* Tiers, and a circle of directions that has to be broken; and without tiers. */
void write_knowledge(void);
/* A DAG over twenty nodes, more than the lists of names and edges start with. */
void write_graphs(void);
/* How many files and folders are in the working folder. */
int entries(void);

/* cmocka's setup and teardown: a folder with all of these, and nothing of it. */
int inputs_enter(void **state);
int inputs_leave(void **state);

#endif
