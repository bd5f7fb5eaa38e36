"""Progress: a bar of tqdm where that is installed, a plain line where it is not."""
from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any, Iterator, NamedTuple


class Progress(NamedTuple):
    """Where the work is. What a `progress` function is called with, at most ten times a second."""

    stage: str  #: preparing, correlations, skeleton, orienting, resampling, sampling, …
    fraction: float  #: of this stage or level that is done
    level: int  #: skeleton: the level
    edges: int  #: of the graph: at the start of the level, or now where a score decides
    tests: int  #: skeleton: tests so far
    node: int  #: skeleton: a variable whose tests take long; -1: there is none …
    node_fraction: float  #: … and how far they are
    round: int = 0  #: GES: the round
    scores: int = 0  #: GES: scores so far
    restarts: int = 0  #: refining: restarts done
    score: float = 0.0  #: refining: that of the best graph so far
    resamples: int = 0  #: resampling: how many there will be …
    resamples_done: int = 0  #: … and how many are done
    draws: int = 0  #: sampling: how many each chain will draw …
    draws_done: int = 0  #: … and how many it has; 0: the chains start

    def __str__(self) -> str:
        if self.stage == "skeleton" and self.scores:
            return f"round {self.round + 1}, {self.edges} edges, {self.scores} scores"
        if self.stage == "skeleton":
            return f"level {self.level}, {self.edges} edges left, {self.tests} tests"
        if self.stage == "resampling":
            return f"{self.resamples_done} of {self.resamples} resamples"
        if self.stage == "sampling" and self.draws_done:
            return f"{self.draws_done} of {self.draws} draws"
        return self.stage


class _Line:
    """A line on standard error that is written anew."""

    width = 0

    def show(self, p: Progress) -> None:
        text = f"{100 * p.fraction:3.0f} % {p}"
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)

    def close(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


class _Bar:
    def __init__(self, tqdm: Any) -> None:
        self.bar = tqdm(total=100, leave=False, bar_format="{percentage:3.0f}%|{bar}| {desc}")

    def show(self, p: Progress) -> None:
        self.bar.n = round(100 * p.fraction)
        self.bar.set_description_str(str(p), refresh=True)

    def close(self) -> None:
        self.bar.close()


@contextmanager
def watching(progress: Any) -> Iterator[Callable[..., Any] | None]:
    """What the extension module calls; `progress` is False, True or a function of a Progress."""
    if progress is False or progress is None:
        yield None
        return
    if callable(progress):
        yield lambda *where: progress(Progress(*where))
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        shown: Any = _Line()
    else:
        shown = _Bar(tqdm)
    try:
        yield lambda *where: shown.show(Progress(*where))
    finally:
        shown.close()
