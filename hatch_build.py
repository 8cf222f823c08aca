"""Puts the built page into wheels and source archives.

A wheel without the page could write no report, so building one fails when the page cannot be built. An editable
install only warns: there ``make bundle`` builds it.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Builds ``src/cardan/report/static`` before it is packed."""

    def dependencies(self) -> list[str]:
        """Node from PyPI, when the page has to be built and this machine has no Node.

        Nobody says here whether the install is editable, except pip, in the name of what it runs.
        """
        page = self.page()
        is_editable = "get_requires_for_build_editable" in sys.argv
        if page is None or is_editable or page.is_current() or page.find_node() is not None:
            return []
        return [page.NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        page = self.page()
        if page is None:
            return
        if version == "editable":
            if not page.is_current():
                self.app.display_warning("The page of report and viewer is not built yet: run make bundle")
            return
        if not page.is_current():
            page.build()
        build_data["artifacts"] += ["/src/cardan/report/static/cardan.js", "/src/cardan/report/static/cardan.css"]

    def page(self) -> Any:
        """The module ``frontend/build.py``; None in a tree that comes without the sources of the page."""
        path = Path(self.root) / "frontend" / "build.py"
        specification = importlib.util.spec_from_file_location("cardan_page_build", path)
        if not path.is_file() or specification is None or specification.loader is None:
            return None
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module
