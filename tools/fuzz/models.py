"""Model files: starters, examples of the handbook, the file of everything and a robot, changed as data and as bytes."""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import cardan as cd
from cardan.formats.urdf import read_urdf
from cardan.formats.write import starters
from cardan.formats.yaml_reader import parse_yaml
from tools.fuzz.expressions import grown
from tools.fuzz.judging import Kind

ROOT = Path(__file__).parents[2]
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 2, 0.5, 10**17, -(10**17), 10**30, 1e308, -1e308, 1e-320, 5e-324, float("nan"),
    float("inf"), "", " ", "x", "t", "world", "world.x", "world.z", "R", "S1", "R+", "z", "-z", "q", "e", "m", "-1",
    "1e999", "1_0", "0x10", "\u0663", "pi", "nan", "1/0", "0*x", "x/x", "sqrt(-1)", "x.dot", "x.dot.dot", "t**t",
    "__class__", "a" * 70, "a" * 3000, "(" * 60, [], {}, [0], [0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 2], [1, 2, 3, 4],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[1]], ["x", "y", "z"], {"of": "world"},
    {"kind": "revolute"}, {"kind": "fixed"}, {"kind": "ball"}, {"kind": "free"}, {"kind": "quaternion", "name": "e"},
    {"kind": "sphere", "radius": 0}, {"kind": "mesh", "file": "../x.stl"}, {"kind": "planar"}, {"body": "arm"},
    {"constraints": ["slope"]}, {"constraints": []}, [{"kind": "gap", "gap": "x", "restitution": 1}], [None], [[[]]],
]  # fmt: skip
KEYS = [
    "x", "y", "kind", "on", "of", "at", "name", "joint", "axis", "mass", "inertia", "parent", "q", "v", "e", "world",
    "position", "frame", "law", "static", "stribeck", "normal", "scale", "limit", "pitch", "branch", "charts",
    "shape", "orientation", "angle", "lambda", "sin", "t", "a b", "__init__", "\u03b1", "1", "", "-",
]  # fmt: skip
TOKENS = [*":-{}[],&*#?|>%@`!'\" \t\n", "- ", ": ", "<<", "!!python/object", "---", "...", "\x00", "\ufeff", "\u2028"]


@cache
def seeds() -> tuple[dict[str, Any], ...]:
    """The data of the files of this repository."""
    page = (ROOT / "docs" / "model-files.md").read_text(encoding="utf-8")
    texts = [*starters().values(), *re.findall(r"```yaml\n(.*?)```", page, re.S)]
    texts += [(ROOT / "tests" / "unit" / "formats" / "everything.yaml").read_text(encoding="utf-8")] * 4
    found = [parse_yaml(text, "seed").data for text in texts]
    found.append(read_urdf(ROOT / "tests" / "oracle" / "data" / "crane.urdf").data)
    return tuple(one for one in found if isinstance(one, dict))


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every entry, as what holds it and its key or index there."""
    for key, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from places(value)


def words(data: Any) -> list[str]:
    """Names that expressions of this model may use, and axes of its bodies."""
    found = ["t", "world.x", "world.z"]
    for section in ("coordinates", "parameters"):
        own = data.get(section)
        found += [name for name in own if isinstance(name, str)] if isinstance(own, dict) else []
    bodies = data.get("bodies")
    return found + ([f"{name}.x" for name in bodies] if isinstance(bodies, dict) else [])


def exchange(data: dict[str, Any], rng: random.Random) -> None:
    """One value made another of its kind, so that the file has its form and a new meaning."""
    leaves = [(holder, key) for holder, key in places(data) if isinstance(holder[key], (int, float, str))]
    if not leaves:
        return
    holder, key = rng.choice(leaves)
    others = [one[at] for one, at in leaves if isinstance(one[at], str) == isinstance(holder[key], str)]
    if rng.random() < 0.5:
        holder[key] = rng.choice(others)
    elif isinstance(holder[key], str) or rng.random() < 0.3:
        holder[key] = grown(rng, [one for one in words(data) if "." not in one], rng.randint(1, 3))
    else:
        holder[key] = rng.choice([0, -1, 1, 1e-320, 1e-200, 1e-9, 1e9, 1e200, 1e308, 10**17, 0.5, 3])


def change(data: dict[str, Any], rng: random.Random) -> None:
    """One entry made something else, away, twice, renamed, exchanged, or brought from another file."""
    found = list(places(data))
    if not found:
        return
    holder, key = rng.choice(found)
    kind = rng.random()
    if kind < 0.3:
        holder[key] = deepcopy(rng.choice(VALUES))
    elif kind < 0.5:
        holder[key] = grown(rng, words(data), rng.randint(1, 4))
    elif kind < 0.6:
        del holder[key]
    elif kind < 0.7:
        other, at = rng.choice(found)
        if isinstance(other, (dict, list)) and (at in other if isinstance(other, dict) else at < len(other)):
            holder[key] = deepcopy(other[at])
    elif kind < 0.8 and isinstance(holder, dict):
        holder[rng.choice(KEYS)] = holder.pop(key) if rng.random() < 0.5 else deepcopy(holder[key])
    elif kind < 0.8:
        holder.insert(key, deepcopy(holder[key]))
    elif kind < 0.9:
        other, at = rng.choice(list(places(rng.choice(seeds()))))
        holder[key] = deepcopy(other[at])
    elif isinstance(holder[key], (int, float)) and not isinstance(holder[key], bool):
        holder[key] = holder[key] * rng.choice([-1, 0, 1e-300, 1e300, 1e9, 1e-9])
    else:
        holder[key] = rng.choice([[holder[key]], {rng.choice(KEYS): holder[key]}, str(holder[key])])


def scrambled(content: bytes, rng: random.Random) -> bytes:
    """Bytes changed, away, twice or moved, and a token where none belongs."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, length = rng.randrange(len(found) + 1), rng.choice((1, 1, 3, 20))
        kind = rng.random()
        if kind < 0.2:
            found[at : at + length] = b""
        elif kind < 0.4:
            found[at:at] = bytes(rng.randrange(256) for _ in range(length))
        elif kind < 0.55:
            found[at:at] = found[at : at + 10 * length]
        elif kind < 0.75:
            start = rng.randrange(len(found) + 1)
            found[at:at] = found[start : start + length]
        else:
            found[at:at] = rng.choice(TOKENS).encode()
    return bytes(found)


def draw(rng: random.Random) -> bytes:
    data = deepcopy(rng.choice(seeds()))
    kind = rng.random()
    for _ in range(rng.choice((1, 1, 1, 2, 4)) if kind < 0.85 else 0):
        (exchange if rng.random() < 0.6 else change)(data, rng)
    if rng.random() < 0.5:
        text = json.dumps(data)  # YAML as well
    else:
        text = yaml.dump(data, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False)
    content = text.encode("utf-8", "replace")
    return content if kind < 0.8 else scrambled(content, rng)


def loaded(content: bytes, ending: str) -> cd.System:
    """By the way that files take, from a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"fuzzed{ending}"
        path.write_bytes(content)
        system = cd.load(path)
        assert system.model is not None  # formed when it is asked for
        return system


MODELS = Kind(
    "model files", "YAML changed as data and as bytes", ".yaml", draw, lambda content: loaded(content, ".yaml")
)
