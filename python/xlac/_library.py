# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of python/binding.h, by ctypes, and numpy's names of XLA's element types."""

from __future__ import annotations

import ctypes
import os
import pathlib

import numpy as np

MAX_RANK = 32
ERROR_BYTES = 2048

_P = ctypes.c_void_p
_DIMS = ctypes.c_int64 * MAX_RANK
_CODE = ctypes.POINTER(ctypes.c_int)

_FUNCTIONS = {
    "Open": (_P, [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, _CODE, ctypes.c_char_p]),
    "Close": (None, [_P]),
    "Compile": (_P, [_P, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_char_p, _CODE, ctypes.c_char_p]),
    "Free": (None, [_P]),
    "IsUnbounded": (ctypes.c_bool, [_P]),
    "Count": (ctypes.c_ssize_t, [_P, ctypes.c_bool]),
    "Shape": (ctypes.c_int, [_P, ctypes.c_bool, ctypes.c_ssize_t, _DIMS, ctypes.POINTER(ctypes.c_char_p)]),
    "IsDonated": (ctypes.c_bool, [_P, ctypes.c_ssize_t]),
    "Put": (_P, [_P, ctypes.c_char_p, ctypes.c_int, _DIMS, _DIMS, _P, _CODE, ctypes.c_char_p]),
    "Share": (_P, [_P, ctypes.c_char_p, ctypes.c_int, _DIMS, _DIMS, _P, _P, _P, _CODE, ctypes.c_char_p]),
    "Hold": (ctypes.c_int, [_P, ctypes.POINTER(_P), ctypes.c_char_p]),
    "Unhold": (None, [_P]),
    "Get": (ctypes.c_int, [_P, _P, ctypes.c_char_p]),
    "ArrayShape": (ctypes.c_int, [_P, _DIMS, ctypes.POINTER(ctypes.c_char_p)]),
    "IsDeleted": (ctypes.c_bool, [_P]),
    "Release": (None, [_P]),
    "Execute": (ctypes.c_int, [_P, ctypes.c_ssize_t, ctypes.POINTER(_P), ctypes.c_ssize_t, ctypes.POINTER(_P),
                               ctypes.c_char_p]),
    "Memory": (None, [_P, ctypes.POINTER(ctypes.c_size_t)]),
}


def path(name: str) -> str:
    """Where a library of the package lies; XLAC_LIBRARY_PATH names another folder, such as a build's lib."""
    folder = os.environ.get("XLAC_LIBRARY_PATH") or pathlib.Path(__file__).parent
    return str(pathlib.Path(folder) / name)


class Library:
    """The functions, loaded when the first one is called."""

    def __getattr__(self, name: str):
        library = ctypes.CDLL(path("libxlac_pjrt.so"))
        for function, (result, arguments) in _FUNCTIONS.items():
            pointer = getattr(library, "xlaPython" + function)
            pointer.restype, pointer.argtypes = result, arguments
            setattr(self, function, pointer)
        return self.__dict__[name]


library = Library()

_NUMPY = {
    "pred": "bool", "s8": "int8", "s16": "int16", "s32": "int32", "s64": "int64", "u8": "uint8", "u16": "uint16",
    "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
    "c128": "complex128",
}
# Of the package ml_dtypes, which need not be there.
_ML_DTYPES = {
    "bf16": "bfloat16", "s2": "int2", "s4": "int4", "u2": "uint2", "u4": "uint4", "f4e2m1fn": "float4_e2m1fn",
    "f6e2m3fn": "float6_e2m3fn", "f6e3m2fn": "float6_e3m2fn", "f8e3m4": "float8_e3m4", "f8e4m3": "float8_e4m3",
    "f8e4m3fn": "float8_e4m3fn", "f8e4m3fnuz": "float8_e4m3fnuz", "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e5m2": "float8_e5m2", "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0fnu": "float8_e8m0fnu",
}
_NAMES = {numpy: name for name, numpy in (_NUMPY | _ML_DTYPES).items()}


def dtype(name: str) -> np.dtype:
    """numpy's type for XLA's `name`."""
    if name in _NUMPY:
        return np.dtype(_NUMPY[name])
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError(f"numpy has no type {name}; install the package ml_dtypes") from None
    return np.dtype(getattr(ml_dtypes, _ML_DTYPES[name]))


def type_name(of: np.dtype) -> str:
    """XLA's name for a type of numpy or ml_dtypes."""
    if of.name not in _NAMES or not of.isnative:
        raise TypeError(f"arrays of {of} are not arrays of XLA")
    return _NAMES[of.name]
