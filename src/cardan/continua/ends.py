"""What holds a continuum at a place: at its ends, or between two of its spans.

A place has one freedom (string, rod, shaft: u) or two (beam: deflection w and rotation phi). Each freedom is held, or
is free and carries a spring and a mass. Everything usual is a word or a few of them: "clamped" holds both freedoms,
``{"mass": 2.0, "spring": 30.0}`` is a free end with a mass on a spring.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from cardan.errors import ModelError, unknown

Given = str | Mapping[str, object]  # how a user says an end

WAVE_SUPPORTS = {"fixed": (True,), "free": (False,)}
GAS_SUPPORTS = {"closed": (True,), "open": (False,)}
BEAM_SUPPORTS = {
    "clamped": (True, True),
    "pinned": (True, False),
    "sliding": (False, True),
    "free": (False, False),
}
FORCE_WORDS = {"spring": (0, "spring"), "mass": (0, "mass")}
TWIST_WORDS = {"spring": (0, "spring"), "inertia": (0, "mass")}
BEAM_WORDS = {
    **FORCE_WORDS,
    "rotational_spring": (1, "spring"),
    "inertia": (1, "mass"),
}
DAMPED = ("damper", "rotational_damper", "damping")


@dataclass(frozen=True)
class Freedom:
    """One freedom of a place: held, or with a spring (stiffness to the ground) and a mass or inertia."""

    held: bool
    spring: float = 0.0
    mass: float = 0.0


Place = tuple[Freedom, ...]


@dataclass(frozen=True)
class Vocabulary:
    """The words for places of one kind of continuum."""

    supports: Mapping[str, tuple[bool, ...]]
    attachments: Mapping[str, tuple[int, str]]  # to which freedom, and as what

    def place(self, given: Given, where: str) -> Place:
        """The place that a user described; ``where`` names it in messages."""
        words = {"support": given} if isinstance(given, str) else dict(given)
        support = words.pop("support", "free" if "free" in self.supports else "open")
        if not isinstance(support, str) or support not in self.supports:
            raise unknown(support, self.supports, f"support of the {where}")
        values = {word: self._attached(word, amount, where) for word, amount in words.items()}
        return tuple(
            self._freedom(
                held, support, where, {word: x for word, x in values.items() if self.attachments[word][0] == k}
            )
            for k, held in enumerate(self.supports[support])
        )

    def _freedom(self, held: bool, support: str, where: str, values: Mapping[str, float]) -> Freedom:
        if held and any(values.values()):
            word = next(word for word, amount in values.items() if amount)
            raise ModelError(
                f"The {where} is {support}, so a {word} there ({values[word]:g}) never moves. "
                "Leave it out, or free the end.",
                support=support,
                attachment=word,
            )
        return Freedom(held, **{self.attachments[word][1]: amount for word, amount in values.items()})

    def _attached(self, word: str, amount: object, where: str) -> float:
        if word in DAMPED:
            raise ModelError(
                f"A {word} at the {where} makes modes complex, and only real ones are computed here. Leave it out; for "
                "a damped motion put the finite-element matrices into an integrator of your own.",
                attachment=word,
            )
        if word not in self.attachments:
            raise unknown(word, ["support", *self.attachments], f"word for the {where}")
        return not_negative(amount, f"The {word} at the {where}")


WAVE = Vocabulary(WAVE_SUPPORTS, FORCE_WORDS)
GAS = Vocabulary(GAS_SUPPORTS, FORCE_WORDS)
TWIST = Vocabulary(WAVE_SUPPORTS, TWIST_WORDS)
BEAM = Vocabulary(BEAM_SUPPORTS, BEAM_WORDS)


def number(value: object, what: str) -> float:
    """A finite number, or an error that names it."""
    try:
        amount = float(value)  # type: ignore[arg-type]  # what is no number is refused here
    except (TypeError, ValueError):
        raise ModelError(f"{what} is {value!r}; give a number.", value=value) from None
    if not isfinite(amount):
        raise ModelError(f"{what} is {amount}; give a finite number.", value=amount)
    return amount


def positive(value: object, what: str) -> float:
    """A number above zero."""
    amount = number(value, what)
    if amount <= 0:
        raise ModelError(f"{what} is {amount:g}; give a positive number.", value=amount)
    return amount


def not_negative(value: object, what: str) -> float:
    """A number that is zero or more."""
    amount = number(value, what)
    if amount < 0:
        raise ModelError(f"{what} is {amount:g}; give zero or a positive number.", value=amount)
    return amount
