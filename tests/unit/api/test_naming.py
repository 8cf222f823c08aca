"""Parts of a system by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardan as cd
from cardan.errors import UnknownName

ROBOT = """<robot name="two links">
  <link name="base"/>
  <link name="upper arm"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="shoulder-lift" type="continuous">
    <parent link="base"/><child link="upper arm"/><axis xyz="0 0 1"/></joint>
</robot>
"""


def _gimbals() -> cd.System:
    s = cd.System("gimbals")
    alpha, beta = s.coordinates("alpha beta", on="S1")
    size = s.parameters(size=0.3)
    outer = s.body("outer", inertia=size, joint=cd.Revolute("z", alpha))
    s.body("inner", inertia=1.0, joint=cd.Revolute("x", beta), parent=outer)
    s.frame("sight", parent=outer, at=(1, 0, 0))
    s.moment("M", on=outer, along=s.world.z)
    s.input("u")
    return s


def test_every_part_is_found_by_its_name() -> None:
    s = _gimbals()
    assert s["outer"] is s.bodies["outer"]
    assert s["alpha"].dot == s.model.variables[0].symbol.dot  # type: ignore[union-attr]
    assert [str(s[name]) for name in ("beta", "size", "M", "u")] == ["beta", "size", "M", "u"]
    assert s["world"] is s.world
    assert s["sight"].parent is s["outer"].frame  # type: ignore[union-attr]
    assert list(s.joints) == list(s.bodies) == ["outer", "inner"]
    assert isinstance(s.joints["inner"], cd.Revolute)
    assert "inner" in s
    assert "middle" not in s


def test_every_claimed_name_of_a_part_is_found_or_a_symbol_beside_one() -> None:
    """The table of names and the way to the parts are two accounts of one thing."""
    s = _gimbals()
    beside = {name for name, what in s.names.items() if what.startswith("a symbol of")}
    assert {name for name in s.names if name not in s} <= beside | {"t"}


def test_a_name_that_nothing_has_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'inner'"):
        _gimbals()["iner"]


def test_a_copy_with_other_values_finds_its_own_parts() -> None:
    s = _gimbals()
    other = s.with_values(size=2.0)
    other.coordinates("gamma")
    assert "gamma" in other
    assert "gamma" not in s


def test_names_of_a_robot_file_are_understood_where_they_were_changed(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT, encoding="utf-8")
    s = cd.load(path)
    assert s["upper arm"] is s["upper_arm"]
    assert str(s["shoulder-lift"]) == "shoulder_lift"
