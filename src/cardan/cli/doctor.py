"""``cardan doctor``: does this installation work?"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from cardan.cli.reporting import Answer

PACKAGES = ("numpy", "sympy", "llvmlite", "scipy", "matplotlib", "pydantic", "PyYAML", "typer", "rich")
OLDEST_LLVM = 15  # pointers without types, which the generated text is written with
SLOW = 0.5  # s to keep and find a small piece of code: compiling it takes less
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
    major = int(found.compiler.rpartition("LLVM ")[2].split(".")[0])
    if major < OLDEST_LLVM:
        raise RuntimeError(f"{found.compiler} is too old; run: pip install --upgrade llvmlite")
    return f"{found.compiler} for {found.triple}, {found.cpu}"


def cache() -> str:
    """Where machine code is kept, and how long keeping and finding takes."""
    import time

    from cardan.native.cache import default_directory, user_cache

    directory, store = default_directory(), user_cache()
    if store is None:
        return f"{directory} cannot be used; kernels are compiled every time"
    begun, key = time.perf_counter(), "doctor"
    store.save(key, bytes(65536))
    found = store.load(key) is not None
    took = time.perf_counter() - begun
    store.path(key).unlink(missing_ok=True)
    if not found:
        return f"{directory} keeps nothing; kernels are compiled every time"
    if took > SLOW:
        raise RuntimeError(f"{directory} is slow: {took:.2g} s for 64 kB. Name a local disk: CARDAN_CACHE_DIR=...")
    return f"{directory}, {1e3 * took:.0f} ms to keep and find 64 kB"


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
