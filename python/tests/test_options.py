"""Every option: its name, its default and its range, against the library's table as the program
shows it, and against what it does."""
import inspect
import json
import math
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import EXAMPLE, program

import dualpc

NUMBERS = [name for name, option in dualpc.options.items() if option.kind in ("number", "count")]
WORDS = [name for name, option in dualpc.options.items() if option.kind == "word"]
#: auto in the library's table; the help shows what that is without refine
DECIDED = {"alpha": "0.05", "rule": "or"}
#: what options need beside them
BESIDE = {"penalty": {"method": "ges"}, "restarts": {"refine": "full"},
          "memory": {"method": "classic"}, "seed": {"bootstrap": 2}, "pdsep": {"latent": "fci"}}


def helped():
    """name → (value, text) of the program's own help, as far as the settings go."""
    found = {}
    for line in program("learn", "--help").split("  --missing")[0].splitlines():
        head = re.match(r"  --([a-z-]+)(?: (\S+))?(?:  +(.*))?$", line)
        if head:
            name = head[1].replace("-", "_")
            found[name] = [head[2] or "", head[3] or ""]
        elif found:
            found[name][1] += " " + line.strip()
    return found


def test_names_and_defaults():
    """The settings come first in the help, each with its default in brackets."""
    found = helped()
    assert list(found) == list(dualpc.options)
    for name, (value, text) in found.items():
        option = dualpc.options[name]
        default = re.search(r"\[([^\]]*)\]", text)
        if option.kind == "flag":
            assert option.default is False and default is None
        elif name in DECIDED:
            assert (option.default, default[1]) == (None, DECIDED[name])
        else:
            assert option.text(option.default) in (default[1], default[1] + ".0"), name
        if "|" in value:
            assert value.strip("[]").split("|") == list(option.words)
            assert value.startswith("[") == (option.alone is not None)  # it may be left out
        assert " ".join(option.sentence.split()) in " ".join(text.split())


@pytest.mark.parametrize("function", [dualpc.learn, dualpc.learn_correlation, dualpc.DualPC])
def test_signature(function):
    shown = inspect.signature(function).parameters
    for name, option in dualpc.options.items():
        assert shown[name].default == option.default
        if function is not dualpc.DualPC:
            assert re.search(rf"^    {name} : ", function.__doc__, re.M)


def test_defaults_are_those_of_the_program(X):
    told = json.loads(program("learn", EXAMPLE, "--quiet", "--format", "json"))
    result = dualpc.learn(X)
    assert result.settings == told["settings"]
    given = {name: option.default for name, option in dualpc.options.items()}
    assert dualpc.learn(X, **given).settings == told["settings"]


def ends(option):
    """Values in the range of a number and out of it."""
    if option.range is None:  # of a seed: all that 64 bits can be
        return [0, 2**64 - 1], [-1, 2**64, 0.5]
    low, high = map(float, option.range[1:-1].split(","))
    step = 1 if option.kind == "count" else 1e-9
    within, beyond = [], []
    if math.isfinite(low):
        within.append(low if option.range[0] == "[" else low + step)
        beyond.append(low - step if option.range[0] == "[" else low)
    if math.isfinite(high):
        within.append(high if option.range[-1] == "]" else high - step)
        beyond.append(high + step if option.range[-1] == "]" else high)
    number = int if option.kind == "count" else float
    return list(map(number, within)), list(map(number, beyond))


@pytest.mark.parametrize("name", NUMBERS)
def test_ranges(name, X):
    within, beyond = ends(dualpc.options[name])
    code = ("import dualpc, numpy\n"
            "X = numpy.random.default_rng(1).normal(size=(50, 3))\n"
            f"for value in {within}:\n"
            f"    dualpc.learn(X, **{BESIDE.get(name, {})}, {name}=value)")
    # in a process of their own: 256 threads take address space that is not given back
    subprocess.run([sys.executable, "-c", code], check=True)
    for value in beyond + [math.nan] + [math.inf] * (name != "min_ess"):  # which means: no dual tests
        with pytest.raises(dualpc.UsageError, match=f"^{name.replace('_', '-')} (must be|needs) "):
            dualpc.learn(X[:, :4], **{**BESIDE.get(name, {}), name: value})


