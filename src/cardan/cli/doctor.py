"""``cardan doctor``: does this installation work?"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from cardan.cli.reporting import Answer

PACKAGES = ("numpy", "sympy", "llvmlite", "scipy", "matplotlib", "pydantic", "PyYAML", "typer", "rich")
PERIOD_TOLERANCE = 1e-6  # rtol is 1e-9 over one period; a broken kernel errs by order one


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str


def examine(answer: Answer) -> None:
    """Look at everything; what is wrong counts as a problem."""
    checks = [check_python(), *(check_package(name) for name in PACKAGES)]
    checks += [tried("compiler", compiler), tried("cache", cache), tried("motion", motion)]
    answer.tell(checks=[{"name": one.name, "ok": one.ok, "detail": one.detail} for one in checks])
    for one in checks:
        answer.say(f"{'ok ' if one.ok else 'BAD'}  {one.name:12} {one.detail}")
    if not all(one.ok for one in checks):
        answer.find()


def check_python() -> Check:
    return Check("python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.platform()}")


def check_package(name: str) -> Check:
    try:
        return Check(name, True, version(name))
    except PackageNotFoundError:
        return Check(name, False, "not installed; run: pip install cardan")


def tried(name: str, work: Callable[[], str]) -> Check:
    """A check that may fail in any way; the way is its detail."""
    try:
        return Check(name, True, work())
    except Exception as problem:
        return Check(name, False, f"{type(problem).__name__}: {problem}")


def compiler() -> str:
    from cardan.native.engine import host

    found = host()
    return f"{found.compiler} for {found.triple}, {found.cpu}"


def cache() -> str:
    from cardan.native.cache import default_directory, user_cache

    directory = default_directory()
    return (
        f"{directory}" if user_cache() is not None else f"{directory} cannot be used; kernels are compiled every time"
    )


def motion() -> str:
    """An oscillator with omega = 2 pi is back after one second."""
    import math

    from cardan.api.system import System

    s = System("oscillator")
    x = s.coordinates("x")
    s.kinetic_energy(x.dot**2 / 2)
    s.potential(2 * math.pi**2 * x**2)
    run = s.simulate(1.0, q=[1.0], v=[0.0])
    error = abs(float(run["x"][-1]) - 1.0)
    if not error < PERIOD_TOLERANCE:
        raise ArithmeticError(f"an oscillator misses its start by {error:.1e} after one period")
    return f"an oscillator returns to its start within {error:.1e}"
