"""Robot arms of the problems (C6): two rotary joints, and a sliding one that carries a rotary one."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import agreement, identity
from cardan.gallery.entry import Check
from cardan.gallery.printed import rows, solved
from cardan.gallery.sampling import ANGLE, column, letters


def arm_2r() -> cd.System:
    """Figure 10.8 in the vertical plane, q2 measured from the first link."""
    s = cd.System("2R arm")
    q1, q2 = s.coordinates("q1 q2", on="S1")
    m1, m2, I1, I2, L1, r1, r2, a_g = s.parameters(m1=1.7, m2=1.1, I1=0.2, I2=0.1, L1=0.9, r1=0.4, r2=0.3, a_g=9.8)
    first = s.body("first", mass=m1, inertia=I1, com=(r1, 0, 0), joint=cd.Revolute("z", q1))
    second = s.body(
        "second", mass=m2, inertia=I2, com=(r2, 0, 0), parent=first, at=(L1, 0, 0), joint=cd.Revolute("z", q2)
    )
    s.gravity(-a_g * s.world.y)
    s.moment("u1", on=first, along=s.world.z)
    s.moment("u2", on=second, along=s.world.z, against=first)
    return s


def problems_2_and_3() -> Iterator[Check]:
    """By hand, with h = m2 L1 r2 sin q2."""
    s = arm_2r()
    q1, q2, m1, m2, I1, I2, L1, r1, r2, a_g, u1, u2 = letters(s, "q1 q2 m1 m2 I1 I2 L1 r1 r2 a_g u1 u2")
    h, g2 = m2 * L1 * r2 * sin(q2), m2 * a_g * r2 * cos(q1 + q2)
    M22 = I2 + m2 * r2**2
    M12 = M22 + m2 * L1 * r2 * cos(q2)
    M11 = I1 + m1 * r1**2 + M22 + m2 * (L1**2 + 2 * L1 * r2 * cos(q2))
    by_hand = column(
        M11 * q1.ddot + M12 * q2.ddot - h * (2 * q1.dot * q2.dot + q2.dot**2)
        + (m1 * r1 + m2 * L1) * a_g * cos(q1) + g2 - u1,
        M12 * q1.ddot + M22 * q2.ddot + h * q1.dot**2 + g2 - u2,
    )  # fmt: skip
    yield identity("2: 2R arm", "problem 2", rows(s.equations()), by_hand)
    yield agreement("2: 2R arm in native code", "problem 2", solved(s, by_hand, [ANGLE, ANGLE]))
    symbols = [0, -h, -h, -h, h, 0, 0, 0]  # Gamma^i_jk in the order of i, j, k
    yield identity("3: its eight Christoffel symbols", "problem 3", list(s.equations().christoffel), symbols)


def problem_4() -> Iterator[Check]:
    """A carriage m1 along x carries a link (m2, I2, centre at r2) in the vertical plane; by hand, with k = m2 r2."""
    s = cd.System("PR arm")
    q1, q2 = s.coordinates("q1"), s.coordinates("q2", on="S1")
    m1, m2, I2, r2, a_g = s.parameters(m1=1.7, m2=1.1, I2=0.1, r2=0.3, a_g=9.8)
    carriage = s.body("carriage", mass=m1, joint=cd.Prismatic("x", q1))
    link = s.body("link", mass=m2, inertia=I2, com=(r2, 0, 0), parent=carriage, joint=cd.Revolute("z", q2))
    s.gravity(-a_g * s.world.y)
    u1, u2 = s.force("u1", on=carriage, along=s.world.x), s.moment("u2", on=link, along=s.world.z, against=carriage)
    k = m2 * r2
    by_hand = column(
        (m1 + m2) * q1.ddot - k * sin(q2) * q2.ddot - k * cos(q2) * q2.dot**2 - u1,
        -k * sin(q2) * q1.ddot + (I2 + m2 * r2**2) * q2.ddot + k * a_g * cos(q2) - u2,
    )
    yield identity("4: PR arm", "problem 4", rows(s.equations()), by_hand)
