"""Learns the structure of Gaussian Bayesian networks: the dual PC algorithm.

    import dualpc

    result = dualpc.learn(X, alpha=0.01)       # an array or a data frame
    result.edges                               # [Edge(source='V2', target='V1', mark='-->'), …]
    result.adjacency                           # 0/1 matrix
    print(result.explain("V1", "V2"))          # why there is an edge, or none

    pag = dualpc.learn(X, latent="search")     # with hidden common causes
    pag.marks                                  # the marks at the ends of its edges

    posterior = dualpc.sample(X)               # how probable each edge is
    posterior.probabilities                    # entry (i, j): of i --> j

`DualPC` is the same as an estimator in the manner of scikit-learn.
"""
from ._core import version as __version__
from ._errors import (DataError, DualPCError, DualPCWarning, Interrupted, OutOfMemoryError,
                      UsageError, WriteError)
from ._estimator import DualPC
from ._graph import Adjustment, Edge, Graph, Separation
from ._learn import learn, learn_correlation
from ._options import OPTIONS as options
from ._posterior import Posterior, PosteriorEffect, Probability
from ._progress import Progress
from ._result import (EdgeRow, Effect, Effects, Explanation, Frequency, NodeRow, PagFrequency,
                      Result, SeparatingSet)
from ._sample import sample, sample_correlation

__all__ = ["Adjustment", "DataError", "DualPC", "DualPCError", "DualPCWarning", "Edge", "EdgeRow",
           "Effect", "Effects", "Explanation", "Frequency", "Graph", "Interrupted", "NodeRow",
           "OutOfMemoryError", "PagFrequency", "Posterior", "PosteriorEffect", "Probability",
           "Progress", "Result", "SeparatingSet", "Separation", "UsageError", "WriteError",
           "__version__", "learn", "learn_correlation", "options", "sample", "sample_correlation"]
