# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs StableHLO and HLO programs on this machine's processor and on Vulkan devices, on numpy arrays.

    import numpy as np, xlac
    text = jax.jit(f).lower(x).as_text()         # or a file's, in any form that xla-run reads
    y = xlac.run(text, [np.ones(4, np.float32)])

    f = xlac.compile(text, device="vulkan")      # once
    y = f(x)                                     # many times
    z = f.on_device(f.on_device(x))              # without copies in between
    w = np.from_dlpack(z)                        # shared with numpy, torch .., where it is the processor's

JAX itself finds the package as a plugin: JAX_PLATFORMS=xlac or xlac_vulkan.
"""

from __future__ import annotations

import collections
import ctypes
import threading
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from xlac import _dlpack
from xlac._library import ERROR_BYTES, MAX_RANK, dtype, library, type_name

__all__ = ["Array", "Device", "Error", "Executable", "Memory", "Type", "compile", "device", "from_dlpack", "run"]
__version__ = "0.1.0"

_CODES = ["ok", "invalid argument", "not found", "out of memory", "unimplemented", "device lost", "deadline exceeded",
          "data loss", "internal"]
_MOST_THREADS = 1024


class Error(RuntimeError):
    """What a program or a device said. `code` is "invalid argument", "unimplemented", "out of memory", .."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = _CODES[code] if code < len(_CODES) else "unknown"


class Type(NamedTuple):
    """What an input or an output is."""

    shape: tuple[int, ...]
    dtype: np.dtype


class Memory(NamedTuple):
    """Bytes of a device's arrays: in use, the most so far, and that there can be (0: not known)."""

    used: int
    peak: int
    limit: int


class _Call:
    """Where a function writes its error."""

    def __init__(self) -> None:
        self.code = ctypes.c_int()
        self.text = ctypes.create_string_buffer(ERROR_BYTES)

    def check(self, code: int | None = None) -> None:
        code = self.code.value if code is None else code
        if code:
            raise Error(code, self.text.value.decode(errors="replace"))


class _Open:
    """What a device has open, until it and all that is on it have left: of what ends together, in any order, it is the last."""

    def __init__(self, handle: int):
        self.handle = handle
        self._users = collections.deque([True])  # the device, which is the last to be taken out

    def enter(self) -> _Open:
        self._users.append(False)
        return self

    def leave(self) -> None:
        if self._users.pop():
            library.Close(self.handle)


class Device:
    """A processor or a Vulkan device. `device()` keeps one of each kind."""

    def __init__(self, name: str = "cpu", cpu: str | None = None, threads: int = 0):
        """`name` is cpu, vulkan, vulkan:N or interpreter; `cpu` and `threads` are as those of xla-run."""
        call = _Call()
        self.name = name
        if not 0 <= threads <= _MOST_THREADS:
            raise ValueError(f"threads is {threads}, not a number from 1 to {_MOST_THREADS}, or 0")
        handle = library.Open(_text(name, "a device"), _text(cpu, "cpu") if cpu else None, threads, call.code, call.text)
        call.check()
        self._open = _Open(handle)

    def __del__(self) -> None:
        if hasattr(self, "_open"):
            self._open.leave()

    @property
    def _handle(self) -> int:
        return self._open.handle

    def __repr__(self) -> str:
        return f"xlac.Device({self.name!r})"

    def compile(self, program: str | bytes, *, entry: str | None = None, name: str = "program") -> Executable:
        """Compiles a program in any form: StableHLO's text or portable artifact, jax.export's file, HLO."""
        return Executable(self, program, entry, name)

    def put(self, array: npt.ArrayLike) -> Array:
        """Copies an array to the device."""
        values = np.asarray(array)
        call = _Call()
        dims = (ctypes.c_int64 * MAX_RANK)(*_checked(values.shape))
        strides = (ctypes.c_int64 * MAX_RANK)(*values.strides)
        handle = library.Put(self._handle, type_name(values.dtype).encode(), values.ndim, dims, strides,
                             values.ctypes.data, call.code, call.text)
        call.check()
        return Array(self, handle)

    def take(self, tensor: Any, *, copy: bool | None = None) -> Array:
        """An array of what has __dlpack__, of numpy, torch, JAX .., which must stay as it is from here on: in the same memory where
        the device is a processor and the array dense, else a copy, an error if `copy` is False. `copy=True`: a copy."""
        taken = _dlpack.Taken(tensor)
        call = _Call()
        dims = (ctypes.c_int64 * MAX_RANK)(*_checked(taken.shape))
        strides = (ctypes.c_int64 * MAX_RANK)(*taken.strides)
        of = taken.name.encode(), len(taken.shape), dims, strides, taken.data
        if copy:
            handle = library.Put(self._handle, *of, call.code, call.text)
        else:
            handle = library.Share(self._handle, *of, taken.keep(), taken.address, call.code, call.text)
        call.check()
        array = Array(self, handle)
        if copy is False and 0 not in taken.shape and array._address() != taken.data:
            raise BufferError("the array is not that of a processor, not dense, or not aligned, so it is copied")
        return array

    def memory(self) -> Memory:
        """How much memory arrays take."""
        counts = (ctypes.c_size_t * 3)()
        library.Memory(self._handle, counts)
        return Memory(*counts)


