"""Pictures, drawn by Graphviz."""
from __future__ import annotations

import shutil
import subprocess

from ._errors import DualPCError

MISSING = "a picture needs Graphviz: its program 'dot' is not installed (Debian: graphviz)"
_SECONDS = 20  # after which a graph is too large to be drawn


def can_draw() -> bool:
    return shutil.which("dot") is not None


def svg(dot: str, layout: str) -> str:
    """The picture of a graph in DOT; DualPCError says why there is none."""
    if not can_draw():
        raise DualPCError(MISSING)
    try:
        done = subprocess.run(["dot", f"-K{layout}", "-Tsvg"], input=dot, capture_output=True, text=True,
                              encoding="utf-8", timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise DualPCError(f"Graphviz has not drawn the graph in {_SECONDS} seconds; it is too "
                          "large") from None
    if done.returncode != 0:
        raise DualPCError(f"Graphviz has failed: {done.stderr.strip()}")
    return done.stdout[done.stdout.index("<svg") :]
