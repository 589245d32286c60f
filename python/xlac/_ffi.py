# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls handlers of XLA's foreign function interface, as `jax.ffi.register_ffi_target` gets them, with arrays of numpy.

The structures are those of xla/ffi/api/c_api.h, version 0.3, which `jax.ffi.include_dir()` has.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_VERSION = (0, 3)
_EXECUTE = 3  # the stage
_BUFFER = 1  # the only type of arguments and results
_METADATA = 1  # the only extension
_UNIMPLEMENTED = 12
_TYPES = {
    "bool": 1, "int1": 30, "int2": 26, "int4": 21, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint1": 31, "uint2": 27,
    "uint4": 22, "uint8": 6, "uint16": 7, "uint32": 8, "uint64": 9, "float16": 10, "float32": 11, "float64": 12, "bfloat16": 16,
    "complex64": 15, "complex128": 18, "float8_e5m2": 19, "float8_e3m4": 29, "float8_e4m3": 28, "float8_e4m3fn": 20,
    "float8_e4m3b11fnuz": 23, "float8_e5m2fnuz": 24, "float8_e4m3fnuz": 25, "float4_e2m1fn": 32, "float8_e8m0fnu": 33,
}

_P, _Size, _Int64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64


def _struct(name: str, *fields: tuple[str, Any]) -> type[ctypes.Structure]:
    """One that begins as all of them do."""
    return type(name, (ctypes.Structure,), {"_fields_": [("struct_size", _Size), ("extension_start", _P), *fields]})


class _ByteSpan(ctypes.Structure):
    _fields_ = [("ptr", _P), ("len", _Size)]


class _Scalar(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("value", _P)]


class _Array(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("size", _Size), ("data", _P)]


class _Extension(ctypes.Structure):
    _fields_ = [("struct_size", _Size), ("type", ctypes.c_int), ("next", _P)]


_Version = _struct("_Version", ("major", ctypes.c_int), ("minor", ctypes.c_int))


class _Metadata(ctypes.Structure):
    _fields_ = [("struct_size", _Size), ("version", _Version), ("traits", ctypes.c_uint32), ("state_type", _Int64)]


class _MetadataExtension(ctypes.Structure):
    _fields_ = [("base", _Extension), ("metadata", ctypes.POINTER(_Metadata))]


_Buffer = _struct("_Buffer", ("dtype", ctypes.c_int), ("data", _P), ("rank", _Int64), ("dims", _P))
_List = _struct("_List", ("size", _Int64), ("types", _P), ("values", _P))
_Attributes = _struct("_Attributes", ("size", _Int64), ("types", _P), ("names", _P), ("values", _P))
_Frame = _struct("_Frame", ("api", _P), ("context", _P), ("stage", ctypes.c_int), ("args", _List), ("rets", _List),
                 ("attrs", _Attributes), ("future", _P))

# ---------------------------------------------------------------------------------------------- what handlers may call

_ErrorArguments = _struct("_ErrorArguments", ("message", ctypes.c_char_p), ("code", ctypes.c_int))
_GetMessage = _struct("_GetMessage", ("error", _P), ("message", _P))
_Destroy = _struct("_Destroy", ("error", _P))
_Schedule = _struct("_Schedule", ("context", _P), ("task", _P), ("data", _P))
_NumThreads = _struct("_NumThreads", ("context", _P), ("n", ctypes.POINTER(_Int64)))
_RunId = _struct("_RunId", ("context", _P), ("number", _Int64))
_Ordinal = _struct("_Ordinal", ("context", _P), ("number", ctypes.c_int32))

_errors: dict[int, ctypes.Array] = {}  # texts, by the numbers that stand for errors
_next_error = itertools.count(1)


def _error(text: bytes) -> int:
    number = next(_next_error)
    _errors[number] = ctypes.create_string_buffer(text)
    return number


def _function(arguments: type, result: Any = _P) -> Callable:
    return lambda function: ctypes.CFUNCTYPE(result, ctypes.POINTER(arguments))(lambda given: function(given.contents))


@_function(_ErrorArguments)
def _create_error(given):
    return _error(given.message or b"")


@_function(_GetMessage, None)
def _get_message(given):
    given.message = ctypes.addressof(_errors[given.error])


@_function(_Destroy, None)
def _destroy_error(given):
    _errors.pop(given.error, None)


@_function(_Schedule)
def _schedule(given):  # there is one thread
    ctypes.CFUNCTYPE(None, _P)(given.task)(given.data)


@_function(_NumThreads)
def _num_threads(given):
    given.n[0] = 1


@_function(_RunId)
def _run_id(given):
    given.number = 0


@_function(_Ordinal)
def _ordinal(given):
    given.number = 0


def _refuse(what: str):
    return _function(_Destroy)(lambda given: _error(f"{what} are not supported on xlac".encode()))


_functions = [
    _create_error, _get_message, _destroy_error,
    _refuse("handlers that register handlers"), _refuse("streams"), _refuse("types of state"), _refuse("user-defined contexts"),
    _refuse("handlers with state"), _refuse("handlers with state"),
    _refuse("allocations of device memory"), _refuse("allocations of device memory"),
    _schedule, _num_threads,
    _refuse("asynchronous handlers"), _refuse("asynchronous handlers"), _refuse("asynchronous handlers"),
    _run_id, _ordinal,
]
_Api = _struct("_Api", ("version", _Version), ("internal", _P), ("functions", _P * len(_functions)))
_api = _Api(struct_size=ctypes.sizeof(_Api), version=_Version(ctypes.sizeof(_Version), None, *_VERSION),
            functions=(_P * len(_functions))(*(ctypes.cast(function, _P).value for function in _functions)))

