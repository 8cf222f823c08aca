"""What is measured of robots, a job for each tool; see job.py. Times are CPU seconds of one evaluation."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import robots_models as models
from benchmarks.measure import best_per_call

STATES = 64
ROWS = 1024  # of a batch
CALLS = 200  # in one block
KERNELS = {
    "aba": "forward_dynamics", "rnea": "inverse_dynamics", "crba": "mass_matrix", "all_terms": "terms",
    "aba_derivatives": "forward_dynamics_derivatives", "rnea_derivatives": "inverse_dynamics_derivatives",
}  # fmt: skip
HERE = Path(__file__).parent


def states_of(nq: int, nv: int, quaternions: Any, rows: int) -> Any:
    """Rows [q, v, third] with quaternions of length one."""
    states = np.random.default_rng(1).uniform(-1, 1, (rows, nq + 2 * nv))
    for k in quaternions:
        states[:, k : k + 4] /= np.linalg.norm(states[:, k : k + 4], axis=1, keepdims=True)
    return states


def cardan(name: str) -> dict[str, Any]:
    """Kernels called in a loop of machine code and in batches, a bound call from Python, times to be ready."""
    from benchmarks.loops import loop_of_cardan
    from cardan.codegen.kernels import KERNELS as KNOWN

    with models.in_folder() as folder:
        k = models.robot_in_cardan(name, Path(folder)).compile().ideal
    found: dict[str, Any] = {"nv": k.nv, "scalar": {}, "batch": {}}
    rows = states_of(k.nq, k.nv, k.quaternions, ROWS)
    for label, kernel in KERNELS.items():
        if kernel not in KNOWN:
            continue
        function, batch, p = k.function(kernel), k.batch(kernel), k.p()
        states, out = np.ascontiguousarray(rows[:STATES, : function.ny]), np.zeros(function.nout)
        loop = loop_of_cardan(function.address, states, p, out)
        many = np.ascontiguousarray(rows[:, : function.ny])
        found["scalar"][label] = best_per_call(lambda loop=loop: loop(CALLS), calls=CALLS, for_seconds=0.3)
        together = best_per_call(lambda batch=batch, many=many, p=p: batch(0.0, many, p), for_seconds=0.4)
        found["batch"][label] = together / ROWS
    call = k.bind("forward_dynamics")
    q, v, tau = np.split(rows[0], [k.nq, k.nq + k.nv])
    found["bound"] = best_per_call(lambda: [call(q, v, tau) for _ in range(100)], calls=100)
    found["operations"] = _operations(k)
    return found


def _operations(k: Any) -> int:
    from cardan.graph import operation_count

    return sum(operation_count(k.compiled.content("forward_dynamics").outputs).values())


def agreement(name: str) -> dict[str, Any]:
    """Largest relative difference of accelerations beside Pinocchio, over states."""
    import pinocchio as pin

    with models.in_folder() as folder:
        k = models.robot_in_cardan(name, Path(folder)).compile().ideal
        model = models.robot_in_pinocchio(name, Path(folder))
    data, order, worst = model.createData(), k.order("pinocchio"), 0.0
    for row in states_of(k.nq, k.nv, k.quaternions, 20):
        q, v, tau = np.split(row, [k.nq, k.nq + k.nv])
        own = k.aba(q, v, tau)
        pushed = np.linalg.solve(order.matrix(q).T, tau)  # so that powers agree
        other = pin.aba(model, data, order.q(q), order.v(q, v), pushed)
        worst = max(worst, float(np.max(np.abs(order.a(q, v, own) - other)) / np.max(np.abs(other))))
    return {"apart": worst}


def pinocchio(name: str, binary: str) -> dict[str, Any]:
    """Its C++ functions, from the kernels in its wheel."""
    with models.in_folder() as folder:
        file = Path(folder) / "model.txt"
        models.robot_in_pinocchio(name, Path(folder)).saveToText(str(file))
        return run_pinocchio(binary, file)


def run_pinocchio(binary: str, *files: Path) -> dict[str, Any]:
    done = subprocess.run([binary, *map(str, files)], capture_output=True, text=True, check=True)
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def build_pinocchio(folder: str) -> dict[str, Any]:
    """robots_pinocchio.cpp, linked to the kernels of the wheel."""
    made = Path(folder) / "robots_pinocchio"
    _build(made, "-O2", "-DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION")
    return {"binary": str(made)}


def build_casadi(folder: str) -> dict[str, Any]:
    """robots_casadi.cpp: Pinocchio's algorithms on CasADi's numbers; not optimised, since it writes code only once."""
    import casadi

    made, wheel = Path(folder) / "robots_casadi", Path(casadi.__file__).parent
    _build(made, "-O0", f"-I{wheel}/include", links=[f"-L{wheel}", "-lcasadi", f"-Wl,-rpath,{wheel}"])
    return {"binary": str(made)}


def _build(made: Path, *flags: str, links: list[str] | None = None) -> None:
    """Headers are Pinocchio's; they need Eigen, which CasADi's wheel brings."""
    import casadi
    import pinocchio as pin

    prefix = Path(pin.__file__).parents[4]
    own = prefix / "include" / "eigen3"
    eigen = own if own.exists() else Path(casadi.__file__).parent / "include" / "eigen3"
    limits = {"MPL_LIMIT_LIST_SIZE": 30, "MPL_LIMIT_VECTOR_SIZE": 30, "FUSION_INVOKE_MAX_ARITY": 12}
    command = [
        *("g++", "-w", "-std=c++17", "-DNDEBUG", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"),
        *(f"-DBOOST_{a}={b}" for a, b in limits.items()),
        *flags,
        *(f"-I{prefix}/include", f"-I{eigen}", str(HERE / f"{made.name}.cpp"), "-o", str(made)),
        *(f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib", f"-Wl,-rpath-link,{prefix}/lib"),
        *("-lpinocchio_default", "-lboost_serialization", *(links or [])),
    ]
    subprocess.run(command, check=True)


def generated(name: str, function: str, binary: str) -> dict[str, Any]:
    """Pinocchio's algorithm written out by CasADi, gcc -O3 -march=native, called in a loop of C."""
    from benchmarks.loops import WALK_C, loop_of_casadi, shared_library

    with models.in_folder() as folder:
        here = Path(folder)
        model = models.robot_in_pinocchio(name, here)
        model.saveToText(str(here / "model.txt"))
        subprocess.run([binary, str(here / "model.txt"), function, folder], check=True, capture_output=True)
        nq, nv = model.nq, model.nv
        walk = WALK_C.replace("2 * n", str(nq + nv)).replace("arg[0] + n", f"arg[0] + {nq}")
        (here / "walk.c").write_text(walk)
        library = shared_library(here / "generated.c", "-O3", "-march=native")
        walker = shared_library(here / "walk.c", "-O2")
        states = np.random.default_rng(1).uniform(-1, 1, (STATES, nq + nv))
        if name in models.FLOATING:
            states[:, 3:7] /= np.linalg.norm(states[:, 3:7], axis=1, keepdims=True)
        third = np.random.default_rng(2).uniform(-1, 1, nv)
        out = np.zeros(nv * (3 * nv if function == "aba_derivatives" else nv if function == "crba" else 1))
        loop = loop_of_casadi(library, walker, states, third, out)
        found = {"seconds": best_per_call(lambda: loop(100), calls=100, for_seconds=0.4)}
        if function == "aba":
            import pinocchio as pin

            last = states[99 % STATES]
            expected = pin.aba(model, model.createData(), last[:nq], last[nq:], third)
            found["apart"] = float(np.max(np.abs(out - expected)) / np.max(np.abs(expected)))
            assert found["apart"] < 1e-9, f"generated code is {found['apart']:.1e} off"
        return found


