# The library's own files; the R package will read this list too.
CORE_SOURCES := adjacency.c arrows.c audit.c check.c correlation.c crew.c equivalence.c error.c evidence.c extend.c extension.c \
	graph.c greedy.c kernel.c learn.c linalg.c order.c orient.c orient_consistent.c orient_vote.c prepare.c \
	rank.c screen.c sepset.c settings.c settle.c skeleton.c stable.c standard.c stat.c subsets.c table.c text.c toggle.c \
	triples.c vector.c vote.c