def _text(value: Any, what: str) -> bytes:
    """A string of C's; what comes behind a character 0 would be lost."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is {type(value).__name__}, not str")
    if "\0" in value:
        raise ValueError(f"{what} has a character that is 0")
    return value.encode()


def _program(program: Any) -> bytes:
    if isinstance(program, str):
        return program.encode()
    if not isinstance(program, (bytes, bytearray, memoryview)):
        raise TypeError(f"a program is str or bytes, not {type(program).__name__}")
    return bytes(program)


def _checked(shape: tuple[int, ...]) -> tuple[int, ...]:
    if len(shape) > MAX_RANK:
        raise TypeError(f"an array has {len(shape)} dimensions, more than {MAX_RANK}")
    return shape


def _read_type(read: Any) -> Type:
    dims = (ctypes.c_int64 * MAX_RANK)()
    name = ctypes.c_char_p()
    rank = read(dims, ctypes.byref(name))
    return Type(tuple(dims[:rank]), dtype((name.value or b"").decode()))


class Array:
    """An array on a device; np.asarray(array) waits for it and copies it back."""

    def __init__(self, of: Device, handle: int):
        self.device, self._handle, self._open = of, handle, of._open.enter()
        self.shape, self.dtype = _read_type(lambda *to: library.ArrayShape(handle, *to))

    def __del__(self) -> None:
        if hasattr(self, "_open"):
            library.Release(self._handle)
            self._open.leave()

    def __array__(self, dtype: npt.DTypeLike = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("an array of a device is copied")
        values = np.empty(self.shape, self.dtype)
        call = _Call()
        call.check(library.Get(self._handle, values.ctypes.data, call.text))
        return values if dtype is None else values.astype(dtype, copy=False)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _dlpack.DEVICE

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        """For from_dlpack of others: the memory of the array itself, not to be written, if the device is a processor and the other
        one knows version 1 of DLPack; else a copy, or a BufferError if `copy` is False."""
        held = _Held(self)
        is_shared = held.address is not None or 0 in self.shape
        if held.address is None:
            values = np.asarray(self)
        else:
            memory = (ctypes.c_char * held.size).from_address(held.address)
            memory.owner = held  # type: ignore[attr-defined]
            values = np.ndarray(self.shape, self.dtype, memory)
        return _dlpack.give(values, type_name(self.dtype), is_shared=is_shared, is_own=held.address is None, stream=stream,
                            max_version=max_version, dl_device=dl_device, copy=copy)

    def _address(self) -> int | None:
        return _Held(self).address

    def __repr__(self) -> str:
        return f"xlac.Array(shape={self.shape}, dtype={self.dtype}, device={self.device.name!r})"

    @property
    def is_deleted(self) -> bool:
        """Whether it was donated to a program."""
        return library.IsDeleted(self._handle)


class _Held:
    """The memory of an array, which stays as it is as long as this lives; `address` is None where it is not that of the processor."""

    def __init__(self, array: Array):
        data, call = ctypes.c_void_p(), _Call()
        self._handle, self._open, self.address = array._handle, array.device._open.enter(), None
        self.size = array.dtype.itemsize * int(np.prod(array.shape))
        if self.size:
            call.check(library.Hold(array._handle, data, call.text))
            self.address = data.value

    def __del__(self) -> None:
        if self.address is not None:
            library.Unhold(self._handle)
        self._open.leave()


class Executable:
    """A program compiled for a device. Threads may call it at the same time."""

    def __init__(self, on: Device, program: str | bytes, entry: str | None, name: str):
        code = _program(program)
        call = _Call()
        self.device = on
        self._handle = library.Compile(on._handle, code, len(code), _text(name, "name"),
                                       _text(entry, "entry") if entry is not None else None, call.code, call.text)
        call.check()
        self._open = on._open.enter()
        self.is_unbounded: bool = library.IsUnbounded(self._handle)
        self.inputs, self.outputs = self._types(False), self._types(True)
        self._n_outputs = library.Count(self._handle, True)

    def __del__(self) -> None:
        if hasattr(self, "_open"):
            library.Free(self._handle)
            self._open.leave()

    def _types(self, outputs: bool) -> tuple[Type, ...]:
        if self.is_unbounded:  # not known before it runs
            return ()
        return tuple(_read_type(lambda *to, i=i: library.Shape(self._handle, outputs, i, *to))
                     for i in range(library.Count(self._handle, outputs)))

    def __call__(self, *inputs: npt.ArrayLike | Array) -> np.ndarray | tuple[np.ndarray, ...]:
        """Runs on arrays and gives numpy arrays: one, or a tuple of them if the program has another number."""
        outputs = tuple(np.asarray(output) for output in self._run(inputs))
        return outputs[0] if len(outputs) == 1 else outputs

    def on_device(self, *inputs: npt.ArrayLike | Array) -> Array | tuple[Array, ...]:
        """The same, with results that stay on the device. Returns before they are there."""
        outputs = self._run(inputs)
        return outputs[0] if len(outputs) == 1 else outputs

    def _run(self, inputs: Sequence[npt.ArrayLike | Array]) -> tuple[Array, ...]:
        arrays = [self._input(i, value) for i, value in enumerate(inputs)]
        given = (ctypes.c_void_p * len(arrays))(*(array._handle for array in arrays))
        made = (ctypes.c_void_p * self._n_outputs)()
        call = _Call()
        call.check(library.Execute(self._handle, len(arrays), given, len(made), made, call.text))
        return tuple(Array(self.device, handle) for handle in made if handle)

    def _input(self, number: int, value: npt.ArrayLike | Array) -> Array:
        if isinstance(value, Array):
            return value
        wanted = self.inputs[number].dtype if number < len(self.inputs) else None
        # Numbers of Python have the type that the program takes; arrays have their own.
        return self.device.put(value if isinstance(value, np.ndarray) else np.asarray(value, dtype=wanted))


_devices: dict[str, Device] = {}
_lock = threading.Lock()


def device(name: str = "cpu") -> Device:
    """The device of this name: cpu, vulkan, vulkan:N or interpreter; opened once."""
    with _lock:
        _text(name, "a device")
        if name not in _devices:
            _devices[name] = Device(name)
        return _devices[name]


def compile(program: str | bytes, *, device: str | Device = "cpu", entry: str | None = None,
            name: str = "program") -> Executable:
    """Compiles a program in any form that xla-run reads. `name` is what messages call it."""
    on = device if isinstance(device, Device) else globals()["device"](device)
    return on.compile(program, entry=entry, name=name)


def from_dlpack(tensor: Any, *, device: str | Device = "cpu", copy: bool | None = None) -> Array:
    """Device.take: an array of what has __dlpack__, in the same memory where it can be."""
    on = device if isinstance(device, Device) else globals()["device"](device)
    return on.take(tensor, copy=copy)


def run(program: str | bytes, inputs: Sequence[npt.ArrayLike | Array] = (), *, device: str | Device = "cpu",
        entry: str | None = None) -> np.ndarray | tuple[np.ndarray, ...]:
    """Compiles and runs a program once."""
    if not isinstance(inputs, Iterable):
        raise TypeError(f"inputs is {type(inputs).__name__}, not a sequence of arrays")
    return compile(program, device=device, entry=entry)(*inputs)
