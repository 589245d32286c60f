# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DLPack (https://dmlc.github.io/dlpack), by which libraries share arrays: numpy's arrays to and from its capsules.

numpy itself does not know all types, and gives arrays that are not to be written to those only who ask for version 1.
"""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from xlac._library import dtype as dtype_of

CPU = 1
DEVICE = (CPU, 0)
_READ_ONLY, _COPIED, _PADDED = 1, 2, 4  # flags; padded: each element below a byte has one
_VERSION = (1, 1)

# Codes of types, and the names of those that have one of their own.
_INT, _UINT, _FLOAT, _BFLOAT, _COMPLEX, _BOOL = 0, 1, 2, 4, 5, 6
_SMALL_FLOATS = {
    7: "f8e3m4", 8: "f8e4m3", 9: "f8e4m3b11fnuz", 10: "f8e4m3fn", 11: "f8e4m3fnuz", 12: "f8e5m2", 13: "f8e5m2fnuz",
    14: "f8e8m0fnu", 15: "f6e2m3fn", 16: "f6e3m2fn", 17: "f4e2m1fn",
}
_TYPES = {
    **{(_INT, bits): f"s{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{(_UINT, bits): f"u{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{(_FLOAT, bits): f"f{bits}" for bits in (16, 32, 64)},
    **{(_COMPLEX, bits): f"c{bits}" for bits in (64, 128)},
    **{(code, int(name[1])): name for code, name in _SMALL_FLOATS.items()},
    (_BFLOAT, 16): "bf16", (_BOOL, 8): "pred",
}


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    """Before version 1."""

    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]
    NAME, USED = b"dltensor", b"used_dltensor"


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor)]
    NAME, USED = b"dltensor_versioned", b"used_dltensor_versioned"


def _python(name: str, result: Any, *arguments: Any) -> Any:
    # By a table of its own: others may have given ctypes.pythonapi other types.
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_DESTRUCTOR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
# A capsule that ends is an address: to count references to it would end it again.
_new = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_is_valid = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_set_name = _python("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)

# ----------------------------------------------------------------------------
# To others
# ----------------------------------------------------------------------------

_given: dict[int, Any] = {}  # what capsules have, by the address of their tensors


def _forget(address: int, given=_given) -> None:
    given.pop(address, None)


def _end_capsule(capsule: int, names=(_Managed.NAME, _Versioned.NAME), is_valid=_is_valid, pointer=_pointer,
                 forget=_forget) -> None:
    for name in names:  # nobody has taken it
        if is_valid(capsule, name):
            forget(pointer(capsule, name))


_deleter, _destructor = _DELETER(_forget), _DESTRUCTOR(_end_capsule)
for _function in (_deleter, _destructor):  # arrays may end after this module
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_function))


def capsule(values: np.ndarray, name: str, version: tuple[int, int] | None, is_copy: bool) -> Any:
    """A capsule of `values`, of XLA's type `name`, for who knows DLPack up to `version`. Those who cannot be told that an array is
    not to be written get a copy, unless `is_copy` says that it is one, all theirs."""
    is_versioned = version is not None and version >= (1, 0)
    code, bits = _CODES[name]
    is_padded = bits < 8
    if is_padded and not is_versioned:
        raise BufferError(f"arrays of {values.dtype} have a byte for each element, which DLPack says from version 1 on")
    tensor = _Tensor(values.ctypes.data, CPU, 0, values.ndim, code, bits, 1)
    lists = (ctypes.c_int64 * values.ndim)(*values.shape), (ctypes.c_int64 * values.ndim)(
        *(stride // values.itemsize for stride in values.strides))
    tensor.shape, tensor.strides = lists
    deleter = ctypes.cast(_deleter, ctypes.c_void_p)
    if is_versioned:
        flags = _COPIED * is_copy | _READ_ONLY * (not is_copy) | _PADDED * is_padded
        managed = _Versioned(*_VERSION, None, deleter, flags, tensor)
    else:
        managed = _Managed(tensor, None, deleter)
    address = ctypes.addressof(managed)
    _given[address] = managed, lists, values
    try:
        return _new(address, managed.NAME, ctypes.cast(_destructor, ctypes.c_void_p))
    except BaseException:
        _forget(address)
        raise


def give(values: np.ndarray, name: str, *, is_shared: bool, is_own: bool, stream: Any = None,
         max_version: tuple[int, int] | None = None, dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
    """What __dlpack__ gives. `is_shared`: the elements are where the device has them; `is_own`: nobody else has them."""
    if stream is not None:
        raise BufferError(f"arrays of a processor have no streams, so not {stream!r}")
    if dl_device is not None and tuple(map(int, dl_device)) != DEVICE:
        raise BufferError(f"arrays are given away on the processor {DEVICE}, not on {dl_device}")
    is_old = max_version is None or max_version < (1, 0)
    is_copied = not is_own and bool(copy or is_old)
    if copy is False and not is_shared:
        raise BufferError("memory of the device is not that of the processor, so it is copied")
    if copy is False and is_copied:
        raise BufferError("the array is not to be written, which DLPack says from version 1 on, so it is copied")
    return capsule(values.copy() if is_copied else values, name, max_version, is_own or is_copied)


# ----------------------------------------------------------------------------
# From others
# ----------------------------------------------------------------------------


class Taken:
    """An array of somebody else, which is theirs again when this ends, unless `keep` was called."""

    _deleter: int | None = None

    def __init__(self, tensor: Any):
        """Of what has __dlpack__ and __dlpack_device__."""
        if not hasattr(tensor, "__dlpack__") or not hasattr(tensor, "__dlpack_device__"):
            raise TypeError(f"{type(tensor).__name__} has not __dlpack__ and __dlpack_device__")
        device = tuple(map(int, tensor.__dlpack_device__()))
        if device[0] != CPU:
            raise BufferError(f"the array is on the device {device} of DLPack; those of the processor, {DEVICE}, can be taken")
        try:
            found = tensor.__dlpack__(max_version=_VERSION)
        except TypeError:  # of the time before there were versions
            found = tensor.__dlpack__()
        for kind in (_Versioned, _Managed):
            if _is_valid(id(found), kind.NAME):
                managed = kind.from_address(_pointer(id(found), kind.NAME))
                break
        else:
            raise TypeError("__dlpack__ gave no capsule of DLPack")
        if kind is _Versioned and managed.major > _VERSION[0]:
            raise BufferError(f"the array is of version {managed.major}.{managed.minor} of DLPack, which is not known")
        self.name = self._type(managed)
        _set_name(found, kind.USED)
        self.address = ctypes.addressof(managed)
        self._deleter = managed.deleter
        self._describe(managed)

    @staticmethod
    def _type(managed: Any) -> str:
        tensor = managed.tensor
        name = _TYPES.get((tensor.code, tensor.bits))
        if name is None or tensor.lanes != 1:
            raise BufferError(f"DLPack's type {tensor.code} of {tensor.bits} bits and {tensor.lanes} lanes is not supported")
        if tensor.bits < 8 and not (isinstance(managed, _Versioned) and managed.flags & _PADDED):
            raise BufferError(f"the array has several elements of {tensor.bits} bits in a byte, which is not supported")
        return name

    def _describe(self, managed: Any) -> None:
        tensor = managed.tensor
        self.shape = tuple(tensor.shape[:tensor.ndim])
        self.itemsize = (tensor.bits + 7) // 8
        dense = [math.prod(self.shape[i + 1:]) for i in range(tensor.ndim)]
        self.strides = tuple(self.itemsize * stride for stride in (tensor.strides[:tensor.ndim] if tensor.strides else dense))
        self.data = (tensor.data or 0) + tensor.offset
        flags = managed.flags if isinstance(managed, _Versioned) else 0
        self.is_read_only, self.is_copy = bool(flags & _READ_ONLY), bool(flags & _COPIED)

    def keep(self) -> int | None:
        """The function that ends it, with `address`, whom the caller has to call from here on; None if there is none."""
        deleter, self._deleter = self._deleter, None
        return deleter

    def __del__(self) -> None:
        deleter = self.keep()
        if deleter:
            _DELETER(deleter)(self.address)

    def view(self) -> np.ndarray:
        """As an array of numpy, in the same memory, which keeps it."""
        of = dtype_of(self.name)
        if 0 in self.shape:
            return np.empty(self.shape, of)
        ends = [(n - 1) * stride for n, stride in zip(self.shape, self.strides)]
        low = sum(end for end in ends if end < 0)
        size = sum(map(abs, ends)) + self.itemsize
        memory = (ctypes.c_char * size).from_address(self.data + low)
        memory.owner = self  # type: ignore[attr-defined]
        values = np.ndarray(self.shape, of, memory, -low, self.strides)
        if self.is_read_only:
            values.flags.writeable = False
        return values


_CODES = {name: code for code, name in _TYPES.items()}
