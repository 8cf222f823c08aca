"""How a system is kept: as a model file."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardan.api.following import Following
from cardan.errors import StoreError

if TYPE_CHECKING:
    from cardan.formats.document import Data
    from cardan.trajectory.trajectory import Trajectory


class Keeping(Following):
    """What outlives a program: the description of a system."""

    def __init__(self, name: str = "system") -> None:
        super().__init__(name)
        self._origin: tuple[dict[str, Data], tuple[int, ...]] | None = None  # a file's data, and when they were true

    def came_from(self, data: dict[str, Any]) -> None:
        """Remember that a file says exactly this system, as it is now."""
        self._origin = (data, self.description.revision())

    def as_data(self) -> dict[str, Data]:
        """The system as the data of a model file; FileError names what files have no word for."""
        from cardan.formats.say_model import say_model

        if self._origin is None or self._origin[1] != self.description.revision():
            return dict(say_model(self.description, self._charts))
        values = {str(symbol): value for symbol, value in self.description.values.items()}
        return {**self._origin[0], "parameters": values}

    def data_of(self, run: Trajectory) -> dict[str, Data]:
        """The system as the data of a model file, as it was when it made this run."""
        now = replace(self.model, values=run.user.model.values)
        if now != run.user.model:
            raise StoreError(
                f"The description of {self.name!r} has changed since this run was made, so that no model file says "
                "what moved. Simulate it again, and save that run.",
                name=self.name,
            )
        return self.as_data()

    def write(self, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the system as a model file (YAML), which ``cd.load`` reads and anyone can; returns its path.

        What files have no word for is refused by name. An existing file is kept unless ``overwrite`` is set.
        """
        from cardan.formats.write import write_model

        return write_model(self.as_data(), Path(path), f"{self.name}, written by Cardan", replace=overwrite)
