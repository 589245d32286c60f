# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of Python that programs call: custom calls of TARGET, with a number that stands for the function.

The numbers begin at a random one, so that a program of another process, kept in a cache, calls nothing by mistake.
"""

from __future__ import annotations

import ctypes
import secrets
import threading
from collections.abc import Callable, Sequence

import numpy as np

from xlac._library import path

TARGET = "xlac_python_callback"
INSPECT = "xlac_inspect_sharding"
PARTS = "xlac.parts"
Types = Sequence[tuple[tuple[int, ...], np.dtype]]

_P = ctypes.c_void_p
_CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_ssize_t, ctypes.POINTER(_P),
                         ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.POINTER(ctypes.c_int64)),
                         ctypes.c_ssize_t, ctypes.POINTER(_P),
                         ctypes.POINTER(ctypes.c_size_t), _P, ctypes.c_size_t)
_lock = threading.Lock()
_functions: dict[int, Callback] = {}
_next = secrets.randbits(62)


class Callback:
    """A function that programs may call as long as this lives, with and for arrays of these types.

    `number` stands for it, if the caller has one below 2^62 that no other function has. With `parts` its inputs are parts of
    arrays of these types.
    """

    def __init__(self, function: Callable[..., Sequence[np.ndarray]], inputs: Types, outputs: Types,
                 number: int | None = None, parts: bool = False):
        global _next
        self.function, self.inputs, self.outputs, self.parts = function, list(inputs), list(outputs), parts
        with _lock:
            _install()
            _next += number is None
            self.number = _next if number is None else number
            _functions[self.number] = self

    def call(self, inputs: list[tuple[int, int]], outputs: list[tuple[int, int]], dims) -> None:
        """Calls it with arrays, each an address and a number of bytes; those of inputs have these dimensions."""
        types = [(tuple(given[:len(shape)]) if self.parts else shape, dtype) for given, (shape, dtype) in zip(dims, self.inputs)]
        given = [_view(*memory, *of).copy() for memory, of in zip(inputs, types, strict=True)]
        results = self.function(*given)
        for value, memory, (shape, dtype) in zip(results, outputs, self.outputs, strict=True):
            if value.shape != shape or value.dtype != dtype:
                raise TypeError(f"a result is {value.dtype}{list(value.shape)}, must be {dtype}{list(shape)}")
            _view(*memory, shape, dtype)[...] = value


class Asking(Callback):
    """A function that is told how an array lies, as a text, when a program is compiled that asks so by a custom call of INSPECT."""

    def __init__(self, function: Callable[[str], None]):
        super().__init__(function, [], [])

    def call(self, inputs: list[tuple[int, int]], outputs: list[tuple[int, int]], dims) -> None:
        self.function(ctypes.string_at(*inputs[0]).decode())


class Buffer:
    """What functions of `jax.experimental.buffer_callback` get: an array to read, or to write into."""

    def __init__(self, array: np.ndarray, writeable: bool):
        array.flags.writeable = writeable
        self._array = array

    shape = property(lambda self: self._array.shape)
    dtype = property(lambda self: self._array.dtype)
    ndim = property(lambda self: self._array.ndim)
    writeable = property(lambda self: self._array.flags.writeable)

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self._array, dtype, copy=copy)

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class ExecutionContext:
    """What is known of a run when a program calls: that it runs."""

    @property
    def stage(self):
        from jax.experimental.buffer_callback import ExecutionStage

        return ExecutionStage.EXECUTE

    @property
    def stream(self):
        raise ValueError("there is no stream: the function runs on the host")


def _view(address: int, size: int, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    if size != dtype.itemsize * int(np.prod(shape)):
        raise TypeError(f"an array has {size} bytes, {dtype}{list(shape)} has others")
    if not size:
        return np.empty(shape, dtype)
    return np.frombuffer((ctypes.c_char * size).from_address(address), np.uint8).view(dtype).reshape(shape)


def _call(number, n_in, inputs, in_sizes, dims, n_out, outputs, out_sizes, error, error_size) -> int:
    try:
        callback = _functions.get(number)
        if callback is None:
            raise LookupError("the function is not there any more")
        callback.call([(inputs[i], in_sizes[i]) for i in range(n_in)], [(outputs[i], out_sizes[i]) for i in range(n_out)],
                      [dims[i] for i in range(n_in)])
        return 0
    except BaseException as e:  # an exception cannot pass through the program
        text = f"{type(e).__name__}: {e}".encode()[:error_size - 1] + b"\0"
        ctypes.memmove(error, text, len(text))
        return 1


_pointer = _CALL(_call)
_installed = False


def _install() -> None:
    global _installed
    if not _installed:
        ctypes.CDLL(path("libxlac_pjrt.so")).xlaPythonSetCallback(_pointer)
        _installed = True
