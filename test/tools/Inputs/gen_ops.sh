#!/bin/sh
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gen_ops.sh FILE OPTION.. -- OPERATION..: random programs, in FILE, of each operation have it and run.
file=$1
options=
shift
while [ "$1" != -- ]; do
  options="$options $1"
  shift
done
shift
for op in "$@"; do
  xla-gen --seed=8 --count=4 --bake --only="$op" $options >"$file" && grep -q "xla\.$op\b" "$file" && xla-run "$file" >"$file.out" ||
    {
      echo "$op"
      exit 1
    }
done
