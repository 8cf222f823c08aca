"""Chains of parallelograms in joint angles: N + 1 cranks side by side on the ground, N couplers."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import cos, sin

import cardan as cd

GRAVITY = 9.81


def chain(
    N: int,
    cranks: Sequence[float] | None = None,
    couplers: Sequence[float] | None = None,
    *,
    crank: float = 1.0,
    coupler: float = 1.0,
    ground: float | None = None,
) -> cd.System:
    """Cranks turn by a0 ... aN and couplers by c0 ..., all measured from the ground line; uniform bars."""
    own = [1.0] * (N + 1) if cranks is None else list(cranks)
    across = [1.0] * N if couplers is None else list(couplers)
    gap = coupler if ground is None else ground
    s = cd.System(f"{N} four-bars")
    a = [s.coordinates(f"a{i}", on="S1") for i in range(N + 1)]
    c = [s.coordinates(f"c{i}", on="S1") for i in range(N)]
    s.gravity(-GRAVITY * s.world.y)
    links = [
        s.body(
            f"crank{i}", mass=own[i], inertia=own[i] * crank**2 / 12, com=(crank / 2, 0, 0), at=(i * gap, 0, 0),
            joint=cd.Revolute("z", a[i]),
        )
        for i in range(N + 1)
    ]  # fmt: skip
    for i in range(N):
        s.body(
            f"coupler{i}", mass=across[i], inertia=across[i] * coupler**2 / 12, com=(coupler / 2, 0, 0),
            at=(crank, 0, 0), parent=links[i], joint=cd.Revolute("z", c[i] - a[i]),
        )  # fmt: skip
        s.constrain(crank * cos(a[i]) + coupler * cos(c[i]) - gap - crank * cos(a[i + 1]), name=f"loop{i}_x")
        s.constrain(crank * sin(a[i]) + coupler * sin(c[i]) - crank * sin(a[i + 1]), name=f"loop{i}_y")
    return s