@pytest.mark.filterwarnings("ignore:normalize latent takes")
@pytest.mark.parametrize("name", WORDS)
def test_words(name, X):
    for word in dualpc.options[name].words:
        result = dualpc.learn(X, **{name: word})
        if word != "auto" and name != "refine":  # which have a name of their own in the end
            assert result.settings.get(name, dualpc.options[name].default) == word
    with pytest.raises(dualpc.UsageError, match=f"^{name} must be one of .*, not 'nothing'$"):
        dualpc.learn(X, **{name: "nothing"})


@pytest.mark.parametrize("name", list(dualpc.options))
def test_what_a_value_may_be(name, X):
    """Scalars of numpy are numbers, None is the word that stands for one, lists are nothing."""
    option = dualpc.options[name]
    if isinstance(option.default, float):
        assert option.text(np.float64(0.25)) == "0.25"
        assert option.text(np.array(0.25)) == "0.25"
    if option.word is not None:
        assert option.text(None) == option.word
        dualpc.learn(X, **{**(BESIDE["pdsep"] if name == "pdsep" else {}), name: None})
        dualpc.learn(X, **{**BESIDE.get(name, {}), name: option.word})
    if option.alone is not None:
        assert option.text(True) == option.text(np.True_) == option.alone
        assert option.text(False) == option.text(None) == option.default
    never = option.word is None and option.alone is None
    for value in ([], object(), 1j, b"z", X) + ((None,) if never else ()):
        with pytest.raises(TypeError, match=f"^{name} cannot be "):
            dualpc.learn(X, **{name: value})


def test_every_bit_of_a_number(X):
    alpha = 0.1 + 0.2 - 0.25
    assert dualpc.learn(X, alpha=alpha).settings["alpha"] == alpha


@pytest.mark.parametrize("wrong, meant", [("alhpa", "alpha"), ("Method", "method"),
                                          ("max.order", "max_order"), ("maxorder", "max_order"),
                                          ("knowlege", "knowledge"), ("bootstraps", "bootstrap")])
def test_unknown_names(wrong, meant, X):
    for call in (lambda: dualpc.learn(X, **{wrong: 1}), lambda: dualpc.DualPC(**{wrong: 1}),
                 lambda: dualpc.DualPC().set_params(**{wrong: 1})):
        with pytest.raises(TypeError, match=f"unexpected .* '{wrong}'; did you mean '{meant}'\\?"):
            call()
    with pytest.raises(TypeError, match="'zzz'; there are alpha, "):
        dualpc.learn(X, zzz=1)


def test_threads_do_not_matter(X):
    one = dualpc.learn(X, threads=1)
    assert np.array_equal(one.correlation, dualpc.learn(X, threads=3).correlation)


def test_refine_every_way(tmp_path):
    """The same graph however the settings of refine are given, and as the shell has it."""
    rng = np.random.default_rng(11)
    X = rng.normal(size=(200, 20))
    for j in range(1, 20):
        X[:, j] += X[:, rng.integers(0, j)]
    first = dualpc.learn(X, refine="fast")
    assert (first.settings["alpha"], first.settings["rule"]) == (0.01, "and")
    for given in ({"alpha": None, "rule": None}, {"alpha": "auto"}, {"alpha": 0.01, "rule": "and"}):
        assert dualpc.learn(X, refine="fast", **given).to_string() == first.to_string()
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", comments="", fmt="%.17g",
               header=",".join(f"V{j + 1}" for j in range(20)))
    assert program("--quiet", "--refine", "fast", tmp_path / "x.csv") == first.to_string()
