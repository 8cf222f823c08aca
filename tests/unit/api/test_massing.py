"""cd.solid: handbook formulas, integrals done by hand, and two independent ways to the same inertia."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ImpossibleInertia, ModelError, UnknownName
from support.close import EPS, assert_close

RHO, R, H = 2.5, 0.4, 1.1
INTEGRATED = 1e-12  # Gauss rules of 28 points are exact for these polynomials; cosines of a turn leave 1e-13
SIZES: dict[str, dict[str, float]] = {
    "box": {"x": 1.0, "y": 0.5, "z": 2.0},
    "sphere": {"radius": R},
    "half-sphere": {"radius": R},
    "ellipsoid": {"a": 0.3, "b": 0.5, "c": 0.9},
    "cylinder": {"radius": R, "length": H},
    "tube": {"inner": 0.1, "outer": R, "length": H},
    "cone": {"radius": R, "height": H},
}


@pytest.mark.parametrize("shape", SIZES)
def test_integration_over_the_volume_gives_the_closed_form(shape: str) -> None:
    exact = cd.solid(shape, density=RHO, **SIZES[shape])
    found = cd.solid(shape, density=lambda x, y, z: RHO + 0 * x, **SIZES[shape])
    for a, b in ((found.mass, exact.mass), (found.com, exact.com), (found.inertia, exact.inertia)):
        assert_close(a, b, within=INTEGRATED, because="Gauss rules, numbers of size one")


def test_a_capsule_is_that_of_the_handbook() -> None:
    """Across: m_c (L^2/12 + r^2/4) + m_s (2 r^2/5 + L^2/4 + 3 L r/8), m_c of the cylinder and m_s of both ends."""
    m_c, m_s = RHO * math.pi * R**2 * H, RHO * 4 / 3 * math.pi * R**3
    across = m_c * (H**2 / 12 + R**2 / 4) + m_s * (2 * R**2 / 5 + H**2 / 4 + 3 * H * R / 8)
    along = m_c * R**2 / 2 + m_s * 2 * R**2 / 5
    made = cd.solid("capsule", density=RHO, radius=R, length=H)
    assert_close([made.mass, *made.com], [m_c + m_s, 0, 0, 0], within=10 * EPS, because="rounding")
    assert_close(made.inertia, np.diag([across, across, along]), within=20 * EPS, because="rounding")
    lighter = cd.solid("capsule", mass=1.0, radius=R, length=H)
    assert_close(lighter.inertia[0][0], across / (m_c + m_s), within=20 * EPS, because="rounding")


def test_a_ball_whose_density_grows_with_the_square_of_the_radius() -> None:
    """m = 4 pi R^5 / 5 and I = (2/3) 4 pi R^7 / 7 = 10/21 m R^2, by hand."""
    found = cd.solid("sphere", radius=R, density=lambda x, y, z: x**2 + y**2 + z**2)
    m = 4 * math.pi * R**5 / 5
    assert_close(found.mass, m, within=1e-15, because="a polynomial of degree four, size 0.03")
    assert_close(found.inertia, np.eye(3) * 10 / 21 * m * R**2, within=1e-15, because="a polynomial, size 0.002")


def test_a_block_that_is_heavier_on_one_side() -> None:
    """rho = 1 + x on [-1/2, 1/2]^3: m = 1, c = 1/12 along x, I_yy = 1/6 - 1/144."""
    found = cd.solid("box", x=1, y=1, z=1, density=lambda x, y, z: 1 + x)
    assert_close([found.mass, *found.com], [1, 1 / 12, 0, 0], within=20 * EPS, because="polynomials")
    moments = [1 / 6, 1 / 6 - 1 / 144, 1 / 6 - 1 / 144]
    assert_close(found.inertia, np.diag(moments), within=20 * EPS, because="polynomials")


def test_a_density_that_jumps_is_refused() -> None:
    with pytest.raises(ModelError, match="changes too quickly"):
        cd.solid("box", x=1, y=1, z=1, density=lambda x, y, z: 1.0 * (x > 0.123))


def test_a_tube_is_a_cylinder_with_a_hole_and_too_large_a_hole_is_refused() -> None:
    outer = cd.solid("cylinder", density=RHO, radius=R, length=H)
    inner = cd.solid("cylinder", density=RHO, radius=0.1, length=H)
    tube = cd.solid("tube", density=RHO, inner=0.1, outer=R, length=H)
    left = outer - inner
    assert_close(
        [left.mass, *np.ravel(left.inertia)], [tube.mass, *np.ravel(tube.inertia)], within=10 * EPS, because="sum"
    )
    with pytest.raises(ImpossibleInertia):
        inner - outer
    with pytest.raises(ImpossibleInertia):  # lighter than the block, but it sticks out of it
        cd.solid("box", mass=1.0, x=1, y=1, z=1) - cd.solid("sphere", mass=0.5, radius=0.1).at((3, 0, 0))


def test_two_balls_on_a_diagonal_have_it_for_a_principal_axis() -> None:
    ball = cd.solid("sphere", mass=1.0, radius=0.1)
    pair = ball.at((1, 1, 0)) + ball.at((-1, -1, 0))
    moments, axes = pair.principal
    own = 2 * 0.4 * 0.01
    assert_close(moments, [own, own + 4, own + 4], within=20 * EPS, because="parallel axes: 2 m (sqrt 2)^2")
    first = np.array(axes)[:, 0]
    assert_close(abs(first), [math.sqrt(0.5), math.sqrt(0.5), 0], within=1e-14, because="an eigenvector")
    assert_close(pair.inertia_about((0, 0, 1))[0][0], pair.inertia[0][0] + 2, within=20 * EPS, because="2 m h^2")


def test_sizes_may_be_symbols_and_stay_exact() -> None:
    r, h, rho = sp.symbols("r h rho", positive=True)
    cone = cd.solid("cone", density=rho, radius=r, height=h)
    assert sp.simplify(cone.mass - sp.pi * rho * r**2 * h / 3) == 0
    assert cone.com == (0, 0, h / 4)
    about_tip = cone.inertia_about((0, 0, h))[0][0]
    assert sp.simplify(about_tip - 3 * cone.mass * (r**2 / 20 + h**2 / 5)) == 0  # of handbooks


CUBE = """v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 3\nv 2 0 3\nv 2 1 3\nv 0 1 3
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""


