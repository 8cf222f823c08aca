"""One acceleration of the 10-link pendulum, called from a loop in machine code."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import pendulum
from benchmarks.derive import COLD
from benchmarks.job import NotMeasured, measured
from benchmarks.measure import best_per_call
from benchmarks.table import Section, Target, seconds, table

LINKS = 10
CALLS = 2000  # in one block, about a millisecond
ROUNDS = 8
STATES = 64
LABELS = {
    "cardan": "Cardan",
    "cardan_c": "Cardan's kernel exported as C, gcc -O2",
    "casadi_o2": "CasADi C, gcc -O2",
    "casadi_o3": "CasADi C, gcc -O3 -march=native",
}


# --- jobs -----------------------------------------------------------------------------------------------------------


def loops() -> dict[str, Any]:
    """Seconds per call of each compiled kernel; in turn, several rounds, so that all see the same machine."""
    from benchmarks.loops import WALK_C, loop_of_c, loop_of_cardan, loop_of_casadi, shared_library
    from benchmarks.pendulum_cardan import of_bodies
    from benchmarks.pendulum_casadi import c_source

    q, v, p = pendulum.state(LINKS)
    moved = np.random.default_rng(2).uniform(-0.1, 0.1, (STATES, 2 * LINKS))
    moved[-1] = 0.0  # a walk ends at the state of the comparison
    states, out = np.concatenate([q, v]) + moved, np.zeros(LINKS)
    kernel = of_bodies(LINKS).compile()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        directory = Path(name)
        (directory / "walk.c").write_text(WALK_C)
        (directory / "exported.c").write_text(kernel.to_c("acceleration"))
        walker = shared_library(directory / "walk.c", "-O2")
        exported = shared_library(directory / "exported.c", "-O2")
        source = c_source(LINKS, directory)
        tight, tuned = shared_library(source, "-O2"), shared_library(source, "-O3", "-march=native")
        walks = {
            "cardan": loop_of_cardan(kernel.function("acceleration").address, states, p, out),
            "cardan_c": loop_of_c(exported, "acceleration", walker, states, p, out),
            "casadi_o2": loop_of_casadi(tight, walker, states, p, out),
            "casadi_o3": loop_of_casadi(tuned, walker, states, p, out),
        }
        found: dict[str, Any] = {"error": 0.0}
        for loop in walks.values():
            out[:] = np.nan
            loop(STATES)
            found["error"] = max(found["error"], pendulum.error(out, LINKS))
        for _ in range(ROUNDS):
            for name, loop in walks.items():
                least = best_per_call(lambda loop=loop: loop(CALLS), calls=CALLS, for_seconds=0.2)
                found[name] = min(found.get(name, np.inf), least)
    return found


# --- report ---------------------------------------------------------------------------------------------------------


def run() -> Section:
    rows: dict[str, float | str] = {}
    error = np.nan
    try:
        found = measured("benchmarks.rhs:loops")
        error = found.pop("error")
        rows |= {LABELS[key]: value for key, value in found.items()}
    except NotMeasured as why:
        rows |= dict.fromkeys(LABELS.values(), str(why))
    peers = {"PyDy cython, called from Python": "sympy_kane", "SymPy lambdify(cse) + solve": "sympy_lagrange"}
    for label, job in peers.items():
        try:
            rows[label] = measured(f"benchmarks.derive:{job}", LINKS, **COLD)["per_call"]
        except NotMeasured as why:
            rows[label] = str(why)
    own = rows["Cardan"]

    def ratio(label: str) -> float | None:
        value = rows[label]
        return None if isinstance(value, str) or isinstance(own, str) else value / own

    body = []
    for label, value in rows.items():
        times = ratio(label)
        cells = [str(value), "-"] if times is None else [seconds(value), f"{times:.3g}x"]
        body.append([label, *cells])
    return Section(
        "One acceleration",
        f"""
10-link pendulum as above, one right-hand side including the solution with M, scalar code. Cardan and CasADi are called
in a loop of machine code over {STATES} states, by address, in turn for {ROUNDS} rounds; best block of {CALLS} calls.
The lambdified function and PyDy's are called from Python, as SymPy's users do. Largest relative deviation from the
closed form in the loops: {error:.1e}.""",
        [table(["acceleration, n = 10", "CPU time per call", "times Cardan"], body)],
        [
            Target("faster than the SymPy lambdified right-hand side", ratio("SymPy lambdify(cse) + solve"), 100),
            Target("CasADi gcc -O2 takes, relative to Cardan", ratio("CasADi C, gcc -O2"), 1),
        ],
    )


if __name__ == "__main__":
    print(run())
