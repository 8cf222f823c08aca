"""Quantities along a motion as nodes of the graph: expressions of accelerations, angular velocities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardan.equations.recursive import velocities
from cardan.equations.reduced import Dynamics
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar
from cardan.graph import Node, from_sympy
from cardan.model.frames import Frame
from cardan.model.symbols import TIME

if TYPE_CHECKING:
    import sympy as sp


def with_accelerations(dynamics: Dynamics, expression: sp.Expr) -> Node:
    """An expression of accelerations, those of prescribed coordinates from their functions of time."""
    d = dynamics
    driven = {q.ddot: f.diff(TIME, 2) for q, f in d.model.prescribed.items()}
    nodes = d.space.nodes | {v.dot: node for v, node in zip(d.model.v, d.vd, strict=True)}
    (node,) = from_sympy([expression.xreplace(driven)], nodes, d.space.graph)
    return node


def angular_velocity(dynamics: Dynamics, frame: Frame) -> list[Scalar]:
    """The three components of a frame's angular velocity along its own axes."""
    full = dynamics.full
    k = full.lifted.link_of(frame)
    w = (0, 0, 0) if k < 0 else velocities(full.lifted, full.joints.rates)[k][0]
    R_F, _ = full.lifted.offset(frame)
    return list(m3.matvec(m3.transpose(R_F), w))
