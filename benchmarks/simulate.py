"""The double pendulum in motion: fixed steps beside MuJoCo, adaptive steps beside SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import double_pendulum
from benchmarks.job import NotMeasured, measured
from benchmarks.measure import best_of
from benchmarks.table import Section, Target, seconds, table

STEP, STEPS = 1e-3, 20_000
SPAN, RTOL, ATOL = 100.0, 1e-9, 1e-12
ROUNDS = 10
SAME_STEPS = 1e-9  # both make the same RK4 steps: only rounding differs, and this swing does not amplify it much
SAME_MOTION = 1e-6  # some 2500 steps with local errors up to 1e-9 each
LABELS = {
    "cardan": "Cardan, DOP853",
    "lambdify": "SciPy DOP853, lambdified",
    "lambdify_math": "SciPy DOP853, lambdified for speed",
    "numba": "SciPy DOP853, numba",
}


# --- jobs -----------------------------------------------------------------------------------------------------------


def fixed_steps() -> dict[str, Any]:
    """CPU seconds of the same RK4 steps in both, in turn, and how far apart they end."""
    import mujoco

    from cardan.simulation.solve import integrate
    from cardan.trajectory.prepared import Prepared

    system = double_pendulum.in_cardan()
    start = np.array(double_pendulum.START)
    model, data = double_pendulum.in_mujoco(STEP)

    def cardan() -> Any:
        run = system.simulate(STEP * STEPS, q=start[:2], v=start[2:], method="RK4", step=STEP)
        return np.concatenate([run.q[-1], run.v[-1]])

    def reset() -> None:
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = start[:2], start[2:]

    def by_mujoco() -> Any:
        mujoco.mj_step(model, data, nstep=STEPS)
        return np.concatenate([data.qpos, data.qvel])

    compiled = Prepared(system.compile())

    def cardan_end_only() -> Any:
        return integrate(compiled, 0.0, STEP * STEPS, start, method="RK4", step=STEP, keep_steps=False).y_final

    reset()
    end = by_mujoco()
    found: dict[str, Any] = {}
    for work in (cardan, cardan_end_only):
        apart = float(np.max(np.abs(work() - end)))
        assert apart < SAME_STEPS, f"Cardan and MuJoCo end {apart:.1e} apart after {STEPS} equal steps"
        found["apart"] = max(apart, found.get("apart", 0.0))
    for _ in range(ROUNDS):
        for name, work in (("cardan", cardan), ("cardan_end_only", cardan_end_only), ("mujoco", by_mujoco)):
            found[name] = min(best_of(1, work, before=reset)[0], found.get(name, np.inf))
    return found


def adaptive() -> dict[str, Any]:
    """CPU seconds of the same motion at the same tolerances, number of steps, and how far apart the end states are."""
    from scipy.integrate import solve_ivp

    system = double_pendulum.in_cardan()
    start = np.array(double_pendulum.START)

    def cardan() -> Any:
        return system.simulate(SPAN, q=start[:2], v=start[2:], rtol=RTOL, atol=ATOL, method="DOP853")

    def by_scipy(rhs: Any) -> Any:
        return solve_ivp(rhs, (0.0, SPAN), start, method="DOP853", rtol=RTOL, atol=ATOL)

    cardan()
    least, run = best_of(20, cardan)
    end = np.concatenate([run.q[-1], run.v[-1]])
    found: dict[str, Any] = {"cardan": {"seconds": least, "steps": len(run) - 1, "apart": 0.0}}
    peers = {
        "lambdify": double_pendulum.lambdified,
        "lambdify_math": double_pendulum.lambdified_for_speed,
        "numba": double_pendulum.with_numba,
    }
    for name, make in peers.items():
        rhs = make()
        least, made = best_of(3, lambda rhs=rhs: by_scipy(rhs))
        apart = float(np.max(np.abs(made.y[:, -1] - end)))
        assert apart < SAME_MOTION, f"{name} ends {apart:.1e} away from Cardan"
        found[name] = {"seconds": least, "steps": len(made.t) - 1, "apart": apart}
    return found


# --- report ---------------------------------------------------------------------------------------------------------


def run() -> Section:
    section = Section(
        "Simulation",
        f"""
Double pendulum of two uniform rods, one trajectory, one core. Fixed steps: {STEPS} classical Runge-Kutta steps of
{STEP} s; MuJoCo's loop is its own in C (`mj_step` with `nstep`), with contacts, constraints and sensors off.
Adaptive: {SPAN:g} s at rtol = {RTOL:g}, atol = {ATOL:g}, the whole call in each. Equations were derived and compiled
before. Best of {ROUNDS} (fixed), 20 (Cardan) and 3 (SciPy). "lambdified" is `lambdify(cse=True)` of M and right-hand
side with a NumPy solve in each evaluation; the variant for speed has the accelerations solved for by SymPy and uses
Python's math module; numba compiles that one.""",
    )
    _add_fixed(section)
    _add_adaptive(section)
    return section


def _add_fixed(section: Section) -> None:
    labels = {
        "cardan": "Cardan, `simulate`, every state kept",
        "cardan_end_only": "Cardan, `integrate`, last state kept",
        "mujoco": "MuJoCo, last state kept",
    }
    ratio = None
    try:
        found = measured("benchmarks.simulate:fixed_steps")
        ratio = found["mujoco"] / found["cardan"]
        rows = [
            [label, f"{STEPS / found[name] / 1e6:.3g} million", f"{found['mujoco'] / found[name]:.3g}x"]
            for name, label in labels.items()
        ]
        note = f"End states agree to {found['apart']:.0e}."
    except NotMeasured as why:
        rows, note = [], str(why)
    section.tables += [table(["RK4", "steps per CPU second", "relative to MuJoCo"], rows), note]
    section.targets.append(Target("RK4 steps per second, relative to MuJoCo (every state kept)", ratio, 20))


def _add_adaptive(section: Section) -> None:
    try:
        found = measured("benchmarks.simulate:adaptive")
    except NotMeasured as why:
        section.tables.append(f"Adaptive runs: {why}")
        found = {}
    rows = [
        [
            LABELS[name],
            seconds(one["seconds"]),
            str(one["steps"]),
            f"{one['seconds'] / found['cardan']['seconds']:.3g}x",
            f"{one['apart']:.0e}" if name != "cardan" else "-",
        ]
        for name, one in found.items()
    ]
    if rows:
        head = ["adaptive", "CPU time", "steps", "times Cardan's CPU time", "end state apart"]
        section.tables.append(table(head, rows))

    def ratio(name: str) -> float | None:
        return found[name]["seconds"] / found["cardan"]["seconds"] if name in found else None

    section.targets += [
        Target("faster than SciPy DOP853 with a lambdified right-hand side", ratio("lambdify"), 100),
        Target("faster than SciPy DOP853 with a numba right-hand side", ratio("numba"), 10),
    ]


if __name__ == "__main__":
    print(run())
