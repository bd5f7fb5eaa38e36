"""Builds the extension module from the sources of the library; pyproject.toml has the rest."""
import os
import pathlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).parent


def core_sources():
    """The files of core/, as core/sources.mk lists them: the same list as the Makefile's."""
    text = (HERE / "core/sources.mk").read_text().replace("\\\n", " ")
    lists = dict(re.findall(r"^(CORE_\w+) *:= *(.*)$", text, re.M))
    rooms = lists["CORE_ROOMS"].split()
    files = [f"core/{room}/{name}" for room in rooms for name in lists[f"CORE_{room}"].split()]
    alone = re.findall(r"\b(\w+\.c)\b", lists["CORE_SOURCES"])
    return rooms, files + [f"core/{name}" for name in alone]


class BuildSideBySide(build_ext):
    """A hundred small files: compiled on all processors."""

    def build_extension(self, ext):
        one = self.compiler.compile

        def compile_all(sources, **options):
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                return sum(pool.map(lambda source: one([source], **options), sources), [])

        self.compiler.compile = compile_all
        super().build_extension(ext)


def version():
    return re.search(r'#define DPC_VERSION "(.*)"', (HERE / "include/dualpc.h").read_text())[1]


rooms, sources = core_sources()
sources += sorted(str(path.relative_to(HERE)) for path in HERE.glob("io/*.c"))
sources += sorted(str(path.relative_to(HERE)) for path in HERE.glob("glue/*.c"))

setup(
    version=version(),
    ext_modules=[
        Extension(
            "dualpc._core",
            sources,
            include_dirs=["include", "io", "glue", *(f"core/{room}" for room in rooms)],
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
