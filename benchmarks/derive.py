"""From a description of the n-link pendulum to a callable acceleration, everything in between included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks import pendulum
from benchmarks.job import LIMIT, NotMeasured, measured
from benchmarks.measure import best_of, best_per_call
from benchmarks.table import Section, Target, seconds, table

SIZES = (2, 5, 10, 20)
TOOLS = {
    "Cardan, bodies and joints": "cardan_bodies",
    "Cardan, typed Lagrangian": "cardan_lagrangian",
    "SymPy LagrangesMethod + lambdify(cse)": "sympy_lagrange",
    "SymPy KanesMethod + PyDy cython": "sympy_kane",
}
COLD = {"CARDAN_CACHE": "0"}


# --- jobs -----------------------------------------------------------------------------------------------------------


def cardan_bodies(n: int) -> dict[str, Any]:
    from benchmarks.pendulum_cardan import of_bodies

    return _timed_from_cold(lambda size: of_bodies(size).compile().acceleration, n, repeat=5)


def cardan_lagrangian(n: int) -> dict[str, Any]:
    from benchmarks.pendulum_cardan import of_lagrangian

    return _timed_from_cold(lambda size: of_lagrangian(size).compile().acceleration, n, repeat=3)


def sympy_lagrange(n: int) -> dict[str, Any]:
    from benchmarks.pendulum_sympy import lagrange

    return _timed_from_cold(lambda size: _bound(lagrange(size), size), n, repeat=3 if n <= 5 else 1)


def sympy_kane(n: int) -> dict[str, Any]:
    from benchmarks.pendulum_sympy import kane

    return _timed_from_cold(lambda size: _bound(kane(size), size), n, repeat=3 if n <= 5 else 1)


def _bound(acceleration: Callable[..., Any], n: int) -> Callable[..., Any]:
    p = pendulum.state(n)[2]
    return lambda q, v: acceleration(q, v, p)


def _timed_from_cold(make: Callable[[int], Callable[..., Any]], n: int, repeat: int) -> dict[str, Any]:
    """Seconds until the first acceleration is there, of a tool that is loaded but remembers nothing of this model."""
    from sympy.core.cache import clear_cache

    q, v, _ = pendulum.state(n)
    one = pendulum.state(1)
    make(1)(one[0], one[1])  # modules, compilers and tables are loaded when they are first needed

    def work() -> Callable[..., Any]:
        acceleration = make(n)
        acceleration(q, v)
        return acceleration

    least, acceleration = best_of(repeat, work, before=clear_cache)
    per_call = best_per_call(lambda: acceleration(q, v))
    return {
        "seconds": least,
        "repeat": repeat,
        "per_call": per_call,
        "error": pendulum.error(acceleration(q, v), n),
    }


# --- report ---------------------------------------------------------------------------------------------------------


def run() -> Section:
    found: dict[tuple[str, int], dict[str, Any] | str] = {}
    for n in SIZES:
        for job in TOOLS.values():
            try:
                found[job, n] = measured(f"benchmarks.derive:{job}", n, **COLD)
            except NotMeasured as why:
                found[job, n] = str(why)
    rows = [[label, *(_cell(found[job, n]) for n in SIZES)] for label, job in TOOLS.items()]
    head = ["CPU time to a callable acceleration", *(f"n = {n}" for n in SIZES)]
    ratios = [
        [label, *(_ratio_cell(found[job, n], found["cardan_bodies", n]) for n in SIZES)]
        for label, job in list(TOOLS.items())[1:]
    ]
    errors = [one["error"] for one in found.values() if isinstance(one, dict)]
    twenty = found["cardan_bodies", 20]
    return Section(
        "Derivation",
        f"""
n-link planar pendulum, point masses, relative angles; masses, lengths and g are symbols. From an empty description to
the first acceleration: deriving, generating code, compiling and calling once. Modules are loaded and a one-link
pendulum was made before, SymPy's cache is emptied before every run, and Cardan's cache of compiled code is off. Best of
5 (Cardan, bodies), 3 (Cardan, Lagrangian, and peers for n = 2 and 5) or 1 (peers for n = 10 and 20). Every acceleration
was compared with the closed form: largest relative deviation {max(errors):.1e}.""",
        [
            table(head, rows),
            table(["times the CPU time of Cardan, bodies and joints", *(f"n = {n}" for n in SIZES)], ratios),
        ],
        [
            Target(
                "n = 10, faster than SymPy LagrangesMethod + lambdify",
                _ratio(found["sympy_lagrange", 10], found["cardan_bodies", 10]),
                40,
            ),
            Target(
                "n = 10, faster than KanesMethod + PyDy cython",
                _ratio(found["sympy_kane", 10], found["cardan_bodies", 10]),
                5,
            ),
            Target(
                "n = 20, Cardan", twenty["seconds"] if isinstance(twenty, dict) else None, 1, unit=" s", at_most=True
            ),
        ],
    )


def _cell(one: dict[str, Any] | str) -> str:
    return one if isinstance(one, str) else seconds(one["seconds"])


def _ratio(peer: dict[str, Any] | str, own: dict[str, Any] | str) -> float | None:
    if isinstance(peer, str) or isinstance(own, str):
        return None
    return float(peer["seconds"] / own["seconds"])


def _ratio_cell(peer: dict[str, Any] | str, own: dict[str, Any] | str) -> str:
    ratio = _ratio(peer, own)
    if ratio is not None:
        return f"{ratio:.3g}x"
    return "-" if isinstance(own, str) or not str(peer).startswith(">") else f"> {LIMIT / own['seconds']:.3g}x"


if __name__ == "__main__":
    print(run())