def mujoco(name: str) -> dict[str, Any]:
    """mj_forward from Python (all terms and the acceleration), contacts, limits and friction off."""
    import mujoco as mj

    with models.in_folder() as folder:
        spec = mj.MjSpec.from_file(str(models.plain_file(name, Path(folder), for_mujoco=True)))
    if name in models.FLOATING:
        spec.worldbody.first_body().add_freejoint()
    model = spec.compile()
    quiet(model)
    data = mj.MjData(model)
    data.qvel[:] = 0.3
    return {"aba": best_per_call(lambda: [mj.mj_forward(model, data) for _ in range(50)], calls=50), "nv": model.nv}


def quiet(model: Any) -> None:
    """Nothing but rigid bodies: no contacts, limits, dampers, dry friction and armature."""
    import mujoco as mj

    for flag in ("CONTACT", "CONSTRAINT", "SENSOR"):
        model.opt.disableflags |= int(getattr(mj.mjtDisableBit, f"mjDSBL_{flag}"))
    for array in (model.dof_damping, model.dof_frictionloss, model.dof_armature):
        array[:] = 0


def drake(name: str) -> dict[str, Any]:
    """Mass matrix and forward dynamics from Python, the state set before each."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import MultibodyForces

    plant = MultibodyPlant(0.0)
    with models.in_folder() as folder:
        file = str(models.plain_file(name, Path(folder)))
        (made,) = Parser(plant).AddModels(file)
    if name not in models.FLOATING and not plant.HasBodyNamed("base_link"):  # ur5's file holds its base itself
        plant.WeldFrames(plant.world_frame(), plant.get_body(plant.GetBodyIndices(made)[0]).body_frame())
    plant.Finalize()
    context = plant.CreateDefaultContext()
    q, v = plant.GetPositions(context).copy(), np.full(plant.num_velocities(), 0.3)
    forces = MultibodyForces(plant)
    output = plant.get_generalized_acceleration_output_port()

    def set_state() -> None:
        plant.SetPositionsAndVelocities(context, np.concatenate([q, v]))

    def forward() -> Any:
        set_state()
        return output.Eval(context)

    def inverse() -> Any:
        set_state()
        return plant.CalcInverseDynamics(context, v, forces)

    def mass() -> Any:
        set_state()
        return plant.CalcMassMatrix(context)

    return {
        label: best_per_call(work, for_seconds=0.3)
        for label, work in (("aba", forward), ("rnea", inverse), ("crba", mass))
    }


PEAK_C = """
#include <stdint.h>
typedef double lanes __attribute__((vector_size(%d)));
double peak(int64_t count)
{
    lanes x[16], a = {0}, b = {0};
    for (int i = 0; i < 16; ++i) x[i] = (lanes){0} + i;
    a = a + 0.9999; b = b + 1e-9;
    for (int64_t k = 0; k < count; ++k)
        for (int i = 0; i < 16; ++i) x[i] = x[i] * a + b;
    lanes sum = {0};
    for (int i = 0; i < 16; ++i) sum += x[i];
    return sum[0];
}
"""


def fma_peak() -> dict[str, Any]:
    """Floating-point operations per second of products fused into sums, vectors of 4 and of 8, as gcc makes them."""
    import ctypes

    from benchmarks.loops import shared_library

    found = {}
    with models.in_folder() as folder:
        for width in (4, 8):
            (Path(folder) / f"peak{width}.c").write_text(PEAK_C % (8 * width))
            flags = ["-O3", "-march=native", "-ffp-contract=fast", "-mprefer-vector-width=512"]
            library = shared_library(Path(folder) / f"peak{width}.c", *flags)
            library.peak.argtypes, library.peak.restype = [ctypes.c_int64], ctypes.c_double
            found[str(width)] = 16 * 2 * width / best_per_call(lambda library=library: library.peak(20000), calls=20000)
    return {"peak": max(found.values()), **found}
