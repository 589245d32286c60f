#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every form in which HLO says groups of replicas: text and protocol buffer are one program."""
import os
import subprocess
import sys
import tempfile

from jaxlib import _hlo

PROGRAM = """HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[] parameter(0)
  ROOT z = f32[] all-reduce(x), replica_groups=%s, to_apply=add
}"""
FORMS = ("{{0,1,2,3},{4,5,6,7}}", "[2,4]<=[8]", "[4,2]<=[2,4]T(1,0)", "mesh['x'=2,'y'=4] {'x'}", "mesh['x'=2,'y'=4] {'y':(1)2}",
         "mesh['x'=2,'y'=4] {'y':(2)2,'x'}", "mesh['x'=2,'y'=4], device_ids=(1,0,3,2,4,5,6,7) {'x'}",
         "mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)) {'y'}")


def read(data):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        out = subprocess.run([sys.argv[1], file.name], capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    return out.stdout + out.stderr


def main():
    for form in FORMS:
        text = PROGRAM % form
        forms = [read(text.encode()), read(_hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto())]
        groups = [line for line in forms[0].splitlines() if "replica_groups" in line]
        print(form, "same" if forms[0] == forms[1] else f"differ: {forms[1]}", *groups)


main()
