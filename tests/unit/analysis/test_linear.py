"""Linear equations about rests and steady motions: eigenvalues from closed forms, and from differences of the flow."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np
import pytest
import sympy as sp
from numpy.typing import NDArray
from scipy.optimize import brentq
from sympy import cos, sin

import cardan as cd
from cardan.errors import CardanError, ModelError, SingularityError
from support.close import assert_close

G = 9.81
ROUNDING, ROUNDED = 1e-12, "exact derivatives, and eigenvalues of a small matrix of numbers below 100"
FLOW, FLOWS = 1e-6, "central differences of a run: steps of 1e-4 squared, and rtol 1e-12 over them, per unit of time"


def double_pendulum() -> cd.System:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b")
    s.lagrangian(a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b) + 2 * G * cos(a) + G * cos(b))
    return s


def test_frequencies_of_the_double_pendulum():
    """omega^2 = g / l (2 -+ sqrt 2), equal masses and lengths."""
    lin = double_pendulum().linearize()
    expected = np.sqrt(G * np.array([2 - sqrt(2), 2 - sqrt(2), 2 + sqrt(2), 2 + sqrt(2)]))
    assert_close(np.sort(lin.frequencies), expected, within=ROUNDING, because=ROUNDED)
    assert lin.states == ["a", "b", "a_dot", "b_dot"]
    assert lin.about == "equilibrium"
    assert (lin.stability.verdict, lin.stability.kind) == ("stable", "Dirichlet")


@pytest.mark.parametrize(("q", "growing"), [([pi, 0.0], 1), ([0.0, pi], 1), ([pi, pi], 2)])
def test_a_pendulum_that_stands_falls(q: list[float], growing: int):
    lin = double_pendulum().linearize(q)
    assert lin.stability.kind == "divergence"
    assert int(np.sum(lin.eigenvalues.real > 1e-6)) == growing


def constrained_pendulum() -> cd.System:
    s = cd.System("pendulum in x and y")
    x, y = s.coordinates("x y")
    s.lagrangian((x.dot**2 + y.dot**2) / 2 - G * y)
    s.constrain(x**2 + y**2 - 4, name="rod")
    s.constrain(3 * x**2 + 3 * y**2 - 12, name="the same rod")
    return s


def test_constraints_leave_no_eigenvalues_of_their_own():
    """Two coordinates and two rows, one redundant: one freedom, and the stiffness is that of the rod's force."""
    lin = constrained_pendulum().linearize([0.0, -2.0])
    assert_close(lin.eigenvalues.imag, [-sqrt(G / 2), sqrt(G / 2)], within=ROUNDING, because=ROUNDED)
    assert_close(lin.eigenvalues.real, 0.0, within=ROUNDING, because=ROUNDED)
    assert lin.states == ["x", "x_dot"]
    assert_close(lin.K, [[G / 2]], within=ROUNDING, because=ROUNDED)


def top(A: float = 0.05, C: float = 0.01, mgl: float = 1.962) -> cd.System:
    s = cd.System("top")
    theta, psi, phi = s.coordinates("theta psi phi")
    turning = A * (theta.dot**2 + psi.dot**2 * sin(theta) ** 2) / 2
    s.lagrangian(turning + C * (phi.dot + psi.dot * cos(theta)) ** 2 / 2 - mgl * cos(theta))
    return s


@pytest.mark.parametrize("branch", [0, 1])
def test_nutation_of_steady_precession(branch: int):
    """omega^2 = V''(theta) / A, where V = (p_psi - p_phi cos)^2 / (2 A sin^2) + mgl cos is the amended potential."""
    A, C, mgl, tilt, w = 0.05, 0.01, 1.962, 0.5, 70.0
    psid = np.roots([A * np.cos(tilt), -C * w, mgl])[branch].real
    lin = top().linearize([tilt, 0, 0], [0, psid, w - psid * np.cos(tilt)])
    p_phi, p_psi = C * w, A * psid * np.sin(tilt) ** 2 + C * w * np.cos(tilt)
    angle = sp.Symbol("angle")
    V = (p_psi - p_phi * cos(angle)) ** 2 / (2 * A * sin(angle) ** 2) + mgl * cos(angle)
    expected = sqrt(float(sp.diff(V, angle, 2).subs(angle, tilt)) / A)
    assert lin.about == "steady"
    assert lin.spectrum.steps == (2, 2), "psi and phi, each with its momentum"
    because = "the root of the quadratic, in a potential whose terms cancel to a part in 100"
    assert_close(lin.frequencies.max(), expected, within=1e-9 * expected, because=because)
    assert lin.stability.kind == "Routh"


