# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that jax.export writes for symbolic sizes, run for several sizes each on all devices and compared with jax itself."""
import os
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

DEVICES = ["interpreter", "cpu", "vulkan"]


def conv(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def attention(q, k, v):
    scores = jnp.einsum("bqd,bkd->bqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.arange(q.shape[1])[:, None] >= jnp.arange(k.shape[1])[None, :]
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


def layer_norm(x, g):
    m = x.mean(-1, keepdims=True)
    return (x - m) / jnp.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + 1e-5) * g


def loop(x):
    return lax.fori_loop(0, 3, lambda i, y: jnp.tanh(y + x * i), x)


def scan(x):
    return lax.scan(lambda c, row: (c * 0.5 + row, c.sum() + row), jnp.zeros_like(x[0]), x)


def branch(x, n):
    return lax.cond(n[0] > 0, lambda y: y.sum(0), lambda y: y.max(0), x)


# Name: function, shapes of arguments ("i" before: integers), sizes of the symbols.
SIZES = [(3, 5), (1, 1), (16, 7)]
FUNCTIONS = {
    "mlp": (lambda x, w, b, v: jax.nn.relu(x @ w + b) @ v, ["a,4", "4,8", "8", "8,3"]),
    "mlp_features": (lambda x, w, c: jnp.tanh(x @ w + c), ["a,b", "b,8", "8"]),
    "softmax": (lambda x: jax.nn.softmax(x), ["a,b"]),
    "attention": (attention, ["a,b,4", "a,b,4", "a,b,4"]),
    "layer_norm": (layer_norm, ["a,b", "b"]),
    "conv": (conv, ["a,6,6,3", "3,3,3,4"]),
    "pool": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), ["a,8,6,b"]),
    "flatten": (lambda x: x.reshape(-1) * 2, ["a,b"]),
    "reshape_product": (lambda x: x.reshape((x.shape[0] * x.shape[1], 4)).sum(0), ["a,b,4"]),
    "outer": (lambda x, y: x[:, None] * y[None, :], ["a", "b"]),
    "concatenate": (lambda x, y: jnp.concatenate([x, y, x], axis=0), ["a,4", "b,4"]),
    "gather": (lambda x, i: jnp.take(x, i, axis=0), ["a,4", "ib"]),
    "scatter": (lambda x, i: x.at[i].add(1.0), ["a,4", "ib"]),
    "sort": (lambda x: jnp.sort(x, axis=0), ["a,b"]),
    "argsort": (lambda x: jnp.argsort(x, axis=1), ["a,b"]),
    "cumsum": (lambda x: jnp.cumsum(x, axis=1), ["a,b"]),
    "arange": (lambda x: x + jnp.arange(x.shape[0], dtype=jnp.float32)[:, None], ["a,b"]),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i[0], 0), (x.shape[0] - 1, 2)), ["a+1,4", "i1"]),
    "dynamic_update": (lambda x, y: lax.dynamic_update_slice(x, y, (1, 0)), ["a+2,b", "a,b"]),
    "mean_by_size": (lambda x: x.sum(0) / x.shape[0] + x.shape[1], ["a,b"]),
    "half": (lambda x: x[: x.shape[0] // 2] * 2, ["a+1,4"]),
    "every_second": (lambda x: x[1::2], ["2*a,4"]),
    "pad": (lambda x: jnp.pad(x, ((1, x.shape[0]), (0, 2)), constant_values=3.0), ["a,b"]),
    "tile": (lambda x: jnp.tile(x, (2, 3)), ["a,b"]),
    "transpose_dot": (lambda x, y: x.T @ y, ["a,b", "a,3"]),
    "variance": (lambda x: (jnp.var(x), jnp.std(x, axis=0)), ["a,b"]),
    "top_k": (lambda x: lax.top_k(x, 2), ["a,b+1"]),
    "top_k_symbolic": (lambda x: lax.top_k(x, x.shape[1] - 1), ["a,b+1"]),
    "eye": (lambda x: x + jnp.eye(x.shape[0]), ["a,a"]),
    "tril": (lambda x: jnp.tril(x), ["a,b"]),
    "reverse": (lambda x: x[::-1, ::-1], ["a,b"]),
    "while": (loop, ["a,b"]),
    "scan": (scan, ["a,b"]),
    "cond": (branch, ["a,b", "i1"]),
    "one_hot": (lambda i: jax.nn.one_hot(i, 5), ["ia"]),
    "argmax": (lambda x: jnp.argmax(x, axis=1), ["a,b"]),
    "special": (lambda x: jax.scipy.special.erf(x) + jnp.arcsinh(x) + jax.lax.lgamma(x + 3), ["a,b"]),
    "triangular": (lambda m, x: jax.scipy.linalg.solve_triangular(m + 4 * jnp.eye(3), x, lower=True), ["3,3", "3,a"]),
    "gradient": (lambda x, w: jax.grad(lambda u: jnp.sum(jax.nn.softmax(x @ u) ** 2))(w), ["a,4", "4,3"]),
    "random": (lambda x: x + jax.random.uniform(jax.random.key(3), x.shape), ["a,b"]),
    "two_symbols": (lambda x, y: (x.sum() + y.sum()) * jnp.ones((x.shape[0] + y.shape[1], 2 * x.shape[0])), ["a,4", "4,b"]),
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x, axis=1)), ["a,8"]),
    "stack": (lambda x: jnp.stack([x, x + 1]).reshape((2 * x.shape[0], -1)), ["a,b"]),
    "floor_mod": (lambda x: x[: (x.shape[0] * 3 + 1) % x.shape[0] + 1], ["a+1"]),
}


