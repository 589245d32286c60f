#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO as jax prints it: pretty.py XLA_OPT [FOLDER..]

Programs are those of library.py and programs.py, some on several devices, and all StableHLO below each FOLDER. Of each,

    print    xla-opt prints what jaxlib prints, from the pretty form and from the generic one
    import   both forms become the same program of the dialect xla, or get the same message
    debug    the same with locations (as_text(debug_info=True))
    jaxlib   jaxlib reads what xla-opt prints
    run      both forms give the same results in xla-run (every eighth program)

What differs is printed, and last `N passed, N failed`.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

os.environ["XLAC_XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
import judge  # sets jax up

import jax
import jax.numpy as jnp
import library
import numpy as np
import programs
from jax import export
from jax._src.interpreters import mlir
from jax.sharding import NamedSharding, PartitionSpec as P
from jaxlib.mlir import ir

TOOL = sys.argv[1]
RUN = os.path.join(os.path.dirname(TOOL), "xla-run")
MARK = "// -----\n"


def context():
    result = mlir.make_ir_context()
    result.allow_unregistered_dialects = True
    return result


def printed(module, generic=False, debug=False):
    return module.operation.get_asm(print_generic_op_form=generic, enable_debug_info=debug).strip() + "\n"


def others():
    """Programs on several devices, with large constants, with symbolic sizes."""
    mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    x = jnp.ones((4, 8))

    def constrained(a):
        return jax.lax.with_sharding_constraint(jnp.tanh(a) @ a.T, NamedSharding(mesh, P("x", None)))

    def mapped(a):
        return jax.shard_map(lambda b: jax.lax.psum(b * 2, "y"), mesh=mesh, in_specs=P("x", "y"), out_specs=P("x"))(a)
    for function in (constrained, mapped):
        yield f"sharded.{function.__name__}", jax.jit(function, in_shardings=NamedSharding(mesh, P("x", "y"))).lower(x).compiler_ir("stablehlo")
    rng = np.random.default_rng(0)
    mask, other = rng.integers(0, 2, (16, 16)).astype(bool), rng.standard_normal((16, 16)).astype("f4")
    yield "constants", jax.jit(lambda a: jnp.where(mask, a, other)).lower(other).compiler_ir("stablehlo")
    sizes = export.symbolic_shape("m, n", constraints=["m >= n"])
    exported = export.export(jax.jit(lambda a: jnp.tanh(a).sum(0) @ a.T))(jax.ShapeDtypeStruct(sizes, np.float32))
    with context():
        yield "symbolic", ir.Module.parse(exported.mlir_module())


def lowered():
    for case in judge.sample([*library.cases(), *programs.cases()]):
        yield case.name, jax.jit(case.build).lower(*case.args).compiler_ir("stablehlo")
    yield from others()


def written(folders):
    """Programs in files that jaxlib can read."""
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "**", "*.mlir"), recursive=True)):
            with open(path) as file:
                text = file.read()
            if "stablehlo." not in text and "chlo." not in text:
                continue
            try:
                with context():
                    yield os.path.relpath(path, folder), ir.Module.parse(text)
            except ir.MLIRError:
                pass


def opt(texts, *options):
    """What xla-opt makes of each text, and its messages."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(MARK.join(texts))
        file.flush()
        done = subprocess.run([TOOL, "--split-input-file", "--allow-unregistered-dialect", *options, file.name],
                              capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"xla-opt ends with {done.returncode}: {done.stderr[-2000:]}")
    outputs = [part.strip() + "\n" for part in done.stdout.split(MARK)]
    return outputs, [re.sub(r"^.*?: ", "", line) for line in done.stderr.splitlines() if "error:" in line]


def first_difference(a, b):
    for x, y in zip(a.splitlines() + [""], b.splitlines() + [""]):
        if x != y:
            return f"\n  {x[:300]}\n  {y[:300]}"
    return ""


def results(text):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([RUN, file.name, "--device=interpreter", "--seed=1"], capture_output=True, text=True)
    return done.returncode, done.stdout


def main():
    names, pretty, generic, debug, again = [], [], [], [], []
    for source in (lowered(), written(sys.argv[2:])):
        for name, module in source:
            names.append(name)
            pretty.append(printed(module))
            generic.append(printed(module, generic=True))
            debug.append(printed(module, debug=True))
    passed = failed = 0

    def expect(name, what, a, b):
        nonlocal passed, failed
        passed, failed = passed + (a == b), failed + (a != b)
        if a != b:
            print(f"{name}, {what}: {first_difference(a, b)}")

    from_pretty, _ = opt(pretty)
    from_generic, _ = opt(generic)
    from_debug, _ = opt(debug, "--mlir-print-debuginfo")
    imported = [opt(texts, "--xla-import-stablehlo") for texts in (pretty, generic, debug)]
    expect("all", "messages", "\n".join(imported[0][1]), "\n".join(imported[1][1]))
    for i, name in enumerate(names):
        expect(name, "print", pretty[i], from_pretty[i])
        expect(name, "print from generic", pretty[i], from_generic[i])
        expect(name, "import", imported[1][0][i], imported[0][0][i])
        expect(name, "print debug", debug[i], from_debug[i])
        expect(name, "debug", imported[1][0][i], imported[2][0][i])
        with context():
            try:
                expect(name, "jaxlib", pretty[i], printed(ir.Module.parse(from_generic[i])))
            except ir.MLIRError as error:
                expect(name, "jaxlib", pretty[i], str(error))
        if i % 8 == 0:
            expect(name, "run", str(results(generic[i])), str(results(pretty[i])))
    print(f"{len(names)} programs")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