def ball_top(A: float, C: float, mgl: float) -> cd.System:
    s = cd.System("top on a ball joint")
    angles = s.coordinates("a b c")
    body = s.body("top", mass=1.0, com=(0, 0, mgl / G), inertia=(A - (mgl / G) ** 2, A - (mgl / G) ** 2, C),
                  joint=cd.Ball(cd.Euler("3-1-3", *angles)))  # fmt: skip
    s.gravity(-G * s.world.z)
    assert body.name == "top"
    return s


def test_the_sleeping_top_wakes_at_its_threshold():
    """C^2 w^2 = 4 A m g l, found where typed Euler angles are singular: regular coordinates take their place."""
    A, C, mgl = 0.05, 0.01, 1.962
    s = ball_top(A, C, mgl)

    def growth(w: float) -> float:
        lin = s.linearize([0, 0, 0], [0, 0, w])
        assert len(lin.eigenvalues) == 6
        return float(lin.eigenvalues.real.max()) - 0.05

    expected = 2 * sqrt(A * mgl) / C
    found = brentq(growth, 0.8 * expected, 1.2 * expected, xtol=1e-12)
    # growth^2 = 4 A mgl - C^2 w^2 over 4 A^2, and 0.05 was asked for
    exact = sqrt(4 * A * mgl - (2 * A * 0.05) ** 2) / C
    assert_close(found, exact, within=1e-9 * exact, because="eigenvalues that meet are known to the root of rounding")


@pytest.mark.parametrize("share", [0.6, 0.9, 1.1, 1.5])
def test_an_upright_rolling_disc(share: float):
    """lambda^2 = 4/5 (g / r - 3 spin^2): eight states for five displacements and three velocities, six zeros exact."""
    r = 0.5
    s = cd.System("rolling disc")
    x, y, z, phi, theta, psi = s.coordinates("x y z phi theta psi")
    joint = cd.Free(x, y, z, cd.Euler("3-2-1", phi, theta, psi))
    body = s.body("disc", mass=1.3, inertia=(1.3 * r**2 / 2, 1.3 * r**2 / 4, 1.3 * r**2 / 4), joint=joint)
    s.gravity(-G * s.world.z)
    s.roll(body, on=s.world, shape=cd.Disc(r, axis="x"))
    spin = share * sqrt(G / (3 * r))
    lin = s.linearize({"z": r}, {"psi": spin})
    assert (len(lin.eigenvalues), lin.spectrum.zeros) == (8, 6)
    squared = 0.8 * (G / r - 3 * spin**2)
    assert_close(
        np.abs(lin.spectrum.others**2 - squared),
        0.0,
        within=1e-10,
        because="a product of inverse and derivatives near 30",
    )
    assert (lin.stability.verdict == "unstable") == (share < 1)


def test_a_bead_on_a_driven_hoop():
    """The hoop's rotation is prescribed: omega^2 = Omega^2 sin^2(theta) about cos(theta) = g / (Omega^2 R)."""
    s = cd.System("driven hoop")
    psi, theta = s.coordinates("psi theta")
    s.lagrangian((theta.dot**2 + psi.dot**2 * sin(theta) ** 2) / 2 + G * cos(theta))
    s.prescribe(psi, 5 * s.time)
    rest = float(np.arccos(G / 25))
    lin = s.linearize({"theta": rest})
    assert_close(lin.frequencies, 5 * np.sin(rest), within=ROUNDING, because=ROUNDED)
    assert lin.stability.verdict == "stable"


