"""Writes what follows from the library's table of options: the type stubs of the package, and the
table of every option in shell, C, R and Python in docs/options.md.

    python3 generate.py [PROGRAM]           writes them (the package must be installed)
    python3 generate.py --check [PROGRAM]   says what differs; exit code 1 where something does

PROGRAM is build/dualpc: its help tells which options the command line has beside the settings.
"""
import pathlib
import re
import subprocess
import sys

import dualpc

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent

# What the command line has beside the settings, and what does the same elsewhere: C, R, Python.
OTHERS = {
    "missing": ("`missing` of `dpc_read_options`, `dpc_table_set_missing`",
                "`na.action`: a function, `\"pairwise\"` or `\"em\"`", "`missing`"),
    "na": ("`na` of `dpc_read_options`", "`read.csv(na.strings =)`", "`pandas.read_csv(na_values=)`"),
    "keep": ("`keep` of `dpc_read_options`", "`data[, columns]`", "`X[columns]`"),
    "drop": ("`drop` of `dpc_read_options`", "`data[, -columns]`", "`X.drop(columns=)`"),
    "drop-text": ("`drop_text` of `dpc_read_options`", "`drop_text`", "`drop_text`"),
    "types": ("`types` of `dpc_read_options`, `dpc_table_set_kind`, `dpc_table_join`",
              "`types`, factors", "`types`, categories"),
    "max-levels": ("`max_levels` of `dpc_read_options`", "`factor()`", "`astype(\"category\")`"),
    "merge-rare": ("`merge_rare` of `dpc_read_options`", "`levels(f)[rare] <- \"other\"`",
                   "`Series.where(common, \"other\")`"),
    "no-header": ("`no_header` of `dpc_read_options`", "`labels`", "`names`"),
    "transpose": ("`transpose` of `dpc_read_options`", "`t(data)`", "`X.T`"),
    "correlation": ("`dpc_correlation_from_matrix`", "`dualpc_cor(C, n)`",
                    "`learn_correlation(C, n_obs)`"),
    "samples": ("its `n_obs`", "its `n`", "its `n_obs`"),
    "knowledge": ("`knowledge`, from `dpc_knowledge_read`", "`knowledge`", "`knowledge`"),
    "dag": ("`dpc_class_member`", "`dag_member(x)`", "`Result.dag()`"),
    "edges": ("`dpc_tabulate_edges`", "`edges(x)`", "`Result.edge_table()`"),
    "nodes": ("`dpc_tabulate_nodes`", "`nodes(x)`", "`Result.node_table()`"),
    "output": ("`dpc_write`", "`as.matrix`, `as_igraph`, …", "`Result.write(*paths)`"),
    "format": ("`dpc_write_string`", "likewise", "`Result.to_string(format)`"),
    "layout": ("of the program alone", "`plot(x, layout =)`", "`Result.to_svg(layout)`"),
    "explain": ("`dpc_explain`, `dpc_explanation_string`", "`explain(x, a, b)`",
                "`Result.explain(a, b)`"),
    "bootstrap": ("`resamples` of `dpc_resampling`", "`bootstrap`", "`bootstrap`"),
    "subsample": ("its `subsample`", "`subsample`", "`subsample`"),
    "frequencies": ("`dpc_frequencies`", "`edges(x)`", "`Result.frequencies`"),
    "min-frequency": ("`dpc_consensus`", "`min_frequency`", "`min_frequency`"),
    "effects": ("`dpc_effects`", "`effects(x)`", "`Result.effects()`"),
    "posterior": ("`dpc_sample`", "`dualpc_sample(data)`", "`sample(X)`"),
    "score": ("`score` of `dpc_sampling`", "its `score`", "its `score`"),
    "prior": ("its `prior`, `edge_probability`", "its `prior`", "its `prior`"),
    "candidates": ("its `candidates`", "its `candidates`", "its `candidates`"),
    "chains": ("its `chains`", "its `chains`", "its `chains`"),
    "draws": ("its `draws`", "its `draws`", "its `draws`"),
    "thin": ("its `thin`", "its `thin`", "its `thin`"),
    "probabilities": ("`pairs` of `dpc_posterior`", "`as.data.frame(x)`, `as.matrix(x)`",
                      "`Posterior.table()`, `Posterior.probabilities`"),
    "graphs": ("`dpc_posterior_draw`", "`draws(x)`", "`Posterior.draws()`"),
    "no-advice": ("no `dpc_advise`", "`advice = FALSE`", "`advice=False`"),
    "advice": ("`always` of `dpc_advise`", "`advice = \"always\"`", "`advice=\"always\"`"),
    "verbose": ("`dpc_result_info`", "`summary(x)`", "`Result.info`, `Result.fit`"),
    "quiet": ("no `progress`", "nothing is printed", "`progress=False`"),
}

# What dualpc sample has beside what dualpc learn has, too.
SAMPLING = {
    "cause": ("`causes` of `dpc_sampling`", "`cause`", "`cause`"),
    "outcome": ("`outcomes` of `dpc_sampling`", "`outcome`", "`outcome`"),
    "effects": ("`effects` of `dpc_posterior`", "`effects(x)`", "`Posterior.effects`"),
    "min-probability": ("`dpc_posterior_graph`", "`probable_graph(x, min_probability)`",
                        "`Posterior.graph(min_probability)`"),
}

TYPES = {"number": "float", "count": "int", "flag": "bool"}

