"""All kinds of cases that the soak draws from, in the order of its table."""

from __future__ import annotations

from tools.soak.closed_forms import BILLIARDS, DRIVES, RUBS
from tools.soak.counting import COUNTS
from tools.soak.identities import IDENTITIES
from tools.soak.judging import Family
from tools.soak.loops import LOOPS
from tools.soak.trees import TREES

FAMILIES: tuple[Family, ...] = (TREES, LOOPS, BILLIARDS, RUBS, DRIVES, COUNTS, *IDENTITIES)