# --- beside differences of the flow ------------------------------------------------------------------


def flow_matrix(s: cd.System, lin: Any, q: Any, v: Any, span: float) -> NDArray[np.float64]:
    """d x(span) / d x(0) of the independent states, by central differences of runs that start on the constraints."""
    names, n = lin.states, len(lin.states) // 2
    y = dict(zip([one.name for one in s.model.q], q, strict=True))
    w = dict(zip([one.name for one in s.model.q], v, strict=True))
    h, columns = 1e-4, []
    for name in names:
        ends = []
        for side in (h, -h):
            qs = {one: y[one] for one in names[:n]}
            vs = {one: w[one] for one in (name.removesuffix("_dot") for name in names[n:])}
            target = vs if name.endswith("_dot") else qs
            target[name.removesuffix("_dot")] += side
            run = s.simulate(span, q={**y, **qs} if not s.model.constraints else qs, v=vs, rtol=1e-12, atol=1e-14)
            ends.append(
                [run[one.removesuffix("_dot")][-1] for one in names[:n]]
                + [run.v[-1][[x.name for x in s.model.q].index(one.removesuffix("_dot"))] for one in names[n:]]
            )
        columns.append((np.array(ends[0]) - np.array(ends[1])) / (2 * h))
    return np.array(columns).T


@pytest.mark.parametrize("seed", range(6))
def test_eigenvalues_of_random_systems_are_those_of_the_flow(seed: int):
    """Springs, dampers, gyroscopic and circulatory forces about a rest at zero, all nonlinear."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 4))
    s = cd.System("random")
    q = s.coordinates(" ".join("abc"[:n]))
    R, K, D, N = (rng.normal(size=(n, n)) for _ in range(4))
    M = R @ R.T + np.eye(n)
    T = sum(M[i, j] * (1 + 0.3 * sin(q[i] * q[j])) * q[i].dot * q[j].dot for i in range(n) for j in range(n)) / 2
    V = sum((K @ K.T)[i, j] * sin(q[i]) * q[j] for i in range(n) for j in range(n)) / 2
    s.lagrangian(T - V)
    for i in range(n):
        push = sum(-0.3 * D[i, j] * q[j].dot + 0.2 * N[i, j] * sp.tan(q[j]) for j in range(n))
        s.generalized_force(q[i], push)
    lin = s.linearize()
    span = 0.2
    flow = np.log(np.linalg.eigvals(flow_matrix(s, lin, [0.0] * n, [0.0] * n, span)).astype(complex)) / span
    assert_close(apart(flow, lin.eigenvalues), 0.0, within=FLOW, because=FLOWS)
    assert_close(apart(quadratic(lin), lin.eigenvalues), 0.0, within=1e-9, because="two matrices, one spectrum")


def quadratic(lin: Any) -> NDArray[np.complex128]:
    """Eigenvalues of M x" + (D + G) x' + (K + N) x = 0."""
    n = len(lin.M)
    inverse = np.linalg.inv(lin.M)
    companion = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ (lin.K + lin.N), -inverse @ (lin.D + lin.G)]])
    return np.linalg.eigvals(companion)


def apart(found: NDArray[np.complex128], expected: NDArray[np.complex128]) -> NDArray[np.float64]:
    """Distances of eigenvalues that are paired so that the distances are least together."""
    from scipy.optimize import linear_sum_assignment

    distances = np.abs(found[:, None] - expected[None])
    return np.asarray(distances[linear_sum_assignment(distances)])


