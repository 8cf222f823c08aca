"""What an index of packages is told besides ``pyproject.toml``: the README as it reads there, and addresses.

Files of the repository have no address of their own, and a copy of it may live anywhere. The one who publishes says
where: ``CARDAN_HOME=https://host/owner/cardan`` (the workflow of the forge takes it from the forge). Then every link of
the README is absolute. Without it, what is built is for this machine: links into the repository become plain words, and
no address is given that might be somebody else's.
"""

from __future__ import annotations

import re

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\]\([^)]*\))*)\]\((?![a-z]+:|#)([^)\s]+)\)")
FROM_A_CLONE = "With Python 3.11 or newer, in a clone of this repository:\n\n```sh\npip install .\n"
FROM_THE_INDEX = "With Python 3.11 or newer:\n\n```sh\npip install cardan\n"


def addresses(home: str) -> dict[str, str]:
    """The project's addresses, by what is found there; none where nobody said where the project lives."""
    if not home:
        return {}
    return {
        "Homepage": home,
        "Documentation": f"{home}/tree/main/docs",
        "Source": home,
        "Issues": f"{home}/issues",
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
    }


def for_the_index(text: str, home: str, version: str) -> str:
    """The README with links that hold anywhere, badges, and the command that installs by name."""
    if not home:
        return LINK.sub(lambda found: "" if found[1] else found[2], text)
    if FROM_A_CLONE not in text:
        raise ValueError("README.md no longer says how to install from a clone where hatch_metadata.py looks for it.")
    raw, shown = f"{home}/raw/v{version}", f"{home}/blob/v{version}"
    text = LINK.sub(lambda found: f"{found[1]}[{found[2]}]({raw if found[1] else shown}/{found[3]})", text)
    title, _, rest = text.replace(FROM_A_CLONE, FROM_THE_INDEX).partition("\n")
    return f"{title}\n\n{badges(home)}\n{rest}"


def badges(home: str) -> str:
    """State of the tests, version, licence."""
    tests = f"{home}/actions/workflows/test.yml"
    return (
        f"[![tests]({tests}/badge.svg)]({tests}) "
        "[![version](https://img.shields.io/pypi/v/cardan)](https://pypi.org/project/cardan) "
        f"[![licence BSD-3-Clause](https://img.shields.io/badge/licence-BSD--3--Clause-blue)]({home}/blob/main/LICENSE)"
    )
