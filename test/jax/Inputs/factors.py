#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factors of matrices, as JAX's calls of LAPACK ask for them, by what must hold of them: products, orthogonality, and values as numpy's in f64.

    python factors.py xla-run [option of xla-run ..] [--only=REGULAR_EXPRESSION]
"""
import re
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
import numpy as np

from judge import sample

jax.config.update("jax_enable_x64", True)


def rng():
    return np.random.default_rng(3)


def adjoint(a):
    return np.swapaxes(a.conj(), -1, -2)


def normal(*shape, imaginary=False):
    a = rng().standard_normal(shape)
    return a + 1j * rng().standard_normal(shape)[..., ::-1] if imaginary else a


def hermitian(*shape, imaginary=False):
    a = normal(*shape, imaginary=imaginary)
    return a + adjoint(a)


def with_values(values):
    q = np.linalg.qr(normal(len(values), len(values)))[0]
    return q * values @ q.T


def tridiagonal(diagonal, below):
    return np.diag(diagonal) + np.diag(below, 1) + np.diag(below, -1)


def wide(a):
    return a.astype(np.complex128 if np.iscomplexobj(a) else np.float64)


def norm(a):
    return max(np.linalg.norm(a, 2, axis=(-2, -1)).max(), 1e-300)


def off_unit(q):
    return np.abs(adjoint(q) @ q - np.eye(q.shape[-1])).max()


def eigh_errors(a, outputs):
    w, v = map(wide, outputs)
    return {"orthogonality": off_unit(v), "residual": np.abs(a @ v - v * w[..., None, :]).max() / norm(a),
            "values": np.abs(w - np.linalg.eigvalsh(a)).max() / norm(a)}


def svd_errors(a, outputs):
    u, s, v = map(wide, outputs)
    return {"orthogonality": max(off_unit(u), off_unit(adjoint(v))), "residual": np.abs(u[..., :s.shape[-1]] * s[..., None, :] @ v[..., :s.shape[-1], :] - a).max() / norm(a),
            "values": np.abs(s - np.linalg.svd(a, compute_uv=False)).max() / norm(a)}


def lu_errors(a, outputs):
    lu, order = wide(outputs[0]), outputs[2]
    m, n = a.shape[-2:]
    k = min(m, n)
    low, up = np.tril(lu[..., :k], -1) + np.eye(m, k), np.triu(lu[..., :k, :])
    return {"residual": np.abs(low @ up - np.take_along_axis(a, order[..., None], -2)).max() / norm(a), "pivots": max(np.abs(low).max() - (2**0.5 if np.iscomplexobj(a) else 1), 0)}


def cases():
    """Names, functions, inputs, numbers of outputs, and the errors of outputs."""
    def eigh(name, a, dtype="f4"):
        return f"eigh.{name}", lambda x: tuple(jnp.linalg.eigh(x, symmetrize_input=False)), a.astype(dtype), 2, eigh_errors
    n = 70
    yield eigh("f32", hermitian(64, 64))
    yield eigh("f64", hermitian(50, 50), "f8")
    yield eigh("c64", hermitian(37, 37, imaginary=True), "c8")
    yield eigh("c128", hermitian(2, 33, 33, imaginary=True), "c16")
    yield eigh("batch", hermitian(2, 3, 40, 40))
    yield eigh("panels", hermitian(150, 150))
    yield eigh("few", hermitian(5, 16, 16))
    yield eigh("unit", np.eye(n))
    yield eigh("zeros", np.zeros((n, n)))
    yield eigh("ones", np.ones((n, n)))
    yield eigh("repeated", with_values(np.repeat([3, 1, 1 + 1e-7, -2, 0], n // 5)), "f8")
    yield eigh("graded", with_values(10.0 ** -np.arange(n)), "f8")
    yield eigh("toeplitz", tridiagonal(np.full(n, 2.0), np.full(n - 1, -1.0)))
    yield eigh("wilkinson", tridiagonal(np.abs(np.arange(n) - n / 2), np.ones(n - 1)), "f8")
    yield eigh("glued", tridiagonal(np.tile([2.0, 1, 0, 1, 2], n // 5), np.where(np.arange(1, n) % 5, 1, 1e-9)), "f8")
    yield eigh("blocks", np.kron(np.eye(7), hermitian(8, 8)))
    yield eigh("large", hermitian(40, 40) * 1e37)
    yield eigh("small", hermitian(40, 40) * 1e-37)

    def svd(name, a, dtype="f4", full=False):
        return f"svd.{name}", lambda x: tuple(jnp.linalg.svd(x, full_matrices=full)), a.astype(dtype), 3, svd_errors
    yield svd("few", normal(20, 20))
    yield svd("f32", normal(70, 70))
    yield svd("f64", normal(80, 67), "f8")
    yield svd("c64", normal(66, 70, imaginary=True), "c8")
    yield svd("batch", normal(2, 80, 65))
    yield svd("ones", np.ones((80, 70)))
    yield svd("zeros", np.zeros((66, 66)))
    yield svd("rank", normal(80, 9) @ normal(9, 70), "f8")
    yield svd("graded", normal(80, 70) * 10.0 ** -np.arange(70), "f8")
    yield svd("repeated", with_values(np.repeat([3, 1, 1 + 1e-7, -2, 0], 14)), "f8")
    yield svd("full", normal(80, 70), full=True)
    yield svd("small", normal(70, 66) * 1e-37)

    def lu(name, a, dtype="f4"):
        return f"lu.{name}", jax.lax.linalg.lu, a.astype(dtype), 3, lu_errors
    yield lu("f32", normal(130, 130))
    yield lu("f64", normal(2, 90, 70), "f8")
    yield lu("wide", normal(50, 90))
    yield lu("few", normal(3, 20, 20))
    yield lu("c64", normal(70, 70, imaginary=True), "c8")
    yield lu("blocks", normal(2, 530, 530))
    yield lu("rank", normal(600, 300) @ normal(300, 530), "f8")
    yield lu("tall", normal(700, 300, imaginary=True), "c8")
    yield lu("wide.blocks", normal(290, 700))
    yield lu("graded", with_values(10.0 ** -np.linspace(0, 30, 520)))


def run(command, function, a, count):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/f.mlir", "w", encoding="utf-8") as f:
            f.write(jax.jit(function).lower(a).as_text())
        np.save(f"{folder}/a.npy", a)
        done = subprocess.run([*command, f"{folder}/f.mlir", f"--input=@{folder}/a.npy", *(f"--output=@{folder}/{i}.npy" for i in range(count))],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr.strip() or f"exit code {done.returncode}"
        return [np.load(f"{folder}/{i}.npy") for i in range(count)]


def main():
    only = [a[len("--only="):] for a in sys.argv[1:] if a.startswith("--only=")]
    command = [a for a in sys.argv[1:] if not a.startswith("--only=")]
    if not command:
        sys.exit(__doc__)
    passed = failed = 0
    for name, function, a, count, errors in sample(list(cases())):
        if only and not any(re.fullmatch(o, name) for o in only):
            continue
        outputs = run(command, function, a, count)
        limit = (2 * max(a.shape[-2:]) + 20) * np.finfo(a.dtype).eps
        bad = outputs if isinstance(outputs, str) else ", ".join(
            f"{what} {error:g} > {limit:g}" for what, error in errors(wide(a), outputs).items() if not error <= limit)
        if bad:
            print(f"{name}: {bad}")
        passed, failed = passed + (not bad), failed + bool(bad)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