# ------------------------------------------------------------------------------------------------------------ handlers


@dataclass(frozen=True)
class Target:
    """What a name stands for."""

    execute: int | None  # an address
    refused: str  # why it cannot be called; empty if it can


_targets: dict[tuple[str, str], Target] = {}


def register(name: str | bytes, function: Any, platform: str, api_version: int = 0, traits: int = 0) -> None:
    """What `jax.ffi.register_ffi_target` calls for a platform that has asked for it."""
    name = name.decode() if isinstance(name, bytes) else name
    stages = function if isinstance(function, dict) else {"execute": function}
    refused = ""
    if api_version != 1:
        refused = "is of version 0 of the interface; only version 1, the typed one, is supported"
    elif others := [stage for stage in stages if stage != "execute" and stages[stage] is not None]:
        refused = f"has a handler of the stage {others[0]}; only execute is supported"
    execute = _address(stages["execute"]) if stages.get("execute") is not None and not refused else None
    _targets[platform, name] = Target(execute, refused or ("" if execute else "has no handler of the stage execute"))


def find(platform: str, name: str) -> int | None:
    """The address of a handler that can be called; None if there is none of that name."""
    target = _targets.get((platform, name))
    if target is None:
        return None
    refused = target.refused or _check(target.execute)
    if refused:
        raise NotImplementedError(f"the target {name!r} of jax.ffi {refused}")
    return target.execute


def _address(capsule: Any) -> int:
    get_name, get_pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer.restype, get_pointer.argtypes = _P, [ctypes.py_object, ctypes.c_char_p]
    return get_pointer(capsule, get_name(capsule))


def _invoke(address: int, frame: ctypes.Structure) -> None:
    error = ctypes.CFUNCTYPE(_P, _P)(address)(ctypes.addressof(frame))
    if error:
        raise RuntimeError(_errors.pop(error).value.decode(errors="replace"))


@functools.cache  # every lowering asks
def _check(address: int) -> str:
    """Why a handler cannot be called, as it says itself."""
    metadata = _Metadata(struct_size=ctypes.sizeof(_Metadata), version=_Version(ctypes.sizeof(_Version)))
    extension = _MetadataExtension(_Extension(ctypes.sizeof(_MetadataExtension), _METADATA), ctypes.pointer(metadata))
    frame = _Frame(struct_size=_Frame.future.offset, extension_start=ctypes.addressof(extension), api=ctypes.addressof(_api),
                   stage=_EXECUTE)
    _invoke(address, frame)
    version = metadata.version.major, metadata.version.minor
    if version[0] != _VERSION[0] or version > _VERSION:
        return f"is of version {version[0]}.{version[1]} of the interface; {_VERSION[0]}.{_VERSION[1]} is known"
    return "has state, which is not supported" if metadata.state_type else ""


class _Arena:
    """Memory of a frame, which lives as long as this does."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def place(self, value: ctypes.Structure | ctypes.Array) -> int:
        self.kept.append(value)
        return ctypes.addressof(value)

    def span(self, text: bytes) -> _ByteSpan:
        return _ByteSpan(self.place(ctypes.create_string_buffer(text)), len(text))

    def array(self, value: np.ndarray) -> int:
        self.kept.append(value)
        return value.ctypes.data

    def pointers(self, addresses: Sequence[int]) -> int:
        return self.place((_P * max(len(addresses), 1))(*addresses))

    def numbers(self, numbers: Sequence[int], of: Any = ctypes.c_int) -> int:
        return self.place((of * max(len(numbers), 1))(*numbers))


def _list(arena: _Arena, arrays: Sequence[np.ndarray]) -> ctypes.Structure:
    buffers = [arena.place(_Buffer(ctypes.sizeof(_Buffer), None, type_number(array.dtype), arena.array(array), array.ndim,
                                   arena.numbers(array.shape, _Int64))) for array in arrays]
    return _List(ctypes.sizeof(_List), None, len(arrays), arena.numbers([_BUFFER] * len(arrays)), arena.pointers(buffers))


def _attribute(arena: _Arena, value: Any) -> tuple[int, int]:
    """The kind of a value, and where it lies."""
    if isinstance(value, np.generic):
        return 3, arena.place(_Scalar(type_number(value.dtype), arena.array(np.asarray(value))))
    if isinstance(value, np.ndarray):
        return 1, arena.place(_Array(type_number(value.dtype), value.size, arena.array(np.ascontiguousarray(value))))
    if isinstance(value, bytes):
        return 4, arena.place(arena.span(value))
    return 2, arena.place(_dictionary(arena, value))


def _dictionary(arena: _Arena, attributes: Mapping[str, Any]) -> ctypes.Structure:
    names = sorted(attributes)  # as handlers expect
    kinds, values = zip(*(_attribute(arena, attributes[name]) for name in names)) if names else ((), ())
    return _Attributes(ctypes.sizeof(_Attributes), None, len(names), arena.numbers(kinds),
                       arena.pointers([arena.place(arena.span(name.encode())) for name in names]), arena.pointers(values))


def type_number(dtype: np.dtype) -> int:
    number = _TYPES.get(dtype.name)
    if number is None:
        raise TypeError(f"handlers of jax.ffi have no arrays of {dtype}")
    return number


def call(address: int, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> None:
    """Calls a handler with arrays to read and to write. Attributes are scalars and arrays of numpy, bytes, and dictionaries.

    Raises what the handler says.
    """
    arena = _Arena()
    frame = _Frame(_Frame.future.offset, None, ctypes.addressof(_api), None, _EXECUTE, _list(arena, inputs),
                   _list(arena, outputs), _dictionary(arena, attributes))
    _invoke(address, frame)
