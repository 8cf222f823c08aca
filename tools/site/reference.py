"""Pages of the reference, made from the code: every public name, every member, with the docstrings as they are."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from pathlib import Path

import cardan
from cardan import _HOMES
from tools.site.examples import Example, executed
from tools.site.products import full_name, members, products, public_names

SHARED = ("System", "Run")  # their names are told by the file that holds them
examples: dict[str, Example] = {}
GROUPS = {
    "cardan.api.system": ("System", "A mechanical system: what can be said of it, and what can be asked."),
    "cardan.api.run": ("Run", "A motion, and everything that can be read along it."),
    "cardan.model.joints": ("Joints", "How a body hangs on its parent, and how loops are closed."),
    "cardan.model.orientations": ("Orientations", "How a ball or free joint is turned."),
    "cardan.model.curvilinear": ("Curvilinear coordinates", "Where a particle is."),
    "cardan.model.shapes": ("Surfaces that touch", "What rolls and touches."),
    "cardan.model.appearances": ("Appearances", "What a body looks like."),
    "cardan.simulation.methods.objects": ("Methods", "How steps are made: `s.simulate(method=...)`."),
    "cardan.continua": ("Strings and beams", "Continuous systems."),
    "cardan": ("Other names", "Functions and events."),
}


def write_reference(folder: Path, *, execute: bool) -> None:
    """All pages of the reference, and their index; with ``execute`` the examples run and are shown."""
    examples.clear()
    if execute:
        examples.update(executed())
    folder.mkdir(parents=True, exist_ok=True)
    groups = grouped()
    for title, _, names in groups:
        page = [heading(title, "=")]
        page += ["".join(lines) for name in names for lines in [entry(name)]]
        (folder / f"{slug(title)}.rst").write_text("\n".join(page), encoding="utf-8")
    pages = [(title, words, slug(title)) for title, words, _ in groups]
    kinds = sorted(products(), key=lambda one: one.__name__)
    for kind in kinds:
        (folder / f"{kind.__name__}.rst").write_text(product_page(kind), encoding="utf-8")
    (folder / "index.rst").write_text(index(pages, kinds), encoding="utf-8")


def grouped() -> list[tuple[str, str, list[str]]]:
    """Title, words and public names of each page: every name is on exactly one of them."""
    found: dict[str, list[str]] = {home: [] for home in GROUPS}
    for name in public_names():
        home = next(home for home in GROUPS if _HOMES[name].startswith(home))
        found[home].append(name)
    return [(*GROUPS[home], names) for home, names in found.items() if names]


def entry(name: str) -> Iterator[str]:
    """One public name with its members."""
    value = getattr(cardan, name)
    if not callable(value):  # a number with a name
        yield f".. autodata:: {full_name(name)}\n\n" + shown_example(name)
    elif not inspect.isclass(value):
        yield f".. autofunction:: {value.__module__}.{name}\n\n" + shown_example(name)
    elif name in SHARED:
        yield from by_file(value, name)
    else:
        yield described(value, name)


def by_file(kind: type, name: str) -> Iterator[str]:
    """A large class, with its members under the heading of the small class that they come from."""
    yield f".. autoclass:: {kind.__module__}.{name}\n   :no-index-entry:\n\n" + shown_example(name)
    told: set[str] = set()
    for one in reversed(kind.__mro__):
        own = [member for member in members(one) if member not in told and one.__module__.startswith("cardan.")]
        told.update(own)
        if own:
            yield "\n" + heading((one.__doc__ or one.__name__).split("\n")[0].rstrip("."), "-")
            yield from (member_entry(kind, name, member) for member in own)


def described(kind: type, name: str) -> str:
    """A class with all its members."""
    text = f"\n{heading(name, '-')}\n.. autoclass:: {kind.__module__}.{kind.__qualname__}\n\n"
    return text + shown_example(name) + "".join(member_entry(kind, name, member) for member in members(kind))


def member_entry(kind: type, name: str, member: str) -> str:
    """One method, property or field, with its example."""
    value = inspect.getattr_static(kind, member, None)
    function = callable(value) or isinstance(value, classmethod | staticmethod)
    directive = "automethod" if function else "autoattribute"
    return f".. {directive}:: {kind.__module__}.{kind.__qualname__}.{member}\n\n" + shown_example(f"{name}.{member}")


def shown_example(name: str) -> str:
    """The example of a name as a folded block, with what it printed when this site was built."""
    found = examples.get(name)
    if found is None:
        return ""
    lines = [".. code-block:: python", "   :class: example", "", *(f"   {one}" for one in found.code.splitlines()), ""]
    if found.printed:
        lines += [".. code-block:: text", "   :class: output", "", *(f"   {x}" for x in found.printed.splitlines()), ""]
    return "\n".join(lines) + "\n"


def product_page(kind: type) -> str:
    """A page about a class that is returned by something."""
    text = heading(kind.__name__, "=") + f"\n.. autoclass:: {kind.__module__}.{kind.__qualname__}\n\n"
    text += shown_example(kind.__name__)
    return text + "".join(member_entry(kind, kind.__name__, member) for member in members(kind))


def index(pages: list[tuple[str, str, str]], kinds: list[type]) -> str:
    """The front page of the reference."""
    lines = [heading("Reference", "="), "Made from the code when this site was built.", ""]
    lines += ["``import cardan as cd``", "", heading("What you say", "-")]
    lines += [f"- :doc:`{title} <{name}>`: {words.replace('`', '``')}" for title, words, name in pages]
    lines += ["", heading("What you get", "-")]
    for kind in kinds:
        first = (kind.__doc__ or "").split("\n")[0]
        lines.append(f"- :doc:`{kind.__name__} <{kind.__name__}>`: {escaped(first)}")
    lines += ["", heading("What you type and write", "-")]
    lines += ["- :doc:`Commands <commands>`", "- :doc:`Model files <model-files>`, key by key"]
    lines += ["- :doc:`Messages <messages>`: every error, status, event and line of the audit", ""]
    names = [*(name for *_, name in pages), *(one.__name__ for one in kinds), "commands", "model-files", "messages"]
    lines += [".. toctree::", "   :hidden:", "", *(f"   {one}" for one in names), ""]
    return "\n".join(lines)


def escaped(text: str) -> str:
    from tools.site.docstrings import prose

    return prose(text)


def heading(text: str, line: str) -> str:
    return f"{text}\n{line * max(len(text), 3)}\n"


def slug(title: str) -> str:
    return title.lower().replace(" ", "-").replace(os.sep, "-")
