"""Motions through configurations where constraints lose rank. One idea in four words:

window      ``window.py``    around a loss of rank, where ordinary steps lose digits; ``modes.py`` the models inside and
                             outside of it, ``guard.py`` who watches its edge
passage     ``passage.py``   one piece of motion across the window, through the singular configuration;
                             ``slow.py`` the same for motions too slow for it, ``locating.py`` when rank was lost on it
decision    ``closure.py``   what the lost rows forbid just before and after, ``states.py`` how a motion can go on from
                             there, ``branches.py`` along which branches, ``unfolding.py`` whether they truly meet,
                             ``choice.py`` which one is taken and by which rule; ``numbers.py`` and ``extension.py`` ask
                             the kernels for what is decided on
record      ``records.py``   what is told of it; ``limits.py`` multipliers and accelerations at the instant itself

``thresholds.py`` holds every number with its reason, ``edge.py`` ends runs that cannot be carried on,
``through.py`` answers ``s.branches``. The law is in docs/theory/rank-changes.md.
"""
