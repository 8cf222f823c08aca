"""All kinds of cases that the soak draws from, in the order of its table."""

from __future__ import annotations

from tools.soak.blades import BLADES
from tools.soak.chains import CHAINS
from tools.soak.closed_forms import BILLIARDS, DRIVES, RUBS
from tools.soak.contacts import BOUNCES, SLOPES
from tools.soak.counting import COUNTED_LOOPS, COUNTS
from tools.soak.held_trees import RUBBED, STOPPED
from tools.soak.identities import IDENTITIES
from tools.soak.judging import Family
from tools.soak.loops import LOOPS, MOVING_LOOPS
from tools.soak.rolling import BALLS, DISCS
from tools.soak.sameness import SAMENESS
from tools.soak.trees import TREES

MOTIONS = (TREES, CHAINS, LOOPS, MOVING_LOOPS, BLADES, BALLS, DISCS)
STOPPED_AND_DRIVEN = (BILLIARDS, BOUNCES, RUBS, SLOPES, RUBBED, STOPPED, DRIVES)

FAMILIES: tuple[Family, ...] = (*MOTIONS, *STOPPED_AND_DRIVEN, COUNTS, COUNTED_LOOPS, *IDENTITIES, *SAMENESS)
