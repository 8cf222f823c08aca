"""The double pendulums of the flip map by MuJoCo's ``rollout``, at the error that Cardan's rows have, in CPU seconds.

python -m tools.flip_rollout output/flips --rows 400 250 --sample 1000

Both move the same starts for 10 s. Errors are medians over a sample, against Cardan at rtol 1e-12 (which SciPy's DOP853
confirms, tests/oracle): angles at 3 s, before chaos has the last word, and at 10 s. MuJoCo integrates by RK4 with the
longest step whose error is not above Cardan's at the same time. What its rows then need to become a map (finding the
first turn in the states) is timed beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import mujoco
import numpy as np
from mujoco import rollout
from sympy import cos

import cardan as cd
from tools.flip_map import double_pendulum

XML = """
<mujoco>
  <option timestep="{step}" integrator="RK4" gravity="0 -9.81 0"><flag contact="disable" constraint="disable"/></option>
  <worldbody>
    <body><joint name="a" type="hinge" axis="0 0 1"/>
      <inertial pos="0 -1 0" mass="1" diaginertia="1e-12 1e-12 1e-12"/>
      <body pos="0 -1 0"><joint name="b" type="hinge" axis="0 0 1"/>
        <inertial pos="0 -1 0" mass="1" diaginertia="1e-12 1e-12 1e-12"/></body></body>
  </worldbody>
</mujoco>
"""
STEPS = (0.01, 0.008, 0.00625, 0.005, 0.0025, 0.00125, 0.0005, 0.00025)
TIMES = (3.0, 10.0)


def rolled(starts: np.ndarray, step: float, duration: float = 10.0) -> tuple[np.ndarray, float, float]:
    """(angles at TIMES, CPU seconds of ``rollout``, CPU seconds of finding the first turns)."""
    model = mujoco.MjModel.from_xml_string(XML.format(step=step))
    data, count = mujoco.MjData(model), round(duration / step)
    found, first, second = [], 0.0, 0.0
    for part in np.array_split(starts, max(1, len(starts) * count // 2_000_000)):
        states = np.zeros((len(part), mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
        states[:, 1:3] = part
        begun = time.process_time()
        out, _ = rollout.rollout(model, data, states, nstep=count)
        middle = time.process_time()
        sums = np.cos((out[:, :, 1] + out[:, :, 2]) / 2)
        np.argmax(sums[:, 1:] * sums[:, :-1] < 0, axis=1)
        first, second = first + middle - begun, second + time.process_time() - middle
        found.append(np.stack([out[:, round(t / step) - 1, 1:3] for t in TIMES], axis=1))
    return np.concatenate(found), first, second


def swept(starts: np.ndarray, rtol: float) -> np.ndarray:
    """Angles at TIMES by Cardan."""
    s = double_pendulum()
    study = s.sweep(10.0, q={"a": starts[:, 0], "b": starts[:, 1]}, sampling=cd.Rows(), outputs=cd.states(TIMES),
                    rtol=rtol, executor="serial")  # fmt: skip
    return study.states[:, :, :2]


def cpu_of_rows(starts: np.ndarray, rtol: float) -> float:
    """CPU seconds of one core for the rows of the flip map, kernels ready."""
    s = double_pendulum()
    a, b = s.model.q
    outputs = cd.when(cos((a + b) / 2), name="flip")  # the whole 10 s, as rollout does
    for part in (starts[:4], starts):
        begun = time.process_time()
        s.sweep(10.0, q={"a": part[:, 0], "b": part[:, 1]}, sampling=cd.Rows(), outputs=outputs, rtol=rtol,
                executor="serial")  # fmt: skip
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, nargs=2, default=(400, 250))
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--rtol", type=float, default=1e-6)
    given = parser.parse_args()
    words = [sys.executable, "-m", "tools.flip_map", str(given.folder), "--rtol", str(given.rtol), "--rows"]
    subprocess.run([*words, *map(str, given.rows)], check=True)
    starts = np.random.default_rng(0).uniform(-np.pi, np.pi, (given.sample, 2))
    exact = swept(starts, 1e-12)
    own = np.median(np.abs(swept(starts, given.rtol) - exact).max(axis=2), axis=0)
    own_cpu = cpu_of_rows(starts, given.rtol)
    told = {"Cardan": {"rtol": given.rtol, "errors": own.tolist(), "CPU ms per row": 1e3 * own_cpu / len(starts)}}
    reached = [False] * len(TIMES)
    for step in STEPS:
        angles, rolling, turning = rolled(starts, step)
        errors = np.median(np.abs(angles - exact).max(axis=2), axis=0)
        told[f"MuJoCo RK4, step {step}"] = {
            "errors": errors.tolist(), "CPU ms per row": 1e3 * rolling / len(starts),
            "CPU ms per row to find turns": 1e3 * turning / len(starts), "ratio": rolling / own_cpu,
        }  # fmt: skip
        reached = [is_so or bool(e <= o) for is_so, e, o in zip(reached, errors, own, strict=True)]
        if all(reached):
            break
    print(json.dumps({**told, "times of errors": TIMES, "load": os.getloadavg()}, indent=1))


if __name__ == "__main__":
    main()
