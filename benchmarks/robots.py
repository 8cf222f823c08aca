"""Robots: one evaluation, one step and one start beside Pinocchio, its generated code, MuJoCo and Drake."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks import robots_models as models
from benchmarks.job import NotMeasured, measured
from benchmarks.table import Section, Target, seconds, table

JOBS, TREES = "benchmarks.robots_jobs", "benchmarks.robots_trees"
LABELS = {
    "aba": "forward dynamics (ABA)", "rnea": "inverse dynamics (RNEA)", "crba": "mass matrix (CRBA)",
    "all_terms": "all terms", "aba_derivatives": "derivatives of forward dynamics",
    "rnea_derivatives": "derivatives of inverse dynamics",
}  # fmt: skip
WANTED = {"panda": (6, 25), "ur5": (6, 25), "solo12": (3, 10), "talos": (3, 10)}
WRITTEN_OUT = {"panda": ("aba", "rnea", "crba", "aba_derivatives"), "ur5": ("aba", "rnea", "crba", "aba_derivatives"),
               "solo12": ("aba", "rnea", "crba"), "talos": ("aba",)}  # fmt: skip
STEPPED = {"double pendulum": (40, 150), "10-hinge chain": (5, 18), "panda": (5, 18)}
SIZES = (1, 10, 50, 200, 1000, 2000)
NO_CACHE = {"CARDAN_CACHE": "0"}

Found = dict[str, Any]


def get(job: str, *arguments: Any, **environment: str) -> Found | str:
    """What a job returned, or why it did not."""
    try:
        return measured(job, *arguments, **environment)
    except NotMeasured as why:
        return str(why)


def run() -> Section:
    section = Section(
        "Robots",
        """
