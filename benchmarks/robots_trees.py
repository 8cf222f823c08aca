"""Chains and bushes of many bodies, and steps of Runge-Kutta: jobs of the section on robots."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import robots_models as models
from benchmarks.measure import best_of, best_per_call, cpu_seconds, timed
from benchmarks.robots_jobs import quiet, run_pinocchio

STEP = 1e-3


def _state(n: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    return rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)


# --- time to be ready -------------------------------------------------------------------------------


def cardan(kind: str, n: int) -> dict[str, Any]:
    """From nothing to the first acceleration, and one acceleration; the cache of machine code is off."""
    models.tree_in_cardan(models.chain(3)).compile().bind()(np.zeros(3), np.zeros(3))  # modules are loaded
    q, v = _state(n)

    def ready() -> Any:
        made = models.tree_in_cardan(models.TREES[kind](n)).compile().bind()
        made(q, v)
        return made

    seconds, call = best_of(3 if n <= 200 else 1, ready)
    a = call(q, v).copy()
    per_call = best_per_call(lambda: [call(q, v) for _ in range(10)], calls=10, for_seconds=0.2)
    return {"ready": seconds, "per_call": per_call, "norm": float(np.linalg.norm(a)), "first": float(a[0])}


def pinocchio(kind: str, n: int, binary: str) -> dict[str, Any]:
    """The model joint by joint and its data; aba called in C++."""

    def ready() -> Any:
        model = models.tree_in_pinocchio(models.TREES[kind](n))
        return model, model.createData()

    import pinocchio as pin

    seconds, (model, data) = best_of(1, ready)
    q, v = _state(n)
    place = [model.joints[model.getJointId(f"j{k}")].idx_v for k in range(n)]
    sorted_q, sorted_v = np.zeros(n), np.zeros(n)
    sorted_q[place], sorted_v[place] = q, v
    a = pin.aba(model, data, sorted_q, sorted_v, np.zeros(n))[place]
    with models.in_folder() as folder:
        model.saveToText(str(Path(folder) / "model.txt"))
        per_call = run_pinocchio(binary, Path(folder) / "model.txt")
    least = min(per_call["aba"], per_call["aba_local"])
    return {"ready": seconds, "per_call": least, "norm": float(np.linalg.norm(a)), "first": float(a[0])}


def mujoco(kind: str, n: int) -> dict[str, Any]:
    """From MJCF text to its model and data; mj_forward from Python."""
    import sys

    import mujoco as mj

    sys.setrecursionlimit(30_000)  # nested elements are written by recursion

    def ready() -> Any:
        model = mj.MjModel.from_xml_string(models.tree_in_mujoco(models.TREES[kind](n)))
        return model, mj.MjData(model)

    seconds, (model, data) = best_of(1, ready)
    q, v = _state(n)
    place = [model.joint(f"q{k}").qposadr[0] for k in range(n)]
    data.qpos[place], data.qvel[place] = q, v
    mj.mj_forward(model, data)
    a = data.qacc[place].copy()
    per_call = best_per_call(lambda: mj.mj_forward(model, data), for_seconds=0.2)
    return {"ready": seconds, "per_call": per_call, "norm": float(np.linalg.norm(a)), "first": float(a[0])}


def ready_from_file(name: str) -> dict[str, Any]:
    """From a robot file to the first acceleration, cold and from the cache of machine code; modules are loaded."""
    import os

    import cardan as cd

    with models.in_folder() as folder, models.in_folder() as cache:
        os.environ["CARDAN_CACHE_DIR"] = cache
        other = "ur5" if name != "ur5" else "panda"
        k = models.robot_in_cardan(other, Path(folder)).compile()
        k.bind()(*_rest(k))
        file = models.plain_file(name, Path(folder))

        def ready() -> float:
            begun = cpu_seconds()
            s = cd.load(file, restitution=None, floating=name in models.FLOATING, inertia="as-is")
            parsed = cpu_seconds()
            k = s.compile()
            k.bind()(*_rest(k))
            return parsed - begun

        cold, parsing = timed(ready)
        warm, parsing_again = timed(ready)
        return {"cold": cold - parsing, "warm": warm - parsing_again, "parsing": min(parsing, parsing_again)}


def _rest(k: Any) -> Any:
    q = np.zeros(k.nq)
    for one in k.quaternions:
        q[one] = 1.0
    return q, np.zeros(k.nv)


# --- Runge-Kutta ------------------------------------------------------------------------------------


def rk4(name: str) -> dict[str, Any]:
    """Steps per CPU second: MuJoCo's loop in C, one motion here, and many side by side on one thread."""
    import mujoco as mj

    from cardan.simulation.solve import integrate
    from cardan.trajectory.prepared import Prepared

    with models.in_folder() as folder:
        if name == "panda":
            system = models.robot_in_cardan(name, Path(folder))
            file = models.plain_file(name, Path(folder), for_mujoco=True)
            model = mj.MjModel.from_xml_path(str(file))
            model.opt.timestep, model.opt.integrator = STEP, int(mj.mjtIntegrator.mjINT_RK4)
            quiet(model)
        elif name == "double pendulum":
            from benchmarks.double_pendulum import in_cardan, in_mujoco

            system, (model, _) = in_cardan(), in_mujoco(STEP)
        else:
            tree = models.chain(10)
            system, model = models.tree_in_cardan(tree), mj.MjModel.from_xml_string(models.tree_in_mujoco(tree, STEP))
    data = mj.MjData(model)
    n = model.nv
    start = np.concatenate([np.full(n, 0.2), np.zeros(n)])
    steps = 200

    def by_mujoco() -> Any:
        mj.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = start[:n], start[n:]
        mj.mj_step(model, data, nstep=steps)
        return np.concatenate([data.qpos, data.qvel])

    kernel = system.compile().ideal
    compiled = Prepared(kernel)
    long = 2000

    def one() -> Any:
        return integrate(compiled, 0.0, STEP * long, start, method="RK4", step=STEP, keep_steps=False).y_final

    def same() -> Any:
        return integrate(compiled, 0.0, STEP * steps, start, method="RK4", step=STEP, keep_steps=False).y_final

    stepper, rows = kernel.compiled.stepper(False), np.tile(start, (64, 1))
    p = kernel.p()

    def many() -> Any:
        return stepper.advance(0.0, rows, p, STEP, steps)[0]

    end = by_mujoco()
    apart = max(float(np.max(np.abs(made - end))) for made in (same(), many()[0]))
    assert apart < 1e-9, f"{name}: {apart:.1e} apart after {steps} equal steps"
    found = {
        "mujoco": steps / best_per_call(by_mujoco),
        "one": long / best_per_call(one),
        "many": 64 * steps / best_per_call(many),
        "apart": apart,
    }
    Q = np.tile(start, (256, 1))
    for threads in (1, 2):
        system.simulate_batch(0.2, q=Q[:, :n], v=Q[:, n:], step=STEP, times=[0.0, 0.2], threads=threads)
        begun = time.perf_counter()
        for _ in range(3):
            system.simulate_batch(0.2, q=Q[:, :n], v=Q[:, n:], step=STEP, times=[0.0, 0.2], threads=threads)
        found[f"wall{threads}"] = time.perf_counter() - begun
    return found
