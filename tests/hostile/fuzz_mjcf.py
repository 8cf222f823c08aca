"""Random changes to MJCF files, most of them wrong: none may raise anything but FileError or end the process.

Run as a program with the number of files, in a folder of its own; prints one line of JSON. It has a process of its own
because MuJoCo, which compiles the files, is native code.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from pathlib import Path

import cardan as cd
from cardan.errors import FileError

VALID = """<mujoco model="seed"><compiler angle="radian" autolimits="true" eulerseq="xyz"/>
<option gravity="0 0 -9.81" timestep="0.002"><flag contact="enable"/></option>
<default><joint damping="0.1"/><default class="thin"><geom size="0.01"/></default></default>
<asset><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><geom type="plane" size="1 1 1"/><frame pos="0 0 1" euler="0 0.1 0">
<body name="a" childclass="thin"><joint name="j" axis="0 1 0" range="-1 1" ref="0.1" stiffness="1" frictionloss="0.1"/>
<geom type="capsule" fromto="0 0 0 0 0 -1"/><site name="s" pos="0 0 -1"/>
<body name="b" pos="0 0 -1" quat="1 0 0 0"><joint name="k" type="ball" range="0 1"/><geom type="mesh" mesh="tet"/>
<body name="c" xyaxes="1 0 0 0 1 0"><joint name="l" type="slide" pos="0.1 0 0"/><joint name="m" armature="0.1"/>
<inertial pos="0 0 0.1" mass="1" fullinertia="1 1 1 0 0 0.1"/></body></body></body></frame>
<body name="f"><freejoint name="g"/><geom type="box" size="0.1 0.2 0.3"/><site name="u"/></body>
<replicate count="3" offset="1 0 0"><geom size="0.1"/></replicate></worldbody>
<contact><exclude body1="a" body2="f"/></contact>
<tendon><fixed name="t" stiffness="1"><joint joint="j" coef="1"/><joint joint="l" coef="-1"/></fixed>
<spatial name="w" damping="1"><site site="s"/><site site="u"/></spatial></tendon>
<equality><connect body1="a" body2="f" anchor="0 0 1"/><weld body1="b" body2="f"/>
<joint joint1="j" joint2="l"/></equality>
<keyframe><key qpos="0 1 0 0 0 0 0 0 0 0 1 0 0 0"/></keyframe></mujoco>"""

VALUES = [
    "", "0", "-1", "1e-320", "1e308", "-1e308", "1e999", "nan", "inf", "0 0 0", "0 0 0 0", "1e200 1e200 1e200", "1 2",
    "1 " * 1000, "x" * 5000, "a", "b", "j", "k", "l", "t", "tet", "true", "false", "auto", "mesh", "sdf", "hfield",
    "ball", "free", "hinge", "slide", "plane", "world", "../../../etc/passwd", "C:\\x", "http://localhost/", "%s%n",
    "\u03b1\u200b", "2147483647", "-2147483648", "4294967296", "99999999999999999999", "0x10", "1e-15 1 1", "xyz",
    "XYZx", "mm", "thin",
]  # fmt: skip
TAGS = [
    *sorted(set(re.findall(r"<([a-z]+)", VALID))), "include", "plugin", "composite", "flexcomp", "attach", "light",
    "camera", "material", "hfield", "pair", "motor", "pulley",
]  # fmt: skip
MORE = """limited margin file class mocap gravcomp user springlength solref solimp condim density fluidshape material
align euler axisangle zaxis springdamper active polycoef relpose site1 joint count sep inertiafromgeom fusestatic
discardvisual boundmass balanceinertia settotalmass refpos refquat scale inertia fitaabb shellinertia group builtin dim
order ctrl"""
NAMES = [*sorted(set(re.findall(r" ([a-z0-9]+)=", VALID))), *MORE.split()]


def changed(text: str, rng: random.Random) -> str:
    """The text with one change: a value, an attribute more, an element away, twice or renamed, or noise."""
    kind = rng.random()
    attributes = list(re.finditer(r' ([a-z0-9]+)="([^"]*)"', text))
    elements = list(re.finditer(r"<([a-z]+)[^<>]*/>", text))
    if kind < 0.4 and attributes:
        one = rng.choice(attributes)
        return text[: one.start(2)] + rng.choice(VALUES) + text[one.end(2) :]
    if kind < 0.6:
        one = rng.choice(list(re.finditer(r"<[a-z]+", text)))
        return f'{text[: one.end()]} {rng.choice(NAMES)}="{rng.choice(VALUES)}"{text[one.end() :]}'
    if kind < 0.7 and elements:
        one = rng.choice(elements)
        return text[: one.start()] + text[one.end() :]
    if kind < 0.85 and elements:
        one, place = rng.choice(elements), rng.choice(elements)
        return text[: place.start()] + one[0] + text[place.start() :]
    if kind < 0.95:
        one = rng.choice(list(re.finditer(r"<([a-z]+)", text)))
        return text[: one.start(1)] + rng.choice(TAGS) + text[one.end(1) :]
    at = rng.randrange(len(text))
    return text[:at] + rng.choice('<>"/&=\x00 ') + text[at + rng.randint(0, 3) :]


def main(number: int) -> None:
    rng = random.Random(5)
    counts = {"accepted": 0, "refused": 0}
    path, slowest, worst = Path("fuzzed.xml"), 0.0, ""
    path.write_text(VALID, encoding="utf-8")
    cd.load(path)  # the seed is valid, and everything is loaded
    for _ in range(number):
        text = VALID
        for _ in range(rng.choice((1, 1, 2, 4))):
            text = changed(text, rng)
        path.write_text(text, encoding="utf-8")
        begun = time.process_time()
        try:
            cd.load(path)
            counts["accepted"] += 1
        except FileError:
            counts["refused"] += 1
        taken = time.process_time() - begun
        if taken > slowest:
            slowest, worst = taken, text
    path.unlink()
    print(json.dumps({**counts, "slowest": slowest, "worst": worst, "written": [one.name for one in Path().iterdir()]}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