Robots of example-robot-data (the panda with its fingers held; solo12 and talos float) and trees of hinges, the same
files and numbers in every tool ([robots_models.py](robots_models.py)). Dampers, friction and limits are left out. Best
of many short blocks of CPU time over 64 states (batches: 1024 rows on one core, per row). Cardan's kernels and the code
that CasADi writes for Pinocchio's algorithms (gcc -O3 -march=native) are called in loops of machine code, Pinocchio's
own functions in a loop of C++ linked to the kernels of its wheel, each convention tried and the quicker one counted;
MuJoCo (`mj_forward`, which makes all terms and the accelerations) and Drake (state set before each) from Python.""",
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with ThreadPoolExecutor(2) as pool:  # compilers, minutes each; nothing is measured meanwhile
            programs = pool.map(lambda job: _built(section, job, folder), ("build_pinocchio", "build_casadi"))
        binary, writer = programs
        peak = get(f"{JOBS}:fma_peak")
        for name in models.ROBOTS:
            _add_robot(section, name, (binary, writer), peak)
        _add_ready(section)
        _add_steps(section)
        _add_trees(section, binary)
    return section


# --- one evaluation ---------------------------------------------------------------------------------


def _built(section: Section, job: str, folder: str) -> str:
    """The program that a job built; empty where it could not."""
    built = get(f"{JOBS}:{job}", folder, BENCHMARK_LIMIT="400")
    if isinstance(built, str):
        section.tables.append(f"{job}: {built}")
        return ""
    return str(built["binary"])


def _add_robot(section: Section, name: str, programs: tuple[str, str], peak: Found | str) -> None:
    binary, writer = programs
    own = get(f"{JOBS}:cardan", name)
    if isinstance(own, str):
        section.tables.append(f"{name}: Cardan {own}")
        return
    cpp = get(f"{JOBS}:pinocchio", name, binary) if binary else "not built"
    others = {tool: get(f"{JOBS}:{tool}", name) for tool in ("mujoco", "drake")}
    written = {one: get(f"{JOBS}:generated", name, one, writer) for one in WRITTEN_OUT[name]} if writer else {}
    rows = []
    best = _quicker(cpp)
    for label, words in LABELS.items():
        rows.append([
            words, _time(own["scalar"].get(label)), _time(own["batch"].get(label)), _time(best.get(label)),
            _written(written.get(label)), *(_of(one, label) for one in others.values()),
        ])  # fmt: skip
    head = [f"**{name}**, {own['nv']} freedoms", "Cardan", "Cardan, batch", "Pinocchio C++", "generated, gcc -O3",
            "MuJoCo", "Drake"]  # fmt: skip
    apart = get(f"{JOBS}:agreement", name)
    share = ""
    if not isinstance(peak, str):
        done = own["operations"] / own["batch"]["aba"] / peak["peak"]
        share = f" A batch of forward dynamics runs at {done:.0%} of the {peak['peak'] / 1e9:.0f} Gflop/s of the peak."
    told = apart if isinstance(apart, str) else f"Accelerations agree with Pinocchio to {apart['apart']:.0e}."
    call = f"A bound call of forward dynamics from Python takes {seconds(own['bound'])}."
    section.tables += [table(head, rows), f"{told} {call}{share}"]
    _add_targets(section, name, own, best, written, peak)


def _add_targets(section: Section, name: str, own: Found, best: Found, written: Found, peak: Found | str) -> None:
    one, many = WANTED[name]
    pairs = [("ABA", "aba", one, many), ("derivatives of forward dynamics", "aba_derivatives", 3, 10)]
    for words, label, scalar, batch in pairs:
        for how, kind, wanted in (("", "scalar", scalar), (", batch", "batch", batch)):
            mine, theirs = own[kind].get(label), best.get(label)
            ratio = theirs / mine if mine and theirs else None
            section.targets.append(Target(f"{name}: {words}{how}, Pinocchio C++ takes", ratio, wanted))
    made = written.get("aba")
    for how, kind, wanted in (("", "scalar", 1.3), (", batch", "batch", 5)):
        ratio = None if made is None or isinstance(made, str) else made["seconds"] / own[kind]["aba"]
        section.targets.append(Target(f"{name}: ABA{how}, generated code takes", ratio, wanted))
    above = own["bound"] - own["scalar"]["aba"]
    section.targets.append(Target(f"{name}: a bound call above the kernel", above * 1e6, 1.5, " µs", at_most=True))
    if not isinstance(peak, str):
        share = own["operations"] / own["batch"]["aba"] / peak["peak"] * 100
        section.targets.append(Target(f"{name}: ABA in batches, share of the peak of fused products", share, 50, " %"))


def _quicker(cpp: Found | str) -> Found:
    """The quicker convention of each function."""
    if isinstance(cpp, str):
        return {}
    return {name: min(value, cpp.get(f"{name}_local", value)) for name, value in cpp.items()}


def _time(value: float | None) -> str:
    return "-" if value is None else seconds(value)


def _written(found: Found | str | None) -> str:
    if found is None or isinstance(found, str):
        return found or "-"
    return seconds(found["seconds"])


def _of(found: Found | str, label: str) -> str:
    return (found[:40] if label == "aba" else "-") if isinstance(found, str) else _time(found.get(label))


# --- being ready ------------------------------------------------------------------------------------


def _add_ready(section: Section) -> None:
    rows = []
    for name, wanted in (("panda", 0.15), ("ur5", None), ("solo12", None), ("talos", 1.0)):
        found = get(f"{TREES}:ready_from_file", name)
        if isinstance(found, str):
            rows.append([name, found, "-", "-"])
            continue
        rows.append([name, *(seconds(found[key]) for key in ("parsing", "cold", "warm"))])
        if wanted:
            text = f"{name}: ready from a parsed file"
            section.targets.append(Target(text, found["cold"], wanted, " s", at_most=True))
            section.targets.append(Target(f"{text}, from the cache", found["warm"], 0.1, " s", at_most=True))
    head = [
        "from a file to the first acceleration",
        "reading the file",
        "then, nothing in the cache",
        "then, from the cache",
    ]
    section.tables.append(table(head, rows))


def _add_steps(section: Section) -> None:
    rows = []
    for name, (one, many) in STEPPED.items():
        found = get(f"{TREES}:rk4", name)
        if isinstance(found, str):
            rows.append([name, found, "-", "-", "-"])
            continue
        scaling = found["wall1"] / found["wall2"]
        rows.append(
            [name, *(f"{found[key] / 1e6:.3g} million" for key in ("mujoco", "one", "many")), f"{scaling:.2f}x"]
        )
        text = f"{name}: RK4 steps per CPU second, relative to MuJoCo's loop in C"
        section.targets.append(Target(text, found["one"] / found["mujoco"], one))
        section.targets.append(Target(f"{text}, batch", found["many"] / found["mujoco"], many))
    head = [
        "RK4 steps per CPU second",
        "MuJoCo, loop in C",
        "Cardan, one motion",
        "Cardan, batch",
        "two threads, by the clock",
    ]
    section.tables.append(table(head, rows))


def _add_trees(section: Section, binary: str) -> None:
    for kind in models.TREES:
        rows, ready = [], dict[int, float]()
        for n in SIZES:
            own = get(f"{TREES}:cardan", kind, n, **NO_CACHE)
            other = get(f"{TREES}:pinocchio", kind, n, binary) if binary and n <= 200 else "-"  # minutes beyond
            third = get(f"{TREES}:mujoco", kind, n)
            cells = [cell for found in (own, other, third) for cell in _ready(found)]
            rows.append([str(n), *cells, _agree(own, other, third)])
            if not isinstance(own, str):
                ready[n] = own["ready"]
        head = [
            f"{kind} of n bodies: ready, then one acceleration",
            "Cardan",
            "",
            "Pinocchio",
            "",
            "MuJoCo",
            "",
            "apart",
        ]
        section.tables.append(table(head, rows))
        for n, wanted in ((200, 1.0), (1000, 5.0)):
            section.targets.append(Target(f"{kind} of {n} bodies ready", ready.get(n), wanted, " s", at_most=True))
        if 200 in ready and 2000 in ready:
            import math

            slope = math.log(ready[2000] / ready[200]) / math.log(10)
            section.targets.append(
                Target(f"{kind}: exponent of time to ready from 200 to 2000", slope, 1.1, "", at_most=True)
            )


def _ready(found: Found | str) -> list[str]:
    return [found[:40], "-"] if isinstance(found, str) else [seconds(found["ready"]), seconds(found["per_call"])]


def _agree(*found: Found | str) -> str:
    norms = [one["norm"] for one in found if not isinstance(one, str)]
    return f"{(max(norms) - min(norms)) / max(norms):.0e}" if len(norms) > 1 else "-"


if __name__ == "__main__":
    print(run())
