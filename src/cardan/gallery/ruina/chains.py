"""Lumped rods, gas columns, shear layers, shafts and beams (R14)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import sympy as sp
from numpy.typing import NDArray

import cardan as cd
from cardan.model.bodies import Particle
from cardan.model.frames import Point

Array = NDArray[np.float64]
LENGTH, PARTS = 1.5, 10


def neighbours(values: Sequence[sp.Expr]) -> list[tuple[sp.Expr, sp.Expr]]:
    """Pairs of neighbours, both ends held."""
    return list(pairwise([0, *values, 0]))


def rod() -> tuple[cd.System, float]:
    """Masses joined by springs of stiffness E A / dx, moving along the rod; c^2 = E / rho."""
    E, rho, area, dx = 2.0e4, 3.0, 1e-2, LENGTH / PARTS
    s = cd.System("rod of masses and springs")
    points: list[Point | Particle] = [s.world.origin]
    for k, u in enumerate(s.coordinates(" ".join(f"u{k}" for k in range(1, PARTS))), start=1):
        points.append(s.particle(f"part{k}", mass=rho * area * dx, position=(k * dx + u) * s.world.x))
    points.append(s.world.point(LENGTH, 0, 0))
    for a, b in pairwise(points):
        s.spring(a, b, stiffness=E * area / dx, length=dx)
    return s, float(np.sqrt(E / rho))


def gas_column() -> tuple[cd.System, float]:
    """Light pistons between cells of gas, each with the energy of adiabatic compression; c^2 = gamma p / rho."""
    gamma, p, rho, area, dx = 1.4, 1.0e5, 1.2, 1e-2, LENGTH / PARTS
    s = cd.System("gas column")
    u = s.coordinates(" ".join(f"u{k}" for k in range(1, PARTS)))
    s.kinetic_energy(sum(rho * area * dx * one.dot**2 / 2 for one in u))
    s.potential(sum(p * area * dx / (gamma - 1) * (1 + (b - a) / dx) ** (1 - gamma) for a, b in neighbours(u)))
    return s, float(np.sqrt(gamma * p / rho))


def shear_layers() -> tuple[cd.System, float]:
    """Layers that slide over each other, stress G times the angle; c^2 = G / rho."""
    shear, rho, area, dx = 9.0e3, 4.0, 1e-2, LENGTH / PARTS
    s = cd.System("shear layers")
    u = s.coordinates(" ".join(f"u{k}" for k in range(1, PARTS)))
    for k, one in enumerate(u, start=1):
        s.body(f"layer{k}", mass=rho * area * dx, at=(0, 0, k * dx), joint=cd.Prismatic("x", one))
    s.potential(sum(shear * area * dx / 2 * ((b - a) / dx) ** 2 for a, b in neighbours(u)))
    return s, float(np.sqrt(shear / rho))


def shaft() -> tuple[cd.System, float]:
    """Discs of polar moment rho J dx on one axle, twist G J per length; c^2 = G / rho, whatever J."""
    shear, rho, J, dx = 8.0e3, 5.0, 2e-4, LENGTH / PARTS
    s = cd.System("shaft of discs")
    turns = s.coordinates(" ".join(f"a{k}" for k in range(1, PARTS)))
    for k, one in enumerate(turns, start=1):
        s.body(f"disc{k}", inertia=rho * J * dx, at=(0, 0, k * dx), joint=cd.Revolute("z", one))
    s.potential(sum(shear * J / (2 * dx) * (b - a) ** 2 for a, b in neighbours(turns)))
    return s, float(np.sqrt(shear / rho))


def pinned_beam(parts: int = PARTS) -> tuple[cd.System, float]:
    """Masses joined by rigid links with bending springs EI / dx at their hinges, both ends pinned; EI / rho."""
    EI, rho = 40.0, 0.5
    dx = LENGTH / parts
    s = cd.System("beam of links")
    u = s.coordinates(" ".join(f"u{k}" for k in range(1, parts)))
    for k, one in enumerate(u, start=1):
        s.particle(f"part{k}", mass=rho * dx, position=s.world.vector(k * dx, one, 0))
    places = [0, *u, 0]
    bends = [(places[k - 1] - 2 * places[k] + places[k + 1]) / dx for k in range(1, parts)]  # angle between links
    s.potential(sum(EI / (2 * dx) * bend**2 for bend in bends))
    return s, EI / rho


def cantilever(terms: int = 5) -> cd.System:
    """Assumed shapes x^2, x^3, ... of a beam with EI = rho = L = 1, clamped at 0: frequencies are (beta L)^2."""
    s = cd.System("cantilever by assumed shapes")
    a = s.coordinates(" ".join(f"a{k}" for k in range(2, terms + 2)))
    x = sp.Symbol("x")
    u = sum(one * x**k for k, one in enumerate(a, start=2))
    ud = sum(one.dot * x**k for k, one in enumerate(a, start=2))
    s.kinetic_energy(sp.integrate(sp.expand(ud**2), (x, 0, 1)) / 2)
    s.potential(sp.integrate(sp.expand(sp.diff(u, x, 2) ** 2), (x, 0, 1)) / 2)
    return s
