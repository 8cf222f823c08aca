"""Fills the fields that ``pyproject.toml`` calls dynamic: README and addresses for an index (tools/index_page.py)."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class IndexHook(MetadataHookInterface):
    """The page is the README; who publishes says where the project lives, in ``CARDAN_HOME``."""

    def update(self, metadata: dict[str, Any]) -> None:
        home = os.environ.get("CARDAN_HOME", "").rstrip("/")
        page = self.page()
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        shown = page.for_the_index(text, home, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}
        metadata["urls"] = page.addresses(home)

    def page(self) -> Any:
        """The module ``tools/index_page.py``."""
        specification = importlib.util.spec_from_file_location(
            "cardan_index_page", Path(self.root) / "tools" / "index_page.py"
        )
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module
