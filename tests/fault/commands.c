/* Whole commands with faults: see commands.h. */
#include "commands.h"

#include "cli.h"
#include "inputs.h"

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define TABLE "../table.csv --missing rows --threads 1 --quiet"
#define STUDY "study t-noise-1.5 --out . --reps 1 --no-seconds --threads 1 --quiet"

const scenario SCENARIOS[] = {
    {.line = "learn " TABLE " -o o.txt -o o.csv -o o.json -o o.dot --explain a,b --explain c",
     .outputs = "o.txt o.csv o.json o.dot",
     .talks = true},
    {.line = "../matrix.csv --correlation --samples 500 --threads 1 --quiet --separating-sets "
             "--format json"},
    {.line = "../table.csv --missing pairwise --threads 1", .talks = true},
    {.line = TABLE " --bootstrap 3 --frequencies f.csv --min-frequency 0.4 --edges e.csv -o o.csv "
                   "--effects x.csv --dag d.txt --nodes n.csv",
     .outputs = "f.csv e.csv o.csv x.csv d.txt n.csv"},
    {.line = "../table.csv --missing em --threads 1 --quiet --refine fast -o o.graphml",
     .outputs = "o.graphml"},
    {.line = TABLE " --refine full --restarts 1 -o o.csv", .outputs = "o.csv"},
    {.line = TABLE " --method ges --knowledge ../knowledge.txt -o o.gml -o o.tsv",
     .outputs = "o.gml o.tsv"},
    {.line = TABLE " -o o.svg -o o.html", .outputs = "o.svg o.html"},
    {.line = "learn - --threads 1 --quiet --edges e.csv",
     .outputs = "e.csv",
     .input = "a,b,c\n1,2,1\n2,3,1\n3,1,4\n4,3,7\n1,1,1\n5,2,3\n6,6,7\n1,9,1\n"},
    {.line = "simulate --nodes 10 --samples 30 --seed 1 -o d.csv.gz --dag g.csv --cpdag c.txt",
     .outputs = "d.csv.gz g.csv c.txt",
     .talks = true},
    {.line = "simulate --nodes 8 --samples 20 --seed 1 --noise t:5 --tanh 1 --quiet"},
    {.line = "simulate --nodes 9 --samples 20 --structure small-world --design onion",
     .talks = true},
    {.line = "simulate --nodes 9 --samples 20 --mixed 0.4 --ordinal 0.5 --curved 0.5 -o d.csv.gz",
     .outputs = "d.csv.gz",
     .talks = true},
    {.line = "compare ../graph.csv ../graph.txt --differences d.csv", .outputs = "d.csv"},
    {.line = "compare ../graph.json ../graph.dot --json --graph pattern"},
    {.line = "effects " TABLE " -o e.csv -o e.json", .outputs = "e.csv e.json"},
    {.line = "effects " TABLE " --bootstrap 3 --top 2 --cause a,b --outcome j -o e.csv",
     .outputs = "e.csv"},
    {.line = "effects " TABLE " --graph ../twelve.txt --ida optimal --format json"},
    {.line =
         "sample ../table.csv --missing rows --threads 1 --chains 2 --draws 5 --candidates 4 "
         "--cause a,b --effects e.csv --probabilities p.csv --graphs g.jsonl -o o.json -o o.dot",
     .outputs = "e.csv p.csv g.jsonl o.json o.dot",
     .talks = true,
     .slow = true},
    {.line = "sample ../matrix.csv --correlation --samples 500 --threads 1 --chains 1 --draws 3 "
             "--candidates 3 --outcome V1 --quiet",
     .slow = true},
    {.line = "sample " TABLE " --chains 1 --draws 3 --candidates 3 -o o.svg -o o.html",
     .outputs = "o.svg o.html",
     .slow = true},
    {.line =
         TABLE " --posterior --chains 2 --draws 3 --candidates 3 --edges e.csv -o o.svg -o o.json",
     .outputs = "e.csv o.svg o.json",
     .slow = true},
    {.line = "adjust ../graph.csv x0 x5 --check x1,x2"},
    {.line = "adjust ../graph.txt x3 x9 --json"},
    {.line = "separate ../graph.csv x0 x6 --given x1,x2"},
    {.line = "separate ../graph.dot x0 x6 --json"},
    {.line = "convert ../graph.csv o.graphml", .outputs = "o.graphml"},
    {.line = "convert ../graph.json o.svg", .outputs = "o.svg"},
    {.line = "convert ../graph.csv - --to bnlearn"},
    {.line = "view ../graph.txt"},
    {.line = STUDY " --no-figures", .outputs = "summary.csv", .appends = true, .slow = true},
    {.line = STUDY, .outputs = "summary.csv index.html", .appends = true, .given = "results.csv"},
};
const int N_SCENARIOS = sizeof SCENARIOS / sizeof *SCENARIOS;

