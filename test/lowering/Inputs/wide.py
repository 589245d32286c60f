# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: wide.py N: prints a program that adds N arrays and returns N / 2 of the sums."""
import sys

n = int(sys.argv[1])
TYPE = "tensor<8xf32>"
kept = range(2, n, 2)
results = ", ".join([TYPE] * len(kept))
print(f"func.func @main({', '.join(f'%a{i}: {TYPE}' for i in range(n))}) -> ({results}) {{")
last = "%a0"
for i in range(1, n):
    print(f"  %s{i} = xla.add {last}, %a{i} : {TYPE}")
    last = f"%s{i}"
print(f"  return {', '.join(f'%s{i}' for i in kept)} : {results}\n}}")
