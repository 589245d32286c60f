# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes scikit-learn's 1,797 handwritten digits as .npy files: digits.py FOLDER

train_images.npy  f32[1437,64]  8 x 8 pixels from 0 to 1     train_labels.npy  s32[1437]
test_images.npy   f32[360,64]                                test_labels.npy   s32[360]
"""
import os
import sys

import numpy as np
from sklearn.datasets import load_digits

TRAIN = 1437

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
digits = load_digits()
# RandomState's streams are frozen, those of newer generators are not.
order = np.random.RandomState(0).permutation(len(digits.target))
images = (digits.data[order] / 16).astype(np.float32)
labels = digits.target[order].astype(np.int32)
for name, part in ("train", slice(TRAIN)), ("test", slice(TRAIN, None)):
    np.save(os.path.join(folder, name + "_images.npy"), images[part])
    np.save(os.path.join(folder, name + "_labels.npy"), labels[part])
