"""Numbers in text, as files write them: decimal digits of ASCII, and nothing that only Python takes for a number."""

from __future__ import annotations

import re

DECIMAL = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,6})?")


def decimal(text: str) -> float:
    """The number, or ValueError: 1_0, digits of other scripts, nan and hexadecimal numbers are none."""
    if DECIMAL.fullmatch(text) is None:
        raise ValueError(f"{text[:40]!r} is no decimal number")
    return float(text)
