# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""environment.py ROOT TOOL: compares the variables in docs/environment.md with those that the code reads, and the tools beside TOOL with
those that lit tests may name."""
import os
import re
import sys

root, tool = sys.argv[1:]
READS = re.compile(r'getenv\("(\w+)"\)|environ(?:\.get)?[\[(]"(XLAC_\w+)"|\$\{(XLAC_\w+)[-:}]')
read = {}
for folder in ("dialect", "passes", "lowering", "pjrt", "python", "runtime", "tools", "test"):
    for path, _, names in os.walk(os.path.join(root, folder)):
        for name in names:
            full = os.path.join(path, name)
            if name.endswith((".c", ".cpp", ".h", ".py", ".sh")) or name in ("check", "demo", "setup"):
                with open(full, encoding="utf-8") as file:
                    for match in READS.finditer(file.read()):
                        read.setdefault(next(filter(None, match.groups())), os.path.relpath(full, root))
with open(os.path.join(root, "docs/environment.md"), encoding="utf-8") as file:
    text = file.read()
told = set(re.findall(r"`([A-Z][A-Z_0-9]+)`", text))
for name in sorted(set(read) - told):
    print(f"{read[name]} reads {name}, which the page lacks")
ours = {name for name in told if name.startswith("XLAC_")}
for name in sorted(ours - set(read)):
    print(f"nothing reads {name}")
with open(os.path.join(root, "test/lit/xlac_lit.py"), encoding="utf-8") as file:
    tools = re.findall(r'"([a-z-]+)"', re.search(r"^XLAC_TOOLS = (.*)$", file.read(), re.MULTILINE)[1])
for name in tools:
    if not os.path.exists(os.path.join(os.path.dirname(tool), name)):
        print(f"missing: {name}")
print(f"{len(read)} variables, {len(tools)} tools")
