"""What the tests share. The program that they compare with is build/dualpc, or DUALPC_PROGRAM."""
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("DUALPC_PROGRAM", str(ROOT / "build/dualpc"))
EXAMPLE = ROOT / "examples/example.csv"


def read_csv(path):
    """Names, and the numbers as the program reads them."""
    with open(path, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(",")
    return names, np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def program(*arguments, code=0):
    """What the program says on standard output; with a code other than 0: on standard error."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def without_times(text):
    """JSON without what is never the same twice, and what only the program looks at the rows for."""
    told = json.loads(text)
    told["info"].pop("seconds")
    told["verdict"].pop("assumptions", None)
    return told


@pytest.fixture(scope="session")
def example():
    names, values = read_csv(EXAMPLE)
    values.flags.writeable = False
    return names, values


@pytest.fixture(scope="session")
def X(example):
    return example[1]


@pytest.fixture(scope="session")
def slow():
    """One hidden cause of all variables: no set separates any two, and classic PC tries them all.
    With max_order=5 that takes a second."""
    rng = np.random.default_rng(7)
    return rng.normal(size=(20000, 1)) + rng.normal(size=(20000, 40))