/* In memory where that can be had: files are flushed to the disk thousands of times. */
static char on_disk[] = "/tmp/dualpc-commands-XXXXXX", in_memory[] = "/dev/shm/dualpc-XXXXXX";
static const char *folder;
static ending *shared; /* with the processes of the commands */

/* ---- Files ---- */

static void copy_file(const char *from, const char *to)
{
    char bytes[1 << 16];
    size_t size;
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    assert_true(in != NULL && out != NULL);
    while ((size = fread(bytes, 1, sizeof bytes, in)) > 0)
        fwrite(bytes, 1, size, out);
    fclose(in);
    fclose(out);
}

/* Removes what is in a folder, and all below. */
static void empty(const char *path)
{
    char name[512];
    DIR *list = opendir(path);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_type == DT_DIR)
            empty(name);
        if (remove(name) != 0)
            fail_msg("cannot remove %s", name);
    }
    if (list != NULL)
        closedir(list);
}

/* A number for the bytes; the same for those that tell the time, or the day. */
static unsigned digest(const char *path)
{
    unsigned sum = 2166136261u;
    const char *end = strrchr(path, '.');
    FILE *file = fopen(path, "r");
    if (end != NULL && (strcmp(end, ".json") == 0 || strcmp(end, ".html") == 0)) {
        int first = file != NULL ? fgetc(file) : 0; /* old or new */
        fclose(file);
        return (unsigned)first;
    }
    for (int c; file != NULL && (c = fgetc(file)) != EOF;)
        sum = (sum ^ (unsigned)c) * 16777619u;
    if (file != NULL)
        fclose(file);
    return sum;
}

/* The files there, in the order of their names, a line for each. */
static void list_files(const char *path, char *text)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    char name[512];
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_type == DT_DIR && entries[i]->d_name[0] != '.')
            list_files(name, text);
        else if (entries[i]->d_type != DT_DIR)
            snprintf(text + used, MOST_LEFT - used, "%s %08x\n", name, digest(name));
        (free)(entries[i]);
    }
    if (count >= 0)
        (free)(entries);
}

static void read_beginning(const char *path, char *text)
{
    FILE *file = fopen(path, "r");
    size_t length = file != NULL ? fread(text, 1, MOST_LEFT - 1, file) : 0;
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
}

/* ---- One run ---- */

enum { MOST_WORDS = 40 };

static int call_main(int count, char **words)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {{"learn", learn_main},       {"simulate", simulate_main},
                    {"compare", compare_main},   {"convert", convert_main},
                    {"effects", effects_main},   {"adjust", adjust_main},
                    {"separate", separate_main}, {"view", view_main},
                    {"study", study_main},       {"sample", sample_main}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(words[1], commands[i].name) == 0)
            return commands[i].run(count - 1, words + 1);
    return learn_main(count, words);
}

/* The process of the command, to its end. */
static void become(const scenario *s, const fault *f)
{
    char line[1024], *words[MOST_WORDS + 1] = {"dualpc"};
    int count = 1;
    snprintf(line, sizeof line, "%s", s->line);
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " "))
        words[count++] = word;
    bool ready = freopen("stdout", "w", stdout) != NULL && freopen("stderr", "w", stderr) != NULL &&
                 freopen(s->input != NULL ? "stdin" : "/dev/null", "r", stdin) != NULL &&
                 chdir("work") == 0;
    if (!ready)
        _exit(99);
    alarm(600); /* a run that hangs ends like one that is called off */
    counts->calls = live = 0;
    fail_at = f->allocation;
    repeatedly = f->repeatedly;
    system_fails = f->system;
    for (int i = 0; i < N_CALLS; i++)
        counts->seen[i] = 0;
    int code = call_main(count, words);
    fail_at = 0;
    system_fails.at = 0;
    shared->allocations = counts->calls;
    shared->leaked = live;
    for (int i = 0; i < N_CALLS; i++)
        shared->seen[i] = counts->seen[i];
    fflush(NULL);
    _exit(code);
}

pid_t __real_waitpid(pid_t child, int *state, int how); /* one that is not counted */

static void run_here(const scenario *s, const fault *f, ending *out)
{
    int state;
    *shared = (ending){0};
    list_files("work", shared->before);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(s, f);
    assert_int_equal(__real_waitpid(child, &state, 0), child);
    *out = *shared;
    out->code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    out->signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    read_beginning("stdout", out->out);
    read_beginning("stderr", out->err);
    list_files("work", out->left);
}

