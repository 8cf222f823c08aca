"""A walker without motors: two legs, a hip, two feet, and a slope [Garcia1998].

It has a periodic gait, found by shooting: the swing of one step, then the strike of the heel, at which the legs change
places. The energy that a strike takes is what the slope gives. With a hip a thousand times as heavy as a foot the gait
is known to six digits: 0.200161 and -0.199906 for the stance leg, 0.400322 and -0.015805 for the swing leg.
"""

from __future__ import annotations

import math

import sympy as sp
from sympy import cos, sin

import cardan as cd

# --- the swing: the stance leg stands at the origin of axes along and across the slope -------------------------------
HIP, FOOT, SLOPE = 1000.0, 1.0, 0.009

walker = cd.System("passive walker")
theta, phi = walker.coordinates("theta phi")  # stance leg from the slope's normal; swing leg from the stance leg


def places(stance: sp.Expr, swing: sp.Expr) -> tuple[sp.Matrix, sp.Matrix]:
    """Hip and swing foot, in lengths of a leg."""
    hip = sp.Matrix([-sin(stance), cos(stance)])
    return hip, hip + sp.Matrix([sin(stance - swing), -cos(stance - swing)])


def rates(of: sp.Matrix, coordinates: list[sp.Symbol], velocities: list[sp.Symbol]) -> sp.Matrix:
    return of.jacobian(coordinates) * sp.Matrix(velocities)


hip, foot = places(theta, phi)
hip_rate, foot_rate = (rates(one, [theta, phi], [theta.dot, phi.dot]) for one in (hip, foot))
up = sp.Matrix([-sin(SLOPE), cos(SLOPE)])
walker.kinetic_energy(HIP / 2 * hip_rate.dot(hip_rate) + FOOT / 2 * foot_rate.dot(foot_rate))
walker.potential(HIP * up.dot(hip) + FOOT * up.dot(foot))


# --- the strike: nothing turns the walker about the heel that lands, nor the leg that lifts about the hip ------------
def turn(place: sp.Matrix, velocity: sp.Matrix) -> sp.Expr:
    return place[0] * velocity[1] - place[1] * velocity[0]


stance, swing, a, b = sp.symbols("stance swing a b")
new_hip, lifted = places(stance, swing)
new_rates = [rates(one, [stance, swing], [a, b]) for one in (new_hip, lifted)]
after = {stance: -theta, swing: -2 * theta}
before = HIP * turn(new_hip.subs(after), hip_rate)  # the foot that lifts stood still
balance = [
    HIP * turn(new_hip, new_rates[0]) + FOOT * turn(lifted, new_rates[1]),
    turn(lifted - new_hip, new_rates[1]),
]
solved = sp.solve([sp.Eq(balance[0].subs(after), before), balance[1].subs(after)], [a, b], dict=True)[0]
heel = cd.Jump(phi - 2 * theta, {theta: -theta, phi: -2 * theta, theta.dot: solved[a], phi.dot: solved[b]})

# --- the gait, from a rough guess -----------------------------------------------------------------------------------
gait = walker.periodic_motion([0.2, 0.4], [-0.2, -0.02], period=3.8, jump=heel)
print(gait)
print(gait.multipliers)
print(gait.stability)
print(gait.long_run(10))

# --- what a strike takes is what the slope gives --------------------------------------------------------------------
step = walker.simulate(gait.period, q=gait.q, v=gait.v)
taken = step.kinetic_energy[-1] - step.kinetic_energy[0]
given = (HIP + 2 * FOOT) * math.sin(SLOPE) * 2 * math.sin(gait["theta"])
print(f"energy: a strike takes {taken:.9f}, the slope gives {given:.9f}")
assert abs(taken - given) < 1e-7 * given
assert gait.stability.verdict == "asymptotically stable"
for name, known in (("theta", 0.200161), ("theta_dot", -0.199906), ("phi", 0.400322), ("phi_dot", -0.015805)):
    assert abs(gait[name] - known) < 1e-6, name
print("All checks passed.")
