"""Forward dynamics of large trees: a loop over bodies, for which a small generated kernel prepares the numbers.

What a straight-line kernel of a thousand bodies would say a thousand times is said once (``linalg/bodies.py``), and the
time until it is ready no longer grows with what a body costs. It answers with the numbers of the straight-line kernel,
but for rounding.
"""

from __future__ import annotations

from cardan.codegen.function import NativeBatch, NativeFunction, native_function
from cardan.codegen.linking import tie
from cardan.equations.energies import number
from cardan.equations.reduced import Dynamics
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import minus
from cardan.graph import Node
from cardan.kinematics.space import Number
from cardan.linalg.bodies import looped_accelerations, looped_rhs, looped_workspace
from cardan.native import compile_ir

FEWEST = 100  # bodies; below, straight-line kernels are ready soon enough, and quicker
LOOPED = {"acceleration": looped_accelerations, "forward_dynamics": looped_accelerations, "rhs": looped_rhs}


def suits_loop(d: Dynamics, name: str) -> bool:
    """Whether this kernel of this model is a loop over bodies."""
    links = d.full.lifted.links
    if name not in LOOPED or len(links) < FEWEST:
        return False
    return d.suits_bodies and not d.full.rows and all(link.kind in ("turn", "slide") for link in links)


def body_rows(d: Dynamics) -> list[Number]:
    """Minus gravity, then what ``linalg/bodies.py`` reads of each body."""
    full = d.full
    efforts = [minus(Q, g) for Q, g in zip(full.forces, full.typed_potential_terms, strict=True)]
    found: list[Number] = list(m3.negate(full.gravity))
    for link, row in zip(full.lifted.links, full.joints.rows, strict=True):
        J = link.inertia.J
        found += [x for part in link.R for x in part]
        found += [*link.p, *link.axis, link.inertia.m, *link.inertia.h]
        found += [J[0][0], J[0][1], J[0][2], J[1][1], J[1][2], J[2][2]]
        found.append(efforts[next(iter(row))])
    return found


def looped(d: Dynamics, name: str) -> NativeFunction:
    """The kernel as a loop, of the universal interface; what does not change stands in a table."""
    links = d.full.lifted.links
    numbers = [number(node) for node in d.impose(body_rows(d))]
    where = [k for k, x in enumerate(numbers) if isinstance(x, Node)]
    changing = native_function(
        f"{name}_changing", t=d.t, y=[*d.q, *d.v], p=d.p, outputs=d.space.all_nodes([numbers[k] for k in where])
    )
    tables: dict[str, list[int] | list[float]] = {
        "fixed": [0.0 if isinstance(x, Node) else float(x) for x in numbers],
        "where": [*where, -1],
        "parents": [link.parent for link in links],
        "kinds": [int(link.kind == "slide") for link in links],
        "places": [next(iter(row)) for row in d.full.joints.rows],
    }
    n, pushed = len(links), int(name == "forward_dynamics")
    sizes = f"i64 {n}, i64 {len(d.v)}, i64 {pushed}, i64 {len(where)}"
    library = tie(name, LOOPED[name], [changing], sizes, looped_workspace(n), tables)
    ny, nout = len(d.q) + (1 + pushed) * len(d.v), len(d.v) * (2 if name == "rhs" else 1)
    return NativeFunction(library, name, ny, len(d.p), nout)


def looped_batch(function: NativeFunction, *, own_parameters: bool = False) -> NativeBatch:
    """Rows one after another: the same bits as one by one."""
    name = f"{function.name}_rows_in_turn"
    text = _IN_TURN.format(
        name=name, address=function.address, ny=function.ny, np=function.np if own_parameters else 0, nout=function.nout
    )
    library = compile_ir(text, [name], level=1, cache=False).calling(function)
    return NativeBatch(library, name, function.ny, function.np, function.nout, own_parameters=own_parameters)


_IN_TURN = """
define i64 @{name}(i64 %count, ptr %t, i64 %t_step, ptr %y, ptr %p, ptr %out, ptr %status) nounwind {{
entry:
  %kernel = inttoptr i64 {address} to ptr
  %any = icmp sgt i64 %count, 0
  br i1 %any, label %next, label %end
next:
  %i = phi i64 [ 0, %entry ], [ %more, %next ]
  %bad.before = phi i64 [ 0, %entry ], [ %bad, %next ]
  %t.at = mul i64 %i, %t_step
  %t.from = getelementptr double, ptr %t, i64 %t.at
  %now = load double, ptr %t.from
  %y.at = mul i64 %i, {ny}
  %y.from = getelementptr double, ptr %y, i64 %y.at
  %p.at = mul i64 %i, {np}
  %p.from = getelementptr double, ptr %p, i64 %p.at
  %out.at = mul i64 %i, {nout}
  %out.to = getelementptr double, ptr %out, i64 %out.at
  %s = call i64 %kernel(double %now, ptr %y.from, ptr %p.from, ptr %out.to)
  %s.to = getelementptr i64, ptr %status, i64 %i
  store i64 %s, ptr %s.to
  %more = add i64 %i, 1
  %fine = icmp eq i64 %s, 0
  %first = icmp eq i64 %bad.before, 0
  %here = select i1 %fine, i64 0, i64 %more
  %bad = select i1 %first, i64 %here, i64 %bad.before
  %again = icmp slt i64 %more, %count
  br i1 %again, label %next, label %end
end:
  %failed = phi i64 [ 0, %entry ], [ %bad, %next ]
  ret i64 %failed
}}
"""
