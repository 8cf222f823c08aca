"""What a diagnosis says of random trees: regular where everything is generic, and ranks as NumPy counts them."""

from __future__ import annotations

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from support.build_models import build
from support.close import assert_close
from support.random_constraints import Rows, draw_constrained, settle
from support.random_models import draw, draw_kinds

DRAWING = (Phase.explicit, Phase.generate)  # a smaller seed is no simpler tree, so nothing is gained by shrinking
seeds = st.integers(0, 2**32 - 1)
counts = st.integers(2, 4)


@settings(max_examples=4, phases=DRAWING)
@given(seed=seeds, count=counts)
def test_generic_configurations_of_trees_are_regular(seed: int, count: int) -> None:
    """Trees whose bodies all have mass and inertia; loads in general directions reach a part between 0 and 1."""
    plan = draw(seed, draw_kinds(seed, count))
    s = build(plan)
    d = s.diagnose(plan.q, plan.v, plan.t)
    assert not {"coordinate-singularity", "constraint-degeneracy", "boundary"} & d.kinds, str(d)
    assert d.basis_rank == d.velocity_dof == d.configuration_dof == len(plan.v)
    for name, value in d.indicators.items():
        assert 0.0 <= value <= 1.0 + 1e-12, name


@settings(max_examples=4, phases=DRAWING)
@given(seed=seeds, count=counts, redundant=st.booleans())
def test_generic_constrained_trees_count_ranks_and_redundancies(seed: int, count: int, redundant: bool) -> None:
    """Against the singular values of rows formed from poses alone; a constraint said twice is redundant everywhere."""
    c = draw_constrained(seed, count, redundant=redundant)
    settle(c, seed)
    plan = c.plan
    d = c.system.diagnose(plan.q, plan.v, plan.t)
    A = Rows(c).A
    rank = np.linalg.matrix_rank(A, tol=1e-6)
    assert (d.constraint_rank, d.generic_rank) == (rank, rank), str(d)
    assert d.velocity_dof == len(plan.v) - rank
    assert d.redundant.local_count == 0
    assert (d.redundant.permanent_count > 0) == redundant
    unique = [one.unique for one in d.reactions.values()]
    assert all(unique) != redundant


@settings(max_examples=3, phases=DRAWING)
@given(seed=seeds, count=counts, factor=st.sampled_from([1e-9, 1e9]))
def test_indicators_do_not_depend_on_the_unit_of_mass(seed: int, count: int, factor: float) -> None:
    """Masses and inertias times a factor: kappa_a and all eta_b are the same."""
    plan = draw(seed, draw_kinds(seed, count), conservative=True, lines=0)
    before = build(plan).diagnose(plan.q).indicators
    for k, body in enumerate(plan.bodies):
        plan.bodies[k] = type(body)(
            **{**vars(body), "mass": factor * body.mass, "inertia": factor * np.array(body.inertia)}
        )
    after = build(plan).diagnose(plan.q).indicators
    for name, value in before.items():
        assert_close(after[name], value, within=1e-9, because="round-off of products and one singular value each")
