"""Hemingway & O'Reilly (2017), sections 2 and 3, as objects: r, a_J for every J, [u, w], a^J, Phi and (18)."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError, SingularityError, UnknownName, WrongShape
from support.close import assert_close

ROUND = "round-off of a few hundred operations"


def plate() -> cd.System:
    """Section 4.3: a particle in a plate that turns about E_3; q = (r_e, nu, z)."""
    s = cd.System("plate")
    r, nu, z = s.coordinates("r nu z")
    m, k = s.parameters(m=0.7, k=0.4)
    body = s.body("plate", mass=2.0, inertia=(0.2, 0.3, 2.0 * k**2), joint=cd.Revolute("z", nu))
    s.particle("P", mass=m, position=(r, 0, z), frame=body)
    return s


def suspension() -> cd.System:
    s = cd.System("Cardan suspension")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    l1, l2, l3 = s.parameters(lambda1=0.3, lambda2=0.2, lambda3=0.1)
    outer = s.body("outer", inertia=l1, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=l2, joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=l3, joint=cd.Revolute("z", gamma), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    return s


def test_the_partial_velocities_of_the_plate_are_those_of_42():
    s = plate()
    particle = s.representative_particle()
    r, nu, z = s.model.q
    e_r, e_t, E3 = sp.Matrix([sp.cos(nu), sp.sin(nu), 0]), sp.Matrix([-sp.sin(nu), sp.cos(nu), 0]), sp.Matrix([0, 0, 1])
    none = sp.zeros(3, 1)
    expected = {  # dv^1/dqd^J, dvbar/dqd^J, dw/dqd^J; q^4 to q^6 along the axes of the plate, q^9 per unit length
        "r": (e_r, none, none), "nu": (r * e_t, none, E3), "z": (E3, none, none),
        "plate_force_x": (e_r, e_r, none), "plate_force_y": (e_t, e_t, none), "plate_force_z": (E3, E3, none),
        "plate_moment_y": (-r * E3 + z * e_r, none, e_t), "plate_moment_x": (-z * e_t, none, e_r),
        "P_force_y": (e_t, none, none),
    }  # fmt: skip
    assert set(particle.basis) == set(expected)
    assert particle.free == ("r", "nu", "z")
    for name, (v, vbar, w) in expected.items():
        assert sp.simplify(particle.partial_velocity("P", name)[0] - v) == none
        found = particle.partial_velocity("plate", name)
        assert sp.simplify(found[0] - vbar) == none
        assert sp.simplify(found[1] - w) == none


def test_positions_and_basis_vectors_are_15_and_43():
    """r = (x, xbar, Q) and a_2 = dr/dnu = (r e_theta, 0, skwt(E_3) Q)."""
    s = plate()
    particle = s.representative_particle()
    r, nu, z = s.model.q
    Q = sp.Matrix([[sp.cos(nu), -sp.sin(nu), 0], [sp.sin(nu), sp.cos(nu), 0], [0, 0, 1]])
    position = sp.Matrix([r * sp.cos(nu), r * sp.sin(nu), z, 0, 0, 0, *Q])
    assert sp.simplify(particle.position - position) == sp.zeros(15, 1)
    for name, q in zip(("r", "nu", "z"), (r, nu, z), strict=True):
        assert sp.simplify(particle.basis[name] - position.diff(q)) == sp.zeros(15, 1)
    assert particle.components[0] == "P.x"
    assert particle.components[-1] == "plate.Q33"


def test_m_times_the_inner_product_is_the_mass_matrix_and_twice_the_kinetic_energy():
    """M_AB = m a_A . a_B: diag(m, m r^2 + M k^2, m) from (46), typed."""
    s = plate()
    particle = s.representative_particle()
    r, m, k = s.model.q[0], *s.model.parameters
    a = particle.basis
    M = sp.diag(m, m * r**2 + 2 * k**2, m)
    for i, A in enumerate(particle.free):
        for j, B in enumerate(particle.free):
            assert sp.simplify(particle.mass * particle.inner(a[A], a[B]) - M[i, j]) == 0
    here = particle.at([0.5, 0.2, -0.3])
    assert_close(here.mass, 2.7, within=1e-14, because="a sum of two masses")
    assert_close(here.mass_matrix, np.diag([0.7, 0.7 * 0.25 + 2 * 0.16, 0.7]), within=1e-14, because=ROUND)


def test_contravariant_vectors_are_gradients():
    """a^J . a_K = delta, and r changes q^J by a^J . dr along the manifold."""
    s = plate()
    q, h = np.array([0.5, 0.2, -0.3]), 1e-6
    here = s.representative_particle().at(q)
    dual = here.dual()
    table = [[here.inner(dual[J], here.basis[K]) for K in here.basis] for J in here.basis]
    assert_close(table, np.eye(9), within=1e-12, because="a solution of nine equations")
    along = here.dual(here.free)
    for step in np.eye(3):
        moved = (
            s.representative_particle().at(q + h * step).position
            - s.representative_particle().at(q - h * step).position
        )
        found = [here.inner(along[A], moved / (2 * h)) for A in here.free]
        assert_close(found, step, within=1e-8, because="central differences with h = 1e-6")


def test_the_dual_of_dependent_vectors_is_refused_by_name():
    """(31): at r = 0 the vectors a_r, a_theta, a_z of a free particle do not span."""
    s = cd.System("free")
    r, theta, z = s.coordinates("r theta z")
    s.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, theta, z))
    particle = s.representative_particle()
    assert particle.at([0.0, 0.3, 0.1]).rank == 2
    assert particle.at([0.5, 0.3, 0.1]).rank == 3
    with pytest.raises(SingularityError, match="r, theta, z"):
        particle.at([0.0, 0.3, 0.1]).dual()


def test_a_driven_coordinate_keeps_its_vector():
    """(23): theta = f(t) is prescribed; a_theta = r e_theta stays, beside the free ones."""
    s = cd.System("driven")
    r, theta, z = s.coordinates("r theta z")
    s.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, theta, z))
    s.prescribe(theta, 2 * s.time)
    particle = s.representative_particle()
    assert particle.kinds == {"r": "free", "theta": "prescribed", "z": "free"}
    assert_close(particle.at([0.5, 0.1], t=0.3).basis["theta"], 0.5 * np.array([-np.sin(0.6), np.cos(0.6), 0]),
                 within=1e-15, because="a product")  # fmt: skip


@pytest.mark.parametrize("beta", [0.0, 0.3, 1.2, np.pi, 2.5])
def test_the_angle_of_a_moment_on_the_platform_is_that_of_103(beta):
    """cos^2 = Q.M^-1 Q / (M.J^-1 M) = sin^2 beta l3 / (l1 + l2 + l3 - l3 cos^2 beta); (18) at beta = 0 and pi."""
    found = suspension().load_geometry("M").at({"alpha": 0.4, "beta": beta, "gamma": -0.2})
    share = abs(np.sin(beta)) * np.sqrt(0.1 / (0.6 - 0.1 * np.cos(beta) ** 2))
    assert_close(found.share, share, within=1e-12, because=ROUND)
    assert_close(found.angle, np.arccos(share), within=1e-12, because=ROUND)
    assert found.is_orthogonal == (abs(np.sin(beta)) < 1e-10)
    assert ("gimbal lock" in str(found)) == found.is_orthogonal


def test_generalized_forces_of_all_j_are_phi_times_their_vectors_as_in_101():
    s, (a, b, c) = suspension(), (0.4, 0.7, -0.2)
    found = s.load_geometry("M", 2.0).at([a, b, c])
    e2, e3 = np.array([-np.sin(a) * np.cos(b), np.cos(a) * np.cos(b), np.sin(b)]), None
    e1 = np.array([np.cos(a), np.sin(a), 0])
    e3 = np.cross(e1, e2)
    side, up = np.cos(c) * e1 + np.sin(c) * e2, -np.sin(c) * e1 + np.cos(c) * e2  # e_1^3 and e_2^3
    expected = {  # (101), with M = 2 e_2^2 on the platform
        "alpha": 2 * e2[2], "beta": 2 * e2 @ e1, "gamma": 2 * e2 @ e3,
        "outer_moment_x": 2 * e2 @ e1, "outer_moment_y": 2 * e2 @ np.array([-np.sin(a), np.cos(a), 0]),
        "inner_moment_y": 2.0, "inner_moment_z": 2 * e2 @ e3,
        "platform_moment_x": 2 * e2 @ side, "platform_moment_y": 2 * e2 @ up,
    }  # fmt: skip
    for name, value in expected.items():
        assert_close(found.generalized_forces[name], value, within=1e-13, because=ROUND)
    inner = found.particle.inner
    for A in found.particle.free:  # what is normal pushes along no free coordinate
        assert_close(inner(found.normal, found.particle.basis[A]), 0.0, within=1e-13, because=ROUND)
    assert_close(inner(found.tangential, found.normal), 0.0, within=1e-13, because=ROUND)


def test_constraints_narrow_the_tangent_space():
    """A pendulum written with x and y and a rod: a force at an angle to the rod acts by its sine."""
    s = cd.System("rod")
    x, y = s.coordinates("x y")
    P = s.particle("P", mass=0.5, position=(x, y, 0))
    s.distance(P, s.world.origin, 2.0)
    s.force("F", on=P, along=s.world.y)
    for angle in (0.0, 0.4, np.pi / 2):  # of the rod from y
        found = s.load_geometry("F").at([2 * np.sin(angle), 2 * np.cos(angle)])
        assert_close(found.share, np.sin(angle), within=1e-12, because=ROUND)


def test_the_cosine_is_the_indicator_of_a_diagnosis():
    """Formed independently there, from compiled Jacobians of masses."""
    s = cd.System("arm")
    a, b, c = s.coordinates("a b c", on="S1")
    first = s.body("first", mass=2.0, inertia=(0.1, 0.2, 0.3), com=(0.4, 0, 0.1), joint=cd.Revolute("z", a))
    second = s.body("second", mass=1.0, inertia=(0.1, 0.3, 0.2), com=(0, 0.2, 0), at=(1, 0, 0),
                    joint=cd.Revolute("x", b), parent=first)  # fmt: skip
    third = s.body("third", mass=0.5, inertia=0.1, at=(0, 0.5, 0), joint=cd.Revolute("z", c), parent=second)
    s.force("F", on=third.point(0.3, 0.1, 0), along=first.y + 0.4 * second.z)
    s.moment("M", on=third, along=second.x, against=first)
    for q in np.random.default_rng(5).uniform(-2, 2, (3, 3)):
        indicators = s.diagnose(q=q).indicators
        for load in ("F", "M"):
            assert_close(s.load_geometry(load).at(q).share, indicators[f"load {load}"], within=1e-9, because=ROUND)


def test_loads_without_a_force_on_the_particle_are_refused(tmp_path):
    s = suspension()
    s.force("push", on=s.bodies["platform"], along=s.world.x)
    with pytest.raises(ModelError, match="no mass"):
        s.load_geometry("push").at([0.1, 0.2, 0.3])
    with pytest.raises(UnknownName):
        s.load_geometry("N")
    with pytest.raises(WrongShape):
        s.load_geometry("M", (1, 2, 3))
    with pytest.raises(ModelError, match="magnitude zero"):
        s.load_geometry("M", 0.0)
    s.plot_load_geometry("M", "beta", at={"beta": 0.5}, path=tmp_path / "angle.png")
    assert (tmp_path / "angle.png").stat().st_size > 10_000
