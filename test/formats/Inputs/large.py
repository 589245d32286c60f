# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""large.py: prints a program with constants of more than 256 KiB, the entry's last one its result."""

import struct

singles = [0.1, -0.0, float("nan"), 3e38, 1e-45] + [i * 0.37 - 1000 for i in range(139995)]
integers = [i * 7919 % 100000 - 7 for i in range(99999)] + [-7]


def constant(code, values, type):
    return f'xla.constant dense<"0x{struct.pack(f"<{len(values)}{code}", *values).hex().upper()}"> : {type}'


print(f"""func.func @main() -> tensor<100000xi32> {{
  %0 = {constant("f", singles, "tensor<2x70000xf32>")}
  %1 = xla.convert %0 : (tensor<2x70000xf32>) -> tensor<2x70000xf64>
  %2 = {constant("i", integers, "tensor<100000xi32>")}
  return %2 : tensor<100000xi32>
}}
func.func @sums() -> (tensor<2xf32>, tensor<i32>) {{
  %0 = {constant("f", singles, "tensor<2x70000xf32>")}
  %1 = xla.slice %0 {{start_indices = [0, 69990], limit_indices = [2, 69991], strides = [1, 1]}} : (tensor<2x70000xf32>) -> tensor<2x1xf32>
  %2 = xla.reshape %1 : (tensor<2x1xf32>) -> tensor<2xf32>
  %3 = {constant("i", integers, "tensor<100000xi32>")}
  %4 = xla.slice %3 {{start_indices = [77777], limit_indices = [77778], strides = [1]}} : (tensor<100000xi32>) -> tensor<1xi32>
  %5 = xla.reshape %4 : (tensor<1xi32>) -> tensor<i32>
  return %2, %5 : tensor<2xf32>, tensor<i32>
}}""")
