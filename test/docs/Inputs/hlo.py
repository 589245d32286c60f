# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hlo.py hlo.md: whether the table has all opcodes that jaxlib knows, where that is installed."""
import re
import sys

# Opcodes whose names in jaxlib are no words of those in the text.
OTHERS = {"clz": "countleadingzeros", "cos": "cosine", "sin": "sine", "exp": "exponential", "expm1": "exponentialminusone",
          "log1p": "logplusone", "optimizationbarrier": "optbarrier", "populationcount": "popcnt"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        table = {name.replace("-", "") for name in re.findall(r"^\| `([^`]+)` \|", file.read(), re.M)}
    try:
        from jaxlib import _hlo
        known = [name[1:].lower() for name in dir(_hlo.HloOpcode) if re.match("k[A-Z]", name)]
    except ImportError:
        known = []
    missing = [name for name in known if not {OTHERS.get(name, name), re.sub("(start|update|done)$", "", name)} & table]
    print(f"{len(table)} opcodes, {len(missing)} missing", *missing)


if __name__ == "__main__":
    main()
