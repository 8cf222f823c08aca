"""One count in three places: the dimension of the manifold, the freedoms that are reported, and the rank in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import cardan as cd
from tools.soak import loops
from tools.soak.judging import Answer, Case, Family, Vector


def draw(rng: np.random.Generator) -> Case:
    """Constraints on a few coordinates, some of which say the same twice, all satisfied at a drawn place."""
    n = int(rng.integers(2, 5))
    forms = []
    for _ in range(int(rng.integers(1, n + 1))):
        if forms and rng.random() < 0.25:
            forms.append(
                {"kind": "again", "of": int(rng.integers(0, len(forms))), "factor": float(rng.uniform(0.5, 3))}
            )
        else:
            forms.append({"kind": str(rng.choice(["plane", "sphere"])), "a": rng.integers(-2, 3, n).tolist()})
    return {"n": n, "forms": forms, "place": rng.uniform(0.4, 1.4, n).tolist()}


def values(case: Case, x: Any) -> list[Any]:
    """The constraints in the numbers of x, zero at the place."""
    found: list[Any] = []
    for one in case["forms"]:
        if one["kind"] == "again":
            found.append(one["factor"] * found[one["of"]])
            continue
        power = 1 if one["kind"] == "plane" else 2
        a = [c if power == 1 else abs(c) for c in one["a"]]
        found.append(sum(c * (z**power - w**power) for c, z, w in zip(a, x, case["place"], strict=True)))
    return found


def rank(case: Case) -> int:
    """The rank of the derivatives at the place, by central differences."""
    x, h = np.array(case["place"]), 1e-6
    columns: list[Vector] = []
    for k in range(case["n"]):
        step = h * (np.arange(case["n"]) == k)
        columns.append((np.array(values(case, x + step), float) - np.array(values(case, x - step), float)) / (2 * h))
    return int(np.linalg.matrix_rank(np.array(columns), tol=1e-6))


def compare(case: Case) -> Answer:
    s = cd.System("counted")
    names = " ".join(f"x{k}" for k in range(case["n"]))
    x = s.coordinates(names) if case["n"] > 1 else (s.coordinates(names),)
    for q in x:
        s.kinetic_energy(q.dot**2 / 2)
    for k, one in enumerate(values(case, x)):
        if one != 0:
            s.constrain(one, name=f"c{k}")
    expected = case["n"] - rank(case)
    if not expected or not s.model.constraints:
        return Answer(0.0, 0.0)
    here = s.diagnose(q=case["place"])
    dimension = s.manifold().dimension
    counts = [here.configuration_dof, here.velocity_dof, *([] if dimension is None else [dimension])]
    return Answer(float(max(abs(int(one) - expected) for one in counts)), 0.0)


def simpler(case: Case) -> Iterator[Case]:
    if len(case["forms"]) > 1 and not any(one["kind"] == "again" for one in case["forms"]):
        yield {**case, "forms": case["forms"][:-1]}


COUNTS = Family("counts", "rank by differences = freedoms = dimension", draw, compare, simpler)


# --- loops ------------------------------------------------------------------------------------------------------------


def compare_loop(case: Case) -> Answer:
    """Freedoms of a loop of free bodies, by the rank of rows written in NumPy."""
    other = loops.Maximal(case)
    start = other.start()
    rows, _ = other.rows(start)
    expected = 6 * other.n - int(np.linalg.matrix_rank(rows, tol=1e-9 * float(np.linalg.norm(rows, 2))))
    s = loops.in_cardan(case)
    here = s.diagnose(q=start[: 7 * other.n], budget=None)
    dimension = s.manifold(budget=5.0).dimension
    counts = [here.configuration_dof, here.velocity_dof, *([] if dimension is None else [dimension])]
    return Answer(float(max(abs(int(one) - expected) for one in counts)), 0.0)


COUNTED_LOOPS = Family("counts of loops", "rank in NumPy = freedoms = dimension", loops.draw_moving, compare_loop)
