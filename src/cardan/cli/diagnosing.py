"""``cardan diagnose``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardan.cli.models import assignments, load_model, started
from cardan.cli.reporting import Answer


@dataclass(frozen=True)
class Asked:
    """What was typed."""

    q: list[str]
    v: list[str]
    values: list[str]
    loads: list[str]
    t: float
    sets: bool
    remedies: bool


def diagnose_model(answer: Answer, name: str, asked: Asked) -> None:
    """Print the diagnosis at the start; findings count as a problem."""
    system = load_model(name, asked.values)
    loads = assignments(asked.loads, "--load") or None
    found = system.diagnose(**started(system, asked.q, asked.v), t=asked.t, loads=loads)
    findings = [finding_facts(one, asked.remedies) for one in found.findings]
    answer.tell(
        kinds=found.kinds,
        findings=findings,
        near=[finding_facts(one, False) for one in found.near],
        notes=[finding_facts(one, False) for one in found.notes],
        configuration_dof=found.configuration_dof,
        velocity_dof=found.velocity_dof,
        basis_rank=found.basis_rank,
        constraint_rank=found.constraint_rank,
        generic_rank=found.generic_rank,
        redundant={"permanent": found.redundant.permanent, "local": found.redundant.local},
        indicators=found.indicators,
    )
    answer.say(found)
    for facts in findings:
        for remedy in facts.get("remedies", ()):
            answer.say(f"remedy for {facts['kind']}: {remedy}")
    if asked.sets:
        sets = [*system.singular_set(), *(one for load in system.model.loads for one in system.singular_set(load.name))]
        texts = list(dict.fromkeys(str(one) for one in sets))
        answer.tell(singular_sets=texts, manifold=str(system.manifold()))
        answer.say("\n".join(["singular sets:", *(f"  {text}" for text in texts or ["none"])]))
        answer.say(f"configuration manifold: {system.manifold()}")
    if not found.is_regular:
        answer.find()


def finding_facts(one: Any, remedies: bool) -> dict[str, Any]:
    """A finding for programs."""
    facts = {key: getattr(one, key) for key in ("kind", "where", "indicator", "tolerance", "what", "why", "t")}
    return facts | ({"remedies": [str(remedy) for remedy in one.remedies()]} if remedies else {})
