# dualpc: the front door.
#
#   make            build/dualpc and the library
#   make mpi        build/dualpc-mpi, for several machines; needs MPI (make deps-mpi)
#   make demo       installs what is missing, builds, learns the bundled example
#   make check      installs what is missing, runs all tests, in about half an hour
#   make check-long the same with many more repetitions
#   make check-quick before a commit: builds, runs the fast tests, in less than a minute
#   make check-r    the R package alone: builds it, and checks it as CRAN would
#   make check-python the Python package alone, in an environment of its own
#   make fuzz       random bytes at everything that reads, SECONDS=20 for each: see tools/fuzz.sh
#   make analysis   what gcc -fanalyzer, clang-tidy and cppcheck say, judged by tools/findings.py
#   make coverage   the lines of core/ and io/ that the tests reach; see tools/coverage.py
#   make study      installs what is missing, runs the paper's simulation study into build/study
#   make bench      installs what is missing, measures; see bench/README.md
#   make install    program, library, header, pkg-config file, man page (PREFIX, LIBDIR, DESTDIR)
#   make format     clang-format on every file
#   make clean
#
# BUILD, CC and SANITIZE make other builds beside the usual one:
#   make BUILD=build/asan SANITIZE=address,undefined tests
#   make BLAS='-lblas -llapack'     another BLAS and LAPACK than OpenBLAS
#   make OPENMP=0                   for a compiler without OpenMP. Only its hints for vector loops
#                                   are used; threads are POSIX threads
#   make WERROR=1                   warnings are errors, as in make check
#   make HARDEN=0                   without what makes a mistake harder to exploit

BUILD    ?= build
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
CFLAGS   ?= -O3 -g
BLAS     ?= -lopenblas
MPICC    ?= mpicc
OPENMP   ?= 1
WERROR   ?= 0
HARDEN   ?= 1
VERSION  := $(shell sed -n 's/.*DPC_VERSION "\(.*\)"/\1/p' include/dualpc.h)

