"""The package as it is installed: the stable ABI, the types, what is generated."""
import ast
import importlib.metadata
import pathlib
import subprocess
import sys

from conftest import PROGRAM, ROOT

import dualpc
from dualpc import _core

PACKAGE = pathlib.Path(dualpc.__file__).parent


def test_stable_abi():
    assert _core.__file__.endswith(".abi3.so")


def test_version():
    header = (ROOT / "include/dualpc.h").read_text()
    assert f'#define DPC_VERSION "{dualpc.__version__}"' in header
    assert importlib.metadata.version("dualpc") == dualpc.__version__


def test_types():
    """The stub of the extension module has what the module has, and no more."""
    assert (PACKAGE / "py.typed").exists()
    stub = ast.parse((PACKAGE / "_core.pyi").read_text())
    told = {node.name: node for node in stub.body if hasattr(node, "name")}
    found = {name for name in dir(_core) if not name.startswith("_")}
    assert found == set(told) | {"version"}
    for name, node in told.items():
        if isinstance(node, ast.ClassDef):
            members = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            members |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
            there = {member for member in dir(getattr(_core, name)) if member[0] != "_"}
            assert {member for member in members if member[0] != "_"} == there


def test_all_is_there():
    assert set(dualpc.__all__) <= set(dir(dualpc))
    assert dualpc.__all__ == sorted(dualpc.__all__)


def test_generated():
    done = subprocess.run([sys.executable, ROOT / "python/generate.py", "--check", PROGRAM],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_copies():
    """The sources of the library are here by links."""
    for name in ("core", "io", "include", "LICENSE"):
        link = ROOT / "python" / name
        assert link.is_symlink() and link.resolve() == ROOT / name


def test_the_page(tmp_path):
    """What docs/python.md shows is what happens."""
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = [block.partition("```")[0] for block in text.split("```pycon\n")[1:]]
    assert len(blocks) >= 3
    page = tmp_path / "page.txt"
    page.write_text("\n".join(blocks), encoding="utf-8")
    code = (f"import doctest, os, sys; os.chdir({str(ROOT)!r})\n"
            f"failed, tried = doctest.testfile({str(page)!r}, module_relative=False,"
            " optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)\n"
            "sys.exit(failed or not tried)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
