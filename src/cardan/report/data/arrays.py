"""Numbers as a page reads them: shape and base64 of little-endian bytes, and texts without surprises."""

from __future__ import annotations

import base64
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.report.data.entries import Packed

KINDS = {"f32": "<f4", "f64": "<f8"}


def packed(values: ArrayLike, kind: Literal["f32", "f64"] = "f32") -> Packed:
    """An array in the form of a page: {"shape": [...], "f32": base64}; "f64" keeps every digit."""
    array = np.asarray(values)
    text = base64.b64encode(np.ascontiguousarray(array, dtype=KINDS[kind]).tobytes()).decode("ascii")
    shape = list(array.shape)
    return {"shape": shape, "f64": text} if kind == "f64" else {"shape": shape, "f32": text}


def unpacked(form: Packed) -> NDArray[np.float64]:
    """The array of such a form."""
    kind, text = ("f64", form["f64"]) if "f64" in form else ("f32", form["f32"])
    numbers = np.frombuffer(base64.b64decode(text), dtype=KINDS[kind])
    return numbers.reshape(form["shape"]).astype(float)


def numbers(values: ArrayLike) -> list[float]:
    """A short vector as plain numbers, -0 as 0."""
    return [float(x) + 0.0 for x in np.asarray(values, dtype=float).ravel()]


def shown(value: object) -> str:
    """Any fact in a few digits, for a table."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return f"{float(value) + 0.0:.6g}"
    if isinstance(value, np.ndarray):
        return shown(value.tolist())
    if isinstance(value, dict):
        return "; ".join(f"{key}: {shown(one)}" for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(one) for one in value)
    return str(value)
