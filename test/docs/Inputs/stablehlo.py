# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stablehlo.py stablehlo.md XLA-OPT FOLDER: tries every operation of the table, without operands.

Those that the table says are refused must be, with that reason; nobody may say "not supported" of others as a whole. Where jax is
installed, whose bindings know all operations of StableHLO and CHLO, the table must have those, and no others."""
import os
import re
import subprocess
import sys

PROGRAM = '''"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    "NAME"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
'''


def known():
    try:
        import jaxlib.mlir.dialects._chlo_ops_gen as chlo
        import jaxlib.mlir.dialects._stablehlo_ops_gen as stablehlo
    except ImportError:
        return None
    names = set()
    for module in (stablehlo, chlo):
        with open(module.__file__) as file:
            names |= set(re.findall(r'OPERATION_NAME = "([^"]+)"', file.read()))
    return names


def main():
    table, tool, folder = sys.argv[1:]
    with open(table) as file:
        comes = file.read().split("\n## What leaves\n")[0]
    rows = re.findall(r"^\| `([a-z]+\.[^`]+)` \| (.*) \|$", comes, re.M)
    names = {name for name, _ in rows}
    if len(names) != len(rows):
        sys.exit("an operation is there twice")
    every = known()
    if every is not None and every != names:
        sys.exit("missing: %s; unknown: %s" % (sorted(every - names), sorted(names - every)))
    os.makedirs(folder, exist_ok=True)
    refused = 0
    for name, becomes in rows:
        path = os.path.join(folder, name + ".mlir")
        with open(path, "w") as file:
            file.write(PROGRAM.replace("NAME", name))
        done = subprocess.run([tool, path, "--xla-import-stablehlo", "-o", os.devnull], capture_output=True, text=True)
        if done.returncode < 0:
            sys.exit("%s: crashes" % name)
        reason = becomes.removeprefix("refused: ")
        if reason != becomes:
            refused += 1
            if f"'{name}' op is not supported yet: {reason}" not in done.stderr:
                sys.exit("%s is not refused as the table says: %s" % (name, done.stderr))
        elif re.search(r"op is not supported yet$", done.stderr, re.M) and not name.startswith("chlo."):
            sys.exit("%s is refused: %s" % (name, done.stderr))
    print("%d operations, %d refused" % (len(rows), refused))


main()