def test_eigenvalues_of_a_four_bar_are_those_of_its_flow():
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c")
    s.lagrangian((a.dot**2 + 2 * b.dot**2 + c.dot**2) / 2 - G * (2 * sin(a) + 3 * sin(b) + sin(c)))
    s.constrain(cos(a) + 2 * cos(b) - 1.5 * cos(c) - 2, name="x")
    s.constrain(sin(a) + 2 * sin(b) - 1.5 * sin(c), name="y")
    rests = [one for one in s.equilibria() if one.stability.verdict == "stable"]
    assert rests, "it hangs somewhere"
    rest = rests[0]
    lin = rest.linear
    assert len(lin.states) == 2
    flow = np.log(np.linalg.eigvals(flow_matrix(s, lin, rest.q, [0.0] * 3, 0.1)).astype(complex)) / 0.1
    assert_close(apart(flow, lin.eigenvalues), 0.0, within=1e-5, because=FLOWS + ", stiff as 10")


# --- refusals, control -------------------------------------------------------------------------------


def test_what_is_neither_rest_nor_steady_is_said():
    with pytest.raises(ModelError, match="accelerates"):
        double_pendulum().linearize([0.3, 0.0])
    with pytest.raises(ModelError, match="moves at this state"):
        top().linearize([0.5, 0, 0], [0, 0, 1.0], about="equilibrium")
    assert double_pendulum().linearize([0.3, 0.0], about="trajectory").stability.verdict == "undecided"


def test_a_fold_is_refused_by_name():
    s = cd.System("fold")
    x, y = s.coordinates("x y")
    s.lagrangian((x.dot**2 + y.dot**2) / 2)
    s.constrain(x * y, name="cross")
    with pytest.raises(CardanError, match=r"rank|branch"):
        s.linearize([0.0, 0.0])


def test_dry_friction_has_no_linear_equations():
    s = cd.System("block")
    x = s.coordinates("x")
    s.body("block", mass=1.0, joint=cd.Prismatic("x", x))
    s.gravity(-G * s.world.z)
    s.friction(x, coefficient=0.3, normal=G)
    with pytest.raises(ModelError, match="dry friction"):
        s.linearize()


def test_typed_singular_coordinates_without_others_are_refused():
    s = cd.System("polar")
    r, phi = s.coordinates("r phi")
    s.lagrangian((r.dot**2 + r**2 * phi.dot**2 - r**2) / 2)
    with pytest.raises(SingularityError, match="singular"):
        s.linearize([0.0, 0.0])


def cart() -> cd.System:
    s = cd.System("cart and pole")
    x, theta = s.coordinates("x theta")
    push = s.input("F")
    s.lagrangian(x.dot**2 + (theta.dot**2 + 2 * x.dot * theta.dot * cos(theta)) / 2 - G * cos(theta))
    s.generalized_force(x, push)
    return s


def test_the_feedback_of_least_cost_keeps_the_pole_up():
    """K from SciPy's Riccati equation of matrices typed by hand; then the nonlinear pole is caught from 0.2 rad."""
    from scipy.linalg import solve_continuous_are

    s = cart()
    lin = s.linearize()
    assert lin.controllability
    K = lin.lqr(np.eye(4), [[1.0]])
    inverse = np.linalg.inv([[2.0, 1.0], [1.0, 1.0]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [inverse @ np.diag([0, G]), np.zeros((2, 2))]])
    B = np.concatenate([[0, 0], inverse[:, 0]])[:, None]
    assert_close(K, B.T @ solve_continuous_are(A, B, np.eye(4), [[1.0]]), within=1e-9, because="one Riccati solver")
    run = s.simulate(20.0, q=[0.0, 0.2], inputs={"F": lambda t, q, v: float(-K[0] @ np.concatenate([q, v]))})
    assert_close(run.q[-1], 0.0, within=1e-4, because="the slowest of its eigenvalues decays as exp(-t)")


def test_what_no_input_reaches_is_named():
    s = cd.System("two oscillators")
    a, b = s.coordinates("a b")
    u = s.input("u")
    s.lagrangian((a.dot**2 + b.dot**2 - a**2 - 4 * b**2) / 2)
    s.generalized_force(a, u)
    reach = s.linearize().controllability
    assert not reach
    assert "no input changes b" in str(reach)
    assert_close(np.sort(reach.eigenvalues.imag), [-2, 2], within=1e-9, because="rounded to nine places")