def specs(shapes, scope):
    return [jax.ShapeDtypeStruct(export.symbolic_shape(s.lstrip("i"), scope=scope), jnp.int32 if s[0] == "i" else jnp.float32)
            for s in shapes]


def generic(function, shapes):
    scope = export.SymbolicScope()
    exported = export.export(jax.jit(function))(*specs(shapes, scope))
    with mlir.make_ir_context() as context:
        module = stablehlo.deserialize_portable_artifact(context, exported.mlir_module_serialized)
        if isinstance(module, bytes):
            module = ir.Module.parse(module)
        return module.operation.get_asm(print_generic_op_form=True)


def arguments(shapes, sizes, rng):
    made = []
    for s in shapes:
        shape = [eval(d, dict(zip("ab", sizes))) for d in s.lstrip("i").split(",")]
        made.append(rng.integers(0, 2, shape).astype(np.int32) if s[0] == "i" else
                    rng.uniform(-1, 1, shape).astype(np.float32))
    return made


def run(xla_run, folder, path, device, args, n):
    command = [xla_run, path, f"--device={device}"]
    for i, a in enumerate(args):
        np.save(f"{folder}/in{i}.npy", a)
        command.append(f"--input=@{folder}/in{i}.npy")
    command += [f"--output=@{folder}/out{i}.npy" for i in range(n)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return None, f"exit code {done.returncode}: {done.stderr.strip()[:500]}"
    return [np.load(f"{folder}/out{i}.npy") for i in range(n)], ""


def differs(got, want):
    want = np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{list(got.shape)}, jax has {want.dtype}{list(want.shape)}"
    if want.dtype.kind in "iub":
        return "" if np.array_equal(got, want) else "other integers"
    error = np.max(np.abs(got - want) / (1 + np.abs(want)), initial=0)
    return "" if error < 2e-5 else f"differs by {error}"


def main():
    xla_run, only = sys.argv[1], sys.argv[2:]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (function, shapes) in FUNCTIONS.items():
            if only and name not in only:
                continue
            path = f"{folder}/{name}.mlir"
            with open(path, "w") as file:
                file.write(generic(function, shapes))
            for sizes in SIZES:
                args = arguments(shapes, sizes, np.random.default_rng(passed))
                want = jax.tree.leaves(jax.jit(function)(*args))
                for device in DEVICES:
                    got, why = run(xla_run, folder, path, device, args, len(want))
                    for g, w in zip(got or [], want):
                        why = why or differs(g, w)
                    passed, failed = passed + (not why), failed + bool(why)
                    if why:
                        print(f"{name} of {sizes} on {device}: {why}")
    print(f"{len(FUNCTIONS)} functions, {passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
