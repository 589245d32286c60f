# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""paths.py ROOT PAGE..: looks for the files and folders that pages name as `folder/file.c`. FAMILY and NAME stand for any."""
import glob
import os
import re
import sys

root, *pages = sys.argv[1:]
ROOMS = tuple(f"{room}/" for room in ("dialect", "passes", "lowering", "runtime", "tools", "test", "examples", "docs", "cmake"))
named = set()
for page in pages:
    with open(os.path.join(root, page), encoding="utf-8") as file:
        named.update(path for path in re.findall(r"[`(\s]([a-z][\w/.-]*/[\w/.-]*)", file.read()) if path.startswith(ROOMS))
missing = [path for path in sorted(named) if not glob.glob(os.path.join(root, re.sub("FAMILY|NAME", "*", path).rstrip(".")))]
for path in missing:
    print("missing: " + path)
print(f"{len(named)} paths, {len(missing)} missing")
