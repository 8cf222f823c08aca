"""What every test may rely on: the tests' own modules on the path, a private cache, repeatable examples, no windows."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))  # so that `from close import assert_close` works in every folder

os.environ["CARDAN_BUDGET"] = "120"  # answers do not depend on what else the machine does; tests of budgets name theirs
os.environ["MPLBACKEND"] = "Agg"  # figures go to files; also holds for the programs that tests start

# Derandomized: the same examples in every run and on every machine, so a failure can be repeated.
# No deadline: the first example of a test may have to compile its kernel.
settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled kernels of a test run go to a directory of its own, so no run depends on an earlier one."""
    before = os.environ.get("CARDAN_CACHE_DIR")
    os.environ["CARDAN_CACHE_DIR"] = str(tmp_path_factory.mktemp("cardan-cache"))
    yield
    if before is None:
        del os.environ["CARDAN_CACHE_DIR"]
    else:
        os.environ["CARDAN_CACHE_DIR"] = before
