# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""contains.py PAGE: whether the page has what comes on standard input, which is something."""
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    part = sys.stdin.read()
    sys.exit(not part or part not in file.read())
