# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one program with IREE, for families.py, in a Python that has iree-base-compiler and iree-base-runtime.

    python family_iree.py compile PROGRAM.mlir FILE.vmfb
    python family_iree.py time FILE.vmfb FOLDER N SECONDS     inputs are FOLDER/in0.npy .. of N, results FOLDER/iree0.npy ..; prints seconds,
                                                              and "overwrites" in front if a call changes its arguments
"""
import os
import subprocess
import sys
import time

FLAGS = ["--iree-input-type=stablehlo", "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
         "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"]


def compile_program(source, target):
    """With tiling of data, which IREE does not always compile, else without."""
    exe = os.path.join(os.path.dirname(sys.executable), "iree-compile")
    for more in (["--iree-opt-data-tiling"], []):
        done = subprocess.run([exe, source, "-o", target, *FLAGS, *more], capture_output=True, text=True)
        if not done.returncode:
            return
    errors = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or ["?"]
    sys.exit(errors[0])


def time_program(file, folder, count, seconds):
    import numpy as np
    import iree.runtime as rt
    rt.flags.parse_flags(f"--task_topology_group_count={len(os.sched_getaffinity(0))}")
    config = rt.Config("local-task")
    inputs = []
    for i in range(count):
        a = np.load(f"{folder}/in{i}.npy")
        if a.dtype.kind != "V":
            inputs.append(rt.asdevicearray(config.device, a))
            continue
        inputs.append(rt.DeviceArray(config.device, config.device.allocator.allocate_buffer_copy(
            memory_type=rt.MemoryType.DEVICE_LOCAL, device=config.device, buffer=a.view(np.uint16), element_type=rt.HalElementType.BFLOAT_16,
            allowed_usage=rt.BufferUsage.DEFAULT | rt.BufferUsage.MAPPING)))
    context = rt.SystemContext(config=config)
    with open(file, "rb") as f:
        module = rt.VmModule.copy_buffer(context.instance, f.read())
    context.add_vm_module(module)
    main = context.modules[module.name]["main"]
    results = main(*inputs)
    results = results if isinstance(results, (tuple, list)) else [results]
    for i, x in enumerate(results):
        if isinstance(x, rt.DeviceArray) and x._buffer_view.element_type == rt.HalElementType.BFLOAT_16:
            words = np.array(x._buffer_view.get_buffer().map().asarray(x._buffer_view.shape, np.dtype(np.uint16)))
            x = (words.astype(np.uint32) << 16).view(np.float32)
        np.save(f"{folder}/iree{i}.npy", np.asarray(x))
    del results
    if any(np.asarray(x.to_host()).tobytes() != np.load(f"{folder}/in{i}.npy").tobytes() for i, x in enumerate(inputs)
           if x._buffer_view.element_type != rt.HalElementType.BFLOAT_16):
        print("overwrites")
    best, end, calls = 1e9, time.perf_counter() + seconds, 0
    while calls < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        main(*inputs)
        best = min(best, time.perf_counter() - start)
        calls += 1
    print(best)


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "compile":
        compile_program(*sys.argv[2:])
    elif len(sys.argv) == 6 and sys.argv[1] == "time":
        time_program(sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
    else:
        sys.exit(__doc__)
