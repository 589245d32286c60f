# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package xlac on numpy arrays: package.py DEVICE.."""

import gc
import sys
import threading

import numpy as np

import xlac

SQUARES = """
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.multiply %x, %x : tensor<?xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  return %y, %sum : tensor<?xf32>, tensor<f32>
}
"""
DONATES = """
func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  %y = stablehlo.add %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""


def identity(of, shape="2x3"):
    return f"func.func @main(%x: tensor<{shape}x{of}>) -> tensor<{shape}x{of}> {{ return %x : tensor<{shape}x{of}> }}"


def fails(code, part, call, *arguments):
    try:
        call(*arguments)
    except xlac.Error as error:
        assert error.code == code and part in str(error), (error.code, str(error))
    else:
        raise AssertionError(f"{call} did not fail")


def types(device):
    """Every element type goes there and back with all its bits."""
    import ml_dtypes

    numbers = np.arange(6).reshape(2, 3)
    for name, of in [("i1", "bool"), ("i8", "int8"), ("i16", "int16"), ("i32", "int32"), ("i64", "int64"),
                     ("ui8", "uint8"), ("ui16", "uint16"), ("ui32", "uint32"), ("ui64", "uint64"), ("f16", "float16"),
                     ("f32", "float32"), ("f64", "float64"), ("complex<f32>", "complex64"),
                     ("complex<f64>", "complex128"), ("bf16", ml_dtypes.bfloat16), ("i4", ml_dtypes.int4),
                     ("ui4", ml_dtypes.uint4), ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
                     ("f8E5M2", ml_dtypes.float8_e5m2)]:
        x = numbers.astype(of)
        y = xlac.run(identity(name), [x], device=device)
        assert y.dtype == x.dtype and y.shape == x.shape and y.tobytes() == x.tobytes(), name


def layouts(device):
    f = xlac.compile(identity("f32"), device=device)
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    for view in [x[:2, :3], x[::2, ::2], x.T[:2, :3], x[1::-1, :3], np.broadcast_to(np.float32(7), (2, 3))]:
        np.testing.assert_array_equal(f(view), view)
    empty = np.zeros((0, 3), np.float32)
    np.testing.assert_array_equal(xlac.run(identity("f32", "0x3"), [empty], device=device), empty)
    assert xlac.run("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }", [2.5],
                    device=device) == 2.5


def unknown_sizes(device):
    f = xlac.compile(SQUARES, device=device)
    assert f.is_unbounded and f.inputs == ()
    for n in (3, 0, 5):
        squares, total = f(np.arange(n, dtype=np.float32))
        np.testing.assert_array_equal(squares, np.arange(n, dtype=np.float32) ** 2)
        assert total == sum(i * i for i in range(n))


def arrays(device):
    f = xlac.compile(DONATES, device=device)
    assert f.inputs == (xlac.Type((4,), np.dtype("float32")),) == f.outputs
    given = np.ones(4, np.float32)
    x = f.device.put(given)
    used = f.device.memory().used
    for _ in range(10):
        y = f.on_device(x)
        assert x.is_deleted and not y.is_deleted
        x = y
    np.testing.assert_array_equal(np.asarray(x), np.full(4, 1024, np.float32))
    np.testing.assert_array_equal(given, 1)
    assert f.device.memory().used <= used + 256
    del x, y
    gc.collect()
    assert f.device.memory().used < used


def errors(device):
    fails("invalid argument", "program:1:", xlac.compile, "func.func @main(")
    fails("invalid argument", "bytes.mlir:1:", lambda: xlac.compile(b"{", name="bytes.mlir", device=device))
    f = xlac.compile(identity("f32"), device=device)
    fails("invalid argument", "takes 1 inputs", f)
    fails("invalid argument", "input 0 is tensor<3xf32>, must be tensor<2x3xf32>", f, np.ones(3, np.float32))
    fails("invalid argument", "input 0 is tensor<2x3xf64>", f, np.ones((2, 3)))
    fails("invalid argument", "is no device", xlac.device, "toaster")
    fails("invalid argument", "no function @g", lambda: xlac.compile(identity("f32"), entry="g"))
    x = np.ones((2, 3), np.float32)
    for kind, part, call in [
        (TypeError, "a program is str or bytes, not int", lambda: xlac.run(3, [x])),
        (TypeError, "not NoneType", lambda: xlac.run(None, [x])),
        (TypeError, "inputs is int", lambda: xlac.run(identity("f32"), 5)),
        (TypeError, "entry is int", lambda: xlac.compile(identity("f32"), entry=3)),
        (ValueError, "entry has a character that is 0", lambda: xlac.compile(identity("f32"), entry="main\0x")),
        (TypeError, "a device is NoneType", lambda: xlac.device(None)),
        (ValueError, "a device has a character that is 0", lambda: xlac.device("cpu\0x")),
        (ValueError, "threads is -1", lambda: xlac.Device(threads=-1)),
        (ValueError, "threads is 1099511627776", lambda: xlac.Device(threads=2**40)),
    ]:
        try:
            call()
        except kind as error:
            assert part in str(error), error
            continue
        raise AssertionError(part)
    for wrong in (np.ones(3, "datetime64[s]"), np.ones((2, 3), ">f4"), np.ones((1,) * 33)):
        try:
            f(wrong)
        except (TypeError, ValueError, xlac.Error):
            continue
        raise AssertionError(wrong.dtype)


def threads(device):
    f = xlac.compile(identity("f32", "1000"), device=device)
    wrong = []

    def work(i):
        for k in range(20):
            x = np.full(1000, i * 100 + k, np.float32)
            if not np.array_equal(f(x), x):
                wrong.append(i)

    all_threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    assert not wrong


count = 0
for name in sys.argv[1:]:
    for test in (types, layouts, unknown_sizes, arrays, errors, threads):
        if test is types and name.startswith("vulkan"):
            continue  # of some devices only
        test(name)
        count += 1
print(f"{count} passed")
