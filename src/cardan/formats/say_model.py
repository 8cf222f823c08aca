"""A description as the data of a model file, the reverse of ``build``: every entry is what a user could have typed.

What files have no word for is refused by name: coordinates that were eliminated, bodies that bend, axes of parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING

import sympy as sp

from cardan.formats import say_pieces as say
from cardan.formats.document import Data, Entry
from cardan.formats.expression_text import said, text_of
from cardan.formats.say_constraints import constraints_of, frictions_of, pressing_of, stops_of
from cardan.formats.say_drawings import drawings_of
from cardan.model.flexible import FlexibleBody
from cardan.model.laws import Bushing
from cardan.model.loads import LENGTH, RATE, Damper, Load, Spring
from cardan.model.motions import Place, Slide
from cardan.model.variables import CoordinateVariable

if TYPE_CHECKING:
    from cardan.model.bodies import Body, Particle
    from cardan.model.charts import DeclaredChart
    from cardan.model.description import Description
    from cardan.model.frames import Frame

LONGEST = 8_000  # characters of one expression; longer sums of energies become several terms


def say_model(description: Description, charts: Sequence[DeclaredChart] = ()) -> Entry:
    """The data of a model file that describes the same system."""
    d = description
    if d.regular:
        raise say.refused(f"System {d.name!r}", "coordinates were eliminated from it; write the constraint instead")
    found: Entry = {"cardan": 1, "name": d.name}
    found["coordinates"] = dict(_coordinates(d))
    found["parameters"] = {say.name(str(symbol), f"parameter {symbol}"): value for symbol, value in d.values.items()}
    found["inputs"] = [say.name(str(symbol), f"input {symbol}") for symbol in d.inputs]
    found["frames"] = {say.frame_name(one): _frame(d, one) for one in d.frames.values()}
    found["bodies"] = {say.thing(one): _body(d, one) for one in d.bodies}
    found["particles"] = {say.thing(one): _particle(one) for one in d.particles}
    found["gravity"] = None if d.gravity is None else say.vector(d.gravity)
    bushed = {name for one in d.bushings for name in one.loads}
    typed = [one for one in d.loads if one.name not in bushed]
    found["loads"] = {say.name(one.name, f"load {one.name!r}"): _load(one) for one in typed}
    found["speeds"] = {say.name(str(u), f"speed {u}"): said(meaning) for u, meaning in d.speeds.items()}
    found["pressing_forces"] = pressing_of(d)
    found["energies"] = _filled(
        {
            "kinetic": [part for one in d.kinetic_energies for part in _terms(one)],
            "potential": [part for one in d.potentials for part in _terms(one)],
            "lagrangian": [part for one in d.lagrangians for part in _terms(one)],
        }
    )
    found["generalized_forces"] = _forces(d)
    found["charts"] = {say.name(one.name, f"chart {one.name!r}"): _chart(one) for one in charts}
    found["springs"] = [_element(one, k) for k, one in enumerate(d.springs)]
    found["dampers"] = [_element(one, k) for k, one in enumerate(d.dampers) if one.law is None]
    found["struts"] = [_strut(one, one.law) for one in d.dampers if one.law is not None]
    found["bushings"] = [_bushing(one) for one in d.bushings]
    found["prescribe"] = {str(symbol): said(motion) for symbol, motion in d.prescribed.items()}
    found["constraints"] = constraints_of(d)
    found["friction"] = frictions_of(d)
    found["stops"] = stops_of(d)
    found["draw"] = drawings_of(d)
    found["order"] = [say.name(one.name, f"coordinate {one.name!r}") for one in d.variables] + [
        one.name for one in (*d.bodies, *d.particles)
    ]
    return _filled(found)


def _filled(entry: Entry) -> Entry:
    """An entry without what says nothing."""
    return {key: value for key, value in entry.items() if value not in (None, [], {})}


def _coordinates(d: Description) -> Iterator[tuple[str, Data]]:
    for one in d.variables:
        if isinstance(one, CoordinateVariable):
            domain = one.domain
            on: Data = [domain.lower, domain.upper] if domain.kind == "interval" else domain.kind
            yield (
                say.name(one.name, f"coordinate {one.name!r}"),
                {"on": on} | ({} if one.scale is None else {"scale": one.scale}),
            )


# --- parts -----------------------------------------------------------------------------------------


def _frame(d: Description, frame: Frame) -> Entry:
    joint = d.mounts[frame.name]
    assert frame.parent is not None
    found: Entry = {"parent": say.frame_name(frame.parent), "joint": say.joint(joint, f"frame {frame.name!r}")}
    if len(frame.motions) > len(joint.motions(frame.name)):
        place = frame.motions[0]
        assert isinstance(place, Place)
        rotation = {} if place.rotation is None else {"rotation": [say.triple(row) for row in place.rotation]}
        found["at"] = {"position": say.triple(place.position), **rotation}
    return found


def _body(d: Description, body: Body) -> Entry:
    if isinstance(body, FlexibleBody):
        raise say.refused(f"Body {body.name!r}", "it bends, and what it was made of is not known any more")
    found = _frame(d, body.frame)
    found |= {"mass": said(body.mass), "inertia": [say.triple(row) for row in body.inertia]}
    found["com"] = say.triple(body.com)
    if body.shape is not None:
        found["shape"] = say.shape(body.shape, f"body {body.name!r}")
    return found


def _particle(one: Particle) -> Entry:
    assert one.frame.parent is not None
    found: Entry = {"mass": said(one.mass), "frame": say.frame_name(one.frame.parent)}
    if one.coordinates is not None:
        return found | {"coordinates": say.curvilinear(one.coordinates)}
    return found | {"position": say.triple(m.distance for m in one.frame.motions if isinstance(m, Slide))}


# --- what acts on them -----------------------------------------------------------------------------


def _load(one: Load) -> Entry:
    found: Entry = {"kind": one.kind}
    found["on"] = say.point(one.at) if one.kind == "force" else say.thing(one.on)
    if len(one.along) == 1:
        found["law" if one.follows_law else "along"] = say.vector(one.along[0])
    if one.kind == "force" and one.reaction_at is not None:
        found["against"] = say.point(one.reaction_at)
    elif one.reaction_on is not None:
        found["against"] = say.frame_name(one.reaction_on)
    return found


def _terms(energy: sp.Expr) -> list[Data]:
    """One text, or several where it would be too long."""
    whole = said(energy)
    if not isinstance(whole, str) or len(whole) <= LONGEST or not energy.is_Add:
        return [whole]
    half = len(energy.args) // 2
    return [*_terms(energy.func(*energy.args[:half])), *_terms(energy.func(*energy.args[half:]))]


def _forces(d: Description) -> Entry:
    """Generalized forces typed by hand; those of friction come with it."""
    owned = {one.name for one in d.frictions}
    found: dict[str, list[Data]] = {}
    for force in d.generalized_forces:
        if force.name not in owned or not force.name:
            key = getattr(force.coordinate, "of", None) or str(force.coordinate)
            found.setdefault(key, []).append(said(force.expression))
    return dict(found)


@singledispatch
def _element(one: Spring | Damper, k: int) -> Entry:
    raise TypeError(f"nothing writes a {type(one).__name__}")


@_element.register(Spring)
def _spring(one: Spring, k: int) -> Entry:
    found: Entry = {"stiffness": said(one.stiffness), "length": said(one.length)}
    return _ends(one) | found | _label(one.name, f"spring {k + 1}")


@_element.register(Damper)
def _damper(one: Damper, k: int) -> Entry:
    return _ends(one) | {"coefficient": said(one.coefficient)} | _label(one.name, f"damper {k + 1}")


def _strut(one: Damper, law: sp.Expr) -> Entry:
    plain = law.xreplace({LENGTH: sp.Symbol("length", real=True), RATE: sp.Symbol("rate", real=True)})
    is_usual = one.name.startswith("strut ")  # a name that nobody gave; others have no blanks
    return _ends(one) | {"law": said(plain)} | ({} if is_usual else {"name": say.label(one.name, "a strut")})


def _bushing(one: Bushing) -> Entry:
    found: Entry = {"between": [say.point(one.first), say.point(one.second)], "name": say.label(one.name, "a bushing")}
    return found | {"stiffness": say.triple(one.stiffness), "damping": say.triple(one.damping)}


def _label(given: str, usual: str) -> Entry:
    return {} if given == usual else {"name": say.label(given, repr(usual))}


def _ends(one: Spring | Damper) -> Entry:
    if one.acts_between_points:
        return {"between": [say.point(end) for end in one.points]}
    return {"on": said(one.first)}


def _chart(one: DeclaredChart) -> Entry:
    found: Entry = {"coordinates": [x.name for x in one.coordinates]}
    found["maps"] = {q.name: said(F) for q, F in one.maps.items()}
    if one.inverse is not None:
        found["inverse"] = {x.name: said(G) for x, G in one.inverse.items()}
    if one.kinetic_energy is not None:
        rates = {x.dot: x for x in one.coordinates}
        found["kinetic_energy"] = _dotted(text_of(one.kinetic_energy), [str(rate) for rate in rates])
    return found


def _dotted(text: str, rates: Sequence[str]) -> str:
    """Rates of chart coordinates are known to files as ``x.dot`` only."""
    import re

    return re.sub(rf"\b({'|'.join(rates)})\b", lambda found: f"{found[0].removesuffix('_dot')}.dot", text)
