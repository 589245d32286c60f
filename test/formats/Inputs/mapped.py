# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mapped.py: prints a program with a constant of 4.8 MB, which is a result, and of which an element is another."""

import array

N = 1200000
values = array.array("i", range(N)).tobytes().hex()
print(f"""func.func @main(%a: tensor<i32>) -> (tensor<{N}xi32>, tensor<i32>) {{
  %0 = stablehlo.constant dense<"0x{values}"> : tensor<{N}xi32>
  %1 = stablehlo.dynamic_slice %0, %a, sizes = [1] : (tensor<{N}xi32>, tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<i32>
  return %0, %2 : tensor<{N}xi32>, tensor<i32>
}}""")
