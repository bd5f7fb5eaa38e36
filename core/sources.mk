# The rooms of the library: their files, and which other rooms each may look into. Read by the
# Makefile and by the R package.
#
# A room is compiled with the include paths of the rooms that it sees and no others, so that who may
# call whom is a fact of the build. A room sees only rooms that stand before it in CORE_ROOMS.

CORE_ROOMS := base math graph knowledge data stats skeleton orient search latent result sample

SEES_base      := 
SEES_math      := base
SEES_graph     := base
SEES_knowledge := base graph
SEES_data      := base math graph
SEES_stats     := base math graph knowledge data
SEES_skeleton  := base math graph knowledge data stats
SEES_orient    := base math graph knowledge data stats skeleton
SEES_search    := base math graph knowledge data stats skeleton orient
SEES_latent    := base math graph knowledge data stats skeleton orient search
SEES_result    := base math graph knowledge data stats skeleton orient search latent
SEES_sample    := base math graph knowledge data stats skeleton orient search latent result

CORE_base := arena.c crew.c decimal.c findings.c labels.c names.c options.c platform.c random.c \
	settings.c sorted.c status.c text.c variates.c words.c
CORE_math := definite.c distribution.c linalg.c squarem.c test.c triangular.c vector.c
CORE_graph := adjacency.c adjust.c ancestral.c best.c bit_descendants.c causal.c classify.c closure.c compare.c \
	compare_named.c cycles.c distances.c equivalence.c extension.c flow.c graph.c meek.c mixed.c \
	mixed_lists.c pag.c pag_adjust.c pag_paths.c pag_repair.c pag_rules.c possible_dsep.c reach.c topological.c
CORE_knowledge := constraints.c knowledge.c known_marks.c
CORE_data := audit.c blocks.c canonical.c cells.c codes.c coding.c copies.c correlate.c correlation.c \
	correlation_matrix.c data_warnings.c dependence.c em.c em_expect.c expand.c groups.c \
	halves.c incomplete.c kinds.c latent.c latent_column.c latent_pair.c latent_rows.c \
	memory_plan.c pairwise.c patch.c prepare.c products.c quantised.c rank.c representatives.c \
	row_norms.c rows.c screen.c shared_tiles.c table.c ties.c
CORE_stats := block_family.c block_fit.c delta.c family.c far_quantile.c g2.c marginal.c score.c stats.c \
	wilks.c
CORE_skeleton := block_visit.c block_zero.c exchange.c level_zero.c panels.c plan.c sepset.c skeleton.c \
	stable.c standard.c subsets.c verdict.c visit.c
CORE_orient := acyclic.c apply_knowledge.c changed_set.c climb_arrows.c complete.c consistent.c decide.c \
	evidence.c loudness.c majority.c meek_passes.c orient.c provenance.c relaxed.c set_votes.c \
	triples.c two_away.c
CORE_search := backward.c candidate_parents.c class_search.c climb.c deep_edit.c edit.c effective.c exact.c \
	exact_blocks.c families.c gains.c ges.c ges_cpdag.c ges_known.c ges_lists.c ges_moves.c \
	greedy.c local_optimum.c order.c order_search.c order_try.c pool.c precedence.c refine.c \
	scorer.c start.c trees.c
CORE_latent := district_bound.c fci.c latent_moves.c mag_moves.c mag_score.c mag_screen.c mag_search.c mag_state.c \
	possible_sets.c ricf.c valid_pag.c
CORE_result := advice.c assumptions.c block_answer.c bootstrap.c consensus.c edge_table.c effects.c \
	estimate.c explain.c explain_pag.c explain_score.c fit.c frequency.c held_out.c hidden_hint.c implied.c \
	implied_blocks.c implied_tiles.c node_table.c optimal.c pag_frequency.c parental.c reasons.c regress.c replay.c \
	replay_lists.c resample.c resampled.c result.c strength.c terms.c weighted_graphs.c
CORE_sample := block_move.c candidates.c chain.c chain_dag.c diagnostics.c draws.c exact_draws.c \
	exact_edges.c family_score.c order_start.c parametric.c patterns.c picks.c plus_one.c \
	posterior.c run.c sample.c set_draw.c set_table.c space.c total_effects.c

CORE_SOURCES := learn.c $(foreach room,$(CORE_ROOMS),$(CORE_$(room):%=$(room)/%))
