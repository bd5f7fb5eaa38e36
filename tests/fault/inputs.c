/* Files for the fault tests: see inputs.h. */
#include "inputs.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const char *const VARIABLES[12] = {"a", "b", "c", "d", "e",    "f",
                                   "g", "h", "i", "j", "copy", "constant"};
const char *const KNOWLEDGE[2] = {"knowledge.txt", "knowledge.json"};
const char *const GRAPHS[4] = {"graph.csv", "graph.txt", "graph.dot", "graph.json"};

static char folder[] = "/tmp/dualpc-fault-XXXXXX";

void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

void write_table(const char *path)
{
    uint64_t state = 7;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("a,b,c,d,e,f,g,h,i,j,copy,constant\n", file);
    for (int row = 0; row < 60; row++) {
        double value[10], last = 0;
        for (int j = 0; j < 10; j++)
            last = value[j] = 0.8 * last + uniform(&state) - (j > 3 ? value[j - 3] : 0);
        for (int j = 0; j < 10; j++)
            if (row % 17 == 5 && j == 4)
                fputs("NA,", file);
            else
                fprintf(file, "%.6f,", value[j]);
        fprintf(file, "%.6f,1\n", value[2]);
    }
    fclose(file);
}

void write_levels(const char *path)
{
    uint64_t state = 9;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("a,b,c,d,e,f,copy\n", file);
    for (int row = 0; row < 60; row++) {
        double value[6], last = 0;
        for (int j = 0; j < 6; j++)
            last = value[j] = 0.7 * last + uniform(&state) - 0.5;
        fprintf(file, "%d,%d,%.6f,%.6f,%d,%d,%d\n", value[0] > 0,
                (value[1] > -0.2) + (value[1] > 0.2), value[2] > 0 ? value[2] : 0, value[3],
                value[4] > 0.1, (int)(5 * value[5]), value[0] > 0);
    }
    fclose(file);
}

void write_mixed(const char *path)
{
    static const char *const words[] = {"red", "green", "blue", "rare"};
    uint64_t state = 11;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("a,b,c,d,e,f,g\n", file);
    for (int row = 0; row < 80; row++) {
        double a = uniform(&state), c = a + uniform(&state), e = c - 0.6 * uniform(&state);
        int b = (int)(2.5 * a + uniform(&state)), g = row == 7 ? 3 : (int)(1.4 * c);
        fprintf(file, "%.5f,%s,%.5f,%s,%.5f,%.5f,%s\n", a, words[b % 3], c,
                uniform(&state) < 0.3 + 0.2 * b ? "yes" : "no", e, e + b + uniform(&state),
                words[g % 4]);
    }
    fclose(file);
}

void write_matrix(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            fprintf(file, "%g%c", i == j ? 1 : i / 2 == j / 2 ? 0.9 : 0.4, j < 7 ? ',' : '\n');
    fclose(file);
}

void write_knowledge(void)
{
    static const char *const texts[] = {
        "addtemporal\n1 a b c\n2 d e f g\n4 h\nrequiredirect\na b\nforbiddirect\nd e\ne f\nf d\n"
        "b i\ni b\nrequiredgroup\nd f\nj\n",
        "{\"forbidden_edges\": [[\"a\", \"b\"], [\"b\", \"c\"], [\"c\", \"a\"]],\n"
        "\"required_edges\": [[\"a\", \"d\"]]}"};
    for (int i = 0; i < 2; i++)
        write_text(KNOWLEDGE[i], texts[i]);
}

void write_graphs(void)
{
    enum { N = 20 };
    FILE *file[4];
    for (int f = 0; f < 4; f++)
        assert_non_null(file[f] = fopen(GRAPHS[f], "w"));
    fputs("digraph {\n", file[2]);
    fputs("{\"nodes\": [", file[3]);
    for (int i = 0; i < N; i++) {
        fprintf(file[0], "x%d%c", i, i < N - 1 ? ',' : '\n');
        fprintf(file[3], "\"x%d\"%s", i, i < N - 1 ? ", " : "], \"edges\": [");
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            bool edge = i < j && (i + j) % 3 > 0;
            fprintf(file[0], "%d%c", edge, j < N - 1 ? ',' : '\n');
            if (!edge)
                continue;
            fprintf(file[1], "x%d --> x%d\n", i, j);
            fprintf(file[2], "x%d -> x%d;\n", i, j);
            fprintf(file[3], "%s{\"from\": \"x%d\", \"to\": \"x%d\", \"mark\": \"-->\"}",
                    i + j > 1 ? ", " : "", i, j);
        }
    fputs("}\n", file[2]);
    fputs("]}\n", file[3]);
    for (int f = 0; f < 4; f++)
        fclose(file[f]);
}

int entries(void)
{
    DIR *dir = opendir(".");
    int count = 0;
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

int inputs_enter(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return -1;
    write_table("table.csv");
    write_levels("levels.csv");
    write_mixed("mixed.csv");
    write_matrix("matrix.csv");
    write_graphs();
    write_knowledge();
    return 0;
}

int inputs_leave(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        unlink(GRAPHS[i]);
    unlink("table.csv");
    unlink("levels.csv");
    unlink("mixed.csv");
    unlink("matrix.csv");
    for (int i = 0; i < 2; i++)
        unlink(KNOWLEDGE[i]);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}
