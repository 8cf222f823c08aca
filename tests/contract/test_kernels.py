"""Every kernel of the table, on models of every kind: it compiles, or is refused by name and with a reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.codegen.compiled import Kernel
from cardan.codegen.kernels import KERNELS
from cardan.errors import CompileError

PAGE = Path(__file__).parents[2] / "docs" / "kernels.md"


def pendulum() -> cd.System:
    """Coordinates without constraints, a load and an input."""
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    m, g = s.parameters(m=1.5, g=9.81)
    rod = s.body("rod", mass=m, inertia=0.2, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    s.gravity(-g * s.world.y)
    s.moment("M", on=rod, along=rod.z)
    s.generalized_force(a, s.input("u"))
    return s


def rod_pendulum() -> cd.System:
    """A constraint, on a particle."""
    s = cd.System("pendulum on a rod")
    x, y = s.coordinates("x y")
    mass = s.particle("mass", mass=2.0, position=(x, y, 0))
    s.gravity(-9.81 * s.world.y)
    s.distance(mass, s.world.origin, 1.0, name="rod")
    return s


def top() -> cd.System:
    """A quaternion."""
    s = cd.System("top")
    s.body("top", mass=1.0, inertia=(0.3, 0.3, 0.1), com=(0, 0, 0.2), joint=cd.Ball(cd.Quaternion("e")))
    s.gravity(-9.81 * s.world.z)
    return s


def rubbing() -> cd.System:
    """Friction whose pressing force has to be solved for."""
    s = cd.System("block on a rail")
    x = s.coordinates("x")
    block = s.body("block", mass=1.0, inertia=0.1, joint=cd.Prismatic("x", x))
    s.gravity(-9.81 * s.world.y)
    s.friction(x, coefficient=0.3, normal=block)
    return s


FREE = {
    "acceleration", "rhs", "forward_dynamics", "jacobian", "forward_dynamics_derivatives", "second_derivatives",
}  # fmt: skip

# The kernels that a model of each kind has none of.
MISSING = {
    pendulum: {"sliding", "pushes", "pressing"},
    rod_pendulum: {"sliding", "pushes", "pressing", *FREE},
    top: {"sliding", "pushes", "pressing", "momentum_rate"},
    rubbing: FREE,
}
MODELS = list(MISSING)


@pytest.fixture(scope="module", params=MODELS, ids=lambda make: make.__name__)
def case(request: pytest.FixtureRequest) -> tuple[Kernel, set[str]]:
    make: Callable[[], cd.System] = request.param
    return make().compile(), MISSING[make]


def states(kernel: Kernel, further: int) -> np.ndarray:
    """Seven states (more than one block of four), quaternions of unit length, with the kernel's further inputs."""
    rows = np.random.default_rng(3).uniform(0.2, 1.0, (7, kernel.nq + kernel.nv + further))
    for k in kernel.quaternions:
        rows[:, k : k + 4] /= np.linalg.norm(rows[:, k : k + 4], axis=1, keepdims=True)
    return rows


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_gives_the_same_bits_alone_and_in_a_batch_or_is_refused_with_a_reason(case, name):
    kernel, missing = case
    if name in missing:
        for ask in (kernel.function, kernel.batch, kernel.to_c):
            with pytest.raises(
                CompileError, match=rf"The kernel '{name}' of '.*' (needs|takes|tells) .*\. .*\."
            ) as met:
                ask(name)
            assert met.value.evidence["name"] == name
        return
    function, batch = kernel.function(name), kernel.batch(name)
    rows, p = states(kernel, function.ny - kernel.nq - kernel.nv), kernel.p()
    together = batch(0.3, rows, p)
    for row, expected, status in zip(rows, together, batch.status, strict=True):
        assert np.array_equal(function(0.3, row, p), expected, equal_nan=True)
        assert function.status == status


def test_every_kernel_can_be_written_in_c(case):
    kernel, missing = case
    for name in KERNELS.keys() - missing:
        assert f"int64_t {name}(double t" in kernel.to_c(name)


def test_outputs_that_are_asked_for_have_the_sizes_of_the_model(case):
    kernel, _ = case
    nq, n, m = kernel.nq, kernel.nv, kernel.m
    sizes = {"mass_matrix": n * n, "terms": nq + n * n + n + m * n + m, "residual": 2 * m, "rates": nq, "energy": 3}
    assert {name: kernel.function(name).nout for name in sizes} == sizes


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_is_documented(name):
    assert KERNELS[name].row in PAGE.read_text(encoding="utf-8"), f"docs/kernels.md misses:\n{KERNELS[name].row}"


def test_the_page_lists_nothing_else():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(rows) == len(KERNELS)