def test_a_closed_mesh_weighs_what_the_box_does(tmp_path) -> None:
    (tmp_path / "box.obj").write_text(CUBE, encoding="utf-8")
    found = cd.solid(cd.Mesh(tmp_path / "box.obj"), density=RHO)
    box = cd.solid("box", density=RHO, x=2, y=1, z=3)
    assert_close([found.mass, *found.com], [box.mass, 1, 0.5, 1.5], within=1e-14, because="twelve tetrahedra")
    assert_close(found.inertia, box.inertia, within=1e-13, because="twelve tetrahedra, size ten")
    (tmp_path / "open.obj").write_text(CUBE.replace("f 4 1 5 8\n", ""), encoding="utf-8")
    with pytest.raises(ModelError, match="not closed"):
        cd.solid(cd.Mesh(tmp_path / "open.obj"), density=RHO)


def test_a_body_takes_a_solid_and_swings_as_a_rod_does() -> None:
    """A rod hung at its end: period 2 pi sqrt(2 l / 3 g) of small swings, so that w^2 = 3 g / 2 l."""
    s = cd.System("rod")
    a = s.coordinates("a")
    rod = cd.solid("rod", mass=2.0, length=1.5).at((0, 0, -0.75))
    s.body("rod", **rod, joint=cd.Revolute("y", a))
    s.gravity(-9.81 * s.world.z)
    motion = s.linearize(q=[0.0]).eigenvalues
    assert_close(abs(motion.imag), math.sqrt(1.5 * 9.81 / 1.5), within=1e-12, because="an eigenvalue of 2 by 2")


def test_what_is_misspelt_is_asked_for() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'cylinder'"):
        cd.solid("cylindre", density=1, radius=1, length=1)
    with pytest.raises(UnknownName, match="Did you mean 'radius'"):
        cd.solid("sphere", density=1, radus=1)
    with pytest.raises(ModelError, match="density= or mass="):
        cd.solid("sphere", radius=1)
    with pytest.raises(ModelError, match="length: it is missing"):
        cd.solid("cylinder", density=1, radius=1)
