"""A platform in a Cardan suspension, driven through the configuration where its outer and inner axes line up.

Three gimbals, each with a spherical inertia, turn one inside the other: the outer about the fixed z axis by alpha, the
inner about the outer's x axis by beta, the platform about the inner's z axis by gamma [Hemingway2017, section 7]. At
beta = 0 the axes of alpha and gamma coincide. The three angles are then no longer good coordinates for the platform
alone, but they still are for the three bodies: det M stays positive because the gimbals have inertia of their own, and
the motion passes through.

alpha and gamma do not appear in the kinetic energy, so their momenta are conserved. That is the check at the end.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import sympy

import cardan as cd

# --- describe -------------------------------------------------------------------------------------------------------
s = cd.System("Cardan suspension")
alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
lambda1, lambda2, lambda3 = s.parameters(lambda1=0.3, lambda2=0.2, lambda3=0.1)  # kg m^2
outer = s.body("outer", inertia=lambda1, joint=cd.Revolute("z", alpha))
inner = s.body("inner", inertia=lambda2, joint=cd.Revolute("x", beta), parent=outer)
platform = s.body("platform", inertia=lambda3, joint=cd.Revolute("z", gamma), parent=inner)

# --- derive and print -----------------------------------------------------------------------------------------------
equations = s.equations()
print("Cardan suspension:  M vd + f = 0\n")
print("M =")
sympy.pprint(equations.mass_matrix, use_unicode=False)
print("\nf =")
sympy.pprint(equations.velocity_terms, use_unicode=False)
print("\ndet M =", sympy.factor(sympy.trigsimp(equations.mass_matrix.det())))

# --- simulate through beta = 0 --------------------------------------------------------------------------------------
times = np.linspace(0.0, 5.0, 1001)
in_line = cd.Event(sympy.sin(beta), name="axes in line")
run = s.simulate(5.0, q=[0.1, 0.8, -0.2], v=[1.0, -2.0, 1.5], times=times, events=[in_line])
q, v = run.q, run.v
print("\nSimulated 5 s. The axes of alpha and gamma were in line at")
for event in run.events:
    print(f"  t = {event.t:.6f} s, beta = {event.q[1]:+.6f}")
print(run.audit())

# --- what must be conserved, from (102) typed in by hand ------------------------------------------------------------
L1, L2, L3 = 0.3, 0.2, 0.1
cos_beta = np.cos(q[:, 1])
momentum_alpha = (L1 + L2 + L3) * v[:, 0] + L3 * cos_beta * v[:, 2]
momentum_gamma = L3 * (v[:, 2] + cos_beta * v[:, 0])
energy = 0.5 * ((L1 + L2 + L3) * v[:, 0] ** 2 + (L2 + L3) * v[:, 1] ** 2 + L3 * v[:, 2] ** 2)
energy += L3 * cos_beta * v[:, 0] * v[:, 2]
determinant = L3 * (L2 + L3) * (L1 + L2 + L3 * np.sin(q[:, 1]) ** 2)

# --- plot -----------------------------------------------------------------------------------------------------------
import matplotlib  # noqa: E402  (after the simulation, which does not need it)

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

figure, axes = plt.subplots(3, 1, figsize=(8, 9), sharex=True, layout="constrained")
for name, column in zip((r"$\alpha$", r"$\beta$", r"$\gamma$"), q.T, strict=True):
    axes[0].plot(times, column, label=name)
axes[0].set_ylabel("angle (rad)")
axes[0].legend(loc="upper left")
axes[0].set_title("Platform in a Cardan suspension; dotted: outer and platform axes in line")
for name, column in zip((r"$\dot\alpha$", r"$\dot\beta$", r"$\dot\gamma$"), v.T, strict=True):
    axes[1].plot(times, column, label=name)
axes[1].set_ylabel("rate (rad/s)")
axes[1].legend(loc="upper left")
axes[2].plot(times, determinant, color="black")
axes[2].set_ylim(0.0, 1.1 * float(determinant.max()))
axes[2].set_ylabel(r"$\det M$ (kg$^3$ m$^6$)")
axes[2].set_xlabel("time (s)")
for panel in axes:
    panel.grid(alpha=0.3)
    for event in run.events:
        panel.axvline(event.t, color="gray", linestyle=":")
picture = Path("output") / "cardan_suspension.png"
picture.parent.mkdir(exist_ok=True)
figure.savefig(picture, dpi=150)
print("Picture:", picture.resolve())

# --- check ----------------------------------------------------------------------------------------------------------
# Each step may err by 1e-9 relative (the default rtol); 1e-7 leaves room for a hundred steps that all err one way.
for name, quantity in (
    ("energy", energy),
    ("momentum of alpha", momentum_alpha),
    ("momentum of gamma", momentum_gamma),
):
    drift = float(np.max(np.abs(quantity / quantity[0] - 1.0)))
    print(f"Relative drift of the {name}: {drift:.1e}")
    assert drift <= 1e-7, f"the {name} should be conserved"
passed = [event.q[1] for event in run.events]
assert np.allclose(passed, [0.0, -np.pi], rtol=0.0, atol=1e-9), "the run should pass through beta = 0, then beta = -pi"
print("All checks passed.")
