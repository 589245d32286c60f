#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for several devices as jax lowers them, whose shardings are Shardy's: what xla-opt prints of them is what jaxlib prints."""
import os
import subprocess
import sys
import warnings

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
warnings.simplefilter("ignore")
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, shard_map
from jax.experimental.custom_partitioning import custom_partitioning
from jax.experimental.shard_alike import shard_alike
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices())
line, grid = Mesh(devices, "x"), Mesh(devices.reshape(2, 4), ("x", "y"))
turned = Mesh(devices[::-1].reshape(4, 2), ("x", "y"))
cube = Mesh(devices.reshape(2, 2, 2), ("x", "y", "z"))
explicit = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Explicit, AxisType.Explicit))
a, v = jnp.ones((8, 16)), jnp.ones(8)


def on(mesh, *spec):
    return NamedSharding(mesh, P(*spec))


def mapped(f, mesh, inputs, outputs, **options):
    return jax.jit(shard_map(f, mesh=mesh, in_specs=inputs, out_specs=outputs, **options))


def constrained(mesh, *spec):
    return jax.jit(lambda x: lax.with_sharding_constraint(jnp.sin(x), on(mesh, *spec)) * 2)


def loop(x):
    return lax.fori_loop(0, 3, lambda i, y: lax.with_sharding_constraint(y + 1, on(grid, "x", "y")), x)


@custom_partitioning
def parted(x):
    return jnp.tanh(x)


parted.def_partition(partition=lambda mesh, inputs, results: (mesh, jnp.tanh, inputs[0].sharding, (inputs[0].sharding,)),
                     infer_sharding_from_operands=lambda mesh, inputs, results: inputs[0].sharding,
                     sharding_rule="... -> ...")


def programs():
    """Name, function, arguments."""
    yield "in and out", jax.jit(lambda x: x + 1, in_shardings=on(line, "x"), out_shardings=on(line, "x")), (v,)
    yield "replicated", jax.jit(lambda x: x + 1, in_shardings=on(line), out_shardings=on(line)), (v,)
    yield "two axes in one", jax.jit(lambda x: x.T, in_shardings=on(grid, ("x", "y")), out_shardings=on(grid, None, "y")), (a,)
    yield "in another order", jax.jit(lambda x: x.T, in_shardings=on(turned, "y", "x")), (a,)
    yield "part of a mesh", constrained(cube, ("z", "x"), "y"), (a,)
    yield "open", constrained(grid, "x", P.UNCONSTRAINED), (a,)
    yield "open in all", constrained(grid, P.UNCONSTRAINED, P.UNCONSTRAINED), (a,)
    yield "loop", jax.jit(loop), (a,)
    yield "gradient", jax.jit(jax.grad(lambda x: constrained(line, "x")(x).sum())), (a,)
    yield "vmap", jax.jit(jax.vmap(constrained(line, "x"))), (jnp.ones((8, 8, 16)),)
    yield "donated", jax.jit(lambda x: x * 2, donate_argnums=0, in_shardings=on(line, "x"), out_shardings=on(line, "x")), (a,)
    yield "memory kind", jax.jit(lambda x: x * 2, in_shardings=NamedSharding(line, P("x"), memory_kind="unpinned_host")), (a,)
    yield "alike", jax.jit(lambda x, y: shard_alike(x * 2, y)), (a, a)
    yield "custom partitioning", jax.jit(parted, in_shardings=on(line, "x")), (a,)
    yield "map: sum", mapped(lambda x: lax.psum(x, "x"), line, P("x"), P()), (a,)
    yield "map: two sums", mapped(lambda x: (lax.psum(x, "x"), lax.pmax(x, "y")), grid, P("x", "y"), (P(None, "y"), P("x"))), (a,)
    yield "map: gather", mapped(lambda x: lax.all_gather(x, "x", tiled=True), line, P("x"), P(), check_vma=False), (a,)
    yield "map: scatter", mapped(lambda x: lax.psum_scatter(x, "x", tiled=True), line, P(), P("x"), check_vma=False), (a,)
    yield "map: permutation", mapped(lambda x: lax.ppermute(x, "x", [(i, (i + 1) % 8) for i in range(8)]), line, P("x"), P("x")), (a,)
    yield "map: all to all", mapped(lambda x: lax.all_to_all(x, "x", 1, 0, tiled=True), line, P("x"), P(None, "x")), (a,)
    yield "map: index", mapped(lambda x: x + lax.axis_index("x"), line, P("x"), P("x")), (a,)
    yield "map: one axis", mapped(lambda x: lax.psum(x, "x"), grid, P("x"), P(), axis_names={"x"}), (a,)
    yield "map: broadcast", mapped(lambda x: lax.pbroadcast(x, "x", 1), line, P("x"), P("x"), check_vma=False), (a,)
    yield "map: loop", mapped(lambda x: lax.scan(lambda c, _: (lax.pmean(c, "x") * c, None), x, None, length=3)[0], line, P("x"), P("x"),
                              check_vma=False), (a,)
    yield "map: map", mapped(lambda x: shard_map(lambda y: lax.psum(y, "y"), mesh=AbstractMesh((2, 4), ("x", "y")), in_specs=P(None, "y"),
                                                 out_specs=P(), axis_names={"y"})(x), grid, P("x"), P("x"), axis_names={"x"}), (a,)
    yield "map: gradient", jax.jit(jax.grad(lambda x: mapped(lambda y: lax.psum(y * y, "x"), line, P("x"), P())(x).sum())), (a,)
    with jax.set_mesh(explicit):
        b = jax.device_put(a, on(explicit, "x", "y"))
        yield "explicit", jax.jit(lambda x: x * 2 + 1), (b,)
        yield "explicit product", jax.jit(lambda x, y: jnp.dot(x, y, out_sharding=P("x", None))), (b, jax.device_put(a.T, on(explicit, "y", None)))
        yield "explicit reshard", jax.jit(lambda x: jax.sharding.reshard(x, P("y", "x"))), (b,)
        yield "explicit unreduced", jax.jit(lambda x, y: jnp.einsum("ij,jk->ik", x, y, out_sharding=P("x", None, unreduced={"y"}))), (
            b, jax.device_put(a.T, on(explicit, "y", None)))


def printed(tool, text, *options):
    done = subprocess.run([tool, "-", *options], input=text, capture_output=True, text=True, check=False)
    return done.stdout if not done.returncode else done.stderr


def main():
    tool = sys.argv[1]
    passed = failed = 0
    for name, function, arguments in programs():
        try:
            lowered = function.lower(*arguments)
        except Exception as error:  # of this jax
            print(f"{name}: not lowered: {str(error).splitlines()[0][:150]}")
            continue
        for places in (False, True):
            text = lowered.as_text(debug_info=places)
            options = ["--mlir-print-debuginfo"] if places else []
            got = printed(tool, text, *options)
            generic = lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True, enable_debug_info=places)
            again = printed(tool, generic, *options)
            right = places and not got.startswith("<stdin>") or got.strip() == text.strip()
            right = right and (places or again.strip() == text.strip())
            passed, failed = passed + right, failed + (not right)
            if not right:
                lines = [f"  {x}\n  {y}" for x, y in zip(text.splitlines(), got.splitlines()) if x != y]
                print(f"{name}{', with places' if places else ''}: {got[:300] if got.startswith('<stdin>') else chr(10).join(lines[:3])}")
    print(f"{passed} passed, {failed} failed")


main()
