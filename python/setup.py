"""Builds the extension module from the sources of the library; pyproject.toml has the rest."""
import os
import pathlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).parent


def makefile_lists():
    """The variables of core/sources.mk: the same files and rooms as the Makefile's."""
    text = (HERE / "core/sources.mk").read_text().replace("\\\n", " ")
    return {name: value.split() for name, value in re.findall(r"^(\w+) *:= *(.*)$", text, re.M)}


LISTS = makefile_lists()
ROOMS = LISTS["CORE_ROOMS"]
IO_SEES = ["io", *(f"core/{room}" for room in ("base", "data", "graph", "knowledge"))]


def sources():
    core = [f"core/{room}/{name}" for room in ROOMS for name in LISTS[f"CORE_{room}"]]
    alone = [f"core/{name}" for name in LISTS["CORE_SOURCES"] if name.endswith(".c")]
    rest = sorted(path.relative_to(HERE).as_posix() for folder in ("io", "glue")
                  for path in (HERE / folder).glob("*.c"))
    return core + alone + rest


def sees(source):
    """What a file may include beside the public headers, as in the Makefile: what its room may."""
    folder = pathlib.PurePosixPath(source).parent
    if folder.parent.name == "core":
        return [f"core/{room}" for room in (folder.name, *LISTS[f"SEES_{folder.name}"])]
    return {"core": [f"core/{room}" for room in ROOMS], "io": IO_SEES}.get(folder.name, ["glue"])


def version():
    return re.search(r'#define DPC_VERSION "(.*)"', (HERE / "include/dualpc.h").read_text())[1]


class BuildSideBySide(build_ext):
    """Many small files: compiled on all processors, each with the headers of its room."""

    def build_extension(self, ext):
        one = self.compiler.compile

        def compile_all(files, include_dirs, **options):
            def compile_one(file):
                return one([file], include_dirs=[*sees(file), *include_dirs], **options)

            with ThreadPoolExecutor(os.cpu_count()) as pool:
                return sum(pool.map(compile_one, files), [])

        self.compiler.compile = compile_all
        super().build_extension(ext)


setup(
    version=version(),
    ext_modules=[
        Extension(
            "dualpc._core",
            sources(),
            include_dirs=["include"],
            depends=[str(path.relative_to(HERE)) for folder in ("include", "core", "io", "glue")
                     for path in (HERE / folder).rglob("*.h")],
            define_macros=[("_GNU_SOURCE", None), ("Py_LIMITED_API", "0x030b0000")],
            py_limited_api=True,
            libraries=["gsl", os.environ.get("DUALPC_BLAS", "openblas"), "z", "m"],
            # the flags of the Makefile
            extra_compile_args=["-std=gnu11", "-O3", "-Wextra", "-Wno-sign-compare", "-pthread",
                                "-fvisibility=hidden", "-fno-math-errno", "-fno-trapping-math",
                                "-fopenmp-simd"],
            # its own library, whatever else the process has loaded
            extra_link_args=["-Wl,-Bsymbolic"] if sys.platform == "linux" else [],
        )
    ],
    cmdclass={"build_ext": BuildSideBySide},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
