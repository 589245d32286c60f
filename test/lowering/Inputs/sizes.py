"""Runs every public function of a file with all sizes that matter of a matrix.

  sizes.py XLA_RUN FILE DEVICE ROWSxCOLUMNS

Functions take a matrix, and s32 for how many of its rows and columns are
there; what is not there is NaN. Results must be the interpreter's.
"""
import math
import re
import subprocess
import sys

run, path, device, dims = sys.argv[1:]
rows, columns = map(int, dims.split("x"))


def matrix(n, k):
    """Numbers with few bits, so that sums are exact; NaN outside of n x k."""
    values = [((7 * r + 3 * c) % 9 - 4) / 2 if r < n and c < k else "nan"
              for r in range(rows) for c in range(columns)]
    return f"{rows}x{columns}xf32=" + " ".join(map(str, values))


def results(name, device, n, k):
    command = [run, path, "--entry=" + name, "--device=" + device,
               "--input=" + matrix(n, k), f"--input=s32={n}",
               f"--input=s32={k}"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if not done.returncode else done.stderr or "failed"


def agrees(own, other):
    """The same texts, but for roundings of numbers."""
    a, b = own.split(), other.split()
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if x == y:
            continue
        try:  # 2x3xf32=0.1
            x, y = (t.rsplit("=", 1) for t in (x, y))
            if x[:-1] != y[:-1] or not math.isclose(
                    float(x[-1]), float(y[-1]), rel_tol=1e-5):
                return False
        except ValueError:
            return False
    return True


names = re.findall(r"^func\.func @(\w+)", open(path).read(), re.M)
cases = [(rows // 2, columns - 2), (0, columns), (rows, 1), (rows, columns)]
if device != "cpu":  # where compiling takes long
    cases = cases[:2]
for name in names:
    for n, k in cases:
        own = results(name, "interpreter", n, k)
        other = results(name, device, n, k)
        if "error:" in own or not agrees(own, other):
            sys.exit(f"{name} with {n} x {k}:\n{own}but on {device}:\n{other}")
print(f"{len(names)} functions agree")
