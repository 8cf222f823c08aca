"""Where a particle is: one rule, held against positions put together by hand, and told by its repr."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.support.close import assert_close

import cardan as cd
from cardan.errors import FrameMismatch

EPS = np.finfo(float).eps
TURN, SWING, CART, H, R = 0.4, -0.7, 0.9, 0.3, 1.7


def workshop() -> tuple[cd.System, Any, Any, Any]:
    """A cart along x, an arm that turns about z on a post of the cart, a wrist that turns about y in the arm."""
    s = cd.System("workshop")
    x, a, b = s.coordinates("x a b")
    cart = s.frame("cart", joint=cd.Prismatic("x", x))
    arm = s.frame("arm", parent=cart, joint=cd.Revolute("z", a), at=(0, 0, 2))
    wrist = s.frame("wrist", parent=arm, joint=cd.Revolute("y", b), at=(1, 0, 0))
    return s, cart, arm, wrist


def turned(axis: str, angle: float) -> np.ndarray:
    c, n = np.cos(angle), np.sin(angle)
    return np.array([[c, -n, 0], [n, c, 0], [0, 0, 1]] if axis == "z" else [[c, 0, n], [0, 1, 0], [-n, 0, c]])


R_arm = turned("z", TURN)
R_wrist = R_arm @ turned("y", SWING)
P_cart = np.array([CART, 0, 0])
P_arm = P_cart + 2 * np.array([0, 0, 1.0])
P_wrist = P_arm + R_arm @ [1, 0, 0]
X, Z = np.array([1.0, 0, 0]), np.array([0, 0, 1.0])

PLACES: dict[str, tuple[Any, str, np.ndarray]] = {
    "one frame": (lambda s, c, a, w: R * w.x, "wrist", P_wrist + R_wrist @ (R * X)),
    "one frame, several axes": (lambda s, c, a, w: R * a.x + H * a.z, "arm", P_arm + R_arm @ [R, 0, H]),
    "arm and wrist": (lambda s, c, a, w: H * a.z + R * w.x, "arm", P_arm + R_arm @ (H * Z) + R_wrist @ (R * X)),
    "cart and wrist": (lambda s, c, a, w: H * c.z + R * w.x, "cart", P_cart + H * Z + R_wrist @ (R * X)),
    "with the world": (lambda s, c, a, w: H * s.world.z + R * w.x, "world", H * Z + R_wrist @ (R * X)),
    "three numbers": (lambda s, c, a, w: (R, 0, H), "world", np.array([R, 0, H])),
    "a point": (lambda s, c, a, w: w.point(R, 0, H), "wrist", P_wrist + R_wrist @ [R, 0, H]),
}


def test_a_position_is_measured_from_the_last_frame_that_carries_all_its_axes() -> None:
    s, *frames = workshop()
    made = {name: s.particle(f"P{k}", mass=1.0, position=PLACES[name][0](s, *frames)) for k, name in enumerate(PLACES)}
    other = s.particle("Q", mass=1.0, position=R * frames[2].x, frame=s.world)  # frame= says from where
    run = s.simulate(1e-9, q={"x": CART, "a": TURN, "b": SWING})
    for name, (_, base, expected) in PLACES.items():
        found = run.position(made[name])[0]
        assert_close(found, expected, within=32 * EPS * 4, because=f"{name}: products of two rotations, sizes below 4")
        assert repr(made[name]).endswith(f"from the origin of {base!r})"), repr(made[name])
    assert_close(run.position(other)[0], R_wrist @ (R * X), within=128 * EPS, because="as above")


def test_a_point_of_another_frame_is_refused() -> None:
    s, cart, arm, _ = workshop()
    with pytest.raises(FrameMismatch, match="fixed in 'arm'"):
        s.particle("P", mass=1.0, position=arm.point(1, 0, 0), frame=cart)
