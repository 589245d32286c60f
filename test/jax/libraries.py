#!/usr/bin/env python3
# Part of the xlac project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of libraries on JAX, on a platform of xlac and on XLA:CPU: libraries.py [--platform=xlac] [NAME..]

    test/jax/libraries.py --platform=xlac_vulkan decoder ode

Needs xlac (or XLAC_LIBRARY_PATH), and: pip install optax flax equinox diffrax lineax optimistix numpyro blackjax

Prints how long each took on both, with all that JAX and the compiler do, and the largest difference of a result by the largest
magnitude in it. Ends with 1 if one is above 0.001, or a program fails."""
import argparse
import os
import time
import traceback

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--platform", default="xlac", choices=("xlac", "xlac_vulkan"), help="xlac, else")
parser.add_argument("names", nargs="*", help="programs; else all")
options = parser.parse_args()
os.environ["JAX_PLATFORMS"] = f"{options.platform},cpu"

import jax
import jax.numpy as jnp
import numpy as np

MOST = 1e-3
PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def floats(*dims, seed=0):
    return np.random.default_rng(seed).standard_normal(dims).astype(np.float32)


def classes(n, size, seed=0):
    return np.random.default_rng(seed).integers(0, size, n)


# ------------------------------------------------------------------------------------------------------------ networks


def train(model, optimizer, images, labels, steps):
    """Losses of a model of nnx."""
    import optax
    from flax import nnx

    @nnx.jit
    def step(model, optimizer, x, y):
        value, gradients = nnx.value_and_grad(lambda m: optax.softmax_cross_entropy_with_integer_labels(m(x), y).mean())(model)
        optimizer.update(model, gradients)
        return value
    return [step(model, optimizer, images, labels) for _ in range(steps)]


@program
def perceptron():
    import optax
    from flax import nnx
    rngs = nnx.Rngs(0)
    model = nnx.Sequential(nnx.Linear(20, 64, rngs=rngs), nnx.LayerNorm(64, rngs=rngs), nnx.gelu, nnx.Dropout(0.1, rngs=rngs),
                           nnx.Linear(64, 5, rngs=rngs))
    rates = optax.warmup_cosine_decay_schedule(0.0, 1e-2, 3, 20)
    optimizer = nnx.Optimizer(model, optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rates)), wrt=nnx.Param)
    return train(model, optimizer, floats(32, 20), classes(32, 5), 10)


@program
def convolutions():
    import optax
    from flax import nnx

    class Network(nnx.Module):
        def __init__(self, rngs):
            self.first = nnx.Conv(3, 8, (3, 3), rngs=rngs)
            self.norm = nnx.BatchNorm(8, rngs=rngs)
            self.second = nnx.Conv(8, 16, (3, 3), strides=2, rngs=rngs)
            self.groups = nnx.GroupNorm(16, num_groups=4, rngs=rngs)
            self.last = nnx.Linear(256, 10, rngs=rngs)

        def __call__(self, x):
            x = nnx.avg_pool(nnx.relu(self.norm(self.first(x))), (2, 2), (2, 2))
            return self.last(nnx.silu(self.groups(self.second(x))).reshape(x.shape[0], -1))

    model = Network(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.sgd(0.05, momentum=0.9, nesterov=True), wrt=nnx.Param)
    losses = train(model, optimizer, floats(8, 16, 16, 3), classes(8, 10), 5)
    return losses + [model.norm.mean[...], model.norm.var[...]]


@program
def recurrent():
    import flax.linen as nn
    import optax

    class Network(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.RNN(nn.OptimizedLSTMCell(32))(x)
            x = nn.Bidirectional(nn.RNN(nn.GRUCell(16)), nn.RNN(nn.GRUCell(16)))(x)
            return nn.Dense(3)(x[:, -1])

    network, x = Network(), floats(4, 11, 7)
    parameters = network.init(jax.random.key(0), x)
    optimizer = optax.adafactor(1e-2)
    state, losses = optimizer.init(parameters), []

    @jax.jit
    def step(parameters, state):
        value, gradients = jax.value_and_grad(lambda p: (network.apply(p, x) ** 2).mean())(parameters)
        updates, state = optimizer.update(gradients, state, parameters)
        return optax.apply_updates(parameters, updates), state, value
    for _ in range(5):
        parameters, state, value = step(parameters, state)
        losses.append(value)
    return losses


@program
def decoder():
    """A transformer on whole texts, and word by word with a cache."""
    import flax.linen as nn

    class Network(nn.Module):
        @nn.compact
        def __call__(self, words, decode=False):
            x = nn.Embed(50, 32)(words)
            mask = None if decode else nn.make_causal_mask(words)
            for _ in range(2):
                attention = nn.MultiHeadDotProductAttention(4, decode=decode, deterministic=True)
                x = x + attention(nn.LayerNorm()(x), mask=mask)
                x = x + nn.Dense(32)(nn.gelu(nn.Dense(64)(nn.LayerNorm()(x))))
            return nn.Dense(50)(nn.LayerNorm()(x))

    network, words = Network(), jnp.asarray(classes((2, 12), 50))
    variables = network.init(jax.random.key(1), words)
    cache = network.init(jax.random.key(1), words, decode=True)["cache"]

    @jax.jit
    def step(cache, word):
        out, changed = network.apply({"params": variables["params"], "cache": cache}, word, decode=True, mutable=["cache"])
        return out, changed["cache"]
    outs = []
    for i in range(words.shape[1]):
        out, cache = step(cache, words[:, i : i + 1])
        outs.append(out)
    gradients = jax.jit(jax.grad(lambda p: (network.apply({"params": p}, words) ** 2).mean()))(variables["params"])
    flat = jnp.concatenate([leaf.ravel() for leaf in jax.tree.leaves(gradients)])
    return [jax.jit(network.apply)(variables, words), jnp.concatenate(outs, 1), flat]


@program
def modules():
    """Of equinox: a convolution, a cell in a loop, attention."""
    import equinox as eqx
    import optax

    class Network(eqx.Module):
        filters: eqx.nn.Conv2d
        pool: eqx.nn.MaxPool2d
        layers: eqx.nn.MLP
        cell: eqx.nn.GRUCell
        attention: eqx.nn.MultiheadAttention

        def __init__(self, keys):
            self.filters = eqx.nn.Conv2d(1, 4, 3, key=keys[0])
            self.pool = eqx.nn.MaxPool2d(2, 2)
            self.layers = eqx.nn.MLP(100, 16, 32, 2, key=keys[1])
            self.cell = eqx.nn.GRUCell(16, 16, key=keys[2])
            self.attention = eqx.nn.MultiheadAttention(2, 16, key=keys[3])

        def __call__(self, x):
            y = self.layers(self.pool(self.filters(x)).reshape(-1))
            h = jax.lax.fori_loop(0, 4, lambda i, h: self.cell(y, h), jnp.zeros(16))
            both = jnp.stack([y, h])
            return self.attention(both, both, both).sum(0)

    network, x, optimizer = Network(jax.random.split(jax.random.key(0), 4)), floats(6, 1, 12, 12), optax.lion(1e-3)
    state, losses = optimizer.init(eqx.filter(network, eqx.is_inexact_array)), []

    @eqx.filter_jit
    def step(network, state):
        value, gradients = eqx.filter_value_and_grad(lambda n: jnp.mean(jax.vmap(n)(x) ** 2))(network)
        updates, state = optimizer.update(gradients, state, eqx.filter(network, eqx.is_inexact_array))
        return eqx.apply_updates(network, updates), state, value
    for _ in range(5):
        network, state, value = step(network, state)
        losses.append(value)
    return losses


@program
def optimizers():
    import optax
    x, y, results = floats(20, 6), floats(20, 4, seed=1), []
    begin = {"w": jnp.asarray(floats(6, 4, seed=2)), "b": jnp.zeros(4)}

    def loss(p):
        return jnp.mean((x @ p["w"] + p["b"] - y) ** 2)
    for optimizer in (optax.adabelief(1e-2), optax.adagrad(1e-1), optax.adamax(1e-2), optax.amsgrad(1e-2), optax.lamb(1e-2),
                      optax.lars(1e-2), optax.novograd(1e-2), optax.rmsprop(1e-2, centered=True), optax.radam(1e-2), optax.sm3(1e-1),
                      optax.yogi(1e-2), optax.noisy_sgd(1e-2), optax.contrib.prodigy(), optax.contrib.muon(1e-2), optax.lbfgs()):
        @jax.jit
        def step(p, state, optimizer=optimizer):
            value, gradients = jax.value_and_grad(loss)(p)
            update = optax.with_extra_args_support(optimizer).update
            updates, state = update(gradients, state, p, value=value, grad=gradients, value_fn=loss)
            return optax.apply_updates(p, updates), state
        p, state = begin, optimizer.init(begin)
        for _ in range(4):
            p, state = step(p, state)
        results.append(p["w"])
    logits, labels = jnp.asarray(floats(2, 9, 5)), jnp.asarray([[1, 2, 3], [2, 2, 0]])
    results.append(optax.ctc_loss(logits, jnp.zeros((2, 9)), labels, jnp.asarray([[0.0, 0, 0], [0, 0, 1]])))
    results.append(optax.assignment.hungarian_algorithm(jnp.asarray(floats(5, 5)))[1])
    return results


# ----------------------------------------------------------------------------------------------------------- equations


@program
def ode():
    import diffrax
    adaptive = diffrax.PIDController(1e-5, 1e-6)

    def solve(a):
        term = diffrax.ODETerm(lambda t, y, a: (y[1], a * (1 - y[0] ** 2) * y[1] - y[0]))
        return diffrax.diffeqsolve(term, diffrax.Tsit5(), 0, 10, 0.01, (jnp.float32(1), jnp.float32(0)), args=a,
                                   saveat=diffrax.SaveAt(ts=jnp.linspace(0, 10, 20)), stepsize_controller=adaptive).ys[0]
    stiff = diffrax.diffeqsolve(diffrax.ODETerm(lambda t, y, a: -50 * (y - jnp.cos(t))), diffrax.Kvaerno3(), 0, 2, 0.01, jnp.ones(2),
                                stepsize_controller=diffrax.PIDController(1e-4, 1e-5))
    return [jax.jit(solve)(jnp.float32(1.3)), jax.jit(jax.grad(lambda a: solve(a)[10]))(jnp.float32(1.3)), stiff.ys[0]]


@program
def sde():
    import diffrax
    import lineax
    noise = diffrax.VirtualBrownianTree(0, 1, tol=1e-3, shape=(3,), key=jax.random.key(0))
    diffusion = diffrax.ControlTerm(lambda t, y, a: lineax.DiagonalLinearOperator(0.1 * jnp.ones(3)), noise)
    terms = diffrax.MultiTerm(diffrax.ODETerm(lambda t, y, a: -y), diffusion)
    return [diffrax.diffeqsolve(terms, diffrax.Euler(), 0, 1, 0.01, jnp.ones(3), saveat=diffrax.SaveAt(ts=jnp.linspace(0, 1, 5))).ys]


@program
def systems():
    import lineax
    import optimistix
    a, b, results = floats(5, 5), floats(5, seed=1), []
    a = a @ a.T + np.eye(5, dtype=np.float32)
    positive = lineax.MatrixLinearOperator(a, lineax.positive_semidefinite_tag)
    for solver in (lineax.LU(), lineax.Cholesky(), lineax.CG(1e-5, 1e-5), lineax.GMRES(1e-4, 1e-4), lineax.SVD(), lineax.QR()):
        results.append(jax.jit(lambda b, solver=solver: lineax.linear_solve(positive, b, solver).value)(b))
    band = lineax.TridiagonalLinearOperator(4 * jnp.ones(5), jnp.ones(4), jnp.ones(4))
    results.append(lineax.linear_solve(band, b, lineax.Tridiagonal()).value)
    results.append(optimistix.root_find(lambda y, _: y - jnp.tanh(y @ a / 9 + 1), optimistix.Newton(1e-5, 1e-5), jnp.ones(5)).value)
    marquardt, bfgs = optimistix.LevenbergMarquardt(1e-5, 1e-5), optimistix.BFGS(1e-5, 1e-5)
    valley = lambda y, _: jnp.array([y[0] - 1, 10 * (y[1] - y[0] ** 2)])
    results.append(optimistix.least_squares(valley, marquardt, jnp.array([-1.0, 1])).value)
    results.append(optimistix.minimise(lambda y, _: jnp.sum((y - 1) ** 2) + jnp.sum(y**4), bfgs, 2 * jnp.ones(3)).value)
    return results


# ---------------------------------------------------------------------------------------------------------- statistics


def regression(x, y):
    import numpyro
    from numpyro import distributions as d
    w = numpyro.sample("w", d.Normal(jnp.zeros(3), 1).to_event(1))
    numpyro.sample("y", d.StudentT(3.0, x @ w, 0.3), obs=y)


@program
def distributions():
    """What is drawn, and how likely that was."""
    from numpyro import distributions as d
    results, key = [], jax.random.key(3)
    for each in (d.Beta(2.0, 3.0), d.Gamma(2.0, 1.0), d.Dirichlet(jnp.ones(4)), d.LKJCholesky(3, 1.5), d.NegativeBinomial2(3.0, 2.0),
                 d.MultivariateNormal(jnp.zeros(3), covariance_matrix=jnp.eye(3) * 2 + 0.3), d.Poisson(4.0), d.BinomialProbs(0.3, 10),
                 d.Categorical(logits=jnp.arange(4.0)), d.VonMises(0.3, 2.0), d.Weibull(1.0, 2.0), d.StudentT(4.0), d.Gumbel(),
                 d.TruncatedNormal(0.0, 1.0, low=-1.0, high=2.0), d.MultinomialProbs(jnp.ones(4) / 4, 7), d.Wishart(5.0, jnp.eye(3))):
        drawn = jax.jit(lambda key, each=each: each.sample(key, (50,)))(key)
        results += [drawn, jax.jit(each.log_prob)(drawn)]
    return results


@program
def variational():
    import optax
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.infer.autoguide import AutoMultivariateNormal
    x = floats(40, 3)
    svi = SVI(regression, AutoMultivariateNormal(regression), optax.adam(1e-2), Trace_ELBO())
    return [svi.run(jax.random.key(0), 50, x, x @ np.float32([1, -2, 0.5]), progress_bar=False).losses]


@program
def nuts():
    """Chains differ by rounding; that they end where the data are is the same."""
    from numpyro.infer import MCMC, NUTS
    x, w = floats(40, 3), np.float32([1, -2, 0.5])
    chain = MCMC(NUTS(regression), num_warmup=100, num_samples=200, progress_bar=False)
    chain.run(jax.random.key(0), x, x @ w)
    return [np.abs(np.asarray(chain.get_samples()["w"]).mean(0) - w) < 0.1]


@program
def hamiltonian():
    import blackjax
    kernel = blackjax.hmc(lambda x: -0.5 * jnp.sum((x - 1) ** 2 / jnp.array([1.0, 4])), step_size=0.3, inverse_mass_matrix=jnp.ones(2),
                          num_integration_steps=5)

    def step(state, key):
        state, _ = kernel.step(key, state)
        return state, state.position
    keys = jax.random.split(jax.random.key(0), 30)
    return [jax.jit(lambda state: jax.lax.scan(step, state, keys))(kernel.init(jnp.zeros(2)))[1]]


# ------------------------------------------------------------------------------------------------------------------------


def run(function, platform):
    with jax.default_device(jax.devices(platform)[0]):
        begin = time.perf_counter()
        results = [np.asarray(result, np.float64) for result in function()]
        return results, time.perf_counter() - begin


def difference(ours, theirs):
    """0 where both are not finite and the same."""
    assert ours.shape == theirs.shape
    both = np.isfinite(ours) & np.isfinite(theirs)
    if not np.array_equal(ours[~both], theirs[~both], equal_nan=True):
        return np.inf
    return np.max(np.abs(ours - theirs)[both], initial=0) / max(np.max(np.abs(theirs[both]), initial=0), 1e-30)


def main():
    names, failed = options.names or list(PROGRAMS), 0
    if unknown := set(names) - set(PROGRAMS):
        parser.error(f"no program {', '.join(sorted(unknown))}; there are {', '.join(PROGRAMS)}")
    print(f"{'program':16}{options.platform + ', s':>16}{'XLA:CPU, s':>12}{'difference':>12}")
    for name in names:
        try:
            (ours, took), (theirs, took_there) = run(PROGRAMS[name], options.platform), run(PROGRAMS[name], "cpu")
            most = max(map(difference, ours, theirs))
        except Exception:
            traceback.print_exc()
            most = np.inf
            took = took_there = np.nan
        failed += not most <= MOST
        print(f"{name:16}{took:16.1f}{took_there:12.1f}{most:12.1e}", flush=True)
    print(f"{len(names)} programs, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    raise SystemExit(main())
