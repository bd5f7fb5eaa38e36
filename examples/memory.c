/*
 * The library in memory alone: numbers that a program has already, rows of floats here, and
 * answers that it goes on with. Two causes of one effect are recognised by their v-structure.
 *
 *     cc memory.c $(pkg-config --cflags --libs dualpc) -o memory && ./memory
 */
#include <dualpc_explain.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_OBS = 500, N_VARS = 3 };

static float draw(void)
{
    return (float)(rand() % 10000 + rand() % 10000 + rand() % 10000) / 10000 - 1.5f;
}

static void explain(const dpc_result *result, const char *const *names)
{
    dpc_sepset set;
    if (dpc_separating_set(result, 0, 1, &set, NULL, NULL) == DPC_OK && set.kind != DPC_SEP_NONE)
        printf("%s and %s are independent: r = %.3f, p = %.2f\n", names[0], names[1], set.r, set.p);
}

int main(void)
{
    static const char *const names[N_VARS] = {"rain", "sprinkler", "wet"};
    static float rows[N_OBS][N_VARS];
    uint8_t matrix[N_VARS][N_VARS] = {{0}};
    dpc_error err = {0};
    dpc_table *table = NULL;
    dpc_result *result = NULL;

    for (int i = 0; i < N_OBS; i++) {
        rows[i][0] = draw();
        rows[i][1] = draw();
        rows[i][2] = rows[i][0] + rows[i][1] + draw();
    }
    dpc_status status =
        dpc_table_view(rows, DPC_FLOAT, N_OBS, N_VARS, N_VARS, 1, names, &table, &err);
    if (status == DPC_OK)
        status = dpc_learn_table(table, NULL, NULL, &result, &err);
    dpc_table_free(table); /* the result needs neither the table nor the rows */
    if (status == DPC_OK)
        status = dpc_graph_adjacency(dpc_result_graph(result), &matrix[0][0], &err);
    if (status != DPC_OK)
        fprintf(stderr, "%s\n", err.message);
    for (int a = 0; a < N_VARS; a++)
        for (int b = 0; b < N_VARS; b++)
            if (matrix[a][b] && (!matrix[b][a] || a < b))
                printf("%s %s %s\n", names[a], matrix[b][a] ? "---" : "-->", names[b]);
    if (status == DPC_OK)
        explain(result, names);
    dpc_result_free(result);
    return matrix[0][2] && matrix[1][2] && !matrix[2][0] && !matrix[2][1] ? 0 : 1;
}
