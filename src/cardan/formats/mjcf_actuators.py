"""Actuators of a compiled MJCF model as inputs: what each brings to a joint, or to the joints of a fixed tendon.

    force = (g0 + g1 l + g2 l') u + b0 + b1 l + b2 l'

with the length l of the transmission (gear times the coordinate) and the input u, as MuJoCo has it for motors, position
and velocity servos, dampers and general actuators without states of their own. Ranges of u are limits, ranges of the
force clip it. Others (muscles, integrators, adhesion, plugins, those that push at sites) are listed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cardan.formats.mjcf_bodies import HINGE, SLIDE
from cardan.formats.mjcf_draft import Draft
from cardan.formats.mjcf_tendons import JOINT as OF_JOINT
from cardan.formats.numerals import DECIMAL, decimal
from cardan.model.joint_limits import Limits

ON_JOINT, ON_PARENT, ON_TENDON = 0, 1, 3  # numbers of mjtTrn
FIXED, AFFINE = 0, 1  # of mjtGain; of mjtBias 0 is none


@dataclass(frozen=True)
class Transmission:
    """The coordinates that an actuator drives, with their ratios."""

    terms: tuple[tuple[float, int], ...]  # (ratio, joint)

    def length(self, draft: Draft) -> str:
        return " + ".join(f"({ratio!r})*{draft.joints[joint]}" for ratio, joint in self.terms)

    def rate(self, draft: Draft) -> str:
        return " + ".join(f"({ratio!r})*{draft.joints[joint]}.dot" for ratio, joint in self.terms)


def add_actuators(draft: Draft) -> None:
    """An input for each actuator that has a counterpart; joints that it drives need no input of their own."""
    driven: set[int] = set()
    start = _start(draft)
    for number in range(draft.model.nu):
        name = draft.compiled.name("actuator", number)
        transmission = _transmission(draft, number)
        why = _left_out(draft, number, transmission)
        if transmission is None or why:
            draft.note(f"left out: the actuator {name or number + 1!r}, {why}")
            continue
        if len(transmission.terms) == 1:
            driven.add(transmission.terms[0][1])
        u = draft.fresh(f"ctrl_{name or draft.joints[transmission.terms[0][1]]}")
        draft.inputs.append(u)
        force = _force(draft, number, u, transmission)
        for ratio, joint in transmission.terms:
            on = force if ratio == 1.0 else f"({ratio!r})*({force})"
            draft.forces.setdefault(draft.joints[joint], []).append(on)
        _bound(draft, number, u, transmission)
        if number in start:
            draft.held[u] = start[number]
    for joint in driven:
        draft.inputs.remove(draft.drives[joint])
        draft.forces[draft.joints[joint]].remove(draft.drives[joint])


def _transmission(draft: Draft, number: int) -> Transmission | None:
    """What an actuator drives, where that is a hinge, a slide or a fixed tendon."""
    m, gear = draft.model, float(draft.model.actuator_gear[number][0])
    kind, target = int(m.actuator_trntype[number]), int(m.actuator_trnid[number][0])
    if kind in (ON_JOINT, ON_PARENT) and m.jnt_type[target] in (HINGE, SLIDE):
        return Transmission(((gear, target),))
    if kind == ON_TENDON:
        first = int(m.tendon_adr[target])
        wraps = range(first, first + int(m.tendon_num[target]))
        if all(int(m.wrap_type[k]) == OF_JOINT for k in wraps):
            return Transmission(tuple((gear * float(m.wrap_prm[k]), int(m.wrap_objid[k])) for k in wraps))
    return None


def _left_out(draft: Draft, number: int, transmission: Transmission | None) -> str:
    """Why an actuator is no input; empty where it is one."""
    m = draft.model
    if transmission is None:
        return "which drives neither a hinge, nor a slide, nor a fixed tendon"
    if m.actuator_dyntype[number] != 0:
        return "which has a state of its own"
    if m.actuator_gaintype[number] not in (FIXED, AFFINE) or m.actuator_biastype[number] not in (FIXED, AFFINE):
        return "whose force is no affine function of length and rate"
    return ""


def _force(draft: Draft, number: int, u: str, transmission: Transmission) -> str:
    m, length, rate = draft.model, transmission.length(draft), transmission.rate(draft)
    gain, bias = ([float(x) for x in prm[number][:3]] for prm in (m.actuator_gainprm, m.actuator_biasprm))
    if m.actuator_gaintype[number] == FIXED:
        gain[1:] = [0.0, 0.0]
    if m.actuator_biastype[number] == 0:
        bias = [0.0, 0.0, 0.0]
    by = _affine(gain, length, rate)
    terms = [] if by == "0" else [u if by == "1.0" else f"({by})*{u}"]
    rest = _affine(bias, length, rate)
    force = " + ".join(terms if rest == "0" else [*terms, rest]) or "0"
    if not m.actuator_forcelimited[number]:
        return force
    lower, upper = (float(x) for x in m.actuator_forcerange[number])
    return f"max({lower!r}, min({upper!r}, {force}))"


def _affine(factors: list[float], length: str, rate: str) -> str:
    terms = [f"{factor!r}*({what})" for factor, what in zip(factors[1:], (length, rate), strict=True) if factor]
    if factors[0]:
        terms.insert(0, repr(factors[0]))
    return " + ".join(terms) or "0"


def _bound(draft: Draft, number: int, u: str, transmission: Transmission) -> None:
    """Keep the range of an input, and what a motor brings to its joint at most."""
    m = draft.model
    if m.actuator_ctrllimited[number]:
        lower, upper = (float(x) for x in m.actuator_ctrlrange[number])
        draft.bounds[u] = Limits(lower, upper)
    if len(transmission.terms) != 1:
        return
    most = np.inf
    if m.actuator_forcelimited[number]:
        most = float(np.max(np.abs(m.actuator_forcerange[number])))
    is_motor = m.actuator_gaintype[number] == FIXED and m.actuator_biastype[number] == 0
    if is_motor and m.actuator_ctrllimited[number]:
        most = min(most, abs(float(m.actuator_gainprm[number][0])) * max(map(abs, m.actuator_ctrlrange[number])))
    ratio, joint = transmission.terms[0]
    if np.isfinite(most) and ratio:
        draft.strengths[joint] = draft.strengths.get(joint, 0.0) + abs(ratio) * float(most)


def _start(draft: Draft) -> dict[int, float]:
    """What the first key frame gives to the actuators that were handed on, by their numbers."""
    source = draft.compiled.source
    words = source.ctrl.split()
    if len(words) != len(source.handed_on) or not all(DECIMAL.fullmatch(word) for word in words):
        return {}
    kept = [decimal(word) for word, is_kept in zip(words, source.handed_on, strict=True) if is_kept]
    return {number: value for number, value in enumerate(kept) if value}
