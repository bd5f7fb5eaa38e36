"""What can go wrong. The sentences are those of the command line program."""
from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._posterior import Posterior
    from ._result import Result


class DualPCError(Exception):
    """Whatever the library refuses."""


class UsageError(DualPCError, ValueError):
    """An option or an argument is out of its range, or two do not go together."""

    def __init__(self, message: str) -> None:
        if message.startswith("latent "):  # … does not go with this or that
            message = re.sub(r"\b(min-evidence|separating-sets)\b",
                             lambda found: found[0].replace("-", "_"), message)
        super().__init__(message)


def _in_python(message: str) -> str:
    """A sentence of the library that names an argument, as Python spells it."""
    message = message.replace("missing = em (recommended), pairwise or rows",
                              "missing = em (recommended), missing = pairwise or missing = rows")
    message = re.sub(r"missing = (\w+)( \(--missing \w+\))?", r'missing="\1"', message)
    message = re.sub(r" with --drop .*, or use --bootstrap\b", ", or use learn() with bootstrap", message,
                     flags=re.S)
    return message.replace(" (--drop)", "").replace(" (--relations curved)", "")


class DataError(DualPCError, ValueError):
    """The data, the matrix or the knowledge cannot be used."""

    def __init__(self, message: str) -> None:
        super().__init__(_in_python(message))


class WriteError(DualPCError, OSError):
    """A file could not be written."""


class OutOfMemoryError(DualPCError, MemoryError):
    """There is not enough memory."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a bootstrap, a refinement or sampling. What there is by then is not lost: see
    `result`.

    It is no DualPCError, so that ``except Exception`` does not swallow it.
    """

    def __init__(self, message: str, result: Result | Posterior) -> None:
        super().__init__(message)
        self.result = result


class DualPCWarning(UserWarning):
    """Something about the data that does not stop the work."""


def warn(messages: Sequence[str]) -> None:
    """Warns whoever has called the function that has called the caller."""
    for message in messages:
        warnings.warn(message, DualPCWarning, stacklevel=4)