include core/sources.mk
CORE := $(CORE_SOURCES:%=core/%)
IO   := $(wildcard io/*.c)
CLI  := $(wildcard cli/*.c)
SIM  := $(wildcard sim/*.c)
STUDY := $(wildcard study/*.c)
PICTURE := $(wildcard picture/*.c)
REPORT := $(wildcard report/*.c)
MPI  := $(wildcard mpi/*.c)
SUPPORT := $(wildcard tests/support/*.c tests/reference/*.c)
TESTS   := $(wildcard tests/unit/*.c tests/property/*.c tests/golden/*.c tests/fault/test_*.c)
FAULT   := $(filter-out $(TESTS),$(wildcard tests/fault/*.c))
FORMATTED = $(shell git ls-files '*.c' '*.h' 2>/dev/null || ls */*.[ch] */*/*.[ch])

FLAGS := -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-pass-failed -pthread -fvisibility=hidden -fPIC \
	-fno-math-errno -fno-trapping-math -Iinclude -MMD -MP
LIBS  := -lgsl $(BLAS) -lz -lm
GRAPHVIZ := -lgvc -lcgraph # of the program alone, for pictures
FLAGS += $(if $(filter 0,$(OPENMP)),-Wno-unknown-pragmas,-fopenmp-simd)
FLAGS += $(if $(filter 0,$(WERROR)),,-Werror)
ifdef SANITIZE
FLAGS += -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

comma := ,

# A mistake that is left should end the program, not serve somebody: stacks with canaries, checked
# copies where the compiler optimises, addresses that differ from run to run, tables of functions
# that nobody can write. Sanitizers have their own checks in the place of the copies'.
ifneq ($(HARDEN),0)
FLAGS += -fstack-protector-strong -Wformat-security
ifndef SANITIZE
FLAGS += $(if $(filter-out -O0,$(filter -O%,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif
FLAGS += $(if $(filter x86_64,$(shell uname -m)),-fcf-protection)
SAFE_LINK := $(if $(filter Linux,$(shell uname -s)),-Wl$(comma)-z$(comma)relro -Wl$(comma)-z$(comma)now)
PIE := -pie
endif

# `make V=1` shows the commands.
V ?= 0
ifeq ($(V),0)
quiet = @printf '  %-4s %s\n' '$(1)' '$@';
endif

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
TEST_PROGRAMS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TESTS))
TEST_MEMORY := $(BUILD)/tests/core/test_memory

.PHONY: always all tests list-tests fuzz-programs fuzz bench-programs demo check check-quick check-r check-long study bench install format clean deps deps-check deps-r deps-study deps-bench check-python deps-python analysis coverage mpi deps-mpi
.SECONDARY:

all: $(BUILD)/dualpc $(BUILD)/libdualpc.a $(BUILD)/libdualpc.so

mpi: $(BUILD)/dualpc-mpi

# ---- Build ----

# Is there all that a build needs? Asked once for each build folder. A compiler or a library that is
# missing is not worth a page of errors.
found = @mkdir -p $(@D); printf '%s\n' $(1) | $(CC) $(CFLAGS) -x c - -x none $(LDFLAGS) $(2) -o $@ 2>$@.log || \
	{ sed -n '/error\|not found\|cannot/ { p; q; }' $@.log; rm -f $@; \
	echo "$(strip $(3)) cannot be found; run $(strip $(4))"; exit 1; } >&2

$(BUILD)/found:
	$(call found,'#include <gsl/gsl_cdf.h>' '#include <zlib.h>' '#include <graphviz/gvc.h>' \
		'void dsyrk_(void); void dpotrf_(void);' \
		'int main(void) { return (int)gsl_cdf_ugaussian_Q(0) + (int)zlibVersion()[0] + (dsyrk_ == dpotrf_) + (gvContext == 0); }',\
		$(LIBS) $(GRAPHVIZ),What dualpc is built with (a C compiler$(comma) GSL$(comma) a BLAS with LAPACK$(comma) zlib$(comma) Graphviz),\
		make demo$(comma) or tools/deps.sh build)

$(BUILD)/found-cmocka:
	$(call found,'#include <stdarg.h>' '#include <stddef.h>' '#include <stdint.h>' '#include <setjmp.h>' \
		'#include <cmocka.h>' 'int main(void) { return _cmocka_run_group_tests == 0; }',\
		-lcmocka,What the tests are built with (cmocka),make check$(comma) or tools/deps.sh build check)

# Open MPI tells what it takes to compile and link with it; only who builds dualpc-mpi asks.
mpi_compile = $(shell $(MPICC) --showme:compile 2>/dev/null)
mpi_link = $(shell $(MPICC) --showme:link 2>/dev/null)
$(BUILD)/found-mpi:
	$(call found,'#include <mpi.h>' 'int main(void) { return MPI_Init_thread == 0; }',\
		$(mpi_compile) $(mpi_link),What dualpc-mpi is built with (Open MPI),\
		make deps-mpi)

# The report: what its page allows itself, by the hashes of its script and its style; and what it is
# made of.
hash_of = $$(env printf "$$(sha256sum $(1) | cut -c 1-64 | sed 's/../\\x&/g')" | base64)
$(BUILD)/report/csp.h: report/page.js report/page.css
	@mkdir -p $(@D)
	$(call quiet,GEN)echo "#define DPC_PAGE_CSP \"default-src 'none'; script-src 'sha256-$(call hash_of,report/page.js)'; style-src" \
		"'sha256-$(call hash_of,report/page.css)'; base-uri 'none'; form-action 'none'\"" >$@
$(BUILD)/report/report.o: report/page.html report/page.css report/page.js $(BUILD)/report/csp.h

# Other flags make other objects.
$(BUILD)/flags: always
	@mkdir -p $(@D); echo '$(filter-out -Werror,$(FLAGS)) $(CFLAGS)' >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags | $(BUILD)/found $(BUILD)/found-cmocka
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(FLAGS) $(CFLAGS) $(call sees,$<) -c $< -o $@

$(BUILD)/mpi/%.o: mpi/%.c $(BUILD)/flags | $(BUILD)/found $(BUILD)/found-mpi
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(FLAGS) $(CFLAGS) $(call sees,$<) $(mpi_compile) -c $< -o $@

$(BUILD)/%.o: %.c $(BUILD)/flags | $(BUILD)/found
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(FLAGS) $(CFLAGS) $(call sees,$<) -c $< -o $@

# What each folder may include: the public headers always, of the inside only what stands here. The
# rooms of core/ have their lines in core/sources.mk.
ALL_ROOMS := $(CORE_ROOMS:%=core/%)
$(foreach room,$(CORE_ROOMS),$(eval SEES_core_$(room)_ := $(addprefix core/,$(room) $(SEES_$(room)))))
SEES_core_            := $(ALL_ROOMS)
SEES_io_              := io core/base core/data core/graph core/knowledge
SEES_cli_             := cli sim study picture report core/base core/graph
SEES_picture_         := picture core/base core/graph
SEES_report_          := report picture io core/base core/graph $(BUILD)/report
SEES_mpi_             := mpi cli picture core/base core/data core/knowledge
SEES_sim_             := sim $(ALL_ROOMS) io
SEES_study_           := study sim core/base core/math core/graph
SEES_examples_        := $(ALL_ROOMS) sim tests/support
SEES_bench_           := $(ALL_ROOMS) io sim tests/support
SEES_tests            := $(ALL_ROOMS) io sim study picture report tests/support tests/reference
SEES_tests_support_   := $(SEES_tests)
SEES_tests_reference_ := tests/reference
SEES_tests_unit_      := $(SEES_tests)
SEES_tests_property_  := $(SEES_tests)
SEES_tests_golden_    := $(SEES_tests)
SEES_tests_fault_     := $(SEES_tests) cli tests/fault
SEES_tests_fuzz_      := $(SEES_tests) cli tests/fuzz
sees = $(addprefix -I,$(SEES_$(subst /,_,$(dir $(1)))))

$(BUILD)/libdualpc.a: $(call objects,$(CORE) $(IO))
	$(call quiet,AR)rm -f $@ && ar rcs $@ $^

$(BUILD)/libdualpc.so: $(call objects,$(CORE) $(IO))
	$(call quiet,LD)$(CC) $(FLAGS) $(CFLAGS) $(SAFE_LINK) $(LDFLAGS) -shared -Wl,-soname,libdualpc.so.0 $^ $(LIBS) -o $@

$(BUILD)/dualpc: $(call objects,$(CLI) $(STUDY) $(SIM) $(PICTURE) $(REPORT)) $(BUILD)/libdualpc.a
	$(call quiet,LD)$(CC) $(FLAGS) $(CFLAGS) $(PIE) $(SAFE_LINK) $(LDFLAGS) $^ $(LIBS) $(GRAPHVIZ) -o $@

# With other ranks. Only what is in mpi/ knows of MPI.
$(BUILD)/dualpc-mpi: $(call objects,$(MPI) $(filter-out cli/main.c,$(CLI)) $(STUDY) $(SIM) $(PICTURE) $(REPORT)) $(BUILD)/libdualpc.a
	$(call quiet,LD)$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) $(GRAPHVIZ) $(mpi_link) -o $@

$(BUILD)/make-example: $(BUILD)/examples/make-example.o $(call objects,$(SIM) tests/support/dag_gsl.c) $(BUILD)/libdualpc.a
	$(call quiet,LD)$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(call objects,$(SUPPORT) $(STUDY) $(SIM)) $(BUILD)/libdualpc.a
	$(call quiet,LD)$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) $(WRAP_$(*F)) $(filter %.o,$^) $(filter %.a,$^) \
		$(LIBS) -lcmocka -o $@

$(BUILD)/tests/unit/test_report: $(call objects,report/explain.c)
$(BUILD)/tests/unit/test_picture: $(call objects,picture/label.c picture/layout.c report/strongest.c)

# The fault tests take the place of the allocator and of the system, for the project's own calls.
# They have all of the program but main().
WRAPPED := malloc calloc realloc posix_memalign strdup asprintf newlocale freelocale fopencookie \
	open_memstream free write read pread open openat opendir fopen close fsync fdatasync rename link \
	ftruncate flock poll stat fstat mkdir fork waitpid socketpair dup2 pthread_create \
	__asprintf_chk __read_chk __pread_chk
$(filter $(BUILD)/tests/fault/%,$(TEST_PROGRAMS)): %: %.o $(call objects,$(FAULT) $(SUPPORT) $(STUDY) $(SIM) \
		$(filter-out cli/main.c,$(CLI)) $(PICTURE) $(REPORT)) $(BUILD)/libdualpc.a
	$(call quiet,LD)$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) $(WRAPPED:%=-Wl$(comma)--wrap=%) $(filter %.o,$^) \
		$(filter %.a,$^) $(LIBS) $(GRAPHVIZ) -lcmocka -o $@

# A program that keeps to memory needs core/ alone: nothing of io/, and no zlib.
$(TEST_MEMORY): $(BUILD)/examples/memory.o $(call objects,$(CORE))
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) $^ $(filter-out -lz,$(LIBS)) -o $@

# In these the caller is asked whether to go on whenever it can be: see tests/support/hasty.c.
$(foreach test,source ges bootstrap explain refined timeout ranks sample_time,$(eval WRAP_test_$(test) := -Wl,--wrap=dpc_seconds_roughly))

# Harnesses for libFuzzer, which has the main(). They need clang and SANITIZE=fuzzer-no-link: see
# tools/fuzz.sh.
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/fuzz.o $(BUILD)/libdualpc.a
	$(call quiet,LD)$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer $(WRAP_$(@F)) $(filter %.o,$^) \
		$(filter %.a,$^) $(LIBS) $(ALSO_$(@F)) -o $@

$(BUILD)/tests/fuzz/fuzz_engine: $(call objects,$(wildcard tests/reference/*.c) tests/support/twin.c)
$(BUILD)/tests/fuzz/fuzz_options: $(call objects,$(filter-out cli/main.c,$(CLI)) $(STUDY) $(SIM) $(PICTURE) $(REPORT))
WRAP_fuzz_options := -Wl,--wrap=append_text
ALSO_fuzz_options := $(GRAPHVIZ)

fuzz-programs: $(FUZZERS)

tests: all $(TEST_PROGRAMS) $(TEST_MEMORY)

# The programs that there are sources for; what an older build has left in the folder is not one.
list-tests:
	@printf '%s\n' $(TEST_PROGRAMS) $(TEST_MEMORY)

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(call objects,$(SIM) tests/support/dag_gsl.c) $(BUILD)/libdualpc.a
	$(call quiet,LD)$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@

# One of them has more than one file.
BENCH_REFINE := $(wildcard bench/refine_*.c)
$(BUILD)/bench/refine: $(call objects,$(BENCH_REFINE))

bench-programs: all $(patsubst bench/%.c,$(BUILD)/bench/%,$(filter-out $(BENCH_REFINE),$(wildcard bench/*.c)))

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

examples/example.csv: examples/make-example.c
	@$(MAKE) --no-print-directory $(BUILD)/make-example
	$(BUILD)/make-example examples/example.csv examples/example-truth.txt

# ---- What a new user types ----

deps:
	@tools/deps.sh build

deps-check:
	@tools/deps.sh build check r python browser mpi

deps-mpi:
	@tools/deps.sh build mpi

deps-r:
	@tools/deps.sh r

deps-python:
	@tools/deps.sh build check python

deps-study:
	@tools/deps.sh build study

deps-bench:
	@tools/deps.sh build bench

demo: deps
	@$(MAKE) --no-print-directory all
	@tools/demo.sh $(BUILD)/dualpc

check: deps-check
	@tools/check.sh

check-quick:
	@tools/check.sh --quick

check-r: deps-r
	@tools/check.sh r

check-long: deps-check
	@tools/check.sh --long

check-python: deps-python
	@tools/check.sh python

SECONDS ?= 20
fuzz: deps-check
	@tools/fuzz.sh $(SECONDS)

study: deps-study
	@$(MAKE) --no-print-directory all
	$(BUILD)/dualpc study all --out build/study

bench: deps-bench
	@$(MAKE) --no-print-directory bench-programs
	@python3 bench/bench.py $(BUILD)

# ---- Looking at the code ----

# What three programs say to every file of the library and of the program, each in a log of its own;
# tools/findings.py reads them, and knows which of the findings are none. gcc is asked without
# optimisation: inlined, it follows its own inventions.
ANALYSED := $(CORE) $(IO) $(CLI) $(SIM) $(STUDY) $(PICTURE) $(REPORT)
ANALYSIS := $(BUILD)/analysis

analysis: $(foreach tool,gcc tidy cppcheck,$(ANALYSED:%.c=$(ANALYSIS)/%.$(tool)))
	@python3 -B tools/findings.py $^

$(ANALYSIS)/%.gcc: %.c | $(BUILD)/found $(BUILD)/report/csp.h
	@mkdir -p $(@D)
	$(call quiet,GCC)gcc $(filter-out -Werror,$(FLAGS)) -O0 -fanalyzer -fanalyzer-verbosity=0 -fdiagnostics-plain-output \
		$(call sees,$<) -MF $@.d -MT $@ -S $< -o /dev/null 2>$@ || { cat $@; rm -f $@; exit 1; }

# The headers that a file includes are known from the rule above.
$(ANALYSIS)/%.tidy: %.c .clang-tidy $(ANALYSIS)/%.gcc
	$(call quiet,TIDY)clang-tidy --quiet $< -- $(filter-out -Werror,$(FLAGS)) $(call sees,$<) >$@ 2>$@.log || { cat $@ $@.log; rm -f $@; exit 1; }

$(ANALYSIS)/%.cppcheck: %.c $(ANALYSIS)/%.gcc
	$(call quiet,CPP)cppcheck --quiet --std=c11 --enable=warning,performance,portability --inconclusive \
		-D_GNU_SOURCE -Iinclude $(call sees,$<) --template=gcc $< 2>$@ || \
		{ cat $@; rm -f $@; exit 1; }

# A build that counts, and the programs that are run with it; what they do not reach is listed.
coverage:
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) --no-print-directory BUILD=build/coverage CFLAGS='-O1 --coverage -fprofile-update=atomic' tests
	@bash tools/coverage.sh build/coverage

# ---- Install ----

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include \
		$(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(BUILD)/dualpc $(DESTDIR)$(PREFIX)/bin/
	install -m 644 include/dualpc.h include/dualpc_graph.h include/dualpc_explain.h include/dualpc_sample.h include/dualpc_io.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(BUILD)/libdualpc.a $(DESTDIR)$(LIBDIR)/
	install -m 755 $(BUILD)/libdualpc.so $(DESTDIR)$(LIBDIR)/libdualpc.so.$(VERSION)
	ln -sf libdualpc.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libdualpc.so.0
	ln -sf libdualpc.so.0 $(DESTDIR)$(LIBDIR)/libdualpc.so
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		-e 's|@LIBS@|$(LIBS)|' tools/dualpc.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/dualpc.pc
	install -m 644 docs/dualpc.1 $(DESTDIR)$(PREFIX)/share/man/man1/

# ---- Housekeeping ----

format:
	clang-format -i $(FORMATTED)

clean:
	rm -rf $(BUILD)
