"""Losses and gradients of all rows in one call, by JAX or PyTorch, from a user's functions of one row, in double precision."""

import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from synthetic.draws import FloatArray

IMPORT = (
    importlib.import_module
)  # under a name that `sweeps.sources` does not look for: a file of one's own that needs JAX imports it itself
ManyRows = tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]
"""losses(x, rows) -> (m,), gradients(x, rows) -> (m, d), and sums(x, rows) -> the sums of both over the rows; x (d,), rows (m, p)."""


def import_framework(name: str, title: str) -> Any:
    """Return the module of a framework; raise ValueError where it is not installed."""
    try:
        return IMPORT(name)
    except ImportError as error:
        raise ValueError(f"framework = {name!r}: {title} cannot be imported ({error}); pip install 'dp-theory-lab[{name}]'") from None


def jax_functions(loss: Any, gradient: Any, short: dict[str, bool], params: tuple[Any, ...]) -> ManyRows:
    """Return losses, gradients and sums by JAX, from functions of one row; without a gradient it is `jax.grad` of the loss.

    Double precision is switched on for these calls only.
    """
    jax = import_framework("jax", "JAX")
    more = {which: () if short[which] else (params,) for which in short}

    def one(x: Any, row: Any) -> Any:
        return loss(x, row, *more["loss"])

    def slope(x: Any, row: Any) -> Any:
        return gradient(x, row, *more["gradient"])

    def total(x: Any, rows: Any) -> Any:
        return jax.vmap(one, (None, 0))(x, rows).sum()

    def both(x: Any, rows: Any) -> Any:
        return total(x, rows), jax.vmap(slope, (None, 0))(x, rows).sum(axis=0)

    derived = gradient is None
    made = (
        jax.jit(jax.vmap(one, (None, 0))),
        jax.jit(jax.vmap(jax.grad(one) if derived else slope, (None, 0))),
        jax.jit(jax.value_and_grad(total) if derived else both),
    )

    def in_double(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(x: FloatArray, rows: FloatArray) -> Any:
            with _double_precision(jax):
                return jax.tree.map(np.asarray, function(x, rows))

        return call

    return in_double(made[0]), in_double(made[1]), in_double(made[2])


def _double_precision(jax: Any) -> AbstractContextManager[Any]:
    """Return a context in which JAX computes in double precision in this thread."""
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(True)
    return IMPORT("jax.experimental").enable_x64()  # versions before 0.8


def torch_functions(loss: Any, gradient: Any, short: dict[str, bool], params: tuple[Any, ...]) -> ManyRows:
    """Return losses, gradients and sums by PyTorch, from functions of one row; without a gradient it is `torch.func.grad` of the loss."""
    torch = import_framework("torch", "PyTorch")
    params = tuple(torch.from_numpy(one) if isinstance(one, np.ndarray) else one for one in params)
    more = {which: () if short[which] else (params,) for which in short}

    def one(x: Any, row: Any) -> Any:
        return loss(x, row, *more["loss"])

    def slope(x: Any, row: Any) -> Any:
        return gradient(x, row, *more["gradient"])

    def total(x: Any, rows: Any) -> Any:
        return torch.func.vmap(one, (None, 0))(x, rows).sum()

    def both(x: Any, rows: Any) -> Any:
        return torch.func.vmap(slope, (None, 0))(x, rows).sum(axis=0), total(x, rows)

    derived = gradient is None
    losses = torch.func.vmap(one, (None, 0))
    gradients = torch.func.vmap(torch.func.grad(one) if derived else slope, (None, 0))
    sums = torch.func.grad_and_value(total) if derived else both

    def with_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(x: FloatArray, rows: FloatArray) -> Any:
            found = function(torch.from_numpy(x), torch.from_numpy(rows))
            return tuple(one.detach().numpy() for one in found[::-1]) if isinstance(found, tuple) else found.detach().numpy()

        return call

    return with_arrays(losses), with_arrays(gradients), with_arrays(sums)
