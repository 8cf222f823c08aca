"""Robot files in URDF and MJCF: values, attributes and elements exchanged, doubled, renamed, left out, and noise."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from tools.fuzz.judging import Kind
from tools.fuzz.models import ROOT, loaded, scrambled

HERE = Path(__file__).parent / "seeds"
VALUES = [
    "", "0", "-1", "1e-320", "1e308", "-1e308", "1e999", "nan", "inf", "0 0 0", "0 0 0 0", "1e200 1e200 1e200", "1 2",
    "1 " * 1000, "x" * 5000, "a", "b", "j", "k", "l", "t", "tet", "true", "false", "auto", "mesh", "sdf", "hfield",
    "ball", "free", "hinge", "slide", "plane", "world", "../../../etc/passwd", "C:\\x", "http://localhost/", "%s%n",
    "\u03b1\u200b", "2147483647", "-2147483648", "4294967296", "99999999999999999999", "0x10", "1e-15 1 1", "xyz",
    "XYZx", "mm", "thin",
]  # fmt: skip
OF_LINKS = [
    "revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical", "upper", "lower", "base",
    "tool", "shoulder", "elbow", "rail", "1_0", "\u0663", "sin", "lambda", "a b", "package://x/y.stl", "file:///etc",
]  # fmt: skip
MJCF_TAGS = "include plugin composite flexcomp attach light camera material hfield pair motor pulley".split()
MJCF_NAMES = """limited margin file class mocap gravcomp user springlength solref solimp condim density
fluidshape material align euler axisangle zaxis springdamper active polycoef relpose site1 joint count sep
inertiafromgeom fusestatic discardvisual boundmass balanceinertia settotalmass refpos refquat scale inertia fitaabb
shellinertia group builtin dim order ctrl""".split()
URDF_TAGS = "gazebo sensor calibration mesh capsule mujoco include sdf world".split()
URDF_NAMES = "file filename scale reference rising soft_lower_limit quat version xmlns".split()


@cache
def text_of(name: str) -> str:
    folder = HERE if (HERE / name).exists() else ROOT / "tests" / "oracle" / "data"
    return (folder / name).read_text(encoding="utf-8")


def changed(text: str, rng: random.Random, values: list[str], tags: list[str], names: list[str]) -> str:
    """The text with one change: a value, an attribute more, an element away, twice or renamed, or noise."""
    kind = rng.random()
    attributes = list(re.finditer(r' ([a-z0-9_]+)="([^"]*)"', text))
    elements = list(re.finditer(r"<([a-z_]+)[^<>]*/>", text))
    begun = list(re.finditer(r"<([a-z_]+)", text))
    if kind < 0.4 and attributes:
        one = rng.choice(attributes)
        other = rng.choice(attributes)[2] if rng.random() < 0.3 else rng.choice(values)
        return text[: one.start(2)] + other + text[one.end(2) :]
    if kind < 0.6 and begun:
        one = rng.choice(begun)
        return f'{text[: one.end()]} {rng.choice(names)}="{rng.choice(values)}"{text[one.end() :]}'
    if kind < 0.7 and elements:
        one = rng.choice(elements)
        return text[: one.start()] + text[one.end() :]
    if kind < 0.85 and elements:
        one, place = rng.choice(elements), rng.choice(elements)
        return text[: place.start()] + one[0] + text[place.start() :]
    if kind < 0.95 and begun:
        one = rng.choice(begun)
        return text[: one.start(1)] + rng.choice(tags) + text[one.end(1) :]
    at = rng.randrange(len(text))
    return text[:at] + rng.choice('<>"/&=\x00 ') + text[at + rng.randint(0, 3) :]


def draw(rng: random.Random, files: list[str], values: list[str], tags: list[str], names: list[str]) -> bytes:
    text = seed = text_of(rng.choice(files))
    tags = [*tags, *sorted(set(re.findall(r"<([a-z_]+)", seed)))]
    names = [*names, *sorted(set(re.findall(r" ([a-z0-9_]+)=", seed)))]
    for _ in range(rng.choice((1, 1, 2, 4))):
        text = changed(text, rng, values, tags, names)
    content = text.encode()
    return scrambled(content, rng) if rng.random() < 0.1 else content


def draw_urdf(rng: random.Random) -> bytes:
    return draw(rng, ["robot.urdf", "crane.urdf"], [*VALUES, *OF_LINKS], URDF_TAGS, URDF_NAMES)


def draw_mjcf(rng: random.Random) -> bytes:
    return draw(rng, ["robot.xml"], VALUES, MJCF_TAGS, MJCF_NAMES)


URDF = Kind(
    "robots in URDF", "values, attributes, elements, bytes", ".urdf", draw_urdf, lambda c: loaded(c, ".urdf"), 0.1
)
MJCF = Kind(
    "robots in MJCF", "values, attributes, elements, bytes", ".xml", draw_mjcf, lambda c: loaded(c, ".xml"), 0.1
)
