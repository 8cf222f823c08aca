"""A double pendulum from its Lagrangian: two equal point masses on massless rods, angles from the vertical.

The first run is a large, chaotic swing; what can be believed about it is its energy. The second run is small and slow,
and its period is known: in the slow mode of two equal pendulums w^2 = (2 - sqrt(2)) g/l, with b = sqrt(2) a
[LandauLifshitz1976, section 23].
"""

from __future__ import annotations

import math

import numpy as np
from sympy import cos, sin

import cardan as cd

# --- describe -------------------------------------------------------------------------------------------------------
s = cd.System("double pendulum")
a, b = s.coordinates("a b", on="S1")
m, length, g = s.parameters(m=1.0, l=1.0, g=9.81)
T = m * length**2 * (a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b))
V = -m * g * length * (2 * cos(a) + cos(b))
s.lagrangian(T - V)

# --- draw: what reports and films show; it has no effect ------------------------------------------------------------
elbow = (length * sin(a), 0, -length * cos(a))
hand = (length * (sin(a) + sin(b)), 0, -length * (cos(a) + cos(b)))
s.draw("rod", (0, 0, 0), elbow, name="first")
s.draw("rod", elbow, hand, name="second")
s.draw("point", elbow, name="first")
s.draw("point", hand, name="second")

# --- read the equations ---------------------------------------------------------------------------------------------
equations = s.equations()
print("Mass matrix:   ", equations.mass_matrix)
print("Velocity terms:", equations.velocity_terms)

# --- a large swing --------------------------------------------------------------------------------------------------
run = s.simulate(10.0, q=[2.0, 1.0], v=[0.0, 0.0])
print(run.audit())
drift = float(np.max(np.abs(run.energy - run.energy[0])))
scale = 9.81 * 3.0  # m g times the lever arms 2l + l: the size of the energies that are exchanged
# Each step may err by 1e-9 relative (the default rtol); 1e-6 leaves room for a thousand steps that all err one way.
assert drift <= 1e-6 * scale, f"energy drifted by {drift:.1e} J"

# --- a small swing in the slow mode ---------------------------------------------------------------------------------
amplitude = 1e-3
start = np.array([amplitude, math.sqrt(2) * amplitude])
period = 2 * math.pi / math.sqrt((2 - math.sqrt(2)) * 9.81)
small = s.simulate(period, q=start, v=[0.0, 0.0])
error = float(np.max(np.abs(small.q[-1] - start))) / amplitude
print(f"Slow mode: period {period:.6f} s; after one period the pendulum is back within {error:.1e} of its amplitude.")
assert error <= 10 * amplitude**2, "linear theory holds up to terms of the order of the amplitude squared"

print("All checks passed.")
