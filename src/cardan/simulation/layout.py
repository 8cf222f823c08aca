"""What the native integrator loops and Python agree on: status codes and the meaning of array entries.

Arrays passed to every loop: ``size`` (counts that do not change), ``flags`` (directions and terminal marks of events,
then starts of quaternions), ``count`` (counters), ``control`` (time, step, tolerances), ``sign`` (event values),
``found`` (rows: event index, t, y), ``samples`` (rows: t, y), ``rows`` (rows: t, y, and what the interpolant needs).
"""

from __future__ import annotations

# Status of a loop. Positive values end the run, MORE asks to be called again; GO_ON stays inside it.
GO_ON = -1
MORE = 0
FINISHED = 1
TERMINAL = 2
UNDERFLOW = 3
NON_FINITE = 4
PIVOT_FAILED = 5
TOO_MANY_STEPS = 6
CALLBACK_FAILED = 7
NO_CONVERGENCE = 8
STIFF = 9
INTERRUPTED = 10  # set by Python between two calls

# size
N = 0  # length of y
N_EVENTS = 1
N_SAMPLES = 2
N_QUATERNIONS = 3
EVENT_CAPACITY = 4
INTERIOR = 5  # points inside a step where events are checked
CHUNK = 6  # steps tried before the loop returns to Python
MAX_STEPS = 7
WIDTH = 8  # of a row of states
NQ = 9
KEEP = 10  # 1: every accepted state is written to rows
WATCH_STIFFNESS = 11
ROWS = 12  # constraint rows
TAIL = 13  # where their scales begin in p
SIZES = 14

# count
ACCEPTED = 0
REJECTED = 1
EVALUATIONS = 2
PIVOT = 3  # index of the pivot that failed last
STORED = 4  # rows written in this chunk
NEXT_SAMPLE = 5
EVENTS = 6  # events written in this chunk
AFTER_REJECTION = 7
STARTED = 8
TROUBLE = 9  # why the last step was rejected, when not for accuracy
JACOBIANS = 10
FACTORISATIONS = 11
SUSPICIOUS = 12  # steps that looked stiff
CALM = 13  # steps since then that did not
FRESH = 14  # Radau: the Jacobian belongs to the current state
FACTORED = 15  # Radau: the factors belong to the current Jacobian and step
ITERATIONS = 16  # Newton iterations of the last step
COUNTS = 17

# control
T = 0
H = 1  # step to try next, signed
END = 2
RTOL = 3
H_MAX = 4
SMALLEST = 5  # smallest and largest accepted step
LARGEST = 6
THETA = 7  # of the terminal event, as a fraction of the step
SPAN = 8
ERROR_OLD = 9
H_OLD = 10
RATE = 11  # of convergence of the last Newton iterations
ORIGIN = 12  # time of the start, from which fixed steps are counted
CONTROLS = 13

# terminal marks in flags, after the directions
EXACT = 1  # the run ends at the crossing
ROUGH = 2  # or a little beside it

EPS = 2.220446049250313e-16
