"""Which parameters matter: Sobol indices and Morris screening, by SALib, over the rows of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.errors import ModelError, StoreError
from cardan.native.showing import Shown
from cardan.studies.extras import needed
from cardan.studies.sampling import Sampling, Table
from cardan.studies.study import Study

Vector = NDArray[np.float64]
METHODS = ("sobol", "morris")


@dataclass(frozen=True)
class Given(Sampling):
    """Rows that somebody else has drawn."""

    table: Table

    def rows(self, names: Sequence[str], given: Sequence[Any]) -> tuple[Table, tuple[int, ...]]:
        return self.table, (len(self.table),)


@dataclass(frozen=True)
class Sensitivity(Shown):
    """What each name contributes. Sobol: ``first`` order and ``total`` shares of the variance, with half-widths of
    their 95 % intervals; Morris: mean size of the effects as ``total``, their spread as ``first``."""

    method: str
    names: tuple[str, ...]
    first: Vector
    total: Vector
    first_errors: Vector
    total_errors: Vector
    study: Study

    def __str__(self) -> str:
        words = ("first", "total") if self.method == "sobol" else ("spread", "mean effect")
        head = f"{'':20}{words[0]:>12}{words[1]:>12}"
        return "\n".join(
            [head, *(f"{n:20}{a:12.4f}{b:12.4f}" for n, a, b in zip(self.names, self.first, self.total, strict=True))]
        )


def sensitivity(
    sweep: Callable[..., Study], ranges: Mapping[tuple[str, str], tuple[float, float]], output: str, method: str,
    count: int, rng: int,
) -> Sensitivity:  # fmt: skip
    """Indices of one output over ranges of names; ``sweep`` runs a table of rows."""
    if method not in METHODS:
        raise ModelError(f"method={method!r} is unknown. It is 'sobol' or 'morris'.", method=method)
    names = [name for _, name in ranges]
    problem = {"num_vars": len(names), "names": names, "bounds": [list(map(float, one)) for one in ranges.values()]}
    draw = needed(f"SALib.sample.{method}", "sensitivity", "Sensitivity")
    judge = needed(f"SALib.analyze.{method}", "sensitivity", "Sensitivity")
    options = {"calc_second_order": False, "seed": rng} if method == "sobol" else {"num_levels": 4, "seed": rng}
    table = np.asarray(draw.sample(problem, count, **options), dtype=float)
    study = sweep(Given(table))
    values = study[output].ravel()
    if not np.isfinite(values).all():
        raise StoreError(
            f"{int((~np.isfinite(values)).sum())} of {len(values)} rows have no {output!r}; indices need all of them. "
            "study.failures() says why.",
            failures=study.failures(),
        )
    if method == "sobol":
        found = judge.analyze(problem, values, calc_second_order=False, seed=rng)
        parts = (found["S1"], found["ST"], found["S1_conf"], found["ST_conf"])
    else:
        found = judge.analyze(problem, table, values, num_levels=4, seed=rng)
        parts = (found["sigma"], found["mu_star"], np.zeros(len(names)), found["mu_star_conf"])
    first, total, first_errors, total_errors = (np.asarray(one, dtype=float) for one in parts)
    return Sensitivity(method, tuple(names), first, total, first_errors, total_errors, study)
