#!/usr/bin/env python3
"""Coverage of total effects where everything is exact: no sampler of DAGs, no candidates, the prior's own data.

    bench/calibration.py [DATA_SETS [N [SEED]]]      default: 1000 data sets of 100 rows, seed 1

Four variables. A DAG is drawn from the fair prior, or from the one by orders; its parameters from the BGe prior (alpha_mu = 1,
alpha_w = n + 2, T0 = I / 2), or as in the paper's simulation (weights from 0.4 to 2, noise of variance 1). The posterior given
the data, always with the fair prior, is found by all 543 DAGs. In the first case it is calibrated by construction. Printed for
each: the share of true effects that are not zero and its mean probability; the coverage of 90 % intervals, of all pairs and of
those whose effect is not zero; and the second as the posterior itself expects it. Needs numpy and scipy.
"""
import itertools
import math
import sys

import numpy as np
from scipy.special import gammaln

n, T0, DRAWS = 4, 0.5, 400
OTHERS = [[u for u in range(n) if u != v] for v in range(n)]
SETS = [[[u for k, u in enumerate(OTHERS[v]) if mask >> k & 1] for mask in range(1 << (n - 1))] for v in range(n)]


def count_orders(parents):
    """0: there is a circle."""
    return sum(all(set(parents[v]) <= set(order[:i]) for i, v in enumerate(order)) for order in itertools.permutations(range(n)))


def all_dags():
    """Masks of parents, log of the fair prior, and orders, of each."""
    found = []
    for masks in itertools.product(range(1 << (n - 1)), repeat=n):
        parents = [SETS[v][m] for v, m in enumerate(masks)]
        orders = count_orders(parents)
        if orders > 0:
            found.append((masks, -sum(math.log(math.comb(n - 1, len(p))) for p in parents), orders))
    return np.array([f[0] for f in found]), np.array([f[1] for f in found]), np.array([f[2] for f in found])


def draw_parameters(rng, T, masks, rows, count):
    """Weights b[., u, v] and error variances, from a normal-Wishart distribution after so many rows."""
    b, variance = np.zeros((count, n, n)), np.zeros((count, n))
    for v in range(n):
        S = SETS[v][masks[v]]
        chi = rng.chisquare(len(S) + 3 + rows, count)
        left = T[v, v]
        if S:
            mean = np.linalg.solve(T[np.ix_(S, S)], T[S, v])
            left = T[v, v] - T[S, v] @ mean
            noise = np.linalg.solve(np.linalg.cholesky(T[np.ix_(S, S)]).T, rng.standard_normal((len(S), count)))
            b[:, S, v] = mean + noise.T * np.sqrt(left / chi)[:, None]
        variance[:, v] = left / chi
    return b, variance


def family_scores(T, rows):
    def log_det(S):
        return np.linalg.slogdet(T[np.ix_(S, S)])[1] if S else 0.0
    scores = np.empty((n, 1 << (n - 1)))
    for v in range(n):
        for mask, S in enumerate(SETS[v]):
            s, a = len(S), len(S) + 3
            scores[v, mask] = (gammaln((a + rows) / 2) - gammaln(a / 2) + (a + s) / 2 * math.log(T0)
                               - (a + rows) / 2 * (log_det(S + [v]) - log_det(S)) - log_det(S) / 2)
    return scores


def effects(b):
    e = np.linalg.inv(np.eye(n) - b)
    e[np.abs(e) < 1e-12] = 0
    return e


def draw_data(rng, masks, rows, paper):
    """True effects, and T of the posterior; of the paper's data after standardising, with the effects of these."""
    if paper:
        b = np.zeros((n, n))
        for v in range(n):
            b[SETS[v][masks[v]], v] = rng.uniform(0.4, 2, len(SETS[v][masks[v]]))
        variance = np.ones(n)
    else:
        b, variance = (x[0] for x in draw_parameters(rng, T0 * np.eye(n), masks, 0, 1))
    total = effects(b)
    x = rng.standard_normal((rows, n)) * np.sqrt(variance) @ total
    mean = np.zeros(n) if paper else (rng.standard_normal(n) * np.sqrt(variance)) @ total
    x += mean
    mean = x.mean(0)
    x -= mean
    if paper:
        sd = x.std(0, ddof=1)
        return total * sd[:, None] / sd[None, :], T0 * np.eye(n) + (x / sd).T @ (x / sd)
    return total, T0 * np.eye(n) + x.T @ x + rows / (rows + 1) * np.outer(mean, mean)


def line(name, rng, dags, prior, truth, count, rows, paper):
    pairs = ~np.eye(n, dtype=bool)
    covered, nonzero, given, expected = [], [], [], []
    for _ in range(count):
        true, T = draw_data(rng, dags[rng.choice(len(dags), p=truth)], rows, paper)
        scores = family_scores(T, rows)
        weight = prior + sum(scores[v][dags[:, v]] for v in range(n))
        weight = np.exp(weight - weight.max())
        drawn = rng.multinomial(DRAWS, weight / weight.sum())
        e = np.concatenate([effects(draw_parameters(rng, T, dags[g], rows, drawn[g])[0]) for g in np.nonzero(drawn)[0]])
        e, true = e[:, pairs], true[pairs]
        low, high = np.quantile(e, [0.05, 0.95], axis=0)
        covered.append((true >= low) & (true <= high))
        nonzero.append(true != 0)
        given.append((e != 0).mean(0))
        expected.append(((e >= low) & (e <= high) & (e != 0)).mean(0))
    covered, nonzero, given = np.array(covered), np.array(nonzero), np.array(given)
    per_set = (covered & nonzero).sum(1) - covered[nonzero].mean() * nonzero.sum(1)
    print("%-34s true %.3f given %.3f   coverage %.3f   of true %.3f ± %.3f   expected %.3f" % (
        name, nonzero.mean(), given.mean(), covered.mean(), covered[nonzero].mean(),
        math.sqrt((per_set ** 2).sum()) / nonzero.sum(), np.sum(expected) / given.sum()), flush=True)


def main(count=1000, rows=100, seed=1):
    rng = np.random.default_rng(seed)
    dags, fair, orders = all_dags()
    for paper in False, True:
        for name, weight in ("fair", np.exp(fair)), ("by orders", np.exp(fair) * orders):
            line("DAGs %s, parameters %s" % (name, "of the paper" if paper else "of the prior"), rng, dags, fair,
                 weight / weight.sum(), count, rows, paper)


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