LEARN = '''\
# Written by generate.py from the library's table of options.
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

from ._progress import Progress
from ._result import Result

_Knowledge = Mapping[str, Any] | str | PathLike[str] | None
_Progress = bool | Callable[[Progress], object]

def learn(
    X: Any,
    alpha: float = ...,
    names: Sequence[Any] | None = ...,
    *,
    knowledge: _Knowledge = ...,
    bootstrap: int | None = ...,
    subsample: float | None = ...,
    min_frequency: float | None = ...,
    missing: Literal["error", "rows", "pairwise", "em"] = ...,
    drop_text: bool = ...,
    types: Mapping[Any, Any] | None = ...,
    advice: bool | Literal["always"] = ...,
    progress: _Progress = ...,
{options}
) -> Result: ...
def learn_correlation(
    C: Any,
    n_obs: int,
    alpha: float = ...,
    names: Sequence[Any] | None = ...,
    *,
    knowledge: _Knowledge = ...,
    progress: _Progress = ...,
{options}
) -> Result: ...
'''

ESTIMATOR = '''\
# Written by generate.py from the library's table of options.
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ._learn import _Knowledge, _Progress
from ._result import Result

class DualPC:
    graph_: Result
    adjacency_: np.ndarray
    marks_: np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        *,
        alpha: float = ...,
        knowledge: _Knowledge = ...,
        bootstrap: int | None = ...,
        subsample: float | None = ...,
        min_frequency: float | None = ...,
        missing: Literal["error", "rows", "pairwise", "em"] = ...,
        drop_text: bool = ...,
        types: Mapping[Any, Any] | None = ...,
        advice: bool | Literal["always"] = ...,
        progress: _Progress = ...,
{options}
    ) -> None: ...
    def fit(self, X: Any, y: Any = ...) -> DualPC: ...
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **parameters: Any) -> DualPC: ...
    def __sklearn_is_fitted__(self) -> bool: ...
    def __sklearn_tags__(self) -> Any: ...
'''

PAGE = '''\
# Every option in shell, C, R and Python

The settings have one table in the library, which all four read: names, defaults and ranges are the same everywhere. In R
and Python they are arguments of `dualpc()` and `dualpc.learn()`, and `NULL` or `None` stands for words such as `none`
and `all`. [Usage](usage.md#options) says what they mean; [Python](python.md) and the help pages of R what else there is.

| shell | default | C, in `dpc_settings` | R | Python |
|---|---|---|---|---|
{settings}

What the program has beside them:

| shell | C | R | Python |
|---|---|---|---|
{others}

[`dualpc sample`](posterior.md) is `dpc_sample` in C, `dualpc_sample()` in R and `dualpc.sample()` in Python. It has options
from both tables, and these:

| shell | C | R | Python |
|---|---|---|---|
{sampling}
'''


def type_of(option):
    """The type of a value, as a hint."""
    if option.kind == "word":
        words = f"Literal[{', '.join(repr(word) for word in option.words)}]".replace("'", '"')
        return f"bool | {words} | None" if option.alone else words
    if option.word is None:
        return TYPES[option.kind]
    return f'{TYPES[option.kind]} | Literal["{option.word}"] | None'


def hints(indent):
    """The options as keywords."""
    return "\n".join(f"{' ' * indent}{option.name}: {type_of(option)} = ..."
                     "," for option in dualpc.options.values() if option.name != "alpha")


def field_of(name):
    """The member of dpc_settings that an option sets."""
    header = (ROOT / "include/dualpc.h").read_text(encoding="utf-8")
    struct = header[: header.index("} dpc_settings;")].rpartition("typedef struct dpc_settings {")[2]
    members = re.findall(r"(\w+);", re.sub(r"/\*.*?\*/", "", struct, flags=re.S))
    found = [member for member in members if member == name or member.endswith("_" + name)]
    return min(found, key=len)  # the whole name, where there is such a member


def helped(program, command):
    """name → how the help of a command shows it, of all its options."""
    text = subprocess.run([program, command, "--help"], capture_output=True, text=True,
                          check=True).stdout
    found = re.findall(r"^  (?:(-\w), )?--([a-z-]+)(?: (\S+))?", text, re.M)
    return {name: " ".join(filter(None, (letter or f"--{name}", value)))
            for letter, name, value in found if name != "help"}


def page(program):
    settings, others = [], []
    for name, shown in helped(program, "learn").items():
        shown = shown.replace("|", "\\|")
        option = dualpc.options.get(name.replace("-", "_"))
        if option is None and name not in OTHERS:
            sys.exit(f"OTHERS in {__file__} has no line for --{name}")
        if option is None:
            others.append(f"| `{shown}` | " + " | ".join(OTHERS[name]) + " |")
        else:
            settings.append(f"| `{shown}` | {option.text(option.default).removesuffix('.0')} | "
                            f"`{field_of(option.name)}` | `{option.name}` | `{option.name}` |")
    return PAGE.format(settings="\n".join(settings), others="\n".join(others),
                       sampling="\n".join(sampling(program)))


def sampling(program):
    """The lines of what dualpc sample alone has, or has with another meaning."""
    for name, shown in helped(program, "sample").items():
        if name in SAMPLING:
            yield f"| `{shown}` | " + " | ".join(SAMPLING[name]) + " |"
        elif name not in OTHERS and name.replace("-", "_") not in dualpc.options:
            sys.exit(f"SAMPLING in {__file__} has no line for --{name}")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    program = arguments[0] if arguments else str(ROOT / "build/dualpc")
    package = HERE / "src/dualpc"
    texts = {package / "_learn.pyi": LEARN.format(options=hints(4)),
             package / "_estimator.pyi": ESTIMATOR.format(options=hints(8)),
             ROOT / "docs/options.md": page(program)}
    wrong = [path for path, text in texts.items()
             if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path in wrong:
            print(f"{path.relative_to(ROOT)} is not what the table of options makes it; run "
                  "python/generate.py")
        return bool(wrong)
    for path in wrong:
        path.write_text(texts[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
