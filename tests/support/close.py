"""The one comparison of the test suite: every tolerance states its reason."""

from __future__ import annotations

from typing import Any

import numpy as np

EPS = float(np.finfo(float).eps)


def assert_close(actual: Any, expected: Any, *, within: float, because: str) -> None:
    """Fail unless the largest absolute difference is at most ``within``; ``because`` says why that much is allowed."""
    difference = np.abs(np.subtract(np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)))
    error = float(np.max(difference, initial=0.0))
    assert error <= within, f"off by {error:.1e}, allowed {within:.1e}: {because}"


def relative_error(actual: Any, expected: Any) -> float:
    """Largest difference divided by the largest expected magnitude (or 1 where everything expected is tiny)."""
    a, b = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    size = float(np.max(np.abs(b), initial=0.0))
    return float(np.max(np.abs(a - b), initial=0.0)) / (size if size > 0 else 1.0)