void run_command(const scenario *s, const fault *f, bool old, ending *out)
{
    char names[256], path[300];
    empty("work");
    assert_int_equal(mkdir("work/dualpc", 0700), 0); /* of view */
    snprintf(names, sizeof names, "%s", s->outputs != NULL && old ? s->outputs : "");
    for (char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " ")) {
        snprintf(path, sizeof path, "work/%s", name);
        write_text(path, "old\n");
    }
    snprintf(path, sizeof path, "work/%s", s->given != NULL ? s->given : "");
    if (s->given != NULL)
        copy_file(s->given, path);
    if (s->input != NULL)
        write_text("stdin", s->input);
    run_here(s, f, out);
}

void run_again(const scenario *s, ending *out)
{
    run_here(s, &(fault){0}, out);
}

/* ---- What must be so ---- */

static int wrong; /* things */

/* Tells it, unless much was told already. */
static void tell(const scenario *s, const ending *e, const char *what, const char *rule)
{
    if (wrong++ < 12)
        print_error("dualpc %s\n  %s: %s\n  exit code %d, signal %d, %ld blocks leaked\n"
                    "  stderr: %s  before:\n%s  after:\n%s",
                    s->line, what, rule, e->code, e->signal, e->leaked, e->err, e->before, e->left);
}

void expect_no_wrong(void)
{
    int seen = wrong;
    wrong = 0;
    if (seen > 0)
        fail_msg("%d things are not as they must be", seen);
}

void expect_whole(const scenario *s, const ending *e, const ending *whole, const char *what)
{
    if (e->code != 0)
        tell(s, e, what, "must end well");
    else if (e->leaked != 0)
        tell(s, e, what, "must free all memory");
    else if (strcmp(e->left, whole->left) != 0)
        tell(s, e, what, "must write the same files");
    else if (strstr(s->line, "json") == NULL && strcmp(e->out, whole->out) != 0)
        tell(s, e, what, "must print the same");
}

void expect_nothing(const scenario *s, const ending *e, int code, const char *what)
{
    const char *last = e->err, *end = strchr(e->err, '\n');
    for (; s->talks && end != NULL && end[1] != '\0'; end = strchr(last, '\n'))
        last = end + 1;
    if (e->code != code)
        tell(s, e, what, "has the wrong exit code");
    else if (e->leaked != 0)
        tell(s, e, what, "must free all memory");
    else if (strncmp(last, "dualpc: ", 8) != 0 || end == NULL || end[1] != '\0')
        tell(s, e, what, "must say it in one sentence");
    else if (code == DPC_NO_MEMORY && strstr(last, "memory") == NULL)
        tell(s, e, what, "must speak of memory");
    else if (code != DPC_WRITE_FAILED && e->out[0] != '\0') /* a pipe takes nothing back */
        tell(s, e, what, "must print nothing");
    else if (!s->appends && strcmp(e->left, e->before) != 0)
        tell(s, e, what, "must leave all files as they were");
    else if (s->appends && (strstr(e->left, ".new") != NULL || strstr(e->left, ".part") != NULL))
        tell(s, e, what, "must leave no temporary file");
}

/* ---- The folder ---- */

int commands_enter(void **state)
{
    (void)state;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    folder = mkdtemp(in_memory);
    if (folder == NULL)
        folder = mkdtemp(on_disk);
    if (shared == MAP_FAILED || !count_with_children() || folder == NULL || chdir(folder) != 0)
        return -1;
    write_table("table.csv");
    write_matrix("matrix.csv");
    write_graphs();
    write_knowledge();
    write_text("twelve.txt", "a --- b\nb --- c\nd --> e\nf --> e\ne --> g\nh --> i\nj --> i\n"
                             "copy --- constant\n");
    mkdir("work", 0777);
    mkdir("bin", 0777);
    write_text("bin/gnuplot", "#!/bin/sh\n"
                              "for end in svg pdf; do echo $end >\"${3%.gp}.$end.new\"; done\n");
    chmod("bin/gnuplot", 0777);
    char path[512];
    snprintf(path, sizeof path, "%s/bin:/usr/bin:/bin", folder);
    setenv("PATH", path, 1);
    setenv("BROWSER", "true", 1);
    snprintf(path, sizeof path, "%s/work", folder);
    setenv("XDG_CACHE_HOME", path, 1);
    ending whole;
    const scenario results = {.line = STUDY " --no-figures"};
    run_command(&results, &(fault){0}, false, &whole);
    copy_file("work/results.csv", "results.csv");
    FILE *torn = fopen("results.csv", "a");
    assert_non_null(torn);
    fputs("50,", torn); /* the beginning of a row */
    fclose(torn);
    return whole.code;
}

int commands_leave(void **state)
{
    (void)state;
    empty(folder);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}
