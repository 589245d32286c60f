# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX with the package: plugin.py CACHE, where CACHE is a folder that a first run fills and a second one reads."""

import os
import sys

import jax
import jax.numpy as jnp
import numpy as np

platform = os.environ["JAX_PLATFORMS"]
cache = sys.argv[1]
before = len(os.listdir(cache)) if os.path.isdir(cache) else 0
jax.config.update("jax_compilation_cache_dir", cache)
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
assert jax.default_backend() == platform and jax.devices()[0].platform == platform

hits = []
jax.monitoring.register_event_listener(
    lambda event, **_: hits.append(event) if event == "/jax/compilation_cache/cache_hits" else None)
x = jnp.arange(9, dtype=jnp.float32).reshape(3, 3)
np.testing.assert_allclose(jax.jit(lambda x: jnp.sin(x) @ x)(x), np.sin(np.asarray(x)) @ np.asarray(x), rtol=1e-5)
files = len(os.listdir(cache))
assert files > 0 and (not before or files == before and hits), (before, files, hits)

donated = jax.jit(lambda x: x + 1, donate_argnums=0)
y = donated(x)
assert x.is_deleted() and y[2, 2] == 9

symmetric = y @ y.T
values, vectors = jnp.linalg.eigh(symmetric)
np.testing.assert_allclose(vectors @ jnp.diag(values) @ vectors.T, symmetric, rtol=1e-4, atol=1e-4)
np.testing.assert_allclose(jnp.linalg.svd(y, compute_uv=False) ** 2, values[::-1], rtol=1e-3, atol=1e-3)
q, r = jnp.linalg.qr(y)
np.testing.assert_allclose(q @ r, y, rtol=1e-4, atol=1e-5)

# An array of numpy that changes after the call has returned does not change the result.
given = np.ones(1000, np.float32)
taken = jax.device_put(given).block_until_ready()
total = jnp.sum(taken)
assert total == 1000
print(f"{'read' if before else 'filled'} a cache of {platform}")
