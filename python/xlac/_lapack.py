# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eigenvalues of matrices that are not symmetric, Schur's form and QR with pivots, by LAPACK of SciPy, which JAX needs as well.

Their steps depend on values one by one, so no device gains by them: programs call the host.
"""

from __future__ import annotations

import functools
import hashlib

import numpy as np
from scipy.linalg import lapack

from xlac._callbacks import Callback


def _eigenvectors(packed: np.ndarray, imaginary: np.ndarray) -> np.ndarray:
    """Of real matrices the real and imaginary parts of a conjugate pair are neighbours."""
    vectors = packed.astype(np.result_type(packed.dtype, np.complex64))
    for i in np.flatnonzero(imaginary > 0):
        vectors[:, i] = packed[:, i] + 1j * packed[:, i + 1]
        vectors[:, i + 1] = vectors[:, i].conj()
    return vectors


def _eig(matrix: np.ndarray, left: bool, right: bool) -> list[np.ndarray] | None:
    (geev,) = lapack.get_lapack_funcs(("geev",), (matrix,))
    *values, vl, vr, info = geev(matrix, compute_vl=left, compute_vr=right)
    if info:
        return None
    if len(values) == 2:
        if left:
            vl = _eigenvectors(vl, values[1])
        if right:
            vr = _eigenvectors(vr, values[1])
        values = [values[0] + 1j * values[1]]
    return values + [vl] * left + [vr] * right


def _schur(matrix: np.ndarray, vectors: bool) -> list[np.ndarray] | None:
    (gees,) = lapack.get_lapack_funcs(("gees",), (matrix,))
    form, *_, found, _, info = gees(lambda *_: False, matrix, compute_v=vectors)
    return None if info else [form] + [found] * vectors


def _geqp3(matrix: np.ndarray, kept: np.ndarray) -> list[np.ndarray] | None:
    if kept.any():
        raise NotImplementedError("geqp3 moves no columns to the front, as SciPy's does not")
    (geqp3,) = lapack.get_lapack_funcs(("geqp3",), (matrix,))
    form, order, taus, _, info = geqp3(matrix)
    return None if info else [form, order, taus]


def _unknown(shape, dtype) -> np.ndarray:
    """NaN; of numbers of columns these in order."""
    if np.issubdtype(dtype, np.integer):
        return np.broadcast_to(np.arange(1, shape[-1] + 1, dtype=dtype), shape).copy()
    return np.full(shape, np.nan, dtype)


def _of_each(function, outputs, batch: np.ndarray, *others: np.ndarray) -> list[np.ndarray]:
    """`function` of each matrix, with what belongs to it of others; unknown where it finds nothing, or the matrix is not finite."""
    results = [_unknown(shape, dtype) for shape, dtype in outputs]
    for index in np.ndindex(batch.shape[:-2]):
        if batch[index].size and np.isfinite(batch[index]).all():
            for result, value in zip(results, function(batch[index], *(other[index] for other in others)) or ()):
                result[index] = value
    return results


_FUNCTIONS = {"eig": _eig, "geqp3": _geqp3, "schur": _schur}


@functools.cache
def callback(name: str, options: tuple[bool, ...], operands, outputs) -> Callback:
    """The function with a number that is the same in every process, so that caches of programs find it."""
    what = repr((name, options, operands, outputs)).encode()
    number = int.from_bytes(hashlib.sha256(what).digest()[:7], "little")
    function = functools.partial(_of_each, lambda *arrays: _FUNCTIONS[name](*arrays, *options), outputs)
    return Callback(function, operands, outputs, number)
