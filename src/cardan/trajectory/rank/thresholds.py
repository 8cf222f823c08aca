"""Every threshold of the road through a loss of rank, in the order in which a motion meets them, with its reason.

The *level* is a last pivot of the constraint rows, scaled and orthogonalised in the metric of M, in units of what is
typical for it around the start; kappa is the smallest singular value of the same rows. Both are 1 where nothing is
singular and 0 where rank is lost, whatever the units of the model. None of the numbers below has a unit.
"""

from __future__ import annotations

# --- window: where passages take over from ordinary steps ---------------------------------------------

WINDOW = 0.2  # the level below which passages carry the motion: errors of ordinary steps grow with its inverse
ALREADY = 1.001  # of the level: as near as this counts as inside
REFUSED = 0.3  # of the level: an ordinary step that comes as near as this is made shorter
OUTSIDE = 1.05  # of the level: a resolved motion is watched again from here on
RETURNS = 20  # of fixed steps into the window, after which they are no longer watched: they are too long for it
FRICTION_ENDS = 0.1  # the level below which a run with solved friction ends; its steps see no less
INVOLVED = 0.1  # share in the dependence of the rows from which on one of them is named

# --- passage: one piece of motion across the window ---------------------------------------------------

MARGIN = 1.15  # a passage aims this far beyond the level, so that it ends outside
LONGEST = 0.4  # of the time in which some coordinate changes by its typical size
SHORTEST = 1e-12  # of the time at which it begins: no passage
BEFORE, BEHIND = 0.6, 1.6  # of the time until the singular configuration: no passage ends between
SMALLEST = 1e-2  # of the typical sizes: displacements are not measured by less
FINEST = 1e-12  # relative accuracy beyond which rounding, divided by the distance to the singular point, shows
LOUD = 1e3  # tolerances by which rounding at nodes near the singular configuration may change the end
TOO_NEAR = 1e-7  # a node as near as this to the singular configuration, relative to the others, is moved
AT_START = 1e-6  # of the level: as near as this the motion starts where rank is lost
CREPT = 0.5  # of the level where passages began: as near as this to a loss of rank that they did not cross, they creep
TOLD_APART = 1e-3  # of the level: nearer than this rounding, 1e-16 / x^2, shows in the direction of velocities
EXACT = 1e-13  # unfolding parameter, relative to the size of the system, that rounding leaves in exact geometry
SAME_PLACE = 1e-2  # of the largest typical size: configurations as near as this are one
SHORT = 0.1  # of the time until a singular configuration: over which what is driven is compared with itself

# --- decision: how a motion goes on from a state where rank is lost ------------------------------------

PLAIN = 1e-2  # of the level: farther away than this no singular values are needed to tell that rank is not lost
DECIDED = 1e-6  # kappa up to which a state is singular where decisions are made: round-off of its time
SLOWEST = 1e-2  # of the speeds that forces give: slower motions are compared with this, so that rounding does not leave
CREEPING = 1e-4  # of the same: slower than this rounding has turned the velocity off its branch
LEAVING = 1e-7  # kappa, or its rate in units of the motion's, at which a motion has left where rank is lost

# --- record: what is told of it ------------------------------------------------------------------------

LOST = 1e-6  # of the largest pivot on the passage: a smallest pivot below it is a loss of rank, above it a near miss
BOTTOM = 1e-13  # of the same: nearer to zero than this the bottom is not looked for
SAME_TIME = 1e-6  # of a passage: losses as near in time as this are one
DIP = 0.6  # of the values beside it: as low as this the pivot, over the distance from a loss of rank, shows another one
ANOTHER = 1e-3  # of the same: as low as this it is another one
AT_CROSSING = 1e-6  # kappa up to which the state at a located crossing counts as singular: round-off of its time
MOST_FREEDOMS = 12  # beyond as many first-order freedoms branches are listed only by s.branches(q)
DIVERGENT = 1e-6  # share of the force that the lost rows carry, above which multipliers are said to diverge
POLE = 1e-6  # of the largest lam (t - t*): below it the pole is absent
AT_POLE = 1e-9  # of the window: as near as this to t* a multiplier with a pole has no value
