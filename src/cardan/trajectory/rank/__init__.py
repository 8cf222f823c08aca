"""Motions through configurations where constraints lose rank. One idea in four words:

window      ``window.py``    around a loss of rank, where ordinary steps lose digits; ``modes.py`` the models inside and
                             outside of it, ``guard.py`` who watches its edge
passage     ``passage.py``   one piece of motion across the window, through the singular configuration;
                             ``slow.py`` the same for motions too slow for it, ``locating.py`` when rank was lost on it
decision    ``choice.py``    how a motion goes on from a state where rank is lost: which branch, by which rule;
                             ``numbers.py`` and ``extension.py`` hold the ranks and rates it is decided by
record      ``records.py``   what is told of it; ``limits.py`` multipliers and accelerations at the instant itself

``thresholds.py`` holds every number with its reason, ``edge.py`` ends runs that cannot be carried across. The law is in
docs/theory/rank-changes.md; the linear algebra of ranks, branches and unfoldings is in cardan.singular.
"""
