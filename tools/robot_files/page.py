"""docs/robot-files.md, made from what became of every file."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from tools.robot_files.trying import AGREED, Outcome

PAGE = Path(__file__).parents[2] / "docs/robot-files.md"
KINDS = {"urdf": ("URDF", "Pinocchio"), "mjcf": ("MJCF", "MuJoCo"), "sdf": ("SDF", "Drake")}
QUANTITIES = ("M", "bias", "RNEA", "ABA", "acceleration", "Jacobian", "centroidal", "derivatives")

HEAD = """# Robot files

Made by `make robot-files`: every URDF, MJCF and SDF file of packages that can be installed by name is loaded as it is,
then with the options of [robots](robots.md#files-as-they-are); what loads is compared with the program that knows its
format best at 20 drawn states. Of a thousand objects of pybullet every tenth is read.
"""


def written(outcomes: Sequence[Outcome]) -> None:
    PAGE.write_text("\n".join(_lines(outcomes)) + "\n", encoding="utf-8")


def _lines(outcomes: Sequence[Outcome]) -> Iterable[str]:
    yield HEAD
    yield from _loading(outcomes)
    yield from _refused(outcomes)
    yield from _agreement(outcomes)
    yield from _one_by_one(outcomes)


def _loading(outcomes: Sequence[Outcome]) -> Iterable[str]:
    yield "## What loads\n"
    yield "| package | format | files | by default | with an option | refused | of these its own program loads |"
    yield "|---|---|---|---|---|---|---|"
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one["package"], one["kind"]].append(one)
        groups["**all**", one["kind"]].append(one)
    for (package, kind), group in sorted(groups.items(), key=lambda item: (item[0][0] == "**all**", item[0])):
        how = Counter("default" if one["how"] == "default" else "none" if _is_out(one) else "option" for one in group)
        wrong = sum(_is_out(one) and one["peer"].startswith("loads") for one in group)
        yield (
            f"| {package} | {KINDS[kind][0]} | {len(group)} | {how['default']} | {how['option']} | {how['none']} "
            f"| {wrong} |"
        )
    options = Counter(one["how"] for one in outcomes if not _is_out(one) and one["how"] != "default")
    said = ", ".join(f"{how} {count}" for how, count in options.most_common())
    yield f"\nThe options: {said}."
    crashed = sum(one["how"] == "crashed" for one in outcomes)
    yield f"Errors that are no refusals: {crashed}.\n"


def _is_out(one: Outcome) -> bool:
    return one["how"] in ("refused", "crashed")


def _plain(text: str) -> str:
    """A reason without names, paths and numbers, to be counted."""
    text = re.sub(r"^\S+:\d+: ", "", text)
    text = re.sub(r"^\w+: ", "", text)
    text = re.sub(r"'[^']*('|$)", "...", re.sub(r"(/[^ :]+)+", "...", text))
    return re.split(r"\.( |$)|;", text)[0][:70].strip().replace("|", "/")


def _refused(outcomes: Sequence[Outcome]) -> Iterable[str]:
    yield "## What is refused\n"
    yield "| format | files | reason | does its own program load it |"
    yield "|---|---|---|---|"
    out = [one for one in outcomes if _is_out(one)]
    reasons = Counter(
        (KINDS[one["kind"]][0], _plain(one["why"]), one["peer"].split(",")[0].split(":")[0]) for one in out
    )
    for (kind, why, peer), count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        yield f"| {kind} | {count} | {why} | {peer} |"
    yield ""


def _agreement(outcomes: Sequence[Outcome]) -> Iterable[str]:
    yield "## Agreement\n"
    yield f"Largest differences over 20 states, of the largest entry; the last column counts files above {AGREED:g}.\n"
    yield "| format | beside | files compared | quantity | files | largest | beyond |"
    yield "|---|---|---|---|---|---|---|"
    for kind, (title, peer) in KINDS.items():
        compared = [one for one in outcomes if one["kind"] == kind and one.get("off")]
        for quantity in QUANTITIES:
            values = [one["off"][quantity] for one in compared if quantity in one["off"]]
            if values:
                beyond = sum(not x <= AGREED for x in values)
                counts = f"{len(compared)} | {quantity} | {len(values)} | {max(values):.1e} | {beyond}"
                yield f"| {title} | {peer} | {counts} |"
    left = Counter(_plain(one["left"]) for one in outcomes if "left" in one)
    yield "\nNot compared: " + "; ".join(f"{why} ({count})" for why, count in left.most_common()) + "."
    beyond = [one for one in outcomes if any(not x <= AGREED for x in one.get("off", {}).values())]
    if beyond:
        yield "\nBeyond:\n"
        for one in beyond:
            off = ", ".join(f"{key} {x:.1e}" for key, x in one["off"].items() if not x <= AGREED)
            yield f"- {one['package']}: {one['name']}: {off}"
    yield ""


def _one_by_one(outcomes: Sequence[Outcome]) -> Iterable[str]:
    yield "## The URDF files of example-robot-data\n"
    yield "| file | loads | velocities | largest difference from Pinocchio |"
    yield "|---|---|---|---|"
    for one in outcomes:
        if one["package"] == "example-robot-data" and one["kind"] == "urdf":
            how = f"refused: {_plain(one['why'])}" if _is_out(one) else one["how"]
            off = f"{max(one['off'].values()):.1e}" if one.get("off") else one.get("left", "")
            yield f"| {one['name'].removeprefix('robots/')} | {how} | {one.get('nv', '')} | {off} |"
