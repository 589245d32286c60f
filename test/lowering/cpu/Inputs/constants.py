# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""constants.py N: a program of N results, all constants."""
import sys

n = int(sys.argv[1])
types = ", ".join(["tensor<f32>"] * n)
print(f"func.func @main() -> ({types}) {{")
for i in range(n):
    print(f"  %{i} = xla.constant dense<{i}.0> : tensor<f32>")
print(f"  return {', '.join(f'%{i}' for i in range(n))} : {types}\n}}")
