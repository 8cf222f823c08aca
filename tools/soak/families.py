"""All kinds of cases that the soak draws from, in the order of its table."""

from __future__ import annotations

from tools.soak.blades import BLADES
from tools.soak.closed_forms import BILLIARDS, DRIVES, RUBS
from tools.soak.contacts import BOUNCES, SLOPES
from tools.soak.counting import COUNTS
from tools.soak.identities import IDENTITIES
from tools.soak.judging import Family
from tools.soak.loops import LOOPS
from tools.soak.rolling import BALLS, DISCS
from tools.soak.sameness import SAMENESS
from tools.soak.trees import TREES

FAMILIES: tuple[Family, ...] = (
    TREES, LOOPS, BLADES, BALLS, DISCS, BILLIARDS, BOUNCES, RUBS, SLOPES, DRIVES, COUNTS, *IDENTITIES, *SAMENESS,
)  # fmt: skip
