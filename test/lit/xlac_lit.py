# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lit tests that call xlac's tools, in this repository and in others.

A project beside an installed xlac needs a lit.cfg.py of three lines:

    import subprocess, sys
    sys.path.append(subprocess.getoutput("pkg-config --variable=litdir xlac"))
    import xlac_lit; xlac_lit.configure(config, lit_config, __file__)

Every file below it that ends in .mlir, .hlo or .test and has RUN lines is then
a test. In RUN lines stand for themselves, wherever they are installed, with or
without a leading %:

    xlac's tools   xla-opt xla-run xla-bench xla-reduce xla-gen xla-indexing xla-translate xla-lsp-server
    MLIR's         mlir-opt mlir-translate
    LLVM's         FileCheck not count split-file

and %{data} is the folder of arrays that tests read (`data` beside lit.cfg.py
unless told otherwise), %{python} a Python. Tests can ask `REQUIRES: numpy` or
`REQUIRES: jax` or `z3`, which that Python then has, `REQUIRES: vulkan`, a device that
xla-run --list-devices shows, and `UNSUPPORTED: asan`.
"""
import glob
import os
import shutil
import subprocess
import sys

import lit.formats

XLAC_TOOLS = ["xla-opt", "xla-run", "xla-bench", "xla-reduce", "xla-gen", "xla-indexing", "xla-translate", "xla-lsp-server"]
LLVM_TOOLS = ["FileCheck", "not", "count", "split-file", "mlir-opt", "mlir-translate"]
LLVM_FOLDERS = ["/usr/lib/llvm-22/bin"]
MODULES = ["numpy", "jax", "flatbuffers", "sklearn", "z3"]


def configure(config, lit_config, source, name=None, exec_root=None, tools_dir=None,
              llvm_tools_dir=None, data=None, python=None):
    """Sets up `config`. All but `source`, the path of lit.cfg.py, may be left out.

    name            what lit calls the suite; the folder's name
    exec_root       where temporary files go; build/lit-NAME in the current folder
    tools_dir       where xla-opt is; the installation that this file belongs to
    llvm_tools_dir  where FileCheck is; Debian's folder of LLVM 22
    data            the folder behind %{data}; `data` beside `source`
    python          the interpreter behind %{python}; the one that runs lit
    """
    here = os.path.dirname(os.path.abspath(source))
    prefix = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
    config.name = name or os.path.basename(here)
    config.test_format = lit.formats.ShTest(execute_external=False)
    config.suffixes = [".mlir", ".hlo", ".test"]
    config.excludes = {"Inputs", "data"}
    config.test_source_root = here
    config.test_exec_root = exec_root or os.path.abspath(os.path.join("build", "lit-" + config.name))

    folders = [tools_dir or os.path.join(prefix, "bin")]
    folders += [llvm_tools_dir] if llvm_tools_dir else LLVM_FOLDERS
    for tool in XLAC_TOOLS + LLVM_TOOLS:
        path = shutil.which(tool, path=os.pathsep.join(folders)) or shutil.which(tool)
        add_tool(config, tool, path or tool)
    python = python or sys.executable
    config.substitutions.append(("%{data}", os.path.abspath(data or os.path.join(here, "data"))))
    config.substitutions.append(("%{python}", python))
    config.available_features.update(m for m in MODULES if has_module(python, m))
    set_environment(config, folders)
    xla_run = shutil.which("xla-run", path=os.pathsep.join(folders))
    if xla_run and subprocess.run([xla_run, "--list-devices"], capture_output=True).returncode == 0:
        config.available_features.add("vulkan")


def add_tool(config, tool, path):
    """`%tool`, and `tool` where it stands as a word of its own, become `path`."""
    config.substitutions.append((r"%\b" + tool + r"\b(?!-)", path))
    config.substitutions.append((r"(?<![-./%\w])" + tool + r"\b(?![-./=\w])", path))


def has_module(python, module):
    """Whether `python` finds `module`, without the second that importing takes."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(python)))
    return bool(glob.glob(os.path.join(root, "lib", "python3*", "site-packages", module)))


def set_environment(config, folders):
    config.environment["PATH"] = os.pathsep.join(folders + [os.environ.get("PATH", "/usr/bin:/bin")])
    # What tests compile stays among their files.
    config.environment["XLAC_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
    # Tests run beside each other: threads that wait must not spin.
    config.environment["OMP_WAIT_POLICY"] = "passive"
    for variable in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "HOME", "XLAC_SAMPLE"]:
        if variable in os.environ:
            config.environment[variable] = os.environ[variable]
