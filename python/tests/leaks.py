"""Calls everything again and again under live.c; run by test_running.py. Prints nothing, or what is left."""
import ctypes
import gc
import sys
import warnings

import numpy as np

import dualpc

live = ctypes.CDLL(None).live
live.restype = ctypes.c_long
X = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)


warnings.simplefilter("ignore", dualpc.DualPCWarning)


def everything():
    result = dualpc.learn(X, bootstrap=2, knowledge={"required_edges": [["V4", "V7"]]}, separating_sets=True)
    result.explain(0, 1), result.sepset(5, 11), result.dag(), result.to_json(), result.correlation
    result.effects(), result.edge_table
    pag = dualpc.learn(X, latent="fci", bootstrap=2)
    pag.marks, pag.explain(0, 1), pag.to_json(), pag.edge_table(), pag.adjust(0, 1, [2])
    pag.separated(0, 1), pag.compare(dualpc.Graph.from_marks(pag.marks)), result.compare(result)
    for wrong in (lambda: dualpc.Graph.from_marks([[0, 2], [0, 0]]), lambda: pag.separated(0, 0),
                  lambda: dualpc.Graph.read("nowhere.txt"), lambda: pag.to_string("csv")):
        try:
            wrong()
        except dualpc.DualPCError:
            pass
    drawn = dualpc.sample(X[:, :4], chains=1, draws=3, knowledge={"required_edges": [["V1", "V2"]]}, cause=0)
    drawn.draws(), drawn.graph(), drawn.best, drawn.to_json(), drawn.to_dict(), repr(drawn)
    for wrong in ({"threads": 0}, {"knowledge": {"tiers": [["nobody"]]}}):
        try:
            dualpc.sample(X, **wrong)
        except ValueError:
            pass
    for wrong in ({"alpha": 7}, {"knowledge": {"tiers": [["nobody"]]}}, {"names": ["a"] * 12}):
        try:
            dualpc.learn(X, **wrong)
        except ValueError:
            pass


def left():
    """Blocks of the library, and of Python."""
    gc.collect()
    return live(), sys.getallocatedblocks()


ROUNDS = 400
for _ in range(50):
    everything()
before = left()
for _ in range(ROUNDS):
    everything()
after = left()
if after[0] != before[0]:
    print(f"{after[0] - before[0]} blocks of the library are left of {ROUNDS} rounds")
if after[1] - before[1] >= ROUNDS:  # a cache may grow by some, a leak grows with every round
    print(f"{after[1] - before[1]} blocks of Python are left of {ROUNDS} rounds")
held = dualpc.learn(X)
if live() == after[0]:
    print("a result that is held has no blocks: they are not counted")
