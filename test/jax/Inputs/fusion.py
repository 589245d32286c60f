# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fusing what is fused changes nothing, and the report counts the kernels that programs call: fusion.py [NAME..]. The programs are
those of library.py and kernels.py, and a transformer block."""
import difflib
import os
import re
import subprocess
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax

import kernels
import library
import transformer
from judge import JaxGroup

DEVICES = ["cpu", "gpu"]
PREPARE = ["--xla-import-stablehlo", "--xla-legalize", "--xla-split-scans", "--xla-sort-scatters", "--xla-sort-top-k", "--canonicalize", "--cse"]


def lowered(function, types):
    return jax.jit(function).lower(*types).compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)


def narrow(function, types):
    """Programs of kernels.py are written for JAX's default types."""
    with jax.enable_x64(False):
        return lowered(function, map(kernels.shape_of, types))


def programs():
    yield "transformer", lambda: lowered(transformer.block, transformer.TYPES)
    for name, (_, _, function, types) in kernels.PROGRAMS.items():
        yield name, lambda function=function, types=types: narrow(function, types)
    for case in library.cases():
        yield case.name, lambda case=case: JaxGroup([case]).text


def opt(text, *passes):
    done = subprocess.run(["xla-opt", "-", *passes], input=text, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


def check(name, text, device):
    """Common subexpression elimination takes out what nothing uses."""
    fuse = f"--xla-fuse=device={device}"
    once, report = opt(text, *PREPARE, fuse + " report", "--cse")
    twice, _ = opt(once, fuse, "--cse")
    if once != twice:
        changed = difflib.unified_diff(once.splitlines(), twice.splitlines(), "once", "twice", n=0, lineterm="")
        print(f"{name} for {device} is not fused at once:", *list(changed)[:12], sep="\n")
    told = sum(int(n) for n in re.findall(r"^\d+ operations? in (\d+) kernels?;", report, re.M))
    called = len(re.findall(r"\bcall @kernel", opt(once, "--xla-to-host=products=true")[0]))
    if told != called:
        print(f"{name} for {device}: the report has {told} kernels, the program {called}")
    return once == twice and told == called


def main():
    failed = total = 0
    for name, build in programs():
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            text = build()
            total += 1
            failed += sum(not check(name, text, device) for device in DEVICES)
    print(f"{total} programs, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
