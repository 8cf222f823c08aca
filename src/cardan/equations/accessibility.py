"""How many configuration freedoms velocity constraints leave: the dimension that allowed motions reach.

The allowed motions span ker A. What can be reached by combining them is the involutive closure: ker A with all its Lie
brackets [X, Y] = DY X - DX Y, the brackets of those, and so on (Frobenius; Chow and Rashevskii). A constraint that is
not integrable forbids no configuration, and shows by a closure that is larger than ker A.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.equations.reduced import Dynamics
from cardan.geometry import matrix as m3
from cardan.geometry import quaternion
from cardan.graph import Node, evaluate, jvp
from cardan.model.variables import QuaternionVariable
from cardan.native.deadline import check

Field = list[Node]  # a vector field on (q, t)
Rows = NDArray[np.float64]

TOLERANCE = 1e-8
LONGEST = 6  # brackets of brackets of ...: more than any mechanism of a few freedoms needs


def reachable_dimension(d: Dynamics, values: Sequence[float]) -> int:
    """Dimension of what allowed motions reach around a generic configuration (time not counted).

    ``values`` are numbers for (q, t, parameters and signals), in that order.
    """
    graph = d.space.graph
    x = [*d.q, d.t]
    inputs = dict(zip([*x, *d.p], values, strict=True)) | dict.fromkeys(d.v, 0.0)

    def numbers(fields: Sequence[Field]) -> Rows:
        flat = evaluate([node for field in fields for node in field], inputs)
        return np.array([float(np.asarray(one)) for one in flat]).reshape(len(fields), len(x))

    fields = _allowed(d, inputs)
    newest, known = list(fields), numbers(fields)
    rank, most = _rank(known), _most(d, inputs)
    for depth in range(LONGEST):
        grown = []
        for k, new in enumerate(newest):
            for old in fields if depth else fields[:k]:  # [X, Y] = -[Y, X]
                check()
                if rank == most:
                    return rank - 1
                bracket = _bracket(old, new, x)
                if all(node is graph.zero for node in bracket):
                    continue
                reached = np.vstack([known, numbers([bracket])])
                if _rank(reached) > rank:
                    grown.append(bracket)
                    rank, known = rank + 1, reached
        if not grown:
            break
        newest = grown
    return rank - 1


def _most(d: Dynamics, inputs: dict[Node, float]) -> int:
    """The dimension that no closure exceeds, time counted: what the constraints on configurations alone leave."""
    c = d.constraints
    rows = [[*c.matrix[k], c.offsets[k]] for k in c.holonomic]
    flat = evaluate([entry for row in rows for entry in row], inputs)
    return len(d.v) + 1 - _rank(np.array([float(np.asarray(one)) for one in flat]).reshape(len(rows), len(d.v) + 1))


def _bracket(a: Field, b: Field, x: Sequence[Node]) -> Field:
    return [u - w for u, w in zip(jvp(b, x, a), jvp(a, x, b), strict=True)]


def _rank(rows: Rows) -> int:
    sizes = np.linalg.norm(rows, axis=1)
    unit = rows[sizes > TOLERANCE] / sizes[sizes > TOLERANCE][:, None]
    s = np.linalg.svd(unit, compute_uv=False) if len(unit) else np.zeros(0)
    return int(np.sum(s > TOLERANCE * s[0])) if len(s) else 0


def _allowed(d: Dynamics, inputs: dict[Node, float]) -> list[Field]:
    """Fields on (q, t) that span the allowed motions: solve A v + b0 tdot = 0 for pivot velocities chosen here."""
    graph = d.space.graph
    c = d.constraints
    rows = [[*row, b0] for row, b0 in zip(c.matrix, c.offsets, strict=True)]
    n = len(d.v) + 1
    flat = evaluate([entry for row in rows for entry in row], inputs)
    A = np.array([float(np.asarray(one)) for one in flat]).reshape(len(rows), n)
    pivots: list[tuple[int, int]] = []
    for _ in range(min(A.shape)):  # complete pivoting among velocities (time is never a pivot)
        left = np.abs(A[:, :-1]).copy()
        for i, j in pivots:
            left[i], left[:, j] = 0.0, 0.0
        i, j = divmod(int(np.argmax(left)), n - 1)
        if left[i, j] <= TOLERANCE:
            break
        pivots.append((i, j))
        for k in range(len(rows)):
            if k != i:
                A[k] -= A[k, j] / A[i, j] * A[i]
        rows = _eliminated(rows, i, j)
    fields = []
    dependent = {j: i for i, j in pivots}
    for free in [j for j in range(n) if j not in dependent]:
        v = [graph.zero] * n
        v[free] = graph.one
        for j, i in dependent.items():
            v[j] = -(rows[i][free] / rows[i][j])
        fields.append([*_configuration_rates(d, v[:-1]), v[-1]])
    return fields


def _eliminated(rows: list[list[Node]], i: int, j: int) -> list[list[Node]]:
    """Rows with column j cleared everywhere but in row i."""
    found = []
    for k, row in enumerate(rows):
        if k == i:
            found.append(row)
        else:
            factor = row[j] / rows[i][j]
            found.append([entry - factor * pivot for entry, pivot in zip(row, rows[i], strict=True)])
    return found


def _configuration_rates(d: Dynamics, v: Sequence[Node]) -> list[Node]:
    """N(q) v."""
    found: list[Node] = []
    at = 0
    for variable in d.model.free:
        count = len(variable.velocities)
        own = v[at : at + count]
        at += count
        if isinstance(variable, QuaternionVariable):
            e = tuple(d.space.nodes[symbol] for symbol in variable.configuration)
            found += d.space.all_nodes(m3.matvec(quaternion.rate_matrix(e), own))
        else:
            found += own
    return found
