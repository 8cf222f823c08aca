"""Every singular configuration named by Hemingway & O'Reilly (rows H) and Briggs (rows B), regular ones beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from support.singular_systems import (
    PI,
    Built,
    cylinder,
    cylindrical,
    driven,
    euler,
    four_bar,
    gimbal,
    joint,
    line,
    pendulums,
    pinned,
    plane,
    plate,
    skates,
    snake_cart,
    spherical,
    spinless,
    suspension,
    three_lines,
    top,
    typed_cart,
    typed_euler,
    typed_polar,
)

COORDINATE, LOCK, CONSTRAINT, BOUNDARY = (
    "coordinate-singularity",
    "gimbal-lock",
    "constraint-degeneracy",
    "boundary",
)


@dataclass(frozen=True)
class Case:
    """A configuration, the load that is judged, and what it is."""

    row: str
    what: str
    build: Callable[[], Built]
    q: tuple[float, ...]
    kinds: frozenset[str]
    load: str | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    carried: bool = False  # the load is carried by the constraints in every configuration

    def __str__(self) -> str:
        return f"{self.row}: {self.what}"


NONE: frozenset[str] = frozenset()


def only(*kinds: str) -> frozenset[str]:
    return frozenset(kinds)


def _half(build: Callable[..., Built]) -> Callable[[], Built]:
    return lambda: build(True)


Q0 = (0.4, 0.3, -0.2)
LIGHT = {"l1": 1e-10, "l2": 1e-10}
CASES = [
    Case("H1", "r = 0", cylindrical, (0.0, 0.4, 0.7), only(COORDINATE), "F"),
    Case("H1", "r = z = 0", cylindrical, (0.0, 0.4, 0.0), only(COORDINATE), "F"),
    Case("H1", "r = 0.5", cylindrical, (0.5, 0.4, 0.7), NONE, "F"),
    Case("H1", "r = 0, typed energy", typed_polar, (0.0, 0.4), only(COORDINATE)),
    Case("H1", "r = 0.5, typed energy", typed_polar, (0.5, 0.4), NONE),
    Case("H2", "r = 0, at the edge", _half(plane), (0.0, 0.7), only(BOUNDARY), "F", carried=True),
    Case("H2", "r = 0.5", _half(plane), (0.5, 0.7), NONE, "F", carried=True),
    Case("H3", "r_e = 0", plane, (0.0, 0.7), NONE, "F", carried=True),
    Case("H4", "r_e = 0, e_theta force", plate, (0.0, 0.4, 0.5), only(LOCK), "F"),
    Case("H4", "r_e = z = 0, e_theta force", plate, (0.0, 0.4, 0.0), only(LOCK), "F"),
    Case("H4", "r_e = 0, Mk^2 = 1e-10", plate, (0.0, 0.4, 0.5), only(LOCK), "F", {"J": 1e-10}),
    Case("H4", "r_e = 0, Mk^2 = 0", plate, (0.0, 0.4, 0.5), only(COORDINATE), "F", {"J": 0.0}),
    Case("H4", "r_e = 0.5", plate, (0.5, 0.4, 0.5), NONE, "F"),
    Case("H5", "r = 0, e_theta force, at the edge", _half(plate), (0.0, 0.4, 0.5), only(LOCK, BOUNDARY), "F"),
    Case("H5", "r = 0.5", _half(plate), (0.5, 0.4, 0.5), NONE, "F"),
    Case("H6", "phi = 0", spherical, (0.8, 0.0, 0.4), only(COORDINATE), "F"),
    Case("H6", "phi = pi", spherical, (0.8, PI, 0.4), only(COORDINATE), "F"),
    Case("H6", "R = 0", spherical, (0.0, 0.7, 0.4), only(COORDINATE), "F"),
    Case("H6", "R = 0.8, phi = 1", spherical, (0.8, 1.0, 0.4), NONE, "F"),
    Case("H7", "R = 0 on the half-line", _half(line), (0.0,), only(BOUNDARY), "F", carried=True),
    Case("H7", "R = 0 on the line", line, (0.0,), NONE, "F", carried=True),
    Case("H8", "phi_e = 0, e_theta force", gimbal, (0.4, 0.0), only(LOCK), "F"),
    Case("H8", "phi_e = pi, e_theta force", gimbal, (0.4, PI), only(LOCK), "F"),
    Case("H8", "phi_e = 0, Mk^2 = 1e-10", gimbal, (0.4, 0.0), only(LOCK), "F", {"J": 1e-10}),
    Case("H8", "phi_e = 0, Mk^2 = 0", gimbal, (0.4, 0.0), only(COORDINATE), "F", {"J": 0.0}),
    Case("H8", "phi_e = 1", gimbal, (0.4, 1.0), NONE, "F"),
    Case("H9", "phi = 0 at a stop, e_theta force", _half(gimbal), (0.4, 0.0), only(LOCK, BOUNDARY), "F"),
    Case("H9", "phi = 1", _half(gimbal), (0.4, 1.0), NONE, "F"),
    Case("H10", "nu2 = 0, 3-1-3", euler, (0.4, 0.0, -0.7), only(COORDINATE), "M"),
    Case("H10", "nu2 = pi, 3-1-3", euler, (0.4, PI, -0.7), only(COORDINATE), "M"),
    Case("H10", "nu2 = pi/2, 3-2-1", lambda: euler("3-2-1"), (0.4, PI / 2, -0.7), only(COORDINATE), "M"),
    Case("H10", "nu2 = 1, 3-1-3", euler, (0.4, 1.0, -0.7), NONE, "M"),
    Case("H10", "nu2 = 0, typed energy", typed_euler, (0.4, 0.0, -0.7), only(COORDINATE)),
    Case("H10", "nu2 = 1, typed energy", typed_euler, (0.4, 1.0, -0.7), NONE),
    Case("H11", "nu2 = 0, nu1 = f(t)", driven, (0.0, -0.7), NONE, "M", carried=True),
    Case("H11", "nu2 = 0, nu1 = f(t) as a row", lambda: driven("row"), (0.3, 0.0, -0.7), NONE, "M", carried=True),
    Case("H11", "nu2 = 0 at a stop", lambda: driven("stops"), (0.0, -0.7), only(BOUNDARY), "M", carried=True),
    Case("H12", "beta = 0, moment along e_2^2", suspension, (0.3, 0.0, 0.8), only(LOCK), "M"),
    Case("H12", "beta = pi, moment along e_2^2", suspension, (0.3, PI, 0.8), only(LOCK), "M"),
    Case("H12", "beta = 0, gimbal inertias 1e-10", suspension, (0.3, 0.0, 0.8), only(LOCK), "M", LIGHT),
    Case("H12", "beta = 0, lambda1 = 0", suspension, (0.3, 0.0, 0.8), only(LOCK), "M", {"l1": 0.0}),
    Case("H12", "beta = 0, lambda2 = 0", suspension, (0.3, 0.0, 0.8), only(LOCK), "M", {"l2": 0.0}),
    Case(
        "H12",
        "beta = 0, lambda1 = lambda2 = 0",
        suspension,
        (0.3, 0.0, 0.8),
        only(COORDINATE),
        "M",
        {"l1": 0.0, "l2": 0.0},
    ),
    Case("H12", "beta = 0 at a stop", _half(suspension), (0.3, 0.0, 0.8), only(LOCK, BOUNDARY), "M"),
    Case("H12", "beta = 0, moment on bearing 1", suspension, (0.3, 0.0, 0.8), NONE, "bearing", carried=True),
    Case("H12", "beta = 1", suspension, (0.3, 1.0, 0.8), NONE, "M"),
    Case("H13", "pinned body, nu2 = 0", pinned, (0.4, 0.0), NONE),
    Case("H13", "pinned body, nu2 = pi", pinned, (0.4, PI), NONE),
    Case("H13", "cylinder, nu2 = 0", cylinder, (0.2, 0.3, 0.4, 0.0), NONE),
    Case("H14", "Cardan joint, shafts perpendicular", joint, (PI / 2, PI / 2, 0.0, PI / 2), only(LOCK), "M"),
    Case("H14", "Cardan joint, shafts in line", joint, (0.7, 0.0, 0.0, 0.0), NONE, "M"),
    Case("H14", "Lagrange top upright, 3-1-3", top, (0.4, 0.0, -0.7), only(COORDINATE), "M"),
    Case("H14", "Lagrange top upright, quaternion", _half(top), (1.0, 0.0, 0.0, 0.0), NONE, "M"),
    Case("B1", "phi = pi/2", snake_cart, (0.2, 0.3, 0.5, PI / 2), only(CONSTRAINT)),
    Case("B1", "phi = -pi/2", snake_cart, (0.2, 0.3, 0.5, -PI / 2), only(CONSTRAINT)),
    Case("B1", "phi = 0.3", snake_cart, (0.2, 0.3, 0.5, 0.3), NONE),
    Case("B1", "phi = pi/2, typed Lagrangian", typed_cart, (0.0, 0.0, 0.5, PI / 2), only(CONSTRAINT)),
    Case("B1", "phi = 0.3, typed Lagrangian", typed_cart, (0.0, 0.0, 0.5, 0.3), NONE),
    Case("B2", "parallelogram folded", four_bar, (0.0, 0.0, 0.0), only(CONSTRAINT)),
    Case("B2", "parallelogram folded back", four_bar, (PI, -PI, PI), only(CONSTRAINT)),
    Case("B2", "parallelogram upright", four_bar, (1.0, -1.0, 1.0), NONE),
    Case("B2", "two bodies in line", pendulums, (0.25, 0.0, 0.75, 0.0, 0.0, 0.0), NONE),
    Case("B3", "parallel axes", spinless, (0.1, 0.2, 0.3, 0.7, 0.0, 0.0), only(CONSTRAINT)),
    Case("B3", "axes not parallel", spinless, (0.1, 0.2, 0.3, 0.7, 0.5, 0.4), NONE),
    Case("B3", "collinear constraints", skates, (0.1, 0.2, 0.3, 0.0, 0.0, 0.4), only(CONSTRAINT)),
    Case(
        "B3", "parallel constraints side by side", skates, (0.1, 0.2, 0.3, 0.0, 0.0, 0.4), NONE, None, {"beside": 0.2}
    ),
    Case("B3", "three parallel lines in a plane", three_lines, (0.1, 0.2, 0.3, 0.0, 0.6, 0.0), only(CONSTRAINT)),
    Case("B3", "three lines, one across", three_lines, (0.1, 0.2, 0.3, 0.5, 0.6, 0.8), NONE),
]
