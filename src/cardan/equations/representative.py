"""The representative particle in numbers: velocities of all masses, and loads on them, row by row.

Rows: for each body the velocity of its centre of mass and its angular velocity (6), for each particle its velocity (3),
along the axes of the link that carries it. Loads have the matching rows: force and moment about the centre of mass.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardan.equations.reactions import Balancing
from cardan.equations.reduced import Dynamics
from cardan.equations.solve import symmetric_solve
from cardan.geometry import matrix as m3
from cardan.graph import Node, jacobian
from cardan.kinematics.space import Number
from cardan.kinematics.tree import WORLD

ZERO = (0, 0, 0)


@dataclass(frozen=True)
class MassRows:
    """Which rows belong to a mass."""

    name: str
    start: int
    is_body: bool

    @property
    def stop(self) -> int:
        return self.start + (6 if self.is_body else 3)


def mass_rows(d: Dynamics) -> list[MassRows]:
    """Rows of each body and particle, in the order of the tree's masses."""
    found, at = [], 0
    for mass in d.full.tree.masses:
        found.append(MassRows(mass.name, at, mass.inertia is not None))
        at = found[-1].stop
    return found


def jacobian_of_masses(d: Dynamics) -> list[Node]:
    """d(velocity rows)/dv, row-major."""
    tree, links = d.full.lifted, d.full.motion.links
    rows: list[Number] = []
    for mass in d.full.tree.masses:
        k = tree.link_of(mass.frame)
        w, v = (ZERO, ZERO) if k == WORLD else links[k]
        R_F, p_F = tree.offset(mass.frame)
        c = m3.add(p_F, m3.matvec(R_F, tuple(tree.lift(x) for x in mass.com)))
        rows += m3.add(v, m3.cross(w, c))
        if mass.inertia is not None:
            rows += w
    return [x for row in jacobian(d.impose(rows), d.v) for x in row]


def loads_on_masses(d: Dynamics) -> list[Node]:
    """d(load rows)/d(magnitude) for every magnitude of every named load, row-major (rows by magnitudes)."""
    means = Balancing(d.model, d.full.lifted, d.full.motion.links, lambda x: x, ZERO, ())
    rows: list[Number] = []
    for mass in d.full.tree.masses:
        tree = d.full.lifted
        R_F, p_F = tree.offset(mass.frame)
        c = m3.add(p_F, m3.matvec(R_F, tuple(tree.lift(x) for x in mass.com)))
        force, moment = means.applied(mass, tree.link_of(mass.frame), c)
        rows += force
        if mass.inertia is not None:
            rows += moment
    magnitudes = [d.space.nodes[symbol] for load in d.model.loads for symbol in load.symbols]
    return [x for row in jacobian(d.impose(rows), magnitudes) for x in row]


def inertias_of_masses(d: Dynamics) -> list[Number]:
    """Per mass: its mass and nine entries of the inertia about its centre of mass, along its link's axes (0 for a
    particle)."""
    found: list[Number] = []
    for mass in d.full.tree.masses:
        tree = d.full.lifted
        R_F, _ = tree.offset(mass.frame)
        J = m3.ZERO if mass.inertia is None else tuple(tuple(tree.lift(x) for x in row) for row in mass.inertia)
        J = m3.matmul(m3.matmul(R_F, J), m3.transpose(R_F))
        found += [tree.lift(mass.mass), *(x for row in J for x in row)]
    return d.impose(found)


def signals_to_forces(d: Dynamics) -> list[Node]:
    """dQ/d(signal): the actuation matrix T(q) of all loads and inputs, row-major (velocities by signals)."""
    signals = [d.space.nodes[symbol] for symbol in d.model.driving]
    return [x for row in jacobian(d.forces, signals) for x in row]


def screening_terms(d: Dynamics) -> list[Node]:
    """[M, Q of each unit load, |f|^2 of each unit load in the metric of inertia], for indicators along a motion."""
    space = d.space
    magnitudes = [space.nodes[symbol] for load in d.model.loads for symbol in load.symbols]
    forces = space.all_nodes(d.full.forces[i] for i in d.free_indices)
    Q = jacobian(d.impose(forces), magnitudes) if magnitudes else []
    rows = loads_on_masses(d)
    count = len(magnitudes)
    columns = [rows[j::count] for j in range(count)]
    sizes = [_size_in_metric(d, column) for column in columns]
    M = [x for row in d.mass_matrix for x in row]
    by_load = [Q[i][j] for j in range(count) for i in range(len(d.v))]
    return [*M, *by_load, *d.impose(sizes)]


def _size_in_metric(d: Dynamics, load: list[Node]) -> Node:
    """f . (inertia)^-1 f over all masses; what carries no mass is left out."""
    tree, total = d.full.lifted, d.space.graph.zero
    for mass, rows in zip(d.full.tree.masses, mass_rows(d), strict=True):
        force = load[rows.start : rows.start + 3]
        m = d.space.node(tree.lift(mass.mass))
        total = total + sum((x * x for x in force), d.space.graph.zero) / m
        if mass.inertia is not None:
            moment = load[rows.start + 3 : rows.stop]
            R, _ = tree.offset(mass.frame)
            J = m3.matmul(m3.matmul(R, [[tree.lift(x) for x in row] for row in mass.inertia]), m3.transpose(R))
            solved, _ = symmetric_solve(J, moment)
            total = total + d.space.node(m3.dot(moment, solved))
    return total
