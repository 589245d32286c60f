#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as HLO text, against XLA: its parser takes what xla-translate writes, and what it compiles of that gives what it
compiles of the program itself. Programs are those of jax's libraries, of the examples of operations, and random ones.

write.py [library[=EVERY]] [examples] [random=FIRST:COUNT]"""
import itertools
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "jax", "Inputs"))
import jax
import judge
import library
import numpy as np
import programs
from jax._src import compiler, xla_bridge
from jax.interpreters import mlir
from jaxlib import _hlo, xla_client
from jaxlib.mlir import ir


class Failure(Exception):
    pass


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=False, timeout=300)
    return done.returncode, done.stdout, done.stderr.strip()


def written(text):
    code, hlo, error = run(["xla-translate", "-", "--to=hlo"], text)
    if code:
        raise Failure(f"exit code {code}: {error[:300]}")
    return hlo


def parsed(hlo):
    try:
        return _hlo.hlo_module_from_text(hlo)
    except Exception as error:  # jaxlib's own
        raise Failure(f"XLA's parser: {str(error)[:300]}") from None


def compiled(module, device):
    """By XLA:CPU, whose verifier checks it."""
    computation = xla_client.XlaComputation(module.as_serialized_hlo_module_proto())
    try:
        text = xla_client._xla.mlir.xla_computation_to_mlir_module(computation)
        with mlir.make_ir_context():
            return device.client.compile_and_load(ir.Module.parse(text), xla_client.DeviceList((device,)),
                                                  compiler.get_compile_options(num_replicas=1, num_partitions=1))
    except Exception as error:
        raise Failure(f"XLA: {str(error)[:300]}") from None


def executed(module, args):
    """The results of XLA:CPU for a parsed module."""
    device = xla_bridge.get_backend("cpu").local_devices()[0]
    executable = compiled(module, device)
    try:
        outputs = executable.execute_sharded([jax.device_put(a, device) for a in args])
        return [np.asarray(o[0]) for o in outputs.disassemble_into_single_device_arrays()]
    except Exception as error:
        raise Failure(f"XLA: {str(error)[:300]}") from None


def compare(found, wanted):
    if len(found) != len(wanted):
        raise Failure(f"{len(found)} results, not {len(wanted)}")
    for i, (f, w) in enumerate(zip(found, wanted)):
        if f.dtype != w.dtype or f.shape != w.shape:
            raise Failure(f"result {i} is {f.dtype}{f.shape}, not {w.dtype}{w.shape}")
        if w.dtype.kind in "biu" or w.dtype.kind == "V" and w.dtype.itemsize == 1:
            same = np.array_equal(f, w)
        else:
            kind = "c16" if w.dtype.kind == "c" else "f8"
            same = np.allclose(f.astype(kind), w.astype(kind), rtol=1e-4, atol=1e-5, equal_nan=True)
        if not same:
            raise Failure(f"result {i} differs")


def library_programs():
    for source in (library, programs):
        for case in source.cases() if hasattr(source, "cases") else []:
            if case.jax:
                yield case.name, judge.JaxGroup([case])


def check_library(every):
    for name, group in itertools.islice(library_programs(), 0, None, every):
        def judged(group=group):
            compare(executed(parsed(written(group.text)), group.args), judge.run_xla(group))
        yield name, judged


def check_examples():
    """Those that docs/ops.md has; only that XLA's parser takes them, as some need several processes."""
    code, page, error = run(["xla-opt", "--list-ops=markdown"])
    assert not code, error
    for block in [part.split("```")[0] for part in page.split("```mlir\n")[1:]]:
        for name in re.findall(r"func.func @(\w+)", block):
            text = re.sub(r"func.func @(?!%s\()" % name, "func.func private @", block)
            yield f"example {name}", lambda text=text: parsed(written(text))


def check_random(first, count):
    for seed in range(first, first + count):
        def judged(seed=seed):
            code, out, error = run(["xla-gen", f"--seed={seed}", "--format=stablehlo"])
            if code:
                raise Failure(error)
            parsed(written(out))
        yield f"random {seed}", judged


def main():
    passed, failed, refused = 0, 0, 0
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        if name == "random":
            checks = check_random(*map(int, value.split(":")))
        else:
            checks = check_library(int(value or 1)) if name == "library" else check_examples()
        for title, judged in checks:
            try:
                judged()
                passed += 1
            except Failure as problem:
                if "exit code 3" in str(problem):
                    refused += 1
                    print(f"{title}: refused: {problem}")
                else:
                    failed += 1
                    print(f"{title}: {problem}")
    print(f"{passed} passed, {failed} failed, {refused} refused")


main()
