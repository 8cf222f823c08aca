"""The page inside a notebook's cell: the self-contained report in a frame, which computes with no server behind it."""

from __future__ import annotations

import sys
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardan.diagnosis.along import JudgedTrajectory
    from cardan.report.data.maps import Picture
    from cardan.report.data.special import Special

HEIGHT = 760  # pixels


def is_notebook() -> bool:
    """Whether this runs in a notebook: Jupyter (and what speaks its protocol) or marimo."""
    running = getattr(sys.modules.get("marimo"), "running_in_notebook", None)
    if running is not None and running():
        return True
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return get_shell is not None and getattr(get_shell(), "kernel", None) is not None


class Embedded:
    """A run as a page for a cell."""

    def __init__(
        self,
        run: JudgedTrajectory,
        height: int = HEIGHT,
        picture: Picture | None = None,
        special: Sequence[Special] = (),
    ) -> None:
        self.run, self.height, self.picture, self.special = run, height, picture, special

    def _repr_html_(self) -> str:
        """A frame that holds the whole page. Its scripts can reach neither the notebook nor the network."""
        from cardan.report.page.html import report_html

        page = report_html(self.run, picture=self.picture, special=self.special)
        return (
            f'<iframe sandbox="allow-scripts" style="width:100%;height:{self.height}px;border:0" '
            f'title="{escape(self.run.model.name, quote=True)}" '
            f'srcdoc="{escape(page, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Embedded({self.run!r})"
