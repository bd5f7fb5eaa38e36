# The rooms of the library: their files, and which other rooms each may look into. Read by the
# Makefile and by the R package.
#
# A room is compiled with the include paths of the rooms that it sees and no others, so that who may
# call whom is a fact of the build. A room sees only rooms that stand before it in CORE_ROOMS.

CORE_ROOMS := base math graph data knowledge skeleton orient score refine explain bootstrap fit causal effects

SEES_base      :=
SEES_math      := base
SEES_graph     := base
SEES_data      := base math graph
SEES_knowledge := base graph
SEES_skeleton  := base math data graph knowledge
SEES_orient    := base math data graph knowledge skeleton
SEES_score     := base math data graph knowledge
SEES_refine    := base math data graph knowledge skeleton orient score
SEES_explain   := base math data graph knowledge skeleton orient score
SEES_bootstrap := base math data graph knowledge skeleton orient explain
SEES_fit       := base math data graph knowledge skeleton orient score explain
SEES_causal    := base graph
SEES_effects   := base math data graph bootstrap causal

CORE_base := crew.c decimal.c error.c findings.c labels.c names.c options.c platform.c random.c settings.c sorted.c text.c words.c
CORE_math := blas.c blocks.c definite.c distribution.c linalg.c stat.c vector.c
CORE_graph := adjacency.c arrows.c class_member.c compare.c compare_named.c cycles.c equivalence.c graph.c meek.c reach.c
CORE_data := audit.c canonical.c cells.c coarse.c copies.c correlation.c dependence.c em.c fits.c incomplete.c oddities.c pairwise.c patch.c prepare.c products.c \
	rank.c rows.c screen.c shared_tiles.c squares.c table.c
CORE_knowledge := constraints.c knowledge.c
CORE_skeleton := exchange.c level_zero.c plan.c sepset.c skeleton.c stable.c standard.c subsets.c verdict.c visit.c
CORE_orient := acyclic.c best.c by_knowledge.c changed_set.c complete.c consistent.c decide.c evidence.c grounds.c majority.c orient.c passes.c \
	polish.c relaxed.c set_votes.c triples.c two_away.c
CORE_score := ges.c ges_cpdag.c ges_known.c ges_lists.c ges_moves.c ges_sweep.c
CORE_refine := backward.c climb.c families.c gains.c hand.c known_arrows.c near.c order.c order_search.c party.c precedence.c refine.c score.c \
	start.c survey.c trees.c wide.c
CORE_explain := explain.c explain_score.c reasons.c replay.c replay_lists.c result.c
CORE_bootstrap := bootstrap.c consensus.c frequency.c resample.c
CORE_fit := edge_table.c fit.c implied.c implied_tiles.c strength.c
CORE_causal := adjust.c causal.c closure.c distances.c flow.c kin.c lanes.c sound.c
CORE_effects := effects.c estimate.c optimal.c parental.c regress.c resampled.c

CORE_SOURCES := learn.c $(foreach room,$(CORE_ROOMS),$(CORE_$(room):%=$(room)/%))
