# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""calls.py DEPTH N: a program of two devices whose functions call each other, DEPTH deep and N times each."""
import sys

depth, n = map(int, sys.argv[1:])
print('sdy.mesh @mesh = <["x"=2]>')
for i in range(depth):
    kind, callee = ("private" if i else "public"), f"f{i + 1}"
    print(f"func.func {kind} @f{i}(%x: tensor<4xf32>) -> tensor<4xf32> {{")
    for k in range(n):
        before = f"%{k - 1}" if k else "%x"
        print(f"  %{k} = func.call @{callee}({before}) : (tensor<4xf32>) -> tensor<4xf32>")
    print(f"  return %{n - 1} : tensor<4xf32>\n}}")
print(f"func.func private @f{depth}(%x: tensor<4xf32>) -> tensor<4xf32> {{")
print("  %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) : (tensor<4xf32>) -> tensor<4xf32>")
print("  return %0 : tensor<4xf32>\n}")
