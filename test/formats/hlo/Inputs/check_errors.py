# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_errors.py XLA-RUN FILE: programs, each with a last line `// CODE LINE:COLUMN: message`, which is what xla-run says of it."""
import os
import re
import subprocess
import sys
import tempfile


def main():
    passed = failed = 0
    with open(sys.argv[2], encoding="utf-8") as file:
        programs = file.read().split("// -----\n")
    for program in programs:
        code, message = re.search(r"^// (\d) (.*)$", program, re.M).groups()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.hlo")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
            done = subprocess.run([sys.argv[1], path, "--device=interpreter", "--seed=1"], capture_output=True, text=True, check=False)
        said = done.stderr.replace(path + ":", "").split("\n")[0]
        right = done.returncode == int(code) and said.replace("error: ", "", 1).startswith(message)
        passed, failed = passed + right, failed + (not right)
        if not right:
            print(f"{program.strip()}\nexit code {done.returncode}: {said}\n")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
