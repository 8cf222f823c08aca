"""Expressions: characters, tokens and grammar at random, and valid ones with a few tokens exchanged."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import sympy as sp

from cardan.formats.expressions import function_names, parse
from cardan.model.frames import Frame
from tools.fuzz.judging import Kind

NAMES: dict[str, Any] = {name: sp.Symbol(name, real=True) for name in ("x", "m", "l", "theta")}
NAMES |= {"theta.dot": sp.Symbol("theta_dot", real=True), "t": sp.Symbol("t", real=True)}
WORLD = Frame("world", None)
NAMES |= {f"world.{axis}": getattr(WORLD, axis) for axis in "xyz"}

FUNCTIONS = sorted(function_names())
NUMBERS = ["1", "2", "0", "0.5", "1e9", "1e-9", "1e308", "1e-308", "1e400", "99999999999999999999", "-1", "0.0", "1/3"]
PIECES = [
    *NAMES, *FUNCTIONS, *(f"{name}(" for name in FUNCTIONS), *"+-*/(),.<>", "**", "<=", ">=", "(", ")", "1", "2", "0",
    "0.5", "1e9", "1e-9", "1e400", "99999999999999999999", "-1", "**2", "**-1", "**0.5", "__import__", "eval", "exec",
    "lambda", "import", "os", "system", ".__class__", "[", "]", "{", "}", "'id'", '"', ";", ":", "=", ":=", "@", "\\",
    "if", "else", "for", "in", "\n", "\t", " ", "\x00", "\u03b1", "#", "%", "^", "!", "nan", "oo", "I", "E", "pi",
]  # fmt: skip
CHARACTERS = "xml theta0123456789.+-*/()**,sincoe_[]{}'\"=:lambda<>\n"
VALID = [
    "m*l**2*theta.dot**2/2 - m*9.81*l*(1 - cos(theta))",
    "where(x < 1, sin(t)/(1 + x**2), max(x, m, 0.5))",
    "-x*world.z + cross(world.x, l*world.y)/2",
    "sqrt(x**2 + m**2)*exp(-t/2) + atan2(x, m) - abs(x)*sign(m) + floor(t)",
    "dot(world.x, world.y + 2*world.x) + tanh(x)*log(2) + asin(0.5) + min(x, 1)",
]


def grown(rng: random.Random, names: Sequence[str], depth: int) -> str:
    """An expression by the grammar, of these names: mostly one that has a meaning."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(names) if names and rng.random() < 0.7 else rng.choice(NUMBERS)
    kind = rng.random()
    if kind < 0.45:
        return f"{grown(rng, names, depth - 1)}{rng.choice('+-*/')}{grown(rng, names, depth - 1)}"
    if kind < 0.6:
        return f"({grown(rng, names, depth - 1)})**{rng.choice(['2', '-1', '0.5', '3', '(1/2)', '-2', 'x', '60'])}"
    if kind < 0.7:
        a, b = grown(rng, names, depth - 1), grown(rng, names, depth - 1)
        operator = rng.choice(["<", "<=", ">", ">="])
        return f"where({a} {operator} {b}, {grown(rng, names, depth - 1)}, {grown(rng, names, depth - 1)})"
    function = rng.choice(FUNCTIONS)
    count = 2 if function in ("atan2", "min", "max", "dot", "cross") else 1
    return f"{function}({', '.join(grown(rng, names, depth - 1) for _ in range(count))})"


def expression(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.2:
        return "".join(rng.choice(CHARACTERS) for _ in range(rng.randint(1, 40)))
    if kind < 0.5:
        return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 25)))
    if kind < 0.75:
        return grown(rng, list(NAMES), rng.randint(1, 5))
    text = list(rng.choice(VALID))
    for _ in range(rng.randint(0, 4)):
        at = rng.randrange(len(text))
        text[at : at + rng.randint(0, 3)] = rng.choice(PIECES)
    return "".join(text)


EXPRESSIONS = Kind(
    "expressions",
    "characters, tokens and grammar at random",
    ".txt",
    lambda rng: expression(rng).encode(),
    lambda content: parse(content.decode(), NAMES),
)
