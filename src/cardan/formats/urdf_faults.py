"""Faults of URDF files, mended on request as the parser of ROS (urdfdom) reads them; each change is noted.

Of elements that may stand once the first counts; a joint that mimics one that is not there moves by itself; an inertia
without a mass is none; ends of a range that are exchanged are exchanged back.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardan.formats.numerals import decimal
from cardan.formats.xml_reader import Element

ONCE = {
    "link": ("inertial",),
    "joint": ("parent", "child", "origin", "axis", "limit", "mimic", "dynamics"),
    "inertial": ("origin", "mass", "inertia"),
}
FOLLOWED = ("revolute", "continuous", "prismatic")


def mend(robot: Element) -> list[str]:
    """Change what is wrong in links and joints; a note for each change."""
    notes: list[str] = []
    for one in robot.children:
        if one.tag in ONCE:
            notes += _only_first(one)
            for inertial in list(one.all("inertial")) if one.tag == "link" else []:
                notes += _only_first(inertial, one.attributes.get("name", ""))
                notes += _inertial(one, inertial)
    kinds = {one.attributes.get("name", ""): one.attributes.get("type", "") for one in robot.all("joint")}
    for joint in robot.all("joint"):
        notes += [*_mimic(joint, kinds), *_limit(joint)]
    return notes


def _only_first(element: Element, owner: str = "") -> Iterator[str]:
    """Drop what stands a second time."""
    name = owner or element.attributes.get("name", "")
    for tag in ONCE[element.tag]:
        found = list(element.all(tag))
        for more in found[1:]:
            element.children = [one for one in element.children if one is not more]
            yield f"line {more.line}: a second <{tag}> of {name!r} is left out"


def _inertial(link: Element, inertial: Element) -> Iterator[str]:
    missing = [tag for tag in ("mass", "inertia") if inertial.one(tag) is None]
    if missing:
        link.children = [one for one in link.children if one is not inertial]
        name = link.attributes.get("name", "")
        yield f"line {inertial.line}: the <inertial> of {name!r} has no <{missing[0]}>; left out"


def _mimic(joint: Element, kinds: dict[str, str]) -> Iterator[str]:
    for mimic in list(joint.all("mimic")):
        leader = mimic.attributes.get("joint", "")
        if kinds.get(leader) not in FOLLOWED:
            joint.children = [one for one in joint.children if one is not mimic]
            name = joint.attributes.get("name", "")
            yield f"line {mimic.line}: {name!r} mimics {leader!r}, which does not move; left out"


def _limit(joint: Element) -> Iterator[str]:
    for limit in joint.all("limit"):
        try:
            lower, upper = (decimal(limit.attributes[end]) for end in ("lower", "upper"))
        except (KeyError, ValueError):
            continue
        if lower > upper:
            limit.attributes["lower"], limit.attributes["upper"] = limit.attributes["upper"], limit.attributes["lower"]
            yield f"line {limit.line}: the ends of the range of {joint.attributes.get('name', '')!r} are exchanged"
