"""A kernel as a function of JAX: to be compiled, mapped over batches and differentiated there."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from cardan.codegen.abroad.outline import Outline
from cardan.errors import CompileError, InstallationError
from cardan.graph.rebuild import rebuild

if TYPE_CHECKING:
    import jax

    Function: TypeAlias = Callable[[jax.Array, jax.Array, jax.Array], jax.Array]


def jax_function(of: Outline, *, single: bool = False) -> Function:
    """A pure function of (t, y, p) that returns the outputs of the kernel as one array."""
    try:
        import jax
    except ImportError as error:
        raise InstallationError("to_jax needs JAX, which is not installed: pip install jax", missing="jax") from error
    if not (single or jax.config.read("jax_enable_x64")):
        raise CompileError(
            "JAX computes with single precision unless told otherwise, and seven digits are few for mechanics. Call "
            'jax.config.update("jax_enable_x64", True) first, or ask for k.to_jax(..., single=True).'
        )
    import jax.numpy as jnp

    functions = _functions()

    def function(t: jax.Array, y: jax.Array, p: jax.Array) -> jax.Array:
        values = {of.t: t} | {node: y[i] for i, node in enumerate(of.y)} | {node: p[i] for i, node in enumerate(of.p)}
        outputs = jnp.stack([jnp.asarray(one, dtype=y.dtype) for one in rebuild(of.outputs, values, float, functions)])
        return _solved(outputs, of) if of.is_solved else outputs

    function.__name__ = of.name
    return function


def _solved(terms: jax.Array, of: Outline) -> jax.Array:
    """[qd, vd], or vd, from the terms."""
    import jax.numpy as jnp

    n, m = of.n, of.m
    sizes = [of.nq, n * n, n, m * n]
    qd, M, h, A, b = jnp.split(terms, [sum(sizes[: k + 1]) for k in range(len(sizes))])
    M, A = M.reshape(n, n), A.reshape(m, n)
    K = jnp.block([[M, -A.T], [A, jnp.zeros((m, m), dtype=terms.dtype)]])
    vd = jnp.linalg.solve(K, jnp.concatenate([-h, b]))[:n]
    return jnp.concatenate([qd, vd]) if of.has_rates else vd


def _functions() -> dict[str, Callable[..., jax.Array]]:
    import jax.numpy as jnp

    same = ("sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "floor", "sign", "abs")
    others = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "min": "minimum"}
    named = {name: name for name in same} | others | {"max": "maximum", "pow": "power"}
    return {
        **{ours: getattr(jnp, theirs) for ours, theirs in named.items()},
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": jnp.true_divide,
        "neg": operator.neg,
        "lt": lambda a, b: jnp.where(jnp.less(a, b), 1.0, 0.0),
        "le": lambda a, b: jnp.where(jnp.less_equal(a, b), 1.0, 0.0),
        "eq": lambda a, b: jnp.where(jnp.equal(a, b), 1.0, 0.0),
        "select": lambda condition, a, b: jnp.where(jnp.not_equal(condition, 0), a, b),
    }
