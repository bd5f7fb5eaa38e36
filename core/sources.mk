# The library's own files; the R package will read this list too.
CORE_SOURCES := adjacency.c \
	audit.c \
	check.c \
	compare.c \
	correlation.c \
	crew.c \
	equivalence.c \
	error.c \
	ges.c \
	ges_graph.c \
	ges_moves.c \
	ges_sweep.c \
	graph.c \
	kernel.c \
	learn.c \
	linalg.c \
	match.c \
	names.c \
	orient.c \
	prepare.c \
	rank.c \
	screen.c \
	sepset.c \
	settings.c \
	settle.c \
	skeleton.c \
	stable.c \
	standard.c \
	stat.c \
	subsets.c \
	table.c \
	text.c \
	vector.c
