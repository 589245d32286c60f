# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py TOOLS DATA XLA_RUN FOLDER DEVICE SEED HIDDEN STEPS ACCURACY

Trains with tools/digits/train.mlir, reads the test digits with classify.mlir, and compares with numpy."""
import sys

import numpy as np

tools, data, xla_run, folder, device = sys.argv[1:6]
seed, hidden, steps = map(int, sys.argv[6:9])
least_accuracy = float(sys.argv[9])
sys.path.insert(0, tools)
import numpy_digits  # noqa: E402
import run  # noqa: E402

RATE = 0.5
arrays = numpy_digits.load(data)
session = run.Session(xla_run, device, folder)
weights, losses, spent = session.train(data, seed, RATE, hidden, steps)
probabilities, digits, _ = session.classify(data, hidden)


def by_numpy(from_seed):
    expected, losses = numpy_digits.train(arrays["train_images"], arrays["train_labels"], from_seed, RATE, hidden, steps)
    return expected, losses, numpy_digits.classify(arrays["test_images"], *expected)[0]


def difference(a, b):
    assert np.shape(a) == np.shape(b), (np.shape(a), np.shape(b))
    return float(np.abs(a - b).max())


expected, expected_losses, expected_probabilities = by_numpy(seed)
accuracy = (digits == arrays["test_labels"]).mean()
print(f"probabilities differ by {difference(probabilities, expected_probabilities):.1g}, accuracy {accuracy:.3f}, {spent}")
assert difference(probabilities, expected_probabilities) <= 1e-4
assert difference(losses, expected_losses) <= 1e-4
for got, wanted in zip(weights, expected):
    assert difference(got, wanted) <= 1e-4
assert np.array_equal(digits, probabilities.argmax(axis=1))
assert accuracy >= least_accuracy
# The tolerance tells networks apart.
assert difference(by_numpy(seed + 1)[2], expected_probabilities) > 1e-2
