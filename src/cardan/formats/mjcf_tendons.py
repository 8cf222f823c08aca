"""Tendons of a compiled MJCF model: springs, dampers, friction and limits along a length.

The length of a fixed tendon is a sum of coordinates, so it acts as on a joint. A spatial tendon straight from site to
site is a spring and a damper between two points. Others are refused where they act on anything.
"""

from __future__ import annotations

import numpy as np

from cardan.errors import FileError
from cardan.formats.document import Entry
from cardan.formats.mjcf_draft import Draft, Numbers, numbers
from cardan.formats.mjcf_passive import Passive, add_passive

JOINT, SITE = 1, 3  # numbers of mjtWrap


def add_tendons(draft: Draft, restitution: float | None) -> None:
    """All tendons that act on anything of themselves."""
    m = draft.model
    for number in range(m.ntendon):
        if _acts(draft, number):
            with draft.attempted():
                _add(draft, number, restitution)


def _add(draft: Draft, number: int, restitution: float | None) -> None:
    m = draft.model
    _refuse_curves(draft, number)
    first = int(m.tendon_adr[number])
    wraps = range(first, first + int(m.tendon_num[number]))
    kinds = [int(m.wrap_type[k]) for k in wraps]
    if set(kinds) == {JOINT}:
        add_passive(draft, _along(draft, number, wraps), restitution)
    elif kinds == [SITE, SITE]:
        _between(draft, number, [int(m.wrap_objid[k]) for k in wraps])
    else:
        raise _refused(draft, number, "is led over more than two sites; use springs between points in a model file")


def length_of(draft: Draft, number: int) -> str | None:
    """The length of a fixed tendon as an expression; None of one that is led through space."""
    m = draft.model
    first = int(m.tendon_adr[number])
    wraps = range(first, first + int(m.tendon_num[number]))
    if any(int(m.wrap_type[k]) != JOINT for k in wraps):
        return None
    return _along(draft, number, wraps).on


def _acts(draft: Draft, number: int) -> bool:
    m = draft.model
    fields = (m.tendon_stiffness, m.tendon_damping, m.tendon_frictionloss, m.tendon_limited, _armature(draft))
    return any(bool(one[number]) for one in fields)


def _armature(draft: Draft) -> Numbers:
    return np.asarray(getattr(draft.model, "tendon_armature", np.zeros(draft.model.ntendon)))


def _name(draft: Draft, number: int) -> str:
    return draft.compiled.name("tendon", number) or f"tendon_{number + 1}"


def _refused(draft: Draft, number: int, why: str) -> FileError:
    return draft.refused(draft.compiled.line("tendon", number), "tendon", f"the tendon {_name(draft, number)!r} {why}.")


def _refuse_curves(draft: Draft, number: int) -> None:
    m = draft.model
    for field in ("tendon_stiffnesspoly", "tendon_dampingpoly", "tendon_springyield"):
        if np.any(getattr(m, field, np.zeros((m.ntendon, 1)))[number]):
            raise _refused(draft, number, "has a spring or damper that is not linear; give one coefficient")
    slack, taut = m.tendon_lengthspring[number]
    if m.tendon_stiffness[number] and slack != taut:
        raise _refused(draft, number, f"is slack between {slack:g} and {taut:g}; give one springlength")


def _along(draft: Draft, number: int, wraps: range) -> Passive:
    """What acts along a sum of coordinates."""
    m = draft.model
    terms = [(float(m.wrap_prm[k]), draft.joints[int(m.wrap_objid[k])]) for k in wraps]
    limits = m.tendon_range[number]
    return Passive(
        on=" + ".join(f"({c!r})*{q}" for c, q in terms),
        rate=" + ".join(f"({c!r})*{q}.dot" for c, q in terms),
        label=_name(draft, number),
        line=draft.compiled.line("tendon", number),
        stiffness=float(m.tendon_stiffness[number]),
        length=float(m.tendon_lengthspring[number][0]),
        damping=float(m.tendon_damping[number]),
        friction=float(m.tendon_frictionloss[number]),
        armature=float(_armature(draft)[number]),
        limits=(float(limits[0]), float(limits[1])) if m.tendon_limited[number] else None,
    )


def _between(draft: Draft, number: int, sites: list[int]) -> None:
    """A spring and a damper between two points."""
    m, line = draft.model, draft.compiled.line("tendon", number)
    if m.tendon_limited[number] or m.tendon_frictionloss[number] or _armature(draft)[number]:
        raise _refused(draft, number, "has limits, friction or armature, which are read of fixed tendons only")
    ends: list[Entry] = [
        {"of": draft.bodies[int(m.site_bodyid[site])], "at": numbers(m.site_pos[site])} for site in sites
    ]
    stiffness, damping = float(m.tendon_stiffness[number]), float(m.tendon_damping[number])
    if stiffness and not draft.disables("spring"):
        length = float(m.tendon_lengthspring[number][0])
        draft.append("springs", {"between": ends, "stiffness": stiffness, "length": length}, line)
    if damping and not draft.disables("damper"):
        draft.append("dampers", {"between": ends, "coefficient": damping}, line)
